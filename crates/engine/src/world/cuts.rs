//! Paths under way that new walls cut.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::event::WorldEvent;
use super::facts::{Facts, open_steps};
use super::tick_events::TickEvents;
use crate::graph::{Graph, Vertex};

impl Facts {
    /// Cuts paths that lead through walls. Edits behind an agent do not matter.
    pub(super) fn cut_paths(&mut self) {
        let Self {
            graph,
            grounds,
            members,
            events,
            tick,
            changed,
            ..
        } = self;
        let mut has_cut = false;
        for (id, agent) in members.iter_mut() {
            // A wall cuts the steps of the cells beside it. So does a cell that opens under an agent in
            // a wall.
            let is_near = |&at: &Vertex| changed.contains(graph.cell(at));
            if agent.way().iter().any(is_near) {
                let graph = grounds.graph_of(graph, agent);
                // A wall that appears in this tick stops an agent that would arrive in the same tick.
                cut_path(graph, *tick - 1, id, agent, events);
                has_cut = true;
            }
        }
        if has_cut {
            members.note_moved_body();
        }
    }

    /// Cuts the paths of agents that walk on another ground than in the last tick. Cost: linear in the agents.
    pub(super) fn cut_paths_on_other_grounds(&mut self) {
        let Self {
            graph,
            grounds,
            members,
            events,
            tick,
            ..
        } = self;
        let mut has_cut = false;
        for (id, agent) in members.iter_mut() {
            if std::mem::take(&mut agent.changed_ground) {
                let graph = grounds.graph_of(graph, agent);
                cut_path(graph, *tick - 1, id, agent, events);
                has_cut = true;
            }
        }
        if has_cut {
            members.note_moved_body();
        }
    }
}

/// Cuts the path of an agent that has walked until `tick` where a wall of its ground blocks it.
fn cut_path(
    graph: &Graph,
    tick: u64,
    id: AgentId,
    agent: &mut AgentRecord,
    events: &mut TickEvents,
) {
    // An agent that walks back to its own cell always arrives.
    if agent.turned_at().is_some() {
        return;
    }
    let walked = agent.walked(tick).min(agent.way().len());
    let from = match walked.checked_sub(1) {
        None => agent.setup.cell,
        Some(last) => graph.cell(agent.way()[last]),
    };
    let open = walked + open_steps(graph, from, &agent.way()[walked..]);
    if let Some(&refused) = agent.way().get(open) {
        if agent.cut_way(open) {
            events.send(WorldEvent::OrderCut {
                id,
                taken: open,
                refused: graph.cell(refused),
            });
        }
        events.mark_changed(id);
        agent.plan.drop();
    }
}
