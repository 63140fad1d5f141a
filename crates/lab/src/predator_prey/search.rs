//! Solves one position of the predator-prey game by iterative deepening.

use pursuit_engine::solve::PositionError;
use std::num::NonZeroU8;

/// Solves one position of the predator-prey game: iterative deepening with a perfect transposition table (T.
/// Cazenave, *Multi-Agent Retrograde Analysis*, section 4, algorithm 5).
///
/// The rules are the same as for [`PredatorPrey`](crate::predator_prey::PredatorPrey). For each position, the table
/// stores the least depth within which the position is known to be solved, and the greatest depth within which
/// it is known not to be. Two things go beyond the paper: predators are interchangeable, and moves towards the
/// prey are tried first.
///
/// ```
/// use pursuit_lab::predator_prey::PredatorPreySearch;
/// use std::num::NonZeroU8;
///
/// let mut search = PredatorPreySearch::of_paper(NonZeroU8::new(4).unwrap(), 1 << 20)?;
/// while search.deepen(|_| true) == Some(false) {}
/// assert_eq!(search.solved(), Some(5));
/// # Ok::<(), pursuit_engine::solve::PositionError>(())
/// ```
#[derive(Debug)]
pub struct PredatorPreySearch {
    cells: usize,
    /// For each cell, the cell itself and its neighbours.
    steps: Vec<Vec<u8>>,
    distances: Vec<Vec<u8>>,
    /// For each position, the least depth within which it is solved, stored as its complement; 0 if none is known.
    solved_within: Vec<u8>,
    /// For each position, the depth below which it is known not to be solved.
    open_below: Vec<u8>,
    start: PreyPosition,
    depth: u8,
    solved: Option<u8>,
    expansions: u64,
}

/// The cell of the prey, and the cells of the predators in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PreyPosition {
    prey: u8,
    predators: [u8; 3],
}

/// The number of positions between two calls of `go_on`.
const BETWEEN_ASKS: u64 = 1 << 12;
/// The greatest depth that is searched.
const MOST: u8 = u8::MAX - 1;
/// The greatest number of cells of a board, so that a cell number fits into a byte.
const MOST_CELLS: usize = 1 << 8;

impl PredatorPreySearch {
    /// The position of greatest depth in the paper: the prey is in one upper corner, two predators are in the
    /// other upper corner, and one predator is below them.
    ///
    /// # Errors
    /// If the board is too small for the position, or if the table takes more than `memory` bytes.
    pub fn of_paper(size: NonZeroU8, memory: u64) -> Result<Self, PositionError> {
        let side = usize::from(size.get());
        let cells = side * side;
        if !(3..=16).contains(&side) || cells > MOST_CELLS {
            return Err(PositionError::BoardSize { size: size.get() });
        }
        let positions = (cells as u64).pow(4);
        let needed = positions * 2;
        if needed > memory {
            return Err(PositionError::TooLarge {
                needed,
                limit: memory,
            });
        }
        let last = side - 1;
        let place = |cell: usize| (cell % side, cell / side);
        let apart = |a: usize, b: usize| {
            let ((ax, ay), (bx, by)) = (place(a), place(b));
            (ax.abs_diff(bx) + ay.abs_diff(by)) as u8
        };
        let near = |cell| (0..cells).filter(move |&other| apart(cell, other) <= 1);
        let of_cells = |row: &dyn Fn(usize) -> Vec<u8>| (0..cells).map(row).collect::<Vec<_>>();
        let predators = [last - 1, last, side + last].map(|cell| cell as u8);
        Ok(Self {
            cells,
            steps: of_cells(&|cell| near(cell).map(|other| other as u8).collect()),
            distances: of_cells(&|cell| (0..cells).map(|other| apart(cell, other)).collect()),
            solved_within: vec![0; positions as usize],
            open_below: vec![0; positions as usize],
            start: PreyPosition::new(0, predators),
            depth: 0,
            solved: None,
            expansions: 0,
        })
    }

    /// The depth of the position, once it is known.
    #[must_use]
    pub const fn solved(&self) -> Option<u8> {
        self.solved
    }

    /// The depth that was searched last.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// The number of positions whose moves were generated.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Searches the next depth. Returns whether the position is solved within it. `go_on` is called now and
    /// then with the number of expansions; if it returns `false`, the search stops and returns `None`. The
    /// table is kept, and the next call continues with the same depth.
    pub fn deepen(&mut self, mut go_on: impl FnMut(u64) -> bool) -> Option<bool> {
        if self.solved.is_some() || self.depth == MOST {
            return Some(self.solved.is_some());
        }
        let is_solved = self.is_solved(self.start, self.depth + 1, &mut go_on)?;
        self.depth += 1;
        if is_solved {
            self.solved = Some(self.depth);
        }
        Some(is_solved)
    }

    /// Whether the prey is caught within `depth` of its moves, with the predators to move. The recursion is as
    /// deep as the search.
    fn is_solved(
        &mut self,
        position: PreyPosition,
        depth: u8,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Option<bool> {
        if self.is_end(position) {
            return Some(true);
        }
        let index = self.index(position);
        if depth == 0 || self.open_below[index] > depth {
            return Some(false);
        }
        if !self.solved_within[index] <= depth {
            return Some(true);
        }
        self.expansions += 1;
        if self.expansions.is_multiple_of(BETWEEN_ASKS) && !go_on(self.expansions) {
            return None;
        }
        let moves = position
            .predators
            .map(|predator| self.moves(position.prey, predator));
        for &a in &moves[0] {
            for &b in moves[1].iter().filter(|&&b| b != a) {
                for &c in moves[2].iter().filter(|&&c| c != a && c != b) {
                    if self.holds(position.prey, [a, b, c], depth - 1, go_on)? {
                        self.solved_within[index] = !depth;
                        return Some(true);
                    }
                }
            }
        }
        self.open_below[index] = depth + 1;
        Some(false)
    }

    /// Returns whether all moves of the prey lead to positions that are solved within `depth`.
    fn holds(
        &mut self,
        prey: u8,
        predators: [u8; 3],
        depth: u8,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Option<bool> {
        let count = self.steps[usize::from(prey)].len();
        // Try the moves first that are known not to be solved.
        for turn in [false, true] {
            for step in 0..count {
                let after = PreyPosition::new(self.steps[usize::from(prey)][step], predators);
                if turn {
                    if !self.is_solved(after, depth, go_on)? {
                        return Some(false);
                    }
                } else if !self.is_end(after)
                    && (depth == 0 || self.open_below[self.index(after)] > depth)
                {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// The moves of a predator, towards the prey first.
    fn moves(&self, prey: u8, predator: u8) -> Vec<u8> {
        let mut moves = self.steps[usize::from(predator)].clone();
        let distances = &self.distances[usize::from(prey)];
        moves.sort_by_key(|&to| distances[usize::from(to)]);
        moves
    }

    /// Returns whether the prey stands on a predator, or has a predator on each neighbour cell.
    fn is_end(&self, PreyPosition { prey, predators }: PreyPosition) -> bool {
        predators.contains(&prey) || {
            let mut steps = self.steps[usize::from(prey)].iter();
            steps.all(|step| *step == prey || predators.contains(step))
        }
    }

    fn index(&self, PreyPosition { prey, predators }: PreyPosition) -> usize {
        let all = predators.iter().chain([&prey]);
        all.fold(0, |index, &cell| index * self.cells + usize::from(cell))
    }
}

impl PreyPosition {
    fn new(prey: u8, mut predators: [u8; 3]) -> Self {
        predators.sort_unstable();
        Self { prey, predators }
    }
}
