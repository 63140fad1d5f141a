//! Plays a script in an app without a window, under the checks of the referee.

use crate::api;
use crate::bodies::Bodies;
use crate::duty::JUMPS;
use crate::game::{Counts, Game, Print, on_capture};
use crate::generate::detour;
use crate::histogram::Times;
use crate::ledger::Mark;
use crate::notices::BEGINS_ANEW;
use crate::ops::{Budget, Moment, Op, Reaction, Script, Setup, Timed};
use crate::referee::{Seen, Stage};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::PursuitSystems::{Arrive, Decide, Sync};
use pursuit_engine::search::seed_of;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Options for playing a script.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Whether detours are played.
    pub detours: bool,
    /// The number of entities spawned before the game, so that its entities have other ids.
    pub strangers: usize,
    /// Print each tick of this agent.
    pub trace: Option<usize>,
    /// Record the states of all agents after this tick.
    pub look_at: Option<u64>,
    /// The longest time that a frame may take; zero for any.
    pub limit: Duration,
}

/// The outcome of a game.
pub struct Outcome {
    /// The frame and description of the first violation.
    pub offence: Option<(u32, String)>,
    /// Hashes of the positions of all agents after each tick.
    pub prints: Vec<Print>,
    /// The states of all agents after the tick `look_at`.
    pub look: BTreeMap<usize, String>,
    pub counts: Counts,
    /// A save, for damaged copies.
    pub save: Option<Vec<u8>>,
}

/// Plays up to this number of frames of a script, or until the first violation.
pub fn play(script: &Script, frames: u32, manner: Manner, times: &mut Times) -> Outcome {
    let mut app = app(&script.setup, manner.strangers);
    app.world_mut().resource_mut::<Game>().watch(manner);
    let mut bodies = Bodies::default();
    let mut ops = script.ops.iter().peekable();
    let mut offence = None;
    for frame in 0..frames.min(script.frames) {
        let mut now: Vec<Timed> = Vec::new();
        while let Some(op) = ops.next_if(|op| op.frame <= frame) {
            now.push(*op);
        }
        app.world_mut().resource_mut::<Game>().frame = frame;
        prepare(app.world_mut(), &now, manner);
        let (ticks, took) = update(&mut app);
        let rules = app.world().resource::<Game>().referee.rules;
        times.note(matches!(rules.budget, Budget::Micros(_)), ticks, took);
        app.world_mut()
            .resource_scope(|world, mut game: Mut<Game>| {
                game.ledger.rules_due = game.ledger.rules_due.saturating_sub(1);
                let verdict = bodies.look(world, &mut game, ticks);
                game.blame(verdict);
                game.counts.frames += 1;
                if !manner.limit.is_zero() && took > manner.limit {
                    game.blame(Err(format!("a frame with {ticks} ticks takes {took:.1?}")));
                }
                offence = game.offence.take();
            });
        if let Some(offence) = offence.take() {
            return outcome(&mut app, Some((frame, offence)));
        }
    }
    outcome(&mut app, None)
}

fn outcome(app: &mut App, offence: Option<(u32, String)>) -> Outcome {
    let game = app.world_mut().remove_resource::<Game>();
    let game = game.expect("a game that was played");
    let offence = offence.map(|(frame, text)| {
        let log = game.log.iter();
        let log: Vec<String> = log.map(|entry| format!("  {entry:?}")).collect();
        (
            frame,
            format!("{text}\nlast operations:\n{}", log.join("\n")),
        )
    });
    Outcome {
        offence,
        prints: game.prints,
        look: game.look,
        counts: Counts {
            promises: game.referee.promises.kept,
            rests: game.referee.rests.kept,
            ..game.counts
        },
        save: game
            .saves
            .into_iter()
            .flatten()
            .next()
            .map(|save| save.bytes),
    }
}

fn app(setup: &Setup, strangers: usize) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin));
    for index in 0..strangers {
        let stranger = app.world_mut().spawn(Transform::default()).id();
        if index % 3 == 0 {
            app.world_mut().despawn(stranger);
        }
    }
    api::add_plugin(&mut app, &setup.rules);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(
        Duration::from_secs(1) / setup.hz,
    ))
    .add_systems(
        FixedUpdate,
        (
            (|world: &mut World| moment(world, 0)).before(Sync),
            (|world: &mut World| moment(world, 1))
                .after(Sync)
                .before(Arrive),
            (|world: &mut World| moment(world, 2))
                .after(Arrive)
                .before(Decide),
            (|world: &mut World| moment(world, 3)).after(Decide),
        ),
    );
    api::observe_captures(&mut app, on_capture);
    crate::notices::observe(&mut app);
    let game = Game::new(app.world_mut(), setup);
    app.insert_resource(game);
    app.finish();
    app.cleanup();
    app
}

/// Runs a frame. Returns its number of ticks and the time taken by the plugin and Bevy.
fn update(app: &mut App) -> (u64, Duration) {
    let game = app.world().resource::<Game>();
    let (ticks, spent) = (game.ticks, game.spent);
    let waited = crate::histogram::waited();
    let started = Instant::now();
    app.update();
    let took = started.elapsed();
    let waited = crate::histogram::waited().saturating_sub(waited);
    let game = app.world().resource::<Game>();
    let took = took.saturating_sub(game.spent.saturating_sub(spent) + waited);
    (game.ticks - ticks, took)
}

/// Applies the operations of a frame that come before its update, and queues those of its ticks.
fn prepare(world: &mut World, ops: &[Timed], manner: Manner) {
    // Changes made before all systems have noticed a restored game are lost, as documented.
    let turns_back = |op: &&Timed| matches!(op.op, Op::Detour { .. });
    let game = world.resource::<Game>();
    // While a map is being replaced, a save would contain the old one.
    let mut maps = game.places.iter().filter_map(|place| place.entity);
    let settled = game.ledger.is_settled() && maps.all(|map| api::is_ready(world, map));
    let turn_back = ops.iter().find(turns_back).filter(|_| settled);
    if let Some(Timed {
        op: Op::Detour { ticks, seed },
        ..
    }) = turn_back
        && manner.detours
    {
        play_detour(world, *ticks, *seed);
    }
    world.resource_scope(|world, mut game: Mut<Game>| {
        for timed in ops {
            let queue = match timed.moment {
                Moment::Frame if turn_back.is_some() => Some(0),
                Moment::Frame => None,
                moment => Moment::IN_TICKS.iter().position(|&it| it == moment),
            };
            if let Some(queue) = queue {
                game.queues[queue].push_back(timed.op);
            } else {
                game.note(Moment::Frame, &timed.op);
                game.apply(world, &timed.op);
            }
        }
    });
}

/// Plays a detour and rolls it back.
fn play_detour(world: &mut World, ticks: u32, seed: u64) {
    let maps: Vec<Entity> = {
        let game = world.resource::<Game>();
        game.places
            .iter()
            .filter_map(|place| place.entity)
            .collect()
    };
    let saves: Option<Vec<Vec<u8>>> = maps.iter().map(|&map| api::save(world, map)).collect();
    let Some(saves) = saves else {
        return; // a map is not ready
    };
    let mut game = world.resource_mut::<Game>();
    game.is_detour = true;
    game.counts.detours += 1;
    let (referee, ledger, log) = (game.referee.clone(), game.ledger.clone(), game.log.clone());
    let queues = std::mem::take(&mut game.queues);
    let reaction = std::mem::replace(&mut game.reaction, Reaction::Nothing);
    let before = game.ticks;
    for tick in 0..ticks {
        world.resource_scope(|world, mut game: Mut<Game>| {
            let open: Vec<_> = game.places.iter().map(|it| it.grid.open_tiles()).collect();
            let all = game
                .seen(world)
                .into_iter()
                .filter(|(_, seen)| seen.plays());
            let agents: Vec<usize> = all.map(|(agent, _)| agent).collect();
            for op in detour(seed_of([seed, tick.into()]), &open, &agents) {
                game.note(Moment::Frame, &op);
                game.apply(world, &op);
            }
        });
        world.run_schedule(FixedUpdate);
    }
    for (map, bytes) in maps.iter().zip(saves) {
        let result = api::restore(world, *map, &bytes, Some);
        let mut game = world.resource_mut::<Game>();
        game.blame(result);
    }
    let mut game = world.resource_mut::<Game>();
    (game.referee, game.ledger, game.log) = (referee, ledger, log);
    game.queues = queues;
    game.reaction = reaction;
    game.ticks = before;
    game.is_detour = false;
    let agents: Vec<usize> = game.agents.keys().copied().collect();
    for agent in agents {
        game.ledger.mark(agent, Mark::Restored);
    }
    let maps = game.places.len();
    game.ledger.early.maps.extend(0..maps);
}

/// Runs the checks and operations of one of the four moments of a tick.
fn moment(world: &mut World, index: usize) {
    let started = Instant::now();
    world.resource_scope(|world, mut game: Mut<Game>| {
        match index {
            2 => game.check_arrivals(world),
            3 => game.check_tick(world),
            _ => {}
        }
        while let Some(op) = game.queues[index].pop_front() {
            game.note(Moment::IN_TICKS[index], &op);
            game.apply(world, &op);
        }
        match index {
            0 => game.begin_tick(),
            1 | 2 => game.expect(world),
            _ => {}
        }
        game.spent += started.elapsed();
    });
}

impl Game {
    const fn watch(&mut self, manner: Manner) {
        (self.trace, self.look_at) = (manner.trace, manner.look_at);
    }

    /// The states of all existing agents.
    fn seen(&self, world: &World) -> BTreeMap<usize, Seen> {
        let see = |(&agent, &entity): (&usize, &Entity)| {
            let facts = api::facts(world, entity)?;
            let home = self.home(agent, facts.on);
            Some((agent, Seen { facts, home }))
        };
        self.agents.iter().filter_map(see).collect()
    }

    /// Records the agents that the plugin is about to read, which it does twice in a tick.
    fn expect(&mut self, world: &World) {
        let expected = self.seen(world);
        self.lodge(world, &expected);
        self.referee.expect(expected);
        self.ledger.settle_agents();
    }

    fn begin_tick(&mut self) {
        self.ticks += 1;
        let grids = self.places.iter();
        let grids = grids
            .map(|place| place.entity.map(|_| &place.grid))
            .collect();
        self.referee.begin(grids);
        self.ledger.is_late = true;
    }

    fn check_arrivals(&mut self, world: &World) {
        let place =
            |(&agent, &entity): (&usize, &Entity)| Some((agent, api::position(world, entity)?));
        let at = self.agents.iter().filter_map(place).collect();
        let verdict = {
            let ready = self.places.iter().map(|place| {
                let map = place.entity;
                map.is_some_and(|map| api::is_ready(world, map))
            });
            let ready: Vec<bool> = ready.collect();
            self.referee.after_arrive(&self.ledger, &at, &ready)
        };
        self.blame(verdict);
    }

    fn check_tick(&mut self, world: &World) {
        let now = self.seen(world);
        let places = self.places.iter();
        let stages: Vec<Stage> = places
            .map(|place| {
                let ready = place.entity.filter(|&map| api::is_ready(world, map));
                let members = ready.map_or_else(Vec::new, |map| api::members(world, map));
                let number = |entity| self.numbers.get(&entity).copied();
                Stage {
                    tick: ready.map(|map| api::map_tick(world, map)),
                    members: members
                        .into_iter()
                        .map(|it| (number(it.entity), it))
                        .collect(),
                }
            })
            .collect();
        if let Some((agent, seen)) = self.trace.and_then(|agent| Some((agent, now.get(&agent)?))) {
            let tick = seen.home.and_then(|home| stages[home].tick);
            println!("tick {} ({tick:?}): {agent} {seen:?}", self.ticks);
        }
        for (&agent, seen) in &now {
            // A body gets its position when the map of its agent is ready.
            let was_ready = seen
                .home
                .is_some_and(|home| self.referee.map_ticks[home].is_some());
            let before = self.referee.before.get(&agent);
            // An agent that has changed sides on its way may be captured where it started.
            let is_captured = (self.referee.captures.iter()).any(|&(robber, _)| robber == agent);
            let is_called_back =
                is_captured && before.is_some_and(|before| before.seen.facts.way.len() > 1);
            let has_moved = before.is_none_or(|before| before.seen.home != seen.home);
            // An order in the last tick may have ended its path.
            let was_ordered = before.is_some_and(|before| before.seen.facts.ordered);
            if !was_ready || has_moved || is_called_back || was_ordered {
                self.jumped.insert(agent);
            }
        }
        let verdict = self.referee.look(&self.ledger, &now, &stages);
        let verdict = verdict.and_then(|()| self.check_maps(world));
        self.blame(verdict);
        for (sum, more) in self.counts.decisions.iter_mut().zip(api::decisions(world)) {
            *sum += more;
        }
        if !self.is_detour {
            let maps = self.places.iter().filter_map(|place| place.entity);
            self.prints.push(Print {
                frame: self.frame,
                bodies: hash(&now),
                worlds: seed_of(maps.map(|map| api::position_hash(world, map))),
            });
            if self.look_at == Some(self.ticks) {
                let all = now.iter();
                self.look = all
                    .map(|(&agent, seen)| (agent, describe(agent, seen)))
                    .collect();
            }
        }
        for (&agent, seen) in &now {
            let moved = seen.home.is_none_or(|home| self.ledger.map(home));
            if moved || self.ledger.has_any(agent, &JUMPS) {
                self.jumped.insert(agent);
            }
        }
        let ledger = &self.ledger;
        self.is_sighted
            .retain(|&agent, _| !ledger.has_any(agent, &BEGINS_ANEW));
        // On a new map, or one of another size, robbers are sighted anew.
        if ledger.has_new_maps() {
            self.is_sighted.clear();
        }
        self.ledger.turn_over();
        self.forget_dead(world);
    }

    /// Checks every 32 ticks that each map matches the edits of the game.
    fn check_maps(&self, world: &World) -> Result<(), String> {
        for (map, place) in self.places.iter().enumerate() {
            let due = (self.ticks + map as u64).is_multiple_of(32);
            let Some((entity, grid)) = place.entity.zip(self.referee.grid(map)) else {
                continue;
            };
            if !due || !api::is_ready(world, entity) || self.ledger.late.maps.contains(&map) {
                continue;
            }
            for at in grid.tiles() {
                if grid.is_open(at) != api::is_passable(world, entity, at) {
                    let ours = grid.is_open(at);
                    return Err(format!("map {map} at {at:?}: open is {ours}"));
                }
            }
        }
        Ok(())
    }
}

/// The state of an agent without the parts that differ between apps.
fn describe(agent: usize, seen: &Seen) -> String {
    let mut facts = seen.facts.clone();
    facts.on = None;
    if facts.way.is_empty() {
        (facts.departs, facts.arrives) = (0, 0);
    }
    format!("agent {agent} on map {:?}: {facts:?}", seen.home)
}

/// A hash of the positions and paths of all agents, independent of their order.
fn hash(now: &BTreeMap<usize, Seen>) -> u64 {
    let mut all: Vec<u64> = now
        .values()
        .map(|seen| {
            let facts = &seen.facts;
            let way = facts.way.iter();
            let way = way.map(|at| u64::from(at.0) << 32 | u64::from(at.1));
            let rest = [
                u64::from(facts.at.0) << 32 | u64::from(facts.at.1),
                seen.home.map_or(u64::MAX, |home| home as u64),
                // The arrival time means nothing without a path.
                if facts.way.is_empty() {
                    0
                } else {
                    facts.arrives
                },
                u64::from(facts.caught) << 1 | u64::from(facts.enabled),
                u64::from(facts.pursuit),
            ];
            seed_of(way.chain(rest))
        })
        .collect();
    all.sort_unstable();
    seed_of(all)
}
