//! What a position is on: a map, or a graph that is none.

use pursuit_engine::graph::{Digraph, Fingerprint, Graph};
use pursuit_engine::map::{Moves, PursuitLevel};
use pursuit_engine::table::{Arena, ArenaError};

/// What a position is on.
#[derive(Clone, Copy)]
pub enum Ground<'a> {
    Map(&'a Graph),
    /// A graph that is no map.
    Edges(&'a Digraph),
}

impl Ground<'_> {
    pub fn vertices(self) -> usize {
        match self {
            Self::Map(graph) => graph.vertices(),
            Self::Edges(graph) => graph.vertices(),
        }
    }

    pub fn fingerprint(self) -> Fingerprint {
        match self {
            Self::Map(graph) => graph.fingerprint(),
            Self::Edges(graph) => graph.fingerprint(),
        }
    }

    /// The arena of a table.
    pub fn arena(self) -> Arena {
        match self {
            Self::Map(graph) => Arena::of_map(graph),
            Self::Edges(graph) => Arena::of_digraph(graph),
        }
    }
}

/// The game that a level describes with its doors as at the start.
pub fn arena_of(level: &PursuitLevel, moves: Moves) -> Result<Arena, ArenaError> {
    Arena::of_level(level, &Graph::new(&level.initial_map(), moves))
}

/// A map, or a graph that is none.
pub enum AnyGraph {
    Map(Graph),
    Edges(Digraph),
}

impl AnyGraph {
    pub const fn ground(&self) -> Ground<'_> {
        match self {
            Self::Map(graph) => Ground::Map(graph),
            Self::Edges(graph) => Ground::Edges(graph),
        }
    }
}
