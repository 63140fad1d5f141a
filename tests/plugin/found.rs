//! Faults that games of random operations have found.

use crate::common::app::*;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

/// An agent that stands says until when.
#[test]
fn a_player_that_is_freed_in_mid_turn_sets_out_when_it_says() {
    use PursuitClock::{FreeRunning, Simultaneous, Turns};
    for clock in [Turns, FreeRunning, Simultaneous] {
        for late in 1..8 {
            freed(clock, late);
        }
    }
}

fn freed(clock: PursuitClock, late: usize) {
    let mut app = app();
    app.insert_resource(PursuitSettings {
        clock,
        ..turns_of(8)
    })
    .add_observer(
        |captured: On<Captured>, mut places: Query<&mut GridPosition>, mut commands: Commands| {
            places.get_mut(captured.cop).expect("a cop").0 = IVec2::new(0, 6);
            commands.entity(captured.robber).remove::<Caught>();
        },
    );
    let map = yard(&mut app);
    let robber = robber(&mut app, 0, 0);
    let cop = cop(&mut app, 9, 6, 1);
    let east = AgentControl::Steer(IVec2::X);
    app.world_mut().entity_mut(robber).insert(east);
    let external = AgentControl::External;
    app.world_mut().entity_mut(cop).insert(external);
    run(&mut app, 8 + late);
    let here = at(&app, robber);
    app.world_mut().entity_mut(cop).insert(GridPosition(here));
    for _ in 0..10 {
        app.update();
        let step = app.world().get::<NextStep>(robber).expect("an agent");
        let tick = app.world().get::<LiveMap>(map).expect("a map").tick();
        assert!(
            step.arrives > tick,
            "{clock:?} {late}: stands at {tick} until {step:?}"
        );
    }
    assert_eq!(app.world().resource::<Captures>().0.len(), 1);
    assert!(at(&app, robber).x > here.x || !way(&app, robber).is_empty());
}

fn way(app: &App, agent: Entity) -> &[IVec2] {
    &app.world().get::<NextStep>(agent).expect("an agent").path
}

/// A cop captures two robbers at once, and the reaction to the first capture moves it.
#[test]
fn a_cop_that_is_moved_after_its_first_capture_keeps_the_second() {
    let mut app = app();
    app.add_observer(
        |captured: On<Captured>, mut places: Query<&mut GridPosition>| {
            places.get_mut(captured.cop).expect("a cop").0 = IVec2::ZERO;
        },
    );
    yard(&mut app);
    let robbers = [9, 9].map(|x| robber(&mut app, x, 6));
    for robber in robbers {
        let stays = AgentControl::External;
        app.world_mut().entity_mut(robber).insert(stays);
    }
    let cop = cop(&mut app, 8, 6, 1);
    run(&mut app, 4);
    for robber in robbers {
        assert_eq!(app.world().get::<Caught>(robber).map(|it| it.by), Some(cop));
    }
    assert_eq!(at(&app, cop), IVec2::ZERO);
}

/// Agents that agree in everything join in the order in which the game has made them, whatever their entities are called.
#[test]
fn twins_join_in_the_order_in_which_they_were_spawned() {
    for forwards in [true, false] {
        let mut app = app();
        let map = yard(&mut app);
        let mut strangers = [(); 8].map(|()| app.world_mut().spawn_empty().id());
        if forwards {
            strangers.reverse();
        }
        // Their entities are reused.
        for stranger in strangers {
            app.world_mut().despawn(stranger);
        }
        let twins = [(); 8].map(|()| robber(&mut app, 3, 3));
        app.update();
        let map = app.world().get::<LiveMap>(map).expect("a map");
        let agents = map.world().expect("a world").agents();
        let order: Vec<u64> = agents.map(|(_, agent)| agent.setup().user).collect();
        assert_eq!(order, twins.map(Entity::to_bits), "forwards: {forwards}");
    }
}
