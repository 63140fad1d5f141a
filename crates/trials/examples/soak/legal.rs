//! Checks that all positions, paths and arrival times of agents are legal.

use crate::api::{Doing, Facts};
use crate::ledger::{Ledger, Mark};
use crate::ops::{Steering, Tile};
use crate::referee::{Record, Referee, Seen, Verdict};

impl Referee {
    /// Checks that an agent is where the game has put it or where its path has led.
    pub fn check_place(
        &self,
        ledger: &Ledger,
        agent: usize,
        before: &Record,
        now: &Seen,
        tick: Option<u64>,
    ) -> Verdict {
        let at = now.facts.at;
        if ledger.has_any(agent, &[Mark::Restored, Mark::Born]) {
            let back = self.returned.get(&agent);
            let back = back.filter(|_| !ledger.has_any(agent, &[Mark::Placed, Mark::Born]));
            return match back {
                Some(back) if back.at != at && !back.way.contains(&at) => {
                    Err(format!("was saved at {:?} but is not there", back.at))
                }
                _ => Ok(()),
            };
        }
        let placed = ledger.late.placed(agent).or(ledger.early.placed(agent));
        let was = match placed {
            Some(placed) if placed.at == at => return Ok(()),
            // Writing the same tile again is not a move.
            Some(placed) if placed.at == placed.before => before.seen.facts.at,
            // A step of a player comes after the moves of the cops, which may capture it where it stood before the step, or
            // when its turn began.
            Some(_) if self.is_captured(agent) && self.has_stood(agent, before, at) => {
                return Ok(());
            }
            Some(placed) => {
                return Err(format!(
                    "is not at {:?}, where the game has put it",
                    placed.at
                ));
            }
            None => before.seen.facts.at,
        };
        if at == was {
            return Ok(());
        }
        // The same if it has taken its steps in earlier ticks of the turn.
        let is_player = before.seen.facts.steering == Steering::External;
        if is_player && self.is_captured(agent) && self.has_stood(agent, before, at) {
            return Ok(());
        }
        let steps = &before.seen.facts;
        if steps.from != was || steps.way.is_empty() {
            return Err("has moved without a path".to_owned());
        }
        let Some(index) = steps.way.iter().rposition(|&tile| tile == at) else {
            return Err("is on a tile that was not on its path".to_owned());
        };
        let stays = now.home == before.seen.home;
        if stays && tick.is_some_and(|tick| tick < steps.arrives) && !ledger.rules() {
            return Err(format!("has arrived before tick {}", steps.arrives));
        }
        // An agent that is on another map now has arrived there.
        let Some(grid) = now.home.filter(|_| stays).and_then(|home| self.grid(home)) else {
            return Ok(());
        };
        if steps
            .way
            .get(index + 1)
            .is_some_and(|&next| grid.is_step(at, next))
        {
            return Err("has stopped before the end of its path".to_owned());
        }
        if !grid.is_open(at) && Self::walked(before, tick.unwrap_or(0)) <= index {
            return Err("has walked into a wall".to_owned());
        }
        Ok(())
    }

    /// Returns whether a player may have stood on a tile since its turn began.
    fn has_stood(&self, agent: usize, before: &Record, at: Tile) -> bool {
        let tiles = self.stood.get(&agent);
        at == before.seen.facts.at || tiles.is_none_or(|tiles| tiles.contains(&at))
    }

    /// The number of steps of its path that an agent has walked at a tick.
    fn walked(record: &Record, tick: u64) -> usize {
        let facts = &record.seen.facts;
        let length = facts.arrives.saturating_sub(facts.departs).max(1);
        let gone = tick.saturating_sub(facts.departs).min(length);
        (gone * record.pace as u64 / length) as usize
    }

    /// Checks that the rest of a path consists of legal steps, within the speed of the agent and in time.
    pub fn check_way(&self, ledger: &Ledger, agent: usize, record: &Record, tick: u64) -> Verdict {
        let facts = &record.seen.facts;
        let Some(grid) = record.seen.home.and_then(|home| self.grid(home)) else {
            return Ok(());
        };
        // A change after the plugin has read the agent affects the path in the next tick.
        if facts.way.is_empty() || !record.seen.plays() || ledger.late.touches(agent) {
            return Ok(());
        }
        // An agent that turns back in the middle of a step returns to its own tile, even if the policy takes
        // over then.
        let may_turn = |facts: &Facts| facts.steering != Steering::Policy;
        let turns = facts.way == [facts.at];
        let before = self.before.get(&agent).map(|before| &before.seen.facts);
        let has_turned = before.is_some_and(|before| may_turn(before) || before.way == [before.at]);
        let has_turned = has_turned || Self::may_have_turned(ledger, agent);
        if turns && (may_turn(facts) || has_turned) {
            return Ok(());
        }
        if facts.from != facts.at {
            return Err("has a path from another tile".to_owned());
        }
        if facts.arrives <= tick {
            return Err("should have arrived".to_owned());
        }
        let walked = Self::walked(record, tick).min(facts.way.len());
        let from = walked
            .checked_sub(1)
            .map_or(facts.at, |last| facts.way[last]);
        let open = grid.open_steps(from, &facts.way[walked..]);
        if walked + open < facts.way.len() {
            return Err(format!(
                "follows an impassable path, at step {}",
                walked + open
            ));
        }
        let before = self.before.get(&agent);
        let speed = before
            .map_or(0, |before| before.seen.facts.speed)
            .max(facts.speed);
        if facts.way.len() > usize::from(speed) && !record.is_ordered && facts.departs == tick {
            return Err("moves too many steps in a turn".to_owned());
        }
        // An agent that starts in the middle of a turn has only the remaining ticks, except players and
        // errands.
        let (steps, ticks) = (facts.way.len() as u64, facts.arrives - facts.departs);
        let is_fast = steps > 1 && (steps - 1) * self.shortest_turn() >= u64::from(speed) * ticks;
        let is_ours = facts.steering == Steering::Policy;
        if is_fast && is_ours && !record.is_ordered && facts.departs == tick {
            return Err(format!("moves {steps} steps in {ticks} ticks"));
        }
        Ok(())
    }

    /// Checks that an agent continues its path, unless something has interrupted it.
    pub fn check_step(
        &self,
        ledger: &Ledger,
        agent: usize,
        before: &Record,
        now: &Seen,
        tick: Option<u64>,
    ) -> Verdict {
        const CAUSES: [Mark; 6] = [
            Mark::Placed,
            Mark::Ordered,
            Mark::Restored,
            Mark::Map,
            Mark::Enabled,
            Mark::Born,
        ];
        let (was, is) = (&before.seen.facts, &now.facts);
        let under_way = !was.way.is_empty()
            && was.from == was.at
            && tick.is_some_and(|tick| was.arrives > tick);
        let is_new = |home: usize| ledger.map(home) || self.map_ticks[home].is_none();
        let map_changed = now.home.is_none_or(is_new) || now.home != before.seen.home;
        let is_free = [was.steering, is.steering]
            .iter()
            .any(|&steering| steering != Steering::Policy);
        let has_turned = Self::may_have_turned(ledger, agent) && is.way == [was.at];
        if !under_way
            || map_changed
            || !now.plays()
            || is.caught
            || self.is_captured(agent)
            || is_free
            || has_turned
            || was.ordered
            // An agent that leaves the game and comes back in the same tick begins anew.
            || self.absent.contains(&agent)
            // Changed rules may change when a turn ends.
            || ledger.rules() && is.at != was.at
            || ledger.has_any(agent, &CAUSES)
        {
            return Ok(());
        }
        if is.way == was.way {
            let timed = [Mark::Pursuit, Mark::Pace, Mark::Speed, Mark::Role];
            let same = is.arrives == was.arrives;
            if same || ledger.rules() || ledger.has_any(agent, &timed) {
                return Ok(());
            }
            return Err(format!(
                "changed its arrival to tick {} from {}",
                is.arrives, was.arrives
            ));
        }
        if self.is_cut(before, &is.way, now.home, tick.unwrap_or(0)) {
            return Ok(());
        }
        // An agent stopped by a wall gets a new decision at once if its role or pursuit has changed, too.
        let has_changed = ledger.has_any(agent, &[Mark::Role, Mark::Pursuit]);
        // So does one that has only made way for another: it had nothing to do, and whatever happens wakes it.
        let has_changed = has_changed || was.doing == Doing::NotAsked;
        if has_changed && self.is_cut(before, &[], now.home, tick.unwrap_or(0)) {
            return Ok(());
        }
        // A body stops before another one that is in its way now: the game has placed it there, or one of them takes room since.
        if is.is_solid && was.way.starts_with(&is.way) {
            return Ok(());
        }
        Err(format!("has left its path {:?}", was.way))
    }

    /// Returns whether the plugin may have read an input that the game has taken back in the same tick.
    fn may_have_turned(ledger: &Ledger, agent: usize) -> bool {
        ledger.has_any(agent, &[Mark::Steering])
    }

    /// Returns whether a wall has shortened the path to `way`.
    fn is_cut(&self, before: &Record, way: &[Tile], home: Option<usize>, tick: u64) -> bool {
        let was = &before.seen.facts;
        let Some(grid) = home.and_then(|home| self.grid(home)) else {
            return false;
        };
        let walked = Self::walked(before, tick.saturating_sub(1)).min(was.way.len());
        // An agent that squeezes out of a wall through a corner chooses anew when a better step opens.
        let squeezes = |to: &Tile| to.0 != was.at.0 && to.1 != was.at.1;
        let is_in_wall = walked == 0 && !grid.is_open(was.at);
        if is_in_wall && way.is_empty() && was.way.first().is_some_and(squeezes) {
            return true;
        }
        let from = walked.checked_sub(1).map_or(was.at, |last| was.way[last]);
        let open = walked + grid.open_steps(from, &was.way[walked..]);
        open < was.way.len() && was.way.starts_with(way) && way.len() >= open.min(walked)
    }
}

#[cfg(test)]
mod tests;
