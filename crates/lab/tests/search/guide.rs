//! The robber that follows a guide: always legal, no worse than `TrailMax` promises, and equal to
//! `TrailMax` if the guide does not fit the game.

use crate::common;
use crate::common::chase;
use crate::common::level;
use crate::field;
use chase::{any_map, edits, noise};
use common::map;
use field::Field;
use level::rules;
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns, is_legal_move};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::GuidedRobber;
use pursuit_engine::policy::{Decision, Ground, Guide, GuideSolver, Source};
use pursuit_engine::search::{Dice, TrailMax};
use pursuit_lab::RobberPolicy;
use pursuit_lab::eval::Experiment;
use pursuit_lab::robber::TrailMaxRobber;

fn guide(hierarchy: &Hierarchy, rules: Rules, positions: u64) -> Option<Guide> {
    let solver = GuideSolver::new(hierarchy, rules, positions, 1 << 28);
    let mut solver = solver.expect("memory")?;
    assert!(solver.run(|_| true).done);
    solver.finish()
}

fn decide(robber: &mut dyn RobberPolicy, ground: Ground<'_>, state: &State<'_>) -> Decision {
    let mut decision = Decision::wait(Source::Greedy);
    robber.decide(ground, state, &mut decision);
    decision
}

fn any_rules(dice: &mut Dice) -> Rules {
    Rules {
        moves: [Moves::Octile, Moves::Octile, Moves::Orthogonal][dice.below(3)],
        ..rules(
            1 + dice.below(3) as u8,
            1 + dice.below(3) as u8,
            1 + dice.below(3) as u8,
        )
    }
}

fn chase(graph: &Graph, dice: &mut Dice, rules: Rules) -> Option<(Agent, Vec<Agent>)> {
    let speeds = vec![rules.cop_speed.steps(); rules.cops.get().into()];
    chase::chase(graph, dice, rules.robber_speed.steps(), &speeds)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn makes_legal_moves_and_the_same_ones_again(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules = any_rules(dice);
        let mut graph = Graph::new(&any_map(dice, 14), rules.moves);
        let mut hierarchy = Hierarchy::new(&graph);
        let guide = guide(&hierarchy, rules, 20_000);
        let near = [0, 2, 12, u16::MAX][dice.below(4)];
        let mut robber = GuidedRobber::new(near, near / 2);
        for edited in 0..4 {
            for _ in 0..4 {
                let Some((agent, cops)) = chase(&graph, dice, rules) else {
                    continue;
                };
                let state = State { robber: agent, cops: &cops, to_move: Side::Robber };
                let ground = Ground {
                    hierarchy: Some(&hierarchy),
                    guide: guide.as_ref(),
                    ..(&graph).into()
                };
                let decision = decide(&mut robber, ground, &state);
                prop_assert!(is_legal_move(&graph, agent.at, decision.next_move(), agent.speed));
                prop_assert_eq!(decision.steps, decision.next_move().len());
                let way = decision.next_move();
                prop_assert!(state.is_capture() || !cops.iter().any(|cop| way.contains(&cop.at)));
                let again = decide(&mut GuidedRobber::new(near, near / 2), ground, &state);
                prop_assert_eq!(&again, &decision);
                if edited > 0 && !state.is_capture() {
                    let fresh = guide.as_ref().is_some_and(|guide| guide.is_of(&graph, &hierarchy));
                    let plain = decide(&mut TrailMaxRobber::new(1), (&graph).into(), &state);
                    prop_assert!(fresh || decision == plain, "an old guide is none");
                }
            }
            let delta = graph.apply(&edits(&graph, dice, 2));
            hierarchy.apply(&graph, &delta);
        }
    }

    #[test]
    fn a_door_that_swings_back_does_not_make_a_guide_of_other_groups_good(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&noise(dice, 12, 12, 10), Moves::Octile);
        let built = Hierarchy::new(&graph);
        let Some(guide) = guide(&built, Rules::default(), 2000) else {
            return Ok(());
        };
        let mut hierarchy = built.clone();
        for _ in 0..3 {
            let there = edits(&graph, dice, 3);
            let back: Vec<TileEdit> = there
                .iter()
                .rev()
                .map(|edit| TileEdit { passable: !edit.passable, ..*edit })
                .collect();
            for edits in [there, back] {
                let delta = graph.apply(&edits);
                hierarchy.apply(&graph, &delta);
            }
        }
        let Some((robber, cops)) = chase(&graph, dice, Rules::default()) else {
            return Ok(());
        };
        let state = State { robber, cops: &cops, to_move: Side::Robber };
        let by = |hierarchy| {
            let guide = Some(&guide);
            let ground = Ground { hierarchy: Some(hierarchy), guide, ..(&graph).into() };
            decide(&mut GuidedRobber::new(2, 1), ground, &state)
        };
        let plain = decide(&mut GuidedRobber::new(2, 1), (&graph).into(), &state);
        let decision = by(&hierarchy);
        prop_assert!(decision == plain || decision == by(&built));
    }

    #[test]
    fn lasts_at_least_as_long_as_trail_max_promises(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules = rules(1 + u8::from(dice.below(4) == 0), 1 + dice.below(3) as u8, 1);
        let field = Field::new(&any_map(dice, 8), rules);
        let graph = &field.graph;
        let hierarchy = Hierarchy::new(graph);
        let guide = guide(&hierarchy, rules, 5000);
        let ground = Ground {
            hierarchy: Some(&hierarchy),
            guide: guide.as_ref(),
            ..graph.into()
        };
        let experiment = Experiment {
            ground,
            times: &*field.solution,
            arena: field.solution.arena(),
            seed: 0,
        };
        let mut starts = field.starts();
        starts.retain(|start| !start.cops.contains(&start.robber));
        starts.retain(|_| dice.below(4) == 0);
        let policy = || Box::new(GuidedRobber::new(u16::MAX, u16::MAX)) as _;
        let played = experiment.run(&starts, policy, || 0, |_| true).expect("legal moves");
        prop_assert_eq!(played.len(), starts.len());
        let mut search = TrailMax::new();
        for (start, played) in starts.iter().zip(&played) {
            let agent = |at, speed| Agent { at, speed };
            let cops: Vec<Agent> =
                start.cops.iter().map(|&cop| agent(cop, rules.cop_speed)).collect();
            let robber = agent(start.robber, rules.robber_speed);
            let state = State { robber, cops: &cops, to_move: Side::Cops };
            match search.solve(graph, &state).outcome {
                Outcome::Escapes | Outcome::Away(_) => prop_assert_eq!(played.survival, None),
                Outcome::Caught(Turns(turns)) => {
                    let least = 2 * u32::from(turns) - 1;
                    prop_assert!(played.survival.is_none_or(|plies| plies >= least), "{start:?}");
                    prop_assert!(played.optimum.is_none_or(|plies| plies >= least), "{start:?}");
                }
            }
        }
    }
}

fn agent(graph: &Graph, x: u16, y: u16) -> Agent {
    Agent {
        at: graph.vertex(Cell::new(x, y)).expect("free"),
        speed: Speed::ONE,
    }
}

#[test]
fn a_map_without_edges_has_no_guide() {
    let graph = Graph::new(&map(&[".#.", "###", ".#."]), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    assert!(guide(&hierarchy, Rules::default(), 1000).is_none());
    let one = Graph::new(&map(&[".."]), Moves::Octile);
    assert!(
        guide(&Hierarchy::new(&one), Rules::default(), 1000).is_none(),
        "the only level above has no edge"
    );
    let corridor = Graph::new(&map(&["............"]), Moves::Octile);
    assert!(
        guide(&Hierarchy::new(&corridor), Rules::default(), 1).is_none(),
        "too many positions"
    );
}

#[test]
fn robbers_that_are_caught_alone_or_walled_in_wait() {
    let graph = Graph::new(
        &map(&[
            "........", //
            "######..", "..#...#.", //
        ]),
        Moves::Octile,
    );
    let hierarchy = Hierarchy::new(&graph);
    let guide = guide(&hierarchy, Rules::default(), 10_000).expect("a level with edges");
    let ground = Ground {
        hierarchy: Some(&hierarchy),
        guide: Some(&guide),
        ..(&graph).into()
    };
    let open = agent(&graph, 3, 0);
    for (robber, cops) in [
        (open, &[][..]),
        (open, &[open]),
        (agent(&graph, 0, 2), &[open]),
    ] {
        for near in [0, 12, u16::MAX] {
            let state = State {
                robber,
                cops,
                to_move: Side::Robber,
            };
            let decision = decide(&mut GuidedRobber::new(near, near / 2), ground, &state);
            let is_free = cops.iter().all(|cop| cop.at != robber.at);
            assert!(is_legal_move(
                &graph,
                robber.at,
                decision.next_move(),
                Speed::ONE
            ));
            assert!(is_free || decision.next_move().is_empty());
        }
    }
}

#[test]
fn other_rules_than_the_guides_are_left_to_trail_max() {
    let dice = &mut Dice::new(2);
    let graph = Graph::new(&noise(dice, 16, 16, 15), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let guide = guide(&hierarchy, rules(1, 2, 1), 10_000).expect("a level");
    let ground = Ground {
        hierarchy: Some(&hierarchy),
        guide: Some(&guide),
        ..(&graph).into()
    };
    for speeds in [&[1][..], &[3], &[2, 2], &[2, 1]] {
        for _ in 0..20 {
            let (robber, cops) = chase::chase(&graph, dice, 1, speeds).expect("a vertex");
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Robber,
            };
            let plain = decide(&mut TrailMaxRobber::new(1), (&graph).into(), &state);
            let decision = decide(&mut GuidedRobber::new(0, 0), ground, &state);
            assert_eq!(decision.next_move(), plain.next_move());
        }
    }
    let vertices: Vec<Vertex> = graph.iter().collect();
    assert!(guide.vertices() < vertices.len());
}
