use crate::game::{Agent, State};
use crate::graph::Graph;
use crate::policy::{CopPolicy, Decision, Source};
use crate::search::{Distances, Routes};

/// Cops that go straight for the robber, each by a way of its own.
///
/// The cop that is there first takes a shortest path. Each next one takes the cheapest path on
/// which a vertex of an earlier cop's route costs [`Chaser::CROWDED`] steps in place of one: where
/// there are two ways round, two cops do not queue on the same one. Nothing is planned ahead.
///
/// Cost: one breadth-first search and one search for each cop.
#[derive(Debug, Clone, Default)]
pub struct Chaser {
    distances: Distances,
    routes: Routes,
}

impl Chaser {
    /// What a vertex costs that lies on the route of an earlier cop, in steps.
    pub const CROWDED: u32 = 4;
}

impl CopPolicy for Chaser {
    fn decide(&mut self, graph: &Graph, state: &State<'_>) -> Vec<Decision> {
        self.distances.measure(graph, state.robber.at);
        let turns = |cop: &Agent| {
            let steps = self.distances.steps(cop.at)?;
            Some(steps.div_ceil(u32::from(cop.speed.steps())))
        };
        let mut order: Vec<(Option<u32>, usize)> = state.cops.iter().map(turns).zip(0..).collect();
        order.sort_unstable();

        let mut decisions = vec![Decision::wait(Source::Greedy); state.cops.len()];
        self.routes.clear(graph);
        for (turns, index) in order {
            if turns.is_none() {
                continue; // no way: `approach` is for these
            }
            let cop = state.cops[index];
            let path = self
                .routes
                .cheapest(graph, cop.at, state.robber.at, Self::CROWDED);
            self.routes.crowd(&path);
            decisions[index] = Decision::along(path, cop.speed, Source::Search);
        }
        decisions
    }
}
