//! Links, thin walls, one-way edges and sight in play: bodies, queries, saves and bad input.

use crate::common;
use crate::common::app::{app, at, run};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::TileEdit;
use bevy_pursuit::engine::map::Opacity;
use bevy_pursuit::prelude::*;

const STREET: &str = "....................";

fn live(app: &mut App, map: Entity) -> Mut<'_, LiveMap> {
    app.world_mut().get_mut::<LiveMap>(map).expect("a map")
}

fn x(x: i32) -> IVec2 {
    IVec2::new(x, 0)
}

#[test]
fn a_body_jumps_through_a_link_and_glides_everywhere_else() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // the first update starts time and has no tick yet
    let map = PursuitMap::new(&common::map(&[STREET]), Moves::Octile);
    let map = app.world_mut().spawn((map, MapGeometry::squares(1.0))).id();
    let goal = AgentControl::WalkTo(x(19));
    let walker = (Robber, GridPosition::new(0, 0), Glide, goal);
    let walker = app.world_mut().spawn(walker).id();
    live(&mut app, map).set_link(x(2), x(17), true);
    let mut places = Vec::new();
    for _ in 0..200 {
        app.update();
        let transform = app.world().get::<Transform>(walker).expect("a body");
        places.push(transform.translation.x);
    }
    assert_eq!(at(&app, walker), x(19));
    let jumps = places
        .windows(2)
        .filter(|pair| (pair[1] - pair[0]).abs() > 1.0);
    assert_eq!(jumps.count(), 1, "{places:?}");
    let between = places.iter().filter(|&&x| x > 2.6 && x < 16.4);
    assert_eq!(between.count(), 0, "{places:?}");
}

#[test]
fn queries_know_links_walls_and_glass_and_so_does_a_restored_game() {
    let mut app = app();
    let map = PursuitMap::new(
        &common::map(&[STREET, "....#..............."]),
        Moves::Octile,
    );
    let map = app.world_mut().spawn(map).id();
    run(&mut app, 1);
    let ask = |app: &App| {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        [(0, 19), (19, 0)].map(|(from, to)| live.distance(x(from), x(to)))
    };
    assert_eq!(ask(&app), [Some(19), Some(19)]);
    let mut edit = live(&mut app, map);
    edit.edit(TileEdit::Link {
        from: x(1),
        to: x(18),
        open: true,
    });
    edit.set_wall(IVec2::new(10, 1), IVec2::new(11, 1), true);
    edit.edit(TileEdit::Sight {
        at: x(4),
        opacity: Opacity::Transparent,
    });
    edit.edits().edit(TileEdit::Sight {
        at: x(8),
        opacity: Opacity::Opaque,
    });
    run(&mut app, 1);
    assert_eq!(
        ask(&app),
        [Some(3), Some(19)],
        "there through the link, back on foot"
    );
    let sees = |app: &App, from: (i32, i32), to: (i32, i32)| {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        live.sees(from.into(), to.into())
    };
    let views = |app: &App| {
        [
            sees(app, (3, 0), (5, 0)),
            sees(app, (7, 0), (9, 0)),
            sees(app, (10, 1), (11, 1)),
        ]
    };
    assert_eq!(views(&app), [true, false, false]);
    let snapshot = live(&mut app, map).snapshot().expect("a map in play");
    let mut edit = live(&mut app, map);
    edit.set_link(x(1), x(18), false);
    edit.set_wall(IVec2::new(10, 1), IVec2::new(11, 1), false);
    run(&mut app, 1);
    assert_eq!(ask(&app), [Some(19), Some(19)]);
    app.world_mut()
        .restore_map(map, snapshot, Some)
        .expect("the same map");
    run(&mut app, 1);
    assert_eq!(ask(&app), [Some(3), Some(19)]);
    assert_eq!(views(&app), [true, false, false]);
}

#[test]
fn edits_that_join_nothing_change_nothing_and_the_game_goes_on() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&[STREET, STREET]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    run(&mut app, 1);
    let fingerprint = |app: &App| {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        live.world().map(|world| world.graph().fingerprint())
    };
    let before = fingerprint(&app);
    let mut edit = live(&mut app, map);
    edit.set_link(x(3), x(3), true);
    edit.set_link(x(3), x(20), true);
    edit.set_link(x(-1), x(3), true);
    edit.set_wall(x(3), x(5), true);
    edit.set_wall(x(19), x(20), true);
    edit.edit(TileEdit::Edge {
        from: x(3),
        to: IVec2::new(4, 1),
        open: false,
    });
    edit.edit(TileEdit::Diagonals {
        at: IVec2::MAX,
        allowed: false,
    });
    edit.edit(TileEdit::Sight {
        at: IVec2::MIN,
        opacity: Opacity::Opaque,
    });
    run(&mut app, 3);
    assert_eq!(fingerprint(&app), before);
}
