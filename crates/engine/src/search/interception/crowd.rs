//! Large teams of cops, and teams that go straight for the robber: measures the distances from the robber once for all cops, on
//! the map near the robber and on a coarse level beyond.

use super::far::Far;
use super::pathfinder::Length;
use super::{Doing, Interception, LEADERS, Maps, MeasuredCop, PlanStage, SMALL_TEAM};
use crate::game::{Agent, Work};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::{Distances, Footprint};
use std::ops::RangeInclusive;

/// The greatest number of vertices whose distances are measured on the map, if there is no hierarchy or the
/// map is small.
const MOST: u64 = 1 << 16;

/// On a large map, a crowd measures this number of vertices for each of its cops before it turns to a coarse level. A fixed
/// number would cost a small crowd more than the plans of its cops.
const NEAR_EACH: u64 = 1 << 5;

/// The bounds of the number of vertices that a crowd measures on a large map. With half of the lower bound, crowds of 40
/// capture fewer robbers in a city.
const NEAR: RangeInclusive<u64> = 1 << 12..=1 << 13;

/// A map is large if it has more than this many times the number of vertices that a crowd would measure on it.
const LARGE: u64 = 4;

/// After this number of vertices the search checks whether it has found all cops of a crowd.
const PIECE: u64 = 1024;

/// The same for a small team.
const SMALL_PIECE: u64 = 256;

/// The number of rows in a strip of the map: about as many as a walk to the nearest place ahead crosses.
const STRIP: u16 = 32;

/// The number of breadth-first expansions that cost as much as, and count as, one expansion of the search.
pub(super) const MEASURING: u64 = 8;

/// Who shares the distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SharedBy {
    #[default]
    Nobody,
    /// A team on a small map.
    Team,
    /// A large team, or one that goes straight for the robber.
    Crowd,
}

/// The distances of the vertices around a robber.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedDistances {
    distances: Distances,
    is_two_way: bool,
    sharing: SharedBy,
    /// The number of vertices that may still be measured, and the number after which the search checks whether it has
    /// found all cops.
    left: u64,
    piece: u64,
    /// Whether all vertices with a path to the robber are measured.
    is_all: bool,
    /// All members before this index have been found, or have no path to the robber.
    found: usize,
    pub(super) far: Far,
    /// Memory of [`SharedDistances::by_place`]: places with indices in the lower half.
    places: Vec<u64>,
    work: Work,
}

impl SharedDistances {
    /// Discards the distances. Small teams that cut the robber off on large maps do not use them.
    pub(super) fn forget(&mut self) {
        self.sharing = SharedBy::Nobody;
        self.far.forget();
        self.work = Work::NONE;
    }

    /// Begins to measure the distances from the robber. `crowd` is the number of cops of a crowd, `None` for another team.
    pub(super) fn begin(&mut self, maps: Maps<'_>, robber: Vertex, crowd: Option<usize>) {
        self.is_two_way = maps.graph.is_two_way();
        self.distances.begin(maps.graph, robber);
        let near = |cops| (cops as u64 * NEAR_EACH).next_multiple_of(PIECE);
        let near = crowd.map(|cops| near(cops).clamp(*NEAR.start(), *NEAR.end()));
        let is_large = |near| maps.hierarchy.is_some() && maps.graph.slots() as u64 > LARGE * near;
        self.left = near.filter(|&near| is_large(near)).unwrap_or(MOST);
        (self.sharing, self.piece) = match crowd {
            Some(cops) if cops > SMALL_TEAM => (SharedBy::Crowd, PIECE),
            Some(_) => (SharedBy::Crowd, SMALL_PIECE),
            None => (SharedBy::Team, SMALL_PIECE),
        };
        (self.is_all, self.found) = (false, 0);
    }

    /// Lists the members in the order of their places: column by column in strips of rows. Cops near each other read
    /// the same parts of the map, which are then still in the processor's caches.
    pub(super) fn by_place(&mut self, graph: &Graph, team: &[MeasuredCop], order: &mut Vec<usize>) {
        self.places.clear();
        // As numbers, they are sorted twice as fast as tuples.
        let place = |(index, member): (u64, &MeasuredCop)| {
            let Cell { x, y } = graph.cell(member.cop.at);
            u64::from(y / STRIP) << 48 | u64::from(x) << 32 | index
        };
        self.places.extend((0..).zip(team).map(place));
        self.places.sort_unstable();
        order.extend(self.places.iter().map(|&place| place as u32 as usize));
    }

    /// The steps to the robber; `None` if the distances are not used, and for a vertex that is too far away.
    pub(super) fn steps(&self, from: Vertex) -> Option<u32> {
        let is_shared = self.sharing != SharedBy::Nobody;
        is_shared.then(|| self.distances.steps(from)).flatten()
    }

    pub(super) fn work(&self) -> Work {
        self.work + self.far.work()
    }

    /// The steps of the vertex that was measured last: no other vertex is known to be farther. 0 if the distances are
    /// not used.
    fn farthest(&self) -> u32 {
        if self.sharing == SharedBy::Nobody {
            return 0;
        }
        let last = self.distances.reachable().last();
        last.and_then(|&last| self.distances.steps(last))
            .unwrap_or(0)
    }

    const fn is_crowd(&self) -> bool {
        matches!(self.sharing, SharedBy::Crowd)
    }

    /// Returns whether the team is a crowd and the cop of a rank is none of the leaders.
    pub(super) const fn is_follower(&self, rank: usize) -> bool {
        self.is_crowd() && rank >= LEADERS
    }

    pub(super) const fn swap_distances(&mut self, distances: &mut Distances) -> bool {
        // The distances of the caller are not from this robber.
        match std::mem::replace(&mut self.sharing, SharedBy::Nobody) {
            SharedBy::Nobody => false,
            SharedBy::Team | SharedBy::Crowd => {
                std::mem::swap(&mut self.distances, distances);
                true
            }
        }
    }

    /// A lower bound on the steps between two vertices, from their distances; 0 if one of these is unknown. Near the robber,
    /// it is almost exact.
    pub(super) fn least_steps(&self, a: Vertex, b: Vertex) -> u32 {
        let steps = self.steps(a).zip(self.steps(b));
        // The way back may be shorter on a map with one-way edges.
        let difference = |(a, b): (u32, u32)| {
            if self.is_two_way {
                a.abs_diff(b)
            } else {
                a.saturating_sub(b)
            }
        };
        steps.map_or(0, difference)
    }

    fn see(&self, graph: &Graph, footprint: &mut Footprint) {
        for &vertex in self.distances.reachable() {
            footprint.insert(graph.cell(vertex));
        }
    }
}

impl Interception {
    /// Measures distances from the robber until all cops that can reach it are found.
    pub(super) fn spread(&mut self, maps: Maps<'_>, robber: Vertex, budget: u64) -> PlanStage {
        let crowd = &mut self.crowd;
        let mut granted = budget.saturating_mul(MEASURING);
        let is_over = loop {
            // Check only after whole pieces, so that the end does not depend on the budget.
            if crowd.left.is_multiple_of(crowd.piece) {
                while let Some(member) = self.team.get_mut(crowd.found) {
                    if crowd.distances.steps(member.cop.at).is_none() {
                        member.reaches = reaches(maps, member.cop.at, robber);
                        if member.reaches {
                            break;
                        }
                    }
                    crowd.found += 1;
                }
                if crowd.left == 0 || crowd.found == self.team.len() {
                    break true;
                }
            }
            if granted == 0 {
                break false;
            }
            let to_end = (crowd.left - 1) % crowd.piece + 1;
            let piece = to_end.min(granted);
            let unused = crowd.distances.advance(maps.graph, piece);
            crowd.work.expansions += (piece - unused).div_ceil(MEASURING);
            granted -= piece;
            // Unused budget means that no vertex is left to measure.
            crowd.is_all = unused > 0;
            crowd.left = if crowd.is_all { 0 } else { crowd.left - piece };
        };
        if !is_over {
            return PlanStage::Spread;
        }
        crowd.work.touched += crowd.distances.take_touched();
        if self.keeps_footprint {
            crowd.see(maps.graph, &mut self.footprint);
        }
        self.begin_far(maps, robber)
    }

    /// Notes the distances of the cops that were found, and begins to measure those of the others.
    fn begin_far(&mut self, maps: Maps<'_>, robber: Vertex) -> PlanStage {
        let SharedDistances {
            distances,
            far,
            is_all,
            found,
            ..
        } = &mut self.crowd;
        let is_far = *found < self.team.len() && !*is_all && far.begin(maps, robber);
        for &index in &self.order {
            let member = &mut self.team[index];
            if let Some(steps) = distances.steps(member.cop.at) {
                (member.steps, member.length) = (steps, Some(Length::Steps(steps)));
            } else if *is_all {
                member.reaches = false;
            } else if is_far {
                member.group = far.request(maps, member.cop.at);
                member.reaches = member.group.is_some();
            } else {
                member.reaches = reaches(maps, member.cop.at, robber);
            }
        }
        PlanStage::SpreadFar
    }

    /// Begins to measure the distances of the cops of a small team that are too far away for a search on the map. `None` if
    /// there is no such cop, or if this has already been done.
    pub(super) fn begin_far_of_team(
        &mut self,
        maps: Maps<'_>,
        robber: Vertex,
    ) -> Option<PlanStage> {
        let far = &mut self.crowd.far;
        let is_far = |member: &MeasuredCop| matches!(member.length, Some(Length::AtLeast(_)));
        if far.has_begun() || !self.team.iter().any(is_far) || !far.begin(maps, robber) {
            return None;
        }
        for member in self.team.iter_mut().filter(|member| is_far(member)) {
            member.group = far.request(maps, member.cop.at);
        }
        Some(PlanStage::SpreadFar)
    }

    /// Measures distances on the coarse level until all cops are found.
    pub(super) fn spread_far(&mut self, maps: Maps<'_>, budget: u64) -> PlanStage {
        if !self.crowd.far.spread(maps, budget) {
            return PlanStage::SpreadFar;
        }
        if let (true, Some(hierarchy)) = (self.keeps_footprint, maps.hierarchy) {
            self.crowd.far.see(hierarchy, &mut self.footprint);
        }
        // No distant cop is nearer than those near the robber.
        let least = self.crowd.farthest();
        for member in &mut self.team {
            let steps = member.group.and_then(|group| self.crowd.far.steps(group));
            match steps {
                Some(steps) => member.steps = steps.max(least).max(member.steps),
                None => member.group = None,
            }
        }
        PlanStage::Measure {
            member: 0,
            doing: Doing::Begin,
        }
    }

    /// Returns whether the cop of this rank takes its path straight from the distances of a crowd: it is none of the leaders,
    /// or too far away to cut the robber off.
    pub(super) fn follows(&self, rank: usize) -> bool {
        let is_distant = || self.team[self.order[rank]].group.is_some();
        self.crowd.is_crowd() && (rank >= LEADERS || is_distant())
    }

    /// Plans for the cops from a rank on that go straight for the robber, up to the first one that does not.
    /// `None` if the first of them has no path.
    pub(super) fn follow(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        first: usize,
    ) -> Option<PlanStage> {
        let mut rank = first;
        while let Some(&index) = self.order.get(rank) {
            let member = self.team[index];
            if !member.reaches || !self.follows(rank) {
                return (rank > first).then_some(PlanStage::Plan { rank });
            }
            if member.group.is_some() {
                self.paths[index].clear();
                return Some(PlanStage::Walk { rank });
            }
            if self.crowd.steps(member.cop.at).is_none() {
                return Some(self.go_straight(maps, robber, rank));
            }
            self.write_shared_path(maps, rank);
            rank += 1;
        }
        Some(PlanStage::Done)
    }

    /// Writes the shortest path of a cop whose distance was measured with the rest of the team.
    pub(super) fn write_shared_path(&mut self, maps: Maps<'_>, rank: usize) {
        let index = self.order[rank];
        let from = self.team[index].cop.at;
        if self.crowd.steps(from).is_none() {
            return;
        }
        // The leaders' paths are compared from their ends, where the others cut the robber off.
        let is_leader = self.cuts_off && !self.crowd.is_follower(rank);
        let most = if is_leader { usize::MAX } else { self.steps };
        let path = &mut self.paths[index];
        path.clear();
        self.crowd
            .distances
            .extend_path(maps.graph, from, most, path);
    }

    /// Walks with one distant cop after another, as long as the budget lasts and no other work comes first.
    pub(super) fn walk_all(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
        budget: u64,
    ) -> PlanStage {
        let end = self.crowd.work().expansions.saturating_add(budget);
        let mut stage = PlanStage::Walk { rank };
        loop {
            stage = match stage {
                PlanStage::Walk { rank } => self.walk(maps, robber.at, rank),
                PlanStage::Plan { rank } if self.order.len() > rank => {
                    match self.follow(maps, robber, rank) {
                        Some(stage) => stage,
                        None => return stage,
                    }
                }
                _ => return stage,
            };
            if self.crowd.work().expansions >= end {
                return stage;
            }
        }
    }

    /// Appends known steps to the path of a distant cop.
    fn walk(&mut self, maps: Maps<'_>, robber: Vertex, rank: usize) -> PlanStage {
        let index = self.order[rank];
        let (path, steps) = (&mut self.paths[index], self.steps);
        let is_shared = self.crowd.sharing != SharedBy::Nobody;
        let SharedDistances { distances, far, .. } = &mut self.crowd;
        let measured = is_shared.then_some(&*distances);
        let from = self.team[index].cop.at;
        let seen = self.keeps_footprint.then_some(&mut self.footprint);
        match far.follow(maps, from, measured, path, steps, seen) {
            Some(true) => {
                if let Some(measured) = measured {
                    let at = path.last().copied().unwrap_or(from);
                    measured.extend_path(maps.graph, at, steps - path.len(), path);
                }
                PlanStage::Plan { rank: rank + 1 }
            }
            Some(false) => PlanStage::Flow { rank },
            None => PlanStage::Go {
                rank,
                to: robber,
                begun: false,
            },
        }
    }

    /// Searches for the next steps of a distant cop.
    pub(super) fn search_flow(&mut self, maps: Maps<'_>, rank: usize, budget: u64) -> PlanStage {
        if self.crowd.far.search(maps, budget) {
            PlanStage::Walk { rank }
        } else {
            PlanStage::Flow { rank }
        }
    }
}

/// Returns whether there is a path to the robber, or whether this is still unknown.
fn reaches(maps: Maps<'_>, cop: Vertex, robber: Vertex) -> bool {
    maps.hierarchy
        .is_none_or(|hierarchy| hierarchy.connected(cop, robber))
}
