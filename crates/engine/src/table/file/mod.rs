//! The file format `.ptab`: tables as bytes, version 1 for one and two cops, version 2 for more, and
//! version 3 for arenas with other rules.
//!
//! A file holds the exact capture time, with the cops to move, of every position, in a fraction of
//! a bit each. A single value is read without unpacking anything. All numbers are little-endian.
//!
//! # Words
//!
//! A *place* is a vertex, numbered from 0 to *n* - 1. The section `CELL` gives the cell of each
//! place on the map. In a graph that is not a map, the place is the vertex with the same number.
//!
//! A *board* is 64 consecutive places: board *b* holds the places 64 *b* to 64 *b* + 63; the last
//! board may hold fewer. There are *B* boards.
//!
//! With one cop, *slab* *b* holds all positions with the cop on board *b*. With *k* cops, sort
//! their places so that c₁ ≤ c₂ ≤ … ≤ cₖ. The *row* is (c₂, …, cₖ). Rows are ordered by cₖ, then by
//! cₖ₋₁, and so on. Each row has the boards 0 to ⌊c₂ / 64⌋. The number of a slab is the number of
//! pairs (row', board) before (row, ⌊c₁ / 64⌋), where pairs are ordered by row and then by board.
//! On the last board of a row there are also values for c₁ > c₂; they equal the values of the same
//! cops in sorted order.
//!
//! For one and two cops, version 1 has the same layout. For more cops, version 1 stored rows with
//! c₃, …, cₖ in any order, *k*!/2 times as many. Such files are rejected; their levels have to be
//! solved again.
//!
//! The game is cops and robber; version 3 has its own rules, see the section `RULE`. A capture that
//! takes more than 65,534 turns counts as never.
//!
//! A slab has one *block* for each board of the robber. A block is a matrix. It has one *line* for
//! each place on the robber's board, and a line has one value for each place on the board of the
//! least cop (c₁). A value is a number of turns, or never.
//!
//! # The file
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `89 50 54 41 42 0D 0A 1A`: the letters `PTAB` between bytes that a text conversion would change |
//! | 8 | 2 | version: 1 for one and two cops, 2 for more, 3 for other rules |
//! | 10 | 1 | steps: 0 octile, 1 orthogonal, 2 a graph that is not a map, 3 to 8 hexagons, in the order of [`HexLayout::ALL`](crate::map::HexLayout::ALL) |
//! | 11 | 1 | number of cops, *k* |
//! | 12 | 1 | speed of the cops |
//! | 13 | 1 | speed of the robber |
//! | 14 | 2 | the longest capture time, in turns; in version 3, the greatest number |
//! | 16 | 16 | fingerprint of the map or graph; in version 3, with the rules |
//! | 32 | 4 | number of places, *n* |
//! | 36 | 8 | length of the file |
//! | 44 | 5 x 24 | the list of sections |
//! | 164 | 4 | CRC-32 of the bytes 0 to 163 |
//!
//! The list has an entry for each of the sections `CELL`, `TURN`, `DICT`, `SLAB` and `BLCK`, in this
//! order. An entry consists of the name (4), the CRC-32 of the section (4), its offset (8) and its
//! length (8); here and below, the number of bytes of each field is in parentheses. The sections
//! follow in the same order without gaps, from offset 168 to the end of the file.
//!
//! **`CELL`**: for each place, the column (2) and the row (2) of its cell, counted from 0 at the
//! top left. The section is empty if the graph is not a map.
//!
//! **`TURN`**: for each number of turns from 0 to the longest capture time, the number of positions
//! with this capture time (8), counting cops as distinguished. There are `n^(k + 1)` positions; the
//! remaining ones are escapes.
//!
//! **`DICT`**: for each board, the offset of its dictionary within the section (8); then the
//! dictionaries in the order of the boards. Each dictionary begins at or after the end of the one
//! before. A file in which two boards share a dictionary is rejected, since reading it would take
//! more memory than its length.
//!
//! A dictionary consists of the number of patterns (4), the number of kinds (4), the kinds, and the
//! patterns in order. A kind consists of the index of its first pattern (4), 1 if its patterns have
//! a word `never` or else 0 (1), the number of bytes of `ups` (1), and the number of jumps (2). A
//! pattern consists of the word `steps` (8), the word `never` (8) if its kind has it, its jumps (2
//! each), and `ups`, in as many bytes as its kind says. `ups` has one bit for each set bit of
//! `steps`. A jump is a signed number: modulo 64 it gives a position; divided by 64 and rounded
//! down it gives a difference.
//!
//! A pattern determines the values of a line from *f*, the first value that is not never. Position
//! *i* is never if bit *i* of `never` is set. Otherwise its value is *f*, plus the differences of
//! all jumps at positions up to *i*, plus one step for each set bit of `steps` from 0 to *i*. The
//! step of the *j*-th set bit of `steps`, counted from 0, is +1 if bit *j* of `ups` is set, and -1
//! otherwise.
//!
//! **`SLAB`**: for each slab, the offset in `BLCK` at which it starts (8); then, for each slab and
//! each board of the robber, the offset of the block from there (4).
//!
//! **`BLCK`**: the blocks. A block is a sequence of bits, starting with the lowest bit of each byte
//! and padded to whole bytes. It encodes a matrix of values. The first value that is not never of
//! each line forms another line, the *base*. A block consists of:
//! 1. the first value of the base that is not never, in as many bits as the longest capture time
//!    needs;
//! 2. the pattern of the base in the dictionary of the robber's board, in as many bits as the
//!    number of patterns there needs (indices below *c* need ⌈log₂ *c*⌉ bits, and none for *c* <
//!    2);
//! 3. the number of patterns *p* in this block, less one, in 6 bits;
//! 4. *p* patterns in the dictionary of the cop's board, each in as many bits as the number of
//!    patterns there needs;
//! 5. for each line, the index of its pattern among the *p* patterns, in ⌈log₂ *p*⌉ bits. This part
//!    is missing if *p* equals the number of lines: then line *i* has pattern *i*.
//!
//! If the value of a line in the base is never, all values of the line are never.
//!
//! **`RULE`**, only in version 3: what the numbers mean, and which positions are legal. The list of
//! sections has a sixth entry, and the checksum and the sections follow 24 bytes later.
//!
//! The section consists of the number of capture times *t* (4), the reach (1), a byte whose bit 0
//! says that cops may not share a place and whose bit 1 says that positions are examined only after
//! the robber's move (1), and three sets of places: where cops may stand, where the robber may stand,
//! and the exits. A set has one bit for each place, in words of 8 bytes.
//!
//! In this version a value below *t* is a number of turns until capture, and another value is *t*
//! plus the number of turns until the robber is away. `TURN` has an entry for each value. A position
//! in which somebody stands where they may not is illegal. Its value is never, and it is not among
//! the escapes.
//!
//! The steps and the pairs of captures are not in the file. The fingerprint is that of the map or
//! graph, combined with a number for each step, place, exit and pair in which the rules differ from
//! cops and robber. So such a table is foreign to the map alone, and to every other set of rules.
//!
//! # Why this format
//!
//! If the robber and the cop are far from each other, the capture time is nearly the sum of a term
//! that depends on the robber's place and a term that depends on the cop's place. Then all lines of
//! a block have the same pattern, and the block takes a few bytes for 4,096 positions. The same
//! patterns occur in many blocks, so a dictionary for each board pays off. Steps of ±1 take one
//! word and a few bytes for 64 values, and any value is found by counting bits. General compression
//! of runs of values is only slightly smaller and has to unpack what it reads.

mod bitstream;
mod error;
mod line;
mod parse;
mod read;
pub(in crate::table) mod rules;
pub(crate) mod sections;
mod write;

pub use error::TableError;
pub use read::Table;
use sections::SECTION_ENTRY;

const MAGIC: [u8; 8] = *b"\x89PTAB\r\n\x1a";
/// The version of a table with this number of cops. Up to two cops, the layouts of versions 1 and 2
/// are the same.
const fn version(cops: u8) -> u16 {
    if cops < 3 { 1 } else { 2 }
}
/// The version of tables with other rules than those of cops and robber on one graph.
const OTHER_RULES: u16 = 3;
const SECTIONS: [&str; 5] = ["CELL", "TURN", "DICT", "SLAB", "BLCK"];
/// The offset of the list of sections.
const DIRECTORY: usize = 44;
const HEADER: usize = DIRECTORY + SECTION_ENTRY * SECTIONS.len() + 4;
/// The sections and the length of the header in version 3.
const SECTIONS_WITH_RULES: [&str; 6] = ["CELL", "TURN", "DICT", "SLAB", "BLCK", "RULE"];
const HEADER_WITH_RULES: usize = HEADER + SECTION_ENTRY;
