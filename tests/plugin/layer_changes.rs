//! Layers that change under the edits of the game, and under the errands of agents.

use crate::{map_loading, tilemap};
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize};
use bevy_pursuit::debug::LayerTiles;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapStatus, Obstacle};

#[test]
fn a_wall_that_is_inserted_again_closes_what_the_game_has_opened() {
    let (mut app, layer) = tilemap::app();
    let edit = |app: &mut App| {
        let mut map = app.world_mut().get_mut::<LiveMap>(layer).expect("a map");
        map.set_passable(IVec2::ZERO, true);
    };
    let door = tilemap::tile_at(&mut app, 0, 0);
    app.world_mut().entity_mut(door).insert(Passable(false));
    app.update();
    assert_eq!(tilemap::picture(&app, layer)[3], "#....");
    edit(&mut app);
    app.update();
    assert_eq!(tilemap::picture(&app, layer)[3], ".....");
    app.world_mut().entity_mut(door).insert(Passable(false));
    app.update();
    assert_eq!(tilemap::picture(&app, layer)[3], "#....");
    edit(&mut app);
    app.world_mut().entity_mut(door).insert(Passable(false));
    app.update();
    assert_eq!(tilemap::picture(&app, layer)[3], "#....", "in one tick");
    // A wall on a cell that another tile makes passable changes nothing.
    edit(&mut app);
    let bridge = (TilePos { x: 0, y: 0 }, TilemapId(layer), Passable(true));
    app.world_mut().spawn(bridge);
    app.update();
    app.world_mut().entity_mut(door).insert(Passable(false));
    app.update();
    assert_eq!(tilemap::picture(&app, layer)[3], ".....");
}

/// Missing tiles are walls, and the game is told how many there are.
#[test]
fn a_layer_says_how_many_tiles_it_has_and_lacks() {
    let mut app = map_loading::app();
    let size = TilemapSize { x: 7, y: 5 };
    let layer = app.world_mut().spawn((size, PursuitMap::default())).id();
    let tile = |x, y, passable| (TilePos { x, y }, TilemapId(layer), Passable(passable));
    // Rows of floor, of walls, of walls under bridges, and without tiles.
    for x in 0..7 {
        app.world_mut().spawn(tile(x, 0, true));
        app.world_mut().spawn(tile(x, 1, false));
        app.world_mut().spawn(tile(x, 2, false));
        app.world_mut().spawn(tile(x, 2, true));
    }
    app.world_mut().spawn(tile(3, 4, false));
    app.world_mut().spawn(tile(40, 4, false));
    map_loading::wait(&mut app, layer);
    app.update();
    let found = app.world().get::<LayerTiles>(layer).copied();
    let expected = LayerTiles {
        passable: 14,
        closed: 8,
        missing: 13,
    };
    assert_eq!(found, Some(expected));
}

#[derive(Resource, Default)]
struct Ends(Vec<Result<Entity, Obstacle>>);

/// Rows are counted from the bottom, and the world counts from the top.
#[test]
fn errands_that_have_ended_end_only_once_when_the_layer_grows_upwards() {
    let mut app = map_loading::app();
    app.init_resource::<Ends>()
        .add_observer(|on: On<Arrived>, mut ends: ResMut<Ends>| ends.0.push(Ok(on.agent)))
        .add_observer(|on: On<NoWay>, mut ends: ResMut<Ends>| ends.0.push(Err(on.because)));
    let layer = map_loading::layer(&mut app, 14);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    let errand = |x, y| AgentControl::WalkTo(IVec2::new(x, y));
    // Columns 3 and 10 are walls.
    let agents = [errand(2, 2), errand(6, 2), errand(0, 5)].map(|errand| {
        let agent = (Cop, GridPosition::new(0, 2), errand);
        app.world_mut().spawn(agent).id()
    });
    for _ in 0..8 * 4 {
        app.update();
    }
    let mut ends = std::mem::take(&mut app.world_mut().resource_mut::<Ends>().0);
    ends.sort_by_key(Result::is_err);
    let [first, _, third] = agents;
    assert_eq!(ends, [Ok(first), Ok(third), Err(Obstacle::BehindWalls)]);
    let size = TilemapSize { x: 14, y: 19 };
    app.world_mut().entity_mut(layer).insert(size);
    map_loading::wait(&mut app, layer);
    for _ in 0..8 * 4 {
        app.update();
    }
    assert_eq!(app.world().resource::<Ends>().0, []);
    let at = |agent| app.world().get::<GridPosition>(agent).expect("an agent").0;
    assert_eq!([at(first), at(third)], [IVec2::new(2, 2), IVec2::new(0, 5)]);
    // A new errand is one of the new map.
    app.world_mut().entity_mut(first).insert(errand(0, 0));
    for _ in 0..4 * 4 {
        app.update();
    }
    assert_eq!(app.world().resource::<Ends>().0, [Ok(first)]);
}

/// The cells of agents are those of the map on which they are, and not of the one that is loading.
#[test]
fn agents_that_come_while_a_layer_is_read_stand_on_their_tiles_when_it_is_smaller_again() {
    let mut app = map_loading::app();
    let layer = map_loading::layer(&mut app, 14);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    map_loading::wait(&mut app, layer);
    let old = (Cop, GridPosition::new(2, 2), AgentControl::External);
    let old = app.world_mut().spawn(old).id();
    app.update();
    app.world_mut().resource_mut::<PursuitSettings>().budget = TickBudget::Expansions(20);
    for height in [19, 14] {
        let size = TilemapSize { x: 14, y: height };
        app.world_mut().entity_mut(layer).insert(size);
        app.update();
        let status = app.world().get::<MapStatus>(layer).copied();
        assert_ne!(status, Some(MapStatus::Ready));
        if height == 19 {
            app.world_mut()
                .entity_mut(old)
                .insert(GridPosition::new(5, 4));
            let walk = AgentControl::WalkTo(IVec2::new(6, 0));
            app.world_mut()
                .spawn((Robber, GridPosition::new(6, 1), walk));
            app.update();
        }
    }
    map_loading::wait(&mut app, layer);
    let map = app.world().get::<LiveMap>(layer).expect("a map");
    let cells = map.world().expect("a world").agents();
    let mut at: Vec<_> = cells
        .map(|(_, agent)| map.position(agent.setup().cell))
        .collect();
    at.sort_by_key(|at| at.x);
    assert_eq!(at, [IVec2::new(5, 4), IVec2::new(6, 1)]);
    for _ in 0..3 * 4 {
        app.update();
    }
    let robbers = &mut app
        .world_mut()
        .query_filtered::<&GridPosition, With<Robber>>();
    let at = robbers.single(app.world()).expect("a robber").0;
    assert_eq!(at, IVec2::new(6, 0));
}
