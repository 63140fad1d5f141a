use bevy::prelude::*;

/// A cop has captured a robber: both stand on one tile. Triggered on the robber, once.
///
/// The robber keeps standing there with [`Caught`] until the game despawns it or lets it go: moves
/// one of the two away and removes `Caught`.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    /// The robber.
    #[event_target]
    pub robber: Entity,
    /// The cop, or one of them if several are there.
    pub cop: Entity,
    /// The turns that were played in the pursuit, which is the number of the cops' move that captured.
    pub turn: u64,
}

/// A robber that has been captured: it does not move and nobody chases it. To let it go, move it or the
/// cop away and remove this component, at any time: both count at once. In turns it sets out when the next
/// one begins, and a player with the next tick.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
pub struct Caught {
    /// The cop.
    #[entities]
    pub by: Entity,
    /// The turns that were played in the pursuit.
    pub turn: u64,
}
