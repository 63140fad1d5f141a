//! Turns: when they begin, who arrives, who decides.

use super::agent::{Control, Cop, GridPosition, NextStep, OnMap, Plan, PursuitSpeed, Robber};
use super::capture::Caught;
use super::state::{Idle, PursuitState};
use super::{PursuitDiagnostics, PursuitMap, PursuitSettings};
use crate::policy::Decision;
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
    position: &'static mut GridPosition,
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

/// Moves all clocks on by a tick.
pub(super) fn tick(
    mut clocks: Query<&mut TurnClock, With<PursuitMap>>,
    settings: Res<PursuitSettings>,
) {
    for mut clock in &mut clocks {
        clock.tick += 1;
        if clock.tick >= clock.length {
            clock.tick = 0;
            clock.length = settings.ticks_per_turn.max(1);
            clock.turn += 1;
        }
    }
}

/// On maps that have changed, stops agents whose way leads through a wall now.
pub(super) fn turn_back(
    maps: Query<(Entity, &PursuitMap)>,
    mut agents: Query<AgentData, IsAgent>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    if maps.iter().all(|(_, map)| !map.changed) {
        return;
    }
    diagnostics.time(|_| {
        let only = only_map(maps.iter().map(|(entity, _)| entity));
        for mut agent in &mut agents {
            let map = map_of(agent.on, only).and_then(|map| maps.get(map).ok());
            let Some((_, map)) = map.filter(|(_, map)| map.changed) else {
                continue;
            };
            if !agent.step.way.is_empty() && !is_legal(map, &agent) {
                agent.step.way.clear();
                agent.plan.path.clear();
            }
        }
    });
}

fn is_legal(map: &PursuitMap, agent: &AgentDataItem<'_, '_>) -> bool {
    let way: Option<Vec<_>> = agent.step.way.iter().map(|&at| map.cell(at)).collect();
    let body = map.body(agent.position.0, *agent.speed);
    match (map.world(), body, way) {
        (Some(world), Some(body), Some(way)) => world.is_legal(body, &way),
        _ => false,
    }
}

/// At the start of a turn everybody is where it was going. What a game has written into
/// [`NextStep`] counts only if it is legal.
pub(super) fn arrive(
    maps: Query<(Entity, &PursuitMap, &TurnClock)>,
    mut agents: Query<AgentData, IsAgent>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    if maps.iter().all(|(.., clock)| !clock.begins()) {
        return;
    }
    diagnostics.time(|_| {
        let only = only_map(maps.iter().map(|(entity, ..)| entity));
        for mut agent in &mut agents {
            let map = map_of(agent.on, only).and_then(|map| maps.get(map).ok());
            let Some((_, map, clock)) = map else {
                continue;
            };
            let Some(target) = agent.step.target().filter(|_| clock.begins()) else {
                continue;
            };
            if *agent.control != Control::External && is_legal(map, &agent) {
                agent.position.0 = target;
            }
            agent.step.way.clear();
        }
    });
}

/// The cops of each map choose together.
pub(super) fn decide_cops(
    mut maps: Query<(Entity, &mut PursuitMap, &TurnClock)>,
    mut cops: Query<AgentData, IsCop>,
    robbers: Query<(Entity, &GridPosition, &PursuitSpeed, Option<&OnMap>), IsRunning>,
    settings: Res<PursuitSettings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let only = only_map(maps.iter().map(|(entity, ..)| entity));
    for mut agent in &mut cops {
        note_missing_map(&mut agent, only, |map| {
            maps.get(map).is_ok_and(|(_, map, _)| map.world().is_some())
        });
    }
    for (entity, mut map, clock) in &mut maps {
        if !clock.begins() || map.world().is_none() {
            continue;
        }
        diagnostics.time(|diagnostics| {
            let mut prey: Vec<(Entity, Body)> = robbers
                .iter()
                .filter(|(.., on)| map_of(*on, only) == Some(entity))
                .filter_map(|(robber, at, &speed, _)| Some((robber, map.body(at.0, speed)?)))
                .collect();
            prey.sort_unstable_by_key(|&(robber, _)| robber);
            let prey: Vec<Body> = prey.into_iter().map(|(_, body)| body).collect();

            let mut team: Vec<(Entity, Body)> = Vec::new();
            for mut agent in &mut cops {
                if map_of(agent.on, only) != Some(entity) {
                    continue;
                }
                match follow_game(&map, &mut agent) {
                    Asks::Nobody => {}
                    Asks::Policy(_) if prey.is_empty() => agent.idle(Idle::NobodyThere),
                    Asks::Policy(body) => team.push((agent.entity, body)),
                }
            }
            team.sort_unstable_by_key(|&(cop, _)| cop);
            let bodies: Vec<Body> = team.iter().map(|&(_, body)| body).collect();
            let Some(world) = map.bypass_change_detection().world_mut() else {
                return;
            };
            let decisions = world.decide_cops(&bodies, &prey, settings.tactics.into());
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
    for (mut agent, caught) in &mut robbers {
        if caught {
            agent.idle(Idle::Captured);
        } else {
            note_missing_map(&mut agent, only, |map| {
                maps.get(map).is_ok_and(|(_, map, _)| map.world().is_some())
            });
        }
    }
    for (entity, mut map, clock) in &mut maps {
        if !clock.begins() || map.world().is_none() {
            continue;
        }
        diagnostics.time(|diagnostics| {
            let pursuers: Vec<Body> = cops
                .iter()
                .filter(|(.., on)| map_of(*on, only) == Some(entity))
                .filter_map(|(at, step, &speed, _)| map.body(step.target().unwrap_or(at.0), speed))
                .collect();
            for (mut agent, caught) in &mut robbers {
                if caught || map_of(agent.on, only) != Some(entity) {
                    continue;
                }
                let Asks::Policy(body) = follow_game(&map, &mut agent) else {
                    stop_at_cops(&map, &mut agent, &pursuers);
                    continue;
                };
                if pursuers.is_empty() {
                    agent.idle(Idle::NobodyThere);
                    continue;
                }
                let Some(world) = map.bypass_change_detection().world_mut() else {
                    continue;
                };
                let decision = world.decide_robber(body, &pursuers);
                diagnostics.decisions += 1;
                agent.follow(&map, &decision);
            }
        });
    }
}

/// A robber that the game moves does not get away from a cop that is about to stand on it, and does
/// not run through one.
fn stop_at_cops(map: &PursuitMap, robber: &mut AgentDataItem<'_, '_>, cops: &[Body]) {
    let is_cop = |at: UVec2| {
        let cell = map.cell(at);
        cops.iter().any(|cop| Some(cop.cell) == cell)
    };
    let way = &robber.step.way;
    let met = way.iter().position(|&at| is_cop(at));
    let free = if is_cop(robber.position.0) {
        0
    } else {
        met.map_or(way.len(), |index| index + 1)
    };
    if free < way.len() {
        robber.step.way.truncate(free);
    }
}

/// Does the plugin have to think for an agent?
enum Asks {
    /// The game has spoken, or there is nothing to think about.
    Nobody,
    Policy(Body),
}

/// Does what [`Control`] says, if it says something.
fn follow_game(map: &PursuitMap, agent: &mut AgentDataItem<'_, '_>) -> Asks {
    let Some((world, body)) = map.world().zip(map.body(agent.position.0, *agent.speed)) else {
        agent.idle(Idle::OffTheMap);
        return Asks::Nobody;
    };
    let decision = match *agent.control {
        Control::Policy => return Asks::Policy(body),
        Control::External => Decision::wait(crate::policy::Source::Greedy),
        Control::Steer(direction) => world.steer(body, direction.x, -direction.y),
        Control::WalkTo(target) => map
            .cell(target)
            .map_or(Decision::wait(crate::policy::Source::Greedy), |cell| {
                world.walk(body, cell)
            }),
    };
    agent.follow(map, &decision);
    agent.state.set_if_neq(PursuitState::by_game());
    Asks::Nobody
}

/// Tells an agent that there is no map for it.
fn note_missing_map(
    agent: &mut AgentDataItem<'_, '_>,
    only: Option<Entity>,
    is_map: impl Fn(Entity) -> bool,
) {
    if !map_of(agent.on, only).is_some_and(is_map) {
        agent.idle(Idle::NoMap);
    }
}

impl AgentDataItem<'_, '_> {
    fn follow(&mut self, map: &PursuitMap, decision: &Decision) {
        let Some(world) = map.world() else {
            return;
        };
        let position = |&vertex| map.position(world.graph().cell(vertex));
        self.step.way.clear();
        self.step.way.extend(decision.way().iter().map(position));
        self.plan.path.clear();
        self.plan.path.extend(decision.path.iter().map(position));
        self.state.set_if_neq(decision.into());
    }

    fn idle(&mut self, reason: Idle) {
        self.state.set_if_neq(PursuitState::idle(reason));
        if !self.step.way.is_empty() || !self.plan.path.is_empty() {
            self.step.way.clear();
            self.plan.path.clear();
        }
    }
}
