//! The choice of a target against looking at all candidates.

use super::*;
use crate::search::Dice;
use crate::world::crowded::crowded;

#[test]
fn the_best_target_is_that_of_a_comparison_of_all_candidates() {
    let dice = &mut Dice::new(11);
    let (mut reached, mut apart, mut unknown) = (0, 0, 0);
    for _ in 0..150 {
        let world = crowded(dice);
        let facts = &world.facts;
        let pursuit = &facts.members.pursuits()[0];
        let maps = facts.hierarchy().filter(|_| dice.below(4) > 0);
        let maps = maps.map(|all| WalkingMaps::new(&facts.graph, all, 40, MEASURING));
        let mut targets = Targets::default();
        facts.collect_candidates(pursuit, maps, &mut targets);
        let banned = dice.below(4);
        for (_, cop) in facts.agents(&pursuit.cops) {
            let may_be = |candidate: &ChaseableRobber| candidate.index % 4 != banned;
            let here = TargetSpot::new(facts, maps, cop, cop.setup.cell);
            let best = targets.best(facts, maps, cop, &here, may_be);
            let Targets {
                candidates,
                distances,
                ..
            } = &mut targets;
            let rank = |candidate: &ChaseableRobber| {
                let mut alone = Comparison {
                    facts,
                    maps,
                    target: cop.target,
                    speed: cop.setup.speed.steps().into(),
                    here: &here,
                    may_connect: true,
                    distances: &mut *distances,
                    best: None,
                };
                alone.consider(candidate);
                alone.best
            };
            let allowed = candidates.iter().filter(|candidate| may_be(candidate));
            let known = allowed.clone().filter_map(rank).min();
            let expected = known.map(|(.., robber)| robber);
            // A cop goes on searching for the same one.
            let kept = allowed.clone().find(|it| Some(it.robber) == cop.target);
            let other = kept.or_else(|| allowed.clone().next());
            let expected = expected.or_else(|| other.map(|candidate| candidate.robber));
            assert_eq!(best, expected);
            match known {
                Some((false, ..)) => reached += 1,
                Some((true, ..)) => apart += 1,
                None => unknown += usize::from(best.is_some()),
            }
        }
    }
    assert!(
        reached > 100 && apart > 100 && unknown > 100,
        "{reached} {apart} {unknown}"
    );
}
