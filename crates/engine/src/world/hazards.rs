//! Hazards: cells that are deadly for a while.

use super::agent::AgentRecord;
use super::event::WorldEvent;
use super::facts::Facts;
use super::orders::MoveTime;
use super::pursuit::PursuitRecord;
use super::pursuit_world::PursuitWorld;
use super::settings::PursuitClock;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Kinds, MapEdit};
use crate::search::{BEATS, Timetable};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A cell that is deadly from one tick to another: the blast of a bomb, a fire, a train.
///
/// The agents that the world moves know of it from the moment it is [added](PursuitWorld::add_hazard). They do not go where
/// they would be on the cell at such a tick, and leave it in time if they can. What happens to an agent that is there all
/// the same is for the game to say ([`WorldEvent::Struck`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazard {
    /// The cell.
    pub cell: Cell,
    /// The first tick at which it is deadly.
    pub from: u64,
    /// The first tick at which it is not deadly any more.
    pub until: u64,
    /// The kinds of agents that it is deadly to; [`Kinds::ALL`] for everybody.
    pub kinds: Kinds,
}

/// Why a hazard is not added to a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HazardError {
    /// The cell is off the map.
    #[error("a hazard on the cell ({}, {}): expected a cell of the map", .cell.x, .cell.y)]
    OffTheMap {
        /// The cell.
        cell: Cell,
    },
    /// It ends before it begins, or is over already.
    #[error(
        "a hazard from tick {from} until tick {until}, at tick {now}: expected one that is still to come"
    )]
    Over {
        /// Its first tick.
        from: u64,
        /// The first tick after it.
        until: u64,
        /// The current tick.
        now: u64,
    },
}

/// The hazards of a world, sorted by cell.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hazards {
    list: Vec<Hazard>,
    /// The cells whose hazards have changed since the last tick began.
    changed: Vec<Cell>,
    /// Whether an agent was on a deadly cell in the last tick.
    has_struck: bool,
}

impl Hazards {
    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The hazards on a cell.
    pub(super) fn on(&self, cell: Cell) -> &[Hazard] {
        let first = self.list.partition_point(|hazard| hazard.cell < cell);
        let rest = &self.list[first..];
        &rest[..rest.partition_point(|hazard| hazard.cell == cell)]
    }

    fn add(&mut self, hazard: Hazard) {
        if let Err(index) = self.list.binary_search(&hazard) {
            self.list.insert(index, hazard);
            self.changed.push(hazard.cell);
        }
    }

    fn remove(&mut self, cell: Cell) -> bool {
        let before = self.list.len();
        self.list.retain(|hazard| hazard.cell != cell);
        let is_removed = self.list.len() < before;
        if is_removed {
            self.changed.push(cell);
        }
        is_removed
    }

    /// Returns whether a game can have saved it.
    pub(super) fn are_sound(&self) -> bool {
        self.list.is_sorted()
    }

    fn expire(&mut self, tick: u64) {
        self.list.retain(|hazard| hazard.until > tick);
    }
}

impl PursuitWorld {
    /// Adds a hazard, of which all agents know from now on. One that is there already changes nothing.
    ///
    /// Cost: linear in the hazards. In the next tick, some nanoseconds for each agent, however many hazards were added. While
    /// there is a hazard, pursuits play without tables and without proofs, which know no time, and an agent near a
    /// hazard takes some microseconds for each move.
    ///
    /// # Errors
    /// If the cell is off the map, or if the hazard is over already.
    pub fn add_hazard(&mut self, hazard: Hazard) -> Result<(), HazardError> {
        let Hazard {
            cell, from, until, ..
        } = hazard;
        let now = self.facts.tick;
        if !self.facts.graph.is_on_map(cell) {
            return Err(HazardError::OffTheMap { cell });
        }
        if until <= from || until <= now {
            return Err(HazardError::Over { from, until, now });
        }
        self.facts.hazards.add(hazard);
        Ok(())
    }

    /// Removes the hazards on a cell: the fire is out. Returns whether there were any.
    pub fn remove_hazards(&mut self, cell: Cell) -> bool {
        self.facts.hazards.remove(cell)
    }

    /// The hazards that are not over, by cell.
    pub fn hazards(&self) -> impl Iterator<Item = &Hazard> {
        self.facts.hazards.list.iter()
    }
}

impl Facts {
    /// Begins a tick: hazards end, and plans that lead over new ones, or over cells that have become slow, are invalidated.
    pub(super) fn follow_hazards(&mut self, edits: &[MapEdit]) {
        let had_some = !self.hazards.is_empty();
        self.hazards.expire(self.tick);
        let have_ended = had_some && self.hazards.is_empty();
        let is_slow = |edit: &&MapEdit| matches!(edit, MapEdit::Slow { .. });
        let slow = edits.iter().filter(is_slow).map(MapEdit::cell);
        let mut cells = std::mem::take(&mut self.hazards.changed);
        cells.extend(slow.filter(|&cell| self.graph.is_on_map(cell)));
        if cells.is_empty() && !have_ended {
            return;
        }
        // Tables, proofs and what was announced are for the game without hazards.
        for pursuit in self.members.pursuits_mut() {
            pursuit.forget_table();
            pursuit.is_settled = false;
        }
        for (id, agent) in self.members.iter_mut() {
            agent.plan.value = None;
            if agent.state.value.take().is_some() {
                self.events.mark_changed(id);
            }
        }
        self.changed.clear(self.graph.width(), self.graph.height());
        for &cell in &cells {
            self.changed.insert(cell);
        }
        self.invalidate_plans(false);
    }

    /// Reports the agents that are on a deadly cell, each once as long as it stays on deadly cells.
    ///
    /// Cost: nothing without a hazard, otherwise some nanoseconds for each agent.
    pub(super) fn report_struck(&mut self) {
        let Self {
            hazards,
            members,
            graph,
            events,
            tick,
            ..
        } = self;
        if hazards.is_empty() && !hazards.has_struck {
            return;
        }
        let mut has_struck = false;
        for (id, agent) in members.iter_mut() {
            let walked = agent.walked(*tick).checked_sub(1);
            let last = walked.and_then(|last| agent.way().get(last).copied());
            let cell = last.map_or(agent.setup.cell, |at| graph.cell(at));
            let kinds = agent.setup.kinds;
            let is_deadly = |hazard: &Hazard| {
                (hazard.from..hazard.until).contains(tick) && hazard.kinds.admits(kinds)
            };
            let is_struck = agent.caught.is_none() && hazards.on(cell).iter().any(is_deadly);
            has_struck |= is_struck;
            if std::mem::replace(&mut agent.is_struck, is_struck) != is_struck && is_struck {
                events.send(WorldEvent::Struck { id, cell });
            }
        }
        hazards.has_struck = has_struck;
    }

    /// Returns whether moves take time into account: there are hazards, or, on the free-running clock, cells that take longer.
    pub(super) fn knows_time(&self, clock: PursuitClock) -> bool {
        !self.hazards.is_empty()
            || clock == PursuitClock::FreeRunning && self.graph.has_slow_cells()
    }

    /// The timetable of an agent for a move that it begins now.
    pub(super) fn timetable<'a>(
        &'a self,
        pursuit: &PursuitRecord,
        agent: &AgentRecord,
        stint: MoveTime,
    ) -> AgentTimetable<'a> {
        AgentTimetable {
            first: stint.arrives.saturating_sub(self.tick).max(1),
            ..self.timetable_from(pursuit, agent, self.tick)
        }
    }

    /// The timetable of an agent that sets out at a tick.
    pub(super) fn timetable_from<'a>(
        &'a self,
        pursuit: &PursuitRecord,
        agent: &AgentRecord,
        departs: u64,
    ) -> AgentTimetable<'a> {
        let is_free_running = self.clock(pursuit) == PursuitClock::FreeRunning;
        let beat = if is_free_running {
            self.ticks_per_step(agent).into()
        } else {
            self.turn_length()
        };
        AgentTimetable {
            hazards: &self.hazards,
            graph: self.graph_of(agent),
            kinds: agent.setup.kinds,
            departs,
            first: beat,
            beat,
            steps: self.steps_of_move(pursuit, agent).steps(),
            is_free_running,
        }
    }
}

/// When an agent may be where.
#[derive(Clone, Copy)]
pub(super) struct AgentTimetable<'a> {
    hazards: &'a Hazards,
    graph: &'a Graph,
    kinds: Kinds,
    /// The tick at which the first beat begins.
    departs: u64,
    /// The ticks of the first beat, and of each further one.
    first: u64,
    beat: u64,
    steps: u8,
    is_free_running: bool,
}

impl AgentTimetable<'_> {
    /// The beat of a tick, counted from the first tick of the first beat.
    fn beat_of(&self, ticks: u64) -> u32 {
        let beat = match ticks.checked_sub(self.first) {
            None => 0,
            Some(later) => 1 + later / self.beat.max(1),
        };
        beat.min(u64::from(BEATS - 1)) as u32
    }
}

impl Timetable for AgentTimetable<'_> {
    fn free(&self, at: Vertex) -> u64 {
        let mut free = u64::MAX;
        for hazard in self.hazards.on(self.graph.cell(at)) {
            let until = hazard.until.saturating_sub(self.departs);
            if until > 0 && hazard.kinds.admits(self.kinds) {
                let first = self.beat_of(hazard.from.saturating_sub(self.departs));
                let last = self.beat_of(until - 1);
                free &= !(u64::MAX << first & u64::MAX >> (BEATS - 1 - last));
            }
        }
        free
    }

    fn beats(&self, to: Vertex) -> u32 {
        if self.is_free_running {
            self.graph.step_time(to).into()
        } else {
            1
        }
    }

    fn steps(&self) -> u8 {
        self.steps
    }
}
