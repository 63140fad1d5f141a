//! Places agents on the tiles of their positions.

use super::describe::MemberData;
use super::member::Home;
use crate::agent::IsAgent;
use crate::live_map::LiveMap;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

/// Places agents on the tiles of their positions, in the order of their ids.
pub(super) fn put(
    placed: &mut Vec<(Home, Entity)>,
    maps: &mut Query<&mut LiveMap, Allow<Disabled>>,
    agents: &mut Query<MemberData, IsAgent>,
) {
    placed.sort_unstable();
    for (home, entity) in placed.drain(..) {
        let (Ok(mut agent), Ok(mut map)) = (agents.get_mut(entity), maps.get_mut(home.map)) else {
            continue;
        };
        let map = map.bypass_change_detection();
        let cell = map.cell_or_beside(agent.position.0);
        agent.member.at = agent.position.0;
        if let Some(world) = map.world_mut() {
            world.place(home.id, cell);
        }
    }
}
