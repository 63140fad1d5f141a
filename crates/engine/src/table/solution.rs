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
    solved: Vec<u64>,
    positions: u64,
}

impl Solution {
    pub(super) const fn new(
        arena: Arc<Arena>,
        rules: Rules,
        shape: PlacementIndex,
        times: Vec<Times>,
        solved: Vec<u64>,
        positions: u64,
    ) -> Self {
        Self {
            arena,
            rules,
            shape,
            times,
            solved,
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
    /// optimal play. `None` if a vertex does not belong to the graph, or if the number of cops
    /// differs from the rules. Time: k log k for k cops.
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

    /// The longest capture time of all positions from which the robber is captured.
    #[must_use]
    pub fn longest(&self) -> Turns {
        Turns(self.solved.len().saturating_sub(1) as u16)
    }

    /// Returns whether some escapes may be captures of more turns than a table holds: 65,534.
    #[must_use]
    pub fn may_take_longer(&self) -> bool {
        self.escapes() > 0 && self.longest().0 == MAX_TURNS
    }

    /// The number of positions with the cops to move, counting cops as distinguished.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of positions from which the robber escapes, counting cops as distinguished.
    #[must_use]
    pub fn escapes(&self) -> u64 {
        self.positions - self.solved.iter().sum::<u64>()
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
        let (word, least) = self.shape.position(cops)?;
        let turns = self.times[word].read(robber, least % 64);
        Some(turns.map_or(Outcome::Escapes, |turns| Outcome::Caught(Turns(turns))))
    }
}
