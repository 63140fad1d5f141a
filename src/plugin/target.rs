use crate::world::{AgentId, PursuitWorld};
use bevy::prelude::*;

use super::PursuitMap;

/// Whom a cop chases, and where it was seen last: for animations, barks and marks on a map. Only the
/// plugin writes it, whenever the cop decides.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Target {
    /// The robber; `None` if there is nobody to chase.
    #[entities]
    pub robber: Option<Entity>,
    /// What the cops of its pursuit have last seen of the robber; `None` if they have not seen it yet.
    pub last_seen: Option<LastSeen>,
}

/// Where and when cops have last seen a robber.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(PartialEq)]
pub struct LastSeen {
    /// The tile.
    pub at: UVec2,
    /// The tick of the map ([`PursuitMap::tick`]).
    pub tick: u64,
    /// Was it in sight when the cops looked last?
    pub in_sight: bool,
}

impl Target {
    /// What a world knows of the target of a cop.
    pub(super) fn of(cop: AgentId, world: &PursuitWorld, map: &PursuitMap) -> Self {
        let Some((robber, seen)) = world.target_of(cop) else {
            return Self::default();
        };
        let robber = world.agent(robber).map(|agent| agent.setup().user);
        Self {
            robber: robber.and_then(Entity::try_from_bits),
            last_seen: seen.map(|seen| LastSeen {
                at: map.position(seen.cell),
                tick: seen.tick,
                in_sight: seen.sees_now,
            }),
        }
    }
}
