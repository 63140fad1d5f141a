//! An eventful game in an app. Everything depends only on the tick and a seed: doors open and close,
//! agents come and go, are placed elsewhere, change sides or pursuits, and are steered.

use super::town::{Town, rooms};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::engine::search::Dice;
use bevy_pursuit::engine::world::PursuitWorld;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableSettings, TableTiming};
use std::time::Duration;

/// The number of pursuits. Number 1 has the free-running clock, number 2 has cops of limited sight.
const PURSUITS: usize = 5;
const SIZE: (u16, u16) = (30, 22);

/// The game's own state; a copy of it is the game's part of a saved game.
#[derive(Resource, Clone)]
pub struct Bustle {
    pub map: Entity,
    /// All agents, and whether each is a cop.
    pub agents: Vec<(Entity, bool)>,
    /// The hash of each tick.
    pub hashes: Vec<u64>,
    dice: Dice,
    doors: Vec<(IVec2, bool)>,
}

impl Bustle {
    fn place(&mut self) -> IVec2 {
        // Some of the tiles are walls.
        let x = self.dice.below(SIZE.0.into()) as i32;
        IVec2::new(x, self.dice.below(SIZE.1.into()) as i32)
    }

    fn agent(&mut self) -> Entity {
        self.agents[self.dice.below(self.agents.len())].0
    }
}

/// All hashes as one.
pub fn fold(hashes: &[u64]) -> u64 {
    hashes.iter().fold(0, |all, &hash| {
        (all ^ hash)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

/// The settings of these games: the defaults, but without tables of more than one cop, which would take
/// a debug build too long, and in lockstep, since the games run faster than the clock. Tables come soon,
/// so that many are used.
pub fn settings() -> PursuitSettings {
    PursuitSettings {
        tables: TableSettings {
            max_bytes: 8_000_000,
            timing: TableTiming::Lockstep(TableSchedule {
                ticks_per_second: Some(32),
                ..TableSchedule::default()
            }),
            ..default()
        },
        ..default()
    }
}

/// An app that plays such a game once a map and a [`Bustle`] are added. Each update is a tick.
pub fn empty_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(settings())
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(
            FixedUpdate,
            (
                stir.before(PursuitSystems::Sync),
                record.after(PursuitSystems::Decide),
            )
                .run_if(resource_exists::<Bustle>),
        );
    app.update(); // the first update starts time and has no tick yet
    app
}

/// An app with such a game.
pub fn app(seed: u64) -> App {
    let mut app = empty_app();
    let Town { map, doors } = rooms(SIZE.0, SIZE.1, seed);
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id();
    let live = app.world().get::<LiveMap>(map).expect("a map");
    let doors = doors
        .iter()
        .take(3)
        .map(|&cell| (live.position(cell), true));
    let doors = doors.collect();
    app.world_mut()
        .spawn((Pursuit(1), PursuitClock::FreeRunning));
    app.insert_resource(Bustle {
        map,
        agents: Vec::new(),
        hashes: Vec::new(),
        dice: Dice::new(seed),
        doors,
    });
    app.world_mut()
        .resource_scope(|world, mut game: Mut<Bustle>| {
            for pursuit in 0..PURSUITS as u32 {
                spawn(world, &mut game, pursuit, false);
                // Pursuits with one cop get tables, those with three do not.
                for _ in 0..[1, 2, 3, 1, 3][pursuit as usize] {
                    spawn(world, &mut game, pursuit, true);
                }
            }
        });
    app
}

fn spawn(world: &mut World, game: &mut Bustle, pursuit: u32, is_cop: bool) {
    let speed = if is_cop && pursuit == 3 { 2 } else { 1 };
    let agent = (GridPosition(game.place()), PursuitSpeed(speed));
    let into = entity_of(world, pursuit);
    let mut agent = world.spawn(agent);
    if let Some(into) = into {
        agent.insert(InPursuit(into));
    }
    if is_cop {
        agent.insert(Cop);
    } else {
        agent.insert(Robber);
    }
    if is_cop && pursuit == 2 {
        agent.insert(Sight(7));
    }
    if pursuit == 1 {
        agent.insert(TicksPerStep(if is_cop { 7 } else { 9 }));
    }
    let agent = agent.id();
    game.agents.push((agent, is_cop));
}

/// The entity of a pursuit; `None` for the map's own.
pub fn entity_of(world: &mut World, pursuit: u32) -> Option<Entity> {
    if pursuit == 0 {
        return None;
    }
    let mut all = world.query::<(Entity, &Pursuit)>();
    let there = all.iter(world).find(|(_, known)| known.0 == pursuit);
    let there = there.map(|(entity, _)| entity);
    Some(there.unwrap_or_else(|| world.spawn(Pursuit(pursuit)).id()))
}

/// The actions of the game before a tick.
fn stir(world: &mut World) {
    world.resource_scope(|world, mut game: Mut<Bustle>| {
        let game = &mut *game;
        swing(world, game);
        free(world, game);
        if game.dice.below(60) > 0 {
            return;
        }
        match game.dice.below(8) {
            0 | 1 if game.agents.len() < 20 => {
                let pursuit = game.dice.below(PURSUITS) as u32;
                let is_cop = game.dice.below(3) > 0;
                spawn(world, game, pursuit, is_cop);
            }
            2 if game.agents.len() > 10 => {
                let index = game.dice.below(game.agents.len());
                world.despawn(game.agents.swap_remove(index).0);
            }
            3 => {
                let (agent, place) = (game.agent(), game.place());
                world.entity_mut(agent).insert(GridPosition(place));
            }
            4 => {
                let (agent, pursuit) = (game.agent(), game.dice.below(PURSUITS) as u32);
                match entity_of(world, pursuit) {
                    Some(into) => world.entity_mut(agent).insert(InPursuit(into)),
                    None => world.entity_mut(agent).remove::<InPursuit>(),
                };
            }
            5 => {
                let agent = game.agent();
                let mut agent = world.entity_mut(agent);
                if game.dice.below(2) == 0 {
                    agent.insert(Sight(5));
                } else {
                    agent.remove::<Sight>();
                }
            }
            6 => {
                let (agent, to) = (game.agent(), game.place());
                let control = match game.dice.below(4) {
                    0 => AgentControl::Steer(IVec2::new(1, -1)),
                    1 => AgentControl::WalkTo(to),
                    _ => AgentControl::Policy,
                };
                world.entity_mut(agent).insert(control);
            }
            _ => {
                let (agent, speed) = (game.agent(), 1 + game.dice.below(2) as u8);
                world.entity_mut(agent).insert(PursuitSpeed(speed));
            }
        }
    });
}

fn swing(world: &mut World, game: &mut Bustle) {
    if game.dice.below(150) > 0 {
        return;
    }
    let index = game.dice.below(game.doors.len());
    let (at, open) = &mut game.doors[index];
    *open = !*open;
    let mut map = world.get_mut::<LiveMap>(game.map).expect("a map");
    map.set_passable(*at, *open);
}

/// Frees captured robbers on other tiles, so that the game continues.
fn free(world: &mut World, game: &mut Bustle) {
    if game.dice.below(50) > 0 {
        return;
    }
    let map = world.get::<LiveMap>(game.map).expect("a map");
    let agents = map.world().into_iter().flat_map(PursuitWorld::agents);
    let caught = agents.filter(|(_, agent)| agent.caught().is_some());
    let caught: Vec<u64> = caught.map(|(_, agent)| agent.setup().user).collect();
    for user in caught {
        let place = game.place();
        if let Some(entity) = Entity::try_from_bits(user)
            && let Ok(mut robber) = world.get_entity_mut(entity)
        {
            robber.remove::<Caught>().insert(GridPosition(place));
        }
    }
}

fn record(maps: Query<&LiveMap>, mut game: ResMut<Bustle>) {
    let map = maps.get(game.map).expect("a map");
    game.hashes.push(map.position_hash());
}

/// Plays until this number of ticks is recorded.
pub fn play(app: &mut App, ticks: usize) {
    while hashes(app).len() < ticks {
        app.update();
    }
}

pub fn hashes(app: &App) -> &[u64] {
    &app.world().resource::<Bustle>().hashes
}

pub fn frames_of(app: &mut App, milliseconds: u64) {
    let frame = Duration::from_millis(milliseconds);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
}
