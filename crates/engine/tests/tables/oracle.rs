//! Tests of the slow game: against values known by hand, and against the plainest definition there
//! is.

use crate::common;
use common::fixpoint::SlowGame;
use proptest::prelude::*;

fn game(out: &[Vec<usize>], cops: usize) -> SlowGame<'_> {
    SlowGame {
        out,
        cops,
        cop_speed: 1,
        robber_speed: 1,
    }
}

fn path(n: usize) -> Vec<Vec<usize>> {
    let near = |a: usize| (0..n).filter(|&b| a.abs_diff(b) == 1).collect();
    (0..n).map(near).collect()
}

fn cycle(n: usize) -> Vec<Vec<usize>> {
    (0..n).map(|a| vec![(a + 1) % n, (a + n - 1) % n]).collect()
}

/// The outer cycle 0 to 4, the star 5 to 9, and the spokes between them.
fn petersen() -> Vec<Vec<usize>> {
    let outer = (0..5).map(|a| vec![(a + 1) % 5, (a + 4) % 5, a + 5]);
    let inner = (0..5).map(|a| vec![5 + (a + 2) % 5, 5 + (a + 3) % 5, a]);
    outer.chain(inner).collect()
}

#[test]
fn a_cop_drives_the_robber_to_the_end_of_a_path() {
    let path = path(4);
    let game = game(&path, 1);
    let values = game.solve();
    let value = |robber, cop| values[game.index(robber, &[cop])];
    assert_eq!(value(2, 2), Some(0));
    assert_eq!(value(1, 0), Some(1), "beside the cop");
    assert_eq!(value(2, 0), Some(3), "0-1, 2-3, 1-2, stays, 2-3");
    assert_eq!(value(3, 0), Some(3));
    assert_eq!(value(0, 1), Some(1));
    let values = game.solve_robber_to_move();
    let value = |robber, cop| values[game.index(robber, &[cop])];
    assert_eq!(value(1, 0), Some(3), "runs to 2");
    assert_eq!(value(3, 2), Some(1), "at the wall");
    assert_eq!(value(2, 2), Some(0));
    assert!(game.cops_win());
}

#[test]
fn in_a_triangle_one_turn_is_enough() {
    let triangle = cycle(3);
    let game = game(&triangle, 1);
    for (index, value) in game.solve().into_iter().enumerate() {
        let (robber, cop) = (index % 3, index / 3);
        assert_eq!(value, Some(u32::from(robber != cop)));
    }
}

#[test]
fn a_cycle_of_four_takes_two_cops_or_a_faster_one() {
    let cycle = cycle(4);
    let one = game(&cycle, 1);
    let values = one.solve();
    assert_eq!(values[one.index(2, &[0])], None);
    assert_eq!(values[one.index(1, &[0])], Some(1));
    assert!(!one.cops_win());
    let two = game(&cycle, 2);
    let values = two.solve();
    assert_eq!(values[two.index(2, &[0, 0])], Some(2));
    assert_eq!(values[two.index(2, &[1, 0])], Some(1));
    assert!(two.cops_win());
    let fast = SlowGame {
        cop_speed: 2,
        ..game(&cycle, 1)
    };
    assert_eq!(fast.solve()[fast.index(2, &[0])], Some(1));
}

#[test]
fn a_faster_robber_cannot_pass_a_cop() {
    let path = path(5);
    let fast = SlowGame {
        robber_speed: 2,
        ..game(&path, 1)
    };
    let after = fast.solve_robber_to_move();
    assert_eq!(after[fast.index(0, &[1])], Some(1), "no way out of the end");
    let cycle = cycle(5);
    let around = SlowGame {
        robber_speed: 2,
        ..game(&cycle, 2)
    };
    let after = around.solve_robber_to_move();
    assert_eq!(after[around.index(1, &[0, 3])], Some(1), "only to 2");
}

#[test]
fn arcs_lead_one_way_only() {
    let out = vec![vec![1], vec![2], vec![0]];
    let game = game(&out, 1);
    let values = game.solve();
    assert_eq!(values[game.index(1, &[0])], Some(1));
    assert_eq!(values[game.index(2, &[0])], None, "the cop runs after it");
}

#[test]
fn the_petersen_graph_takes_three_cops() {
    let petersen = petersen();
    assert!(!game(&petersen, 2).cops_win());
    assert!(game(&petersen, 3).cops_win());
    assert!(game(&petersen, 3).solve().iter().all(Option::is_some));
}

/// Returns whether the cops can capture the robber within some turns, straight from the rules and
/// position by position.
fn captured_within(turns: u32, game: &SlowGame, robber: usize, cops: &[usize]) -> bool {
    if cops.contains(&robber) {
        return true;
    }
    turns > 0
        && all_moves(game, cops).iter().any(|cops| {
            cops.contains(&robber) || caught_on_all_ways(turns - 1, game, robber, cops, 0)
        })
}

fn caught_on_all_ways(
    turns: u32,
    game: &SlowGame,
    robber: usize,
    cops: &[usize],
    taken: u8,
) -> bool {
    let goes_on = || {
        let mut next = game.out[robber].iter();
        next.all(|&next| caught_on_all_ways(turns, game, next, cops, taken + 1))
    };
    cops.contains(&robber)
        || captured_within(turns, game, robber, cops) && (taken == game.robber_speed || goes_on())
}

/// All joint moves. Each cop takes up to `cop_speed` steps, one cop after another.
fn all_moves(game: &SlowGame, cops: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![cops.to_vec()];
    for cop in 0..cops.len() {
        for _ in 0..game.cop_speed {
            for mut moved in all.clone() {
                let from = moved[cop];
                for &to in &game.out[from] {
                    moved[cop] = to;
                    all.push(moved.clone());
                }
            }
        }
    }
    all
}

proptest! {
    #[test]
    fn same_as_definition(
        arcs in prop::collection::vec((0..4_usize, 0..4_usize), 0..10),
        cops in 1..=2_usize,
        cop_speed in 1..=2_u8,
        robber_speed in 1..=2_u8,
    ) {
        let mut out = vec![Vec::new(); 4];
        for (tail, head) in arcs {
            if tail != head && !out[tail].contains(&head) {
                out[tail].push(head);
            }
        }
        let game = SlowGame { out: &out, cops, cop_speed, robber_speed };
        let (to_move, after) = (game.solve(), game.solve_robber_to_move());
        prop_assert_eq!(to_move.len(), 4_usize.pow(cops as u32 + 1));
        for code in 0..to_move.len() {
            let robber = code % 4;
            let place = |cop| code / 4_usize.pow(cop as u32 + 1) % 4;
            let places: Vec<usize> = (0..cops).map(place).collect();
            let index = game.index(robber, &places);
            prop_assert_eq!(index, code);
            for turns in 0..3 {
                let expected = captured_within(turns, &game, robber, &places);
                prop_assert_eq!(to_move[index].is_some_and(|value| value <= turns), expected);
                let expected = caught_on_all_ways(turns, &game, robber, &places, 0);
                prop_assert_eq!(after[index].is_some_and(|value| value <= turns), expected);
            }
        }
    }
}
