//! An oracle of optimal moves: tries every joint move and every reply.

use pursuit_engine::game::{Outcome, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::table::{Arena, CaptureTimes};
use std::collections::BTreeSet;

/// The ends of all moves of an agent, none of which leads to or over a vertex that is `blocked`.
fn ends(graph: &Graph, at: Vertex, speed: Speed, blocked: &[Vertex]) -> Vec<Vertex> {
    let mut ends = BTreeSet::from([at]);
    for _ in 0..speed.steps() {
        let steps: Vec<Vertex> = ends
            .iter()
            .flat_map(|&end| graph.neighbours(end))
            .filter(|next| !blocked.contains(next))
            .copied()
            .collect();
        ends.extend(steps);
    }
    ends.into_iter().collect()
}

fn value(times: &dyn CaptureTimes, arena: &Arena, robber: Vertex, cops: &[Vertex]) -> Outcome {
    let place = |&vertex: &Vertex| arena.place(vertex).expect("a place");
    let mut cops: Vec<usize> = cops.iter().map(place).collect();
    times.value_at(place(&robber), &mut cops).expect("a value")
}

fn places(state: &State<'_>) -> Vec<Vertex> {
    state.cops.iter().map(|cop| cop.at).collect()
}

/// The value with the robber to move, and the ends of its optimal moves.
pub fn of_robber(
    times: &dyn CaptureTimes,
    arena: &Arena,
    graph: &Graph,
    state: &State<'_>,
) -> (Outcome, Vec<Vertex>) {
    after(times, arena, graph, state, &places(state))
}

/// The same with the cops at other vertices.
fn after(
    times: &dyn CaptureTimes,
    arena: &Arena,
    graph: &Graph,
    state: &State<'_>,
    cops: &[Vertex],
) -> (Outcome, Vec<Vertex>) {
    let robber = state.robber;
    if cops.contains(&robber.at) {
        return (Outcome::Caught(Turns(0)), Vec::new());
    }
    let mut ends = ends(graph, robber.at, robber.speed, cops);
    let of = |&end: &Vertex| value(times, arena, end, cops);
    let best = ends.iter().map(of).max().expect("waiting");
    ends.retain(|end| of(end) == best);
    (best, ends)
}

/// The value with the cops to move, and the ends of their optimal joint moves.
pub fn of_cops(
    times: &dyn CaptureTimes,
    arena: &Arena,
    graph: &Graph,
    state: &State<'_>,
) -> (Outcome, Vec<Vec<Vertex>>) {
    let value = value(times, arena, state.robber.at, &places(state));
    if value == Outcome::Caught(Turns(0)) {
        return (value, Vec::new());
    }
    let mut moves = vec![Vec::new()];
    for cop in state.cops {
        let ends = ends(graph, cop.at, cop.speed, &[]);
        let longer = |before: &Vec<Vertex>| {
            let before = before.clone();
            let ends = ends.iter();
            ends.map(move |&end| [&before[..], &[end]].concat())
                .collect::<Vec<_>>()
        };
        moves = moves.iter().flat_map(longer).collect();
    }
    moves.retain(
        |cops| match (value, after(times, arena, graph, state, cops).0) {
            (Outcome::Caught(Turns(turns)), Outcome::Caught(Turns(after))) => after + 1 == turns,
            (before, after) => before == after,
        },
    );
    (value, moves)
}
