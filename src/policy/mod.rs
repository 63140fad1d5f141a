//! From a state to a move. Each algorithm stands behind one of two small traits.

pub mod cop;
mod guide;
pub mod robber;
mod shared_table;
mod subset_player;
mod table_player;

pub use guide::{Guide, GuideSolver};
pub use shared_table::SharedTable;
pub use subset_player::{Merge, SubsetPlayer};
pub use table_player::{TablePlayer, TieBreak};

use crate::abstraction::Hierarchy;
use crate::game::{Speed, State, Value};
use crate::graph::{Graph, Vertex};
use serde::{Deserialize, Serialize};

/// How a move was found, that is how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Source {
    /// A table of the graph as it is now: exact.
    Table,
    /// A table of a similar game: a guide.
    Guide,
    /// A search of the graph as it is now, or of one in which nothing has changed that the search
    /// depends on.
    Search,
    /// An old plan, or the part of one that is found so far, as far as it is legal.
    Stale,
    /// A walk in search of an opponent that is out of sight: not the best move of a position, since the
    /// position is not known.
    LookAround,
    /// A last resort where no better move is known.
    Greedy,
}

impl Source {
    /// All of them, the best first.
    pub const ALL: [Self; 6] = [
        Self::Table,
        Self::Guide,
        Self::Search,
        Self::Stale,
        Self::LookAround,
        Self::Greedy,
    ];

    /// Its name in figures and diagnostics: lower case, with underscores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Guide => "guide",
            Self::Search => "search",
            Self::Stale => "stale",
            Self::LookAround => "look_around",
            Self::Greedy => "greedy",
        }
    }
}

/// What an agent means to do: a path, of which this turn's move is the first part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The vertices to step on, without the one the agent stands on; empty to wait. It may reach
    /// beyond this turn.
    pub path: Vec<Vertex>,
    /// How many steps of the path belong to this turn; never more than its length.
    pub steps: usize,
    /// How the move was found.
    pub source: Source,
    /// What the decision is worth to the robber, where the algorithm knows.
    pub value: Option<Value>,
}

impl Decision {
    /// To go along `path` as far as `speed` allows.
    #[must_use]
    pub fn along(path: Vec<Vertex>, speed: Speed, source: Source) -> Self {
        let steps = path.len().min(usize::from(speed.steps()));
        Self {
            path,
            steps,
            source,
            value: None,
        }
    }

    /// To stay.
    #[must_use]
    pub const fn wait(source: Source) -> Self {
        Self {
            path: Vec::new(),
            steps: 0,
            source,
            value: None,
        }
    }

    /// Makes this the decision to go along `path` as far as `speed` allows, without a
    /// value. Keeps its memory.
    pub fn take(&mut self, path: &[Vertex], speed: Speed, source: Source) {
        self.path.clear();
        self.path.extend_from_slice(path);
        self.steps = path.len().min(usize::from(speed.steps()));
        self.source = source;
        self.value = None;
    }

    /// This turn's move: the vertices to step on, empty to wait.
    #[must_use]
    pub fn way(&self) -> &[Vertex] {
        self.path.get(..self.steps).unwrap_or(&self.path)
    }
}

/// What a policy may look at: the live map and what is derived from it.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The map as it is now.
    pub graph: &'a Graph,
    /// The abstraction of that very graph. Policies that plan on abstract levels plan on the map
    /// itself where there is none, or one that is behind.
    pub hierarchy: Option<&'a Hierarchy>,
    /// A solution of the abstraction, for policies that follow one. One of another graph or of other rules
    /// is ignored.
    pub guide: Option<&'a Guide>,
}

impl<'a> Ground<'a> {
    /// The hierarchy if it is that of the graph as it is now: after an edit it may be behind.
    #[must_use]
    pub fn abstraction(&self) -> Option<&'a Hierarchy> {
        self.hierarchy
            .filter(|hierarchy| hierarchy.is_of(self.graph))
    }
}

impl<'a> From<&'a Graph> for Ground<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self {
            graph,
            hierarchy: None,
            guide: None,
        }
    }
}

/// What a decision took to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Whether anything was computed. A policy that follows an earlier plan computes nothing.
    pub planned: bool,
    /// Expansions: vertices whose neighbours were generated.
    pub expansions: u64,
    /// Neighbours that were looked at.
    pub touched: u64,
}

/// Decides for a robber.
pub trait RobberPolicy: Send {
    /// Writes a move for the robber of `state`, which is to move, into `decision`. Always legal on
    /// `ground`.
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision);

    /// What the last decision took.
    fn effort(&self) -> Effort;

    /// Forgets plans and starts random numbers anew: the same seed and the same states give the
    /// same decisions.
    fn restart(&mut self, seed: u64);
}

impl<P: RobberPolicy + ?Sized> RobberPolicy for Box<P> {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) {
        (**self).decide(ground, state, decision);
    }

    fn effort(&self) -> Effort {
        (**self).effort()
    }

    fn restart(&mut self, seed: u64) {
        (**self).restart(seed);
    }
}

/// Decides for all cops that chase one robber.
pub trait CopPolicy: Send {
    /// A move for each cop of `state`, which are to move, in their order. Always legal on `ground`.
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision>;

    /// Forgets plans and starts random numbers anew: the same seed and the same states give the same
    /// decisions. Nothing to do for a policy that decides by the state alone.
    fn restart(&mut self, _seed: u64) {}
}
