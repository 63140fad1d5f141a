//! Agents on their way: walls that block them, and games that interfere.

use crate::common;
use bevy::prelude::*;
use bevy_pursuit::Kinds;
use bevy_pursuit::debug::{DecidedBy, Source};
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Dash, MapChanged, TurnClock};
use common::app::*;

#[test]
fn a_wall_on_a_planned_way_stops_the_agent_in_the_same_tick() {
    let mut app = app();
    app.insert_resource(turns_of(8));
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&common::map(&["......"]), Moves::Octile))
        .id();
    robber(&mut app, 5, 0);
    let cop = cop(&mut app, 0, 0, 2);
    run(&mut app, 3);
    let way = app.world().get::<NextStep>(cop).unwrap().path.clone();
    assert_eq!(way, [IVec2::new(1, 0), IVec2::new(2, 0)]);
    app.world_mut()
        .get_mut::<LiveMap>(map)
        .unwrap()
        .set_passable(IVec2::new(2, 0), false);
    app.update();
    let way = app.world().get::<NextStep>(cop).unwrap().path.clone();
    assert_eq!(way, [IVec2::new(1, 0)]);
    run(&mut app, 40);
    assert_eq!(at(&app, cop), IVec2::new(1, 0), "waits as near as it can");
    assert_eq!(state(&app, cop), DecidedBy::Policy(Source::Greedy));
}

/// The tiles of a path that are still ahead, and the tile before them, for an agent that began the turn
/// with a path of `pace` tiles.
fn ahead(app: &App, map: Entity, agent: Entity, pace: usize) -> (IVec2, Vec<IVec2>) {
    let way = &app.world().get::<NextStep>(agent).unwrap().path;
    let clock = app.world().get::<TurnClock>(map).unwrap();
    let walked = (clock.tick as usize * pace / clock.length.max(1) as usize).min(way.len());
    let last = walked.checked_sub(1).map_or(at(app, agent), |i| way[i]);
    (last, way[walked..].to_vec())
}

#[test]
fn doors_that_swing_at_random_are_never_walked_through() {
    let mut app = app();
    app.insert_resource(turns_of(12));
    let map = yard(&mut app);
    let agents = [
        robber(&mut app, 9, 6),
        cop(&mut app, 0, 0, 1),
        cop(&mut app, 9, 0, 3),
        cop(&mut app, 0, 6, 6),
    ];
    let mut pace = [0; 4];
    // A small random number generator: the test has to be repeatable.
    let mut seed = 1_u32;
    let mut next = |below: i32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8).cast_signed() % below
    };
    let mut walked = 0;
    for _ in 0..6000 {
        let tile = IVec2::new(next(10), next(7));
        let open = next(3) > 0;
        let mut maps = app.world_mut().get_mut::<LiveMap>(map).unwrap();
        maps.set_passable(tile, open);
        let before = agents.map(|agent| at(&app, agent));
        let ways: Vec<_> = (0..4)
            .map(|i| ahead(&app, map, agents[i], pace[i]))
            .collect();
        app.update();
        let world = app.world().get::<LiveMap>(map).unwrap();
        let begins = app.world().get::<TurnClock>(map).unwrap().begins();
        for (index, agent) in agents.into_iter().enumerate() {
            let way = &app.world().get::<NextStep>(agent).unwrap().path;
            // Positions change only at the end of a turn, to the tiles that were ahead and stayed open
            // ...
            let (here, was) = (at(&app, agent), before[index]);
            let (last, planned) = &ways[index];
            let known = here == was || begins && (here == *last || planned.contains(&here));
            assert!(known, "{was} to {here} by {last} and {planned:?}");
            walked += usize::from(here != was);
            if begins {
                pace[index] = way.len();
            }
            // ... and all tiles ahead are open now.
            let (from, way) = ahead(&app, map, agent, pace[index]);
            let game = world.world().unwrap();
            let cells = way.iter().filter_map(|&tile| world.cell(tile));
            let steps: Vec<_> = cells.filter_map(|cell| game.graph().vertex(cell)).collect();
            let open = game.open_steps(Kinds::NONE, world.cell(from).unwrap(), &steps);
            assert_eq!(open, way.len(), "{from} by {way:?}");
        }
        if app.world().get::<Caught>(agents[0]).is_some() {
            let elsewhere = GridPosition::new(next(10), next(7));
            let mut robber = app.world_mut().entity_mut(agents[0]);
            robber.remove::<Caught>().insert(elsewhere);
        }
    }
    assert!(walked > 500, "they hardly moved: {walked}");
}

#[test]
fn a_door_that_closes_behind_a_fast_agent_does_not_stop_it() {
    let mut app = app();
    app.insert_resource(turns_of(12));
    let map = PursuitMap::new(&common::map(&["......"]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    robber(&mut app, 5, 0);
    let cop = cop(&mut app, 0, 0, 3);
    let mut close = |ticks, x| {
        run(&mut app, ticks);
        let mut map = app.world_mut().get_mut::<LiveMap>(map).unwrap();
        map.set_passable(IVec2::new(x, 0), false);
        app.update();
        (
            at(&app, cop),
            app.world().get::<NextStep>(cop).unwrap().path.clone(),
        )
    };
    let tile = |x| IVec2::new(x, 0);
    assert_eq!(
        close(2, 0),
        (tile(0), vec![tile(1), tile(2), tile(3)]),
        "the start"
    );
    assert_eq!(
        close(3, 1),
        (tile(0), vec![tile(1), tile(2), tile(3)]),
        "passed already"
    );
    assert_eq!(close(0, 3), (tile(0), vec![tile(1), tile(2)]), "ahead");
    run(&mut app, 12);
    assert_eq!(at(&app, cop), tile(2));
}

#[test]
fn an_agent_that_is_put_elsewhere_or_made_slower_on_its_way_arrives_where_it_should() {
    let mut app = app();
    app.insert_resource(turns_of(8));
    yard(&mut app);
    robber(&mut app, 9, 6);
    let (moved, slowed) = (cop(&mut app, 0, 0, 1), cop(&mut app, 0, 3, 3));
    run(&mut app, 3);
    let target = app.world().get::<NextStep>(slowed).unwrap().target();
    app.world_mut().get_mut::<GridPosition>(moved).unwrap().0 = IVec2::new(0, 1);
    app.world_mut().get_mut::<PursuitSpeed>(slowed).unwrap().0 = 1;
    app.update();
    assert!(app.world().get::<NextStep>(moved).unwrap().path.is_empty());
    run(&mut app, 5);
    assert_eq!(at(&app, moved), IVec2::new(0, 1));
    assert_eq!(Some(at(&app, slowed)), target);
}

#[test]
fn edits_come_from_any_thread() {
    let mut app = app();
    let map = yard(&mut app);
    app.update();
    let edits = app.world().get::<LiveMap>(map).unwrap().edits();
    std::thread::spawn(move || {
        edits.set_passable(IVec2::new(0, 0), false);
        edits.set_passable(IVec2::new(1, 1), true);
        edits.set_passable(IVec2::new(99, 99), true);
    })
    .join()
    .expect("the thread ends");
    app.update();
    assert!(!passable(&app, map, IVec2::new(0, 0)));
    assert!(passable(&app, map, IVec2::new(1, 1)));
    let messages = app.world().resource::<Messages<MapChanged>>();
    let told: Vec<_> = messages.get_cursor().read(messages).copied().collect();
    let (opened, closed) = (1, 1);
    assert!(told[0].rebuilt, "the map was new");
    assert_eq!(
        told[1..],
        [MapChanged {
            map,
            opened,
            closed,
            rebuilt: false
        }]
    );
}

#[test]
fn a_step_that_the_game_orders_is_taken_only_if_it_is_legal() {
    let mut app = app();
    yard(&mut app);
    let cop = cop(&mut app, 0, 0, 1);
    let mut go = |x, y| {
        let way = MoveOrder(vec![IVec2::new(x, y)]);
        app.world_mut().entity_mut(cop).insert(way);
        run(&mut app, 2); // it walks, and arrives
        at(&app, cop)
    };
    assert_eq!(go(0, 2), IVec2::new(0, 0), "too far");
    assert_eq!(go(1, 1), IVec2::new(0, 0), "a wall");
    assert_eq!(go(77, 0), IVec2::new(0, 0), "off the map");
    assert_eq!(go(1, 0), IVec2::new(1, 0));
    let way = MoveOrder(vec![IVec2::new(2, 0), IVec2::new(99, 99)]);
    app.world_mut().entity_mut(cop).insert(way);
    run(&mut app, 2);
    assert_eq!(at(&app, cop), IVec2::new(2, 0), "as far as it is open");
}

/// The tiles on which an agent stands in some ticks after an order.
fn walked(dashes: bool) -> Vec<i32> {
    let mut app = app();
    app.insert_resource(turns_of(4));
    let map = PursuitMap::new(&common::map(&["....................."]), Moves::Octile);
    app.world_mut().spawn(map);
    let cop = cop(&mut app, 0, 0, 2);
    let control = AgentControl::Steer(IVec2::ZERO);
    app.world_mut().entity_mut(cop).insert(control);
    run(&mut app, 4);
    let path: Vec<IVec2> = (1..=10).map(|x| IVec2::new(x, 0)).collect();
    let mut agent = app.world_mut().entity_mut(cop);
    if dashes {
        agent.insert(MoveOrder::dash(path));
    } else {
        agent.insert(MoveOrder(path));
    }
    let mut tiles = Vec::new();
    for _ in 0..4 * 8 {
        app.update();
        tiles.push(at(&app, cop).x);
    }
    assert!(!app.world().entity(cop).contains::<MoveOrder>());
    assert!(!app.world().entity(cop).contains::<Dash>());
    tiles.dedup();
    tiles
}

#[test]
fn an_ordered_path_is_walked_at_the_agents_speed_and_a_dash_at_once() {
    assert_eq!(walked(false), [0, 2, 4, 6, 8, 10]);
    assert_eq!(walked(true), [0, 10]);
}

/// In a game whose turns last one tick, a player that the game moves goes to and fro.
#[test]
fn a_player_that_the_game_moves_is_captured_where_it_stood() {
    for ticks in [1, 4] {
        let mut app = app();
        app.insert_resource(turns_of(ticks));
        let rows = ["............"; 12];
        let map = PursuitMap::new(&common::map(&rows), Moves::Octile);
        app.world_mut().spawn(map);
        let player = robber(&mut app, 6, 6);
        app.world_mut()
            .entity_mut(player)
            .insert(AgentControl::External);
        let cop = cop(&mut app, 0, 0, 1);
        for turn in 0..60 {
            if app.world().entity(player).contains::<Caught>() {
                break;
            }
            let mut position = app.world_mut().get_mut::<GridPosition>(player).unwrap();
            position.set_if_neq(GridPosition::new(6 + turn % 2, 6));
            run(&mut app, ticks as usize);
        }
        assert!(app.world().entity(player).contains::<Caught>(), "{ticks}");
        assert_eq!(at(&app, player), at(&app, cop), "{ticks}");
    }
}
