//! Sight against exact geometry: lines between centres, squares of walls.

use crate::common;
use common::{map, random_map, square_moves};
use proptest::prelude::*;
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;

/// Returns whether the segment between two centres touches the closed square of a cell. All lengths are
/// doubled, so that the corners of squares are whole numbers too.
///
/// Two convex polygons are disjoint if and only if a line along a side of one of them separates them.
fn touches(a: Cell, b: Cell, square: Cell) -> bool {
    let center = |cell: Cell| (2 * i64::from(cell.x), 2 * i64::from(cell.y));
    let ((ax, ay), (bx, by), (sx, sy)) = (center(a), center(b), center(square));
    let is_beside =
        |first: i64, last: i64, at: i64| first.max(last) < at - 1 || first.min(last) > at + 1;
    if is_beside(ax, bx, sx) || is_beside(ay, by, sy) {
        return false;
    }
    let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let sides = corners.map(|(dx, dy)| (bx - ax) * (sy + dy - ay) - (by - ay) * (sx + dx - ax));
    sides.iter().any(|&side| side >= 0) && sides.iter().any(|&side| side <= 0)
}

/// Sight by its definition, examining every cell of the map.
fn sees(map: &TileMap, a: Cell, b: Cell, radius: Option<u16>) -> bool {
    let is_wall = |cell: &Cell| !map.is_passable(*cell) && *cell != a && *cell != b;
    map.contains(a)
        && map.contains(b)
        && radius.is_none_or(|radius| a.x.abs_diff(b.x) <= radius && a.y.abs_diff(b.y) <= radius)
        && !map.cells().filter(is_wall).any(|wall| touches(a, b, wall))
}

fn assert_sight_is_exact(map: &TileMap, moves: Moves, radius: Option<u16>) {
    let graph = Graph::new(map, moves);
    for a in map.cells() {
        for b in map.cells() {
            let expected = sees(map, a, b, radius);
            assert_eq!(
                graph.sees(a, b, radius),
                expected,
                "{a:?} to {b:?} on {map:?}"
            );
            assert_eq!(
                graph.sees(b, a, radius),
                expected,
                "{b:?} to {a:?} on {map:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn sight_is_exact_and_mutual(
        map in random_map(9),
        moves in square_moves(),
        radius in prop::option::of(0..10_u16),
    ) {
        assert_sight_is_exact(&map, moves, radius);
    }

    #[test]
    fn who_is_a_step_apart_sees_each_other(map in random_map(9)) {
        let graph = Graph::new(&map, Moves::Octile);
        for a in graph.iter() {
            for b in graph.iter() {
                let is_step = a == b || graph.are_adjacent(a, b);
                prop_assert_eq!(graph.sees(graph.cell(a), graph.cell(b), Some(1)), is_step);
            }
        }
    }
}

/// With few walls there are long lines, which pass all kinds of corners.
#[test]
fn sight_is_exact_far_away() {
    let dice = &mut Dice::new(6);
    for walls in [1, 4, 16, 64] {
        let mut map = TileMap::filled(61, 47, Terrain::Floor).expect("some cells");
        let mut cell = || Cell::new(dice.below(61) as u16, dice.below(47) as u16);
        for _ in 0..walls {
            map.set(cell(), Terrain::Wall);
        }
        let graph = Graph::new(&map, Moves::Octile);
        let mut seen = 0;
        for _ in 0..2_000 {
            let (a, b) = (cell(), cell());
            let expected = sees(&map, a, b, None);
            assert_eq!(graph.sees(a, b, None), expected, "{walls}: {a:?} to {b:?}");
            assert_eq!(graph.sees(b, a, None), expected, "{walls}: {b:?} to {a:?}");
            seen += usize::from(expected);
        }
        assert!((50..1_990).contains(&seen), "{walls} walls: {seen} seen");
    }
}

#[test]
fn a_corner_is_in_the_way_and_a_cell_past_it_is_not() {
    let map = map(&[
        "..#.", //
        "....", //
        "....",
    ]);
    let graph = Graph::new(&map, Moves::Octile);
    let at = Cell::new;
    // Through the corner of the wall, like a diagonal step.
    assert!(!graph.sees(at(1, 0), at(2, 1), None));
    // One row further down the line misses the wall.
    assert!(graph.sees(at(1, 1), at(2, 2), None));
    // There is a line of sight to and from the wall itself, but not to cells behind it.
    assert!(graph.sees(at(0, 2), at(2, 0), None));
    assert!(graph.sees(at(2, 0), at(3, 1), None));
    assert!(!graph.sees(at(1, 0), at(3, 0), None));
}

#[test]
fn the_largest_maps_and_what_is_off_them() {
    let row = TileMap::filled(u16::MAX, 3, Terrain::Floor).expect("some cells");
    let mut map = row;
    let graph = Graph::new(&map, Moves::Octile);
    let (first, last) = (Cell::new(0, 0), Cell::new(u16::MAX - 1, 2));
    assert!(graph.sees(first, last, None));
    assert!(graph.sees(last, first, Some(u16::MAX - 1)));
    assert!(!graph.sees(first, last, Some(u16::MAX - 2)));
    // Half-way, the line is in the middle row.
    map.set(Cell::new(u16::MAX / 2, 1), Terrain::Wall);
    let graph = Graph::new(&map, Moves::Octile);
    assert!(!graph.sees(first, last, None));
    assert!(!graph.sees(last, first, None));
    for off in [
        Cell::new(0, 3),
        Cell::new(u16::MAX, 0),
        Cell::new(u16::MAX, u16::MAX),
    ] {
        assert!(!graph.sees(first, off, None));
        assert!(!graph.sees(off, first, None));
        assert!(!graph.sees(off, off, None));
    }
}
