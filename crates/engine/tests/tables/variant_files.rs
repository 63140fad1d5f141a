//! Tests of tables with other rules as files, of their verification and of their statistics.

use crate::common;
use common::level::{LIMIT, PursuitLevel, rules};
use common::variant_game::VariantValue;
use common::variant_level::{
    VariantKinds, VariantLevel, agents, random_variant, random_variant_map, value_of,
};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Turns, Variant};
use pursuit_engine::graph::{Digraph, Graph};
use pursuit_engine::map::Moves;
use pursuit_engine::table::{Arena, CaptureTimes as _, Solution, Table, TableError, VerifyError};
use std::sync::Arc;

fn any_rules() -> impl Strategy<Value = Rules> {
    (1..=3_u8, 1..=2_u8, 1..=2_u8).prop_map(|(cops, fast, robber)| rules(cops, fast, robber))
}

fn levels() -> impl Strategy<Value = VariantLevel> {
    prop_oneof![
        random_variant(1..=10_usize, 3, VariantKinds::ALL),
        random_variant_map(4, VariantKinds::ALL),
    ]
}

fn table_values(level: &VariantLevel, table: &Table) -> Vec<VariantValue> {
    level.values(table.rules().cops.get().into(), |robber, cops| {
        let robber = level.arena.place(robber)?;
        let cops: Option<Vec<usize>> = cops.iter().map(|&cop| level.arena.place(cop)).collect();
        table.value_at(robber, &mut cops?)
    })
}

fn version(table: &Table) -> u8 {
    table.bytes()[8]
}

/// The worst values by their definition.
fn assert_worst_cases(level: &VariantLevel, solution: &Solution, expected: &[VariantValue]) {
    let cops = usize::from(solution.rules().cops.get());
    let worst = solution.worst_cases();
    let positions = || level.game.positions(cops).zip(expected);
    let legal = || positions().filter(|(_, value)| **value != VariantValue::Illegal);
    let exits: Vec<_> = level.arena.exits().collect();
    let is_exit = |number: usize| exits.contains(&level.vertices[number]);
    let caught = VariantValue::Caught(0);
    for (number, &vertex) in level.vertices.iter().enumerate() {
        let place = level.arena.place(vertex).expect("a place");
        let of_robber = legal().filter(|((robber, _), _)| *robber == number);
        let most = of_robber.map(|(_, &value)| value).max().unwrap_or(caught);
        assert_eq!(value_of(Some(worst.by_robber[place])), most);
        if cops == 1 {
            let of_cop =
                legal().filter(|((robber, cops), _)| cops[0] == number && !is_exit(*robber));
            let most = of_cop.map(|(_, &value)| value).max().unwrap_or(caught);
            assert_eq!(value_of(Some(worst.by_cop[place])), most);
        }
    }
    // The best placement is one whose worst value is the least, if that is a capture.
    let n = level.vertices.len();
    let placements = expected.chunks(n).map(|values| {
        let starts = values.iter().enumerate();
        let starts = starts.filter(|(robber, _)| !is_exit(*robber));
        let legal = starts.filter(|(_, value)| **value != VariantValue::Illegal);
        let worst = legal.map(|(_, &value)| value).max();
        // Where a robber can only start on exits, every placement is as good.
        let mut all = values.iter();
        let is_allowed = all.any(|value| *value != VariantValue::Illegal);
        worst.or_else(|| is_allowed.then_some(caught))
    });
    let least = placements.flatten().min();
    let best = worst
        .best
        .as_ref()
        .map(|(turns, _)| VariantValue::Caught(turns.0.into()));
    assert_eq!(best, least.filter(|least| *least < VariantValue::Free));
    if let Some((_, cops)) = worst.best {
        let cops: Vec<_> = cops.iter().map(|&cop| level.arena.vertex(cop)).collect();
        let values = level
            .vertices
            .iter()
            .filter(|robber| !exits.contains(robber))
            .map(|&robber| solution.value(robber, &cops));
        let most = values
            .map(value_of)
            .filter(|value| *value != VariantValue::Illegal);
        assert_eq!(most.max().or(Some(caught)), least);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn files_keep_values_and_rules(level in levels(), rules in any_rules()) {
        let solution = level.solve(rules);
        let expected = level.game.by_rounds(agents(rules));
        let table = Table::of(&solution);
        let read = Table::from_bytes(Arc::clone(table.bytes())).expect("its own bytes");
        for table in [&table, &read] {
            prop_assert_eq!(&table_values(&level, table), &expected);
            prop_assert_eq!(table.histogram(), solution.histogram());
            prop_assert_eq!(table.away_histogram(), solution.away_histogram());
            prop_assert_eq!(table.longest_away(), solution.longest_away());
            prop_assert_eq!(table.longest(), solution.longest());
            prop_assert_eq!(table.is_plain(), level.arena.is_plain());
            prop_assert_eq!(table.variant(), level.arena.variant());
            table.expect_arena(&level.arena).expect("its own arena");
        }
        prop_assert_eq!(version(&table) == 3, !level.arena.is_plain());
        let found = read.verify_arena(&level.arena, LIMIT, |_| true).expect("memory");
        prop_assert!(found.is_right(), "{:?}", found);
        prop_assert_eq!(found.positions, solution.positions());
        assert_worst_cases(&level, &solution, &expected);
    }

    #[test]
    fn damage_is_an_error(
        level in levels(),
        rules in any_rules(),
        at in any::<prop::sample::Index>(),
        bit in 0..8_u8,
    ) {
        let table = Table::of(&level.solve(rules));
        let mut bytes = table.bytes().to_vec();
        let at = at.index(bytes.len());
        prop_assert!(Table::from_bytes(bytes[..at].into()).is_err());
        bytes[at] ^= 1 << bit;
        prop_assert!(Table::from_bytes(bytes.into()).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn files_of_more_than_one_word(
        level in random_variant(62..=140_usize, 4, VariantKinds::ALL),
        (fast, robber) in (1..=2_u8, 1..=2_u8),
        two in any::<bool>(),
    ) {
        let cops = if two && level.vertices.len() < 80 { 2 } else { 1 };
        let solution = level.solve(rules(cops, fast, robber));
        let table = Table::of(&solution);
        let read = Table::from_bytes(Arc::clone(table.bytes())).expect("its own bytes");
        let values = level.values(cops.into(), |robber, cops| solution.value(robber, cops));
        prop_assert_eq!(table_values(&level, &read), values);
        let found = read.verify_arena(&level.arena, LIMIT, |_| true).expect("memory");
        prop_assert!(found.is_right(), "{:?}", found);
    }
}

fn path_with_an_exit() -> (Digraph, Arena) {
    let path = Digraph::undirected(4, &[(0, 1), (1, 2), (2, 3)]).expect("a path");
    let exit = path.vertex(3).expect("a vertex");
    let arena = Arena::builder(&path)
        .exits(&[exit])
        .build()
        .expect("an exit");
    (path, arena)
}

/// The bytes with the checksums of their sections and of the header made right again.
fn repaired(mut bytes: Vec<u8>) -> Vec<u8> {
    for entry in (44..188).step_by(24) {
        let number = |at: usize| {
            let eight = bytes[at..at + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(eight) as usize
        };
        let (start, length) = (number(entry + 8), number(entry + 16));
        let sum = crc32(&bytes[start..start + length]).to_le_bytes();
        bytes[entry + 4..entry + 8].copy_from_slice(&sum);
    }
    let sum = crc32(&bytes[..188]).to_le_bytes();
    bytes[188..192].copy_from_slice(&sum);
    bytes
}

/// The usual CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

#[test]
fn a_table_with_exits_is_foreign_to_the_graph_alone() {
    let (path, arena) = path_with_an_exit();
    let level = VariantLevel::of_arena(arena);
    let table = Table::of(&level.solve(rules(1, 1, 1)));
    let plain = PursuitLevel::of_arcs(4, &[(0, 1), (1, 2), (2, 3)], true);
    assert!(matches!(
        table.expect_map(path.fingerprint()),
        Err(TableError::Foreign { .. })
    ));
    assert!(matches!(
        table.verify_digraph(&path, LIMIT, |_| true),
        Err(VerifyError::Table(TableError::Foreign { .. }))
    ));
    assert!(table.expect_arena(&plain.arena).is_err());
    let of_plain = Table::of(&plain.solve(rules(1, 1, 1)));
    assert_eq!(version(&of_plain), 1);
    assert!(of_plain.expect_arena(&level.arena).is_err());
    // Even if somebody forges the fingerprint.
    let mut bytes = table.bytes().to_vec();
    bytes[16..32].copy_from_slice(&path.fingerprint().to_bits().to_le_bytes());
    let forged = Table::from_bytes(repaired(bytes).into()).expect("a table");
    let found = forged.expect_map(path.fingerprint());
    assert!(matches!(
        found,
        Err(TableError::Malformed { offset: 8, .. })
    ));
    assert!(forged.expect_arena(&plain.arena).is_err());
}

#[test]
fn wrong_values_and_wrong_sections_are_found() {
    let (_, arena) = path_with_an_exit();
    let level = VariantLevel::of_arena(arena);
    let table = Table::of(&level.solve(rules(1, 1, 1)));
    let bytes = table.bytes().to_vec();
    let rule = bytes.len() - (6 + 3 * 8);
    // The exits, other grounds, another number of capture times, unknown flags.
    let read = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        Table::from_bytes(repaired(bytes).into())
    };
    for (at, byte) in [(rule + 22, 1), (rule + 6, 7), (rule + 14, 7)] {
        let forged = read(at, byte).expect("a table");
        assert!(forged.expect_arena(&level.arena).is_err());
        assert!(forged.verify_arena(&level.arena, LIMIT, |_| true).is_err());
    }
    for (at, byte) in [(rule, 0), (rule, 200), (rule + 5, 4), (rule + 22, 16 + 8)] {
        assert!(read(at, byte).is_err(), "{at} {byte}");
    }
    // One capture time less: the longest capture looks like a robber that is away.
    let forged = read(rule, bytes[rule] - 1).expect("a table");
    let found = forged
        .verify_arena(&level.arena, LIMIT, |_| true)
        .expect("memory");
    assert!(found.wrong > 0 && found.first.is_some(), "{found:?}");
}

#[test]
fn maps_with_exits_answer_by_cell() {
    let map = common::map(&["....", "@@@."]);
    let graph = Graph::new(&map, Moves::Octile);
    let cell = |x, y| pursuit_engine::map::Cell::new(x, y);
    let exit = graph.vertex(cell(3, 1)).expect("floor");
    let arena = Arena::builder(&graph)
        .exits(&[exit])
        .build()
        .expect("an exit");
    assert_ne!(arena.fingerprint(), graph.fingerprint());
    assert!(!arena.is_of(&graph) && !arena.is_plain());
    let level = VariantLevel::of_arena(arena);
    let table = Table::of(&level.solve(rules(1, 1, 1)));
    assert!(table.is_map() && !table.is_plain());
    let value = |robber, cop| table.value(robber, &[cop]);
    assert_eq!(value(cell(3, 0), cell(0, 0)), Some(Outcome::Away(Turns(1))));
    assert_eq!(
        value(cell(1, 0), cell(0, 0)),
        Some(Outcome::Caught(Turns(1)))
    );
    assert_eq!(value(cell(3, 1), cell(0, 0)), Some(Outcome::Away(Turns(0))));
    assert_eq!(
        value(cell(3, 1), cell(3, 1)),
        Some(Outcome::Caught(Turns(0)))
    );
    assert!(table.verify(&graph, LIMIT, |_| true).is_err());
}

#[test]
fn an_arena_without_other_rules_is_that_of_its_base() {
    let (path, _) = path_with_an_exit();
    let at: Vec<_> = path.iter().collect();
    let own: Vec<_> = at.iter().map(|&vertex| (vertex, vertex)).collect();
    let built = Arena::builder(&path).cops(&path).robber(&path);
    let built = built
        .variant(Variant {
            reach: 2,
            ..Variant::default()
        })
        .captures(own);
    let built = built.build().expect("no other rules");
    assert!(built.is_plain());
    assert_eq!(built.fingerprint(), path.fingerprint());
    // Equal games have equal fingerprints, however they are given.
    let near = |cop: usize| (0..4).filter(move |&robber| cop.abs_diff(robber) < 2);
    let pairs = (0..4).flat_map(|cop| near(cop).map(move |robber| (cop, robber)));
    let pairs = pairs.map(|(cop, robber)| (at[cop], at[robber])).collect();
    let by_pairs = Arena::builder(&path)
        .captures(pairs)
        .build()
        .expect("pairs");
    let by_reach = Arena::builder(&path).variant(Variant {
        reach: 1,
        ..Variant::default()
    });
    let by_reach = by_reach.build().expect("a reach");
    assert_eq!(by_pairs.fingerprint(), by_reach.fingerprint());
    assert_ne!(by_pairs.fingerprint(), path.fingerprint());
}
