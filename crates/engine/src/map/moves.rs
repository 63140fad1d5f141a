//! The steps that a map allows.

use serde::{Deserialize, Serialize};

/// The steps that a map allows. A straight step, a diagonal step and a wait all cost 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Moves {
    /// Eight directions; a diagonal step needs all four cells of its 2 x 2 square passable.
    #[default]
    Octile,
    /// Four directions.
    Orthogonal,
}

impl Moves {
    /// The steps as `(dx, dy)` with `y` downwards, in the neighbour order of the research code behind
    /// Moldenhauer, "Game tree search algorithms for the game of cops and robber" (2009): left, up,
    /// up-left, up-right, right, down-left, down, down-right.
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
