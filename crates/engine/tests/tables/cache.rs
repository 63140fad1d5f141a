//! Tests of which tables a cache holds: what it accepts, what it refuses, and which table it drops
//! for another.

use crate::common::level;
use crate::common::table_cache;
use allocation_counter::measure;
use level::{PursuitLevel, rules};
use pursuit_engine::game::{Agent, Rules, Side, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::policy::TablePlayer;
use pursuit_engine::table::Table;
use pursuit_engine::table_cache::{
    NoTable, Origin, TableCache, TableEvent, TableKey, TableSettings,
};
use table_cache::{
    bytes_of_one, door, events, get, has, lockstep, renumbered, room, serve, solution, start,
};

#[test]
fn the_table_not_used_for_longest_goes_first() {
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    let one = bytes_of_one(&graph, rules);
    let mut tables = TableCache::new(lockstep(one * 5 / 2));
    let doors = [0, 1, 2].map(|x| {
        graph.apply(&[door(x, 2, false)]);
        let closed = graph.clone();
        graph.apply(&[door(x, 2, true)]);
        closed
    });
    let mut tick = 0;
    get(&mut tables, &doors[0], rules, &mut tick);
    get(&mut tables, &doors[1], rules, &mut tick);
    tick += 1;
    assert!(has(&mut tables, &doors[0], rules, tick));
    events(&mut tables);
    get(&mut tables, &doors[2], rules, &mut tick);
    let key = TableKey::new(&doors[1], rules);
    assert!(events(&mut tables).contains(&TableEvent::Dropped { key }));
    let there = doors
        .each_ref()
        .map(|graph| has(&mut tables, graph, rules, tick));
    assert_eq!(there, [true, false, true]);
    assert!(tables.bytes() <= tables.settings().memory);
    // With less memory, the table in use stays longest.
    assert!(has(&mut tables, &doors[0], rules, tick + 1));
    tables.set_settings(lockstep(one * 3 / 2));
    assert!(has(&mut tables, &doors[0], rules, tick + 2));
    assert!(!has(&mut tables, &doors[2], rules, tick + 2));
}

#[test]
fn tables_in_use_are_not_traded_for_each_other() {
    let (graph, first, second) = (room(5), rules(1, 1, 1), rules(1, 2, 1));
    let allowed = bytes_of_one(&graph, first) * 3 / 2;
    let mut tables = TableCache::new(lockstep(allowed));
    let mut tick = 0;
    get(&mut tables, &graph, first, &mut tick);
    tables.request(&graph, &second, tick);
    assert!(matches!(
        tables.reason_for_none(&graph, &second, tick),
        Some(NoTable::NoRoom { allowed: of, .. }) if of == allowed
    ));
    assert!(tables.next_request(&graph).is_none());
    // There is room as soon as the first table is no longer used.
    tick += 2000;
    tables.request(&graph, &second, tick);
    serve(&mut tables, &graph, tick);
    assert!(has(&mut tables, &graph, second, tick + 100));
    assert!(!has(&mut tables, &graph, first, tick + 100));
}

/// The reason for which a table is refused. The refusal is reported once, although the table is
/// wanted turn after turn.
fn refusal(settings: TableSettings, graph: &Graph, rules: Rules) -> NoTable {
    let mut tables = TableCache::new(settings);
    for tick in 0..10 {
        assert!(!has(&mut tables, graph, rules, tick));
        tables.request(graph, &rules, tick);
    }
    let why = tables.reason_for_none(graph, &rules, 10).expect("a reason");
    let key = TableKey::new(graph, rules);
    assert_eq!(events(&mut tables), [TableEvent::Refused { key, why }]);
    assert!(tables.next_request(graph).is_none());
    why
}

#[test]
fn what_is_not_allowed_is_refused_once_and_with_the_reason() {
    let (graph, classical) = (room(5), rules(1, 1, 1));
    let settings = TableSettings::default();
    let orthogonal = Rules {
        moves: Moves::Orthogonal,
        ..classical
    };
    assert_eq!(refusal(settings, &graph, orthogonal), NoTable::OtherMoves);
    let why = NoTable::TooManyVertices { vertices: 90_000 };
    assert_eq!(refusal(settings, &room(300), classical), why);
    let why = refusal(settings, &graph, rules(200, 1, 1));
    assert!(
        matches!(
            why,
            NoTable::TooLarge {
                needed: u64::MAX,
                ..
            }
        ),
        "{why:?}"
    );

    // The same table would be allowed with other settings.
    let with = |change: fn(&mut TableSettings)| {
        let mut settings = settings;
        change(&mut settings);
        refusal(settings, &graph, classical)
    };
    assert_eq!(with(|settings| settings.solve = false), NoTable::Off);
    let (needed, allowed) = (1, 0);
    let why = NoTable::TooSlow { needed, allowed };
    assert_eq!(with(|settings| settings.max_milliseconds = 0), why);
    let why = with(|settings| settings.max_bytes = 1000);
    assert!(
        matches!(
            why,
            NoTable::TooLarge {
                needed: 1001..,
                allowed: 1000
            }
        ),
        "{why:?}"
    );
    let why = with(|settings| settings.memory = 1000);
    assert!(
        matches!(
            why,
            NoTable::NoRoom {
                needed: 1001..,
                allowed: 1000
            }
        ),
        "{why:?}"
    );
}

#[test]
fn switching_off_forgets_requests_and_keeps_tables() {
    let (mut tables, graph, first) = start();
    let second = rules(1, 2, 1);
    let mut tick = 0;
    get(&mut tables, &graph, first, &mut tick);
    tables.request(&graph, &second, tick);
    tables.set_settings(TableSettings {
        solve: false,
        ..*tables.settings()
    });
    assert!(tables.next_request(&graph).is_none());
    assert_eq!(tables.overdue(&graph, tick + 1000), None);
    assert!(has(&mut tables, &graph, first, tick + 1000));
    assert_eq!(
        tables.reason_for_none(&graph, &second, tick),
        Some(NoTable::Off)
    );
}

#[test]
fn the_game_s_own_tables_come_first() {
    let (mut graph, rules) = (room(6), rules(1, 1, 1));
    let solution = solution(&graph, rules);
    let key = TableKey::new(&graph, rules);
    let mut tables = TableCache::new(TableSettings {
        solve: false,
        memory: 0,
        ..TableSettings::default()
    });
    assert_eq!(tables.add_asset(Table::of(&solution)), Ok(key));
    let anew = tables.add_asset(Table::of(&solution));
    assert_eq!(anew, Ok(key), "loaded anew");
    // The same map with two different numberings.
    for graph in [&graph, &renumbered(&graph), &graph] {
        tables.replace_map(graph, 0);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let agent = |index: usize| Agent {
            at: vertices[index],
            speed: rules.cop_speed,
        };
        let found = tables.find(graph, &rules, 0).expect("the asset");
        assert_eq!(found.origin, Origin::Asset);
        let state = State {
            robber: agent(30),
            cops: &[agent(2)],
            to_move: Side::Cops,
        };
        let mut out = Vec::new();
        let player = &mut TablePlayer::default();
        assert!(player.cops(found.times, found.arena, graph, &state, &mut out));
        assert!(!out[0].next_move().is_empty());
    }
    assert_eq!(tables.bytes(), 0);
    graph.apply(&[door(1, 1, false)]);
    assert!(!has(&mut tables, &graph, rules, 0));
    graph.apply(&[door(1, 1, true)]);
    tables.request(&graph, &rules, 0);
    assert_eq!(events(&mut tables), [], "it is there");
    assert!(tables.remove_asset(&key) && !tables.remove_asset(&key));
    assert!(!has(&mut tables, &graph, rules, 0));
    let path = PursuitLevel::of_arcs(3, &[(0, 1), (1, 2)], true).solve(rules);
    assert!(tables.add_asset(Table::of(&path)).is_err(), "not of a map");
}

#[test]
fn looking_again_takes_no_memory() {
    let (mut tables, graph, first) = start();
    let (large, second) = (room(300), rules(1, 2, 1));
    let mut tick = 0;
    get(&mut tables, &graph, first, &mut tick);
    tables.request(&large, &first, tick);
    events(&mut tables);
    let mut turn = |graph: &Graph| {
        tick += 1;
        let found = has(&mut tables, graph, first, tick);
        assert!(!has(&mut tables, graph, second, tick));
        if !found {
            tables.request(graph, &first, tick);
        }
        assert_eq!(tables.overdue(graph, tick), None);
    };
    for graph in [&graph, &large] {
        turn(graph);
        let taken = measure(|| (0..100).for_each(|_| turn(graph)));
        assert_eq!(taken.count_total, 0);
    }
}
