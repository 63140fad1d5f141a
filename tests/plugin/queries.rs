//! Queries about a map in tile coordinates, which count from the bottom left, and queries of the plugin about agents.

use crate::common::app::{app, cop, run, turns_of, yard};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

#[test]
fn a_map_answers_in_tiles_and_knows_its_doors() {
    let mut app = app();
    let map = TileMap::from_rows(&["..#..", "..#..", "....."], |c| c != '#').expect("a map");
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id();
    let tile = IVec2::new;
    let (left, right) = (tile(0, 2), tile(4, 2));
    let ask = |app: &App| {
        let map = app.world().get::<LiveMap>(map).expect("the map");
        (
            map.sees(left, right),
            map.distance(left, right),
            map.path(left, right),
            map.nearest_passable(tile(2, 2)),
        )
    };
    assert_eq!(ask(&app), (false, None, None, None), "not ready");
    run(&mut app, 1);
    let (sees, distance, path, nearest) = ask(&app);
    assert!(!sees);
    // Through the passage below the wall, round the corners without cutting them.
    assert_eq!(distance, Some(6));
    let path = path.expect("a path");
    assert_eq!(path.len(), 6);
    assert_eq!(path.last(), Some(&right));
    assert!(path.contains(&tile(2, 0)));
    assert_eq!(nearest, Some(tile(1, 2)));

    let mut component = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    component.set_passable(tile(2, 2), true);
    run(&mut app, 1);
    let (sees, distance, ..) = ask(&app);
    assert!(sees);
    assert_eq!(distance, Some(4));

    let mut component = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    component.set_passable(tile(2, 2), false);
    component.set_passable(tile(2, 0), false);
    run(&mut app, 1);
    let map = app.world().get::<LiveMap>(map).expect("the map");
    assert_eq!(
        (map.distance(left, right), map.path(left, right)),
        (None, None)
    );
    assert_eq!(map.path(left, left), Some(Vec::new()));
    assert_eq!(map.distance(left, tile(9, 9)), None);
    assert!(!map.sees(left, tile(0, 3)));
    assert_eq!(map.nearest_passable(tile(9, 9)), None);
}

/// A component by which a game disables entities, stored apart from tables.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Hibernates;

#[test]
fn what_the_game_writes_counts_whatever_components_disable_entities() {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Hibernates>();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(turns_of(1))
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    let map = yard(&mut app);
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut()
        .entity_mut(cop)
        .insert(AgentControl::External);
    run(&mut app, 2);
    let cell = |app: &App| {
        let world = app.world().get::<LiveMap>(map).and_then(LiveMap::world);
        let (_, agent) = world.expect("a world").agents().next().expect("the cop");
        (agent.setup().cell.x, agent.setup().speed.steps())
    };
    app.world_mut()
        .get_mut::<GridPosition>(cop)
        .expect("an agent")
        .0 = IVec2::new(9, 0);
    app.world_mut()
        .get_mut::<PursuitSpeed>(cop)
        .expect("an agent")
        .0 = 3;
    app.update();
    assert_eq!(cell(&app), (9, 3));
}
