//! Walks to a cell: errands of the game, duties, cops that look for a robber that is out of sight, and cops with tactics of
//! their own.

use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::world::agent::{AgentRecord, Control};
use crate::world::duty::OnDuty;
use crate::world::hash::mix_cell;

impl AgentRecord {
    /// The cell that the agent walks to.
    pub(in crate::world) fn goal_of_walk(&self) -> Option<Cell> {
        match (self.setup.control, self.routine.now, self.search) {
            (Control::WalkTo(cell), ..)
            | (Control::Policy | Control::Duty, OnDuty::Walks(cell), _) => Some(cell),
            (Control::Policy, OnDuty::Off, Some(search)) => Some(search.goal),
            (Control::Policy, OnDuty::Off, None) => self.own?.goal(),
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

/// The key of a plan to walk to a cell.
pub(in crate::world) fn walk_key(goal: Cell) -> u64 {
    mix_cell(1 << 40, goal)
}

#[cfg(test)]
mod tests {
    use super::walk_key;
    use crate::map::Cell;
    use std::collections::BTreeSet;

    #[test]
    fn each_goal_has_a_key_of_its_own() {
        let cells = (0..64).flat_map(|y| (0..64).map(move |x| Cell::new(x, y)));
        let keys: BTreeSet<u64> = cells.map(walk_key).collect();
        assert_eq!(keys.len(), 64 * 64);
    }
}
