//! Restoring into games that have changed since the save: no ghosts, no agent twice, and the settings of
//! the game.

use crate::common;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, Source};
use bevy_pursuit::prelude::*;
use common::app::{app, at, cop, robber, run, state, turns_of, yard};

fn snapshot(app: &App, map: Entity) -> bevy_pursuit::engine::world::Snapshot {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.snapshot().expect("a map")
}

fn restore(app: &mut App, map: Entity, saved: bevy_pursuit::engine::world::Snapshot) {
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("a valid save");
}

fn agents(app: &App, map: Entity) -> usize {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.world().expect("a map").agents().count()
}

#[test]
fn cops_whose_entities_are_gone_capture_nobody() {
    let mut app = app();
    let map = yard(&mut app);
    let (cop, robber) = (cop(&mut app, 3, 0, 2), robber(&mut app, 5, 0));
    run(&mut app, 1);
    let saved = snapshot(&app, map);
    app.world_mut().despawn(cop);
    run(&mut app, 1);
    restore(&mut app, map, saved);
    run(&mut app, 60);
    assert_eq!(agents(&app, map), 1);
    assert!(app.world().get::<Caught>(robber).is_none());
}

#[test]
fn an_agent_that_has_gone_to_another_map_comes_back_and_is_not_on_two() {
    let mut app = app();
    let (here, there) = (yard(&mut app), yard(&mut app));
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut().entity_mut(cop).insert(OnMap(here));
    run(&mut app, 2);
    let saved = snapshot(&app, here);
    let place = at(&app, cop);
    app.world_mut()
        .entity_mut(cop)
        .insert((OnMap(there), GridPosition::new(9, 6)));
    run(&mut app, 2);
    assert_eq!([agents(&app, here), agents(&app, there)], [0, 1]);
    restore(&mut app, here, saved);
    for _ in 0..5 {
        app.update();
        assert_eq!([agents(&app, here), agents(&app, there)], [1, 0]);
        assert_eq!(app.world().get::<OnMap>(cop).map(|on| on.0), Some(here));
        assert_eq!(at(&app, cop), place);
    }
}

#[test]
fn settings_after_a_restore_are_those_of_the_resource() {
    let mut app = app();
    let map = yard(&mut app);
    cop(&mut app, 0, 0, 1);
    run(&mut app, 2);
    let saved = snapshot(&app, map);
    app.insert_resource(turns_of(7));
    run(&mut app, 2);
    restore(&mut app, map, saved);
    run(&mut app, 1);
    let map = app.world().get::<LiveMap>(map).expect("a map");
    assert_eq!(map.world().expect("a map").settings().ticks_per_turn, 7);
}

/// Nothing is left of the game's later actions, not even for agents off the map.
#[test]
fn an_agent_that_was_beside_the_map_is_there_again() {
    // Positions are kept up to half of 65,536 tiles beyond the map.
    let cases = [
        ((10, 0), (10, 0)),
        ((0, 7), (0, 7)),
        ((-1, 3), (-1, 3)),
        ((-40, -200), (-40, -200)),
        ((300, 70_000), (300, 32_770)),
    ];
    for (beside, expected) in cases.map(|(a, b)| (IVec2::from(a), IVec2::from(b))) {
        let mut app = app();
        let map = yard(&mut app);
        let cop = cop(&mut app, 0, 0, 1);
        robber(&mut app, 9, 6);
        let put = |app: &mut App, to: IVec2| {
            app.world_mut().entity_mut(cop).insert(GridPosition(to));
        };
        put(&mut app, beside);
        run(&mut app, 3);
        let saved = snapshot(&app, map);
        put(&mut app, IVec2::new(3, 0));
        run(&mut app, 3);
        restore(&mut app, map, saved);
        run(&mut app, 3);
        let off = bevy_pursuit::debug::IdleReason::OffTheMap;
        assert_eq!(state(&app, cop), DecidedBy::Nobody(off));
        assert_eq!(at(&app, cop), expected);
        put(&mut app, IVec2::new(4, 3));
        run(&mut app, 3);
        assert_eq!(state(&app, cop), DecidedBy::Policy(Source::Search));
    }
}

#[test]
fn an_agent_beside_the_map_neither_steps_onto_it_nor_is_feared() {
    let mut app = app();
    yard(&mut app);
    let cop = cop(&mut app, 10, 0, 1);
    let robber = robber(&mut app, 9, 0);
    run(&mut app, 3);
    let nobody = bevy_pursuit::debug::IdleReason::NobodyThere;
    assert_eq!(state(&app, robber), DecidedBy::Nobody(nobody));
    app.world_mut()
        .entity_mut(cop)
        .insert(MoveOrder(vec![IVec2::new(9, 0)]));
    run(&mut app, 3);
    assert_eq!(at(&app, cop), IVec2::new(10, 0));
    assert!(app.world().get::<Caught>(robber).is_none());
}

/// Setting a component to its saved value is not a new errand.
#[test]
fn whoever_has_arrived_is_not_sent_again_by_a_restore() {
    #[derive(Resource, Default)]
    struct Told(u32);
    let mut app = app();
    app.init_resource::<Told>()
        .add_observer(|_: On<Arrived>, mut told: ResMut<Told>| told.0 += 1);
    let map = yard(&mut app);
    let walker = cop(&mut app, 0, 0, 1);
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::WalkTo(IVec2::new(2, 0)));
    run(&mut app, 80);
    let saved = snapshot(&app, map);
    run(&mut app, 3);
    restore(&mut app, map, saved);
    run(&mut app, 40);
    assert_eq!(app.world().resource::<Told>().0, 1);
    // The same errand changes nothing, and another one is told.
    for (x, told) in [(2, 1), (3, 2)] {
        let errand = AgentControl::WalkTo(IVec2::new(x, 0));
        app.world_mut().entity_mut(walker).insert(errand);
        run(&mut app, 40);
        assert_eq!(app.world().resource::<Told>().0, told, "to column {x}");
    }
}
