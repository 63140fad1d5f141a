//! Restoring at moments that nobody expects: in the middle of a tick, from an observer, on a map that is disabled or
//! under construction, together with edits, and while a guide is being solved.

use crate::common;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, Source};
use bevy_pursuit::engine::map::{Terrain, TileMap};
use bevy_pursuit::engine::world::Snapshot;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableJobs, TableSchedule, TableTiming, TableWorker};
use bevy_pursuit::{MapChanged, MapStatus};
use common::app::*;
use common::town::rooms;
use std::collections::BTreeMap;

pub(crate) const TURN: u32 = 6;

pub(crate) fn hall() -> TileMap {
    rooms(26, 18, 4).map
}

pub(crate) fn map_of(app: &App, map: Entity) -> &LiveMap {
    app.world().get::<LiveMap>(map).expect("a map")
}

pub(crate) fn snapshot(app: &App, map: Entity) -> Snapshot {
    map_of(app, map).snapshot().expect("a map that is ready")
}

pub(crate) fn restore(app: &mut App, map: Entity, saved: Snapshot) {
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("a valid save");
}

fn agents_on(app: &App, map: Entity) -> usize {
    let world = map_of(app, map).world();
    world.map_or(0, |world| world.agents().count())
}

/// Two cops, one of them with limited sight, chase a robber in halls.
pub(crate) fn chase(app: &mut App, map: Entity) -> [Entity; 3] {
    let live = map_of(app, map);
    let free = hall();
    let free: Vec<IVec2> = free
        .cells()
        .filter(|&cell| free.is_passable(cell))
        .map(|cell| live.position(cell))
        .collect();
    let place = |index: usize| GridPosition(free[index]);
    let places = [place(0), place(free.len() / 3), place(free.len() - 1)];
    let world = app.world_mut();
    let on = OnMap(map);
    [
        world.spawn((Cop, places[0], on, Sight(7))).id(),
        world.spawn((Cop, places[1], on, Sight(9))).id(),
        world.spawn((Robber, places[2], on)).id(),
    ]
}

fn game() -> (App, Entity, [Entity; 3]) {
    let mut app = app();
    app.insert_resource(turns_of(TURN));
    let map = PursuitMap::new(&hall(), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let agents = chase(&mut app, map);
    (app, map, agents)
}

/// The hashes of the first ticks of the game, by tick.
fn steady(ticks: usize) -> BTreeMap<u64, u64> {
    let (mut app, map, _) = game();
    let hash = |_| {
        app.update();
        (map_of(&app, map).tick(), map_of(&app, map).position_hash())
    };
    (0..ticks).map(hash).collect()
}

/// A save that a system loads in the middle of a tick, and whether it spawns all agents anew.
#[derive(Resource, Default)]
struct Load(Option<(Snapshot, bool)>);

fn load(
    mut load: ResMut<Load>,
    maps: Query<Entity, With<LiveMap>>,
    agents: Query<(Entity, Has<Robber>), Or<(With<Cop>, With<Robber>)>>,
    mut commands: Commands,
) {
    let Some((saved, anew)) = load.0.take() else {
        return;
    };
    let mut now = EntityHashMap::default();
    for (agent, is_robber) in &agents {
        if !anew {
            now.insert(agent, agent);
            continue;
        }
        let next = if is_robber {
            commands.spawn(Robber).id()
        } else {
            commands.spawn(Cop).id()
        };
        now.insert(agent, next);
        commands.entity(agent).despawn();
    }
    let map = maps.single().expect("one map");
    commands.queue(move |world: &mut World| {
        let restored = world.restore_map(map, saved, |then| now.get(&then).copied());
        restored.expect("a valid save");
    });
}

#[test]
fn a_game_that_is_restored_in_the_middle_of_a_tick_goes_on_as_it_did() {
    use PursuitSystems::{Arrive, Decide, Sync};
    let steady = steady(120);
    for (moment, anew) in (0..4).flat_map(|moment| [(moment, false), (moment, true)]) {
        for wait in [5, 23] {
            let (mut app, map, _) = game();
            app.init_resource::<Load>();
            match moment {
                0 => app.add_systems(FixedUpdate, load.before(Sync)),
                1 => app.add_systems(FixedUpdate, load.after(Sync).before(Arrive)),
                2 => app.add_systems(FixedUpdate, load.after(Arrive).before(Decide)),
                _ => app.add_systems(FixedUpdate, load.after(Decide)),
            };
            run(&mut app, 40);
            let saved = snapshot(&app, map);
            run(&mut app, wait);
            app.insert_resource(Load(Some((saved, anew))));
            app.update();
            let tick = map_of(&app, map).tick();
            assert!((40..=41).contains(&tick), "{moment}: {tick}");
            for _ in 0..60 {
                app.update();
                let map = map_of(&app, map);
                let same = steady[&map.tick()] == map.position_hash();
                assert!(same, "{moment} {anew} {wait}: tick {}", map.tick());
            }
            assert_eq!(agents_on(&app, map), 3, "{moment} {anew} {wait}");
        }
    }
}

/// The id of an agent of the game that is left may be that of another agent in the restored one.
#[test]
fn what_is_written_in_the_middle_of_a_tick_after_a_restore_reaches_no_other_agent() {
    use PursuitSystems::{Arrive, Decide, Sync};
    for before_arrive in [true, false] {
        let mut app = app();
        app.insert_resource(turns_of(TURN));
        let map = yard(&mut app);
        let held = Caught { by: map, turn: 0 };
        let first = robber(&mut app, 9, 6);
        app.world_mut().entity_mut(first).insert(held);
        run(&mut app, 3);
        let saved = snapshot(&app, map);
        let again = app.world_mut().spawn(Robber).id();
        run(&mut app, 2);
        app.insert_resource(Load(Some((saved, false))));
        let load = move |mut load: ResMut<Load>,
                         maps: Query<Entity, With<LiveMap>>,
                         mut commands: Commands| {
            if let Some((saved, _)) = load.0.take() {
                let map = maps.single().expect("one map");
                commands.queue(move |world: &mut World| {
                    let restored = world.restore_map(map, saved, |_| Some(again));
                    restored.expect("a valid save");
                });
                let order = MoveOrder(vec![IVec2::new(8, 6)]);
                commands.entity(first).remove::<Caught>().insert(order);
            }
        };
        if before_arrive {
            app.add_systems(FixedUpdate, load.after(Sync).before(Arrive));
        } else {
            app.add_systems(FixedUpdate, load.after(Arrive).before(Decide));
        }
        run(&mut app, 4);
        let world = map_of(&app, map).world().expect("a world");
        for (_, agent) in world.agents() {
            let user = agent.setup().user;
            let is_held = agent.caught().is_some();
            assert_eq!(is_held, user == again.to_bits(), "{before_arrive}");
            assert!(!is_held || agent.way().is_empty(), "{before_arrive}");
        }
        assert!(app.world().get::<Caught>(again).is_some());
        run(&mut app, 2 * TURN as usize);
        assert_eq!(at(&app, again), IVec2::new(9, 6));
    }
}

/// A checkpoint that the game returns to when its hero is captured.
#[test]
fn a_checkpoint_that_an_observer_restores_begins_as_it_was() {
    #[derive(Resource)]
    struct Checkpoint(Snapshot);
    #[derive(Resource, Default)]
    struct Deaths(Vec<u64>);
    let mut app = app();
    app.insert_resource(turns_of(TURN))
        .init_resource::<Deaths>();
    let map = PursuitMap::new(&common::map(&[".........."]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let hero = robber(&mut app, 7, 0);
    let cops = [cop(&mut app, 0, 0, 1), cop(&mut app, 1, 0, 1)];
    run(&mut app, 4);
    app.insert_resource(Checkpoint(snapshot(&app, map)));
    app.add_observer(
        |captured: On<Captured>,
         checkpoint: Res<Checkpoint>,
         maps: Query<Entity, With<LiveMap>>,
         mut deaths: ResMut<Deaths>,
         mut commands: Commands| {
            deaths.0.push(captured.turn);
            let (map, saved) = (maps.single().expect("one map"), checkpoint.0.clone());
            commands.queue(move |world: &mut World| {
                world.restore_map(map, saved, Some).expect("it is valid");
            });
        },
    );
    let all = |app: &App| [hero, cops[0], cops[1]].map(|agent| at(app, agent));
    let mut courses: Vec<Vec<[IVec2; 3]>> = vec![Vec::new()];
    for _ in 0..400 {
        app.update();
        let deaths = app.world().resource::<Deaths>().0.len();
        if deaths == courses.len() {
            courses.push(Vec::new());
            continue; // the components are restored with the next frame
        }
        assert!(app.world().get::<Caught>(hero).is_none());
        courses[deaths].push(all(&app));
    }
    courses.pop(); // not finished
    assert!(courses.len() > 3, "{courses:?}");
    assert!(
        courses.iter().all(|course| *course == courses[0]),
        "{courses:?}"
    );
    let deaths = &app.world().resource::<Deaths>().0;
    assert!(deaths.iter().all(|turn| *turn == deaths[0]), "{deaths:?}");
    assert_eq!(agents_on(&app, map), 3);
}

#[test]
fn a_disabled_map_is_restored_and_goes_on_once_it_is_enabled() {
    let steady = steady(120);
    let (mut app, map, agents) = game();
    run(&mut app, 40);
    let saved = snapshot(&app, map);
    let places = agents.map(|agent| at(&app, agent));
    run(&mut app, 30);
    app.world_mut().entity_mut(map).insert(Disabled);
    run(&mut app, 3);
    restore(&mut app, map, saved);
    for _ in 0..4 {
        app.update();
        assert_eq!(map_of(&app, map).tick(), 40, "it stands still");
        assert_eq!(agents.map(|agent| at(&app, agent)), places);
    }
    app.world_mut().entity_mut(map).remove::<Disabled>();
    for _ in 0..70 {
        app.update();
        let map = map_of(&app, map);
        assert_eq!(steady[&map.tick()], map.position_hash(), "{}", map.tick());
    }
    assert_eq!(map_of(&app, map).tick(), 110);
}

/// A level that waits is disabled with everything on it. It comes back as it was saved.
#[test]
fn agents_that_are_disabled_when_their_map_is_restored_come_back_as_they_were_saved() {
    for disables_map in [false, true] {
        let (mut app, map, agents) = game();
        let [guard, other, robber] = agents;
        run(&mut app, 40);
        let saved = snapshot(&app, map);
        let places = agents.map(|agent| at(&app, agent));
        app.world_mut()
            .entity_mut(guard)
            .insert((PursuitSpeed(3), GridPosition(places[2])))
            .remove::<Sight>();
        run(&mut app, 30);
        let disabled = [guard, other, robber, map];
        let disabled = &disabled[..if disables_map { 4 } else { 3 }];
        for &entity in disabled {
            app.world_mut().entity_mut(entity).insert(Disabled);
        }
        run(&mut app, 2);
        restore(&mut app, map, saved);
        run(&mut app, 2);
        assert_eq!(agents_on(&app, map), 0, "nobody plays who is disabled");
        assert_eq!(agents.map(|agent| at(&app, agent)), places);
        for &entity in disabled {
            app.world_mut().entity_mut(entity).remove::<Disabled>();
        }
        app.update();
        assert_eq!(agents_on(&app, map), 3);
        assert_eq!(
            agents.map(|agent| at(&app, agent)),
            places,
            "{disables_map}"
        );
        let guard = app.world().entity(guard);
        assert_eq!(guard.get::<Sight>(), Some(&Sight(7)));
        assert_eq!(guard.get::<PursuitSpeed>(), Some(&PursuitSpeed(1)));
    }
}

/// An observer of a capture disables the robber, which goes back to a pool, and loads the last save.
#[test]
fn an_agent_that_is_disabled_in_the_tick_of_the_restore_comes_back_as_it_was_saved() {
    #[derive(Resource)]
    struct Load(Option<(Snapshot, Entity, Entity)>);
    let (mut app, map, agents) = game();
    let robber = agents[2];
    run(&mut app, 40);
    let saved = snapshot(&app, map);
    let place = at(&app, robber);
    let moved = GridPosition(at(&app, agents[0]));
    app.world_mut()
        .entity_mut(robber)
        .insert((moved, PursuitSpeed(3)));
    run(&mut app, 30);
    let load = |mut load: ResMut<Load>, mut commands: Commands| {
        if let Some((saved, map, robber)) = load.0.take() {
            commands.entity(robber).insert(Disabled);
            commands.queue(move |world: &mut World| {
                world.restore_map(map, saved, Some).expect("a valid save");
            });
        }
    };
    let midway = load
        .after(PursuitSystems::Arrive)
        .before(PursuitSystems::Decide);
    app.insert_resource(Load(Some((saved, map, robber))))
        .add_systems(FixedUpdate, midway);
    run(&mut app, 2);
    assert_eq!(agents_on(&app, map), 2, "nobody plays who is disabled");
    let speed = app.world().get::<PursuitSpeed>(robber);
    assert_eq!((at(&app, robber), speed), (place, Some(&PursuitSpeed(1))));
    app.world_mut().entity_mut(robber).remove::<Disabled>();
    app.update();
    assert_eq!(agents_on(&app, map), 3);
    assert_eq!(app.world().get::<Caught>(robber), None);
}

/// A game is loaded while the level that it was saved on, or another one, is under construction.
#[test]
fn a_map_under_construction_is_replaced_by_the_saved_one() {
    #[derive(Resource, Default)]
    struct Ready(usize);
    let steady = steady(120);
    let (mut before, saved_map, saved_agents) = game();
    run(&mut before, 40);
    let saved = snapshot(&before, saved_map);
    for (side, begun) in [(200, 1), (200, 3), (30, 0)] {
        let mut app = app();
        app.insert_resource(turns_of(TURN))
            .init_resource::<Ready>()
            .add_observer(|_: On<MapReady>, mut ready: ResMut<Ready>| ready.0 += 1);
        let large = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
        let large = PursuitMap::new(&large, Moves::Octile);
        let map = app.world_mut().spawn(large).id();
        let world = app.world_mut();
        let agents = [
            world.spawn((Cop, OnMap(map))).id(),
            world.spawn(Cop).id(),
            world.spawn(Robber).id(),
        ];
        run(&mut app, begun);
        assert_eq!(map_of(&app, map).status(), MapStatus::Building);
        app.world_mut()
            .restore_map(map, saved.clone(), |then| {
                let index = saved_agents.iter().position(|&agent| agent == then)?;
                Some(agents[index])
            })
            .expect("a valid save");
        for _ in 0..60 {
            app.update();
            let map = map_of(&app, map);
            assert_eq!(steady[&map.tick()], map.position_hash(), "{}", map.tick());
        }
        assert_eq!(map_of(&app, map).tick(), 100);
        assert_eq!(agents_on(&app, map), 3);
        assert_eq!(app.world().resource::<Ready>().0, 1);
        let status = app.world().get::<MapStatus>(map);
        assert_eq!(status, Some(&MapStatus::Ready));
    }
}

#[derive(Resource, Default)]
struct Changes(Vec<MapChanged>);

fn note_changes(mut messages: MessageReader<MapChanged>, mut changes: ResMut<Changes>) {
    changes.0.extend(messages.read());
}

/// Edits before a restore belong to the game that is left, and those after it to the game that goes on.
#[test]
fn edits_in_the_frame_of_a_restore_count_from_the_restore_on() {
    for differs in [false, true] {
        let mut app = app();
        let map = yard(&mut app);
        cop(&mut app, 0, 0, 1);
        robber(&mut app, 9, 6);
        app.init_resource::<Changes>()
            .add_systems(Last, note_changes);
        let edit = |app: &mut App, x, y, open| {
            let mut map = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
            map.set_passable(IVec2::new(x, y), open);
            let outside = map.edits();
            outside.set_passable(IVec2::new(x, y + 1), open);
        };
        run(&mut app, 3);
        let saved = snapshot(&app, map);
        if differs {
            edit(&mut app, 4, 1, true);
        }
        run(&mut app, 3);
        app.world_mut().resource_mut::<Changes>().0.clear();
        edit(&mut app, 1, 1, true);
        restore(&mut app, map, saved.clone());
        edit(&mut app, 7, 1, true);
        // A door that opens and closes again.
        edit(&mut app, 2, 4, true);
        edit(&mut app, 2, 4, false);
        app.update();
        let changed = MapChanged {
            map,
            opened: 2,
            closed: 0,
            rebuilt: differs,
        };
        assert_eq!(app.world().resource::<Changes>().0, [changed]);
        let open = |x, y| passable(&app, map, IVec2::new(x, y));
        assert!(!open(1, 1) && !open(1, 2) && !open(4, 1) && !open(2, 4));
        assert!(open(7, 1) && open(7, 2));
        assert_eq!(map_of(&app, map).tick(), 4);
    }
}

/// A game without tables of the map, whose robber wants a guide, and whose tables the test solves.
fn game_with_guide() -> (App, Entity, [Entity; 3], TableJobs) {
    let (worker, jobs) = TableWorker::by_hand();
    let mut app = app();
    let mut settings = turns_of(1);
    settings.tables.timing = TableTiming::Scheduled(TableSchedule {
        ticks_per_second: Some(2000),
        ..default()
    });
    settings.tables.max_bytes = 3_000_000;
    app.insert_resource(settings).insert_resource(worker);
    let map = rooms(40, 30, 3).map;
    let home = app.world_mut().spawn(PursuitMap::new(&map, Moves::Octile));
    let home = home.id();
    let live = app.world().get::<LiveMap>(home).expect("a map");
    let places: Vec<IVec2> = map
        .cells()
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| live.position(cell))
        .collect();
    let map = home;
    let place = |index: usize| GridPosition(places[index % places.len()]);
    let world = app.world_mut();
    let agents = [
        world.spawn((Cop, place(0))).id(),
        world.spawn((Cop, place(40))).id(),
        world.spawn(place(places.len() - 1)).id(),
    ];
    run(&mut app, 3);
    (app, map, agents, jobs)
}

#[test]
fn a_guide_that_is_being_solved_is_used_by_the_restored_game() {
    let by_guide = |app: &App, agents: [Entity; 3]| {
        let guide = DecidedBy::Policy(Source::Guide);
        agents.into_iter().any(|agent| state(app, agent) == guide)
    };
    for wait in [0, 30] {
        let (mut app, map, agents, jobs) = game_with_guide();
        let before = snapshot(&app, map);
        app.world_mut().entity_mut(agents[2]).insert(Robber);
        let mut job = None;
        for _ in 0..200 {
            app.update();
            job = jobs.next();
            if job.is_some() {
                break;
            }
        }
        let job = job.expect("a guide is wanted");
        run(&mut app, wait);
        // Before the request was made, and right after it.
        let after = snapshot(&app, map);
        for saved in [before, after] {
            restore(&mut app, map, saved);
            run(&mut app, 4);
            assert!(job.is_wanted(), "{wait}");
        }
        let key = job.request().key;
        job.solve();
        let mut used = 0;
        for _ in 0..200 {
            app.update();
            used += u32::from(by_guide(&app, agents));
            if let Some(job) = jobs.next() {
                assert_ne!(job.request().key, key, "{wait}: nobody asks twice");
                job.solve();
            }
            for agent in agents {
                // The chase goes on for as long as the test.
                app.world_mut().entity_mut(agent).remove::<Caught>();
            }
        }
        assert!(used > 10, "{wait}: {used}");
    }
}

/// Entities that are gone, that never were agents, and one that stands for two agents.
#[test]
fn a_save_whose_entities_are_gone_leaves_no_ghost() {
    let (mut app, map, [guard, other, robber]) = game();
    run(&mut app, 40);
    let saved = snapshot(&app, map);
    let plain = app.world_mut().spawn(GridPosition::new(1, 1)).id();
    let gone = app.world_mut().spawn_empty().id();
    app.world_mut().despawn(gone);
    let load = |app: &mut App, to: [Entity; 3]| {
        app.world_mut()
            .restore_map(map, saved.clone(), |then| {
                let index = [guard, other, robber].iter().position(|&it| it == then)?;
                Some(to[index])
            })
            .expect("a valid save");
    };
    let on = |app: &App| -> Vec<u64> {
        let world = map_of(app, map).world().expect("a world");
        world
            .agents()
            .map(|(_, agent)| agent.setup().user)
            .collect()
    };
    let bits = |agents: &[Entity]| {
        agents
            .iter()
            .map(|agent| agent.to_bits())
            .collect::<Vec<_>>()
    };
    load(&mut app, [plain, gone, robber]);
    // Whoever is not in the save joins it.
    run(&mut app, 2);
    let mut expected = bits(&[guard, other, robber]);
    expected.sort_unstable();
    let sorted = |mut all: Vec<u64>| {
        all.sort_unstable();
        all
    };
    assert_eq!(sorted(on(&app)), expected);
    // One entity for two agents is one agent.
    load(&mut app, [guard, guard, robber]);
    run(&mut app, 2);
    assert_eq!(sorted(on(&app)), expected);
    // It is despawned before the plugin has seen it.
    load(&mut app, [guard, other, robber]);
    app.world_mut().despawn(guard);
    run(&mut app, 2);
    expected.retain(|&user| user != guard.to_bits());
    assert_eq!(sorted(on(&app)), expected);
    for _ in 0..60 {
        app.update();
    }
    assert_eq!(map_of(&app, map).tick(), 102);
}
