//! All capture times of a game in memory.

use super::CaptureTimes;
use super::arena::Arena;
use super::shape::Shape;
use super::times::Times;
use crate::game::{Outcome, Rules, Turns};
use crate::graph::{Fingerprint, Vertex};
use std::sync::Arc;

/// All capture times of a game, in memory as the solver leaves them: a byte a position.
#[derive(Debug, Clone)]
pub struct Solution {
    arena: Arc<Arena>,
    rules: Rules,
    shape: Shape,
    times: Vec<Times>,
    solved: Vec<u64>,
    positions: u64,
}

impl Solution {
    pub(super) const fn new(
        arena: Arc<Arena>,
        rules: Rules,
        shape: Shape,
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

    /// What it was solved on.
    #[must_use]
    pub const fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// The rules it was solved for.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    pub(super) const fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn times(&self) -> &[Times] {
        &self.times
    }

    /// The value with the cops to move: in how many turns they capture the robber under optimal
    /// play. `None` if a vertex is not of the graph, or if there are not as many cops as in the
    /// rules. Constant time for each cop.
    #[must_use]
    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<Outcome> {
        let robber = self.arena.place(robber)?;
        let cops: Option<Vec<usize>> = cops.iter().map(|&cop| self.arena.place(cop)).collect();
        self.value_at(robber, &mut cops?)
    }

    /// For each number of turns how many positions with the cops to move have this capture time,
    /// the cops distinguished. Those from which the robber escapes are missing.
    #[must_use]
    pub fn histogram(&self) -> &[u64] {
        &self.solved
    }

    /// The longest capture time of all positions from which there is a capture.
    #[must_use]
    pub fn longest(&self) -> Turns {
        Turns(self.solved.len().saturating_sub(1) as u16)
    }

    /// All positions with the cops to move, the cops distinguished.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// The positions from which the robber escapes, the cops distinguished.
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
