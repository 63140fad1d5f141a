//! The subsets and the joint moves that a decision compares.

use super::leaders::Score;
use super::{OpenTable, SubsetPlayer};
use crate::game::{JointMoves, JointOrder, Outcome};
use crate::graph::Vertex;
use crate::policy::TablePlayer;
use crate::table::CaptureTimes;

/// The most moves of a subset that are compared: those that end nearest to the robber.
const MOST_MOVES: usize = 64;

/// The most joint moves of the core for which all are compared: the number of three cops of one step.
const MOST_JOINT_MOVES: usize = 9 * 9 * 9;

/// A subset of the players with its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValuedSubset {
    pub(super) value: Outcome,
    /// The steps of its cops to the robber.
    pub(super) steps: u64,
    pub(super) players: Vec<usize>,
}

/// A joint move of the core.
#[derive(Debug, Clone)]
pub(super) struct JointMove {
    pub(super) score: Score,
    /// The players that move.
    pub(super) players: Vec<usize>,
    /// For each of them the number of its move.
    pub(super) joint: Vec<usize>,
    /// Where they end.
    pub(super) ends: Vec<Vertex>,
}

impl SubsetPlayer {
    /// Adds the best joint moves of a subset and its partner. In each of them, the subset makes one of its optimal
    /// `moves`. If there are few joint moves and more than one is wanted, joint moves in which all sub-games together
    /// keep the capture in time count as well.
    pub(super) fn list_candidates(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: Vertex,
        bound: &ValuedSubset,
        mut moves: Vec<Vec<Vertex>>,
        most: usize,
    ) -> Option<()> {
        let mut players = bound.players.clone();
        let size = players.len();
        players.extend(self.partner(table, robber, &players));
        self.begin_core(table, robber, &players)?;
        let most_work = self
            .core
            .most_probes()
            .saturating_mul(TablePlayer::EXPANSIONS_OF_A_PROBE);
        // Sub-games do not see that a fast robber is blocked: only the subset's own moves do.
        if most > 1
            && most_work / 2 <= self.spending.left() / 4
            && self.list_all_in_time(table, &players, bound.value, most)?
        {
            return Some(());
        }
        if moves.len() > MOST_MOVES || most_work > self.spending.left() {
            let team = &self.team;
            let far = |ends: &Vec<Vertex>| -> u64 {
                ends.iter().map(|&end| u64::from(team.steps(end))).sum()
            };
            moves.sort_by_cached_key(far);
            moves.truncate(MOST_MOVES);
        }
        self.list_own(table, &players, size, moves, most)
    }

    /// Adds the best of all joint moves of some players after which the sub-games together keep the capture in time.
    /// Returns whether there are candidates afterwards. Does nothing if there are too many joint moves.
    fn list_all_in_time(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        players: &[usize],
        value: Outcome,
        most: usize,
    ) -> Option<bool> {
        let Some(counts) = self.counts_of_moves(players.len()) else {
            return Some(false);
        };
        // The same cops have the same joint moves.
        let is_same = |other: &JointMove| {
            other.players.len() == players.len()
                && other.players.iter().all(|player| players.contains(player))
        };
        if self.candidates.iter().any(is_same) {
            return Some(true);
        }
        let mut joint_moves = JointMoves::default();
        joint_moves.start(JointOrder::FirstFastest, counts);
        while let Some(joint) = joint_moves.advance() {
            if self.core.is_in_time(table, joint, value)? {
                self.add_candidate(table, players, joint, most)?;
            }
        }
        self.spending.look_up(self.core.take_probes());
        Some(!self.candidates.is_empty())
    }

    /// The number of moves of each of some cops of the core; `None` if there are too many joint moves.
    pub(super) fn counts_of_moves(&self, cops: usize) -> Option<Vec<usize>> {
        let counts = (0..cops).map(|cop| self.core.moves_of(cop));
        let counts: Vec<usize> = counts.collect();
        (counts.iter().product::<usize>() <= MOST_JOINT_MOVES).then_some(counts)
    }

    /// Adds the best joint moves in which a subset, the first `size` players, makes one of its `moves`.
    fn list_own(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        players: &[usize],
        size: usize,
        moves: Vec<Vec<Vertex>>,
        most: usize,
    ) -> Option<()> {
        let mut joint = Vec::new();
        for ends in moves {
            joint.clear();
            for (cop, &end) in ends.iter().enumerate() {
                joint.push(self.core.move_to(cop, end)?);
            }
            joint.resize(players.len(), 0);
            let moves_of_partner = players.get(size).map_or(1, |_| self.core.moves_of(size));
            for number in 0..moves_of_partner {
                if self.spending.left() == 0 && !self.candidates.is_empty() {
                    return Some(());
                }
                if let Some(last) = joint.get_mut(size) {
                    *last = number;
                }
                self.add_candidate(table, players, &joint, most)?;
            }
        }
        Some(())
    }

    /// Adds a joint move if it is among the best so far.
    pub(super) fn add_candidate(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        players: &[usize],
        joint: &[usize],
        most: usize,
    ) -> Option<()> {
        let score = self.core.score(table, joint)?;
        self.spending.look_up(self.core.take_probes());
        let at = self
            .candidates
            .partition_point(|other| other.score <= score);
        if at < most {
            self.candidates.truncate(most - 1);
            let candidate = JointMove {
                score,
                players: players.to_vec(),
                joint: joint.to_vec(),
                ends: self.core.ends(joint).collect(),
            };
            self.candidates.insert(at, candidate);
        }
        Some(())
    }
}
