use super::super::agent::{Control, GridPosition, PursuitSpeed, Sight, TicksPerStep};
use super::super::on_map::Maps;
use super::super::pursuit::Pursuits;
use super::super::{PursuitDiagnostics, PursuitMap};
use super::describe::{MemberData, MemberDataItem};
use super::leave::{only_map, take_out};
use super::{Comings, Home, IsAgent};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

/// Puts agents where the game has written that they are.
pub(super) fn place(
    mut maps: Query<&mut PursuitMap, Allow<Disabled>>,
    mut agents: Query<MemberData, IsAgent>,
    moved: Query<Entity, (IsAgent, Changed<GridPosition>)>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut placed: Local<Vec<(Home, Entity)>>,
) {
    diagnostics.time(|_| {
        placed.clear();
        for entity in &moved {
            if let Ok(agent) = agents.get(entity)
                && agent.position.0 != agent.member.at
            {
                placed.extend(agent.member.home.map(|home| (home, entity)));
            }
        }
        put(&mut placed, &mut maps, &mut agents);
    });
}

/// Puts agents on the tiles of their positions, in the order of their ids.
pub(super) fn put(
    placed: &mut Vec<(Home, Entity)>,
    maps: &mut Query<&mut PursuitMap, Allow<Disabled>>,
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

type IsChanged = Or<(
    Changed<PursuitSpeed>,
    Changed<Control>,
    Changed<TicksPerStep>,
    Changed<Sight>,
)>;

/// Carries over what agents are now: side, pursuit, speed, sight, who controls them; and has those leave
/// who are on another map.
pub(super) fn change(
    mut maps: Query<&mut PursuitMap, Allow<Disabled>>,
    mut agents: Query<MemberData, IsAgent>,
    seen: Query<Entity, (IsAgent, IsChanged)>,
    enabled: Query<Entity, With<PursuitMap>>,
    all_maps: Res<Maps>,
    pursuits: Pursuits,
    mut comings: ResMut<Comings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut changed: Local<Vec<(Home, Entity)>>,
) {
    diagnostics.time(|_| {
        changed.clear();
        for entity in seen.iter().chain(comings.changed.drain(..)) {
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
            if agent.member.wanted_map(agent.on, &all_maps, only) == Some(home.map) {
                if let Ok(mut map) = maps.get_mut(home.map) {
                    agent.tell(home, map.bypass_change_detection(), &pursuits);
                }
            } else {
                agent.move_out();
                take_out(home, entity, &mut maps);
                comings.joined.push(entity);
            }
        }
    });
}

impl MemberDataItem<'_, '_> {
    /// Tells the world what the agent is, if that is not what it knows.
    fn tell(&self, home: Home, map: &mut PursuitMap, pursuits: &Pursuits) {
        let setup = self.describe(map, pursuits);
        let Some(world) = map.world_mut() else {
            return;
        };
        let Some(known) = world.agent(home.id).map(|agent| *agent.setup()) else {
            return;
        };
        let cell = known.cell;
        if known.pursuit != setup.pursuit {
            pursuits.introduce(setup.pursuit, home.map, world);
        }
        // What nobody has changed does not disturb anybody.
        if known != (crate::world::AgentSetup { cell, ..setup }) {
            world.change(home.id, |known| {
                *known = crate::world::AgentSetup { cell, ..setup };
            });
        } else if self.control.is_changed() {
            // The same errand once more is a new one.
            world.begin_errand(home.id);
        }
    }
}
