//! The table of a shape: the capture times of the local game, and the moves that keep them.

use super::region::Region;
use super::shape::{LocalSteps, Outside, Shape};
use crate::game::{JointMoves, JointOrder, Outcome, Rules, Turns};
use crate::map::Cell;
use crate::table::{Arena, CaptureTimes as _, Progress, Solution, SolveError, Solver, Table};
use std::sync::Arc;

/// Look-ups after which no better one of several good joint moves is looked for.
const ENOUGH_PROBES: u64 = 1_500;

/// Solves the local game of a shape, in slices.
#[derive(Debug)]
pub(super) struct LocalSolver {
    steps: LocalSteps,
    rules: Rules,
    solver: Solver,
}

/// The capture times of the local game of a shape.
#[derive(Debug, Clone)]
pub(super) struct LocalTable {
    steps: LocalSteps,
    rules: Rules,
    times: LocalTimes,
}

/// The capture times, in one form or the other.
#[derive(Debug, Clone)]
enum LocalTimes {
    /// As they were solved.
    Solved(Solution),
    /// As they are stored.
    Packed(Arc<Table>),
}

/// A joint move of the players that keeps a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalMove {
    /// The place where each player ends.
    pub(super) ends: Vec<usize>,
    /// The values that were looked up.
    pub(super) probes: u64,
}

impl LocalSolver {
    /// Gets ready to solve the local game of a shape.
    ///
    /// # Errors
    /// If it needs more than `limit` bytes.
    pub(super) fn new(
        shape: &Shape,
        outside: Outside,
        rules: Rules,
        limit: u64,
    ) -> Result<Self, SolveError> {
        let steps = shape.steps(outside);
        let arena = Arena::of_steps(steps.robber.clone(), shape.moves());
        let guards = steps.guards.clone();
        let solver = Solver::of_part(arena.into(), &steps.cops, guards, rules, limit)?;
        Ok(Self {
            steps,
            rules,
            solver,
        })
    }

    /// Works on until about `words` words of 64 positions have been examined.
    pub(super) fn advance(&mut self, words: usize) -> Progress {
        self.solver.advance(words)
    }

    /// The table, `None` as long as it is not done.
    pub(super) fn finish(self) -> Option<Arc<LocalTable>> {
        let times = LocalTimes::Solved(self.solver.finish()?);
        Some(Arc::new(LocalTable {
            steps: self.steps,
            rules: self.rules,
            times,
        }))
    }
}

impl LocalTable {
    /// The table of a region's shape that was stored.
    pub(super) fn packed(shape: &Shape, region: &Region, table: Arc<Table>) -> Self {
        Self {
            steps: shape.steps(region.outside()),
            rules: region.rules(),
            times: LocalTimes::Packed(table),
        }
    }

    /// The capture times as they are stored. Cost: some milliseconds for a table that was solved here.
    pub(super) fn pack(&self) -> Arc<Table> {
        match &self.times {
            LocalTimes::Solved(solution) => Arc::new(Table::of(solution)),
            LocalTimes::Packed(table) => Arc::clone(table),
        }
    }

    /// The value of a position. Sorts the players.
    fn value_at(&self, robber: usize, players: &mut [usize]) -> Option<Outcome> {
        match &self.times {
            LocalTimes::Solved(solution) => solution.value_at(robber, players),
            LocalTimes::Packed(table) => table.value_at(robber, players),
        }
    }

    /// The place of the outside.
    const fn outside(&self) -> usize {
        self.steps.cells.len()
    }

    /// Bytes of memory that the table takes, about.
    pub(super) fn bytes(&self) -> u64 {
        match &self.times {
            LocalTimes::Solved(solution) => solution.bytes(),
            LocalTimes::Packed(table) => table.bytes().len() as u64,
        }
    }

    /// In how many turns the players capture a robber, the players to move; `None` if it gets away. Sorts the
    /// players.
    pub(super) fn turns(&self, robber: usize, players: &mut [usize]) -> Option<u16> {
        match self.value_at(robber, players)? {
            Outcome::Caught(Turns(turns)) => Some(turns),
            Outcome::Escapes => None,
        }
    }

    /// Returns whether a robber that stays in the region is never captured. For tables of [`Outside::ForCops`]; `None`
    /// for a player stands for one outside.
    pub(super) fn escapes(&self, robber: usize, cops: impl Iterator<Item = Option<usize>>) -> bool {
        let places = cops.map(|cop| cop.unwrap_or(self.outside()));
        let mut places: Vec<usize> = places.collect();
        self.value_at(robber, &mut places) == Some(Outcome::Escapes)
    }

    /// A joint move of the players after which the robber is captured within one turn less, whatever it does; of
    /// several the one after which its answers last for the fewest turns together. `None` if the robber is captured
    /// already, or gets away.
    pub(super) fn best_move(&self, robber: usize, players: &[usize]) -> Option<LocalMove> {
        let mut places = players.to_vec();
        let left = self.turns(robber, &mut places)?.checked_sub(1)?;
        let fans: Vec<Vec<usize>> = players
            .iter()
            .map(|&player| {
                let mut fan = self.within(player, self.rules.cop_speed.steps());
                fan.sort_by_key(|&end| (self.far(end, robber), end == player));
                fan
            })
            .collect();
        let mut best: Option<(u64, Vec<usize>)> = None;
        let mut probes = 0;
        let mut joint = JointMoves::default();
        joint.start(JointOrder::SmallestSum, fans.iter().map(Vec::len));
        while let Some(choices) = joint.advance() {
            let ends = fans.iter().zip(choices).map(|(fan, &choice)| fan[choice]);
            let ends: Vec<usize> = ends.collect();
            let most = best.as_ref().map_or(u64::MAX, |(sum, _)| *sum);
            if let Some(sum) = self.replies(robber, &ends, left, most, &mut probes) {
                best = Some((sum, ends));
            }
            if best.is_some() && probes > ENOUGH_PROBES {
                break;
            }
        }
        let (_, ends) = best?;
        Some(LocalMove { ends, probes })
    }

    /// The turns left after each answer of the robber, summed up; `None` if one of them is more than `left`, or if the
    /// sum is not below `most`.
    fn replies(
        &self,
        robber: usize,
        cops: &[usize],
        left: u16,
        most: u64,
        probes: &mut u64,
    ) -> Option<u64> {
        if cops.contains(&robber) {
            return (most > 0).then_some(0);
        }
        let mut sum = 1;
        let mut places = cops.to_vec();
        // The robber's first thought is to run: the last answers refute most moves.
        for &answer in self.answers(robber, cops).iter().rev() {
            if answer == self.outside() {
                return None;
            }
            *probes += 1;
            let turns = self.turns(answer, &mut places)?;
            sum += u64::from(turns);
            if turns > left || sum >= most {
                return None;
            }
        }
        Some(sum)
    }

    /// The places where the robber's moves end that no cop and no guard captures on the way.
    fn answers(&self, robber: usize, cops: &[usize]) -> Vec<usize> {
        let is_taken =
            |place: usize| cops.contains(&place) || self.steps.guards.contains(&(place as u16));
        let speed = self.rules.robber_speed.steps();
        walk(&self.steps.robber, robber, speed, is_taken)
    }

    /// The places within some steps of a player, itself first.
    fn within(&self, player: usize, steps: u8) -> Vec<usize> {
        walk(&self.steps.cops, player, steps, |_| false)
    }

    /// A path of a player, without its start.
    pub(super) fn path(&self, from: usize, to: usize) -> Vec<usize> {
        // Breadth-first from the end, so that following it back begins at the start.
        let mut parents = vec![usize::MAX; self.steps.cops.rows()];
        parents[to] = to;
        let mut queue = vec![to];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            if at == from {
                break;
            }
            next += 1;
            for &beside in self.steps.cops.row(at) {
                let beside = beside as usize;
                if parents[beside] == usize::MAX {
                    parents[beside] = at;
                    queue.push(beside);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = from;
        while at != to && parents[at] != usize::MAX {
            at = parents[at];
            path.push(at);
        }
        path
    }

    /// How far apart two places are, as the crow flies.
    fn far(&self, a: usize, b: usize) -> u64 {
        let cell = |place: usize| self.steps.cells.get(place).copied();
        let apart = |(a, b): (Cell, Cell)| a.squared_distance(b);
        cell(a).zip(cell(b)).map_or(u64::MAX, apart)
    }
}

/// The places within some steps that no step onto a taken place is needed for, nearest first.
fn walk(
    steps: &crate::graph::Csr<u32>,
    from: usize,
    most: u8,
    is_taken: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut reached = vec![from];
    let mut rim = 0;
    for _ in 0..most {
        let end = reached.len();
        for index in rim..end {
            for &next in steps.row(reached[index]) {
                let next = next as usize;
                if !is_taken(next) && !reached.contains(&next) {
                    reached.push(next);
                }
            }
        }
        rim = end;
    }
    reached
}
