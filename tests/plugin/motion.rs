//! The places of bodies: under moving parents, on moving layers, and in games whose physics moves them.

use crate::common;
use crate::common::folder::{Rests, rest_while_told};
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ecs_tilemap::prelude::{TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType};
use bevy_pursuit::prelude::*;
use std::time::Duration;

const TILE: f32 = 16.0;

/// An app in which each update is one tick, with a street of twenty tiles and a cop that walks along it.
fn app() -> (App, Entity, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(PursuitSettings {
            ticks_per_turn: 8,
            ..default()
        });
    app.update(); // the first update starts time and has no tick yet
    let street = "....................";
    let map = PursuitMap::new(&common::map(&[street, street]), Moves::Octile);
    let layer = (
        map,
        TilemapSize { x: 20, y: 2 },
        TilemapGridSize { x: TILE, y: TILE },
        TilemapTileSize { x: TILE, y: TILE },
        TilemapType::Square,
        Transform::default(),
    );
    let layer = app.world_mut().spawn(layer).id();
    let walker = (
        Cop,
        GridPosition::new(0, 0),
        AgentControl::Steer(IVec2::X),
        Glide,
        DesiredMotion::default(),
    );
    let walker = app.world_mut().spawn(walker).id();
    (app, layer, walker)
}

fn run(app: &mut App, ticks: usize) {
    (0..ticks).for_each(|_| app.update());
}

fn place(app: &App, entity: Entity) -> Vec2 {
    let transform = app.world().get::<GlobalTransform>(entity);
    transform.expect("a body").translation().truncate()
}

/// The place where the body should be, according to the agent's path.
fn wanted(app: &App, layer: Entity, walker: Entity) -> Vec2 {
    let tick = app.world().get::<LiveMap>(layer).expect("a map").tick();
    let step = app.world().get::<NextStep>(walker).expect("an agent");
    Vec2::new((step.from.x as f32 + step.walked(tick, 0.0)) * TILE, 0.0)
}

#[track_caller]
fn assert_near(a: Vec2, b: Vec2, tick: usize) {
    assert!(a.distance(b) < 0.05, "tick {tick}: {a} is not {b}");
}

#[test]
fn a_body_keeps_to_its_way_under_a_parent_that_moves() {
    let (mut app, layer, walker) = app();
    let parent = app
        .world_mut()
        .spawn(Transform::from_xyz(7.0, 3.0, 0.0))
        .id();
    let grandparent = app.world_mut().spawn(Transform::default()).id();
    app.world_mut()
        .entity_mut(parent)
        .insert(ChildOf(grandparent));
    app.world_mut().entity_mut(walker).insert(ChildOf(parent));
    run(&mut app, 2);
    for tick in 0..60 {
        let time = tick as f32;
        let mut transform = app.world_mut().get_mut::<Transform>(parent).unwrap();
        transform.translation.x = 100.0 * time;
        transform.rotation = Quat::from_rotation_z(time);
        let mut transform = app.world_mut().get_mut::<Transform>(grandparent).unwrap();
        transform.translation.y = -30.0 * time;
        transform.scale = Vec3::splat(1.0 + time % 4.0);
        app.update();
        assert_near(place(&app, walker), wanted(&app, layer, walker), tick);
    }
}

#[test]
fn a_body_stays_on_its_tiles_when_the_layer_moves() {
    let (mut app, layer, walker) = app();
    run(&mut app, 2);
    for is_child in [false, true] {
        if is_child {
            app.world_mut().entity_mut(walker).insert(ChildOf(layer));
        }
        for tick in 0..30 {
            let offset = Vec2::new(40.0 * tick as f32, 5.0);
            let mut transform = app.world_mut().get_mut::<Transform>(layer).unwrap();
            transform.translation = offset.extend(0.0);
            app.update();
            let wanted = wanted(&app, layer, walker) + offset;
            assert_near(place(&app, walker), wanted, tick);
        }
    }
}

#[test]
fn another_parent_in_mid_step_does_not_move_the_body() {
    let (mut app, layer, walker) = app();
    run(&mut app, 5);
    for x in [50.0, 900.0] {
        let parent = app.world_mut().spawn(Transform::from_xyz(x, 0.0, 0.0)).id();
        app.world_mut().entity_mut(walker).insert(ChildOf(parent));
        app.update();
        assert_near(place(&app, walker), wanted(&app, layer, walker), 0);
    }
    app.world_mut().entity_mut(walker).remove::<ChildOf>();
    app.update();
    assert_near(place(&app, walker), wanted(&app, layer, walker), 1);
}

/// The game moves the body for a while, by physics for instance, and the plugin takes over where it is.
#[test]
fn a_body_goes_on_from_where_the_game_has_left_it() {
    for (x, y, is_child) in [(1.3, 0.2, false), (1.0, 0.0, true), (0.6, 0.9, false)] {
        let (mut app, layer, walker) = app();
        app.world_mut().entity_mut(layer).insert(Transform {
            translation: Vec3::new(300.0, 40.0, 0.0),
            rotation: Quat::from_rotation_z(0.5),
            scale: Vec3::splat(2.0),
        });
        if is_child {
            app.world_mut().entity_mut(walker).insert(ChildOf(layer));
        }
        run(&mut app, 30);
        let here = app.world().get::<GridPosition>(walker).expect("a cop").0;
        app.world_mut()
            .entity_mut(walker)
            .insert(AgentControl::External);
        run(&mut app, 12);
        let there = here + IVec2::X;
        let dash = (there.as_vec2() + Vec2::new(x - 1.0, y)) * TILE;
        let to_world = *app.world().get::<GlobalTransform>(layer).expect("a layer");
        let in_world = to_world.transform_point(dash.extend(0.0));
        let own = if is_child { dash.extend(0.0) } else { in_world };
        app.world_mut()
            .entity_mut(walker)
            .insert((GridPosition(there), Transform::from_translation(own)));
        run(&mut app, 4);
        assert_near(place(&app, walker), in_world.truncate(), 0);
        app.world_mut()
            .entity_mut(walker)
            .insert(AgentControl::Steer(IVec2::ZERO));
        let tile = to_world.transform_point((there.as_vec2() * TILE).extend(0.0));
        let mut far = place(&app, walker).distance(tile.truncate());
        for _ in 0..40 {
            run(&mut app, 1);
            let left = place(&app, walker).distance(tile.truncate());
            assert!(left <= far + 0.01, "it never goes back: {left} after {far}");
            // Three times the speed of a tile in a tick at most, in a world of twice the size.
            assert!(far - left <= 2.0 * 3.0 * TILE + 0.01, "no jump");
            far = left;
        }
        assert!(far < 0.05, "{far}");
    }
}

/// An agent from a pool appears on its tile, however near to its former place that is.
#[test]
fn a_body_that_was_disabled_appears_on_its_tile() {
    for (x, y) in [(2, 0), (2, 1), (3, 1), (9, 0)] {
        let (mut app, _, walker) = app();
        run(&mut app, 30);
        app.world_mut().entity_mut(walker).insert(Disabled);
        run(&mut app, 5);
        app.world_mut()
            .entity_mut(walker)
            .insert((GridPosition::new(x, y), AgentControl::Steer(IVec2::ZERO)))
            .remove::<Disabled>();
        run(&mut app, 1);
        let tile = Vec2::new(x as f32, y as f32) * TILE;
        assert_near(place(&app, walker), tile, 0);
    }
}

#[test]
fn a_clone_glides_by_itself() {
    let (mut app, _, walker) = app();
    run(&mut app, 30);
    let clone = app.world_mut().entity_mut(walker).clone_and_spawn();
    app.world_mut()
        .entity_mut(clone)
        .insert((GridPosition::new(3, 1), AgentControl::Steer(IVec2::ZERO)));
    run(&mut app, 2);
    let there = Vec2::new(3.0 * TILE, TILE);
    assert_near(place(&app, clone), there, 0);
}

/// A body that physics moves at the desired velocity.
#[test]
fn a_body_that_goes_as_fast_as_it_is_told_keeps_to_its_way() {
    let (mut app, layer, walker) = app();
    app.world_mut().entity_mut(walker).remove::<Glide>();
    run(&mut app, 1);
    let tick_seconds = 1.0 / 64.0;
    let mut body = Vec2::new(-3.0, 2.0);
    for tick in 0..60 {
        app.update();
        let motion = *app.world().get::<DesiredMotion>(walker).unwrap();
        assert!((motion.seconds - tick_seconds).abs() < 1e-6);
        // A tile takes eight ticks.
        let is_walking = app
            .world()
            .get::<NextStep>(walker)
            .unwrap()
            .target()
            .is_some();
        let speed = TILE / 8.0 / tick_seconds;
        let expected = if is_walking { speed } else { 0.0 };
        assert!(
            (motion.velocity.x - expected).abs() < 0.5,
            "tick {tick}: {motion:?}"
        );
        let now = wanted(&app, layer, walker);
        assert_near(motion.position - motion.velocity * tick_seconds, now, tick);
        if tick == 30 {
            body.y += 9.0; // something has pushed it
        }
        body += motion.velocity_from(body) * tick_seconds;
        assert_near(body, motion.position, tick);
    }
}

#[test]
fn bodies_stand_while_the_game_lets_the_plugin_rest() {
    let (mut app, _, walker) = app();
    rest_while_told(&mut app);
    // Frames between ticks.
    let quarter = Duration::from_secs_f64(1.0 / 64.0 / 4.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(quarter));
    run(&mut app, 40);
    app.insert_resource(Rests(true));
    run(&mut app, 4);
    let stands = place(&app, walker);
    assert!(stands.x > 0.0);
    for tick in 0..40 {
        run(&mut app, 1);
        assert_near(place(&app, walker), stands, tick);
    }
    app.insert_resource(Rests(false));
    run(&mut app, 20);
    assert!(place(&app, walker).x > stands.x);
}

#[test]
fn an_agent_that_no_longer_plays_wants_no_motion_and_has_no_target() {
    let velocity = |app: &App, agent| {
        let motion = app.world().get::<DesiredMotion>(agent);
        motion.expect("a component").velocity
    };
    let (mut app, layer, walker) = app();
    let robber = (Robber, GridPosition::new(19, 1));
    app.world_mut().spawn(robber);
    run(&mut app, 4);
    assert!(velocity(&app, walker).x > 0.0);
    app.world_mut().entity_mut(layer).insert(Disabled);
    run(&mut app, 2);
    assert_eq!(velocity(&app, walker), Vec2::ZERO);
    app.world_mut().entity_mut(layer).remove::<Disabled>();
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::Policy);
    run(&mut app, 12);
    assert!(velocity(&app, walker).x > 0.0);
    let target = |app: &App| *app.world().get::<Target>(walker).expect("a cop");
    assert!(target(&app).robber.is_some());
    app.world_mut().despawn(layer);
    run(&mut app, 2);
    assert_eq!(velocity(&app, walker), Vec2::ZERO);
    assert_eq!(target(&app), Target::default());
}
