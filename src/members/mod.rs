//! Membership of agents in worlds: carries the game's changes from components into worlds.
//!
//! This happens twice in a tick, before agents arrive and before they decide. Both times the plugin
//! reads what the game has written before it writes anything itself, so that nothing is lost.
//!
//! Agents that join, leave or change together are processed in the order of their properties or their
//! [`AgentId`]s, and never in that of their entities or archetypes.

mod change;
mod change_list;
mod changed;
mod describe;
mod duties;
mod join;
mod leave;
pub(super) mod member;
pub(super) mod pending;
mod put;
mod release;
mod required;

use crate::agent::{
    AgentKinds, Cop, KeepsDirection, Mistakes, Reach, Robber, Sight, Solid, TicksPerStep,
};
use crate::capture::{Away, Caught};
use crate::difficulty::Reaction;
use crate::duty::{Duty, Leash, Nerve, Patience};
use crate::live_map::LiveMap;
use crate::map::PursuitMap;
use crate::messages::{OutOfReach, WithinReach};
use crate::on_map::OnMap;
use crate::pursuit::InPursuit;
use crate::pursuit::set_up_pursuits;
use crate::target::{HeadsFor, Quarry};
use bevy::ecs::entity::Entities;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use member::Member;
use pending::PendingMembers;
use pursuit_engine::map::BodySize;
use pursuit_engine::world::{Faction, FactionSwap, Tactics};

/// The systems that carry over the game's changes.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CarryOver;

/// The systems that carry over the game's changes, in order.
pub(super) fn carry_over() -> ScheduleConfigs<ScheduleSystem> {
    (
        set_up_pursuits,
        leave::leave,
        leave::move_out,
        change::place,
        change::change,
        release::release,
        join::join,
        duties::duties,
    )
        .chain()
        .in_set(CarryOver)
}

pub(super) fn build(app: &mut App) {
    app.register_required_components::<Faction, Cop>();
    app.init_resource::<PendingMembers>()
        .add_observer(
            |out: On<OutOfReach>, mut members: Query<&mut Member, Allow<Disabled>>| {
                if let Ok(mut member) = members.get_mut(out.robber) {
                    member.is_out_of_reach = true;
                }
            },
        )
        .add_observer(
            |within: On<WithinReach>, mut members: Query<&mut Member, Allow<Disabled>>| {
                if let Ok(mut member) = members.get_mut(within.robber) {
                    member.is_out_of_reach = false;
                }
            },
        )
        .add_observer(
            |added: On<Add, (Cop, Robber)>,
             mut pending: ResMut<PendingMembers>,
             entities: &Entities| {
                let is_there = |&agent: &Entity| entities.contains_spawned(agent);
                pending.joined.note(added.entity, is_there);
                pending.changed.note(added.entity, is_there);
            },
        )
        .add_observer(note_lost_role)
        .add_observer(required::give_back)
        .add_observer(note_disabled)
        .add_observer(note_enabled)
        .add_observer(
            |gone: On<Remove, (Caught, Away)>,
             mut pending: ResMut<PendingMembers>,
             entities: &Entities| {
                let is_there = |&agent: &Entity| entities.contains_spawned(agent);
                pending.released.note(gone.entity, is_there);
            },
        )
        .add_observer(
            |new: On<
                Insert,
                (
                    OnMap,
                    InPursuit,
                    Solid,
                    KeepsDirection,
                    FactionSwap,
                    BodySize,
                    (Quarry, HeadsFor, Nerve),
                ),
            >,
             mut pending: ResMut<PendingMembers>,
             entities: &Entities| {
                let is_there = |&agent: &Entity| entities.contains_spawned(agent);
                pending.changed.note(new.entity, is_there);
            },
        )
        .add_observer(
            |gone: On<
                Remove,
                (
                    OnMap,
                    InPursuit,
                    Sight,
                    TicksPerStep,
                    Mistakes,
                    Reaction,
                    (AgentKinds, Reach, BodySize, Quarry, HeadsFor, Nerve),
                    Tactics,
                    Faction,
                    FactionSwap,
                    Solid,
                    KeepsDirection,
                    Leash,
                    Patience,
                    Duty,
                ),
            >,
             mut pending: ResMut<PendingMembers>,
             entities: &Entities| {
                let is_there = |&agent: &Entity| entities.contains_spawned(agent);
                pending.changed.note(gone.entity, is_there);
            },
        )
        .add_observer(
            |_: On<Insert, PursuitMap>, mut pending: ResMut<PendingMembers>| {
                pending.note_maps();
            },
        )
        .add_observer(
            |_: On<Remove, PursuitMap>, mut pending: ResMut<PendingMembers>| {
                pending.note_maps();
            },
        );
}

fn note_lost_role(
    lost: On<Remove, (Cop, Robber)>,
    members: Query<&Member, Allow<Disabled>>,
    mut pending: ResMut<PendingMembers>,
    entities: &Entities,
) {
    let entity = lost.entity;
    if let Some(home) = members.get(entity).ok().and_then(|member| member.home) {
        pending.note_left(home, entity);
    }
    // It may have the other role now.
    pending
        .changed
        .note(entity, |&agent| entities.contains_spawned(agent));
}

/// Removes a disabled agent from play: for pools of entities, and for levels that wait.
fn note_disabled(
    disabled: On<Add, Disabled>,
    members: Query<&Member, Allow<Disabled>>,
    maps: Query<(), (With<LiveMap>, Allow<Disabled>)>,
    mut pending: ResMut<PendingMembers>,
) {
    let entity = disabled.entity;
    if let Some(home) = members.get(entity).ok().and_then(|member| member.home) {
        pending.note_left(home, entity);
    }
    if maps.contains(entity) {
        pending.note_maps();
    }
}

fn note_enabled(
    enabled: On<Remove, Disabled>,
    members: Query<(), (With<Member>, Allow<Disabled>)>,
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut pending: ResMut<PendingMembers>,
    entities: &Entities,
) {
    if members.contains(enabled.entity) {
        let is_there = |&agent: &Entity| entities.contains_spawned(agent);
        pending.joined.note(enabled.entity, is_there);
    }
    if let Ok(mut map) = maps.get_mut(enabled.entity) {
        pending.note_maps();
        map.bypass_change_detection().note_old_settings();
    }
}
