//! The first moves that keep the value of `TrailMax`.

use super::TrailMax;
use super::frontier::Wave;
use crate::game::{Outcome, State, Turns, Work};
use crate::graph::{Graph, Vertex};

/// Finds the first moves that keep the value of `TrailMax`, so that a caller can choose between paths of the same value
/// by other criteria.
///
/// Cost: none if the robber has time to spare. Otherwise a breadth-first search from the vertices that
/// the cops reach last, as far as the robber can go in the time left.
#[derive(Debug, Clone, Default)]
pub(crate) struct BestMoves {
    goals: Vec<(Vertex, u32)>,
    wave: Wave,
    work: Work,
}

impl BestMoves {
    /// `ends` are vertices where moves of the robber end. Keeps those from which the robber survives as
    /// long as `search` found: a finished search of `state` with the robber to move. If a cop is slower
    /// than the robber, cops may cut off other paths that are as short as the plan's. Then only the move
    /// of the plan is certain.
    pub(crate) fn retain(
        &mut self,
        graph: &Graph,
        search: &TrailMax,
        state: &State<'_>,
        ends: &mut Vec<Vertex>,
    ) {
        self.work = Work::NONE;
        let Some(plan) = search.plan() else {
            return;
        };
        let speed = u32::from(state.robber.speed.steps());
        if state.cops.iter().any(|cop| cop.speed < state.robber.speed) {
            let steps = &plan.path[..plan.path.len().min(speed as usize)];
            let end = steps.last().copied().unwrap_or(state.robber.at);
            ends.retain(|&other| other == end);
            return;
        }
        // After the move, the robber has to reach a goal two turns before the cops: one turn before the
        // capture it must still be free to move to the place of the capture.
        let Outcome::Caught(Turns(turns @ 2..)) = plan.outcome else {
            return;
        };
        let most = speed * u32::from(turns - 2);
        self.goals.clear();
        search.goals(graph, &mut self.goals);
        let nearest = self.goals.iter().map(|&(_, steps)| steps).min();
        if nearest.is_none_or(|nearest| nearest + speed <= most) {
            return; // all ends are in time
        }
        self.measure(graph, most);
        ends.retain(|&end| self.wave.visited.contains(end));
    }

    /// Measures the vertices that are at most `most` steps from a goal.
    fn measure(&mut self, graph: &Graph, most: u32) {
        self.wave.start(1, graph.slots());
        for &(goal, _) in &self.goals {
            self.wave.start_at(goal);
        }
        for _ in 0..most {
            self.wave.front.next_layer();
            while let Some(vertex) = self.wave.front.pop() {
                self.work.expansions += 1;
                self.work.touched += self.wave.expand(graph, vertex);
            }
        }
    }

    /// Expansions and neighbours generated in the last call.
    pub(crate) const fn work(&self) -> Work {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Agent, Side, Speed};
    use crate::map::{Cell, Moves, Terrain, TileMap};
    use crate::search::{Dice, Distances, MoveEnds};

    /// A map with walls at random, few or many.
    fn any_graph(dice: &mut Dice) -> Graph {
        let (width, height) = (1 + dice.below(9) as u16, 1 + dice.below(9) as u16);
        let walls = [0, 10, 30][dice.below(3)];
        let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
        for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
            if dice.below(100) < walls {
                map.set(cell, Terrain::Wall);
            }
        }
        Graph::new(&map, [Moves::Octile, Moves::Orthogonal][dice.below(2)])
    }

    fn agent(graph: &Graph, dice: &mut Dice, fastest: usize) -> Agent {
        let vertices: Vec<Vertex> = graph.iter().collect();
        let speed = 1 + dice.below(fastest) as u8;
        Agent {
            at: dice.pick(&vertices).expect("a vertex"),
            speed: Speed::new(speed).expect("a speed"),
        }
    }

    /// Asserts that the search from the goals, if one was needed, has expanded exactly the vertices that
    /// are nearer to a goal than the robber can go in time. Returns whether one was needed.
    fn assert_work(graph: &Graph, search: &TrailMax, state: &State<'_>, best: &BestMoves) -> bool {
        if best.work() == Work::NONE {
            return false;
        }
        let Some(Outcome::Caught(Turns(turns))) = search.plan().map(|plan| plan.outcome) else {
            panic!("a search for a robber that escapes");
        };
        let most = u32::from(state.robber.speed.steps()) * u32::from(turns - 2);
        let (mut goals, mut steps) = (Vec::new(), Distances::default());
        search.goals(graph, &mut goals);
        let mut is_near = |vertex: &Vertex| {
            steps.measure(graph, *vertex);
            let nearest = goals
                .iter()
                .filter_map(|&(goal, _)| steps.steps(goal))
                .min();
            nearest.is_some_and(|nearest| nearest < most)
        };
        let near: Vec<Vertex> = graph.iter().filter(|vertex| is_near(vertex)).collect();
        let neighbours = near
            .iter()
            .map(|&vertex| graph.neighbours(vertex).len() as u64);
        let work = best.work();
        assert_eq!(
            (work.expansions, work.touched),
            (near.len() as u64, neighbours.sum())
        );
        true
    }

    #[test]
    fn keeps_the_moves_after_which_the_robber_lasts_as_long_and_no_others() {
        let dice = &mut Dice::new(1);
        let (mut best, mut moves) = (BestMoves::default(), MoveEnds::default());
        let (mut kept, mut dropped, mut sure, mut counted) = (0, 0, 0, 0);
        for _ in 0..20_000 {
            let graph = any_graph(dice);
            let robber = agent(&graph, dice, 3);
            let first = agent(&graph, dice, 4);
            let mut cops = vec![first];
            for _ in 0..dice.below(3) {
                let other = agent(&graph, dice, 4);
                let speed = [first.speed, other.speed][dice.below(2)];
                cops.push(Agent { speed, ..other });
            }
            let is_cop = |vertex| cops.iter().any(|cop| cop.at == vertex);
            if is_cop(robber.at) {
                continue;
            }
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Robber,
            };
            let mut search = TrailMax::new();
            let value = search.solve(&graph, &state).outcome;
            let mut all = vec![robber.at];
            all.extend_from_slice(moves.find(&graph, robber.at, robber.speed, is_cop));
            let mut ends = all.clone();
            best.retain(&graph, &search, &state, &mut ends);
            assert!(!ends.is_empty());
            counted += u32::from(assert_work(&graph, &search, &state, &best));
            for end in all {
                let after = State {
                    robber: Agent { at: end, ..robber },
                    to_move: Side::Cops,
                    ..state
                };
                let is_best = TrailMax::new().solve(&graph, &after).outcome == value;
                let is_kept = ends.contains(&end);
                assert!(is_best || !is_kept, "{state:?} {end:?} is worth less");
                if cops.iter().all(|cop| cop.speed >= robber.speed) {
                    assert_eq!(is_best, is_kept, "{state:?} {end:?}");
                    kept += u32::from(is_kept);
                    dropped += u32::from(!is_kept);
                } else {
                    sure += u32::from(is_kept);
                }
            }
        }
        assert!(kept > 1000 && dropped > 1000 && sure > 1000 && counted > 1000);
    }
}
