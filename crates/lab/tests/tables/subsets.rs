//! Tests of teams that play from a table of fewer cops.

use crate::common;
use crate::common::chase;
use crate::common::level;
use crate::common::replies::replies;
use level::{LIMIT, rules};
use pursuit_engine::game::{
    Agent, Outcome, Rules, Side, Speed, State, Turns, Value, is_legal_move,
};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::policy::{
    Decision, Ground, Merge, Source, SubsetGuide, SubsetPlayer, TablePlayer,
};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{CaptureTimes, Solution, Solver, Table};
use pursuit_lab::eval::WorldCops;
use pursuit_lab::robber::RobberKind;
use pursuit_lab::{CopPolicy as _, RobberPolicy};
use std::sync::Arc;

pub(super) fn solve(graph: &Graph, rules: Rules) -> Solution {
    let arena = pursuit_engine::table::Arena::of_map(graph).into();
    let mut solver = Solver::new(arena, rules, LIMIT).expect("small enough");
    assert!(solver.run(|_| true).done);
    solver.finish().expect("done")
}

fn agents(at: &[Vertex], speed: Speed) -> Vec<Agent> {
    at.iter().map(|&at| Agent { at, speed }).collect()
}

fn end(agent: Agent, decision: &Decision) -> Vertex {
    decision.next_move().last().copied().unwrap_or(agent.at)
}

pub(super) fn move_all(cops: &mut [Agent], decisions: &[Decision]) {
    for (cop, decision) in cops.iter_mut().zip(decisions) {
        cop.at = end(*cop, decision);
    }
}

/// The least value of all subsets of the cops, computed as an oracle.
pub(super) fn least_value(solution: &Solution, robber: Vertex, cops: &[Agent]) -> Outcome {
    let size = usize::from(solution.rules().cops.get());
    let mut least = Outcome::Escapes;
    let subsets = (0_u32..1 << cops.len()).filter(|bits| bits.count_ones() as usize == size);
    for bits in subsets {
        let members = cops.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
        let places: Vec<Vertex> = members.map(|(_, cop)| cop.at).collect();
        least = least.min(solution.value(robber, &places).expect("a value"));
    }
    least
}

pub(super) fn bound(decision: &Decision) -> Turns {
    match decision.value {
        Some(Value::Exact(Outcome::Caught(turns)) | Value::AtMost(Outcome::Caught(turns))) => turns,
        other => panic!("no bound: {other:?}"),
    }
}

/// A game with a table of fewer cops.
struct Case {
    graph: Graph,
    solution: Solution,
}

impl Case {
    fn any(dice: &mut Dice, size: u8) -> Self {
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let side = [0, 9, 6, 4][usize::from(size)];
        let graph = Graph::new(&chase::any_map(dice, side), moves);
        let mut speed = || 1 + u8::from(dice.below(3) == 0);
        let rules = Rules {
            moves,
            ..rules(size, speed(), speed())
        };
        let solution = solve(&graph, rules);
        Self { graph, solution }
    }

    fn draw(&self, dice: &mut Dice, cops: usize) -> (Agent, Vec<Agent>) {
        let rules = self.solution.rules();
        let speeds = vec![rules.cop_speed.steps(); cops];
        chase::chase(&self.graph, dice, rules.robber_speed.steps(), &speeds).expect("a vertex")
    }
}

const MERGES: [Merge; 2] = [Merge::Rules, Merge::Search];

#[test]
fn the_bound_is_the_least_value_of_all_subsets_and_falls_whatever_the_robber_does() {
    let dice = &mut Dice::new(1);
    let mut players = MERGES.map(SubsetPlayer::new);
    let (mut fell, mut exact, mut silent) = (0, 0, 0);
    for round in 0..90 {
        let size = 1 + round % 3;
        let case = Case::any(dice, size);
        let (graph, solution) = (&case.graph, &case.solution);
        let table = Table::of(solution);
        for _ in 0..30 {
            let cops = usize::from(size) + dice.below(5);
            let (mut robber, mut cops) = case.draw(dice, cops);
            let player = &mut players[dice.below(2)];
            let times: &dyn CaptureTimes = [solution as &dyn CaptureTimes, &table][dice.below(2)];
            let mut turns = 0;
            loop {
                let state = State {
                    robber,
                    cops: &cops,
                    to_move: Side::Cops,
                };
                let least = least_value(solution, robber.at, &cops);
                let mut out = Vec::new();
                if !player.cops(times, solution.arena(), graph, &state, &mut out) {
                    assert_eq!(least, Outcome::Escapes);
                    silent += 1;
                    break;
                }
                assert_eq!(out.len(), cops.len());
                assert_eq!(
                    Outcome::Caught(bound(&out[0])),
                    least,
                    "{state:?} {:?} {out:?}",
                    solution.rules()
                );
                exact += i32::from(matches!(out[0].value, Some(Value::Exact(_))));
                for (cop, decision) in cops.iter().zip(&out) {
                    assert!(is_legal_move(
                        graph,
                        cop.at,
                        decision.next_move(),
                        cop.speed
                    ));
                    assert_eq!(decision.value, out[0].value);
                }
                move_all(&mut cops, &out);
                let all = replies(graph, robber, &cops);
                if cops.iter().any(|cop| cop.at == robber.at) {
                    break;
                }
                for &reply in &all {
                    assert!(
                        least_value(solution, reply, &cops) < least,
                        "no headway after {reply:?}"
                    );
                    fell += 1;
                }
                robber.at = dice.pick(&all).expect("waiting");
                turns += 1;
                assert!(turns < 1000);
            }
        }
    }
    assert!(
        fell > 1000 && exact > 300 && silent > 100,
        "{fell} {exact} {silent}"
    );
}

#[test]
fn the_order_of_the_cops_and_earlier_decisions_do_not_matter() {
    let dice = &mut Dice::new(2);
    let mut old = MERGES.map(SubsetPlayer::new);
    let mut compared = 0;
    for round in 0..40 {
        let case = Case::any(dice, 1 + round % 2);
        let (graph, solution) = (&case.graph, &case.solution);
        for count in [1, 2, 3, 5, 16, 100] {
            let (robber, mut cops) = case.draw(dice, count);
            let merge = dice.below(2);
            // Some cops are slower or faster than those of the table.
            for cop in &mut cops {
                if dice.below(6) == 0 {
                    cop.speed = Speed::new(1 + dice.below(3) as u8).expect("a speed");
                }
            }
            let decide = |player: &mut SubsetPlayer, cops: &[Agent]| {
                let state = State {
                    robber,
                    cops,
                    to_move: Side::Cops,
                };
                let mut out = Vec::new();
                let known = player.cops(solution, solution.arena(), graph, &state, &mut out);
                let mut ways: Vec<_> = cops.iter().zip(&out).collect();
                for (cop, decision) in &ways {
                    assert!(is_legal_move(
                        graph,
                        cop.at,
                        decision.next_move(),
                        cop.speed
                    ));
                }
                ways.sort_by_key(|(cop, decision)| (cop.at, cop.speed, decision.path.clone()));
                let ways = ways.into_iter();
                let ways = ways.map(|(&cop, decision)| (cop, decision.clone()));
                (known, ways.collect::<Vec<_>>())
            };
            let first = decide(&mut old[merge], &cops);
            // The shuffle of Fisher and Yates.
            for last in (1..cops.len()).rev() {
                cops.swap(last, dice.below(last + 1));
            }
            let second = decide(&mut SubsetPlayer::new(MERGES[merge]), &cops);
            if count != usize::from(solution.rules().cops.get()) {
                assert_eq!(first, second, "{count} cops");
            }
            compared += i32::from(first.0);
        }
    }
    assert!(compared > 80, "{compared}");
}

/// The number of turns of a game in which the cops play by subsets, and by the retract of the ground if it has one; `None`
/// if it takes more than `most` turns.
fn play(
    solution: &Solution,
    ground: Ground<'_>,
    merge: Merge,
    (mut robber, mut cops): (Agent, Vec<Agent>),
    mut flee: impl FnMut(&State<'_>) -> Vertex,
    most: u32,
) -> Option<u32> {
    let table = Arc::new(solution.clone()).into();
    let mut policy = WorldCops::default().by_tables(vec![table], merge);
    for turn in 1..=most {
        let mut state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let decisions = policy.decide(ground, &state);
        move_all(&mut cops, &decisions);
        let is_on = |at| cops.iter().any(|cop| cop.at == at);
        if is_on(robber.at) {
            return Some(turn);
        }
        state = State {
            robber,
            cops: &cops,
            to_move: Side::Robber,
        };
        robber.at = flee(&state);
        if is_on(robber.at) {
            return Some(turn);
        }
    }
    None
}

/// A robber that plays from a table.
pub(super) fn optimal(times: &Solution, graph: &Graph) -> impl FnMut(&State<'_>) -> Vertex {
    let mut player = TablePlayer::default();
    let mut decision = Decision::wait(Source::Greedy);
    move |state| {
        assert!(player.robber(times, times.arena(), graph, state, &mut decision));
        end(state.robber, &decision)
    }
}

/// The robber of a kind given by its name.
fn named(name: &str, graph: &Graph) -> impl FnMut(&State<'_>) -> Vertex {
    let kind: RobberKind = name.parse().expect("a robber");
    let mut policy: Box<dyn RobberPolicy> = kind.policy();
    policy.restart(1);
    let mut decision = Decision::wait(Source::Greedy);
    move |state| {
        policy.decide(Ground::from(graph), state, &mut decision);
        end(state.robber, &decision)
    }
}

/// A robber of each kind.
const ROBBERS: [&str; 14] = [
    "trailmax",
    "datrailmax",
    "guided",
    "greedy",
    "greedy-perfect",
    "wary-rules",
    "wary-patterns",
    "wary-both",
    "minimax:3",
    "cover",
    "cover-original",
    "dam:0.5:3",
    "dam1:0.5:3",
    "randombeacons:40:1",
];

#[test]
fn as_many_cops_as_in_the_table_realise_its_value() {
    for (size, cop_speed) in [(1, 2), (2, 1), (3, 1)] {
        let dice = &mut Dice::new(3);
        let graph = &Graph::new(&chase::noise(dice, 9, 8, 20), Moves::Octile);
        let solution = &solve(graph, rules(size, cop_speed, 1));
        let speeds = vec![cop_speed; usize::from(size)];
        let mut games = 0;
        while games < 40 {
            let (robber, cops) = chase::chase(graph, dice, 1, &speeds).expect("a vertex");
            let places: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
            let value = solution.value(robber.at, &places).expect("a value");
            let Outcome::Caught(Turns(turns @ 1..)) = value else {
                continue;
            };
            let turns = u32::from(turns);
            let merge = MERGES[games % 2];
            let taken = |flee: &mut dyn FnMut(&State<'_>) -> Vertex| {
                let start = (robber, cops.clone());
                play(solution, Ground::from(graph), merge, start, flee, turns)
            };
            assert_eq!(taken(&mut optimal(solution, graph)), Some(turns));
            for name in ROBBERS {
                let taken = taken(&mut named(name, graph));
                assert!(taken.is_some(), "{name} lasts longer than {turns} turns");
            }
            games += 1;
        }
    }
}

#[test]
fn more_cops_are_not_worse_on_average() {
    let dice = &mut Dice::new(4);
    let graph = &Graph::new(&chase::noise(dice, 12, 9, 20), Moves::Octile);
    let solution = &solve(graph, rules(2, 1, 1));
    for merge in MERGES {
        let mut sums = [0; 6];
        let mut games = 0;
        while games < 40 {
            let (robber, cops) = chase::chase(graph, dice, 1, &[1; 8]).expect("a vertex");
            let two: Vec<Vertex> = cops[..2].iter().map(|cop| cop.at).collect();
            let value = solution.value(robber.at, &two).expect("a value");
            if value == Outcome::Escapes || cops.iter().any(|cop| cop.at == robber.at) {
                continue;
            }
            for (sum, count) in sums.iter_mut().zip([2, 3, 4, 5, 6, 8]) {
                let start = (robber, cops[..count].to_vec());
                let taken = play(
                    solution,
                    Ground::from(graph),
                    merge,
                    start,
                    named("trailmax:1", graph),
                    500,
                );
                *sum += taken.expect("a capture");
            }
            games += 1;
        }
        assert!(sums.is_sorted_by(|fewer, more| fewer >= more), "{sums:?}");
        assert!(sums[0] > sums[3]);
    }
}

// ---- accuracy ----

/// How close a team that plays from a table of one cop less comes to the optimum.
#[derive(Debug, Default)]
pub(super) struct Accuracy {
    positions: u32,
    /// The number of first moves after which the value is the same as after an optimal move.
    equal: u32,
    ratios: f64,
    pub(super) worst: f64,
}

impl Accuracy {
    pub(super) fn share(&self) -> f64 {
        f64::from(self.equal) / f64::from(self.positions)
    }

    pub(super) fn mean(&self) -> f64 {
        self.ratios / f64::from(self.positions)
    }

    /// Measures the play from random positions that the cops win, against an optimal robber.
    fn measure(map: &TileMap, cops: u8, merge: Merge, positions: u32) -> Self {
        let graph = &Graph::new(map, Moves::Octile);
        Self::with_guide(Ground::from(graph), cops, merge, positions)
    }

    /// The same with the retract of a ground, if it has one.
    pub(super) fn with_guide(ground: Ground<'_>, cops: u8, merge: Merge, positions: u32) -> Self {
        let graph = ground.graph;
        let fewer = &solve(graph, rules(cops - 1, 1, 1));
        let exact = &solve(graph, rules(cops, 1, 1));
        let dice = &mut Dice::new(1);
        let mut all = Self::default();
        let of = |robber: Vertex, cops: &[Agent]| {
            let places: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
            exact.value(robber, &places).expect("a value")
        };
        while all.positions < positions {
            let speeds = vec![1; cops.into()];
            let (robber, cops) = chase::chase(graph, dice, 1, &speeds).expect("a vertex");
            let value = of(robber.at, &cops);
            let Outcome::Caught(Turns(turns @ 1..)) = value else {
                continue;
            };
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            let mut out = Vec::new();
            let mut player = SubsetPlayer::new(merge);
            let guide = ground.retract.map(|retract| SubsetGuide {
                retract,
                announced: None,
            });
            let arena = fewer.arena().as_ref();
            if player.guided_cops(fewer, arena, graph, &state, guide, &mut out) {
                let mut after = cops.clone();
                move_all(&mut after, &out);
                let captured = after.iter().any(|cop| cop.at == robber.at);
                let best = replies(graph, robber, &after).into_iter();
                let best = best.map(|reply| of(reply, &after)).max();
                let reached = if captured {
                    Some(Outcome::Caught(Turns(0)))
                } else {
                    best
                };
                all.equal += u32::from(reached == Some(Outcome::Caught(Turns(turns - 1))));
            }
            let flee = optimal(exact, graph);
            let most = 10 * u32::from(turns);
            let taken = play(fewer, ground, merge, (robber, cops), flee, most);
            let ratio = f64::from(taken.expect("a capture")) / f64::from(turns);
            all.positions += 1;
            all.ratios += ratio;
            all.worst = all.worst.max(ratio);
        }
        all
    }
}

#[test]
fn three_cops_by_pairs_in_a_small_room_are_nearly_optimal() {
    let room = TileMap::filled(7, 6, Terrain::Floor).expect("a room");
    for merge in MERGES {
        let found = Accuracy::measure(&room, 3, merge, 100);
        assert!(found.share() >= 0.97 && found.mean() <= 1.02, "{found:?}");
    }
}

/// The largest connected part of a map.
fn one_piece(map: &TileMap) -> TileMap {
    let graph = Graph::new(map, Moves::Octile);
    let mut distances = pursuit_engine::search::Distances::default();
    let largest = graph.iter().max_by_key(|&vertex| {
        distances.measure(&graph, vertex);
        distances.reachable().len()
    });
    distances.measure(&graph, largest.expect("a vertex"));
    let mut piece = map.clone();
    for cell in map.cells() {
        let vertex = graph.vertex(cell);
        if vertex.is_none_or(|vertex| distances.steps(vertex).is_none()) {
            piece.set(cell, Terrain::Wall);
        }
    }
    piece
}

mod reference {
    use super::*;

    /// Asserts a least share of equal first moves, and a greatest mean and worst ratio.
    fn assert_accuracy(
        what: &str,
        (map, cops, merge): (&TileMap, u8, Merge),
        (share, mean, worst): (f64, f64, f64),
    ) {
        let found = Accuracy::measure(map, cops, merge, 400);
        let (is_share, is_mean) = (found.share(), found.mean());
        assert!(
            is_share >= share && is_mean <= mean && found.worst <= worst,
            "{what}, {cops} cops, {merge:?}: {is_share:.4} {is_mean:.4} {:.2}",
            found.worst
        );
    }

    #[test]
    #[ignore = "for release builds"]
    fn three_cops_by_pairs_on_a_map_of_the_game() {
        let Some(reference) = common::reference("three_cops_by_pairs_on_a_map_of_the_game") else {
            return;
        };
        let map = common::read_map(&reference.join("maps/bg/AR0082SR.map"));
        assert_accuracy("AR0082SR", (&map, 3, Merge::Rules), (0.97, 1.01, 1.5));
        assert_accuracy("AR0082SR", (&map, 3, Merge::Search), (0.97, 1.01, 1.3));
    }

    #[test]
    #[ignore = "for release builds"]
    fn three_cops_by_pairs_in_rooms_and_on_noise() {
        let room = TileMap::filled(12, 12, Terrain::Floor).expect("a room");
        assert_accuracy("a room", (&room, 3, Merge::Rules), (0.97, 1.01, 2.0));
        assert_accuracy("a room", (&room, 3, Merge::Search), (0.97, 1.01, 2.0));
        let noise = one_piece(&chase::noise(&mut Dice::new(5), 14, 14, 15));
        assert_accuracy("noise", (&noise, 3, Merge::Rules), (0.85, 1.08, 2.5));
        assert_accuracy("noise", (&noise, 3, Merge::Search), (0.90, 1.06, 2.0));
    }

    #[test]
    #[ignore = "for release builds"]
    fn four_cops_by_triples_on_small_maps() {
        let room = TileMap::filled(7, 7, Terrain::Floor).expect("a room");
        let noise = one_piece(&chase::noise(&mut Dice::new(6), 8, 8, 20));
        for merge in MERGES {
            assert_accuracy("a room", (&room, 4, merge), (0.99, 1.01, 1.3));
            assert_accuracy("noise", (&noise, 4, merge), (0.99, 1.01, 1.3));
        }
    }
}

#[test]
fn a_table_of_another_map_or_of_more_cops_is_refused() {
    let graph = Graph::new(
        &TileMap::filled(4, 4, Terrain::Floor).expect("a room"),
        Moves::Octile,
    );
    let other = Graph::new(
        &TileMap::filled(4, 3, Terrain::Floor).expect("a room"),
        Moves::Octile,
    );
    let at = |x| graph.vertex(Cell::new(x, 0)).expect("a vertex");
    let solution = solve(&graph, rules(2, 1, 1));
    let mut player = SubsetPlayer::default();
    let mut decide = |graph: &Graph, cops: &[Agent], robber_speed| {
        let state = State {
            robber: Agent {
                at: at(3),
                speed: robber_speed,
            },
            cops,
            to_move: Side::Cops,
        };
        let mut out = vec![Decision::wait(Source::Stale)];
        let known = player.cops(&solution, solution.arena(), graph, &state, &mut out);
        assert!(known || out == [Decision::wait(Source::Stale)]);
        known
    };
    let (slow, fast) = (Speed::ONE, Speed::new(2).expect("a speed"));
    let three = agents(&[at(0), at(0), at(1)], slow);
    assert!(decide(&graph, &three, slow));
    assert!(decide(&graph, &agents(&[at(0), at(0)], fast), slow));
    assert!(!decide(&graph, &three, fast));
    assert!(!decide(&other, &three, slow));
    assert!(!decide(&graph, &three[..1], slow));
    assert!(!decide(&graph, &[], slow));
}
