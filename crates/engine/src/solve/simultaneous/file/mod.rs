//! Tables of mixed strategies as bytes: the file format `.ptab` of the simultaneous game, version 1.
//!
//! The file has bounds on the expected capture time and the mixed strategies of both sides for every position.
//! All numbers are little-endian; `f64` is the binary64 format of IEEE 754.
//!
//! A *place* is a vertex, numbered from 0 to *n* - 1; the section `CELL` gives its cell on the map. (In a graph
//! that is not a map, the place is the vertex of the same number.) With *k* cops, let c₁ ≤ c₂ ≤ … ≤ cₖ be their
//! sorted places. *Configurations* are ordered by cₖ, then cₖ₋₁, and so on, and numbered from 0 in this order:
//! the number is the sum of the binomial coefficients cᵢ + i - 1 over i for i = 1 … k. There are Q
//! configurations; Q is n + k - 1 over k. The *position* with the robber on r and configuration q has the
//! number r Q + q. There are N = n Q positions.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `89 50 4D 49 58 0D 0A 1A`: the letters `PMIX` between bytes that a text conversion would change |
//! | 8 | 2 | version: 1 |
//! | 10 | 1 | steps: 0 octile, 1 orthogonal, 2 a graph that is not a map, 3 to 8 hexagons, in the order of [`HexLayout::ALL`](crate::map::HexLayout::ALL) |
//! | 11 | 1 | number of cops, *k* |
//! | 12 | 1 | speed of the cops |
//! | 13 | 1 | speed of the robber |
//! | 14 | 2 | 0 |
//! | 16 | 16 | fingerprint of the map or graph |
//! | 32 | 4 | number of places, *n* |
//! | 36 | 8 | length of the file |
//! | 44 | 8 | factor from a value to its lower bound (f64) |
//! | 52 | 8 | factor from a value to its upper bound (f64) |
//! | 60 | 8 | upper bound on the exploitability of the cops' strategies (f64; a share, not per cent) |
//! | 68 | 8 | upper bound on the exploitability of the robber's strategies (f64) |
//! | 76 | 4 x 24 | the sections `CELL`, `VALU`, `STRT`, `MIXD` in this order: name (4), CRC-32 of the section (4), offset (8), length (8) |
//! | 172 | 4 | CRC-32 of the bytes 0 to 171 |
//!
//! The sections follow in this order and without gaps, from offset 176 to the end.
//!
//! **`CELL`**: for each place, the column (2) and the row (2) of its cell, counted from 0 at the top left. The
//! section is empty for a graph that is not a map.
//!
//! **`VALU`**: for each position, its value in turns (f64): 0 after a capture, infinite if the cops cannot force one.
//!
//! **`STRT`**: for each position, the start of its entry in `MIXD` (4), in units of two bytes; then the end of
//! the last entry (4).
//!
//! **`MIXD`**: for each position, the number of moves that the robber plays (2), and for each of them the place
//! to which it moves (2) and the share (4); then the number of joint moves that the cops play (2), and for each
//! of them the place to which each cop moves, in the order c₁ … cₖ (2 each), and the share (4). Shares are out
//! of 2^30; the shares of a strategy sum to 2^30. Moves are in ascending order of their places. After a
//! capture, neither side has moves; if the value is infinite, the cops have none.

mod read;
mod write;

use crate::table::file::sections::SECTION_ENTRY;

pub use read::{MixedStrategies, MixedTable};

const MAGIC: [u8; 8] = *b"\x89PMIX\r\n\x1a";
const VERSION: u16 = 1;
const SECTIONS: [&str; 4] = ["CELL", "VALU", "STRT", "MIXD"];
/// The offset of the list of sections.
const DIRECTORY: usize = 76;
pub(super) const HEADER: usize = DIRECTORY + SECTION_ENTRY * SECTIONS.len() + 4;
