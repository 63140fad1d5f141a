//! Cops that choose at the same time as the robber share out the vertices where its move may end.

use super::dice::Dice;
use super::move_ends::MoveEnds;
use crate::game::Agent;
use crate::graph::{Graph, Vertex};

/// The most vertices that are shared out. A robber with more of them is too fast to be covered.
const MOST_ENDS: usize = 64;

/// Once this number of expansions is spent on one robber, no further cops take part.
const MOST_WORK: u64 = 4096;

/// This number of steps of the matching counts as an expansion.
const STEPS: u64 = 16;

/// A cop that can end its move where that of the robber may end.
#[derive(Debug, Clone, Copy)]
struct Coverer {
    /// The ends of the robber's move that it reaches, as bits.
    reaches: u64,
    /// The one that it covers.
    covers: Option<usize>,
}

/// Assigns the vertices where the next move of a robber may end to the cops that can end their moves there.
///
/// On a clock on which both sides choose simultaneously, a cop that steps onto the robber's vertex captures only a robber that
/// stays. So the cops near the robber cover as many of its moves as they can, each another one: a maximum matching, found
/// by augmenting paths (H. W. Kuhn, *The Hungarian method for the assignment problem*, 1955). The robber's own vertex comes
/// first: a cop beside the robber that goes there also captures a robber that passes it. Which of the other moves are
/// covered, if not all of them can be, is drawn, so that no robber knows.
///
/// Cost: the moves of the robber and of each cop near it, at most some thousand expansions. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct MoveCover {
    moves: MoveEnds,
    /// Where the robber's move may end, and the cop that covers it.
    ends: Vec<(Vertex, Option<usize>)>,
    /// The places of the ends in that list, by vertex.
    places: Vec<(Vertex, usize)>,
    cops: Vec<Coverer>,
    visited: Vec<bool>,
    work: u64,
}

impl MoveCover {
    /// Shares out the moves of a robber among cops, nearest first, and returns the number of cops that took part: 0 if the
    /// robber is too fast, and otherwise as many as some thousand expansions suffice for. `seed`: for what is drawn.
    pub(crate) fn share_out(
        &mut self,
        graph: &Graph,
        robber: Agent,
        cops: &[Agent],
        seed: u64,
    ) -> usize {
        self.cops.clear();
        self.list_ends(graph, robber, seed);
        let mut spent = self.moves.take_work().expansions;
        if self.ends.len() <= MOST_ENDS {
            for &cop in cops {
                if spent > MOST_WORK {
                    break;
                }
                let reaches = self.reach(graph, cop);
                spent += 1 + self.moves.take_work().expansions;
                self.cops.push(Coverer {
                    reaches,
                    covers: None,
                });
            }
            for end in 0..self.ends.len() {
                self.visited.clear();
                self.visited.resize(self.cops.len(), false);
                spent += self.cops.len() as u64 / STEPS;
                self.augment(end);
            }
        }
        self.work += spent;
        self.cops.len()
    }

    /// Lists where the robber's move may end: its own vertex, then the others, shuffled.
    fn list_ends(&mut self, graph: &Graph, robber: Agent, seed: u64) {
        let Self {
            moves,
            ends,
            places,
            ..
        } = self;
        ends.clear();
        ends.push((robber.at, None));
        let others = moves.find(graph, robber.at, robber.speed, |_| false);
        ends.extend(others.iter().map(|&end| (end, None)));
        let mut dice = Dice::new(seed);
        for last in (2..ends.len()).rev() {
            ends.swap(last, 1 + dice.below(last));
        }
        places.clear();
        places.extend(ends.iter().enumerate().map(|(at, &(end, _))| (end, at)));
        places.sort_unstable();
    }

    /// The ends of the robber's move where that of a cop may end, as bits.
    fn reach(&mut self, graph: &Graph, cop: Agent) -> u64 {
        let Self { moves, places, .. } = self;
        let ends = moves.find(graph, cop.at, cop.speed, |_| false);
        let bit = |end: &Vertex| {
            let place = places.binary_search_by_key(end, |&(end, _)| end);
            place.map_or(0, |place| 1 << places[place].1)
        };
        ends.iter()
            .map(bit)
            .fold(bit(&cop.at), |all, bit| all | bit)
    }

    /// Finds a cop for an end. Other cops may take other ends for its sake.
    fn augment(&mut self, end: usize) -> bool {
        for cop in 0..self.cops.len() {
            if self.visited[cop] || self.cops[cop].reaches & 1 << end == 0 {
                continue;
            }
            self.visited[cop] = true;
            let covers = self.cops[cop].covers;
            if covers.is_none_or(|other| self.augment(other)) {
                self.cops[cop].covers = Some(end);
                self.ends[end].1 = Some(cop);
                return true;
            }
        }
        false
    }

    /// The end of the robber's move that a cop covers, if there is one for it.
    pub(crate) fn end_of(&self, cop: usize) -> Option<Vertex> {
        let covers = self.cops.get(cop)?.covers?;
        Some(self.ends[covers].0)
    }

    /// What the calls since the last one of this function took, in expansions.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }
}

#[cfg(test)]
mod tests;
