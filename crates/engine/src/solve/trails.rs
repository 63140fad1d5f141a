//! `TrailMax` on a [`ReachableGraph`]: lower bounds on the values of states with the robber to move.

use super::bounds::NEVER;
use super::reachable_graph::ReachableGraph;
use super::spot::Spot;
use crate::game::{Agent, Outcome, Side, Speed, State, Turns};
use crate::graph::Vertex;
use crate::search::{JointRace, MoveSet, Race};

/// Computes the turns that a robber survives on its best fixed path. This is a lower bound on the value,
/// because the robber can follow the path whatever the cops do.
#[derive(Debug, Default)]
pub struct Trails {
    race: Race,
    joint: JointRace,
    /// Places of cops after joint moves, each with the set of moves that lead there.
    cops: Vec<(u16, MoveSet)>,
}

/// A race answers whether the robber survives a number of turns, and could stop after these turns. It goes on to the next
/// of these limits, so that the next question seldom takes another race.
///
/// Short races see a small part of a large map.
const LIMITS: [u16; 4] = [8, 16, 32, 64];

/// The limit of a race that tells whether the robber survives `turns` turns; 0 for none.
fn limit_for(turns: u16) -> u16 {
    let mut limits = LIMITS.into_iter();
    limits.find(|&limit| limit >= turns).unwrap_or_default()
}

/// Returns whether a lower bound may come from a race that its limit has cut short.
pub(super) fn may_be_cut(lower: u16) -> bool {
    LIMITS.iter().any(|&limit| limit + 1 == lower)
}

fn agent(place: u16, speed: u8) -> Agent {
    Agent {
        at: Vertex::from_index(place.into()),
        speed: Speed::new(speed).unwrap_or_default(),
    }
}

/// The approximate number of bytes that the races take for each place.
const BYTES_OF_A_PLACE: usize = 256;
/// The approximate number of bytes that the races take besides.
const FIXED_BYTES: usize = 1 << 14;

impl Trails {
    /// The bytes that the races take on `graph`.
    pub(super) fn most_bytes(graph: &ReachableGraph) -> u64 {
        (graph.places() * BYTES_OF_A_PLACE + FIXED_BYTES) as u64
    }

    /// Of a state with the robber to move. At least `wanted` if the robber lasts so long, if not more.
    pub fn turns(&mut self, graph: &ReachableGraph, spot: Spot, wanted: u16) -> u16 {
        let (cop_speed, robber_speed) = graph.speeds();
        let cops = spot.cops.map(|cop| agent(cop, cop_speed));
        let state = State {
            robber: agent(spot.robber, robber_speed),
            cops: &cops[..graph.cops],
            to_move: Side::Robber,
        };
        self.race.limit_turns(limit_for(wanted).into());
        let outcome = self.race.solve(graph, &state).outcome;
        match outcome {
            Outcome::Caught(Turns(turns)) => turns,
            Outcome::Escapes | Outcome::Away(_) => NEVER,
        }
    }

    /// Rates up to [`MOST_MOVES`](crate::search::MOST_MOVES) joint moves of the cops at once, each at least
    /// `wanted` if the robber lasts so long.
    pub(super) fn rate(
        &mut self,
        graph: &ReachableGraph,
        robber: u16,
        moves: impl Iterator<Item = Spot>,
        wanted: u16,
    ) {
        self.cops.clear();
        let mut count = 0;
        for (index, spot) in moves.enumerate() {
            count = index + 1;
            let bit: MoveSet = 1 << index;
            for place in &spot.cops[..graph.cops] {
                match self.cops.iter_mut().find(|(cop, _)| cop == place) {
                    Some((_, moves)) => *moves |= bit,
                    None => self.cops.push((*place, bit)),
                }
            }
        }
        let (cop_speed, robber_speed) = graph.speeds();
        let cops = self.cops.iter();
        let cops = cops.map(|&(cop, moves)| (agent(cop, cop_speed), moves));
        self.joint.limit_turns(limit_for(wanted));
        self.joint
            .begin(graph, agent(robber, robber_speed), count, cops);
        self.joint.advance(graph, u32::MAX);
    }

    /// The turns after the joint move with this index, and the number of places that the robber reaches first.
    pub(super) fn rating(&self, index: usize) -> (u16, u32) {
        let rating = self.joint.evaluated(index);
        let turns = rating
            .turns
            .map(|turns| turns.min(u32::from(NEVER - 1)) as u16);
        (turns.unwrap_or(NEVER), rating.covered)
    }
}
