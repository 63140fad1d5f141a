use super::shape::Shape;
use super::{MAX_VERTICES, SolveError};
use crate::game::Rules;

/// What solving a table will take, known before any work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of cops.
    pub cops: u8,
    /// Positions with the cops to move, interchangeable cops counted once: n (n + k - 1 over k).
    pub states: u128,
    /// Bytes of memory, about. Capture times of more than 254 turns need up to a byte a state more.
    pub bytes: u64,
    /// Seconds on one core of the machine that the README measures on, about.
    pub seconds: f64,
}

/// What a word of positions takes besides what it holds for each place of the robber.
const BYTES_OF_A_SLAB: u128 = 500;

impl Estimate {
    /// For a map or graph of so many vertices. Cost: none.
    ///
    /// Where cops get in a turn is counted as in the open of a map. In graphs with more neighbours it
    /// can be more: a [`Solver`](super::Solver) looks at that before it takes the memory.
    ///
    /// # Errors
    /// If there are more than [`MAX_VERTICES`], or so many cops that the numbers overflow.
    pub fn new(vertices: usize, rules: &Rules) -> Result<Self, SolveError> {
        if vertices > MAX_VERTICES {
            return Err(SolveError::TooManyVertices { vertices });
        }
        let cops = rules.cops.get();
        let size = Shape::size(vertices as u128, u32::from(cops));
        let states = count_states(vertices as u128, u128::from(cops));
        let (Some(words), Some(states)) = (size, states) else {
            return Err(Self::overflow(vertices, cops));
        };
        // Capture times, sets, and what a turn has found in them, which is a share of the words.
        let sets = 1 + u128::from(rules.robber_speed.steps());
        let lists = match cops {
            1 => 32,
            2 => 100,
            _ => 170,
        };
        let a_word = vertices as u128 * (64 + 8 * sets + lists) + BYTES_OF_A_SLAB;
        let reach = reach_on_map(vertices, *rules);
        let bytes = words
            .checked_mul(a_word)
            .and_then(|bytes| bytes.checked_add(reach.into()));
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

    /// Does it fit?
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] with the figure if it needs more than `limit` bytes.
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

    /// Bytes that the [`Solution`](super::Solution) takes once it is done, about: a byte a position,
    /// cops on the two sides of the diagonal counted once. Capture times of more than 254 turns
    /// need up to as much again.
    #[must_use]
    pub fn solution_bytes(&self) -> u64 {
        let words = Shape::size(self.vertices as u128, self.cops.into()).unwrap_or(u128::MAX);
        let bytes = words.saturating_mul(64 * self.vertices as u128);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    /// The part of the bytes that tells where cops get in a turn.
    pub(super) fn reach(&self, rules: Rules) -> u64 {
        reach_on_map(self.vertices, rules)
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

/// Bytes that tell where the cops get in a turn on a map: a list of places, and about as much again
/// for the same as bits.
fn reach_on_map(vertices: usize, rules: Rules) -> u64 {
    let side = 2 * u64::from(rules.cop_speed.steps()) + 1;
    BYTES_OF_AN_ORIGIN * vertices as u64 * (side * side).min(vertices as u64)
}

/// What a place within reach of another one takes.
pub(super) const BYTES_OF_AN_ORIGIN: u64 = 8;

/// n (n + k - 1 over k), `None` on overflow (thesis, lemma 3.4, half of it).
fn count_states(n: u128, k: u128) -> Option<u128> {
    let mut sets: u128 = 1;
    for i in 0..k {
        sets = sets.checked_mul(n + i)? / (i + 1);
    }
    n.checked_mul(sets)
}
