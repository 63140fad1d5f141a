//! Local endgames against the game by its definition, and against exact tables of real maps.

use crate::common::endgames::{Sides, exact, follow, solved, state};
use crate::common::fixpoint::SlowGame;
use crate::common::town;
use crate::common::{any_moves, map, read_map, reference, ruled_map};
use proptest::prelude::*;
use pursuit_engine::endgame::Endgames;
use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::Dice;

fn any_sides() -> impl Strategy<Value = Sides> {
    prop_oneof![
        Just(Sides::new(1, 1, 1)),
        Just(Sides::new(1, 2, 1)),
        Just(Sides::new(2, 1, 1)),
        Just(Sides::new(2, 1, 2)),
        Just(Sides::new(3, 1, 1)),
    ]
}

/// The values of all positions by the definition of the game.
struct Oracle {
    vertices: Vec<Vertex>,
    values: Vec<Option<u32>>,
}

impl Oracle {
    fn new(graph: &Graph, sides: Sides) -> Self {
        let vertices: Vec<Vertex> = graph.iter().collect();
        let number = |vertex| vertices.binary_search(vertex).expect("a vertex");
        let out = vertices.iter();
        let out = out.map(|&vertex| graph.neighbours(vertex).iter().map(number).collect());
        let out: Vec<Vec<usize>> = out.collect();
        let game = SlowGame {
            out: &out,
            cops: sides.cops,
            cop_speed: sides.cop.steps(),
            robber_speed: sides.robber.steps(),
        };
        let values = game.solve();
        Self { vertices, values }
    }

    fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<u32> {
        let n = self.vertices.len();
        let number = |vertex| self.vertices.binary_search(vertex).expect("a vertex");
        let cops = cops.iter().rev();
        let cops = cops.fold(0, |index, cop| index * n + number(cop));
        self.values[number(&robber) + n * cops]
    }

    /// Some positions: all, if they are few.
    fn positions(&self, cops: usize, most: usize) -> Vec<(Vertex, Vec<Vertex>)> {
        let n = self.vertices.len();
        let all = n.pow(cops as u32 + 1);
        let step = all.div_ceil(most).max(1);
        let position = |index: usize| {
            let robber = self.vertices[index % n];
            let mut rest = index / n;
            let cops = (0..cops).map(|_| {
                let cop = self.vertices[rest % n];
                rest /= n;
                cop
            });
            (robber, cops.collect())
        };
        (0..all).step_by(step).map(position).collect()
    }
}

/// Asserts that no bound of endgames is less than the value. Returns how many there are.
fn assert_bounds(
    endgames: &mut Endgames,
    graph: &Graph,
    sides: Sides,
    oracle: &Oracle,
    positions: &[(Vertex, Vec<Vertex>)],
) -> usize {
    let mut bounds = 0;
    for (robber, cops) in positions {
        let agents = sides.agents(cops);
        if let Some(bound) = endgames.bound(graph, &state(sides.robber(*robber), &agents)) {
            let value = oracle.value(*robber, cops);
            let is_bound = value.is_some_and(|value| value <= bound.0.into());
            assert!(is_bound, "{bound:?} where the value is {value:?}");
            bounds += 1;
        }
    }
    bounds
}

fn side_of(sides: Sides) -> u16 {
    if sides.cops == 3 { 4 } else { 5 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn bounds_are_never_below_the_value_and_proofs_keep_them(
        (sides, map) in any_sides().prop_flat_map(|sides| (Just(sides), ruled_map(side_of(sides)))),
        moves in any_moves(),
        limit in 2_usize..14,
        seed in any::<u64>(),
    ) {
        let graph = Graph::new(&map, moves);
        let oracle = Oracle::new(&graph, sides);
        let positions = oracle.positions(sides.cops, 2_000);
        let mut dice = Dice::new(seed);
        for _ in 0..20 {
            let (robber, cops) = &positions[dice.below(positions.len())];
            let mut endgames = solved(&graph, sides, limit, (*robber, cops));
            if endgames.is_empty() {
                continue;
            }
            assert_bounds(&mut endgames, &graph, sides, &oracle, &positions);
            let agents = sides.agents(cops);
            if endgames.bound(&graph, &state(sides.robber(*robber), &agents)).is_some() {
                follow(&mut endgames, &graph, sides, (*robber, cops), &mut dice);
            }
        }
    }

    #[test]
    fn an_edit_ends_what_it_touches_at_once(
        (sides, map) in any_sides().prop_flat_map(|sides| (Just(sides), ruled_map(side_of(sides)))),
        limit in 2_usize..14,
        seed in any::<u64>(),
    ) {
        let mut graph = Graph::new(&map, Moves::Octile);
        let cells: Vec<Cell> = map.cells().collect();
        let mut dice = Dice::new(seed);
        let mut endgames = Endgames::default();
        endgames.limit_regions(limit);
        for _ in 0..4 {
            let oracle = Oracle::new(&graph, sides);
            let positions = oracle.positions(sides.cops, 500);
            // What was proven on the maps before holds on this one.
            assert_bounds(&mut endgames, &graph, sides, &oracle, &positions);
            for _ in 0..5 {
                let (robber, cops) = &positions[dice.below(positions.len())];
                let agents = sides.agents(cops);
                endgames.begin(&graph, &state(sides.robber(*robber), &agents));
                if dice.below(3) > 0 {
                    endgames.finish(&graph);
                }
            }
            let cell = cells[dice.below(cells.len())];
            let passable = graph.vertex(cell).is_none();
            if !passable && graph.vertices() == 1 {
                continue;
            }
            let was_two_way = graph.is_two_way();
            let delta = graph.apply(&[TileEdit { cell, passable }]);
            for changed in [delta.opened(), delta.closed()] {
                endgames.revise_near(&graph, changed);
            }
            let left = endgames.regions().count();
            let was_solving = endgames.is_solving();
            endgames.revise(&graph);
            // Where the first one-way step comes or the last one goes, shapes of the whole map are written in another way.
            if graph.is_two_way() == was_two_way {
                prop_assert_eq!(endgames.regions().count(), left, "all that the edit touches");
                prop_assert_eq!(endgames.is_solving(), was_solving);
            }
            endgames.finish(&graph);
        }
    }

    #[test]
    fn slices_and_saves_change_nothing(
        map in ruled_map(9),
        slices in prop::collection::vec(0_u64..2_000, 0..20),
        seed in any::<u64>(),
    ) {
        let graph = Graph::new(&map, Moves::Octile);
        let sides = Sides::new(2, 1, 1);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let mut dice = Dice::new(seed);
        let mut any = || vertices[dice.below(vertices.len())];
        let (robber, cops) = (any(), vec![any(), any()]);
        let mut whole = solved(&graph, sides, 60, (robber, &cops));
        let mut sliced = Endgames::default();
        sliced.limit_regions(60);
        let agents = sides.agents(&cops);
        let asked = state(sides.robber(robber), &agents);
        let mut questions = 0;
        for slice in slices {
            if questions < 3 && !sliced.is_solving() {
                sliced.consider(&graph, &asked);
                questions += 1;
            }
            sliced.advance(&graph, slice);
            let saved = sliced.save();
            let mut other = Endgames::default();
            other.limit_regions(60);
            other.restore(&saved, &graph);
            prop_assert_eq!(other.is_solving(), sliced.is_solving());
            sliced = other;
        }
        sliced.finish(&graph);
        for _ in questions..3 {
            sliced.consider(&graph, &asked);
            sliced.finish(&graph);
        }
        prop_assert_eq!(whole.regions().collect::<Vec<_>>(), sliced.regions().collect::<Vec<_>>());
        for _ in 0..200 {
            let (robber, cops) = (any(), [any(), any()]);
            let agents = sides.agents(&cops);
            let state = state(sides.robber(robber), &agents);
            prop_assert_eq!(whole.prove(&graph, &state), sliced.prove(&graph, &state));
        }
    }
}

/// A dead end behind a long corridor: one cop captures there and nowhere else.
const DEAD_END: [&str; 7] = [
    "..........#####",
    ".########.#####",
    ".########......",
    ".########.#####",
    ".########.#####",
    ".########.#####",
    "..........#####",
];

#[test]
fn one_cop_captures_in_a_dead_end() {
    let graph = Graph::new(&map(&DEAD_END), Moves::Octile);
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let sides = Sides::new(1, 1, 1);
    let mut endgames = solved(&graph, sides, 12, (at(14, 2), &[at(10, 2)]));
    let bound = |endgames: &mut Endgames, robber, cop| {
        endgames.bound(&graph, &state(sides.robber(robber), &sides.agents(&[cop])))
    };
    assert_eq!(bound(&mut endgames, at(14, 2), at(10, 2)), Some(Turns(4)));
    assert_eq!(bound(&mut endgames, at(11, 2), at(10, 2)), Some(Turns(1)));
    // The robber stands before the cop, and runs.
    assert_eq!(bound(&mut endgames, at(10, 2), at(13, 2)), None);
    // Nothing is known of other places.
    assert_eq!(bound(&mut endgames, at(0, 0), at(1, 0)), None);
}

#[test]
fn a_room_is_solved_once_for_all_its_symmetries() {
    // Two rooms of one shape: the right one is the left one mirrored, the lower one is turned.
    let graph = Graph::new(
        &map(&[
            "..###.###..",
            "...#...#...",
            ".....#.....",
            "###########",
            "..#########",
            "...########",
            "#..########",
            "##...######",
            "#...#######",
            "#..########",
        ]),
        Moves::Octile,
    );
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let sides = Sides::new(2, 1, 1);
    let mut endgames = Endgames::default();
    let mut begin = |robber, cops: [Vertex; 2]| {
        let agents = sides.agents(&cops);
        let is_new = endgames.begin(&graph, &state(sides.robber(robber), &agents));
        endgames.finish(&graph);
        (is_new, endgames.regions().count(), endgames.bytes())
    };
    let (is_new, regions, bytes) = begin(at(0, 0), [at(4, 2), at(4, 1)]);
    assert!(is_new && regions == 1 && bytes > 0);
    assert_eq!(begin(at(10, 0), [at(6, 2), at(6, 1)]), (false, 1, bytes));
}

/// Several chases share the regions of a map. Each holds the one from which it moves, so that the questions of the
/// others cannot drive it out.
#[test]
fn a_region_that_is_held_is_not_driven_out() {
    let graph = Graph::new(&town::rooms(40, 40, 3).map, Moves::Octile);
    let sides = Sides::new(2, 1, 1);
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut dice = Dice::new(1);
    let mut endgames = Endgames::default();
    let mut ask = |endgames: &mut Endgames| {
        let mut any = || vertices[dice.below(vertices.len())];
        let (robber, cops) = (any(), vec![any(), any()]);
        let agents = sides.agents(&cops);
        let state = state(sides.robber(robber), &agents);
        endgames.begin(&graph, &state);
        endgames.finish(&graph);
        endgames.prove(&graph, &state)?;
        Some((robber, cops))
    };
    let (robber, cops) = std::iter::repeat_with(|| ask(&mut endgames))
        .flatten()
        .next()
        .expect("a proof");
    let held: Vec<Vertex> = endgames.regions().last().expect("a region").to_vec();
    let bound = |endgames: &mut Endgames| {
        endgames.bound(&graph, &state(sides.robber(robber), &sides.agents(&cops)))
    };
    let promised = bound(&mut endgames);
    endgames.keep_until(3);
    for now in 0..3 {
        endgames.release(now);
        for _ in 0..16 {
            ask(&mut endgames);
            let is_kept = endgames.regions().any(|region| region == held);
            assert!(
                is_kept && bound(&mut endgames) == promised,
                "released at {now}"
            );
        }
        let saved = endgames.save();
        endgames = Endgames::default();
        endgames.restore(&saved, &graph);
    }
    assert_eq!(endgames.regions().count(), 16, "others were driven out");
    endgames.release(3);
    let is_driven_out = (0..100).any(|_| {
        ask(&mut endgames);
        !endgames.regions().any(|region| region == held)
    });
    assert!(is_driven_out);
}

#[test]
fn bounds_on_real_maps_are_never_below_the_table() {
    let Some(folder) = reference("bounds_on_real_maps_are_never_below_the_table") else {
        return;
    };
    for (name, sides) in [
        ("AR0082SR", Sides::new(2, 1, 1)),
        ("AR0408SR", Sides::new(2, 1, 1)),
        ("AR0403SR", Sides::new(1, 2, 1)),
    ] {
        let path = folder.join("maps/bg").join(format!("{name}.map"));
        let graph = Graph::new(&read_map(&path), Moves::Octile);
        let table = exact(&graph, sides);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let mut dice = Dice::new(3);
        let (mut bounds, mut equal) = (0, 0);
        for _ in 0..60 {
            let robber = vertices[dice.below(vertices.len())];
            // Cops a short walk away.
            let cops: Vec<Vertex> = (0..sides.cops)
                .map(|_| {
                    (0..6).fold(robber, |at, _| {
                        dice.pick(graph.neighbours(at)).unwrap_or(at)
                    })
                })
                .collect();
            let mut endgames = solved(&graph, sides, 120, (robber, &cops));
            let Some(region) = endgames.regions().last().map(<[Vertex]>::to_vec) else {
                continue;
            };
            for _ in 0..2_000 {
                let robber = region[dice.below(region.len())];
                let cops: Vec<Vertex> = (0..sides.cops)
                    .map(|_| region[dice.below(region.len())])
                    .collect();
                let agents = sides.agents(&cops);
                let bound = endgames.bound(&graph, &state(sides.robber(robber), &agents));
                let Some(bound) = bound else {
                    continue;
                };
                let value = table.value(robber, &cops).expect("a position");
                assert!(value <= Outcome::Caught(bound), "{name}: {value} {bound:?}");
                bounds += 1;
                equal += u32::from(value == Outcome::Caught(bound));
            }
        }
        assert!(bounds > 100 && equal > 0, "{name}: {bounds} {equal}");
    }
}

/// A pillar in a hall with a long way out: a robber runs around it for ever.
const PILLAR: [&str; 8] = [
    ".......########",
    ".......########",
    "..###..########",
    "..###..........",
    "..###..########",
    ".......########",
    ".......########",
    "#######.......#",
];

#[test]
fn a_robber_at_a_pillar_is_safe_from_one_cop() {
    let graph = Graph::new(&map(&PILLAR), Moves::Octile);
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let sides = Sides::new(1, 1, 1);
    let mut endgames = solved(&graph, sides, 44, (at(1, 1), &[at(5, 6)]));
    let is_safe = |endgames: &mut Endgames, robber, cop| {
        endgames.is_safe(&graph, &state(sides.robber(robber), &sides.agents(&[cop])))
    };
    assert!(is_safe(&mut endgames, at(1, 1), at(5, 6)));
    assert!(is_safe(&mut endgames, at(1, 1), at(14, 3)), "a cop outside");
    assert!(!is_safe(&mut endgames, at(1, 1), at(1, 1)));
    assert!(!is_safe(&mut endgames, at(14, 3), at(9, 3)), "a dead end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_safe_robber_escapes(
        map in ruled_map(9),
        moves in any_moves(),
        limit in 4_usize..60,
        fast in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let graph = Graph::new(&map, moves);
        let sides = Sides::new(1, 1 + u8::from(fast), 1);
        let oracle = Oracle::new(&graph, sides);
        let positions = oracle.positions(1, 1_000_000);
        let mut dice = Dice::new(seed);
        for _ in 0..10 {
            let (robber, cops) = &positions[dice.below(positions.len())];
            let mut endgames = solved(&graph, sides, limit, (*robber, cops));
            for (robber, cops) in &positions {
                let agents = sides.agents(cops);
                if endgames.is_safe(&graph, &state(sides.robber(*robber), &agents)) {
                    prop_assert_eq!(oracle.value(*robber, cops), None);
                }
            }
        }
    }
}

#[test]
fn a_guard_closes_a_corridor() {
    let graph = Graph::new(&map(&["...................."]), Moves::Octile);
    let at = |x| graph.vertex(Cell::new(x, 0)).expect("floor");
    let sides = Sides::new(3, 1, 1);
    let cops = [at(8), at(7), at(17)];
    let mut endgames = solved(&graph, sides, 20, (at(10), &cops));
    let agents = sides.agents(&cops);
    let asked = state(sides.robber(at(10)), &agents);
    let proof = endgames.prove(&graph, &asked).expect("a proof");
    // Cops on both sides close in. The guard needs not come in time for that.
    assert_eq!((proof.bound, proof.players), (Turns(4), 2));
    let guard = proof.moves.last().expect("the guard");
    assert_eq!((guard.cop, &guard.path), (1, &vec![at(8)]));
    let region = endgames.region_of(&graph, &asked, Turns(4));
    let region = region.expect("the region of the proof");
    let cells =
        |columns: &[u16]| -> Vec<Cell> { columns.iter().map(|&x| Cell::new(x, 0)).collect() };
    assert_eq!(
        (region.guards, region.players),
        (cells(&[7]), cells(&[8, 17]))
    );
    assert_eq!((region.cells.len(), region.exits), (20, Vec::new()));
    assert_eq!(endgames.region_of(&graph, &asked, Turns(3)), None);
    // Without a cop on the other side the robber runs to the end.
    let agents = sides.agents(&[at(8), at(7), at(0)]);
    let bound = endgames.bound(&graph, &state(sides.robber(at(10)), &agents));
    assert_eq!(bound, Some(Turns(11)));
}
