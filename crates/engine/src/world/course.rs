//! Keeping on course: while its opponent stands still or trembles, a plan turns an agent back once, and no more.
//!
//! A search compares places that are far away, and often finds several of them equally good. The next search, a step later,
//! may choose another one, and an agent that followed each new plan would walk to and fro.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::plan::PlanTarget;
use crate::graph::Vertex;
use crate::map::Cell;

/// With an opponent that is as near as so many moves, a robber follows the newest plan, and so does a cop.
const NEAR_COPS: u32 = 8;
const NEAR_ROBBER: u32 = 2;

impl Facts {
    /// Returns whether a new path turns an agent back for nothing: the path leads back to where the agent comes from, the
    /// opponent stands still or trembles and is not near, and the plan that the agent has leads on as well as before. A robber
    /// that the world moves does neither for nothing. `target`: for whom the path was planned; `next`: where the path begins;
    /// `against`: the vertex of the robber, or of the nearest cop.
    ///
    /// Cost: some nanoseconds, and for each known cop of a robber that would turn back, a distance.
    pub(super) fn turns_back_for_nothing(
        &self,
        target: PlanTarget,
        id: AgentId,
        next: Vertex,
        path: &[Vertex],
        against: Option<Vertex>,
    ) -> bool {
        let Some(agent) = self.agent(id).filter(|agent| agent.plan.is_intact()) else {
            return false;
        };
        let graph = self.graph_of(agent);
        let before = match *agent.way() {
            [] => agent.left,
            [_] => Some(agent.setup.cell),
            [.., before, _] => Some(graph.cell(before)),
        };
        let (Some(&first), Some(before)) = (path.first(), before) else {
            return false;
        };
        let speed = agent.setup.speed;
        let rest = agent.plan.rest(next).unwrap_or_default();
        // Who waits at the end of its plan goes on when the opponent has moved.
        let is_same_chase = agent.plan.is_against(against);
        let waits = rest.is_empty() && agent.plan.is_usable(next) && is_same_chase;
        let leads_on = rest.len() >= speed.steps().into() || waits;
        let leads_on = leads_on && !agent.plan.falls_short;
        let goes_back = |to: Vertex| graph.cell(to) == before;
        if !goes_back(first) || !leads_on || rest.first().is_some_and(|&to| goes_back(to)) {
            return false;
        }
        let moves = |moves: u32| moves * u32::from(speed.steps());
        let here = graph.cell(next);
        match target {
            PlanTarget::Walk(_) => false,
            PlanTarget::Team { robber, .. } => {
                if self
                    .agent(robber)
                    .is_some_and(AgentRecord::is_free_to_choose)
                {
                    return false;
                }
                let robber = against.map(|at| self.graph.cell(at));
                let is_near = |robber: Cell| robber.max_norm(here) <= moves(NEAR_ROBBER);
                is_same_chase && !robber.is_some_and(is_near)
            }
            PlanTarget::Robber(_) => {
                let pursuit = self.members.pursuit(agent.pursuit_number());
                let is_same_chase = is_same_chase || against.is_none();
                let Some(pursuit) = pursuit.filter(|_| is_same_chase && !graph.has_exits()) else {
                    return false;
                };
                let known = self.agents(&pursuit.cops).filter_map(|(cop_id, cop)| {
                    let cell = self.next_cell(cop);
                    let known = Self::known_cop(pursuit, id, agent, cop_id, cell)?;
                    Some(known.0)
                });
                let far = |cell: Cell| {
                    let apart = |cop: Cell| (cop.max_norm(cell), cop.squared_distance(cell));
                    known.clone().map(apart).min()
                };
                let end = rest.last().map_or(here, |&end| graph.cell(end));
                far(here).is_none_or(|(apart, _)| apart > moves(NEAR_COPS)) && far(end) >= far(here)
            }
        }
    }
}
