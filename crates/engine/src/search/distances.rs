//! Breadth-first distances to one vertex of a map, measured in slices.

use super::frontier::Frontier;
use super::octile::step_toward;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves};

/// Breadth-first distances to one vertex. Reuses its memory.
///
/// On a map with one-way edges, these are the lengths of paths that lead *to* the vertex.
#[derive(Debug, Clone, Default)]
pub struct Distances {
    front: Frontier,
    /// For each vertex that this search has reached, `base` plus one more than the distance. The marks of earlier
    /// searches are not above `base`, so nothing has to be cleared.
    marks: Vec<u32>,
    base: u32,
    /// The greatest mark.
    top: u32,
    touched: u64,
}

impl Distances {
    /// Measures the distances of all vertices from which a path leads to `source`. Cost: linear in their number.
    ///
    /// # Panics
    /// If `source` is of another, larger graph.
    pub fn measure(&mut self, graph: &Graph, source: Vertex) {
        self.begin(graph, source);
        self.advance(graph, u64::MAX);
    }

    /// Starts to measure in slices.
    ///
    /// # Panics
    /// As [`measure`](Self::measure).
    pub(crate) fn begin(&mut self, graph: &Graph, source: Vertex) {
        self.begin_at_all(graph, [source]);
    }

    /// The same for the distances to the nearest of some vertices. The first one is where paths are straightened to.
    ///
    /// # Panics
    /// As [`measure`](Self::measure).
    pub(super) fn begin_at_all(
        &mut self,
        graph: &Graph,
        sources: impl IntoIterator<Item = Vertex>,
    ) {
        let slots = graph.slots();
        self.front.start(slots);
        // It never shrinks: the next graph may be a larger one.
        if self.marks.len() < slots {
            self.marks.resize(slots, 0);
        }
        if u32::MAX - self.top <= slots as u32 {
            self.marks.fill(0);
            self.top = 0;
        }
        self.base = self.top;
        self.top += 1;
        for source in sources {
            if self.marks[source.index()] != self.top {
                self.marks[source.index()] = self.top;
                self.front.push(source);
            }
        }
        self.touched = 0;
    }

    /// Continues for at most `budget` expansions, nearest vertices first. Returns the remaining budget: 0 where
    /// vertices may be missing.
    pub(crate) fn advance(&mut self, graph: &Graph, budget: u64) -> u64 {
        self.advance_within(graph, budget, |_| true)
    }

    /// The same over vertices that are `allowed`.
    #[inline]
    pub(super) fn advance_within(
        &mut self,
        graph: &Graph,
        mut budget: u64,
        mut allowed: impl FnMut(Vertex) -> bool,
    ) -> u64 {
        let (front, base) = (&mut self.front, self.base);
        let is_two_way = graph.is_two_way();
        let marks = self.marks.as_mut_slice();
        while budget > 0
            && let Some(vertex) = front.pop_any()
        {
            budget -= 1;
            let far = marks[vertex.index()] + 1;
            let neighbours = graph.joined(vertex);
            self.touched += neighbours.len() as u64;
            front.extend(neighbours, |next, _| {
                let mark = &mut marks[next.index()];
                let leads_back = is_two_way || graph.are_adjacent(next, vertex);
                let is_new = *mark <= base && leads_back && allowed(next);
                if is_new {
                    *mark = far;
                }
                is_new
            });
            self.top = far;
        }
        budget
    }

    /// All vertices up to this distance from the source have been found.
    pub(crate) const fn complete_to(&self) -> u32 {
        // The vertices of the last expanded vertex's distance were found before it.
        (self.top - self.base).saturating_sub(2)
    }

    /// The number of steps to the source; `None` if there is no path.
    ///
    /// # Panics
    /// If the vertex is not of the graph measured last.
    #[must_use]
    pub fn steps(&self, vertex: Vertex) -> Option<u32> {
        let mark = self.marks[vertex.index()];
        (mark > self.base).then(|| mark - self.base - 1)
    }

    /// The vertices from which a path leads to the source, nearest first, beginning with the source.
    #[must_use]
    pub fn reachable(&self) -> &[Vertex] {
        self.front.vertices()
    }

    /// Neighbours generated since the last measurement began, or since this was called.
    pub(super) const fn take_touched(&mut self) -> u64 {
        std::mem::replace(&mut self.touched, 0)
    }

    /// Neighbours generated in the last call.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.touched
    }

    /// A shortest path from the source to `to`, without the source; empty if there is none, and on a map with one-way
    /// edges.
    ///
    /// # Panics
    /// If `graph` is not the graph measured last, or has changed since.
    #[must_use]
    pub fn path_to(&self, graph: &Graph, to: Vertex) -> Vec<Vertex> {
        if !graph.is_two_way() {
            return Vec::new();
        }
        let mut path = self.path_from(graph, to);
        // Reversed, it leads from the source to `to`.
        path.pop();
        path.reverse();
        if self.steps(to).is_some_and(|steps| steps > 0) {
            path.push(to);
        }
        path
    }

    /// A shortest path from `from` to the source, without `from`; empty if there is none.
    ///
    /// Of several shortest paths, each step takes the one that comes nearest to the source in a straight
    /// line. So diagonal steps come first, which leaves a robber on open ground less room.
    ///
    /// # Panics
    /// If `graph` is not the graph measured last, or has changed since.
    #[must_use]
    pub fn path_from(&self, graph: &Graph, from: Vertex) -> Vec<Vertex> {
        let mut path = Vec::new();
        self.extend_path(graph, from, usize::MAX, &mut path);
        path
    }

    /// Appends the first `most` steps of [`path_from`](Self::path_from).
    pub(super) fn extend_path(
        &self,
        graph: &Graph,
        from: Vertex,
        most: usize,
        path: &mut Vec<Vertex>,
    ) {
        let Some(&source) = self.reachable().first() else {
            return;
        };
        let goal = graph.cell(source);
        let (mut at, steps) = (from, self.steps(from).unwrap_or(0));
        for left in (0..steps).rev().take(most) {
            let Some(next) = self.step_to(graph, at, goal, left) else {
                break;
            };
            path.push(next);
            at = next;
        }
    }

    /// The first step of [`path_from`](Self::path_from).
    pub(super) fn step(&self, graph: &Graph, from: Vertex) -> Option<Vertex> {
        let goal = graph.cell(*self.reachable().first()?);
        let left = self.steps(from)?.checked_sub(1)?;
        self.step_to(graph, from, goal, left)
    }

    /// The neighbour with a distance of `left` that comes nearest to a cell in a straight line.
    fn step_to(&self, graph: &Graph, at: Vertex, goal: Cell, left: u32) -> Option<Vertex> {
        let is_nearer = |next: &Vertex| self.steps(*next) == Some(left);
        // Mostly the step straight ahead, which saves looking at all of them.
        let ahead = ahead(graph, at, goal).filter(is_nearer);
        ahead.or_else(|| {
            let nearer = graph.neighbours(at).iter().copied().filter(is_nearer);
            nearer.min_by_key(|&next| graph.moves().squared_distance(graph.cell(next), goal))
        })
    }
}

/// The neighbour that comes nearer to a cell in a straight line than all others do; `None` if there is a wall,
/// or if two steps come equally near.
fn ahead(graph: &Graph, from: Vertex, to: Cell) -> Option<Vertex> {
    let at = graph.cell(from);
    let [dx, dy] = [(at.x, to.x), (at.y, to.y)].map(|(from, to)| i32::from(to) - i32::from(from));
    let step = match graph.moves() {
        Moves::Octile => step_toward(dx, dy)?,
        Moves::Orthogonal | Moves::Hexagonal(_) => return None,
    };
    graph.beside(from, step)
}
