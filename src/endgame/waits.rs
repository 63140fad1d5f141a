//! Capture times while guards are on their way to their posts.

use super::shape::LocalSteps;
use crate::game::Rules;
use crate::graph::Csr;

/// The most turns that a guard may be away from its post.
const MOST_TURNS: usize = 12;

/// The most values that are kept for these times, one byte each.
const MOST_VALUES: usize = 1 << 22;

/// The value of a position without a proof. Captures that take too long to be stored count as having no proof.
const NEVER: u8 = u8::MAX;

/// The least number of values that a slice finds.
const VALUES_OF_A_SLICE: usize = 1 << 11;

/// The number of turns that guards may be away from their posts, for a region with some players and some places,
/// including the outside.
pub(super) fn turns(places: usize, players: u8) -> u16 {
    let values = places.saturating_pow(u32::from(players) + 1);
    (MOST_VALUES / values.max(1)).min(MOST_TURNS) as u16
}

/// Capture times of all positions while the guards need some turns to arrive: a layer for each number of turns.
///
/// A layer follows from the layer of one turn less. Until the guards stand at their posts, they close nothing.
#[derive(Debug, Clone)]
pub(super) struct Waits {
    /// The first layer, in which the guards stand at their posts, is dropped in the end: it equals the table.
    layers: Vec<Vec<u8>>,
    places: usize,
    players: usize,
    turns: usize,
    /// For each place, where a move of the robber and of a player may end.
    robber_ends: Csr<u32>,
    player_ends: Csr<u32>,
    is_done: bool,
}

impl Waits {
    /// Begins to find the values of a game with guards.
    pub(super) fn new(steps: &LocalSteps, rules: Rules) -> Self {
        let places = steps.robber.rows();
        let turns = if steps.guards.is_empty() {
            0
        } else {
            turns(places, rules.cops.get())
        };
        let from = if turns == 0 { 0 } else { places };
        let ends = |steps: &Csr<u32>, speed: u8| {
            Csr::from_rows(
                (0..from)
                    .map(|from| super::local_table::walk(steps, from, speed, |_| false))
                    .map(|ends| ends.into_iter().map(|end| end as u32).collect::<Vec<u32>>()),
            )
        };
        Self {
            layers: vec![Vec::new()],
            places,
            players: rules.cops.get().into(),
            turns: turns.into(),
            robber_ends: ends(&steps.robber, rules.robber_speed.steps()),
            player_ends: ends(&steps.cops, rules.cop_speed.steps()),
            is_done: turns == 0,
        }
    }

    /// The number of values of a layer for each place of the robber.
    fn width(&self) -> usize {
        self.places.pow(self.players as u32)
    }

    /// Works for one slice. `value_at` is the table: the turns with guards at their posts.
    pub(super) fn advance(&mut self, value_at: impl Fn(usize, &mut [usize]) -> Option<u16>) {
        let mut left = VALUES_OF_A_SLICE;
        while !self.is_done && left > 0 {
            left = left.saturating_sub(self.width());
            self.row(&value_at);
            let is_full = |layer: &Vec<u8>| layer.len() == self.places * self.width();
            if self.layers.last().is_some_and(is_full) {
                self.is_done = self.layers.len() > self.turns;
                if self.is_done {
                    self.layers.remove(0);
                } else {
                    self.layers.push(Vec::new());
                }
            }
        }
    }

    /// Returns whether all values are found.
    pub(super) const fn is_done(&self) -> bool {
        self.is_done
    }

    /// About how many bytes of memory this takes.
    pub(super) fn bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.len() as u64).sum()
    }

    /// Finds the values for the next place of the robber.
    fn row(&mut self, value_at: impl Fn(usize, &mut [usize]) -> Option<u16>) {
        let width = self.width();
        let Some((layer, before)) = self.layers.split_last() else {
            return;
        };
        let robber = layer.len() / width;
        let row = match before.last() {
            Some(before) => self.row_of(robber, before),
            None => (0..width)
                .map(|index| {
                    let mut players = self.players_of(index);
                    let turns = value_at(robber, &mut players);
                    let turns = turns.and_then(|turns| u8::try_from(turns).ok());
                    turns.unwrap_or(NEVER)
                })
                .collect(),
        };
        if let Some(layer) = self.layers.last_mut() {
            layer.extend(row);
        }
    }

    /// The values for a place of the robber, by the layer of a turn less.
    fn row_of(&self, robber: usize, before: &[u8]) -> Vec<u8> {
        let width = self.width();
        if robber + 1 == self.places {
            return vec![NEVER; width];
        }
        // The worst of the robber's answers for each joint place of the players.
        let mut row = vec![0; width];
        for &end in self.robber_ends.row(robber) {
            let values = &before[end as usize * width..][..width];
            for (worst, &value) in row.iter_mut().zip(values) {
                *worst = value.max(*worst);
            }
        }
        for (index, worst) in row.iter_mut().enumerate() {
            if self.holds(index, robber) {
                *worst = 0;
            }
        }
        // The best move of one player after the other.
        for player in 0..self.players {
            row = self.best_of(player, &row);
        }
        for (index, value) in row.iter_mut().enumerate() {
            *value = if self.holds(index, robber) {
                0
            } else {
                value.saturating_add(1)
            };
        }
        row
    }

    /// For each joint place, the least value over the moves of a player.
    fn best_of(&self, player: usize, row: &[u8]) -> Vec<u8> {
        let stride = self.places.pow(player as u32);
        let mut best = vec![NEVER; row.len()];
        for (block, best) in row
            .chunks_exact(stride * self.places)
            .zip(best.chunks_exact_mut(stride * self.places))
        {
            for (place, best) in best.chunks_exact_mut(stride).enumerate() {
                for &end in self.player_ends.row(place) {
                    let values = &block[end as usize * stride..][..stride];
                    for (best, &value) in best.iter_mut().zip(values) {
                        *best = value.min(*best);
                    }
                }
            }
        }
        best
    }

    /// The places of the players of a joint place, the least significant first.
    fn players_of(&self, mut index: usize) -> Vec<usize> {
        let place = |_| {
            let place = index % self.places;
            index /= self.places;
            place
        };
        (0..self.players).map(place).collect()
    }

    /// Returns whether one of the players of a joint place stands on a place.
    fn holds(&self, mut index: usize, place: usize) -> bool {
        (0..self.players).any(|_| {
            let is_here = index % self.places == place;
            index /= self.places;
            is_here
        })
    }

    /// The number of turns in which the robber is captured, with the cops to move, if the guards stand at their posts
    /// after their move of this number, at least 1; `None` without a proof.
    pub(super) fn value(&self, turns: usize, robber: usize, players: &[usize]) -> Option<u16> {
        let digits = players.iter().rev();
        let index = digits.fold(robber, |index, player| index * self.places + player);
        let value = *self.layers.get(turns.checked_sub(1)?)?.get(index)?;
        (value != NEVER).then_some(value.into())
    }
}
