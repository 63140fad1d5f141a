//! Memory and time of a table, estimated before any work.

use super::away::AwaySolver;
use super::reach::BYTES_OF_A_LINK;
use super::shape::{PlacementIndex, count_sets};
use super::{MAX_VERTICES, SolveError};
use crate::game::{Rules, Speed};

/// An estimate of what solving a table will take, made before any work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of cops.
    pub cops: u8,
    /// The number of positions with the cops to move, where the cops are interchangeable:
    /// `n * binomial(n + k - 1, k)` for n vertices and k cops.
    pub states: u128,
    /// The approximate memory in bytes, for games that take no more turns than there are vertices.
    /// Some games on directed graphs take longer and need up to one more byte for each state. In
    /// addition, each thread needs up to 512 bytes for each vertex.
    pub bytes: u64,
    /// The approximate time in seconds on one core of the machine that the README measures on.
    pub seconds: f64,
}

/// The time of a game with exits, as a multiple of that of the same game without.
const SECONDS_WITH_EXITS: f64 = 2.0;

/// The memory of a slab in bytes, without the sets of the places of the robber.
const BYTES_OF_A_SLAB: u128 = 500;

impl Estimate {
    /// Estimates the work for a map or graph of this size. Cost: at most 1,024 k multiplications
    /// for k cops.
    ///
    /// The number of places that agents reach in a turn is estimated for a map without walls. Graphs
    /// with more neighbours can exceed it: a [`Solver`](super::Solver) counts these places before
    /// it allocates memory for them.
    ///
    /// # Errors
    /// [`SolveError::TooManyVertices`] if there are more than [`MAX_VERTICES`], and
    /// [`SolveError::TooLarge`] if the figures for this number of cops overflow.
    pub fn new(vertices: usize, rules: &Rules) -> Result<Self, SolveError> {
        if vertices > MAX_VERTICES {
            return Err(SolveError::TooManyVertices { vertices });
        }
        let cops = rules.cops.get();
        let size = PlacementIndex::size(vertices as u128, u32::from(cops));
        let states = count_sets(vertices as u128, u128::from(cops));
        let states = states.and_then(|sets| sets.checked_mul(vertices as u128));
        // Positions are counted with the cops distinguished.
        let positions = (vertices as u64).checked_pow(u32::from(cops) + 1);
        let states = states.filter(|_| positions.is_some());
        let (Some(words), Some(states)) = (size, states) else {
            return Err(Self::overflow(vertices, cops));
        };
        // Each place of the robber takes capture times, sets and the lists of new positions, which
        // are a share of the words. A turn finds few positions in games with capture times beyond
        // one byte.
        let sets = 1 + u128::from(rules.robber_speed.steps());
        let lists = match cops {
            1 => 40,
            2 => 110,
            // With many cops, the lists between two cops' moves take more memory than the sets.
            _ => 170 + 40 * u128::from(cops.saturating_sub(4)),
        };
        let beyond_a_byte = 8 * u128::from(bits_beyond_a_byte(vertices));
        let a_place = 64 + 8 * sets + beyond_a_byte.max(lists);
        let a_word = vertices as u128 * a_place + BYTES_OF_A_SLAB;
        let reach = reach_on_map(vertices, *rules);
        let bytes = words
            .checked_mul(a_word)
            .and_then(|bytes| bytes.checked_add(reach.into()))
            .and_then(|bytes| bytes.checked_add(rows_of_lists(vertices as u128, cops.into())?));
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        let Some(bytes) = bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) else {
            return Err(Self::overflow(vertices, cops));
        };
        let seconds_a_word = if cops == 1 { 5e-7 } else { 1e-6 };
        Ok(Self {
            vertices,
            cops,
            states,
            bytes,
            seconds: words as f64 * vertices as f64 * seconds_a_word,
        })
    }

    /// The same for a game with exits, in which the turns until the robber is away are found besides.
    #[must_use]
    pub fn with_exits(self) -> Self {
        let away = AwaySolver::bytes(self.vertices, self.cops).unwrap_or(u64::MAX);
        Self {
            bytes: self.bytes.saturating_add(away),
            seconds: SECONDS_WITH_EXITS * self.seconds,
            ..self
        }
    }

    /// Checks that the estimate is within a memory limit. Cost: constant.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] with the figures if it needs more than `limit` bytes.
    pub const fn within(self, limit: u64) -> Result<Self, SolveError> {
        if self.bytes > limit {
            return Err(SolveError::TooLarge {
                vertices: self.vertices,
                cops: self.cops,
                needed: self.bytes,
                limit,
            });
        }
        Ok(self)
    }

    /// The approximate memory of the finished [`Solution`](super::Solution) in bytes: one byte for
    /// each position. Positions that differ only in the order of the cops count once. Capture times
    /// of more than 254 turns add an eighth, twice that number of turns another eighth, and so on.
    /// Cost: as [`Self::new`].
    #[must_use]
    pub fn solution_bytes(&self) -> u64 {
        let words =
            PlacementIndex::size(self.vertices as u128, self.cops.into()).unwrap_or(u128::MAX);
        let bytes = words.saturating_mul(64 * self.vertices as u128);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    /// The bytes that tell which places the agents reach, as estimated for a map.
    pub(super) fn reach_bytes(&self, rules: Rules) -> u64 {
        reach_on_map(self.vertices, rules)
    }

    /// The bytes of the [`Reach`](super::reach::Reach) of agents of this speed alone, without lists
    /// of places.
    pub(super) fn reach_bits_bytes(&self, speed: Speed, is_map: bool) -> u64 {
        let boards = self.vertices.div_ceil(64) as u64;
        let links = if is_map {
            links_on_map(boards, speed)
        } else {
            boards
        };
        boards * links * BYTES_OF_A_LINK
    }

    /// The greatest value of [`Self::reach_bytes`] for any graph of this size.
    pub(super) fn most_reach_bytes(vertices: usize, rules: Rules) -> u64 {
        let boards = vertices.div_ceil(64) as u64;
        let kinds = if rules.cop_speed == Speed::ONE { 1 } else { 2 };
        kinds * boards.pow(2) * BYTES_OF_A_LINK + balls(vertices, rules, vertices as u64)
    }

    const fn overflow(vertices: usize, cops: u8) -> SolveError {
        SolveError::TooLarge {
            vertices,
            cops,
            needed: u64::MAX,
            limit: u64::MAX,
        }
    }
}

/// The bytes that tell which places the robber reaches in a step and the cops in a turn on a map: as bits, and for two or
/// more cops also as lists of places. Agents of speed 1 share the bits.
fn reach_on_map(vertices: usize, rules: Rules) -> u64 {
    let boards = vertices.div_ceil(64) as u64;
    let side = 2 * u64::from(rules.cop_speed.steps()) + 1;
    let fast = match rules.cop_speed {
        Speed::ONE => 0,
        speed => links_on_map(boards, speed),
    };
    let links = links_on_map(boards, Speed::ONE) + fast;
    boards * links * BYTES_OF_A_LINK + balls(vertices, rules, side * side)
}

/// The number of boards that a board is linked to on a map.
fn links_on_map(boards: u64, speed: Speed) -> u64 {
    // The 64 places of a board lie together: without walls they form a square of 8 x 8 cells.
    (u64::from(speed.steps()) / 2 + 6).pow(2).min(boards)
}

/// The bytes of the lists of places that cops reach in a turn, if each list has `most` places.
fn balls(vertices: usize, rules: Rules, most: u64) -> u64 {
    match rules.cops.get() {
        1 => 0,
        _ => BYTES_OF_A_BALL * vertices as u64 * most.min(vertices as u64),
    }
}

/// The memory of one place on a list in bytes; lists grow by doubling.
pub(super) const BYTES_OF_A_BALL: u64 = 8;

/// The number of bits that capture times of up to `turns` turns need beyond the first eight.
const fn bits_beyond_a_byte(turns: usize) -> u32 {
    let bits = usize::BITS - turns.leading_zeros();
    let bits = if bits > 16 { 16 } else { bits };
    bits.saturating_sub(8)
}

/// The bytes of the empty lists that three or more cops need for the intermediate sets of a joint
/// move.
fn rows_of_lists(places: u128, cops: u128) -> Option<u128> {
    if cops < 3 {
        return Some(0);
    }
    let boards = places.div_ceil(64);
    let rows = (0..cops - 1).try_fold(0_u128, |rows, moved| {
        let moving = count_sets(places, moved)?;
        let waiting = count_sets(places, cops - 1 - moved)?;
        rows.checked_add(moving.checked_mul(waiting)?)
    });
    rows?.checked_mul(boards * BYTES_OF_A_LIST)
}

const BYTES_OF_A_LIST: u128 = 24;
