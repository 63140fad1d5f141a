//! The cops that a robber regards against all cops.

use super::*;
use crate::search::Dice;
use crate::world::crowded::crowded;
use crate::world::moves::nearest;
use crate::world::pursuit::PursuitIndex;

#[test]
fn cops_that_are_left_out_are_never_the_nearest() {
    let dice = &mut Dice::new(13);
    let (mut chooser, mut left_out) = (Chooser::default(), 0);
    for _ in 0..150 {
        let world = crowded(dice);
        let facts = &world.facts;
        let pursuit = &facts.members.pursuits()[0];
        chooser.begin_robbers(facts, PursuitIndex(0));
        let cops = facts
            .agents(&pursuit.cops)
            .map(|(_, cop)| facts.next_cell(cop));
        let cops: Vec<Cell> = cops.filter(|&cell| facts.graph.is_on_map(cell)).collect();
        for (_, robber) in facts.agents(&pursuit.robbers) {
            chooser.list_near_cops(facts, pursuit, robber);
            left_out += cops.len() - chooser.cells.len();
            let here = robber.setup.cell;
            let steps = i32::from(robber.setup.speed.steps());
            for (dx, dy) in (-steps..=steps).flat_map(|dx| (-steps..=steps).map(move |dy| (dx, dy)))
            {
                if let Some(end) = here.offset(dx, dy) {
                    assert_eq!(nearest(end, &chooser.cells), nearest(end, &cops));
                }
            }
            let is_near = |cell: &&Cell| cell.max_norm(here) <= NEAR;
            let near = cops.iter().filter(is_near);
            assert!(
                near.eq(chooser.cells.iter().filter(is_near)),
                "in the same order"
            );
        }
    }
    assert!(left_out > 1000, "{left_out}");
}
