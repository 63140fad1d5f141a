//! Differences between the values of the simultaneous and the alternating game.

use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::solve::simultaneous::MixedSolution;
use pursuit_engine::table::{CaptureTimes as _, Solution};

/// A comparison of expected capture times with the capture times of the alternating game with the cops to move.
/// It covers the positions that are not captures and have a finite value in both games. All figures are 0 if
/// there are no such positions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// The number of positions compared.
    pub positions: usize,
    /// The mean value in turns of the alternating game.
    pub mean_alternating: f64,
    /// The mean value in turns of the simultaneous game.
    pub mean_simultaneous: f64,
    /// The mean of the differences, in turns.
    pub mean_difference: f64,
    /// The greatest difference, in turns.
    pub worst_difference: f64,
    /// The mean of the ratios.
    pub mean_ratio: f64,
    /// The greatest ratio.
    pub worst_ratio: f64,
}

impl Difference {
    /// Compares the values of the simultaneous game with those of the alternating game on the same map. Cost: linear in
    /// the positions.
    #[must_use]
    pub fn between(simultaneous: &MixedSolution, alternating: &Solution) -> Self {
        let mut found = Self::default();
        let mut cops = Vec::new();
        for (position, &value) in simultaneous.values.iter().enumerate() {
            if value == 0.0 || value.is_infinite() {
                continue;
            }
            let (robber, configuration) = simultaneous.positions.split(position);
            cops.clear();
            cops.extend(
                simultaneous
                    .positions
                    .cops(configuration)
                    .iter()
                    .map(|&cop| usize::from(cop)),
            );
            let Some(Outcome::Caught(Turns(turns))) = alternating.value_at(robber, &mut cops)
            else {
                continue;
            };
            let turns = f64::from(turns);
            found.positions += 1;
            found.mean_alternating += turns;
            found.mean_simultaneous += value;
            found.mean_ratio += value / turns;
            found.worst_difference = found.worst_difference.max(value - turns);
            found.worst_ratio = found.worst_ratio.max(value / turns);
        }
        let count = found.positions.max(1) as f64;
        for sum in [
            &mut found.mean_alternating,
            &mut found.mean_simultaneous,
            &mut found.mean_ratio,
        ] {
            *sum /= count;
        }
        found.mean_difference = found.mean_simultaneous - found.mean_alternating;
        found
    }
}
