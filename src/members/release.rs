//! Frees robbers whose `Caught` or `Away` the game has removed.

use super::describe::MemberData;
use super::member::Home;
use super::pending::PendingMembers;
use crate::agent::IsAgent;
use crate::live_map::LiveMap;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

/// Frees robbers whose [`Caught`] or [`Away`](super::Away) the game has removed.
pub(super) fn release(
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    agents: Query<MemberData, IsAgent>,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
    mut released: Local<Vec<Home>>,
) {
    if pending.released.is_empty() {
        return;
    }
    timer.time(|| {
        released.clear();
        for entity in pending.released.entries().drain(..) {
            if let Ok(agent) = agents.get(entity)
                && !agent.is_caught
                && !agent.is_away
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
