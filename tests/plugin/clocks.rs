//! The turn clocks of pursuits and maps.

use crate::common::app::*;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::TurnClock;
use bevy_pursuit::prelude::*;

#[test]
fn the_clock_of_a_pursuit_stands_still_while_its_map_is_disabled() {
    let mut app = app();
    let map = yard(&mut app);
    let pursuit = app.world_mut().spawn(Pursuit::default()).id();
    for agent in [cop(&mut app, 0, 0, 1), robber(&mut app, 9, 6)] {
        app.world_mut().entity_mut(agent).insert(InPursuit(pursuit));
    }
    run(&mut app, 4);
    let clock = |app: &App| *app.world().get::<TurnClock>(pursuit).expect("a clock");
    let before = clock(&app);
    assert!(before.turn > 1 && before.begins());
    app.world_mut().entity_mut(map).insert(Disabled);
    for _ in 0..3 {
        app.update();
        let now = clock(&app);
        assert_eq!((now.turn, now.tick, now.length), (before.turn, 0, 1));
        assert!(!now.begins(), "no turn begins while nothing moves");
    }
    app.world_mut().entity_mut(map).remove::<Disabled>();
    app.update();
    assert_eq!(clock(&app).turn, before.turn + 1);
    assert!(clock(&app).begins());
}

#[test]
fn a_turn_that_is_taken_back_begins_again() {
    let mut app = app();
    let map = yard(&mut app);
    for agent in [cop(&mut app, 0, 0, 1), robber(&mut app, 9, 6)] {
        app.world_mut().entity_mut(agent).insert(OnMap(map));
    }
    run(&mut app, 4);
    let saved = app.world().get::<LiveMap>(map).expect("a map").snapshot();
    let clock = |app: &App| *app.world().get::<TurnClock>(map).expect("a clock");
    app.update();
    let turn = clock(&app).turn;
    app.world_mut()
        .restore_map(map, saved.expect("a save"), Some)
        .expect("a sound one");
    app.update();
    assert_eq!((clock(&app).turn, clock(&app).begins()), (turn, true));
}
