//! Kinds of agents, exits and reach: components, layers, levels, queries and saves.

use crate::common;
use crate::common::app::{app, at, cop, robber, run};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{AgentKinds, Away, GotAway, Kinds, Reach, TileEdit};

const KEY: Kinds = Kinds::from_bits(1);

#[derive(Resource, Default)]
struct Told(Vec<GotAway>);

fn edit(app: &mut App, map: Entity, edit: TileEdit) {
    let mut live = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    live.edit(edit);
}

fn spawn_map(app: &mut App, rows: &[&str]) -> Entity {
    let map = PursuitMap::new(&common::map(rows), Moves::Octile);
    app.world_mut().spawn(map).id()
}

#[test]
fn an_agent_that_finds_a_key_walks_through_the_door_and_one_that_loses_it_does_not() {
    let mut app = app();
    let map = spawn_map(&mut app, &["........"]);
    run(&mut app, 1);
    let door = IVec2::new(4, 0);
    edit(
        &mut app,
        map,
        TileEdit::Kinds {
            at: door,
            kinds: KEY,
        },
    );
    let walker = cop(&mut app, 0, 0, 1);
    let goal = IVec2::new(7, 0);
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::WalkTo(goal));
    run(&mut app, 12 * 16);
    assert!(at(&app, walker).x < 4);
    let ask = |app: &App, kinds| {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        live.distance_for(kinds, IVec2::ZERO, goal)
    };
    assert_eq!(ask(&app, Kinds::NONE), None);
    let live = app.world().get::<LiveMap>(map).expect("a map");
    assert!(live.is_passable(door) && !live.is_passable_for(Kinds::NONE, door));
    app.world_mut().entity_mut(walker).insert(AgentKinds(KEY));
    run(&mut app, 12 * 16);
    assert_eq!(at(&app, walker), goal);
    assert_eq!(ask(&app, KEY), Some(7));
    // A saved game knows the kinds.
    let saved = {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        live.snapshot().expect("a snapshot")
    };
    app.world_mut()
        .entity_mut(walker)
        .remove::<AgentKinds>()
        .insert(AgentControl::WalkTo(IVec2::ZERO));
    run(&mut app, 12 * 16);
    assert!(at(&app, walker).x > 4);
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("the same game");
    run(&mut app, 1);
    let kinds = app.world().get::<AgentKinds>(walker);
    assert_eq!(kinds, Some(&AgentKinds(KEY)));
}

#[test]
fn a_robber_on_an_exit_is_away_until_the_game_brings_it_back() {
    let mut app = app();
    app.init_resource::<Told>()
        .add_observer(|event: On<GotAway>, mut told: ResMut<Told>| told.0.push(*event));
    let map = spawn_map(&mut app, &[".........", "........."]);
    run(&mut app, 1);
    let exit = IVec2::new(8, 0);
    let kinds = Kinds::ALL;
    edit(&mut app, map, TileEdit::Exit { at: exit, kinds });
    let cop = cop(&mut app, 0, 0, 1);
    let robber = robber(&mut app, 4, 0);
    run(&mut app, 8 * 16);
    assert_eq!(at(&app, robber), exit);
    let told = &app.world().resource::<Told>().0;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].robber, told[0].map), (robber, map));
    assert!(app.world().get::<Away>(robber).is_some());
    // The cop has nobody to chase.
    let stands = at(&app, cop);
    run(&mut app, 4 * 16);
    assert_eq!(at(&app, cop), stands);
    app.world_mut()
        .entity_mut(robber)
        .insert(GridPosition::new(6, 1))
        .remove::<Away>();
    run(&mut app, 8 * 16);
    assert!(app.world().get::<Away>(robber).is_some(), "away again");
    assert_eq!(app.world().resource::<Told>().0.len(), 2);
}

#[test]
fn a_cop_with_reach_captures_across_a_tile() {
    let mut app = app();
    let map = spawn_map(&mut app, &["......"]);
    let cop = cop(&mut app, 0, 0, 1);
    let robber = robber(&mut app, 5, 0);
    app.world_mut().entity_mut(cop).insert(Reach(2));
    run(&mut app, 10 * 16);
    let caught = app.world().get::<Caught>(robber).expect("captured");
    assert_eq!(caught.by, cop);
    assert_eq!(
        (at(&app, cop), at(&app, robber)),
        (IVec2::new(3, 0), IVec2::new(5, 0))
    );
    let _ = map;
}

#[test]
fn a_level_with_exits_and_a_house_of_ghosts_plays_with_them() {
    let level = r#"(
        name: "ghosts",
        legend: { 'C': Cop(), 'R': Robber(kinds: [1]), 'E': Exit, 'h': CopsOnly, 'v': Tile(passable: true, kinds: [1]) },
        rows: [
            "@@@@@@@@@",
            "Ch.R..v.E",
            "@@@@@@@@@",
        ],
    )"#;
    let level = PursuitLevel::parse(level).expect("a level");
    let mut app = app();
    app.world_mut().commands().spawn_level(&level);
    run(&mut app, 16 * 8);
    let mut away = app.world_mut().query::<(&GridPosition, &Away)>();
    let away: Vec<IVec2> = away.iter(app.world()).map(|(at, _)| at.0).collect();
    assert_eq!(away, [IVec2::new(8, 1)]);
}

#[cfg(feature = "tilemap")]
mod layers {
    use super::*;
    use crate::tilemap;
    use bevy_ecs_tilemap::prelude::TilemapSize;
    use bevy_pursuit::engine::map::Opacity;
    use bevy_pursuit::{LayerRules, TileKinds, TileOpacity, TileSlow};

    /// What a walker of some kinds, and a look across the middle of row 1, meet.
    fn ask(app: &App, layer: Entity) -> (Option<usize>, bool) {
        let live = app.world().get::<LiveMap>(layer).expect("a map");
        let tile = IVec2::new;
        (
            live.distance(tile(0, 0), tile(4, 0)),
            live.sees(tile(1, 1), tile(3, 1)),
        )
    }

    /// How long a step onto the tile (3, 0) takes.
    fn step_time(app: &App, layer: Entity) -> u8 {
        let live = app.world().get::<LiveMap>(layer).expect("a map");
        let graph = live.world().expect("a world").graph();
        let cell = live.cell(IVec2::new(3, 0)).expect("on the map");
        graph.step_time(graph.vertex(cell).expect("floor"))
    }

    #[test]
    fn tiles_say_who_enters_and_what_is_seen_and_a_layer_that_is_read_again_keeps_it() {
        let (mut app, layer) = tilemap::app();
        assert_eq!(ask(&app, layer), (Some(4), false));
        let door = tilemap::tile_at(&mut app, 2, 0);
        app.world_mut().entity_mut(door).insert(TileKinds(KEY));
        // The wall in row 1 is of glass.
        let wall = tilemap::tile_at(&mut app, 2, 1);
        let glass = TileOpacity(Opacity::Transparent);
        app.world_mut().entity_mut(wall).insert(glass);
        let mud = tilemap::tile_at(&mut app, 3, 0);
        app.world_mut().entity_mut(mud).insert(TileSlow(4));
        let link = TileEdit::Link {
            from: IVec2::new(0, 0),
            to: IVec2::new(3, 0),
            open: true,
        };
        app.world_mut()
            .entity_mut(layer)
            .insert(LayerRules(vec![link]));
        app.update();
        app.update();
        let around = ask(&app, layer).0;
        assert!(around.is_some_and(|steps| steps > 4), "{around:?}");
        assert!(ask(&app, layer).1);
        // Read again, with the same size.
        let size = *app.world().get::<TilemapSize>(layer).expect("a size");
        app.world_mut().entity_mut(layer).remove::<TilemapSize>();
        app.update();
        app.world_mut().entity_mut(layer).insert(size);
        for _ in 0..4 {
            app.update();
        }
        assert_eq!(
            ask(&app, layer),
            (Some(2), true),
            "the link of the layer, and the glass"
        );
        assert_eq!(step_time(&app, layer), 4, "the mud");
        app.world_mut().entity_mut(mud).remove::<TileSlow>();
        app.world_mut().entity_mut(door).remove::<TileKinds>();
        app.world_mut().despawn(wall);
        for _ in 0..2 {
            app.update();
        }
        assert!(!ask(&app, layer).1, "the glass has gone");
        assert_eq!(step_time(&app, layer), 1, "the mud has dried");
    }
}
