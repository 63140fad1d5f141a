//! Cops that all go straight for the robber.

use crate::CopPolicy;
use pursuit_engine::game::{Agent, State};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::Distances;

/// Cops that all take a shortest path to the robber, as plain pathfinding does.
///
/// They end up in a queue behind the robber. A robber that is as fast as they are can run round a block for ever.
///
/// Cost: one breadth-first search.
#[derive(Debug, Clone, Default)]
pub struct Chaser {
    distances: Distances,
}

impl CopPolicy for Chaser {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let graph = ground.graph;
        self.distances.measure(graph, state.robber.at);
        let chase = |cop: &Agent| {
            let path = self.distances.path_from(graph, cop.at);
            Decision::along(path, cop.speed, Source::Search)
        };
        state.cops.iter().map(chase).collect()
    }
}
