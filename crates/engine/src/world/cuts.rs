//! Paths under way that new walls cut.

use super::event::WorldEvent;
use super::facts::{Facts, open_steps};
use crate::graph::Vertex;

impl Facts {
    /// Cuts paths that lead through walls. Edits behind an agent do not matter.
    pub(super) fn cut_paths(&mut self) {
        let Self {
            graph,
            members,
            events,
            tick,
            changed,
            ..
        } = self;
        for (id, agent) in members.iter_mut() {
            // A wall cuts the steps of the cells beside it. So does a cell that opens under an agent in
            // a wall.
            let is_near = |&at: &Vertex| changed.contains(graph.cell(at));
            // An agent that walks back to its own cell always arrives.
            if agent.turned_at().is_some() || !agent.way().iter().any(is_near) {
                continue;
            }
            // A wall that appears in this tick stops an agent that would arrive in the same tick.
            let walked = agent.walked(*tick - 1).min(agent.way().len());
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
    }
}
