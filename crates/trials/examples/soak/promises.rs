//! Checks that announced captures come in time: the number of turns falls with each turn, as documented, unless the
//! game moves a cop, places an agent, or changes a speed, a tile or the members of the pursuit.

use crate::ledger::Ledger;
use crate::ops::Role;
use crate::referee::{Referee, Seen, Verdict};
use std::collections::BTreeMap;

/// The map and the number of a pursuit.
pub type Group = (usize, u32);

/// The tick of its map at which an announced capture is due, by pursuit.
#[derive(Debug, Clone, Default)]
pub struct Promises {
    due: BTreeMap<Group, u64>,
    /// The number of promises that were kept.
    pub kept: u64,
}

impl Promises {
    pub fn forget(&mut self) {
        self.due.clear();
    }
}

/// The agents of each pursuit that play now.
pub fn groups(now: &BTreeMap<usize, Seen>) -> BTreeMap<Group, Vec<(usize, &Seen)>> {
    let mut groups: BTreeMap<Group, Vec<(usize, &Seen)>> = BTreeMap::new();
    for (&agent, seen) in now.iter().filter(|(_, seen)| seen.plays()) {
        if let Some(home) = seen.home {
            let group = groups.entry((home, seen.facts.pursuit)).or_default();
            group.push((agent, seen));
        }
    }
    groups
}

impl Referee {
    /// Forgets all promises, because the game has taken something away that they may rest on.
    pub fn forget_promises(&mut self) {
        self.promises.forget();
    }

    /// Returns whether the game has left the map and the members of a pursuit alone since the last tick.
    pub fn is_calm(&self, ledger: &Ledger, group: Group, members: &[(usize, &Seen)]) -> bool {
        let was_here = |seen: &Seen| {
            seen.plays() && (seen.home, seen.facts.pursuit) == (Some(group.0), group.1)
        };
        let before = self.before.iter().filter(|(_, it)| was_here(&it.seen));
        let stays = |agent: usize| !ledger.touches(agent) && !self.absent.contains(&agent);
        let old = before.map(|(&agent, _)| agent);
        let new = members.iter().map(|&(agent, _)| agent);
        old.eq(new)
            && members.iter().all(|&(agent, _)| stays(agent))
            && !ledger.map(group.0)
            && !ledger.rules()
            && !ledger.early.tiles
            && !ledger.late.tiles
    }

    /// Checks the promises of all pursuits at the end of a tick.
    pub fn check_promises(
        &mut self,
        ledger: &Ledger,
        groups: &BTreeMap<Group, Vec<(usize, &Seen)>>,
        ticks: &[Option<u64>],
    ) -> Verdict {
        self.promises
            .due
            .retain(|group, _| groups.contains_key(group));
        for (&group, members) in groups {
            let Some(tick) = ticks[group.0] else {
                self.promises.due.remove(&group);
                continue;
            };
            if members.iter().any(|&(agent, _)| self.is_captured(agent)) {
                let was_due = self.promises.due.remove(&group);
                self.promises.kept += u64::from(was_due.is_some());
                continue;
            }
            // Cops with limited sight may lose the robber.
            let is_fair = self.only_turns && members.iter().all(|(_, it)| it.facts.sees_all);
            if !is_fair || !self.is_calm(ledger, group, members) {
                self.promises.due.remove(&group);
                continue;
            }
            let turn = u64::from(self.rules.ticks_per_turn.max(1));
            let due = announced(members, turn);
            let before = self.promises.due.get(&group).copied();
            let robbers = members
                .iter()
                .filter(|(_, it)| it.facts.role == Some(Role::Robber));
            let free = robbers.filter(|(_, it)| !it.facts.caught).count();
            match (before, due) {
                (Some(before), Some(due)) if due > before => {
                    return Err(format!(
                        "pursuit {group:?} has announced a capture by tick {before}, and now by {due} (tick {tick})"
                    ));
                }
                (Some(before), None) => {
                    return Err(format!(
                        "pursuit {group:?} has taken back the capture by tick {before} (tick {tick})"
                    ));
                }
                (Some(before), _) if tick > before => {
                    return Err(format!(
                        "pursuit {group:?} has not kept tick {before} (tick {tick})"
                    ));
                }
                // Turns of another length do not count.
                (None, Some(due))
                    if free == 1 && self.turn == turn && self.shortest_turn() == turn =>
                {
                    self.promises.due.insert(group, due);
                }
                (Some(_), Some(due)) => {
                    self.promises.due.insert(group, due);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The tick by which the cops of a pursuit have announced a capture, if turns have this length.
fn announced(members: &[(usize, &Seen)], turn: u64) -> Option<u64> {
    let cops = members
        .iter()
        .filter(|(_, it)| it.facts.role == Some(Role::Cop));
    let told = cops.filter_map(|(_, it)| Some((it.facts.within?, it.facts.arrives)));
    let due = told.map(|(turns, arrives)| arrives + u64::from(turns.max(1) - 1) * turn);
    due.min()
}
