//! Agents of several tiles: the component, queries, saves, and the place of the body.

use crate::common;
use crate::common::app::{app, at, cop, robber, run};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{BodySize, Kinds, TileEdit, Walker};

const LARGE: Walker = Walker {
    kinds: Kinds::NONE,
    size: BodySize::TWO,
};

fn spawn_map(app: &mut App, rows: &[&str]) -> Entity {
    let map = PursuitMap::new(&common::map(rows), Moves::Octile);
    app.world_mut().spawn(map).id()
}

fn live(app: &App, map: Entity) -> &LiveMap {
    app.world().get::<LiveMap>(map).expect("a map")
}

#[test]
fn a_large_agent_waits_for_a_wider_gap_and_a_shrunk_one_does_not() {
    let mut app = app();
    let map = spawn_map(&mut app, &["...#....", "........", "...#...."]);
    let goal = IVec2::new(6, 2);
    let walkers = [0, 1].map(|_| {
        let walker = cop(&mut app, 0, 2, 1);
        let mut entity = app.world_mut().entity_mut(walker);
        entity.insert((BodySize::TWO, AgentControl::WalkTo(goal)));
        walker
    });
    run(&mut app, 12 * 16);
    assert!(walkers.iter().all(|&walker| at(&app, walker).x < 2));
    assert_eq!(
        live(&app, map).distance_for(LARGE, IVec2::new(0, 2), goal),
        None
    );
    assert!(live(&app, map).is_passable_for(LARGE, IVec2::new(0, 2)));
    assert!(
        !live(&app, map).is_passable_for(LARGE, IVec2::new(2, 2)),
        "a wall"
    );
    assert!(
        !live(&app, map).is_passable_for(LARGE, IVec2::new(7, 2)),
        "the edge of the map"
    );
    app.world_mut().entity_mut(walkers[0]).remove::<BodySize>();
    run(&mut app, 12 * 16);
    assert_eq!(at(&app, walkers[0]), goal);
    assert!(at(&app, walkers[1]).x < 2);
    // A saved game knows the size.
    let saved = live(&app, map).snapshot().expect("a snapshot");
    let edit = TileEdit::Passable {
        at: IVec2::new(3, 2),
        passable: true,
    };
    let mut here = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    here.edit(edit);
    run(&mut app, 12 * 16);
    assert_eq!(at(&app, walkers[1]), goal);
    app.world_mut().entity_mut(walkers[1]).insert(BodySize::ONE);
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("the same game");
    run(&mut app, 12 * 16);
    let sizes = walkers.map(|walker| app.world().get::<BodySize>(walker).copied());
    assert_eq!(sizes, [None, Some(BodySize::TWO)]);
    assert!(at(&app, walkers[1]).x < 2);
}

#[test]
fn a_large_cop_captures_with_any_of_its_tiles() {
    let mut app = app();
    let map = spawn_map(&mut app, &[".........", ".........", "........."]);
    let cop = cop(&mut app, 0, 2, 1);
    app.world_mut().entity_mut(cop).insert(BodySize::THREE);
    let robber = robber(&mut app, 8, 0);
    app.world_mut().entity_mut(robber).insert(PursuitSpeed(0));
    run(&mut app, 8 * 16);
    assert_eq!(app.world().get::<Caught>(robber).expect("captured").by, cop);
    assert_eq!(
        at(&app, cop),
        IVec2::new(6, 2),
        "its right column is at the robber"
    );
    let _ = map;
}

#[test]
fn the_body_of_a_large_agent_is_in_the_middle_of_its_tiles() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let squares = MapGeometry::squares(16.0);
    let map = PursuitMap::new(&common::map(&["....", "....", "...."]), Moves::Octile);
    app.world_mut().spawn((map, squares));
    let agent = (
        Cop,
        GridPosition::new(1, 2),
        Glide,
        DesiredMotion::default(),
    );
    let [small, large] = [BodySize::ONE, BodySize::THREE].map(|size| {
        let agent = app.world_mut().spawn((agent, size));
        agent.id()
    });
    common::app::run(&mut app, 20);
    let place = |agent| {
        let transform = app.world().get::<Transform>(agent).expect("a body");
        transform.translation.truncate()
    };
    assert_eq!(place(small), squares.center(IVec2::new(1, 2)));
    assert_eq!(place(large), squares.center(IVec2::new(2, 1)));
    let motion = app.world().get::<DesiredMotion>(large).expect("a motion");
    assert_eq!(motion.position, place(large));
}

#[test]
fn a_level_spawns_its_large_agents() {
    let level = r#"(
        name: "yard",
        legend: { 'C': Cop(size: 2), 'R': Robber() },
        rows: [
            "C......",
            "....##.",
            "....##R",
        ],
    )"#;
    let level = PursuitLevel::parse(level).expect("a level");
    let mut app = app();
    app.world_mut().commands().spawn_level(&level);
    run(&mut app, 2);
    let mut cops = app.world_mut().query::<(&GridPosition, &BodySize)>();
    let cops: Vec<_> = cops
        .iter(app.world())
        .map(|(at, size)| (at.0, *size))
        .collect();
    let [(at, size)] = cops[..] else {
        panic!("one cop: {cops:?}");
    };
    // Its upper left tile may have moved by the steps of two turns.
    assert_eq!((at.y, size), (2, BodySize::TWO));
    assert!(at.x <= 2, "{at}");
}
