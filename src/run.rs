//! Arriving and deciding: runs the worlds, and writes the results into components, events and messages.

use crate::agent::{GridPosition, NextStep, PlannedPath};
use crate::capture::{Captured, GotAway, Struck};
use crate::coordinates::Coordinates;
use crate::delivery;
use crate::diagnostics::PursuitDiagnostics;
use crate::duty::GaveUp;
use crate::errand::{Arrived, NoWay, Obstacle};
use crate::live_map::LiveMap;
use crate::maps::Maps;
use crate::members::member::Member;
use crate::messages::{
    OutOfReach, PlanInvalidated, Sighted, TableStatus, TableStatusChanged, WithinReach,
};
use crate::meter::{Pace, Reserve, TickMeter};
use crate::order::OrderRefused;
use crate::pursuit::PursuitNumbers;
use crate::target::Target;
use crate::veto::MoveRule;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::{Allow, QueryData};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pursuit_engine::graph::Graph;
use pursuit_engine::world::{AgentId, AgentRecord, PursuitWorld, Wish, WorldEvent};
use pursuit_engine::world::{FactionSwap, PursuitSettings, PursuitState};

/// An agent with the components that the world changes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct AgentData {
    member: &'static mut Member,
    position: &'static mut GridPosition,
    step: &'static mut NextStep,
    plan: &'static mut PlannedPath,
    state: &'static mut PursuitState,
    target: Option<&'static mut Target>,
}

/// The entity of an agent of a world.
fn entity_of(world: &PursuitWorld, id: AgentId) -> Option<Entity> {
    Entity::try_from_bits(world.agent(id)?.setup().user)
}

/// The maps, with those that the game has disabled since the tick began: they end the tick.
type TickMaps<'w, 's> = Query<'w, 's, &'static mut LiveMap, Allow<Disabled>>;

/// Lets agents that are due arrive, and reports captures.
pub(super) fn arrive(
    mut commands: Commands,
    mut maps: TickMaps,
    mut agents: Query<AgentData>,
    all_maps: Res<Maps>,
    numbers: Res<PursuitNumbers>,
    timer: WorkTimer,
) {
    timer.time(|| {
        for entity in all_maps.iter() {
            let Ok(mut map) = maps.get_mut(entity) else {
                continue;
            };
            let map = map.bypass_change_detection();
            let coordinates = map.coordinates_of_agents();
            let Some(world) = map.in_tick_mut() else {
                continue; // it is disabled or loading, and stands still
            };
            world.arrive();
            for event in world.events() {
                if let &WorldEvent::Captured { robber, cop, turn } = event
                    && let Some(record) = world.agent(robber)
                    && let Some((robber, cop)) = entity_of(world, robber).zip(entity_of(world, cop))
                {
                    let captured = Captured {
                        robber,
                        cop,
                        map: entity,
                        pursuit: numbers.entity_on(entity, record.setup().pursuit),
                        turn,
                    };
                    delivery::tell_capture(&mut commands, captured);
                } else if let &WorldEvent::Away { robber, turn } = event
                    && let Some(record) = world.agent(robber)
                    && let Some(robber) = entity_of(world, robber)
                {
                    let away = GotAway {
                        robber,
                        map: entity,
                        pursuit: numbers.entity_on(entity, record.setup().pursuit),
                        turn,
                    };
                    delivery::tell_away(&mut commands, away);
                } else if let &WorldEvent::Struck { id, cell } = event
                    && let Some(agent) = entity_of(world, id)
                {
                    let at = coordinates.position(cell);
                    delivery::tell_struck(&mut commands, Struck { agent, at });
                } else if let &WorldEvent::SwapEnded(id) = event
                    && let Some(agent) = entity_of(world, id)
                {
                    commands.entity(agent).try_remove::<FactionSwap>();
                }
            }
            write_arrivals(map, &mut agents);
        }
    });
}

/// Gives every agent that is due a move, and makes plans.
pub(super) fn decide(
    mut maps: TickMaps,
    mut agents: Query<AgentData>,
    all_maps: Res<Maps>,
    settings: Res<PursuitSettings>,
    mut reserve: ResMut<Reserve>,
    pace: Pace,
    mut turns: Local<Turns>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    timer: WorkTimer,
    mut rule: Option<ResMut<MoveRule>>,
    mut outbox: Outbox,
) {
    diagnostics.collect(&timer);
    timer.time(|| {
        let mut meter = TickMeter::new(&settings, &pace, &diagnostics, &timer, &mut reserve);
        // The work of maps that are loading.
        meter.end_map(diagnostics.tick.expansions);
        let rule = rule.as_deref_mut();
        decide_all(&all_maps, &mut maps, &mut meter, rule, &mut turns);
        for entity in all_maps.iter() {
            let Ok(mut map) = maps.get_mut(entity) else {
                continue;
            };
            let map = map.bypass_change_detection();
            let coordinates = map.coordinates_of_agents();
            let Some(world) = map.in_tick_mut() else {
                continue;
            };
            diagnostics.add(world.report());
            for event in world.events() {
                outbox.send(event, entity, world, coordinates);
            }
            write_back(map, &mut agents);
            map.end_tick();
        }
    });
}

/// The maps of a tick; kept to reuse the memory.
#[derive(Debug, Default)]
pub(super) struct Turns {
    busy: Vec<Entity>,
    idle: Vec<Entity>,
    /// The tiles of a move of which the game is asked.
    tiles: Vec<IVec2>,
}

/// Lets the worlds of all maps decide. Maps on which nobody is chased leave the budget to the others, and what is left in
/// the end goes to those that need more. Where the budget is too small for all, they take turns at being first.
fn decide_all(
    all_maps: &Maps,
    maps: &mut TickMaps,
    meter: &mut TickMeter,
    mut rule: Option<&mut MoveRule>,
    Turns { busy, idle, tiles }: &mut Turns,
) {
    busy.clear();
    idle.clear();
    let mut first = None;
    for entity in all_maps.iter() {
        if let Ok(mut map) = maps.get_mut(entity)
            && let Some(world) = map.bypass_change_detection().in_tick_mut()
        {
            if world.has_chase() || world.wants_more() {
                first = first.or(Some(world.tick()));
                busy.push(entity);
            } else {
                idle.push(entity);
            }
        }
    }
    let places = meter.places();
    if let Some(tick) = first.filter(|_| busy.len() > places) {
        let first = tick.wrapping_mul(places as u64) % busy.len() as u64;
        busy.rotate_left(first as usize);
    }
    // Returns whether the map needs more, and there is more.
    let mut decide = |entity: Entity, left: usize, is_first: bool| {
        let Ok(mut map) = maps.get_mut(entity) else {
            return false;
        };
        let map = map.bypass_change_detection();
        let coordinates = map.coordinates_of_agents();
        let Some(world) = map.in_tick_mut() else {
            return false;
        };
        let before = if is_first { 0 } else { world.report().spent };
        meter.begin_map(left as u32, before);
        if is_first && let Some(rule) = &mut rule {
            let judge = &mut |wish: &Wish<'_>| rule.judge(entity, coordinates, wish, tiles);
            world.decide_with(meter, judge);
        } else if is_first {
            world.decide(meter);
        } else {
            world.plan_on(meter);
        }
        meter.end_map(world.report().spent - before);
        world.wants_more() && meter.has_rest()
    };
    let mut left = busy.len();
    let is_alone = left == 1;
    busy.retain(|&entity| {
        left -= 1;
        decide(entity, left + 1, true)
    });
    for entity in idle.drain(..) {
        decide(entity, 1, true);
    }
    if !is_alone {
        let mut left = busy.len();
        for entity in busy.drain(..) {
            decide(entity, left, false);
            left -= 1;
        }
    }
}

/// Where the events of worlds go.
#[derive(SystemParam)]
pub(super) struct Outbox<'w, 's> {
    commands: Commands<'w, 's>,
    invalidated: MessageWriter<'w, PlanInvalidated>,
    tables: MessageWriter<'w, TableStatusChanged>,
    numbers: Res<'w, PursuitNumbers>,
}

impl Outbox<'_, '_> {
    fn send(
        &mut self,
        event: &WorldEvent,
        map: Entity,
        world: &PursuitWorld,
        coordinates: Coordinates,
    ) {
        let Self {
            commands,
            invalidated,
            tables,
            numbers,
        } = self;
        let entity = |id: AgentId| entity_of(world, id);
        match *event {
            WorldEvent::PlanInvalidated(id) => {
                invalidated.write_batch(entity(id).map(|agent| PlanInvalidated { map, agent }));
            }
            WorldEvent::Arrived(id) => {
                if let Some(agent) = entity(id) {
                    delivery::tell(commands, map, agent, Arrived { agent });
                }
            }
            WorldEvent::OrderCut { id, taken, refused } => {
                if let Some(agent) = entity(id) {
                    let refused = coordinates.position(refused);
                    let event = OrderRefused {
                        agent,
                        taken,
                        refused,
                    };
                    delivery::tell(commands, map, agent, event);
                }
            }
            WorldEvent::NoWay(id) => {
                if let Some(agent) = entity(id) {
                    let because = Obstacle::of(id, world);
                    delivery::tell(commands, map, agent, NoWay { agent, because });
                }
            }
            WorldEvent::GaveUp {
                id,
                robber,
                because,
            } => {
                if let Some(cop) = entity(id) {
                    let robber = entity(robber);
                    let event = GaveUp {
                        cop,
                        robber,
                        because,
                    };
                    delivery::tell(commands, map, cop, event);
                }
            }
            WorldEvent::OutOfReach(id) => {
                if let Some(robber) = entity(id) {
                    delivery::tell(commands, map, robber, OutOfReach { robber });
                }
            }
            WorldEvent::WithinReach(id) => {
                if let Some(robber) = entity(id) {
                    delivery::tell(commands, map, robber, WithinReach { robber });
                }
            }
            WorldEvent::Sighted { robber, seen } => match entity(robber) {
                Some(robber) if seen => delivery::tell(commands, map, robber, Sighted { robber }),
                Some(robber) => delivery::tell_lost(commands, robber),
                None => {}
            },
            WorldEvent::Table { pursuit, exact } => {
                let pursuit = numbers.entity_on(map, pursuit);
                let status = if exact {
                    TableStatus::InUse { pursuit }
                } else {
                    TableStatus::OutOfUse { pursuit }
                };
                tables.write(TableStatusChanged { map, status });
            }
            WorldEvent::TableCache(ref event) => {
                let status = TableStatus::of(event);
                tables.write_batch(status.map(|status| TableStatusChanged { map, status }));
            }
            // Captures are reported where they are found, and no other event is for games.
            _ => {}
        }
    }
}

/// Copies the changes of the world into components.
pub(super) fn write_back(map: &mut LiveMap, agents: &mut Query<AgentData>) {
    write(map, agents, |_| false);
}

/// Does the same for agents that have arrived. Most of them decide in this same tick and keep their last
/// state until then.
fn write_arrivals(map: &mut LiveMap, agents: &mut Query<AgentData>) {
    let tick = map.tick();
    write(map, agents, |agent| agent.times().1 <= tick);
}

fn write(map: &mut LiveMap, agents: &mut Query<AgentData>, chooses: impl Fn(&AgentRecord) -> bool) {
    let Some(world) = map.world() else {
        return;
    };
    for &id in world.touched() {
        let Some(agent) = world.agent(id) else {
            continue;
        };
        let entity = Entity::try_from_bits(agent.setup().user);
        let Some(mut data) = entity.and_then(|entity| agents.get_mut(entity).ok()) else {
            continue;
        };
        data.copy_position(agent, map, world.graph());
        data.copy_plan(agent, map, world.graph());
        if !chooses(agent) {
            data.state.set_if_neq(*agent.state());
            if let Some(target) = &mut data.target {
                target.set_if_neq(Target::of(id, world, map));
            }
        }
    }
    if let Some(world) = map.world_mut() {
        world.clear_touched();
    }
}

impl AgentDataItem<'_, '_> {
    /// Copies the agent's tile and its path in this turn.
    fn copy_position(&mut self, agent: &AgentRecord, map: &LiveMap, graph: &Graph) {
        let position = |&vertex| map.position_of_agent(graph.cell(vertex));
        let cell = agent.setup().cell;
        // A position that the game has written since the last reading is read next, and must not be
        // overwritten.
        let is_unchanged = self.position.0 == self.member.at;
        if is_unchanged && graph.is_on_map(cell) {
            let at = map.position_of_agent(cell);
            self.member.at = at;
            self.position.set_if_neq(GridPosition(at));
        }
        let way = agent.way().iter().map(position);
        // An agent that turns back comes from the tile it was heading for.
        let from = agent.turned_at();
        let from = from.as_ref().map_or(self.position.0, position);
        let (departs, arrives) = agent.times();
        self.step.follow(from, way, agent.pace(), departs, arrives);
    }

    /// Copies the agent's plan.
    fn copy_plan(&mut self, agent: &AgentRecord, map: &LiveMap, graph: &Graph) {
        let (way, ahead) = (agent.way(), agent.ahead());
        let plan = &mut self.plan;
        plan.path.clear();
        // Grows in large pieces, and not with every plan that is longer than all before.
        let steps = way.len() + ahead.len();
        if steps > plan.path.capacity() {
            plan.path.reserve_exact(steps.next_multiple_of(32));
        }
        let path = way.iter().chain(ahead);
        let path = path.map(|&vertex| map.position_of_agent(graph.cell(vertex)));
        plan.path.extend(path);
    }
}
