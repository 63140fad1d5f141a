//! Statistics of a table.

use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::graph::Vertex;
use pursuit_engine::table::{MAX_TURNS, Solution};

/// Statistics of the capture times of a level or graph, for the rules of its table. All times are in
/// turns with the cops to move. All positions count, with the cops distinguished.
///
/// `V` is the type of a place: a [`Vertex`], or a [`Cell`](pursuit_engine::map::Cell) for a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics<V = Vertex> {
    /// The number of positions.
    pub positions: u64,
    /// The positions from which the robber stays free for ever.
    pub escapes: u64,
    /// The number of positions with each capture time, from 0 turns.
    pub histogram: Vec<u64>,
    /// The number of positions with each time until the robber is away, from 0 turns; empty without
    /// exits.
    pub away: Vec<u64>,
    /// The capture time when the cops choose their places first and the robber then chooses its own.
    /// `None` if it can always choose a place from which it escapes.
    pub search: Option<SearchStatistics<V>>,
    /// For each start of the robber, the best value for the robber over all places of the cops.
    pub by_robber: Vec<(V, Outcome)>,
    /// For each start of the cop, the longest capture time over all places of the robber; empty for two
    /// or more cops.
    pub by_cop: Vec<(V, Outcome)>,
}

/// The search time of a graph for the cops of the rules, and where the cops begin.
///
/// If the number of cops is the cop number, this is the search time of C. Moldenhauer's thesis,
/// definition 2.5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchStatistics<V = Vertex> {
    /// The capture time from these places against the best start of the robber.
    pub turns: Turns,
    /// The starting places of the cops: one of the best placements, always the same one.
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
            away: solution.away_histogram().to_vec(),
            search: worst.best.map(|(turns, cops)| SearchStatistics {
                turns,
                cops: cops.into_iter().map(|cop| arena.vertex(cop)).collect(),
            }),
            by_robber: named(worst.by_robber),
            by_cop: named(worst.by_cop),
        }
    }
}

impl<V> Statistics<V> {
    /// The capture time of the graph (C. Moldenhauer's thesis, definition 2.5): the greatest over all
    /// positions, or an escape if there is one, or the earliest way out if there are exits.
    #[must_use]
    pub fn capture_time(&self) -> Outcome {
        if let Some(turns) = self.away.iter().position(|&positions| positions > 0) {
            Outcome::Away(Turns(turns as u16))
        } else if self.escapes > 0 {
            Outcome::Escapes
        } else {
            Outcome::Caught(self.longest())
        }
    }

    /// The greatest capture time of all positions from which the cops win.
    #[must_use]
    pub fn longest(&self) -> Turns {
        Turns(self.histogram.len().saturating_sub(1) as u16)
    }

    /// Returns whether some escapes may be captures of more turns than a table holds: 65,534.
    #[must_use]
    pub fn may_take_longer(&self) -> bool {
        self.escapes > 0 && self.longest().0 == MAX_TURNS
    }

    /// The mean capture time of all positions from which the cops win, `None` if there is none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let (mut captures, mut turns) = (0_u64, 0_u128);
        for (turn, &positions) in (0_u128..).zip(&self.histogram) {
            captures += positions;
            turns += turn * u128::from(positions);
        }
        (captures > 0).then(|| turns as f64 / captures as f64)
    }

    /// Converts the places to another type.
    pub(super) fn named<W>(self, name: impl Fn(V) -> W) -> Statistics<W> {
        let named = |all: Vec<(V, Outcome)>| {
            let all = all.into_iter();
            all.map(|(place, outcome)| (name(place), outcome)).collect()
        };
        Statistics {
            positions: self.positions,
            escapes: self.escapes,
            histogram: self.histogram,
            away: self.away,
            search: self.search.map(|search| SearchStatistics {
                turns: search.turns,
                cops: search.cops.into_iter().map(&name).collect(),
            }),
            by_robber: named(self.by_robber),
            by_cop: named(self.by_cop),
        }
    }

    /// Adds the statistics of another component. The robber may begin in either component; the cops
    /// begin in the same one.
    pub(super) fn add(&mut self, other: Self) {
        self.positions = self.positions.saturating_add(other.positions);
        self.escapes = self.escapes.saturating_add(other.escapes);
        add_counts(&mut self.histogram, &other.histogram);
        add_counts(&mut self.away, &other.away);
        self.search = match (self.search.take(), other.search) {
            (Some(mine), Some(theirs)) if theirs.turns > mine.turns => Some(theirs),
            (Some(mine), Some(_)) => Some(mine),
            _ => None,
        };
        self.by_robber.extend(other.by_robber);
        self.by_cop.extend(other.by_cop);
    }
}

fn add_counts(mine: &mut Vec<u64>, theirs: &[u64]) {
    mine.resize(mine.len().max(theirs.len()), 0);
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}
