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
mod join;
mod leave;
mod release;
mod required;

use super::agent::{Cop, Mistakes, Robber, Sight, TicksPerStep};
use super::capture::Caught;
use super::map::PursuitMap;
use super::pursuit::set_up_pursuits;
use super::{InPursuit, LiveMap, OnMap, OutOfReach, WithinReach};
use bevy::ecs::entity::Entities;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use change_list::ChangeList;
use pursuit_engine::world::AgentId;
use std::collections::BTreeMap;

/// The map and the id of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Home {
    pub(super) map: Entity,
    pub(super) id: AgentId,
}

/// What the plugin knows about an agent. It is not cloned, since a clone is a new agent.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Member {
    pub(super) home: Option<Home>,
    /// The tile where the world has it: any other [`GridPosition`](super::GridPosition) was written by
    /// the game.
    pub(super) at: IVec2,
    /// Its last id: agents that left together return in the same order.
    pub(super) former: Option<AgentId>,
    /// Whether its map was despawned and the game has not named another one.
    pub(super) is_stranded: bool,
    /// Whether the game knows it as a robber out of reach.
    pub(super) is_out_of_reach: bool,
}

impl Member {
    /// Clears its home and returns it.
    fn leave_home(&mut self) -> Option<Home> {
        let home = self.home.take();
        self.former = home.map(|home| home.id).or(self.former);
        home
    }

    /// The map that the agent should be on.
    fn wanted_map(&self, on: Option<&OnMap>, only: Option<Entity>) -> Option<Entity> {
        on.map(|on| on.0).or(only.filter(|_| !self.is_stranded))
    }
}

/// Changes of agents, maps and pursuits since they were last carried over. That may be long ago, while the plugin
/// rests: no list grows beyond a multiple of what there is.
#[derive(Resource, Debug, Default)]
pub(super) struct PendingMembers {
    /// Agents that need a home.
    joined: ChangeList<Entity>,
    /// Agents that may have left their home, with the home, since the entity may be despawned.
    left: ChangeList<(Home, Entity)>,
    /// Agents with a change that change detection does not show.
    changed: ChangeList<Entity>,
    /// Robbers that have lost [`Caught`].
    released: ChangeList<Entity>,
    /// Whether a map has appeared or disappeared.
    maps: bool,
    /// Whether the setup of a pursuit has changed.
    set_ups: bool,
    /// Numbers of pursuits that entities have given up, and the first entity that did.
    given_up: BTreeMap<u32, Entity>,
}

impl PendingMembers {
    /// Notes that a map has appeared or was replaced.
    pub(super) fn note_maps(&mut self) {
        self.maps = true;
        self.set_ups = true;
    }

    /// Notes that a pursuit has gained or lost a clock, tactics or its entity.
    pub(super) fn note_set_ups(&mut self) {
        self.set_ups = true;
    }

    /// Notes that an entity no longer has the number of a pursuit.
    pub(super) fn note_given_up(&mut self, number: u32, entity: Entity) {
        self.given_up.entry(number).or_insert(entity);
        self.set_ups = true;
    }

    /// The numbers that entities have given up.
    pub(super) fn take_given_up(&mut self) -> BTreeMap<u32, Entity> {
        std::mem::take(&mut self.given_up)
    }

    pub(super) fn take_set_ups(&mut self) -> bool {
        std::mem::take(&mut self.set_ups)
    }

    /// Notes that agents have changed.
    pub(super) fn note_changed(&mut self, agents: impl IntoIterator<Item = Entity>) {
        for agent in agents {
            self.changed.note(agent, |_| true);
        }
    }

    /// Notes that a robber is not captured.
    pub(super) fn note_released(&mut self, robber: Entity) {
        self.released.note(robber, |_| true);
    }

    /// Notes that an entity may no longer be the agent it was.
    pub(super) fn note_left(&mut self, home: Home, entity: Entity) {
        self.left.note((home, entity), |_| true);
    }
}

pub(super) type IsAgent = Or<(With<Cop>, With<Robber>)>;

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
    )
        .chain()
        .in_set(CarryOver)
}

pub(super) fn build(app: &mut App) {
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
            |gone: On<Remove, Caught>, mut pending: ResMut<PendingMembers>, entities: &Entities| {
                let is_there = |&agent: &Entity| entities.contains_spawned(agent);
                pending.released.note(gone.entity, is_there);
            },
        )
        .add_observer(
            |new: On<Insert, (OnMap, InPursuit)>,
             mut pending: ResMut<PendingMembers>,
             entities: &Entities| {
                let is_there = |&agent: &Entity| entities.contains_spawned(agent);
                pending.changed.note(new.entity, is_there);
            },
        )
        .add_observer(
            |gone: On<Remove, (OnMap, InPursuit, Sight, TicksPerStep, Mistakes)>,
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
