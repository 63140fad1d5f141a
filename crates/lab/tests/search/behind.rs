//! Outdated or foreign hierarchies, guides and tables: no policy panics, makes an illegal move or
//! promises too much.

use crate::common::best_moves;
use crate::common::chase;
use crate::common::level;
use crate::field;
use chase::{any_map, edits};
use field::Field;
use level::rules;
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, State, Value, is_legal_move};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::Moves;
use pursuit_engine::policy::GuidedRobber;
use pursuit_engine::policy::{Decision, Ground, GuideSolver, Source};
use pursuit_engine::search::{DaTrailMax, Dice, FOUND, STALE, SlicedSearch as _, TrailMax};
use pursuit_lab::RobberPolicy;
use pursuit_lab::robber::{DialledRobber, Difficulty, OptimalRobber, RobberKind};
use std::sync::Arc;

fn moves(dice: &mut Dice) -> Moves {
    [Moves::Octile, Moves::Orthogonal][dice.below(2)]
}

fn agents(graph: &Graph, dice: &mut Dice) -> Option<(Agent, Vec<Agent>)> {
    let speeds: Vec<u8> = (0..=dice.below(3))
        .map(|_| 1 + dice.below(2) as u8)
        .collect();
    let speed = 1 + dice.below(2) as u8;
    chase::chase(graph, dice, speed, &speeds)
}

fn robber_to_move(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Robber,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_search_notices_that_the_map_has_changed(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 14), moves(dice));
        let mut hierarchy = Hierarchy::new(&graph);
        let Some((robber, cops)) = agents(&graph, dice) else { return Ok(()) };
        let state = robber_to_move(robber, &cops);
        let (mut whole, mut by_levels) = (TrailMax::new(), DaTrailMax::new(4, seed));
        whole.begin(&graph, &state);
        by_levels.begin(&graph, Some(&hierarchy), &state);
        let budget = dice.below(20) as u32;
        let was_done = whole.advance(&graph, None, budget) == FOUND;
        let levels_were_done = by_levels.advance(&graph, Some(&hierarchy), budget) == FOUND;
        let before = graph.fingerprint();
        let delta = graph.apply(&edits(&graph, dice, 6));
        if dice.below(2) == 0 {
            hierarchy.apply(&graph, &delta);
        }
        if graph.fingerprint() == before {
            return Ok(());
        }
        let progress = whole.advance(&graph, None, 1000);
        prop_assert_eq!(progress, if was_done { FOUND } else { STALE });
        let mut path = Vec::new();
        if !was_done {
            whole.best_so_far(&graph, &mut path);
        }
        prop_assert!(path.is_empty() && (was_done || whole.plan().is_none()));
        let progress = by_levels.advance(&graph, Some(&hierarchy), 1000);
        prop_assert!(progress == STALE || levels_were_done);
    }

    #[test]
    fn robbers_go_without_a_hierarchy_that_is_behind(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 14), moves(dice));
        let hierarchy = match dice.below(3) {
            0 => Hierarchy::new(&Graph::new(&any_map(dice, 20), moves(dice))),
            _ => Hierarchy::new(&graph),
        };
        graph.apply(&edits(&graph, dice, 6));
        let Some((robber, cops)) = agents(&graph, dice) else { return Ok(()) };
        let state = robber_to_move(robber, &cops);
        let ground = Ground { hierarchy: Some(&hierarchy), ..(&graph).into() };
        let kinds = ["datrailmax:1:4", "datrailmax:5:4", "guided", "dam", "dam1", "randombeacons:5:1"];
        let mut search = TrailMax::new();
        for kind in kinds {
            let kind: RobberKind = kind.parse().expect("a kind");
            let mut policy = kind.policy();
            policy.restart(seed);
            let mut decision = Decision::wait(Source::Greedy);
            policy.decide(ground, &state, &mut decision);
            let speed = robber.speed;
            prop_assert!(is_legal_move(&graph, robber.at, decision.next_move(), speed), "{}", kind);
            if decision.value == Some(Value::Exact(Outcome::Escapes)) {
                let plan = search.solve(&graph, &state);
                prop_assert_eq!(plan.outcome, Outcome::Escapes, "{}", kind);
            }
        }
    }

    #[test]
    fn nobody_promises_more_than_the_optimum(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let rules: Rules = rules(1, 1 + dice.below(2) as u8, 1);
        let field = Field::new(&any_map(dice, 8), rules);
        let (graph, arena) = (&field.graph, field.solution.arena());
        let hierarchy = Hierarchy::new(graph);
        let mut solver = GuideSolver::new(&hierarchy, rules, 5000, 1 << 28).expect("memory");
        let guide = solver.take().and_then(|mut solver| {
            solver.run(|_| true);
            solver.finish()
        });
        let ground = Ground { hierarchy: Some(&hierarchy), guide: guide.as_ref(), ..graph.into() };
        let speeds = [rules.cop_speed.steps()];
        let Some((robber, cops)) = chase::chase(graph, dice, 1, &speeds) else { return Ok(()) };
        let state = robber_to_move(robber, &cops);
        let (optimum, _) = best_moves::of_robber(&*field.solution, arena, graph, &state);
        let optimal = || OptimalRobber::new(Arc::clone(&field.solution) as _, Arc::clone(arena));
        let near = Difficulty { look_ahead: Some(2.0), ..Difficulty::level(1.0) };
        let late = Difficulty { reaction: 1.0, ..Difficulty::level(1.0) };
        let mut policies: Vec<Box<dyn RobberPolicy>> = vec![
            Box::new(GuidedRobber::default()),
            Box::new(GuidedRobber::new(2, 1)),
            Box::new(DialledRobber::new(optimal(), near)),
            Box::new(DialledRobber::new(optimal(), late)),
            Box::new(optimal()),
        ];
        for (index, policy) in policies.iter_mut().enumerate() {
            policy.restart(seed);
            let mut decision = Decision::wait(Source::Greedy);
            policy.decide(ground, &state, &mut decision);
            match decision.value {
                Some(Value::Exact(value)) => prop_assert_eq!(value, optimum, "{}", index),
                Some(Value::AtLeast(value)) => prop_assert!(value <= optimum, "{}", index),
                Some(Value::AtMost(value)) => prop_assert!(value >= optimum, "{}", index),
                None => {}
            }
        }
    }
}
