//! The interface of searches that run in slices.

use crate::abstraction::Hierarchy;
use crate::game::{Outcome, Step, Work};
use crate::graph::{Graph, Vertex};
use crate::search::Footprint;

/// What a slice of a search has led to: [`FOUND`] once the plan is ready, or [`STALE`].
pub type SearchStep = Step<Result<(), StaleSearch>>;

/// The plan is ready.
pub const FOUND: SearchStep = Step::Done(Ok(()));

/// The search is [stale](StaleSearch).
pub const STALE: SearchStep = Step::Done(Err(StaleSearch));

/// The map has changed since the search began. The search finds nothing more; begin a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaleSearch;

/// A search that runs in slices, over as many ticks as necessary.
///
/// Each type of search begins in its own way, with a state or with two vertices. The rest is common:
/// call [`advance`](Self::advance) until it returns [`Step::Done`], then read the result. Any
/// slicing gives the same result. After an edit of the graph or a repair of the hierarchy the search is
/// [stale](StaleSearch). Memory is kept from search to search.
///
/// Agents are numbered as in the state that the search began with: the cops of a team from 0, or 0 for a
/// single agent.
pub trait SlicedSearch {
    /// Continues for at most `budget` [expansions](Work::expansions), on the maps that the search began
    /// on. Searches that do not use abstract levels ignore `hierarchy`; a hierarchy of another graph
    /// counts as none.
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep;

    /// Advances until the search is done or stale.
    fn finish(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>) {
        while self.advance(graph, hierarchy, u32::MAX).is_working() {}
    }

    /// The path of an agent: the vertices to step on, without its start. Empty to wait, and while the
    /// search runs.
    fn path_of(&self, agent: usize) -> &[Vertex];

    /// Appends the best path found so far for agent 0, without its start, to `path`; once the search is
    /// done, the final path. Searches without intermediate results append nothing before they are done.
    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>);

    /// Returns whether the path of an agent ends where the agent wants to be, once the search is done. A
    /// path may be cut off after the number of steps that the caller asked for.
    fn is_complete(&self, agent: usize) -> bool;

    /// Returns, once the search is done, whether an agent has a path to its goal at all. Always `true`
    /// for robbers.
    fn reaches(&self, agent: usize) -> bool {
        let _ = agent;
        true
    }

    /// The outcome if the robber follows its path; `None` if the search does not know it.
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    /// From now on, records the footprint of each search, for [`add_footprint`](Self::add_footprint).
    fn keep_footprint(&mut self);

    /// Adds the part of the map that the result depends on to `footprint`, if footprints are
    /// [kept](Self::keep_footprint) and the search is done.
    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint);

    /// The work since the search began, on all levels.
    fn work(&self) -> Work;
}
