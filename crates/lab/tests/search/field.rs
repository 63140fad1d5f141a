//! Maps with their exact values, for games of robbers.

use crate::common::level::{LIMIT, turns};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::TileMap;
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::RobberPolicy;
use pursuit_lab::eval::{Experiment, ExperimentError, Played, Start};
use pursuit_lab::robber::{OptimalRobber, TrailMaxRobber};
use std::sync::Arc;

/// A map and its exact values.
pub struct Field {
    pub graph: Graph,
    pub solution: Arc<Solution>,
}

impl Field {
    pub fn new(map: &TileMap, rules: Rules) -> Self {
        let graph = Graph::new(map, rules.moves);
        let arena = Arena::of_map(&graph).into();
        let mut solver = Solver::new(arena, rules, LIMIT).expect("memory");
        assert!(solver.run(|_| true).done);
        let solution = solver.finish().expect("done").into();
        Self { graph, solution }
    }

    /// Positions with all combinations of places of the robber and the first cop; the vertex numbers of
    /// further cops are 7 apart.
    pub fn starts(&self) -> Vec<Start> {
        let vertices: Vec<Vertex> = self.graph.iter().collect();
        let cops = usize::from(self.solution.rules().cops.get());
        let mut starts = Vec::new();
        for &robber in &vertices {
            for (index, _) in vertices.iter().enumerate() {
                let cops = (0..cops).map(|cop| vertices[(index + 7 * cop) % vertices.len()]);
                let cops = cops.collect();
                starts.push(Start { robber, cops });
            }
        }
        starts
    }

    pub fn run(&self, starts: &[Start], policy: fn() -> Box<dyn RobberPolicy>) -> Vec<Played> {
        self.try_run(starts, policy).expect("legal moves")
    }

    pub fn try_run(
        &self,
        starts: &[Start],
        policy: impl Fn() -> Box<dyn RobberPolicy> + Sync + Send,
    ) -> Result<Vec<Played>, ExperimentError> {
        let experiment = Experiment {
            ground: (&self.graph).into(),
            times: &*self.solution,
            arena: self.solution.arena(),
            seed: 5,
        };
        experiment.run(starts, policy, || 0, |_| true)
    }

    pub fn optimal(&self) -> Box<dyn RobberPolicy> {
        let arena = Arc::clone(self.solution.arena());
        Box::new(OptimalRobber::new(Arc::clone(&self.solution) as _, arena))
    }

    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<u32> {
        turns(self.solution.value(robber, cops).expect("a position"))
    }
}

pub fn trail_max() -> Box<dyn RobberPolicy> {
    Box::new(TrailMaxRobber::new(1))
}
