//! Cops that cut the robber off, planned on the map.

use crate::CopPolicy;
use pursuit_engine::game::{Agent, Side, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::{Distances, TrailMax};

/// Cops that cut the robber off: one chases, and each of the others blocks the best escape that is left.
///
/// The cop that arrives first goes straight for the robber. For each further cop [`TrailMax`] finds the
/// path of a robber that runs from the cops planned so far. The cop goes to the first vertex of that
/// path that it reaches no later than the robber, or to the end of the path if there is none.
///
/// Cost: a breadth-first search, and for each cop but the first another one and a [`TrailMax`].
#[derive(Debug, Clone, Default)]
pub struct Interceptor {
    distances: Distances,
    search: TrailMax,
}

impl CopPolicy for Interceptor {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let graph = ground.graph;
        self.distances.measure(graph, state.robber.at);
        let turns = |cop: &Agent| {
            let steps = self.distances.steps(cop.at)?;
            Some(steps.div_ceil(u32::from(cop.speed.steps())))
        };
        let mut order: Vec<(Option<u32>, usize)> = state.cops.iter().map(turns).zip(0..).collect();
        order.sort_unstable();

        let mut decisions = vec![Decision::wait(Source::Greedy); state.cops.len()];
        let mut decided: Vec<Agent> = Vec::with_capacity(state.cops.len());
        // Cops without a path to the robber wait.
        for (_, index) in order.into_iter().filter(|(turns, _)| turns.is_some()) {
            let cop = state.cops[index];
            let path = if decided.is_empty() {
                self.distances.path_from(graph, cop.at)
            } else {
                self.distances.measure(graph, cop.at);
                let target = self.target(graph, state.robber, &decided, cop);
                self.distances.path_to(graph, target)
            };
            decisions[index] = Decision::along(path, cop.speed, Source::Search);
            decided.push(cop);
        }
        decisions
    }
}

impl Interceptor {
    /// The vertex where a cop meets a robber that runs from the cops `before` it. `self.distances` must be measured
    /// from this cop.
    fn target(&mut self, graph: &Graph, robber: Agent, before: &[Agent], cop: Agent) -> Vertex {
        let state = State {
            robber,
            cops: before,
            to_move: Side::Cops,
        };
        let plan = self.search.solve(graph, &state);
        let stride = usize::from(robber.speed.steps());
        // The robber's vertices at the cops' first, second, ... move.
        let turns = plan.path.chunks(stride);
        let places = std::iter::once(robber.at).chain(turns.filter_map(|t| t.last().copied()));
        let meeting = places.zip(1_u32..).find(|&(place, turn)| {
            let reach = turn * u32::from(cop.speed.steps());
            let steps = self.distances.steps(place);
            steps.is_some_and(|steps| steps <= reach)
        });
        let end = plan.path.last().copied().unwrap_or(robber.at);
        meeting.map_or(end, |(place, _)| place)
    }
}
