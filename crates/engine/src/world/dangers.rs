//! What hazards mean for the agents of a world: who knows of them, who is struck, and when an agent may be where.

use super::agent::AgentRecord;
use super::barred::BarredCell;
use super::event::WorldEvent;
use super::facts::Facts;
use super::hazards::{Hazard, HazardError, Hazards};
use super::orders::MoveTime;
use super::plan::PlanState;
use super::pursuit::PursuitRecord;
use super::pursuit_world::PursuitWorld;
use super::settings::PursuitClock;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, MapEdit, Walker};
use crate::search::{BEATS, Timetable};

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
        cells.sort_unstable();
        self.invalidate_paths_over(&cells);
    }

    /// Invalidates plans that lead over some of these cells, which are sorted. Searches know nothing of hazards and slow
    /// cells: plans elsewhere would be the same again.
    fn invalidate_paths_over(&mut self, cells: &[Cell]) {
        self.changed.clear(self.graph.width(), self.graph.height());
        for &cell in cells {
            self.changed.insert(cell);
        }
        for (id, agent) in self.members.iter_mut() {
            let is_near = agent.plan.is_intact() && self.changed.touch(&agent.plan.footprint);
            let size = agent.setup.size;
            let is_changed = |&at: &Vertex| {
                let mut covered = size.cells(self.graph.cell(at));
                covered.any(|cell| cells.binary_search(&cell).is_ok())
            };
            if is_near && agent.plan.ahead().iter().any(is_changed) {
                agent.plan.state = PlanState::Stale;
                self.events.report.dropped += 1;
                self.events.send(WorldEvent::PlanInvalidated(id));
            }
        }
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
            let Walker { kinds, size } = agent.setup.walker();
            let is_deadly = |hazard: &Hazard| {
                (hazard.from..hazard.until).contains(tick) && hazard.kinds.admits(kinds)
            };
            let mut covered = size.cells(cell);
            let is_struck = agent.caught.is_none()
                && covered.any(|cell| hazards.on(cell).iter().any(is_deadly));
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
            walker: agent.setup.walker(),
            avoided: &[],
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
    walker: Walker,
    /// The cells that the agent avoids because its body was blocked there.
    avoided: &'a [BarredCell],
    /// The tick at which the first beat begins.
    departs: u64,
    /// The ticks of the first beat, and of each further one.
    first: u64,
    beat: u64,
    steps: u8,
    is_free_running: bool,
}

impl<'a> AgentTimetable<'a> {
    /// The timetable of an agent that also avoids the cells where its body was blocked.
    pub(super) const fn with(self, avoided: &'a [BarredCell]) -> Self {
        Self { avoided, ..self }
    }

    /// The beats in which an agent steps again onto a cell that it avoids until a tick.
    fn free_after(&self, until: u64) -> u64 {
        match until.saturating_sub(self.departs).checked_sub(1) {
            Some(last) => !(u64::MAX >> (BEATS - 1 - self.beat_of(last))),
            None => u64::MAX,
        }
    }

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
        if !self.avoided.is_empty() {
            let cell = self.graph.cell(at);
            let barred = self.avoided.iter().find(|barred| barred.cell == cell);
            free = barred.map_or(free, |barred| self.free_after(barred.until));
        }
        if self.hazards.is_empty() {
            return free;
        }
        let covered = self.walker.size.cells(self.graph.cell(at));
        for hazard in covered.flat_map(|cell| self.hazards.on(cell)) {
            let until = hazard.until.saturating_sub(self.departs);
            if until > 0 && hazard.kinds.admits(self.walker.kinds) {
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
