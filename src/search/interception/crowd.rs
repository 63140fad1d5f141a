//! Large teams of cops: measures the distances from the robber once for all cops, on the map near the
//! robber and on a coarse level beyond.

use super::far::Far;
use super::{Doing, Interception, LEADERS, Maps, Member, PlanStage};
use crate::graph::{Graph, Vertex};
use crate::search::{Distances, Footprint};

/// The greatest number of vertices whose distances are measured on the map, if there is no hierarchy or the
/// map is small.
const MOST: u64 = 1 << 16;

/// Maps up to this number of vertex numbers are small: there all distances are measured on the map.
const SMALL: usize = 1 << 15;

/// The greatest number of vertices that are measured on a larger map before a coarse level is searched.
const NEAR: u64 = 1 << 13;

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
    far: Far,
    expansions: u64,
    touched: u64,
}

impl Crowd {
    /// Discards the distances. Small teams do not use them.
    pub(super) const fn forget(&mut self) {
        self.is_used = false;
        self.far.forget();
        (self.expansions, self.touched) = (0, 0);
    }

    pub(super) fn begin(&mut self, maps: Maps<'_>, robber: Vertex) {
        self.distances.begin(maps.graph, robber);
        let is_large = maps.hierarchy.is_some() && maps.graph.slots() > SMALL;
        let most = if is_large { NEAR } else { MOST };
        (self.is_used, self.left, self.found) = (true, most, 0);
    }

    /// The steps to the robber; `None` for a small team and for a vertex that is too far away.
    pub(super) fn steps(&self, from: Vertex) -> Option<u32> {
        self.is_used.then(|| self.distances.steps(from)).flatten()
    }

    pub(super) const fn effort(&self) -> (u64, u64) {
        let far = self.far.effort();
        (self.expansions + far.0, self.touched + far.1)
    }

    /// The estimated steps of a distant cop, given the vertex of the coarse level that represents it: no
    /// fewer than those of all cops near the robber.
    pub(super) fn far_steps(&self, group: Vertex) -> Option<u32> {
        let last = self.distances.reachable().last();
        let near = last.and_then(|&last| self.distances.steps(last));
        Some(self.far.steps(group)?.max(near.unwrap_or(0)))
    }

    /// Returns whether the cop of a rank goes straight for the robber because the team is a crowd.
    pub(super) const fn is_follower(&self, rank: usize) -> bool {
        self.is_used && rank >= LEADERS
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
        self.begin_far(maps)
    }

    /// Begins to measure the distances of the cops that were not found.
    fn begin_far(&mut self, maps: Maps<'_>) -> PlanStage {
        let Crowd {
            distances,
            far,
            found,
            ..
        } = &mut self.crowd;
        if let (Some(hierarchy), Some(robber)) = (maps.hierarchy, self.robber)
            && *found < self.team.len()
            && far.begin(maps, robber.at)
        {
            for member in &mut self.team[*found..] {
                if member.reaches && distances.steps(member.cop.at).is_none() {
                    member.group = far.want(hierarchy, member.cop.at);
                }
            }
        }
        PlanStage::SpreadFar
    }

    /// Measures distances on the coarse level until all cops are found.
    pub(super) fn spread_far(&mut self, maps: Maps<'_>, budget: u64) -> PlanStage {
        let far = &mut self.crowd.far;
        if !far.spread(maps, budget) {
            return PlanStage::SpreadFar;
        }
        if let (true, Some(hierarchy)) = (self.keeps_footprint, maps.hierarchy) {
            far.see(hierarchy, &mut self.footprint);
        }
        PlanStage::Measure {
            member: 0,
            doing: Doing::Begin,
        }
    }

    /// Writes the shortest path of a cop whose distance was measured with the rest of the team.
    pub(super) fn write_shared_path(&mut self, maps: Maps<'_>, rank: usize) {
        let index = self.order[rank];
        let from = self.team[index].cop.at;
        if self.crowd.steps(from).is_none() {
            return;
        }
        // The leaders' paths are compared from their ends.
        let is_follower = self.crowd.is_follower(rank);
        let most = if is_follower { self.steps } else { usize::MAX };
        let path = &mut self.paths[index];
        path.clear();
        self.crowd
            .distances
            .extend_path(maps.graph, from, most, path);
    }

    /// Begins the path of a cop that goes straight for the robber, in a crowd.
    pub(super) fn begin_walk(&mut self, rank: usize) -> PlanStage {
        self.paths[self.order[rank]].clear();
        PlanStage::Walk { rank }
    }

    /// Appends a walk to the path of a distant cop. If there are walls in its way, a path round them is
    /// searched.
    pub(super) fn walk(&mut self, maps: Maps<'_>, robber: Vertex, rank: usize) -> PlanStage {
        let index = self.order[rank];
        let (path, steps) = (&mut self.paths[index], self.steps);
        let Crowd { distances, far, .. } = &mut self.crowd;
        let from = self.team[index].cop.at;
        let at = path.last().copied().unwrap_or(from);
        let most = steps - path.len();
        if distances.steps(at).is_some() {
            distances.extend_path(maps.graph, at, most, path);
            return self.next(rank);
        }
        let seen = self.keeps_footprint.then_some(&mut self.footprint);
        if !far.walk(maps, at, most, path, seen) {
            let to = far.detour(maps, from, steps).unwrap_or(robber);
            return PlanStage::Go {
                rank,
                to,
                begun: false,
            };
        }
        if path.len() < steps {
            PlanStage::Walk { rank }
        } else {
            self.next(rank)
        }
    }
}
