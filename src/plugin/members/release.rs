use super::super::{PursuitDiagnostics, PursuitMap};
use super::describe::MemberData;
use super::{Comings, Home, IsAgent};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

/// Robbers that the game lets go are free.
pub(super) fn release(
    mut maps: Query<&mut PursuitMap, Allow<Disabled>>,
    agents: Query<MemberData, IsAgent>,
    mut comings: ResMut<Comings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut released: Local<Vec<Home>>,
) {
    if comings.released.is_empty() {
        return;
    }
    diagnostics.time(|_| {
        released.clear();
        for entity in comings.released.drain(..) {
            if let Ok(agent) = agents.get(entity)
                && !agent.is_caught
            // captured again meanwhile
            {
                released.extend(agent.member.home);
            }
        }
        released.sort_unstable();
        released.dedup();
        for home in released.drain(..) {
            if let Ok(mut map) = maps.get_mut(home.map)
                && let Some(world) = map.bypass_change_detection().world_mut()
            {
                world.release(home.id);
            }
        }
    });
}
