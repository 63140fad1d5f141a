//! The tables of a level: found, asked for, kept and dropped the same way whoever solves them when.

#[path = "common/chase.rs"]
mod chase;
#[path = "common/level.rs"]
mod level;

use allocation_counter::measure;
use bevy_pursuit::game::{Agent, Rules, Side, State};
use bevy_pursuit::graph::{Digraph, Graph, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
use bevy_pursuit::policy::TablePlayer;
use bevy_pursuit::search::Dice;
use bevy_pursuit::table::{Arena, Solution, Solver, Table};
use bevy_pursuit::world::{
    NoTable, Origin, Shelf, ShelfError, ShelfEvent, ShelfState, TableKey, TableRequest,
    TableSettings, TableTiming, TableWork,
};
use level::{LIMIT, rules};

fn solve(request: TableRequest) -> (TableKey, Solution) {
    let mut work = TableWork::new(request).expect("small enough");
    assert!(work.run(1000, |_| true).done);
    work.finish().expect("done")
}

fn solution(graph: &Graph, rules: Rules) -> Solution {
    let mut solver = Solver::new(Arena::of_map(graph).into(), rules, LIMIT).expect("small enough");
    assert!(solver.run(|_| true).done);
    solver.finish().expect("done")
}

fn repeatable(memory: u64) -> TableSettings {
    TableSettings {
        memory,
        timing: TableTiming::Repeatable {
            ticks: 3,
            ticks_per_second: 10_000,
        },
        ..TableSettings::default()
    }
}

fn door(x: u16, y: u16, passable: bool) -> TileEdit {
    let cell = Cell::new(x, y);
    TileEdit { cell, passable }
}

fn room(side: u16) -> Graph {
    let map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
    Graph::new(&map, Moves::Octile)
}

/// Delivers all that is asked for.
fn serve(shelf: &mut Shelf, graph: &Graph, tick: u64) {
    while let Some(request) = shelf.next_request(graph) {
        let (key, solution) = solve(request);
        shelf.deliver(&key, Ok(solution), tick);
    }
}

fn events(shelf: &mut Shelf) -> Vec<ShelfEvent> {
    shelf.events().collect()
}

/// Asks for a table and gets it, some ticks later.
fn get(shelf: &mut Shelf, graph: &Graph, rules: Rules, tick: &mut u64) {
    shelf.want(graph, &rules, *tick);
    serve(shelf, graph, *tick);
    *tick += 100;
    assert!(shelf.find(graph, &rules, *tick).is_some());
}

// A game with doors, and who solves.

/// What happens at a tick.
#[derive(Clone)]
struct Tick {
    edits: Vec<TileEdit>,
    /// The rules of pursuits whose turn it is.
    turns: Vec<usize>,
    settings: Option<TableSettings>,
}

struct Script {
    map: TileMap,
    rules: Vec<Rules>,
    ticks: Vec<Tick>,
    settings: TableSettings,
}

impl Script {
    fn any(dice: &mut Dice) -> Self {
        let map = chase::noise(dice, 6, 5, 20);
        let doors: Vec<Cell> = (0..4)
            .map(|_| Cell::new(1 + dice.below(5) as u16, dice.below(5) as u16))
            .collect();
        let mut settings = repeatable([20_000, 40_000, 200_000][dice.below(3)]);
        let mut tick = |_| {
            let mut edits = Vec::new();
            if dice.below(8) == 0 {
                let (cell, passable) = (dice.pick(&doors).expect("a door"), dice.below(2) == 0);
                edits.push(TileEdit { cell, passable });
            }
            let turns = (0..dice.below(3)).map(|_| dice.below(4)).collect();
            let changed = dice.below(100) == 0;
            settings.memory = [20_000, 40_000, 200_000][dice.below(3)];
            Tick {
                edits,
                turns,
                settings: changed.then_some(settings),
            }
        };
        let ticks = (0..200).map(&mut tick).collect();
        let settings = repeatable(40_000);
        Self {
            map,
            rules: vec![
                rules(1, 1, 1),
                rules(1, 2, 1),
                rules(2, 1, 1),
                rules(1, 1, 2),
            ],
            ticks,
            settings,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Worker {
    /// At once.
    Eager,
    /// When the game waits.
    Lazy,
    /// Whenever.
    Random,
}

/// A game that is played by a script.
#[derive(Clone)]
struct Game {
    graph: Graph,
    shelf: Shelf,
    taken: Vec<TableRequest>,
    dice: Dice,
    worker: Worker,
    found: u32,
    waits: u32,
}

impl Game {
    fn new(script: &Script, worker: Worker, seed: u64) -> Self {
        Self {
            graph: Graph::new(&script.map, Moves::Octile),
            shelf: Shelf::new(script.settings),
            taken: Vec::new(),
            dice: Dice::new(seed),
            worker,
            found: 0,
            waits: 0,
        }
    }

    fn deliver(&mut self, index: usize, tick: u64) {
        let (key, solution) = solve(self.taken.swap_remove(index));
        self.shelf.deliver(&key, Ok(solution), tick);
    }

    fn take(&mut self, most: usize) {
        for _ in 0..most {
            self.taken.extend(self.shelf.next_request(&self.graph));
        }
    }

    /// The worker does what it feels like.
    fn work(&mut self, tick: u64) {
        match self.worker {
            Worker::Lazy => {}
            Worker::Eager => {
                self.take(99);
                while !self.taken.is_empty() {
                    self.deliver(0, tick);
                }
            }
            Worker::Random => {
                let most = self.dice.below(3);
                self.take(most);
                while self.dice.below(4) == 0 && !self.taken.is_empty() {
                    let index = self.dice.below(self.taken.len());
                    self.deliver(index, tick);
                }
            }
        }
    }

    /// Plays a tick and tells all that can be seen of it.
    fn play(&mut self, script: &Script, tick: u64) -> String {
        use std::fmt::Write as _;
        let now = &script.ticks[tick as usize];
        self.work(tick);
        self.graph.apply(&now.edits);
        while let Some(key) = self.shelf.overdue(&self.graph, tick) {
            self.waits += 1;
            self.take(99);
            let index = self.taken.iter().position(|request| request.key == key);
            self.deliver(index.expect("a request for what is overdue"), tick);
        }
        if let Some(settings) = now.settings {
            self.shelf.set_settings(settings);
        }
        let mut seen = String::new();
        for &turn in &now.turns {
            let rules = &script.rules[turn];
            self.work(tick);
            let why_not = self.shelf.why_not(&self.graph, rules, tick);
            let found = self.shelf.find(&self.graph, rules, tick);
            let is_found = found.is_some();
            assert_eq!(why_not.is_none(), is_found);
            if let Some(found) = found {
                self.found += 1;
                assert_eq!(found.origin, Origin::Solved);
                assert_eq!(found.times.rules(), *rules);
                assert_eq!(found.times.fingerprint(), self.graph.fingerprint());
                assert!(found.arena.is_of(&self.graph));
            } else {
                self.shelf.want(&self.graph, rules, tick);
            }
            self.work(tick);
            writeln!(seen, "{tick} {turn} {is_found} {why_not:?}").expect("memory");
        }
        let bytes = self.shelf.bytes();
        let events = events(&mut self.shelf);
        writeln!(seen, "{bytes} {events:?} {:?}", self.shelf.save()).expect("memory");
        assert!(bytes <= self.shelf.settings().memory);
        self.work(tick);
        seen
    }

    fn play_on(&mut self, script: &Script, from: usize) -> Vec<String> {
        let ticks = from as u64..script.ticks.len() as u64;
        ticks.map(|tick| self.play(script, tick)).collect()
    }
}

#[test]
fn nobody_can_tell_when_a_table_was_delivered() {
    let dice = &mut Dice::new(1);
    let (mut found, mut waits, mut dropped) = (0, 0, 0);
    for seed in 0..25 {
        let script = Script::any(dice);
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
fn a_saved_game_goes_on_as_it_went_on() {
    let dice = &mut Dice::new(2);
    let mut found = 0;
    for seed in 0..15 {
        let script = Script::any(dice);
        let mut game = Game::new(&script, Worker::Random, seed);
        let middle = 20 + dice.below(150);
        for tick in 0..middle {
            game.play(&script, tick as u64);
        }
        let (state, settings) = (game.shelf.save(), *game.shelf.settings());
        let graph = game.graph.clone();
        let seen = game.play_on(&script, middle);

        let text = ron::to_string(&state).expect("serialisable");
        let read: ShelfState = ron::from_str(&text).expect("what was written");
        assert_eq!(read, state);
        let json = serde_json::to_string(&state).expect("serialisable");
        assert_eq!(
            serde_json::from_str::<ShelfState>(&json).expect("it"),
            state
        );

        // In a new game, whose map numbers its vertices otherwise.
        let mut loaded = Game::new(&script, Worker::Random, seed + 1000);
        loaded.graph = renumbered(&graph);
        loaded.shelf = Shelf::new(settings);
        loaded.shelf.restore(&read).expect("a state of ours");
        assert_eq!(loaded.shelf.save(), state);
        assert_eq!(loaded.play_on(&script, middle), seen);
        found += loaded.found;

        // In the game that has gone on, whose tables are at hand.
        game.graph = graph;
        game.shelf.set_settings(settings);
        game.shelf.restore(&state).expect("a state of ours");
        game.waits = 0;
        assert_eq!(game.play_on(&script, middle), seen);
    }
    assert!(found > 200, "{found}");
}

/// The same map with other numbers.
fn renumbered(graph: &Graph) -> Graph {
    let walls = TileMap::filled(graph.width(), graph.height(), Terrain::Wall);
    let mut other = Graph::new(&walls.expect("some cells"), graph.moves());
    let mut cells: Vec<Cell> = graph.iter().map(|vertex| graph.cell(vertex)).collect();
    cells.reverse();
    for cell in cells {
        other.apply(&[door(cell.x, cell.y, true)]);
    }
    assert_eq!(other.fingerprint(), graph.fingerprint());
    other
}

#[test]
fn going_back_solves_nothing_again() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (graph, rules) = (room(5), rules(1, 1, 1));
    let before = shelf.save();
    let mut tick = 0;
    get(&mut shelf, &graph, rules, &mut tick);
    shelf.restore(&before).expect("a state of ours");
    assert!(shelf.find(&graph, &rules, 0).is_none());
    shelf.want(&graph, &rules, 0);
    assert!(shelf.next_request(&graph).is_none(), "it is at hand");
    assert!(shelf.find(&graph, &rules, 3).is_none());
    assert!(shelf.find(&graph, &rules, 100).is_some());
}

// What a shelf does, one thing at a time.

#[test]
fn a_table_is_there_from_its_tick_on() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    assert_eq!(shelf.why_not(&graph, &rules, 7), Some(NoTable::NotAsked));
    shelf.want(&graph, &rules, 7);
    let key = TableKey::new(&graph, rules);
    let told = events(&mut shelf);
    assert!(matches!(told[..], [ShelfEvent::Solving { key: of, .. }] if of == key));
    let Some(NoTable::Solving { until: Some(until) }) = shelf.why_not(&graph, &rules, 7) else {
        panic!("it is being solved");
    };
    // 25 vertices: one word of positions, 12.5 us on paper, a tick of 100 us, and three.
    assert_eq!(until, 7 + 3 + 1);
    let request = shelf.next_request(&graph).expect("a request");
    assert!(
        shelf.next_request(&graph).is_none(),
        "each is given out once"
    );
    assert!(shelf.is_wanted(&key));
    let (_, solution) = solve(request);
    shelf.deliver(&key, Ok(solution), 8);
    assert!(!shelf.is_wanted(&key));
    assert!(shelf.find(&graph, &rules, until - 1).is_none());
    assert_eq!(shelf.bytes(), 0);
    assert!(shelf.find(&graph, &rules, until).is_some());
    assert!(shelf.bytes() > 25 * 64);
    assert_eq!(events(&mut shelf), [ShelfEvent::Ready { key }]);
    // A door closes and opens again.
    graph.apply(&[door(2, 2, false)]);
    assert!(shelf.find(&graph, &rules, until + 1).is_none());
    graph.apply(&[door(2, 2, true)]);
    assert!(shelf.find(&graph, &rules, until + 2).is_some());
}

#[test]
fn the_game_waits_for_what_is_late_on_its_map_only() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    shelf.want(&graph, &rules, 0);
    let open = TableKey::new(&graph, rules);
    assert_eq!(shelf.overdue(&graph, 3), None);
    assert_eq!(shelf.overdue(&graph, 4), Some(open));
    graph.apply(&[door(2, 2, false)]);
    assert_eq!(shelf.overdue(&graph, 50), None);
    shelf.want(&graph, &rules, 50);
    let closed = TableKey::new(&graph, rules);
    // That of the map as it is comes first, then that of the map that is gone.
    assert_eq!(shelf.next_request(&graph).map(|r| r.key), Some(closed));
    assert_eq!(shelf.next_request(&graph).map(|r| r.key), Some(open));
    shelf.give_back(&open);
    assert_eq!(shelf.next_request(&graph).map(|r| r.key), Some(open));
    graph.apply(&[door(2, 2, true)]);
    assert_eq!(shelf.overdue(&graph, 51), Some(open));
}

#[test]
fn the_table_not_used_for_longest_goes_first() {
    let (mut graph, rules) = (room(5), rules(1, 1, 1));
    let mut tick = 0;
    let mut one = Shelf::new(repeatable(1_000_000));
    get(&mut one, &graph, rules, &mut tick);
    let mut shelf = Shelf::new(repeatable(one.bytes() * 5 / 2));
    let doors: Vec<Graph> = (0..3)
        .map(|x| {
            graph.apply(&[door(x, 2, false)]);
            let closed = graph.clone();
            graph.apply(&[door(x, 2, true)]);
            closed
        })
        .collect();
    let keys: Vec<TableKey> = doors.iter().map(|g| TableKey::new(g, rules)).collect();
    get(&mut shelf, &doors[0], rules, &mut tick);
    get(&mut shelf, &doors[1], rules, &mut tick);
    tick += 1;
    assert!(shelf.find(&doors[0], &rules, tick).is_some());
    events(&mut shelf);
    get(&mut shelf, &doors[2], rules, &mut tick);
    assert!(events(&mut shelf).contains(&ShelfEvent::Dropped { key: keys[1] }));
    assert!(shelf.find(&doors[0], &rules, tick).is_some());
    assert!(shelf.find(&doors[1], &rules, tick).is_none());
    assert!(shelf.find(&doors[2], &rules, tick).is_some());
    assert!(shelf.bytes() <= shelf.settings().memory);
    // Less memory: what is in use stays longest.
    assert!(shelf.find(&doors[0], &rules, tick + 1).is_some());
    let memory = one.bytes() * 3 / 2;
    shelf.set_settings(repeatable(memory));
    assert!(shelf.find(&doors[0], &rules, tick + 2).is_some());
    assert!(shelf.find(&doors[2], &rules, tick + 2).is_none());
}

#[test]
fn tables_in_use_are_not_traded_for_each_other() {
    let (graph, first, second) = (room(5), rules(1, 1, 1), rules(1, 2, 1));
    let (mut one, mut tick) = (Shelf::new(repeatable(1_000_000)), 0);
    get(&mut one, &graph, first, &mut tick);
    let allowed = one.bytes() * 3 / 2;
    let mut shelf = Shelf::new(repeatable(allowed));
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
    assert!(shelf.find(&graph, &second, tick + 100).is_some());
    assert!(shelf.find(&graph, &first, tick + 100).is_none());
}

#[test]
fn what_is_not_allowed_is_refused_once_and_with_the_reason() {
    let (graph, classical) = (room(5), rules(1, 1, 1));
    let settings = TableSettings::default();
    let orthogonal = Rules {
        moves: Moves::Orthogonal,
        ..classical
    };
    let off = TableSettings {
        solve: false,
        ..settings
    };
    let small = TableSettings {
        max_bytes: 1000,
        ..settings
    };
    let quick = TableSettings {
        max_milliseconds: 0,
        ..settings
    };
    let little = TableSettings {
        memory: 1000,
        ..settings
    };
    let large = room(300);
    let is_expected: [(_, _, _, fn(NoTable) -> bool); 7] = [
        (off, &graph, classical, |why| why == NoTable::Off),
        (settings, &graph, orthogonal, |why| {
            why == NoTable::OtherMoves
        }),
        (settings, &large, classical, |why| {
            why == NoTable::TooManyVertices { vertices: 90_000 }
        }),
        (small, &graph, classical, |why| {
            matches!(
                why,
                NoTable::TooLarge {
                    needed: 1001..,
                    allowed: 1000
                }
            )
        }),
        (settings, &graph, rules(200, 1, 1), |why| {
            matches!(
                why,
                NoTable::TooLarge {
                    needed: u64::MAX,
                    ..
                }
            )
        }),
        (quick, &graph, classical, |why| {
            why == NoTable::TooSlow {
                needed: 1,
                allowed: 0,
            }
        }),
        (little, &graph, classical, |why| {
            matches!(
                why,
                NoTable::NoRoom {
                    needed: 1001..,
                    allowed: 1000
                }
            )
        }),
    ];
    for (settings, graph, rules, is_expected) in is_expected {
        let mut shelf = Shelf::new(settings);
        for tick in 0..10 {
            assert!(shelf.find(graph, &rules, tick).is_none());
            shelf.want(graph, &rules, tick);
        }
        let why = shelf.why_not(graph, &rules, 10).expect("a reason");
        assert!(is_expected(why), "{why:?}");
        let key = TableKey::new(graph, rules);
        assert_eq!(events(&mut shelf), [ShelfEvent::Refused { key, why }]);
        assert!(shelf.next_request(graph).is_none());
    }
}

#[test]
fn a_failure_is_final_until_the_settings_change() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (graph, rules) = (room(5), rules(1, 1, 1));
    shelf.want(&graph, &rules, 0);
    let mut request = shelf.next_request(&graph).expect("a request");
    let key = request.key;
    request.limit = 10;
    let error = TableWork::new(request).expect_err("too large");
    shelf.deliver(&key, Err(error), 1);
    events(&mut shelf);
    assert!(shelf.find(&graph, &rules, 50).is_none());
    let why = NoTable::Failed;
    assert_eq!(events(&mut shelf), [ShelfEvent::Refused { key, why }]);
    shelf.want(&graph, &rules, 50);
    assert_eq!(shelf.why_not(&graph, &rules, 50), Some(why));
    assert!(shelf.next_request(&graph).is_none());
    shelf.set_settings(repeatable(900_000));
    shelf.want(&graph, &rules, 51);
    // What is delivered has to be what was asked for.
    let other = solution(&room(4), rules);
    assert!(shelf.next_request(&graph).is_some());
    shelf.deliver(&key, Ok(other), 51);
    assert!(shelf.find(&graph, &rules, 99).is_none());
}

#[test]
fn a_game_that_need_not_repeat_itself_uses_tables_at_once() {
    let mut shelf = Shelf::new(TableSettings {
        timing: TableTiming::WhenReady,
        ..TableSettings::default()
    });
    let (graph, rules) = (room(5), rules(1, 1, 1));
    shelf.want(&graph, &rules, 3);
    assert_eq!(shelf.overdue(&graph, 1_000_000), None);
    assert!(shelf.find(&graph, &rules, 5).is_none());
    let why = Some(NoTable::Solving { until: None });
    assert_eq!(shelf.why_not(&graph, &rules, 5), why);
    serve(&mut shelf, &graph, 5);
    assert!(shelf.find(&graph, &rules, 5).is_some());
    // Saved and loaded, it has to be solved again, and nobody waits.
    let state = shelf.save();
    let mut loaded = Shelf::new(*shelf.settings());
    loaded.restore(&state).expect("a state of ours");
    assert_eq!(loaded.overdue(&graph, 6), None);
    assert!(loaded.find(&graph, &rules, 6).is_none());
    serve(&mut loaded, &graph, 6);
    assert!(loaded.find(&graph, &rules, 6).is_some());
}

#[test]
fn switching_off_forgets_requests_and_keeps_tables() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (graph, first, second) = (room(5), rules(1, 1, 1), rules(1, 2, 1));
    let mut tick = 0;
    get(&mut shelf, &graph, first, &mut tick);
    shelf.want(&graph, &second, tick);
    shelf.set_settings(TableSettings {
        solve: false,
        ..*shelf.settings()
    });
    assert!(shelf.next_request(&graph).is_none());
    assert_eq!(shelf.overdue(&graph, tick + 1000), None);
    assert!(shelf.find(&graph, &first, tick + 1000).is_some());
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
    assert_eq!(
        shelf.add_asset(Table::of(&solution)),
        Ok(key),
        "loaded anew"
    );
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
    assert!(shelf.find(&graph, &rules, 0).is_none());
    graph.apply(&[door(1, 1, true)]);
    shelf.want(&graph, &rules, 0);
    assert_eq!(events(&mut shelf), [], "it is there");
    assert!(shelf.remove_asset(&key) && !shelf.remove_asset(&key));
    assert!(shelf.find(&graph, &rules, 0).is_none());
    let path = Digraph::undirected(3, &[(0, 1), (1, 2)]).expect("a path");
    let mut solver = Solver::new(Arena::of_digraph(&path).into(), rules, LIMIT).expect("small");
    assert!(solver.run(|_| true).done);
    let graph_table = Table::of(&solver.finish().expect("done"));
    assert!(shelf.add_asset(graph_table).is_err(), "not of a map");
}

#[test]
fn looking_again_takes_no_memory() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (graph, large) = (room(5), room(300));
    let (first, second) = (rules(1, 1, 1), rules(1, 2, 1));
    let mut tick = 0;
    get(&mut shelf, &graph, first, &mut tick);
    shelf.want(&large, &first, tick);
    events(&mut shelf);
    let mut turn = |graph: &Graph| {
        tick += 1;
        let found = shelf.find(graph, &first, tick).is_some();
        assert!(shelf.find(graph, &second, tick).is_none());
        if !found {
            shelf.want(graph, &first, tick);
        }
        assert_eq!(shelf.overdue(graph, tick), None);
    };
    for graph in [&graph, &large] {
        turn(graph);
        assert_eq!(
            measure(|| (0..100).for_each(|_| turn(graph))).count_total,
            0
        );
    }
}

#[test]
fn slices_and_threads_solve_the_same() {
    let (graph, rules) = (room(6), rules(2, 1, 1));
    let mut shelf = Shelf::new(TableSettings::default());
    shelf.want(&graph, &rules, 0);
    let request = shelf.next_request(&graph).expect("a request");
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
    // One that is not wanted any more stops after a slice.
    let mut work = TableWork::new(request).expect("small enough");
    assert!(!work.run(50, |_| false).done);
    assert!(work.finish().is_none());
}

// States that somebody has made up.

/// Changes something somewhere.
fn garble(value: &mut serde_json::Value, dice: &mut Dice) {
    use serde_json::Value;
    match value {
        Value::Array(items) if !items.is_empty() => {
            let index = dice.below(items.len());
            match dice.below(8) {
                0 => drop(items.remove(index)),
                1 => items.insert(index, items[dice.below(items.len())].clone()),
                2 => {
                    let other = dice.below(items.len());
                    items.swap(index, other);
                }
                _ => garble(&mut items[index], dice),
            }
        }
        Value::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = &keys[dice.below(keys.len())];
            garble(&mut fields[key], dice);
        }
        Value::Number(number) => {
            let before = number.as_u64().unwrap_or(0);
            let next = [
                0,
                1,
                before ^ 1,
                before.wrapping_mul(3),
                65_535,
                u64::MAX - 1,
                u64::MAX,
            ];
            *number = next[dice.below(next.len())].into();
        }
        other => *other = 1.into(),
    }
}

#[test]
fn a_state_that_somebody_has_made_up_does_no_harm() {
    let dice = &mut Dice::new(7);
    let (mut read, mut restored, mut refused) = (0, 0, 0);
    for seed in 0..20 {
        let script = Script::any(dice);
        let mut game = Game::new(&script, Worker::Eager, seed);
        for tick in 0..100 {
            game.play(&script, tick);
        }
        let state = serde_json::to_value(game.shelf.save()).expect("serialisable");
        for _ in 0..100 {
            let mut state = state.clone();
            for _ in 0..=dice.below(3) {
                garble(&mut state, dice);
            }
            let Ok(state) = serde_json::from_value::<ShelfState>(state) else {
                continue;
            };
            read += 1;
            let mut fresh = Shelf::new(script.settings);
            let shelf = if dice.below(2) == 0 {
                &mut fresh
            } else {
                &mut game.shelf
            };
            let before = shelf.save();
            match shelf.restore(&state) {
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    assert_eq!(shelf.save(), before, "nothing half loaded");
                    refused += 1;
                }
                Ok(()) => restored += 1,
            }
            for tick in 100..110 {
                for rules in &script.rules {
                    if shelf.find(&game.graph, rules, tick).is_none() {
                        shelf.want(&game.graph, rules, tick);
                    }
                }
                serve(shelf, &game.graph, tick);
                assert!(shelf.bytes() <= shelf.settings().memory);
            }
        }
    }
    assert!(
        read > 500 && restored > 100 && refused > 100,
        "{read} {restored} {refused}"
    );
}

#[test]
fn errors_name_the_table() {
    let mut shelf = Shelf::new(repeatable(1_000_000));
    let (graph, rules) = (room(5), rules(1, 1, 1));
    shelf.want(&graph, &rules, 9);
    let state = serde_json::to_value(shelf.save()).expect("serialisable");
    let restore = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut state = state.clone();
        change(&mut state);
        let state = serde_json::from_value(state).expect("readable");
        Shelf::new(repeatable(1_000_000)).restore(&state)
    };
    assert_eq!(restore(&|_| ()), Ok(()));
    let error = restore(&|state| state["maps"][0]["passable"][0] = 3.into());
    assert!(matches!(error, Err(ShelfError::Foreign { table: 0, .. })));
    let error = restore(&|state| state["maps"][0]["width"] = 60_000.into());
    assert_eq!(error, Err(ShelfError::Map { map: 0 }));
    let error = restore(&|state| state["maps"] = serde_json::json!([]));
    assert_eq!(error, Err(ShelfError::Map { map: 0 }));
    let error = restore(&|state| state["tables"][0]["used"] = 10.into());
    assert_eq!(error, Err(ShelfError::Ticks { table: 0, tick: 9 }));
    let error = restore(&|state| {
        let table = state["tables"][0].clone();
        state["tables"].as_array_mut().expect("a list").push(table);
    });
    assert_eq!(error, Err(ShelfError::Order { table: 1 }));
    let error = restore(&|state| {
        let table = state["tables"][0].clone();
        *state["tables"].as_array_mut().expect("a list") = vec![table; 1000];
    });
    assert!(matches!(
        error,
        Err(ShelfError::TooMany { found: 1000, .. })
    ));
}
