//! Tests of tables that the caller solves on request: the time at which they are solved makes no
//! difference.

use crate::common::level;
use crate::common::script;
use crate::common::table_cache;
use allocation_counter::measure;
use level::rules;
use pursuit_engine::graph::Digraph;
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Estimate, Solver, Table};
use pursuit_engine::table_cache::{
    NoTable, SolveFailure, TableCache, TableEvent, TableKey, TableRequest, TableSettings,
    TableTiming, TableWork,
};
use script::{Game, Script, Worker};
use std::sync::Arc;
use table_cache::{
    bytes_of_one, door, events, has, lockstep, next_key, room, serve, solution, solve, start,
};

#[test]
fn nobody_can_tell_when_a_table_was_delivered() {
    let dice = &mut Dice::new(1);
    let (mut found, mut waits, mut dropped) = (0, 0, 0);
    for seed in 0..25 {
        let script = Script::any(dice, lockstep);
        let mut eager = Game::new(&script, Worker::Eager, seed);
        let seen = eager.play_on(&script, 0);
        assert_eq!(eager.waits, 0);
        for worker in [Worker::Lazy, Worker::Random, Worker::Random] {
            let mut other = Game::new(&script, worker, seed + 100 * u64::from(waits));
            for (tick, expected) in seen.iter().enumerate() {
                assert_eq!(other.play(&script, tick as u64), *expected, "tick {tick}");
            }
            waits += other.waits;
        }
        found += eager.found;
        dropped += seen.iter().filter(|seen| seen.contains("Dropped")).count();
    }
    assert!(
        found > 500 && waits > 200 && dropped > 50,
        "{found} {waits} {dropped}"
    );
}

#[test]
fn a_table_is_there_from_its_tick_on() {
    let (mut tables, mut graph, rules) = start();
    assert_eq!(
        tables.reason_for_none(&graph, &rules, 7),
        Some(NoTable::NotAsked)
    );
    tables.request(&graph, &rules, 7);
    let key = TableKey::new(&graph, rules);
    let told = events(&mut tables);
    assert!(matches!(told[..], [TableEvent::Solving { key: of, .. }] if of == key));
    assert!(tables.bytes() > 25 * 64, "counted from the request on");
    // 25 vertices make one word of positions, estimated at 12.5 us. The schedule allows one tick of
    // 100 us for the work and adds three ticks.
    let until = 7 + 3 + 1;
    let why = NoTable::Solving { until: Some(until) };
    assert_eq!(tables.reason_for_none(&graph, &rules, 7), Some(why));
    let request = tables.next_request(&graph).expect("a request");
    assert_eq!(
        next_key(&mut tables, &graph),
        None,
        "each is given out once"
    );
    assert!(tables.is_wanted(&key));
    let (_, solution) = solve(request);
    tables.deliver(&key, Ok(solution), 8);
    assert!(!tables.is_wanted(&key));
    assert!(!has(&mut tables, &graph, rules, until - 1));
    assert!(has(&mut tables, &graph, rules, until));
    assert_eq!(events(&mut tables), [TableEvent::Ready { key }]);
    // The door closes and opens again.
    graph.apply(&[door(2, 2, false)]);
    assert!(!has(&mut tables, &graph, rules, until + 1));
    graph.apply(&[door(2, 2, true)]);
    assert!(has(&mut tables, &graph, rules, until + 2));
}

#[test]
fn the_game_waits_for_what_is_late_on_its_map_only() {
    let (mut tables, mut graph, rules) = start();
    tables.request(&graph, &rules, 0);
    let open = TableKey::new(&graph, rules);
    assert_eq!(tables.overdue(&graph, 3), None);
    assert_eq!(tables.overdue(&graph, 4), Some(open));
    graph.apply(&[door(2, 2, false)]);
    assert_eq!(tables.overdue(&graph, 50), None);
    tables.request(&graph, &rules, 50);
    let closed = TableKey::new(&graph, rules);
    // The table for the present map comes first, then the table for the former one.
    assert_eq!(next_key(&mut tables, &graph), Some(closed));
    assert_eq!(next_key(&mut tables, &graph), Some(open));
    tables.give_back(&open);
    assert_eq!(next_key(&mut tables, &graph), Some(open));
    graph.apply(&[door(2, 2, true)]);
    assert_eq!(tables.overdue(&graph, 51), Some(open));
}

#[test]
fn a_failure_is_final_until_the_settings_change() {
    let (mut tables, graph, rules) = start();
    tables.request(&graph, &rules, 0);
    let mut request = tables.next_request(&graph).expect("a request");
    let key = request.key;
    request.limit = 10;
    let error = TableWork::new(request).expect_err("too large");
    tables.deliver(&key, Err(error.into()), 1);
    events(&mut tables);
    assert!(!has(&mut tables, &graph, rules, 50));
    let [TableEvent::Refused { key: of, why }] = events(&mut tables)[..] else {
        panic!("an event");
    };
    assert_eq!(of, key);
    assert!(
        matches!(
            why,
            NoTable::Failed(SolveFailure::TooLarge {
                needed: 11..,
                allowed: 10
            })
        ),
        "{why}"
    );
    tables.request(&graph, &rules, 50);
    assert_eq!(tables.reason_for_none(&graph, &rules, 50), Some(why));
    assert_eq!(next_key(&mut tables, &graph), None);
    tables.set_settings(lockstep(900_000));
    tables.request(&graph, &rules, 51);
    // The delivered table has to be the requested one.
    let other = solution(&room(4), rules);
    assert_eq!(next_key(&mut tables, &graph), Some(key));
    tables.deliver(&key, Ok(other), 51);
    assert!(!has(&mut tables, &graph, rules, 99));
    let why = NoTable::Failed(SolveFailure::Mistaken);
    assert_eq!(tables.reason_for_none(&graph, &rules, 99), Some(why));
}

#[test]
fn a_game_that_need_not_repeat_itself_uses_tables_at_once() {
    let mut tables = TableCache::new(TableSettings {
        timing: TableTiming::WhenReady,
        ..TableSettings::default()
    });
    let (graph, rules) = (room(5), rules(1, 1, 1));
    tables.request(&graph, &rules, 3);
    assert_eq!(tables.overdue(&graph, 1_000_000), None);
    assert!(!has(&mut tables, &graph, rules, 5));
    let why = Some(NoTable::Solving { until: None });
    assert_eq!(tables.reason_for_none(&graph, &rules, 5), why);
    serve(&mut tables, &graph, 5);
    assert!(has(&mut tables, &graph, rules, 5));
    // After saving and loading, the table has to be solved again, and the game does not wait for
    // it.
    let state = tables.save();
    let mut loaded = TableCache::new(*tables.settings());
    loaded.restore(&state).expect("a valid state");
    assert_eq!(loaded.overdue(&graph, 6), None);
    assert!(!has(&mut loaded, &graph, rules, 6));
    serve(&mut loaded, &graph, 6);
    assert!(has(&mut loaded, &graph, rules, 6));
}

/// The first table is solved for a door state that has passed, so that there is no room for both.
#[test]
fn of_two_requests_that_do_not_fit_together_only_the_later_is_solved() {
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    let one = bytes_of_one(&graph, rules);
    for (room, is_dropped) in [(one * 3 / 2, true), (one * 2, false)] {
        let mut tables = TableCache::new(lockstep(room));
        graph.apply(&[door(2, 2, true)]);
        tables.request(&graph, &rules, 0);
        let open = next_key(&mut tables, &graph).expect("a request");
        graph.apply(&[door(2, 2, false)]);
        tables.request(&graph, &rules, 1);
        let closed = TableKey::new(&graph, rules);
        assert_eq!(tables.is_wanted(&open), !is_dropped);
        assert_eq!(next_key(&mut tables, &graph), Some(closed));
        assert!(tables.bytes() <= room);
        let key = open;
        let told = events(&mut tables).contains(&TableEvent::Dropped { key });
        assert_eq!(told, is_dropped);
    }
}

/// A table that cannot be solved is not tried again, however many others are refused meanwhile.
#[test]
fn a_failure_is_remembered_longer_than_other_refusals() {
    let (mut tables, graph, first) = start();
    tables.request(&graph, &first, 0);
    let key = next_key(&mut tables, &graph).expect("a request");
    tables.deliver(&key, Err(SolveFailure::Panicked), 1);
    for cells in 1..100 {
        let mut other = room(10);
        other.apply(&[door(cells % 10, cells / 10, false)]);
        tables.request(&other, &rules(200, 1, 1), 50 + u64::from(cells));
    }
    for tables in [&mut tables.clone(), &mut tables] {
        tables.request(&graph, &first, 200);
        let why = NoTable::Failed(SolveFailure::Panicked);
        assert_eq!(tables.reason_for_none(&graph, &first, 200), Some(why));
        assert_eq!(next_key(tables, &graph), None);
        let state = tables.save();
        assert_eq!(tables.restore(&state), Ok(()));
    }
}

/// What fast cops reach is found in slices, too, and counts as work.
#[test]
fn preparing_the_work_takes_slices() {
    let (graph, rules) = (room(60), rules(1, 9, 1));
    let request = TableRequest {
        key: TableKey::new(&graph, rules),
        arena: Arena::of_map(&graph).into(),
        limit: 1 << 30,
    };
    let mut work = None;
    let taken = measure(|| work = TableWork::new(request).ok());
    assert!(taken.bytes_max < 1 << 14, "{} bytes", taken.bytes_max);
    let mut work = work.expect("small enough");
    let mut slices = 0;
    let largest = (0..).map(|_| measure(|| slices += u32::from(work.advance(500).solved == 0)));
    // The memory that is made ready at once after the last of these slices.
    let largest = largest.take(100).map(|taken| taken.bytes_max).max();
    assert!(slices > 90, "{slices} slices");
    assert!(largest < Some(1 << 20), "{largest:?} bytes in a slice");
    assert!(work.run(1 << 16, |_| true).done);
    assert_eq!(work.error(), None);
    let (_, sliced) = work.finish().expect("done");
    let whole = solution(&graph, rules);
    assert_eq!(Table::of(&sliced).bytes(), Table::of(&whole).bytes());
}

/// Each vertex has a neighbour on each of 60 boards of 64 vertices, where the estimate expects 36.
#[test]
fn work_that_turns_out_too_large_fails() {
    let (vertices, rules) = (60 * 64_u32, rules(1, 1, 1));
    let to = |from: u32, board: u32| (from + 64 * board) % vertices;
    let edges = (0..vertices).flat_map(|from| (1..60).map(move |board| (from, to(from, board))));
    let graph = Digraph::directed(vertices, &edges.collect::<Vec<_>>()).expect("a graph");
    let arena = Arc::new(Arena::of_digraph(&graph));
    let estimate = Estimate::new(vertices as usize, &rules).expect("few vertices");
    let limit = estimate.bytes;
    let fingerprint = graph.fingerprint();
    let mut work = TableWork::new(TableRequest {
        key: TableKey { fingerprint, rules },
        arena: Arc::clone(&arena),
        limit,
    });
    let work = work.as_mut().expect("by the estimate");
    assert!(work.run(100, |_| true).done);
    assert!(work.error().is_some());
    assert_eq!(work.error(), Solver::new(arena, rules, limit).err());
}

#[test]
fn slices_and_threads_solve_the_same() {
    let (graph, rules) = (room(6), rules(2, 1, 1));
    let mut tables = TableCache::new(TableSettings::default());
    tables.request(&graph, &rules, 0);
    let request = tables.next_request(&graph).expect("a request");
    let mut work = TableWork::new(request.clone()).expect("small enough");
    let mut slices = 0;
    while !work.advance(50).done {
        slices += 1;
    }
    assert!(slices > 20);
    let (key, sliced) = work.finish().expect("done");
    assert_eq!(key, request.key);
    let whole = solution(&graph, rules);
    assert_eq!(sliced.histogram(), whole.histogram());
    assert_eq!(Table::of(&sliced).bytes(), Table::of(&whole).bytes());
    // The work on a table that is no longer wanted stops after a slice.
    let mut work = TableWork::new(request).expect("small enough");
    assert!(!work.run(50, |_| false).done);
    assert!(work.finish().is_none());
}
