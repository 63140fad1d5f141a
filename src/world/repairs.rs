//! The abstraction is kept up with the map, within what the budget has for it.

use super::PursuitWorld;
use super::budget::Meter;

/// What an expansion is worth of a repair, in units of 10 ns.
pub(super) const UNITS: u64 = 8;

impl PursuitWorld {
    /// Repairs go on until the abstraction is that of the map or the budget has no more for them. As long
    /// as somebody may want a plan, a share of it is left.
    pub(super) fn repair(&mut self, meter: &mut dyn Meter) {
        let is_wanted =
            self.planner.job.is_some() || self.pursuits.iter().any(|pursuit| !pursuit.is_settled);
        while !self.follower.is_current(&self.graph) {
            let spent = self.report.spent;
            let left = if is_wanted {
                meter.left_for_repairs(spent)
            } else {
                meter.left(spent)
            };
            if left == 0 {
                break;
            }
            let units = self
                .follower
                .advance(&self.graph, left.saturating_mul(UNITS));
            let spent = units.div_ceil(UNITS);
            self.report.repairs += spent;
            self.report.spent += spent;
        }
        self.report.pending_edits = self.follower.pending();
    }
}
