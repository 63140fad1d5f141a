//! What becomes of the result of a search.

use super::planner::{Engine, Job, Planner};
use crate::game::Value;
use crate::graph::{Graph, Vertex};
use crate::world::agent::{AgentRecord, Control};
use crate::world::board::Board;
use crate::world::plan::{PlanTarget, rest_from};
use crate::world::{AgentId, WorldEvent};

impl Planner {
    /// Makes the result of a search the plans of those whom it is for.
    pub(super) fn write_down(&mut self, board: &mut Board, job: Job) {
        match job.target {
            PlanTarget::Team { robber, .. } => {
                self.tell_of_reach(board, robber);
                self.write_team(board, job);
            }
            PlanTarget::Robber(id) => self.write_robber(board, id, job),
            PlanTarget::Walk(id) => self.write_walk(board, id),
        }
    }

    /// Tells whether cops can come to a robber, if that is events.
    fn tell_of_reach(&self, board: &mut Board, robber: AgentId) {
        let is_safe = (0..self.situation.ids.len()).all(|index| !self.team.reaches(index));
        let Board {
            members, events, ..
        } = board;
        let Some(agent) = members.get_mut(robber) else {
            return;
        };
        if std::mem::replace(&mut agent.is_safe, is_safe) != is_safe {
            events.send(if is_safe {
                WorldEvent::OutOfReach(robber)
            } else {
                WorldEvent::WithinReach(robber)
            });
        }
    }

    fn write_team(&self, board: &mut Board, job: Job) {
        let Board {
            members,
            graph,
            tick,
            ..
        } = board;
        let Self {
            team, situation, ..
        } = self;
        for (index, (&id, cop)) in situation.ids.iter().zip(&situation.cops).enumerate() {
            let Some(agent) = members.get_mut(id) else {
                continue;
            };
            if agent.setup.control != Control::Policy {
                continue;
            }
            let path = team.path(index);
            let Some((next, rest)) = go_on(agent, graph, cop.at, path) else {
                continue;
            };
            let plan = &mut agent.plan;
            plan.from = next;
            plan.take_path(rest);
            plan.see_path(graph);
            plan.value = None;
            plan.falls_short = !team.reaches(index);
            plan.is_whole &= path.len() < job.steps;
            plan.note(*tick, situation.key);
        }
    }

    fn write_robber(&self, board: &mut Board, id: AgentId, job: Job) {
        let Board {
            members,
            graph,
            tick,
            ..
        } = board;
        let Some(agent) = members.get_mut(id) else {
            return;
        };
        let Some(start) = self.situation.robber else {
            return;
        };
        let path: &[Vertex] = match job.engine {
            Engine::Whole => self.whole.plan().map_or(&[], |plan| &plan.path),
            Engine::Abstract => self.by_level.path(),
            Engine::Timed | Engine::Team | Engine::Walk => self.timed.path(),
        };
        let Some((next, rest)) = go_on(agent, graph, start.at, path) else {
            return;
        };
        let plan = &mut agent.plan;
        plan.from = next;
        plan.take_path(rest);
        plan.falls_short = false;
        plan.footprint.clear(graph.width(), graph.height());
        match job.engine {
            Engine::Whole => {
                self.whole.footprint(graph, &mut plan.footprint);
                plan.value = self.whole.plan().map(|p| Value::of_path(p.outcome));
            }
            Engine::Abstract => {
                plan.footprint.union(self.by_level.footprint());
                plan.value = self.by_level.outcome().map(Value::of_path);
                plan.is_whole &= path.len() < job.steps || self.by_level.level() == 0;
            }
            Engine::Timed | Engine::Team | Engine::Walk => {
                plan.footprint.union(self.timed.footprint());
                plan.value = None;
                plan.is_whole &= path.len() < job.steps || self.timed.level() == 0;
            }
        }
        if self.situation.is_shut_in {
            // Who is shut in may come out when the map changes.
            plan.value = plan.value.map(|value| match value {
                Value::Exact(outcome) | Value::AtLeast(outcome) => Value::AtLeast(outcome),
            });
        }
        plan.note(*tick, self.situation.key);
    }

    /// Makes the way that was found the plan of an agent.
    fn write_walk(&self, board: &mut Board, id: AgentId) {
        let Board {
            members,
            graph,
            tick,
            ..
        } = board;
        let Some(agent) = members.get_mut(id) else {
            return;
        };
        let Some((from, to)) = self.situation.walk else {
            return;
        };
        let goal = graph.cell(to);
        if agent.goal_of_walk() != Some(goal) {
            return; // the game has thought of something else meanwhile
        }
        let Some((next, rest)) = go_on(agent, graph, from, self.walker.path()) else {
            return;
        };
        let plan = &mut agent.plan;
        plan.from = next;
        plan.take_path(rest);
        plan.see_path(graph);
        plan.value = None;
        plan.falls_short = !self.walker.is_found();
        plan.note(*tick, super::walks::walk_key(goal));
    }
}

/// Where an agent moves from next, and what is left of a path from there that begins at `from`. `None` if the
/// path does not lead there.
fn go_on<'a>(
    agent: &AgentRecord,
    graph: &Graph,
    from: Vertex,
    path: &'a [Vertex],
) -> Option<(Vertex, &'a [Vertex])> {
    let next = agent.next_vertex(graph)?;
    Some((next, rest_from(from, path, next)?))
}
