//! Games on graphs of at most 64 vertices, solved with bit sets.

use pursuit_engine::game::Turns;
use pursuit_engine::graph::Digraph;

/// The largest number of vertices of a small graph. A set of vertices is a 64-bit word.
pub(super) const MOST: usize = 64;

/// Capture times of a graph on which the cops always win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Times {
    /// The time if the cops choose their places first, and then the robber.
    pub search: Turns,
    /// The time from the worst position.
    pub capture: Turns,
}

/// Retrograde analysis for long lists of very small graphs: without a table, and without allocations for
/// each graph.
///
/// For each placement of the cops, a word holds the set of places where the robber is captured within
/// some number of turns (the sets W of C. Moldenhauer's thesis, definition 2.2).
#[derive(Debug, Default)]
pub(super) struct SmallGame {
    /// For each vertex the set of itself and its neighbours.
    near: Vec<u64>,
    all: u64,
    /// For each placement of the cops the set of their vertices. The index of the placement (a, b) is a
    /// n + b.
    placed: Vec<u64>,
    /// The sets with the cops to move.
    won: Vec<u64>,
    /// The sets with the robber to move.
    lost: Vec<u64>,
    /// The sets when one of two cops has moved.
    between: Vec<u64>,
}

impl SmallGame {
    /// Sets the graph, which has at most [`MOST`] vertices. Loops make no difference.
    pub(super) fn set(&mut self, graph: &Digraph) {
        let near = |vertex| {
            let beside = graph.successors(vertex).iter();
            beside.fold(1 << vertex.index(), |near, other| near | 1 << other.index())
        };
        self.near.clear();
        self.near.extend(graph.iter().map(near));
        self.all = match graph.vertices() {
            MOST => u64::MAX,
            vertices => (1 << vertices) - 1,
        };
    }

    /// Returns whether the graph has a vertex, and paths from the first one to all others.
    pub(super) fn is_connected(&self) -> bool {
        let (mut reached, mut before) = (self.all & 1, 0);
        while reached != before {
            let new = reached & !before;
            before = reached;
            reached |= self.around(new);
        }
        self.all != 0 && reached == self.all
    }

    /// The times with one cop; `None` if the robber escapes from some position. The graph is undirected.
    pub(super) fn one_cop(&mut self) -> Option<Times> {
        self.placed.clear();
        self.placed.extend((0..self.near.len()).map(|cop| 1 << cop));
        self.run(|game| {
            for (won, &near) in game.won.iter_mut().zip(&game.near) {
                *won |= union(&game.lost, near);
            }
        })
    }

    /// The times with two cops, which may share a vertex; `None` if the robber escapes from some
    /// position.
    pub(super) fn two_cops(&mut self) -> Option<Times> {
        let n = self.near.len();
        self.placed.clear();
        self.placed
            .extend((0..n * n).map(|cops| 1 << (cops / n) | 1 << (cops % n)));
        self.run(|game| {
            // The second cop moves.
            game.between.clear();
            for row in game.lost.chunks(n) {
                let moved = game.near.iter().map(|&near| union(row, near));
                game.between.extend(moved);
            }
            // The first cop moves: row by row.
            for (row, &near) in game.won.chunks_mut(n).zip(&game.near) {
                for from in bits(near) {
                    let from = &game.between[from * n..][..n];
                    for (won, between) in row.iter_mut().zip(from) {
                        *won |= between;
                    }
                }
            }
        })
    }

    /// Solves turn by turn until nothing changes. `cops_move` adds to `won` the positions from which a
    /// cops' move leads into `lost`.
    fn run(&mut self, mut cops_move: impl FnMut(&mut Self)) -> Option<Times> {
        let mut search = None;
        self.won.clone_from(&self.placed);
        let mut known = self.known();
        for turn in 0.. {
            let full = self.won.iter().filter(|&&won| won == self.all).count();
            if full > 0 && search.is_none() {
                search = Some(Turns(turn));
            }
            if full == self.won.len() {
                return search.map(|search| Times {
                    search,
                    capture: Turns(turn),
                });
            }
            self.robber_moves();
            cops_move(self);
            let before = std::mem::replace(&mut known, self.known());
            if known == before {
                break;
            }
        }
        None
    }

    /// The robber is lost if a cop is on its vertex, or if all its moves end in `won`.
    fn robber_moves(&mut self) {
        let mut lost = std::mem::take(&mut self.lost);
        lost.clear();
        let all = self.all;
        let placements = self.won.iter().zip(&self.placed);
        lost.extend(placements.map(|(&won, &cops)| cops | all & !self.around(all & !won)));
        self.lost = lost;
    }

    fn known(&self) -> u32 {
        self.won.iter().map(|won| won.count_ones()).sum()
    }

    /// The union of a set of vertices and their neighbours.
    fn around(&self, set: u64) -> u64 {
        union(&self.near, set)
    }
}

/// The union of the sets whose indices are in `chosen`.
#[inline]
fn union(sets: &[u64], chosen: u64) -> u64 {
    bits(chosen).fold(0, |all, index| all | sets[index])
}

/// The indices of the set bits.
#[inline]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}
