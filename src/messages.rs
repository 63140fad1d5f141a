//! Messages and events about plans, reach, sight and tables.

use bevy::prelude::*;
use pursuit_engine::table_cache::TableEvent;

/// An edit has invalidated the plan of an agent. The agent follows the old plan as far as no wall blocks
/// it, until it has a new one.
#[derive(Message, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanInvalidated {
    /// The entity of the map.
    pub map: Entity,
    /// The agent.
    pub agent: Entity,
}

/// No cop can reach a robber on the current map, or it is in a wall and only the game moves it. The cops reduce their
/// straight-line distance to it as far as they can, and wait there. Triggered on the robber, in turns with [`WithinReach`].
/// A robber that comes back into the game after it was disabled or had no role begins anew.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfReach {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// Cops can reach a robber again, on the same map or on another one. Triggered on the robber.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithinReach {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// The cops of a pursuit, whose [`Sight`](super::Sight) is limited, see a robber. Triggered on the
/// robber.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighted {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// The cops of a pursuit no longer see a robber that they have [`Sighted`]: it is out of sight, captured or disabled, on
/// another map or in another pursuit. Triggered on the robber, unless it is despawned.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostSight {
    /// The robber.
    #[event_target]
    pub robber: Entity,
}

/// An event of an exact table.
#[derive(Message, Reflect, Debug, Clone, PartialEq)]
pub struct TableStatusChanged {
    /// The entity of the map.
    pub map: Entity,
    /// The event.
    pub status: TableStatus,
}

/// The event of a table.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TableStatus {
    /// A pursuit plays by an exact table from now on; on the free-running clock the table is a guide, and where both
    /// sides choose simultaneously it is one of mixed strategies.
    InUse {
        /// The entity with the [`Pursuit`](super::Pursuit), or the map for the map's own pursuit.
        pursuit: Entity,
    },
    /// A pursuit no longer has such a table: the map or its members have changed.
    OutOfUse {
        /// The entity with the [`Pursuit`](super::Pursuit), or the map for the map's own pursuit.
        pursuit: Entity,
    },
    /// A table is being solved in the background.
    Solving {
        /// The number of cops.
        cops: u8,
    },
    /// A table has been solved, and is used from now on.
    Ready {
        /// The number of cops.
        cops: u8,
    },
    /// A table is due and not solved yet. The game continues without it, and uses it once it is solved:
    /// from this tick on the run is not repeatable.
    Late {
        /// The number of cops.
        cops: u8,
    },
    /// A table that was not used for long was dropped to make room.
    Dropped {
        /// The number of cops.
        cops: u8,
    },
    /// A table could not be solved, or was not accepted.
    Refused {
        /// The number of cops.
        cops: u8,
        /// The reason.
        reason: String,
    },
}

impl TableStatus {
    /// What a game is told of an event; nothing for events that games have no use for.
    pub(super) fn of(event: &TableEvent) -> Option<Self> {
        Some(match *event {
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
            _ => return None,
        })
    }
}
