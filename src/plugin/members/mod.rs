//! Agents as entities and as members of a world: what the game changes about the ones is carried to the
//! others.
//!
//! This happens twice in a tick, before agents arrive and before they decide. Nothing that a game has
//! written can come in between and be lost: in both places what the game wrote is carried over first.
//!
//! Agents that come, go or change together are taken in the order of what they are, or of their
//! [`AgentId`]s, and never in that of their entities or archetypes.

mod change;
mod changed;
mod describe;
mod join;
mod leave;
mod release;

use super::agent::{Cop, Robber, Sight, TicksPerStep};
use super::capture::Caught;
use super::on_map::Maps;
use super::pursuit::set_up_pursuits;
use super::{InPursuit, OnMap, PursuitMap, PursuitSettings};
use crate::world::AgentId;
use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;

/// Which agent of which map an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Home {
    pub(super) map: Entity,
    pub(super) id: AgentId,
}

/// What the plugin knows of an agent. A clone is an agent of its own, and so this is not cloned.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Member {
    pub(super) home: Option<Home>,
    /// Where the world has it: another [`GridPosition`](super::GridPosition) is written by the game.
    pub(super) at: UVec2,
    /// The map that it stays on while that has no world for it, because it is another map now which may be
    /// loading, or while the agent does not play: it is disabled or has no role. The one where it played last,
    /// or that [`OnMap`] has named since.
    pub(super) stays_on: Option<Entity>,
    /// Which agent it was when it had a home last: those who leave together come back in their order.
    pub(super) former: Option<AgentId>,
    /// Its map was despawned, and the game has not named another one.
    pub(super) is_stranded: bool,
    /// When its components were last set to what a snapshot says, which is no order of the game.
    pub(super) restored: Option<Tick>,
}

impl Member {
    /// It has no home any more. Returns the one that it had.
    fn leave_home(&mut self) -> Option<Home> {
        let home = self.home.take();
        self.former = home.map(|home| home.id).or(self.former);
        home
    }

    /// The map that it is to be on.
    fn wanted_map(&self, on: Option<&OnMap>, maps: &Maps, only: Option<Entity>) -> Option<Entity> {
        if let Some(on) = on {
            return Some(on.0);
        }
        if self.is_stranded {
            return None;
        }
        let home = self.home.map(|home| home.map).or(self.stays_on);
        home.filter(|&map| maps.contains(map)).or(only)
    }
}

/// What has happened to agents, maps and pursuits since it was carried over last.
#[derive(Resource, Debug, Default)]
pub(super) struct Comings {
    /// Agents that are to get a home.
    joined: Vec<Entity>,
    /// Those that may have left theirs, which is noted because the entity may be gone.
    left: Vec<(Home, Entity)>,
    /// Those of whom something has changed that systems do not see.
    changed: Vec<Entity>,
    /// Robbers that have lost [`Caught`].
    released: Vec<Entity>,
    /// Has a map come or gone?
    maps: bool,
    /// Has a pursuit been set up in another way?
    set_ups: bool,
}

impl Comings {
    /// A map has come, or is another one now.
    pub(super) fn note_maps(&mut self) {
        self.maps = true;
        self.set_ups = true;
    }

    /// A pursuit has got or lost a clock, tactics or its entity.
    pub(super) fn note_set_ups(&mut self) {
        self.set_ups = true;
    }

    pub(super) fn take_set_ups(&mut self) -> bool {
        std::mem::take(&mut self.set_ups)
    }

    /// Something about agents has changed.
    pub(super) fn note_changed(&mut self, agents: impl IntoIterator<Item = Entity>) {
        self.changed.extend(agents);
    }

    /// An entity may not be the agent any more that it was.
    pub(super) fn note_left(&mut self, home: Home, entity: Entity) {
        self.left.push((home, entity));
    }
}

pub(super) type IsAgent = Or<(With<Cop>, With<Robber>)>;

/// The systems that carry over what the game has done.
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
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<Comings>()
        .add_observer(
            |added: On<Add, (Cop, Robber)>, mut comings: ResMut<Comings>| {
                comings.joined.push(added.entity);
                comings.changed.push(added.entity);
            },
        )
        .add_observer(note_lost_role)
        .add_observer(note_disabled)
        .add_observer(note_enabled)
        .add_observer(|gone: On<Remove, Caught>, mut comings: ResMut<Comings>| {
            comings.released.push(gone.entity);
        })
        .add_observer(
            |new: On<Insert, (OnMap, InPursuit)>, mut comings: ResMut<Comings>| {
                comings.changed.push(new.entity);
            },
        )
        .add_observer(
            |gone: On<Remove, (OnMap, InPursuit, Sight, TicksPerStep)>,
             mut comings: ResMut<Comings>| {
                comings.changed.push(gone.entity);
            },
        )
        .add_observer(|_: On<Insert, PursuitMap>, mut comings: ResMut<Comings>| {
            comings.note_maps();
        })
        .add_observer(|_: On<Remove, PursuitMap>, mut comings: ResMut<Comings>| {
            comings.note_maps();
        });
}

fn note_lost_role(
    lost: On<Remove, (Cop, Robber)>,
    members: Query<&Member, Allow<Disabled>>,
    mut comings: ResMut<Comings>,
) {
    let entity = lost.entity;
    if let Some(home) = members.get(entity).ok().and_then(|member| member.home) {
        comings.left.push((home, entity));
    }
    comings.changed.push(entity); // it may have the other role now
}

/// Whoever is disabled does not play: for pools of entities, and for levels that wait.
fn note_disabled(
    disabled: On<Add, Disabled>,
    members: Query<&Member, Allow<Disabled>>,
    maps: Query<(), (With<PursuitMap>, Allow<Disabled>)>,
    mut comings: ResMut<Comings>,
) {
    let entity = disabled.entity;
    if let Some(home) = members.get(entity).ok().and_then(|member| member.home) {
        comings.left.push((home, entity));
    }
    if maps.contains(entity) {
        comings.note_maps();
    }
}

fn note_enabled(
    enabled: On<Remove, Disabled>,
    members: Query<(), (With<Member>, Allow<Disabled>)>,
    maps: Query<(), (With<PursuitMap>, Allow<Disabled>)>,
    mut comings: ResMut<Comings>,
    mut settings: ResMut<PursuitSettings>,
) {
    if members.contains(enabled.entity) {
        comings.joined.push(enabled.entity);
    }
    if maps.contains(enabled.entity) {
        comings.note_maps();
        settings.set_changed(); // it may have missed others
    }
}
