//! Adds new agents to the worlds of their maps.

use super::describe::{MemberData, MemberDataItem};
use super::leave::only_map;
use super::member::Home;
use super::pending::PendingMembers;
use crate::agent::IsAgent;
use crate::live_map::LiveMap;
use crate::on_map::OnMap;
use crate::pursuit::Pursuits;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use pursuit_engine::game::Side;
use pursuit_engine::map::Cell;
use pursuit_engine::search::seed_of;
use pursuit_engine::world::{AgentId, AgentSetup, Control, Leash};
use pursuit_engine::world::{DecidedBy, Faction, FactionSwap, IdleReason, PursuitState};

/// The sort key of agents that join together: all of their visible properties. Agents that agree in everything join in
/// the order in which the game has made them, and never in that of their entities, which differ from machine to machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pursuit: u32,
    is_robber: bool,
    cell: Cell,
    speed: u8,
    ticks_per_step: u32,
    sight: Option<u16>,
    mistakes: u16,
    reaction: u8,
    control: (u8, i32, i32),
    leash: Option<Leash>,
    patience: u16,
    faction: Option<Faction>,
    swap: Option<FactionSwap>,
    is_caught: bool,
    /// A hash of the path that the game has ordered.
    order: Option<(bool, u64)>,
    /// The id of the agent before it left.
    former: Option<AgentId>,
    map: Entity,
    /// Its place in the order in which agents were noted.
    noted: usize,
    entity: Entity,
}

/// Adds agents that are new on their map to its world.
pub(super) fn join(
    mut maps: Query<&mut LiveMap>,
    mut agents: Query<MemberData, IsAgent>,
    enabled: Query<Entity, With<LiveMap>>,
    pursuits: Pursuits,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
    mut joining: Local<Vec<Key>>,
    mut known: Local<EntityHashSet>,
    mut commands: Commands,
) {
    if pending.joined.is_empty() {
        return;
    }
    timer.time(|| {
        // An agent that appears together with its map is noted for both.
        known.clear();
        pending
            .joined
            .entries()
            .retain(|&entity| known.insert(entity));
        let only = only_map(&enabled);
        joining.clear();
        pending.joined.entries().retain(|&entity| {
            let Ok(mut agent) = agents.get_mut(entity) else {
                return false;
            };
            if agent.member.home.is_some() {
                return false;
            }
            let wanted = agent.member.wanted_map(agent.on, only);
            let map = wanted.and_then(|map| Some((map, maps.get(map).ok()?)));
            let why = match map {
                Some((home, map)) if map.world().is_some() => {
                    let noted = joining.len();
                    joining.push(agent.key(home, map, &pursuits, noted));
                    return false;
                }
                Some((_, map)) if map.is_loading() => IdleReason::MapLoading,
                _ => IdleReason::NoMap,
            };
            let state = PursuitState::of(DecidedBy::Nobody(why));
            if agent.state.set_if_neq(state) {
                // A clone of a walking agent stands where it was cloned.
                agent.rest();
            }
            true
        });
        joining.sort_unstable();
        for key in joining.drain(..) {
            if let (Ok(mut map), Ok(mut agent)) =
                (maps.get_mut(key.map), agents.get_mut(key.entity))
            {
                agent.join(key.map, map.bypass_change_detection(), &pursuits);
                if agent.on.is_none() {
                    commands.entity(key.entity).try_insert(OnMap(key.map));
                }
            }
        }
    });
}

impl Key {
    fn new(setup: &AgentSetup, map: Entity, entity: Entity) -> Self {
        Self {
            pursuit: setup.pursuit,
            is_robber: setup.side == Side::Robber,
            cell: setup.cell,
            speed: if setup.is_immobile {
                0
            } else {
                setup.speed.steps()
            },
            ticks_per_step: setup.ticks_per_step,
            sight: setup.sight,
            mistakes: setup.mistakes,
            reaction: setup.reaction,
            control: match setup.control {
                Control::Policy => (0, 0, 0),
                Control::Steer { dx, dy } => (1, dx.into(), dy.into()),
                Control::WalkTo(cell) => (2, cell.x.into(), cell.y.into()),
                Control::External => (3, 0, 0),
                Control::Duty => (4, 0, 0),
            },
            leash: setup.leash,
            patience: setup.patience,
            faction: setup.faction,
            swap: setup.swap,
            is_caught: false,
            order: None,
            former: None,
            map,
            noted: 0,
            entity,
        }
    }
}

impl MemberDataItem<'_, '_> {
    fn key(&self, home: Entity, map: &LiveMap, pursuits: &Pursuits, noted: usize) -> Key {
        let order = self.order.map(|order| {
            let tiles = order.0.iter();
            let path =
                seed_of(tiles.map(|at| {
                    u64::from(at.y.cast_unsigned()) << 32 | u64::from(at.x.cast_unsigned())
                }));
            (self.is_dash, path)
        });
        Key {
            is_caught: self.is_caught || self.is_away,
            order,
            former: self.member.former,
            noted,
            ..Key::new(&self.describe(home, map, pursuits), home, self.entity)
        }
    }

    fn join(&mut self, home: Entity, map: &mut LiveMap, pursuits: &Pursuits) {
        let setup = self.describe(home, map, pursuits);
        let Some(world) = map.world_mut() else {
            return;
        };
        pursuits.ensure_set_up(setup.pursuit, home, world);
        let id = world.insert(setup);
        // A clone of a walking agent stands where it was cloned.
        self.move_out();
        self.member.home = Some(Home { map: home, id });
        self.member.at = self.position.0;
        if self.member.is_out_of_reach {
            world.note_out_of_reach(id);
        }
        // Only prey is captured: a cop may still have the component from before it changed sides.
        if self.is_caught && self.may_be_prey() {
            world.hold(id);
        } else if self.is_away && self.may_be_prey() {
            world.send_away(id);
        }
    }
}
