//! The cops of a team, the nearest to the robber first.

use crate::game::{Speed, State};
use crate::graph::{Graph, Vertex};
use crate::search::Distances;

/// A cop that has a path to the robber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    /// The turns to the robber.
    pub(super) turns: u32,
    /// The steps to the robber.
    pub(super) steps: u32,
    pub(super) at: Vertex,
    pub(super) speed: Speed,
    /// Its number in the state. It comes last, so that it orders only cops that are interchangeable.
    pub(super) index: usize,
}

/// The cops that have a path to the robber, in an order that does not depend on that of the state.
#[derive(Debug, Clone, Default)]
pub(super) struct Team {
    distances: Distances,
    /// Those that are as fast as the cops of the table, the nearest first.
    pub(super) players: Vec<Member>,
    /// Slower ones, the nearest first.
    pub(super) slower: Vec<Member>,
}

impl Team {
    /// Lists the cops of `state`; the table is for cops of some speed. The robber has to be on the map. Cost: a
    /// breadth-first search.
    pub(super) fn assemble(&mut self, graph: &Graph, state: &State<'_>, speed: Speed) {
        self.distances.measure(graph, state.robber.at);
        self.players.clear();
        self.slower.clear();
        let cops = state.cops.iter().enumerate();
        for (index, cop) in cops.filter(|(_, cop)| graph.is_live(cop.at)) {
            let Some(steps) = self.distances.steps(cop.at) else {
                continue;
            };
            let list = if cop.speed < speed {
                &mut self.slower
            } else {
                &mut self.players
            };
            list.push(Member {
                turns: steps.div_ceil(cop.speed.steps().into()),
                steps,
                at: cop.at,
                speed: cop.speed,
                index,
            });
        }
        self.players.sort_unstable();
        self.slower.sort_unstable();
    }

    /// The cop that reaches the robber first.
    pub(super) fn first(&self) -> Option<&Member> {
        let first = self.players.first().into_iter();
        first.chain(self.slower.first()).min()
    }

    /// The steps from a vertex to the robber.
    pub(super) fn steps(&self, vertex: Vertex) -> u32 {
        self.distances.steps(vertex).unwrap_or(u32::MAX)
    }

    /// A shortest path of a cop to the robber.
    pub(super) fn path(&self, graph: &Graph, member: &Member) -> Vec<Vertex> {
        self.distances.path_from(graph, member.at)
    }
}
