//! Walks to a cell: errands of the game, and those who look for an enemy that is out of sight.

use super::agent::{Agent, Control};
use super::budget::Meter;
use super::hash::mix;
use super::planner::{Unit, rest_from};
use super::{AgentId, PursuitWorld};
use crate::game::Speed;
use crate::graph::Vertex;
use crate::map::Cell;

impl Agent {
    /// The cell that it walks to.
    pub(super) fn goal_of_walk(&self) -> Option<Cell> {
        match (self.setup.control, self.search) {
            (Control::WalkTo(cell), _) => Some(cell),
            (Control::Policy, Some(search)) => Some(search.goal),
            _ => None,
        }
    }

    /// Has it a plan for a walk to a cell that goes on from where it stands?
    pub(super) fn knows_walk(&self, at: Vertex, goal: Cell) -> bool {
        let plan = &self.plan;
        plan.is_intact && plan.is_usable(at) && plan.key == walk_key(goal)
    }
}

impl PursuitWorld {
    /// From where to where an agent walks next. `None` if one of them is no floor.
    pub(super) fn ends_of_walk(&self, agent: &Agent) -> Option<(Vertex, Vertex)> {
        let goal = agent.goal_of_walk()?;
        Some((self.next_vertex(agent)?, self.graph.vertex(goal)?))
    }

    /// Makes the way that was found the plan of an agent.
    pub(super) fn write_walk(&mut self, id: AgentId) {
        let Self {
            planner,
            graph,
            roster,
            tick,
            ..
        } = self;
        let Some(agent) = roster.get_mut(id) else {
            return;
        };
        let Some((from, to)) = planner.position.walk else {
            return;
        };
        let goal = graph.cell(to);
        if agent.goal_of_walk() != Some(goal) {
            return; // the game has thought of something else meanwhile
        }
        let next = agent.next_vertex(graph);
        let path = planner.walker.path();
        let Some((next, rest)) = next.and_then(|next| Some((next, rest_from(from, path, next)?)))
        else {
            return;
        };
        let plan = &mut agent.plan;
        plan.from = next;
        plan.take_path(rest);
        plan.see_path(graph);
        plan.value = None;
        plan.falls_short = !planner.walker.is_found();
        plan.note(*tick, walk_key(goal));
    }

    /// The next steps of the game's errand for an agent, up to the first of some opponents, and how
    /// many of them are by plan. Until there is one it goes as the crow flies.
    pub(super) fn errand(
        &mut self,
        id: AgentId,
        goal: Cell,
        (speed, opponents): (Speed, &[Cell]),
        way: &mut Vec<Vertex>,
        meter: &mut dyn Meter,
    ) -> usize {
        let Some(agent) = self.roster.get(id) else {
            return 0;
        };
        let cell = agent.setup.cell;
        if cell == goal || opponents.contains(&cell) {
            return 0;
        }
        let Some(from) = self.graph.vertex(cell) else {
            way.extend(self.step_out(cell, &[goal], false));
            return 0;
        };
        if !agent.knows_walk(from, goal) {
            self.plan(Unit::Walk(id), true, meter);
        }
        let Some(agent) = self.roster.get(id) else {
            return 0;
        };
        let is_known = agent.knows_walk(from, goal);
        if is_known {
            self.take_plan(agent, from, speed.steps().into(), way);
        } else if self.graph.vertex(goal).is_some() {
            self.step_towards(from, goal, speed, way);
        }
        let meets = |&at: &Vertex| opponents.contains(&self.graph.cell(at));
        if let Some(met) = way.iter().position(meets) {
            way.truncate(met + 1); // there it captures or is captured
        }
        if is_known { way.len() } else { 0 }
    }
}

/// The key of a plan to walk to a cell.
const fn walk_key(goal: Cell) -> u64 {
    mix(goal.x as u64, goal.y as u64 | 1 << 40)
}
