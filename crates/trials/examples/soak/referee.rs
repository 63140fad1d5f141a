//! The referee: checks components against its own copy of the map and rules, independent of the plugin.
//!
//! It checks at four points of a tick: when the plugin reads maps and agents, on captures, after
//! arrivals, and after decisions.

use crate::api::{Doing, Facts, Member};
use crate::game::Party;
use crate::grid::Grid;
use crate::ledger::{Ledger, Mark};
use crate::ops::{Clock, Role, Rules, Setup, Tile};
use crate::promises::{Promises, groups};
use crate::rest::Rests;
use std::collections::{BTreeMap, BTreeSet};

/// The state of an agent at some moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub facts: Facts,
    /// The number of its map.
    pub home: Option<usize>,
}

impl Seen {
    /// Returns whether the agent takes part in a game on a map.
    pub const fn plays(&self) -> bool {
        self.facts.enabled && self.facts.role.is_some() && self.home.is_some()
    }
}

/// The referee's memory of an agent from one tick to the next.
#[derive(Debug, Clone)]
pub struct Record {
    pub seen: Seen,
    /// The number of steps of its path at departure.
    pub pace: usize,
    /// Whether the game has ordered the path.
    pub is_ordered: bool,
    /// The number of ticks for which it has been idle with an invalid reason.
    pub idle: u64,
    /// The number of ticks for which its decision is overdue.
    pub late: u64,
    /// The number of ticks for which a player's input has had no effect.
    pub stuck: u64,
    /// The number of ticks since its control has changed.
    pub steered: u64,
    /// The number of ticks since its path was cut short or the game has moved it.
    pub calm: u64,
}

/// Changes after which an agent may have to wait for the end of its turn.
const DISTURBS: [Mark; 7] = [
    Mark::Placed,
    Mark::Ordered,
    Mark::Restored,
    Mark::Map,
    Mark::Born,
    Mark::Enabled,
    Mark::Role,
];

impl Record {
    fn new(
        ledger: &Ledger,
        agent: usize,
        before: Option<&Record>,
        seen: &Seen,
        tick: Option<u64>,
    ) -> Self {
        let facts = &seen.facts;
        let same = before.filter(|before| {
            let was = &before.seen.facts;
            was.departs == facts.departs && !was.way.is_empty() && !facts.way.is_empty()
        });
        let ordered = ledger.has_any(agent, &[Mark::Ordered]);
        let was_under_way = before.is_some_and(|before| {
            let was = &before.seen.facts;
            !was.way.is_empty() && tick.is_some_and(|tick| was.arrives > tick)
        });
        let stopped = was_under_way && facts.way.is_empty()
            || ledger.has_any(agent, &DISTURBS)
            || seen.home.is_none_or(|home| ledger.map(home))
            || ledger.early.tiles
            || tick.is_none();
        Self {
            pace: same.map_or(0, |same| same.pace).max(facts.way.len()),
            is_ordered: ordered || same.is_some_and(|same| same.is_ordered),
            idle: before.map_or(0, |before| before.idle),
            late: before.map_or(0, |before| before.late),
            stuck: before.map_or(0, |before| before.stuck),
            steered: before
                .filter(|_| !ledger.has_any(agent, &[Mark::Steering]))
                .map_or(0, |before| before.steered + 1),
            calm: before
                .filter(|_| !stopped)
                .map_or(0, |before| before.calm + 1),
            seen: seen.clone(),
        }
    }
}

/// The state of a map at some moment.
pub struct Stage {
    /// The number of ticks of the map; `None` while it is not ready.
    pub tick: Option<u64>,
    pub members: Vec<(Option<usize>, Member)>,
}

#[derive(Debug, Clone)]
pub struct Referee {
    /// The latest settings of the game.
    pub rules: Rules,
    /// The longest recent turn.
    pub turn: u64,
    /// The shortest recent turn.
    shortest: u64,
    /// The tick of the last change of these.
    changed: u64,
    pub ticks: u64,
    /// The maps that the plugin must know since it last read them.
    pub grids: Vec<Option<Grid>>,
    pub expected: BTreeMap<usize, Seen>,
    pub before: BTreeMap<usize, Record>,
    pub map_ticks: Vec<Option<u64>>,
    /// The agents restored since the last tick, with their saved states.
    pub returned: BTreeMap<usize, Facts>,
    /// Whether both sides may move simultaneously.
    pub swaps: bool,
    /// The captures of this tick: robber and cop.
    pub captures: Vec<(usize, usize)>,
    /// The agents that the plugin has found without a part in the game in this tick, even if they play now.
    pub absent: BTreeSet<usize>,
    /// Whether all turns of the game are played one side after the other.
    pub only_turns: bool,
    pub promises: Promises,
    pub rests: Rests,
    /// The tiles where the plugin has read each agent since its last move began. Without agents whose last move the referee
    /// has not seen, as after a restored save.
    pub stood: BTreeMap<usize, BTreeSet<Tile>>,
}

pub type Verdict = Result<(), String>;

impl Referee {
    pub fn new(setup: &Setup) -> Self {
        Self {
            rules: setup.rules,
            turn: setup.rules.ticks_per_turn.into(),
            shortest: setup.rules.ticks_per_turn.into(),
            changed: 0,
            ticks: 0,
            grids: vec![None; setup.grounds.len()],
            expected: BTreeMap::new(),
            before: BTreeMap::new(),
            map_ticks: vec![None; setup.grounds.len()],
            returned: BTreeMap::new(),
            swaps: setup.rules.clock == Clock::Simultaneous,
            captures: Vec::new(),
            absent: BTreeSet::new(),
            only_turns: setup.rules.clock == Clock::Turns,
            promises: Promises::default(),
            rests: Rests::default(),
            stood: BTreeMap::new(),
        }
    }

    /// The length in ticks of the shortest recent turn, for upper bounds on speed.
    pub fn shortest_turn(&self) -> u64 {
        self.shortest
    }

    pub fn grid(&self, map: usize) -> Option<&Grid> {
        self.grids[map].as_ref()
    }

    /// All agents that played on a map at the end of the last tick, which are those in a save.
    pub fn seen_on(&self, map: usize) -> impl Iterator<Item = (usize, &Facts)> {
        let all = self.before.iter();
        all.filter(move |(_, it)| it.seen.home == Some(map) && it.seen.plays())
            .map(|(&agent, it)| (agent, &it.seen.facts))
    }

    /// Records that a map was restored to a save with this longest `turn`.
    pub fn restored(&mut self, map: usize, turn: u64, grid: &Grid, agents: BTreeMap<usize, Facts>) {
        // A turn in progress in the save keeps its saved end.
        self.turn = self.turn.max(turn);
        self.changed = self.ticks;
        self.returned.extend(agents);
        self.stood.clear();
        self.grids[map] = Some(grid.clone());
        self.map_ticks[map] = None;
    }

    /// Called before the plugin reads the agents.
    pub fn expect(&mut self, expected: BTreeMap<usize, Seen>) {
        let absent = expected.iter().filter(|(_, seen)| !seen.plays());
        self.absent.extend(absent.map(|(&agent, _)| agent));
        for (agent, tiles) in &mut self.stood {
            tiles.extend(expected.get(agent).map(|seen| seen.facts.at));
        }
        self.expected = expected;
    }

    /// Called before the plugin reads the maps.
    pub fn begin(&mut self, grids: Vec<Option<&Grid>>) {
        self.ticks += 1;
        self.captures.clear();
        self.absent.clear();
        for (ours, theirs) in self.grids.iter_mut().zip(grids) {
            match (ours, theirs) {
                (Some(ours), Some(theirs)) if *ours != *theirs => ours.clone_from(theirs),
                (ours @ None, Some(theirs)) => *ours = Some(theirs.clone()),
                (ours, None) => *ours = None,
                _ => {}
            }
        }
        let turn = u64::from(self.rules.ticks_per_turn.max(1));
        if turn > self.turn || turn < self.shortest {
            self.turn = self.turn.max(turn);
            self.shortest = self.shortest.min(turn);
            self.changed = self.ticks;
        } else if self.ticks > self.changed + 2 * self.turn {
            (self.turn, self.shortest, self.changed) = (turn, turn, self.ticks);
        }
    }

    /// Checks a capture reported by the plugin.
    pub fn captured(&mut self, ledger: &Ledger, robber: Party, cop: Party) -> Verdict {
        let (robber, robber_at) = (robber.agent, robber.at);
        let (cop, cop_at) = (cop.agent, cop.at);
        let offence = |what: &str| {
            Err(format!(
                "capture of {robber} at {robber_at:?} by {cop} at {cop_at:?}: {what}"
            ))
        };
        if robber_at.is_none() || cop_at.is_none() {
            return offence("one of them does not exist");
        }
        if self.is_captured(robber) {
            return offence("reported twice");
        }
        self.captures.push((robber, cop));
        let Some((ours, theirs)) = self.expected.get(&robber).zip(self.expected.get(&cop)) else {
            return offence("one of them did not exist when the tick began");
        };
        if !ours.plays() || !theirs.plays() {
            return offence("one of them does not take part");
        }
        if (ours.facts.role, theirs.facts.role) != (Some(Role::Robber), Some(Role::Cop)) {
            return offence("one of them has the wrong role");
        }
        if ours.home != theirs.home || ours.facts.pursuit != theirs.facts.pursuit {
            return offence("they are on different maps or in different pursuits");
        }
        if ours.facts.caught {
            return offence("the robber was captured before");
        }
        // An agent moved after the plugin has read it in this tick was at its previous tile then.
        let place = |agent: usize, at: Option<Tile>| {
            let moved = ledger.late.placed(agent);
            moved.map_or((at, at), |moved| (Some(moved.before), at))
        };
        let (robber_places, cop_places) = (place(robber, robber_at), place(cop, cop_at));
        // Where both sides move simultaneously, they may have met on their way.
        let tiles = |facts: &Facts| [facts.way.as_slice(), &[facts.at, facts.from]].concat();
        let (ours_on, theirs_on) = (tiles(&ours.facts), tiles(&theirs.facts));
        let passed = ours_on.iter().any(|at| theirs_on.contains(at));
        let meet = passed && self.swaps
            || robber_places.0 == cop_places.0
            || robber_places.1 == cop_places.1
            || robber_places.0 == cop_places.1
            || robber_places.1 == cop_places.0;
        if meet {
            Ok(())
        } else {
            offence("they are on different tiles")
        }
    }

    /// Checks after arrivals that no capture is missing. `at` has the tiles of all agents, `ready` tells
    /// which maps are ready.
    pub fn after_arrive(
        &self,
        ledger: &Ledger,
        at: &BTreeMap<usize, Tile>,
        ready: &[bool],
    ) -> Verdict {
        let mut cops: BTreeMap<(usize, u32, Tile), usize> = BTreeMap::new();
        let place = |agent: usize| match ledger.late.placed(agent) {
            None => at.get(&agent).copied(),
            Some(placed) => placed.in_observer.then_some(placed.before),
        };
        let of_role = |role: Role| {
            self.expected.iter().filter_map(move |(&agent, seen)| {
                let home = seen.home.filter(|_| seen.plays())?;
                (seen.facts.role == Some(role)).then_some((agent, seen, home))
            })
        };
        for (agent, seen, home) in of_role(Role::Cop) {
            let is_there = ready[home] && !ledger.late.maps.contains(&home);
            if let Some(at) = place(agent).filter(|_| is_there) {
                cops.insert((home, seen.facts.pursuit, at), agent);
            }
        }
        for (agent, seen, home) in of_role(Role::Robber) {
            let Some(at) = place(agent).filter(|_| !seen.facts.caught) else {
                continue;
            };
            let is_on_map = self.grid(home).is_some_and(|grid| grid.contains(at));
            // The cop of its capture may have gone before the game was told. Another cop there captures it in the next tick.
            let is_gone = |other: usize, it: &Seen| {
                ledger.late.has(other, Mark::Gone) && it.home == Some(home)
            };
            let is_told = self.is_captured(agent)
                || (self.expected.iter()).any(|(&other, it)| is_gone(other, it));
            let Some(cop) = cops.get(&(home, seen.facts.pursuit, at)) else {
                continue;
            };
            if is_on_map && !is_told {
                return Err(format!(
                    "{agent} and {cop} are both at {at:?} of map {home}, in pursuit {}, without a capture",
                    seen.facts.pursuit
                ));
            }
        }
        Ok(())
    }

    /// Checks all rules at the end of a tick.
    pub fn look(
        &mut self,
        ledger: &Ledger,
        now: &BTreeMap<usize, Seen>,
        stages: &[Stage],
    ) -> Verdict {
        for (map, stage) in stages.iter().enumerate() {
            self.check_members(ledger, map, stage, now)?;
        }
        let ticks: Vec<Option<u64>> = stages.iter().map(|stage| stage.tick).collect();
        let groups = groups(now);
        self.check_promises(ledger, &groups, &ticks)?;
        self.check_rests(ledger, &groups, &ticks)?;
        let mut records = BTreeMap::new();
        for (&agent, seen) in now {
            let tick = seen.home.and_then(|home| stages[home].tick);
            let before = self.before.get(&agent);
            let tell = |what: String| {
                format!(
                    "agent {agent} {what}\n  before {:?}\n  now    {seen:?}\n  map tick {tick:?}, marks {:?}",
                    before.map(|record| &record.seen),
                    ledger.marks_of(agent),
                )
            };
            if let Some(before) = before {
                self.check_place(ledger, agent, before, seen, tick)
                    .map_err(tell)?;
                self.check_step(ledger, agent, before, seen, tick)
                    .map_err(tell)?;
            }
            let mut record = Record::new(ledger, agent, before, seen, tick);
            if let Some(tick) = tick {
                self.check_way(ledger, agent, &record, tick).map_err(tell)?;
                self.check_duty(ledger, agent, &mut record, tick, now)
                    .map_err(tell)?;
            } else {
                // There are no decisions while the map is loading.
                (record.idle, record.late, record.stuck) = (0, 0, 0);
            }
            self.check_captive(ledger, agent, before, seen)
                .map_err(tell)?;
            if tick == Some(seen.facts.departs) {
                self.stood.insert(agent, BTreeSet::from([seen.facts.at]));
            }
            records.insert(agent, record);
        }
        self.before = records;
        self.returned.clear();
        self.map_ticks = ticks;
        Ok(())
    }

    /// Returns whether the agent was captured in this tick.
    pub fn is_captured(&self, agent: usize) -> bool {
        self.captures.iter().any(|&(robber, _)| robber == agent)
    }

    /// Checks that `Caught` changes only by a reported capture or by the game.
    fn check_captive(
        &self,
        ledger: &Ledger,
        agent: usize,
        before: Option<&Record>,
        seen: &Seen,
    ) -> Verdict {
        let told = self.is_captured(agent);
        let Some(before) = before else {
            return Ok(());
        };
        let excused = ledger.has_any(
            agent,
            &[Mark::Released, Mark::Restored, Mark::Role, Mark::Gone],
        );
        let (was, is) = (before.seen.facts.caught, seen.facts.caught);
        match (was, is, told) {
            _ if excused => Ok(()),
            (false, true, false) => Err("is captured without a report".to_owned()),
            (false, false, true) => Err("was captured but is free".to_owned()),
            (true, false, _) => Err("was freed, but not by the game".to_owned()),
            _ => Ok(()),
        }
    }

    /// A free agent of the other side in the same pursuit.
    pub fn enemy(&self, seen: &Seen, now: &BTreeMap<usize, Seen>) -> Option<usize> {
        let grid = seen.home.and_then(|home| self.grid(home));
        let is_enemy = |enemy: &Seen| {
            enemy.plays()
                && enemy.home == seen.home
                && enemy.facts.pursuit == seen.facts.pursuit
                && enemy.facts.role != seen.facts.role
                && !enemy.facts.caught
                && grid.is_some_and(|grid| grid.contains(enemy.facts.at))
                && enemy.facts.doing != Doing::NoMap
        };
        let found = now.iter().find(|(_, enemy)| is_enemy(enemy));
        found.map(|(&other, _)| other)
    }
}
