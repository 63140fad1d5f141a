//! The nearest passable cell, against a search of all cells.

use crate::common::{any_moves, random_map};
use proptest::prelude::*;
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};

proptest! {
    #[test]
    fn it_is_the_first_of_the_nearest_row_by_row(
        map in random_map(12),
        moves in any_moves(),
        x in 0..20_u16,
        y in 0..20_u16,
    ) {
        let graph = Graph::new(&map, moves);
        let cell = Cell::new(x, y);
        let passable = map.cells().filter(|&at| map.is_passable(at));
        let nearest = passable.min_by_key(|&at| (at.squared_distance(cell), at));
        prop_assert_eq!(graph.nearest_passable(cell), nearest);
    }
}

#[test]
fn a_cell_far_off_the_map_has_one_too() {
    let mut map = TileMap::filled(3, 2, Terrain::Wall).expect("a map");
    let far = Cell::new(u16::MAX, u16::MAX);
    assert_eq!(Graph::new(&map, Moves::Octile).nearest_passable(far), None);
    map.set(Cell::new(0, 0), Terrain::Floor);
    let graph = Graph::new(&map, Moves::Octile);
    assert_eq!(graph.nearest_passable(far), Some(Cell::new(0, 0)));
}
