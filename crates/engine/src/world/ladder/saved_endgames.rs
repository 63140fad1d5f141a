//! Local endgames, in the form in which they are saved.

use crate::endgame::SavedEndgames;
use crate::graph::Vertex;
use serde::{Deserialize, Serialize};

/// The regions that were requested for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// The tick at which the turn of the pursuit began.
    pub(super) began: u64,
    /// Where the robber moves next. The game may move a robber in the middle of a turn.
    pub(super) robber: Option<Vertex>,
    pub(super) regions: u8,
}

/// The local endgames in the form in which they are saved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::world) struct SavedLocalEndgames {
    pub(super) endgames: SavedEndgames,
    pub(super) asked: Vec<Asked>,
}
