//! Agents from which the game removes components that they need.

use crate::common::app::*;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::PlannedPath;
use bevy_pursuit::prelude::*;

/// The tile of an agent in the world of its map.
fn tile_in_world(app: &App, map: Entity, agent: Entity) -> Option<IVec2> {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    let mut agents = map.world().expect("a world").agents();
    let user = agent.to_bits();
    let record = agents.find(|(_, record)| record.setup().user == user)?.1;
    Some(map.position(record.setup().cell))
}

#[test]
fn an_agent_without_speed_or_control_has_the_defaults_and_obeys_the_game() {
    let mut app = app();
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let agent = cop(&mut app, 0, 0, 3);
    app.world_mut()
        .entity_mut(agent)
        .insert(AgentControl::External);
    run(&mut app, 3);
    let mut entity = app.world_mut().entity_mut(agent);
    entity.remove::<(PursuitSpeed, AgentControl)>();
    assert_eq!(entity.get::<PursuitSpeed>(), Some(&PursuitSpeed(1)));
    assert_eq!(entity.get::<AgentControl>(), Some(&AgentControl::Policy));
    let before = at(&app, agent);
    run(&mut app, 2);
    let steps = (at(&app, agent) - before).max_element();
    assert!((1..=2).contains(&steps), "{steps} steps in two turns");
    app.world_mut()
        .entity_mut(agent)
        .insert((GridPosition::new(0, 3), AgentControl::External));
    run(&mut app, 2);
    assert_eq!(at(&app, agent), IVec2::new(0, 3));
    assert_eq!(tile_in_world(&app, map, agent), Some(IVec2::new(0, 3)));
}

#[test]
fn no_other_required_component_is_missed_either() {
    let mut app = app();
    let map = yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    let agent = cop(&mut app, 0, 0, 1);
    run(&mut app, 3);
    let here = at(&app, agent);
    let mut entity = app.world_mut().entity_mut(agent);
    entity.remove::<(GridPosition, NextStep, PlannedPath, PursuitState)>();
    assert_eq!(at(&app, agent), here);
    run(&mut app, 40);
    assert_eq!(tile_in_world(&app, map, agent), Some(at(&app, agent)));
    assert!(app.world().get::<Caught>(robber).is_some() || at(&app, agent) != here);
}

#[test]
fn an_agent_that_is_disabled_meanwhile_joins_again() {
    let mut app = app();
    let map = yard(&mut app);
    let agent = cop(&mut app, 0, 0, 2);
    run(&mut app, 2);
    app.world_mut().entity_mut(agent).insert(Disabled);
    run(&mut app, 2);
    assert_eq!(tile_in_world(&app, map, agent), None);
    app.world_mut()
        .entity_mut(agent)
        .remove::<PursuitSpeed>()
        .remove::<Disabled>();
    run(&mut app, 2);
    assert_eq!(tile_in_world(&app, map, agent), Some(IVec2::ZERO));
}

#[test]
fn what_is_no_agent_any_more_gets_nothing_back() {
    let mut app = app();
    yard(&mut app);
    let agents = [cop(&mut app, 0, 0, 2), cop(&mut app, 3, 0, 2)];
    run(&mut app, 2);
    app.world_mut().despawn(agents[0]);
    let mut entity = app.world_mut().entity_mut(agents[1]);
    entity.remove::<(Cop, PursuitSpeed)>();
    assert!(!entity.contains::<PursuitSpeed>());
    entity.remove_with_requires::<Robber>();
    entity.insert(Cop).remove_with_requires::<Cop>();
    assert!(!entity.contains::<PursuitSpeed>() && !entity.contains::<GridPosition>());
    run(&mut app, 2);
}
