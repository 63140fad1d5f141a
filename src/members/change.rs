//! Carries the game's changes of agents into worlds.

use super::changed::for_each_changed;
use super::describe::{MemberData, MemberDataItem};
use super::leave::{only_map, take_out};
use super::member::{Home, Member};
use super::pending::PendingMembers;
use super::put::put;
use crate::agent::IsAgent;
use crate::agent::{
    AgentControl, AgentKinds, GridPosition, Mistakes, PursuitSpeed, Reach, Sight, TicksPerStep,
};
use crate::capture::{Away, Caught};
use crate::difficulty::Reaction;
use crate::duty::{Duty, Leash, Patience};
use crate::live_map::LiveMap;
use crate::on_map::OnMap;
use crate::pursuit::Pursuits;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use pursuit_engine::world::{Faction, Tactics};

/// Moves agents to the positions that the game has written.
pub(super) fn place(
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut agents: ParamSet<(Query<Places, IsAgent>, Query<MemberData, IsAgent>)>,
    timer: WorkTimer,
    mut placed: Local<Vec<(Home, Entity)>>,
) {
    timer.time(|| {
        placed.clear();
        // Most positions were written by the plugin.
        let mut note = |entity, position: IVec2, member: &Member| {
            if position != member.at {
                placed.extend(member.home.map(|home| (home, entity)));
            }
        };
        // All of these components are stored in tables.
        match agents.p0().contiguous_iter() {
            Ok(tables) => {
                for (entities, positions, members) in tables {
                    for_each_changed(&positions, |row| {
                        note(entities[row], positions[row].0, &members[row]);
                    });
                }
            }
            // A disabling component of the game may be stored elsewhere.
            Err(_) => {
                for (entity, position, member) in &agents.p0() {
                    if position.is_changed() {
                        note(entity, position.0, member);
                    }
                }
            }
        }
        put(&mut placed, &mut maps, &mut agents.p1());
    });
}

type Places = (Entity, Ref<'static, GridPosition>, &'static Member);

/// The components by which the game changes agents.
type Traits = (
    Entity,
    Ref<'static, PursuitSpeed>,
    Ref<'static, AgentControl>,
    Option<Ref<'static, TicksPerStep>>,
    Option<Ref<'static, Sight>>,
    Option<Ref<'static, Mistakes>>,
    Option<Ref<'static, Reaction>>,
    Option<Ref<'static, AgentKinds>>,
    Option<Ref<'static, Reach>>,
    Option<Ref<'static, Tactics>>,
    Option<Ref<'static, Faction>>,
    Option<Ref<'static, Leash>>,
    Option<Ref<'static, Patience>>,
    Option<Ref<'static, Duty>>,
);

/// Carries the side, pursuit, speed, sight, mistakes, tactics and control of agents into their worlds, and removes agents
/// that are now on another map.
pub(super) fn change(
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut agents: ParamSet<(Query<Traits, IsAgent>, Query<MemberData, IsAgent>)>,
    enabled: Query<Entity, With<LiveMap>>,
    pursuits: Pursuits,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
    mut changed: Local<Vec<(Home, Entity)>>,
    mut commands: Commands,
) {
    timer.time(|| {
        list_changed(&agents.p0(), pending.changed.entries());
        let mut agents = agents.p1();
        changed.clear();
        for entity in pending.changed.entries().drain(..) {
            if let Ok(agent) = agents.get(entity) {
                changed.extend(agent.member.home.map(|home| (home, entity)));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        let only = only_map(&enabled);
        for (home, entity) in changed.drain(..) {
            let Ok(mut agent) = agents.get_mut(entity) else {
                continue;
            };
            if agent.member.wanted_map(agent.on, only) == Some(home.map) {
                if agent.on.is_none() {
                    // The game has taken the name of the only map, where the agent stays.
                    commands.entity(entity).try_insert(OnMap(home.map));
                }
                if let Ok(mut map) = maps.get_mut(home.map) {
                    let map = map.bypass_change_detection();
                    let swaps_sides = agent.send_setup(home, map, &pursuits);
                    if swaps_sides && (agent.is_caught || agent.is_away) {
                        // The world frees an agent that changes sides.
                        commands.entity(entity).try_remove::<(Caught, Away)>();
                    }
                }
            } else {
                agent.move_out();
                take_out(home, entity, &mut maps, &mut commands);
                pending.joined.entries().push(entity);
            }
        }
    });
}

fn list_changed(agents: &Query<Traits, IsAgent>, changed: &mut Vec<Entity>) {
    // All of these components are stored in tables. A disabling component of the game may be stored elsewhere.
    let Ok(tables) = agents.contiguous_iter() else {
        for agent in agents {
            let (
                entity,
                speed,
                control,
                ticks,
                sight,
                mistakes,
                reactions,
                kinds,
                reach,
                tactics,
                faction,
                leash,
                patience,
                duty,
            ) = agent;
            let is_changed = speed.is_changed()
                || control.is_changed()
                || ticks.is_some_and(|ticks| ticks.is_changed())
                || sight.is_some_and(|sight| sight.is_changed())
                || mistakes.is_some_and(|mistakes| mistakes.is_changed())
                || reactions.is_some_and(|reaction| reaction.is_changed())
                || kinds.is_some_and(|kinds| kinds.is_changed())
                || reach.is_some_and(|reach| reach.is_changed())
                || tactics.is_some_and(|tactics| tactics.is_changed())
                || faction.is_some_and(|faction| faction.is_changed())
                || leash.is_some_and(|leash| leash.is_changed())
                || patience.is_some_and(|patience| patience.is_changed())
                || duty.is_some_and(|duty| duty.is_changed());
            changed.extend(is_changed.then_some(entity));
        }
        return;
    };
    for table in tables {
        let (
            entities,
            speeds,
            controls,
            ticks,
            sights,
            mistakes,
            reactions,
            kinds,
            reach,
            tactics,
            factions,
            leashes,
            patience,
            duties,
        ) = table;
        let mut note = |row: usize| changed.push(entities[row]);
        for_each_changed(&speeds, &mut note);
        for_each_changed(&controls, &mut note);
        if let Some(ticks) = ticks {
            for_each_changed(&ticks, &mut note);
        }
        if let Some(sights) = sights {
            for_each_changed(&sights, &mut note);
        }
        if let Some(mistakes) = mistakes {
            for_each_changed(&mistakes, &mut note);
        }
        if let Some(reactions) = reactions {
            for_each_changed(&reactions, &mut note);
        }
        if let Some(kinds) = kinds {
            for_each_changed(&kinds, &mut note);
        }
        if let Some(reach) = reach {
            for_each_changed(&reach, &mut note);
        }
        if let Some(tactics) = tactics {
            for_each_changed(&tactics, &mut note);
        }
        if let Some(factions) = factions {
            for_each_changed(&factions, &mut note);
        }
        if let Some(leashes) = leashes {
            for_each_changed(&leashes, &mut note);
        }
        if let Some(patience) = patience {
            for_each_changed(&patience, &mut note);
        }
        if let Some(duties) = duties {
            for_each_changed(&duties, &mut note);
        }
    }
}

impl MemberDataItem<'_, '_> {
    /// Sends the agent's setup to the world, if it differs from what the world knows: writing equal values changes
    /// nothing. Returns whether the agent has changed sides.
    fn send_setup(&self, home: Home, map: &mut LiveMap, pursuits: &Pursuits) -> bool {
        let setup = self.describe(home.map, map, pursuits);
        let Some(world) = map.world_mut() else {
            return false;
        };
        let Some(known) = world.agent(home.id).map(|agent| *agent.setup()) else {
            return false;
        };
        let cell = known.cell;
        if self.duty.is_none() {
            world.set_duty(home.id, None);
        }
        if known.pursuit != setup.pursuit {
            pursuits.ensure_set_up(setup.pursuit, home.map, world);
        }
        // An agent without a change must not disturb its world.
        if known != (pursuit_engine::world::AgentSetup { cell, ..setup }) {
            world.change(home.id, |known| {
                *known = pursuit_engine::world::AgentSetup { cell, ..setup };
            });
        }
        known.side != setup.side
    }
}
