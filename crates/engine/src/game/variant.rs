//! Variants of the game: from how far away a cop captures, and when positions are examined.

use serde::{Deserialize, Serialize};

/// When a position is examined for a capture.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Judged {
    /// After the move of either side. A robber is also captured while it walks, on every place that
    /// it passes.
    #[default]
    EachMove,
    /// Only after the robber's move, at the place where that move ends. A robber may leave a place
    /// where a cop has just moved onto it.
    AfterRobber,
}

/// What counts as a capture, and where cops may stand.
///
/// The default is the game of cops and robber: a cop captures on its own place, cops may share a
/// place, and positions are examined after each move.
///
/// ```
/// # use pursuit_engine::game::{Judged, Variant};
/// let tag = Variant { reach: 1, judged: Judged::AfterRobber, ..Variant::default() };
/// assert!(!tag.distinct);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Variant {
    /// A cop captures a robber that is at most this number of steps of the cop's ground away. The
    /// steps lead from the cop to the robber. Default: 0, the same place.
    pub reach: u8,
    /// Whether no two cops may end a move on one place. A joint move is judged by its ends alone, so
    /// cops may pass each other and exchange places. Default: `false`.
    pub distinct: bool,
    /// When a position is examined for a capture. Default: after each move.
    pub judged: Judged,
}
