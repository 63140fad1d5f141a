//! Maps from rows of characters.

use pursuit_engine::map::{Cell, TileMap};

#[test]
fn rows_count_from_the_top_and_characters_from_the_left() {
    let map = TileMap::from_rows(&["#..", "..é"], |c| c != '#').expect("a map");
    assert_eq!((map.width(), map.height()), (3, 2));
    let walls: Vec<Cell> = map.cells().filter(|&cell| !map.is_passable(cell)).collect();
    assert_eq!(walls, [Cell::new(0, 0)]);
}

#[test]
fn rows_of_other_lengths_are_refused_with_their_place() {
    let error = |rows: &[&str]| {
        let map = TileMap::from_rows(rows, |_| true);
        map.expect_err("no map").to_string()
    };
    assert_eq!(
        error(&["...", "....", "..."]),
        "2:4: expected 3 cells as in the first row, found 4"
    );
    assert_eq!(
        error(&["...", ".."]),
        "2:3: expected 3 cells as in the first row, found 2"
    );
    let empty = "1:1: expected 1 to 16777216 cells, at most 65535 on a side, found";
    assert_eq!(error(&[]), format!("{empty} 0 rows of 0 cells"));
    assert_eq!(error(&["", ""]), format!("{empty} 2 rows of 0 cells"));
    let wide = ".".repeat(65_536);
    assert_eq!(error(&[&wide]), format!("{empty} 1 rows of 65536 cells"));
}
