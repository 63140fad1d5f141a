//! Duties, leashes and patience as components.

use crate::common;
use bevy::prelude::*;
use bevy_pursuit::engine::map::{Terrain, TileMap};
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Duty, GaveUp, GiveUp, Leash, Nerve, Obstacle, Patience, PatrolOrder};
use common::app::{app, at, cop, robber, run, turns_of};

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tale {
    Arrived(Entity, IVec2),
    NoWay(Entity, Obstacle),
    GaveUp(Entity, Option<Entity>, GiveUp),
}

#[derive(Resource, Default)]
struct Told(Vec<Tale>);

/// An app that notes what agents on duty say.
fn listening() -> App {
    let mut app = app();
    app.init_resource::<Told>()
        .add_observer(
            |on: On<Arrived>, at: Query<&GridPosition>, mut told: ResMut<Told>| {
                let place = at.get(on.agent).expect("an agent").0;
                told.0.push(Tale::Arrived(on.agent, place));
            },
        )
        .add_observer(|on: On<NoWay>, mut told: ResMut<Told>| {
            told.0.push(Tale::NoWay(on.agent, on.because));
        })
        .add_observer(|on: On<GaveUp>, mut told: ResMut<Told>| {
            told.0.push(Tale::GaveUp(on.cop, on.robber, on.because));
        });
    app
}

fn take_told(app: &mut App) -> Vec<Tale> {
    std::mem::take(&mut app.world_mut().resource_mut::<Told>().0)
}

fn hall(app: &mut App, columns: u16, rows: u16) -> Entity {
    let tiles = TileMap::filled(columns, rows, Terrain::Floor).expect("some tiles");
    let map = PursuitMap::new(&tiles, Moves::Octile);
    app.world_mut().spawn(map).id()
}

fn tile(x: i32, y: i32) -> IVec2 {
    IVec2::new(x, y)
}

fn arrivals(app: &mut App, agent: Entity, updates: usize) -> Vec<IVec2> {
    run(app, updates);
    let told = take_told(app).into_iter();
    let places = told.filter_map(|tale| match tale {
        Tale::Arrived(who, place) if who == agent => Some(place),
        _ => None,
    });
    places.collect()
}

/// A guard patrols, hunts the robber that comes near, gives up and patrols again. Posts without a way say why.
#[test]
fn a_guard_patrols_hunts_gives_up_and_patrols_again() {
    let mut app = listening();
    let map = hall(&mut app, 30, 4);
    app.world_mut()
        .get_mut::<LiveMap>(map)
        .expect("the map")
        .set_passable(tile(6, 0), false);
    let posts = [tile(1, 0), tile(5, 3), tile(6, 0), tile(1, 40)];
    let guard = cop(&mut app, 0, 0, 1);
    app.world_mut()
        .entity_mut(guard)
        .insert((Sight(5), Duty::rounds(posts), Patience(4)));
    let robber = robber(&mut app, 25, 3);
    app.world_mut()
        .entity_mut(robber)
        .insert(AgentControl::External);
    run(&mut app, 40);
    let told = take_told(&mut app);
    let no_ways = told.iter().filter(|tale| matches!(tale, Tale::NoWay(..)));
    let no_ways: Vec<&Tale> = no_ways.collect();
    let closed = [Obstacle::InWall, Obstacle::OffTheMap].map(|why| Tale::NoWay(guard, why));
    assert_eq!(no_ways, closed.iter().collect::<Vec<_>>(), "{told:?}");
    assert!(told.contains(&Tale::Arrived(guard, posts[1])), "{told:?}");
    // The robber comes, and vanishes.
    let place = |app: &mut App, at| {
        app.world_mut()
            .get_mut::<GridPosition>(robber)
            .expect("an agent")
            .0 = at;
    };
    place(&mut app, tile(8, 1));
    run(&mut app, 3);
    let target = app.world().get::<Target>(guard).expect("a cop").robber;
    assert_eq!(target, Some(robber));
    place(&mut app, tile(25, 3));
    run(&mut app, 40);
    let told = take_told(&mut app);
    let gave_up = Tale::GaveUp(guard, Some(robber), GiveUp::Unseen);
    let times = told.iter().filter(|tale| **tale == gave_up).count();
    assert_eq!(times, 1, "{told:?}");
    let came = arrivals(&mut app, guard, 30);
    assert!(
        came.contains(&posts[0]) && came.contains(&posts[1]),
        "{came:?}"
    );
    // Without a duty it stands.
    app.world_mut().entity_mut(guard).remove::<Duty>();
    run(&mut app, 3);
    let stands = at(&app, guard);
    run(&mut app, 10);
    assert_eq!(at(&app, guard), stands);
}

#[test]
fn a_companion_follows_whoever_is_there_and_a_leader_that_goes_is_no_harm() {
    let mut app = listening();
    let map = hall(&mut app, 20, 8);
    let leader = robber(&mut app, 2, 2);
    app.world_mut()
        .entity_mut(leader)
        .insert(AgentControl::WalkTo(tile(18, 6)));
    // It is there before its leader has joined, and knows of no other agent.
    let friend = app
        .world_mut()
        .spawn((
            Robber,
            GridPosition::new(0, 7),
            AgentControl::Duty,
            Duty::Follow { leader, apart: 2 },
        ))
        .id();
    run(&mut app, 30);
    let apart = (at(&app, friend) - at(&app, leader)).abs().max_element();
    assert_eq!(apart, 2);
    // A tall map has other rows, and the same tiles.
    let tiles = TileMap::filled(20, 14, Terrain::Floor).expect("some tiles");
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitMap::new(&tiles, Moves::Octile));
    app.world_mut()
        .entity_mut(leader)
        .insert(AgentControl::WalkTo(tile(3, 12)));
    run(&mut app, 30);
    let apart = (at(&app, friend) - at(&app, leader)).abs().max_element();
    assert_eq!(apart, 2);
    app.world_mut().despawn(leader);
    run(&mut app, 5);
    let stands = at(&app, friend);
    run(&mut app, 5);
    assert_eq!(at(&app, friend), stands);
    let other = cop(&mut app, 0, 0, 1);
    // One that does not capture its friend.
    app.world_mut()
        .entity_mut(other)
        .insert(AgentControl::External);
    let duty = Duty::Follow {
        leader: other,
        apart: 1,
    };
    app.world_mut().entity_mut(friend).insert(duty);
    run(&mut app, 30);
    let apart = (at(&app, friend) - at(&app, other)).abs().max_element();
    assert_eq!(apart, 1);
}

/// The tiles of duties and leashes stay the same when the map gets another height.
#[test]
fn posts_and_leashes_keep_their_tiles_on_a_map_of_another_height() {
    let mut app = listening();
    let map = hall(&mut app, 12, 6);
    let guard = cop(&mut app, 0, 0, 1);
    let posts = [tile(1, 1), tile(8, 4)];
    app.world_mut()
        .entity_mut(guard)
        .insert(Duty::rounds(posts));
    let tied = cop(&mut app, 10, 0, 1);
    let leash = Leash {
        at: tile(10, 0),
        steps: 3,
    };
    app.world_mut().entity_mut(tied).insert(leash);
    let came = arrivals(&mut app, guard, 40);
    assert!(came.len() > 3 && came.iter().all(|place| posts.contains(place)));
    let tiles = TileMap::filled(12, 11, Terrain::Floor).expect("some tiles");
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitMap::new(&tiles, Moves::Octile));
    let came = arrivals(&mut app, guard, 40);
    assert!(came.len() > 3, "{came:?}");
    assert!(came.iter().all(|place| posts.contains(place)), "{came:?}");
    assert_eq!(at(&app, tied), leash.at);
    // A robber within the leash is captured.
    let robber = robber(&mut app, 11, 2);
    app.world_mut()
        .entity_mut(robber)
        .insert(AgentControl::External);
    run(&mut app, 30);
    assert!(app.world().get::<Caught>(robber).is_some());
}

/// A saved game goes on in the same entities and in new ones, with duties, leashes and patience as they were.
#[test]
fn duties_survive_saves() {
    let mut app = listening();
    app.insert_resource(turns_of(4));
    let map = hall(&mut app, 16, 10);
    let posts = [tile(1, 1), tile(12, 8), tile(3, 6)];
    let patrol = Duty::Patrol {
        posts: posts.to_vec(),
        order: PatrolOrder::Random,
        wait: 2,
    };
    let leash = Leash {
        at: tile(5, 5),
        steps: 9,
    };
    let guard = cop(&mut app, 0, 0, 1);
    app.world_mut()
        .entity_mut(guard)
        .insert((Sight(3), patrol.clone(), leash, Patience(7)));
    let second = cop(&mut app, 9, 9, 2);
    let follows = Duty::Follow {
        leader: guard,
        apart: 2,
    };
    app.world_mut()
        .entity_mut(second)
        .insert((follows.clone(), AgentControl::Duty));
    let civilian = robber(&mut app, 14, 9);
    let home = Duty::Post(tile(15, 0));
    app.world_mut()
        .entity_mut(civilian)
        .insert((home, Nerve(3)));
    run(&mut app, 101);
    let live = |app: &App, map| app.world().get::<LiveMap>(map).expect("a map").snapshot();
    let hash = |app: &App, map| {
        app.world()
            .get::<LiveMap>(map)
            .expect("a map")
            .position_hash()
    };
    let saved = live(&app, map).expect("a map");
    let go_on = |app: &mut App, map| -> Vec<u64> {
        let tick = |app: &mut App| {
            app.update();
            hash(app, map)
        };
        (0..200).map(|_| tick(app)).collect()
    };
    let first = go_on(&mut app, map);
    app.world_mut().entity_mut(guard).remove::<(Duty, Leash)>();
    app.world_mut().entity_mut(guard).insert(Patience(1));
    app.world_mut().entity_mut(civilian).remove::<Nerve>();
    run(&mut app, 30);
    app.world_mut()
        .restore_map(map, saved.clone(), Some)
        .expect("a valid save");
    assert_eq!(app.world().get::<Duty>(guard), Some(&patrol));
    assert_eq!(app.world().get::<Leash>(guard), Some(&leash));
    assert_eq!(app.world().get::<Patience>(guard), Some(&Patience(7)));
    assert_eq!(app.world().get::<Nerve>(civilian), Some(&Nerve(3)));
    let again = go_on(&mut app, map);
    assert_eq!(first, again);
    // In another app, with other entities.
    let mut app = listening();
    app.insert_resource(turns_of(4));
    let map = hall(&mut app, 16, 10);
    run(&mut app, 3);
    let new: Vec<Entity> = (0..3).map(|_| cop(&mut app, 0, 0, 1)).collect();
    let of = |old: Entity| {
        new.get(
            [guard, second, civilian]
                .iter()
                .position(|&one| one == old)?,
        )
        .copied()
    };
    app.world_mut()
        .restore_map(map, saved, of)
        .expect("a valid save");
    app.world_mut().flush();
    assert_eq!(app.world().get::<Duty>(new[0]), Some(&patrol));
    let follows = Duty::Follow {
        leader: new[0],
        apart: 2,
    };
    assert_eq!(app.world().get::<Duty>(new[1]), Some(&follows));
    assert_eq!(go_on(&mut app, map), first);
}
