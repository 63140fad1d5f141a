//! The cops of a team, the nearest to the robber first.

use crate::game::{Speed, State};
use crate::graph::{Graph, Vertex};
use crate::search::Distances;

/// A cop of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TeamCop {
    /// The turns to the robber; [`NO_PATH`] if no path leads there.
    pub(super) turns: u32,
    /// The steps to the robber; [`NO_PATH`] if no path leads there.
    pub(super) steps: u32,
    pub(super) at: Vertex,
    pub(super) speed: Speed,
    /// Its number in the state. It comes last in the order, so that it only orders cops that are interchangeable.
    pub(super) index: usize,
}

/// Stands for a number of turns or steps where there is no path.
pub(super) const NO_PATH: u32 = u32::MAX;

/// The cops of a team in an order that does not depend on their order in the state.
#[derive(Debug, Clone, Default)]
pub(super) struct SubsetTeam {
    distances: Distances,
    /// The cops that are as fast as the cops of the table, the nearest first.
    pub(super) players: Vec<TeamCop>,
    /// Slower cops, the nearest first.
    pub(super) slower: Vec<TeamCop>,
}

impl SubsetTeam {
    /// Lists the cops of `state`; the table is for cops of some speed. The robber has to be on the map. Cost: a
    /// breadth-first search.
    pub(super) fn assemble(&mut self, graph: &Graph, state: &State<'_>, speed: Speed) {
        self.distances.measure(graph, state.robber.at);
        self.players.clear();
        self.slower.clear();
        let cops = state.cops.iter().enumerate();
        for (index, cop) in cops.filter(|(_, cop)| graph.is_live(cop.at)) {
            let steps = self.distances.steps(cop.at);
            let speed_of_cop = u32::from(cop.speed.steps());
            let turns = steps.map_or(NO_PATH, |steps| steps.div_ceil(speed_of_cop));
            let list = if cop.speed < speed {
                &mut self.slower
            } else {
                &mut self.players
            };
            list.push(TeamCop {
                turns,
                steps: steps.unwrap_or(NO_PATH),
                at: cop.at,
                speed: cop.speed,
                index,
            });
        }
        self.players.sort_unstable();
        self.slower.sort_unstable();
    }

    /// The cop that reaches the robber first.
    pub(super) fn first(&self) -> Option<&TeamCop> {
        let first = self.players.first().into_iter();
        first.chain(self.slower.first()).min()
    }

    /// The steps from a vertex to the robber.
    pub(super) fn steps(&self, vertex: Vertex) -> u32 {
        self.distances.steps(vertex).unwrap_or(NO_PATH)
    }

    /// A shortest path of a cop to the robber; empty if there is none.
    pub(super) fn path(&self, graph: &Graph, member: &TeamCop) -> Vec<Vertex> {
        self.distances.path_from(graph, member.at)
    }
}
