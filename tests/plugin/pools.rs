//! Agents that come and go in every way that a game has, on maps and in pursuits that come and go, too: after each
//! tick, every agent that plays is in exactly one world, as its components say, and no world has anybody else.

use crate::common;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::debug::DecidedBy;
use bevy_pursuit::engine::game::Side;
use bevy_pursuit::engine::map::{Terrain, TileMap};
use bevy_pursuit::engine::search::Dice;
use bevy_pursuit::engine::world::Snapshot;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapStatus, PlannedPath};
use common::app::{YARD, app, turns_of};
use std::collections::{BTreeMap, BTreeSet};

/// The game: everything that it has spawned and not despawned.
#[derive(Resource)]
struct Pool {
    dice: Dice,
    maps: Vec<Entity>,
    pursuits: Vec<Entity>,
    agents: Vec<Entity>,
    saved: Vec<(Entity, Snapshot)>,
    /// Maps that were restored in the middle of the present tick.
    restored: BTreeSet<Entity>,
    /// The number of times that each change was made.
    changes: BTreeMap<&'static str, usize>,
    /// What was done since the last tick, for a message.
    log: Vec<String>,
    checked: usize,
}

/// Where in a tick the game makes changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    First,
    Begin,
    BeforeArrive,
    BeforeDecide,
    End,
}

fn new_map(dice: &mut Dice) -> PursuitMap {
    let map = match dice.below(3) {
        0 => common::map(&YARD),
        1 => TileMap::filled(10, 7, Terrain::Floor).expect("some cells"),
        _ => TileMap::filled(8, 11, Terrain::Floor).expect("some cells"),
    };
    PursuitMap::new(&map, Moves::Octile)
}

fn place(dice: &mut Dice) -> GridPosition {
    // Some of the tiles are walls, or beside the map.
    GridPosition::new(dice.below(11) as i32, dice.below(11) as i32)
}

fn is_live(world: &World, entity: Entity) -> bool {
    world.get_entity(entity).is_ok()
}

fn is_disabled(world: &World, entity: Entity) -> bool {
    world.entity(entity).contains::<Disabled>()
}

/// The changes of the game, at one of the moments of a tick.
fn stir(stage: Stage) -> impl Fn(&mut World) {
    move |world| {
        world.resource_scope(|world, mut pool: Mut<Pool>| {
            let pool = &mut *pool;
            for _ in 0..pool.dice.below(3) {
                change(world, pool, stage);
            }
        });
    }
}

#[expect(clippy::too_many_lines, reason = "it lists the changes")]
fn change(world: &mut World, pool: &mut Pool, stage: Stage) {
    let dice = &mut pool.dice;
    let what = match dice.below(100) {
        0..10 if pool.agents.len() < 14 => "spawn",
        10..14 => "despawn",
        14..22 => "disable",
        22..34 => "enable",
        34..40 if pool.agents.len() < 14 => "clone",
        40..50 => "move",
        50..56 => "pursuit",
        56..58 => "end of a pursuit",
        58..60 => "end of a map",
        60..62 => "disable map",
        62..66 => "enable map",
        66..70 => "swap",
        70..72 => "no role",
        72..75 => "role",
        75..79 => "free",
        79..83 => "tile",
        83..86 => "order",
        86..90 if matches!(stage, Stage::Begin | Stage::End) => "save",
        90..93 => "restore",
        93..94 => "another map",
        94..98 => "teleport",
        98..100 => "traits",
        _ => return,
    };
    let agent = dice.pick(&pool.agents);
    let map = dice.pick(&pool.maps).expect("a map");
    let pursuit = dice.pick(&pool.pursuits).expect("a pursuit");
    pool.log
        .push(format!("{stage:?}: {what} {agent:?} {map} {pursuit}"));
    match (what, agent) {
        ("spawn", _) => {
            let mut agent = world.spawn((place(dice), OnMap(map)));
            if dice.below(2) == 0 {
                agent.insert(Cop);
            } else {
                agent.insert(Robber);
            }
            if dice.below(2) == 0 {
                agent.insert(InPursuit(pursuit));
            }
            if dice.below(3) == 0 {
                agent.insert(Sight(4));
            }
            pool.agents.push(agent.id());
        }
        ("despawn", Some(agent)) => {
            world.despawn(agent);
            pool.agents.retain(|&of| of != agent);
        }
        ("disable", Some(agent)) => drop(world.entity_mut(agent).insert(Disabled)),
        ("enable", Some(agent)) => drop(world.entity_mut(agent).remove::<Disabled>()),
        ("clone", Some(agent)) => {
            let clone = world.entity_mut(agent).clone_and_spawn();
            pool.agents.push(clone);
        }
        ("move", Some(agent)) => {
            let bundle = (OnMap(map), InPursuit(pursuit), place(dice));
            world.entity_mut(agent).insert(bundle);
        }
        ("pursuit", Some(agent)) => {
            if dice.below(2) == 0 {
                world.entity_mut(agent).insert(InPursuit(pursuit));
            } else {
                world.entity_mut(agent).remove::<InPursuit>();
            }
        }
        ("end of a pursuit", _) => {
            world.despawn(pursuit);
            let clocks = [
                PursuitClock::Turns,
                PursuitClock::FreeRunning,
                PursuitClock::Simultaneous,
            ];
            let clock = dice.pick(&clocks).expect("a clock");
            let next = world.spawn((Pursuit::default(), clock)).id();
            pool.pursuits.retain(|&of| of != pursuit);
            pool.pursuits.push(next);
        }
        ("end of a map", _) => {
            world.despawn(map);
            let next = world.spawn(new_map(dice)).id();
            pool.maps.retain(|&of| of != map);
            pool.maps.push(next);
            pool.saved.retain(|&(of, _)| of != map);
        }
        ("disable map", _) => drop(world.entity_mut(map).insert(Disabled)),
        ("enable map", _) => drop(world.entity_mut(map).remove::<Disabled>()),
        ("swap", Some(agent)) => {
            let mut agent = world.entity_mut(agent);
            if agent.contains::<Robber>() {
                agent.insert(Cop).remove::<Robber>();
            } else {
                agent.insert(Robber).remove::<Cop>();
            }
        }
        ("no role", Some(agent)) => drop(world.entity_mut(agent).remove::<(Cop, Robber)>()),
        ("role", Some(agent)) => {
            let mut agent = world.entity_mut(agent);
            if !agent.contains::<Cop>() && !agent.contains::<Robber>() {
                agent.insert(Cop);
            }
        }
        ("free", Some(agent)) => drop(world.entity_mut(agent).remove::<Caught>()),
        ("tile", _) => {
            let at = place(dice).0;
            let mut map = world.get_mut::<LiveMap>(map).expect("a map");
            let open = map.is_passable(at);
            map.set_passable(at, !open);
        }
        ("order", Some(agent)) => {
            let path = [place(dice).0, place(dice).0];
            world.entity_mut(agent).insert(MoveOrder(path.into()));
        }
        ("save", _) => {
            let snapshot = world.get::<LiveMap>(map).expect("a map").snapshot();
            pool.saved.extend(snapshot.map(|snapshot| (map, snapshot)));
            if pool.saved.len() > 6 {
                pool.saved.remove(0);
            }
        }
        ("restore", _) => {
            if pool.saved.is_empty() {
                return;
            }
            let (home, saved) = pool.saved[dice.below(pool.saved.len())].clone();
            // Sometimes on another map than that of the save.
            let home = if dice.below(4) == 0 { map } else { home };
            let live: BTreeSet<Entity> = pool
                .agents
                .iter()
                .copied()
                .filter(|&agent| is_live(world, agent))
                .collect();
            let entity_of = |entity| live.contains(&entity).then_some(entity);
            world
                .restore_map(home, saved, entity_of)
                .expect("a sound save");
            if !matches!(stage, Stage::First | Stage::Begin) {
                pool.restored.insert(home);
            }
            pool.log.push(format!("restored {home}"));
        }
        ("another map", _) => drop(world.entity_mut(map).insert(new_map(dice))),
        ("teleport", Some(agent)) => drop(world.entity_mut(agent).insert(place(dice))),
        ("traits", Some(agent)) => {
            let mut agent = world.entity_mut(agent);
            agent.insert(PursuitSpeed(1 + dice.below(2) as u8));
            match dice.below(3) {
                0 => agent.insert(Sight(3)),
                _ => agent.remove::<Sight>(),
            };
        }
        _ => return,
    }
    *pool.changes.entry(what).or_default() += 1;
}

/// Checks all worlds against the components of all agents.
fn check(world: &mut World) {
    world.resource_scope(|world, mut pool: Mut<Pool>| {
        let pool = &mut *pool;
        if pool.restored.is_empty() {
            let problem = problem(world, pool);
            assert_eq!(problem, None, "{:#?}", pool.log);
            pool.checked += 1;
            if pool.log.len() > 60 {
                pool.log.drain(..20);
            }
        }
        pool.restored.clear();
        pool.log.push("-".into());
    });
}

/// What is wrong with the worlds.
fn problem(world: &World, pool: &Pool) -> Option<String> {
    let mut homes = BTreeMap::new();
    for &map in &pool.maps {
        let live = world.get::<LiveMap>(map).expect("a map");
        let Some(of_map) = live.world() else {
            continue;
        };
        for (id, agent) in of_map.agents() {
            let setup = agent.setup();
            let entity = Entity::try_from_bits(setup.user)?;
            let wrong = |what: &str| Some(format!("{entity} on {map} as {id:?}: {what}"));
            if homes.insert(entity, map).is_some() {
                return wrong("there twice");
            }
            let Ok(components) = world.get_entity(entity) else {
                return wrong("despawned");
            };
            if components.contains::<Disabled>() {
                return wrong("disabled");
            }
            let is_robber = components.contains::<Robber>();
            if !is_robber && !components.contains::<Cop>() {
                return wrong("no role");
            }
            if (setup.side == Side::Robber) != is_robber {
                return wrong("another side");
            }
            if components.get::<OnMap>().is_some_and(|on| on.0 != map) {
                return wrong("another map");
            }
            let pursuit = components.get::<InPursuit>();
            let number = pursuit.map_or(0, |of| world.get::<Pursuit>(of.0).expect("it").0);
            if setup.pursuit != number {
                return wrong("another pursuit");
            }
            let clock = match pursuit {
                Some(of) => world.get::<PursuitClock>(of.0),
                None => world.get::<PursuitClock>(map),
            };
            let record = of_map.pursuit(number);
            if record.map(|record| record.setup().clock) != Some(clock.copied()) {
                return wrong("another clock");
            }
            let at = components.get::<GridPosition>().expect("an agent").0;
            if live.cell(at).is_some_and(|cell| cell != setup.cell) {
                return wrong("another tile");
            }
            if setup.sight != components.get::<Sight>().map(|sight| sight.0) {
                return wrong("another sight");
            }
            if Some(setup.speed.steps()) != components.get::<PursuitSpeed>().map(|speed| speed.0) {
                return wrong("another speed");
            }
            if is_robber && agent.caught().is_some() != components.contains::<Caught>() {
                return wrong("captured or not");
            }
        }
    }
    for &agent in &pool.agents {
        let entity = world.entity(agent);
        let plays = entity.contains::<Cop>() || entity.contains::<Robber>();
        let map = entity.get::<OnMap>().map(|on| on.0);
        let is_open = |&map: &Entity| {
            let status = world.get::<LiveMap>(map).map(LiveMap::status);
            status == Some(MapStatus::Ready) && !is_disabled(world, map)
        };
        if plays && !is_disabled(world, agent) && !homes.contains_key(&agent) {
            let walks = !entity.get::<NextStep>().expect("it").path.is_empty();
            let plans = !entity.get::<PlannedPath>().expect("it").path.is_empty();
            let state = entity.get::<PursuitState>().expect("it").decided_by;
            let chases = entity
                .get::<Target>()
                .is_some_and(|of| *of != Target::default());
            if walks || plans || chases || !matches!(state, DecidedBy::Nobody(_)) {
                return Some(format!("{agent} acts, and is on no map: {state:?}"));
            }
        }
        let Some(map) = map.filter(is_open) else {
            continue;
        };
        if plays && !is_disabled(world, agent) && homes.get(&agent) != Some(&map) {
            return Some(format!("{agent} is not on {map}"));
        }
    }
    None
}

fn game(seed: u64) -> App {
    use PursuitSystems::{Arrive, Decide, Sync};
    let mut app = app();
    app.insert_resource(turns_of(3));
    let mut dice = Dice::new(seed);
    let world = app.world_mut();
    let maps = [(); 3]
        .map(|()| world.spawn(new_map(&mut dice)).id())
        .into();
    let pursuits = [(); 3]
        .map(|()| world.spawn(Pursuit::default()).id())
        .into();
    app.insert_resource(Pool {
        dice,
        maps,
        pursuits,
        agents: Vec::new(),
        saved: Vec::new(),
        restored: BTreeSet::new(),
        changes: BTreeMap::new(),
        log: Vec::new(),
        checked: 0,
    });
    app.add_systems(PreUpdate, stir(Stage::First)).add_systems(
        FixedUpdate,
        (
            stir(Stage::Begin).before(Sync),
            stir(Stage::BeforeArrive).after(Sync).before(Arrive),
            stir(Stage::BeforeDecide).after(Arrive).before(Decide),
            (check, stir(Stage::End)).chain().after(Decide),
        ),
    );
    app
}

#[test]
fn worlds_agree_with_the_components_whatever_the_game_does() {
    let mut changes: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut checked = 0;
    for seed in 0..12 {
        let mut app = game(seed);
        for _ in 0..400 {
            app.update();
        }
        let pool = app.world().resource::<Pool>();
        checked += pool.checked;
        for (&what, count) in &pool.changes {
            *changes.entry(what).or_default() += count;
        }
    }
    assert!(checked > 4_000, "{checked}");
    assert!(
        changes.len() > 15 && changes.values().all(|&count| count > 20),
        "{changes:?}"
    );
}
