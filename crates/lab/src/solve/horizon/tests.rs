//! Tests of the search: bounds at any moment of stopping, and lines of play.

use super::*;
use pursuit_engine::game::{Agent, Side, Speed, State, Step};
use pursuit_engine::graph::{Digraph, Network, Vertex};
use pursuit_engine::solve::Rma;

const MEMORY: u64 = 1 << 24;

fn reachable_graph(graph: &Digraph, places: [usize; 3], speed: u8, memory: u64) -> ReachableGraph {
    let agent = |at, speed| Agent {
        at: Vertex::from_index(at),
        speed: Speed::new(speed).expect("above 0"),
    };
    let state = State {
        robber: agent(places[0], 1),
        cops: &[agent(places[1], speed), agent(places[2], speed)],
        to_move: Side::Cops,
    };
    ReachableGraph::new(graph, &state, memory).expect("a position")
}

/// A board of 9 x 9 cells with holes, whose sides are joined if it is a torus.
fn board(is_torus: bool, holes: &[u32]) -> Digraph {
    const SIDE: u32 = 9;
    let mut edges = Vec::new();
    for cell in 0..SIDE * SIDE {
        let (x, y) = (cell % SIDE, cell / SIDE);
        for (dx, dy) in [(1, 0), (0, 1)] {
            let is_inside = x + dx < SIDE && y + dy < SIDE;
            let next = (y + dy) % SIDE * SIDE + (x + dx) % SIDE;
            if (is_inside || is_torus) && !holes.contains(&cell) && !holes.contains(&next) {
                edges.push((cell, next));
            }
        }
    }
    Digraph::undirected(SIDE * SIDE, &edges).expect("vertices of the graph")
}

fn one_way_ring_with_chords() -> Digraph {
    let arcs = (0..70_u32).flat_map(|at| [(at, (at + 1) % 70), (at, (at * 11 + 3) % 70)]);
    let arcs: Vec<(u32, u32)> = arcs.filter(|(tail, head)| tail != head).collect();
    Digraph::directed(70, &arcs).expect("vertices of the graph")
}

/// How often a search in slices was found in each phase.
#[derive(Default, Debug)]
struct Seen {
    narrow: usize,
    full: usize,
    /// Analyses that confine the robber to few places, and to more.
    tight: usize,
    loose: usize,
    replies: usize,
    lines: usize,
}

impl Seen {
    fn note(&mut self, phase: Phase) {
        match phase {
            Phase::Narrow { .. } => self.narrow += 1,
            Phase::Cones { .. } => self.full += 1,
            Phase::Line { .. } => self.lines += 1,
            Phase::Reply { .. } => self.replies += 1,
            Phase::Search | Phase::Proof { .. } | Phase::Done => {}
        }
    }
}

/// Solves by the analysis after an opening of `time` expansions, in slices, and checks the bounds on the way and the line at the end.
fn assert_solved(
    graph: &Digraph,
    places: [usize; 3],
    speed: u8,
    time: u64,
    memory: u64,
    slice: u64,
    seen: &mut Seen,
) -> Option<SolverEffort> {
    let reachable = reachable_graph(graph, places, speed, MEMORY);
    let mut rma = Rma::new(&reachable, MEMORY);
    assert_eq!(rma.advance(&reachable, u64::MAX), Step::Done(Ok(())));
    let value = rma.span().lower;
    let mut search = Horizon::with_opening(&reachable, memory, time);
    while search.advance(&reachable, slice).is_working() {
        seen.note(search.phase);
        let is_confined = search
            .cones
            .as_ref()
            .is_some_and(|cones| cones.is_confined());
        seen.tight += usize::from(is_confined && search.confinement == Confinement::Tight);
        seen.loose += usize::from(is_confined && search.confinement == Confinement::Loose);
        let Span { lower, upper } = search.span();
        assert!(
            lower <= value && value <= upper,
            "{places:?}: {lower} to {upper}"
        );
        assert!(search.effort().bytes <= memory);
    }
    assert_eq!(
        search.span(),
        Span::exactly(value),
        "{places:?}, speed {speed}"
    );
    if value == NEVER {
        return None;
    }
    assert_eq!(
        search.line.len().div_ceil(2),
        usize::from(value),
        "{places:?}"
    );
    let mut spot = reachable.start;
    for (index, &next) in search.line.iter().enumerate() {
        if index % 2 == 0 {
            assert!(
                reachable
                    .find_joint_move(spot, |after| after == next)
                    .is_some()
            );
        } else {
            let mut replies = Vec::new();
            reachable.robber_moves(spot, &mut replies);
            assert!(replies.contains(&next.robber) && next.cops == spot.cops);
            let left = usize::from(value) - index.div_ceil(2);
            let later = [next.robber, next.cops[0], next.cops[1]]
                .map(|place| reachable.vertex(place).index());
            let reachable = reachable_graph(graph, later, speed, MEMORY);
            let mut rma = Rma::new(&reachable, MEMORY);
            rma.advance(&reachable, u64::MAX);
            assert_eq!(
                usize::from(rma.span().lower),
                left,
                "{places:?}, turn {index}"
            );
        }
        spot = next;
    }
    assert!(spot.is_capture() || value == 0);
    Some(search.effort())
}

#[test]
fn the_analysis_agrees_with_a_backward_search_from_the_captures() {
    let graphs = [
        board(false, &[20, 21, 22, 24, 30, 39, 48, 50, 51, 60]),
        board(false, &[]),
        board(true, &[10, 40, 41]),
        one_way_ring_with_chords(),
    ];
    let seen = &mut Seen::default();
    for (graph, board) in graphs.iter().enumerate() {
        let vertices = board.slots();
        for trial in 0..24 {
            let number = (graph * 24 + trial) * 7919 + 13;
            let places = [
                number % vertices,
                number / 7 % vertices,
                number / 31 % vertices,
            ];
            if board.neighbours(Vertex::from_index(places[0])).is_empty() {
                continue;
            }
            let speed = 1 + u8::from(trial % 3 == 2);
            let whole = assert_solved(board, places, speed, 0, MEMORY, u64::MAX, seen);
            if trial % 6 == 0 {
                let sliced = assert_solved(board, places, speed, 0, MEMORY, 3, seen);
                assert_eq!(sliced, whole, "{places:?}");
                // Some levels are not kept.
                assert_solved(board, places, speed, 0, 3 << 18, 3, seen);
            }
        }
    }
    assert!(seen.narrow.min(seen.full).min(seen.lines) > 0, "{seen:?}");
}

/// A robber and cops on a board with walls whose value is above the lower bound.
fn rooms() -> Digraph {
    const SIDE: u32 = 16;
    let is_open = |x: u32, y: u32| x % 5 != 4 && y % 5 != 4 || (x * 7 + y * 3) % 6 == 1;
    let mut edges = Vec::new();
    for (x, y) in (0..SIDE * SIDE).map(|cell| (cell % SIDE, cell / SIDE)) {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
            let (to_x, to_y) = (x + dx, y + dy);
            if to_x < SIDE && to_y < SIDE && is_open(x, y) && is_open(to_x, to_y) {
                edges.push((x + y * SIDE, to_x + to_y * SIDE));
            }
        }
    }
    Digraph::undirected(SIDE * SIDE, &edges).expect("vertices of the graph")
}

#[test]
fn cops_that_keep_to_a_proof_lose_a_turn_of_the_bound_with_each_turn() {
    let graph = rooms();
    let dice = &mut pursuit_engine::search::Dice::new(4);
    let mut seen = Seen::default();
    let (mut moves, mut open) = (Vec::new(), 0);
    for trial in 0..24 {
        let places = [0; 3].map(|_| dice.below(256));
        if places
            .iter()
            .any(|&at| graph.neighbours(Vertex::from_index(at)).is_empty())
        {
            continue;
        }
        let memory = [MEMORY, 3 << 20][trial % 2];
        assert_solved(&graph, places, 1, 50, memory, 1, &mut seen);
        let mut reachable = reachable_graph(&graph, places, 1, MEMORY);
        let mut search = Horizon::with_opening(&reachable, MEMORY, 0);
        while search.span().upper == NEVER && search.advance(&reachable, 1).is_working() {}
        open += usize::from(search.span().lower < search.span().upper);
        let mut upper = search.span().upper;
        while upper != NEVER && !reachable.start.is_capture() {
            let after = search.cop_move(&reachable).expect("a move of the proof");
            if after.is_capture() {
                break;
            }
            reachable.robber_moves(after, &mut moves);
            let robber = moves[dice.below(moves.len())];
            reachable.start = after.with_robber(robber);
            search.move_on(&reachable);
            assert!(search.span().upper < upper, "{places:?}");
            upper = search.span().upper;
            search.advance(&reachable, 1);
        }
    }
    let Seen {
        narrow,
        full,
        tight,
        loose,
        replies,
        ..
    } = seen;
    assert!(
        [narrow, full, tight, loose, replies, open]
            .iter()
            .all(|&seen| seen > 0),
        "{seen:?}, {open}"
    );
}

#[test]
fn a_bound_falls_wherever_the_robber_goes() {
    let edges: Vec<(u32, u32)> = (0..5).map(|at| (at, at + 1)).collect();
    let graph = Digraph::undirected(6, &edges).expect("vertices of the graph");
    let mut reachable = reachable_graph(&graph, [2, 0, 5], 1, MEMORY);
    let mut search = Horizon::with_opening(&reachable, MEMORY, 0);
    assert_eq!(search.advance(&reachable, u64::MAX), Step::Done(Ok(())));
    assert_eq!(search.span(), Span::exactly(2));
    let after = search.cop_move(&reachable).expect("a move");
    // Waiting is as good: the robber leaves the line.
    reachable.start = after.with_robber(3);
    search.move_on(&reachable);
    assert_eq!(search.span().upper, 1);
    let captures = search.cop_move(&reachable).expect("a move");
    assert!(captures.is_capture());
}

#[test]
fn a_corridor_that_goes_on_beyond_the_limit_is_no_escape() {
    // One cop is shut in, the other one follows the robber to the end.
    let edges: Vec<(u32, u32)> = (1..46).map(|at| (at, at + 1)).collect();
    let graph = Digraph::undirected(47, &edges).expect("vertices of the graph");
    let reachable = reachable_graph(&graph, [22, 0, 20], 1, MEMORY);
    let mut rma = Rma::new(&reachable, MEMORY);
    assert_eq!(rma.advance(&reachable, u64::MAX), Step::Done(Ok(())));
    let mut search = Horizon::with_opening(&reachable, MEMORY, 0);
    while search.advance(&reachable, 1).is_working() {
        assert!(search.span().lower <= rma.span().lower);
    }
    assert_eq!(search.span(), rma.span());
}

#[test]
fn without_memory_the_bounds_stay_valid() {
    let graph = board(false, &[20, 21, 22, 24, 30, 39, 48, 50, 51, 60]);
    let places = [80, 0, 4];
    let reachable = reachable_graph(&graph, places, 1, MEMORY);
    let mut rma = Rma::new(&reachable, MEMORY);
    rma.advance(&reachable, u64::MAX);
    let value = rma.span().lower;
    for memory in (16..22).map(|bits| 1 << bits) {
        let mut search = Horizon::with_opening(&reachable, memory, 0);
        while search.advance(&reachable, 100).is_working() {
            assert!(search.effort().bytes <= memory.max(1 << 17));
        }
        let Span { lower, upper } = search.span();
        assert!(lower <= value && value <= upper);
    }
}
