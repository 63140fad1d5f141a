//! Repairs the abstraction after edits, within the budget.

use super::event::TickReport;
use super::purse::Purse;
use super::pursuit_world::PursuitWorld;
use crate::abstraction::Maintenance;
use crate::graph::Graph;

/// The cost of one expansion, in units of repair work (10 ns).
pub(super) const UNITS: u64 = 8;

/// The expansions for repairs in a tick whose budget leaves nothing for them. Whether robbers are within reach, and
/// whether there is a way to a tile, is known only after repairs.
const LEAST: u64 = 16;

impl PursuitWorld {
    /// Repairs the abstraction until it matches the map or the budget for repairs is spent. While an
    /// agent may want a plan, a share of the budget is kept for plans.
    pub(super) fn repair(&mut self, purse: &mut Purse<'_>) {
        let Self {
            facts, planning, ..
        } = self;
        let mut pursuits = facts.members.pursuits().iter();
        let is_wanted = planning.is_searching() || pursuits.any(|pursuit| !pursuit.is_settled);
        let report = &mut facts.events.report;
        repair_ground(
            &facts.graph,
            &mut facts.maintenance,
            is_wanted,
            report,
            purse,
        );
        let mut pending = facts.maintenance.pending();
        for ground in facts.grounds.list_mut() {
            repair_ground(
                &ground.graph,
                &mut ground.maintenance,
                is_wanted,
                report,
                purse,
            );
            pending += ground.maintenance.pending();
        }
        report.pending_edits = pending;
    }
}

/// Repairs the abstraction of a ground. `is_wanted`: whether an agent may want a plan.
fn repair_ground(
    graph: &Graph,
    maintenance: &mut Maintenance,
    is_wanted: bool,
    report: &mut TickReport,
    purse: &mut Purse<'_>,
) {
    while !maintenance.is_current(graph) {
        let left = if is_wanted {
            purse.left_for_repairs()
        } else {
            purse.left()
        };
        let left = match left {
            0 if report.repairs == 0 => LEAST,
            0 => break,
            left => left,
        };
        let units = left.saturating_mul(UNITS);
        let spent = maintenance.advance(graph, units).div_ceil(UNITS);
        report.repairs += spent;
        purse.spend(spent);
    }
}
