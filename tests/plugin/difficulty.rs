//! Difficulty: the dial of an agent, a pursuit and a map, and what it comes to.

use crate::common::app::{app, cop, robber, run, yard};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Difficulty, PursuitAgents, Reaction};
use pursuit_engine::world::Snapshot;

/// The mistakes of a thousand moves and the reaction time that an agent plays with.
fn weakness(app: &App, map: Entity, agent: Entity) -> (u16, u8) {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    let mut agents = map.world().expect("a world").agents();
    let is_it = |setup: &pursuit_engine::world::AgentSetup| setup.user == agent.to_bits();
    let found = agents.find_map(|(_, agent)| is_it(agent.setup()).then(|| *agent.setup()));
    let setup = found.expect("an agent of the map");
    (setup.mistakes, setup.reaction)
}

fn insert(app: &mut App, entity: Entity, bundle: impl Bundle) {
    app.world_mut().entity_mut(entity).insert(bundle);
    run(app, 1);
}

fn remove<B: Bundle>(app: &mut App, entity: Entity) {
    app.world_mut().entity_mut(entity).remove::<B>();
    run(app, 1);
}

fn save(app: &App, map: Entity) -> Snapshot {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.snapshot().expect("a world")
}

fn restore(app: &mut App, map: Entity, saved: &Snapshot) {
    let world = app.world_mut();
    world
        .restore_map(map, saved.clone(), Some)
        .expect("its own");
    run(app, 2);
}

#[test]
fn the_dial_of_an_agent_comes_to_mistakes_and_reaction() {
    let mut app = app();
    let map = yard(&mut app);
    let (robber, cop) = (robber(&mut app, 9, 6), cop(&mut app, 0, 0, 1));
    run(&mut app, 1);
    for agent in [robber, cop] {
        assert_eq!(weakness(&app, map, agent), (0, 0));
        for (difficulty, means) in [
            (0.0, (500, 6)),
            (0.5, (250, 3)),
            (1.0, (0, 0)),
            (-7.0, (500, 6)),
            (f32::NAN, (0, 0)),
        ] {
            insert(&mut app, agent, Difficulty(difficulty));
            assert_eq!(weakness(&app, map, agent), means, "{difficulty}");
        }
        insert(&mut app, agent, Difficulty(0.0));
        // What the agent has of its own wins.
        insert(&mut app, agent, Mistakes(0.1));
        assert_eq!(weakness(&app, map, agent), (100, 6));
        insert(&mut app, agent, Reaction(0));
        assert_eq!(weakness(&app, map, agent), (100, 0));
        app.world_mut().get_mut::<Reaction>(agent).expect("there").0 = 9;
        run(&mut app, 1);
        assert_eq!(weakness(&app, map, agent), (100, 9));
        remove::<Mistakes>(&mut app, agent);
        remove::<Reaction>(&mut app, agent);
        assert_eq!(weakness(&app, map, agent), (500, 6));
        remove::<Difficulty>(&mut app, agent);
        assert_eq!(weakness(&app, map, agent), (0, 0));
    }
}

#[test]
fn the_dial_of_a_pursuit_or_a_map_holds_for_its_agents() {
    let mut app = app();
    let map = yard(&mut app);
    let pursuit = related!(PursuitAgents[
        (Cop, GridPosition::new(0, 0), AgentControl::External),
        (Robber, GridPosition::new(9, 6), AgentControl::External),
    ]);
    let pursuit = app
        .world_mut()
        .spawn((Pursuit::default(), Difficulty(0.5), pursuit))
        .id();
    let agents = app.world().get::<PursuitAgents>(pursuit).expect("two");
    let agents: Vec<Entity> = agents.iter().collect();
    let other = cop(&mut app, 3, 3, 1);
    run(&mut app, 2);
    let all = |app: &App, agents: &[Entity]| -> Vec<(u16, u8)> {
        let of = agents.iter().map(|&agent| weakness(app, map, agent));
        of.collect()
    };
    assert_eq!(all(&app, &agents), [(250, 3); 2]);
    assert_eq!(weakness(&app, map, other), (0, 0));
    insert(&mut app, pursuit, Difficulty(0.0));
    assert_eq!(all(&app, &agents), [(500, 6); 2]);
    insert(&mut app, map, Difficulty(0.5));
    assert_eq!(all(&app, &agents), [(500, 6); 2]);
    assert_eq!(weakness(&app, map, other), (250, 3));
    // An agent's own dial wins, also one at full strength.
    insert(&mut app, agents[0], Difficulty(1.0));
    assert_eq!(all(&app, &agents), [(0, 0), (500, 6)]);
    remove::<Difficulty>(&mut app, agents[0]);
    remove::<Difficulty>(&mut app, pursuit);
    assert_eq!(all(&app, &agents), [(0, 0); 2]);
    // An agent that changes pursuits takes over the dial of the new one.
    remove::<InPursuit>(&mut app, agents[0]);
    assert_eq!(all(&app, &agents), [(250, 3), (0, 0)]);
    app.world_mut().despawn(pursuit);
    run(&mut app, 1);
    assert_eq!(all(&app, &agents), [(250, 3); 2]);
    remove::<Difficulty>(&mut app, map);
    assert_eq!(all(&app, &[agents[0], agents[1], other]), [(0, 0); 3]);
}

#[test]
fn restored_agents_play_as_they_did() {
    let mut app = app();
    let map = yard(&mut app);
    let (robber, cop) = (robber(&mut app, 9, 6), cop(&mut app, 0, 0, 1));
    app.world_mut().entity_mut(cop).insert(Difficulty(0.3));
    app.world_mut().entity_mut(map).insert(Difficulty(0.5));
    run(&mut app, 1);
    let saved = save(&app, map);
    let means = |app: &App| [robber, cop].map(|agent| weakness(app, map, agent));
    let before = means(&app);
    assert_eq!(before, [(250, 3), (350, 4)]);
    // Nothing has changed, and nothing is written.
    restore(&mut app, map, &saved);
    assert_eq!(means(&app), before);
    let of = |app: &App, agent| app.world().get::<Difficulty>(agent).copied();
    assert_eq!(of(&app, cop), Some(Difficulty(0.3)));
    assert!(!app.world().entity(cop).contains::<Mistakes>());
    assert!(!app.world().entity(robber).contains::<Mistakes>());
    // The dial has been turned since: it is turned back.
    insert(&mut app, cop, Difficulty(0.9));
    restore(&mut app, map, &saved);
    assert_eq!(means(&app), before);
    let is_back = of(&app, cop).is_some_and(|dial| (dial.0 - 0.3).abs() < 1e-3);
    assert!(is_back, "{:?}", of(&app, cop));
    // Own components that came since go, and those that went come back in what they come to.
    insert(&mut app, cop, (Mistakes(1.0), Reaction(1)));
    insert(&mut app, robber, Reaction(200));
    restore(&mut app, map, &saved);
    assert_eq!(means(&app), before);
    assert!(!app.world().entity(robber).contains::<Reaction>());
    remove::<(Difficulty, Mistakes, Reaction)>(&mut app, cop);
    restore(&mut app, map, &saved);
    assert_eq!(means(&app), before);
    // The dial of the map has been turned: it stays, and the agents play as they did.
    insert(&mut app, map, Difficulty(1.0));
    restore(&mut app, map, &saved);
    assert_eq!(means(&app), before);
    assert_eq!(of(&app, map), Some(Difficulty(1.0)));
}
