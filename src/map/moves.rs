use serde::{Deserialize, Serialize};

/// Which steps a map allows. Every step costs 1, straight, diagonal and waiting alike.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Moves {
    /// Eight directions; a diagonal step needs all four cells of its 2 x 2 square passable.
    #[default]
    Octile,
    /// Four directions.
    Orthogonal,
}

impl Moves {
    /// The steps as `(dx, dy)` with `y` downwards, in the order of neighbours that the papers'
    /// reference program uses: left, up, up-left, up-right, right, down-left, down, down-right.
    #[must_use]
    pub const fn steps(self) -> &'static [(i32, i32)] {
        match self {
            Self::Octile => &[
                (-1, 0),
                (0, -1),
                (-1, -1),
                (1, -1),
                (1, 0),
                (-1, 1),
                (0, 1),
                (1, 1),
            ],
            Self::Orthogonal => &[(-1, 0), (0, -1), (1, 0), (0, 1)],
        }
    }
}
