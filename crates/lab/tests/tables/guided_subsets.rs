//! Tests of three cops that play from a table of pairs and are helped by a retract for three.

use super::subsets::{Accuracy, bound, least_value, move_all, solve};
use crate::common::chase;
use crate::common::level::rules;
use crate::common::replies::replies;
use pursuit_engine::game::{Agent, Outcome, Side, State, Turns, Value, is_legal_move};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Moves, Terrain, TileMap};
use pursuit_engine::policy::{
    Decision, Ground, Merge, RetractGuide, RetractGuideSolver, SubsetGuide, SubsetPlayer,
};
use pursuit_engine::search::Dice;
use pursuit_engine::table::Solution;

/// The largest retract of a map for some cops.
fn retract(graph: &Graph, cops: u8) -> Option<RetractGuide> {
    let solver = RetractGuideSolver::new(graph, rules(cops, 1, 1), u64::MAX, 1 << 30);
    let mut solver = solver.expect("a small map")?;
    solver.run(|_| true);
    solver.finish()
}

/// Open ground with some walls, its pairs, and a retract for three if it has one.
fn ground(dice: &mut Dice, walls: usize) -> (Graph, Solution, Option<RetractGuide>) {
    let map = chase::noise(dice, 13, 12, walls);
    let graph = Graph::new(&map, Moves::Octile);
    let pairs = solve(&graph, rules(2, 1, 1));
    let guide = retract(&graph, 3);
    (graph, pairs, guide)
}

fn state(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

#[test]
fn the_cops_capture_within_what_they_announce_whatever_the_robber_does() {
    let dice = &mut Dice::new(1);
    let (mut games, mut differ, mut loose) = (0, 0, 0);
    for _ in 0..12 {
        let (graph, pairs, Some(guide)) = &ground(dice, 12) else {
            continue;
        };
        let arena = pairs.arena().as_ref();
        for _ in 0..20 {
            let count = 3 + dice.below(3);
            let speeds = vec![1; count];
            let (mut robber, mut cops) = chase::chase(graph, dice, 1, &speeds).expect("a vertex");
            let mut player = SubsetPlayer::new(Merge::Search);
            let mut alone = SubsetPlayer::new(Merge::Search);
            // From a few moves that are compared to all.
            let budget = [1_000, 4_000, 7_500, u64::MAX][dice.below(4)];
            player.limit_work(budget);
            alone.limit_work(budget);
            let mut announced = None;
            while cops.iter().all(|cop| cop.at != robber.at) {
                let state = state(robber, &cops);
                let retract = guide;
                let guide = SubsetGuide { retract, announced };
                let (mut out, mut unguided) = (Vec::new(), Vec::new());
                let least = least_value(pairs, robber.at, &cops);
                if !player.guided_cops(pairs, arena, graph, &state, Some(guide), &mut out) {
                    assert_eq!(least, Outcome::Escapes);
                    break;
                }
                assert!(player.expansions() < budget.saturating_add(2_000));
                alone.cops(pairs, arena, graph, &state, &mut unguided);
                differ += u32::from(out.iter().zip(&unguided).any(|(a, b)| a.path != b.path));
                let now = bound(&out[0]);
                assert!(
                    announced.is_none_or(|before| now < before),
                    "{now:?} after {announced:?}"
                );
                assert!(Outcome::Caught(now) >= least);
                loose += u32::from(Outcome::Caught(now) > least);
                for (cop, decision) in cops.iter().zip(&out) {
                    assert!(is_legal_move(
                        graph,
                        cop.at,
                        decision.next_move(),
                        cop.speed
                    ));
                    assert_eq!(decision.value, out[0].value);
                }
                announced = Some(now);
                move_all(&mut cops, &out);
                let all = replies(graph, robber, &cops);
                if cops.iter().any(|cop| cop.at == robber.at) {
                    games += 1;
                    break;
                }
                for &reply in &all {
                    let left = least_value(pairs, reply, &cops);
                    assert!(
                        left < Outcome::Caught(now),
                        "{left:?} of {now:?} after {reply:?}"
                    );
                }
                robber.at = dice.pick(&all).expect("waiting");
            }
        }
    }
    assert!(
        games > 150 && differ > 30 && loose > 100,
        "{games} {differ} {loose}"
    );
}

#[test]
fn the_order_of_the_cops_does_not_matter_with_a_guide() {
    let dice = &mut Dice::new(2);
    let mut compared = 0;
    for _ in 0..6 {
        let (graph, pairs, Some(retract)) = &ground(dice, 12) else {
            continue;
        };
        let guide = SubsetGuide {
            retract,
            announced: Some(Turns(40)),
        };
        for _ in 0..20 {
            let (robber, mut cops) = chase::chase(graph, dice, 1, &[1; 3]).expect("a vertex");
            let decide = |cops: &[Agent]| {
                let mut out = Vec::new();
                let mut player = SubsetPlayer::new(Merge::Search);
                let (arena, state) = (pairs.arena().as_ref(), state(robber, cops));
                player.guided_cops(pairs, arena, graph, &state, Some(guide), &mut out);
                let mut moves: Vec<_> = cops.iter().map(|cop| cop.at).zip(out).collect();
                moves.sort_by_key(|(at, decision)| (*at, decision.path.clone()));
                moves
            };
            let first = decide(&cops);
            cops.rotate_left(1);
            assert_eq!(first, decide(&cops));
            cops.swap(0, 1);
            assert_eq!(first, decide(&cops));
            compared += usize::from(!first.is_empty());
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_guide_for_another_map_or_other_rules_has_no_effect() {
    let map = chase::noise(&mut Dice::new(3), 13, 12, 12);
    let graph = Graph::new(&map, Moves::Octile);
    let mut walled = map.clone();
    let floor = map.cells().find(|&cell| map.is_passable(cell));
    walled.set(floor.expect("floor"), Terrain::Wall);
    let other = Graph::new(&walled, Moves::Octile);
    let pairs = solve(&graph, rules(2, 1, 1));
    let fit = retract(&graph, 3).expect("the map folds");
    let foreign = [retract(&graph, 2), retract(&other, 3)].map(|guide| guide.expect("a retract"));
    let dice = &mut Dice::new(3);
    let (mut compared, mut announces) = (0, 0);
    for _ in 0..60 {
        let (robber, cops) = chase::chase(&graph, dice, 1, &[1; 3]).expect("a vertex");
        let decide = |retract: Option<&RetractGuide>, merge| {
            let mut out: Vec<Decision> = Vec::new();
            let guide = retract.map(|retract| SubsetGuide {
                retract,
                announced: None,
            });
            let (arena, state) = (pairs.arena().as_ref(), state(robber, &cops));
            SubsetPlayer::new(merge).guided_cops(&pairs, arena, &graph, &state, guide, &mut out);
            out
        };
        let alone = decide(None, Merge::Search);
        for guide in &foreign {
            assert_eq!(decide(Some(guide), Merge::Search), alone);
        }
        // Without a search, no move is compared.
        assert_eq!(decide(Some(&fit), Merge::Rules), decide(None, Merge::Rules));
        let value = |out: &[Decision]| out.first().and_then(|decision| decision.value);
        let is_bound = matches!(value(&alone), Some(Value::AtMost(_)));
        announces +=
            usize::from(is_bound && value(&decide(Some(&fit), Merge::Search)) != value(&alone));
        compared += usize::from(!alone.is_empty());
    }
    assert!(compared > 40 && announces > 5, "{compared} {announces}");
}

/// Asserts a least share of equal first moves and a greatest mean ratio; in the worst game, 1.3 times the optimum.
fn assert_near_the_optimum(map: &TileMap, positions: u32, (share, mean): (f64, f64)) {
    let graph = &Graph::new(map, Moves::Octile);
    let guide = retract(graph, 3).expect("the map folds");
    let ground = Ground {
        retract: Some(&guide),
        ..Ground::from(graph)
    };
    let found = Accuracy::with_guide(ground, 3, Merge::Search, positions);
    assert!(
        found.share() >= share && found.mean() <= mean && found.worst <= 1.3,
        "{found:?}"
    );
}

#[test]
fn three_cops_with_a_guide_on_noise_are_nearly_optimal() {
    let map = chase::noise(&mut Dice::new(5), 9, 9, 12);
    assert_near_the_optimum(&map, 100, (0.97, 1.01));
}

mod reference {
    use super::*;

    #[test]
    #[ignore = "for release builds"]
    fn three_cops_with_a_guide_on_larger_noise_are_nearly_optimal() {
        for seed in [5, 6] {
            let map = chase::noise(&mut Dice::new(seed), 14, 14, 15);
            assert_near_the_optimum(&map, 300, (0.97, 1.01));
        }
    }
}
