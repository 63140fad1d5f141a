use crate::table_cache::TableEvent;
use bevy::prelude::*;

/// An edit has touched what the plan of an agent depends on. Until the agent has a new plan, it follows
/// the old one as far as it is open.
#[derive(Message, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanInvalidated {
    /// The entity of the map.
    pub map: Entity,
    /// The agent.
    pub agent: Entity,
}

/// No cop can come to a robber, as the map is now. They go and wait where it could come out. Triggered on
/// the robber.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfReach {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// Cops can come to a robber again. Triggered on the robber.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithinReach {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// The cops of a pursuit, whose [`Sight`](super::Sight) is limited, see a robber. Triggered on the robber.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighted {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// The cops of a pursuit have lost sight of a robber. Triggered on the robber.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostSight {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// Something about exact tables.
#[derive(Message, Reflect, Debug, Clone, PartialEq)]
pub struct TableStatusChanged {
    /// The entity of the map.
    pub map: Entity,
    /// What it is.
    pub status: TableStatus,
}

/// What has happened to a table.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TableStatus {
    /// A pursuit plays by an exact table from now on; on the free running clock the table is a guide.
    InUse {
        /// Its number.
        pursuit: u32,
    },
    /// A pursuit has no exact table any more: the map has changed, or who takes part.
    OutOfUse {
        /// Its number.
        pursuit: u32,
    },
    /// A table is being solved in the background.
    Solving {
        /// For so many cops.
        cops: u8,
    },
    /// A table has been solved, and is used from now on.
    Ready {
        /// For so many cops.
        cops: u8,
    },
    /// A table was to be used from now on and has not been solved yet. The game goes on without, and uses it
    /// as soon as it is there: from this tick on the run is not repeatable.
    Late {
        /// For so many cops.
        cops: u8,
    },
    /// A table that was not used for long has made room for others.
    Dropped {
        /// For so many cops.
        cops: u8,
    },
    /// A table could not be solved or was not taken, for this reason.
    Refused {
        /// For so many cops.
        cops: u8,
        /// Why.
        reason: String,
    },
}

impl TableStatus {
    pub(super) fn of(event: &TableEvent) -> Self {
        match *event {
            TableEvent::Solving { key, .. } => Self::Solving {
                cops: key.rules.cops.get(),
            },
            TableEvent::Ready { key } => Self::Ready {
                cops: key.rules.cops.get(),
            },
            TableEvent::Late { key } => Self::Late {
                cops: key.rules.cops.get(),
            },
            TableEvent::Dropped { key } => Self::Dropped {
                cops: key.rules.cops.get(),
            },
            TableEvent::Refused { key, why } => Self::Refused {
                cops: key.rules.cops.get(),
                reason: why.to_string(),
            },
        }
    }
}
