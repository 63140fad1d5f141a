//! The interface of searches that run in slices.

use crate::abstraction::Hierarchy;
use crate::game::Outcome;
use crate::graph::{Graph, Vertex};
use crate::search::Footprint;

/// How far a sliced search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchProgress {
    /// The budget is spent and the search is not at its end.
    Running,
    /// The map is not the one that the search began on; nothing more will be found. Begin anew.
    Stale,
    /// The plan is ready.
    Done,
}

/// A search that runs in slices, as many ticks as it takes.
///
/// Each search begins in its own way, with a state or two vertices. From there on all are used alike:
/// [`advance`](Self::advance) until it returns [`SearchProgress::Done`], then read the result. Any
/// slicing gives the same result. After an edit of the graph or a repair of the hierarchy the search is
/// [stale](SearchProgress::Stale). Memory is kept from search to search.
///
/// Agents are numbered as in the state that the search began with: the cops of a team, or 0 for the
/// only agent that is planned for.
pub trait SlicedSearch {
    /// Searches on for at most `budget` [expansions](Self::expansions), on the maps that the search began
    /// on. Searches that do not use abstract levels ignore `hierarchy`; one of another graph counts as
    /// none.
    fn advance(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        budget: u32,
    ) -> SearchProgress;

    /// Advances until the search is done or stale.
    fn finish(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>) {
        while self.advance(graph, hierarchy, u32::MAX) == SearchProgress::Running {}
    }

    /// The path of an agent, without its start: the vertices to step on. Empty to wait, and while the
    /// search runs.
    fn path_of(&self, agent: usize) -> &[Vertex];

    /// Appends the best path of agent 0 so far, without its start, to `path`; the path itself once the
    /// search is done. Searches that know nothing before the end append nothing until then.
    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>);

    /// Returns whether the path of an agent ends where the agent wants to be, once the search is done. A
    /// path may be cut off after the number of steps that the caller asked for.
    fn is_complete(&self, agent: usize) -> bool;

    /// Returns whether an agent can reach what it is sent to at all, once the search is done. Robbers
    /// always can.
    fn reaches(&self, agent: usize) -> bool {
        let _ = agent;
        true
    }

    /// The outcome if the robber keeps to its path, where the search knows it.
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    /// Gathers what each search depends on from now on, for [`add_footprint`](Self::add_footprint).
    fn keep_footprint(&mut self);

    /// Adds what the result depends on to `footprint`, if it is [kept](Self::keep_footprint) and the
    /// search is done.
    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint);

    /// Expansions since the search began, on all levels: vertices whose neighbours were generated.
    fn expansions(&self) -> u64;

    /// Neighbours generated since the search began.
    fn touched(&self) -> u64;
}
