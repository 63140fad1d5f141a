//! The transposition table of minimax.

use super::MinimaxNode;
use pursuit_engine::game::Agent;
use pursuit_engine::graph::Vertex;

/// The number of places of the table; a power of two.
const PLACES: usize = 1 << 14;

/// A transposition table: values of the nodes searched so far. A new entry replaces the previous one in
/// its place. Entries hold complete positions, so that none is mistaken for another.
///
/// Memory: 16 bytes per place and 4 more for each agent, allocated by the first search.
#[derive(Debug, Clone, Default)]
pub(super) struct TranspositionTable {
    entries: Vec<TableEntry>,
    /// The robber and the cops of each place.
    positions: Vec<Vertex>,
    agents: usize,
    /// Entries with another stamp belong to earlier searches.
    stamp: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct TableEntry {
    stamp: u32,
    value: i32,
    left: u8,
    bound: Bound,
}

/// The meaning of a value.
#[derive(Debug, Clone, Copy, Default)]
enum Bound {
    #[default]
    Exact,
    AtLeast,
    AtMost,
}

impl TranspositionTable {
    /// Empties the table, for positions of `agents` agents.
    pub(super) fn clear(&mut self, agents: usize) {
        if self.agents != agents || self.stamp == u32::MAX {
            self.agents = agents;
            self.entries.clear();
            self.entries.resize(PLACES, TableEntry::default());
            self.positions.clear();
            self.positions.resize(PLACES * agents, Vertex::default());
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// The value of a node, if the entry makes a search of the node unnecessary. A value between alpha
    /// and beta does not, since the line of play is needed as well.
    pub(super) fn settled(&self, node: &MinimaxNode, cops: &[Agent]) -> Option<i32> {
        let place = place(node, cops);
        let entry = self.entries[place];
        let position = &self.positions[place * self.agents..][..self.agents];
        let is_same = entry.stamp == self.stamp
            && entry.left == node.left
            && position.iter().eq(vertices(node, cops));
        let (low, high) = (entry.value <= node.alpha, entry.value >= node.beta);
        let is_settled = match entry.bound {
            Bound::Exact => low || high,
            Bound::AtLeast => high,
            Bound::AtMost => low,
        };
        (is_same && is_settled).then_some(entry.value)
    }

    /// Stores the value of a node that was searched.
    pub(super) fn put(&mut self, node: &MinimaxNode, cops: &[Agent], value: i32) {
        let place = place(node, cops);
        self.entries[place] = TableEntry {
            stamp: self.stamp,
            value,
            left: node.left,
            bound: if value <= node.alpha {
                Bound::AtMost
            } else if value >= node.beta {
                Bound::AtLeast
            } else {
                Bound::Exact
            },
        };
        let position = &mut self.positions[place * self.agents..][..self.agents];
        for (kept, &vertex) in position.iter_mut().zip(vertices(node, cops)) {
            *kept = vertex;
        }
    }
}

/// The robber and the cops. The side to move follows from the plies left, within one search.
fn vertices<'a>(node: &'a MinimaxNode, cops: &'a [Agent]) -> impl Iterator<Item = &'a Vertex> {
    std::iter::once(&node.robber).chain(cops.iter().map(|cop| &cop.at))
}

/// The place of a node, by multiplicative hashing: the high bits of a product depend on all bits.
fn place(node: &MinimaxNode, cops: &[Agent]) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, number: u64| (hash.rotate_left(23) ^ number).wrapping_mul(GOLDEN);
    let hash = vertices(node, cops).fold(u64::from(node.left), |hash, vertex| {
        mix(hash, vertex.index() as u64)
    });
    (hash >> 40) as usize % PLACES
}
