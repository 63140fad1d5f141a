//! Moves that an agent survives, where cells are deadly for a while.

use super::agent::AgentRecord;
use super::facts::Facts;
use super::moves;
use super::orders::MoveTime;
use super::pursuit::PursuitRecord;
use crate::game::{Side, Speed};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::{BEATS, MoveEnds, Survival, Timetable, is_free_in};

/// The most expansions for finding out whether an agent survives after one of its moves.
const MOST: u64 = 512;

/// An agent faster than this looks for safe ends of its moves only within so many steps.
const FAST: Speed = match Speed::new(4) {
    Some(speed) => speed,
    None => Speed::ONE,
};

/// Replaces moves that agents do not survive. Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct Evasion {
    survival: Survival,
    ends: MoveEnds,
}

/// The agent whose move is looked at.
pub(super) struct Mover<'a> {
    pub(super) facts: &'a Facts,
    pub(super) pursuit: &'a PursuitRecord,
    pub(super) agent: &'a AgentRecord,
    pub(super) stint: MoveTime,
    /// The cells of the opponents that its move depends on.
    pub(super) enemies: &'a [Cell],
}

impl Evasion {
    /// If an agent would not survive its move, replaces the move by one that it does survive, or else by the one after which it
    /// lives longest. Of several it takes the one that brings a cop nearest to its robber, or a robber farthest from
    /// the cops, as the crow flies. Returns whether the move was replaced.
    ///
    /// Cost: nothing without hazards, and some nanoseconds for a move over cells without any; otherwise, for each end of a
    /// move, a search for a cell that is free for ever.
    pub(super) fn make_safe(&mut self, mover: &Mover<'_>, way: &mut Vec<Vertex>) -> bool {
        let Mover {
            facts,
            pursuit,
            agent,
            stint,
            ..
        } = *mover;
        if facts.hazards.is_empty() {
            return false;
        }
        let graph = facts.graph_of(agent);
        let Some(from) = graph.vertex(agent.setup.cell) else {
            return false;
        };
        let table = facts.timetable(pursuit, agent, stint);
        let planned = self.lasts(graph, &table, from, way);
        if planned == BEATS {
            return false;
        }
        let is_deadly = |at: Vertex| !is_free_in(table.free(at), 0, table.beats(at));
        let speed = stint.speed.min(FAST);
        let mut ends = std::mem::take(&mut self.ends);
        let found = ends.find(graph, from, speed, is_deadly);
        let worth = |end: Vertex| mover.worth(graph.cell(end));
        let mut best = (self.lasts(graph, &table, from, &[]), worth(from), from);
        for &end in found {
            // Every cell on the way there is free in the first beat.
            let lasts = self.lasts(graph, &table, from, &[end]);
            if (lasts, worth(end)) > (best.0, best.1) {
                best = (lasts, worth(end), end);
            }
        }
        let is_better = best.0 > planned;
        if is_better {
            way.clear();
            ends.way_to(best.2, way);
        }
        self.ends = ends;
        is_better
    }

    /// The beat at whose end an agent is alive at the latest after a move.
    fn lasts(
        &mut self,
        graph: &Graph,
        table: &impl Timetable,
        from: Vertex,
        way: &[Vertex],
    ) -> u32 {
        let beats = match *way {
            [to] if table.steps() == 1 => table.beats(to),
            _ => 1,
        };
        let mut all = way.iter().chain([&from]);
        if !all.all(|&at| is_free_in(table.free(at), 0, beats)) {
            return 0;
        }
        let end = way.last().copied().unwrap_or(from);
        self.survival.lasts(graph, table, end, beats, MOST)
    }

    /// The expansions since the last call.
    pub(super) fn take_expansions(&mut self) -> u64 {
        self.survival.take_expansions() + self.ends.take_work().expansions
    }
}

impl Mover<'_> {
    /// What an end of the move is worth, if the agent lives equally long after all of them.
    fn worth(&self, end: Cell) -> i64 {
        let here = self.agent.setup.cell;
        let far = |cells: u64| i64::try_from(cells).unwrap_or(i64::MAX);
        match moves::nearest(end, self.enemies) {
            None => -far(end.squared_distance(here)),
            Some((_, apart)) if self.agent.side() == Side::Robber => far(apart),
            Some((_, apart)) => -far(apart),
        }
    }
}
