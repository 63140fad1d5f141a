//! Plans: the path that an agent intends to follow, and the part of the map that the path depends on.

use super::agent_id::AgentId;
use super::pursuit::PursuitNumber;
use crate::game::{Speed, Value};
use crate::graph::{Graph, Vertex};
use crate::search::Footprint;
use serde::{Deserialize, Serialize};
use std::mem;

/// The largest number of steps that a plan keeps, unless that is less than four moves. The memory is reserved with the
/// first plan.
const LONGEST: usize = 64;

/// The largest number of steps that the plan of a walk keeps. A walk of thousands of steps is not searched anew every few
/// turns. Only long walks take the memory.
const LONGEST_WALK: usize = 512;

/// The path that an agent intends to follow after the current one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct AgentPlan {
    /// The vertex where the path begins.
    pub(super) from: Vertex,
    pub(super) path: Vec<Vertex>,
    /// The number of steps that are done or in progress.
    pub(super) at: usize,
    /// The tick at which the plan was made.
    pub(super) made: u64,
    /// The key of the situation it was made for.
    pub(super) key: u64,
    /// The value of the position when the plan was made.
    pub(super) value: Option<Value>,
    /// Where the robber was that the plan is against, or the nearest cop.
    pub(super) against: Option<Vertex>,
    /// The place before that: where the opponent was when a plan was last made against another place.
    pub(super) against_before: Option<Vertex>,
    /// Whether a plan has turned the agent back since the opponent stands still or trembles.
    pub(super) has_turned_back: bool,
    pub(super) footprint: Footprint,
    pub(super) state: PlanState,
    /// Whether the path ends where the agent intends to be, and was not cut off.
    pub(super) is_whole: bool,
    /// Whether the robber is unreachable, so that the path only leads the cop as close as it can get.
    pub(super) falls_short: bool,
}

/// Whether there is a plan, and what has become of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum PlanState {
    /// There is no plan.
    #[default]
    None,
    /// No edit has touched the footprint. The situation that the plan was made for has not come about at a move.
    Ahead,
    /// No edit has touched the footprint. The situation has come about at a move.
    Confirmed,
    /// An edit has touched the footprint.
    Stale,
}

impl AgentPlan {
    /// Returns whether there is a plan.
    pub(super) const fn is_made(&self) -> bool {
        !matches!(self.state, PlanState::None)
    }

    /// Returns whether there is a plan whose footprint no edit has touched.
    pub(super) const fn is_intact(&self) -> bool {
        matches!(self.state, PlanState::Ahead | PlanState::Confirmed)
    }

    pub(super) fn drop(&mut self) {
        self.state = PlanState::None;
        self.path.clear();
        self.at = 0;
    }

    /// Notes where the opponent is that the plan is against.
    pub(super) fn set_against(&mut self, against: Option<Vertex>) {
        self.has_turned_back &= self.is_against(against);
        if self.against != against {
            self.against_before = mem::replace(&mut self.against, against);
        }
    }

    /// Returns whether the opponent is where it was when this plan was made, or before it came there: it stands still, or it
    /// has come back.
    pub(super) fn is_against(&self, opponent: Option<Vertex>) -> bool {
        opponent.is_some() && [self.against, self.against_before].contains(&opponent)
    }

    /// Drops a plan for another map, whose vertices do not exist here.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The rest of the path for an agent at `at`; `None` if the plan is for another place.
    pub(super) fn rest(&self, at: Vertex) -> Option<&[Vertex]> {
        let before = match self.at.checked_sub(1) {
            None => self.from,
            Some(last) => *self.path.get(last)?,
        };
        let fits = self.is_made() && before == at;
        fits.then(|| self.path.get(self.at..).unwrap_or_default())
    }

    /// The steps that are left of it.
    pub(super) fn ahead(&self) -> &[Vertex] {
        let path = self.path.get(self.at..).filter(|_| self.is_made());
        path.unwrap_or_default()
    }

    /// Goes on from a vertex beside the path that the agent has had to go to: joins the path again a few steps ahead. Returns
    /// whether it can.
    pub(super) fn rejoin(&mut self, graph: &Graph, at: Vertex) -> bool {
        const AHEAD: usize = 6;
        if !self.is_made() {
            return false;
        }
        let rest = self.path.get(self.at..).unwrap_or_default();
        let near = &rest[..rest.len().min(AHEAD)];
        self.value = None;
        if let Some(index) = near.iter().rposition(|&next| next == at) {
            self.at += index + 1;
            return true;
        }
        let Some(index) = near.iter().rposition(|&next| graph.are_adjacent(at, next)) else {
            return false;
        };
        self.from = at;
        self.path.drain(..self.at + index);
        self.at = 0;
        true
    }

    /// Sets the age of the plan to 0 if the plan was made for exactly this situation.
    pub(super) fn confirm(&mut self, key: u64, tick: u64) {
        if self.is_intact() && self.key == key {
            self.made = tick;
            self.state = PlanState::Confirmed;
        }
    }

    /// Drops the value and asks for a new plan, because the game has changed the pursuit. The path stays in use until the
    /// new plan is made. Must not be called for the plan of a walk, whose key is its goal.
    pub(super) const fn ask_anew(&mut self) {
        self.value = None;
        self.key = self.key.wrapping_add(1);
    }

    /// Lets an agent follow its path, but not wait at the end: the opponent that it waits for may not come any more.
    pub(super) const fn do_not_wait(&mut self) {
        self.is_whole = false;
    }

    /// Drops the value of a plan that was made ahead for a situation that has not come about: the cops have moved
    /// otherwise than expected. Call it at each move, after [`confirm`](Self::confirm).
    pub(super) const fn check_value(&mut self) {
        if !matches!(self.state, PlanState::Confirmed) {
            self.value = None;
        }
    }

    /// Returns whether the plan contains a move for an agent at `at`.
    pub(super) fn is_usable(&self, at: Vertex) -> bool {
        self.rest(at)
            .is_some_and(|rest| !rest.is_empty() || self.is_whole)
    }

    /// Returns whether the plan contains a whole move of `steps` steps for an agent at `at`, or ends with that move.
    pub(super) fn has_move(&self, at: Vertex, steps: Speed) -> bool {
        let suffices = |rest: &[Vertex]| rest.len() >= steps.steps().into() || self.is_whole;
        self.rest(at).is_some_and(suffices)
    }

    /// Stores the path up to [`LONGEST`] steps or four moves of an agent.
    pub(super) fn keep_path(&mut self, path: &[Vertex], speed: Speed) {
        let longest = LONGEST.max(4 * usize::from(speed.steps()));
        self.is_whole = path.len() <= longest;
        self.path.clear();
        self.path.reserve_exact(longest);
        self.path
            .extend_from_slice(&path[..path.len().min(longest)]);
    }

    /// Stores the path of a walk up to [`LONGEST_WALK`] steps.
    pub(super) fn keep_walk(&mut self, path: &[Vertex]) {
        let kept = &path[..path.len().min(LONGEST_WALK)];
        self.is_whole = kept.len() == path.len();
        self.path.clear();
        self.path.reserve_exact(kept.len().max(LONGEST));
        self.path.extend_from_slice(kept);
    }

    /// Makes the plan depend only on the cells of its path. If a shorter path opens elsewhere, the next
    /// plan finds it, at most a few turns later.
    pub(super) fn depend_on_path(&mut self, graph: &Graph) {
        self.footprint.clear(graph.width(), graph.height());
        for &at in &self.path {
            self.footprint.insert(graph.cell(at));
        }
    }

    /// Marks the plan as good for another situation, of which nothing is certain.
    pub(super) const fn keep_on(&mut self, tick: u64, key: u64) {
        (self.made, self.key, self.value) = (tick, key, None);
        self.state = PlanState::Ahead;
    }

    /// Marks the plan as made.
    pub(super) fn mark_made(&mut self, tick: u64, key: u64) {
        self.at = 0;
        self.made = tick;
        self.key = key;
        self.state = PlanState::Ahead;
    }
}

/// The agents that one search plans for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum PlanTarget {
    /// All cops of a pursuit that chase the same robber.
    Team {
        pursuit: PursuitNumber,
        robber: AgentId,
    },
    /// A robber.
    Robber(AgentId),
    /// An agent that walks to a cell.
    Walk(AgentId),
}

/// The rest of a path from `from`, for an agent that has reached `at`.
pub(super) fn rest_from(from: Vertex, path: &[Vertex], at: Vertex) -> Option<&[Vertex]> {
    if from == at {
        return Some(path);
    }
    let index = path.iter().position(|&vertex| vertex == at)?;
    path.get(index + 1..)
}
