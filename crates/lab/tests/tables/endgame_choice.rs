//! Cops begin to follow a proof that may be slower than their plan only where the plan is not faster, by exact tables.

use crate::common::chase::noise;
use crate::common::replies::replies;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::policy::{Decision, Ground, RetractGuide, RetractGuideSolver, Source};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::eval::WorldCops;
use pursuit_lab::robber::OptimalRobber;
use pursuit_lab::{CopPolicy as _, RobberPolicy as _};
use std::num::NonZeroU8;
use std::sync::Arc;

fn agent(at: Vertex) -> Agent {
    Agent {
        at,
        speed: Speed::ONE,
    }
}

fn ends(decisions: &[Decision], cops: &[Agent]) -> Vec<Agent> {
    let end = |(decision, cop): (&Decision, &Agent)| {
        agent(decision.next_move().last().copied().unwrap_or(cop.at))
    };
    decisions.iter().zip(cops).map(end).collect()
}

/// The turns of a position with the cops to move.
fn turns(table: &Solution, robber: Vertex, cops: &[Agent]) -> Option<u32> {
    let places: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
    match table.value(robber, &places)? {
        Outcome::Caught(Turns(turns)) => Some(turns.into()),
        Outcome::Escapes | Outcome::Away(_) => None,
    }
}

/// The turns that the robber lasts if the cops move to `moved`, that move included; `None` for ever.
fn lasts(graph: &Graph, table: &Solution, robber: Vertex, moved: &[Agent]) -> Option<u32> {
    if moved.iter().any(|cop| cop.at == robber) {
        return Some(1);
    }
    let answers = replies(graph, agent(robber), moved);
    let all: Option<Vec<u32>> = answers
        .into_iter()
        .map(|answer| turns(table, answer, moved))
        .collect();
    Some(1 + all?.into_iter().max()?)
}

fn rules(cops: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("cops"),
        ..Rules::default()
    }
}

fn solved(graph: &Graph, rules: Rules) -> Arc<Solution> {
    let arena = Arena::of_map(graph).into();
    let mut solver = Solver::new(arena, rules, 1 << 30).expect("a small map");
    while !solver.advance(1 << 20).done {}
    Arc::new(solver.finish().expect("done"))
}

/// Plays a game to its end. Returns how many proofs were begun, and in how many turns one was not followed.
fn play(
    ground: Ground<'_>,
    table: &Arc<Solution>,
    mut robber: Vertex,
    mut cops: Vec<Agent>,
) -> [u32; 2] {
    let graph = ground.graph;
    let (mut begun, mut refused) = (0, 0);
    let (mut team, mut twin) = (WorldCops::default().with_endgames(), WorldCops::default());
    let mut before: Option<Turns> = None;
    for _ in 0..100 {
        let state = State {
            robber: agent(robber),
            cops: &cops,
            to_move: Side::Cops,
        };
        let is_proven = team.prove(ground, &state).is_some();
        let plan = ends(&twin.decide(ground, &state), &cops);
        let moved = ends(&team.decide(ground, &state), &cops);
        let promised = team.promised();
        if let Some(bound) = promised {
            let exact = turns(table, robber, &cops);
            assert!(exact.is_some_and(|exact| exact <= bound.0.into()));
            if before.is_none() {
                begun += 1;
                let lasts = lasts(graph, table, robber, &plan);
                let is_slower = lasts.is_some_and(|lasts| lasts < bound.0.into());
                assert!(!is_slower, "{bound:?} instead of {lasts:?}");
            }
        } else {
            assert_eq!(moved, plan);
            refused += u32::from(is_proven);
        }
        assert!(before.is_none_or(|before| promised.is_some_and(|now| now < before)));
        before = promised;
        cops = moved;
        robber = flee(graph, table, robber, &cops);
        if cops.iter().any(|cop| cop.at == robber) {
            return [begun, refused];
        }
    }
    panic!("no capture");
}

/// Where an optimal robber goes.
fn flee(graph: &Graph, table: &Arc<Solution>, robber: Vertex, cops: &[Agent]) -> Vertex {
    let state = State {
        robber: agent(robber),
        cops,
        to_move: Side::Robber,
    };
    let mut policy = OptimalRobber::new(table.clone(), Arc::clone(table.arena()));
    let mut decision = Decision::wait(Source::Greedy);
    policy.decide(Ground::from(graph), &state, &mut decision);
    decision.next_move().last().copied().unwrap_or(robber)
}

/// Plays games on small maps, with or without the solution of a retract. Returns the sums of what [`play`] returns.
fn play_all(cops: u8, has_guide: bool) -> [u32; 2] {
    let mut all = [0, 0];
    for seed in 0..4 {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&noise(dice, 10, 9, 15), Moves::Octile);
        let table = solved(&graph, rules(cops));
        let guide = has_guide.then(|| retract(&graph, rules(cops)));
        let ground = Ground {
            retract: guide.as_ref(),
            ..Ground::from(&graph)
        };
        let vertices: Vec<Vertex> = graph.iter().collect();
        for _ in 0..12 {
            let mut pick = || dice.pick(&vertices).expect("a vertex");
            let robber = pick();
            let cops: Vec<Agent> = (0..cops).map(|_| agent(pick())).collect();
            if turns(&table, robber, &cops).is_some_and(|turns| turns > 0) {
                let game = play(ground, &table, robber, cops);
                all = [all[0] + game[0], all[1] + game[1]];
            }
        }
    }
    all
}

fn retract(graph: &Graph, rules: Rules) -> RetractGuide {
    let solver = RetractGuideSolver::new(graph, rules, u64::MAX, 1 << 30);
    let mut solver = solver.expect("a small map").expect("it folds");
    solver.run(|_| true);
    solver.finish().expect("done")
}

#[test]
fn a_proof_that_leaves_cops_out_is_begun_only_where_the_plan_of_all_cops_is_not_faster() {
    let [begun, refused] = play_all(3, false);
    assert!(begun > 20 && refused > 5, "{begun} {refused}");
}

#[test]
fn a_proof_of_both_cops_is_begun_only_where_their_guided_plan_is_not_faster() {
    let [begun, refused] = play_all(2, true);
    assert!(begun > 20 && refused > 5, "{begun} {refused}");
}
