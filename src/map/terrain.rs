/// What a cell is made of, with the characters of the MovingAI format and a wall of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Terrain {
    /// `.`: passable.
    Floor,
    /// `G`: passable.
    Ground,
    /// `S`: passable (the game has no step costs: RULES of the papers make all steps cost 1).
    Swamp,
    /// `#`: not passable; only in levels of ours.
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

    /// The terrain written as `symbol`, if there is one.
    #[must_use]
    pub fn from_symbol(symbol: char) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.symbol() == symbol)
    }

    /// The character that stands for it.
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

    /// Can an agent stand here?
    #[must_use]
    pub const fn is_passable(self) -> bool {
        matches!(self, Self::Floor | Self::Ground | Self::Swamp)
    }
}
