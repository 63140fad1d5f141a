//! A restored state has the same future as the original. Anything that is not a valid saved game is an
//! error, never a panic.

use crate::common;
use crate::common::chase;
use crate::common::hierarchy;
use chase::{any_map, edits};
use common::map;
use hierarchy::{check, listing};
use proptest::prelude::*;
use pursuit_engine::abstraction::{Hierarchy, Maintenance};
use pursuit_engine::game::{Agent, Outcome, Side, State, Turns, Value};
use pursuit_engine::graph::{Fingerprint, Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, PursuitLevel};
use pursuit_engine::search::{DaTrailMax, Dice, Footprint};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn bytes<T: Serialize>(of: &T) -> Vec<u8> {
    postcard::to_allocvec(of).expect("serialisable")
}

/// Saves a value in a format and reads it back.
fn through<T: Serialize + DeserializeOwned>(of: &T, format: usize) -> T {
    match format % 3 {
        0 => {
            let json = serde_json::to_string(of).expect("serialisable");
            serde_json::from_str(&json).expect("what was written")
        }
        1 => {
            let ron = ron::to_string(of).expect("serialisable");
            ron::from_str(&ron).expect("what was written")
        }
        _ => postcard::from_bytes(&bytes(of)).expect("what was written"),
    }
}

fn moves(dice: &mut Dice) -> Moves {
    pursuit_testkit::rolled_moves(dice)
}

/// The positions and bounds of all abstract vertices, to the bit.
fn places(graph: &Graph, hierarchy: &Hierarchy) -> Vec<([u32; 2], (Cell, Cell))> {
    let levels = 1..hierarchy.levels();
    let level = |level| {
        let vertices: Vec<Vertex> = hierarchy
            .level(level)
            .into_iter()
            .flat_map(pursuit_engine::abstraction::AbstractLevel::iter)
            .collect();
        vertices.into_iter().map(move |vertex| {
            let position = hierarchy.position(graph, level, vertex).map(f32::to_bits);
            (position, hierarchy.bounds(graph, level, vertex))
        })
    };
    levels.flat_map(level).collect()
}

/// A plan of a chase that depends on the hierarchy and on `seed`.
fn plan(graph: &Graph, hierarchy: &Hierarchy, seed: u64) -> Vec<Vertex> {
    let dice = &mut Dice::new(seed);
    let Some((robber, cops)) = chase::chase(graph, dice, 1, &[2, 1]) else {
        return Vec::new();
    };
    let state = State {
        robber,
        cops: &cops,
        to_move: Side::Robber,
    };
    DaTrailMax::new(4, seed)
        .solve(graph, Some(hierarchy), &state)
        .to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_restored_has_the_same_future(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 24), moves(dice));
        let mut hierarchy = Hierarchy::new(&graph);
        for _ in 0..dice.below(40) {
            let delta = graph.apply(&edits(&graph, dice, 4));
            hierarchy.apply(&graph, &delta);
        }
        let format = dice.below(3);
        let mut other_graph = through(&graph, format);
        let mut other = through(&hierarchy, format);
        prop_assert_eq!(other.check(&other_graph), Ok(()));
        prop_assert_eq!(hierarchy.check(&graph), Ok(()));
        for step in 0..100_u64 {
            prop_assert_eq!(bytes(&graph), bytes(&other_graph));
            // The text contains everything that is saved, including the lineage and the free numbers.
            prop_assert_eq!(bytes(&hierarchy), bytes(&other));
            prop_assert_eq!(listing(&hierarchy), listing(&other));
            prop_assert_eq!(places(&graph, &hierarchy), places(&other_graph, &other));
            let plans = [(&graph, &hierarchy), (&other_graph, &other)];
            let [one, two] = plans.map(|(graph, hierarchy)| plan(graph, hierarchy, seed ^ step));
            prop_assert_eq!(one, two);
            let many = 1 + dice.below(5);
            let edits = edits(&graph, dice, many);
            let delta = graph.apply(&edits);
            let other_delta = other_graph.apply(&edits);
            prop_assert_eq!(&delta, &other_delta);
            let repair = hierarchy.apply(&graph, &delta);
            prop_assert_eq!(repair, other.apply(&other_graph, &other_delta));
            prop_assert!(!repair.rebuilt);
        }
        check(&other_graph, &other);
    }

    #[test]
    fn maintenance_is_restored_with_its_queue(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 24), moves(dice));
        let mut maintenance = Maintenance::new(&graph);
        let mut other = maintenance.clone();
        for _ in 0..40 {
            let many = dice.below(6);
            let edits = edits(&graph, dice, many);
            graph.apply(&edits);
            maintenance.push(&edits);
            other.push(&edits);
            if dice.below(3) == 0 {
                other = through(&other, dice.below(3));
                prop_assert_eq!(other.check(&graph), Ok(()));
            }
            let budget = dice.below(2000) as u64;
            prop_assert_eq!(maintenance.advance(&graph, budget), other.advance(&graph, budget));
            prop_assert_eq!(bytes(&maintenance), bytes(&other));
        }
        let mut ahead = graph.clone();
        ahead.apply(&edits(&graph, dice, 1));
        // A maintenance that will copy the graph anew fits any graph.
        let may_copy = maintenance.pending() == 0 && maintenance.is_rebuilding();
        prop_assert!(may_copy || other.check(&ahead).is_err());
    }
}

/// Asserts that a value comes back from all formats.
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    for format in 0..3 {
        assert_eq!(&through(value, format), value);
    }
}

#[test]
fn small_things_come_back() {
    let graph = Graph::new(&map(&["..#", "..."]), Moves::Octile);
    comes_back(&graph.fingerprint());
    comes_back(&Fingerprint::from_bits(u128::MAX - 1));
    let vertices: Vec<Vertex> = graph.iter().collect();
    comes_back(&vertices);
    assert_eq!(
        serde_json::to_string(&vertices).expect("numbers"),
        "[0,1,2,3,4]"
    );
    let cell = Cell::new(3, u16::MAX);
    comes_back(&vec![cell]);
    comes_back(&TileEdit {
        cell,
        passable: true,
    });
    comes_back(&Agent {
        at: vertices[2],
        speed: 2.try_into().map(std::num::NonZeroU8::into).expect("not 0"),
    });
    comes_back(&[Side::Cops, Side::Robber]);
    comes_back(&[
        Value::Exact(Outcome::Escapes),
        Value::AtLeast(Outcome::Caught(Turns(7))),
    ]);
    let mut footprint = Footprint::default();
    comes_back(&footprint);
    footprint.clear(200, 150);
    footprint.insert(Cell::new(199, 149));
    comes_back(&footprint);
    let json = serde_json::to_string(&footprint)
        .expect("numbers")
        .replace("\"rows\":10", "\"rows\":100");
    assert!(serde_json::from_str::<Footprint>(&json).is_err());
}

/// Uses an accepted value as a game would.
fn use_graph(mut graph: Graph, dice: &mut Dice) {
    for _ in 0..4 {
        graph.apply(&edits(&graph, dice, 5));
        assert!(
            graph
                .iter()
                .all(|vertex| graph.vertex(graph.cell(vertex)) == Some(vertex))
        );
    }
    check(&graph, &Hierarchy::new(&graph));
}

fn use_hierarchy(mut graph: Graph, mut hierarchy: Hierarchy, dice: &mut Dice) {
    // Only wrong lineages and wrong orders of lists cannot be detected.
    check(&graph, &hierarchy);
    for _ in 0..8 {
        plan(&graph, &hierarchy, dice.below(1000) as u64);
        let delta = graph.apply(&edits(&graph, dice, 3));
        hierarchy.apply(&graph, &delta);
    }
    check(&graph, &hierarchy);
}

fn use_follower(mut graph: Graph, mut maintenance: Maintenance, dice: &mut Dice) {
    for _ in 0..8 {
        let edits = edits(&graph, dice, 3);
        graph.apply(&edits);
        maintenance.push(&edits);
        maintenance.advance(&graph, dice.below(3000) as u64);
        let hierarchy = maintenance.up_to_date(&graph);
        hierarchy.inspect(|hierarchy| drop(plan(&graph, hierarchy, 1)));
    }
    maintenance.advance(&graph, u64::MAX);
    maintenance.advance(&graph, u64::MAX);
    check(&graph, maintenance.up_to_date(&graph).expect("all is done"));
}

/// A saved game with a few changes: bytes, bits, pieces cut out or repeated.
fn mutated(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let place = dice.below(bytes.len());
        let Some(byte) = bytes.get_mut(place) else {
            break;
        };
        match dice.below(6) {
            0 => *byte ^= 1 << dice.below(8),
            1 => *byte = dice.below(256) as u8,
            2 => *byte = byte.wrapping_add(1),
            3 => bytes.truncate(place),
            4 => bytes.insert(place, dice.below(256) as u8),
            _ => {
                let other = dice.below(bytes.len());
                bytes.swap(place, other);
            }
        }
    }
    bytes
}

/// A JSON text with one number replaced.
fn mutated_json(json: &str, dice: &mut Dice) -> String {
    let digit = |byte: u8| byte.is_ascii_digit();
    let starts = json.bytes().zip(json.bytes().skip(1)).enumerate();
    let starts: Vec<usize> = starts
        .filter(|&(_, (a, b))| !digit(a) && digit(b))
        .map(|(place, _)| place + 1)
        .collect();
    let Some(start) = dice.pick(&starts) else {
        return json.to_owned();
    };
    let end = start
        + json[start..]
            .bytes()
            .take_while(|&byte| digit(byte))
            .count();
    let old: u128 = json[start..end].parse().expect("a number");
    let new = match dice.below(6) {
        0 => old + 1,
        1 => old.saturating_sub(1),
        2 => dice.below(30) as u128,
        3 => u128::from(u32::MAX),
        4 => u128::from(u64::MAX),
        _ => 1 << 24,
    };
    format!("{}{new}{}", &json[..start], &json[end..])
}

/// The mutants of a saved game that are accepted.
fn accepted<T: Serialize + DeserializeOwned>(of: &T, dice: &mut Dice) -> Option<T> {
    if dice.below(2) == 0 {
        postcard::from_bytes(&mutated(&bytes(of), dice)).ok()
    } else {
        let json = serde_json::to_string(of).expect("serialisable");
        serde_json::from_str(&mutated_json(&json, dice)).ok()
    }
}

#[test]
fn nothing_that_is_read_makes_it_panic() {
    let dice = &mut Dice::new(5);
    // Counts of graphs, hierarchies, hierarchies that fit the graph, maintenances, and maintenances that
    // fit the graph.
    let mut counts = [0; 5];
    for _ in 0..300 {
        let mut graph = Graph::new(&any_map(dice, 10), moves(dice));
        let mut hierarchy = Hierarchy::new(&graph);
        for _ in 0..6 {
            let delta = graph.apply(&edits(&graph, dice, 3));
            hierarchy.apply(&graph, &delta);
        }
        let mut maintenance = Maintenance::new(&graph);
        let queue = edits(&graph, dice, 3);
        let before = graph.clone();
        graph.apply(&queue);
        maintenance.push(&queue);
        for _ in 0..60 {
            if let Some(mutant) = accepted(&graph, dice) {
                counts[0] += 1;
                use_graph(mutant, dice);
            }
            if let Some(mutant) = accepted(&hierarchy, dice) {
                counts[1] += 1;
                if mutant.check(&before).is_ok() {
                    counts[2] += 1;
                    use_hierarchy(before.clone(), mutant, dice);
                }
            }
            if let Some(mutant) = accepted(&maintenance, dice) {
                counts[3] += 1;
                if mutant.check(&graph).is_ok() {
                    counts[4] += 1;
                    use_follower(graph.clone(), mutant, dice);
                }
            }
        }
    }
    println!("accepted: {counts:?}");
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn a_short_file_cannot_ask_for_much_memory() {
    // Maps of 4,096 x 4,096 cells and vertices whose lists are almost empty.
    let graph = r#"{"moves":"Octile","width":4096,"height":4096,"first":[],"later":[],"live":[]}"#;
    let hierarchy =
        r#"{"fingerprint":[0,0],"lineage":0,"slots":16777216,"live":[],"places":[],"levels":[]}"#;
    let peak = allocation_counter::measure(|| {
        assert!(serde_json::from_str::<Graph>(graph).is_err());
        assert!(serde_json::from_str::<Hierarchy>(hierarchy).is_err());
        // It claims to have a list of 2^35 bytes.
        let mut promise = bytes(&(Moves::Octile, 9_u16, 9_u16));
        promise.extend([0xff, 0xff, 0xff, 0xff, 0x7f, 0]);
        assert!(postcard::from_bytes::<Graph>(&promise).is_err());
    });
    assert!(peak.bytes_max < 1 << 22, "{}", peak.bytes_max);
}

#[test]
fn what_is_wrong_is_said() {
    let graph = Graph::new(&map(&["....", "...."]), Moves::Octile);
    let json = serde_json::to_string(&graph).expect("serialisable");
    assert_eq!(
        json,
        r#"{"moves":"Octile","width":4,"height":2,"first":[255],"later":[],"live":[255],"rules":{"corners":"Never","closed":[],"links":[],"straight":[],"sight":[],"slow":[],"kinds":[],"exits":[]},"walker":{"kinds":0,"size":1}}"#
    );
    let error = |from: &str, to: &str| {
        let json = json.replace(from, to);
        serde_json::from_str::<Graph>(&json)
            .expect_err(&json)
            .to_string()
    };
    assert!(error("\"width\":4", "\"width\":0").contains("0 x 2 cells"));
    assert!(error("\"width\":4", "\"width\":9").contains("bit for each of 18"));
    assert!(error("\"later\":[]", "\"later\":[8]").contains("cell 8 is not on the map"));
    assert!(error("\"later\":[]", "\"later\":[3]").contains("cell 3 is numbered twice"));
    assert!(error("\"live\":[255]", "\"live\":[]").contains("0 bytes"));

    let json = serde_json::to_string(&Hierarchy::new(&graph)).expect("serialisable");
    let error = |from: &str, to: &str| {
        assert!(json.contains(from), "{json}");
        let json = json.replacen(from, to, 1);
        serde_json::from_str::<Hierarchy>(&json)
            .expect_err(&json)
            .to_string()
    };
    assert!(error("\"groups\":[4,4]", "\"groups\":[4,5]").contains("lengths"));
    assert!(error("\"live\":[255]", "\"live\":[254]").contains("one parent"));
    assert!(
        error(
            "\"degrees\":[1,1],\"neighbours\":[1,0]",
            "\"degrees\":[1,0],\"neighbours\":[1]"
        )
        .contains("edges")
    );
    assert!(error("\"free\":[]", "\"free\":[0]").contains("free numbers"));
    let other = Graph::new(&map(&["...#", "...."]), Moves::Octile);
    assert!(Hierarchy::new(&graph).check(&other).is_err());
}

#[test]
fn save_games_are_small() {
    let harbour = include_str!("../../../../assets/levels/harbour.level.ron");
    let harbour = PursuitLevel::parse(harbour).expect("our level");
    let mut graphs = vec![Graph::new(&harbour.initial_map(), harbour.moves())];
    if let Some(folder) = common::reference("save games of AR0414SR") {
        let map = common::read_map(&folder.join("maps/bg/AR0414SR.map"));
        graphs.push(Graph::new(&map, Moves::Octile));
    }
    for mut graph in graphs {
        let dice = &mut Dice::new(1);
        let mut hierarchy = Hierarchy::new(&graph);
        for _ in 0..graph.slots() / 4 {
            let delta = graph.apply(&edits(&graph, dice, 1));
            hierarchy.apply(&graph, &delta);
        }
        let vertices = graph.vertices() as f64;
        let [map, all] =
            [bytes(&graph).len(), bytes(&hierarchy).len()].map(|n| n as f64 / vertices);
        println!("{vertices} vertices: graph {map:.2}, hierarchy {all:.2} bytes a vertex");
        assert!(map < 6.0 && all < 30.0, "{map} {all}");
    }
}
