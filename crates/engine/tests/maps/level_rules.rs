//! Levels with links, thin walls, one-way edges, corners and opacity.

use pursuit_engine::graph::Graph;
use pursuit_engine::map::{AgentStart, Cell, Corners, Moves, Opacity, PursuitLevel};
use pursuit_engine::table::{Arena, ArenaError};

const LEVEL: &str = r#"(
    name: "Ghosts",
    corners: OneFree,
    walls: [((1, 1), (2, 1))],
    one_way: [((3, 1), (3, 2))],
    legend: {
        't': Link,
        'l': LinkTo('e'),
        'e': Spawn,
        'd': Door(name: "gate", open: true, straight: true),
        'b': Tile(passable: true, sight: Opaque, slow: 3),
        'g': Tile(sight: Transparent),
    },
    rows: [
        "t..gl",
        ".....",
        "d.b.e",
        "t...l",
    ],
)"#;

#[test]
fn a_level_says_where_steps_lead_and_what_is_seen() {
    let level = PursuitLevel::parse(LEVEL).expect("a level");
    let graph = Graph::new(&level.initial_map(), level.moves());
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let leads =
        |from: (u16, u16), to: (u16, u16)| graph.are_adjacent(at(from.0, from.1), at(to.0, to.1));
    assert!(leads((0, 0), (0, 3)) && leads((0, 3), (0, 0)), "a tunnel");
    assert!(leads((4, 0), (4, 2)) && !leads((4, 2), (4, 0)), "a ledge");
    assert!(
        leads((4, 3), (4, 2)) && leads((4, 2), (4, 3)),
        "side by side anyway"
    );
    assert!(
        !leads((1, 1), (2, 1)) && !leads((2, 1), (1, 1)),
        "a thin wall"
    );
    assert!(leads((3, 1), (3, 2)) && !leads((3, 2), (3, 1)), "one way");
    assert!(
        !leads((0, 2), (1, 1)) && leads((0, 2), (1, 2)),
        "straight through the door"
    );
    assert!(
        graph.vertex(Cell::new(3, 0)).is_none()
            && graph.sees(Cell::new(2, 0), Cell::new(4, 0), None),
        "glass"
    );
    assert!(
        !graph.sees(Cell::new(1, 2), Cell::new(3, 2), None),
        "a bush"
    );
    assert!(
        leads((2, 1), (3, 2)),
        "the thin wall and the one-way edge are elsewhere"
    );
    let rules = level.initial_map().rules().clone();
    assert_eq!(rules.corners(), Corners::OneFree);
    assert_eq!(
        rules
            .sight()
            .map(|(_, opacity)| opacity)
            .filter(|&o| o == Opacity::Opaque)
            .count(),
        1
    );
    assert!(rules.slow().eq([(Cell::new(2, 2), 3)]));
    assert_eq!(
        (graph.step_time(at(2, 2)), graph.step_time(at(1, 2))),
        (3, 1)
    );
    let again = PursuitLevel::parse(&level.to_ron()).expect("what it wrote");
    assert_eq!(again, level);
}

#[test]
fn rules_that_fit_nothing_are_refused_with_their_place() {
    let refused = |from: &str, to: &str| {
        let error = PursuitLevel::parse(&LEVEL.replace(from, to)).expect_err(to);
        error.to_string()
    };
    assert_eq!(
        refused("((1, 1), (2, 1))", "((1, 1), (3, 1))"),
        "4:5: expected entry 0 of `walls`: two cells of the map that share a side, found (1, 1) and (3, 1)"
    );
    assert_eq!(
        refused("((3, 1), (3, 2))", "((3, 3), (3, 4))"),
        "5:5: expected entry 0 of `one_way`: two cells of the map that share a side, found (3, 3) and (3, 4)"
    );
    assert_eq!(
        refused("\"t...l\"", "\"....l\""),
        "7:9: expected two cells that the link joins, found 1 cells"
    );
    assert_eq!(
        refused("LinkTo('e')", "LinkTo('x')"),
        "8:9: expected one cell that the link leads to, found 0 cells with 'x'"
    );
    assert_eq!(
        refused("LinkTo('e')", "LinkTo('l')"),
        "8:9: expected one cell that the link leads to, found 2 cells with 'l'"
    );
}

/// Large agents of a level: where they start, and where there is no room for them.
#[test]
fn a_level_gives_its_agents_sizes_for_which_there_must_be_room() {
    const YARD: &str = r#"(
    name: "yard",
    legend: {
        'C': Cop(size: 2),
        'R': Robber(),
        'd': Door(name: "gate"),
    },
    rows: [
        "C..#",
        "..dR",
    ],
)"#;
    let level = PursuitLevel::parse(YARD).expect("a level");
    let sizes = |starts: &[AgentStart]| -> Vec<u8> {
        starts.iter().map(|start| start.size.side()).collect()
    };
    assert_eq!(
        (sizes(level.cops()), sizes(level.robbers())),
        (vec![2], vec![1])
    );
    assert!(level.has_large_agents() && !level.is_alike_for_both_sides());
    assert_eq!(
        PursuitLevel::parse(&level.to_ron()).expect("the same"),
        level
    );
    let graph = Graph::new(&level.initial_map(), Moves::Octile);
    let refused = Arena::of_level(&level, &graph);
    assert_eq!(refused.expect_err("no table"), ArenaError::LargeAgents);
    let error = |from: &str, to: &str| {
        let error = PursuitLevel::parse(&YARD.replace(from, to)).expect_err(to);
        error.to_string()
    };
    assert_eq!(
        error("size: 2", "size: 3"),
        "4:9: expected room for 3 x 3 cells from column 0, row 0, found no floor in column 0, row 2"
    );
    assert_eq!(
        error("\"yard\",", "\"yard\", moves: Hexagonal(RowOdd),"),
        "4:9: expected agents of one cell, as on all maps of hexagons, found a size of 2"
    );
    let none = error("size: 2", "size: 5");
    assert!(none.starts_with("4:"), "{none}");
}
