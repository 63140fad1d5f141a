use crate::game::{Agent, State};
use crate::graph::Graph;
use crate::policy::{CopPolicy, Decision, Source};
use crate::search::Distances;

/// Cops that all take a shortest path to the robber: what plain path finding does.
///
/// They queue behind it, and a robber of their speed runs round a block for ever.
///
/// Cost: one breadth-first search.
#[derive(Debug, Clone, Default)]
pub struct Chaser {
    distances: Distances,
}

impl CopPolicy for Chaser {
    fn decide(&mut self, graph: &Graph, state: &State<'_>) -> Vec<Decision> {
        self.distances.measure(graph, state.robber.at);
        let chase = |cop: &Agent| {
            let path = self.distances.path_from(graph, cop.at);
            Decision::along(path, cop.speed, Source::Search)
        };
        state.cops.iter().map(chase).collect()
    }
}
