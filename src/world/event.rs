use super::agent::AgentId;
use crate::policy::Source;
use crate::table_cache::TableEvent;

/// What has happened in a tick.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WorldEvent {
    /// A cop stands on a robber.
    Captured {
        /// The robber.
        robber: AgentId,
        /// The cop.
        cop: AgentId,
        /// The turns that were played in the pursuit.
        turn: u64,
    },
    /// An edit touched what the plan of an agent depends on. The agent goes on by it, as far as it is
    /// open, until it has a new one.
    PlanInvalidated(AgentId),
    /// An agent has come to where the game sent it ([`Control::WalkTo`](super::Control::WalkTo)).
    Arrived(AgentId),
    /// No way leads to where the game has sent an agent, as the map is now.
    NoWay(AgentId),
    /// No cop can come to a robber as the map is now: they go and wait where it could come out.
    OutOfReach(AgentId),
    /// Cops can come to a robber again.
    WithinReach(AgentId),
    /// A pursuit plays by an exact table from now on (`true`), or has none any more. On the free running
    /// clock the table is a guide.
    Table {
        /// The number of the pursuit.
        pursuit: u32,
        /// Does a table decide?
        exact: bool,
    },
    /// The cops of a pursuit see a robber (`true`), or have lost sight of it.
    Sighted {
        /// The robber.
        robber: AgentId,
        /// Does a cop see it?
        seen: bool,
    },
    /// Something about the tables of the map.
    TableCache(TableEvent),
}

/// What a tick has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TickReport {
    /// Work, in expansions.
    pub spent: u64,
    /// The part of it that repaired the abstraction.
    pub repairs: u64,
    /// Edits that the abstraction is behind.
    pub pending_edits: usize,
    /// Plans that were finished.
    pub plans: u32,
    /// Plans that an edit has touched.
    pub dropped: u32,
    /// Decisions made, by what made them.
    pub decisions: Decisions,
    /// The age of the oldest plan that was followed in this tick, in ticks.
    pub oldest: u32,
    /// Agents that would have liked a plan and got none in this tick.
    pub waiting: u32,
}

/// How many decisions came from which [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Decisions([u64; Source::ALL.len()]);

impl Decisions {
    /// Counts one more.
    pub fn note(&mut self, source: Source) {
        self.0[source as usize] += 1;
    }

    /// How many came from a source.
    #[must_use]
    pub const fn by(&self, source: Source) -> u64 {
        self.0[source as usize]
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The part of all, from 0 to 1, that came from a source; 0 if there were none.
    #[must_use]
    pub fn share(&self, source: Source) -> f64 {
        self.by(source) as f64 / self.all().max(1) as f64
    }
}

impl std::ops::AddAssign for Decisions {
    fn add_assign(&mut self, more: Self) {
        for (count, more) in self.0.iter_mut().zip(more.0) {
            *count += more;
        }
    }
}
