//! Solves a requested table in slices.

use super::{TableKey, TableRequest};
use crate::table::{Preparation, Progress, Solution, SolveError, Solver};

/// A table being solved for a [`TableCache`](super::TableCache), in slices of any size.
///
/// A worker thread and a game without threads use the same code: the thread calls [`run`](Self::run) and
/// checks between slices whether the table is still wanted; the game calls [`advance`](Self::advance)
/// once per tick. Both give exactly the same solution.
#[derive(Debug)]
pub struct TableWork {
    key: TableKey,
    stage: WorkStage,
}

#[derive(Debug)]
enum WorkStage {
    Prepare(Box<Preparation>),
    Solve(Box<Solver>),
    Failed(SolveError),
}

impl TableWork {
    /// Begins the work. Memory is allocated as the work proceeds.
    ///
    /// # Errors
    /// If the table would take more than the request allows. Deliver the error, too.
    pub fn new(request: TableRequest) -> Result<Self, SolveError> {
        let TableRequest { key, arena, limit } = request;
        let preparation = Preparation::new(arena, key.rules, limit)?;
        Ok(Self {
            key,
            stage: WorkStage::Prepare(preparation.into()),
        })
    }

    /// The key of the table.
    #[must_use]
    pub const fn key(&self) -> TableKey {
        self.key
    }

    /// Continues until about `words` words of 64 positions have been examined, at some 10 to 20 ns each. The first slices
    /// find what the agents reach in a turn. The work is also done when it has [failed](Self::error).
    pub fn advance(&mut self, words: usize) -> Progress {
        if let WorkStage::Prepare(preparation) = &mut self.stage {
            let spent = preparation.advance(words);
            if spent.is_ok() && !preparation.is_done() {
                return Progress {
                    done: false,
                    ..Progress::of_work(0, preparation.positions())
                };
            }
            self.stage = match spent.and_then(|_| preparation.finish()) {
                Ok(solver) => WorkStage::Solve(solver.into()),
                Err(error) => WorkStage::Failed(error),
            };
        }
        match &mut self.stage {
            WorkStage::Solve(solver) => solver.advance(words),
            _ => Progress {
                done: true,
                ..Progress::of_work(0, 0)
            },
        }
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

    /// Why the work has failed: fast agents reach more places on this map than the request allows memory for. Deliver
    /// the error. `None` if it has not failed.
    #[must_use]
    pub const fn error(&self) -> Option<SolveError> {
        match self.stage {
            WorkStage::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// The result to be delivered; `None` until the work is done, and if it has [failed](Self::error).
    #[must_use]
    pub fn finish(self) -> Option<(TableKey, Solution)> {
        match self.stage {
            WorkStage::Solve(solver) => Some((self.key, solver.finish()?)),
            _ => None,
        }
    }
}
