//! The abstraction is kept up with the map, within what the budget has for it.

use super::PursuitWorld;
use super::budget::Meter;

/// What an expansion is worth of a repair, in units of 10 ns.
pub(super) const UNITS: u64 = 8;

impl PursuitWorld {
    /// Repairs go on until the abstraction is that of the map or the budget has no more for them. As long
    /// as somebody may want a plan, a share of it is left.
    pub(super) fn repair(&mut self, meter: &mut dyn Meter) {
        let Self {
            board, planning, ..
        } = self;
        let mut pursuits = board.members.pursuits().iter();
        let is_wanted = planning.is_searching() || pursuits.any(|pursuit| !pursuit.is_settled);
        while !board.maintenance.is_current(&board.graph) {
            let report = &mut board.events.report;
            let left = if is_wanted {
                meter.left_for_repairs(report.spent)
            } else {
                meter.left(report.spent)
            };
            if left == 0 {
                break;
            }
            let units = left.saturating_mul(UNITS);
            let spent = board
                .maintenance
                .advance(&board.graph, units)
                .div_ceil(UNITS);
            report.repairs += spent;
            report.spent += spent;
        }
        board.events.report.pending_edits = board.maintenance.pending();
    }
}
