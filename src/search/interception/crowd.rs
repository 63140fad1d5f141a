//! Large teams of cops: measures the distances from the robber once for all cops.

use super::{Doing, Interception, LEADERS, Maps, Member, PlanStage};
use crate::graph::{Graph, Vertex};
use crate::search::{Distances, Footprint};

/// The greatest number of vertices whose distances are measured together. Cops farther away are measured one by one.
const MOST: u64 = 1 << 16;

/// After this number of vertices the search checks whether it has found all cops.
const PIECE: u64 = 1024;

/// The number of breadth-first expansions that cost as much as, and count as, one expansion of the search.
const MEASURING: u64 = 8;

/// The distances of the vertices around a robber.
#[derive(Debug, Clone, Default)]
pub(super) struct Crowd {
    distances: Distances,
    is_used: bool,
    /// The number of vertices that may still be measured.
    left: u64,
    /// All members before this index have been found.
    found: usize,
    expansions: u64,
    touched: u64,
}

impl Crowd {
    /// Discards the distances. Small teams do not use them.
    pub(super) const fn forget(&mut self) {
        self.is_used = false;
        (self.expansions, self.touched) = (0, 0);
    }

    pub(super) fn begin(&mut self, graph: &Graph, robber: Vertex) {
        self.distances.begin(graph, robber);
        (self.is_used, self.left, self.found) = (true, MOST, 0);
    }

    /// The steps to the robber; `None` for a small team and for a vertex that is too far away.
    pub(super) fn steps(&self, from: Vertex) -> Option<u32> {
        self.is_used.then(|| self.distances.steps(from)).flatten()
    }

    pub(super) const fn effort(&self) -> (u64, u64) {
        (self.expansions, self.touched)
    }

    fn see(&self, graph: &Graph, footprint: &mut Footprint) {
        for &vertex in self.distances.reachable() {
            footprint.insert(graph.cell(vertex));
        }
    }
}

impl Interception {
    /// Measures distances from the robber until all cops that can reach it are found.
    pub(super) fn spread(&mut self, maps: Maps<'_>, budget: u64) -> PlanStage {
        let crowd = &mut self.crowd;
        let mut granted = budget.saturating_mul(MEASURING);
        let is_over = loop {
            // Check only after whole pieces, so that the end does not depend on the budget.
            if crowd.left.is_multiple_of(PIECE) {
                let is_found = |member: &Member| {
                    !member.reaches || crowd.distances.steps(member.cop.at).is_some()
                };
                let rest = self.team[crowd.found..].iter();
                crowd.found += rest.take_while(|&member| is_found(member)).count();
                if crowd.left == 0 || crowd.found == self.team.len() {
                    break true;
                }
            }
            if granted == 0 {
                break false;
            }
            let to_end = (crowd.left - 1) % PIECE + 1;
            let piece = to_end.min(granted);
            let unused = crowd.distances.advance(maps.graph, piece);
            crowd.expansions += (piece - unused).div_ceil(MEASURING);
            granted -= piece;
            // Unused budget means that no vertex is left to measure.
            crowd.left = if unused > 0 { 0 } else { crowd.left - piece };
        };
        if !is_over {
            return PlanStage::Spread;
        }
        crowd.touched += crowd.distances.touched();
        if self.keeps_footprint {
            crowd.see(maps.graph, &mut self.footprint);
        }
        PlanStage::Measure {
            member: 0,
            doing: Doing::Begin,
        }
    }

    /// Writes the shortest path of a cop whose distance was measured with the rest of the team. Returns whether
    /// the cop follows this path, so that it needs no plan of its own.
    pub(super) fn follows_crowd(&mut self, maps: Maps<'_>, rank: usize) -> bool {
        let index = self.order[rank];
        let from = self.team[index].cop.at;
        if self.crowd.steps(from).is_none() {
            return false;
        }
        let follows = rank >= LEADERS;
        // The leaders' paths are compared from their ends.
        let most = if follows { self.steps } else { usize::MAX };
        let path = &mut self.paths[index];
        path.clear();
        self.crowd
            .distances
            .extend_path(maps.graph, from, most, path);
        follows
    }
}
