//! Games that are saved, loaded and rolled back in apps continue bit for bit.

use crate::common::bustle;
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy_pursuit::RestoreError;
use bevy_pursuit::engine::world::{Snapshot, SnapshotError};
use bevy_pursuit::prelude::*;
use bustle::{Bustle, hashes, play};

/// A save game: the plugin's part and the game's.
struct Save {
    snapshot: Snapshot,
    game: Bustle,
}

fn save(app: &App) -> Save {
    let game = app.world().resource::<Bustle>().clone();
    let map = app.world().get::<LiveMap>(game.map).expect("a map");
    let snapshot = map.snapshot().expect("there is a map");
    Save { snapshot, game }
}

/// Returns to a saved game. Agents that do not exist now are spawned.
fn load(app: &mut App, save: Save) -> Result<(), RestoreError> {
    let Save { snapshot, mut game } = save;
    let world = app.world_mut();
    let mut map = world.query_filtered::<Entity, With<LiveMap>>();
    game.map = map.single(world).expect("one map");
    let mut entities = EntityHashMap::default();
    for (agent, is_cop) in &mut game.agents {
        let of_side = |world: &World| {
            let found = world.get_entity(*agent).ok()?;
            (found.contains::<Cop>() || found.contains::<Robber>()).then_some(*agent)
        };
        let here = of_side(world).unwrap_or_else(|| match is_cop {
            true => world.spawn(Cop).id(),
            false => world.spawn(Robber).id(),
        });
        entities.insert(*agent, here);
        *agent = here;
    }
    world.restore_map(game.map, snapshot, |entity| entities.get(&entity).copied())?;
    let mut all = world.query_filtered::<Entity, Or<(With<Cop>, With<Robber>)>>();
    let too_many: Vec<Entity> = all
        .iter(world)
        .filter(|here| !entities.values().any(|there| there == here))
        .collect();
    for entity in too_many {
        world.despawn(entity);
    }
    world.insert_resource(game);
    Ok(())
}

/// All components of the agents that the game sees, in the order of their ids in the world.
fn picture(app: &App) -> Vec<String> {
    let game = app.world().resource::<Bustle>();
    let map = app.world().get::<LiveMap>(game.map).expect("a map");
    let agents = map.world().expect("a map").agents();
    let agents = agents.map(|(_, agent)| {
        let entity = Entity::try_from_bits(agent.setup().user).expect("an entity");
        let entity = app.world().entity(entity);
        let step = entity.get::<NextStep>().expect("an agent");
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            (entity.get::<GridPosition>(), entity.contains::<Cop>()),
            // The arrival time of a standing agent has no meaning.
            (!step.path.is_empty()).then_some((step.from, &step.path, step.departs, step.arrives)),
            entity.get::<PursuitSpeed>(),
            number_of(app, entity.get::<InPursuit>()),
            entity.get::<AgentControl>(),
            entity.get::<TicksPerStep>(),
            entity.get::<Sight>(),
            entity.get::<Mistakes>().filter(|share| share.0 > 0.0),
            entity.get::<PursuitState>(),
            entity.get::<Caught>().map(|caught| caught.turn),
            entity.get::<bevy_pursuit::PlannedPath>(),
        )
    });
    agents.collect()
}

/// The number of a pursuit.
fn number_of(app: &App, of: Option<&InPursuit>) -> u32 {
    of.map_or(0, |of| {
        app.world().get::<Pursuit>(of.0).expect("a pursuit").0
    })
}

#[track_caller]
fn same(one: &[String], other: &[String]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other);
    }
}

fn through_json(snapshot: &Snapshot) -> Snapshot {
    let text = serde_json::to_string(snapshot).expect("plain data");
    serde_json::from_str(&text).expect("what was written")
}

fn through_ron(snapshot: &Snapshot) -> Snapshot {
    let text = ron::to_string(snapshot).expect("plain data");
    ron::from_str(&text).expect("what was written")
}

#[test]
fn a_game_that_is_rolled_back_goes_on_as_it_did() {
    for seed in 0..4 {
        let mut app = bustle::app(seed);
        play(&mut app, 777);
        let saved = save(&app);
        let before = picture(&app);
        play(&mut app, 1400);
        let went = hashes(&app).to_vec();
        let after = picture(&app);
        assert_ne!(before, after);
        load(&mut app, saved).expect("a sound snapshot");
        play(&mut app, 1400);
        let differs = hashes(&app)
            .iter()
            .zip(&went)
            .position(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}: the first tick that differs");
        same(&picture(&app), &after);
    }
}

/// Many rollbacks by a few ticks, as in network games.
#[test]
fn short_rollbacks_change_nothing() {
    let mut steady = bustle::app(9);
    play(&mut steady, 900);
    let mut app = bustle::app(9);
    for end in (18..900).step_by(7) {
        play(&mut app, end - 8);
        let saved = save(&app);
        play(&mut app, end);
        load(&mut app, saved).expect("a sound snapshot");
        play(&mut app, end);
        assert_eq!(hashes(&app), &hashes(&steady)[..end]);
    }
    play(&mut app, 900);
    same(&picture(&app), &picture(&steady));
}

#[test]
fn a_game_that_is_loaded_by_another_app_goes_on_as_it_would_have() {
    for (seed, through) in [
        (1, through_json as fn(&Snapshot) -> Snapshot),
        (2, through_ron),
    ] {
        let mut app = bustle::app(seed);
        play(&mut app, 654);
        let saved = save(&app);
        let saved = Save {
            snapshot: through(&saved.snapshot),
            ..saved
        };
        let mut loaded = bustle::empty_app();
        // Other entities than in the saved game, and another map.
        for _ in 0..40 {
            loaded.world_mut().spawn_empty();
        }
        let map = TileMap::parse("type octile\nheight 1\nwidth 3\nmap\n...\n").expect("a map");
        loaded
            .world_mut()
            .spawn(PursuitMap::new(&map, Moves::Octile));
        load(&mut loaded, saved).expect("a sound snapshot");
        play(&mut app, 1300);
        play(&mut loaded, 1300);
        let differs = hashes(&loaded)
            .iter()
            .zip(hashes(&app))
            .position(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}: the first tick that differs");
        same(&picture(&loaded), &picture(&app));
    }
}

#[test]
fn what_the_game_says_about_agents_is_what_it_said_then() {
    let mut app = bustle::app(3);
    play(&mut app, 500);
    let saved = save(&app);
    // A new plan is shown when it is used.
    let without_plans = |app: &App| {
        let mut all = picture(app);
        for agent in &mut all {
            agent.truncate(agent.find("PlannedPath").expect("a plan"));
        }
        all
    };
    let before = without_plans(&app);
    let agents = app.world().resource::<Bustle>().agents.clone();
    let other = app.world_mut().spawn(Pursuit(9)).id();
    for (agent, _) in agents {
        let mut agent = app.world_mut().entity_mut(agent);
        agent.insert((
            PursuitSpeed(7),
            InPursuit(other),
            AgentControl::External,
            Sight(1),
            Mistakes(0.5),
            TicksPerStep(99),
            GridPosition::new(1, 1),
        ));
    }
    play(&mut app, 520);
    load(&mut app, saved).expect("a sound snapshot");
    // A frame without a tick.
    bustle::frames_of(&mut app, 0);
    app.update();
    same(&without_plans(&app), &before);
}

#[test]
fn what_the_game_does_after_a_restore_comes_on_top() {
    let mut app = bustle::app(3);
    play(&mut app, 500);
    let saved = save(&app);
    play(&mut app, 510);
    load(&mut app, saved).expect("a sound snapshot");
    let (agent, _) = app.world().resource::<Bustle>().agents[0];
    app.add_systems(
        FixedPreUpdate,
        move |mut speeds: Query<&mut PursuitSpeed>| {
            speeds.get_mut(agent).expect("an agent").0 = 5;
        },
    );
    app.update();
    assert_eq!(
        app.world().get::<PursuitSpeed>(agent),
        Some(&PursuitSpeed(5))
    );
    let game = app.world().resource::<Bustle>();
    let map = app.world().get::<LiveMap>(game.map).expect("a map");
    let mut agents = map.world().expect("a map").agents();
    let (_, it) = agents
        .find(|(_, it)| it.setup().user == agent.to_bits())
        .expect("the agent");
    assert_eq!(it.setup().speed.steps(), 5);
}

#[test]
fn a_damaged_snapshot_is_refused_and_nothing_changes() {
    let mut app = bustle::app(4);
    play(&mut app, 300);
    let saved = save(&app);
    let sound = serde_json::to_value(&saved.snapshot).expect("plain data");
    let damages: [(&str, fn(&mut serde_json::Value)); 4] = [
        ("version", |snapshot| snapshot["version"] = 99.into()),
        ("tick", |snapshot| snapshot["tick"] = u64::MAX.into()),
        ("pursuits", |snapshot| {
            let pursuits = snapshot["members"]["pursuits"]
                .as_array_mut()
                .expect("a list");
            pursuits.reverse();
        }),
        ("free slots", |snapshot| {
            snapshot["members"]["roster"]["free"] = serde_json::json!([0]);
        }),
    ];
    let mut refused = 0;
    for (what, damage) in damages {
        let mut damaged = sound.clone();
        damage(&mut damaged);
        assert_ne!(damaged, sound, "{what} is there");
        let damaged: Snapshot = serde_json::from_value(damaged).expect("still a snapshot");
        let map = saved.game.map;
        let asked = std::cell::Cell::new(0);
        let error = app.world_mut().restore_map(map, damaged, |entity| {
            asked.set(asked.get() + 1);
            Some(entity)
        });
        let error = error.expect_err(what);
        assert_eq!(asked.get(), 0);
        refused +=
            usize::from(error == RestoreError::Snapshot(SnapshotError::Version { found: 99 }));
        app.update();
    }
    assert_eq!(refused, 1, "the error names the version");
    play(&mut app, 600);
    let mut steady = bustle::app(4);
    play(&mut steady, 600);
    assert_eq!(hashes(&app), hashes(&steady));
    same(&picture(&app), &picture(&steady));
}

/// A power-up swaps the sides after the save: both agents get their saved roles back.
#[test]
fn roles_are_restored() {
    let mut app = bustle::empty_app();
    let map = TileMap::filled(12, 9, bevy_pursuit::engine::map::Terrain::Floor).expect("a map");
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id();
    let robber = (Robber, GridPosition::new(9, 4));
    let robber = app.world_mut().spawn(robber).id();
    let cop = app.world_mut().spawn((Cop, GridPosition::new(1, 4))).id();
    for _ in 0..5 {
        app.update();
    }
    let game = |app: &App| app.world().get::<LiveMap>(map).and_then(LiveMap::snapshot);
    let hash = |app: &App| {
        let map = app.world().get::<LiveMap>(map).expect("a map");
        map.world().expect("a world").position_hash()
    };
    let saved = game(&app).expect("a game");
    let straight: Vec<u64> = (0..20).map(|_| (app.update(), hash(&app)).1).collect();
    let world = app.world_mut();
    world.entity_mut(cop).remove::<Cop>().insert(Robber);
    world
        .entity_mut(robber)
        .remove::<(Robber, Caught)>()
        .insert(Cop);
    for _ in 0..5 {
        app.update();
    }
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("a sound snapshot");
    let again: Vec<u64> = (0..20).map(|_| (app.update(), hash(&app)).1).collect();
    assert_eq!(again, straight);
    assert!(app.world().get::<Cop>(cop).is_some() && app.world().get::<Robber>(cop).is_none());
    let of_robber = app.world().entity(robber);
    assert!(of_robber.contains::<Robber>() && !of_robber.contains::<Cop>());
}

/// A rollback over a capture: the event comes again, once.
#[test]
fn a_capture_that_is_rolled_back_happens_again() {
    let mut app = bustle::empty_app();
    let map = TileMap::parse("type octile\nheight 1\nwidth 6\nmap\n......\n").expect("a map");
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id();
    let robber = app
        .world_mut()
        .spawn((Robber, GridPosition::new(4, 0)))
        .id();
    app.world_mut().spawn((Cop, GridPosition::new(0, 0)));
    app.init_resource::<Told>()
        .add_observer(|_: On<Captured>, mut told: ResMut<Told>| told.0 += 1);
    let mut snapshots = Vec::new();
    while app.world().get::<Caught>(robber).is_none() {
        let map = app.world().get::<LiveMap>(map).expect("a map");
        // Before the first tick there is nothing to save.
        snapshots.extend(map.snapshot());
        app.update();
        assert!(snapshots.len() < 300, "it has nowhere to run");
    }
    let caught = *app.world().get::<Caught>(robber).expect("it is captured");
    let captured = app.world().get::<LiveMap>(map).expect("a map").snapshot();
    for (back, snapshot) in snapshots.into_iter().rev().enumerate().take(20) {
        app.world_mut()
            .restore_map(map, snapshot, Some)
            .expect("a sound snapshot");
        for tick in 0..back {
            app.update();
            assert!(
                app.world().get::<Caught>(robber).is_none(),
                "{back} back, {tick}"
            );
        }
        for _ in 0..5 {
            app.update();
            assert_eq!(
                app.world().get::<Caught>(robber),
                Some(&caught),
                "{back} back"
            );
        }
        assert_eq!(app.world().resource::<Told>().0, back + 2);
    }
    // And vice versa.
    app.world_mut()
        .entity_mut(robber)
        .remove::<Caught>()
        .insert(GridPosition::new(0, 0));
    app.update();
    assert!(app.world().get::<Caught>(robber).is_none());
    app.world_mut()
        .restore_map(map, captured.expect("a map"), Some)
        .expect("a sound snapshot");
    app.update();
    assert_eq!(app.world().get::<Caught>(robber), Some(&caught));
}

#[derive(Resource, Default)]
struct Told(usize);
