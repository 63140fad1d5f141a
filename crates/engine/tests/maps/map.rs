//! Maps and levels: written texts can be read back, and errors name the place.

use crate::common;
use common::{random_map, reference};
use proptest::prelude::*;
use pursuit_engine::abstraction::Maintenance;
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, MapError, Moves, PursuitLevel, Terrain, TileMap};

fn refused(error: MapError) -> String {
    error.in_file("x.map").to_string()
}

#[test]
fn reads_a_movingai_map() {
    let map = TileMap::parse("type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n").unwrap();
    let passable: Vec<bool> = map.cells().map(|cell| map.is_passable(cell)).collect();
    assert_eq!(
        passable,
        [true, true, true, false, false, false, false, true]
    );
    assert_eq!(map.terrain(Cell::new(2, 1)), Some(Terrain::Water));
    assert_eq!(map.terrain(Cell::new(4, 0)), None);
}

#[test]
fn a_map_without_a_last_newline_or_as_other_editors_write_it_reads_the_same() {
    let plain = TileMap::parse("type octile\nheight 1\nwidth 2\nmap\n..\n").unwrap();
    for text in [
        "type octile\nheight 1\nwidth 2\nmap\n..",
        "type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n..\r\n",
        "type octile\nheight 1\nwidth 2\nmap\n..\n\n\n",
        "\u{feff}type octile\nheight 1\nwidth 2\nmap\n..\n",
    ] {
        assert_eq!(TileMap::parse(text).as_ref(), Ok(&plain), "{text:?}");
    }
}

#[test]
fn bad_maps_are_refused_with_their_place() {
    let head = "type octile\nheight 2\nwidth 3\nmap\n";
    for (text, error) in [
        (
            String::new(),
            "x.map:1:1: expected the line `type octile`, found the end of the text",
        ),
        (
            "type hex\n".into(),
            "x.map:1:1: expected the line `type octile`, found `type hex`",
        ),
        (
            "type octile\nheight two\n".into(),
            "x.map:2:8: expected `height N` with N from 1 to 65535, found `two`",
        ),
        (
            "type octile\nheight 2\nwidth 0\n".into(),
            "x.map:3:7: expected `width N` with N from 1 to 65535, found `0`",
        ),
        (
            "type octile\nheight 2\nheight 2\n".into(),
            "x.map:3:1: expected `width N` with N from 1 to 65535, found `height 2`",
        ),
        (
            "type octile\nheight 65535\nwidth 65535\nmap\n".into(),
            "x.map:3:1: expected at most 16777216 cells, found 65535 x 65535",
        ),
        (
            format!("{head}...\n"),
            "x.map:6:1: expected row 1 of 2, found the end of the text",
        ),
        (
            format!("{head}...\n..\n"),
            "x.map:6:3: expected a row of 3 characters, found 2 characters",
        ),
        (
            format!("{head}....\n...\n"),
            "x.map:5:4: expected a row of 3 characters, found 4 characters",
        ),
        (
            format!("{head}...\n.x.\n"),
            "x.map:6:2: expected one of `.GS@OTW`, found 'x'",
        ),
        (
            format!("{head}...\n.#.\n"),
            "x.map:6:2: expected one of `.GS@OTW`, found '#'",
        ),
        (
            format!("{head}...\n...\n...\n"),
            "x.map:7:1: expected the end of the map after 2 rows, found `...`",
        ),
    ] {
        assert_eq!(
            refused(TileMap::parse(&text).unwrap_err()),
            error,
            "{text:?}"
        );
    }
}

const LEVEL: &str = include_str!("../../../testkit/data/house.level.ron");

#[test]
fn reads_a_level() {
    let level = PursuitLevel::parse(LEVEL).unwrap();
    assert_eq!(
        (level.name(), level.moves()),
        ("Test house", Moves::Orthogonal)
    );
    assert_eq!(level.doors().len(), 2);
    assert_eq!(level.doors()[0].cells, [Cell::new(3, 1)]);
    assert!(level.doors()[0].open && !level.doors()[1].open);
    assert_eq!(level.cops()[0].at, Cell::new(1, 1));
    assert_eq!(level.cops()[0].speed.get(), 2);
    assert_eq!(level.robbers()[0].speed.get(), 1);
    assert_eq!(level.spawns(), [Cell::new(1, 2), Cell::new(2, 2)]);
    assert!(level.map().is_passable(Cell::new(4, 2)), "doors are floor");
    let start = level.initial_map();
    assert!(start.is_passable(Cell::new(3, 1)), "an open door");
    assert!(!start.is_passable(Cell::new(4, 2)), "a closed door");
}

#[test]
fn a_level_reads_back_what_it_wrote() {
    let level = PursuitLevel::parse(LEVEL).unwrap();
    assert_eq!(PursuitLevel::parse(&level.to_ron()), Ok(level));
}

#[test]
fn a_movingai_map_is_a_level_too() {
    let level = PursuitLevel::parse("type octile\nheight 1\nwidth 2\nmap\n.T\n").unwrap();
    assert_eq!(level.map().terrain(Cell::new(1, 0)), Some(Terrain::Trees));
    assert_eq!(PursuitLevel::parse(&level.to_ron()), Ok(level));
}

#[test]
fn bad_levels_are_refused_with_their_place() {
    for (from, to, error) in [
        (
            "#C.d..R#",
            "#C.d..Rx",
            "13:17: expected one of `.GS#@OTW` or a character of the legend, found 'x'",
        ),
        (
            "#C.d..R#",
            "#C.d..R",
            "13:17: expected a row of 8 characters like the first, found 7 characters",
        ),
        (
            "#C.d..R#",
            "#C.d..R##",
            "13:18: expected a row of 8 characters like the first, found 9 characters",
        ),
        (
            "'s': Spawn",
            "'t': Spawn",
            "14:11: expected one of `.GS#@OTW` or a character of the legend, found 's'",
        ),
        (
            "'s': Spawn,",
            "'s': Spawn, 't': Spawn,",
            "9:21: expected 't' somewhere in the rows, found none",
        ),
        (
            "'s': Spawn,",
            "'s': Spawn, 'T': Spawn,",
            "9:21: expected a character that is not a terrain, found 'T'",
        ),
        (
            "\"cellar\"",
            "\"gate\"",
            "8:9: expected a unique name for each door, found a second door `gate`",
        ),
        (
            "'s': Spawn,",
            "'s': Spawn, 's': Spawn,",
            "9:32: expected a level in RON, found each character once",
        ),
        ("speed: 2", "speed: 0", "5:"),
        ("moves: Orthogonal", "moves: Sideways", "3:"),
        ("name: \"Test house\"", "nmae: \"Test house\"", "2:"),
    ] {
        assert!(LEVEL.contains(from));
        let found = PursuitLevel::parse(&LEVEL.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(found.starts_with(error), "{to}: {found}");
    }
    let none = PursuitLevel::parse("(name: \"x\", rows: [])")
        .unwrap_err()
        .to_string();
    assert!(
        none.starts_with("1:13: expected 1 to 16777216 cells"),
        "{none}"
    );
}

#[test]
fn all_reference_maps_read_back_to_the_letter() {
    let Some(folder) = reference("all_reference_maps_read_back_to_the_letter") else {
        return;
    };
    let mut count = 0;
    for set in ["bg", "mazes1", "mazes3", "city"] {
        for path in common::files(&folder.join("maps").join(set), "map") {
            let map = common::read_map(&path);
            let text = std::fs::read_to_string(&path).unwrap();
            let back = map.to_movingai();
            let same = back.lines().eq(text.trim_end().lines());
            assert!(same, "{} reads back differently", path.display());
            count += 1;
        }
    }
    assert!(count > 0, "no maps in {}", folder.display());
}

proptest! {
    #[test]
    fn random_maps_read_back(map in random_map(12)) {
        // The format has no plain wall, so a wall is read back as out of bounds.
        let back = TileMap::parse(&map.to_movingai()).unwrap();
        for cell in map.cells() {
            prop_assert_eq!(back.is_passable(cell), map.is_passable(cell));
        }
        prop_assert_eq!(TileMap::parse(&back.to_movingai()), Ok(back));
        let level = PursuitLevel::from_map("any", map);
        prop_assert_eq!(PursuitLevel::parse(&level.to_ron()), Ok(level));
    }

    #[test]
    fn no_text_panics(text in "(?s).{0,200}") {
        let _ = TileMap::parse(&text);
        let _ = PursuitLevel::parse(&text);
    }

    #[test]
    fn no_damaged_text_panics(at in 0..400_usize, len in 0..40_usize, with in "[ -~é\n]{0,8}") {
        let map = "type octile\nheight 2\nwidth 3\nmap\n..@\n.T.\n";
        for text in [LEVEL, map] {
            let start = at.min(text.len());
            let end = (start + len).min(text.len());
            let damaged = format!("{}{with}{}", &text[..start], &text[end..]);
            let _ = TileMap::parse(&damaged);
            let _ = PursuitLevel::parse(&damaged);
        }
    }
}

#[test]
fn steps_beyond_all_coordinates_lead_nowhere() {
    let cell = Cell::new(1, u16::MAX);
    for far in [i32::MAX, i32::MIN, i32::from(u16::MAX)] {
        assert_eq!(cell.offset(far, 0), None);
        assert_eq!(cell.offset(0, far), None);
    }
    assert_eq!(cell.offset(-1, -65_535), Some(Cell::new(0, 0)));
}

/// 65,535 cells on a side are the most.
#[test]
fn a_map_of_the_longest_side_is_like_any_other() {
    for (width, height) in [(u16::MAX, 1), (1, u16::MAX), (u16::MAX, 2)] {
        let map = TileMap::filled(width, height, Terrain::Floor).expect("a map");
        let text = map.to_movingai();
        assert_eq!(TileMap::parse(&text), Ok(map.clone()));
        let mut graph = Graph::new(&map, Moves::Octile);
        let end = Cell::new(width - 1, height - 1);
        let start = Cell::new(0, height.min(2) - 1);
        let off = Cell::new(u16::MAX, u16::MAX);
        let neighbours = graph.neighbours(graph.vertex(end).expect("a vertex"));
        assert_eq!(neighbours.len(), usize::from(width.min(height)) * 2 - 1);
        assert!(graph.sees(start, end, None) && !graph.sees(start, off, None));
        assert_eq!(graph.nearest_passable(off), Some(end));
        let mut maintenance = Maintenance::new(&graph);
        for passable in [false, true] {
            let edits = [end, off].map(|cell| TileEdit { cell, passable });
            let changed = graph.apply(&edits);
            assert_eq!(changed.closed().len() + changed.opened().len(), 1);
            maintenance.push(&edits);
            maintenance.advance(&graph, u64::MAX);
            let hierarchy = maintenance.up_to_date(&graph).expect("repaired");
            assert_eq!(hierarchy.check(&graph), Ok(()));
        }
        let saved = postcard::to_allocvec(&graph).expect("serialisable");
        let read: Graph = postcard::from_bytes(&saved).expect("valid");
        assert_eq!(read.fingerprint(), graph.fingerprint());
    }
}
