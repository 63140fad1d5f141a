//! The report of a tick: its events, and the work that was done.

use super::agent_id::AgentId;
use super::duty::GiveUp;
use crate::map::Cell;
use crate::policy::Source;
use crate::table_cache::TableEvent;

/// An event of a tick.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WorldEvent {
    /// A cop stands on a robber's cell, or has met the robber on the way
    /// ([`PursuitClock::Simultaneous`](super::PursuitClock::Simultaneous)).
    Captured {
        /// The robber.
        robber: AgentId,
        /// The cop.
        cop: AgentId,
        /// The number of turns played in the pursuit.
        turn: u64,
    },
    /// A robber has got away: it has ended a step on an exit.
    Away {
        /// The robber.
        robber: AgentId,
        /// The number of turns played in the pursuit.
        turn: u64,
    },
    /// An edit touched the footprint of an agent's plan. The agent follows the plan as far as it is
    /// open, until it has a new one.
    PlanInvalidated(AgentId),
    /// An agent has arrived where the game sent it ([`Control::WalkTo`](super::Control::WalkTo)), or at a post of its
    /// [`Duty`](super::Duty).
    Arrived(AgentId),
    /// No path leads to the goal of an errand on the current map. Or to a post of an agent's [`Duty`](super::Duty), which it
    /// leaves out: [`refused_post`](super::AgentRecord::refused_post), once until it has been there again.
    NoWay(AgentId),
    /// A cop has given up the robber that it has chased: it chases others, or does its [`Duty`](super::Duty), or goes back to
    /// the cell of its [`Leash`](super::Leash). For 8 turns it does not chase this robber in any case; and after that only
    /// when both are within the leash, a path leads to the robber, or a cop has seen the robber again.
    GaveUp {
        /// The cop.
        id: AgentId,
        /// The robber.
        robber: AgentId,
        /// The reason.
        because: GiveUp,
    },
    /// A wall that has appeared ends the walk of an agent along a path that the game has
    /// [ordered](super::PursuitWorld::order). Sent once for each order, in the tick in which the agent would have gone on
    /// or, where the wall is on the path of its current move, in the tick of the edit.
    OrderCut {
        /// The agent.
        id: AgentId,
        /// The number of steps that it still takes.
        taken: usize,
        /// The first cell of the path that it does not come to.
        refused: Cell,
    },
    /// An agent is on a cell that is deadly now ([`Hazard`](super::Hazard)), under way counted from its last cell. Sent once,
    /// until it is on no deadly cell again. What becomes of the agent is for the game to say.
    Struck {
        /// The agent.
        id: AgentId,
        /// The cell.
        cell: Cell,
    },
    /// An agent has its own faction again ([`AgentSetup::swap`](super::AgentSetup::swap)).
    SwapEnded(AgentId),
    /// No cop can reach a robber on the current map. The cops reduce their straight-line distance to it as
    /// far as they can, and wait there.
    OutOfReach(AgentId),
    /// Cops can reach a robber again.
    WithinReach(AgentId),
    /// A pursuit starts (`true`) or stops playing by an exact table. On the free-running clock the
    /// table is a guide, and where both sides choose simultaneously it is one of mixed strategies.
    Table {
        /// The number of the pursuit.
        pursuit: u32,
        /// Whether a table decides.
        exact: bool,
    },
    /// The cops of a pursuit see a robber (`true`) or have lost sight of it.
    Sighted {
        /// The robber.
        robber: AgentId,
        /// Whether a cop sees it.
        seen: bool,
    },
    /// An event of the map's table cache.
    TableCache(TableEvent),
}

impl WorldEvent {
    /// The cops of a pursuit have lost sight of a robber.
    pub(super) const fn lost(robber: AgentId) -> Self {
        Self::Sighted {
            robber,
            seen: false,
        }
    }
}

/// The work of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TickReport {
    /// All work, in expansions.
    pub spent: u64,
    /// The part of `spent` that repaired the abstraction.
    pub repairs: u64,
    /// The number of edits that are not yet worked into the abstraction.
    pub pending_edits: usize,
    /// The number of plans that were finished.
    pub plans: u32,
    /// The number of plans that an edit invalidated.
    pub dropped: u32,
    /// Decisions made, by source.
    pub decisions: Decisions,
    /// The age of the oldest plan that was followed in this tick, in ticks.
    pub oldest: u32,
    /// The number of agents that wanted a plan and got none in this tick.
    pub waiting: u32,
}

/// The number of decisions from each [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Decisions([u64; Source::ALL.len()]);

impl Decisions {
    /// Counts one decision.
    pub fn note(&mut self, source: Source) {
        self.0[source as usize] += 1;
    }

    /// The number of decisions from a source.
    #[must_use]
    pub const fn by(&self, source: Source) -> u64 {
        self.0[source as usize]
    }

    /// The number of all decisions.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of a source in all decisions, from 0 to 1; 0 if there are none.
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
