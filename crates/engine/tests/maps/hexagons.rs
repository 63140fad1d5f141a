//! Hexagonal maps: neighbours, distances, sight, thin walls and levels against centres in the plane.

use crate::common;
use common::hexagons::{are_beside, sees, steps};
use common::random_map;
use proptest::prelude::*;
use pursuit_engine::graph::{Graph, GraphDelta, Vertex};
use pursuit_engine::map::{Cell, HexLayout, MapEdit, Moves, PursuitLevel, Terrain, TileMap};
use pursuit_engine::search::Dice;
use std::collections::BTreeSet;

fn any_layout() -> impl Strategy<Value = HexLayout> {
    prop::sample::select(HexLayout::ALL.as_slice())
}

#[test]
fn on_an_empty_map_distances_are_those_of_the_plane() {
    let map = TileMap::filled(13, 12, Terrain::Floor).expect("some cells");
    for layout in HexLayout::ALL {
        let graph = Graph::new(&map, Moves::Hexagonal(layout));
        for from in [
            Cell::new(0, 0),
            Cell::new(12, 11),
            Cell::new(5, 6),
            Cell::new(6, 5),
        ] {
            let mut far = vec![u32::MAX; graph.slots()];
            let mut queue: Vec<Vertex> = graph.vertex(from).into_iter().collect();
            far[queue[0].index()] = 0;
            let mut next = 0;
            while let Some(&at) = queue.get(next) {
                next += 1;
                for &beside in graph.neighbours(at) {
                    if far[beside.index()] == u32::MAX {
                        far[beside.index()] = far[at.index()] + 1;
                        queue.push(beside);
                    }
                }
            }
            for to in graph.iter() {
                assert_eq!(
                    far[to.index()],
                    steps(layout, from, graph.cell(to)),
                    "{layout:?}"
                );
            }
        }
    }
}

#[test]
fn a_cell_in_the_middle_has_six_neighbours_in_the_order_of_the_steps() {
    let map = TileMap::filled(6, 6, Terrain::Floor).expect("some cells");
    for layout in HexLayout::ALL {
        let moves = Moves::Hexagonal(layout);
        let graph = Graph::new(&map, moves);
        for from in [(2, 2), (2, 3), (3, 2), (3, 3)].map(|(x, y)| Cell::new(x, y)) {
            let vertex = graph.vertex(from).expect("floor");
            let cells = graph
                .neighbours(vertex)
                .iter()
                .map(|&next| graph.cell(next));
            let expected = moves
                .steps_at(from)
                .filter_map(|(dx, dy)| from.offset(dx, dy));
            let expected: Vec<Cell> = expected.collect();
            assert_eq!(cells.collect::<Vec<_>>(), expected);
            assert_eq!(expected.len(), 6);
            assert!(expected.iter().all(|&to| are_beside(layout, from, to)));
        }
    }
}

/// A random edge between any two cells that are at most a column and a row apart.
fn edge(map: &TileMap, dice: &mut Dice) -> MapEdit {
    let from = Cell::new(
        dice.below(map.width().into()) as u16,
        dice.below(map.height().into()) as u16,
    );
    let (dx, dy) = (dice.below(3) as i32 - 1, dice.below(3) as i32 - 1);
    let to = from.offset(dx, dy).unwrap_or(from);
    let open = dice.below(3) == 0;
    MapEdit::Edge { from, to, open }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn edges_close_at_all_six_sides(
        map in random_map(8),
        layout in any_layout(),
        seed in any::<u64>(),
    ) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&map, Moves::Hexagonal(layout));
        let mut closed = BTreeSet::new();
        let mut delta = GraphDelta::default();
        for _ in 0..60 {
            let edit = edge(&map, dice);
            graph.apply_edits(&[edit], &mut delta);
            if let MapEdit::Edge { from, to, open } = edit
                && map.contains(to)
                && are_beside(layout, from, to)
            {
                if open {
                    closed.remove(&(from, to));
                } else {
                    closed.insert((from, to));
                }
            }
        }
        for from in graph.iter() {
            for to in graph.iter() {
                let [a, b] = [from, to].map(|vertex| graph.cell(vertex));
                let is_step = are_beside(layout, a, b) && !closed.contains(&(a, b));
                prop_assert_eq!(graph.are_adjacent(from, to), is_step);
                let is_thin = closed.contains(&(a, b)) && closed.contains(&(b, a));
                if are_beside(layout, a, b) {
                    prop_assert_eq!(graph.sees(a, b, Some(1)), !is_thin);
                }
                prop_assert_eq!(graph.sees(a, b, None), graph.sees(b, a, None));
            }
        }
        let rules = graph.rules();
        let mut again = map.clone();
        *again.rules_mut() = rules;
        let built = Graph::new(&again, Moves::Hexagonal(layout));
        prop_assert_eq!(built.fingerprint(), graph.fingerprint());
    }

    #[test]
    fn sight_is_that_of_the_plane(map in random_map(9), layout in any_layout(), radius in prop::option::of(0..8_u16)) {
        let graph = Graph::new(&map, Moves::Hexagonal(layout));
        for a in map.cells() {
            for b in map.cells() {
                let is_near = radius.is_none_or(|radius| steps(layout, a, b) <= radius.into());
                let expected = is_near && sees(&map, layout, a, b);
                prop_assert_eq!(graph.sees(a, b, radius), expected, "{:?} to {:?}", a, b);
            }
        }
    }
}

#[test]
fn maps_of_other_moves_have_other_fingerprints() {
    let map = TileMap::filled(4, 4, Terrain::Floor).expect("some cells");
    let squares = [Moves::Octile, Moves::Orthogonal].into_iter();
    let all = squares.chain(HexLayout::ALL.map(Moves::Hexagonal));
    let prints: BTreeSet<_> = all
        .map(|moves| Graph::new(&map, moves).fingerprint())
        .collect();
    assert_eq!(prints.len(), 8);
}

fn level(fields: &str, legend: &str) -> Result<PursuitLevel, String> {
    let text = format!(
        r#"(name: "hive", moves: Hexagonal(RowOdd), {fields} legend: {{{legend}}}, rows: ["..d", "...", ".d."])"#
    );
    PursuitLevel::parse(&text).map_err(|error| error.to_string())
}

#[test]
fn levels_of_hexagons_say_what_they_are_and_refuse_rules_of_squares() {
    let door = r#"'d': Door(name: "gate")"#;
    let hive = level("walls: [((0, 1), (1, 0))],", door).expect("a level");
    assert_eq!(hive.moves(), Moves::Hexagonal(HexLayout::RowOdd));
    assert_eq!(PursuitLevel::parse(&hive.to_ron()), Ok(hive.clone()));
    let graph = Graph::new(&hive.initial_map(), hive.moves());
    let [a, b] = [(0, 1), (1, 0)].map(|(x, y)| graph.vertex(Cell::new(x, y)).expect("floor"));
    assert!(!graph.are_adjacent(a, b));
    assert!(!graph.sees(Cell::new(0, 1), Cell::new(1, 0), None));

    let unfit = level("walls: [((1, 1), (0, 0))],", door).expect_err("no side");
    assert!(unfit.contains("share a side"), "{unfit}");
    let corners = level("corners: OneFree,", door).expect_err("no corners");
    assert!(corners.contains("hexagons"), "{corners}");
    let straight =
        level("", r#"'d': Door(name: "gate", straight: true)"#).expect_err("no diagonals");
    assert!(straight.contains("hexagons"), "{straight}");
    let unknown = PursuitLevel::parse(r#"(name: "", moves: Hexagonal(Round), rows: ["."])"#);
    assert!(unknown.is_err());
}
