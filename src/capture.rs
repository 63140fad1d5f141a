//! Captures: the event, and the component of a captured robber.

use bevy::prelude::*;

/// A cop has captured a robber: both stand on one tile. Where both sides choose simultaneously
/// ([`PursuitClock::Simultaneous`](super::PursuitClock::Simultaneous)) they may also have met on the edge between their
/// tiles; each then stands where the other one was. Triggered on the robber, once.
///
/// The robber stays there with [`Caught`] until the game despawns it or frees it by moving one of the
/// two away and removing `Caught`.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    /// The robber.
    #[event_target]
    pub robber: Entity,
    /// The cop, or one of them if several are there.
    pub cop: Entity,
    /// The map.
    pub map: Entity,
    /// The entity with the [`Pursuit`](super::Pursuit), or the map for the map's own pursuit.
    pub pursuit: Entity,
    /// The number of turns played in the pursuit, which is also the number of the capturing move.
    pub turn: u64,
}

/// A robber has got away: it has ended a step on an exit ([`TileEdit::Exit`](super::TileEdit::Exit)). Triggered on the
/// robber, once. The robber stays there with [`Away`].
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct GotAway {
    /// The robber.
    #[event_target]
    pub robber: Entity,
    /// The map.
    pub map: Entity,
    /// The entity with the [`Pursuit`](super::Pursuit), or the map for the map's own pursuit.
    pub pursuit: Entity,
    /// The number of turns played in the pursuit.
    pub turn: u64,
}

/// An agent is on a tile that is deadly now ([`LiveMap::add_hazard`](super::LiveMap::add_hazard)). Triggered on the agent,
/// once until it is on no deadly tile again. The plugin does nothing else: what becomes of the agent is for the game to say.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Struck {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// The tile.
    pub at: IVec2,
}

/// A robber that has got away through an exit: it does not move, and no cop chases it. Despawn the robber, or move it and
/// remove this component to bring it back, as with [`Caught`].
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Away {
    /// The number of turns played in the pursuit.
    pub turn: u64,
}

/// A captured robber: it does not move, and no cop chases it. To free it, move it or the cop away and
/// remove this component, at any time: both take effect at once. On clocks with turns, the robber sets out when the
/// next turn begins. So does a player on [`PursuitClock::Simultaneous`](super::PursuitClock::Simultaneous); on the other
/// clocks it sets out in the next tick.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
pub struct Caught {
    /// The cop.
    #[entities]
    pub by: Entity,
    /// The number of turns played in the pursuit.
    pub turn: u64,
}
