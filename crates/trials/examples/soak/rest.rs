//! Checks that a robber at rest is captured in the time of a shortest path and a few turns, whatever else is in the
//! pursuit.

use crate::grid::Grid;
use crate::ledger::Ledger;
use crate::ops::{Budget, Role, Steering};
use crate::promises::Group;
use crate::referee::{Referee, Seen, Verdict};
use std::collections::BTreeMap;

/// The number of turns that a capture may take longer than a shortest path.
const SPARE: u64 = 8;
/// The smallest budget in expansions that has room for all plans.
const ENOUGH: u32 = 5_000;
/// The largest number of agents that such a budget is enough for.
const MOST: usize = 40;

/// The tick of its map by which a robber at rest has to be captured, and the length of the path, by pursuit.
#[derive(Debug, Clone, Default)]
pub struct Rests {
    due: BTreeMap<Group, (u64, u64)>,
    /// The number of robbers that were captured in time.
    pub kept: u64,
}

impl Referee {
    /// Checks the robbers at rest of all pursuits at the end of a tick.
    pub fn check_rests(
        &mut self,
        ledger: &Ledger,
        groups: &BTreeMap<Group, Vec<(usize, &Seen)>>,
        ticks: &[Option<u64>],
    ) -> Verdict {
        let many: usize = groups.values().map(Vec::len).sum();
        let budget = matches!(self.rules.budget, Budget::Expansions(all) if all >= ENOUGH);
        if !budget || many > MOST || self.turn != self.shortest_turn() {
            self.rests.due.clear();
            return Ok(());
        }
        self.rests.due.retain(|group, _| groups.contains_key(group));
        for (&group, members) in groups {
            if members.iter().any(|&(agent, _)| self.is_captured(agent)) {
                let was_due = self.rests.due.remove(&group);
                self.rests.kept += u64::from(was_due.is_some());
                continue;
            }
            let robber = robber_at_rest(members);
            let Some((tick, robber)) = ticks[group.0].zip(robber) else {
                self.rests.due.remove(&group);
                continue;
            };
            let is_calm = self.is_calm(ledger, group, members);
            match self.rests.due.get(&group).filter(|_| is_calm) {
                Some(&(due, far)) if tick > due => {
                    return Err(format!(
                        "pursuit {group:?} has not captured a robber at rest within {far} ticks and {SPARE} turns (tick {tick}): {members:?}"
                    ));
                }
                Some(_) => {}
                None => {
                    let grid = self.grid(group.0);
                    let far = grid.and_then(|grid| self.time_to(grid, robber, members));
                    let slack = SPARE * self.turn.max(20);
                    if let Some(far) = far {
                        self.rests.due.insert(group, (tick + far + slack, far));
                    } else {
                        self.rests.due.remove(&group);
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of ticks that the nearest free cop needs to the robber; `None` if none can come, or if one may make
    /// mistakes or not see the robber.
    fn time_to(&self, grid: &Grid, robber: &Seen, members: &[(usize, &Seen)]) -> Option<u64> {
        let facts = members.iter().map(|(_, it)| &it.facts);
        if !grid.is_open(robber.facts.at) || facts.clone().any(|it| it.errs || !it.sees_all) {
            return None;
        }
        let far = grid.distances(robber.facts.at);
        let time = |it: &crate::api::Facts| {
            let is_free = it.role == Some(Role::Cop) && it.steering == Steering::Policy;
            let steps = far.get(&it.at).filter(|_| is_free && it.speed > 0)?;
            let step = self.turn.div_ceil(it.speed.into());
            Some(u64::from(*steps) * step.max(it.ticks_per_step.into()))
        };
        facts.filter_map(time).min()
    }
}

/// The only robber of a pursuit, if it is free and stands where the game has put it.
fn robber_at_rest<'a>(members: &[(usize, &'a Seen)]) -> Option<&'a Seen> {
    let mut robbers = members
        .iter()
        .filter(|(_, it)| it.facts.role == Some(Role::Robber));
    let (_, robber) = robbers.next()?;
    let rests = matches!(
        robber.facts.steering,
        Steering::Steer(0, 0) | Steering::External
    );
    let is_only = robbers.next().is_none();
    (rests && is_only && !robber.facts.caught && robber.facts.way.is_empty()).then_some(*robber)
}
