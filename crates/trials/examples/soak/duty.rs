//! Checks that each playing agent is in exactly one world, once, and receives decisions.

use crate::api::{Doing, Member};
use crate::ledger::{Ledger, Mark};
use crate::ops::{Role, Steering};
use crate::referee::{Record, Referee, Seen, Stage, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The number of ticks within which the plugin must notice a change.
const NOTICE: u64 = 2;

impl Referee {
    /// Checks that the agents of a map are exactly those that play on it, each once.
    pub fn check_members(
        &self,
        ledger: &Ledger,
        map: usize,
        stage: &Stage,
        now: &BTreeMap<usize, Seen>,
    ) -> Verdict {
        let Some(tick) = stage.tick else {
            return Ok(());
        };
        if let Some(before) = self.map_ticks[map]
            && tick != before + 1
            && !ledger.map(map)
        {
            return Err(format!("map {map} went from tick {before} to {tick}"));
        }
        if ledger.late.maps.contains(&map) {
            return Ok(());
        }
        let mut found = BTreeSet::new();
        for (agent, member) in &stage.members {
            let Some(agent) = *agent else {
                return Err(format!(
                    "map {map} has an unknown agent: {:?}",
                    member.entity
                ));
            };
            if !found.insert(agent) {
                return Err(format!("map {map} has agent {agent} twice"));
            }
            if !ledger.late.touches(agent) {
                self.check_member(map, agent, member, now)
                    .map_err(|what| format!("agent {agent} {what}"))?;
            }
        }
        for (&agent, seen) in &self.expected {
            let is_here = seen.plays() && seen.home == Some(map);
            if is_here && !found.contains(&agent) && !ledger.late.touches(agent) {
                return Err(format!("agent {agent} is missing on map {map}: {seen:?}"));
            }
        }
        Ok(())
    }

    /// Checks that a member matches its components.
    fn check_member(
        &self,
        map: usize,
        agent: usize,
        member: &Member,
        now: &BTreeMap<usize, Seen>,
    ) -> Verdict {
        let expected = self.expected.get(&agent);
        let here = expected.filter(|seen| seen.plays() && seen.home == Some(map));
        let Some(seen) = here else {
            return Err(format!("should not play on map {map}: {expected:?}"));
        };
        if seen.facts.role != Some(member.role) {
            return Err(format!("is on the wrong side: {:?}", member.role));
        }
        if seen.facts.pursuit != member.pursuit {
            return Err(format!("is in pursuit {}", member.pursuit));
        }
        let Some(Seen { facts, .. }) = now.get(&agent) else {
            return Ok(());
        };
        if facts.way != member.way {
            return Err(format!(
                "has path {:?} in its components, but {:?} in the world",
                facts.way, member.way
            ));
        }
        let shown = Some(facts.at).filter(|&at| self.grid(map).is_some_and(|it| it.contains(at)));
        if member.at != shown {
            return Err(format!(
                "is at {shown:?} in its components, but at {:?} in the world",
                member.at
            ));
        }
        Ok(())
    }

    /// Checks that a playing agent receives decisions in time, and has a valid reason when idle.
    pub fn check_duty(
        &self,
        ledger: &Ledger,
        agent: usize,
        record: &mut Record,
        tick: u64,
        now: &BTreeMap<usize, Seen>,
    ) -> Verdict {
        let seen = record.seen.clone();
        if !seen.plays() || seen.home.is_none_or(|home| ledger.map(home)) {
            (record.idle, record.late, record.stuck) = (0, 0, 0);
            return Ok(());
        }
        let facts = &seen.facts;
        let step = u64::from(facts.ticks_per_step);
        let patience = self.turn.max(step) + NOTICE;
        let grid = seen.home.and_then(|home| self.grid(home));
        let on_map = grid.is_some_and(|grid| grid.contains(facts.at));
        // Whether the reason for being idle is wrong.
        let without_cause = match facts.doing {
            Doing::NotAsked | Doing::NoMap => true,
            Doing::OffTheMap => on_map,
            Doing::NobodyThere => self.enemy(&seen, now).is_some() && on_map,
            Doing::NobodySeen => facts.sees_all && Self::sees_all(&seen, now),
            Doing::Captured => !facts.caught,
            Doing::Immobile => facts.speed > 0,
            Doing::Game | Doing::Decided => false,
        };
        let touched = ledger.touches(agent);
        let before = self.before.get(&agent);
        let has_changed = before.is_some_and(|before| before.seen.facts.doing != facts.doing);
        // An agent that waited through a long turn is not late by the shorter turn of new rules.
        if has_changed || ledger.rules() {
            record.idle = 0;
        }
        count(&mut record.idle, without_cause && !touched);
        if record.idle > patience {
            let enemy = self
                .enemy(&seen, now)
                .and_then(|enemy| Some((enemy, now.get(&enemy)?)));
            return Err(format!(
                "has been idle ({:?}) for {} ticks, although there is {enemy:?}",
                facts.doing, record.idle
            ));
        }
        let is_ours = facts.steering == Steering::Policy;
        let decided = facts.doing == Doing::Decided && is_ours && !facts.caught;
        count(
            &mut record.late,
            decided && tick > facts.arrives && !touched,
        );
        if record.late > patience {
            return Err(format!("has received no decision since {}", facts.arrives));
        }
        // An agent that could not move when its turn began waits until it ends, unless the player changes
        // the direction. Where both sides move simultaneously, it waits in any case.
        let has_key = record.calm > patience && record.steered <= 2 * NOTICE && !self.swaps;
        let rested = has_key || tick >= facts.arrives;
        let stuck = rested && self.is_stuck(&seen, now) && !touched && on_map;
        count(&mut record.stuck, stuck);
        if record.stuck > NOTICE {
            return Err(format!(
                "is steered but has not moved for {} ticks",
                record.stuck
            ));
        }
        Ok(())
    }

    /// Returns whether all agents of the same side and pursuit see everything. Cops share what they see;
    /// requiring it of all of them is a conservative test.
    fn sees_all(seen: &Seen, now: &BTreeMap<usize, Seen>) -> bool {
        let is_mate = |other: &&Seen| {
            other.plays()
                && other.home == seen.home
                && other.facts.pursuit == seen.facts.pursuit
                && other.facts.role == seen.facts.role
        };
        seen.facts.role == Some(Role::Robber)
            || now.values().filter(is_mate).all(|mate| mate.facts.sees_all)
    }

    /// Returns whether a player stands still although a step in the steered direction is possible.
    fn is_stuck(&self, seen: &Seen, now: &BTreeMap<usize, Seen>) -> bool {
        let facts = &seen.facts;
        let Steering::Steer(dx, dy) = facts.steering else {
            return false;
        };
        let Some(grid) = seen.home.and_then(|home| self.grid(home)) else {
            return false;
        };
        let may_go = facts.way.is_empty() && facts.speed > 0 && !facts.caught;
        // Another solid agent may be in the way of a solid one.
        if !may_go || facts.is_solid || !grid.is_open(facts.at) {
            return false;
        }
        let goes = |(dx, dy): (i32, i32)| {
            let x = facts.at.0.checked_add_signed(dx);
            let to = x.zip(facts.at.1.checked_add_signed(dy));
            (dx, dy) != (0, 0) && to.is_some_and(|to| grid.is_step(facts.at, to))
        };
        // An agent that meets an enemy stops there until the turn ends, even if it changes sides on its way.
        let meets = now.values().any(|other| {
            let is_enemy = other.facts.role != facts.role;
            let comes = other.facts.way.last() == Some(&facts.at);
            other.home == seen.home && (is_enemy && other.facts.at == facts.at || comes)
        });
        !meets && [(dx, dy), (dx, 0), (0, dy)].into_iter().any(goes)
    }
}

fn count(ticks: &mut u64, goes_on: bool) {
    *ticks = if goes_on { *ticks + 1 } else { 0 };
}

/// Marks that allow a body to jump.
pub const JUMPS: [Mark; 7] = [
    Mark::Ordered,
    Mark::Placed,
    Mark::Born,
    Mark::Map,
    Mark::Restored,
    Mark::Reparented,
    Mark::Enabled,
];
