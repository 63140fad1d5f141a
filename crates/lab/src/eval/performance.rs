//! Summary of the games of an experiment.

use super::games::Played;
use super::tournament::percentile;

/// Summary of the games of a policy: a row of table B.1 of C. Moldenhauer's thesis.
///
/// A *decision* is a move of the robber, and a *call* is a decision that required computation. A policy
/// that follows each plan for m turns has one call in m decisions. Games that the robber can win count
/// only in `endless` and `lost`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Performance {
    /// The games with a finite optimum.
    pub games: u64,
    /// The games in which an optimal robber escapes.
    pub endless: u64,
    /// Of these, the games in which the robber was captured nevertheless.
    pub lost: u64,
    /// The number of moves of the robber.
    pub decisions: u64,
    /// The number of moves that required computation.
    pub calls: u64,
    /// Vertices whose neighbours were generated.
    pub expansions: u64,
    /// Neighbours that were examined.
    pub touched: u64,
    /// The sum over the games of survival divided by optimum.
    ratios: f64,
    /// The nanoseconds of each call, the shortest first.
    call_times: Vec<u64>,
    /// The nanoseconds of all decisions.
    decision_time: u64,
}

impl Performance {
    /// Summarises games. Time: that of sorting the calls.
    #[must_use]
    pub fn of(games: &[Played]) -> Self {
        let mut all = Self::default();
        for game in games {
            match (game.survival, game.optimum) {
                (survival, None) => {
                    all.endless += 1;
                    all.lost += u64::from(survival.is_some());
                }
                (survival, Some(optimum)) => all.add(game, survival.unwrap_or(optimum), optimum),
            }
        }
        all.call_times.sort_unstable();
        all
    }

    fn add(&mut self, game: &Played, survival: u32, optimum: u32) {
        self.games += 1;
        self.ratios += f64::from(survival) / f64::from(optimum);
        for taken in &game.moves {
            self.decisions += 1;
            self.decision_time += taken.nanoseconds;
            if taken.effort.planned {
                self.calls += 1;
                self.expansions += taken.effort.work.expansions;
                self.touched += taken.effort.work.touched;
                self.call_times.push(taken.nanoseconds);
            }
        }
    }

    /// The mean of survival divided by optimum, both in plies; `None` without games. 1 is optimal.
    #[must_use]
    pub fn mean_ratio(&self) -> Option<f64> {
        (self.games > 0).then(|| self.ratios / self.games as f64)
    }

    /// `total` per call, `None` without calls.
    #[must_use]
    pub fn per_call(&self, total: u64) -> Option<f64> {
        (self.calls > 0).then(|| total as f64 / self.calls as f64)
    }

    /// `total` per decision, `None` without decisions.
    #[must_use]
    pub fn per_decision(&self, total: u64) -> Option<f64> {
        (self.decisions > 0).then(|| total as f64 / self.decisions as f64)
    }

    /// The mean time of a call, in nanoseconds.
    #[must_use]
    pub fn mean_call_time(&self) -> Option<f64> {
        self.per_call(self.call_times.iter().sum())
    }

    /// The mean time of a decision, in nanoseconds.
    #[must_use]
    pub fn mean_decision_time(&self) -> Option<f64> {
        self.per_decision(self.decision_time)
    }

    /// A percentile of the times of the calls, in nanoseconds; 100 gives the longest.
    #[must_use]
    pub fn call_time(&self, percent: usize) -> Option<u64> {
        percentile(&self.call_times, percent)
    }
}
