//! Breadth-first searches over numbered nodes: vertices of a graph, or places of an arena.

use crate::graph::Csr;

/// For each of `nodes` nodes, the number of steps from the nearest of some starts; [`u32::MAX`] if no path leads there.
/// Cost: linear in the nodes and steps.
#[doc(hidden)]
#[must_use]
pub fn steps_from<N: Iterator<Item = usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    next_nodes: impl Fn(usize) -> N,
) -> Vec<u32> {
    let mut steps = vec![u32::MAX; nodes];
    let mut queue: Vec<usize> = starts.into_iter().collect();
    for &start in &queue {
        steps[start] = 0;
    }
    let mut done = 0;
    while let Some(&node) = queue.get(done) {
        done += 1;
        for next in next_nodes(node) {
            if steps[next] == u32::MAX {
                steps[next] = steps[node] + 1;
                queue.push(next);
            }
        }
    }
    steps
}

/// Finds the places that an agent reaches within some steps, breadth-first. The memory is reused.
#[derive(Debug)]
pub(crate) struct BallSearch {
    seen: Vec<bool>,
    reached: Vec<u32>,
}

impl BallSearch {
    pub(crate) fn new(places: usize) -> Self {
        Self {
            seen: vec![false; places],
            reached: Vec::new(),
        }
    }

    /// The places up to `most` steps from `start` on paths without a blocked place; `start` comes
    /// first. Time: linear in the places reached and their steps.
    pub(crate) fn within(
        &mut self,
        steps: &Csr<u32>,
        start: usize,
        most: u8,
        is_blocked: impl Fn(u32) -> bool,
    ) -> &[u32] {
        for place in self.reached.drain(..) {
            self.seen[place as usize] = false;
        }
        self.reached.push(start as u32);
        self.seen[start] = true;
        let mut rim = 0;
        for _ in 0..most {
            let next = self.reached.len();
            if rim == next {
                break;
            }
            for index in rim..next {
                for &step in steps.row(self.reached[index] as usize) {
                    if !self.seen[step as usize] && !is_blocked(step) {
                        self.seen[step as usize] = true;
                        self.reached.push(step);
                    }
                }
            }
            rim = next;
        }
        &self.reached
    }

    /// Returns whether no step leaves the set of places of the last walk.
    pub(crate) fn is_closed(&self, steps: &Csr<u32>) -> bool {
        // Steps that leave the set mostly start at the places reached last, so check these first.
        let last = self.reached.iter().rev();
        let mut next = last.flat_map(|&place| steps.row(place as usize));
        next.all(|&step| self.seen[step as usize])
    }
}

/// For tests: the closed neighbourhoods of a graph given by its arcs.
#[cfg(test)]
pub(crate) fn steps_of(places: usize, arcs: &[(usize, usize)]) -> Csr<u32> {
    Csr::from_rows((0..places).map(|place| {
        let next = arcs.iter().filter(move |arc| arc.0 == place);
        std::iter::once(place as u32).chain(next.map(|arc| arc.1 as u32))
    }))
}
