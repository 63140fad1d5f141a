//! Starts of games drawn at random.

use super::games::Start;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::search::{Dice, Distances, seed_of};

/// Draws starts of games on a map. The same seed and number give the same start.
///
/// A cop starts at a place from which it can reach the robber. It starts at the robber's own place only if there is no
/// other.
#[derive(Debug)]
pub struct Draw<'a> {
    graph: &'a Graph,
    vertices: Vec<Vertex>,
    distances: Distances,
    seed: u64,
}

impl<'a> Draw<'a> {
    /// Draws on this map. Cost: linear in its vertices.
    #[must_use]
    pub fn new(graph: &'a Graph, seed: u64) -> Self {
        Self {
            graph,
            vertices: graph.iter().collect(),
            distances: Distances::default(),
            seed,
        }
    }

    /// The start of this number, with `cops` cops; `None` on a map without vertices. Cost: a breadth-first
    /// search.
    pub fn start(&mut self, number: u64, cops: u8) -> Option<Start> {
        let mut dice = Dice::new(seed_of([self.seed, number]));
        let robber = dice.pick(&self.vertices)?;
        let cops = self.cops(&mut dice, robber, cops.into());
        Some(Start { robber, cops })
    }

    /// Adds cops to a start until there are `cops`. Cost: a breadth-first search.
    pub fn complete(&mut self, number: u64, start: &mut Start, cops: u8) {
        let mut dice = Dice::new(seed_of([self.seed, number]));
        let more = usize::from(cops).saturating_sub(start.cops.len());
        let more = self.cops(&mut dice, start.robber, more);
        start.cops.extend(more);
    }

    fn cops(&mut self, dice: &mut Dice, robber: Vertex, cops: usize) -> Vec<Vertex> {
        self.distances.measure(self.graph, robber);
        let others = self.distances.reachable().get(1..).unwrap_or_default();
        let draw = |_| dice.pick(others).unwrap_or(robber);
        (0..cops).map(draw).collect()
    }
}
