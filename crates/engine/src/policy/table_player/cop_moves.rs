//! The ends of one cop's moves, in the order in which a player tries them.

use super::legs;
use crate::game::Agent;
use crate::graph::{Graph, Vertex};
use crate::search::MoveEnds;

/// The ends of the moves of one cop. They are sorted on demand, since the first one is mostly the right
/// one.
#[derive(Debug, Clone, Default)]
pub(super) struct CopMoves {
    moves: MoveEnds,
    /// The sorted ends, then the others.
    ends: Vec<RankedEnd>,
    sorted: usize,
}

/// Lower ranks are tried first. No two ends of the moves of a cop have the same rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RankedEnd {
    rank: u64,
    vertex: Vertex,
}

impl CopMoves {
    /// Lists the ends by their distance from the robber, the nearest first; waiting comes last among
    /// equals.
    pub(super) fn list_nearest_first(&mut self, graph: &Graph, cop: Agent, robber: Vertex) {
        self.find(graph, cop);
        let robber = graph.cell(robber);
        let ends = self.moves.ends().iter().chain([&cop.at]);
        for (&vertex, index) in ends.zip(0..) {
            let (far, near) = legs(graph.cell(vertex), robber);
            // A map has at most 2^24 cells.
            let rank = u64::from(far) << 40 | u64::from(near) << 24 | index;
            self.ends.push(RankedEnd { rank, vertex });
        }
    }

    /// Lists the ends by the lengths of the paths to them, the longest first. Among equal lengths, those
    /// that a breadth-first search finds last come first; waiting is the very last.
    pub(super) fn list_longest_first(&mut self, graph: &Graph, cop: Agent, lengths: &mut Lengths) {
        self.find(graph, cop);
        let lengths = lengths.of(graph, cop, self.moves.ends());
        for ((&vertex, length), index) in self.moves.ends().iter().zip(lengths).zip(1..) {
            let rank = u64::from(u32::MAX - length) << 32 | u64::from(u32::MAX - index);
            self.ends.push(RankedEnd { rank, vertex });
        }
        let (rank, vertex) = (u64::MAX, cop.at);
        self.ends.push(RankedEnd { rank, vertex });
    }

    /// Lists the ends in the order of a breadth-first search, waiting first.
    pub(super) fn list_as_found(&mut self, graph: &Graph, cop: Agent) {
        self.find(graph, cop);
        let ends = [&cop.at].into_iter().chain(self.moves.ends());
        for (&vertex, rank) in ends.zip(0..) {
            self.ends.push(RankedEnd { rank, vertex });
        }
    }

    fn find(&mut self, graph: &Graph, cop: Agent) {
        self.moves.find(graph, cop.at, cop.speed, |_| false);
        self.ends.clear();
        self.sorted = 0;
    }

    /// The number of ends, at least 1.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The end with this rank, from 0.
    pub(super) fn end(&mut self, number: usize) -> Vertex {
        if self.sorted <= number {
            self.sort(number);
        }
        self.ends[number].vertex
    }

    /// Sorts the ends up to this rank.
    fn sort(&mut self, number: usize) {
        /// Beyond this rank all ends are sorted at once.
        const FEW: usize = 32;
        if number > FEW {
            self.ends[self.sorted..].sort_unstable();
            self.sorted = self.ends.len();
        }
        while self.sorted <= number {
            let rest = &mut self.ends[self.sorted..];
            let best = (0..rest.len()).min_by_key(|&index| rest[index].rank);
            rest.swap(0, best.unwrap_or(0));
            self.sorted += 1;
        }
    }

    /// Writes the path to an end, empty to wait.
    pub(super) fn path_to(&self, end: Vertex, path: &mut Vec<Vertex>) {
        self.moves.way_to(end, path);
    }
}

/// Measures paths of one move. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Lengths {
    /// The index of each vertex that the move can reach, 0 for the start; [`NONE`] for all other
    /// vertices.
    index_of: Vec<u32>,
    shortest: Vec<u32>,
    /// The lengths with at most one step less.
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Lengths {
    /// The length of the shortest path within one move to each of its ends, in thousandths of a straight
    /// step: a diagonal step counts 1414.
    fn of(&mut self, graph: &Graph, cop: Agent, ends: &[Vertex]) -> impl Iterator<Item = u32> {
        if self.index_of.len() < graph.slots() {
            self.index_of.resize(graph.slots(), NONE);
        }
        let vertices = || [&cop.at].into_iter().chain(ends);
        for (vertex, index) in vertices().zip(0..) {
            self.index_of[vertex.index()] = index;
        }
        self.shortest.clear();
        self.shortest.resize(1 + ends.len(), NONE);
        self.shortest[0] = 0;
        // A path with fewer steps may be longer. So each round allows one step more.
        for _ in 0..cop.speed.steps() {
            self.before.clone_from(&self.shortest);
            let known = vertices().zip(&self.before);
            for (&vertex, &length) in known.filter(|&(_, &length)| length < NONE) {
                for &next in graph.neighbours(vertex) {
                    let index = self.index_of[next.index()];
                    if index != NONE {
                        let is_diagonal = legs(graph.cell(vertex), graph.cell(next)) == (1, 1);
                        let length = length + if is_diagonal { 1414 } else { 1000 };
                        let known = &mut self.shortest[index as usize];
                        *known = length.min(*known);
                    }
                }
            }
        }
        for vertex in vertices() {
            self.index_of[vertex.index()] = NONE;
        }
        self.shortest[1..].iter().copied()
    }
}
