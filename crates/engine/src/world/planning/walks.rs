//! Walks to a cell: errands of the game, duties, and cops that look for a robber that is out of sight.

use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::world::agent::{AgentRecord, Control};
use crate::world::duty::OnDuty;
use crate::world::hash::mix;

impl AgentRecord {
    /// The cell that the agent walks to.
    pub(in crate::world) fn goal_of_walk(&self) -> Option<Cell> {
        match (self.setup.control, self.routine.now, self.search) {
            (Control::WalkTo(cell), ..)
            | (Control::Policy | Control::Duty, OnDuty::Walks(cell), _) => Some(cell),
            (Control::Policy, OnDuty::Off, Some(search)) => Some(search.goal),
            _ => None,
        }
    }

    /// Returns whether the agent has a plan for a walk to a cell, with a move for an agent at `at`.
    pub(in crate::world) fn has_plan_to(&self, at: Vertex, goal: Cell) -> bool {
        let plan = &self.plan;
        plan.is_intact() && plan.is_usable(at) && plan.key == walk_key(goal)
    }

    /// Returns whether the agent has walked to the end of a plan for a walk to a cell, without getting there.
    pub(in crate::world) fn has_used_up_plan_to(&self, goal: Cell) -> bool {
        let plan = &self.plan;
        plan.is_intact() && plan.key == walk_key(goal) && plan.at >= plan.path.len()
    }

    /// The vertices where the agent's next walk begins and ends. `None` if one of them is a wall.
    pub(super) fn ends_of_walk(&self, graph: &Graph) -> Option<(Vertex, Vertex)> {
        let goal = self.goal_of_walk().filter(|_| !self.setup.is_immobile)?;
        Some((self.next_vertex(graph)?, graph.vertex(goal)?))
    }
}

/// The key of a plan to walk to a cell. No two cells have the same: an agent with one goal after the other tells the plans
/// apart by them.
pub(in crate::world) const fn walk_key(Cell { x, y }: Cell) -> u64 {
    mix(1 << 40, (y as u64) << 16 | x as u64)
}
