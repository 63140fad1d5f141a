//! Solves a requested table in slices.

use super::{TableKey, TableRequest};
use crate::table::{Progress, Solution, SolveError, Solver};

/// A table being solved for a [`TableCache`](super::TableCache), in slices of any size.
///
/// A worker thread and a game without threads use the same code: the thread calls [`run`](Self::run) and
/// checks between slices whether the table is still wanted; the game calls [`advance`](Self::advance)
/// once per tick. Both give exactly the same solution.
#[derive(Debug)]
pub struct TableWork {
    key: TableKey,
    solver: Solver,
}

impl TableWork {
    /// Prepares the work. Memory is allocated as the work proceeds.
    ///
    /// # Errors
    /// If the table would take more than the request allows. Deliver the error, too.
    pub fn new(request: TableRequest) -> Result<Self, SolveError> {
        let TableRequest { key, arena, limit } = request;
        let solver = Solver::new(arena, key.rules, limit)?;
        Ok(Self { key, solver })
    }

    /// The key of the table.
    #[must_use]
    pub const fn key(&self) -> TableKey {
        self.key
    }

    /// Continues until about `words` words of 64 positions have been examined, at some 10 to 20 ns each.
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

    /// The result to be delivered; `None` until the work is done.
    #[must_use]
    pub fn finish(self) -> Option<(TableKey, Solution)> {
        Some((self.key, self.solver.finish()?))
    }
}
