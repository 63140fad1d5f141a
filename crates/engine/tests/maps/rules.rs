//! The words of the game: rules, moves, outcomes.

use crate::common;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns, is_legal_move};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};

fn graph() -> Graph {
    Graph::new(&common::map(&["...", ".#.", "..."]), Moves::Octile)
}

fn vertex(graph: &Graph, x: u16, y: u16) -> Vertex {
    graph.vertex(Cell::new(x, y)).expect("a free cell")
}

#[test]
fn rules_are_those_of_a_state_with_cops_that_are_alike() {
    let graph = graph();
    let agent = |x, y, speed| Agent {
        at: vertex(&graph, x, y),
        speed: Speed::new(speed).expect("a speed"),
    };
    let rules = |cops: &[Agent]| {
        let (robber, to_move) = (agent(0, 0, 1), Side::Cops);
        let state = State {
            robber,
            cops,
            to_move,
        };
        Rules::of(&state, Moves::Orthogonal)
    };
    let found = rules(&[agent(2, 2, 2), agent(0, 2, 2)]).expect("two cops of one speed");
    assert_eq!((found.cops.get(), found.cop_speed.steps()), (2, 2));
    assert_eq!(
        (found.robber_speed, found.moves),
        (Speed::ONE, Moves::Orthogonal)
    );
    assert_eq!(
        rules(&[agent(2, 2, 2), agent(0, 2, 1)]),
        None,
        "different speeds"
    );
    assert_eq!(rules(&[]), None);
    assert_eq!(rules(&[agent(2, 2, 1); 256]), None, "too many");
}

#[test]
fn a_move_is_legal_along_edges_and_as_far_as_the_speed_goes() {
    let graph = graph();
    let legal = |way: &[(u16, u16)], speed| {
        let way: Vec<Vertex> = way.iter().map(|&(x, y)| vertex(&graph, x, y)).collect();
        let speed = Speed::new(speed).expect("a speed");
        is_legal_move(&graph, vertex(&graph, 0, 0), &way, speed)
    };
    assert!(legal(&[], 1), "to wait");
    assert!(legal(&[(1, 0), (2, 0)], 2));
    assert!(!legal(&[(1, 0), (2, 0)], 1), "too far");
    assert!(!legal(&[(2, 0)], 2), "not beside");
    assert!(!legal(&[(1, 0), (2, 1)], 2), "cuts a corner");
}

#[test]
fn a_robber_prefers_late_captures_and_escape_most_of_all() {
    let caught = |turns| Outcome::Caught(Turns(turns));
    assert!(caught(3) < caught(4) && caught(u16::MAX) < Outcome::Escapes);
    assert_eq!(format!("{} {}", caught(7), Outcome::Escapes), "7 inf");
    assert_eq!(Speed::new(0), None);
}
