//! Positions that a solver refuses, and how it stays as it is.

use super::solve::{MEMORY, METHODS, agent, position};
use pursuit_engine::game::{Agent, Outcome, Side, State, Turns};
use pursuit_engine::graph::Digraph;
use pursuit_engine::solve::PositionError;
use pursuit_lab::solve::{Method, MethodSolver};

#[test]
fn what_is_no_position_is_refused() {
    let path = Digraph::undirected(3, &[(0, 1), (1, 2)]).expect("a path");
    let larger = Digraph::undirected(9, &[]).expect("a graph");
    let at = |graph: &Digraph, index| agent(graph.vertex(index).expect("a vertex"), 1);
    let robber = at(&path, 0);
    let refused = |state: &State<'_>| {
        MethodSolver::new(&path, state, Method::Rma, MEMORY)
            .map(|_| ())
            .expect_err("refused")
    };
    assert_eq!(
        refused(&position(robber, &[])),
        PositionError::Cops { cops: 0 }
    );
    let cop = at(&path, 2);
    assert_eq!(
        refused(&position(robber, &[cop; 4])),
        PositionError::Cops { cops: 4 }
    );
    let fast = agent(cop.at, 3);
    assert_eq!(
        refused(&position(robber, &[cop, fast])),
        PositionError::DifferentSpeeds { first: 1, other: 3 }
    );
    let elsewhere = at(&larger, 8);
    assert_eq!(
        refused(&position(robber, &[elsewhere])),
        PositionError::NoSuchVertex {
            vertex: 8,
            vertices: 3
        }
    );
    let (to_move, alone) = (Side::Robber, [cop]);
    let replies = State {
        to_move,
        ..position(robber, &alone)
    };
    assert_eq!(refused(&replies), PositionError::RobberToMove);
    let few = MethodSolver::new(&path, &position(robber, &[cop]), Method::Tida, 100);
    assert!(matches!(
        few,
        Err(PositionError::TooLarge { limit: 100, .. })
    ));
}

/// A solver refuses to go on from a position of another game, and stays as it is.
#[test]
fn a_position_of_another_game_is_no_place_to_go_on_from() {
    // A path, and a part that no agent of the first position can reach.
    let graph = Digraph::undirected(6, &[(0, 1), (1, 2), (2, 3), (4, 5)]).expect("a graph");
    let larger = Digraph::undirected(9, &[]).expect("a graph");
    let at = |graph: &Digraph, index, speed| agent(graph.vertex(index).expect("a vertex"), speed);
    let [robber, cop] = [3, 0].map(|index| at(&graph, index, 1));
    let (far, none) = (at(&graph, 4, 1), at(&larger, 8, 1));
    let team = [cop, cop];
    let start = position(robber, &team);
    let replies = State {
        to_move: Side::Robber,
        ..start
    };
    let fast = |agent: Agent| at(&graph, agent.at.index() as u32, 2);
    let speeds = PositionError::DifferentSpeeds { first: 1, other: 2 };
    let out_of_reach = |vertex| PositionError::OutOfReach { vertex };
    let refused = [
        (robber, vec![], PositionError::Cops { cops: 0 }),
        (robber, vec![cop], PositionError::Cops { cops: 1 }),
        (robber, vec![cop; 3], PositionError::Cops { cops: 3 }),
        (robber, vec![fast(cop); 2], speeds),
        (robber, vec![cop, fast(cop)], speeds),
        (fast(robber), vec![cop; 2], speeds),
        (far, vec![cop; 2], out_of_reach(4)),
        (robber, vec![cop, far], out_of_reach(4)),
        (none, vec![cop; 2], out_of_reach(8)),
    ];
    let refused = refused.iter();
    let refused = refused.map(|(robber, cops, error)| (position(*robber, cops), *error));
    let refused: Vec<_> = [(replies, PositionError::RobberToMove)]
        .into_iter()
        .chain(refused)
        .collect();
    for method in METHODS {
        let mut solver = MethodSolver::new(&graph, &start, method, MEMORY).expect("a position");
        for (state, error) in &refused {
            let before = (solver.bounds(), solver.effort(), solver.line());
            assert_eq!(solver.move_on(state), Err(*error), "{method:?}");
            let after = (solver.bounds(), solver.effort(), solver.line());
            assert_eq!(before, after, "{method:?}");
            solver.advance(1);
        }
        while solver.advance(1_000).is_working() {}
        let value = Some(Outcome::Caught(Turns(3)));
        assert_eq!(solver.bounds().value(), value, "{method:?}");
        assert_eq!(solver.move_on(&start), Ok(()));
    }
}
