//! The game of cops and robber by its definition, implemented slowly and plainly.

/// A game on a graph given by its adjacency lists, for any number of cops. Shares no code with the
/// crate. For games of about ten thousand positions.
pub struct SlowGame<'a> {
    /// For each vertex, the vertices one step away.
    pub out: &'a [Vec<usize>],
    /// The number of cops.
    pub cops: usize,
    /// The maximum number of steps of a cop per turn.
    pub cop_speed: u8,
    /// The maximum number of steps of the robber per turn.
    pub robber_speed: u8,
}

/// The value of a robber that is never captured.
const NEVER: u32 = u32::MAX;

impl SlowGame<'_> {
    /// The capture time of each position in cop turns, with the cops to move; `None` if there is no
    /// capture. The index of a position is robber + n * (cop 1 + n * (cop 2 + ...)).
    pub fn solve(&self) -> Vec<Option<u32>> {
        as_options(&self.cops_to_move())
    }

    /// The same with the robber to move: the number of cop turns that follow.
    pub fn solve_robber_to_move(&self) -> Vec<Option<u32>> {
        as_options(&self.robber_to_move(&self.cops_to_move()))
    }

    /// The index of a position.
    pub fn index(&self, robber: usize, cops: &[usize]) -> usize {
        let n = self.out.len();
        let cops = cops.iter().rev().fold(0, |index, cop| index * n + cop);
        robber + n * cops
    }

    /// Returns whether the cops can choose vertices from which they capture the robber wherever it
    /// starts.
    pub fn cops_win(&self) -> bool {
        let values = self.solve();
        values
            .chunks(self.out.len())
            .any(|robbers| robbers.iter().all(Option::is_some))
    }

    /// Backward induction: after `t` rounds all values up to `t` are known and correct.
    fn cops_to_move(&self) -> Vec<u32> {
        let worth_of = |captured| if captured { 0 } else { NEVER };
        let mut values: Vec<u32> = self
            .positions()
            .map(|(robber, cops)| worth_of(cops.contains(&robber)))
            .collect();
        loop {
            let after = self.robber_to_move(&values);
            let next: Vec<u32> = self
                .positions()
                .map(|(robber, cops)| {
                    if cops.contains(&robber) {
                        return 0;
                    }
                    let joint = self.joint_moves(&cops);
                    let worths = joint.iter().map(|moved| {
                        if moved.contains(&robber) {
                            0
                        } else {
                            after[self.index(robber, moved)]
                        }
                    });
                    worths.min().unwrap_or(NEVER).saturating_add(1)
                })
                .collect();
            if next == values {
                return values;
            }
            values = next;
        }
    }

    fn robber_to_move(&self, cops_to_move: &[u32]) -> Vec<u32> {
        self.positions()
            .map(|(robber, cops)| self.best_move(robber, &cops, self.robber_speed, cops_to_move))
            .collect()
    }

    /// The best value of a robber that may stay or continue; 0 if it has met a cop.
    fn best_move(&self, robber: usize, cops: &[usize], steps: u8, cops_to_move: &[u32]) -> u32 {
        if cops.contains(&robber) {
            return 0;
        }
        let mut best = cops_to_move[self.index(robber, cops)];
        if steps > 0 {
            for &next in &self.out[robber] {
                best = best.max(self.best_move(next, cops, steps - 1, cops_to_move));
            }
        }
        best
    }

    /// All positions (robber, cops) in the order of their indices.
    fn positions(&self) -> impl Iterator<Item = (usize, Vec<usize>)> {
        let n = self.out.len();
        (0..n.pow(self.cops as u32 + 1)).map(move |index| {
            let mut rest = index / n;
            let cops = (0..self.cops).map(|_| {
                let cop = rest % n;
                rest /= n;
                cop
            });
            (index % n, cops.collect())
        })
    }

    /// All combinations of places of the cops after their move.
    fn joint_moves(&self, cops: &[usize]) -> Vec<Vec<usize>> {
        let Some((&last, others)) = cops.split_last() else {
            return vec![Vec::new()];
        };
        let ends = self.ends_of_a_cop(last);
        let mut all = Vec::new();
        for moved in self.joint_moves(others) {
            for &end in &ends {
                all.push([moved.as_slice(), &[end]].concat());
            }
        }
        all
    }

    /// All vertices within a cop's speed.
    fn ends_of_a_cop(&self, cop: usize) -> Vec<usize> {
        let mut ends = vec![cop];
        for _ in 0..self.cop_speed {
            let further: Vec<usize> = ends.iter().flat_map(|&end| self.out[end].clone()).collect();
            ends.extend(further);
            ends.sort_unstable();
            ends.dedup();
        }
        ends
    }
}

fn as_options(values: &[u32]) -> Vec<Option<u32>> {
    let finite = |&value: &u32| (value != NEVER).then_some(value);
    values.iter().map(finite).collect()
}
