//! Distances from the cops to the robber, which give a lower bound on the value.

use super::reachable_graph::{ReachableGraph, UNREACHABLE};
use super::spot::Spot;

/// For each place of the robber, the turns that a cop needs from each place. A distance is measured when it is
/// first needed.
///
/// With the cops to move, the value is at least the distance of the nearest cop, because the robber can wait
/// (C. Moldenhauer's thesis, section 4.5). The formula printed there uses the farthest cop, whose distance is
/// not a lower bound; this code uses the nearest one.
#[derive(Debug)]
pub struct Gaps {
    rows: Vec<Vec<u16>>,
    bytes: u64,
}

impl Gaps {
    /// Measures nothing yet. The distances to a place of the robber are measured when they are first needed.
    #[must_use]
    pub fn new(graph: &ReachableGraph) -> Self {
        let rows = vec![Vec::new(); graph.places()];
        let bytes = (rows.len() * size_of::<Vec<u16>>()) as u64;
        Self { rows, bytes }
    }

    /// For each place, the turns that a cop needs from there to the robber's place.
    pub(crate) fn to(&mut self, graph: &ReachableGraph, robber: u16) -> &[u16] {
        let row = &mut self.rows[usize::from(robber)];
        if row.is_empty() {
            *row = graph.cop_turns_to(robber);
            self.bytes += (row.len() * size_of::<u16>()) as u64;
        }
        row
    }

    /// The turns that the nearest cop needs if the robber waits; [`UNREACHABLE`] if no cop can get there.
    pub fn least(&mut self, graph: &ReachableGraph, spot: Spot) -> u16 {
        let row = self.to(graph, spot.robber);
        let [a, b, c] = spot.cops.map(|cop| row[usize::from(cop)]);
        a.min(b).min(c)
    }

    /// The least distance and the sum of all distances. Moves are ordered by them.
    pub(crate) fn least_and_sum(&mut self, graph: &ReachableGraph, spot: Spot) -> (u16, u32) {
        let row = self.to(graph, spot.robber);
        let gaps = spot.cops.map(|cop| row[usize::from(cop)]);
        let sum = gaps.iter().map(|&gap| u32::from(gap)).sum();
        (gaps.into_iter().min().unwrap_or(UNREACHABLE), sum)
    }

    /// The memory in use, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}
