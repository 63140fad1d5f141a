use super::{Stamps, TrailMax};
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
    reached: Stamps,
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
