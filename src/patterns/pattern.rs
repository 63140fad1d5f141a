//! One pattern: pieces on a shape, and a symbol or nothing for each other cell.

use super::shape::Fitted;

/// The most pieces of a pattern.
pub const MAX_PIECES: usize = 4;

/// The most cells of a shape: two bits each make a word.
pub const MAX_CELLS: usize = 32;

/// The numbers of the cells where the pieces stand, in a fixed order; 255 for a piece that is missing.
pub type Pieces = [u8; MAX_PIECES];

/// A piece that is missing.
pub const NO_PIECE: u8 = u8::MAX;

/// What a pattern concludes. Each conclusion follows from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The attacker reaches the goal whatever the defender, who is to move, does: a virtual connection, or
    /// a robber that is captured.
    Won,
    /// The attacker, who is to move, can bring about [`Kind::Won`] with one move.
    InOne,
    /// With two moves in a row.
    InTwo,
}

impl Kind {
    /// All kinds, strongest first.
    pub const ALL: [Self; 3] = [Self::Won, Self::InOne, Self::InTwo];
}

/// The symbols of cells, two bits each: 0 for a cell on which nothing depends, otherwise one more than
/// the symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Code(pub u64);

impl Code {
    /// The symbol of a cell; `None` if nothing depends on it.
    #[must_use]
    pub const fn symbol(self, cell: usize) -> Option<u8> {
        match (self.0 >> (2 * cell) & 3) as u8 {
            0 => None,
            more => Some(more - 1),
        }
    }

    /// The code with another symbol of a cell that had none.
    #[must_use]
    pub const fn with(self, cell: usize, symbol: u8) -> Self {
        Self(self.0 | (symbol as u64 + 1) << (2 * cell))
    }

    /// The number of cells that have a symbol.
    #[must_use]
    pub const fn fixed(self) -> u32 {
        self.mask().count_ones() / 2
    }

    /// Both bits of each cell that has a symbol.
    #[must_use]
    pub const fn mask(self) -> u64 {
        let low = (self.0 | self.0 >> 1) & 0x5555_5555_5555_5555;
        low | low << 1
    }

    /// Returns whether each window that fits `self` also fits `other`: `other` asks for nothing else.
    #[must_use]
    pub const fn is_special_case_of(self, other: Self) -> bool {
        self.0 & other.mask() == other.0
    }

    /// The code of the cells' images.
    #[must_use]
    pub fn image(self, fitted: &Fitted) -> Self {
        let cells = fitted.numbers.iter().enumerate();
        cells.fold(Self::default(), |code, (cell, &to)| {
            Self(code.0 | (self.0 >> (2 * cell) & 3) << (2 * to))
        })
    }
}

/// A pattern: where it applies, its conclusion holds.
///
/// Patterns are ordered as the integers of [`Pattern::key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// The number of its shape in its database.
    pub shape: u16,
    /// What it concludes.
    pub kind: Kind,
    /// The external condition, as a number of the game; 0 if there is none.
    pub condition: u8,
    /// Where the pieces stand.
    pub pieces: Pieces,
    /// What is on the other cells.
    pub code: Code,
    /// The most moves of the attacker that are needed.
    pub turns: u8,
}

impl Pattern {
    /// The pattern as one integer, without its turns: what is sorted and searched.
    #[must_use]
    pub fn key(&self) -> u128 {
        let pieces = u32::from_be_bytes(self.pieces);
        let place = u64::from(self.shape) << 48
            | (self.kind as u64) << 40
            | u64::from(self.condition) << 32
            | u64::from(pieces);
        u128::from(place) << 64 | u128::from(self.code.0)
    }

    /// The pattern of a key; `None` if there is no such kind.
    #[must_use]
    pub fn of_key(key: u128, turns: u8) -> Option<Self> {
        let [a, b, kind, condition, pieces @ ..] = ((key >> 64) as u64).to_be_bytes();
        Some(Self {
            shape: u16::from_be_bytes([a, b]),
            kind: *Kind::ALL.get(usize::from(kind))?,
            condition,
            pieces,
            code: Code(key as u64),
            turns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_pattern() {
        let pattern = Pattern {
            shape: 513,
            kind: Kind::InTwo,
            condition: 3,
            pieces: [1, 0, NO_PIECE, NO_PIECE],
            code: Code::default().with(2, 0).with(31, 2),
            turns: 4,
        };
        assert_eq!(Pattern::of_key(pattern.key(), 4), Some(pattern));
        assert_eq!(pattern.code.fixed(), 2);
        assert_eq!(
            (pattern.code.symbol(2), pattern.code.symbol(3)),
            (Some(0), None)
        );
        assert_eq!(Pattern::of_key(u128::MAX, 0), None);
    }

    #[test]
    fn a_pattern_that_asks_for_less_is_more_general() {
        let small = Code::default().with(1, 1);
        let large = small.with(0, 0);
        assert!(large.is_special_case_of(small) && !small.is_special_case_of(large));
        assert!(!large.is_special_case_of(Code::default().with(1, 0)));
    }
}
