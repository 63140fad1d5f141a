//! Cops that leave the robber as little of the map as possible.

use crate::CopPolicy;
use crate::search::{Cover, CoverRule};
use pursuit_engine::game::{Agent, Side, State};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::{Distances, MoveEnds};

/// Cops that minimise the number of vertices that the robber reaches first: hill climbing by the Cover
/// heuristic, redefined ([`Cover`]; C. Moldenhauer's thesis, section 5.3).
///
/// One cop after another makes its best move, while the others stand where they are or have already moved. Among
/// equally good moves, a cop chooses the one that ends nearest to the robber by a shortest path. Remaining ties go to
/// the first move: nearest ends first, then in the order in which the graph lists neighbours, waiting last.
///
/// Cost: a breadth-first search, and for each move of each cop a count, which amounts to up to nine times the map for
/// each cop.
#[derive(Debug, Clone, Default)]
pub struct CoverCops {
    distances: Distances,
    ends: MoveEnds,
    cover: Cover,
    agents: Vec<Agent>,
    path: Vec<Vertex>,
}

impl CopPolicy for CoverCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let Self {
            distances,
            ends,
            cover,
            agents,
            path,
        } = self;
        let graph = ground.graph;
        distances.measure(graph, state.robber.at);
        agents.clear();
        agents.extend_from_slice(state.cops);
        let mut decisions = Vec::with_capacity(state.cops.len());
        for (index, cop) in state.cops.iter().enumerate() {
            ends.find(graph, cop.at, cop.speed, |_| false);
            let mut best = None;
            for &end in ends.ends().iter().chain([&cop.at]) {
                agents[index].at = end;
                let after = State {
                    cops: agents,
                    to_move: Side::Robber,
                    ..*state
                };
                let covered = cover.count(graph, &after, CoverRule::Redefined).robber;
                let rank = (covered, distances.steps(end).unwrap_or(u32::MAX));
                if best.is_none_or(|(least, _)| rank < least) {
                    best = Some((rank, end));
                }
            }
            let end = best.map_or(cop.at, |(_, end)| end);
            agents[index].at = end;
            ends.way_to(end, path);
            let path = std::mem::take(path);
            decisions.push(Decision::along(path, cop.speed, Source::Search));
        }
        decisions
    }
}
