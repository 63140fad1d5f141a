//! Carries duties into worlds.

use super::member::Member;
use super::pending::PendingMembers;
use crate::agent::IsAgent;
use crate::duty::{Duty, send_duties};
use crate::live_map::LiveMap;
use crate::work_timer::WorkTimer;
use bevy::prelude::*;

/// Carries duties into the worlds of their agents. Which duties have ended is seen where other changes are.
pub(super) fn duties(
    mut maps: Query<&mut LiveMap>,
    agents: Query<(&Member, Ref<Duty>), IsAgent>,
    members: Query<&Member, IsAgent>,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
) {
    let renumbered = std::mem::take(&mut pending.are_renumbered);
    if !agents.is_empty() {
        timer.time(|| send_duties(&mut maps, &agents, &members, renumbered));
    }
}
