//! What the verification of a table with other rules asks of these rules.

use super::arena::Arena;
use super::arena_rules::ArenaRules;
use super::file::Table;

/// The rank of positions that cannot occur. No cops move into one, because it ranks above all others.
const ILLEGAL: u16 = u16::MAX;

/// The rules of a table, and its values in the order of the robber's preference.
///
/// A rank is a number that grows with what the robber prefers: first the turns until capture, then
/// free for ever, and then, from late to early, the turns until it is away. Between the three there
/// is room for one turn more than the table has, so that an expected value never looks like another
/// one. Games so long that the ranks do not suffice share the highest.
pub(super) struct RuleBook<'a> {
    rules: &'a ArenaRules,
    /// The number of numbers that are turns until capture, and until the robber is away.
    captures: u16,
    away: u16,
}

impl<'a> RuleBook<'a> {
    /// `None` for cops and robber on one graph.
    pub(super) fn of(arena: &'a Arena, table: &Table) -> Option<Self> {
        Some(Self {
            rules: arena.rules()?,
            captures: table.histogram().len() as u16,
            away: table.away_histogram().len() as u16,
        })
    }

    const fn free(&self) -> u16 {
        self.captures.saturating_add(1)
    }

    /// The rank of a number of turns until the robber is away.
    const fn away_in(&self, turns: u16) -> u16 {
        let earlier = self.away.saturating_sub(turns);
        let rank = self.free().saturating_add(1).saturating_add(earlier);
        if rank == ILLEGAL { ILLEGAL - 1 } else { rank }
    }

    /// The rank of a number of the table, which is `u16::MAX` for never.
    const fn rank(&self, number: u16) -> u16 {
        match number {
            u16::MAX => self.free(),
            turns if turns < self.captures => turns,
            number => self.away_in(number - self.captures),
        }
    }

    /// The number of the table with a rank; `None` for never.
    pub(super) const fn number(&self, rank: u16) -> Option<u16> {
        if rank == ILLEGAL || rank == self.free() {
            None
        } else if rank < self.free() {
            Some(rank)
        } else {
            let earlier = rank - self.free() - 1;
            Some(
                self.captures
                    .saturating_add(self.away.saturating_sub(earlier)),
            )
        }
    }

    /// The rank of a position one turn before.
    pub(super) const fn one_turn_earlier(&self, rank: u16) -> u16 {
        if rank == ILLEGAL || rank == self.free() {
            rank
        } else if rank < self.free() {
            rank + 1
        } else {
            rank - 1
        }
    }

    /// Replaces the numbers of a row of positions by their ranks. `others` are the places of all cops
    /// but the first.
    pub(super) fn rank_all(
        &self,
        robber: usize,
        others: impl Iterator<Item = usize>,
        numbers: &mut [u16],
    ) {
        self.judge(robber, others, numbers, |book, _, number| {
            *number = book.rank(*number);
        });
    }

    /// Sets the values of a row where the robber, which is to move, is caught or away.
    pub(super) fn judge_walk(
        &self,
        robber: usize,
        others: impl Iterator<Item = usize>,
        ranks: &mut [u16],
    ) {
        let captures = self.rules.exits.contains(robber) || self.rules.judges_cops();
        self.judge_ends(robber, others, ranks, captures);
    }

    /// Sets the values of a row where the robber is caught or away before the cops move.
    pub(super) fn judge_turn(
        &self,
        robber: usize,
        others: impl Iterator<Item = usize>,
        ranks: &mut [u16],
    ) {
        self.judge_ends(robber, others, ranks, true);
    }

    /// Sets the values of a row where the game is over. `captures` says whether a robber in reach of a cop is caught.
    fn judge_ends(
        &self,
        robber: usize,
        others: impl Iterator<Item = usize>,
        ranks: &mut [u16],
        captures: bool,
    ) {
        let is_exit = self.rules.exits.contains(robber);
        self.judge(robber, others, ranks, |book, is_caught, rank| {
            if is_caught && captures {
                *rank = 0;
            } else if is_exit {
                *rank = book.away_in(0);
            }
        });
    }

    /// Applies `work` to the legal positions of a row, with whether the robber is captured there.
    fn judge(
        &self,
        robber: usize,
        others: impl Iterator<Item = usize>,
        ranks: &mut [u16],
        work: impl Fn(&Self, bool, &mut u16),
    ) {
        let mut cops: Vec<usize> = std::iter::once(0).chain(others).collect();
        for (place, rank) in ranks.iter_mut().enumerate() {
            cops[0] = place;
            if self.rules.is_legal(robber, &cops) {
                let is_caught = cops.iter().any(|&cop| self.rules.captures(cop, robber));
                work(self, is_caught, rank);
            } else {
                *rank = ILLEGAL;
            }
        }
    }
}
