//! Events for observers, which are checked when they are delivered.
//!
//! The events of a tick are delivered one after the other, and the observers of one may despawn the entities of the
//! next, or the whole level. An event about entities that are gone would only mislead the game. No other file of the
//! plugin triggers events (`cargo test -p pursuit_house`).

use crate::capture::{Away, Captured, Caught, GotAway, Struck};
use crate::live_map::LiveMap;
use crate::map_status::{MapReady, MapStatus};
use crate::members::pending::PendingMembers;
use crate::messages::LostSight;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

/// Triggers an event about an agent, unless the agent or its map is gone by then.
pub(super) fn tell<'a, E>(commands: &mut Commands, map: Entity, agent: Entity, event: E)
where
    E: Event<Trigger<'a>: Default> + Send + Sync + 'static,
{
    commands.queue(move |world: &mut World| {
        if plays(world, agent) && is_map(world, map) {
            world.trigger(event);
        }
    });
}

/// Triggers the event that a robber is no longer seen, unless it is gone by then. A robber that is disabled, or whose map
/// is gone, is out of sight for good reason.
pub(super) fn tell_lost(commands: &mut Commands, robber: Entity) {
    commands.queue(move |world: &mut World| {
        if world.get_entity(robber).is_ok() {
            world.trigger(LostSight { robber });
        }
    });
}

/// Marks a captured robber and triggers the event. If the cop is gone by then, or is disabled, nobody has captured the
/// robber, and it goes on.
pub(super) fn tell_capture(commands: &mut Commands, event: Captured) {
    commands.queue(move |world: &mut World| {
        let Captured {
            robber,
            cop,
            map,
            turn,
            ..
        } = event;
        if !plays(world, robber) || !is_map(world, map) {
            return;
        }
        if plays(world, cop) {
            world.entity_mut(robber).insert(Caught { by: cop, turn });
            // What observes the component may have despawned them.
            if plays(world, robber) && plays(world, cop) {
                world.trigger(event);
            }
        } else if let Some(mut pending) = world.get_resource_mut::<PendingMembers>() {
            pending.note_released(robber);
        }
    });
}

/// Marks a robber that has got away and triggers the event.
pub(super) fn tell_away(commands: &mut Commands, event: GotAway) {
    commands.queue(move |world: &mut World| {
        let GotAway {
            robber, map, turn, ..
        } = event;
        if plays(world, robber) && is_map(world, map) {
            world.entity_mut(robber).insert(Away { turn });
            // What observes the component may have despawned it.
            if plays(world, robber) {
                world.trigger(event);
            }
        }
    });
}

/// Triggers the event that an agent is on a deadly tile.
pub(super) fn tell_struck(commands: &mut Commands, event: Struck) {
    commands.queue(move |world: &mut World| {
        if plays(world, event.agent) {
            world.trigger(event);
        }
    });
}

/// Triggers the event that a map is ready, unless the map is gone or was replaced by then.
pub(super) fn tell_ready(commands: &mut Commands, map: Entity) {
    commands.queue(move |world: &mut World| {
        let status = world.get::<LiveMap>(map).map(LiveMap::status);
        if status == Some(MapStatus::Ready) {
            world.trigger(MapReady { map });
        }
    });
}

/// Returns whether an entity is there and enabled.
fn plays(world: &World, entity: Entity) -> bool {
    world
        .get_entity(entity)
        .is_ok_and(|entity| !entity.contains::<Disabled>())
}

fn is_map(world: &World, entity: Entity) -> bool {
    world.get::<LiveMap>(entity).is_some()
}
