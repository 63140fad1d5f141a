//! The key of a robber's situation against the assembled situation.

use super::*;
use crate::search::Dice;
use crate::world::crowded::crowded;
use crate::world::situation::Situation;

#[test]
fn the_key_for_a_robber_is_that_of_its_situation() {
    let dice = &mut Dice::new(12);
    let (mut pursuit_positions, mut situation) =
        (PursuitPositions::default(), Situation::default());
    let (mut compared, mut left_out) = (0, 0);
    for _ in 0..150 {
        let world = crowded(dice);
        let facts = &world.facts;
        let pursuit = &facts.members.pursuits()[0];
        pursuit_positions.assemble(facts, pursuit);
        for (id, robber) in facts.agents(&pursuit.robbers) {
            let Some(at) = robber.next_vertex(&facts.graph) else {
                continue;
            };
            if robber.setup.sight.is_some() {
                continue;
            }
            for cops_moved in [false, true] {
                let is_known =
                    situation.of_robber(facts, pursuit, &pursuit_positions, id, cops_moved);
                assert!(is_known);
                match pursuit_positions.key_for_robber(facts, robber, at, cops_moved) {
                    Some(found) => {
                        assert_eq!(found, (situation.key, situation.turns_apart(facts)));
                        compared += 1;
                    }
                    None => left_out += 1,
                }
            }
        }
    }
    assert!(compared > 1000 && left_out > 0, "{compared} {left_out}");
}
