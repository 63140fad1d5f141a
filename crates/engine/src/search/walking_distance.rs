//! Estimates of walking distances, from distances on a level of the hierarchy that are kept.

use super::level_costs::{edge_steps, steps_without_walls};
use super::origin::SearchOrigin;
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::graph::{Graph, Network as _, Vertex};
use crate::map::{Cell, Moves};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost of a step.
const STEP: f32 = 8.0;

/// The largest number of vertices of a level on which distances are measured. On a new hierarchy, distances
/// from all of them take about 3 MB.
const FINEST: usize = 512;

/// Estimates how far agents have to walk to a target, on the first level of the hierarchy that is small
/// enough.
///
/// An estimate is the length of a shortest path on that level. Its first and its last edge are measured from
/// the cells of the agents and not from the centres of the vertices that represent them. An estimate is at
/// least the number of steps on a map without walls, and exactly that if no level is small enough.
///
/// The distances from a vertex of a level are measured once for all agents below it, and kept until the map
/// changes. The estimates do not depend on what was asked before.
#[derive(Debug, Default)]
pub(crate) struct WalkingDistances {
    /// The maps of the distances.
    origin: Option<SearchOrigin>,
    /// The distances on each level.
    levels: Vec<LevelDistances>,
    queue: BinaryHeap<(Reverse<u32>, Vertex)>,
}

/// For each vertex of a level, the distances of all vertices from it, once they are measured.
#[derive(Debug, Default)]
struct LevelDistances {
    from: Vec<Box<[PathVertex]>>,
}

/// A vertex of a level on its shortest path to a target.
#[derive(Debug, Clone, Copy)]
struct PathVertex {
    cost: u32,
    /// The next vertex on the path.
    next: Vertex,
    /// The last vertex of the path before the target.
    last: Vertex,
}

impl PathVertex {
    const UNREACHED: Self = Self {
        cost: u32::MAX,
        next: Vertex::from_index(0),
        last: Vertex::from_index(0),
    };
}

/// The maps that distances are measured on: the map, its hierarchy, and the level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WalkingMaps<'a> {
    graph: &'a Graph,
    hierarchy: &'a Hierarchy,
    /// 0 if no level is small enough.
    level: usize,
}

/// A vertex of the map, and the vertices that represent it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WalkingPlace {
    cell: Cell,
    /// On the level of the distances.
    group: Option<Vertex>,
    /// On the top level.
    top: Option<Vertex>,
}

impl WalkingPlace {
    /// Returns whether a path leads from one place to the other.
    pub(crate) fn is_connected(self, other: Self) -> bool {
        self.top.is_some() && self.top == other.top
    }

    /// The vertex on the top level that stands for all vertices that a path connects with this one.
    pub(crate) const fn component(self) -> Option<Vertex> {
        self.top
    }
}

impl<'a> WalkingMaps<'a> {
    /// The maps for `targets` targets. All distances from them together take at most `work` expansions
    /// if a level is small enough for that.
    pub(crate) fn new(
        graph: &'a Graph,
        hierarchy: &'a Hierarchy,
        targets: usize,
        work: usize,
    ) -> Self {
        let most = (work / targets.max(1)).min(FINEST);
        Self {
            graph,
            hierarchy,
            // Parts of a single vertex need no distances.
            level: hierarchy.lowest_level(most).unwrap_or(0),
        }
    }

    /// Cost: climbing to the top of the hierarchy.
    pub(crate) fn place(self, vertex: Vertex) -> WalkingPlace {
        let group = self.hierarchy.ancestor(vertex, self.level);
        let mut above = self.level..self.hierarchy.levels() - 1;
        WalkingPlace {
            cell: self.graph.cell(vertex),
            group,
            top: group.and_then(|group| {
                above.try_fold(group, |vertex, level| self.hierarchy.parent(level, vertex))
            }),
        }
    }
}

impl WalkingDistances {
    /// The estimated steps between two places; `None` if there is no path.
    ///
    /// Cost: constant. If nobody has asked for the target's vertex on the level since the map changed, also
    /// the distances of all vertices of the level from it.
    pub(crate) fn steps(
        &mut self,
        maps: WalkingMaps<'_>,
        from: WalkingPlace,
        target: WalkingPlace,
    ) -> Option<u32> {
        if !from.is_connected(target) {
            return None;
        }
        let moves = maps.graph.moves();
        let least = steps_without_walls(moves, from.cell, target.cell);
        let groups = from.group.zip(target.group);
        let Some((network, (a, b))) = maps.hierarchy.level(maps.level).zip(groups) else {
            return Some(least);
        };
        let nodes = self.distances(maps, network, b);
        let Some(&PathVertex { next, last, .. }) = nodes.get(a.index()).filter(|_| a != b) else {
            return Some(least);
        };
        // Cells of neighbouring vertices are near each other, whatever the distance of the centres.
        if next == b {
            return Some(least);
        }
        let between = nodes[next.index()].cost - nodes[last.index()].cost;
        let end = |cell: Cell, vertex| {
            let cell = [f32::from(cell.x), f32::from(cell.y)];
            edge_steps(moves, [cell, network.position(vertex)], STEP)
        };
        let cost = end(from.cell, next) + between + end(target.cell, last);
        Some(((cost as f32 / STEP) as u32).max(least))
    }

    /// The distances of the vertices of a level from one of them.
    fn distances(
        &mut self,
        maps: WalkingMaps<'_>,
        network: &AbstractLevel,
        source: Vertex,
    ) -> &[PathVertex] {
        let origin = SearchOrigin::of(maps.graph, Some(maps.hierarchy));
        if self.origin != Some(origin) {
            self.origin = Some(origin);
            self.levels.clear();
        }
        let Self { levels, queue, .. } = self;
        if levels.len() <= maps.level {
            levels.resize_with(maps.level + 1, LevelDistances::default);
        }
        let from = &mut levels[maps.level].from;
        from.resize_with(network.slots().max(from.len()), Box::default);
        let nodes = &mut from[source.index()];
        if nodes.is_empty() {
            *nodes = measure(maps.graph.moves(), network, source, queue);
        }
        nodes
    }
}

/// Measures the distances of all vertices of a level from one of them, by Dijkstra's algorithm.
fn measure(
    moves: Moves,
    network: &AbstractLevel,
    source: Vertex,
    queue: &mut BinaryHeap<(Reverse<u32>, Vertex)>,
) -> Box<[PathVertex]> {
    let mut nodes = vec![PathVertex::UNREACHED; network.slots()].into_boxed_slice();
    queue.clear();
    nodes[source.index()] = PathVertex {
        cost: 0,
        next: source,
        last: source,
    };
    queue.push((Reverse(0), source));
    while let Some((Reverse(cost), at)) = queue.pop() {
        let node = nodes[at.index()];
        if cost > node.cost {
            continue; // already at a lower cost
        }
        for &beside in network.neighbours(at) {
            let ends = [at, beside].map(|end| network.position(end));
            let cost = cost + edge_steps(moves, ends, STEP);
            if cost < nodes[beside.index()].cost {
                nodes[beside.index()] = PathVertex {
                    cost,
                    next: at,
                    last: if at == source { beside } else { node.last },
                };
                queue.push((Reverse(cost), beside));
            }
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Terrain, TileMap};
    use crate::search::{Dice, Distances};

    /// A map of rooms with doors in random places.
    fn rooms(dice: &mut Dice) -> TileMap {
        let mut map = TileMap::filled(64, 48, Terrain::Floor).expect("some cells");
        for cell in map.cells() {
            if cell.x % 9 == 8 || cell.y % 9 == 8 {
                map.set(cell, Terrain::Wall);
            }
        }
        for _ in 0..250 {
            let (x, y) = (dice.below(64) as u16, dice.below(48) as u16);
            map.set(Cell::new(x, y), Terrain::Floor);
        }
        map
    }

    #[test]
    fn estimates_are_near_the_distances_on_the_map() {
        let dice = &mut Dice::new(3);
        let mut walked = Distances::default();
        for (moves, work) in [
            (Moves::Octile, 4096),
            (Moves::Octile, 128),
            (Moves::Orthogonal, 4096),
        ] {
            let graph = Graph::new(&rooms(dice), moves);
            let hierarchy = Hierarchy::new(&graph);
            let maps = WalkingMaps::new(&graph, &hierarchy, 2, work);
            let vertices: Vec<Vertex> = graph.iter().collect();
            let mut estimates = WalkingDistances::default();
            let (mut all, mut wrong, mut wrong_without_walls) = (0, 0, 0);
            for _ in 0..200 {
                let target = dice.pick(&vertices).expect("a vertex");
                walked.measure(&graph, target);
                for _ in 0..20 {
                    let from = dice.pick(&vertices).expect("a vertex");
                    let exact = walked.steps(from);
                    let [start, end] = [from, target].map(|vertex| maps.place(vertex));
                    let estimate = estimates.steps(maps, start, end);
                    assert_eq!(exact.is_some(), estimate.is_some());
                    let Some((exact, estimate)) = exact.zip(estimate) else {
                        continue;
                    };
                    let ends = [from, target].map(|end| graph.cell(end));
                    let least = steps_without_walls(moves, ends[0], ends[1]);
                    assert!(estimate >= least);
                    all += exact;
                    wrong += exact.abs_diff(estimate);
                    wrong_without_walls += exact - least;
                }
            }
            let figures = format!("{wrong} of {all}, in a straight line {wrong_without_walls}");
            assert!(wrong * 5 < all, "{figures}");
            assert!(wrong * 3 < wrong_without_walls * 2, "{figures}");
        }
    }

    #[test]
    fn pockets_do_not_make_the_estimates_coarser() {
        // Rooms of one cell on one side, and on the other a wall with a gap at its end.
        let mut map = TileMap::filled(90, 90, Terrain::Floor).expect("some cells");
        for cell in map.cells() {
            let is_pocket_wall = cell.x < 50 && (cell.x % 2 == 0 || cell.y % 2 == 0);
            if is_pocket_wall || cell.x == 50 || cell.y == 45 && cell.x < 89 {
                map.set(cell, Terrain::Wall);
            }
        }
        let graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let maps = WalkingMaps::new(&graph, &hierarchy, 2, 1024);
        let [above, below] =
            [44, 46].map(|y| maps.place(graph.vertex(Cell::new(52, y)).expect("floor")));
        let steps = WalkingDistances::default().steps(maps, above, below);
        assert!(steps.is_some_and(|steps| steps > 50), "{steps:?}");
    }

    #[test]
    fn estimates_do_not_depend_on_what_was_asked_before() {
        let dice = &mut Dice::new(5);
        let mut map = rooms(dice);
        let mut graph = Graph::new(&map, Moves::Octile);
        let mut kept = WalkingDistances::default();
        for _ in 0..20 {
            let hierarchy = Hierarchy::new(&graph);
            let vertices: Vec<Vertex> = graph.iter().collect();
            for _ in 0..50 {
                let [from, target] = [(); 2].map(|()| dice.pick(&vertices).expect("a vertex"));
                let targets = 1 + dice.below(40);
                let maps = WalkingMaps::new(&graph, &hierarchy, targets, 2000);
                let [from, target] = [from, target].map(|vertex| maps.place(vertex));
                let fresh = WalkingDistances::default().steps(maps, from, target);
                assert_eq!(kept.steps(maps, from, target), fresh);
            }
            let (x, y) = (dice.below(64) as u16, dice.below(48) as u16);
            let cell = Cell::new(x, y);
            let is_floor = map.terrain(cell) == Some(Terrain::Floor);
            map.set(cell, [Terrain::Floor, Terrain::Wall][usize::from(is_floor)]);
            graph = Graph::new(&map, Moves::Octile);
        }
    }
}
