//! Territories: the cells that leashes reach.

use super::duty::Leash;
use super::moves;
use crate::game::{Speed, Step};
use crate::graph::{Fingerprint, Graph, Vertex, VisitedSet};
use crate::map::{Cell, Walker};
use crate::search::{AStar, ChangedBlocks, Footprint, least_steps};
use std::borrow::Cow;

/// The cells that the leashes of a world reach, as far as they were needed. They follow from the map, so that no snapshot
/// contains them.
#[derive(Debug, Default)]
pub(super) struct Territories {
    /// Sorted by leash and ground.
    list: Vec<Territory>,
    search: Search,
}

/// The cells that a leash reaches on a ground.
#[derive(Debug, Clone)]
pub(super) struct Territory {
    leash: Leash,
    ground: Walker,
    /// The map that it was found on.
    map: Fingerprint,
    /// The last tick in which it was asked for.
    used: u64,
    /// Where it is on the map: no edit elsewhere changes it.
    footprint: Footprint,
    /// The left and upper end of the rectangle around the cells.
    corner: Cell,
    /// The columns of that rectangle.
    columns: u16,
    /// A bit for each cell of the rectangle, row by row.
    bits: Vec<u64>,
}

/// A breadth-first search for the cells that a leash reaches. Holds only reused memory.
#[derive(Debug, Default)]
struct Search {
    seen: VisitedSet,
    reached: Vec<Vertex>,
}

/// A territory is kept for this number of ticks after it was last asked for.
const KEPT: u64 = 4096;

impl Territories {
    /// Finds the territory of a leash on a ground, unless it is known.
    ///
    /// Cost: a binary search; at first, and after an edit in the territory or beside it, linear in its cells.
    pub(super) fn prepare(&mut self, graph: &Graph, leash: Leash, ground: Walker, tick: u64) {
        let place = self.place(leash, ground).unwrap_or_else(|_| {
            // A restored game may have gone back in time.
            self.list
                .retain(|known| known.used <= tick && tick - known.used <= KEPT);
            let place = self.place(leash, ground).unwrap_or_else(|place| place);
            self.search.run(graph, leash);
            let new = Territory::of(leash, ground, graph, &self.search.reached);
            self.list.insert(place, new);
            place
        });
        let known = &mut self.list[place];
        known.used = tick;
        if known.map != graph.fingerprint() {
            self.search.run(graph, leash);
            known.keep(graph, &self.search.reached);
        }
    }

    fn place(&self, leash: Leash, ground: Walker) -> Result<usize, usize> {
        let key = |known: &Territory| (known.leash, known.ground);
        self.list.binary_search_by_key(&(leash, ground), key)
    }

    /// The territory of a leash on a ground, if it was [prepared](Self::prepare) for the map as it is.
    fn get(&self, graph: &Graph, leash: Leash, ground: Walker) -> Option<&Territory> {
        let known = self.list.get(self.place(leash, ground).ok()?)?;
        (known.map == graph.fingerprint()).then_some(known)
    }

    /// The territory of a leash on a ground. Cost: that of a search, unless it was [prepared](Self::prepare).
    pub(super) fn find(&self, graph: &Graph, leash: Leash, ground: Walker) -> Cow<'_, Territory> {
        if let Some(known) = self.get(graph, leash, ground) {
            return Cow::Borrowed(known);
        }
        let mut search = Search::default();
        search.run(graph, leash);
        Cow::Owned(Territory::of(leash, ground, graph, &search.reached))
    }

    /// Keeps only the territories of the map as it is before edits. `graph`: that of a ground.
    pub(super) fn forget_former<'a>(&mut self, graph: impl Fn(Walker) -> &'a Graph) {
        self.list
            .retain(|known| known.map == graph(known.ground).fingerprint());
    }

    /// Follows edits: territories elsewhere are those of the new map, too. `graph`: that of a ground.
    ///
    /// Cost: for each territory that of [`ChangedBlocks::touch`].
    pub(super) fn follow<'a>(
        &mut self,
        changed: &ChangedBlocks,
        graph: impl Fn(Walker) -> &'a Graph,
    ) {
        for known in &mut self.list {
            if !changed.touch(&known.footprint) {
                known.map = graph(known.ground).fingerprint();
            }
        }
    }

    /// Forgets all territories: other grounds may be the same for an agent from now on.
    pub(super) fn forget(&mut self) {
        self.list.clear();
    }
}

impl Leash {
    /// Returns whether it may reach a cell, as far as that can be said without a search.
    pub(super) fn may_reach(self, graph: &Graph, cell: Cell, margin: u32) -> bool {
        let cells = u32::from(self.steps) + margin;
        graph.has_links() || self.cell.max_norm(cell) <= cells
    }
}

impl Search {
    /// Lists the vertices that a leash reaches, breadth first.
    fn run(&mut self, graph: &Graph, leash: Leash) {
        let Self { seen, reached } = self;
        seen.clear(graph.slots());
        reached.clear();
        let mut left = leash.steps;
        match graph.vertex(leash.cell) {
            Some(at) => reached.push(at),
            None if left > 0 => {
                reached.extend(moves::exits(graph, leash.cell));
                left -= 1;
            }
            None => {}
        }
        reached.retain(|&at| seen.insert(at));
        let mut rim = 0;
        for _ in 0..left {
            let end = reached.len();
            for index in rim..end {
                for &next in graph.neighbours(reached[index]) {
                    if seen.insert(next) {
                        reached.push(next);
                    }
                }
            }
            rim = end;
        }
    }
}

impl Territory {
    fn of(leash: Leash, ground: Walker, graph: &Graph, reached: &[Vertex]) -> Self {
        let mut new = Self {
            leash,
            ground,
            map: graph.fingerprint(),
            used: 0,
            footprint: Footprint::default(),
            corner: leash.cell,
            columns: 0,
            bits: Vec::new(),
        };
        new.keep(graph, reached);
        new
    }

    fn keep(&mut self, graph: &Graph, reached: &[Vertex]) {
        self.map = graph.fingerprint();
        self.footprint.clear(graph.width(), graph.height());
        self.footprint.insert(self.leash.cell);
        let cells = reached.iter().map(|&at| graph.cell(at));
        let first = cells.clone().next().unwrap_or(self.leash.cell);
        let (mut corner, mut end) = (first, first);
        for cell in cells.clone() {
            corner = Cell::new(corner.x.min(cell.x), corner.y.min(cell.y));
            end = Cell::new(end.x.max(cell.x), end.y.max(cell.y));
        }
        self.footprint.insert_rectangle(corner, end);
        self.corner = corner;
        self.columns = end.x - corner.x + 1;
        let size = usize::from(self.columns) * (usize::from(end.y - corner.y) + 1);
        self.bits.clear();
        self.bits.resize(size.div_ceil(64), 0);
        for cell in cells {
            if let Some(index) = self.index(cell) {
                self.bits[index / 64] |= 1 << (index % 64);
            }
        }
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let x = cell.x.checked_sub(self.corner.x)?;
        let y = cell.y.checked_sub(self.corner.y)?;
        let index = usize::from(y) * usize::from(self.columns) + usize::from(x);
        (x < self.columns && index < self.bits.len() * 64).then_some(index)
    }

    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.index(cell)
            .is_some_and(|index| self.bits[index / 64] >> (index % 64) & 1 == 1)
    }

    /// Ends a path before it leaves the territory. Returns whether it did.
    pub(super) fn cut(&self, graph: &Graph, way: &mut Vec<Vertex>) -> bool {
        let leaves = |&at: &Vertex| !self.contains(graph.cell(at));
        let end = way.iter().position(leaves);
        way.truncate(end.unwrap_or(way.len()));
        end.is_some()
    }

    /// Writes the first steps of a shortest path within the territory. Nothing if there is none, or no step is needed.
    ///
    /// Cost: A*, at most the cells of the territory.
    pub(super) fn walk(
        &self,
        graph: &Graph,
        ends: [Cell; 2],
        speed: Speed,
        search: &mut AStar,
        way: &mut Vec<Vertex>,
    ) {
        way.clear();
        let [from, to] = ends.map(|cell| graph.vertex(cell).filter(|_| self.contains(cell)));
        let Some((from, to)) = from.zip(to) else {
            return;
        };
        let [_, goal] = ends;
        let estimate = |at: Vertex| least_steps(graph, graph.cell(at), goal);
        search.begin(graph, from, estimate(from));
        let is_inside = |at: Vertex| self.contains(graph.cell(at));
        let found = search.run(graph, to, u64::MAX, is_inside, |_, _| 1, estimate);
        if found == Step::Done(true) {
            way.extend_from_slice(search.path());
            way.truncate(speed.steps().into());
        }
    }
}
