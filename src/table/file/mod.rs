//! Tables as bytes: the file format `.ptab`, version 1 for one and two cops and version 2 for more.
//!
//! Exact capture times with the cops to move, for every position, at a fraction of a bit each; one
//! time is read without unpacking anything. All numbers are little-endian.
//!
//! # Words
//!
//! A *place* is a vertex, numbered from 0 to *n* - 1; the section `CELL` says which cell of the map
//! it is. (In a graph that is no map, the vertex of the same number.) A *board* is 64 places that
//! follow each other: board *b* holds the places 64 *b* to 64 *b* + 63, the last one perhaps fewer;
//! there are *B* boards. With one cop, *slab* *b* holds all positions with the cop on board *b*.
//! With *k* cops, sort their places and call them c₁ ≤ c₂ ≤ … ≤ cₖ. The *row* is (c₂, …, cₖ). Rows are
//! ordered by cₖ, then by cₖ₋₁, and so on; each has the boards 0 to c₂ / 64. The slab is the number of
//! pairs (row', board) before (row, c₁ / 64) in the order of rows, and of boards within a row. On the last
//! board of a row there are numbers for c₁ > c₂, too: those of the same cops in order.
//!
//! Version 1 is the same for one and two cops. For more it had rows with c₃, …, cₖ in any order, *k*!/2 times as
//! many; such files are refused and have to be solved again.
//!
//! The game is that of cops and a robber. A capture that takes more than 65,534 turns counts as never.
//!
//! A slab has one *block* for each board of the robber. A block is a matrix: a *line* for each place
//! of the robber on its board, with a number for each place of the last cop (c₁) on the other. The
//! numbers are turns, or never.
//!
//! # The file
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `89 50 54 41 42 0D 0A 1A`: the letters `PTAB` between bytes that a text conversion would change |
//! | 8 | 2 | version: 1 for one and two cops, 2 for more |
//! | 10 | 1 | steps: 0 octile, 1 orthogonal, 2 a graph that is no map |
//! | 11 | 1 | number of cops, *k* |
//! | 12 | 1 | speed of the cops |
//! | 13 | 1 | speed of the robber |
//! | 14 | 2 | the longest capture time, in turns |
//! | 16 | 16 | fingerprint of the map or graph |
//! | 32 | 4 | number of places, *n* |
//! | 36 | 8 | length of the file |
//! | 44 | 5 x 24 | the sections `CELL`, `TURN`, `DICT`, `SLAB`, `BLCK` in this order: name (4), CRC-32 of the section (4), offset (8), length (8) |
//! | 164 | 4 | CRC-32 of the bytes 0 to 163 |
//!
//! Sections follow without gaps, in their order, from offset 168 to the end.
//!
//! **`CELL`**: for each place the column (2) and the row (2) of its cell, from 0 at the top left. Empty
//! if the steps are those of no map.
//!
//! **`TURN`**: for each number of turns from 0 to the longest the number of positions with this capture
//! time (8), the cops distinguished. The rest of the *n*^(*k* + 1) positions are escapes.
//!
//! **`DICT`**: for each board the offset of its dictionary in the section (8); then the dictionaries in
//! the order of the boards, none of which begins before the one before it ends: a file that has two
//! boards share a dictionary is refused, since reading it would take more memory than its length. A
//! dictionary: number of patterns (4), number of kinds (4); for each kind the first pattern that is of
//! it (4), 1 if it has a word `never` (1), bytes of `ups` (1), number of jumps (2); then the patterns in
//! their order. A pattern: the word `steps` (8), if its kind has it `never` (8), its jumps (2 each), and
//! `ups` (as many bytes as its kind says, a bit for each bit of `steps` that is set). A jump is a signed
//! number: modulo 64 it is a position, divided by 64 and rounded down it is a difference.
//!
//! A pattern gives the numbers of a line from the first of them that is not never, *f*. Position *i* is
//! never if bit *i* of `never` is set. Otherwise the number is *f*, plus the differences of the jumps at
//! positions up to *i*, plus a step for each bit of `steps` from 0 to *i* that is set: the *j*-th bit of
//! `steps` that is set, counted from 0, is a step of 1 up if bit *j* of `ups` is set, and of 1 down
//! otherwise.
//!
//! **`SLAB`**: for each slab the offset in `BLCK` where it starts (8); then for each slab and each board
//! of the robber the offset from there of the block (4).
//!
//! **`BLCK`**: blocks. A block is a row of bits, the lowest of each byte first, padded to whole bytes. It
//! stands for a matrix of numbers as follows. The first number that is not never of each line is a
//! line itself, the *base*.
//! 1. the first number of the base that is not never: as many bits as the longest capture time needs;
//! 2. the pattern of the base in the dictionary of the robber's board: as many bits as the number of
//!    patterns there needs (numbers below *c* need ⌈log₂ *c*⌉ bits, none for *c* < 2);
//! 3. the number of patterns *p* in this block, less one: 6 bits;
//! 4. *p* patterns in the dictionary of the cop's board: as many bits each as that needs;
//! 5. unless *p* is the number of lines (then line *i* has pattern *i*): for each line which of the *p* it has,
//!    ⌈log₂ *p*⌉ bits each.
//!
//! A line whose number in the base is never is never throughout.
//!
//! # Why so
//!
//! Far from each other, the capture time is nearly a sum of something that depends on the robber's place
//! and something that depends on the cop's: all lines of a block have the same pattern, and the
//! block takes a few bytes for 4,096 positions. Patterns come back in many blocks, so a dictionary for
//! each board pays. Steps of ±1 cost a word and a few bytes for 64 numbers, and any of these is
//! found by counting bits. General compression of runs of values is smaller by little and has to unpack
//! what it reads.

mod bitstream;
mod error;
mod line;
mod parse;
mod read;
mod write;

pub use error::TableError;
pub use read::Table;

const MAGIC: [u8; 8] = *b"\x89PTAB\r\n\x1a";
/// The version of a table with this number of cops. Up to two cops, version 1 was what version 2 is.
const fn version(cops: u8) -> u16 {
    if cops < 3 { 1 } else { 2 }
}
const SECTIONS: [[u8; 4]; 5] = [*b"CELL", *b"TURN", *b"DICT", *b"SLAB", *b"BLCK"];
/// Where the sections are listed.
const DIRECTORY: usize = 44;
const HEADER: usize = DIRECTORY + 24 * SECTIONS.len() + 4;
