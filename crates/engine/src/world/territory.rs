//! Territories: the cells that leashes reach.

use super::duty::Leash;
use super::moves;
use crate::game::Speed;
use crate::graph::{Fingerprint, Graph, Vertex, VisitedSet};
use crate::map::{Cell, Walker};

/// The cells that the leashes of a world reach, as far as they were needed. They follow from the map, so that no snapshot
/// contains them.
#[derive(Debug, Default)]
pub(super) struct Territories {
    /// Sorted by leash and ground.
    list: Vec<Territory>,
    /// Memory of the search.
    seen: VisitedSet,
    reached: Vec<Vertex>,
}

/// The cells that a leash reaches on a ground.
#[derive(Debug)]
pub(super) struct Territory {
    leash: Leash,
    ground: Walker,
    /// The map that it was found on.
    map: Fingerprint,
    /// The last tick in which it was asked for.
    used: u64,
    /// Sorted.
    cells: Vec<Cell>,
}

/// A territory is kept for this number of ticks after it was last asked for.
const KEPT: u64 = 4096;

impl Territories {
    /// Finds the territory of a leash on a ground, unless it is known.
    ///
    /// Cost: a binary search; after an edit of the map, linear in the cells of the territory.
    pub(super) fn prepare(&mut self, graph: &Graph, leash: Leash, ground: Walker, tick: u64) {
        if let Ok(place) = self.place(leash, ground) {
            let known = &mut self.list[place];
            known.used = tick;
            if known.map != graph.fingerprint() {
                known.map = graph.fingerprint();
                reach(graph, leash, &mut self.seen, &mut self.reached);
                known.keep(graph, &self.reached);
            }
            return;
        }
        // A restored game may have gone back in time.
        self.list
            .retain(|known| known.used <= tick && tick - known.used <= KEPT);
        reach(graph, leash, &mut self.seen, &mut self.reached);
        let mut new = Territory {
            leash,
            ground,
            map: graph.fingerprint(),
            used: tick,
            cells: Vec::new(),
        };
        new.keep(graph, &self.reached);
        if let Err(place) = self.place(leash, ground) {
            self.list.insert(place, new);
        }
    }

    fn place(&self, leash: Leash, ground: Walker) -> Result<usize, usize> {
        let key = |known: &Territory| (known.leash, known.ground);
        self.list.binary_search_by_key(&(leash, ground), key)
    }

    /// The territory of a leash on a ground, if it was [prepared](Self::prepare).
    pub(super) fn get(&self, leash: Leash, ground: Walker) -> Option<&Territory> {
        let place = self.place(leash, ground).ok()?;
        self.list.get(place)
    }
}

/// Lists the vertices that a leash reaches, breadth-first.
fn reach(graph: &Graph, leash: Leash, seen: &mut VisitedSet, reached: &mut Vec<Vertex>) {
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

impl Territory {
    fn keep(&mut self, graph: &Graph, reached: &[Vertex]) {
        self.cells.clear();
        self.cells.extend(reached.iter().map(|&at| graph.cell(at)));
        self.cells.sort_unstable();
    }

    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }

    /// Ends a path before it leaves the territory. Returns whether it did.
    pub(super) fn cut(&self, graph: &Graph, way: &mut Vec<Vertex>) -> bool {
        let leaves = |&at: &Vertex| !self.contains(graph.cell(at));
        let end = way.iter().position(leaves);
        way.truncate(end.unwrap_or(way.len()));
        end.is_some()
    }

    /// Writes the first steps of a shortest path within the territory. Nothing if there is none.
    ///
    /// Cost: linear in the cells of the territory, and a binary search for each step between them.
    pub(super) fn walk(
        &self,
        graph: &Graph,
        from: Cell,
        to: Cell,
        speed: Speed,
        way: &mut Vec<Vertex>,
    ) {
        way.clear();
        let place = |cell: Cell| self.cells.binary_search(&cell).ok();
        let (Some(start), Some(end)) = (place(from), place(to)) else {
            return;
        };
        let mut before = vec![usize::MAX; self.cells.len()];
        let mut queue = vec![start];
        before[start] = start;
        let mut done = 0;
        while before[end] == usize::MAX
            && let Some(&at) = queue.get(done)
        {
            done += 1;
            let Some(vertex) = graph.vertex(self.cells[at]) else {
                continue;
            };
            for &next in graph.neighbours(vertex) {
                if let Some(next) = place(graph.cell(next))
                    && before[next] == usize::MAX
                {
                    before[next] = at;
                    queue.push(next);
                }
            }
        }
        if before[end] == usize::MAX {
            return;
        }
        let mut at = end;
        while at != start {
            way.extend(graph.vertex(self.cells[at]));
            at = before[at];
        }
        way.reverse();
        way.truncate(speed.steps().into());
    }
}
