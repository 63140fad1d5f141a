//! Capture times while guards are on their way to their posts.

use super::local_table::walk;
use super::shape::LocalSteps;
use crate::game::Rules;
use crate::graph::Csr;

/// The most turns that a guard may be away from its post.
const MOST_TURNS: usize = 12;

/// The most values that are kept for these times, one byte each.
const MOST_VALUES: usize = 1 << 22;

/// The value of a position without a proof. Captures that take too long to be stored count as having no proof.
const NEVER: u8 = u8::MAX;

/// The cost of a slice: about the number of values for which a player's best move is found in the time of a slice of the
/// table. The other costs are in these values, too.
const VALUES_OF_A_SLICE: usize = 1 << 14;

/// The cost of looking up 64 values of the table.
const VALUES_OF_A_LOOK_UP: usize = 128;

/// The cost of a piece of a row, beside that of its values.
const VALUES_BESIDE_A_PIECE: usize = 12;

/// The least number of values that are worked on at once, if the row has as many.
const VALUES_OF_A_PIECE: usize = 256;

/// The cost of finding where a move ends, beside that of comparing the ends.
const VALUES_OF_AN_END: usize = 8;

/// The number of values that can be found in the time of one in which a player moves, if there is no move of a player.
const QUICK_VALUES: usize = 4;

/// The most players of a game in which guards may be away from their posts.
const MOST_PLAYERS: u8 = 2;

/// The number of turns that guards may be away from their posts, for a region with some players and some places,
/// including the outside.
pub(super) fn turns(places: usize, players: u8) -> u16 {
    if players > MOST_PLAYERS {
        return 0;
    }
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
    /// The steps of the robber in a turn.
    robber_speed: u8,
    /// The steps of a player in a turn.
    player_speed: u8,
    /// For each place, where a move of the robber and of a player may end. They are found first.
    robber_ends: Csr<u32>,
    player_ends: Csr<u32>,
    row: WaitRow,
    is_done: bool,
}

/// The values for a place of the robber, as far as they are found: one for each joint place of the players.
///
/// They are found in passes over all values. Each pass goes over the places of the last player, and works on the joint
/// places with the last player there as one item.
#[derive(Debug, Clone, Default)]
struct WaitRow {
    pass: RowPass,
    /// The next item of the pass: a place of the last player.
    item: usize,
    values: Vec<u8>,
    /// The values after the present player's moves, as far as they are found.
    moved: Vec<u8>,
    /// Those of the item.
    best: Vec<u8>,
}

/// What is done to the values of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum RowPass {
    /// They are looked up in the table, for the first layer.
    LookUp,
    /// They become the worst of the robber's answers.
    #[default]
    Worst,
    /// They become the best of the last player's moves. Afterwards, the last player is the first, so that this pass is
    /// the same for each player. The number counts the players that have moved.
    Best(usize),
    /// They become values of the layer.
    Store,
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
        Self {
            layers: vec![Vec::new()],
            places,
            players: rules.cops.get().into(),
            robber_speed: rules.robber_speed.steps(),
            player_speed: rules.cop_speed.steps(),
            turns: turns.into(),
            robber_ends: Csr::with_capacity(places, 0),
            player_ends: Csr::with_capacity(places, 0),
            row: WaitRow::default(),
            is_done: turns == 0,
        }
    }

    /// The number of values of a layer for each place of the robber.
    fn width(&self) -> usize {
        self.places.pow(self.players as u32)
    }

    /// The number of values of an item of a row.
    fn stride(&self) -> usize {
        self.places.pow(self.players.saturating_sub(1) as u32)
    }

    /// Works for one slice. `look_up` gives 64 values of the table, [`u16::MAX`] without a capture: the turns with guards
    /// at their posts, the robber on a place, all players but one on `others`, and that one on the places of a board. It
    /// is asked for no place beyond that of the other player.
    pub(super) fn advance(
        &mut self,
        steps: &LocalSteps,
        look_up: impl Fn(usize, &[usize], usize) -> [u16; 64],
    ) {
        let mut left = VALUES_OF_A_SLICE;
        while !self.is_done && left > 0 {
            left = left.saturating_sub(if self.player_ends.rows() < self.places {
                self.find_ends(steps)
            } else {
                self.work_on_item(&look_up)
            });
        }
        if self.is_done {
            self.row = WaitRow::default();
        }
    }

    /// Finds where the moves from the next place end. Returns the cost.
    fn find_ends(&mut self, steps: &LocalSteps) -> usize {
        let from = self.player_ends.rows();
        let mut cost = VALUES_BESIDE_A_PIECE;
        let mut add = |all: &mut Csr<u32>, steps: &Csr<u32>, speed| {
            let ends = walk(steps, from, speed, |_| false);
            // Each new end is compared with those before.
            cost += ends.len() * (ends.len() + VALUES_OF_AN_END);
            all.push_row(ends.into_iter().map(|end| end as u32));
        };
        add(&mut self.robber_ends, &steps.robber, self.robber_speed);
        add(&mut self.player_ends, &steps.cops, self.player_speed);
        cost
    }

    /// Works on the next items. Returns the cost.
    fn work_on_item(&mut self, look_up: impl Fn(usize, &[usize], usize) -> [u16; 64]) -> usize {
        let (width, stride, places) = (self.width(), self.stride(), self.places);
        let Some((layer, before)) = self.layers.split_last_mut() else {
            return 1;
        };
        let (robber, item) = (layer.len() / width, self.row.item);
        // Look-ups are for one item at a time.
        let most = if before.is_empty() {
            1
        } else {
            VALUES_OF_A_PIECE / stride
        };
        let items = most.clamp(1, places - item);
        let length = items * stride;
        let mut cost = VALUES_BESIDE_A_PIECE;
        match (before.last(), self.row.pass) {
            (None, _) => {
                self.row.pass = RowPass::LookUp;
                let look_up = |others: &[usize], board| look_up(robber, others, board);
                cost += self.row.look_up(places, width, look_up);
            }
            (Some(_), _) if robber + 1 == places => {
                self.row.pass = RowPass::Store;
                self.row.values.resize(width, NEVER);
                self.row.values[item * stride..][..length].fill(NEVER);
                cost += length / QUICK_VALUES;
            }
            (Some(before), RowPass::Worst) => {
                let ends = self.robber_ends.row(robber);
                self.row
                    .find_worst(before, width, item * stride, length, ends);
                self.row.mark_captures(robber, items, places, stride);
                cost += length / QUICK_VALUES;
            }
            (Some(_), RowPass::Best(_)) => {
                for item in item..item + items {
                    let ends = self.player_ends.row(item);
                    self.row.find_best(item, ends, places, stride);
                    cost += VALUES_OF_AN_END + stride;
                }
            }
            (Some(_), _) => {
                self.row.count_turn(item * stride, length);
                self.row.mark_captures(robber, items, places, stride);
                cost += length / QUICK_VALUES;
            }
        }
        if self.row.next(items, places, self.players) {
            layer.extend_from_slice(&self.row.values);
            self.finish_layer();
        }
        cost
    }

    /// Begins the next layer if the last one is complete.
    fn finish_layer(&mut self) {
        let all = self.places * self.width();
        if self.layers.last().is_none_or(|layer| layer.len() < all) {
            return;
        }
        self.is_done = self.layers.len() > self.turns;
        if self.is_done {
            self.layers.remove(0);
        } else {
            self.layers.push(Vec::with_capacity(all));
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

    /// The number of turns in which the robber is captured, with the cops to move, if the guards stand at their posts
    /// after their move of this number, at least 1; `None` without a proof.
    pub(super) fn value(&self, turns: usize, robber: usize, players: &[usize]) -> Option<u16> {
        let digits = players.iter().rev();
        let index = digits.fold(robber, |index, player| index * self.places + player);
        let value = *self.layers.get(turns.checked_sub(1)?)?.get(index)?;
        (value != NEVER).then_some(value.into())
    }
}

impl WaitRow {
    /// Looks up the values of the item: those of the places up to the item's own. If the two players change places, the
    /// values are the same. A single player has all of its values in one item, which is the last one of the pass. Returns
    /// the cost.
    fn look_up(
        &mut self,
        places: usize,
        width: usize,
        look_up: impl Fn(&[usize], usize) -> [u16; 64],
    ) -> usize {
        self.values.resize(width, NEVER);
        let is_alone = width == places;
        if is_alone {
            self.item = places - 1;
        }
        let item = self.item;
        let other = [item];
        let others = if is_alone { &[][..] } else { &other[..] };
        for board in 0..=item / 64 {
            let turns = look_up(others, board);
            for (first, &turns) in (board * 64..=item).zip(&turns) {
                let value = turns.min(NEVER.into()) as u8;
                if is_alone {
                    self.values[first] = value;
                } else {
                    self.values[item * places + first] = value;
                    self.values[first * places + item] = value;
                }
            }
        }
        (item / 64 + 1) * VALUES_OF_A_LOOK_UP
    }

    /// Adds the worst of the robber's answers for the next `length` values. `before`: the layer of a turn less, with
    /// `width` values for each place of the robber.
    fn find_worst(
        &mut self,
        before: &[u8],
        width: usize,
        from: usize,
        length: usize,
        robber_ends: &[u32],
    ) {
        self.values.truncate(from);
        self.values.resize(from + length, 0);
        for &end in robber_ends {
            let answers = &before[end as usize * width + from..][..length];
            for (worst, &value) in self.values[from..].iter_mut().zip(answers) {
                *worst = value.max(*worst);
            }
        }
    }

    /// Finds the best move of the last player from the place of the item, which becomes the first player.
    fn find_best(&mut self, item: usize, player_ends: &[u32], places: usize, stride: usize) {
        self.moved.resize(self.values.len(), NEVER);
        if stride == 1 {
            let values = player_ends.iter().map(|&end| self.values[end as usize]);
            self.moved[item] = values.min().unwrap_or(NEVER);
            return;
        }
        self.best.clear();
        self.best.resize(stride, NEVER);
        for &end in player_ends {
            let values = &self.values[end as usize * stride..][..stride];
            for (best, &value) in self.best.iter_mut().zip(values) {
                *best = value.min(*best);
            }
        }
        let moved = self.moved[item..].iter_mut().step_by(places);
        for (moved, &best) in moved.zip(&self.best) {
            *moved = best;
        }
    }

    /// Adds the turn to `length` values.
    fn count_turn(&mut self, from: usize, length: usize) {
        for value in &mut self.values[from..][..length] {
            *value = value.saturating_add(1);
        }
    }

    /// Sets the values of the next items to 0 where a player stands on the robber's place.
    fn mark_captures(&mut self, robber: usize, items: usize, places: usize, stride: usize) {
        let from = self.item;
        let values = &mut self.values[from * stride..][..items * stride];
        if (from..from + items).contains(&robber) {
            values[(robber - from) * stride..][..stride].fill(0);
        }
        let mut length = 1;
        while length < stride {
            for block in values.chunks_exact_mut(length * places) {
                block[robber * length..][..length].fill(0);
            }
            length *= places;
        }
    }

    /// Goes on by a number of items. Returns whether the values are found.
    fn next(&mut self, items: usize, places: usize, players: usize) -> bool {
        self.item += items;
        if self.item < places {
            return false;
        }
        self.item = 0;
        let (pass, is_found) = match self.pass {
            RowPass::LookUp | RowPass::Store => (RowPass::Worst, true),
            RowPass::Worst => (RowPass::Best(0), false),
            RowPass::Best(moved) => {
                std::mem::swap(&mut self.values, &mut self.moved);
                let is_last = moved + 1 == players;
                let next = if is_last {
                    RowPass::Store
                } else {
                    RowPass::Best(moved + 1)
                };
                (next, false)
            }
        };
        self.pass = pass;
        is_found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::shape::{MayLeave, PlaceSteps};
    use crate::game::Speed;
    use crate::graph::GOLDEN_RATIO;
    use proptest::prelude::*;
    use std::num::NonZeroU8;

    /// A ring of places with some more links, a leaving step and a guard.
    fn steps_of(inside: usize, links: &[(usize, usize)]) -> LocalSteps {
        let ring = (0..inside).map(|place| (place, (place + 1) % inside));
        let links = links.iter().map(|&(a, b)| (a % inside, b % inside));
        let links: Vec<(usize, usize)> = ring.chain(links).filter(|(a, b)| a != b).collect();
        let places = (0..inside).map(|place| {
            let ends = links.iter().filter_map(|&(a, b)| match place {
                _ if a == place => Some(b as u32),
                _ if b == place => Some(a as u32),
                _ => None,
            });
            PlaceSteps {
                inside: ends.collect(),
                leaves: place == 0,
                enters: place == 0,
                is_guarded: place == 0,
            }
        });
        LocalSteps::new(places, MayLeave::ForRobber)
    }

    /// A table of arbitrary turns in which the order of the players does not matter.
    fn turns_of(seed: u64, robber: usize, players: &[usize]) -> u16 {
        let mut players = players.to_vec();
        players.sort_unstable();
        if players.contains(&robber) {
            return 0;
        }
        let all = std::iter::once(robber).chain(players);
        let hash = all.fold(seed, |hash, place| {
            (hash ^ place as u64)
                .wrapping_mul(GOLDEN_RATIO)
                .rotate_left(23)
        });
        match hash % 7 {
            0 => u16::MAX,
            1 => 250 + (hash >> 8) as u16 % 10,
            _ => 1 + (hash >> 8) as u16 % 40,
        }
    }

    /// The next layer by its definition: the best joint move of the players against the robber's worst answer.
    fn by_definition(
        steps: &LocalSteps,
        rules: Rules,
        robber: usize,
        players: &[usize],
        before: &dyn Fn(usize, &[usize]) -> Option<u16>,
    ) -> Option<u16> {
        if robber == steps.outside() {
            return None;
        }
        if players.contains(&robber) {
            return Some(0);
        }
        let ends = |player: usize| walk(&steps.cops, player, rules.cop_speed.steps(), |_| false);
        let mut joint = vec![vec![]];
        for &player in players {
            let with = |moved: &Vec<usize>| {
                let moved = moved.clone();
                let with = move |end| moved.iter().copied().chain([end]).collect();
                ends(player)
                    .into_iter()
                    .map(with)
                    .collect::<Vec<Vec<usize>>>()
            };
            joint = joint.iter().flat_map(with).collect();
        }
        let answers = walk(&steps.robber, robber, rules.robber_speed.steps(), |_| false);
        let worst = |moved: &Vec<usize>| {
            let mut answers = answers.iter().filter(|_| !moved.contains(&robber));
            answers.try_fold(0, |worst, &answer| Some(before(answer, moved)?.max(worst)))
        };
        let best = joint.iter().filter_map(worst).min()?;
        Some(best + 1).filter(|&turns| turns < NEVER.into())
    }

    fn assert_right(steps: &LocalSteps, rules: Rules, seed: u64, checks: u64) {
        let mut waits = Waits::new(steps, rules);
        while !waits.is_done() {
            waits.advance(steps, |robber, others, board| {
                std::array::from_fn(|column| {
                    let mut players = others.to_vec();
                    players.push(board * 64 + column);
                    turns_of(seed, robber, &players)
                })
            });
        }
        assert!(waits.turns > 0);
        let places = steps.robber.rows();
        for check in 0..checks {
            let draw =
                |index: u64| (check.wrapping_mul(0x9e37_79b9) >> (7 * index)) as usize % places;
            let players: Vec<usize> = (0..rules.cops.get().into())
                .map(|cop| draw(cop + 1))
                .collect();
            for turn in 1..=waits.turns {
                let before = |robber: usize, players: &[usize]| match turn {
                    1 => {
                        Some(turns_of(seed, robber, players)).filter(|&turns| turns < NEVER.into())
                    }
                    _ => waits.value(turn - 1, robber, players),
                };
                let expected = by_definition(steps, rules, draw(0), &players, &before);
                let found = waits.value(turn, draw(0), &players);
                assert_eq!(found, expected, "{} {players:?} {turn}", draw(0));
            }
        }
    }

    fn rules_of(cops: u8, robber_speed: u8, cop_speed: u8) -> Rules {
        let speed = |steps| Speed::new(steps).unwrap_or(Speed::ONE);
        Rules {
            cops: NonZeroU8::new(cops).unwrap_or(NonZeroU8::MIN),
            robber_speed: speed(robber_speed),
            cop_speed: speed(cop_speed),
            ..Rules::default()
        }
    }

    proptest! {
        #[test]
        fn each_layer_is_the_best_move_against_the_worst_answer(
            inside in 2_usize..24,
            links in prop::collection::vec((0_usize..99, 0_usize..99), 0..12),
            speeds in (1_u8..3, 1_u8..3),
            cops in 1_u8..3,
            seed: u64,
        ) {
            let steps = steps_of(inside, &links);
            assert_right(&steps, rules_of(cops, speeds.0, speeds.1), seed, 30);
        }
    }

    #[test]
    fn values_beyond_one_word_of_places_are_looked_up() {
        let steps = steps_of(140, &[(3, 90), (20, 65), (64, 128)]);
        assert_right(&steps, rules_of(2, 1, 1), 7, 2_000);
        assert_right(&steps, rules_of(1, 2, 1), 8, 2_000);
    }
}
