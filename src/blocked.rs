//! Bodies that cannot go where their agents go.

use crate::agent::IsAgent;
use crate::live_map::LiveMap;
use crate::members::member::{Home, Member};
use crate::work_timer::WorkTimer;
use bevy::prelude::*;

/// The body of an agent cannot go on: physics, a crate, a crowd of players is in its way. Insert it on an agent whose body
/// your game moves.
///
/// The plugin reads it in the next [`Arrive`](super::PursuitSystems::Arrive) and removes it. The agent stays on the last tile
/// that it has reached, captures nobody with the rest of its move, and for this number of turns plans around the tile that it
/// was heading for. Where there is no way around, it waits. Insert the component again if the tile is still blocked then.
/// An agent with a [`MoveOrder`](super::MoveOrder) loses the order.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Blocked(pub u16);

impl Default for Blocked {
    /// For eight turns.
    fn default() -> Self {
        Self(8)
    }
}

/// Tells the worlds which bodies cannot go on.
pub(super) fn take_blocked(
    mut commands: Commands,
    mut maps: Query<&mut LiveMap>,
    blocked: Query<(Entity, &Member, &Blocked), IsAgent>,
    timer: WorkTimer,
    mut taken: Local<Vec<(Home, Entity)>>,
) {
    if blocked.is_empty() {
        return;
    }
    timer.time(|| {
        taken.clear();
        for (entity, member, _) in &blocked {
            taken.extend(member.home.map(|home| (home, entity)));
        }
        taken.sort_unstable();
        for (home, entity) in taken.drain(..) {
            let (Ok(mut map), Ok((.., turns))) = (maps.get_mut(home.map), blocked.get(entity))
            else {
                continue;
            };
            commands.entity(entity).try_remove::<Blocked>();
            if let Some(world) = map.bypass_change_detection().world_mut() {
                world.block(home.id, turns.0);
            }
        }
    });
}
