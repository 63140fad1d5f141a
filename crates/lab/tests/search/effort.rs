//! The effort that searches report, on graphs where expansions and neighbours can be counted by hand.

use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Turns};
use pursuit_engine::graph::{Digraph, Vertex};
use pursuit_engine::search::{Race, Runner, TimedRace, TimedState};
use pursuit_lab::search::{Cover, CoverRule, Covered, Minimax};

/// A path of seven vertices, 0 to 6.
fn path() -> Digraph {
    let edges: Vec<(u32, u32)> = (0..6).map(|a| (a, a + 1)).collect();
    Digraph::undirected(7, &edges).expect("edges")
}

fn agent(graph: &Digraph, at: u32, speed: u8) -> Agent {
    Agent {
        at: graph.vertex(at).expect("a vertex"),
        speed: Speed::new(speed).expect("a speed"),
    }
}

/// Robber and cop meet in the middle: the robber takes vertex 3 first, then the cop.
#[test]
fn cover_expands_a_vertex_once_for_each_side_that_goes_on_from_it() {
    let graph = &path();
    let mut cover = Cover::new();
    let mut count = |speed, rule| {
        let state = State {
            robber: agent(graph, 0, 1),
            cops: &[agent(graph, 6, speed)],
            to_move: Side::Robber,
        };
        let Covered { robber, cops } = cover.count(graph, &state, rule);
        (
            (robber, cops),
            (cover.work().expansions, cover.work().touched),
        )
    };
    // 0, 1, 2 and 6, 5, 4: the robber is captured on 3 before it can move on.
    assert_eq!(count(1, CoverRule::Redefined), ((4, 3), (6, 10)));
    // Also 3: the cop does not enter it.
    assert_eq!(count(1, CoverRule::Original), ((4, 3), (7, 12)));
    // 0, 1 and 6, 5, 4, 3, 2.
    assert_eq!(count(2, CoverRule::Redefined), ((3, 4), (7, 12)));
    // 0, 1, 2 and 6, 5, 4, 3.
    assert_eq!(count(2, CoverRule::Original), ((3, 4), (7, 12)));
}

/// The robber does best to stay: the cop takes six moves.
#[test]
fn races_expand_a_vertex_once_for_each_side_that_goes_on_from_it() {
    let graph = &path();
    let (robber, cop) = (agent(graph, 0, 1), agent(graph, 6, 1));
    let state = State {
        robber,
        cops: &[cop],
        to_move: Side::Robber,
    };
    let mut race = Race::new();
    assert_eq!(race.solve(graph, &state).outcome, Outcome::Caught(Turns(6)));
    // 0, 1, 2 and 6, 5, 4, 3, 2, 1.
    assert_eq!((race.work().expansions, race.work().touched), (9, 16));
    let runner = |at| Runner {
        at,
        ready: 0,
        step: 1,
    };
    let mut race = TimedRace::new();
    let state = TimedState {
        robber: runner(robber.at),
        cops: &[runner(cop.at)],
    };
    assert_eq!(race.solve(graph, &state).free_for, Some(6));
    assert_eq!((race.work().expansions, race.work().touched), (9, 16));
}

/// The robber can only wait, and the cop moves back and forth between two vertices: no move changes the
/// distance, and nothing is pruned.
#[test]
fn minimax_expands_each_node_with_plies_left() {
    let graph = &Digraph::undirected(3, &[(1, 2)]).expect("edges");
    let state = State {
        robber: agent(graph, 0, 1),
        cops: &[agent(graph, 1, 1)],
        to_move: Side::Robber,
    };
    let turns = |_: Vertex, _: &Agent| 1000;
    let mut search = Minimax::new();
    let mut effort = |depth| {
        let value = search.solve(graph, &state, depth, turns);
        (value, search.work().expansions, search.work().touched)
    };
    assert_eq!(effort(0), (2000, 0, 0));
    assert_eq!(effort(1), (2000, 1, 0));
    // The cop has one neighbour in the second ply, and one in each of the two nodes of the fourth.
    assert_eq!(effort(2), (2002, 2, 1));
    assert_eq!(effort(4), (2004, 6, 3));
}
