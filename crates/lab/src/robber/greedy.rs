//! A robber that runs from the nearest cop.

use super::one_move::OneMove;
use crate::RobberPolicy;
use pursuit_engine::game::{Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::policy::{Decision, Effort, Ground};
use pursuit_engine::search::Distances;

/// How the distance of a cop is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Metric {
    /// The maximum norm of the difference of cells: the number of steps on a map without walls.
    #[default]
    MaximumNorm,
    /// The number of steps on the current map.
    Perfect,
}

/// Moves to where the nearest cop needs the most turns to come: `Greedy` of C. Moldenhauer's thesis,
/// section 5.5.1 (*improved Greedy* with perfect distances).
///
/// A cop of speed s at a distance of H steps needs ceil(H / s) turns; of several cops the fastest to
/// arrive counts.
///
/// Cost: constant with the maximum norm. With perfect distances one breadth-first search of the map for
/// each cop; Moldenhauer precomputes the distances.
#[derive(Debug, Clone, Default)]
pub(super) struct GreedyRobber {
    metric: Metric,
    one_move: OneMove,
    /// One for each cop; used only with perfect distances.
    distances: Vec<Distances>,
}

impl GreedyRobber {
    /// Measures distances by `metric`.
    pub(super) fn new(metric: Metric) -> Self {
        Self {
            metric,
            ..Self::default()
        }
    }

    fn by_norm(&mut self, graph: &Graph, state: &State<'_>, decision: &mut Decision) -> Effort {
        let turns = |end| nearest_cop(graph, end, state);
        self.one_move.climb(graph, state, decision, turns)
    }

    fn by_steps(&mut self, graph: &Graph, state: &State<'_>, decision: &mut Decision) -> Effort {
        if self.distances.len() < state.cops.len() {
            let more = state.cops.len();
            self.distances.resize_with(more, Distances::default);
        }
        let distances = &mut self.distances[..state.cops.len()];
        for (distances, cop) in distances.iter_mut().zip(state.cops) {
            distances.measure(graph, cop.at);
        }
        let turns = |end| {
            let turns = distances.iter().zip(state.cops).map(|(distances, cop)| {
                let steps = distances.steps(end);
                steps.map_or(u32::MAX, |steps| turns(steps, cop.speed))
            });
            turns.min().unwrap_or(u32::MAX)
        };
        let mut effort = self.one_move.climb(graph, state, decision, turns);
        for distances in distances {
            effort.work.expansions += distances.reachable().len() as u64;
            effort.work.touched += distances.touched();
        }
        effort
    }
}

impl RobberPolicy for GreedyRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        match self.metric {
            Metric::MaximumNorm => self.by_norm(ground.graph, state, decision),
            Metric::Perfect => self.by_steps(ground.graph, state, decision),
        }
    }
}

/// The turns that an agent needs for some steps.
pub(super) fn turns(steps: u32, speed: Speed) -> u32 {
    steps.div_ceil(u32::from(speed.steps()))
}

/// The number of turns in which the nearest cop would reach a robber at `vertex` if there were no walls:
/// the distance heuristic of C. Moldenhauer's thesis, section 4.5.
pub(super) fn nearest_cop(graph: &Graph, vertex: Vertex, state: &State<'_>) -> u32 {
    let cell = graph.cell(vertex);
    let cops = state.cops.iter();
    let turns = cops.map(|cop| turns(graph.cell(cop.at).max_norm(cell), cop.speed));
    turns.min().unwrap_or(u32::MAX)
}
