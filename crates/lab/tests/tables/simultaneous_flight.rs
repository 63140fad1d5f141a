//! The game with simultaneous moves: the robber where the cops cannot force a capture.

use super::simultaneous::{Slow, digraph, rules, solved};
use pursuit_engine::solve::simultaneous::MixedTable;
use pursuit_engine::table::Arena;
use pursuit_lab::graph::graph6;

/// Where the value is infinite, by definition: the positions from which cops that know the robber's strategy
/// capture with probability 1, and the positions from which the robber is never captured, whatever the cops do.
fn caught_and_safe(slow: &Slow, table: &MixedTable) -> (Vec<bool>, Vec<bool>) {
    let count = slow.positions();
    let turns: Vec<_> = (0..count).map(|index| slow.turn(index)).collect();
    let played = |index: usize| {
        let (robber, cops) = slow.split(index);
        let ball = slow.ball(robber, 1);
        let played = table.strategies_at(robber, &cops).expect("a position");
        let row = |(to, _)| ball.iter().position(|&at| at == to).expect("a legal move");
        played.robber.into_iter().map(row).collect::<Vec<_>>()
    };
    let played: Vec<Vec<usize>> = (0..count).map(played).collect();
    let mut safe = vec![true; count];
    let mut caught = vec![true; count];
    loop {
        let is_safe = |index: usize| {
            let is_row =
                |row: &Vec<Option<usize>>| row.iter().all(|to| to.is_some_and(|to| safe[to]));
            let (robber, cops) = slow.split(index);
            !cops.contains(&robber) && turns[index].iter().any(is_row)
        };
        let next: Vec<bool> = (0..count).map(is_safe).collect();
        let mut reached = vec![false; count];
        loop {
            let makes_way = |index: usize| {
                let (robber, cops) = slow.split(index);
                let mut columns = 0..turns[index][0].len();
                let steps = |column: usize| played[index].iter().map(move |&row| (row, column));
                let to = |(row, column): (usize, usize)| turns[index][row][column];
                cops.contains(&robber)
                    || columns.any(|column| {
                        steps(column).all(|step| to(step).is_none_or(|to| caught[to]))
                            && steps(column).any(|step| to(step).is_none_or(|to| reached[to]))
                    })
            };
            let more: Vec<bool> = (0..count).map(makes_way).collect();
            if more == reached {
                break;
            }
            reached = more;
        }
        if next == safe && reached == caught {
            return (caught, safe);
        }
        (safe, caught) = (next, reached);
    }
}

#[test]
fn a_robber_that_can_stay_free_does() {
    let list = include_str!("../../../testkit/data/connected_up_to_6.g6");
    let fork = "0-1 0-2 0-3 3-1 3-2 1-4 4-5 5-6 6-7 7-2";
    let (mut safe_positions, mut free, mut lost) = (0, 0, 0);
    for line in list.lines().chain([fork]) {
        let graph = graph6::parse(line).unwrap_or_else(|_| {
            let ends = |edge: &str| {
                let (a, b) = edge.split_once('-').expect("an edge");
                (a.parse().expect("a vertex"), b.parse().expect("a vertex"))
            };
            digraph(&line.split(' ').map(ends).collect::<Vec<_>>(), 8)
        });
        let solution = solved(Arena::of_digraph(&graph), rules(1, 1), 0.01);
        let exploitability = solution.exploitability(|| true).expect("to the end");
        let table = MixedTable::of(&solution, exploitability);
        let slow = Slow::new(&graph, rules(1, 1));
        let (caught, safe) = caught_and_safe(&slow, &table);
        let mut is_caught = false;
        for index in 0..slow.positions() {
            let (robber, cops) = slow.split(index);
            let value = table.value_at(robber, &cops).expect("a position");
            if value.upper.is_finite() {
                assert!(caught[index] && !safe[index], "{line} {robber} {cops:?}");
                continue;
            }
            is_caught |= caught[index];
            if safe[index] {
                safe_positions += 1;
                assert!(!caught[index], "{line} {robber} {cops:?}");
                let turn = slow.turn(index);
                let ball = slow.ball(robber, 1);
                for (to, _) in table.strategies_at(robber, &cops).expect("it").robber {
                    let row = ball.iter().position(|&at| at == to).expect("legal");
                    let stays = turn[row].iter().all(|to| to.is_some_and(|to| safe[to]));
                    assert!(stays, "{line} {robber} {cops:?} {to}");
                }
            } else if caught[index] {
                lost += 1;
            } else {
                free += 1;
            }
        }
        let expected = f64::from(u8::from(is_caught));
        assert!(exploitability.robber < 0.02 || exploitability.robber.total_cmp(&expected).is_eq());
        assert_eq!(is_caught, exploitability.robber >= 1.0, "{line}");
    }
    println!("{safe_positions} {free} {lost}");
}
