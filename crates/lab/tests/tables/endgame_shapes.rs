//! Shapes of endgames that are known beforehand: they answer as solved ones do, and forged files are refused.

use crate::common::endgames::{Sides, state};
use crate::common::{any_moves, map, random_map};
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::endgame::{EndgameShapes, Endgames};
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::Ground;
use pursuit_engine::search::Dice;
use pursuit_engine::table::TableError;
use pursuit_lab::eval::{Announced, Announcements, Draw, Start, WorldCops};
use pursuit_lab::robber::RobberKind;
use std::num::NonZeroU8;
use std::sync::Arc;

/// Solves a region of at most `limit` vertices for a position, and returns its shape.
fn solved(graph: &Graph, sides: Sides, limit: usize, at: (Vertex, &[Vertex])) -> EndgameShapes {
    let mut endgames = Endgames::default();
    endgames.limit_regions(limit);
    endgames.collect_shapes();
    let cops = sides.agents(at.1);
    for _ in 0..2 {
        endgames.begin(graph, &state(sides.robber(at.0), &cops));
        endgames.finish(graph);
    }
    endgames.take_shapes()
}

/// A graph of rows, and a function from cells to its vertices.
fn graph(rows: &[&str]) -> (Graph, impl Fn(u16, u16) -> Vertex) {
    let graph = Graph::new(&map(rows), Moves::Octile);
    let copy = graph.clone();
    let at = move |x, y| copy.vertex(Cell::new(x, y)).expect("floor");
    (graph, at)
}

/// Shapes of one and of two players: of a corridor, of a room, and of a refuge.
fn some_shapes() -> EndgameShapes {
    let (room, at) = graph(&["..###", "...#.", ".....", "...@@"]);
    let pair = Sides::new(2, 1, 1);
    let mut shapes = solved(&room, pair, 9, (at(0, 0), &[at(2, 2), at(1, 3)]));
    let fast = Sides::new(1, 2, 1);
    shapes.extend(solved(&room, fast, 12, (at(0, 0), &[at(2, 2)])));
    assert_eq!(shapes.len(), 3);
    shapes
}

fn read(bytes: Vec<u8>) -> Result<EndgameShapes, TableError> {
    EndgameShapes::from_bytes(bytes.into())
}

/// The checksum at the end made right for the bytes before.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 4);
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn what_is_written_is_read() {
    let shapes = some_shapes();
    let bytes = shapes.to_bytes();
    let again = read(bytes.clone()).expect("sound");
    assert_eq!((again.len(), again.to_bytes()), (3, bytes));
    let none = EndgameShapes::default().to_bytes();
    assert!(read(none).expect("sound").is_empty());
}

#[test]
fn flipped_bits_are_refused_by_what_was_expected_and_found() {
    let bytes = some_shapes().to_bytes();
    for index in 0..bytes.len() {
        for bit in [0, 3, 7] {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1 << bit;
            let error = read(damaged).expect_err("damaged").to_string();
            let says = |text| error.contains(text);
            let is_told = says("offset ") && says("expected ") || says("the checksum of ");
            assert!(is_told && says("found "), "byte {index}: {error}");
        }
    }
}

#[test]
fn cut_and_lengthened_files_are_refused() {
    let bytes = some_shapes().to_bytes();
    for length in 0..bytes.len() {
        assert!(read(bytes[..length].to_vec()).is_err(), "{length} bytes");
        if length > 18 {
            let cut = sealed(bytes[..length].to_vec());
            assert!(read(cut).is_err(), "{length} bytes, sealed");
        }
    }
    let mut longer = bytes;
    longer.extend([0; 8]);
    let error = read(sealed(longer)).expect_err("too long");
    assert!(matches!(error, TableError::Length { .. }), "{error}");
}

#[test]
fn files_of_other_kinds_are_refused_by_name() {
    let error = |bytes: &[u8]| read(bytes.to_vec()).expect_err("foreign").to_string();
    assert_eq!(
        error(b"\x89PTAB\r\n\x1a and so on"),
        "offset 0: expected endgames (89 50 45 4e 44 0d 0a 1a), found 89 50 54 41 42 0d 0a 1a"
    );
    assert!(error(b"").ends_with("found nothing"));
    let mut newer = some_shapes().to_bytes();
    newer[8] = 2;
    assert!(error(&newer).contains("version 1, found version 2"));
}

/// Where the only key of a file ends.
fn end_of_key(bytes: &[u8]) -> usize {
    14 + 7 + 6 * usize::from(u16::from_le_bytes([bytes[19], bytes[20]]))
}

#[test]
fn a_table_that_promises_too_much_is_refused() {
    // The end of a corridor in which a robber can be caught, and the same where it can walk out at the other end.
    let one = Sides::new(1, 1, 1);
    let limit = 4;
    let (closed, at) = graph(&["....", "@@@@"]);
    let closed = solved(&closed, one, limit, (at(0, 0), &[at(3, 0)]));
    let (open, at) = graph(&["......", "@@@@@@"]);
    let open = solved(&open, one, limit, (at(0, 0), &[at(3, 0)]));
    let [first, second] = [closed, open].map(|shapes| of_captures(&shapes.to_bytes()));
    assert!(read(first.clone()).is_ok() && read(second.clone()).is_ok());
    let (key, table) = (end_of_key(&second), end_of_key(&first));
    assert_eq!(key, table, "as many cells");
    assert_ne!(first[..key], second[..key]);
    // The key of the open corridor with the table of the closed one.
    let forged = [&second[..key], &first[table..]].concat();
    let error = read(sealed(forged)).expect_err("a promise that is not kept");
    let TableError::Malformed {
        expected, found, ..
    } = error
    else {
        panic!("{error}");
    };
    assert!(expected.contains("an escape for the robber"), "{expected}");
    assert!(found.ends_with("turns"), "{found}");
}

/// The file with only those shapes of another that the robber may leave.
fn of_captures(bytes: &[u8]) -> Vec<u8> {
    let (mut kept, mut count, mut at) = (Vec::new(), 0_u32, 14);
    while at + 4 < bytes.len() {
        let key = 7 + 6 * usize::from(u16::from_le_bytes([bytes[at + 5], bytes[at + 6]]));
        let length = bytes[at + key..][..4].try_into().expect("four bytes");
        let end = at + key + 4 + u32::from_le_bytes(length) as usize;
        if bytes[at + 4] == 0 {
            kept.extend(&bytes[at..end]);
            count += 1;
        }
        at = end;
    }
    let file = [&bytes[..10], &count.to_le_bytes(), &kept, &[0; 4]].concat();
    sealed(file)
}

#[test]
fn forged_bytes_are_refused_or_make_no_difference() {
    let bytes = of_captures(&some_shapes().to_bytes());
    let graph = Graph::new(&map(&["..###", "...#.", ".....", "...@@"]), Moves::Octile);
    let vertices: Vec<Vertex> = graph.iter().collect();
    let true_bounds = |shapes: EndgameShapes| bounds(&graph, &vertices, shapes);
    let expected = true_bounds(read(bytes.clone()).expect("sound"));
    assert!(expected.iter().flatten().count() > 100);
    let step = 1 + bytes.len() / 1_500;
    for index in (14..bytes.len() - 4).step_by(step) {
        for value in [0, 1, 7, 0x55, 0xff] {
            let mut forged = bytes.clone();
            forged[index] = value;
            let Ok(shapes) = read(sealed(forged)) else {
                continue;
            };
            let found = true_bounds(shapes);
            let differs = found.iter().zip(&expected).any(|(found, expected)| {
                found.is_some() && expected.is_some() && found != expected
            });
            assert!(!differs, "byte {index} is {value}");
        }
    }
}

/// The bounds of all positions of two cops by the regions of known shapes that come up.
fn bounds(graph: &Graph, vertices: &[Vertex], shapes: EndgameShapes) -> Vec<Option<u16>> {
    let sides = Sides::new(2, 1, 1);
    let mut endgames = Endgames::default();
    endgames.limit_regions(9);
    endgames.use_shapes(Arc::new(shapes));
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let agents = sides.agents(&[at(2, 2), at(1, 3)]);
    if endgames.begin(graph, &state(sides.robber(at(0, 0)), &agents)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for &robber in vertices {
        for &first in vertices {
            for &second in vertices {
                let agents = sides.agents(&[first, second]);
                let state = state(sides.robber(robber), &agents);
                found.push(endgames.bound(graph, &state).map(|turns| turns.0));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn shapes_that_were_read_answer_as_solved_ones_on_every_map(
        map in random_map(9),
        moves in any_moves(),
        cops in 1_usize..3,
        fast in any::<bool>(),
        limit in 3_usize..40,
        seed in any::<u64>(),
    ) {
        let graph = Graph::new(&map, moves);
        let sides = Sides::new(cops, 1 + u8::from(fast), 1);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let mut dice = Dice::new(seed);
        let mut any = || {
            let cops: Vec<Vertex> = (0..cops).map(|_| vertices[dice.below(vertices.len())]).collect();
            (vertices[dice.below(vertices.len())], cops)
        };
        let mut shapes = EndgameShapes::default();
        let starts: Vec<(Vertex, Vec<Vertex>)> = (0..6).map(|_| any()).collect();
        for (robber, cops) in &starts {
            shapes.extend(solved(&graph, sides, limit, (*robber, cops)));
        }
        let shapes = read(shapes.to_bytes()).expect("every table is right");
        let shapes = Arc::new(shapes);
        for (robber, cops) in &starts {
            let mut by_file = Endgames::default();
            by_file.limit_regions(limit);
            by_file.use_shapes(Arc::clone(&shapes));
            let mut by_solver = Endgames::default();
            by_solver.limit_regions(limit);
            let agents = sides.agents(cops);
            let start = state(sides.robber(*robber), &agents);
            for _ in 0..2 {
                by_file.begin(&graph, &start);
                by_file.finish(&graph);
                by_solver.begin(&graph, &start);
                by_solver.finish(&graph);
            }
            prop_assert_eq!(by_file.regions().collect::<Vec<_>>(), by_solver.regions().collect::<Vec<_>>());
            prop_assert_eq!(by_file.found() > 0, by_solver.regions().count() > 0, "its shape is on file");
            let bytes = by_file.bytes();
            for _ in 0..50 {
                let (robber, cops) = any();
                let agents = sides.agents(&cops);
                let state = state(sides.robber(robber), &agents);
                prop_assert_eq!(by_file.prove(&graph, &state), by_solver.prove(&graph, &state));
                prop_assert_eq!(by_file.is_safe(&graph, &state), by_solver.is_safe(&graph, &state));
            }
            prop_assert_eq!(by_file.bytes(), bytes, "a look-up has solved something");
            // What is saved does not contain tables, and goes on alike.
            let (saved, mut restored) = (by_file.save(), Endgames::default());
            restored.restore(&saved, &graph);
            for _ in 0..20 {
                let (robber, cops) = any();
                let agents = sides.agents(&cops);
                let state = state(sides.robber(robber), &agents);
                prop_assert_eq!(by_file.bound(&graph, &state), restored.bound(&graph, &state));
            }
        }
    }
}

/// A room, turned and reflected, in the middle of walls.
fn turned(room: &[&str], symmetry: u8) -> Vec<String> {
    let mut rows: Vec<Vec<char>> = room.iter().map(|row| row.chars().collect()).collect();
    if symmetry & 1 != 0 {
        rows.reverse();
    }
    if symmetry & 2 != 0 {
        for row in &mut rows {
            row.reverse();
        }
    }
    if symmetry & 4 != 0 {
        let columns = 0..rows[0].len();
        rows = columns
            .map(|x| rows.iter().map(|row| row[x]).collect())
            .collect();
    }
    let margin = usize::from(symmetry) + 1;
    let rows = rows.iter().map(|row| {
        let row: String = row.iter().collect();
        format!("{}{row}{}", "@".repeat(margin), "@".repeat(9 - margin))
    });
    let wall = |row: &String| "@".repeat(row.len());
    let rows: Vec<String> = rows.collect();
    let above = vec![wall(&rows[0]); 9 - margin];
    [above, rows].concat()
}

#[test]
fn a_room_on_file_is_known_wherever_and_however_it_lies() {
    let room = ["..###", "...##", ".....", "@@@.@"];
    let sides = Sides::new(2, 1, 1);
    let mut shapes = None;
    for symmetry in 0..8 {
        let rows = turned(&room, symmetry);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let (graph, _) = graph(&rows);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let cops = [vertices[5], vertices[5]];
        let agents = sides.agents(&cops);
        let shapes = shapes.get_or_insert_with(|| {
            let shapes = solved(&graph, sides, 40, (vertices[0], &cops));
            assert_eq!(shapes.len(), 1);
            Arc::new(read(shapes.to_bytes()).expect("sound"))
        });
        let mut endgames = Endgames::default();
        endgames.use_shapes(Arc::clone(shapes));
        let asked = state(sides.robber(vertices[0]), &agents);
        assert!(!endgames.begin(&graph, &asked), "{symmetry}");
        assert_eq!(endgames.found(), 1);
        for &robber in &vertices {
            let bound = endgames.bound(&graph, &state(sides.robber(robber), &agents));
            assert!(bound.is_some(), "two cops capture in this room");
        }
    }
    // A room that differs in one cell is another one.
    let (other, at) = graph(&["..###", "...##", ".....", "@@@@."]);
    let mut endgames = Endgames::default();
    endgames.use_shapes(shapes.expect("the first room"));
    let agents = sides.agents(&[at(4, 2), at(4, 2)]);
    assert!(endgames.begin(&other, &state(sides.robber(at(0, 0)), &agents)));
    assert_eq!(endgames.found(), 0);
}

/// Games on a map that fits into one region.
fn play(graph: &Graph, shapes: Option<&Arc<EndgameShapes>>) -> (Vec<Announced>, EndgameShapes) {
    let hierarchy = Hierarchy::new(graph);
    let experiment = Announcements {
        ground: Ground {
            graph,
            hierarchy: Some(&hierarchy),
            guide: None,
            retract: None,
        },
        rules: Rules {
            cops: NonZeroU8::new(2).expect("two"),
            ..Rules::default()
        },
        turns: 100,
        seed: 1,
    };
    let mut draw = Draw::new(graph, 1);
    let starts: Vec<Start> = (0..70).filter_map(|number| draw.start(number, 2)).collect();
    let kind: RobberKind = "trailmax".parse().expect("a robber");
    let robber = || kind.policy();
    match shapes {
        Some(shapes) => {
            let games = experiment.run(&starts, shapes, robber, || 0, |_| true);
            (games.expect("legal moves"), EndgameShapes::default())
        }
        None => experiment
            .bake(&starts, EndgameShapes::default(), robber, || 0, |_| true)
            .expect("legal moves"),
    }
}

#[test]
fn games_are_the_same_with_shapes_and_without() {
    let rows = [".......", ".@.@.@.", ".......", ".@.@.@.", "......."];
    let graph = Graph::new(&map(&rows), Moves::Octile);
    let (baked, shapes) = play(&graph, None);
    // The whole map is one region, and the second batch knows it.
    assert_eq!(shapes.len(), 1);
    let solved = |games: &[Announced]| games.iter().map(|game| game.regions.len()).sum::<usize>();
    assert!((1..=64).contains(&solved(&baked)), "{}", solved(&baked));
    let (alone, _) = play(&graph, Some(&Arc::default()));
    let (known, _) = play(&graph, Some(&Arc::new(shapes)));
    assert!(solved(&alone) > 64 && solved(&known) == 0);
    for (alone, known) in alone.iter().zip(&known) {
        assert_eq!((alone.captured, alone.first), (known.captured, known.first));
        assert!(!known.is_broken && known.found == 1);
    }
}

/// A decision may solve a region of each kind.
#[test]
fn each_region_that_a_decision_solves_is_counted() {
    let rows: Vec<String> = (0..21)
        .map(|y| (0..31).map(move |x| if x % 4 == 1 && y % 4 == 1 { '@' } else { '.' }))
        .map(Iterator::collect)
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let graph = Graph::new(&map(&rows), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let rules = Rules {
        cops: NonZeroU8::new(3).expect("three"),
        ..Rules::default()
    };
    let experiment = Announcements {
        ground: Ground {
            graph: &graph,
            hierarchy: Some(&hierarchy),
            guide: None,
            retract: None,
        },
        rules,
        turns: 1,
        seed: 1,
    };
    let mut draw = Draw::new(&graph, 1);
    let starts: Vec<Start> = (0..8).filter_map(|number| draw.start(number, 3)).collect();
    let kind: RobberKind = "trailmax".parse().expect("a robber");
    let games = experiment.run(&starts, &Arc::default(), || kind.policy(), || 0, |_| true);
    let mut most = 0;
    for (start, game) in starts.iter().zip(games.expect("legal moves")) {
        let agent = |at| Agent {
            at,
            speed: Speed::ONE,
        };
        let agents: Vec<Agent> = start.cops.iter().copied().map(agent).collect();
        let state = State {
            robber: agent(start.robber),
            cops: &agents,
            to_move: Side::Cops,
        };
        let mut cops = WorldCops::default().with_endgames();
        // The decision asks again, and finds everything solved.
        cops.prove(experiment.ground, &state);
        cops.prove(experiment.ground, &state);
        assert_eq!(game.regions.len() as u64, cops.solved());
        most = most.max(game.regions.len());
    }
    assert!(most > 1, "{most}");
}
