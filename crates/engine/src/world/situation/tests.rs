//! Which cops a robber in a crowd leaves out.

use super::*;
use crate::search::Dice;
use crate::world::crowded::crowded;

#[test]
fn cops_that_are_left_out_cannot_meet_the_robber_in_time() {
    let dice = &mut Dice::new(14);
    let (mut pursuit_positions, mut all, mut part) = (
        PursuitPositions::default(),
        Situation::default(),
        Situation::default(),
    );
    let (mut left_out, mut kept) = (0, 0);
    for _ in 0..150 {
        let world = crowded(dice);
        let facts = &world.facts;
        let pursuit = &facts.members.pursuits()[0];
        pursuit_positions.assemble(facts, pursuit);
        let turns = 1 + dice.below(6) as u32;
        for &id in &pursuit.robbers {
            if !all.of_robber(facts, pursuit, &pursuit_positions, id, true) {
                continue;
            }
            part.of_robber(facts, pursuit, &pursuit_positions, id, true);
            part.leave_out_distant_cops(facts, turns);
            assert_eq!(part.key, all.key);
            let is_part = part.missing == Missing::Distant;
            assert_eq!(is_part, part.cops.len() < all.cops.len());
            let robber = all.robber.expect("a robber");
            let here = facts.graph.cell(robber.at);
            let apart = |cop: &game::Agent| facts.graph.cell(cop.at).max_norm(here);
            let nearest = all.cops.iter().map(apart).min().unwrap_or(0);
            // The lists without the cops that are left out, in the same order.
            let mut rest = part
                .cops
                .iter()
                .zip(&part.ids)
                .zip(&part.runners)
                .peekable();
            for cop in all.cops.iter().zip(&all.ids).zip(&all.runners) {
                if rest.peek() == Some(&cop) {
                    rest.next();
                    kept += 1;
                    continue;
                }
                let ((cop, _), _) = cop;
                let steps = u32::from(cop.speed.steps()) + u32::from(robber.speed.steps());
                assert!(apart(cop) > turns * steps && apart(cop) > 2 * nearest);
                left_out += 1;
            }
            assert_eq!(rest.next(), None);
        }
    }
    assert!(left_out > 1000 && kept > 1000, "{left_out} {kept}");
}
