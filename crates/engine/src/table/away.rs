//! The second half of a solution with exits: in how many turns the robber is away.
//!
//! What the first half finds is unaffected by it: where the cops can force a capture, the robber
//! cannot force its way to an exit. So the turns until it is away follow from the exits alone, by
//! the same induction with the parts of the sides exchanged: the robber needs one walk, and against
//! all joint moves of the cops.
//!
//! The sets are kept the other way round than in a slab: for each placement of the interchangeable
//! cops, one bit for each place of the robber. The cops' part asks for all joint moves at once, and
//! then a word is 64 places of the robber for the same joint move.

use super::arena::Arena;
use super::arena_rules::ArenaRules;
use super::balls::Balls;
use super::bits::ones;
use super::bound::FixedMoves;
use super::ranking::Ranking;
use super::shape::{PlacementIndex, count_sets};
use super::sweep::{SweepCount, Threads, map};
use crate::game::{Rules, Side};
use crate::graph::Csr;
use std::ops::Range;
use std::sync::Arc;

/// A place of the robber and a placement of the cops in which the robber is away in the number of
/// turns in progress. Both are given as in a slab: word, bit of the least cop.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewlyAway {
    pub word: usize,
    pub bit: usize,
    pub robber: usize,
}

/// Finds the positions from which the robber reaches an exit, turn by turn.
#[derive(Debug)]
pub(super) struct AwaySolver {
    arena: Arc<Arena>,
    robber_steps: u8,
    cops: usize,
    /// The numbers of the placements: sets of interchangeable cops.
    ranking: Ranking,
    /// The number of words of a set of places.
    width: usize,
    /// For each place, the places from which one step of the robber leads there.
    before: Csr<u32>,
    /// For each place of a cop, the places of the robber on which it captures; empty if that is its
    /// own place.
    covered: Option<Csr<u32>>,
    /// The positions with the cops to move from which the robber is known to be away, and the
    /// positions with the robber to move.
    away: Vec<u64>,
    after: Vec<u64>,
    /// The placements whose set in `away` has grown in the last turn.
    grown: Vec<bool>,
    /// The number of turns in progress.
    turns: u16,
}

/// What a solver knows of the moves of the cops, and of a side that plays a policy.
#[derive(Clone, Copy)]
pub(super) struct AwayMoves<'a> {
    pub shape: &'a PlacementIndex,
    pub balls: &'a Balls,
    pub bound: Option<&'a FixedMoves>,
}

impl<'a> AwayMoves<'a> {
    /// The policy of a side.
    fn of(self, side: Side) -> Option<&'a FixedMoves> {
        self.bound.filter(|bound| bound.side() == side)
    }
}

/// The new places of the robber for a placement of the cops.
struct NewPlaces {
    cops: Vec<usize>,
    places: Vec<u64>,
    /// The number of words examined.
    looked: usize,
}

impl AwaySolver {
    pub(super) fn new(arena: &Arc<Arena>, rules: Rules) -> Self {
        let (places, cops) = (arena.places(), usize::from(rules.cops.get()));
        let ranking = Ranking::new(places, cops);
        let (sets, width) = (ranking.len(cops), places.div_ceil(64));
        let zones = arena.rules().and_then(|rules| rules.zones.as_ref());
        Self {
            arena: Arc::clone(arena),
            robber_steps: rules.robber_speed.steps(),
            cops,
            ranking,
            width,
            before: arena.all_steps().transposed(places),
            covered: zones.map(|zones| zones.transposed(places)),
            away: vec![0; sets * width],
            after: vec![0; sets * width],
            grown: vec![false; sets],
            turns: 0,
        }
    }

    /// The memory in bytes; `None` on overflow.
    pub(super) fn bytes(places: usize, cops: u8) -> Option<u64> {
        let sets = count_sets(places as u128, cops.into())?;
        let a_set = 16 * places.div_ceil(64) as u128 + 1;
        u64::try_from(sets.checked_mul(a_set)?).ok()
    }

    /// The number of placements, which are the items of both parts of a turn.
    pub(super) fn sets(&self) -> usize {
        self.grown.len()
    }

    /// The number of turns in progress.
    pub(super) const fn turns(&self) -> u16 {
        self.turns
    }

    /// Finds the positions with the robber to move from which a walk leads to a known position, for
    /// some placements.
    pub(super) fn robber_moves(
        &mut self,
        threads: Threads,
        sets: Range<usize>,
        moves: AwayMoves<'_>,
    ) -> SweepCount {
        let this = &*self;
        let walks = map(threads, sets.clone().collect(), |_, set| {
            this.grown[set].then(|| match moves.of(Side::Robber) {
                None => this.walks(set),
                Some(bound) => this.bound_walks(set, moves.shape, bound),
            })
        });
        let mut looked = sets.len();
        for (set, walks) in sets.zip(walks) {
            if let Some(walks) = walks {
                looked += self.width * usize::from(self.robber_steps);
                self.after[set * self.width..][..self.width].copy_from_slice(&walks);
            }
        }
        looked.into()
    }

    /// Finds the positions with the cops to move from which every joint move leads to a known
    /// position, for some placements. In turn 0 these are the positions on exits. Calls `note` for
    /// each new position, with every slot in which it is stored.
    pub(super) fn cop_moves(
        &mut self,
        threads: Threads,
        sets: Range<usize>,
        moves: AwayMoves<'_>,
        mut note: impl FnMut(NewlyAway),
    ) -> SweepCount {
        let this = &*self;
        let grown = map(threads, sets.clone().collect(), |_, set| {
            this.new_places(set, moves)
        });
        let mut count = SweepCount::from(sets.len() * self.width);
        for (set, grown) in sets.zip(grown) {
            self.grown[set] = grown.is_some();
            let Some(new) = grown else { continue };
            count.looked += new.looked;
            let away = &mut self.away[set * self.width..][..self.width];
            for (away, new) in away.iter_mut().zip(&new.places) {
                *away |= new;
            }
            count.solved += ones(&new.places).count() as u64 * orders(&new.cops);
            for (word, bit) in slots(moves.shape, &new.cops) {
                ones(&new.places).for_each(|robber| note(NewlyAway { word, bit, robber }));
            }
        }
        count
    }

    /// Goes to the next turn.
    pub(super) const fn end_turn(&mut self) {
        self.turns += 1;
    }

    fn places_of(&self, set: usize) -> Vec<usize> {
        let mut cops = vec![0; self.cops];
        self.ranking.unrank(set, &mut cops);
        cops
    }

    /// The places of the robber, which is to move, from which a walk leads to a known position.
    fn walks(&self, set: usize) -> Vec<u64> {
        let cops = self.places_of(set);
        let judges_cops = self.arena.rules().is_none_or(ArenaRules::judges_cops);
        let mut from = self.away[set * self.width..][..self.width].to_vec();
        for _ in 0..self.robber_steps {
            let mut next = vec![0; self.width];
            for place in ones(&from) {
                for &before in self.before.row(place) {
                    next[before as usize / 64] |= 1 << (before % 64);
                }
            }
            if judges_cops {
                self.remove_covered(&cops, &mut next);
            }
            if next == from {
                break;
            }
            from = next;
        }
        from
    }

    /// The same for a robber that plays a policy.
    fn bound_walks(&self, set: usize, shape: &PlacementIndex, bound: &FixedMoves) -> Vec<u64> {
        let mut cops = self.places_of(set);
        let away = &self.away[set * self.width..][..self.width];
        let mut from = vec![0; self.width];
        for robber in 0..shape.places {
            let end = bound.robber_end(shape, &mut cops, robber);
            let leads = end.is_some_and(|end| away[end / 64] >> (end % 64) & 1 == 1);
            from[robber / 64] |= u64::from(leads) << (robber % 64);
        }
        if self.arena.rules().is_none_or(ArenaRules::judges_cops) {
            self.remove_covered(&cops, &mut from);
        }
        from
    }

    /// Removes the places on which the cops capture a robber.
    fn remove_covered(&self, cops: &[usize], places: &mut [u64]) {
        for &cop in cops {
            let mut remove = |place: usize| places[place / 64] &= !(1 << (place % 64));
            match &self.covered {
                None => remove(cop),
                Some(covered) => covered.row(cop).iter().for_each(|&at| remove(at as usize)),
            }
        }
    }

    /// The new places of the robber with the cops to move; `None` if there are none.
    fn new_places(&self, set: usize, moves: AwayMoves<'_>) -> Option<NewPlaces> {
        let rules = self.arena.rules()?;
        let first = set * self.width;
        let known = |board: usize| match (self.turns, moves.of(Side::Cops)) {
            (0, _) => rules.exits.board(board),
            (_, Some(_)) => rules.robber_ground.board(board),
            // Free cops may wait, so the same is known with the robber to move.
            _ => self.after[first + board],
        };
        let open = |board: usize| known(board) & !self.away[first + board];
        let mut places: Vec<u64> = (0..self.width).map(open).collect();
        if places.iter().all(|&word| word == 0) {
            return None;
        }
        let cops = self.places_of(set);
        if !rules.allows(&cops) {
            return None;
        }
        self.remove_covered(&cops, &mut places);
        let mut looked = self.width;
        match moves.of(Side::Cops) {
            _ if self.turns == 0 => {}
            None => self.keep_forced(&cops, moves.balls, &mut places, &mut looked),
            Some(bound) => {
                looked += ones(&places).count();
                self.keep_bound(&cops, moves.shape, bound, &mut places);
            }
        }
        let grows = places.iter().any(|&word| word != 0);
        grows.then_some(NewPlaces {
            cops,
            places,
            looked,
        })
    }

    /// Keeps the places from which the move of the cops' policy leads to a known position.
    fn keep_bound(
        &self,
        cops: &[usize],
        shape: &PlacementIndex,
        bound: &FixedMoves,
        open: &mut [u64],
    ) {
        let mut moved = Vec::with_capacity(cops.len());
        let candidates: Vec<usize> = ones(open).collect();
        for robber in candidates {
            moved.clear();
            moved.extend_from_slice(cops);
            bound.move_cops(shape, &mut moved, robber);
            moved.sort_unstable();
            let after = self.after[self.ranking.rank(&moved) * self.width + robber / 64];
            if after >> (robber % 64) & 1 == 0 {
                open[robber / 64] &= !(1 << (robber % 64));
            }
        }
    }

    /// Keeps the places from which every joint move of the cops leads to a known position.
    fn keep_forced(&self, cops: &[usize], balls: &Balls, open: &mut [u64], looked: &mut usize) {
        let mut choices = vec![0; cops.len()];
        let mut moved = vec![0; cops.len()];
        loop {
            for ((moved, &cop), &choice) in moved.iter_mut().zip(cops).zip(&choices) {
                *moved = balls.row(cop)[choice] as usize;
            }
            moved.sort_unstable();
            if self.arena.rules().is_none_or(|rules| rules.allows(&moved)) {
                let after = self.ranking.rank(&moved) * self.width;
                let after = &self.after[after..][..self.width];
                for (open, after) in open.iter_mut().zip(after) {
                    *open &= after;
                }
                *looked += self.width;
                if open.iter().all(|&word| word == 0) {
                    return;
                }
            }
            let mut digits = choices.iter_mut().zip(cops);
            let goes_on = digits.any(|(choice, &cop)| {
                *choice = (*choice + 1) % balls.row(cop).len();
                *choice > 0
            });
            if !goes_on {
                return;
            }
        }
    }
}

/// In how many orders the sorted cops can stand on their places.
fn orders(cops: &[usize]) -> u64 {
    let (mut orders, mut alike) = (1, 0);
    for (index, cop) in cops.iter().enumerate() {
        let is_another = index == 0 || cops[index - 1] != *cop;
        alike = if is_another { 1 } else { alike + 1 };
        orders = orders * (index as u64 + 1) / alike;
    }
    orders
}

/// The words and bits in which the placement of the sorted cops is stored: once for each of its
/// places on the board of the least cop.
fn slots(shape: &PlacementIndex, cops: &[usize]) -> Vec<(usize, usize)> {
    let board = cops.first().map_or(0, |least| least / 64);
    let mut slots = Vec::new();
    for (index, &cop) in cops.iter().enumerate() {
        let is_another = index == 0 || cops[index - 1] != cop;
        if cop / 64 == board && is_another {
            let row = [&cops[..index], &cops[index + 1..]].concat();
            slots.extend(shape.word(&row, board).map(|word| (word, cop % 64)));
        }
    }
    slots
}
