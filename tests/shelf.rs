//! Which tables a shelf has: what it takes, what it refuses, and what has to go for something else.

#[path = "common/level.rs"]
mod level;
#[path = "common/shelf.rs"]
mod shelf;

use allocation_counter::measure;
use bevy_pursuit::game::{Agent, Rules, Side, State};
use bevy_pursuit::graph::{Graph, Vertex};
use bevy_pursuit::map::Moves;
use bevy_pursuit::policy::TablePlayer;
use bevy_pursuit::table::Table;
use bevy_pursuit::world::{NoTable, Origin, Shelf, ShelfEvent, TableKey, TableSettings};
use level::{Level, rules};
use shelf::{
    bytes_of_one, door, events, get, has, renumbered, repeatable, room, serve, solution, start,
};

#[test]
fn the_table_not_used_for_longest_goes_first() {
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    let one = bytes_of_one(&graph, rules);
    let mut shelf = Shelf::new(repeatable(one * 5 / 2));
    let doors = [0, 1, 2].map(|x| {
        graph.apply(&[door(x, 2, false)]);
        let closed = graph.clone();
        graph.apply(&[door(x, 2, true)]);
        closed
    });
    let mut tick = 0;
    get(&mut shelf, &doors[0], rules, &mut tick);
    get(&mut shelf, &doors[1], rules, &mut tick);
    tick += 1;
    assert!(has(&mut shelf, &doors[0], rules, tick));
    events(&mut shelf);
    get(&mut shelf, &doors[2], rules, &mut tick);
    let key = TableKey::new(&doors[1], rules);
    assert!(events(&mut shelf).contains(&ShelfEvent::Dropped { key }));
    let there = doors
        .each_ref()
        .map(|graph| has(&mut shelf, graph, rules, tick));
    assert_eq!(there, [true, false, true]);
    assert!(shelf.bytes() <= shelf.settings().memory);
    // Less memory: what is in use stays longest.
    assert!(has(&mut shelf, &doors[0], rules, tick + 1));
    shelf.set_settings(repeatable(one * 3 / 2));
    assert!(has(&mut shelf, &doors[0], rules, tick + 2));
    assert!(!has(&mut shelf, &doors[2], rules, tick + 2));
}

#[test]
fn tables_in_use_are_not_traded_for_each_other() {
    let (graph, first, second) = (room(5), rules(1, 1, 1), rules(1, 2, 1));
    let allowed = bytes_of_one(&graph, first) * 3 / 2;
    let mut shelf = Shelf::new(repeatable(allowed));
    let mut tick = 0;
    get(&mut shelf, &graph, first, &mut tick);
    shelf.want(&graph, &second, tick);
    assert!(matches!(
        shelf.why_not(&graph, &second, tick),
        Some(NoTable::NoRoom { allowed: of, .. }) if of == allowed
    ));
    assert!(shelf.next_request(&graph).is_none());
    // As soon as the first is not used any more there is room.
    tick += 2000;
    shelf.want(&graph, &second, tick);
    serve(&mut shelf, &graph, tick);
    assert!(has(&mut shelf, &graph, second, tick + 100));
    assert!(!has(&mut shelf, &graph, first, tick + 100));
}

/// Wants a table turn after turn, is refused once, and tells why.
fn refusal(settings: TableSettings, graph: &Graph, rules: Rules) -> NoTable {
    let mut shelf = Shelf::new(settings);
    for tick in 0..10 {
        assert!(!has(&mut shelf, graph, rules, tick));
        shelf.want(graph, &rules, tick);
    }
    let why = shelf.why_not(graph, &rules, 10).expect("a reason");
    let key = TableKey::new(graph, rules);
    assert_eq!(events(&mut shelf), [ShelfEvent::Refused { key, why }]);
    assert!(shelf.next_request(graph).is_none());
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

    // What would be allowed by other settings.
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
    let (mut shelf, graph, first) = start();
    let second = rules(1, 2, 1);
    let mut tick = 0;
    get(&mut shelf, &graph, first, &mut tick);
    shelf.want(&graph, &second, tick);
    shelf.set_settings(TableSettings {
        solve: false,
        ..*shelf.settings()
    });
    assert!(shelf.next_request(&graph).is_none());
    assert_eq!(shelf.overdue(&graph, tick + 1000), None);
    assert!(has(&mut shelf, &graph, first, tick + 1000));
    assert_eq!(shelf.why_not(&graph, &second, tick), Some(NoTable::Off));
}

#[test]
fn the_game_s_own_tables_come_first() {
    let (mut graph, rules) = (room(6), rules(1, 1, 1));
    let solution = solution(&graph, rules);
    let key = TableKey::new(&graph, rules);
    let mut shelf = Shelf::new(TableSettings {
        solve: false,
        memory: 0,
        ..TableSettings::default()
    });
    assert_eq!(shelf.add_asset(Table::of(&solution)), Ok(key));
    let anew = shelf.add_asset(Table::of(&solution));
    assert_eq!(anew, Ok(key), "loaded anew");
    // The same map, numbered in two ways.
    for graph in [&graph, &renumbered(&graph), &graph] {
        shelf.replace_map();
        let vertices: Vec<Vertex> = graph.iter().collect();
        let agent = |index: usize| Agent {
            at: vertices[index],
            speed: rules.cop_speed,
        };
        let found = shelf.find(graph, &rules, 0).expect("the asset");
        assert_eq!(found.origin, Origin::Asset);
        let state = State {
            robber: agent(30),
            cops: &[agent(2)],
            to_move: Side::Cops,
        };
        let mut out = Vec::new();
        let player = &mut TablePlayer::default();
        assert!(player.cops(found.times, found.arena, graph, &state, &mut out));
        assert!(!out[0].way().is_empty());
    }
    assert_eq!(shelf.bytes(), 0);
    graph.apply(&[door(1, 1, false)]);
    assert!(!has(&mut shelf, &graph, rules, 0));
    graph.apply(&[door(1, 1, true)]);
    shelf.want(&graph, &rules, 0);
    assert_eq!(events(&mut shelf), [], "it is there");
    assert!(shelf.remove_asset(&key) && !shelf.remove_asset(&key));
    assert!(!has(&mut shelf, &graph, rules, 0));
    let path = Level::of_arcs(3, &[(0, 1), (1, 2)], true).solve(rules);
    assert!(shelf.add_asset(Table::of(&path)).is_err(), "not of a map");
}

#[test]
fn looking_again_takes_no_memory() {
    let (mut shelf, graph, first) = start();
    let (large, second) = (room(300), rules(1, 2, 1));
    let mut tick = 0;
    get(&mut shelf, &graph, first, &mut tick);
    shelf.want(&large, &first, tick);
    events(&mut shelf);
    let mut turn = |graph: &Graph| {
        tick += 1;
        let found = has(&mut shelf, graph, first, tick);
        assert!(!has(&mut shelf, graph, second, tick));
        if !found {
            shelf.want(graph, &first, tick);
        }
        assert_eq!(shelf.overdue(graph, tick), None);
    };
    for graph in [&graph, &large] {
        turn(graph);
        let taken = measure(|| (0..100).for_each(|_| turn(graph)));
        assert_eq!(taken.count_total, 0);
    }
}
