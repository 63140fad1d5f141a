//! Distances from one vertex of an abstract level, measured as far as is asked for.

use crate::abstraction::AbstractLevel;
use crate::game::Work;
use crate::graph::{Network as _, Vertex};
use crate::map::{HexLayout, Moves};
use std::cmp::Reverse;
use std::ops::Range;

/// The units of length in a cell.
const UNITS: f32 = 8.0;

/// The parts in a unit of cost.
const PARTS: u32 = 64;

/// The cost of a step, on average over all directions.
const STEP: f32 = 8.3;

/// The number of costs for which the queue has room. Vertices behind a longer edge wait in the last list.
const ROOM: u32 = 1024;

/// With at most this many vertices to measure, the search is directed towards one after the other (A*).
const GOALS: usize = 8;

/// The distances of the vertices of a level from a source, nearest first.
///
/// A search that is not directed is kept. If the next one has the same source, which is frequent as long as a robber moves
/// about within a vertex of the level, that search continues where the last one ended. It reports the expansions of a new
/// search, so that the course of a game does not depend on what is kept: a restored game has kept nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct CoarseDistances {
    source: Vertex,
    /// Whether the nodes are of a search from the source that is not directed.
    is_kept: bool,
    /// Whether the search is running or over since the last call of [`CoarseDistances::begin`].
    is_running: bool,
    /// The progress of the search, and the part of it that a new search would have had to make again.
    progress: SearchCounts,
    repeated: SearchCounts,
    /// The expansions of that part that have been reported.
    reported: u32,
    nodes: Vec<LevelVertex>,
    /// The number of calls of [`CoarseDistances::begin`].
    begins: u32,
    /// The value of `begins` when the search started. Nodes with this stamp are of the search.
    current: u32,
    /// Vertices by cost, in a ring of lists. In a directed search, by the least cost of a path on to the goal.
    ring: Vec<Vec<Vertex>>,
    /// A bit for each list of the ring that may have vertices, so that the search skips empty lists 64 at a time.
    filled: [u64; (ROOM / u64::BITS) as usize],
    /// A lower bound on the costs in the ring.
    least: u32,
    /// The number of vertices in the ring.
    waiting: usize,
    /// The number of wanted vertices that are not yet measured.
    wanted: usize,
    /// The wanted vertices; in a directed search those that may be left to measure, the next one last. Empty if there are
    /// more than [`GOALS`].
    goals: Vec<Vertex>,
    reached: Vec<Vertex>,
    /// The number of vertices that the search had reached when it had measured all wanted ones.
    seen: usize,
    /// The neighbours of vertices with the costs of the edges, vertex by vertex. They are read when the search first expands the
    /// vertex, since a directed search expands few, and kept for later plans.
    edges: Vec<(Vertex, u32)>,
    /// For each vertex of the level, its part of the edges.
    rows: Vec<EdgeRange>,
    /// For each vertex that a search has reached, its position.
    places: Vec<Place>,
    /// Rows with this number are of the level as it is now.
    reading: u32,
    moves: Moves,
    work: Work,
}

/// A vertex of the level.
#[derive(Debug, Clone, Copy, Default)]
struct LevelVertex {
    stamp: u32,
    state: NodeState,
    /// The number of the last call of [`CoarseDistances::begin`] after which it was wanted.
    wanted: u32,
    /// The progress of the search after it had expanded this one.
    progress: SearchCounts,
    /// The cost of the shortest known path from the source.
    cost: u32,
    /// The next vertex on that path.
    next: Vertex,
}

/// The progress of a search: vertices reached, expansions, and neighbours generated.
#[derive(Debug, Clone, Copy, Default)]
struct SearchCounts {
    reached: u32,
    expansions: u32,
    touched: u32,
}

/// A range of the edges.
#[derive(Debug, Clone, Copy, Default)]
struct EdgeRange {
    reading: u32,
    start: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NodeState {
    #[default]
    New,
    Reached,
    /// Its distance is known.
    Measured,
}

impl CoarseDistances {
    /// Stops the search. [`CoarseDistances::begin`] may continue it.
    pub(super) fn forget(&mut self) {
        self.wanted = 0;
        self.work = Work::NONE;
    }

    pub(super) const fn work(&self) -> Work {
        self.work
    }

    /// Forgets the edges, and makes room for a level with this number of vertices.
    pub(super) fn clear(&mut self, slots: usize, moves: Moves) {
        if self.reading == u32::MAX {
            self.rows.fill(EdgeRange::default());
            self.reading = 0;
        }
        self.reading += 1;
        self.is_kept = false;
        self.moves = moves;
        self.edges.clear();
        // They never shrink: the next level may be a larger one.
        if self.nodes.len() < slots {
            self.nodes.resize(slots, LevelVertex::default());
            self.rows.resize(slots, EdgeRange::default());
            self.places.resize(slots, Place::default());
        }
    }

    /// Begins to measure distances from a source.
    pub(super) fn begin(&mut self, network: &AbstractLevel, source: Vertex) {
        if self.begins == u32::MAX {
            self.nodes.fill(LevelVertex::default());
            (self.begins, self.is_kept) = (0, false);
        }
        self.begins += 1;
        self.is_kept &= source == self.source;
        self.is_running = false;
        (self.repeated, self.reported) = (SearchCounts::default(), 0);
        self.goals.clear();
        (self.wanted, self.seen) = (0, 0);
        self.source = source;
        self.places[source.index()] = place(network, source);
    }

    /// Asks for the distance of a vertex. Has to be called before [`CoarseDistances::spread`].
    pub(super) fn request(&mut self, network: &AbstractLevel, vertex: Vertex) {
        self.places[vertex.index()] = place(network, vertex);
        let node = &mut self.nodes[vertex.index()];
        if node.wanted != self.begins {
            node.wanted = self.begins;
            self.wanted += 1;
            self.goals.push(vertex);
        }
    }

    /// Continues for at most `budget` expansions; `true` once the distances of all wanted vertices are known.
    ///
    /// The distances and ways of the wanted vertices do not depend on the order in which they were asked for, nor on what the
    /// search has measured before.
    pub(super) fn spread(&mut self, network: &AbstractLevel, mut budget: u64) -> bool {
        if self.wanted > 0 && !self.is_running {
            self.begin_to_spread();
        }
        budget = self.report(budget);
        if self.reported < self.repeated.expansions {
            return false;
        }
        let begins = self.begins;
        while self.wanted > 0 {
            if budget == 0 && self.waiting > 0 {
                return false;
            }
            let Some(vertex) = self.pop() else { break };
            let rest = self.rest(vertex);
            let at = self.least;
            let node = self.node(vertex);
            if node.state == NodeState::Measured {
                continue; // already at a lower cost
            }
            let so_far = node.cost;
            if so_far + rest > at {
                self.enqueue(vertex, so_far); // it has waited in the last list
                continue;
            }
            node.state = NodeState::Measured;
            let is_wanted = node.wanted == begins;
            self.wanted -= usize::from(is_wanted);
            let edges = self.row(network, vertex);
            budget -= 1;
            self.work.expansions += 1;
            self.work.touched += edges.len() as u64;
            self.progress.expansions += 1;
            self.progress.touched += edges.len() as u32;
            for edge in edges {
                let (next, cost) = self.edges[edge];
                let found = so_far + cost;
                let node = self.node(next);
                // A measured vertex costs no more than this.
                if node.state == NodeState::New || found < node.cost {
                    self.push(next, found, vertex);
                }
            }
            self.progress.reached = self.reached.len() as u32;
            self.nodes[vertex.index()].progress = self.progress;
            if is_wanted {
                self.seen = self.reached.len();
            }
            if self.wanted > 0 && self.goals.last() == Some(&vertex) {
                self.turn_to_next_goal();
            }
        }
        if self.wanted > 0 {
            self.seen = self.reached.len(); // no path leads to the others
        }
        true
    }

    /// The estimated distance of a vertex from the source, in steps; `None` if it has not been measured.
    pub(super) fn steps(&self, vertex: Vertex) -> Option<u32> {
        let cost = self.cost(vertex).filter(|_| self.is_measured(vertex))?;
        Some((cost as f32 / STEP) as u32)
    }

    /// The cost of a known path from a vertex to the source: a shortest path if the vertex has been measured.
    pub(super) fn cost(&self, vertex: Vertex) -> Option<u32> {
        let node = self.nodes.get(vertex.index())?;
        let is_known =
            self.is_running && node.stamp == self.current && node.state != NodeState::New;
        is_known.then_some(node.cost)
    }

    fn is_measured(&self, vertex: Vertex) -> bool {
        let node = self.nodes.get(vertex.index());
        node.is_some_and(|node| node.stamp == self.current && node.state == NodeState::Measured)
    }

    /// The next vertex on the way of a measured vertex to the source, which is its own next one.
    pub(super) fn next(&self, vertex: Vertex) -> Vertex {
        self.nodes[vertex.index()].next
    }

    /// All vertices that the distances of the wanted vertices depend on, and more.
    pub(super) fn seen(&self) -> &[Vertex] {
        &self.reached[..self.seen]
    }

    /// The node of a vertex.
    fn node(&mut self, vertex: Vertex) -> &mut LevelVertex {
        let stamp = self.current;
        let node = &mut self.nodes[vertex.index()];
        if node.stamp != stamp {
            *node = LevelVertex {
                stamp,
                wanted: node.wanted,
                ..LevelVertex::default()
            };
        }
        node
    }

    /// The range of the edges of a vertex whose place is known.
    fn row(&mut self, network: &AbstractLevel, vertex: Vertex) -> Range<usize> {
        let row = self.rows[vertex.index()];
        if row.reading == self.reading {
            return row.start as usize..row.end as usize;
        }
        let start = self.edges.len();
        for &next in network.neighbours(vertex) {
            self.places[next.index()] = place(network, next);
            // At least one, so that each vertex is farther from the source than the next one on its way.
            let cost = self.parts(vertex, next).div_ceil(PARTS).max(1);
            self.edges.push((next, cost));
        }
        self.rows[vertex.index()] = EdgeRange {
            reading: self.reading,
            start: start as u32,
            end: self.edges.len() as u32,
        };
        start..self.edges.len()
    }

    /// Continues the last search if that is possible. Otherwise chooses the first goal, and queues the source.
    fn begin_to_spread(&mut self) {
        self.is_running = true;
        let is_directed = self.goals.len() <= GOALS;
        if self.is_kept && !is_directed {
            self.begin_to_continue();
            return;
        }
        self.is_kept = !is_directed;
        self.progress = SearchCounts::default();
        self.current = self.begins;
        self.ring.resize_with(ROOM as usize, Vec::new);
        self.empty_ring();
        self.reached.clear();
        if !is_directed {
            self.goals.clear();
        }
        let mut goals = std::mem::take(&mut self.goals);
        goals.sort_unstable_by_key(|&goal| (Reverse(self.least_cost(self.source, goal)), goal));
        self.goals = goals;
        self.least = self.rest(self.source);
        self.push(self.source, 0, self.source);
    }

    /// Finds out which wanted vertices the last search has not measured.
    fn begin_to_continue(&mut self) {
        let mut last = SearchCounts::default();
        while let Some(goal) = self.goals.pop() {
            if self.is_measured(goal) {
                self.wanted -= 1;
                let progress = self.nodes[goal.index()].progress;
                if progress.expansions > last.expansions {
                    last = progress;
                }
            }
        }
        // A new search would measure all of it on the way to the others.
        self.repeated = if self.wanted > 0 { self.progress } else { last };
        self.seen = last.reached as usize;
        self.work.touched += u64::from(self.repeated.touched);
    }

    /// Reports expansions of a part that need not be made again, at most `budget`. Returns the rest of the budget.
    fn report(&mut self, budget: u64) -> u64 {
        let left = self.repeated.expansions - self.reported;
        let now = u64::from(left).min(budget);
        self.reported += now as u32;
        self.work.expansions += now;
        budget - now
    }

    /// Directs the search towards the next goal that is not yet measured. The costs of measured vertices are exact, so only
    /// the order of the others changes.
    fn turn_to_next_goal(&mut self) {
        while let Some(&goal) = self.goals.last()
            && self.is_measured(goal)
        {
            self.goals.pop();
        }
        self.empty_ring();
        self.work.touched += self.reached.len() as u64;
        let reached = std::mem::take(&mut self.reached);
        let is_open = |vertex: &&Vertex| self.nodes[vertex.index()].state == NodeState::Reached;
        let costs = reached.iter().filter(is_open);
        let costs = costs.map(|&vertex| self.nodes[vertex.index()].cost + self.rest(vertex));
        self.least = costs.min().unwrap_or(0);
        for &vertex in &reached {
            let LevelVertex { state, cost, .. } = self.nodes[vertex.index()];
            if state == NodeState::Reached {
                self.enqueue(vertex, cost);
            }
        }
        self.reached = reached;
    }

    fn push(&mut self, vertex: Vertex, cost: u32, next: Vertex) {
        let node = self.node(vertex);
        let is_new = node.state == NodeState::New;
        (node.state, node.cost, node.next) = (NodeState::Reached, cost, next);
        if is_new {
            self.reached.push(vertex);
        }
        self.enqueue(vertex, cost);
    }

    fn enqueue(&mut self, vertex: Vertex, cost: u32) {
        let least = cost + self.rest(vertex);
        let place = least.min(self.least + ROOM - 1) % ROOM;
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

    /// A lower bound on the cost from a vertex to the goal; 0 if the search is not directed.
    fn rest(&self, vertex: Vertex) -> u32 {
        let goal = self.goals.last();
        goal.map_or(0, |&goal| self.least_cost(vertex, goal))
    }

    /// A lower bound on the cost of a path between two vertices.
    fn least_cost(&self, a: Vertex, b: Vertex) -> u32 {
        self.parts(a, b) / PARTS
    }

    /// The cost of a straight way between two vertices, in parts of a unit: three quarters of its steps, and a quarter of its
    /// length.
    ///
    /// Steps alone would make many bent paths as cheap as a straight one, and bent paths lead to detours on the map. Instead of
    /// the Euclidean length, an octagon around it counts: in whole numbers, it keeps the triangle inequality exactly.
    fn parts(&self, a: Vertex, b: Vertex) -> u32 {
        let [a, b] = [a, b].map(|end| self.places[end.index()]);
        let [dx, dy] = [0, 1].map(|axis| a[axis].abs_diff(b[axis]));
        let length = (16 * dx.max(dy)).max(11 * (dx + dy));
        24 * twice_steps(self.moves, a, b) + length
    }
}

fn place(network: &AbstractLevel, vertex: Vertex) -> Place {
    network.position(vertex).map(|x| (x * UNITS) as i32)
}

/// Twice the steps of a straight way, in units. On hexagons, each step into the next row also leads half a column further.
fn twice_steps(moves: Moves, a: Place, b: Place) -> u32 {
    let [x, y] = [0, 1].map(|axis| a[axis].abs_diff(b[axis]));
    match moves {
        Moves::Octile => 2 * x.max(y),
        Moves::Orthogonal => 2 * (x + y),
        Moves::Hexagonal(HexLayout::RowEven | HexLayout::RowOdd) => (2 * y).max(2 * x + y),
        Moves::Hexagonal(HexLayout::ColumnEven | HexLayout::ColumnOdd) => (2 * x).max(2 * y + x),
        Moves::Hexagonal(HexLayout::Row | HexLayout::Column) => {
            let third = (a[0] - a[1]).abs_diff(b[0] - b[1]);
            2 * x.max(y).max(third)
        }
    }
}

/// A position, in units.
type Place = [i32; 2];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::Hierarchy;
    use crate::graph::Graph;
    use crate::map::{Terrain, TileMap};
    use crate::search::Dice;
    use pathfinding::directed::dijkstra::dijkstra_reach;

    fn measure(
        distances: &mut CoarseDistances,
        network: &AbstractLevel,
        source: Vertex,
        wanted: &[Vertex],
        slice: u64,
    ) {
        distances.begin(network, source);
        for &vertex in wanted {
            distances.request(network, vertex);
        }
        while !distances.spread(network, slice) {}
    }

    /// The search is directed at a few vertices and not directed at many. In both cases, and in slices of any size, the
    /// costs are those of a shortest path, and each vertex costs more than the next one on its way.
    #[test]
    fn costs_are_those_of_shortest_paths_however_many_are_wanted() {
        for seed in 0..40 {
            let dice = &mut Dice::new(seed);
            let mut map = TileMap::filled(60, 60, Terrain::Floor).expect("some cells");
            for cell in map.cells() {
                if dice.below(100) < 25 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let moves = [Moves::Octile, Moves::Orthogonal][seed as usize % 2];
            let hierarchy = Hierarchy::new(&Graph::new(&map, moves));
            let network = hierarchy.level(1 + dice.below(2)).expect("a level");
            let mut distances = CoarseDistances::default();
            distances.clear(network.slots(), moves);
            let all: Vec<Vertex> = network.iter().collect();
            let source = dice.pick(&all).expect("a vertex");
            measure(&mut distances, network, source, &all, u64::MAX);
            let edges = |&at: &Vertex| {
                let cost =
                    |&next: &Vertex| (next, distances.parts(at, next).div_ceil(PARTS).max(1));
                network.neighbours(at).iter().map(cost).collect::<Vec<_>>()
            };
            let exact = dijkstra_reach(&source, edges);
            let exact: Vec<(Vertex, u32)> =
                exact.map(|item| (item.node, item.total_cost)).collect();
            let part: Vec<Vertex> = exact.iter().map(|&(vertex, _)| vertex).collect();
            let cost_of = |all: &CoarseDistances, vertex| {
                all.cost(vertex).filter(|_| all.is_measured(vertex))
            };
            for &(vertex, cost) in &exact {
                assert_eq!(cost_of(&distances, vertex), Some(cost));
            }
            let mut few = CoarseDistances::default();
            few.clear(network.slots(), moves);
            for _ in 0..6 {
                let count = 1 + dice.below(GOALS);
                let wanted: Vec<Vertex> = (0..count).filter_map(|_| dice.pick(&part)).collect();
                measure(&mut few, network, source, &wanted, 1 + dice.below(9) as u64);
                let measured: Vec<_> = part.iter().map(|&vertex| cost_of(&few, vertex)).collect();
                for &vertex in &wanted {
                    assert!(few.is_measured(vertex));
                }
                for (found, &(vertex, cost)) in measured.iter().zip(&exact) {
                    assert!(found.is_none_or(|found| found == cost), "seed {seed}");
                    let next = few.next(vertex);
                    assert!(found.is_none() || next == vertex || few.cost(next) < *found);
                }
                let turned: Vec<Vertex> = wanted.into_iter().rev().collect();
                measure(&mut few, network, source, &turned, u64::MAX);
                let again: Vec<_> = part.iter().map(|&vertex| cost_of(&few, vertex)).collect();
                assert_eq!(measured, again, "another order of the wanted vertices");
            }
        }
    }

    /// A search that continues the last one finds what a new one finds, however the new one is sliced and however far the last
    /// one came.
    #[test]
    fn a_search_that_continues_the_last_one_finds_the_same() {
        for seed in 0..20 {
            let dice = &mut Dice::new(seed);
            let mut map = TileMap::filled(60, 60, Terrain::Floor).expect("some cells");
            for cell in map.cells() {
                if dice.below(100) < 25 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let hierarchy = Hierarchy::new(&Graph::new(&map, Moves::Octile));
            let network = hierarchy.level(1 + dice.below(2)).expect("a level");
            let all: Vec<Vertex> = network.iter().collect();
            let sources = [0; 2].map(|_| dice.pick(&all).expect("a vertex"));
            let mut kept = CoarseDistances::default();
            kept.clear(network.slots(), Moves::Octile);
            let mut saved = 0;
            for turn in 0..30 {
                let source = sources[usize::from(turn % 8 == 7)];
                let wanted: Vec<Vertex> = (0..GOALS + 1 + dice.below(20))
                    .filter_map(|_| dice.pick(&all))
                    .collect();
                if turn % 5 == 4 {
                    // A search that is cut short.
                    kept.begin(network, source);
                    for &vertex in &wanted {
                        kept.request(network, vertex);
                    }
                    kept.spread(network, 3);
                    kept.forget();
                }
                measure(&mut kept, network, source, &wanted, u64::MAX);
                let mut new = CoarseDistances::default();
                new.clear(network.slots(), Moves::Octile);
                measure(&mut new, network, source, &wanted, 5);
                assert_eq!(kept.seen(), new.seen(), "seed {seed}, turn {turn}");
                assert_eq!(kept.work(), new.work(), "seed {seed}, turn {turn}");
                for &vertex in new.seen().iter().filter(|&&at| new.is_measured(at)) {
                    assert_eq!(kept.cost(vertex), new.cost(vertex));
                    assert_eq!(kept.next(vertex), new.next(vertex));
                }
                saved += kept.repeated.expansions;
                kept.forget();
            }
            assert!(saved > 0, "seed {seed}: no search was continued");
        }
    }
}
