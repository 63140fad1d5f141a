//! Events are checked when they are delivered: none is about entities that are gone.

use crate::common::app::*;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{OrderRefused, OutOfReach};

/// What the observer of an event does to the others.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    DespawnsAll,
    DespawnsCop,
    DisablesCop,
    DisablesAll,
    DespawnsMap,
    Nothing,
}

#[derive(Resource, Default)]
struct Told {
    events: Vec<&'static str>,
    of_dead: Vec<&'static str>,
}

fn note<E: EntityEvent>(name: &'static str) -> impl Fn(&E, &mut World) {
    move |event: &E, world: &mut World| {
        let of = event.event_target();
        let is_there = world
            .get_entity(of)
            .is_ok_and(|entity| !entity.contains::<Disabled>());
        let mut told = world.resource_mut::<Told>();
        told.events.push(name);
        if !is_there {
            told.of_dead.push(name);
        }
    }
}

/// Does to the level what the game does at the first event.
fn react(world: &mut World, cop: Option<Entity>) {
    let does = *world.resource::<Does>();
    let mut agents = world.query_filtered::<Entity, Or<(With<Cop>, With<Robber>)>>();
    let agents: Vec<Entity> = agents.iter(world).collect();
    let mut maps = world.query_filtered::<Entity, With<LiveMap>>();
    let maps: Vec<Entity> = maps.iter(world).collect();
    match does {
        Does::DespawnsAll => agents.into_iter().for_each(|agent| {
            world.despawn(agent);
        }),
        Does::DisablesAll => agents.into_iter().for_each(|agent| {
            world.entity_mut(agent).insert(Disabled);
        }),
        Does::DespawnsMap => maps.into_iter().for_each(|map| {
            world.despawn(map);
        }),
        Does::DespawnsCop => cop.into_iter().for_each(|cop| {
            world.despawn(cop);
        }),
        Does::DisablesCop => cop.into_iter().for_each(|cop| {
            world.entity_mut(cop).insert(Disabled);
        }),
        Does::Nothing => {}
    }
}

fn observe<E>(app: &mut App, name: &'static str)
where
    E: EntityEvent + Clone,
    for<'a> E: Event<Trigger<'a>: Default>,
{
    app.add_observer(move |event: On<E>, mut commands: Commands| {
        let event = event.event().clone();
        commands.queue(move |world: &mut World| {
            note::<E>(name)(&event, world);
            react(world, None);
        });
    });
}

fn watched(does: Does, ticks_per_turn: u32) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(turns_of(ticks_per_turn))
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(does)
        .init_resource::<Told>();
    observe::<Arrived>(&mut app, "arrived");
    observe::<NoWay>(&mut app, "no way");
    observe::<OutOfReach>(&mut app, "out of reach");
    observe::<Sighted>(&mut app, "sighted");
    observe::<OrderRefused>(&mut app, "refused");
    observe::<MapReady>(&mut app, "ready");
    app.add_observer(|captured: On<Captured>, mut commands: Commands| {
        let captured = *captured.event();
        commands.queue(move |world: &mut World| {
            note::<Captured>("captured")(&captured, world);
            let cop = world.get_entity(captured.cop);
            if !cop.is_ok_and(|cop| !cop.contains::<Disabled>()) {
                world.resource_mut::<Told>().of_dead.push("a cop");
            }
            react(world, Some(captured.cop));
        });
    });
    app.update();
    app
}

fn row(app: &mut App, text: &str) -> Entity {
    let map = TileMap::from_rows(&[text], |symbol| symbol != '#').expect("a row");
    app.world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id()
}

fn told(app: &App, name: &str) -> usize {
    let told = app.world().resource::<Told>();
    assert!(told.of_dead.is_empty(), "{:?}", told.of_dead);
    told.events.iter().filter(|&&event| event == name).count()
}

/// Two robbers that stand on one tile, and a cop.
fn captures(does: Does, ticks_per_turn: u32) -> App {
    let mut app = watched(Does::Nothing, ticks_per_turn);
    row(&mut app, "......");
    for _ in 0..2 {
        let stands = AgentControl::Steer(IVec2::ZERO);
        app.world_mut()
            .spawn((Robber, GridPosition::new(2, 0), stands));
    }
    app.world_mut().spawn((Cop, GridPosition::new(0, 0)));
    app.update();
    app.insert_resource(does);
    run(&mut app, 10 * ticks_per_turn as usize);
    app
}

#[test]
fn a_capture_names_agents_that_are_there() {
    for ticks_per_turn in [1, 4] {
        assert_eq!(
            told(&captures(Does::Nothing, ticks_per_turn), "captured"),
            2
        );
        for does in [Does::DespawnsAll, Does::DisablesAll, Does::DespawnsMap] {
            assert_eq!(
                told(&captures(does, ticks_per_turn), "captured"),
                1,
                "{does:?}"
            );
        }
    }
}

#[test]
fn a_robber_whose_captor_is_gone_goes_on_until_another_cop_comes() {
    for does in [Does::DespawnsCop, Does::DisablesCop] {
        let mut app = captures(does, 4);
        assert_eq!(told(&app, "captured"), 1, "{does:?}");
        let mut caught = app.world_mut().query_filtered::<(), With<Caught>>();
        assert_eq!(caught.iter(app.world()).count(), 1, "{does:?}");
        app.world_mut().spawn((Cop, GridPosition::new(5, 0)));
        run(&mut app, 40);
        assert_eq!(told(&app, "captured"), 2, "{does:?}");
    }
}

#[test]
fn other_events_name_agents_and_maps_that_are_there() {
    for does in [
        Does::DespawnsAll,
        Does::DisablesAll,
        Does::DespawnsMap,
        Does::Nothing,
    ] {
        let all = if does == Does::Nothing { 2 } else { 1 };
        let mut app = watched(does, 4);
        let maps = [row(&mut app, "...."), row(&mut app, "....")];
        run(&mut app, 2);
        let ready = if does == Does::DespawnsMap { 1 } else { 2 };
        assert_eq!(told(&app, "ready"), ready, "{does:?}");
        let rest: Vec<Entity> = maps
            .into_iter()
            .filter(|&map| app.world().get_entity(map).is_ok())
            .collect();
        for map in rest {
            app.world_mut().despawn(map);
        }
        app.insert_resource(Does::Nothing);
        row(&mut app, "...#..");
        run(&mut app, 2);
        for x in [0, 5] {
            let wanders = AgentControl::WalkTo(IVec2::new(3, 0));
            app.world_mut()
                .spawn((Cop, GridPosition::new(x, 0), wanders));
        }
        app.insert_resource(does);
        run(&mut app, 20);
        assert_eq!(told(&app, "no way"), all, "{does:?}");
    }
    for does in [
        Does::DespawnsAll,
        Does::DisablesAll,
        Does::DespawnsMap,
        Does::Nothing,
    ] {
        let all = if does == Does::Nothing { 2 } else { 1 };
        let mut app = watched(Does::Nothing, 4);
        row(&mut app, "......");
        for _ in 0..2 {
            let order = MoveOrder(vec![IVec2::new(5, 0)]);
            app.world_mut().spawn((Cop, GridPosition::new(0, 0), order));
        }
        app.update();
        app.insert_resource(does);
        run(&mut app, 20);
        // Both orders are refused in the first tick in which they are read.
        assert!([all, 2].contains(&told(&app, "refused")), "{does:?}");
    }
    for does in [
        Does::DespawnsAll,
        Does::DisablesAll,
        Does::DespawnsMap,
        Does::Nothing,
    ] {
        let all = if does == Does::Nothing { 2 } else { 1 };
        let mut app = watched(Does::Nothing, 4);
        row(&mut app, "...#..");
        run(&mut app, 2);
        app.world_mut()
            .spawn((Cop, Sight(3), GridPosition::new(0, 0)));
        for _ in 0..2 {
            app.world_mut().spawn((Robber, GridPosition::new(5, 0)));
        }
        app.insert_resource(does);
        run(&mut app, 20);
        assert_eq!(told(&app, "out of reach"), all, "{does:?}");
    }
}
