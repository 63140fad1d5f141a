//! TIDA* with a faster form of `TrailMax`.

use super::escapes::Escapes;
use pursuit_engine::solve::{Deepening, ReachableGraph, Window};

/// An iteration of TIDA* that finds the robber's best path by sets of places where these are available, and otherwise
/// by races.
pub(super) type TidaBySets = Window<Escapes>;

/// Creates a search that takes at most `limit` bytes, including the graph.
pub(super) fn deepening(graph: &ReachableGraph, limit: u64) -> Deepening<TidaBySets> {
    Deepening::new(graph, limit, |limit| {
        let for_sets = limit / 4;
        let sets = Escapes::new(graph, for_sets);
        let limit = if sets.is_some() {
            limit - for_sets
        } else {
            limit
        };
        Window::with_sets(graph, sets, true, limit)
    })
}
