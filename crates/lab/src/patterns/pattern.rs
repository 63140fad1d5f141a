//! One pattern: pieces on a shape, and a symbol or "don't care" for each other cell.

/// The greatest number of pieces in a pattern.
pub(super) const MAX_PIECES: usize = 4;

/// The greatest number of cells of a shape: with two bits each, the cells fill a 64-bit word.
pub const MAX_CELLS: usize = 32;

/// The numbers of the cells where the pieces stand, in a fixed order; 255 for a piece that is missing.
pub type Pieces = [u8; MAX_PIECES];

/// The cell of a piece that is missing.
pub const NO_PIECE: u8 = u8::MAX;

/// The conclusion of a pattern. Each kind is implied by the kind before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The defender is to move, and the attacker reaches the goal whatever the defender does: a virtual
    /// connection, or the capture of the robber.
    Won,
    /// The attacker is to move and has a move that leads to [`Kind::Won`].
    InOne,
    /// The attacker reaches [`Kind::Won`] with two moves in a row.
    InTwo,
}

impl Kind {
    /// All kinds, strongest first.
    pub const ALL: [Self; 3] = [Self::Won, Self::InOne, Self::InTwo];
}

/// The symbols of cells, two bits each: 0 for a don't-care cell, otherwise the symbol plus 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Code(pub u64);

impl Code {
    /// The symbol of a cell; `None` for a don't-care cell.
    #[must_use]
    pub const fn symbol(self, cell: usize) -> Option<u8> {
        if cell >= MAX_CELLS {
            return None;
        }
        match (self.0 >> (2 * cell) & 3) as u8 {
            0 => None,
            more => Some(more - 1),
        }
    }

    /// Returns the code with a symbol for a cell that had none. Cells from [`MAX_CELLS`] on have no place in a code.
    #[must_use]
    pub const fn with(self, cell: usize, symbol: u8) -> Self {
        if cell >= MAX_CELLS {
            return self;
        }
        Self(self.0 | (symbol as u64 + 1) << (2 * cell))
    }

    /// The number of cells that have a symbol.
    #[must_use]
    pub const fn fixed(self) -> u32 {
        self.mask().count_ones() / 2
    }

    /// A mask with both bits set for each cell that has a symbol.
    #[must_use]
    pub const fn mask(self) -> u64 {
        let low = (self.0 | self.0 >> 1) & 0x5555_5555_5555_5555;
        low | low << 1
    }

    /// Returns whether each window that fits `self` also fits `other`, because `self` has all symbols of `other`.
    #[must_use]
    pub const fn is_special_case_of(self, other: Self) -> bool {
        self.0 & other.mask() == other.0
    }
}

/// A pattern. Its conclusion holds wherever the pattern applies.
///
/// A database sorts patterns by [`Pattern::key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// The number of the shape in the database.
    pub shape: u16,
    /// The conclusion.
    pub kind: Kind,
    /// The external condition, as the game numbers it; 0 if there is none.
    pub condition: u8,
    /// Where the pieces stand.
    pub pieces: Pieces,
    /// The symbols of the other cells.
    pub code: Code,
    /// The number of moves within which the attacker reaches the goal.
    pub turns: u8,
}

impl Pattern {
    /// The pattern as one integer, without its turns. The database is sorted by this integer.
    #[must_use]
    pub fn key(&self) -> u128 {
        let pieces = u32::from_be_bytes(self.pieces);
        let place = u64::from(self.shape) << 48
            | (self.kind as u64) << 40
            | u64::from(self.condition) << 32
            | u64::from(pieces);
        u128::from(place) << 64 | u128::from(self.code.0)
    }

    /// Decodes a key; `None` if the kind in the key does not exist.
    #[must_use]
    pub(crate) fn of_key(key: u128, turns: u8) -> Option<Self> {
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
