//! Removes agents from the worlds of their maps.

use super::describe::MemberData;
use super::member::{Home, Member};
use super::pending::PendingMembers;
use super::put::put;
use crate::agent::IsAgent;
use crate::agent::{Cop, GridPosition, NextStep, PlannedPath, Robber};
use crate::delivery;
use crate::live_map::LiveMap;
use crate::maps::Maps;
use crate::pursuit::Pursuits;
use crate::target::Target;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::{Allow, QueryData};
use bevy::prelude::*;
use pursuit_engine::map::Cell;
use pursuit_engine::world::Control;
use pursuit_engine::world::PursuitState;

/// The remains of an agent that has lost its role or was disabled.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Former {
    member: &'static mut Member,
    position: &'static GridPosition,
    step: Option<&'static mut NextStep>,
    plan: Option<&'static mut PlannedPath>,
    state: Option<&'static mut PursuitState>,
    target: Option<&'static mut Target>,
    is_cop: Has<Cop>,
    is_robber: Has<Robber>,
    is_disabled: Has<Disabled>,
}

/// Removes agents that no longer play.
pub(super) fn leave(
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut formers: Query<Former>,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
    mut commands: Commands,
) {
    if pending.left.is_empty() {
        return;
    }
    timer.time(|| {
        // In the order of their ids, so that the slots are reused in the same order in every run.
        for (home, entity) in pending.left.sorted().drain(..) {
            if let Ok(mut former) = formers.get_mut(entity)
                && former.member.home == Some(home)
            {
                if (former.is_cop || former.is_robber) && !former.is_disabled {
                    continue; // it has another role now, or was enabled again immediately
                }
                former.move_out();
            }
            take_out(home, entity, &mut maps, &mut commands);
        }
    });
}

/// Removes the agent from its world, if the agent still belongs to the entity. In a restored world, the id is that of
/// another game, and the agent may be the saved one of the entity.
///
/// Cops that see a robber lose it now, so that this comes before they see it on another map.
pub(super) fn take_out(
    home: Home,
    entity: Entity,
    maps: &mut Query<&mut LiveMap, Allow<Disabled>>,
    commands: &mut Commands,
) {
    if let Ok(mut map) = maps.get_mut(home.map)
        && let Some(world) = map.bypass_change_detection().world_mut()
        && world
            .agent(home.id)
            .is_some_and(|agent| agent.setup().user == entity.to_bits())
    {
        let is_lost = world.is_sighted(home.id);
        world.remove(home.id);
        if is_lost {
            delivery::tell_lost(commands, entity);
        }
    }
}

impl FormerItem<'_, '_> {
    fn move_out(&mut self) {
        self.member.leave_home();
        // It returns as another robber, perhaps from a pool.
        self.member.is_out_of_reach = false;
        if let Some(step) = &mut self.step {
            step.stand(self.position.0);
        }
        if let Some(plan) = &mut self.plan {
            plan.path.clear();
        }
        if let Some(state) = &mut self.state {
            state.set_if_neq(PursuitState::default());
        }
        if let Some(target) = &mut self.target {
            target.set_if_neq(Target::default());
        }
    }
}

/// After a map has appeared, disappeared or changed its height: updates its agents, and moves out those
/// that have to leave.
pub(super) fn move_out(
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut agents: Query<MemberData, IsAgent>,
    enabled: Query<Entity, With<LiveMap>>,
    mut all_maps: ResMut<Maps>,
    pursuits: Pursuits,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
    mut misplaced: Local<Vec<(Home, Entity)>>,
    mut renumbered: Local<Vec<(Home, Cell, Control)>>,
    mut commands: Commands,
) {
    timer.time(|| {
        let height = |map| {
            let world = maps.get(map).ok().and_then(LiveMap::world);
            world.map_or(0, |world| world.graph().height())
        };
        let is_resized = all_maps.note_heights(height);
        let is_changed = std::mem::take(&mut pending.maps);
        if !is_resized && !is_changed {
            return;
        }
        let only = only_map(&enabled);
        misplaced.clear();
        for mut agent in &mut agents {
            let wanted = agent.member.wanted_map(agent.on, only);
            let Some(home) = agent.member.home else {
                continue; // it has no home yet
            };
            let map = maps.get(home.map).ok();
            let known = map.and_then(|map| Some((map, map.world()?.agent(home.id)?)));
            let known = known.filter(|(_, known)| known.setup().user == agent.entity.to_bits());
            match known {
                Some((map, known)) if wanted == Some(home.map) => {
                    if !is_resized {
                        continue;
                    }
                    let setup = agent.describe(home.map, map, &pursuits);
                    pending.are_renumbered = true;
                    if agent.position.0 == agent.member.at {
                        if setup.leash.is_some() || setup.heads_for.is_some() {
                            pending.changed.entries().push(agent.entity);
                        }
                        renumbered.push((home, setup.cell, setup.control));
                        continue;
                    }
                    if known.setup().cell != setup.cell {
                        misplaced.push((home, agent.entity));
                    }
                    // The errand's tile is another cell now.
                    pending.changed.entries().push(agent.entity);
                }
                _ => {
                    pending.left.entries().push((home, agent.entity));
                    pending.joined.entries().push(agent.entity);
                    agent.move_out();
                }
            }
        }
        for (home, entity) in pending.left.sorted().drain(..) {
            take_out(home, entity, &mut maps, &mut commands);
        }
        renumbered.sort_unstable_by_key(|&(home, ..)| home);
        for (home, cell, control) in renumbered.drain(..) {
            if let Ok(mut map) = maps.get_mut(home.map)
                && let Some(world) = map.bypass_change_detection().world_mut()
            {
                world.renumber(home.id, cell, control);
            }
        }
        put(&mut misplaced, &mut maps, &mut agents);
    });
}

/// The map of agents that name none: the only one. With several maps the game has to choose.
pub(super) fn only_map(enabled: &Query<Entity, With<LiveMap>>) -> Option<Entity> {
    enabled.single().ok()
}
