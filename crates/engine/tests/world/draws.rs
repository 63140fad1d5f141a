//! Moves drawn from tables of mixed strategies: their frequencies, and how long chases take.

use crate::common;
use crate::common::hall::{agent, external, settings, tick};
use crate::common::mixed::{
    Chase, DRAWN, add, caught_in, cell, decided_by, goal, grid, play_out, rules, table, value,
    world,
};
use pursuit_engine::game::{Side, Speed, is_legal_move};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::solve::simultaneous::MixedValue;
use pursuit_engine::world::{
    AgentSetup, Control, PursuitClock, PursuitSettings, PursuitWorld, Reason,
};
use std::collections::BTreeMap;

fn squared(number: f64) -> f64 {
    number * number
}

/// The mean, and its standard error.
fn mean(turns: &[u64]) -> (f64, f64) {
    let count = turns.len() as f64;
    let mean = turns.iter().sum::<u64>() as f64 / count;
    let squares = turns.iter().map(|&turns| squared(turns as f64 - mean));
    (mean, (squares.sum::<f64>() / (count - 1.0) / count).sqrt())
}

/// Fails if counts differ from their probabilities by more than chance explains: Pearson's statistic is more than six
/// standard deviations above its mean. What is expected less than five times counts as one case.
fn assert_likely<K: Ord>(found: &BTreeMap<K, u64>, expected: &BTreeMap<K, f64>) {
    let all = found.values().sum::<u64>() as f64;
    for key in found.keys() {
        assert!(expected.contains_key(key), "only moves of the table");
    }
    let (mut statistic, mut cases, mut rare) = (0.0, 0.0, (0.0, 0.0));
    for (key, share) in expected {
        let (found, expected) = (found.get(key).copied().unwrap_or(0) as f64, share * all);
        if expected < 5.0 {
            rare = (rare.0 + found, rare.1 + expected);
        } else {
            statistic += squared(found - expected) / expected;
            cases += 1.0;
        }
    }
    statistic += squared(rare.0 - rare.1) / rare.1.max(1.0);
    assert!(cases > 1.0, "it is a draw");
    let most = cases + 6.0 * f64::sqrt(2.0 * cases) + 6.0;
    assert!(statistic < most, "{statistic} in {cases} cases");
}

#[test]
fn captures_take_as_long_as_the_table_says() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    for (robber, cop) in [((1, 1), (3, 3)), ((0, 0), (1, 1)), ((2, 2), (2, 3))] {
        let [robber, cop] = [robber, cop].map(|(x, y)| Cell::new(x, y));
        let mut turns = Vec::new();
        for seed in 0..4 {
            let mut world = world(&map, seed, &[&table]);
            let chases = add(&mut world, 1000, robber, &[cop]);
            turns.extend(play_out(&mut world, &chases));
        }
        let (mean, error) = mean(&turns);
        let MixedValue { lower, upper } = value(&table, robber, &[cop]);
        let likely = lower - 4.0 * error..upper + 4.0 * error;
        assert!(
            likely.contains(&mean),
            "{mean} of {lower} to {upper}, {error}"
        );
        assert!(error < 0.02 * mean, "the test is sharp: {error} of {mean}");
    }
}

#[test]
fn two_cops_take_as_long_as_their_table_says() {
    let map = grid(4);
    let table = table(&map, rules(2, 1));
    let (robber, cops) = (Cell::new(0, 0), [Cell::new(3, 3), Cell::new(3, 2)]);
    let mut world = world(&map, 1, &[&table]);
    let chases = add(&mut world, 4000, robber, &cops);
    let (mean, error) = mean(&play_out(&mut world, &chases));
    let MixedValue { lower, upper } = value(&table, robber, &cops);
    let likely = lower - 4.0 * error..upper + 4.0 * error;
    assert!(
        likely.contains(&mean),
        "{mean} of {lower} to {upper}, {error}"
    );
    assert!(error < 0.02 * mean, "the test is sharp: {error} of {mean}");
}

#[test]
fn a_robber_that_runs_as_it_likes_is_captured_no_later_than_the_table_says() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let [robber, cop] = [Cell::new(1, 1), Cell::new(3, 3)];
    let mut world = world(&map, 5, &[&table]);
    let chases = add(&mut world, 2000, robber, &[cop]);
    for chase in &chases {
        // A player that runs in circles.
        let control = Control::Steer { dx: 1, dy: 0 };
        world.change(chase.robber, |robber| robber.control = control);
    }
    let mut turns = 0_u32;
    while chases
        .iter()
        .any(|chase| caught_in(&world, chase.robber).is_none())
    {
        tick(&mut world);
        turns += 1;
        let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns as usize / 3 % 4];
        for chase in &chases {
            let control = Control::Steer { dx, dy };
            world.change(chase.robber, |robber| robber.control = control);
            if caught_in(&world, chase.robber).is_none() && turns > 1 {
                assert_eq!(decided_by(&world, chase.cops[0]), DRAWN);
            }
        }
    }
    let turns: Vec<u64> = chases
        .iter()
        .filter_map(|chase| caught_in(&world, chase.robber))
        .collect();
    let (mean, error) = mean(&turns);
    let most = value(&table, robber, &[cop]).upper * (1.0 + table.exploitability().cops);
    assert!(mean < most + 4.0 * error, "{mean} of {most}");
}

/// The joint frequencies of both sides' first moves are the products of the table's shares, over pursuits and over
/// seeds.
#[test]
fn both_sides_draw_independently_with_the_shares_of_the_table() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let [robber, cop] = [Cell::new(1, 1), Cell::new(2, 2)];
    let place = |cell: Cell| table.place(cell).expect("a cell");
    let shares = table.strategies_at(place(robber), &[place(cop)]);
    let shares = shares.expect("a position");
    assert!(shares.robber.len() > 1 && shares.cops.len() > 1, "both mix");
    let mut expected = BTreeMap::new();
    for &(robber, share) in &shares.robber {
        for (cops, of_cops) in &shares.cops {
            let cells = [robber, cops[0]].map(|place| table.cells()[place]);
            expected.insert(cells, share * of_cops);
        }
    }
    let mut found = BTreeMap::new();
    let mut note = |world: &PursuitWorld, chase: &Chase| {
        let goals = [chase.robber, chase.cops[0]].map(|id| goal(world, id));
        *found.entry(goals).or_insert(0) += 1;
    };
    let mut of_pursuits = world(&map, 9, &[&table]);
    let chases = add(&mut of_pursuits, 10_000, robber, &[cop]);
    tick(&mut of_pursuits);
    for chase in &chases {
        note(&of_pursuits, chase);
    }
    for seed in 0..2_000 {
        let mut world = world(&map, seed, &[&table]);
        let chases = add(&mut world, 1, robber, &[cop]);
        tick(&mut world);
        note(&world, &chases[0]);
    }
    // And over the turns of one pursuit.
    let mut of_turns = world(&map, 10, &[&table]);
    let chase = &add(&mut of_turns, 1, robber, &[cop])[0];
    for _ in 0..5_000 {
        of_turns.place(chase.robber, robber);
        of_turns.place(chase.cops[0], cop);
        of_turns.release(chase.robber);
        tick(&mut of_turns);
        note(&of_turns, chase);
    }
    assert_likely(&found, &expected);
}

#[test]
fn all_cops_of_a_team_draw_one_joint_move() {
    let map = grid(4);
    let table = table(&map, rules(2, 1));
    let cells: Vec<Cell> = map.cells().collect();
    let place = |cell: Cell| table.place(cell).expect("a cell");
    // A position in which the moves of the two cops depend on each other most.
    let mut best = (0.0, None);
    for &robber in &cells {
        for &one in &cells {
            for &other in cells.iter().filter(|&&other| place(other) > place(one)) {
                let cops = [place(one), place(other)];
                let shares = table.strategies_at(place(robber), &cops);
                let cops = shares.expect("a position").cops;
                let of = |index: usize, goal: usize| -> f64 {
                    let same = cops.iter().filter(|(goals, _)| goals[index] == goal);
                    same.map(|(_, share)| share).sum()
                };
                let apart = |(goals, share): &(Vec<usize>, f64)| {
                    (share - of(0, goals[0]) * of(1, goals[1])).abs()
                };
                let apart: f64 = cops.iter().map(apart).sum();
                if apart > best.0 {
                    best = (apart, Some((robber, [one, other], cops)));
                }
            }
        }
    }
    let (apart, Some((robber, cops, shares))) = best else {
        panic!("no position with a mixed move");
    };
    assert!(apart > 0.2, "{apart}");
    // The order of the cops in the world is not that of the table.
    let mut world = world(&map, 3, &[&table]);
    let chases = add(&mut world, 10_000, robber, &[cops[1], cops[0]]);
    tick(&mut world);
    let mut found = BTreeMap::new();
    for chase in &chases {
        let goals = [chase.cops[1], chase.cops[0]].map(|id| goal(&world, id));
        *found.entry(goals).or_insert(0) += 1;
    }
    let cells = |goals: &[usize]| [goals[0], goals[1]].map(|place| table.cells()[place]);
    let shares = shares.iter().map(|(goals, share)| (cells(goals), *share));
    assert_likely(&found, &shares.collect());
}

#[test]
fn drawn_moves_are_legal_and_all_begin_and_end_with_the_turn() {
    let map = common::map(&["......", ".##.#.", "......", ".#..#.", "......"]);
    let table = table(&map, rules(1, 2));
    let settings = PursuitSettings {
        ticks_per_turn: 6,
        ..settings(PursuitClock::Simultaneous)
    };
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    world.add_mixed_table(table).expect("the table of a map");
    let cop = world.insert(AgentSetup {
        speed: Speed::new(2).expect("a speed"),
        ..agent(Side::Cops, 5, 4)
    });
    let robber = world.insert(agent(Side::Robber, 0, 0));
    let mut captures = 0;
    for ticks in 0..6 * 3000 {
        let before = [cop, robber].map(|id| cell(&world, id));
        tick(&mut world);
        if ticks % 6 != 0 {
            assert_eq!([cop, robber].map(|id| cell(&world, id)), before);
            continue;
        }
        if caught_in(&world, robber).is_some() {
            captures += 1;
            world.place(robber, Cell::new(0, 0));
            world.place(cop, Cell::new(5, 4));
            world.release(robber);
            continue;
        }
        for (id, speed) in [(cop, 2), (robber, 1)] {
            let agent = world.agent(id).expect("an agent");
            // The robber does not know of meetings on the way by its table, and plays without it.
            assert_eq!(agent.state().decided_by == DRAWN, id == cop);
            let reason = if id == cop {
                Reason::None
            } else {
                Reason::NoTableForThis
            };
            assert_eq!(agent.state().reason, reason);
            let from = world.graph().vertex(agent.setup().cell).expect("a vertex");
            let speed = Speed::new(speed).expect("a speed");
            assert!(is_legal_move(world.graph(), from, agent.way(), speed));
            assert_eq!(agent.times(), (world.tick(), world.tick() + 6));
        }
        assert!(!world.pursuit(0).expect("it is there").is_exact());
    }
    assert!(captures > 100, "{captures}");
}

/// A robber of two steps passes where the table says that it is met: nobody draws.
#[test]
fn against_a_faster_robber_nobody_draws() {
    let map = grid(5);
    let speed = Speed::new(2).expect("a speed");
    for cop_speed in [Speed::ONE, speed] {
        let rules = pursuit_engine::game::Rules {
            robber_speed: speed,
            cop_speed,
            ..rules(1, 1)
        };
        let table = table(&map, rules);
        let mut world = world(&map, 4, &[&table]);
        let setup = |side, x, speed| AgentSetup {
            speed,
            ..agent(side, x, 2)
        };
        let cop = world.insert(setup(Side::Cops, 0, cop_speed));
        let robber = world.insert(setup(Side::Robber, 4, speed));
        for _ in 0..8 {
            tick(&mut world);
            for id in [cop, robber] {
                let state = world.agent(id).expect("an agent").state();
                assert_ne!(state.decided_by, DRAWN);
            }
        }
    }
}

/// The cops do not know where a robber goes that the game has sent on its way in the same tick.
#[test]
fn a_draw_does_not_depend_on_orders_of_the_same_turn() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let goals = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 2)].map(|to| {
        let mut world = world(&map, 4, &[&table]);
        let cop = world.insert(agent(Side::Cops, 3, 3));
        let robber = world.insert(external(Side::Robber, 1, 1));
        let mut goals = Vec::new();
        for _ in 0..40 {
            world.place(cop, Cell::new(3, 3));
            world.place(robber, Cell::new(1, 1));
            world.begin_tick(&[]);
            world.arrive();
            world.order(robber, &[to]);
            world.decide(&mut pursuit_engine::world::Expansions(1000));
            assert_eq!(decided_by(&world, cop), DRAWN);
            goals.push(goal(&world, cop));
        }
        goals
    });
    assert_eq!(goals[0], goals[1]);
    assert_eq!(goals[0], goals[2]);
}
