//! The terrain types of a cell and their characters.

/// The terrain of a cell: the types of the MovingAI format, plus a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Terrain {
    /// `.`: passable.
    Floor,
    /// `G`: passable.
    Ground,
    /// `S`: passable, at the same cost as any other terrain.
    Swamp,
    /// `#`: not passable; only in the RON level format.
    Wall,
    /// `@`: out of bounds.
    Void,
    /// `O`: out of bounds.
    Outside,
    /// `T`: trees, not passable.
    Trees,
    /// `W`: water, not passable.
    Water,
}

impl Terrain {
    const ALL: [Self; 8] = [
        Self::Floor,
        Self::Ground,
        Self::Swamp,
        Self::Wall,
        Self::Void,
        Self::Outside,
        Self::Trees,
        Self::Water,
    ];

    /// The terrain with this character, `None` for other characters.
    #[must_use]
    pub(super) fn from_symbol(symbol: char) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.symbol() == symbol)
    }

    /// The character of the terrain.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Floor => '.',
            Self::Ground => 'G',
            Self::Swamp => 'S',
            Self::Wall => '#',
            Self::Void => '@',
            Self::Outside => 'O',
            Self::Trees => 'T',
            Self::Water => 'W',
        }
    }

    /// Returns whether an agent can stand on the terrain.
    #[must_use]
    pub const fn is_passable(self) -> bool {
        matches!(self, Self::Floor | Self::Ground | Self::Swamp)
    }
}
