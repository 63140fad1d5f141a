use serde::{Deserialize, Serialize};

/// What a tick may spend on plans and repairs, for all agents together.
///
/// The unit of work is the *expansion*: the neighbours of one vertex generated, 10 to 100 ns. What is no
/// search is counted as so many expansions as it takes about as long as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum TickBudget {
    /// So many expansions: the same run on every machine. Time is not measured: what searching is not,
    /// comes on top, and searching itself takes 10 to 100 ns an expansion.
    Expansions(u32),
    /// So many microseconds for everything that the plugin does in a tick and between it and the one
    /// before: not repeatable, since it asks the clock.
    ///
    /// Counted are changes of tiles, agents that join, leave or are changed, arrivals, captures, what is
    /// seen, repairs, plans, moves, tables that come and go, clocks, restored agents and `Glide`. The
    /// searching ends early enough for the moves after it, by what these have taken of late.
    ///
    /// Some of this cannot wait, and a tick in which there is more of it than budget takes longer. It
    /// costs about (on a desktop computer):
    /// - the moves of those who are due: some µs each. In turns all members of a pursuit are due at once:
    ///   several pursuits spread their moves over the ticks of a turn, one pursuit does not;
    /// - in a pursuit of several robbers, some nanoseconds for each pair of a cop and a robber;
    /// - an edit: 0.1 µs, and some nanoseconds for each agent;
    /// - an agent that joins: 1 µs; one that leaves: the same, and a nanosecond for each agent of its
    ///   pursuit;
    /// - the memory that searches take on a new or restored map: some milliseconds for a million tiles;
    /// - 1,000 expansions of searching, some 50 µs, that each tick has in any case, so that everybody gets
    ///   a plan in the end.
    ///
    /// Not counted, since it is not the plugin's time, is what Bevy takes to run a dozen systems (some
    /// µs), to apply commands and to call observers: those of the game, and those of the plugin, which note
    /// in about 50 ns that an agent has come or gone.
    Micros(u32),
}

impl Default for TickBudget {
    /// 10,000 expansions.
    fn default() -> Self {
        Self::Expansions(10_000)
    }
}

/// Tells a tick how much it may still do.
pub trait Meter {
    /// The expansions that may be spent before it is asked again, when `spent` have been since the
    /// tick began; 0 to stop.
    fn left(&mut self, spent: u64) -> u64;

    /// About how many expansions a whole tick may spend: what plans can be afforded goes by it.
    fn whole(&self) -> u64;

    /// The same as [`left`](Self::left) for repairs of the abstraction while somebody may want a plan:
    /// a quarter of the whole is kept for plans.
    fn left_for_repairs(&mut self, spent: u64) -> u64 {
        let kept = self.whole() / 4;
        self.left(spent.saturating_add(kept))
    }
}

/// A number of expansions: the repeatable [`Meter`].
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
