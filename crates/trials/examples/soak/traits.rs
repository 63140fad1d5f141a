//! What an agent may have besides: bodies that take room, a direction, tactics of its own, difficulty.

use crate::api::at;
use crate::ops::Trait;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Difficulty, HeadsFor, KeepsDirection, Quarry, Solid};

/// The tactics that agents may have of their own.
pub const TACTICS: [Tactics; 8] = [
    Tactics::Intercept,
    Tactics::Chase,
    Tactics::Ahead(4),
    Tactics::Flank,
    Tactics::Shy(5),
    Tactics::Keep(4),
    Tactics::Surround,
    Tactics::Custom,
];

/// Gives an agent a trait, or takes it away. `other`: the agent that the trait names, alive or not.
pub fn set_trait(world: &mut World, agent: Entity, what: Trait, yes: bool, other: Option<Entity>) {
    fn set(agent: &mut EntityWorldMut<'_>, yes: bool, component: impl Component) {
        if yes {
            agent.insert(component);
        } else {
            remove(agent, &component);
        }
    }
    fn remove<C: Component>(agent: &mut EntityWorldMut<'_>, _: &C) {
        agent.remove::<C>();
    }
    let mut agent = world.entity_mut(agent);
    match what {
        Trait::Solid => set(&mut agent, yes, Solid),
        Trait::KeepsDirection => set(&mut agent, yes, KeepsDirection),
        Trait::Tactics(index) => set(&mut agent, yes, TACTICS[index % TACTICS.len()]),
        Trait::Difficulty(share) => {
            set(&mut agent, yes, Difficulty(f32::from(share) / 100.0));
        }
        Trait::Quarry(_) => set(&mut agent, yes, other.map(Quarry).unwrap_or_default()),
        Trait::HeadsFor(tile) => set(&mut agent, yes, HeadsFor(at(tile))),
    }
}
