//! Agents as entities and as members of a world: what the game changes about the ones is carried to the
//! others.

use super::agent::{
    Control, Cop, GridPosition, NextStep, OnMap, Pursuit, PursuitSpeed, Robber, Sight, TicksPerStep,
};
use super::capture::Caught;
use super::{DecidedBy, Idle, PursuitDiagnostics, PursuitMap, PursuitState};
use crate::game::{Side, Speed};
use crate::map::Cell;
use crate::world::{self, AgentId, AgentSetup};
use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemChangeTick;
use bevy::prelude::*;

/// Which agent of which world an entity is.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(super) struct Member {
    pub(super) home: Option<(Entity, AgentId)>,
    /// Where the world has it, for noticing that the game has put it elsewhere.
    pub(super) at: UVec2,
}

/// When the plugin wrote down last where a member is and where it goes: what is newer is the game's.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(super) struct Written(pub(super) Tick);

/// Where every member is at home, also those whose entity has gone meanwhile.
#[derive(Resource, Debug, Default)]
pub(super) struct Roll(EntityHashMap<(Entity, AgentId)>);

/// What has happened to agents and maps since the last tick.
#[derive(Resource, Debug, Default)]
pub(super) struct Comings {
    /// Agents that are to get a home.
    joined: Vec<Entity>,
    left: Vec<Entity>,
    released: Vec<Entity>,
    /// Agents that have lost a component that is not for all.
    changed: Vec<Entity>,
    /// A map has come or gone.
    maps_changed: bool,
}

impl Roll {
    pub(super) fn note(&mut self, entity: Entity, home: (Entity, AgentId)) {
        self.0.insert(entity, home);
    }
}

impl Comings {
    /// A map has come, or is another one now.
    pub(super) fn note_maps(&mut self) {
        self.maps_changed = true;
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<Roll>()
        .init_resource::<Comings>()
        .add_observer(|added: On<Add, Cop>, mut comings: ResMut<Comings>| {
            comings.joined.push(added.entity);
        })
        .add_observer(|added: On<Add, Robber>, mut comings: ResMut<Comings>| {
            comings.joined.push(added.entity);
        })
        .add_observer(|gone: On<Remove, Cop>, mut comings: ResMut<Comings>| {
            comings.left.push(gone.entity);
        })
        .add_observer(|gone: On<Remove, Robber>, mut comings: ResMut<Comings>| {
            comings.left.push(gone.entity);
        })
        .add_observer(|gone: On<Remove, Caught>, mut comings: ResMut<Comings>| {
            comings.released.push(gone.entity);
        })
        .add_observer(|gone: On<Remove, OnMap>, mut comings: ResMut<Comings>| {
            comings.changed.push(gone.entity);
        })
        .add_observer(|gone: On<Remove, Sight>, mut comings: ResMut<Comings>| {
            comings.changed.push(gone.entity);
        })
        .add_observer(
            |gone: On<Remove, TicksPerStep>, mut comings: ResMut<Comings>| {
                comings.changed.push(gone.entity);
            },
        )
        .add_observer(|_: On<Insert, PursuitMap>, mut comings: ResMut<Comings>| {
            comings.maps_changed = true;
        })
        .add_observer(|_: On<Remove, PursuitMap>, mut comings: ResMut<Comings>| {
            comings.maps_changed = true;
        });
}

/// The map for agents that name none: the only one. Where there are several, which one is for the
/// game to say.
pub(super) fn only_map(mut maps: impl Iterator<Item = Entity>) -> Option<Entity> {
    maps.next().filter(|_| maps.next().is_none())
}

/// The map of an agent.
pub(super) fn map_of(on: Option<&OnMap>, only: Option<Entity>) -> Option<Entity> {
    on.map(|on| on.0).or(only)
}

/// An agent as the game may change it.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct MemberData {
    entity: Entity,
    member: &'static mut Member,
    position: &'static GridPosition,
    step: &'static NextStep,
    speed: &'static PursuitSpeed,
    control: &'static Control,
    pursuit: &'static Pursuit,
    state: &'static mut PursuitState,
    ticks_per_step: Option<&'static TicksPerStep>,
    sight: Option<&'static Sight>,
    on: Option<&'static OnMap>,
    is_robber: Has<Robber>,
    is_caught: Has<Caught>,
}

pub(super) type IsAgent = Or<(With<Cop>, With<Robber>)>;
type IsMoved = Or<(Changed<GridPosition>, Changed<NextStep>)>;
type IsChanged = Or<(
    Changed<PursuitSpeed>,
    Changed<Control>,
    Changed<Pursuit>,
    Changed<TicksPerStep>,
    Changed<Sight>,
    Changed<OnMap>,
)>;

/// Carries what the game has done to agents into their worlds.
pub(super) fn sync_members(
    mut maps: Query<(Entity, &mut PursuitMap)>,
    mut agents: Query<MemberData, IsAgent>,
    changed: Query<Entity, (IsAgent, IsChanged)>,
    moved: Query<(Entity, Ref<GridPosition>, Ref<NextStep>, &Written), (IsAgent, IsMoved)>,
    clock: SystemChangeTick,
    mut comings: ResMut<Comings>,
    mut roll: ResMut<Roll>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut joining: Local<Vec<(Entity, Key)>>,
) {
    diagnostics.time(|_| {
        let Comings {
            joined,
            left,
            released,
            changed: stripped,
            maps_changed,
        } = &mut *comings;
        let only = only_map(maps.iter().map(|(entity, _)| entity));
        for entity in left.drain(..) {
            leave(entity, &mut maps, &mut roll);
            if let Ok(mut agent) = agents.get_mut(entity) {
                agent.member.home = None;
                joined.push(entity); // it may be on the other side now
            }
        }
        if std::mem::take(maps_changed) {
            for mut agent in &mut agents {
                let home = map_of(agent.on, only);
                if !agent.is_at_home(home, &maps) {
                    leave(agent.entity, &mut maps, &mut roll);
                    agent.member.home = None;
                    joined.push(agent.entity);
                }
            }
        }
        let is_new =
            |tick: Tick, written: &Written| tick.is_newer_than(written.0, clock.this_run());
        let moved = moved
            .iter()
            .filter_map(|(entity, position, step, written)| {
                let by_game = is_new(position.last_changed(), written)
                    || is_new(step.last_changed(), written);
                by_game.then_some(entity)
            });
        for entity in changed.iter().chain(moved).chain(stripped.drain(..)) {
            let Ok(mut agent) = agents.get_mut(entity) else {
                continue;
            };
            let Some((home, id)) = agent.member.home else {
                continue;
            };
            if map_of(agent.on, only) != Some(home) {
                leave(entity, &mut maps, &mut roll);
                agent.member.home = None;
                joined.push(entity);
            } else if let Ok((_, mut map)) = maps.get_mut(home) {
                agent.tell(id, map.bypass_change_detection());
            }
        }
        for entity in released.drain(..) {
            if let Ok(agent) = agents.get(entity)
                && !agent.is_caught // captured again meanwhile
                && let Some((home, id)) = agent.member.home
                && let Ok((_, mut map)) = maps.get_mut(home)
                && let Some(world) = map.bypass_change_detection().world_mut()
            {
                world.release(id);
            }
        }
        // Who came together with a map is noted for both.
        joined.sort_unstable();
        joined.dedup();
        joining.clear();
        // Who comes together with a map is told of twice.
        joined.sort_unstable();
        joined.dedup();
        joined.retain(|&entity| {
            let Ok(mut agent) = agents.get_mut(entity) else {
                return false;
            };
            if agent.member.home.is_some() {
                return false;
            }
            let home = map_of(agent.on, only).and_then(|home| maps.get(home).ok());
            match home.filter(|(_, map)| map.world().is_some()) {
                Some((home, map)) => joining.push((home, agent.key(map))),
                None => agent.say_no_map(),
            }
            home.is_none_or(|(_, map)| map.world().is_none())
        });
        // By what they are and not by the history of entities, so that a run is repeatable.
        joining.sort_unstable();
        for (home, key) in joining.drain(..) {
            if let (Ok((_, mut map)), Ok(mut agent)) =
                (maps.get_mut(home), agents.get_mut(key.entity))
            {
                agent.join(home, map.bypass_change_detection(), &mut roll);
            }
        }
    });
}

/// Takes an agent out of its world.
fn leave(entity: Entity, maps: &mut Query<(Entity, &mut PursuitMap)>, roll: &mut Roll) {
    if let Some((home, id)) = roll.0.remove(&entity)
        && let Ok((_, mut map)) = maps.get_mut(home)
        && let Some(world) = map.bypass_change_detection().world_mut()
        && world
            .agent(id)
            .is_some_and(|agent| agent.setup().user == entity.to_bits())
    {
        world.remove(id);
    }
}

/// What agents are told apart by when several come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pursuit: u32,
    is_robber: bool,
    cell: Cell,
    speed: u8,
    entity: Entity,
}

impl MemberDataItem<'_, '_> {
    fn is_at_home(&self, home: Option<Entity>, maps: &Query<(Entity, &mut PursuitMap)>) -> bool {
        let Some((at, id)) = self.member.home else {
            return false;
        };
        let world = maps.get(at).ok().and_then(|(_, map)| map.world());
        let agent = world.and_then(|world| world.agent(id));
        home == Some(at) && agent.is_some_and(|agent| agent.setup().user == self.entity.to_bits())
    }

    fn key(&self, map: &PursuitMap) -> Key {
        Key {
            pursuit: self.pursuit.0,
            is_robber: self.is_robber,
            cell: map.cell_or_beside(self.position.0),
            speed: self.speed.0,
            entity: self.entity,
        }
    }

    fn say_no_map(&mut self) {
        let state = PursuitState::of(DecidedBy::Nobody(Idle::NoMap));
        self.state.set_if_neq(state);
    }

    fn join(&mut self, home: Entity, map: &mut PursuitMap, roll: &mut Roll) {
        let cell = map.cell_or_beside(self.position.0);
        let control = world_control(*self.control, map);
        let side = if self.is_robber {
            Side::Robber
        } else {
            Side::Cops
        };
        let mut setup = AgentSetup::new(side, cell);
        setup.user = self.entity.to_bits();
        self.describe(&mut setup, control);
        let Some(world) = map.world_mut() else {
            return;
        };
        let id = world.insert(setup);
        self.member.home = Some((home, id));
        self.member.at = self.position.0;
        roll.0.insert(self.entity, (home, id));
        if self.is_caught {
            world.hold(id);
        }
        self.send(id, map);
    }

    fn describe(&self, setup: &mut AgentSetup, control: world::Control) {
        setup.pursuit = self.pursuit.0;
        setup.speed = Speed::from(*self.speed);
        setup.control = control;
        setup.ticks_per_step = self.ticks_per_step.map_or(0, |ticks| ticks.0.max(1));
        setup.sight = self.sight.map(|sight| sight.0);
    }

    /// Tells the world what the game has changed.
    fn tell(&mut self, id: AgentId, map: &mut PursuitMap) {
        let cell = map.cell_or_beside(self.position.0);
        let control = world_control(*self.control, map);
        let Some(world) = map.world_mut() else {
            return;
        };
        if self.position.0 != self.member.at {
            self.member.at = self.position.0;
            world.place(id, cell);
        }
        world.change(id, |setup| self.describe(setup, control));
        self.send(id, map);
    }

    /// Sends it on the way that the game has written, if it has.
    fn send(&self, id: AgentId, map: &mut PursuitMap) {
        if !self.step.is_new() {
            return;
        }
        let way = self.step.way.iter().map_while(|&at| map.cell(at));
        let way: Vec<Cell> = way.collect();
        if let Some(world) = map.world_mut() {
            world.order(id, &way);
        }
    }
}

/// Carries what players do over, who may steer until the moment of the decision.
pub(super) fn sync_controls(
    mut maps: Query<&mut PursuitMap>,
    agents: Query<(&Member, &Control), (IsAgent, Changed<Control>)>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let started = diagnostics.started();
    for (member, &control) in &agents {
        if let Some((home, id)) = member.home
            && let Ok(mut map) = maps.get_mut(home)
        {
            let map = map.bypass_change_detection();
            let control = world_control(control, map);
            if let Some(world) = map.world_mut() {
                world.change(id, |setup| setup.control = control);
            }
        }
    }
    diagnostics.finished(started);
}

/// Directions and places as the world counts them: rows from the top.
fn world_control(control: Control, map: &PursuitMap) -> world::Control {
    match control {
        Control::Policy => world::Control::Policy,
        Control::External => world::Control::External,
        Control::Steer(direction) => world::Control::Steer {
            dx: direction.x.signum() as i8,
            dy: -direction.y.signum() as i8,
        },
        Control::WalkTo(at) => world::Control::WalkTo(map.cell_or_beside(at)),
    }
}
