//! Solvers of a single position against the slow game and against tables.

use crate::common;
use crate::common::level;
use common::fixpoint::SlowGame;
use level::{LIMIT, rules};
use proptest::prelude::*;
use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Step, Turns};
use pursuit_engine::graph::{Digraph, Graph, Network, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::search::Race;
use pursuit_engine::solve::{Bounds, OutOfMemory, PlayedTurn};
use pursuit_engine::table::{Arena, Solver};
use pursuit_lab::solve::{Method, MethodSolver};

pub const METHODS: [Method; 5] = [
    Method::Rma,
    Method::Tida,
    Method::Ipn,
    Method::AlphaBeta,
    Method::Cones,
];
pub const MEMORY: u64 = 1 << 26;

pub fn agent(at: Vertex, speed: u8) -> Agent {
    Agent {
        at,
        speed: Speed::new(speed).expect("above 0"),
    }
}

/// A solver of a position.
pub fn solver(
    graph: &impl Network,
    (robber, cops): (Vertex, &[Vertex]),
    (cop_speed, robber_speed): (u8, u8),
    method: Method,
    memory: u64,
) -> MethodSolver {
    let cops: Vec<Agent> = cops.iter().map(|&cop| agent(cop, cop_speed)).collect();
    let state = State {
        robber: agent(robber, robber_speed),
        cops: &cops,
        to_move: Side::Cops,
    };
    MethodSolver::new(graph, &state, method, memory).expect("a position")
}

pub fn position(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

fn as_outcome(value: Option<u32>) -> Outcome {
    value.map_or(Outcome::Escapes, |turns| {
        Outcome::Caught(Turns(turns as u16))
    })
}

/// A slow game and its graph.
struct Slow {
    out: Vec<Vec<usize>>,
    graph: Digraph,
    cops: usize,
    speeds: (u8, u8),
    cops_to_move: Vec<Option<u32>>,
    robber_to_move: Vec<Option<u32>>,
}

impl Slow {
    fn new(vertices: usize, arcs: &[(usize, usize)], cops: usize, speeds: (u8, u8)) -> Self {
        let mut out = vec![Vec::new(); vertices];
        for &(tail, head) in arcs {
            if tail != head && !out[tail].contains(&head) {
                out[tail].push(head);
            }
        }
        let arcs: Vec<(u32, u32)> = out
            .iter()
            .enumerate()
            .flat_map(|(tail, heads)| heads.iter().map(move |&head| (tail as u32, head as u32)))
            .collect();
        let graph = Digraph::directed(vertices as u32, &arcs).expect("vertices of the graph");
        let game = SlowGame {
            out: &out,
            cops,
            cop_speed: speeds.0,
            robber_speed: speeds.1,
        };
        let (cops_to_move, robber_to_move) = (game.solve(), game.solve_robber_to_move());
        Self {
            out,
            graph,
            cops,
            speeds,
            cops_to_move,
            robber_to_move,
        }
    }

    fn game(&self) -> SlowGame<'_> {
        SlowGame {
            out: &self.out,
            cops: self.cops,
            cop_speed: self.speeds.0,
            robber_speed: self.speeds.1,
        }
    }

    fn vertex(&self, index: usize) -> Vertex {
        self.graph.vertex(index as u32).expect("a vertex")
    }

    /// The position with this index.
    fn position(&self, index: usize) -> (usize, Vec<usize>) {
        let n = self.out.len();
        let mut rest = index / n;
        let cops = (0..self.cops).map(|_| {
            let cop = rest % n;
            rest /= n;
            cop
        });
        (index % n, cops.collect())
    }

    fn value(&self, robber: Vertex, cops: &[Vertex]) -> Outcome {
        let cops: Vec<usize> = cops.iter().map(|cop| cop.index()).collect();
        as_outcome(self.cops_to_move[self.game().index(robber.index(), &cops)])
    }

    fn reply_value(&self, robber: Vertex, cops: &[Vertex]) -> Outcome {
        let cops: Vec<usize> = cops.iter().map(|cop| cop.index()).collect();
        as_outcome(self.robber_to_move[self.game().index(robber.index(), &cops)])
    }

    fn solver(&self, index: usize, method: Method, memory: u64) -> MethodSolver {
        let (robber, cops) = self.position(index);
        let cops: Vec<Vertex> = cops.iter().map(|&cop| self.vertex(cop)).collect();
        let position = (self.vertex(robber), cops.as_slice());
        solver(&self.graph, position, self.speeds, method, memory)
    }

    /// Solves a position at once and compares the value and the line.
    fn assert_solved(&self, index: usize, method: Method) {
        let mut solver = self.solver(index, method, MEMORY);
        assert_eq!(
            solver.advance(u64::MAX),
            Step::Done(Ok(())),
            "{method:?} {index}"
        );
        let expected = as_outcome(self.cops_to_move[index]);
        let bounds = solver.bounds();
        assert_eq!(
            bounds.value(),
            Some(expected),
            "{method:?} {index} {:?}",
            self.out
        );
        self.assert_optimal(index, solver.line(), method);
    }

    /// Each turn of the line takes one turn off the value, and ends with a capture.
    fn assert_optimal(&self, index: usize, line: Option<Vec<PlayedTurn>>, method: Method) {
        let Some(turns) = self.cops_to_move[index] else {
            assert_eq!(line, None);
            return;
        };
        let line = line.unwrap_or_else(|| panic!("{method:?}: a line of {turns} turns"));
        assert_eq!(line.len(), turns as usize, "{method:?} {index}");
        let (robber, cops) = self.position(index);
        let mut robber = self.vertex(robber);
        let mut cops: Vec<Vertex> = cops.iter().map(|&cop| self.vertex(cop)).collect();
        for (turn, left) in line.iter().zip((0..turns).rev()) {
            let left = as_outcome(Some(left));
            for (&from, &to) in cops.iter().zip(&turn.cops) {
                assert!(self.reaches(from, to, self.speeds.0), "{method:?}: a cop");
            }
            assert_eq!(
                self.reply_value(robber, &turn.cops),
                left,
                "{method:?} {index}"
            );
            assert!(self.reaches(robber, turn.robber, self.speeds.1));
            (robber, cops) = (turn.robber, turn.cops.clone());
            assert_eq!(self.value(robber, &cops), left, "{method:?} {index}: reply");
        }
        assert!(cops.contains(&robber));
    }

    fn reaches(&self, from: Vertex, to: Vertex, steps: u8) -> bool {
        from == to
            || steps > 0
                && self
                    .graph
                    .successors(from)
                    .iter()
                    .any(|&next| self.reaches(next, to, steps - 1))
    }
}

fn both_ways(edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect()
}

fn encloses(bounds: Bounds, value: Outcome) -> bool {
    bounds.lower <= value && value <= bounds.upper
}

prop_compose! {
    /// Arcs of a sparse random graph and its vertices, one-way or not.
    fn graphs(most: usize)(n in 1..=most)(
        arcs in prop::collection::vec((0..n, 0..n), 0..3 * n),
        is_path in any::<bool>(),
        is_directed in any::<bool>(),
        n in Just(n),
    ) -> (usize, Vec<(usize, usize)>) {
        let mut arcs = if is_path {
            // Long games.
            arcs[..arcs.len() / 4].iter().copied().chain((1..n).map(|a| (a - 1, a))).collect()
        } else {
            arcs
        };
        if !is_directed || is_path {
            arcs = both_ways(&arcs);
        }
        (n, arcs)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn all_methods_agree_with_the_slow_game_for_one_cop(
        (n, arcs) in graphs(9),
        cop_speed in 1_u8..3,
        robber_speed in 1_u8..3,
    ) {
        let slow = Slow::new(n, &arcs, 1, (cop_speed, robber_speed));
        for index in 0..n * n {
            for method in METHODS {
                slow.assert_solved(index, method);
            }
        }
    }

    #[test]
    fn all_methods_agree_with_the_slow_game_for_two_cops(
        (n, arcs) in graphs(6),
        cop_speed in 1_u8..3,
        robber_speed in 1_u8..3,
        first in 0_usize..7,
    ) {
        let slow = Slow::new(n, &arcs, 2, (cop_speed, robber_speed));
        for index in (first..n * n * n).step_by(7) {
            for method in METHODS {
                // The others look ahead for ever where the robber escapes.
                if method == Method::Rma || slow.cops_to_move[index].is_some() {
                    slow.assert_solved(index, method);
                }
            }
        }
    }

    #[test]
    fn bounds_enclose_the_value_at_any_moment_and_slices_change_nothing(
        (n, arcs) in graphs(9),
        speed in 1_u8..3,
        index in any::<prop::sample::Index>(),
        slice in 1_u64..9,
    ) {
        let slow = Slow::new(n, &arcs, 1, (speed, 1));
        let index = index.index(n * n);
        let value = as_outcome(slow.cops_to_move[index]);
        for method in METHODS {
            let mut whole = slow.solver(index, method, MEMORY);
            whole.advance(u64::MAX);
            let mut sliced = slow.solver(index, method, MEMORY);
            let mut before = sliced.bounds();
            prop_assert!(encloses(before, value), "{method:?} {before:?}");
            while sliced.advance(slice).is_working() {
                let bounds = sliced.bounds();
                prop_assert!(encloses(bounds, value), "{method:?} {bounds:?}");
                prop_assert!(before.lower <= bounds.lower && bounds.upper <= before.upper);
                before = bounds;
            }
            prop_assert_eq!(whole.bounds(), sliced.bounds());
            prop_assert_eq!(whole.line(), sliced.line());
            prop_assert_eq!(whole.effort(), sliced.effort());
        }
    }

    /// A game in which anybody strays from the line now and then.
    #[test]
    fn a_solver_that_moves_on_knows_the_value_of_each_position(
        (n, arcs) in graphs(7),
        cop_speed in 1_u8..3,
        cops in 1_usize..3,
        index in any::<prop::sample::Index>(),
        strays in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 8),
        slice in 1_u64..40,
    ) {
        let slow = Slow::new(n, &arcs, cops, (cop_speed, 1));
        let start = index.index(slow.cops_to_move.len());
        for method in METHODS {
            let mut solver = slow.solver(start, method, MEMORY);
            let (robber, on) = slow.position(start);
            let mut robber = slow.vertex(robber);
            let mut on: Vec<Vertex> = on.iter().map(|&cop| slow.vertex(cop)).collect();
            for (is_stray, to) in &strays {
                let value = slow.value(robber, &on);
                prop_assert!(encloses(solver.bounds(), value), "{method:?}");
                // Some positions are left before their value is known, and those without one have to be.
                solver.advance(slice);
                prop_assert!(encloses(solver.bounds(), value), "{method:?}");
                let is_finite = value != Outcome::Escapes;
                if is_finite && !is_stray {
                    prop_assert_eq!(solver.advance(u64::MAX), Step::Done(Ok(())));
                    prop_assert_eq!(solver.bounds().value(), Some(value), "{:?}", method);
                }
                let upper = solver.bounds().upper;
                let Some(moved) = solver.cop_move() else {
                    let is_over = upper == Outcome::Caught(Turns(0));
                    prop_assert!(upper == Outcome::Escapes || is_over, "{:?}", method);
                    break;
                };
                let left = slow.reply_value(robber, &moved);
                prop_assert!(left < upper, "the bound falls: {method:?}");
                for (&from, &to) in on.iter().zip(&moved) {
                    prop_assert!(slow.reaches(from, to, cop_speed));
                }
                if moved.contains(&robber) {
                    break;
                }
                let reply = solver.reply();
                if let Some(reply) = reply {
                    prop_assert_eq!(slow.value(reply, &moved), left, "an optimal reply");
                }
                robber = match reply {
                    Some(reply) if !is_stray => reply,
                    _ => {
                        let near = slow.graph.successors(robber);
                        let end = near.get(to.index(near.len() + 1)).copied().unwrap_or(robber);
                        if moved.contains(&end) { robber } else { end }
                    }
                };
                on = moved;
                let agents: Vec<Agent> = on.iter().map(|&cop| agent(cop, cop_speed)).collect();
                let state = position(agent(robber, 1), &agents);
                prop_assert_eq!(solver.move_on(&state), Ok(()));
                let is_kept = solver.bounds().upper < upper;
                prop_assert!(is_kept || method == Method::Rma, "{method:?}");
            }
        }
    }

    /// The lower bound that TIDA* takes from `TrailMax`, with the robber to move.
    #[test]
    fn a_path_that_the_robber_keeps_to_is_a_lower_bound(
        (n, arcs) in graphs(7),
        cop_speed in 1_u8..3,
        robber_speed in 1_u8..3,
    ) {
        let slow = Slow::new(n, &arcs, 2, (cop_speed, robber_speed));
        let mut race = Race::new();
        for index in 0..n * n * n {
            let (robber, cops) = slow.position(index);
            let at = |place| agent(slow.vertex(place), cop_speed);
            let state = State {
                robber: agent(slow.vertex(robber), robber_speed),
                cops: &[at(cops[0]), at(cops[1])],
                to_move: Side::Robber,
            };
            let bound = race.solve(&slow.graph, &state).outcome;
            let value = as_outcome(slow.robber_to_move[index]);
            prop_assert!(bound <= value, "{bound} {value} {state:?}");
        }
    }
}

/// Graphs of many cycles, on which a table of states that were cut off as repetitions gives wrong values
/// (C. Moldenhauer's thesis, section 4.1, figure 4.1).
#[test]
fn cycles_lead_nobody_astray() {
    let grid = |width: usize, height: usize| {
        let mut edges = Vec::new();
        for place in 0..width * height {
            if place % width + 1 < width {
                edges.push((place, place + 1));
            }
            if place + width < width * height {
                edges.push((place, place + width));
            }
        }
        both_ways(&edges)
    };
    let wheel: Vec<_> = (0..8).map(|a| (a, (a + 1) % 8)).collect();
    let chords = [(0, 8), (1, 8), (3, 8), (4, 8), (2, 6), (5, 7)];
    let wheel = both_ways(&[wheel.as_slice(), &chords].concat());
    let cube: Vec<_> = (0..8)
        .flat_map(|a| [1, 2, 4].map(|bit| (a, a ^ bit)))
        .collect();
    for (n, arcs) in [(9, grid(3, 3)), (8, grid(4, 2)), (9, wheel), (8, cube)] {
        for speeds in [(1, 1), (2, 1)] {
            let one = Slow::new(n, &arcs, 1, speeds);
            let two = Slow::new(n, &arcs, 2, speeds);
            for method in METHODS {
                for index in 0..n * n {
                    one.assert_solved(index, method);
                }
                for index in (0..n * n * n).step_by(5) {
                    if two.cops_to_move[index].is_some() {
                        two.assert_solved(index, method);
                    }
                }
            }
        }
    }
}

#[test]
fn three_cops_on_the_petersen_graph() {
    let outer = (0..5).flat_map(|a| [(a, (a + 1) % 5), (a, a + 5)]);
    let inner = (0..5).map(|a| (5 + a, 5 + (a + 2) % 5));
    let edges: Vec<_> = outer.chain(inner).collect();
    let slow = Slow::new(10, &both_ways(&edges), 3, (1, 1));
    for index in (0..10_000).step_by(173) {
        for method in METHODS {
            slow.assert_solved(index, method);
        }
    }
    let two = Slow::new(10, &both_ways(&edges), 2, (1, 1));
    for index in (0..1000).step_by(19) {
        two.assert_solved(index, Method::Rma);
    }
}

#[test]
fn no_method_takes_more_memory_than_it_may() {
    // A corridor of rooms: games of many turns.
    let places = 60;
    let edges: Vec<_> = (1..places)
        .flat_map(|a| [(a - 1, a), (a, (a + 7) % places)])
        .collect();
    let arcs: Vec<(u32, u32)> = edges.iter().map(|&(a, b)| (a as u32, b as u32)).collect();
    let graph = Digraph::undirected(places as u32, &arcs).expect("a graph");
    let at = |index| graph.vertex(index).expect("a vertex");
    for method in METHODS {
        let mut stopped = 0;
        let mut value = None;
        for memory in [1_000, 40_000, 80_000, 160_000, 640_000, 1 << 28] {
            let cops = [agent(at(0), 1), agent(at(5), 1)];
            let state = State {
                robber: agent(at(33), 1),
                cops: &cops,
                to_move: Side::Cops,
            };
            let solver = MethodSolver::new(&graph, &state, method, memory);
            let Ok(mut solver) = solver else {
                stopped += 1;
                continue;
            };
            let mut status = Step::Working;
            let mut work = 0;
            while status.is_working() && work < 3_000 {
                status = solver.advance(50);
                work += 1;
                assert!(solver.effort().bytes <= memory, "{method:?} {memory}");
            }
            stopped += usize::from(status == Step::Done(Err(OutOfMemory)));
            let bounds = solver.bounds();
            if let Some(found) = bounds.value() {
                assert_eq!(*value.get_or_insert(found), found);
            }
        }
        assert!(stopped > 0, "{method:?}");
        if method == Method::Rma {
            assert!(value.is_some());
        }
    }
}

/// A map with rooms and pillars, against its table.
#[test]
fn maps_have_the_values_of_their_tables() {
    let rows = [
        "....#....",
        ".##...##.",
        ".#..#..#.",
        "....#....",
        "##.....##",
    ];
    let text = rows.join("\n").replace('#', "@");
    let text = format!("type octile\nheight 5\nwidth 9\nmap\n{text}\n");
    let map = pursuit_engine::map::TileMap::parse(&text).expect("a map");
    for (moves, speeds) in [
        (Moves::Octile, (1, 1)),
        (Moves::Orthogonal, (1, 1)),
        (Moves::Octile, (2, 1)),
        (Moves::Octile, (2, 2)),
    ] {
        let graph = Graph::new(&map, moves);
        let vertices: Vec<Vertex> = graph.iter().collect();
        for cops in 1..=2_u8 {
            let mut rules = rules(cops, speeds.0, speeds.1);
            rules.moves = moves;
            let arena = Arena::of_map(&graph).into();
            let mut table = Solver::new(arena, rules, LIMIT).expect("memory");
            table.run(|_| true);
            let table = table.finish().expect("done");
            for (index, &robber) in vertices.iter().enumerate().step_by(3) {
                let on = [
                    vertices[(index * 7 + 3) % vertices.len()],
                    vertices[index / 2],
                ];
                let on = &on[..usize::from(cops)];
                let expected = table.value(robber, on);
                for method in METHODS {
                    if cops == 2 && method != Method::Rma && expected == Some(Outcome::Escapes) {
                        continue;
                    }
                    let mut solver = solver(&graph, (robber, on), speeds, method, MEMORY);
                    assert_eq!(solver.advance(u64::MAX), Step::Done(Ok(())));
                    assert_eq!(
                        solver.bounds().value(),
                        expected,
                        "{method:?} {robber:?} {on:?}"
                    );
                }
            }
        }
    }
}
