//! Tests of decisions from a table: optimal moves that capture within the predicted number of
//! turns, without allocating memory.

use crate::common::best_moves;
use crate::common::chase;
use crate::common::level;
use allocation_counter::measure;
use level::{LIMIT, rules};
use pursuit_engine::game::{
    Agent, Outcome, Rules, Side, Speed, State, Turns, Value, is_legal_move,
};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::policy::{Decision, Source, TablePlayer, TieBreak};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, CaptureTimes, Solution, Solver, Table};
use std::sync::Arc;

fn solve(graph: &Graph, rules: Rules) -> Solution {
    let arena = Arena::of_map(graph).into();
    let mut solver = Solver::new(arena, rules, LIMIT).expect("small enough");
    assert!(solver.run(|_| true).done);
    solver.finish().expect("done")
}

/// A graph with a history: some cells have been closed and opened again, so the vertex numbers are
/// out of order.
fn any_graph(dice: &mut Dice, side: u16) -> Graph {
    let moves = pursuit_testkit::rolled_moves(dice);
    let mut graph = Graph::new(&chase::any_map(dice, side), moves);
    let edits = chase::edits(&graph, dice, 3);
    graph.apply(&edits);
    let (cell, passable) = (Cell::new(0, 0), true);
    graph.apply(&[TileEdit { cell, passable }]);
    graph
}

fn any_rules(dice: &mut Dice, moves: Moves) -> Rules {
    let mut speed = || 1 + dice.below(2) as u8;
    let (cop_speed, robber_speed) = (speed(), speed());
    Rules {
        moves,
        ..rules(1 + dice.below(3) as u8, cop_speed, robber_speed)
    }
}

/// The side of a map that can be solved quickly for this number of cops.
fn side(rules: Rules) -> u16 {
    [0, 9, 6, 4][usize::from(rules.cops.get())]
}

struct Case {
    graph: Graph,
    rules: Rules,
    solution: Solution,
}

impl Case {
    fn any(dice: &mut Dice) -> Self {
        let moves = pursuit_testkit::rolled_moves(dice);
        let mut rules = any_rules(dice, moves);
        let graph = any_graph(dice, side(rules));
        rules.moves = graph.moves();
        let solution = solve(&graph, rules);
        Self {
            graph,
            rules,
            solution,
        }
    }

    fn agents(&self, dice: &mut Dice) -> (Agent, Vec<Agent>) {
        let speeds = vec![self.rules.cop_speed.steps(); self.rules.cops.get().into()];
        chase::chase(&self.graph, dice, self.rules.robber_speed.steps(), &speeds).expect("a vertex")
    }
}

/// A value and its moves, sorted.
fn in_order<T: Ord>((value, mut moves): (Outcome, Vec<T>)) -> (Outcome, Vec<T>) {
    moves.sort();
    (value, moves)
}

fn end(agent: Agent, decision: &Decision) -> Vertex {
    decision.next_move().last().copied().unwrap_or(agent.at)
}

/// The distance that decides ties.
fn nearest(graph: &Graph, cops: &[Agent], at: Vertex) -> Option<(u32, u64)> {
    let to = |cop: &Agent| {
        let (a, b) = (graph.cell(cop.at), graph.cell(at));
        (a.max_norm(b), a.squared_distance(b))
    };
    cops.iter().map(to).min()
}

/// How many positions of each kind a test has seen.
#[derive(Default)]
struct Seen {
    moved: u32,
    escaped: u32,
    caught: u32,
}

impl Seen {
    /// The joint move is one of the best, and says so.
    fn cops(
        &mut self,
        player: &mut TablePlayer,
        times: &dyn CaptureTimes,
        case: &Case,
        state: &State<'_>,
    ) {
        let (arena, cops) = (case.solution.arena(), state.cops);
        let mut decisions = Vec::new();
        assert!(player.cops(times, arena, &case.graph, state, &mut decisions));
        assert!(player.probes() > 0);
        assert_eq!(decisions.len(), cops.len());
        let (value, best) = best_moves::of_cops(times, arena, &case.graph, state);
        let all = player.all_cop_moves(times, arena, &case.graph, state);
        assert_eq!(all.map(in_order), Some((value, best.clone())));
        for (cop, decision) in cops.iter().zip(&decisions) {
            let way = decision.next_move();
            assert!(is_legal_move(&case.graph, cop.at, way, cop.speed));
            assert_eq!(decision.source, Source::Table);
            assert_eq!(decision.value, Some(Value::Exact(value)));
        }
        if value == Outcome::Caught(Turns(0)) || value == Outcome::Escapes {
            assert!(
                decisions
                    .iter()
                    .all(|decision| decision.next_move().is_empty())
            );
            self.escaped += 1;
        } else {
            let ends = cops.iter().zip(&decisions);
            let ends: Vec<Vertex> = ends.map(|(&cop, decision)| end(cop, decision)).collect();
            assert!(best.contains(&ends), "{ends:?} of {best:?}");
            self.moved += 1;
        }
    }

    /// The robber's move is the best, and the one farthest from the cops among the best.
    fn robber(
        &mut self,
        player: &mut TablePlayer,
        times: &dyn CaptureTimes,
        case: &Case,
        state: &State<'_>,
    ) {
        let (arena, graph, robber) = (case.solution.arena(), &case.graph, state.robber);
        let mut decision = Decision::wait(Source::Greedy);
        assert!(player.robber(times, arena, graph, state, &mut decision));
        let (value, best) = best_moves::of_robber(times, arena, graph, state);
        let all = player.all_robber_moves(times, arena, graph, state);
        assert_eq!(all.map(in_order), Some((value, best.clone())));
        assert!(is_legal_move(
            graph,
            robber.at,
            decision.next_move(),
            robber.speed
        ));
        assert_eq!(decision.value, Some(Value::Exact(value)));
        let end = end(robber, &decision);
        if value == Outcome::Caught(Turns(0)) {
            self.caught += 1;
            // All moves are equally bad, and a captured robber has no move.
            assert!(!state.is_capture() || decision.next_move().is_empty());
            return;
        }
        assert!(best.contains(&end));
        let far = |at| nearest(graph, state.cops, at);
        for other in best.into_iter().filter(|&other| other != end) {
            assert!(far(other) <= far(end), "there is a better place");
            let waits = end == robber.at;
            assert!(!waits || far(other) < far(end), "waits for nothing");
        }
    }
}

#[test]
fn moves_are_among_the_best_there_are() {
    let dice = &mut Dice::new(1);
    let player = &mut TablePlayer::default();
    let (mut seen, mut packed) = (Seen::default(), 0);
    for _ in 0..150 {
        let case = Case::any(dice);
        let table = Table::of(&case.solution);
        for _ in 0..40 {
            let (robber, cops) = case.agents(dice);
            let times: &dyn CaptureTimes = if dice.below(2) == 0 {
                packed += 1;
                &table
            } else {
                &case.solution
            };
            let mut state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            seen.cops(player, times, &case, &state);
            state.to_move = Side::Robber;
            seen.robber(player, times, &case, &state);
        }
    }
    assert!(seen.moved > 1000 && seen.escaped > 1000 && seen.caught > 100 && packed > 1000);
}

/// The ends of the moves of one step in the order of [`TieBreak::SearchOrder`].
fn longest_first(graph: &Graph, at: Vertex) -> Vec<Vertex> {
    let mut ends = graph.neighbours(at).to_vec();
    ends.reverse();
    let length = |&end: &Vertex| graph.cell(at).squared_distance(graph.cell(end));
    ends.sort_by_key(|end| std::cmp::Reverse(length(end)));
    ends.push(at);
    ends
}

#[test]
fn the_search_order_breaks_ties_whatever_the_other_side_does() {
    let dice = &mut Dice::new(7);
    let player = &mut TablePlayer::new(TieBreak::SearchOrder);
    let (mut stayed, mut moved) = (0, 0);
    let (mut of_cops, mut of_robber) = (Vec::new(), Decision::wait(Source::Greedy));
    for _ in 0..60 {
        let mut case = Case::any(dice);
        if case.rules.cop_speed > Speed::ONE {
            case.rules.cop_speed = Speed::ONE;
            case.solution = solve(&case.graph, case.rules);
        }
        let (times, arena, graph) = (&case.solution, case.solution.arena(), &case.graph);
        for _ in 0..40 {
            let (robber, cops) = case.agents(dice);
            let mut state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            let (value, best) = best_moves::of_cops(times, arena, graph, &state);
            assert!(player.cops(times, arena, graph, &state, &mut of_cops));
            let ends = cops.iter().zip(&of_cops).map(|(&cop, of)| end(cop, of));
            let ends: Vec<Vertex> = ends.collect();
            let stay: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
            if value == Outcome::Escapes || best.is_empty() || best.contains(&stay) {
                assert_eq!(ends, stay);
                stayed += 1;
            } else {
                let ranks = |ends: &Vec<Vertex>| -> Vec<Option<usize>> {
                    let ends = ends.iter().zip(&cops);
                    let rank = ends.map(|(&end, cop)| {
                        let order = longest_first(graph, cop.at);
                        order.iter().position(|&other| other == end)
                    });
                    rank.collect()
                };
                assert_eq!(Some(&ends), best.iter().min_by_key(|ends| ranks(ends)));
                moved += 1;
            }
            state.to_move = Side::Robber;
            let (_, best) = best_moves::of_robber(times, arena, graph, &state);
            let all = player.all_robber_moves(times, arena, graph, &state);
            assert!(player.robber(times, arena, graph, &state, &mut of_robber));
            let (_, all) = all.expect("a position");
            assert_eq!(all.len(), best.len());
            let first = all.iter().find(|&&end| end != robber.at);
            assert_eq!(&end(robber, &of_robber), first.unwrap_or(&robber.at));
        }
    }
    assert!(stayed > 500 && moved > 500, "{stayed} {moved}");
}

#[test]
fn both_sides_keep_the_word_of_the_table_to_the_turn() {
    let dice = &mut Dice::new(2);
    let player = &mut TablePlayer::default();
    let (mut longest, mut games) = (0, 0);
    let (mut of_cops, mut of_robber) = (Vec::new(), Decision::wait(Source::Greedy));
    for _ in 0..100 {
        let case = Case::any(dice);
        let arena = case.solution.arena();
        for _ in 0..10 {
            let (mut robber, mut cops) = case.agents(dice);
            let vertices: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
            let value = case.solution.value(robber.at, &vertices);
            let Some(Outcome::Caught(Turns(promised))) = value else {
                continue;
            };
            let mut turns = 0;
            loop {
                let is_caught = cops.iter().any(|cop| cop.at == robber.at);
                if is_caught {
                    break;
                }
                turns += 1;
                let state = State {
                    robber,
                    cops: &cops,
                    to_move: Side::Cops,
                };
                assert!(player.cops(&case.solution, arena, &case.graph, &state, &mut of_cops));
                let ends = cops.iter().zip(&of_cops).map(|(&cop, d)| end(cop, d));
                let ends: Vec<Vertex> = ends.collect();
                for (cop, end) in cops.iter_mut().zip(ends) {
                    cop.at = end;
                }
                let state = State {
                    robber,
                    cops: &cops,
                    to_move: Side::Robber,
                };
                if state.is_capture() {
                    break;
                }
                assert!(player.robber(&case.solution, arena, &case.graph, &state, &mut of_robber));
                robber.at = end(robber, &of_robber);
                assert!(turns < promised, "no capture after {promised} turns");
            }
            assert_eq!(turns, promised);
            (longest, games) = (longest.max(turns), games + 1);
        }
    }
    assert!(games > 300 && longest > 8, "{games} {longest}");
}

#[test]
fn foreign_tables_are_refused() {
    let dice = &mut Dice::new(3);
    let player = &mut TablePlayer::default();
    let mut refused = 0;
    for _ in 0..60 {
        let case = Case::any(dice);
        let (robber, cops) = case.agents(dice);
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let (mut of_cops, mut of_robber) = (Vec::new(), Decision::wait(Source::Greedy));
        let mut is_known = |arena: &Arena, graph: &Graph, state: &State<'_>| {
            let cops = player.cops(&case.solution, arena, graph, state, &mut of_cops);
            let robber = player.robber(&case.solution, arena, graph, state, &mut of_robber);
            assert_eq!(cops, robber);
            cops
        };
        let arena = case.solution.arena();
        assert!(is_known(arena, &case.graph, &state));
        // A table of other rules is not known.
        let two = Speed::new(3).expect("a speed");
        let faster = Agent {
            speed: two,
            ..robber
        };
        let robber_is_faster = State {
            robber: faster,
            ..state
        };
        assert!(!is_known(arena, &case.graph, &robber_is_faster));
        let more = [&cops[..], &cops[..1]].concat();
        assert!(!is_known(
            arena,
            &case.graph,
            &State {
                cops: &more,
                ..state
            }
        ));
        assert!(!is_known(arena, &case.graph, &State { cops: &[], ..state }));
        // A table of another map, or of the same map with other vertex numbers, is not known.
        let mut edited = case.graph.clone();
        edited.apply(&chase::edits(&case.graph, dice, 1));
        assert!(!is_known(arena, &edited, &state));
        let (width, height) = (case.graph.width(), case.graph.height());
        let walls = TileMap::filled(width, height, Terrain::Wall).expect("some cells");
        let mut other = Graph::new(&walls, case.graph.moves());
        let mut cells: Vec<Cell> = case.graph.iter().map(|v| case.graph.cell(v)).collect();
        cells.reverse();
        let open = |cell| TileEdit {
            cell,
            passable: true,
        };
        other.apply(&cells.into_iter().map(open).collect::<Vec<_>>());
        assert_eq!(other.fingerprint(), case.graph.fingerprint());
        let same = |at| other.is_live(at) && other.cell(at) == case.graph.cell(at);
        if !same(robber.at) || cops.iter().any(|cop| !same(cop.at)) {
            assert!(!is_known(arena, &other, &state));
            refused += 1;
        }
    }
    assert!(refused > 30);
}

#[test]
fn made_up_values_do_no_harm() {
    /// Capture times that are made up.
    struct Liar(Rules, pursuit_engine::graph::Fingerprint, usize);
    impl CaptureTimes for Liar {
        fn rules(&self) -> Rules {
            self.0
        }
        fn fingerprint(&self) -> pursuit_engine::graph::Fingerprint {
            self.1
        }
        fn places(&self) -> usize {
            self.2
        }
        fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome> {
            cops.sort_unstable();
            let mixed = cops.iter().fold(robber, |all, cop| all * 31 + cop);
            match mixed % 7 {
                0 => Some(Outcome::Escapes),
                turns => Some(Outcome::Caught(Turns(turns as u16))),
            }
        }
    }
    let dice = &mut Dice::new(4);
    let player = &mut TablePlayer::default();
    let (mut kept, mut broken) = (0, 0);
    for _ in 0..300 {
        let moves = Moves::Octile;
        let rules = any_rules(dice, moves);
        let mut graph = any_graph(dice, 12);
        while graph.moves() != moves {
            graph = any_graph(dice, 12);
        }
        let arena = Arena::of_map(&graph);
        let liar = Liar(rules, graph.fingerprint(), arena.places());
        let speeds = vec![rules.cop_speed.steps(); rules.cops.get().into()];
        let (robber, cops) =
            chase::chase(&graph, dice, rules.robber_speed.steps(), &speeds).expect("a vertex");
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let mut out = Vec::new();
        if player.cops(&liar, &arena, &graph, &state, &mut out) {
            kept += 1;
            for (cop, decision) in cops.iter().zip(&out) {
                assert!(is_legal_move(
                    &graph,
                    cop.at,
                    decision.next_move(),
                    cop.speed
                ));
            }
        } else {
            assert!(out.is_empty());
            broken += 1;
        }
        let mut decision = Decision::wait(Source::Greedy);
        assert!(player.robber(&liar, &arena, &graph, &state, &mut decision));
        assert!(is_legal_move(
            &graph,
            robber.at,
            decision.next_move(),
            robber.speed
        ));
    }
    assert!(kept > 20 && broken > 20);
}

#[test]
fn nothing_is_allocated_once_warm() {
    let dice = &mut Dice::new(5);
    let cases = [(1, 2, 1, 16), (2, 1, 1, 8), (3, 2, 2, 4)];
    for (cops, cop_speed, robber_speed, side) in cases {
        let rules = rules(cops, cop_speed, robber_speed);
        let graph = Graph::new(&chase::noise(dice, side, side, 15), Moves::Octile);
        let case = Case {
            solution: solve(&graph, rules),
            graph,
            rules,
        };
        let games: Vec<_> = (0..100).map(|_| case.agents(dice)).collect();
        let players = [TieBreak::Distance, TieBreak::SearchOrder].map(TablePlayer::new);
        let (mut of_cops, mut of_robber) = (Vec::new(), Decision::wait(Source::Greedy));
        let arena: Arc<Arena> = Arc::clone(case.solution.arena());
        for mut player in players {
            let mut all = || {
                for (robber, cops) in &games {
                    let state = State {
                        robber: *robber,
                        cops,
                        to_move: Side::Cops,
                    };
                    let (times, graph) = (&case.solution, &case.graph);
                    assert!(player.cops(times, &arena, graph, &state, &mut of_cops));
                    assert!(player.robber(times, &arena, graph, &state, &mut of_robber));
                }
            };
            assert!(measure(&mut all).count_total > 0, "nothing is counted");
            assert_eq!(measure(&mut all).count_total, 0);
        }
    }
}

#[test]
fn a_handful_of_values_decides() {
    let level = include_str!("../../../../assets/levels/harbour.level.ron");
    let level = pursuit_engine::map::PursuitLevel::parse(level).expect("our level");
    let graph = Graph::new(&level.initial_map(), level.moves());
    let rules = Rules {
        moves: level.moves(),
        ..rules(1, 2, 1)
    };
    let case = Case {
        solution: solve(&graph, rules),
        graph,
        rules,
    };
    let dice = &mut Dice::new(6);
    let player = &mut TablePlayer::default();
    let (mut probes, mut decisions) = (0, 0);
    let mut out = Vec::new();
    for _ in 0..2000 {
        let (robber, cops) = case.agents(dice);
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let arena = case.solution.arena();
        assert!(player.cops(&case.solution, arena, &case.graph, &state, &mut out));
        (probes, decisions) = (probes + player.probes(), decisions + 1);
    }
    assert!(probes < 16 * decisions, "{probes} values for {decisions}");
}
