//! Policies: algorithms that choose a move for a state.

mod capture_oracle;
mod guide;
mod guided_robber;
mod mistake;
mod proof_choice;
mod retract_guide;
mod shadow;
mod shared_table;
mod slack;
mod subset_player;
mod table_player;

pub use capture_oracle::CaptureOracle;
pub(crate) use guide::GuideChoice;
pub use guide::{Guide, GuideSolver};
pub use guided_robber::GuidedRobber;
#[doc(hidden)]
pub use mistake::ErringAgent;
pub(crate) use proof_choice::ProofChoice;
pub(crate) use retract_guide::RetractGround;
pub use retract_guide::{RetractGuide, RetractGuideSolver};
pub use shared_table::SharedTable;
#[doc(hidden)]
pub use slack::Slack;
pub use subset_player::{Merge, SubsetGuide, SubsetPlayer};
pub use table_player::{TablePlayer, TieBreak};

use crate::abstraction::Hierarchy;
use crate::game::{Speed, Value, Work};
use crate::graph::{Graph, Vertex};
use serde::{Deserialize, Serialize};

/// How a move was found, and therefore how good it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Source {
    /// An exact table of the current graph.
    Table,
    /// A table of a similar game, used as a guide.
    Guide,
    /// A search of the current graph, or of an earlier one where nothing that the search depends on has
    /// changed since.
    Search,
    /// The legal part of an outdated or unfinished plan.
    Stale,
    /// A walk in search of an opponent that is out of sight. The opponent's position is unknown, so no best move
    /// exists.
    LookAround,
    /// A last resort, used when no better move is known.
    Greedy,
    /// An exact table of the current graph for fewer cops than there are: see [`SubsetPlayer`]. It is listed here, behind
    /// the others, because saved games number the sources. [`ALL`](Self::ALL) has the order of preference.
    SubsetTable,
    /// A local table that proves a capture: see [`endgame`](crate::endgame).
    Endgame,
    /// A table of mixed strategies of the current graph, where both sides move simultaneously (`solve::simultaneous`):
    /// the move was drawn.
    MixedTable,
    /// A plausible move other than the best one that was found: the game lets this agent make mistakes.
    Mistake,
}

impl Source {
    /// All sources, the best first: in the order of the rungs of the ladder, which a test compares.
    pub const ALL: [Self; 10] = [
        Self::MixedTable,
        Self::Table,
        Self::SubsetTable,
        Self::Endgame,
        Self::Guide,
        Self::Search,
        Self::Stale,
        Self::LookAround,
        Self::Greedy,
        Self::Mistake,
    ];

    /// The name in charts and diagnostics: lower case, with underscores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MixedTable => "mixed_table",
            Self::Table => "table",
            Self::SubsetTable => "subset_table",
            Self::Endgame => "endgame",
            Self::Guide => "guide",
            Self::Search => "search",
            Self::Stale => "stale",
            Self::LookAround => "look_around",
            Self::Greedy => "greedy",
            Self::Mistake => "mistake",
        }
    }
}

/// The decision of an agent: a path whose first part is this turn's move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The vertices to step on, without the current one; empty to wait. The path may be longer than this
    /// turn's move.
    pub path: Vec<Vertex>,
    /// The number of steps that belong to this turn; at most the length of the path.
    pub steps: usize,
    /// How the move was found.
    pub source: Source,
    /// The value for the robber, if the algorithm knows it.
    pub value: Option<Value>,
}

impl Decision {
    /// Follows `path` as far as `speed` allows.
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

    /// Waits.
    #[must_use]
    pub const fn wait(source: Source) -> Self {
        Self {
            path: Vec::new(),
            steps: 0,
            source,
            value: None,
        }
    }

    /// Replaces this decision by one that follows `path` as far as `speed` allows, without a value.
    /// Reuses its memory.
    pub fn take(&mut self, path: &[Vertex], speed: Speed, source: Source) {
        self.path.clear();
        self.path.extend_from_slice(path);
        self.steps = path.len().min(usize::from(speed.steps()));
        self.source = source;
        self.value = None;
    }

    /// This turn's move: the vertices to step on, empty to wait.
    #[must_use]
    pub fn next_move(&self) -> &[Vertex] {
        self.path.get(..self.steps).unwrap_or(&self.path)
    }
}

/// The input of a policy besides the state: the live map and the data derived from it.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The current map.
    pub graph: &'a Graph,
    /// The abstraction of the same graph. Without one, or with an outdated one, policies that plan on
    /// abstract levels plan on the map itself.
    pub hierarchy: Option<&'a Hierarchy>,
    /// A solution of the abstraction, for policies that use one. A guide for another graph or other
    /// rules is ignored.
    pub guide: Option<&'a Guide>,
    /// A solution of a retract of the map, for cops that use one. A solution for another graph or other rules is
    /// ignored.
    pub retract: Option<&'a RetractGuide>,
}

impl<'a> Ground<'a> {
    /// The hierarchy, if it matches the current graph. After an edit it may be outdated.
    #[must_use]
    pub fn abstraction(&self) -> Option<&'a Hierarchy> {
        self.hierarchy
            .filter(|hierarchy| hierarchy.serves(self.graph))
    }
}

impl<'a> From<&'a Graph> for Ground<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self {
            graph,
            hierarchy: None,
            guide: None,
            retract: None,
        }
    }
}

/// The work that a decision took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Whether anything was computed. A policy that follows an earlier plan computes nothing.
    pub planned: bool,
    /// What was computed.
    pub work: Work,
}
