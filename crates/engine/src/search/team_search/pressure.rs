//! The urge of a team to close in while positions repeat themselves.

use serde::{Deserialize, Serialize};

/// The number of positions that a team remembers.
const REMEMBERED: usize = 64;

/// What a repeated position adds, in hundredths of a turn for each turn between a cop and the robber. Measured: 100 to
/// 800 end the repetition, 400 soonest.
const REPEAT: u32 = 400;

/// The part of the urge that is left after a turn without a repetition, in hundredths. Measured.
const KEEP: u32 = 80;

/// Under more pressure than this the interception plays: cops that all close in may follow the robber round
/// a block for ever. Measured.
pub(in crate::search) const STALEMATE: u32 = 1500;

/// The urge of a team to close in, and the positions that it grows by.
///
/// A robber that steps to and fro may keep cops without memory busy for ever: each of its positions has a best joint
/// move, and the two joint moves undo each other. A team that notices a position in which it has been before closes in,
/// and the longer the repetition goes on, the more strongly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pressure {
    hundredths: u32,
    /// Hashes of the last positions, newest last.
    positions: Vec<u64>,
}

impl Pressure {
    /// The urge at the end of a repetition. It takes 16 turns to fade, in which the interception plays.
    pub(crate) const MOST: u32 = 50_000;

    /// Remembers the present position of the team, by a hash of the position. Does nothing if it was remembered last,
    /// since a team may plan several times in a turn.
    pub fn note(&mut self, position: u64) {
        if self.positions.last() == Some(&position) {
            return;
        }
        let is_known = self.positions.contains(&position);
        self.hundredths = match self.hundredths {
            urge if !is_known => urge * KEEP / 100,
            urge if urge + REPEAT > STALEMATE => Self::MOST,
            urge => urge + REPEAT,
        };
        if self.positions.is_empty() {
            self.positions.reserve_exact(REMEMBERED);
        }
        if self.positions.len() >= REMEMBERED {
            self.positions.remove(0);
        }
        self.positions.push(position);
    }

    /// Returns whether this state can occur in a game.
    pub(crate) fn is_sound(&self) -> bool {
        self.hundredths <= Self::MOST && self.positions.len() <= REMEMBERED
    }

    /// Forgets everything: another chase begins.
    pub fn forget(&mut self) {
        self.hundredths = 0;
        self.positions.clear();
    }

    /// The additional weight of a turn between a cop and the robber, in hundredths of a turn.
    #[must_use]
    pub const fn hundredths(&self) -> u32 {
        self.hundredths
    }
}
