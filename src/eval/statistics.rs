//! Statistics of a table.

use crate::game::{Outcome, Turns};
use crate::graph::Vertex;
use crate::table::Solution;

/// What the capture times of a level or graph amount to, for the rules of its table. All of them
/// are in turns with the cops to move, over all positions, with the cops distinguished.
///
/// `V` is what names a place: a [`Vertex`], or a [`Cell`](crate::map::Cell) for a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics<V = Vertex> {
    /// The number of positions.
    pub positions: u64,
    /// The positions from which the robber escapes.
    pub escapes: u64,
    /// For each number of turns the positions with this capture time.
    pub histogram: Vec<u64>,
    /// The capture time when the cops choose their places first and the robber then chooses its
    /// own. `None` if it can always choose an escape.
    pub search: Option<Search<V>>,
    /// For each start of the robber its best capture time over all places of the cops.
    pub by_robber: Vec<(V, Outcome)>,
    /// For each start of the cop its worst capture time over all places of the robber; empty for
    /// two cops and more.
    pub by_cop: Vec<(V, Outcome)>,
}

/// The search time of a graph with the cops of the rules, and where they begin.
///
/// For as many cops as the cop number it is the search time of definition 2.5 of the thesis (C.
/// Moldenhauer).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search<V = Vertex> {
    /// The capture time from there, wherever the robber begins.
    pub turns: Turns,
    /// Where the cops begin: one of the best placements, always the same.
    pub cops: Vec<V>,
}

impl Statistics {
    /// The statistics of a table. Time: linear in the positions, 64 at a time.
    #[must_use]
    pub fn of(solution: &Solution) -> Self {
        let worst = solution.worst_cases();
        let arena = solution.arena();
        let named = |outcomes: Vec<Outcome>| {
            let all = outcomes.into_iter().enumerate();
            all.map(|(place, outcome)| (arena.vertex(place), outcome))
                .collect()
        };
        Self {
            positions: solution.positions(),
            escapes: solution.escapes(),
            histogram: solution.histogram().to_vec(),
            search: worst.best.map(|(turns, cops)| Search {
                turns,
                cops: cops.into_iter().map(|cop| arena.vertex(cop)).collect(),
            }),
            by_robber: named(worst.by_robber),
            by_cop: named(worst.by_cop),
        }
    }
}

impl<V> Statistics<V> {
    /// The capture time of the graph (definition 2.5 of the thesis): the greatest over all
    /// positions, an escape if there is one.
    #[must_use]
    pub fn capture_time(&self) -> Outcome {
        if self.escapes > 0 {
            Outcome::Escapes
        } else {
            Outcome::Caught(self.longest())
        }
    }

    /// The greatest capture time of the positions from which there is a capture.
    #[must_use]
    pub fn longest(&self) -> Turns {
        Turns(self.histogram.len().saturating_sub(1) as u16)
    }

    /// The mean capture time of the positions from which there is a capture, `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let (mut captures, mut turns) = (0_u64, 0_u128);
        for (turn, &positions) in (0_u128..).zip(&self.histogram) {
            captures += positions;
            turns += turn * u128::from(positions);
        }
        (captures > 0).then(|| turns as f64 / captures as f64)
    }

    /// The same with other names for the places.
    pub(super) fn named<W>(self, name: impl Fn(V) -> W) -> Statistics<W> {
        let named = |all: Vec<(V, Outcome)>| {
            let all = all.into_iter();
            all.map(|(place, outcome)| (name(place), outcome)).collect()
        };
        Statistics {
            positions: self.positions,
            escapes: self.escapes,
            histogram: self.histogram,
            search: self.search.map(|search| Search {
                turns: search.turns,
                cops: search.cops.into_iter().map(&name).collect(),
            }),
            by_robber: named(self.by_robber),
            by_cop: named(self.by_cop),
        }
    }

    /// Adds the statistics of another component: the robber may begin in either, the cops in the
    /// same one.
    pub(super) fn add(&mut self, other: Self) {
        self.positions = self.positions.saturating_add(other.positions);
        self.escapes = self.escapes.saturating_add(other.escapes);
        let turns = self.histogram.len().max(other.histogram.len());
        self.histogram.resize(turns, 0);
        for (mine, theirs) in self.histogram.iter_mut().zip(other.histogram) {
            *mine += theirs;
        }
        self.search = match (self.search.take(), other.search) {
            (Some(mine), Some(theirs)) if theirs.turns > mine.turns => Some(theirs),
            (Some(mine), Some(_)) => Some(mine),
            _ => None,
        };
        self.by_robber.extend(other.by_robber);
        self.by_cop.extend(other.by_cop);
    }
}
