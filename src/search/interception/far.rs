//! The distant cops of a crowd: distances on a coarse level, measured once for all cops, and ways
//! along them.

use super::Maps;
use super::crowd::MEASURING;
use super::flow::{AHEAD, Flow, GroupNotes, Groups, Route};
use super::walk::{Prefer, Walk};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::graph::{Graph, Network as _, Vertex};
use crate::map::Cell;
use crate::search::level_costs::edge_steps;
use crate::search::origin::Origin;
use crate::search::{Distances, Footprint};
use std::ops::Range;

/// The largest number of vertices of a connected part of the coarse level.
const COARSE: usize = 2000;

/// The cost of a step in the distances of the level.
const STEP: f32 = 8.0;

/// The number of costs for which the queue has room. Vertices behind a longer edge wait in the last list.
const ROOM: u32 = 1024;

/// The number of known steps that cost as much as, and count as, one expansion of the search.
const WALKING: usize = 16;

/// The distances of the vertices of a coarse level from a robber, nearest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Far {
    /// The level; 0 without distances.
    level: usize,
    source: Vertex,
    /// The vertex of the top level that represents the robber.
    top: Option<Vertex>,
    nodes: Vec<Node>,
    /// Nodes with this stamp are of these distances.
    current: u32,
    /// Vertices by cost, in a ring of lists.
    ring: Vec<Vec<Vertex>>,
    /// A bit for each list of the ring that may have vertices, so that the search skips empty lists 64 at a time.
    filled: [u64; (ROOM / u64::BITS) as usize],
    /// A lower bound on the costs in the ring.
    least: u32,
    /// The number of vertices in the ring.
    waiting: usize,
    /// The number of vertices that represent cops and are not yet measured.
    wanted: usize,
    reached: Vec<Vertex>,
    /// The neighbours of all vertices of the level with the costs of the edges, vertex by vertex.
    edges: Vec<(Vertex, u32)>,
    /// For each vertex of the level the place of its first edge, and the end.
    first: Vec<usize>,
    /// For each vertex of the level, the vertex of the map that cops walk to, once it is known.
    stops: Vec<Option<Vertex>>,
    groups: GroupNotes,
    flow: Flow,
    /// For each vertex of the level, the vertex of the top level that represents it.
    tops: Vec<Option<Vertex>>,
    /// The maps and the level of what was read, which is kept while the map stays the same.
    read_from: Option<(Origin, usize)>,
    walk: Walk,
    expansions: u64,
    touched: u64,
}

/// A vertex of the level.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    stamp: u32,
    state: NodeState,
    /// Whether it represents a cop.
    is_wanted: bool,
    /// The distance from the robber's vertex.
    cost: u32,
    /// The next vertex on a shortest path to the robber's vertex.
    next: Vertex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NodeState {
    #[default]
    New,
    Reached,
    /// Its distance is known.
    Measured,
}

impl Far {
    /// Discards the distances, and what an unfinished search would measure next.
    pub(super) fn forget(&mut self) {
        self.empty_ring();
        self.wanted = 0;
        self.level = 0;
        (self.expansions, self.touched) = (0, 0);
    }

    pub(super) const fn effort(&self) -> (u64, u64) {
        (self.expansions, self.touched)
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
        if self.current == u32::MAX {
            self.nodes.clear();
            self.current = 0;
        }
        self.current += 1;
        // It never shrinks: the next level may be a larger one.
        if self.nodes.len() < network.slots() {
            self.nodes.resize(network.slots(), Node::default());
        }
        self.ring.resize_with(ROOM as usize, Vec::new);
        self.empty_ring();
        self.reached.clear();
        self.walk.begin(maps.graph.moves());
        (self.least, self.wanted) = (0, 0);
        (self.level, self.source) = (level, source);
        let origin = Origin::of(maps.graph, maps.hierarchy);
        if self.read_from != Some((origin, level)) {
            self.read(maps.graph, hierarchy, network);
            self.read_from = Some((origin, level));
        }
        self.top = self.tops[source.index()];
        self.push(source, 0, source);
        true
    }

    /// Reads the edges of the level.
    fn read(&mut self, graph: &Graph, hierarchy: &Hierarchy, network: &AbstractLevel) {
        self.stops.clear();
        self.stops.resize(network.slots(), None);
        self.groups.clear(graph.slots());
        self.flow.clear(graph.slots(), network.slots());
        let top = |vertex| raise(hierarchy, vertex, self.level..hierarchy.levels() - 1);
        self.tops.clear();
        self.tops
            .extend((0..network.slots()).map(|index| top(Vertex::from_index(index))));
        self.edges.clear();
        self.first.clear();
        for vertex in (0..network.slots()).map(Vertex::from_index) {
            self.first.push(self.edges.len());
            for &next in network.neighbours(vertex) {
                let ends = [vertex, next].map(|end| network.position(end));
                // At least one, so that each vertex is farther from the robber than the next one on its way.
                let cost = edge_steps(graph.moves(), ends, STEP).max(1);
                self.edges.push((next, cost));
            }
        }
        self.first.push(self.edges.len());
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
    pub(super) fn want(&mut self, maps: Maps<'_>, cop: Vertex) -> Option<Vertex> {
        let group = self.group(maps, cop)?;
        let top = self.tops[group.index()];
        if top.is_none() || top != self.top {
            return None;
        }
        let node = self.node(group);
        if !node.is_wanted {
            node.is_wanted = true;
            self.wanted += 1;
        }
        Some(group)
    }

    /// The node of a vertex of the level.
    fn node(&mut self, vertex: Vertex) -> &mut Node {
        let stamp = self.current;
        let node = &mut self.nodes[vertex.index()];
        if node.stamp != stamp {
            *node = Node {
                stamp,
                ..Node::default()
            };
        }
        node
    }

    fn push(&mut self, vertex: Vertex, cost: u32, next: Vertex) {
        let node = self.node(vertex);
        let is_new = node.state == NodeState::New;
        (node.state, node.cost, node.next) = (NodeState::Reached, cost, next);
        if is_new {
            self.reached.push(vertex);
        }
        let place = cost.min(self.least + ROOM - 1) % ROOM;
        self.ring[place as usize].push(vertex);
        self.filled[(place / u64::BITS) as usize] |= 1 << (place % u64::BITS);
        self.waiting += 1;
    }

    fn empty_ring(&mut self) {
        if self.waiting > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
        }
        self.filled.fill(0);
        self.waiting = 0;
    }

    /// Takes a vertex of the first list with vertices.
    fn pop(&mut self) -> Option<Vertex> {
        if self.waiting == 0 {
            return None;
        }
        loop {
            let place = self.least % ROOM;
            if let Some(vertex) = self.ring[place as usize].pop() {
                self.waiting -= 1;
                return Some(vertex);
            }
            let bit = place % u64::BITS;
            let word = &mut self.filled[(place / u64::BITS) as usize];
            *word &= !(1 << bit);
            // On to the next list with vertices in this word, or to the next word.
            let rest = u64::BITS - bit;
            self.least += (*word >> bit).trailing_zeros().min(rest);
        }
    }

    /// Continues for at most `budget` expansions; `true` once the distances of all noted cops are known.
    pub(super) fn spread(&mut self, mut budget: u64) -> bool {
        while self.wanted > 0 {
            if budget == 0 && self.waiting > 0 {
                return false;
            }
            let Some(vertex) = self.pop() else { break };
            let node = self.node(vertex);
            if node.state == NodeState::Measured {
                continue; // already at a lower cost
            }
            node.state = NodeState::Measured;
            let (so_far, is_wanted) = (node.cost, node.is_wanted);
            self.wanted -= usize::from(is_wanted);
            let edges = self.first[vertex.index()]..self.first[vertex.index() + 1];
            budget -= 1;
            self.expansions += 1;
            self.touched += edges.len() as u64;
            for edge in edges {
                let (next, cost) = self.edges[edge];
                let found = so_far + cost;
                let node = self.node(next);
                // A measured vertex costs no more than this one.
                if node.state == NodeState::New || found < node.cost {
                    self.push(next, found, vertex);
                }
            }
        }
        true
    }

    /// The estimated steps from a vertex of the level to the robber; `None` if there is no path.
    pub(super) fn steps(&self, group: Vertex) -> Option<u32> {
        let node = self.nodes.get(group.index())?;
        let is_known = node.stamp == self.current && node.state == NodeState::Measured;
        is_known.then_some((node.cost as f32 / STEP) as u32)
    }

    /// The way of the cops that a vertex of the level represents; `None` if its distance is unknown. Cops in the robber's group
    /// go for the robber.
    fn route(&mut self, maps: Maps<'_>, group: Vertex, robber: Vertex) -> Option<Route> {
        let (hierarchy, mut last) = (maps.hierarchy?, group);
        let mut groups = [group; AHEAD + 1];
        self.steps(group)?;
        for ahead in &mut groups[1..] {
            last = self.nodes[last.index()].next; // the robber's group is its own next one
            *ahead = last;
        }
        let goal = if last == group {
            robber
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

    /// Appends steps to the path of a distant cop, until the path has `most` steps or reaches a vertex whose distance is
    /// `measured`. `Some(false)` if the steps from the end of the path are not yet known: [`Far::search`] searches for
    /// these. `None` if no way is known.
    ///
    /// A cop whose plan is made anew after any number of these steps arrives at a robber that stays where it is. It leaves its
    /// group only for one that is nearer to the robber. Until then it follows the flow, or it is on a walk, whose rest is
    /// itself a walk that leads down; on its way, the cop only changes to a walk to a place farther ahead.
    pub(super) fn follow(
        &mut self,
        maps: Maps<'_>,
        (from, robber): (Vertex, Vertex),
        measured: &Distances,
        (path, most): (&mut Vec<Vertex>, usize),
        mut footprint: Option<&mut Footprint>,
    ) -> Option<bool> {
        let mut at = path.last().copied().unwrap_or(from);
        let mut follows = None;
        let mut walked = WALKING;
        let is_known = loop {
            if path.len() >= most || measured.steps(at).is_some() {
                break true;
            }
            let group = self.group(maps, at)?;
            if follows != Some(group) {
                let route = self.route(maps, group, robber)?;
                let footprint = footprint.as_deref_mut();
                if let Some(steps) = self.walk(maps, (at, &route), &mut walked, footprint) {
                    let cells = &self.walk.cells()[..steps.min(most - path.len())];
                    path.extend(cells.iter().map(|&cell| maps.graph.floor_at(cell)));
                    at = path.last().copied().unwrap_or(at);
                    continue;
                }
                if !self.flow.knows(&route) {
                    self.flow.begin(maps.graph, route);
                    break false;
                }
                follows = Some(group);
            }
            walked += 1;
            at = self.flow.next(at);
            path.push(at);
        };
        self.expansions += (walked / WALKING) as u64;
        Some(is_known)
    }

    /// Walks straight to the farthest of the places ahead that no wall hides, if this leads down. Returns the number of steps
    /// to another group. Counts all steps.
    fn walk(
        &mut self,
        maps: Maps<'_>,
        (at, route): (Vertex, &Route),
        walked: &mut usize,
        mut footprint: Option<&mut Footprint>,
    ) -> Option<usize> {
        let hierarchy = maps.hierarchy?;
        let [group, ahead @ ..] = route.groups;
        let ahead = ahead.into_iter().rev().filter(|&next| next != group);
        let attempts = ahead.flat_map(|next| [(next, Prefer::Diagonal), (next, Prefer::Straight)]);
        for (next, prefer) in attempts {
            let stop = self.stop(maps.graph, hierarchy, next);
            let is_clear = self.walk.go(maps.graph, (at, stop), prefer);
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
        None
    }

    /// The number of steps of the last walk until it leaves a group; `None` if it does not leave the group for one that is
    /// nearer to the robber.
    fn steps_down(&mut self, maps: Maps<'_>, group: Vertex) -> Option<usize> {
        for index in 0..self.walk.cells().len() {
            let cell = self.walk.cells()[index];
            let at = self.group(maps, maps.graph.floor_at(cell))?;
            if at != group {
                self.steps(at)?;
                let cost = |group: Vertex| self.nodes[group.index()].cost;
                return (cost(at) < cost(group)).then_some(index + 1);
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
        self.expansions += (granted - left).div_ceil(MEASURING);
        self.touched += self.flow.take_touched();
        left > 0
    }

    /// Adds what the distances depend on to a footprint.
    pub(super) fn see(&self, hierarchy: &Hierarchy, footprint: &mut Footprint) {
        if let Some(network) = hierarchy.level(self.level) {
            for &vertex in &self.reached {
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
