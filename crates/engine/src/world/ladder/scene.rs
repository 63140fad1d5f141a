//! What the choice of one agent may depend on, and what a rung answers.

use super::finding::Findings;
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Side, Speed, Value};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::policy::{CaptureOracle, Source};
use crate::search::{AStar, MoveEnds};
use crate::world::agent::AgentRecord;
use crate::world::agent_id::AgentId;
use crate::world::facts::Facts;
use crate::world::moves;
use crate::world::planning::requests::ticks_kept;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// Opponents that are farther away take no part in a capture within two turns.
pub(in crate::world) const NEAR: u32 = 4;

/// The number of distances that take as long as an expansion.
const DISTANCES: u64 = 16;

/// One agent that has to decide, and everything that the decision may depend on.
#[derive(Clone, Copy)]
pub(in crate::world) struct Scene<'a> {
    pub(in crate::world) facts: &'a Facts,
    /// The ground that the agent walks on.
    pub(in crate::world) graph: &'a Graph,
    /// What was found for its side.
    pub(in crate::world) found: &'a Findings,
    pub(in crate::world) clock: PursuitClock,
    pub(in crate::world) id: AgentId,
    pub(in crate::world) agent: &'a AgentRecord,
    /// The vertex it stands on; `None` in a wall.
    pub(in crate::world) from: Option<Vertex>,
    /// The number of steps it may take.
    pub(in crate::world) speed: Speed,
    /// The expected cells of its opponents after their move: for a cop the robber that it chases, for a
    /// robber the cops that it knows of, except those too far away to matter for this move.
    pub(in crate::world) enemies: &'a [Cell],
    /// Whether a cop sees its robber.
    pub(in crate::world) sees: bool,
    /// A hash of the situation, to recognise plans that were made for it.
    pub(in crate::world) key: u64,
}

/// The answer of a rung.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Answer {
    pub(in crate::world) source: Source,
    /// The value of the position for the robber, if it is known.
    pub(in crate::world) value: Option<Value>,
    /// The reason why no better source answered, if it differs from that of the previous rung.
    pub(in crate::world) why: Option<Reason>,
    /// The number of steps of the agent's plan that the move uses.
    pub(in crate::world) planned: usize,
}

/// Memory that the rungs reuse.
#[derive(Debug, Default)]
pub(in crate::world) struct Tools {
    /// The path that was found, as the vertices to step on.
    pub(in crate::world) way: Vec<Vertex>,
    pub(in crate::world) ends: MoveEnds,
    /// Searches for captures.
    pub(super) search: AStar,
    /// The expansions that the searches of the rungs may take, and those that they have taken and that are not counted
    /// yet.
    pub(super) left: u64,
    work: u64,
    /// The ends among which a mistake is drawn, and the enemies that their worth depends on.
    pub(super) others: Vec<Vertex>,
    /// The way of a mistake of a fast agent.
    pub(super) straight: Vec<Vertex>,
    pub(super) opponents: Vec<Cell>,
    /// Sees captures within the next two turns, by those of the opponents that are near.
    pub(super) eye: CaptureOracle,
    pub(super) near: Vec<Agent>,
}

impl Tools {
    /// Sets what the searches of the rungs may take from now on, in expansions.
    pub(in crate::world) const fn limit_work(&mut self, left: u64) {
        self.left = left;
    }

    /// The work of the rungs since the last call of this function, in expansions.
    pub(in crate::world) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Counts the searches that have just been made.
    pub(super) const fn count(&mut self) {
        let work = self.search.take_work().expansions + self.ends.take_work().expansions;
        self.note(work);
    }

    /// Counts distances that have just been computed.
    pub(super) const fn count_distances(&mut self, distances: usize) {
        self.note(distances as u64 / DISTANCES);
    }

    const fn note(&mut self, work: u64) {
        self.work += work;
        self.left = self.left.saturating_sub(work);
    }
}

impl Answer {
    /// A move without a value and without a reason of its own.
    pub(in crate::world) const fn by(source: Source) -> Self {
        Self {
            source,
            value: None,
            why: None,
            planned: 0,
        }
    }
}

impl<'a> Scene<'a> {
    /// The abstraction of the agent's ground; `None` while edits are still to be worked into it.
    pub(super) fn hierarchy(&self) -> Option<&'a Hierarchy> {
        self.facts.hierarchy_on(self.facts.ground_of(self.agent))
    }

    pub(super) fn side(&self) -> Side {
        self.agent.side()
    }

    /// The bound that a cop keeps by the move in `tools`, whatever found that move.
    pub(super) fn kept_value(&self, tools: &Tools) -> Option<Value> {
        let end = tools.way.last().copied().or(self.from)?;
        self.found.kept_value(self.id, end)
    }

    /// Writes the next steps of the agent's plan, if it has a plan for its vertex and no wall blocks the
    /// steps of this move. Returns the number of steps, which is 0 if the plan is to wait.
    pub(super) fn take_plan(&self, tools: &mut Tools) -> Option<usize> {
        let (plan, from) = (&self.agent.plan, self.from?);
        if !plan.is_usable(from) {
            return None;
        }
        let rest = plan.rest(from)?;
        let most = usize::from(self.speed.steps());
        let steps = rest.get(..most.min(rest.len()))?;
        let open = self.facts.open_steps(self.agent, steps);
        if open < steps.len() {
            return None;
        }
        tools.way.extend_from_slice(steps);
        Some(steps.len())
    }

    /// Returns whether a robber's path leads onto a cop, or ends beside one although the start is
    /// farther from all cops.
    pub(super) fn runs_into_cops(&self, way: &[Vertex]) -> bool {
        let graph = self.graph;
        let onto = way.iter().any(|&at| self.enemies.contains(&graph.cell(at)));
        let end = way.last().map(|&end| graph.cell(end));
        let far = |cell| moves::nearest(cell, self.enemies).map_or(u32::MAX, |near| near.0);
        let from = far(self.agent.setup.cell);
        let end = end.map_or(from, far);
        onto || end <= 1 && (from > 1 || way.is_empty())
    }

    /// Returns whether a plan to wait is too old: cops may have approached from elsewhere since it was made.
    pub(super) fn is_overdue(&self) -> bool {
        let near = moves::nearest(self.agent.setup.cell, self.enemies);
        let apart = near.map_or(u32::MAX, |(cells, _)| cells);
        let age = self.facts.tick.saturating_sub(self.agent.plan.made);
        age > ticks_kept(self.facts, apart)
    }
}
