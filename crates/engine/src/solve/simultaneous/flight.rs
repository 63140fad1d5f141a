//! How the robber stays free where the cops cannot force a capture, and whether a strategy of the robber does.

use super::positions::{Exchanges, Positions};
use super::solution::MixedSolution;
use super::turn::list_columns;

/// Decides from which positions of infinite value the robber stays free for ever with positive probability.
///
/// Whether cops that know the robber's strategy capture with probability 1 depends only on which moves the robber
/// plays, not on how often it plays them. So the robber may as well name these moves before each turn. The
/// positions from which the cops then capture with probability 1 are the greatest set W that is equal to the
/// following set X. X is the least set that contains the captures and every position in which, whichever moves
/// the robber names, the cops have a joint move that leads to X against some of them and stays in W against all
/// of them. Against a given strategy, the named moves are those of the strategy (L. de Alfaro, T. Henzinger and
/// O. Kupferman, *Concurrent reachability games*, 2007).
///
/// Each time that X is complete, the other positions of W leave it. These form the next *layer*. In the first
/// layer, some moves never leave the layer, whatever the cops do: they are a safe flight. In a later layer, a
/// turn either stays in the layer or leads to an earlier one with positive probability. All moves that are in
/// accordance with this are played equally often.
///
/// In the positions that remain, the value is infinite although each strategy of the robber is caught in the
/// end: for every number of turns, a strategy survives longer.
///
/// Cost: as for finding the finite values, but only for the positions of infinite value.
#[derive(Debug)]
pub(super) struct Flight {
    /// For each distinct position, the layer in which it leaves W; [`CAUGHT`] in W.
    layers: Vec<u32>,
    /// For each distinct position, whether it is in X.
    reached: Vec<bool>,
    /// The distinct positions of infinite value.
    infinite: Vec<u32>,
    /// The next of them to examine.
    cursor: usize,
    /// Whether this round has extended X.
    has_grown: bool,
    layer: u32,
    is_done: bool,
}

/// The layer of a position from which cops that know the robber's strategy capture with probability 1.
const CAUGHT: u32 = u32::MAX;

/// What a move of the robber and a joint move of the cops lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FlightStep {
    /// To a position that has left W.
    Away,
    /// To a position of W outside of X.
    On,
    /// To X, or to a capture.
    Caught,
}

/// Memory that is used again for each position.
#[derive(Debug, Clone, Default)]
pub(super) struct FlightScratch {
    columns: Vec<u32>,
    /// For each joint move, the step of each move of the robber.
    steps: Vec<FlightStep>,
    /// The moves that the robber may still play.
    kept: Vec<bool>,
}

impl Flight {
    /// Starts with all positions in W, and with the captures and all positions of finite value in X.
    pub(super) fn new(positions: &Positions, values: &[f64]) -> Self {
        let value = |&position: &u32| values[position as usize];
        let is_finite: Vec<bool> = positions
            .distinct
            .iter()
            .map(|position| value(position).is_finite())
            .collect();
        let numbered = (0..).zip(&is_finite);
        Self {
            layers: vec![CAUGHT; is_finite.len()],
            infinite: numbered
                .filter(|(_, finite)| !**finite)
                .map(|(number, _)| number)
                .collect(),
            reached: is_finite,
            cursor: 0,
            has_grown: false,
            layer: 0,
            is_done: false,
        }
    }

    /// Examines up to `budget` positions, against the best strategy of the robber or a given one. Returns whether
    /// the sets are final.
    pub(super) fn advance(
        &mut self,
        positions: &Positions,
        given: Option<&MixedSolution>,
        budget: usize,
    ) -> bool {
        let mut scratch = FlightScratch::default();
        for _ in 0..budget {
            if self.is_done {
                break;
            }
            let Some(&distinct) = self.infinite.get(self.cursor) else {
                self.end_round();
                continue;
            };
            self.cursor += 1;
            let distinct = distinct as usize;
            if self.reached[distinct] || self.layers[distinct] != CAUGHT {
                continue;
            }
            self.look_at(positions, distinct, &mut scratch);
            let is_caught = if let Some(solution) = given {
                let (robber, _) = solution.strategies_of(distinct);
                scratch.kept.fill(false);
                for &(row, _) in robber {
                    scratch.kept[row as usize] = true;
                }
                scratch.drops_moves()
            } else {
                scratch.keep_free_moves();
                !scratch.kept.contains(&true)
            };
            if is_caught {
                self.reached[distinct] = true;
                self.has_grown = true;
            }
        }
        self.is_done
    }

    /// Returns whether cops that know the robber's strategy capture with probability 1 from some position of
    /// infinite value.
    pub(super) fn is_caught_somewhere(&self) -> bool {
        self.infinite
            .iter()
            .any(|&distinct| self.layers[distinct as usize] == CAUGHT)
    }

    /// The robber's strategy in a distinct position of infinite value: its free moves, all with the same share.
    /// If it has none, all of its moves.
    pub(super) fn strategy(
        &self,
        positions: &Positions,
        distinct: usize,
        scratch: &mut FlightScratch,
    ) -> Vec<(u32, f64)> {
        self.look_at(positions, distinct, scratch);
        if self.layers[distinct] != CAUGHT {
            scratch.keep_free_moves();
        }
        let moves = || (0..).zip(&scratch.kept).filter(|(_, kept)| **kept);
        let share = 1.0 / moves().count().max(1) as f64;
        moves().map(|(row, _)| (row, share)).collect()
    }

    /// Starts the next round of X. If X is complete, all other positions leave W.
    fn end_round(&mut self) {
        self.cursor = 0;
        if std::mem::take(&mut self.has_grown) {
            return;
        }
        self.is_done = true;
        for &distinct in &self.infinite {
            let distinct = distinct as usize;
            if self.layers[distinct] == CAUGHT && !self.reached[distinct] {
                self.layers[distinct] = self.layer;
                self.is_done = false;
            }
        }
        if !self.is_done {
            self.layer += 1;
            for &distinct in &self.infinite {
                self.reached[distinct as usize] = false;
            }
        }
    }

    /// Fills in what each pair of moves leads to, when this position leaves W or stays in it.
    fn look_at(&self, positions: &Positions, distinct: usize, scratch: &mut FlightScratch) {
        let FlightScratch {
            columns,
            steps,
            kept,
        } = scratch;
        let (robber, configuration) = positions.split(positions.distinct[distinct] as usize);
        list_columns(positions, robber, configuration, columns);
        let rows = positions.robber_moves.row(robber);
        let joint = positions.joint(configuration);
        let exchanges = Exchanges::new(positions, robber, configuration);
        let own = self.layers[distinct];
        kept.clear();
        kept.resize(rows.len(), true);
        steps.clear();
        for &column in columns.iter() {
            let goals = positions.goals(configuration, column as usize);
            steps.extend(rows.iter().map(|&row| {
                let base = row as usize * positions.configurations();
                let to = base + joint[column as usize] as usize;
                let to = positions.distinct_of[to] as usize;
                // A position that has left W had the positions of its own layer and of earlier ones outside of X.
                let is_caught = if own == CAUGHT {
                    self.reached[to]
                } else {
                    self.layers[to] > own
                };
                if is_caught || exchanges.captures(row, goals) {
                    FlightStep::Caught
                } else if self.layers[to] < own {
                    FlightStep::Away
                } else {
                    FlightStep::On
                }
            }));
        }
    }
}

impl FlightScratch {
    /// Keeps the largest set of the robber's moves against which each joint move of the cops either leads away
    /// with positive probability or never leads to X.
    fn keep_free_moves(&mut self) {
        while self.drops_moves() {}
    }

    /// Drops the moves that lead to X against a joint move that never leads away. Returns whether there were any.
    fn drops_moves(&mut self) -> bool {
        let mut has_dropped = false;
        for steps in self.steps.chunks_exact(self.kept.len().max(1)) {
            let mut played = steps.iter().zip(&self.kept).filter(|(_, kept)| **kept);
            if played.any(|(&step, _)| step == FlightStep::Away) {
                continue;
            }
            for (&step, kept) in steps.iter().zip(&mut self.kept) {
                has_dropped |= *kept && step == FlightStep::Caught;
                *kept &= step != FlightStep::Caught;
            }
        }
        has_dropped
    }
}
