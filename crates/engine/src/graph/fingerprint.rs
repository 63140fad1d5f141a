//! A 128-bit hash of the passability of a map, kept up to date under edits.

use super::{GOLDEN_RATIO, split_mix};
use crate::map::{BodySize, Cell, Corners, MapEdit, Moves};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A 128-bit hash of the passability of a map: its size, its moves and its passable cells.
///
/// Maps with equal fingerprints are treated as equal. An edit updates the fingerprint in constant
/// time per cell: it is the exclusive or of one number per passable cell, as in Zobrist hashing of
/// chess boards. The values are part of the versioned file formats: the changelog announces any
/// change. Serde writes two numbers, the higher half first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "[u64; 2]", into = "[u64; 2]")]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// The fingerprint of a map without a passable cell.
    pub(super) fn empty(width: u16, height: u16, moves: Moves) -> Self {
        let moves = u64::from(moves.number());
        // The top bit distinguishes the header from all cells.
        Self(spread(
            1 << 63 | moves << 32 | u64::from(height) << 16 | u64::from(width),
        ))
    }

    /// The fingerprint of a graph given by its arcs, without duplicates, in any order.
    pub(super) fn of_arcs(vertices: u32, arcs: impl Iterator<Item = (u32, u32)>) -> Self {
        // Bits 63 and 62 distinguish the header from the headers of maps. Bit 62 distinguishes arcs
        // from cells and from both headers, which leaves 31 bits for each end.
        let header = spread(0b11 << 62 | u64::from(vertices));
        let arc =
            |(tail, head): (u32, u32)| spread(1 << 62 | u64::from(tail) << 31 | u64::from(head));
        Self(arcs.map(arc).fold(header, |all, one: u128| all ^ one))
    }

    /// Adds or removes a rule that a map or graph does not have by itself, such as an exit. Rules of
    /// another `kind`, and other numbers, give other fingerprints. A graph without such rules keeps
    /// its own.
    pub(crate) fn toggle_rule(&mut self, kind: u8, first: u32, second: u32) {
        // Bits 63 and 61 distinguish rules from both headers, arcs and cells.
        let key = 0b101 << 61 | u64::from(kind) << 32 | u64::from(first);
        self.0 ^= spread(split_mix(key) ^ u64::from(second));
    }

    /// Updates the fingerprint after a cell has become passable or a wall.
    pub(crate) fn toggle(&mut self, cell: Cell) {
        self.0 ^= spread(u64::from(cell.y) << 16 | u64::from(cell.x));
    }

    /// Updates the fingerprint after a closed edge, a link or a cell without diagonal steps has come or gone. Sight and
    /// the time of steps do not matter: they change no step.
    pub(super) fn toggle_edit(&mut self, edit: MapEdit) {
        let number = |cell: Cell| u32::from(cell.y) << 16 | u32::from(cell.x);
        let kind = match edit {
            // A cell that opens or closes for the agents of a graph is noted as such.
            MapEdit::Cell { .. }
            | MapEdit::Sight { .. }
            | MapEdit::Slow { .. }
            | MapEdit::Kinds { .. } => return,
            MapEdit::Edge { .. } => CLOSED_EDGE,
            MapEdit::Link { .. } => LINK,
            MapEdit::Diagonals { .. } => STRAIGHT_CELL,
            MapEdit::Exit { .. } => EXIT,
        };
        self.toggle_rule(kind, number(edit.cell()), edit.end().map_or(0, number));
    }

    /// Updates the fingerprint after a map without any rule about corners has got one.
    pub(super) fn toggle_corners(&mut self, corners: Corners) {
        match corners {
            Corners::Never => {}
            Corners::OneFree => self.toggle_rule(CORNERS, 1, 0),
            Corners::Always => self.toggle_rule(CORNERS, 2, 0),
        }
    }

    /// Updates the fingerprint of a graph for agents of one cell that becomes one for agents of this size, or the reverse.
    pub(super) fn toggle_size(&mut self, size: BodySize) {
        if !size.is_one() {
            self.toggle_rule(BODY_SIZE, size.side().into(), 0);
        }
    }

    /// By how much a fingerprint differs after rules have changed.
    pub(crate) const fn changed_by(self, rules: u128) -> Self {
        Self(self.0 ^ rules)
    }

    /// The 128 bits.
    #[must_use]
    pub const fn to_bits(self) -> u128 {
        self.0
    }

    /// The fingerprint with these bits, for example read from a file.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl From<[u64; 2]> for Fingerprint {
    fn from([high, low]: [u64; 2]) -> Self {
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

impl From<Fingerprint> for [u64; 2] {
    fn from(Fingerprint(bits): Fingerprint) -> Self {
        [(bits >> 64) as u64, bits as u64]
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

// The kinds of the rules of a map, apart from those of a game on it.
const CLOSED_EDGE: u8 = 128;
const LINK: u8 = 129;
const STRAIGHT_CELL: u8 = 130;
const CORNERS: u8 = 131;
const EXIT: u8 = 132;
const BODY_SIZE: u8 = 133;

/// Hashes a key to 128 bits: two outputs of the SplitMix64 generator seeded with the key.
fn spread(key: u64) -> u128 {
    // The multiplication keeps consecutive keys from sharing outputs.
    let seed = split_mix(key.wrapping_mul(GOLDEN_RATIO));
    let high = split_mix(seed);
    let low = split_mix(seed.wrapping_add(GOLDEN_RATIO));
    u128::from(high) << 64 | u128::from(low)
}
