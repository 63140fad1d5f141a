//! Places of maps: on maps from rows as on tilemap layers.

use crate::common;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;

/// An app in which each update is one tick, with a street of eight tiles and an agent that walks along it.
fn app() -> (App, Entity, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // the first update starts time and has no tick yet
    let map = PursuitMap::new(&common::map(&["........"]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let walker = (
        Robber,
        Glide,
        DesiredMotion::default(),
        AgentControl::WalkTo(IVec2::new(7, 0)),
    );
    let walker = app.world_mut().spawn(walker).id();
    (app, map, walker)
}

fn place(app: &App, body: Entity) -> Vec2 {
    let transform = app.world().get::<Transform>(body).expect("a body");
    transform.translation.truncate()
}

fn walk(app: &mut App) {
    (0..400).for_each(|_| app.update());
}

#[test]
fn glide_moves_bodies_on_a_map_from_rows() {
    let (mut app, map, walker) = app();
    let geometry = MapGeometry::diamonds(20.0, 10.0);
    let transform = Transform::from_xyz(100.0, 50.0, 0.0);
    app.world_mut()
        .entity_mut(map)
        .insert((geometry, transform));
    walk(&mut app);
    let end = Vec2::new(100.0, 50.0) + geometry.center(IVec2::new(7, 0));
    assert!(place(&app, walker).distance(end) < 0.01);
    let motion = app.world().get::<DesiredMotion>(walker).expect("a body");
    assert!(motion.position.distance(end) < 0.01);
    let mut places = app.world_mut().query::<MapPlaces>();
    let places = places.single(app.world()).expect("one map");
    assert_eq!(places.tile_at(end), IVec2::new(7, 0));
    assert!(places.center(IVec2::new(7, 0)).distance(end) < 0.01);
}

#[test]
fn glide_leaves_bodies_alone_on_a_map_without_geometry() {
    let (mut app, _, walker) = app();
    walk(&mut app);
    let at = app.world().get::<GridPosition>(walker).expect("an agent");
    assert_eq!(at.0, IVec2::new(7, 0), "the agent walks");
    assert_eq!(place(&app, walker), Vec2::ZERO);
}

#[cfg(feature = "tilemap")]
mod layers {
    use super::*;
    use bevy_ecs_tilemap::prelude::{
        HexCoordSystem, IsoCoordSystem, TilePos, TilemapAnchor, TilemapGridSize, TilemapSize,
        TilemapTileSize, TilemapType,
    };

    const SIZE: TilemapSize = TilemapSize { x: 5, y: 4 };
    const GRID: TilemapGridSize = TilemapGridSize { x: 18.0, y: 12.0 };
    const TILE: TilemapTileSize = TilemapTileSize { x: 16.0, y: 16.0 };

    #[track_caller]
    fn assert_same(app: &mut App, kind: TilemapType, anchor: TilemapAnchor) {
        let mut geometry = app.world_mut().query::<&MapGeometry>();
        let geometry = *geometry.single(app.world()).expect("one map");
        for at in (0..SIZE.x).flat_map(|x| (0..SIZE.y).map(move |y| TilePos::new(x, y))) {
            let expected = at.center_in_world(&SIZE, &GRID, &TILE, &kind, &anchor);
            let tile = UVec2::from(at).as_ivec2();
            let center = geometry.center(tile);
            assert!(center.distance(expected) < 1e-3, "{anchor:?} {kind:?}");
            for beside in [Vec2::ZERO, Vec2::new(3.0, 1.0), Vec2::new(-2.0, -2.5)] {
                let place = expected + beside;
                let theirs = TilePos::from_world_pos(&place, &SIZE, &GRID, &TILE, &kind, &anchor);
                assert_eq!(theirs, Some(at));
                assert_eq!(geometry.tile_at(place), tile, "{anchor:?} {kind:?}");
            }
        }
    }

    #[test]
    fn geometry_of_a_layer_gives_the_places_of_its_tiles() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugin::default()));
        let kinds = [
            TilemapType::Square,
            TilemapType::Isometric(IsoCoordSystem::Diamond),
            TilemapType::Hexagon(HexCoordSystem::RowEven),
            TilemapType::Hexagon(HexCoordSystem::RowOdd),
            TilemapType::Hexagon(HexCoordSystem::ColumnEven),
            TilemapType::Hexagon(HexCoordSystem::ColumnOdd),
            TilemapType::Hexagon(HexCoordSystem::Row),
            TilemapType::Hexagon(HexCoordSystem::Column),
        ];
        let layer = (PursuitMap::default(), SIZE, GRID, TILE, kinds[0]);
        let layer = app.world_mut().spawn(layer).id();
        app.update();
        assert_same(&mut app, kinds[0], TilemapAnchor::None);
        for kind in kinds {
            for anchor in [
                TilemapAnchor::None,
                TilemapAnchor::Center,
                TilemapAnchor::BottomLeft,
                TilemapAnchor::TopRight,
                TilemapAnchor::Custom(Vec2::new(0.2, -0.4)),
            ] {
                app.world_mut().entity_mut(layer).insert((kind, anchor));
                app.update();
                assert_same(&mut app, kind, anchor);
            }
        }
    }
}
