//! Two cops that a guide helps: against the optimal robber they are quicker than without.

use crate::common::field::Field;
use crate::common::level::{LIMIT, rules};
use crate::common::map;
use crate::tournament::{against_optimal, known, table};
use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::eval::{Played, Tournament};
use bevy_pursuit::map::TileMap;
use bevy_pursuit::policy::cop::CopKind;
use bevy_pursuit::policy::{Ground, GuideSolver};

/// Blocks that a robber can run round, with narrow streets between them.
fn blocks() -> TileMap {
    map(&[
        "....................",
        ".@@@@@@.@@@@@.@@@@@.",
        ".@@@@@@.@@@@@.@...@.",
        ".@@..@@.......@...@.",
        ".@@..@@.@@@@@.@@.@@.",
        "........@@@@@.......",
        ".@@@@@@.@@@@@.@@@@@.",
        ".@....@.......@@@@@.",
        ".@.@@@@.@@@@@.@@@@@.",
        "....................",
    ])
}

#[test]
fn a_guide_of_the_first_level_makes_two_cops_quicker() {
    let field = Field::new(&blocks(), rules(2, 1, 1));
    let hierarchy = Hierarchy::new(&field.graph);
    let table = table(&field);
    let guided = |positions| {
        let solver = GuideSolver::new(&hierarchy, rules(2, 1, 1), positions, LIMIT);
        let mut solver = solver.expect("memory").expect("a level");
        assert!(solver.run(|_| true).done);
        solver.finish().expect("solved")
    };
    let (fine, coarse) = (guided(u64::MAX), guided(20_000));
    assert!(coarse.vertices() < fine.vertices());
    let turns = |kind, guide| {
        let ground = Ground {
            hierarchy: Some(&hierarchy),
            guide,
            ..(&field.graph).into()
        };
        let tournament = Tournament {
            ground,
            ..known(&field, &table)
        };
        let contest = tournament.draw(150).expect("positions");
        let games = against_optimal(&tournament, &contest, kind);
        let turns = games.iter().map(|game| game.survival.map(Played::turns));
        turns.collect::<Vec<_>>()
    };
    let team = turns(CopKind::Team, None);
    let helped = turns(CopKind::Guided, Some(&fine));
    let sum = |all: &[Option<u32>]| {
        all.iter()
            .map(|turns| turns.expect("a capture"))
            .sum::<u32>()
    };
    assert!(
        sum(&helped) < sum(&team),
        "{} turns with a guide, {} without",
        sum(&helped),
        sum(&team)
    );
    // A coarser level would not help.
    assert_eq!(turns(CopKind::Guided, Some(&coarse)), team);
    assert_eq!(turns(CopKind::Guided, None), team);
}
