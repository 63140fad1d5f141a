//! Games on graphs of at most 64 vertices, solved with bit sets.

use crate::game::Turns;
use crate::graph::Digraph;

/// The most vertices of a small graph: its sets of vertices are words.
pub(super) const MOST: usize = 64;

/// How long capture takes on a graph where it always comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Times {
    /// When the cops choose their places first.
    pub search: Turns,
    /// From the worst position.
    pub capture: Turns,
}

/// Retrograde analysis for lists of very many, very small graphs: no table, no memory of its own
/// for each graph.
///
/// For each placement of the cops a word holds the set of the robber's places from which it is
/// captured within some turns (the sets W of C. Moldenhauer's thesis, definition 2.2).
#[derive(Debug, Default)]
pub(super) struct SmallGame {
    /// For each vertex itself and its neighbours.
    near: Vec<u64>,
    all: u64,
    /// For each placement of the cops their own vertices; that of (a, b) stands at a n + b.
    placed: Vec<u64>,
    /// With the cops to move.
    won: Vec<u64>,
    /// With the robber to move.
    lost: Vec<u64>,
    /// When one of two cops has moved.
    between: Vec<u64>,
}

impl SmallGame {
    /// Makes it the game on a graph of at most [`MOST`] vertices. Loops cost nothing.
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

    /// Returns whether there is a vertex and steps lead from the first to every other.
    pub(super) fn is_connected(&self) -> bool {
        let (mut reached, mut before) = (self.all & 1, 0);
        while reached != before {
            let new = reached & !before;
            before = reached;
            reached |= self.around(new);
        }
        self.all != 0 && reached == self.all
    }

    /// One cop; `None` if the robber escapes from some position. The graph has edges both ways.
    pub(super) fn one_cop(&mut self) -> Option<Times> {
        self.placed.clear();
        self.placed.extend((0..self.near.len()).map(|cop| 1 << cop));
        self.run(|game| {
            for (won, &near) in game.won.iter_mut().zip(&game.near) {
                *won |= union(&game.lost, near);
            }
        })
    }

    /// Two cops, who may share a vertex; `None` if the robber escapes from some position.
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

    /// Turn by turn until nothing changes. `cops_move` adds to `won` whatever leads into `lost`.
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

    /// The robber is lost with a cop on it, or if all its moves end in `won`.
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

    /// The vertices of a set and their neighbours.
    fn around(&self, set: u64) -> u64 {
        union(&self.near, set)
    }
}

/// All sets whose numbers are in `chosen`.
#[inline]
fn union(sets: &[u64], chosen: u64) -> u64 {
    bits(chosen).fold(0, |all, index| all | sets[index])
}

/// The numbers of the bits that are set.
#[inline]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}
