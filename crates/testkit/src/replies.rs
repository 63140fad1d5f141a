//! The moves of a robber by the rules, computed plainly.

use pursuit_engine::game::Agent;
use pursuit_engine::graph::{Network, Vertex};

/// The ends of all moves of a robber that do not lead onto a cop, without repetition.
pub fn replies(graph: &impl Network, robber: Agent, cops: &[Agent]) -> Vec<Vertex> {
    let mut ends = vec![robber.at];
    for _ in 0..robber.speed.steps() {
        for index in 0..ends.len() {
            for &next in graph.neighbours(ends[index]) {
                if !ends.contains(&next) && cops.iter().all(|cop| cop.at != next) {
                    ends.push(next);
                }
            }
        }
    }
    ends
}
