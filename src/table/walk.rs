//! Breadth-first walks over the places of an arena.

use crate::graph::Csr;

/// Where an agent gets within some steps, breadth-first, in memory that is used again.
#[derive(Debug)]
pub(super) struct Walk {
    seen: Vec<bool>,
    reached: Vec<u32>,
}

impl Walk {
    pub(super) fn new(places: usize) -> Self {
        Self {
            seen: vec![false; places],
            reached: Vec::new(),
        }
    }

    /// The places up to `most` steps from `start` on paths without a blocked place, the start first.
    /// Linear in their number.
    pub(super) fn within(
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

    /// Returns whether no step leads out of the places of the last walk.
    pub(super) fn is_closed(&self, steps: &Csr<u32>) -> bool {
        // What leads out mostly starts where the walk has ended.
        let last = self.reached.iter().rev();
        let mut next = last.flat_map(|&place| steps.row(place as usize));
        next.all(|&step| self.seen[step as usize])
    }
}

/// For tests: each place and where the arcs lead.
#[cfg(test)]
pub(super) fn steps_of(places: usize, arcs: &[(usize, usize)]) -> Csr<u32> {
    Csr::from_rows((0..places).map(|place| {
        let next = arcs.iter().filter(move |arc| arc.0 == place);
        std::iter::once(place as u32).chain(next.map(|arc| arc.1 as u32))
    }))
}
