//! Distant cops: distances on a coarse level, measured once for all cops of a team, and ways along them.

use super::Maps;
use super::coarse::CoarseDistances;
use super::crowd::MEASURING;
use super::flow::{AHEAD, Flow, GroupNotes, Groups, Route};
use super::walk::{Prefer, StraightWalk};
use crate::abstraction::Hierarchy;
use crate::game::Work;
use crate::graph::{Graph, Network as _, Vertex};
use crate::map::Cell;
use crate::search::origin::SearchOrigin;
use crate::search::{Distances, Footprint};
use std::ops::Range;

/// The largest number of vertices of a connected part of the coarse level.
const COARSE: usize = 2000;

/// The number of known steps that cost as much as, and count as, one expansion of the search.
const WALKING: usize = 16;

/// Routes of distant cops to one robber, along the distances of a coarse level.
#[derive(Debug, Clone, Default)]
pub(super) struct Far {
    /// The level; 0 without distances.
    level: usize,
    /// The robber's vertex on the map.
    robber: Vertex,
    distances: CoarseDistances,
    /// The vertex of the top level that represents the robber.
    top: Option<Vertex>,
    /// For each vertex of the level, the vertex of the map that cops walk to, once it is known.
    stops: Vec<Option<Vertex>>,
    groups: GroupNotes,
    pub(super) flow: Flow,
    /// For each vertex of the level, the vertex of the top level that represents it, once it is known.
    tops: Vec<Option<Vertex>>,
    /// The maps and the level of what was read, which is kept while the map stays the same.
    pub(super) read_from: Option<(SearchOrigin, usize)>,
    walk: StraightWalk,
    work: Work,
}

impl Far {
    pub(super) fn forget(&mut self) {
        self.distances.forget();
        self.level = 0;
        self.work = Work::NONE;
    }

    pub(super) fn work(&self) -> Work {
        self.distances.work() + self.work
    }

    /// Returns whether the distances have been measured, or are being measured.
    pub(super) const fn has_begun(&self) -> bool {
        self.level > 0
    }

    /// Begins to measure the distances from a robber; `false` if no level is coarse enough.
    pub(super) fn begin(&mut self, maps: Maps<'_>, robber: Vertex) -> bool {
        let Some(hierarchy) = maps.hierarchy else {
            return false;
        };
        let coarse = hierarchy.lowest_level(COARSE).and_then(|level| {
            let network = hierarchy.level(level)?;
            Some((level, network, hierarchy.ancestor(robber, level)?))
        });
        let Some((level, network, source)) = coarse else {
            return false;
        };
        self.walk.begin(maps.graph.moves());
        (self.level, self.robber) = (level, robber);
        let origin = SearchOrigin::of(maps.graph, maps.hierarchy);
        if self.read_from != Some((origin, level)) {
            self.clear(maps.graph, network.slots());
            self.read_from = Some((origin, level));
        }
        self.top = self.top_of(hierarchy, source);
        self.distances.begin(network, source);
        true
    }

    /// Forgets what has been read from the level.
    pub(super) fn clear(&mut self, graph: &Graph, groups: usize) {
        self.stops.clear();
        self.stops.resize(groups, None);
        self.tops.clear();
        self.tops.resize(groups, None);
        self.groups.clear(graph.slots());
        self.flow.clear(graph.slots(), groups);
        self.distances.clear(groups, graph.moves());
    }

    /// The vertex of the top level that represents a vertex of the level.
    fn top_of(&mut self, hierarchy: &Hierarchy, group: Vertex) -> Option<Vertex> {
        let levels = self.level..hierarchy.levels() - 1;
        let top = &mut self.tops[group.index()];
        if top.is_none() {
            *top = raise(hierarchy, group, levels);
        }
        *top
    }

    /// The vertex of the level that represents a vertex of the map.
    fn group(&mut self, maps: Maps<'_>, at: Vertex) -> Option<Vertex> {
        let (notes, level) = (&mut self.groups, self.level);
        let hierarchy = maps.hierarchy?;
        let mut groups = Groups {
            notes,
            hierarchy,
            level,
        };
        groups.of(at)
    }

    /// Notes a cop whose distance is to be measured. Returns the vertex that represents it; `None` if the cop
    /// has no path to the robber.
    pub(super) fn request(&mut self, maps: Maps<'_>, cop: Vertex) -> Option<Vertex> {
        let group = self.group(maps, cop)?;
        let hierarchy = maps.hierarchy?;
        let top = self.top_of(hierarchy, group);
        if top.is_none() || top != self.top {
            return None;
        }
        self.distances.request(hierarchy.level(self.level)?, group);
        Some(group)
    }

    /// Continues for at most `budget` expansions; `true` once the distances of all noted cops are known.
    pub(super) fn spread(&mut self, maps: Maps<'_>, budget: u64) -> bool {
        match maps.hierarchy.and_then(|all| all.level(self.level)) {
            Some(network) => self.distances.spread(network, budget),
            None => true,
        }
    }

    /// The estimated steps from a vertex of the level to the robber; `None` if there is no path.
    pub(super) fn steps(&self, group: Vertex) -> Option<u32> {
        self.distances.steps(group)
    }

    /// The way of the cops that a vertex of the level represents; `None` if its distance is unknown. Cops in the robber's group
    /// go for the robber.
    fn route(&mut self, maps: Maps<'_>, group: Vertex) -> Option<Route> {
        let (hierarchy, mut last) = (maps.hierarchy?, group);
        let mut groups = [group; AHEAD + 1];
        self.distances.cost(group)?;
        for ahead in &mut groups[1..] {
            last = self.distances.next(last); // the robber's group is its own next one
            *ahead = last;
        }
        let goal = if last == group {
            self.robber
        } else {
            self.stop(maps.graph, hierarchy, last)
        };
        Some(Route { groups, goal })
    }

    /// The vertex of the map in the middle of a vertex of the level.
    fn stop(&mut self, graph: &Graph, hierarchy: &Hierarchy, group: Vertex) -> Vertex {
        if let Some(stop) = self.stops[group.index()] {
            return stop;
        }
        let middle = hierarchy.position(graph, self.level, group);
        let stop = self.cell_at(graph, hierarchy, group, middle);
        let stop = stop.unwrap_or_else(|| self.nearest_to(graph, hierarchy, group, middle));
        self.stops[group.index()] = Some(stop);
        stop
    }

    /// The vertex of the map at a place, if the vertex of the level represents it.
    fn cell_at(
        &self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        group: Vertex,
        [x, y]: [f32; 2],
    ) -> Option<Vertex> {
        let at = graph.vertex(Cell::new(x.round() as u16, y.round() as u16))?;
        (hierarchy.ancestor(at, self.level) == Some(group)).then_some(at)
    }

    /// A vertex of the map below a vertex of the level, near a place.
    fn nearest_to(
        &self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        group: Vertex,
        middle: [f32; 2],
    ) -> Vertex {
        let mut at = group;
        for level in (1..=self.level).rev() {
            let distance = |child: Vertex| {
                let [x, y] = hierarchy.position(graph, level - 1, child);
                let (dx, dy) = (x - middle[0], y - middle[1]);
                dx * dx + dy * dy
            };
            let children = hierarchy.children(level, at).iter().copied();
            let nearest = children.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            at = nearest.unwrap_or(at);
        }
        at
    }

    /// Appends steps to the path of a distant cop, until the path has `most` steps, or reaches the robber or a vertex whose
    /// distance is `measured`. `Some(false)` if the steps from the end of the path are not yet known: [`Far::search`] searches for
    /// these. `None` if no way is known.
    ///
    /// A cop whose plan is made anew after any number of these steps arrives at a robber that stays where it is. It leaves its
    /// group only for one that is nearer to the robber. Until then it follows the flow, or it is on a walk, whose rest is
    /// itself a walk that leads down; on its way, the cop only changes to a walk to a place farther ahead.
    pub(super) fn follow(
        &mut self,
        maps: Maps<'_>,
        from: Vertex,
        measured: Option<&Distances>,
        path: &mut Vec<Vertex>,
        most: usize,
        mut footprint: Option<&mut Footprint>,
    ) -> Option<bool> {
        let mut at = path.last().copied().unwrap_or(from);
        let mut follows = None;
        let mut walked = WALKING;
        let is_known = loop {
            let is_measured = measured.is_some_and(|measured| measured.steps(at).is_some());
            if path.len() >= most || at == self.robber || is_measured {
                break true;
            }
            let group = self.group(maps, at)?;
            if follows != Some(group) {
                let route = self.route(maps, group)?;
                let footprint = footprint.as_deref_mut();
                if let Some(steps) = self.walk(maps, at, &route, &mut walked, footprint) {
                    let cells = &self.walk.cells()[..steps.min(most - path.len())];
                    path.extend(cells.iter().map(|&cell| maps.graph.floor_at(cell)));
                    at = path.last().copied().unwrap_or(at);
                    continue;
                }
                if !self.flow.knows(&route) {
                    self.flow.begin(maps.graph, route);
                    break false;
                }
                let hierarchy = maps.hierarchy?;
                let (notes, level) = (&mut self.groups, self.level);
                let mut groups = Groups {
                    notes,
                    hierarchy,
                    level,
                };
                self.flow.catch_up(maps.graph, group, &mut groups);
                follows = Some(group);
            }
            walked += 1;
            at = self.flow.next(at);
            path.push(at);
        };
        self.work.expansions += (walked / WALKING) as u64;
        Some(is_known)
    }

    /// Walks straight to the farthest of the places ahead that no wall hides, if this leads down. Returns the number of steps
    /// to another group. Counts all steps.
    fn walk(
        &mut self,
        maps: Maps<'_>,
        at: Vertex,
        route: &Route,
        walked: &mut usize,
        mut footprint: Option<&mut Footprint>,
    ) -> Option<usize> {
        let hierarchy = maps.hierarchy?;
        let [group, ahead @ ..] = route.groups;
        let ahead = ahead.into_iter().rev().filter(|&next| next != group);
        for next in ahead {
            let facing = self.facing(maps, next);
            let stop = self.stop(maps.graph, hierarchy, next);
            let ways = [
                facing.map(|to| (to, Prefer::Diagonal)),
                Some((stop, Prefer::Diagonal)),
                Some((stop, Prefer::Straight)),
            ];
            for (to, prefer) in ways.into_iter().flatten() {
                let is_clear = self.walk.go(maps.graph, at, to, prefer);
                *walked += self.walk.cells().len();
                if let Some(footprint) = &mut footprint {
                    let (min, max) = self.walk.corners();
                    footprint.insert_rectangle(min, max);
                }
                let steps = is_clear.then(|| self.steps_down(maps, group)).flatten();
                if steps.is_some() {
                    return steps;
                }
            }
        }
        None
    }

    /// The place of a vertex of the level that is nearest to the robber in a straight line; `None` if there is a wall, or if
    /// another vertex represents that place.
    ///
    /// Of equally short paths, those that lead to such places capture sooner than those through the middles: cops that come
    /// diagonally until they share a row or column with the robber leave it fewer ways out. The robber's place decides, not the
    /// cop's, so that the place stays the same while a cop walks there.
    fn facing(&mut self, maps: Maps<'_>, group: Vertex) -> Option<Vertex> {
        let (min, max) = maps.hierarchy?.level(self.level)?.bounds(group);
        let Cell { x, y } = maps.graph.cell(self.robber);
        let cell = Cell::new(x.clamp(min.x, max.x), y.clamp(min.y, max.y));
        let at = maps.graph.vertex(cell)?;
        (self.group(maps, at) == Some(group)).then_some(at)
    }

    /// The number of steps of the last walk until it leaves a group; `None` if it does not leave the group for one that is
    /// nearer to the robber.
    fn steps_down(&mut self, maps: Maps<'_>, group: Vertex) -> Option<usize> {
        for index in 0..self.walk.cells().len() {
            let cell = self.walk.cells()[index];
            let at = self.group(maps, maps.graph.floor_at(cell))?;
            if at != group {
                // The cost of a group that has not been measured can only fall. In a search that is not directed, such a group
                // costs no less than the measured one, so what was measured earlier makes no difference.
                let costs = [at, group].map(|group| self.distances.cost(group));
                let is_down = costs[0]? < costs[1]?;
                return is_down.then_some(index + 1);
            }
        }
        None
    }

    /// Continues for at most `budget` expansions to search for the steps that [`Far::follow`] lacked; `true` once these
    /// are known.
    pub(super) fn search(&mut self, maps: Maps<'_>, budget: u64) -> bool {
        let Some(hierarchy) = maps.hierarchy else {
            return true;
        };
        let mut groups = Groups {
            notes: &mut self.groups,
            hierarchy,
            level: self.level,
        };
        let granted = budget.saturating_mul(MEASURING);
        let left = self.flow.advance(maps.graph, granted, &mut groups);
        self.work.expansions += (granted - left).div_ceil(MEASURING);
        self.work.touched += self.flow.take_touched();
        left > 0
    }

    /// Adds what the distances depend on to a footprint.
    pub(super) fn see(&self, hierarchy: &Hierarchy, footprint: &mut Footprint) {
        if let Some(network) = hierarchy.level(self.level) {
            for &vertex in self.distances.seen() {
                let (top_left, bottom_right) = network.bounds(vertex);
                footprint.insert_rectangle(top_left, bottom_right);
            }
        }
    }
}

/// The ancestor of a vertex, this number of levels higher.
fn raise(hierarchy: &Hierarchy, vertex: Vertex, mut levels: Range<usize>) -> Option<Vertex> {
    levels.try_fold(vertex, |vertex, level| hierarchy.parent(level, vertex))
}
