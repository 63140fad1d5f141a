//! Tests of late tables: the game does not wait for them, and the cache records the tick from which
//! a run is not repeatable.

use crate::common::level;
use crate::common::script;
use crate::common::table_cache;
use level::rules;
use pursuit_engine::graph::Graph;
use pursuit_engine::search::Dice;
use pursuit_engine::table::Estimate;
use pursuit_engine::table_cache::{
    NoTable, SolveFailure, TableCache, TableEvent, TableKey, TableSettings, TableTiming, TickPace,
};
use script::{Game, Script, Worker};
use table_cache::{
    PLENTY, door, events, has, lockstep, next_key, room, scheduled, serve, solution,
};

#[test]
fn nobody_waits_for_a_table_that_never_comes() {
    for settings in [TableSettings::default(), scheduled(PLENTY)] {
        let (mut tables, graph, rules) = (TableCache::new(settings), room(5), rules(1, 1, 1));
        let key = TableKey::new(&graph, rules);
        tables.request(&graph, &rules, 0);
        let Some(NoTable::Solving { until: Some(due) }) = tables.reason_for_none(&graph, &rules, 0)
        else {
            panic!("it is scheduled");
        };
        assert!(tables.next_request(&graph).is_some());
        events(&mut tables);
        for tick in 0..due {
            assert_eq!(tables.overdue(&graph, tick), None);
            assert!(!has(&mut tables, &graph, rules, tick));
            assert_eq!(tables.diverged_at(), None, "it is not due yet");
        }
        for tick in due..due + 50 {
            assert_eq!(tables.overdue(&graph, tick), None);
            assert!(!has(&mut tables, &graph, rules, tick));
            let why = Some(NoTable::Solving { until: None });
            assert_eq!(tables.reason_for_none(&graph, &rules, tick), why);
            assert_eq!(tables.diverged_at(), Some(due));
        }
        assert_eq!(events(&mut tables), [TableEvent::Late { key }], "once");
        // The table arrives after all.
        tables.deliver(&key, Ok(solution(&graph, rules)), due + 50);
        assert!(has(&mut tables, &graph, rules, due + 50), "in use at once");
        assert_eq!(events(&mut tables), [TableEvent::Ready { key }]);
        assert_eq!(tables.diverged_at(), Some(due), "what was cannot be undone");
    }
}

#[test]
fn a_table_that_nobody_looks_for_is_not_late() {
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    let mut tables = TableCache::new(scheduled(PLENTY));
    tables.request(&graph, &rules, 0);
    let open = TableKey::new(&graph, rules);
    // A door closes before the table is due, and opens again before the table arrives.
    graph.apply(&[door(2, 2, false)]);
    for tick in 1..50 {
        assert!(!has(&mut tables, &graph, rules, tick));
    }
    graph.apply(&[door(2, 2, true)]);
    tables.deliver(&open, Ok(solution(&graph, rules)), 50);
    assert!(has(&mut tables, &graph, rules, 50));
    assert_eq!(tables.diverged_at(), None);
}

#[test]
fn a_run_repeats_itself_until_a_table_is_late() {
    let dice = &mut Dice::new(3);
    let (mut same, mut late, mut found) = (0, 0, 0);
    for seed in 0..25 {
        let script = Script::any(dice, scheduled);
        let mut eager = Game::new(&script, Worker::Eager, seed);
        let seen = eager.play_on(&script, 0);
        assert_eq!(eager.tables.diverged_at(), None);
        for worker in [Worker::Lazy, Worker::Random, Worker::Random] {
            let mut other = Game::new(&script, worker, seed + 1000 * (same + 1));
            for (tick, expected) in seen.iter().enumerate() {
                let told = other.play(&script, tick as u64);
                assert_eq!(other.waits, 0, "nobody waits");
                if let Some(since) = other.tables.diverged_at() {
                    assert_eq!(since, tick as u64, "it says so at once");
                    late += 1;
                    break;
                }
                assert_eq!(told, *expected, "tick {tick}");
                same += 1;
            }
            found += other.found;
        }
    }
    assert!(
        same > 1000 && late > 20 && found > 100,
        "{same} {late} {found}"
    );
}

#[test]
fn what_is_not_there_after_loading_is_late_and_not_waited_for() {
    let (graph, rules) = (room(5), rules(1, 1, 1));
    let mut tables = TableCache::new(scheduled(PLENTY));
    tables.request(&graph, &rules, 0);
    serve(&mut tables, &graph, 1);
    assert!(has(&mut tables, &graph, rules, 60));
    let state = tables.save();
    // If the table is in memory, the run continues as before.
    tables.restore(&state).expect("a valid state");
    assert!(has(&mut tables, &graph, rules, 61));
    assert_eq!(tables.diverged_at(), None);
    let mut loaded = TableCache::new(scheduled(PLENTY));
    loaded.restore(&state).expect("a valid state");
    assert_eq!(loaded.overdue(&graph, 61), None);
    assert_eq!(loaded.diverged_at(), None);
    assert!(!has(&mut loaded, &graph, rules, 61));
    assert_eq!(loaded.diverged_at(), Some(61));
    let key = TableKey::new(&graph, rules);
    assert_eq!(events(&mut loaded), [TableEvent::Late { key }]);
    // The tick from which the run is not repeatable is saved as well.
    let state = loaded.save();
    let text = ron::to_string(&state).expect("serialisable");
    let mut again = TableCache::new(scheduled(PLENTY));
    let read = ron::from_str(&text).expect("what was written");
    again.restore(&read).expect("a valid state");
    assert_eq!(again.diverged_at(), Some(61));
    serve(&mut loaded, &graph, 70);
    assert!(has(&mut loaded, &graph, rules, 70));
    // In lockstep the game waits for the table.
    let mut loaded = TableCache::new(lockstep(PLENTY));
    loaded.restore(&state).expect("a valid state");
    assert_eq!(loaded.overdue(&graph, 61), Some(key));
}

#[test]
fn a_failure_that_comes_late_is_told_and_does_not_repeat_itself() {
    let (graph, rules) = (room(5), rules(1, 1, 1));
    let key = TableKey::new(&graph, rules);
    let why = SolveFailure::Panicked;
    for late in [false, true] {
        let mut tables = TableCache::new(scheduled(PLENTY));
        tables.request(&graph, &rules, 0);
        let tick = if late { 20 } else { 2 };
        // The game asks for no table in the meantime, but the tick of the table may have come.
        tables.request(&graph, &rules, tick);
        events(&mut tables);
        tables.deliver(&key, Err(why), tick);
        assert!(!has(&mut tables, &graph, rules, 30));
        let why = NoTable::Failed(why);
        assert_eq!(events(&mut tables), [TableEvent::Refused { key, why }]);
        assert!(why.to_string().contains("panicked"), "{why}");
        assert_eq!(tables.diverged_at(), late.then_some(tick));
        tables.request(&graph, &rules, 30);
        assert_eq!(next_key(&mut tables, &graph), None, "not again");
    }
}

/// The number of ticks after which a table of one cop in the room `graph` is used, with the default
/// settings.
fn delay(graph: &Graph, pace: Option<TickPace>) -> u64 {
    let mut tables = TableCache::new(TableSettings::default());
    if let Some(pace) = pace {
        tables.set_pace(pace);
    }
    let rules = rules(1, 1, 1);
    tables.request(graph, &rules, 100);
    match tables.reason_for_none(graph, &rules, 100) {
        Some(NoTable::Solving { until: Some(due) }) => due - 100,
        other => panic!("{other:?}"),
    }
}

#[test]
fn due_times_count_work_at_any_pace() {
    let graph = room(50);
    let estimate = Estimate::new(2500, &rules(1, 1, 1)).expect("a small map");
    // The time until the table is used is at least four times the estimate, whatever the rate of
    // ticks and however many ticks run at once.
    for (per_second, at_once) in [(64, 16), (240, 60), (512, 128), (1920, 480)] {
        let pace = TickPace {
            per_second,
            at_once,
        };
        let ticks = delay(&graph, Some(pace));
        let seconds = (ticks - u64::from(at_once)) as f64 / f64::from(per_second);
        assert!(seconds >= 4.0 * estimate.seconds, "{pace:?}: {seconds}");
        assert!(
            seconds < 4.0 * estimate.seconds + 0.1,
            "{pace:?}: {seconds}"
        );
    }
    // Without a given pace, the ticks are assumed to be fast.
    assert!(delay(&graph, None) as f64 / 250.0 > 4.0 * estimate.seconds);
}

#[test]
fn the_pace_is_saved() {
    let pace = TickPace {
        per_second: 240,
        at_once: 60,
    };
    let mut tables = TableCache::new(TableSettings::default());
    tables.set_pace(pace);
    let mut loaded = TableCache::new(TableSettings::default());
    loaded.restore(&tables.save()).expect("a valid state");
    let (graph, rules) = (room(50), rules(1, 1, 1));
    tables.request(&graph, &rules, 3);
    loaded.request(&graph, &rules, 3);
    assert_eq!(tables.save(), loaded.save());
}

#[test]
fn of_several_maps_what_is_due_first_is_solved_first() {
    let rules = rules(1, 1, 1);
    let (small, large) = (room(5), room(40));
    let [mut first, mut second] = [(), ()].map(|()| TableCache::new(scheduled(PLENTY << 8)));
    assert_eq!(first.next_urgency(&large), None);
    first.request(&large, &rules, 0);
    second.request(&small, &rules, 1000);
    // Ticks of different maps cannot be compared, so the number of ticks left decides.
    assert!(second.next_urgency(&small) < first.next_urgency(&large));
    // The table that has been overdue for longest comes first.
    has(&mut first, &large, rules, 500);
    has(&mut second, &small, rules, 1100);
    assert!(first.next_urgency(&large) < second.next_urgency(&small));
    // A table that is being solved keeps its urgency until it is no longer wanted.
    let key = TableKey::new(&large, rules);
    let urgency = first.next_urgency(&large);
    assert_eq!(next_key(&mut first, &large), Some(key));
    assert_eq!(first.urgency(&large, &key), urgency);
    assert_eq!(first.next_urgency(&large), None);
    // A table for a door state that has passed comes after all others.
    assert!(second.next_urgency(&small) < first.urgency(&small, &key));
    first.deliver(&key, Ok(solution(&large, rules)), 500);
    assert_eq!(first.urgency(&large, &key), None);
}

#[test]
fn requests_for_a_map_that_was_replaced_are_dropped() {
    let rules = rules(1, 1, 1);
    let (before, after) = (room(5), room(6));
    let mut tables = TableCache::new(scheduled(PLENTY));
    tables.request(&before, &rules, 0);
    let key = TableKey::new(&before, rules);
    assert_eq!(next_key(&mut tables, &before), Some(key));
    // The same map with other vertex numbers.
    tables.replace_map(&before, 0);
    assert!(tables.is_wanted(&key));
    tables.replace_map(&after, 0);
    assert!(!tables.is_wanted(&key));
    assert!(events(&mut tables).contains(&TableEvent::Dropped { key }));
}

#[test]
fn whoever_uses_tables_when_they_are_ready_does_not_repeat_himself() {
    let (graph, rules) = (room(5), rules(1, 1, 1));
    let mut tables = TableCache::new(TableSettings {
        timing: TableTiming::WhenReady,
        ..TableSettings::default()
    });
    assert!(!has(&mut tables, &graph, rules, 6));
    assert_eq!(tables.diverged_at(), None);
    tables.request(&graph, &rules, 7);
    assert_eq!(tables.diverged_at(), Some(7));
}
