//! Agents that take room, and a game that says no.

use crate::common;
use crate::common::app::{app, at, cop, robber, run};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MoveRule, MoveVerdict, Solid};
use std::collections::BTreeSet;

fn spawn_map(app: &mut App, rows: &[&str]) -> Entity {
    let map = PursuitMap::new(&common::map(rows), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    run(app, 1);
    map
}

/// Eight cops in a narrow street queue behind a robber that stands, and the first one captures it. Without `Solid` they stand
/// on each other. A saved game knows who is solid.
#[test]
fn solid_cops_queue() {
    for is_solid in [true, false] {
        let mut app = app();
        let map = spawn_map(&mut app, &["............", "#.##########"]);
        let goal = IVec2::new(11, 1);
        let cops: Vec<Entity> = (0..8)
            .map(|index| {
                let walker = cop(&mut app, index % 4, 1, 1);
                let mut walker = app.world_mut().entity_mut(walker);
                walker.insert(AgentControl::WalkTo(goal));
                walker.id()
            })
            .collect();
        for &cop in &cops {
            if is_solid {
                app.world_mut().entity_mut(cop).insert(Solid);
            }
        }
        run(&mut app, 30);
        let tiles: BTreeSet<(i32, i32)> = cops.iter().map(|&cop| at(&app, cop).into()).collect();
        assert_eq!(tiles.len(), if is_solid { 8 } else { 1 }, "{tiles:?}");
        let saved = {
            let live = app.world().get::<LiveMap>(map).expect("a map");
            live.snapshot().expect("a snapshot")
        };
        app.world_mut().entity_mut(cops[0]).remove::<Solid>();
        app.world_mut()
            .restore_map(map, saved, Some)
            .expect("the same game");
        run(&mut app, 1);
        let solid = app.world().get::<Solid>(cops[0]).is_some();
        assert_eq!(solid, is_solid);
    }
}

/// Nobody enters the middle column of the map as long as the rule says no; then the cop captures the robber behind it.
#[test]
fn a_rule_of_the_game_keeps_agents_out_until_it_goes() {
    let mut app = app();
    spawn_map(&mut app, &[".........", "........."]);
    app.insert_resource(MoveRule::new(|wish| {
        if wish.tiles.iter().any(|tile| tile.x == 4) {
            MoveVerdict::Refuse
        } else {
            MoveVerdict::Allow
        }
    }));
    let hunter = cop(&mut app, 0, 0, 2);
    let prey = robber(&mut app, 8, 0);
    app.world_mut()
        .entity_mut(prey)
        .insert(AgentControl::External);
    for _ in 0..40 {
        run(&mut app, 1);
        assert!(at(&app, hunter).x < 4);
    }
    app.world_mut().remove_resource::<MoveRule>();
    run(&mut app, 10);
    assert!(app.world().get::<Caught>(prey).is_some());
}

/// A rule may name another step, and a tile off the map counts as a refusal.
#[test]
fn a_rule_of_the_game_leads_agents_elsewhere() {
    let mut app = app();
    spawn_map(&mut app, &[".........", "........."]);
    app.insert_resource(MoveRule::new(|wish| {
        MoveVerdict::Instead(wish.from + IVec2::new(-1, 0))
    }));
    let walker = cop(&mut app, 4, 0, 1);
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::WalkTo(IVec2::new(8, 0)));
    run(&mut app, 4);
    assert_eq!(at(&app, walker), IVec2::new(1, 0));
    run(&mut app, 10);
    assert_eq!(at(&app, walker), IVec2::new(0, 0));
}
