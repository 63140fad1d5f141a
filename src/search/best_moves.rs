use super::{TrailMax, VisitedSet};
use crate::game::{Outcome, State, Turns};
use crate::graph::{Graph, Vertex};

/// Which first moves keep the value of `TrailMax`: where several paths are as good, what else counts
/// can decide between them.
///
/// Cost: nothing where the robber has time to spare; else a breadth-first search from where the cops
/// come last, no further than the robber gets in time.
#[derive(Debug, Clone, Default)]
pub(crate) struct BestMoves {
    goals: Vec<(Vertex, u32)>,
    reached: VisitedSet,
    queue: Vec<Vertex>,
    expansions: u64,
    touched: u64,
}

impl BestMoves {
    /// Keeps those of `ends`, where moves of the robber end, from which it lasts as long as the
    /// finished `search` of `state`, the robber to move, says. If a cop is slower than the robber
    /// other paths may be cut off that are as short as the plan's: only its own move is sure then.
    pub(crate) fn retain(
        &mut self,
        graph: &Graph,
        search: &TrailMax,
        state: &State<'_>,
        ends: &mut Vec<Vertex>,
    ) {
        (self.expansions, self.touched) = (0, 0);
        let Some(plan) = search.plan() else {
            return;
        };
        let speed = u32::from(state.robber.speed.steps());
        if state.cops.iter().any(|cop| cop.speed < state.robber.speed) {
            let way = &plan.path[..plan.path.len().min(speed as usize)];
            let end = way.last().copied().unwrap_or(state.robber.at);
            ends.retain(|&other| other == end);
            return;
        }
        // After the move the robber has to be at a goal two turns before the cops: in the last but
        // one it still has to be free to go on to where it is captured.
        let Outcome::Caught(Turns(turns @ 2..)) = plan.outcome else {
            return;
        };
        let most = speed * u32::from(turns - 2);
        self.goals.clear();
        search.goals(graph, &mut self.goals);
        let nearest = self.goals.iter().map(|&(_, steps)| steps).min();
        if nearest.is_none_or(|nearest| nearest + speed <= most) {
            return; // all are in time
        }
        self.measure(graph, most);
        ends.retain(|&end| self.reached.contains(end));
    }

    /// Reaches what is at most so many steps from a goal.
    fn measure(&mut self, graph: &Graph, most: u32) {
        self.reached.clear(graph.slots());
        self.queue.clear();
        for &(goal, _) in &self.goals {
            if self.reached.insert(goal) {
                self.queue.push(goal);
            }
        }
        let mut done = 0;
        for _ in 0..most {
            let rim = done..self.queue.len();
            done = rim.end;
            for index in rim {
                let neighbours = graph.neighbours(self.queue[index]);
                self.expansions += 1;
                self.touched += neighbours.len() as u64;
                for &next in neighbours {
                    if self.reached.insert(next) {
                        self.queue.push(next);
                    }
                }
            }
        }
    }

    /// Expansions and neighbours looked at in the last call.
    pub(crate) const fn effort(&self) -> (u64, u64) {
        (self.expansions, self.touched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Agent, Side, Speed};
    use crate::map::{Cell, Moves, Terrain, TileMap};
    use crate::search::{Dice, MoveEnds};

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

    #[test]
    fn keeps_the_moves_after_which_the_robber_lasts_as_long_and_no_others() {
        let dice = &mut Dice::new(1);
        let (mut best, mut moves) = (BestMoves::default(), MoveEnds::default());
        let (mut kept, mut dropped, mut sure) = (0, 0, 0);
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
        assert!(kept > 1000 && dropped > 1000 && sure > 1000);
    }
}
