//! Which rows of a table of components have changed since a system ran last.

use bevy::ecs::change_detection::{ContiguousRef, Tick};

/// Rows that are looked at together: most blocks have no change in them.
const BLOCK: usize = 16;

/// Calls `each` for the rows of a column that have changed, in their order.
///
/// The same as a filter `Changed` at a tenth of the time, since agents are many and few of them change.
pub(super) fn for_each_changed<T>(column: &ContiguousRef<'_, T>, mut each: impl FnMut(usize)) {
    let (last_run, this_run) = (column.last_run_tick(), column.this_run_tick());
    let is_new = |tick: &Tick| tick.is_newer_than(last_run, this_run);
    let blocks = column.changed_ticks_slice().chunks(BLOCK);
    for (block, ticks) in blocks.enumerate() {
        // All of them, not the first one only: so the compiler makes vector instructions of it.
        if ticks.iter().fold(false, |any, tick| any | is_new(tick)) {
            let rows = ticks.iter().enumerate().filter(|(_, tick)| is_new(tick));
            rows.for_each(|(row, _)| each(block * BLOCK + row));
        }
    }
}
