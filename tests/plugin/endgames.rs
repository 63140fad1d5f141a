//! Shapes of endgames as assets.

use crate::common;
use bevy::asset::LoadState;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, Source};
use bevy_pursuit::engine::endgame::Endgames;
use bevy_pursuit::engine::game::{Agent, Side, Speed, State};
use bevy_pursuit::engine::graph::Graph;
use bevy_pursuit::engine::map::Cell;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{PursuitTables, TableHandle};
use common::app::*;
use common::folder::{Folder, asset_app, until};

/// The yard as a file: the whole of it is one region of two players.
fn yard_file() -> Vec<u8> {
    let graph = Graph::new(&common::map(&YARD), Moves::Octile);
    let agent = |x, y| Agent {
        at: graph.vertex(Cell::new(x, y)).expect("floor"),
        speed: Speed::ONE,
    };
    let cops = [agent(0, 0), agent(9, 6)];
    let state = State {
        robber: agent(4, 3),
        cops: &cops,
        to_move: Side::Cops,
    };
    let mut endgames = Endgames::default();
    endgames.collect_shapes();
    endgames.begin(&graph, &state);
    endgames.finish(&graph);
    endgames.take_shapes().to_bytes()
}

/// How many shapes the world of a map knows.
fn known(app: &App, map: Entity) -> usize {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.world().map_or(0, |world| world.endgame_shapes().len())
}

#[test]
fn endgames_that_are_loaded_are_used_and_go_with_their_handle() {
    let folder = Folder::new("endgames");
    folder.write("yard.pend", &yard_file());
    let mut app = asset_app(&folder);
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .tables
        .max_bytes = 1;
    let map = yard(&mut app);
    let handle = app.world().resource::<AssetServer>().load("yard.pend");
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitTables(vec![TableHandle::Endgames(handle)]));
    until(&mut app, |app| known(app, map) == 1);
    let cops = [cop(&mut app, 0, 0, 1), cop(&mut app, 0, 6, 1)];
    robber(&mut app, 9, 3);
    run(&mut app, 4);
    for cop in cops {
        assert_eq!(state(&app, cop), DecidedBy::Policy(Source::Endgame));
    }
    // A new map of the same entity gets them, too.
    let again = PursuitMap::new(&common::map(&YARD), Moves::Octile);
    app.world_mut().entity_mut(map).insert(again);
    until(&mut app, |app| known(app, map) == 1);
    app.world_mut().entity_mut(map).remove::<PursuitTables>();
    run(&mut app, 1);
    assert_eq!(known(&app, map), 0);
}

#[test]
fn a_corrupt_file_of_endgames_is_refused() {
    let folder = Folder::new("endgames-corrupt");
    let mut bytes = yard_file();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    folder.write("corrupt.pend", &bytes);
    let mut app = asset_app(&folder);
    let map = yard(&mut app);
    let assets = app.world().resource::<AssetServer>().clone();
    let handle = assets.load("corrupt.pend");
    let id = handle.id();
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitTables(vec![TableHandle::Endgames(handle)]));
    until(&mut app, |_| {
        matches!(assets.load_state(id), LoadState::Failed(_))
    });
    run(&mut app, 2);
    assert_eq!(known(&app, map), 0);
}
