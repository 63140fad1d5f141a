//! Solves a requested table in slices.

use super::{TableKey, TableRequest};
use crate::table::{Progress, Solution, SolveError, Solver};

/// A table being solved for a [`TableCache`](super::TableCache), in slices of any size.
///
/// A worker thread and a game without threads use the same code: the thread [runs](Self::run) and
/// looks between slices whether it is still wanted, the game [advances](Self::advance) a slice a tick.
/// The solution is the same to the bit either way.
#[derive(Debug)]
pub struct TableWork {
    key: TableKey,
    solver: Solver,
}

impl TableWork {
    /// Gets ready. The memory is taken as the work goes on.
    ///
    /// # Errors
    /// If the table would take more than the request allows. Deliver that as well.
    pub fn new(request: TableRequest) -> Result<Self, SolveError> {
        let TableRequest { key, arena, limit } = request;
        let solver = Solver::new(arena, key.rules, limit)?;
        Ok(Self { key, solver })
    }

    /// Which table it is.
    #[must_use]
    pub const fn key(&self) -> TableKey {
        self.key
    }

    /// Works on until about `words` words of 64 positions have been examined, each some 10 to 20 ns.
    pub fn advance(&mut self, words: usize) -> Progress {
        self.solver.advance(words)
    }

    /// Works to the end in slices of `words` words, or until `go_on`, called after each, returns `false`.
    pub fn run(&mut self, words: usize, mut go_on: impl FnMut(Progress) -> bool) -> Progress {
        loop {
            let progress = self.advance(words.max(1));
            if progress.done || !go_on(progress) {
                return progress;
            }
        }
    }

    /// What is to be delivered; `None` as long as it is not done.
    #[must_use]
    pub fn finish(self) -> Option<(TableKey, Solution)> {
        Some((self.key, self.solver.finish()?))
    }
}
