//! The moves of one cop or of a pair that one race compares, and what each is worth to the robber.

use super::MOST_ACTIVE;
use crate::graph::Vertex;
use crate::search::joint_race::{Evaluated, JointRace, MOST_MOVES, MoveSet};

/// A turn, in hundredths, the unit in which the worth of a joint move to the robber is counted.
pub(super) const TURN: i64 = 100;
/// The worth of a vertex that the robber reaches first. Measured: 1 to 10 play about equally well.
pub(super) const COVER: i64 = 3;
/// The worth of a turn that a cop needs to get to the robber. Measured: 10 to 60 play about equally well; without it,
/// cops wait where they guard.
pub(super) const APART: i64 = 30;
/// The number of turns that an escape counts for.
pub(super) const ESCAPE: i64 = 10_000;

/// What a joint move is worth to the robber. `apart` is the distance of the cops from the robber after the move, in
/// hundredths of their turns.
pub(super) fn worth(found: Evaluated, apart: i64, pressure: u32) -> i64 {
    let turns = match found.turns {
        Some(0) => return i64::MIN, // a capture
        turns => turns.map_or(ESCAPE, i64::from),
    };
    let weight = APART + i64::from(pressure);
    turns * TURN + COVER * i64::from(found.covered) + weight * apart / TURN
}

/// A move of one cop or of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopMove {
    /// The joint move of the race in which the other cops make their chosen moves.
    pub(super) index: usize,
    /// The distance of the moved cops from the robber, in hundredths of their turns.
    pub(super) apart: i64,
    /// Whether the move is chosen only if it captures the robber.
    pub(super) waits: bool,
    /// The cops and the ends of their moves; twice the same for a single cop.
    pub(super) ends: [(usize, Vertex); 2],
}

/// The candidates among which one is chosen.
#[derive(Debug, Clone, Copy)]
struct CandidateGroup {
    /// One more than the place of its last candidate.
    end: usize,
    /// The least worth of the candidates whose outcome is known.
    least: i64,
}

/// The candidates of a race, in groups: one candidate of each group is chosen.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    all: Vec<CopMove>,
    groups: Vec<CandidateGroup>,
    /// The joint moves whose outcome is known.
    known: MoveSet,
    pressure: u32,
}

impl Candidates {
    /// Forgets all candidates.
    pub(super) fn clear(&mut self, pressure: u32) {
        self.all.clear();
        self.all.reserve(MOST_MOVES + MOST_ACTIVE);
        self.groups.clear();
        self.groups.reserve(MOST_ACTIVE);
        self.known = 0;
        self.pressure = pressure;
    }

    /// Adds a candidate to the last group.
    pub(super) fn push(&mut self, candidate: CopMove) {
        self.all.push(candidate);
    }

    /// Ends the last group.
    pub(super) fn end_group(&mut self) {
        self.groups.push(CandidateGroup {
            end: self.all.len(),
            least: i64::MAX,
        });
    }

    /// The groups.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[CopMove]> {
        let mut from = 0;
        self.groups.iter().map(move |group| {
            let all = &self.all[from..group.end];
            from = group.end;
            all
        })
    }

    /// What a candidate is worth to the robber, as far as the race knows.
    pub(super) fn worth(&self, race: &JointRace, candidate: &CopMove) -> i64 {
        let found = race.evaluated(candidate.index);
        if candidate.waits && found.turns != Some(0) {
            // The robber could wait as well, for ever.
            return i64::MAX;
        }
        worth(found, candidate.apart, self.pressure)
    }

    /// Returns whether the choices no longer depend on the joint moves in which the robber is still free: in each group
    /// these are worth more to the robber than the best candidate, even if the robber is captured in the next turn.
    pub(super) fn are_settled(&mut self, race: &JointRace, free: MoveSet) -> bool {
        let new = !free & !self.known;
        self.known |= new;
        let mut from = 0;
        let mut groups = std::mem::take(&mut self.groups);
        let mut is_settled = true;
        for CandidateGroup { end, least } in &mut groups {
            let group = &self.all[from..*end];
            from = *end;
            let of = |set: MoveSet| {
                let is_in = move |candidate: &&CopMove| set >> candidate.index & 1 != 0;
                let found = group.iter().filter(is_in);
                found.map(|candidate| self.worth(race, candidate))
            };
            *least = of(new).fold(*least, i64::min);
            is_settled = is_settled && *least < i64::MAX && of(free).all(|worth| worth > *least);
        }
        self.groups = groups;
        is_settled
    }
}
