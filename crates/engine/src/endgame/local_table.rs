//! The table of a shape: the capture times of the local game, and the moves that keep them.

use super::region::Region;
use super::shape::{LocalSteps, MayLeave, Shape};
use super::waits::Waits;
use crate::game::{JointMoves, JointOrder, Outcome, Rules, Turns};
use crate::graph::steps_from;
use crate::map::Cell;
use crate::table::{Arena, CaptureTimes as _, Preparation, Solution, SolveError, Solver, Table};
use std::sync::{Arc, OnceLock};

/// After this number of look-ups, the search for a better one of several good joint moves ends.
const ENOUGH_PROBES: u64 = 1_500;

/// Solves the local game of a shape, in slices.
#[derive(Debug)]
pub(super) struct LocalSolver {
    steps: LocalSteps,
    rules: Rules,
    stage: LocalStage,
}

/// What is being solved at present.
#[derive(Debug)]
enum LocalStage {
    /// What the agents reach in a turn.
    Reach(Box<Preparation>),
    /// The table.
    Table(Box<Solver>),
    /// The capture times while guards are on their way, which follow from the table.
    Waits(Box<LocalTable>, Box<Waits>),
    /// Everything is solved.
    Done(Option<Box<LocalTable>>),
}

/// The capture times of the local game of a shape.
#[derive(Debug, Clone)]
pub(super) struct LocalTable {
    steps: LocalSteps,
    rules: Rules,
    times: LocalTimes,
    /// The capture times while guards are on their way. They are found when they are first asked for.
    waits: OnceLock<Waits>,
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

/// The condition that a joint move has to meet.
struct Next {
    /// The robber's place before its answer.
    robber: usize,
    /// The number of moves after which the guards stand at their posts.
    wait: usize,
    /// The turns within which the robber is to be captured.
    left: u16,
}

impl LocalSolver {
    /// Gets ready to solve the local game of a shape.
    ///
    /// # Errors
    /// If solving needs more than `limit` bytes.
    pub(super) fn new(
        shape: &Shape,
        outside: MayLeave,
        rules: Rules,
        limit: u64,
    ) -> Result<Self, SolveError> {
        let steps = shape.steps(outside);
        let arena = Arena::of_steps(steps.robber.clone(), shape.moves());
        let (cops, guards) = (steps.cops.clone(), steps.guards.clone());
        let preparation = Preparation::of_part(arena.into(), cops, guards, rules, limit)?;
        Ok(Self {
            steps,
            rules,
            stage: LocalStage::Reach(preparation.into()),
        })
    }

    /// Gets ready to find what follows from a stored table: the capture times while guards are on their way.
    pub(super) fn of_stored(table: LocalTable) -> Self {
        Self {
            steps: table.steps.clone(),
            rules: table.rules,
            stage: table.solve_waits(),
        }
    }

    /// Returns whether there is nothing to solve.
    pub(super) const fn is_done(&self) -> bool {
        matches!(self.stage, LocalStage::Done(_))
    }

    /// Works until about `words` words of 64 positions have been examined or prepared, or for one slice of the capture
    /// times while guards are on their way. Returns whether everything is done.
    pub(super) fn advance(&mut self, words: usize) -> bool {
        let done = LocalStage::Done(None);
        self.stage = match std::mem::replace(&mut self.stage, done) {
            LocalStage::Reach(mut preparation) => {
                let spent = preparation.advance(words);
                if spent.is_ok() && !preparation.is_done() {
                    LocalStage::Reach(preparation)
                } else {
                    let solver = spent.and_then(|_| preparation.finish());
                    solver.map_or(LocalStage::Done(None), |solver| {
                        LocalStage::Table(solver.into())
                    })
                }
            }
            LocalStage::Table(mut solver) => {
                if solver.advance(words).done {
                    self.solved(*solver)
                } else {
                    LocalStage::Table(solver)
                }
            }
            LocalStage::Waits(table, mut waits) => {
                table.advance_waits(&mut waits);
                if waits.is_done() {
                    table.with_waits(*waits)
                } else {
                    LocalStage::Waits(table, waits)
                }
            }
            done @ LocalStage::Done(_) => done,
        };
        self.is_done()
    }

    /// What comes after the table.
    fn solved(&self, solver: Solver) -> LocalStage {
        let Some(solution) = solver.finish() else {
            return LocalStage::Done(None);
        };
        let table = LocalTable {
            steps: self.steps.clone(),
            rules: self.rules,
            times: LocalTimes::Solved(solution),
            waits: OnceLock::new(),
        };
        table.solve_waits()
    }

    /// The table; `None` until it is done.
    pub(super) fn finish(self) -> Option<Arc<LocalTable>> {
        match self.stage {
            LocalStage::Done(table) => Some(Arc::new(*table?)),
            LocalStage::Reach(_) | LocalStage::Table(_) | LocalStage::Waits(..) => None,
        }
    }
}

impl LocalTable {
    /// The stage in which the capture times while guards are on their way are found.
    fn solve_waits(self) -> LocalStage {
        let waits = Waits::new(&self.steps, self.rules);
        if waits.is_done() {
            Box::new(self).with_waits(waits)
        } else {
            LocalStage::Waits(self.into(), waits.into())
        }
    }

    fn advance_waits(&self, waits: &mut Waits) {
        waits.advance(&self.steps, |robber, others, board| {
            self.at_posts(robber, others, board)
        });
    }

    /// Everything that is solved.
    fn with_waits(self: Box<Self>, waits: Waits) -> LocalStage {
        LocalStage::Done(Some(Box::new(Self {
            waits: OnceLock::from(waits),
            ..*self
        })))
    }

    /// The capture times while guards are on their way. Cost: some milliseconds for the first call, if they are not
    /// solved yet.
    fn waits(&self) -> &Waits {
        self.waits.get_or_init(|| {
            let mut waits = Waits::new(&self.steps, self.rules);
            while !waits.is_done() {
                self.advance_waits(&mut waits);
            }
            waits
        })
    }

    /// The table of a region's shape that was stored.
    pub(super) fn packed(shape: &Shape, region: &Region, table: Arc<Table>) -> Self {
        Self {
            steps: shape.steps(region.outside()),
            rules: region.rules(),
            times: LocalTimes::Packed(table),
            waits: OnceLock::new(),
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
        self.steps.outside()
    }

    /// About how many bytes of memory the table takes.
    pub(super) fn bytes(&self) -> u64 {
        let times = match &self.times {
            LocalTimes::Solved(solution) => solution.bytes(),
            LocalTimes::Packed(table) => table.bytes().len() as u64,
        };
        times + self.waits.get().map_or(0, Waits::bytes)
    }

    /// The number of turns in which the cops capture a robber, with the cops to move, if the guards stand at their
    /// posts after `wait` moves; `None` if the robber escapes. Sorts the players.
    pub(super) fn turns(&self, wait: usize, robber: usize, players: &mut [usize]) -> Option<u16> {
        if wait > 0 {
            return self.waits().value(wait, robber, players);
        }
        if self.is_closed(robber) && !players.contains(&robber) {
            // The table counts this as a capture. A guard has yet to make it.
            return Some(1);
        }
        match self.value_at(robber, players)? {
            Outcome::Caught(Turns(turns)) => Some(turns),
            Outcome::Escapes | Outcome::Away(_) => None,
        }
    }

    /// The [turns](Self::turns) with guards at their posts, the robber on a place, all players but one on `others`, in
    /// order, and that one on the 64 places of a board; [`u16::MAX`] if the robber escapes. Valid for places up to the
    /// least of the others.
    fn at_posts(&self, robber: usize, others: &[usize], board: usize) -> [u16; 64] {
        if !self.is_closed(robber) {
            return match &self.times {
                LocalTimes::Solved(solution) => solution.unpack(others, board, robber),
                LocalTimes::Packed(table) => table.unpack(others, board, robber),
            };
        }
        let is_there = others.contains(&robber);
        let mut turns = [u16::from(!is_there); 64];
        let captured = robber.checked_sub(board * 64);
        if let Some(captured) = captured.and_then(|place| turns.get_mut(place)) {
            *captured = 0;
        }
        turns
    }

    /// Returns whether a robber on a place is within reach of guards that stand at their posts.
    fn is_closed(&self, place: usize) -> bool {
        u16::try_from(place).is_ok_and(|place| self.steps.guards.contains(&place))
    }

    /// Returns whether a robber that stays in the region is never captured. For tables of [`MayLeave::ForCops`]. A
    /// player that is `None` is outside the region.
    pub(super) fn escapes(&self, robber: usize, cops: impl Iterator<Item = Option<usize>>) -> bool {
        let places = cops.map(|cop| cop.unwrap_or(self.outside()));
        let mut places: Vec<usize> = places.collect();
        self.value_at(robber, &mut places) == Some(Outcome::Escapes)
    }

    /// A joint move of the players after which the robber is captured within one turn less, whatever it does. Of
    /// several such moves, this is the one after which the robber's answers last for the fewest turns in total. The
    /// guards stand at their posts after `wait` moves, of which this is the first. `None` if the robber is captured
    /// already, or escapes.
    pub(super) fn best_move(
        &self,
        wait: usize,
        robber: usize,
        players: &[usize],
    ) -> Option<LocalMove> {
        let mut places = players.to_vec();
        let left = self.turns(wait, robber, &mut places)?.checked_sub(1)?;
        let then = Next {
            robber,
            wait: wait.saturating_sub(1),
            left,
        };
        let far = Nearness::new(&self.steps, robber);
        let moves: Vec<Vec<usize>> = players
            .iter()
            .map(|&player| {
                let mut ends = self.within(player, self.rules.cop_speed.steps());
                ends.sort_by_key(|&end| (far.to(end), end == player));
                ends
            })
            .collect();
        let mut best: Option<(u64, Vec<usize>)> = None;
        let mut probes = 0;
        let mut joint = JointMoves::default();
        joint.start(JointOrder::SmallestSum, moves.iter().map(Vec::len));
        while let Some(choices) = joint.advance() {
            let ends = moves
                .iter()
                .zip(choices)
                .map(|(ends, &choice)| ends[choice]);
            let ends: Vec<usize> = ends.collect();
            let most = best.as_ref().map_or(u64::MAX, |(sum, _)| *sum);
            if let Some(sum) = self.replies(&then, &ends, most, &mut probes) {
                best = Some((sum, ends));
            }
            if best.is_some() && probes > ENOUGH_PROBES {
                break;
            }
        }
        let (_, ends) = best?;
        Some(LocalMove { ends, probes })
    }

    /// The sum of the turns left after each answer of the robber; `None` if one answer leaves more turns than allowed,
    /// or if the sum is not below `most`.
    fn replies(&self, then: &Next, cops: &[usize], most: u64, probes: &mut u64) -> Option<u64> {
        if cops.contains(&then.robber) {
            return (most > 0).then_some(0);
        }
        let mut sum = 1;
        let mut places = cops.to_vec();
        // The robber's first thought is to run: the last answers refute most moves.
        for &answer in self.answers(then, cops).iter().rev() {
            if answer == self.outside() {
                return None;
            }
            *probes += 1;
            let turns = self.turns(then.wait, answer, &mut places)?;
            sum += u64::from(turns);
            if turns > then.left || sum >= most {
                return None;
            }
        }
        Some(sum)
    }

    /// The places where those moves of the robber end on whose way no cop and no guard captures it.
    fn answers(&self, then: &Next, cops: &[usize]) -> Vec<usize> {
        let is_taken = |place: usize| {
            cops.contains(&place) || then.wait == 0 && place != then.robber && self.is_closed(place)
        };
        let speed = self.rules.robber_speed.steps();
        walk(&self.steps.robber, then.robber, speed, is_taken)
    }

    /// The places within some steps of a player, its own place first.
    fn within(&self, player: usize, steps: u8) -> Vec<usize> {
        walk(&self.steps.cops, player, steps, |_| false)
    }

    /// A path of a player, without its start.
    pub(super) fn path(&self, from: usize, to: usize) -> Vec<usize> {
        // Breadth-first from the end, so that following it back begins at the start.
        let steps = self.steps.cops_back();
        let mut parents = vec![usize::MAX; steps.rows()];
        parents[to] = to;
        let mut queue = vec![to];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            if at == from {
                break;
            }
            next += 1;
            for &beside in steps.row(at) {
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
}

/// How near places are to a robber, for the order in which moves are tried.
enum Nearness<'a> {
    /// On a map: the cells of the places, and the cell of the robber.
    Cells(&'a [Cell], Option<Cell>),
    /// Elsewhere: the number of a cop's steps from each place.
    Steps(Vec<u32>),
}

impl<'a> Nearness<'a> {
    fn new(steps: &'a LocalSteps, robber: usize) -> Self {
        if steps.cops_back.is_none() {
            let cells = &steps.cells;
            return Self::Cells(cells, cells.get(robber).copied());
        }
        let back = steps.cops_back();
        let before = |at| back.row(at).iter().map(|&before| before as usize);
        let all = steps_from(back.rows(), [robber], before);
        Self::Steps(all)
    }

    /// How far a place is from the robber.
    fn to(&self, place: usize) -> u64 {
        match self {
            Self::Cells(cells, robber) => {
                let apart = |(a, b): (Cell, Cell)| a.squared_distance(b);
                let cell = cells.get(place).copied();
                cell.zip(*robber).map_or(u64::MAX, apart)
            }
            Self::Steps(all) => {
                let known = all.get(place).filter(|&&steps| steps != u32::MAX);
                known.map_or(u64::MAX, |&steps| steps.into())
            }
        }
    }
}

/// The places that can be reached within some steps without stepping onto a taken place, the nearest first.
pub(super) fn walk(
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
