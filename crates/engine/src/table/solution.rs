//! All capture times of a game, in memory.

use super::CaptureTimes;
use super::arena::Arena;
use super::shape::PlacementIndex;
use super::times::{MAX_TURNS, Times};
use crate::game::{Outcome, Rules, Turns};
use crate::graph::{Fingerprint, Vertex};
use std::sync::Arc;

/// All capture times of a game as the solver leaves them in memory: one byte for each position.
#[derive(Debug, Clone)]
pub struct Solution {
    arena: Arc<Arena>,
    rules: Rules,
    shape: PlacementIndex,
    times: Vec<Times>,
    /// The number of positions for each number of turns until capture, and until the robber is away.
    solved: Vec<u64>,
    solved_away: Vec<u64>,
    positions: u64,
}

impl Solution {
    pub(super) const fn new(
        arena: Arc<Arena>,
        rules: Rules,
        shape: PlacementIndex,
        times: Vec<Times>,
        solved: Vec<u64>,
        solved_away: Vec<u64>,
        positions: u64,
    ) -> Self {
        Self {
            arena,
            rules,
            shape,
            times,
            solved,
            solved_away,
            positions,
        }
    }

    /// The arena that the game was solved on.
    #[must_use]
    pub const fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// The rules that the game was solved for.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    pub(super) const fn shape(&self) -> &PlacementIndex {
        &self.shape
    }

    /// The bytes of memory of the capture times.
    pub(crate) fn bytes(&self) -> u64 {
        self.times.iter().map(Times::bytes).sum()
    }

    pub(super) fn times(&self) -> &[Times] {
        &self.times
    }

    /// The value of a position with the cops to move: the number of turns until capture under
    /// optimal play, or until the robber is away. `None` if a vertex does not belong to the graph, if
    /// the number of cops differs from the rules, or if the position is illegal (see
    /// [`ArenaBuilder`](super::ArenaBuilder)). Time: k log k for k cops.
    #[must_use]
    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<Outcome> {
        let robber = self.arena.place(robber)?;
        let cops: Option<Vec<usize>> = cops.iter().map(|&cop| self.arena.place(cop)).collect();
        self.value_at(robber, &mut cops?)
    }

    /// The turns of the 64 placements whose least cop is on a board; [`u16::MAX`] for an escape. `row` holds the other
    /// cops in order. All values are [`u16::MAX`] on the boards that the row does not have. The robber is on a place.
    pub(crate) fn unpack(&self, row: &[usize], board: usize, robber: usize) -> [u16; 64] {
        let word = self.shape.word(row, board);
        word.map_or([u16::MAX; 64], |word| self.times[word].unpack(robber))
    }

    /// For each number of turns, the number of positions with the cops to move that have this
    /// capture time, counting cops as distinguished. Positions from which the robber escapes are
    /// not included.
    #[must_use]
    pub fn histogram(&self) -> &[u64] {
        &self.solved
    }

    /// For each number of turns, the number of positions with the cops to move in which the robber
    /// needs this number to be away, counting cops as distinguished. Empty if it never is.
    #[must_use]
    pub fn away_histogram(&self) -> &[u64] {
        &self.solved_away
    }

    /// The longest time until the robber is away, of all positions from which it can force that.
    /// `None` if there are none.
    #[must_use]
    pub fn longest_away(&self) -> Option<Turns> {
        let last = self.solved_away.len().checked_sub(1)?;
        Some(Turns(last as u16))
    }

    /// The longest capture time of all positions from which the robber is captured.
    #[must_use]
    pub fn longest(&self) -> Turns {
        Turns(self.solved.len().saturating_sub(1) as u16)
    }

    /// The greatest number that stands for an outcome: see [`outcome_of`].
    pub(super) fn greatest_number(&self) -> u16 {
        (self.solved.len() + self.solved_away.len()).saturating_sub(1) as u16
    }

    /// Returns whether some escapes may be captures of more turns than a table holds: 65,534. With
    /// exits, a robber may also be away later than that; the two share the numbers.
    #[must_use]
    pub fn may_take_longer(&self) -> bool {
        self.escapes() > 0 && self.greatest_number() == MAX_TURNS
    }

    /// The number of positions with the cops to move, counting cops as distinguished.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of positions from which the robber stays free for ever, counting cops as
    /// distinguished. Those from which it is away are not among them.
    #[must_use]
    pub fn escapes(&self) -> u64 {
        let solved = self.solved.iter().chain(&self.solved_away);
        self.positions - solved.sum::<u64>()
    }

    /// The outcome that a stored number stands for; `None` for [`Outcome::Escapes`].
    pub(super) fn outcome(&self, number: Option<u16>) -> Outcome {
        outcome_of(number, self.solved.len())
    }
}

impl CaptureTimes for Solution {
    fn rules(&self) -> Rules {
        self.rules
    }

    fn fingerprint(&self) -> Fingerprint {
        self.arena.fingerprint()
    }

    fn places(&self) -> usize {
        self.shape.places
    }

    fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome> {
        let places = self.shape.places;
        let known = |&place: &usize| place < places;
        if cops.len() != self.shape.cops || !known(&robber) || !cops.iter().all(known) {
            return None;
        }
        if !self.arena.is_legal(robber, cops) {
            return None;
        }
        let (word, least) = self.shape.position(cops)?;
        let turns = self.times[word].read(robber, least % 64);
        Some(self.outcome(turns))
    }
}

/// The outcome that a stored number stands for, which is `None` for [`Outcome::Escapes`]. The first
/// `captures` numbers are turns until capture; the others begin again with 0 turns until the robber
/// is away.
pub(super) const fn outcome_of(number: Option<u16>, captures: usize) -> Outcome {
    match number {
        None => Outcome::Escapes,
        Some(turns) if (turns as usize) < captures => Outcome::Caught(Turns(turns)),
        Some(number) => Outcome::Away(Turns(number - captures as u16)),
    }
}
