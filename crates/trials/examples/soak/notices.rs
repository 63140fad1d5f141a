//! Events other than captures: their subjects have to exist, and the game may do anything with them.

use crate::api;
use crate::game::{Game, Party, react};
use crate::ledger::Mark;
use crate::ops::Reaction;
use bevy::ecs::event::EntityEvent;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_pursuit::{Arrived, LostSight, NoWay, OrderRefused, OutOfReach, Sighted, WithinReach};

/// Observes all events on agents.
pub fn observe(app: &mut App) {
    app.add_observer(|on: On<Sighted>, world: DeferredWorld| note_sight(world, &*on, true))
        .add_observer(|on: On<LostSight>, world: DeferredWorld| note_sight(world, &*on, false))
        .add_observer(|on: On<OutOfReach>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<WithinReach>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<Arrived>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<NoWay>, world: DeferredWorld| note(world, &*on))
        .add_observer(|on: On<OrderRefused>, world: DeferredWorld| note(world, &*on));
}

/// Changes after which nothing is known about what the cops see.
pub const BEGINS_ANEW: [Mark; 7] = [
    Mark::Born,
    Mark::Enabled,
    Mark::Role,
    Mark::Map,
    Mark::Pursuit,
    Mark::Restored,
    Mark::Released,
];

/// Checks that a robber is sighted and lost in turns.
fn note_sight<E: EntityEvent + std::fmt::Debug>(
    mut world: DeferredWorld,
    event: &E,
    is_seen: bool,
) {
    if let Some(mut game) = world.get_resource_mut::<Game>()
        && let Some(&agent) = game.numbers.get(&event.event_target())
    {
        let is_new = game.ledger.has_any(agent, &BEGINS_ANEW);
        let was_seen = game.is_sighted.insert(agent, is_seen);
        if was_seen == Some(is_seen) && !is_new && !game.is_detour {
            game.blame(Err(format!("the event comes twice: {event:?}")));
        }
    }
    note(world, event);
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
