//! Tables of graphs whose capture times are known from graph theory.

use crate::common::level;
use level::{PursuitLevel, rules};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::map::{Moves, Terrain, TileMap};

/// The number of turns in which the cops capture a robber that chooses its place after them.
fn search_time(level: &PursuitLevel, cops: u8) -> Option<u32> {
    let values = level.values(&level.solve(rules(cops, 1, 1)));
    let worst = |robbers: &[Option<u32>]| {
        let finite: Option<Vec<u32>> = robbers.iter().copied().collect();
        finite.and_then(|values| values.into_iter().max())
    };
    values.chunks(level.out.len()).filter_map(worst).min()
}

fn path(n: usize) -> PursuitLevel {
    let edges: Vec<_> = (1..n).map(|a| (a - 1, a)).collect();
    PursuitLevel::of_arcs(n, &edges, true)
}

fn cycle(n: usize) -> PursuitLevel {
    let edges: Vec<_> = (0..n).map(|a| (a, (a + 1) % n)).collect();
    PursuitLevel::of_arcs(n, &edges, true)
}

#[test]
fn the_petersen_graph_takes_three_cops() {
    let edges = (0..5).flat_map(|a| [(a, (a + 1) % 5), (a, a + 5), (a + 5, (a + 2) % 5 + 5)]);
    let petersen = PursuitLevel::of_arcs(10, &edges.collect::<Vec<_>>(), true);
    assert_eq!(search_time(&petersen, 1), None);
    assert_eq!(search_time(&petersen, 2), None);
    assert!(search_time(&petersen, 3).is_some());
    assert_eq!(petersen.solve(rules(3, 1, 1)).escapes(), 0);
}

#[test]
fn two_cops_search_a_grid_in_half_the_way_across() {
    for m in 2..=7_u16 {
        for n in m..=7_u16 {
            for (width, height) in [(m, n), (n, m)] {
                let map = TileMap::filled(width, height, Terrain::Floor).expect("a grid");
                let time = search_time(&PursuitLevel::of_map(&map, Moves::Orthogonal), 2);
                assert_eq!(time, Some(u32::from(m + n - 2) / 2), "{width} x {height}");
            }
        }
    }
}

#[test]
fn a_cop_searches_a_path_from_its_middle() {
    for n in 1..=140 {
        assert_eq!(search_time(&path(n), 1), Some(n as u32 / 2), "{n}");
    }
}

#[test]
fn a_long_path_takes_more_turns_than_a_byte_holds() {
    let level = path(700);
    let solution = level.solve(rules(1, 1, 1));
    for (robber, cop, turns) in [
        (699, 0, 699),
        (2, 0, 699),
        (1, 0, 1),
        (254, 0, 699),
        (5, 258, 258),
    ] {
        let value = solution.value(level.vertices[robber], &[level.vertices[cop]]);
        assert_eq!(value, Some(Outcome::Caught(Turns(turns))), "{robber} {cop}");
    }
    assert_eq!((solution.longest(), solution.escapes()), (Turns(699), 0));
    assert_eq!(solution.histogram().iter().sum::<u64>(), 700 * 700);
}

#[test]
fn a_cycle_takes_two_cops() {
    for n in 4..=20_usize {
        let level = cycle(n);
        let one = level.solve(rules(1, 1, 1));
        // Only a robber on the cop or beside it is captured.
        assert_eq!(one.histogram(), [n as u64, 2 * n as u64], "{n}");
        assert_eq!(one.escapes(), (n * (n - 3)) as u64);
        assert_eq!(level.solve(rules(2, 1, 1)).escapes(), 0, "{n}");
    }
}

proptest! {
    #[test]
    fn a_cop_searches_a_tree_from_its_centre(
        parents in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let edges = parents.iter().enumerate().map(|(a, parent)| (parent.index(a + 1), a + 1));
        let tree = PursuitLevel::of_arcs(parents.len() + 1, &edges.collect::<Vec<_>>(), true);
        let farthest = |from: usize| {
            let (mut rim, mut seen, mut steps) = (vec![from], vec![from], 0);
            loop {
                let next = rim.iter().flat_map(|&at| tree.out[at].clone());
                rim = next.filter(|at| !seen.contains(at)).collect();
                if rim.is_empty() {
                    return steps;
                }
                seen.extend(&rim);
                steps += 1;
            }
        };
        let radius = (0..tree.out.len()).map(farthest).min();
        prop_assert_eq!(search_time(&tree, 1), radius);
    }
}
