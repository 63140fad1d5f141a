//! Pattern databases: Hex as in the paper, implied patterns, symmetry, and three ways to look patterns up.

use proptest::prelude::*;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_lab::patterns::hex::{BLUE, EMPTY, Hex, RED};
use pursuit_lab::patterns::pursuit::{FLOOR, Lookup, Matcher, PursuitWindows, Search, WALL};
use pursuit_lab::patterns::{
    Board, Code, Database, Generator, Kind, NO_PIECE, Pattern, PatternCount, PatternGame, Shape,
    Site,
};
use std::collections::BTreeSet;

use crate::common;
use common::fixpoint::SlowGame;

fn hex(cells: usize) -> Database {
    Generator::new(Hex::new(cells), 8).run()
}

fn windows(moves: Moves, cops: u8, size: (u8, u8), depth: u8) -> Database {
    let game = PursuitWindows::new(moves, cops, size, 0).expect("a valid window");
    Generator::new(game, depth).run()
}

/// Patterns with this shape, under the symmetries of the game.
fn on_shape<'a>(
    database: &'a Database,
    game: &impl PatternGame,
    sites: &[Site],
) -> Vec<&'a Pattern> {
    let shape = Shape::canonical(sites, game.symmetries()).shape;
    let number = database.shapes().iter().position(|other| *other == shape);
    let number = number.expect("a known shape");
    let patterns = database.patterns().iter();
    patterns
        .filter(|pattern| usize::from(pattern.shape) == number)
        .collect()
}

/// How many cells of a pattern have each symbol.
fn symbols(pattern: &Pattern, cells: usize) -> [usize; 3] {
    let mut counts = [0; 3];
    for cell in 0..cells {
        if let Some(symbol) = pattern.code.symbol(cell) {
            counts[usize::from(symbol)] += 1;
        }
    }
    counts
}

const BRIDGE: [Site; 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

#[test]
fn hex_shapes_and_their_possible_patterns_are_those_of_table_1() {
    let mut generator = Generator::new(Hex::new(6), 1);
    while generator.progress().done < generator.progress().shapes {
        generator.advance(usize::MAX / 2);
    }
    let of_size = |cells: usize| {
        generator
            .rows()
            .iter()
            .filter(move |row| row.cells == cells)
    };
    for (cells, possible) in [(3, 27), (4, 81), (5, 243), (6, 729)] {
        assert!(of_size(cells).all(|row| row.codes == possible));
    }
    // Free polyhexes (OEIS A000228).
    let shapes: Vec<usize> = (2..=6).map(|cells| of_size(cells).count()).collect();
    assert_eq!(shapes, [1, 3, 7, 22, 82]);
    // Each after its parts.
    let sizes: Vec<usize> = generator.rows().iter().map(|row| row.cells).collect();
    assert!(sizes.is_sorted());
}

#[test]
fn hex_finds_the_patterns_of_figure_3() {
    let game = Hex::new(4);
    let database = hex(4);
    // Left: a stone, an empty hexagon, a stone: connected in one move.
    for sites in [
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (1, 0), (1, 1)],
        [(0, 0), (1, 0), (0, 1)],
    ] {
        let found = on_shape(&database, &game, &sites);
        let are_neighbours = sites[2] == (0, 1);
        let in_one = found.iter().filter(|pattern| pattern.kind == Kind::InOne);
        let expected = usize::from(!are_neighbours);
        assert_eq!(
            in_one.count(),
            expected,
            "in a triangle the ends touch already"
        );
        assert!(found.iter().all(|pattern| pattern.kind != Kind::Won));
        assert!(found.iter().all(|pattern| symbols(pattern, 3) == [1, 0, 0]));
    }
    // Middle: the bridge, the only virtual connection of four hexagons.
    let bridge = on_shape(&database, &game, &BRIDGE);
    let won: Vec<_> = bridge
        .iter()
        .filter(|pattern| pattern.kind == Kind::Won)
        .collect();
    assert_eq!(won.len(), 1);
    assert_eq!((symbols(won[0], 4), won[0].turns), ([2, 0, 0], 1));
    let all = database.patterns().iter();
    let won = all.filter(|pattern| pattern.kind == Kind::Won && pattern.turns > 0);
    assert_eq!(won.count(), 1);
    // The shortest one: stones that touch.
    let touching = on_shape(&database, &game, &[(0, 0), (1, 0)]);
    assert_eq!(touching.len(), 1);
    assert_eq!((touching[0].kind, touching[0].turns), (Kind::Won, 0));
}

#[test]
fn hex_finds_the_bridge_by_the_steps_of_figure_5() {
    let mut generator = Generator::new(Hex::new(4), 2);
    while generator.progress().done < generator.progress().shapes {
        generator.advance(1);
    }
    let shape = Shape::canonical(&BRIDGE, Hex::new(4).symmetries()).shape;
    let solved = generator
        .solved()
        .iter()
        .find(|solved| solved.board.shape == shape);
    let solved = solved.expect("the rhombus is a shape");
    let board = &solved.board;
    // The two hexagons that have two neighbours within the shape are the ends.
    let near = |a: Site, b: Site| {
        matches!(
            (a.0 - b.0, a.1 - b.1),
            (1 | -1, 0) | (0, 1 | -1) | (1, -1) | (-1, 1)
        )
    };
    let degree = |cell: usize| {
        let sites = shape.sites();
        sites
            .iter()
            .filter(|&&site| near(site, sites[cell]))
            .count()
    };
    let (ends, between): (Vec<usize>, Vec<usize>) = (0..4).partition(|&cell| degree(cell) == 2);
    let pieces = [ends[0] as u8, ends[1] as u8, NO_PIECE, NO_PIECE];
    let place = board.placement(&pieces).expect("two ends");
    let ground = |a: u8, b: u8| {
        let stones = [
            (ends[0], RED),
            (ends[1], RED),
            (between[0], a),
            (between[1], b),
        ];
        stones
            .iter()
            .map(|&(cell, stone)| usize::from(stone) * board.powers[cell])
            .sum::<usize>()
    };
    let holds = |kind: Kind, turns: usize, code: usize| {
        solved.layer(kind, turns, 0).sets[place].contains(code)
    };
    // Left: connected stones. Middle: a red move is taken back. Right: a blue one, and both check moves lead to the middle.
    for (a, b) in [(BLUE, RED), (RED, BLUE)] {
        assert!(holds(Kind::Won, 0, ground(a, b)));
    }
    for (a, b) in [(BLUE, EMPTY), (EMPTY, BLUE)] {
        assert!(!holds(Kind::Won, 2, ground(a, b)));
        assert!(!holds(Kind::InOne, 0, ground(a, b)) && holds(Kind::InOne, 1, ground(a, b)));
    }
    assert!(
        !holds(Kind::Won, 0, ground(EMPTY, EMPTY)) && holds(Kind::Won, 1, ground(EMPTY, EMPTY))
    );
    assert!(!holds(Kind::InTwo, 2, ground(BLUE, BLUE)));
}

#[test]
fn hex_discards_the_special_case_of_figure_7() {
    let (game, database) = (Hex::new(5), hex(5));
    // The bridge with any fifth hexagon beside it.
    for fifth in [(2, 0), (-1, 1), (2, -1), (0, 2), (1, -1)] {
        let sites: Vec<Site> = BRIDGE.into_iter().chain([fifth]).collect();
        let won = on_shape(&database, &game, &sites);
        let won = won.into_iter().filter(|pattern| pattern.kind == Kind::Won);
        assert_eq!(won.count(), 0, "{fifth:?}");
    }
}

/// A connection by its definition: searched on the cells of a shape, all others blue.
fn connected_by_search(shape: &Shape, ends: [usize; 2], symbols: &[u8], kind: Kind) -> bool {
    let near = |a: Site, b: Site| {
        matches!(
            (a.0 - b.0, a.1 - b.1),
            (1 | -1, 0) | (0, 1 | -1) | (1, -1) | (-1, 1)
        )
    };
    let moves = |stone: u8| {
        let empty = (0..symbols.len()).filter(|&cell| symbols[cell] == EMPTY);
        empty.map(move |cell| {
            let mut next = symbols.to_vec();
            next[cell] = stone;
            next
        })
    };
    match kind {
        Kind::Won => {
            let mut reached = BTreeSet::from([ends[0]]);
            for _ in symbols {
                for (cell, &symbol) in symbols.iter().enumerate() {
                    let touches = |&other: &usize| near(shape.sites()[cell], shape.sites()[other]);
                    if symbol == RED && reached.iter().any(touches) {
                        reached.insert(cell);
                    }
                }
            }
            let mut threats = moves(BLUE).peekable();
            reached.contains(&ends[1])
                || threats.peek().is_some()
                    && threats.all(|next| connected_by_search(shape, ends, &next, Kind::InOne))
        }
        Kind::InOne => {
            connected_by_search(shape, ends, symbols, Kind::Won)
                || moves(RED).any(|next| connected_by_search(shape, ends, &next, Kind::Won))
        }
        Kind::InTwo => {
            connected_by_search(shape, ends, symbols, Kind::InOne)
                || moves(RED).any(|next| connected_by_search(shape, ends, &next, Kind::InOne))
        }
    }
}

/// The symbols of all cells of a ground code.
fn unpacked(board: &Board, code: usize) -> Vec<u8> {
    let cells = 0..board.shape.cells();
    cells.map(|cell| board.symbol(code, cell) as u8).collect()
}

#[test]
fn hex_sets_are_those_of_a_search_and_so_are_the_preventing_moves() {
    let mut generator = Generator::new(Hex::new(5), 8);
    while generator.progress().done < generator.progress().shapes {
        generator.advance(usize::MAX / 2);
    }
    for solved in generator.solved() {
        let board = &solved.board;
        for (place, pieces) in board.placements.iter().enumerate() {
            let ends = [usize::from(pieces[0]), usize::from(pieces[1])];
            for code in 0..board.codes {
                let symbols = unpacked(board, code);
                let is_legal = ends.iter().all(|&end| symbols[end] == RED);
                for kind in Kind::ALL {
                    let expected =
                        is_legal && connected_by_search(&board.shape, ends, &symbols, kind);
                    let set = &solved.layer(kind, 8, 0).sets[place];
                    assert_eq!(set.contains(code), expected, "{symbols:?} {kind:?}");
                    if kind == Kind::InOne && expected {
                        let placed = pursuit_lab::patterns::Placed {
                            board,
                            pieces,
                            condition: 0,
                        };
                        let found = Hex::preventing(&placed, set, code);
                        let prevents = |&cell: &usize| {
                            let mut next = symbols.clone();
                            next[cell] = BLUE;
                            symbols[cell] == EMPTY
                                && !connected_by_search(&board.shape, ends, &next, kind)
                        };
                        let expected: Vec<usize> = (0..symbols.len()).filter(prevents).collect();
                        assert_eq!(found, expected);
                    }
                }
            }
        }
    }
}

/// Asserts that no pattern is a special case of another one on the same or a smaller shape.
fn assert_none_implied(database: &Database, game: &impl PatternGame) -> usize {
    let mut compared = 0;
    for pattern in database.patterns() {
        let shape = &database.shapes()[usize::from(pattern.shape)];
        for other in database.patterns() {
            let small = &database.shapes()[usize::from(other.shape)];
            let is_candidate = other != pattern
                && other.turns <= pattern.turns
                && other.kind <= pattern.kind
                && small.cells() <= shape.cells();
            if is_candidate {
                compared += 1;
                assert!(
                    !is_within(game, (other, small), (pattern, shape)),
                    "{pattern:?} is a special case of {other:?}"
                );
            }
        }
    }
    compared
}

/// Returns whether an image of a small pattern lies within a large one.
fn is_within(
    game: &impl PatternGame,
    (small, small_shape): (&Pattern, &Shape),
    (large, large_shape): (&Pattern, &Shape),
) -> bool {
    for by in game.symmetries() {
        let image: Vec<Site> = small_shape
            .sites()
            .iter()
            .map(|&site| by.apply(site))
            .collect();
        for &(x, y) in large_shape.sites() {
            let (dx, dy) = (x - image[0].0, y - image[0].1);
            let cells = image
                .iter()
                .map(|site| large_shape.number((site.0 + dx, site.1 + dy)));
            let Some(cells) = cells.collect::<Option<Vec<usize>>>() else {
                continue;
            };
            let pieces = small
                .pieces
                .map(|piece| match cells.get(usize::from(piece)) {
                    Some(&cell) => cell as u8,
                    None => NO_PIECE,
                });
            let code = cells
                .iter()
                .enumerate()
                .fold(Code::default(), |code, (from, &to)| {
                    match small.code.symbol(from) {
                        Some(symbol) => code.with(to, symbol),
                        None => code,
                    }
                });
            if game.sorted(pieces) == large.pieces && large.code.is_special_case_of(code) {
                return true;
            }
        }
    }
    false
}

#[test]
fn no_kept_pattern_is_implied_by_another_one() {
    let mut compared = assert_none_implied(&hex(5), &Hex::new(5));
    for moves in [Moves::Octile, Moves::Orthogonal] {
        for (cops, size) in [(1, (4, 3)), (2, (3, 3))] {
            let game = PursuitWindows::new(moves, cops, size, 0).expect("valid");
            compared += assert_none_implied(&windows(moves, cops, size, 3), &game);
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn sliced_generation_gives_the_same_patterns() {
    let game = || PursuitWindows::new(Moves::Octile, 1, (3, 3), 1).expect("valid");
    let whole = Generator::new(game(), 2).run();
    let mut generator = Generator::new(game(), 2);
    let mut last = generator.progress();
    while last.done < last.shapes {
        let next = generator.advance(3);
        assert!(next.done >= last.done);
        last = next;
    }
    let counted: u64 = generator.rows().iter().map(PatternCount::total).sum();
    let sliced = generator.finish();
    assert_eq!(sliced, whole);
    assert_eq!(counted, whole.patterns().len() as u64);
}

/// The graph of a map as lists, and the cells of its vertices.
fn lists(map: &TileMap, moves: Moves) -> (Vec<Vec<usize>>, Vec<Cell>) {
    let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let out = cells.iter().map(|&cell| {
        let near = common::neighbours(map, cell, moves);
        let index = |cell: &Cell| cells.iter().position(|other| other == cell);
        near.iter().filter_map(index).collect()
    });
    (out.collect(), cells)
}

/// Asserts of all positions of a map that what patterns say is true, and that three ways to look them up agree. Returns
/// how many positions were recognised.
fn assert_true(
    map: &TileMap,
    moves: Moves,
    cops: usize,
    database: &Database,
    guarded: u8,
) -> usize {
    let graph = Graph::new(map, moves);
    let (out, cells) = lists(map, moves);
    let game = SlowGame {
        out: &out,
        cops,
        cop_speed: 1,
        robber_speed: 1,
    };
    let (cops_to_move, robber_to_move) = (game.solve(), game.solve_robber_to_move());
    let lookup = Lookup::new(database, guarded);
    let matcher = Matcher::with_guards(database, guarded);
    let n = cells.len();
    let mut recognised = 0;
    for index in 0..cops_to_move.len() {
        let robber = cells[index % n];
        let places: Vec<Cell> = (0..cops)
            .map(|cop| cells[index / n.pow(cop as u32 + 1) % n])
            .collect();
        if places.contains(&robber) {
            continue;
        }
        for (kind, values) in [(Kind::Won, &robber_to_move), (Kind::InOne, &cops_to_move)] {
            let found = lookup.turns(&graph, kind, robber, &places, Search::Binary);
            let scanned = lookup.turns(&graph, kind, robber, &places, Search::Scan);
            assert_eq!(found, scanned, "binary search is a scan");
            let fast = matcher.turns(&graph, kind, robber, &places);
            assert_eq!(
                fast, found,
                "the program is a search: {robber:?} {places:?} {kind:?}"
            );
            let Some(turns) = found else { continue };
            recognised += 1;
            let value = values[index];
            assert!(
                value.is_some_and(|value| value <= u32::from(turns)),
                "{robber:?} {places:?} {kind:?}: {turns} turns, not {value:?}"
            );
        }
    }
    recognised
}

/// All maps of a size.
fn all_maps(width: u16, height: u16) -> impl Iterator<Item = TileMap> {
    let cells = u32::from(width * height);
    (1..1_u32 << cells).map(move |bits| {
        let rows: Vec<String> = (0..height)
            .map(|y| {
                let row = (0..width).map(|x| bits >> (y * width + x) & 1 == 1);
                row.map(|floor| if floor { '.' } else { '@' }).collect()
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        common::map(&rows)
    })
}

#[test]
fn patterns_of_a_window_find_all_captures_that_happen_within_it() {
    // On a map of the size of a window, walls beyond its sides are not known to a pattern. With a rim of
    // walls they are: then a window of the map with its rim finds every capture.
    let database = windows(Moves::Octile, 1, (4, 4), 3);
    for map in all_maps(2, 2) {
        let mut rimmed = TileMap::filled(4, 4, pursuit_engine::map::Terrain::Wall).expect("a map");
        for cell in map.cells().filter(|&cell| map.is_passable(cell)) {
            rimmed.set(
                Cell::new(cell.x + 1, cell.y + 1),
                pursuit_engine::map::Terrain::Floor,
            );
        }
        let graph = Graph::new(&rimmed, Moves::Octile);
        let (out, cells) = lists(&rimmed, Moves::Octile);
        let game = SlowGame {
            out: &out,
            cops: 1,
            cop_speed: 1,
            robber_speed: 1,
        };
        let values = game.solve();
        let matcher = Matcher::new(&database);
        for (index, value) in values.iter().enumerate() {
            let (robber, cop) = (cells[index % cells.len()], cells[index / cells.len()]);
            if robber != cop {
                let expected = value.filter(|&value| value <= 3).map(|value| value as u8);
                assert_eq!(matcher.turns(&graph, Kind::InOne, robber, &[cop]), expected);
            }
        }
    }
}

#[test]
fn what_patterns_say_is_true_on_all_small_maps() {
    let mut recognised = 0;
    for moves in [Moves::Octile, Moves::Orthogonal] {
        let database = windows(moves, 1, (3, 3), 3);
        for map in all_maps(4, 3).step_by(7) {
            recognised += assert_true(&map, moves, 1, &database, 0);
        }
    }
    assert!(recognised > 10_000, "{recognised}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_patterns_say_is_true(map in common::random_map(6), moves in common::square_moves(), wide in any::<bool>()) {
        let size = if wide { (4, 3) } else { (3, 3) };
        assert_true(&map, moves, 1, &windows(moves, 1, size, 3), 0);
    }

    #[test]
    fn what_patterns_for_two_cops_say_is_true(map in common::random_map(4), moves in common::square_moves()) {
        assert_true(&map, moves, 2, &windows(moves, 2, (3, 2), 2), 0);
    }

    #[test]
    fn what_patterns_with_guarded_sides_say_is_true(map in common::random_map(4), moves in common::square_moves()) {
        let game = PursuitWindows::new(moves, 1, (3, 3), 2).expect("valid");
        let database = Generator::new(game, 2).run();
        assert!(database.patterns().iter().any(|pattern| pattern.condition > 0));
        assert_true(&map, moves, 2, &database, 2);
    }

    #[test]
    fn what_patterns_for_two_cops_with_guarded_sides_say_is_true(
        map in common::random_map(3),
        moves in common::square_moves(),
        guarded in 1..=3_u8,
    ) {
        let game = PursuitWindows::new(moves, 2, (3, 2), guarded).expect("valid");
        assert_true(&map, moves, 3, &Generator::new(game, 2).run(), guarded);
    }
}

#[test]
fn programs_recognise_captures_that_need_a_guard() {
    let game = PursuitWindows::new(Moves::Octile, 1, (3, 3), 1).expect("valid");
    let database = Generator::new(game, 2).run();
    let [open, guarded] = [0, 1].map(|guarded| Matcher::with_guards(&database, guarded));
    for turned in [false, true] {
        // A corridor that is open at both ends, beyond every window.
        let rows = ["@@@@@@@@@", ".........", "@@@@@@@@@"];
        let columns = ["@.@"; 9];
        let map = common::map(if turned { &columns[..] } else { &rows });
        let graph = Graph::new(&map, Moves::Octile);
        let at = |x| {
            if turned {
                Cell::new(1, x)
            } else {
                Cell::new(x, 1)
            }
        };
        for (kind, cops, turns) in [
            (Kind::Won, [3, 5], Some(1)),
            (Kind::InOne, [2, 6], Some(2)),
            (Kind::InOne, [6, 2], Some(2)),
            (Kind::Won, [2, 6], Some(2)),
            (Kind::Won, [2, 7], None),
            (Kind::InOne, [2, 8], None),
        ] {
            let cops = cops.map(at);
            assert_eq!(open.turns(&graph, kind, at(4), &cops), None);
            let found = guarded.turns(&graph, kind, at(4), &cops);
            assert_eq!(found, turns, "{kind:?} {cops:?}");
        }
    }
}

#[test]
fn in_a_dead_end_only_the_way_out_prevents_a_capture() {
    let database = windows(Moves::Orthogonal, 1, (4, 3), 2);
    let matcher = Matcher::new(&database);
    let map = common::map(&["@@@@@@", "@....@", "@@.@@@", "@@...@", "@@@@@@"]);
    let graph = Graph::new(&map, Moves::Orthogonal);
    let vertex = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let prevents = |turns, robber, cop| -> Vec<Vertex> {
        let cops = [cop];
        matcher.preventing(&graph, turns, robber, &cops).collect()
    };
    // Beside the cop or in its corner, it is lost within two turns.
    assert!(prevents(2, vertex(1, 1), Cell::new(3, 1)).is_empty());
    assert_eq!(prevents(1, vertex(1, 1), Cell::new(3, 1)), [vertex(1, 1)]);
    // From the fork it can go down.
    assert_eq!(prevents(2, vertex(2, 1), Cell::new(3, 1)), [vertex(2, 2)]);
}

#[test]
fn patterns_are_drawn() {
    let shape = Shape::rectangle(3, 2);
    let code = Code::default().with(0, WALL).with(2, FLOOR);
    let drawn = pursuit_lab::patterns::pursuit::drawn(&shape, &[4, 3, NO_PIECE, NO_PIECE], code);
    assert_eq!(drawn, "#?.\nCR?\n");
    let bridge = Shape::new(&BRIDGE);
    let code = Code::default().with(1, EMPTY).with(2, EMPTY);
    assert_eq!(
        Hex::drawn(&bridge, &[0, 3, NO_PIECE, NO_PIECE], code),
        "O .\n . O\n"
    );
}
