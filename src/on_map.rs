//! The map of an agent, and the rank of a map.

use bevy::ecs::entity::EntityHashSet;

use bevy::prelude::*;

/// The map that an agent is on: the entity with the [`PursuitMap`](super::PursuitMap).
///
/// Every agent that plays has it. An agent without it joins the map if there is exactly one, and the plugin then inserts
/// this component: the agent stays on its map when other maps appear, such as the next level while it loads. With several
/// maps, an agent without it joins none ([`IdleReason::NoMap`](super::IdleReason::NoMap)). To move an agent to another map,
/// insert this component again, together with its [`GridPosition`](super::GridPosition) there: the agent stands on that tile
/// at once, even in mid-step.
///
/// An agent that loses this component leaves its map. When the map is despawned, Bevy removes this component, and the
/// agent is then on no map until the game names another one.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
#[relationship(relationship_target = MapAgents)]
pub struct OnMap(pub Entity);

/// The agents that [name](OnMap) a map. Bevy maintains it on the entity of the map.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[relationship_target(relationship = OnMap)]
pub struct MapAgents(EntityHashSet);

impl MapAgents {
    /// The agents, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no agents. Bevy then removes the component.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The rank of a map among all maps. Maps share the budget of a tick in this order, so that a run does
/// not depend on how entities are stored.
///
/// The plugin numbers maps as they are spawned. A game that loads a save game and spawns its maps in
/// another order inserts the saved numbers.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Component, Default, PartialEq, Hash)]
#[component(immutable, clone_behavior = Ignore)]
pub struct MapNumber(pub u32);
