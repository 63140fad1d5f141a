use super::*;
use crate::graph::Graph;
use crate::map::{Moves, Terrain, TileMap};
use crate::search::Dice;

/// A timetable by lists.
struct Listed {
    free: Vec<u64>,
    beats: Vec<u32>,
    steps: u8,
}

impl Timetable for Listed {
    fn free(&self, at: Vertex) -> u64 {
        self.free[at.index()]
    }

    fn beats(&self, to: Vertex) -> u32 {
        self.beats[to.index()]
    }

    fn steps(&self) -> u8 {
        self.steps
    }
}

impl Listed {
    fn is_free(&self, at: Vertex, beat: u32) -> bool {
        self.free[at.index()] >> beat.min(BEATS - 1) & 1 == 1
    }

    fn are_free(&self, [from, to]: [Vertex; 2], beat: u32, beats: u32) -> bool {
        (beat..beat + beats).all(|beat| self.is_free(from, beat) && self.is_free(to, beat))
    }
}

/// A small map with cells that are deadly now and then, and slow cells.
fn any_game(dice: &mut Dice, steps: u8) -> (Graph, Listed) {
    let (width, height) = (2 + dice.below(5) as u16, 1 + dice.below(5) as u16);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(6) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
    let graph = Graph::new(&map, moves);
    let mut table = Listed {
        free: Vec::new(),
        beats: Vec::new(),
        steps,
    };
    for _ in 0..graph.slots() {
        let mut free = u64::MAX;
        for _ in 0..dice.below(4) {
            let first = dice.below(12) as u32;
            let last = match dice.below(8) {
                0 => BEATS - 1,
                _ => first + dice.below(6) as u32,
            };
            free &= !(u64::MAX << first & u64::MAX >> (BEATS - 1 - last));
        }
        table.free.push(free);
        table.beats.push(match dice.below(3) {
            0 if steps == 1 => 1 + dice.below(4) as u32,
            _ => 1,
        });
    }
    (graph, table)
}

/// The beat at whose end an agent is alive at the latest, by the definition, from the last beat to the first.
fn lasts(graph: &Graph, table: &Listed, at: Vertex, first: u32) -> u32 {
    let slots = graph.slots();
    let mut after: Vec<Vec<u32>> = vec![vec![BEATS; slots]; BEATS as usize + 1];
    for beat in (first..BEATS).rev() {
        for from in graph.iter() {
            let mut best = beat;
            if table.is_free(from, beat) {
                // All that it reaches within the beat.
                let mut ends = vec![from];
                for _ in 0..table.steps {
                    for &end in &ends.clone() {
                        for &next in graph.neighbours(end) {
                            let beats = if table.steps == 1 {
                                table.beats[next.index()]
                            } else {
                                1
                            };
                            if table.are_free([end, next], beat, beats) && !ends.contains(&next) {
                                ends.push(next);
                            }
                        }
                    }
                }
                for end in ends {
                    let beats = if table.steps == 1 && end != from {
                        table.beats[end.index()]
                    } else {
                        1
                    };
                    let arrives = (beat + beats).min(BEATS);
                    best = best.max(after[arrives as usize][end.index()].max(beat + 1));
                }
            }
            after[beat as usize][from.index()] = best;
        }
    }
    after[first as usize][at.index()]
}

#[test]
fn an_agent_lasts_as_long_as_by_the_definition() {
    let mut dice = Dice::new(7);
    let mut survival = Survival::default();
    let (mut saved, mut lost) = (0, 0);
    for round in 0..1500 {
        let steps = 1 + (round % 3) as u8;
        let (graph, table) = any_game(&mut dice, steps);
        let Some(at) = graph.iter().nth(dice.below(graph.slots().max(1))) else {
            continue;
        };
        let first = dice.below(3) as u32;
        let found = survival.lasts(&graph, &table, at, first, u64::MAX / 2);
        // A vertex that is free for ever is as good as the end of all beats.
        let expected = lasts(&graph, &table, at, first);
        assert_eq!(
            found, expected,
            "round {round}, {steps} steps, {at:?}, from beat {first}"
        );
        saved += usize::from(found == BEATS);
        lost += usize::from(found < BEATS);
    }
    assert!(saved > 300 && lost > 50, "{saved} {lost}");
}

/// The earliest time of arrival of an agent of one step a beat, by sets of vertices beat by beat.
fn earliest(graph: &Graph, table: &Listed, [from, to]: [Vertex; 2]) -> Option<u32> {
    let last = 4 * BEATS;
    let mut at = vec![vec![false; graph.slots()]; last as usize + 8];
    at[0][from.index()] = true;
    for beat in 0..last {
        for here in graph
            .iter()
            .filter(|here| at[beat as usize][here.index()])
            .collect::<Vec<_>>()
        {
            if here == to {
                return Some(beat);
            }
            if table.is_free(here, beat) {
                at[beat as usize + 1][here.index()] = true;
            }
            for &next in graph.neighbours(here) {
                let beats = table.beats[next.index()];
                if table.are_free([here, next], beat, beats) {
                    at[(beat + beats) as usize][next.index()] = true;
                }
            }
        }
    }
    None
}

/// The time that a path takes at least, with waits wherever the agent can wait.
fn time_of(table: &Listed, from: Vertex, path: &[Vertex]) -> Option<u32> {
    let mut times = vec![0];
    let mut here = from;
    for &next in path {
        let mut arrivals = Vec::new();
        let beats = table.beats[next.index()];
        for &time in &times {
            let waits = (time..time + BEATS)
                .take_while(|&beat| beat == time || table.is_free(here, beat - 1));
            arrivals.extend(
                waits
                    .filter(|&beat| table.are_free([here, next], beat, beats))
                    .map(|beat| beat + beats),
            );
        }
        arrivals.sort_unstable();
        arrivals.dedup();
        (times, here) = (arrivals, next);
    }
    times.first().copied()
}

#[test]
fn a_walk_arrives_as_early_as_any() {
    let mut dice = Dice::new(11);
    let mut walk = TimedWalk::default();
    let (mut arrived, mut shut) = (0, 0);
    for round in 0..2000 {
        let (graph, table) = any_game(&mut dice, 1);
        let all: Vec<Vertex> = graph.iter().collect();
        if all.is_empty() {
            continue;
        }
        let ends = [0, 1].map(|_| all[dice.below(all.len())]);
        let goal = graph.cell(ends[1]);
        let least = |at: Vertex| crate::search::least_steps(&graph, graph.cell(at), goal);
        let expected = earliest(&graph, &table, ends);
        let found = walk.find(&graph, &table, ends, least, u64::MAX / 2);
        let time = found.map(|path| time_of(&table, ends[0], path).expect("a way in time"));
        assert_eq!(time, expected, "round {round}: {ends:?}");
        let path = found.unwrap_or_default();
        let steps = std::iter::once(&ends[0]).chain(path).zip(path);
        for (&from, &to) in steps {
            assert!(graph.are_adjacent(from, to), "round {round}");
        }
        arrived += usize::from(expected.is_some_and(|time| time > 0));
        shut += usize::from(expected.is_none());
    }
    assert!(arrived > 800 && shut > 100, "{arrived} {shut}");
}
