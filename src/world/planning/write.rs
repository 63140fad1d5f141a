//! Stores the result of a search in the plans of the agents it was made for.

use super::planner::{Job, Planner};
use super::searches::{Engine, LOOK_AHEAD};
use crate::game::{Outcome, Side, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::world::agent::AgentRecord;
use crate::world::agent_id::AgentId;
use crate::world::board::Board;
use crate::world::plan::{PlanTarget, rest_from};
use crate::world::situation::Missing;

/// An agent for which a search has planned.
#[derive(Debug, Clone, Copy)]
struct Member {
    id: AgentId,
    /// The agent's index in the search.
    index: usize,
    /// The vertex where its path begins.
    start: Vertex,
    /// The key of the situation that the plan is for.
    key: u64,
}

impl Member {
    const fn new(id: AgentId, index: usize, start: Vertex, key: u64) -> Self {
        Self {
            id,
            index,
            start,
            key,
        }
    }
}

impl Planner {
    /// Notes the position of a team that is about to plan. Returns the pressure that follows from it.
    pub(super) fn press(&self, board: &mut Board, job: Job) -> u32 {
        let PlanTarget::Team { robber, .. } = job.target else {
            return 0;
        };
        let robber = board.members.get_mut(robber);
        let robber = robber.filter(|_| matches!(job.engine, Engine::Joint | Engine::Team));
        robber.map_or(0, |robber| {
            let position = match (job.engine, self.situation.robber) {
                (Engine::Team, Some(robber)) => robber.at.index() as u64,
                _ => self.situation.key,
            };
            robber.pressure.note(position);
            robber.pressure.hundredths()
        })
    }

    /// Stores the result of a search as the plans of its target.
    pub(super) fn store_plan(&mut self, board: &mut Board, job: Job) {
        let key = self.situation.key;
        self.has_planned_cops |= !matches!(job.target, PlanTarget::Robber(_));
        match job.target {
            PlanTarget::Team { robber, .. } => {
                for index in 0..self.situation.ids.len().min(self.situation.cops.len()) {
                    let (id, start) = (self.situation.ids[index], self.situation.cops[index].at);
                    let member = Member::new(id, index, start, key);
                    // The game may have changed the agent while the search ran.
                    let is_planned = |agent: &AgentRecord| {
                        agent.chooses()
                            && agent.is_member(job.pursuit, Side::Cops)
                            && agent.target == Some(robber)
                    };
                    if board.agent(id).is_some_and(is_planned) {
                        self.store_path(board, job, member);
                    }
                }
            }
            PlanTarget::Robber(id) => {
                let is_member = |agent: &AgentRecord| agent.is_member(job.pursuit, Side::Robber);
                if let Some(robber) = self.situation.robber
                    && board.agent(id).is_some_and(is_member)
                {
                    let (index, start) = (0, robber.at);
                    let member = Member::new(id, index, start, key);
                    self.store_path(board, job, member);
                }
            }
            PlanTarget::Walk(id) => {
                let Some((start, to)) = self.situation.walk else {
                    return;
                };
                let goal = board.graph.cell(to);
                let (index, key) = (0, super::walks::walk_key(goal));
                // The game may have changed the goal while the search ran.
                if board.agent(id).and_then(AgentRecord::goal_of_walk) == Some(goal) {
                    let member = Member::new(id, index, start, key);
                    self.store_path(board, job, member);
                }
            }
        }
    }

    /// Stores the path that was found for an agent as its plan.
    fn store_path(&mut self, board: &mut Board, job: Job, member: Member) {
        let Member {
            id,
            index,
            start,
            key,
        } = member;
        let Board {
            members,
            graph,
            tick,
            ..
        } = board;
        let Some(agent) = members.get_mut(id) else {
            return;
        };
        let search = self.searches.of(job.engine);
        let Some((next, rest)) = rest_for(agent, graph, start, search.path_of(index)) else {
            return;
        };
        let speed = agent.setup.speed;
        let plan = &mut agent.plan;
        plan.from = next;
        match job.target {
            PlanTarget::Walk(_) => plan.keep_walk(rest),
            PlanTarget::Team { .. } | PlanTarget::Robber(_) => plan.keep_path(rest, speed),
        }
        plan.is_whole &= search.is_complete(index);
        plan.falls_short = !search.reaches(index);
        // Nothing is certain about opponents that are out of sight.
        let outcome = search.outcome().filter(|_| self.situation.is_seen);
        plan.value = outcome.map(|outcome| {
            match (self.situation.missing, Value::of_path(outcome)) {
                (Missing::Distant, value) => up_to(value, LOOK_AHEAD),
                // A cop that is shut in may get out when the map changes.
                (Missing::ShutIn, Value::Exact(outcome)) => Value::AtLeast(outcome),
                (_, value) => value,
            }
        });
        match job.target {
            PlanTarget::Robber(_) => {
                plan.footprint.clear(graph.width(), graph.height());
                search.add_footprint(graph, &mut plan.footprint);
            }
            PlanTarget::Team { .. } | PlanTarget::Walk(_) => plan.depend_on_path(graph),
        }
        plan.mark_made(*tick, key);
    }
}

/// What is left of the value of a robber's path if further cops may arrive after some turns.
fn up_to(value: Value, turns: u32) -> Value {
    let most = Turns(turns.min(u32::from(u16::MAX)) as u16);
    match value {
        Value::Exact(Outcome::Caught(turns)) | Value::AtLeast(Outcome::Caught(turns)) => {
            Value::AtLeast(Outcome::Caught(turns.min(most)))
        }
        _ => Value::AtLeast(Outcome::Caught(most)),
    }
}

/// The vertex from which an agent moves next, and the rest of the path from there. The path begins at
/// `from`. `None` if the path does not pass that vertex.
fn rest_for<'a>(
    agent: &AgentRecord,
    graph: &Graph,
    from: Vertex,
    path: &'a [Vertex],
) -> Option<(Vertex, &'a [Vertex])> {
    let next = agent.next_vertex(graph)?;
    Some((next, rest_from(from, path, next)?))
}
