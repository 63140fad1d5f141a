//! How far `TrailMax` is below the optimum on graphs on which one cop wins (C. Moldenhauer, *Game tree
//! search algorithms for the game of cops and robber*, table 5.1).

use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Digraph, Vertex};
use pursuit_engine::search::Race;
use pursuit_engine::table::{Arena, Solver};
use pursuit_lab::graph::{dismantle, graph6};

/// Plies until capture, with the cops to move.
fn plies(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Caught(Turns(turns)) => 2 * u32::from(turns) - 1,
        Outcome::Escapes | Outcome::Away(_) => panic!("one cop wins"),
    }
}

/// The greatest ratio of the optimal number of plies to that of `TrailMax`, over all positions with the
/// cop to move, as numerator and denominator.
fn quotient(graph: &Digraph) -> (u32, u32) {
    let arena = Arena::of_digraph(graph).into();
    let mut solver = Solver::new(arena, Rules::default(), 1 << 28).expect("memory");
    assert!(solver.run(|_| true).done);
    let solution = solver.finish().expect("done");
    let agent = |at: Vertex| Agent {
        at,
        speed: Speed::ONE,
    };
    let mut race = Race::new();
    let mut most = (1, 1);
    for robber in graph.iter() {
        for cop in graph.iter().filter(|&cop| cop != robber) {
            let state = State {
                robber: agent(robber),
                cops: &[agent(cop)],
                to_move: Side::Cops,
            };
            let found = plies(race.solve(graph, &state).outcome);
            let optimum = plies(solution.value(robber, &[cop]).expect("a position"));
            assert!(found <= optimum, "{graph:?} {robber:?} {cop:?}");
            most = greater(most, (optimum, found));
        }
    }
    most
}

fn greater(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    if other.0 * one.1 > one.0 * other.1 {
        other
    } else {
        one
    }
}

/// All graphs with one additional vertex that another vertex dominates. Every graph on which one cop
/// wins arises in this way from a smaller one.
fn with_a_pitfall(graph: &Digraph) -> Vec<Digraph> {
    let new = graph.vertices() as u32;
    let edges = graph.iter().flat_map(|tail| {
        let heads = graph.successors(tail).iter();
        heads.map(move |head| (tail.index() as u32, head.index() as u32))
    });
    let edges: Vec<(u32, u32)> = edges.collect();
    let mut larger = Vec::new();
    for dominator in graph.iter() {
        let beside = graph.successors(dominator);
        for chosen in 0..1_u32 << beside.len() {
            let some = beside.iter().enumerate();
            let some = some.filter(|(bit, _)| chosen >> bit & 1 == 1);
            let ends = some.map(|(_, end)| end.index() as u32);
            let ends = ends.chain([dominator.index() as u32]);
            let mut edges = edges.clone();
            edges.extend(ends.map(|end| (new, end)));
            larger.push(Digraph::undirected(new + 1, &edges).expect("edges in place"));
        }
    }
    larger
}

#[test]
fn table_5_1_of_the_thesis() {
    let mut most = [(1, 1); 8];
    let mut counts = [0; 8];
    let mut largest = Vec::new();
    for graph in graph6::parse_lines(include_str!("../../../testkit/data/connected_up_to_6.g6")) {
        let graph = graph.expect("a graph");
        if !dismantle(&graph).is_cop_win() {
            continue;
        }
        let n = graph.vertices();
        counts[n] += 1;
        most[n] = greater(most[n], quotient(&graph));
        if n == 6 {
            largest.push(graph);
        }
    }
    // Connected graphs on which one cop wins, up to isomorphism.
    assert_eq!(counts[1..7], [1, 1, 2, 5, 16, 68]);
    for graph in largest.iter().flat_map(with_a_pitfall) {
        most[7] = greater(most[7], quotient(&graph));
    }
    assert_eq!(most[2..6], [(1, 1); 4]);
    assert_eq!((most[6], most[7]), ((5, 3), (9, 3)), "5/3 and 3");
}
