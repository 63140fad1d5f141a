//! Turns: when they begin, who arrives, who decides.

use super::agent::{Control, Cop, GridPosition, NextStep, OnMap, Plan, PursuitSpeed, Robber};
use super::capture::Caught;
use super::state::{DecidedBy, Idle, PursuitState};
use super::{PursuitDiagnostics, PursuitMap, PursuitSettings};
use crate::game::Speed;
use crate::map::Cell;
use crate::policy::{Decision, Source};
use crate::world::Body;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;

/// The turns of a map. Every [`PursuitMap`] has one.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct TurnClock {
    /// The turns that have begun.
    pub turn: u64,
    /// Ticks since the current turn began.
    pub tick: u32,
    /// Ticks that the current turn lasts; 0 before the first.
    pub length: u32,
}

impl TurnClock {
    /// Does a turn begin in this tick?
    #[must_use]
    pub const fn begins(&self) -> bool {
        self.tick == 0 && self.length > 0
    }

    /// How much of the turn is over, from 0 to 1. `overstep` is the part of a tick that has passed
    /// since the last one ([`Time<Fixed>::overstep_fraction`]).
    #[must_use]
    pub fn progress(&self, overstep: f32) -> f32 {
        if self.length == 0 {
            return 0.0;
        }
        ((self.tick as f32 + overstep) / self.length as f32).clamp(0.0, 1.0)
    }
}

/// An agent as the turn systems see it.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct AgentData {
    entity: Entity,
    position: &'static GridPosition,
    step: &'static mut NextStep,
    plan: &'static mut Plan,
    speed: &'static PursuitSpeed,
    control: &'static Control,
    state: &'static mut PursuitState,
    on: Option<&'static OnMap>,
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

type IsCop = (With<Cop>, Without<Robber>);
type IsRunning = (With<Robber>, Without<Caught>);
type IsAgent = Or<(With<Cop>, With<Robber>)>;

/// Moves the clocks of all maps on by a tick. Without tiles there are no turns.
pub(super) fn tick(
    mut clocks: Query<(&mut TurnClock, &PursuitMap)>,
    settings: Res<PursuitSettings>,
) {
    let ready = |map: &PursuitMap| map.world().is_some();
    for (mut clock, _) in clocks.iter_mut().filter(|(_, map)| ready(map)) {
        clock.tick += 1;
        if clock.tick >= clock.length {
            clock.tick = 0;
            clock.length = settings.ticks_per_turn.max(1);
            clock.turn += 1;
        }
    }
}

/// Forgets the ways of agents that the game has put elsewhere or moves itself.
pub(super) fn drop_stale_ways(
    mut agents: Query<
        (
            &GridPosition,
            &mut NextStep,
            &mut Plan,
            &Control,
            Option<Ref<OnMap>>,
        ),
        IsAgent,
    >,
) {
    for (position, mut step, mut plan, control, on) in &mut agents {
        let moved = step.from != position.0 || *control == Control::External;
        if !step.way.is_empty() && (moved || on.is_some_and(|on| on.is_changed())) {
            step.cut(0);
            plan.path.clear();
        }
    }
}

/// Cuts ways that lead through walls: those on maps that have changed, and those that the game has
/// written. What lies behind an agent does not matter any more.
pub(super) fn stop_at_walls(
    maps: Query<(Entity, &PursuitMap, &TurnClock)>,
    mut agents: Query<(&mut NextStep, &mut Plan, Option<&OnMap>), IsAgent>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        let only = only_map(maps.iter().map(|(entity, ..)| entity));
        for (mut step, mut plan, on) in &mut agents {
            if step.way.is_empty() {
                continue;
            }
            let map = map_of(on, only).and_then(|map| maps.get(map).ok());
            let Some((_, map, clock)) = map.filter(|(_, map, _)| map.changed || step.is_new())
            else {
                continue;
            };
            let walked = step.walked(clock.progress(0.0)) as usize;
            let ahead = step.way.get(walked..).unwrap_or_default();
            let open = walked + open_steps(map, step.tile(walked), ahead);
            if open < step.way.len() || step.is_new() {
                step.cut(open);
                plan.path.clear();
            }
        }
    });
}

/// How many steps of a way are open on the map as it is now.
fn open_steps(map: &PursuitMap, from: UVec2, way: &[UVec2]) -> usize {
    let cells: Vec<Cell> = way.iter().map_while(|&at| map.cell(at)).collect();
    let world = map.world().zip(map.cell(from));
    world.map_or(0, |(world, from)| world.open_steps(from, &cells))
}

/// At the start of a turn everybody is where it was going.
pub(super) fn arrive(
    maps: Query<(Entity, &PursuitMap, &TurnClock)>,
    mut agents: Query<(&mut GridPosition, &mut NextStep, Option<&OnMap>), IsAgent>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    if maps.iter().all(|(.., clock)| !clock.begins()) {
        return;
    }
    diagnostics.time(|_| {
        let only = only_map(maps.iter().map(|(entity, ..)| entity));
        for (mut position, mut step, on) in &mut agents {
            let map = map_of(on, only).and_then(|map| maps.get(map).ok());
            let Some((_, map, clock)) = map else {
                continue;
            };
            if !clock.begins() || step.way.is_empty() {
                continue;
            }
            if step.is_new() {
                let open = open_steps(map, position.0, &step.way);
                step.cut(open);
            }
            if let Some(target) = step.target() {
                position.0 = target;
            }
            step.set(position.0, std::iter::empty());
        }
    });
}

/// Tells agents that nobody will ask what to do why that is so.
pub(super) fn note_idle(
    maps: Query<(Entity, &PursuitMap)>,
    mut agents: Query<(AgentData, Has<Caught>), IsAgent>,
) {
    let only = only_map(maps.iter().map(|(entity, _)| entity));
    for (mut agent, caught) in &mut agents {
        let map = map_of(agent.on, only).and_then(|map| maps.get(map).ok());
        if caught {
            agent.idle(Idle::Captured);
        } else if map.is_none_or(|(_, map)| map.world().is_none()) {
            agent.idle(Idle::NoMap);
        }
    }
}

/// Does a turn begin on a map in this tick?
fn is_due(map: &PursuitMap, clock: &TurnClock) -> bool {
    clock.begins() && map.world().is_some()
}

/// The cops of each map choose together.
pub(super) fn decide_cops(
    mut maps: Query<(Entity, &mut PursuitMap, &TurnClock)>,
    mut cops: Query<AgentData, IsCop>,
    robbers: Query<(&GridPosition, &PursuitSpeed, Option<&OnMap>), IsRunning>,
    settings: Res<PursuitSettings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let only = only_map(maps.iter().map(|(entity, ..)| entity));
    for (entity, mut map, _) in maps.iter_mut().filter(|(_, map, clock)| is_due(map, clock)) {
        diagnostics.time(|diagnostics| {
            let mut free: Vec<Body> = robbers
                .iter()
                .filter(|(.., on)| map_of(*on, only) == Some(entity))
                .filter_map(|(at, &speed, _)| map.body(at.0, speed))
                .collect();
            free.sort_unstable_by_key(|&body| in_order(body));

            let mut team: Vec<(Entity, Body)> = Vec::new();
            for mut agent in &mut cops {
                if map_of(agent.on, only) != Some(entity) {
                    continue;
                }
                match follow_game(&map, &mut agent, &free) {
                    Asks::Nobody => {}
                    Asks::Policy(_) if free.is_empty() => agent.idle(Idle::NobodyThere),
                    Asks::Policy(body) => team.push((agent.entity, body)),
                }
            }
            team.sort_unstable_by_key(|&(cop, body)| (in_order(body), cop));
            let bodies: Vec<Body> = team.iter().map(|&(_, body)| body).collect();
            let Some(world) = map.bypass_change_detection().world_mut() else {
                return;
            };
            let decisions = world.decide_cops(&bodies, &free, settings.tactics.into());
            diagnostics.decisions += decisions.len() as u32;
            for (&(cop, _), decision) in team.iter().zip(&decisions) {
                if let Ok(mut agent) = cops.get_mut(cop) {
                    agent.follow(&map, decision);
                }
            }
        });
    }
}

/// Each robber chooses, knowing where the cops are going.
pub(super) fn decide_robbers(
    mut maps: Query<(Entity, &mut PursuitMap, &TurnClock)>,
    mut robbers: Query<(AgentData, Has<Caught>), With<Robber>>,
    cops: Query<(&GridPosition, &NextStep, &PursuitSpeed, Option<&OnMap>), IsCop>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let only = only_map(maps.iter().map(|(entity, ..)| entity));
    for (entity, mut map, _) in maps.iter_mut().filter(|(_, map, clock)| is_due(map, clock)) {
        diagnostics.time(|diagnostics| {
            // Where each cop will be when the robber moves.
            let mut targets: Vec<Body> = cops
                .iter()
                .filter(|(.., on)| map_of(*on, only) == Some(entity))
                .filter_map(|(at, step, &speed, _)| map.body(step.target().unwrap_or(at.0), speed))
                .collect();
            targets.sort_unstable_by_key(|&body| in_order(body));
            for (mut agent, caught) in &mut robbers {
                if caught || map_of(agent.on, only) != Some(entity) {
                    continue;
                }
                let Asks::Policy(body) = follow_game(&map, &mut agent, &targets) else {
                    continue;
                };
                if targets.is_empty() {
                    agent.idle(Idle::NobodyThere);
                    continue;
                }
                let Some(world) = map.bypass_change_detection().world_mut() else {
                    continue;
                };
                let decision = world.decide_robber(body, &targets);
                diagnostics.decisions += 1;
                agent.follow(&map, &decision);
            }
        });
    }
}

/// The order in which agents are handed to the core: by where they are and how fast, so that a
/// decision is a function of the position and not of the history of entities.
fn in_order(body: Body) -> (Cell, Speed) {
    (body.cell, body.speed)
}

/// Does the plugin have to think for an agent?
enum Asks {
    /// The game has spoken, or there is nothing to think about.
    Nobody,
    Policy(Body),
}

/// Does what [`Control`] says, if it says something.
fn follow_game(map: &PursuitMap, agent: &mut AgentDataItem<'_, '_>, opponents: &[Body]) -> Asks {
    let Some((world, body)) = map.world().zip(map.body(agent.position.0, *agent.speed)) else {
        agent.idle(Idle::OffTheMap);
        return Asks::Nobody;
    };
    let decision = match *agent.control {
        Control::Policy => return Asks::Policy(body),
        Control::External => Decision::wait(Source::Greedy),
        Control::Steer(direction) => {
            let upwards = direction.y.signum();
            world.steer(body, direction.x.signum(), -upwards, opponents)
        }
        Control::WalkTo(target) => match map.cell(target) {
            Some(cell) => world.walk(body, cell, opponents),
            None => Decision::wait(Source::Greedy),
        },
    };
    agent.follow(map, &decision);
    let by_game = PursuitState::of(DecidedBy::Game);
    agent.state.set_if_neq(by_game);
    Asks::Nobody
}

impl AgentDataItem<'_, '_> {
    fn follow(&mut self, map: &PursuitMap, decision: &Decision) {
        let Some(world) = map.world() else {
            return;
        };
        let position = |&vertex| map.position(world.graph().cell(vertex));
        let way = decision.way().iter().map(position);
        self.step.set(self.position.0, way);
        self.plan.path.clear();
        self.plan.path.extend(decision.path.iter().map(position));
        self.state.set_if_neq(decision.into());
    }

    fn idle(&mut self, reason: Idle) {
        self.state
            .set_if_neq(PursuitState::of(DecidedBy::Nobody(reason)));
        if !self.step.way.is_empty() || !self.plan.path.is_empty() {
            self.step.cut(0);
            self.plan.path.clear();
        }
    }
}
