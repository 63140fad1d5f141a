//! Tests of tables as files. What is written is read again, also by a reader written from the
//! documentation alone. Damaged, foreign and forged files are rejected or read without a panic.

use crate::common;
use common::{any_moves, map, random_map};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Speed, Turns};
use pursuit_engine::graph::{Digraph, Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::table::{
    Arena, CaptureTimes, Solution, Solver, Table, TableError, VerifyError,
};
use std::num::NonZeroU8;
use std::sync::Arc;

const LIMIT: u64 = 1 << 32;

fn rules(cops: u8, cop_speed: u8, robber_speed: u8, moves: Moves) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("cops"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        robber_speed: Speed::new(robber_speed).expect("a speed"),
        moves,
    }
}

fn solve(arena: Arena, rules: Rules) -> Solution {
    let mut solver = Solver::new(Arc::new(arena), rules, LIMIT).expect("a small table");
    solver.run(|_| true);
    solver.finish().expect("done")
}

fn solve_map(map: &TileMap, rules: Rules) -> (Graph, Solution) {
    let graph = Graph::new(map, rules.moves);
    let solution = solve(Arena::of_map(&graph), rules);
    (graph, solution)
}

/// Two rooms, each with a loop around a pillar, joined by a door; and an unreachable cell.
fn rooms() -> TileMap {
    map(&[
        ".....#.......#.",
        ".###...###...##",
        ".###.#.###....#",
        ".....#........#",
        ".....#.......##",
        ".###.#.##.##...",
        ".....#.........",
    ])
}

/// Calls `check` with every position, counting cops as distinguished.
fn for_positions(places: usize, cops: usize, mut check: impl FnMut(usize, &[usize])) {
    for number in 0..places.pow(cops as u32 + 1) {
        let mut rest = number;
        let mut digit = || {
            let place = rest % places;
            rest /= places;
            place
        };
        let robber = digit();
        let cops: Vec<usize> = (0..cops).map(|_| digit()).collect();
        check(robber, &cops);
    }
}

fn assert_same(solution: &Solution, table: &Table) {
    let cops = usize::from(solution.rules().cops.get());
    assert_eq!(table.rules(), solution.rules());
    assert_eq!(table.fingerprint(), solution.fingerprint());
    assert_eq!(table.places(), solution.arena().places());
    assert_eq!(table.cells(), solution.arena().cells());
    assert_eq!(table.histogram(), solution.histogram());
    assert_eq!(table.longest(), solution.longest());
    for_positions(table.places(), cops, |robber, cops| {
        let expected = solution.value_at(robber, &mut cops.to_vec());
        assert!(expected.is_some());
        assert_eq!(table.value_at(robber, &mut cops.to_vec()), expected);
    });
}

#[test]
fn a_table_has_all_values_of_its_solution() {
    for rules in [
        rules(1, 1, 1, Moves::Octile),
        rules(1, 2, 1, Moves::Octile),
        rules(1, 3, 2, Moves::Orthogonal),
        rules(2, 1, 1, Moves::Octile),
    ] {
        let (graph, solution) = solve_map(&rooms(), rules);
        let table = Table::of(&solution);
        assert_same(&solution, &table);
        let found = table.verify(&graph, LIMIT, |_| true).expect("its map");
        assert!(found.is_right(), "{found:?}");
        let cops = u32::from(rules.cops.get());
        assert_eq!(found.positions, (graph.vertices() as u64).pow(cops + 1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tables_of_random_maps_come_back_and_verify(
        map in random_map(9),
        moves in any_moves(),
        cops in 1_u8..=2,
        speeds in (1_u8..=3, 1_u8..=2),
    ) {
        let rules = rules(cops, speeds.0, speeds.1, moves);
        let (graph, solution) = solve_map(&map, rules);
        let table = Table::of(&solution);
        let again = Table::from_bytes(table.bytes().clone()).expect("our bytes");
        assert_same(&solution, &again);
        prop_assert!(again.verify(&graph, LIMIT, |_| true).expect("its map").is_right());
    }

    #[test]
    fn tables_of_random_graphs_come_back_and_verify(
        vertices in 1_u32..9,
        edges in prop::collection::vec((0_u32..9, 0_u32..9), 0..30),
        cops in 1_u8..=3,
    ) {
        let edges: Vec<_> = edges.iter().map(|&(a, b)| (a % vertices, b % vertices)).collect();
        let graph = Digraph::directed(vertices, &edges).expect("edges inside");
        let solution = solve(Arena::of_digraph(&graph), rules(cops, 1, 1, Moves::Octile));
        let table = Table::of(&solution);
        assert_same(&solution, &table);
        prop_assert!(!table.is_map());
        prop_assert!(table.verify_digraph(&graph, LIMIT, |_| true).expect("its graph").is_right());
    }
}

#[test]
fn a_packed_solution_is_the_table_that_its_bytes_are_read_as() {
    let corridor = map(&[".".repeat(300).as_str()]);
    for (map, rules) in [
        (rooms(), rules(1, 2, 1, Moves::Octile)),
        (rooms(), rules(1, 1, 2, Moves::Orthogonal)),
        (corridor, rules(1, 1, 1, Moves::Octile)),
        (common::map(&["..#", "#.."]), rules(2, 1, 1, Moves::Octile)),
        (common::map(&["##"]), rules(1, 1, 1, Moves::Octile)),
    ] {
        let table = Table::of(&solve_map(&map, rules).1);
        let read = read(table.bytes()).expect("a valid table");
        assert_eq!(format!("{table:?}"), format!("{read:?}"), "{rules:?}");
    }
    let path = Digraph::undirected(3, &[(0, 1), (1, 2)]).expect("a path");
    let table = Table::of(&solve(
        Arena::of_digraph(&path),
        rules(2, 1, 1, Moves::Orthogonal),
    ));
    let read = read(table.bytes()).expect("a valid table");
    assert_eq!(format!("{table:?}"), format!("{read:?}"));
}

#[test]
fn a_long_table_has_times_beyond_a_byte() {
    // On a path, a cop of the robber's speed needs nearly as many turns as there are vertices,
    // which is more than fits into a byte.
    let edges: Vec<(u32, u32)> = (0..699).map(|vertex| (vertex, vertex + 1)).collect();
    let path = Digraph::undirected(700, &edges).expect("a path");
    let solution = solve(Arena::of_digraph(&path), rules(1, 1, 1, Moves::Octile));
    assert_eq!(solution.longest(), Turns(699));
    let table = Table::of(&solution);
    for (robber, cop) in [(0, 699), (699, 0), (300, 310), (310, 300), (5, 5)] {
        let far = if robber < cop { cop } else { 699 - cop };
        let expected = if robber == cop { 0 } else { far };
        let value = Outcome::Caught(Turns(expected as u16));
        assert_eq!(
            table.value_at(robber, &mut [cop]),
            Some(value),
            "{robber} {cop}"
        );
    }
    assert!(
        table
            .verify_digraph(&path, LIMIT, |_| true)
            .expect("its graph")
            .is_right()
    );
}

#[test]
fn cells_tell_places_and_walls_have_none() {
    let (graph, solution) = solve_map(&rooms(), rules(2, 1, 1, Moves::Octile));
    let table = Table::of(&solution);
    for cell in rooms().cells() {
        assert_eq!(
            table.place(cell).is_some(),
            graph.is_passable(cell),
            "{cell:?}"
        );
    }
    assert_eq!(table.place(Cell::new(400, 1)), None);
    let (a, b, wall) = (Cell::new(0, 0), Cell::new(4, 3), Cell::new(5, 0));
    assert_eq!(table.value(a, &[b, a]), Some(Outcome::Caught(Turns(0))));
    assert_eq!(table.value(wall, &[b, a]), None);
    assert_eq!(table.value(a, &[b, wall]), None);
    assert_eq!(table.value(a, &[b]), None, "the rules say two cops");
    assert_eq!(table.value_at(10_000, &mut [0, 0]), None);
}

#[test]
fn a_table_is_refused_on_another_map_and_taken_after_the_door_swings_back() {
    let (mut graph, solution) = solve_map(&rooms(), rules(1, 2, 1, Moves::Octile));
    let table = Table::of(&solution);
    let door = |passable| TileEdit {
        cell: Cell::new(5, 1),
        passable,
    };
    graph.apply(&[door(false)]);
    let refused = table
        .verify(&graph, LIMIT, |_| true)
        .expect_err("another map");
    let VerifyError::Table(TableError::Foreign { expected, found }) = refused else {
        panic!("{refused}");
    };
    assert_eq!(
        (expected, found),
        (graph.fingerprint(), table.fingerprint())
    );
    graph.apply(&[door(true)]);
    assert!(
        table
            .verify(&graph, LIMIT, |_| true)
            .expect("its map")
            .is_right()
    );
}

/// A changed file with checksums that match its bytes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let number = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
    };
    for section in 0..5 {
        let entry = 44 + section * 24;
        let (offset, length) = (number(&bytes, entry + 8), number(&bytes, entry + 16));
        if let Some(section) = offset
            .checked_add(length)
            .and_then(|end| bytes.get(offset..end))
        {
            let checksum = crc32fast::hash(section);
            bytes[entry + 4..entry + 8].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    let checksum = crc32fast::hash(&bytes[..164]);
    bytes[164..168].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn small_table() -> (Graph, Vec<u8>) {
    let (graph, solution) = solve_map(&rooms(), rules(1, 2, 1, Moves::Octile));
    (graph, Table::of(&solution).bytes().to_vec())
}

fn two_cops_table() -> (Graph, Vec<u8>) {
    let room = map(&[
        "..........",
        "..........",
        "....####..",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
    ]);
    let (graph, solution) = solve_map(&room, rules(2, 1, 1, Moves::Orthogonal));
    (graph, Table::of(&solution).bytes().to_vec())
}

fn read(bytes: &[u8]) -> Result<Table, TableError> {
    Table::from_bytes(bytes.into())
}

#[test]
fn every_flipped_bit_and_every_cut_is_found() {
    let (_, bytes) = small_table();
    assert!(read(&bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "cut off at {length}");
    }
    let mut damaged = bytes.clone();
    for index in 0..bytes.len() {
        for bit in 0..8 {
            damaged[index] ^= 1 << bit;
            assert!(read(&damaged).is_err(), "bit {bit} of byte {index}");
            damaged[index] ^= 1 << bit;
        }
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    let expected = bytes.len() as u64;
    let found = expected + 1;
    assert_eq!(
        read(&longer).err(),
        Some(TableError::Length { expected, found })
    );
}

#[test]
fn errors_say_where_and_what() {
    let (_, bytes) = small_table();
    let error = |bytes: &[u8]| read(bytes).expect_err("refused").to_string();
    assert_eq!(
        error(b"type octile\nheight 3"),
        "offset 0: expected a table (89 50 54 41 42 0d 0a 1a), found 74 79 70 65 20 6f 63 74"
    );
    assert!(error(b"").ends_with("found nothing"));
    assert_eq!(error(&bytes[..20]), "expected 168 bytes, found 20");
    let mut newer = bytes.clone();
    newer[8] = 4;
    let text = "offset 8: expected a table of version 1, found version 4; made by a newer release?";
    assert_eq!(error(&newer), text);
    // Version 1 stored each set of three or more cops more than once.
    let mut older = bytes.clone();
    older[11] = 3;
    let text =
        "offset 8: expected a table of version 2, found version 1; made by an older release?";
    assert_eq!(error(&sealed(older)), text);
    let cut = &bytes[..bytes.len() - 3];
    let text = format!("expected {} bytes, found {}", bytes.len(), cut.len());
    assert_eq!(error(cut), text);
    let mut damaged = bytes.clone();
    *damaged.last_mut().expect("a byte") ^= 1;
    assert!(
        error(&damaged).contains("the checksum of BLCK is "),
        "{}",
        error(&damaged)
    );
    let mut no_cops = bytes.clone();
    no_cops[11] = 0;
    assert_eq!(
        error(&sealed(no_cops)),
        "offset 11: expected a number above 0, found 0"
    );
    let mut more_places = bytes;
    more_places[32] ^= 1;
    let text = error(&sealed(more_places));
    assert!(
        text.contains("a cell for each place") || text.contains("for each slab"),
        "{text}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn made_up_bytes_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        in_front in any::<bool>(),
    ) {
        let (graph, mut bytes) = small_table();
        for (index, byte) in changes {
            // Half of the cases change only the header and the first sections.
            let end = if in_front { 900.min(bytes.len()) } else { bytes.len() };
            let index = index.index(end);
            bytes[index] = byte;
        }
        if let Ok(table) = read(&sealed(bytes)) {
            for robber in 0..table.places().min(70) {
                for cop in 0..table.places().min(70) {
                    let _ = table.value_at(robber, &mut [cop]);
                }
            }
            let _ = table.verify(&graph, LIMIT, |_| true);
        }
    }

    #[test]
    fn made_up_numbers_do_no_harm(
        fields in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..9), 1..4),
        two_cops in any::<bool>(),
        in_front in any::<bool>(),
    ) {
        let extremes = [0, 1, 2, 63, 64, 1 << 31, u64::MAX >> 1, u64::MAX - 3, u64::MAX];
        let (graph, mut bytes) = if two_cops { two_cops_table() } else { small_table() };
        // Half of the cases change only the fields with lengths and offsets.
        let start = if in_front { 0 } else { 168 };
        let end = if in_front { 168 } else { bytes.len() - 8 };
        for (index, extreme) in fields {
            let at = start + index.index(end - start) / 4 * 4;
            bytes[at..at + 8].copy_from_slice(&extremes[extreme].to_le_bytes());
        }
        if let Ok(table) = read(&sealed(bytes)) {
            for place in 0..table.places().min(70) {
                let cops = usize::from(table.rules().cops.get()).min(9);
                let _ = table.value_at(place, &mut vec![place / 2; cops]);
            }
            let _ = table.verify(&graph, 1 << 20, |_| true);
        }
    }

    #[test]
    fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).is_err());
        let (_, table) = small_table();
        let mut with_head = table[..12].to_vec();
        with_head.extend(bytes);
        prop_assert!(read(&with_head).is_err());
    }
}

#[test]
fn verify_finds_a_wrong_value() {
    let (graph, bytes) = small_table();
    // A table of slower cops that claims to be a table of faster cops.
    let slow = Table::of(&solve_map(&rooms(), rules(1, 1, 1, Moves::Octile)).1);
    let mut lie = slow.bytes().to_vec();
    lie[12] = bytes[12];
    let lie = read(&sealed(lie)).expect("well formed");
    let found = lie.verify(&graph, LIMIT, |_| true).expect("its map");
    assert!(found.wrong > 0);
    assert!(found.first.is_some());
    // A table with a wrong histogram.
    let mut lie = bytes;
    let table = read(&lie).expect("a table");
    let turns = 168 + 4 * table.places();
    lie[turns] ^= 1;
    let found = read(&sealed(lie))
        .expect("well formed")
        .verify(&graph, LIMIT, |_| true);
    assert_eq!(found.expect("its map").wrong_count, Some(0));
}

#[test]
fn a_table_of_other_places_is_not_verified() {
    // All of these tables have the fingerprint of a graph that they do not belong to.
    let path = |vertices: u32| {
        let edges: Vec<(u32, u32)> = (1..vertices).map(|vertex| (vertex - 1, vertex)).collect();
        Digraph::undirected(vertices, &edges).expect("a path")
    };
    for (of, said, cops) in [(130, 300, 1), (70, 80, 2), (3, 70, 2), (0, 5, 2), (5, 0, 1)] {
        let solution = solve(
            Arena::of_digraph(&path(of)),
            rules(cops, 1, 1, Moves::Octile),
        );
        let mut bytes = Table::of(&solution).bytes().to_vec();
        let fingerprint = path(said).fingerprint().to_bits();
        bytes[16..32].copy_from_slice(&fingerprint.to_le_bytes());
        let table = read(&sealed(bytes)).expect("well formed");
        let refused = table.verify_digraph(&path(said), LIMIT, |_| true);
        assert!(
            matches!(
                refused,
                Err(VerifyError::Table(TableError::Malformed { .. }))
            ),
            "{of} {said}"
        );
        assert!(table.expect_arena(&Arena::of_digraph(&path(said))).is_err());
    }
}

#[test]
fn cells_far_apart_are_refused_without_room_for_them() {
    let two = map(&["..", "##"]);
    let (_, solution) = solve_map(&two, rules(1, 1, 1, Moves::Octile));
    let mut bytes = Table::of(&solution).bytes().to_vec();
    bytes[168..176].copy_from_slice(&[0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]);
    let error = read(&sealed(bytes)).expect_err("no such map");
    assert!(error.to_string().contains("cells further apart"), "{error}");
}

#[test]
fn verify_can_be_stopped() {
    let (graph, bytes) = small_table();
    let table = read(&bytes).expect("a table");
    let run = |last: usize| {
        let mut told = Vec::new();
        let found = table.verify(&graph, LIMIT, |at| {
            told.push(at);
            told.len() <= last
        });
        (found.expect("its map"), told)
    };
    let (whole, told) = run(usize::MAX);
    let places = table.places() as u64;
    assert_eq!(whole.positions, places * places);
    // There are two groups of places of the robber, and `go_on` is called during the moves of
    // either side in each group.
    assert!(told.len() > 8, "{told:?}");
    assert!(told.is_sorted_by_key(|at| at.solved));
    assert!(
        told.iter()
            .all(|at| at.positions == places * places && at.turn == Turns(0))
    );
    for last in 0..told.len() {
        let (found, told) = run(last);
        assert_eq!(told.len(), last + 1);
        assert!(
            found.is_right() && found.positions < whole.positions,
            "{last}"
        );
    }
}

#[test]
fn the_bytes_of_a_table_stay_the_same() {
    // If this fails, this version writes other bytes than before. Raise the version if old readers
    // would misread new files or new readers old files.
    let (_, bytes) = small_table();
    assert_eq!(
        format!("{:08x} {}", crc32fast::hash(&bytes), bytes.len()),
        "1b141920 3549"
    );
}
