//! The solution of a game: bounds on the values of all positions, and rounded mixed strategies of both sides.

use super::chain::CHUNK;
use super::flight::{Flight, FlightScratch};
use super::positions::Positions;
use super::rounding::rounded;
use super::sweep::{Chunk, Strategies};
use crate::game::Rules;
use crate::graph::Vertex;
use crate::table::Arena;
use std::sync::Arc;

/// Bounds on an expected capture time in turns. Both are 0 after a capture, and infinite if the cops cannot
/// force a capture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixedValue {
    /// The robber has a strategy that survives at least this long on average.
    pub lower: f64,
    /// The cops have a strategy that captures after at most this long on average.
    pub upper: f64,
}

/// The solution of a simultaneous game in memory.
#[derive(Debug)]
pub struct MixedSolution {
    #[doc(hidden)]
    pub positions: Positions,
    /// The value of each position.
    #[doc(hidden)]
    pub values: Vec<f64>,
    /// The strategies of the distinct positions, [`CHUNK`] at a time. All shares are multiples of 1 /
    /// [`super::rounding::WHOLE`].
    pub(super) strategies: Vec<Strategies>,
    scale: Scale,
}

/// The factors by which values are multiplied to become bounds.
///
/// Let T be the operator of a turn, and T v <= v + d in all positions for some d < 1. Then u = v / (1 - d)
/// satisfies T u <= u, since T u - 1 = (T v - 1) / (1 - d): cops that play their strategy for v expect a
/// capture within u turns. Similarly, v / (1 + d) is a lower bound if T v >= v - d.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub lower: f64,
    pub upper: f64,
}

/// More than the rounding error of a product and a quotient.
const MARGIN: f64 = 8.0 * f64::EPSILON;

impl Scale {
    /// The factors for values that a turn raises by at most `rise` and lowers by at most `fall`.
    pub(super) fn new(rise: f64, fall: f64) -> Self {
        let upper = if rise < 1.0 {
            (1.0 + MARGIN) / (1.0 - rise)
        } else {
            f64::INFINITY
        };
        Self {
            lower: (1.0 - MARGIN) / (1.0 + fall),
            upper,
        }
    }

    pub(super) fn of(self, value: f64) -> MixedValue {
        if value == 0.0 {
            return MixedValue {
                lower: 0.0,
                upper: 0.0,
            };
        }
        MixedValue {
            lower: value * self.lower,
            upper: value * self.upper,
        }
    }
}

/// The strategies of both sides in a position, as places of the arena with shares out of [`super::rounding::WHOLE`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PlacedStrategies {
    /// The places to which the robber moves.
    pub robber: Vec<(u16, u32)>,
    /// For each joint move, the place to which each cop moves, in the order of the configuration.
    pub cops: Vec<(Vec<u16>, u32)>,
}

impl MixedSolution {
    pub(super) fn new(
        positions: Positions,
        values: Vec<f64>,
        chunks: Vec<Chunk>,
        flight: Option<&Flight>,
        rise: f64,
        fall: f64,
    ) -> Self {
        let chunks = chunks.into_iter().map(Chunk::into_strategies).enumerate();
        let mut scratch = FlightScratch::default();
        let strategies = chunks.map(|(chunk, exact)| {
            let mut kept = Strategies::default();
            let run = positions.distinct.iter().skip(chunk * CHUNK).take(CHUNK);
            for (index, &position) in run.enumerate() {
                let flight = flight.filter(|_| values[position as usize].is_infinite());
                if let Some(flight) = flight {
                    let robber = flight.strategy(&positions, chunk * CHUNK + index, &mut scratch);
                    kept.push(&rounded(&robber), std::iter::empty());
                } else {
                    let (robber, cops) = exact.at(index);
                    kept.push(&rounded(robber), rounded(cops).into_iter());
                }
            }
            kept
        });
        let strategies = strategies.collect();
        Self {
            positions,
            values,
            strategies,
            scale: Scale::new(rise, fall),
        }
    }

    /// The map or graph of the game.
    #[must_use]
    pub const fn arena(&self) -> &Arc<Arena> {
        &self.positions.arena
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.positions.rules
    }

    /// The number of positions, with interchangeable cops.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// The number of positions up to symmetries of the map.
    #[must_use]
    pub fn distinct_positions(&self) -> usize {
        self.positions.distinct.len()
    }

    /// The number of positions from which the cops cannot force a capture.
    #[must_use]
    pub fn infinite(&self) -> usize {
        self.values
            .iter()
            .filter(|value| value.is_infinite())
            .count()
    }

    /// The bounds of the position with the longest finite expected capture time.
    #[must_use]
    pub fn longest(&self) -> MixedValue {
        let finite = self
            .values
            .iter()
            .copied()
            .filter(|value| value.is_finite());
        self.scale.of(finite.fold(0.0, f64::max))
    }

    /// The bounds of a position, given by places. Sorts the cops. `None` if a place does not exist, or if the
    /// number of cops differs from the rules.
    #[must_use]
    pub fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<MixedValue> {
        let position = self.positions.number(robber, cops)?;
        Some(self.scale.of(self.values[position]))
    }

    /// The bounds of a position, given by vertices.
    #[must_use]
    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<MixedValue> {
        let robber = self.positions.arena.place(robber)?;
        let cops: Option<Vec<usize>> = cops
            .iter()
            .map(|&cop| self.positions.arena.place(cop))
            .collect();
        self.value_at(robber, &mut cops?)
    }

    pub(super) const fn scale(&self) -> Scale {
        self.scale
    }

    /// The strategies of a distinct position as numbers of moves.
    pub(super) fn strategies_of(&self, distinct: usize) -> (&[(u32, f64)], &[(u32, f64)]) {
        self.strategies[distinct / CHUNK].at(distinct % CHUNK)
    }

    /// The strategies of any position, mapped by a symmetry from the distinct position that represents it.
    pub(super) fn placed(&self, position: usize) -> PlacedStrategies {
        let positions = &self.positions;
        let distinct = positions.distinct_of[position] as usize;
        let (robber, cops) = self.strategies_of(distinct);
        let image = positions.distinct[distinct] as usize;
        let back = positions.symmetry_back(position, image);
        let (there, configuration) = positions.split(image);
        let moves = positions.robber_moves.row(there);
        let share = |share: f64| super::rounding::weight(share);
        let robber = robber
            .iter()
            .map(|&(number, of)| (back(moves[number as usize] as u16), share(of)));
        let mut placed = PlacedStrategies {
            robber: robber.collect(),
            cops: Vec::new(),
        };
        for &(number, of) in cops {
            let goals = positions.goals(configuration, number as usize);
            let both = positions.cops(configuration).iter().zip(goals);
            let mut both: Vec<(u16, u16)> =
                both.map(|(&cop, &goal)| (back(cop), back(goal))).collect();
            both.sort_unstable();
            placed
                .cops
                .push((both.into_iter().map(|(_, goal)| goal).collect(), share(of)));
        }
        placed.robber.sort_unstable();
        placed.cops.sort_unstable();
        placed
    }
}
