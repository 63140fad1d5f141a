//! The moves of a side that plays a given policy, as sets of bits.

use super::balls::Balls;
use super::bits::Bits;
use super::shape::PlacementIndex;
use super::slab::Fresh;
use crate::game::Side;

/// If no agent reaches more than this number of places, the choices of 64 positions are evaluated
/// together.
const FEW: usize = 64;

/// The move of one side in each position. The choice of each of its agents is an index into the
/// list of places that the agent can reach.
///
/// Indices are stored as bit planes: bit `j` of the indices of 64 positions is one word. Some
/// positions of several cops occur more than once in a [`PlacementIndex`]. The choices of the cops are
/// stored only where the least cop is the column; the choices of the robber are copied to the other
/// occurrences by [`Self::complete`].
#[derive(Debug)]
pub(super) struct FixedMoves {
    side: Side,
    /// For each place, the places that an agent of the side can reach in a turn.
    balls: Balls,
    /// The number of bits of a choice.
    bits: usize,
    /// The number of words that hold the choices for one word of cop placements and one place of
    /// the robber.
    width: usize,
    choices: Vec<u64>,
}

impl FixedMoves {
    /// The number of words that hold the choices for one word of cop placements and one place of
    /// the robber, if no agent reaches more than `ends` places.
    pub(super) fn width(side: Side, cops: usize, ends: usize) -> usize {
        let agents = if side == Side::Cops { cops } else { 1 };
        (agents * bits(ends)).max(1)
    }

    /// Creates an instance in which no choice has been recorded.
    pub(super) fn new(side: Side, shape: &PlacementIndex, balls: Balls) -> Self {
        let width = Self::width(side, shape.cops, balls.longest());
        Self {
            side,
            bits: bits(balls.longest()),
            balls,
            width,
            choices: vec![0; shape.words() * shape.places * width],
        }
    }

    pub(super) const fn side(&self) -> Side {
        self.side
    }

    /// Returns access to the choices: a recorder whose [`Choices::set`] fills them, all words, and
    /// the number of words for each word of cop placements and place of the robber. The words are
    /// ordered by cop placements, then by places of the robber.
    pub(super) fn choices_mut(&mut self) -> (Choices<'_>, &mut [u64], usize) {
        let choices = Choices {
            balls: &self.balls,
            bits: self.bits,
        };
        (choices, &mut self.choices, self.width)
    }

    fn planes(&self, shape: &PlacementIndex, word: usize, robber: usize) -> &[u64] {
        &self.choices[(word * shape.places + robber) * self.width..][..self.width]
    }

    /// The choice of an agent in one of the 64 positions.
    fn choice(&self, planes: &[u64], agent: usize, position: usize) -> usize {
        let planes = planes[agent * self.bits..][..self.bits].iter().enumerate();
        planes.fold(0, |choice, (bit, plane)| {
            choice | ((plane >> position & 1) as usize) << bit
        })
    }

    /// Copies the choices of the robber to the positions of a word whose choice is recorded in
    /// another word or column.
    pub(super) fn complete(&mut self, shape: &PlacementIndex, word: usize) {
        let (row, board) = shape.locate(word);
        let row = shape.cops_of(row);
        let Some(&least) = row.first().filter(|&&least| least / 64 == board) else {
            return;
        };
        let mut cops = Vec::new();
        for column in least + 1..shape.places.min(board * 64 + 64) {
            cops.clear();
            cops.extend(row.iter().copied().chain([column]));
            let Some((from, least)) = shape.position(&mut cops) else {
                continue;
            };
            for robber in 0..shape.places {
                let [from, to] =
                    [from, word].map(|word| (word * shape.places + robber) * self.width);
                for bit in 0..self.width {
                    let plane = self.choices[from + bit] >> (least % 64) & 1;
                    self.choices[to + bit] |= plane << (column % 64);
                }
            }
        }
    }

    /// The positions of a word from which the robber's move leads into `into`. `into` holds a set
    /// of positions of that word for each place of the robber.
    pub(super) fn leading_into(
        &self,
        shape: &PlacementIndex,
        word: usize,
        robber: usize,
        into: &[u64],
    ) -> u64 {
        let planes = &self.planes(shape, word, robber)[..self.bits];
        let ends = self.balls.row(robber);
        if 1 << self.bits > FEW {
            let leads = |&position: &usize| {
                let end = ends.get(self.choice(planes, 0, position));
                end.is_some_and(|&end| into[end as usize] >> position & 1 == 1)
            };
            return Bits(u64::MAX)
                .filter(leads)
                .fold(0, |all, bit| all | 1 << bit);
        }
        let mut sets = [0; FEW];
        for (set, &end) in sets.iter_mut().zip(ends) {
            *set = into[end as usize];
        }
        let mut width = 1 << self.bits;
        for plane in planes {
            width /= 2;
            for index in 0..width {
                sets[index] = sets[2 * index] & !plane | sets[2 * index + 1] & plane;
            }
        }
        sets[0]
    }

    /// Sorts the cops, and moves them as their policy does.
    pub(super) fn move_cops(&self, shape: &PlacementIndex, cops: &mut [usize], robber: usize) {
        let Some((word, least)) = shape.position(cops) else {
            return;
        };
        let planes = self.planes(shape, word, robber);
        for (agent, cop) in cops.iter_mut().enumerate() {
            let choice = self.choice(planes, agent, least % 64);
            *cop = self.balls.row(*cop)[choice] as usize;
        }
    }

    /// Where the robber's policy moves to. Sorts the cops.
    pub(super) fn robber_end(
        &self,
        shape: &PlacementIndex,
        cops: &mut [usize],
        robber: usize,
    ) -> Option<usize> {
        let (word, least) = shape.position(cops)?;
        let choice = self.choice(self.planes(shape, word, robber), 0, least % 64);
        let end = self.balls.row(robber).get(choice)?;
        Some(*end as usize)
    }

    /// Returns whether the cops' move leads from a position to a position in `fresh`. `fresh` has
    /// one list for each word, sorted by the robber's places. `cops` may have any order; they are
    /// sorted and then moved.
    pub(super) fn leads_to_fresh(
        &self,
        shape: &PlacementIndex,
        cops: &mut [usize],
        robber: u16,
        fresh: &[Vec<Fresh>],
    ) -> bool {
        self.move_cops(shape, cops, robber.into());
        let Some((word, least)) = shape.position(cops) else {
            return false;
        };
        let list = &fresh[word];
        let first = list.partition_point(|new| new.robber < robber);
        let mut here = list[first..].iter().take_while(|new| new.robber == robber);
        here.any(|new| new.cops >> (least % 64) & 1 == 1)
    }
}

/// Records choices.
#[derive(Clone, Copy)]
pub(super) struct Choices<'a> {
    balls: &'a Balls,
    bits: usize,
}

impl Choices<'_> {
    /// Records that an agent moves from `from` to `to`. `words` are the words for the word of cop
    /// placements and the place of the robber. Returns `false` if the agent cannot reach `to`.
    pub(super) fn set(
        self,
        words: &mut [u64],
        agent: usize,
        position: usize,
        from: usize,
        to: usize,
    ) -> bool {
        let mut ends = self.balls.row(from).iter();
        let Some(choice) = ends.position(|&end| end as usize == to) else {
            return false;
        };
        for (bit, word) in words[agent * self.bits..][..self.bits]
            .iter_mut()
            .enumerate()
        {
            *word |= ((choice >> bit & 1) as u64) << position;
        }
        true
    }
}

/// The number of bits of an index into a list of this length.
const fn bits(length: usize) -> usize {
    (usize::BITS - length.saturating_sub(1).leading_zeros()) as usize
}
