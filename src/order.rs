//! Move orders: paths that the game orders an agent to walk.

use crate::agent::IsAgent;
use crate::delivery;
use crate::live_map::LiveMap;
use crate::members::member::{Home, Member};
use crate::work_timer::WorkTimer;
use bevy::prelude::*;
use pursuit_engine::map::Cell;

/// A path that the game orders an agent to walk, tile by tile, without the one it stands on; empty to
/// wait. Insert it on an agent.
///
/// The plugin reads it in the next [`Arrive`](super::PursuitSystems::Arrive), in place of the agent's
/// current path, and removes the component. The agent walks as far as the path is open, at its speed, turn
/// after turn; then it decides for itself again. Another order, a position that the game writes, another
/// [`AgentControl`](super::AgentControl), a capture, or a wall that appears on the path end the walk. If the path is not
/// open to its end when it is ordered, or a wall ends the walk later, the plugin triggers [`OrderRefused`]. An agent that is
/// on no map, or on one that is being replaced, keeps its order.
///
/// To have an agent take the whole path at once, order a [dash](Self::dash).
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct MoveOrder(pub Vec<IVec2>);

impl MoveOrder {
    /// The order to take a whole path with one move, whatever the agent's speed: for a dash, a leap or a knock-back. The
    /// move ends with the turn; on the free-running clock, it takes the time of a step.
    #[must_use]
    pub fn dash(path: impl Into<Vec<IVec2>>) -> (Self, Dash) {
        (Self(path.into()), Dash)
    }
}

/// The [`MoveOrder`] of this agent is a [dash](MoveOrder::dash). The plugin removes it together with the order.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Dash;

/// A [`MoveOrder`] is not followed to its end: a tile of it is a wall, is not next to the previous
/// one, or lies off the map. Triggered on the agent, once for each order: when it is read, and otherwise when a wall that
/// has appeared ends the walk.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderRefused {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// The number of tiles that the agent still walks.
    pub taken: usize,
    /// The first tile that is not walked.
    pub refused: IVec2,
}

/// Passes orders to the worlds.
pub(super) fn take_orders(
    mut commands: Commands,
    mut maps: Query<&mut LiveMap>,
    orders: Query<(Entity, &Member, &MoveOrder, Has<Dash>), IsAgent>,
    timer: WorkTimer,
    mut taken: Local<Vec<(Home, Entity)>>,
) {
    if orders.is_empty() {
        return;
    }
    timer.time(|| {
        taken.clear();
        for (entity, member, ..) in &orders {
            taken.extend(member.home.map(|home| (home, entity)));
        }
        taken.sort_unstable();
        for (home, entity) in taken.drain(..) {
            let (Ok(mut map), Ok((.., order, is_dash))) =
                (maps.get_mut(home.map), orders.get(entity))
            else {
                continue;
            };
            if map.is_loading() {
                continue; // the tiles belong to the map that is loading
            }
            let read = order.clone();
            let remove = move |mut agent: EntityWorldMut| {
                // The game may have replaced the order since it was read. The new one is for the next tick.
                if agent.get() == Some(&read) {
                    agent.remove::<(MoveOrder, Dash)>();
                }
            };
            commands.entity(entity).queue_silenced(remove);
            let steps = give(home, order, is_dash, map.bypass_change_detection());
            if let Some(&refused) = order.0.get(steps) {
                let event = OrderRefused {
                    agent: entity,
                    taken: steps,
                    refused,
                };
                delivery::tell(&mut commands, home.map, entity, event);
            }
        }
    });
}

/// Gives an order to an agent; returns how many of its tiles are walked.
fn give(home: Home, order: &MoveOrder, is_dash: bool, map: &mut LiveMap) -> usize {
    let way: Vec<Cell> = order.0.iter().map_while(|&at| map.cell(at)).collect();
    let Some(world) = map.world_mut() else {
        return 0;
    };
    if is_dash {
        world.dash(home.id, &way)
    } else {
        world.order(home.id, &way)
    }
}
