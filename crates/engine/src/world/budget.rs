//! The budget of a tick, and the meter that tells a tick how much of it is left.

use super::share::Share;
use serde::{Deserialize, Serialize};

/// The budget of a tick for plans and repairs, for all agents together.
///
/// The unit of work is the *expansion*: generating the neighbours of one vertex, 10 to 100 ns. Other
/// work is counted as the number of expansions that take about as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum TickBudget {
    /// A number of expansions, which gives the same run on every machine. No time is measured: work
    /// other than searching comes on top, and an expansion takes 10 to 100 ns.
    Expansions(u32),
    /// Microseconds for everything that the plugin does in a tick, and in a frame between two ticks. Where many frames
    /// lie between two ticks, each of them has time for its own work, so the next tick pays only for the last of them.
    /// Runs are not repeatable, since the clock decides.
    ///
    /// The budget covers tile changes, agents that join, leave or change, arrivals, captures, sight,
    /// repairs, plans, moves, table requests and deliveries, clocks, restored agents and `Glide`.
    /// Searching stops early enough for the moves that follow, judged by how long moves took recently.
    ///
    /// Some work cannot wait, and a tick with more of it than the budget allows takes longer. Its cost
    /// is about (on a desktop computer):
    /// - moves of the agents that move in this tick: some µs each. On clocks with turns, all members of a pursuit move
    ///   in the same tick: several pursuits spread their moves over the ticks of a turn, a single pursuit does not;
    /// - a pursuit of several robbers: some nanoseconds for each pair of a cop and a robber;
    /// - an edit: 0.1 µs, and some nanoseconds for each agent;
    /// - an agent that joins: 1 µs; one that leaves: the same, and a nanosecond for each agent of its
    ///   pursuit;
    /// - the memory of searches on a new or restored map: some milliseconds for a million tiles;
    /// - 1,000 expansions of searching, some 50 µs, which each tick is granted in any case, so that
    ///   every agent eventually gets a plan.
    ///
    /// The budget does not cover the time that Bevy needs to run a dozen systems (some µs), to apply
    /// commands and to call observers: those of the game, and those of the plugin, which take about 50
    /// ns to note that an agent has joined or left.
    Micros(u32),
}

impl Default for TickBudget {
    /// 10,000 expansions.
    fn default() -> Self {
        Self::Expansions(10_000)
    }
}

/// Limits the work of a tick.
pub trait Meter {
    /// The number of expansions that may be spent before the next call, given that `spent` expansions
    /// have been spent since the tick began; 0 to stop.
    fn left(&mut self, spent: u64) -> u64;

    /// About how many expansions may be spent in one piece of work that asks only once. As
    /// [`left`](Self::left), unless that grants little at a time, as a meter of time does.
    fn left_in_one(&mut self, spent: u64) -> u64 {
        self.left(spent)
    }

    /// About how many expansions a whole tick may spend. It decides which plans are affordable.
    fn whole(&self) -> u64;

    /// Like [`left`](Self::left), for repairs of the abstraction while an agent may want a plan: a
    /// quarter of the whole is kept for plans.
    fn left_for_repairs(&mut self, spent: u64) -> u64 {
        let kept = Share::Plans.of(self.whole());
        self.left(spent.saturating_add(kept))
    }
}

/// A fixed number of expansions: the repeatable [`Meter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansions(pub u64);

impl Meter for Expansions {
    fn left(&mut self, spent: u64) -> u64 {
        self.0.saturating_sub(spent)
    }

    fn whole(&self) -> u64 {
        self.0
    }
}
