//! Watches a game from outside: what components show, against a copy of the map and of the rules of its
//! own. It shares nothing with the plugin.
//!
//! It looks four times a tick: when the plugin looks at maps and at agents, at captures,
//! after arrivals, and when everybody has been told where to go.

use crate::api::{Doing, Facts, Member};
use crate::grid::Grid;
use crate::ledger::{Ledger, Mark};
use crate::ops::{Role, Rules, Setup, Tile};
use std::collections::BTreeMap;

/// An agent at some moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub facts: Facts,
    /// The number of its map.
    pub home: Option<usize>,
}

impl Seen {
    /// Does it take part in a game on a map?
    pub const fn plays(&self) -> bool {
        self.facts.enabled && self.facts.role.is_some() && self.home.is_some()
    }
}

/// What the referee remembers of an agent from a tick to the next.
#[derive(Debug, Clone)]
pub struct Record {
    pub seen: Seen,
    /// The steps of its way when it set out.
    pub pace: usize,
    /// Is the way one that the game has written?
    pub is_ordered: bool,
    /// Ticks for which it has said so without cause: not asked, no map, nobody there, captured.
    pub idle: u64,
    /// Ticks for which it is late.
    pub late: u64,
    /// Ticks for which a player's key has had no effect.
    pub deaf: u64,
    /// Ticks since the game has taken or left the wheel.
    pub steered: u64,
    /// Ticks since its way was cut short, or it was put somewhere.
    pub calm: u64,
}

/// What an agent may have to wait for the end of its turn after.
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
            deaf: before.map_or(0, |before| before.deaf),
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

/// A map at some moment.
pub struct Stage {
    /// The ticks that it has seen; `None` while it is not ready.
    pub tick: Option<u64>,
    pub members: Vec<(Option<usize>, Member)>,
}

#[derive(Debug, Clone)]
pub struct Referee {
    /// The settings that the game has given last.
    pub rules: Rules,
    /// The longest turn of late, and when the rules changed.
    pub turn: u64,
    shortest: u64,
    changed: u64,
    pub ticks: u64,
    /// The maps as the plugin has them to know since it looked last.
    pub grids: Vec<Option<Grid>>,
    pub expected: BTreeMap<usize, Seen>,
    pub before: BTreeMap<usize, Record>,
    pub map_ticks: Vec<Option<u64>>,
    /// Agents that were restored since the last tick, as they were.
    pub returned: BTreeMap<usize, Facts>,
    /// Captures of this tick: robber and cop.
    pub captures: Vec<(usize, usize)>,
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
            captures: Vec::new(),
        }
    }

    /// The ticks of the shortest turn of late, for what may be fast.
    pub fn shortest_turn(&self) -> u64 {
        self.shortest
    }

    pub fn grid(&self, map: usize) -> Option<&Grid> {
        self.grids[map].as_ref()
    }

    /// Everybody who played on a map when the last tick was over: of others a save knows nothing.
    pub fn seen_on(&self, map: usize) -> impl Iterator<Item = (usize, &Facts)> {
        let all = self.before.iter();
        all.filter(move |(_, it)| it.seen.home == Some(map) && it.seen.plays())
            .map(|(&agent, it)| (agent, &it.seen.facts))
    }

    /// A map was restored to what it was.
    pub fn restored(
        &mut self,
        (map, turn): (usize, u64),
        grid: &Grid,
        agents: BTreeMap<usize, Facts>,
    ) {
        // A turn that has begun then ends when it was to end.
        self.turn = self.turn.max(turn);
        self.changed = self.ticks;
        self.returned.extend(agents);
        self.grids[map] = Some(grid.clone());
        self.map_ticks[map] = None;
    }

    /// The plugin is about to look at agents.
    pub fn expect(&mut self, expected: BTreeMap<usize, Seen>) {
        self.expected = expected;
    }

    /// The plugin is about to look at maps.
    pub fn begin(&mut self, grids: Vec<Option<&Grid>>) {
        self.ticks += 1;
        self.captures.clear();
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

    /// The plugin says that a robber was captured.
    pub fn captured(
        &mut self,
        ledger: &Ledger,
        (robber, robber_at): (usize, Option<Tile>),
        (cop, cop_at): (usize, Option<Tile>),
    ) -> Verdict {
        let offence = |what: &str| {
            Err(format!(
                "capture of {robber} at {robber_at:?} by {cop} at {cop_at:?}: {what}"
            ))
        };
        if robber_at.is_none() || cop_at.is_none() {
            return offence("one of them has gone");
        }
        if self.captures.iter().any(|&(other, _)| other == robber) {
            return offence("told twice");
        }
        self.captures.push((robber, cop));
        let Some((ours, theirs)) = self.expected.get(&robber).zip(self.expected.get(&cop)) else {
            return offence("one of them was not there when the tick began");
        };
        if !ours.plays() || !theirs.plays() {
            return offence("one of them does not take part");
        }
        if (ours.facts.role, theirs.facts.role) != (Some(Role::Robber), Some(Role::Cop)) {
            return offence("one of them is on the other side");
        }
        if ours.home != theirs.home || ours.facts.pursuit != theirs.facts.pursuit {
            return offence("they are in different games");
        }
        if ours.facts.caught {
            return offence("it was captured before");
        }
        // Whoever is moved in this tick, after the plugin has looked, was where it was before.
        let place = |agent: usize, at: Option<Tile>| {
            let moved = ledger.late.placed(agent);
            moved.map_or((at, at), |moved| (Some(moved.before), at))
        };
        let (robber_places, cop_places) = (place(robber, robber_at), place(cop, cop_at));
        let meet = robber_places.0 == cop_places.0
            || robber_places.1 == cop_places.1
            || robber_places.0 == cop_places.1
            || robber_places.1 == cop_places.0;
        if meet {
            Ok(())
        } else {
            offence("they are apart")
        }
    }

    /// Arrivals are over: is everybody captured who has to be? `at` is where everybody is, `ready` which
    /// maps are played on.
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
            let is_told = self.captures.iter().any(|&(robber, _)| robber == agent);
            let Some(cop) = cops.get(&(home, seen.facts.pursuit, at)) else {
                continue;
            };
            if is_on_map && !is_told {
                return Err(format!(
                    "{agent} and {cop} are both at {at:?} of map {home}, in pursuit {}, and nobody is captured",
                    seen.facts.pursuit
                ));
            }
        }
        Ok(())
    }

    /// The tick is over: does everybody keep to the rules?
    pub fn look(
        &mut self,
        ledger: &Ledger,
        now: &BTreeMap<usize, Seen>,
        stages: &[Stage],
    ) -> Verdict {
        for (map, stage) in stages.iter().enumerate() {
            self.call_roll(ledger, map, stage, now)?;
        }
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
                // Nobody is asked while the map is loading.
                (record.idle, record.late, record.deaf) = (0, 0, 0);
            }
            self.check_captive(ledger, agent, before, seen)
                .map_err(tell)?;
            records.insert(agent, record);
        }
        self.before = records;
        self.returned.clear();
        self.map_ticks = stages.iter().map(|stage| stage.tick).collect();
        Ok(())
    }

    /// Nobody is captured without being told, nor free without being let go.
    fn check_captive(
        &self,
        ledger: &Ledger,
        agent: usize,
        before: Option<&Record>,
        seen: &Seen,
    ) -> Verdict {
        let told = self.captures.iter().any(|&(robber, _)| robber == agent);
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
            (false, true, false) => Err("is captured and nobody was told".to_owned()),
            (false, false, true) => Err("was captured and is free".to_owned()),
            (true, false, _) => Err("was let go by nobody".to_owned()),
            _ => Ok(()),
        }
    }

    /// Somebody of the other side in its game who is free.
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
