//! What an agent means to do.

use super::agent::AgentId;
use crate::game::Value;
use crate::graph::{Graph, Vertex};
use crate::search::Footprint;
use serde::{Deserialize, Serialize};

/// The steps of a plan that are kept at most. There is room for them as soon as there is a plan.
const LONGEST: usize = 64;

/// What an agent means to do after the way that it is on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the plan"
)]
pub(super) struct AgentPlan {
    /// Where the path begins.
    pub(super) from: Vertex,
    pub(super) path: Vec<Vertex>,
    /// The steps of the path that are done or on the way.
    pub(super) at: usize,
    /// The tick at which it was made.
    pub(super) made: u64,
    /// The situation it was made for.
    pub(super) key: u64,
    /// What it was worth when it was made.
    pub(super) value: Option<Value>,
    pub(super) footprint: Footprint,
    /// Is there a plan at all?
    pub(super) is_made: bool,
    /// Has no edit touched the footprint?
    pub(super) is_intact: bool,
    /// Does the path end where the agent means to be, and not just where it was cut off?
    pub(super) is_whole: bool,
    /// Does it lead a cop as near to a robber as it gets, which is not to it?
    pub(super) falls_short: bool,
}

impl AgentPlan {
    pub(super) fn drop(&mut self) {
        self.is_made = false;
        self.path.clear();
        self.at = 0;
    }

    /// Drops the plan of another map, whose vertices are none of this one.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// What is left of the path for one who stands at `at`; `None` if the plan is for another place.
    pub(super) fn rest(&self, at: Vertex) -> Option<&[Vertex]> {
        let before = match self.at.checked_sub(1) {
            None => self.from,
            Some(last) => *self.path.get(last)?,
        };
        let fits = self.is_made && before == at;
        fits.then(|| self.path.get(self.at..).unwrap_or_default())
    }

    /// If it was made for this very situation it is as good as a new one.
    pub(super) fn confirm(&mut self, key: u64, tick: u64) {
        if self.is_made && self.is_intact && self.key == key {
            self.made = tick;
        }
    }

    /// Does it say what to do for one who stands at `at`?
    pub(super) fn is_usable(&self, at: Vertex) -> bool {
        self.rest(at)
            .is_some_and(|rest| !rest.is_empty() || self.is_whole)
    }

    /// Keeps the beginning of a path, which may be the whole.
    pub(super) fn take_path(&mut self, path: &[Vertex]) {
        self.is_whole = path.len() <= LONGEST;
        self.path.clear();
        self.path.reserve_exact(LONGEST);
        self.path
            .extend_from_slice(&path[..path.len().min(LONGEST)]);
    }

    /// The plan depends on the cells of its path alone: it is open as long as they are. The next plan,
    /// which is some turns away at the most, finds a shorter way that opens elsewhere.
    pub(super) fn see_path(&mut self, graph: &Graph) {
        self.footprint.clear(graph.width(), graph.height());
        for &at in &self.path {
            self.footprint.insert(graph.cell(at));
        }
    }

    /// A plan has been made.
    pub(super) fn note(&mut self, tick: u64, key: u64) {
        self.at = 0;
        self.made = tick;
        self.key = key;
        self.is_made = true;
        self.is_intact = true;
    }
}

/// What is planned in one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum PlanTarget {
    /// All cops of a pursuit that go for a robber.
    Team { pursuit: u32, robber: AgentId },
    /// A robber.
    Robber(AgentId),
    /// An agent that walks to a cell.
    Walk(AgentId),
}

/// What is left of a path that begins at `from` for one who stands at `at` meanwhile.
pub(super) fn rest_from(from: Vertex, path: &[Vertex], at: Vertex) -> Option<&[Vertex]> {
    if from == at {
        return Some(path);
    }
    let index = path.iter().position(|&vertex| vertex == at)?;
    path.get(index + 1..)
}
