//! Tactics of single agents: written, removed, saved.

use crate::common;
use crate::common::app::{app, at, run};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

fn spawn_map(app: &mut App, rows: &[&str]) -> Entity {
    let map = PursuitMap::new(&common::map(rows), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    run(app, 1);
    map
}

fn standing(x: i32, y: i32) -> impl Bundle {
    (Robber, GridPosition::new(x, y), AgentControl::External)
}

/// A sniper keeps its distance beside a cop that chases, and chases when it loses its tactics. A saved game gives them back.
#[test]
fn an_agent_has_tactics_of_its_own_until_they_are_removed() {
    let mut app = app();
    let map = spawn_map(&mut app, &["............", "............"]);
    let robber = app.world_mut().spawn(standing(11, 0)).id();
    let sniper = (Cop, GridPosition::new(0, 0), Tactics::Keep(4));
    let sniper = app.world_mut().spawn(sniper).id();
    run(&mut app, 20);
    assert_eq!(at(&app, sniper).x, 7);
    let saved = {
        let live = app.world().get::<LiveMap>(map).expect("a map");
        live.snapshot().expect("a snapshot")
    };
    app.world_mut().entity_mut(sniper).remove::<Tactics>();
    run(&mut app, 10);
    assert!(app.world().get::<Caught>(robber).is_some());
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("the same game");
    run(&mut app, 10);
    assert!(app.world().get::<Caught>(robber).is_none());
    assert_eq!(at(&app, sniper).x, 7);
    let tactics = app.world().get::<Tactics>(sniper);
    assert_eq!(tactics, Some(&Tactics::Keep(4)));
    app.world_mut().entity_mut(sniper).insert(Tactics::Chase);
    run(&mut app, 10);
    assert!(app.world().get::<Caught>(robber).is_some());
}

/// Tactics of a map or of a pursuit are those of all its cops without tactics of their own.
#[test]
fn tactics_of_a_map_are_the_default_of_its_agents() {
    let mut app = app();
    let map = spawn_map(&mut app, &["............", "............"]);
    app.world_mut().entity_mut(map).insert(Tactics::Keep(3));
    let robber = app.world_mut().spawn(standing(11, 0)).id();
    let keeper = (Cop, GridPosition::new(0, 0));
    let keeper = app.world_mut().spawn(keeper).id();
    run(&mut app, 20);
    assert_eq!(at(&app, keeper).x, 8);
    let chaser = (Cop, GridPosition::new(0, 1), Tactics::Chase);
    app.world_mut().spawn(chaser);
    run(&mut app, 20);
    assert!(app.world().get::<Caught>(robber).is_some());
    assert_eq!(at(&app, keeper).x, 8);
}
