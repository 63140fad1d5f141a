//! Events other than captures: their subjects have to exist, and the game may do anything with them.

use crate::api;
use crate::game::{Game, Party, react};
use crate::ops::Reaction;
use bevy::ecs::event::EntityEvent;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_pursuit::prelude::{
    Arrived, LostSight, NoWay, OrderRefused, OutOfReach, Sighted, WithinReach,
};

/// Observes all events on agents.
pub fn observe(app: &mut App) {
    app.add_observer(|on: On<Sighted>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<LostSight>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<OutOfReach>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<WithinReach>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<Arrived>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<NoWay>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<OrderRefused>, world: DeferredWorld| note(world, &*on));
}

fn note<E: EntityEvent + std::fmt::Debug>(mut world: DeferredWorld, event: &E) {
    let entity = event.event_target();
    let at = world.get_entity(entity).ok().map(api::facts_position);
    let Some(mut game) = world.get_resource_mut::<Game>() else {
        return;
    };
    let Some(at) = at else {
        game.blame(Err(format!(
            "an event names an entity that is gone: {event:?}"
        )));
        return;
    };
    let Some(&agent) = game.numbers.get(&entity) else {
        game.blame(Err(format!("an event names an unknown agent: {event:?}")));
        return;
    };
    game.counts.notices += 1;
    let subject = Party { entity, agent, at };
    // In a detour, the game must not spawn, despawn or change the side of an agent.
    let reaction = game.on_notice;
    if !game.is_detour && reaction != Reaction::Nothing {
        react(&mut world, reaction, subject, subject);
    }
}
