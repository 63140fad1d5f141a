//! The target of a cop: the robber it chases, and the last sighting.

use bevy::prelude::*;
use pursuit_engine::world::{AgentId, PursuitWorld};

use crate::live_map::LiveMap;

/// The robber that a cop chases, and its last sighting: for animations, barks and marks on a map. Only
/// the plugin writes it, whenever the cop decides.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Target {
    /// The robber; `None` if there is none to chase.
    #[entities]
    pub robber: Option<Entity>,
    /// The last sighting of the robber by the cops of the pursuit; `None` if they have not seen it yet.
    pub last_seen: Option<LastSeen>,
}

/// The robber that the game wants a cop to chase. As long as it is free in the pursuit of the cop, within the cop's
/// [`Leash`](super::Leash) if there is one, the cop chases no other. Otherwise the plugin chooses, as it does without this
/// component. Insert it again to change it.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[component(immutable)]
#[reflect(Component, Default, PartialEq)]
pub struct Quarry(#[entities] pub Entity);

impl Default for Quarry {
    /// Nobody.
    fn default() -> Self {
        Self(Entity::PLACEHOLDER)
    }
}

/// The tile for which a cop with [`Tactics::Custom`](super::Tactics::Custom) heads while it chases a robber: tactics of the
/// game's own. The plugin plans the path, keeps it out of hazards and crowds, and captures the robber where a move can. Write
/// it whenever the game has another idea; without it, the cop goes for the robber.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[component(immutable)]
#[reflect(Component, Default, PartialEq)]
pub struct HeadsFor(pub IVec2);

/// Where and when cops last saw a robber.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(PartialEq)]
pub struct LastSeen {
    /// The tile.
    pub at: IVec2,
    /// The tick of the map ([`LiveMap::tick`]).
    pub tick: u64,
    /// Whether it was in sight at the last update.
    pub in_sight: bool,
}

impl Target {
    /// Reads the target of a cop from its world.
    pub(super) fn of(cop: AgentId, world: &PursuitWorld, map: &LiveMap) -> Self {
        let Some((robber, seen)) = world.target_of(cop) else {
            return Self::default();
        };
        let robber = world.agent(robber).map(|agent| agent.setup().user);
        Self {
            robber: robber.and_then(Entity::try_from_bits),
            last_seen: seen.map(|seen| LastSeen {
                at: map.position_of_agent(seen.cell),
                tick: seen.tick,
                in_sight: seen.sees_now,
            }),
        }
    }
}
