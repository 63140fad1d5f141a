//! Closed edges, links and corners: graphs, abstractions and saves against the definition.

use crate::common;
use common::hierarchy::{check, listing};
use common::map;
use common::map_rules::{
    add_rules, any_edit, any_walker, apply_with, covered, make_two_way, may_enter, steps_of,
};
use proptest::prelude::*;
use pursuit_engine::abstraction::{Hierarchy, Maintenance};
use pursuit_engine::graph::{Graph, GraphDelta, MAX_LINKS, Vertex};
use pursuit_engine::map::{
    BodySize, Cell, Corners, Kinds, MapEdit, Moves, Terrain, TileMap, Walker,
};
use pursuit_engine::search::Dice;
use std::collections::BTreeSet;

fn any_moves(dice: &mut Dice) -> Moves {
    common::rolled_moves(dice)
}

/// A map of up to `side` x `side` cells with random walls and about `rules` random rules.
fn any_map(dice: &mut Dice, side: usize, rules: usize) -> TileMap {
    let (width, height) = (1 + dice.below(side), 1 + dice.below(side));
    let mut map = TileMap::filled(width as u16, height as u16, Terrain::Floor).expect("some cells");
    for cell in map.cells() {
        if dice.below(4) == 0 {
            map.set(cell, Terrain::Wall);
        }
    }
    add_rules(&mut map, dice, rules);
    map
}

/// Compares every edge with the definition.
fn assert_is_graph_of(graph: &Graph, map: &TileMap) {
    let mut two_way = true;
    let lists: Vec<BTreeSet<Cell>> = map
        .cells()
        .map(|cell| steps_of(map, graph.moves(), graph.walker(), cell))
        .collect();
    let of =
        |cell: Cell| &lists[usize::from(cell.y) * usize::from(map.width()) + usize::from(cell.x)];
    for cell in map.cells() {
        let Some(vertex) = graph.vertex(cell) else {
            let is_large = graph.walker().size != BodySize::ONE;
            let is_hexagonal = matches!(graph.moves(), Moves::Hexagonal(_));
            assert!(is_large && is_hexagonal || !may_enter(map, graph.walker(), cell));
            continue;
        };
        let cells =
            |list: &[Vertex]| -> Vec<Cell> { list.iter().map(|&v| graph.cell(v)).collect() };
        let next = cells(graph.neighbours(vertex));
        assert_eq!(
            next.iter().copied().collect::<BTreeSet<_>>(),
            *of(cell),
            "{cell:?} of {map:?}"
        );
        let before: BTreeSet<Cell> = map
            .cells()
            .filter(|&other| of(other).contains(&cell))
            .collect();
        let found = cells(graph.predecessors(vertex));
        assert_eq!(
            found.iter().copied().collect::<BTreeSet<_>>(),
            before,
            "to {cell:?} of {map:?}"
        );
        let joined = cells(graph.joined(vertex));
        assert_eq!(joined[..next.len()], next);
        let lengths = [next.len(), found.len(), joined.len()];
        assert_eq!(
            lengths,
            [
                of(cell).len(),
                before.len(),
                of(cell).union(&before).count()
            ],
            "each once"
        );
        two_way &= *of(cell) == before;
    }
    assert_eq!(graph.is_two_way(), two_way, "{map:?}");
    assert_eq!(graph.has_links(), map.rules().links().next().is_some());
}

/// Lists the steps of each cell.
fn edges(graph: &Graph) -> Vec<(Cell, Vec<Cell>)> {
    let cells = |list: &[Vertex]| list.iter().map(|&v| graph.cell(v)).collect();
    let all = graph
        .iter()
        .map(|v| (graph.cell(v), cells(graph.joined(v))));
    let mut all: Vec<(Cell, Vec<Cell>)> = all.collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn steps_are_those_of_the_definition_after_any_edits(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules = dice.below(30);
        let mut map = any_map(dice, 9, rules);
        let moves = any_moves(dice);
        let walker = any_walker(dice);
        let mut graph = Graph::of_walker(&map, moves, walker);
        assert_is_graph_of(&graph, &map);
        for _ in 0..4 {
            let edits: Vec<MapEdit> = (0..dice.below(6)).map(|_| any_edit(&map, dice)).collect();
            for &edit in &edits {
                apply_with(&mut map, edit, moves);
            }
            let before = graph.fingerprint();
            let old = edges(&graph);
            let mut delta = GraphDelta::default();
            graph.apply_edits(&edits, &mut delta);
            assert_is_graph_of(&graph, &map);
            if delta.is_empty() {
                prop_assert_eq!(edges(&graph), old);
                prop_assert_eq!(graph.fingerprint(), before);
            }
        }
        let built = Graph::of_walker(&map, moves, walker);
        prop_assert_eq!(edges(&graph), edges(&built));
        prop_assert_eq!(graph.fingerprint(), built.fingerprint());
        prop_assert_eq!(graph.rules(), map.rules().clone());
        let saved = postcard::to_allocvec(&graph).expect("a graph");
        let restored: Graph = postcard::from_bytes(&saved).expect("the same graph");
        prop_assert_eq!(edges(&restored), edges(&graph));
        prop_assert_eq!(restored.fingerprint(), graph.fingerprint());
        let text = serde_json::to_string(&graph).expect("a graph");
        let read: Graph = serde_json::from_str(&text).expect("the same graph");
        prop_assert_eq!(edges(&read), edges(&graph));
        for cell in map.cells() {
            for other in map.cells() {
                prop_assert_eq!(restored.sees(cell, other, None), graph.sees(cell, other, None));
                prop_assert_eq!(built.sees(cell, other, None), graph.sees(cell, other, None));
            }
        }
    }

    #[test]
    fn grounds_of_a_map_have_the_same_vertices(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules = dice.below(30);
        let mut map = any_map(dice, 9, rules);
        let moves = any_moves(dice);
        let mut own = Graph::new(&map, moves);
        let all: [Walker; 6] = std::array::from_fn(|_| any_walker(dice));
        let mut grounds = all.map(|walker| own.for_walker(walker));
        let mut delta = GraphDelta::default();
        for _ in 0..5 {
            for (ground, &walker) in grounds.iter().zip(&all) {
                prop_assert_eq!(ground.walker(), walker);
                assert_is_graph_of(ground, &map);
                prop_assert_eq!(edges(&own.for_walker(walker)), edges(ground));
                let other = &grounds[dice.below(6)];
                prop_assert_eq!(edges(&other.for_walker(walker)), edges(ground));
                prop_assert_eq!(other.for_walker(walker).fingerprint(), ground.fingerprint());
                prop_assert_eq!(ground.slots(), own.slots());
                for index in 0..own.slots() {
                    let vertex = Vertex::from_index(index);
                    prop_assert_eq!(ground.cell(vertex), own.cell(vertex));
                }
                for cell in map.cells() {
                    prop_assert_eq!(ground.is_floor(cell), map.is_passable(cell));
                    let all = covered(walker.size, cell);
                    let is_exit = map.rules().exits().any(|(at, exit)| {
                        all.contains(&at) && (exit == Kinds::ALL || exit.bits() & walker.kinds.bits() != 0)
                    });
                    prop_assert_eq!(ground.is_exit(cell), is_exit);
                    let other = Cell::new(map.width() - 1, map.height() / 2);
                    prop_assert_eq!(ground.sees(cell, other, None), own.sees(cell, other, None));
                }
            }
            let edits: Vec<MapEdit> = (0..dice.below(6)).map(|_| any_edit(&map, dice)).collect();
            for &edit in &edits {
                apply_with(&mut map, edit, moves);
            }
            own.apply_edits(&edits, &mut delta);
            for ground in &mut grounds {
                ground.apply_edits(&edits, &mut delta);
            }
        }
    }

    #[test]
    fn two_way_rules_make_two_way_graphs(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules = dice.below(30);
        let mut map = any_map(dice, 9, rules);
        make_two_way(&mut map);
        prop_assert!(Graph::new(&map, any_moves(dice)).is_two_way());
    }

    #[test]
    fn abstractions_are_repaired_after_any_edits(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules = dice.below(40);
        let map = any_map(dice, 20, rules);
        let moves = any_moves(dice);
        let mut graph = Graph::of_walker(&map, moves, any_walker(dice));
        let mut hierarchy = Hierarchy::new(&graph);
        check(&graph, &hierarchy);
        let mut followers = [(); 2].map(|()| Maintenance::new(&graph));
        let mut delta = GraphDelta::default();
        for _ in 0..8 {
            let edits: Vec<MapEdit> = (0..dice.below(5)).map(|_| any_edit(&map, dice)).collect();
            graph.apply_edits(&edits, &mut delta);
            let repair = hierarchy.apply(&graph, &delta);
            prop_assert!(!repair.rebuilt);
            check(&graph, &hierarchy);
            for (maintenance, most) in followers.iter_mut().zip([1, 1_000_000]) {
                maintenance.push_edits(&edits);
                prop_assert!(maintenance.check(&graph).is_ok());
                maintenance.advance(&graph, most * dice.below(3) as u64);
                // Neither is ever so far behind that everything is rebuilt.
                while maintenance.pending() > 8 {
                    maintenance.advance(&graph, 1);
                }
            }
        }
        for maintenance in &mut followers {
            while !maintenance.is_current(&graph) {
                maintenance.advance(&graph, 1);
            }
            check(&graph, maintenance.hierarchy());
        }
        prop_assert_eq!(listing(followers[0].hierarchy()), listing(followers[1].hierarchy()));
    }
}

#[test]
fn corners_by_their_rules() {
    let reached = |corners, rows: &[&str]| {
        let mut map = map(rows);
        map.rules_mut().set_corners(corners);
        let graph = Graph::new(&map, Moves::Octile);
        let ends =
            [Cell::new(0, 0), Cell::new(1, 1)].map(|cell| graph.vertex(cell).expect("floor"));
        graph.are_adjacent(ends[0], ends[1])
    };
    let (open, one, none) = (["..", ".."], [".#", ".."], [".#", "#."]);
    let all = |corners| [open, one, none].map(|rows| reached(corners, &rows));
    assert_eq!(all(Corners::Never), [true, false, false]);
    assert_eq!(all(Corners::OneFree), [true, true, false]);
    assert_eq!(all(Corners::Always), [true, true, true]);
}

#[test]
fn a_thin_wall_bars_the_way_and_the_view_and_a_one_way_edge_only_one_way() {
    let (a, b) = (Cell::new(0, 0), Cell::new(1, 0));
    let mut map = map(&["...", "..."]);
    map.rules_mut().apply(MapEdit::Edge {
        from: a,
        to: b,
        open: false,
    });
    let mut graph = Graph::new(&map, Moves::Octile);
    let vertex = |graph: &Graph, cell| graph.vertex(cell).expect("floor");
    assert!(!graph.are_adjacent(vertex(&graph, a), vertex(&graph, b)));
    assert!(graph.are_adjacent(vertex(&graph, b), vertex(&graph, a)));
    assert!(graph.sees(a, b, None), "agents look down a ledge");
    assert!(!graph.is_two_way());
    let mut delta = GraphDelta::default();
    graph.apply_edits(
        &[MapEdit::Edge {
            from: b,
            to: a,
            open: false,
        }],
        &mut delta,
    );
    assert!(graph.is_two_way());
    assert!(!graph.sees(a, b, None) && !graph.sees(b, a, None));
    assert!(!graph.sees(a, Cell::new(2, 0), None), "nor past it");
    assert!(!graph.sees(Cell::new(0, 1), b, None), "nor past its end");
    assert!(graph.sees(Cell::new(0, 1), Cell::new(1, 1), None));
}

#[test]
fn links_beyond_the_maximum_and_edits_that_do_not_fit_have_no_effect() {
    let map = TileMap::filled(200, 1, Terrain::Floor).expect("some cells");
    let mut graph = Graph::new(&map, Moves::Octile);
    let before = graph.fingerprint();
    let mut delta = GraphDelta::default();
    let at = |x| Cell::new(x, 0);
    let link = |from, to| MapEdit::Link {
        from: at(from),
        to: at(to),
        open: true,
    };
    let unfit = [
        link(3, 3),
        link(3, 200),
        link(200, 3),
        MapEdit::Edge {
            from: at(3),
            to: at(5),
            open: false,
        },
        MapEdit::Edge {
            from: at(199),
            to: at(200),
            open: false,
        },
        MapEdit::Diagonals {
            at: Cell::new(0, 1),
            allowed: false,
        },
    ];
    assert!(unfit.iter().all(|edit| !edit.fits(200, 1)));
    graph.apply_edits(&unfit, &mut delta);
    assert!(delta.is_empty() && graph.fingerprint() == before && graph.has_plain_steps());
    let many: Vec<MapEdit> = (10..190).map(|to| link(0, to)).collect();
    graph.apply_edits(&many, &mut delta);
    let from = graph.vertex(at(0)).expect("floor");
    assert_eq!(graph.neighbours(from).len(), 1 + MAX_LINKS);
}
