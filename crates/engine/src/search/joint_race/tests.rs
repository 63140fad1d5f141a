use super::*;
use crate::game::{Outcome, Side, State, Turns};
use crate::graph::Graph;
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::{Dice, MoveEnds, TrailMax};
use std::collections::BTreeSet;

fn any_graph(dice: &mut Dice, side: usize) -> Graph {
    let [width, height] = [0; 2].map(|_| 1 + dice.below(side) as u16);
    let walls = [0, 10, 30, 40][dice.below(4)];
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    Graph::new(&map, [Moves::Octile, Moves::Orthogonal][dice.below(2)])
}

fn agent(graph: &Graph, dice: &mut Dice) -> Agent {
    let vertices: Vec<Vertex> = graph.iter().collect();
    Agent {
        at: dice.pick(&vertices).expect("a vertex"),
        speed: Speed::new(1 + dice.below(3) as u8).expect("a speed"),
    }
}

/// How many vertices the robber reaches before the cops, by sets of vertices.
fn covered(graph: &Graph, state: &State<'_>) -> u32 {
    let robber = state.robber;
    let mut of_cops: Vec<BTreeSet<Vertex>> = state
        .cops
        .iter()
        .map(|cop| BTreeSet::from([cop.at]))
        .collect();
    let closed =
        |of_cops: &[BTreeSet<Vertex>], at: &Vertex| of_cops.iter().any(|set| set.contains(at));
    let mut held: BTreeSet<Vertex> = [robber.at].into();
    held.retain(|at| !closed(&of_cops, at));
    loop {
        let before: (usize, usize) = (held.len(), of_cops.iter().map(BTreeSet::len).sum());
        for _ in 0..robber.speed.steps() {
            let from: Vec<Vertex> = held
                .iter()
                .copied()
                .filter(|at| !closed(&of_cops, at))
                .collect();
            let next = from.iter().flat_map(|&at| graph.neighbours(at)).copied();
            held.extend(next.filter(|at| !closed(&of_cops, at)));
        }
        for (set, cop) in of_cops.iter_mut().zip(state.cops) {
            for _ in 0..cop.speed.steps() {
                let next: Vec<Vertex> = set
                    .iter()
                    .flat_map(|&at| graph.neighbours(at))
                    .copied()
                    .collect();
                set.extend(next);
            }
        }
        if before == (held.len(), of_cops.iter().map(BTreeSet::len).sum()) {
            return held.len() as u32;
        }
    }
}

#[test]
fn a_limited_race_has_the_value_up_to_a_turn_beyond_its_limit() {
    let dice = &mut Dice::new(2);
    let (mut race, mut whole) = (JointRace::default(), JointRace::default());
    let (mut cut, mut same) = (0, 0);
    for _ in 0..400 {
        let graph = any_graph(dice, 12);
        let robber = agent(&graph, dice);
        let cops: Vec<Agent> = (0..4).map(|_| agent(&graph, dice)).collect();
        let sets = || {
            cops.iter()
                .enumerate()
                .map(|(index, &cop)| (cop, 1 << index))
        };
        whole.begin(&graph, robber, cops.len(), sets());
        whole.advance(&graph, u32::MAX);
        let limit = 1 + dice.below(6) as u16;
        race.limit_turns(limit);
        race.begin(&graph, robber, cops.len(), sets());
        race.advance(&graph, u32::MAX);
        for index in 0..cops.len() {
            let most = u32::from(limit) + 1;
            let value = whole.evaluated(index).turns;
            let found = race.evaluated(index).turns;
            if found == value {
                same += 1;
            } else {
                assert_eq!(found, Some(most));
                assert!(value.is_none_or(|value| value > most));
                cut += 1;
            }
        }
    }
    assert!(cut > 100 && same > 100, "{cut} {same}");
}

#[test]
fn each_joint_move_has_the_value_of_trail_max_and_the_cover_of_its_own_race() {
    let dice = &mut Dice::new(1);
    let (mut race, mut ends) = (JointRace::default(), MoveEnds::default());
    let (mut escapes, mut captures, mut sliced) = (0, 0, 0);
    for _ in 0..400 {
        let graph = any_graph(dice, 12);
        let robber = agent(&graph, dice);
        let cops: Vec<Agent> = (0..=dice.below(3)).map(|_| agent(&graph, dice)).collect();
        // Random joint moves, so that some are there twice.
        let count = 1 + dice.below(MOST_MOVES);
        let moves: Vec<Vec<Agent>> = (0..count)
            .map(|_| {
                cops.iter()
                    .map(|cop| {
                        let mut all = vec![cop.at];
                        all.extend(ends.find(&graph, cop.at, cop.speed, |_| false));
                        Agent {
                            at: dice.pick(&all).expect("an end"),
                            ..*cop
                        }
                    })
                    .collect()
            })
            .collect();
        let sets =
            (0..count).flat_map(|index| moves[index].iter().map(move |&cop| (cop, 1 << index)));
        race.begin(&graph, robber, count, sets);
        let slice = [1, 7, u32::MAX][dice.below(3)];
        while race.advance(&graph, slice).is_working() {
            sliced += 1;
        }
        for (index, cops) in moves.iter().enumerate() {
            let state = State {
                robber,
                cops,
                to_move: Side::Robber,
            };
            let outcome = TrailMax::new().solve(&graph, &state).outcome;
            let found = race.evaluated(index);
            match outcome {
                Outcome::Caught(Turns(turns)) => {
                    captures += 1;
                    assert_eq!(found.turns, Some(turns.into()), "{state:?}");
                }
                Outcome::Escapes | Outcome::Away(_) => {
                    escapes += 1;
                    assert_eq!(found.turns, None, "{state:?}");
                }
            }
            assert_eq!(found.covered, covered(&graph, &state), "{state:?}");
        }
    }
    assert!(escapes > 1000 && captures > 3_000 && sliced > 1000);
}

#[test]
fn a_race_that_stays_within_bounds_finds_the_same() {
    let dice = &mut Dice::new(3);
    let (mut race, mut whole, mut ends) = (
        JointRace::default(),
        JointRace::default(),
        MoveEnds::default(),
    );
    let (mut out, mut within, mut saved) = (0, 0, 0);
    for _ in 0..4_000 {
        let graph = any_graph(dice, 30);
        let robber = agent(&graph, dice);
        let cops: Vec<Agent> = (0..=dice.below(3)).map(|_| agent(&graph, dice)).collect();
        // The moves of the first cop.
        let mut moves = vec![cops[0].at];
        moves.extend(ends.find(&graph, cops[0].at, cops[0].speed, |_| false));
        moves.truncate(MOST_MOVES);
        let first = |(index, &at): (usize, &Vertex)| (Agent { at, ..cops[0] }, 1 << index);
        let all = MoveSet::MAX >> (MOST_MOVES - moves.len());
        let starts = || {
            let others = cops[1..].iter().map(|&cop| (cop, all));
            moves.iter().enumerate().map(first).chain(others)
        };
        whole.begin(&graph, robber, moves.len(), starts());
        whole.advance(&graph, u32::MAX);
        let cell = graph.cell(robber.at);
        let mut around = || dice.below(8) as u16;
        let bounds = Bounds {
            corners: [
                Cell::new(
                    cell.x.saturating_sub(around()),
                    cell.y.saturating_sub(around()),
                ),
                Cell::new(cell.x + around(), cell.y + around()),
            ],
            turns: 1 + u32::from(around() / 3),
        };
        race.begin(&graph, robber, moves.len(), starts());
        let slice = [1, 7, u32::MAX][dice.below(3)];
        let never = None::<fn(&JointRace, MoveSet) -> bool>;
        while race
            .advance_on_map(&graph, Some(&bounds), slice, never)
            .is_working()
        {}
        if race.is_out_of_bounds() {
            out += 1;
            continue;
        }
        within += 1;
        saved += whole.work().expansions - race.work().expansions;
        for index in 0..moves.len() {
            assert_eq!(
                race.evaluated(index),
                whole.evaluated(index),
                "{robber:?} {cops:?} {bounds:?}"
            );
        }
    }
    assert!(
        out > 200 && within > 200 && saved > 1_000,
        "{out} {within} {saved}"
    );
}

#[test]
fn a_race_that_ends_early_bounds_what_it_has_not_found_out() {
    let dice = &mut Dice::new(4);
    let (mut race, mut whole) = (JointRace::default(), JointRace::default());
    let (mut known, mut open, mut saved) = (0, 0, 0);
    for _ in 0..400 {
        let graph = any_graph(dice, 16);
        let robber = agent(&graph, dice);
        let cops: Vec<Agent> = (0..6).map(|_| agent(&graph, dice)).collect();
        let sets = || {
            cops.iter()
                .enumerate()
                .map(|(index, &cop)| (cop, 1 << index))
        };
        whole.begin(&graph, robber, cops.len(), sets());
        whole.advance(&graph, u32::MAX);
        let enough = dice.below(cops.len()) as u32;
        race.begin(&graph, robber, cops.len(), sets());
        let slice = [1, 7, u32::MAX][dice.below(3)];
        let mut last = 0;
        let mut is_settled = |race: &JointRace, free: MoveSet| {
            for index in (0..cops.len()).filter(|index| free >> index & 1 == 0) {
                assert_eq!(race.evaluated(index), whole.evaluated(index));
            }
            last = free;
            free.count_ones() <= enough
        };
        while race
            .advance_on_map(&graph, None, slice, Some(&mut is_settled))
            .is_working()
        {}
        for index in 0..cops.len() {
            let (found, value) = (race.evaluated(index), whole.evaluated(index));
            if found == value {
                known += 1;
                continue;
            }
            assert!(last >> index & 1 != 0, "{robber:?} {cops:?}");
            assert!(found.covered <= value.covered);
            assert!(value.turns.is_none_or(|turns| Some(turns) >= found.turns));
            open += 1;
        }
        saved += whole.work().expansions - race.work().expansions;
    }
    assert!(
        known > 300 && open > 300 && saved > 1_000,
        "{known} {open} {saved}"
    );
}
