//! Results of searches become plans.

use super::planner::{Job, Planner};
use crate::game::Value;
use crate::graph::{Graph, Vertex};
use crate::world::agent::{AgentRecord, Control};
use crate::world::board::Board;
use crate::world::plan::{PlanTarget, rest_from};
use crate::world::{AgentId, WorldEvent};

/// An agent that a search has planned for.
#[derive(Debug, Clone, Copy)]
struct Member {
    id: AgentId,
    /// Its number in the search.
    index: usize,
    /// Where its path begins.
    start: Vertex,
    /// The situation that its plan is for.
    key: u64,
}

impl Planner {
    /// Makes the result of a search the plans of the agents that it is for.
    pub(super) fn write_down(&mut self, board: &mut Board, job: Job) {
        let key = self.situation.key;
        match job.target {
            PlanTarget::Team { robber, .. } => {
                self.report_reach(board, job, robber);
                for index in 0..self.situation.ids.len().min(self.situation.cops.len()) {
                    let (id, start) = (self.situation.ids[index], self.situation.cops[index].at);
                    let member = Member {
                        id,
                        index,
                        start,
                        key,
                    };
                    let is_planned = |agent: &AgentRecord| agent.setup.control == Control::Policy;
                    if board.agent(id).is_some_and(is_planned) {
                        self.write(board, job, member);
                    }
                }
            }
            PlanTarget::Robber(id) => {
                if let Some(robber) = self.situation.robber {
                    let (index, start) = (0, robber.at);
                    self.write(
                        board,
                        job,
                        Member {
                            id,
                            index,
                            start,
                            key,
                        },
                    );
                }
            }
            PlanTarget::Walk(id) => {
                let Some((start, to)) = self.situation.walk else {
                    return;
                };
                let goal = board.graph.cell(to);
                let (index, key) = (0, super::walks::walk_key(goal));
                // The game may have changed its mind while the search ran.
                if board.agent(id).and_then(AgentRecord::goal_of_walk) == Some(goal) {
                    self.write(
                        board,
                        job,
                        Member {
                            id,
                            index,
                            start,
                            key,
                        },
                    );
                }
            }
        }
    }

    /// Sends an event if cops can reach a robber now and could not before, or the other way round.
    fn report_reach(&mut self, board: &mut Board, job: Job, robber: AgentId) {
        let search = self.searches.of(job.engine);
        let is_safe = (0..self.situation.ids.len()).all(|index| !search.reaches(index));
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

    /// Makes the path that was found for an agent its plan.
    fn write(&mut self, board: &mut Board, job: Job, member: Member) {
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
        let Some((next, rest)) = go_on(agent, graph, start, search.path_of(index)) else {
            return;
        };
        let plan = &mut agent.plan;
        plan.from = next;
        plan.take_path(rest);
        plan.is_whole &= search.is_complete(index);
        plan.falls_short = !search.reaches(index);
        let is_shut_in = self.situation.is_shut_in;
        plan.value = search
            .outcome()
            .map(|outcome| match Value::of_path(outcome) {
                // A cop that is shut in may come out when the map changes.
                Value::Exact(outcome) if is_shut_in => Value::AtLeast(outcome),
                value => value,
            });
        match job.target {
            PlanTarget::Robber(_) => {
                plan.footprint.clear(graph.width(), graph.height());
                search.add_footprint(graph, &mut plan.footprint);
            }
            PlanTarget::Team { .. } | PlanTarget::Walk(_) => plan.see_path(graph),
        }
        plan.note(*tick, key);
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
