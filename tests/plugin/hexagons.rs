//! Hexagonal maps: levels, and layers of all coordinate systems of `bevy_ecs_tilemap`.

use crate::common;
use bevy::prelude::*;
use bevy_pursuit::engine::map::HexLayout;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{TileEdit, TileShape};
use common::app::*;
use std::collections::BTreeMap;

const HIVE: &str = r#"(
    name: "hive",
    moves: Hexagonal(RowOdd),
    legend: { 'C': Cop(), 'R': Robber() },
    rows: [
        "C......",
        ".#..#..",
        "....#R.",
        ".##....",
        "......C",
        "C......",
    ],
)"#;

#[test]
fn cops_catch_a_robber_on_a_level_of_hexagons() {
    let level = PursuitLevel::parse(HIVE).expect("a level");
    let mut app = app();
    let map = app.world_mut().commands().spawn_level(&level).id();
    run(&mut app, 1);
    let geometry = *app.world().get::<MapGeometry>(map).expect("a geometry");
    // The level has an even number of rows.
    assert_eq!(geometry.shape, TileShape::Hexagon(HexLayout::RowEven));
    let mut places = app.world_mut().query::<(Entity, &GridPosition)>();
    let mut before: BTreeMap<Entity, IVec2> = BTreeMap::new();
    for _ in 0..80 {
        for (agent, &GridPosition(to)) in places.iter(app.world()) {
            let from = before.insert(agent, to).unwrap_or(to);
            let far = geometry.center(from).distance(geometry.center(to));
            assert!(far < 1.01, "a step from {from} to {to}");
        }
        run(&mut app, 1);
    }
    assert_eq!(capture_turns(&app).len(), 1);
}

#[test]
fn thin_walls_stand_at_all_six_sides_of_a_hexagon() {
    let mut app = app();
    let map = PursuitMap::new(
        &common::map(&["...", "...", "..."]),
        Moves::Hexagonal(HexLayout::RowOdd),
    );
    let map = app.world_mut().spawn(map).id();
    run(&mut app, 1);
    let [middle, up_right] = [IVec2::new(1, 1), IVec2::new(2, 2)];
    let far = |app: &App| {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        live.distance(middle, up_right)
    };
    assert_eq!(far(&app), Some(1));
    let mut live = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    live.set_wall(middle, up_right, true);
    // No side is between these two.
    live.edit(TileEdit::Edge {
        from: middle,
        to: IVec2::new(0, 2),
        open: false,
    });
    run(&mut app, 1);
    assert_eq!(far(&app), Some(2));
}

#[cfg(feature = "tilemap")]
mod layers {
    use super::*;
    use bevy_ecs_tilemap::helpers::hex_grid::neighbors::HexNeighbors;
    use bevy_ecs_tilemap::prelude::{
        HexCoordSystem, IsoCoordSystem, TilePos, TilemapGridSize, TilemapId, TilemapSize,
        TilemapTileSize, TilemapType,
    };
    use std::collections::BTreeSet;

    const SYSTEMS: [HexCoordSystem; 6] = [
        HexCoordSystem::RowEven,
        HexCoordSystem::RowOdd,
        HexCoordSystem::ColumnEven,
        HexCoordSystem::ColumnOdd,
        HexCoordSystem::Row,
        HexCoordSystem::Column,
    ];

    fn tiles(size: TilemapSize) -> impl Iterator<Item = TilePos> {
        (0..size.x).flat_map(move |x| (0..size.y).map(move |y| TilePos::new(x, y)))
    }

    /// A layer of floor.
    fn layer(app: &mut App, size: TilemapSize, kind: TilemapType) -> Entity {
        let grid = TilemapGridSize { x: 15.0, y: 17.0 };
        let tile = TilemapTileSize { x: 15.0, y: 17.0 };
        let map = PursuitMap::of_layer(Moves::Octile);
        let layer = app.world_mut().spawn((map, size, grid, tile, kind)).id();
        for at in tiles(size) {
            app.world_mut()
                .spawn((at, TilemapId(layer), Passable(true)));
        }
        layer
    }

    fn at(tile: TilePos) -> IVec2 {
        UVec2::from(tile).as_ivec2()
    }

    /// Compares the neighbours of every tile with those of `bevy_ecs_tilemap`.
    fn assert_neighbours(app: &App, layer: Entity, size: TilemapSize, system: HexCoordSystem) {
        let live = app.world().get::<LiveMap>(layer).expect("a map");
        let graph = live.world().expect("a map that is ready").graph();
        for tile in tiles(size) {
            let vertex = live.cell(at(tile)).and_then(|cell| graph.vertex(cell));
            let found = graph.neighbours(vertex.expect("floor")).iter();
            let position = |at: IVec2| (at.x, at.y);
            let found: BTreeSet<(i32, i32)> = found
                .map(|&next| position(live.position(graph.cell(next))))
                .collect();
            let theirs = HexNeighbors::get_neighboring_positions(&tile, &size, &system);
            let theirs: BTreeSet<(i32, i32)> =
                theirs.iter().map(|&next| position(at(next))).collect();
            assert_eq!(found, theirs, "{system:?} {size:?} {tile:?}");
        }
    }

    #[test]
    fn neighbours_are_those_of_the_layer() {
        for system in SYSTEMS {
            for (x, y) in [(5, 4), (4, 5), (6, 1), (1, 6)] {
                let size = TilemapSize { x, y };
                let mut app = app();
                let layer = layer(&mut app, size, TilemapType::Hexagon(system));
                run(&mut app, 3);
                assert_neighbours(&app, layer, size, system);
            }
        }
    }

    #[test]
    fn a_layer_that_gets_another_type_or_size_is_played_by_it() {
        let mut app = app();
        let mut size = TilemapSize { x: 4, y: 4 };
        let layer = layer(&mut app, size, TilemapType::Square);
        run(&mut app, 3);
        for system in SYSTEMS {
            app.world_mut()
                .entity_mut(layer)
                .insert(TilemapType::Hexagon(system));
            run(&mut app, 3);
            assert_neighbours(&app, layer, size, system);
        }
        let system = HexCoordSystem::RowOdd;
        app.world_mut()
            .entity_mut(layer)
            .insert(TilemapType::Hexagon(system));
        for y in [3, 4] {
            size.y = y;
            app.world_mut().entity_mut(layer).insert(size);
            run(&mut app, 3);
            assert_neighbours(&app, layer, size, system);
        }
        app.world_mut()
            .entity_mut(layer)
            .insert(TilemapType::Isometric(IsoCoordSystem::Diamond));
        run(&mut app, 3);
        let live = app.world().get::<LiveMap>(layer).expect("a map");
        assert_eq!(
            live.distance(IVec2::ZERO, IVec2::splat(3)),
            Some(3),
            "octile moves again"
        );
    }

    #[test]
    fn cops_catch_a_robber_on_layers_of_hexagons_and_diamonds() {
        let hexagons = SYSTEMS.map(TilemapType::Hexagon);
        let diamonds = TilemapType::Isometric(IsoCoordSystem::Diamond);
        for kind in hexagons.into_iter().chain([diamonds]) {
            let mut app = app();
            layer(&mut app, TilemapSize { x: 7, y: 6 }, kind);
            cop(&mut app, 0, 0, 1);
            cop(&mut app, 6, 5, 1);
            robber(&mut app, 3, 4);
            run(&mut app, 60);
            assert_eq!(capture_turns(&app).len(), 1, "{kind:?}");
        }
    }
}
