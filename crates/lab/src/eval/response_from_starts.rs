//! How much a robber that knows the cops' policy gains from given starts, over the positions that it can reach.

use super::cop_exploitability::{CopExploitability, Ratios, decide_ends};
use super::exploitability::ExploitError;
use super::games::threads;
use super::tournament::{Contest, Tournament};
use crate::CopPolicy;
use pursuit_engine::game::{Outcome, Rules, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::table::Progress;
use std::collections::BTreeMap;

/// The positions that one player decides between two progress reports.
const POSITIONS_BETWEEN_REPORTS: usize = 256;

/// The bytes of a position besides its vertices and successors: its entry in the index, its value and lengths.
const BYTES_OF_A_POSITION: u64 = 160;

/// A position with the cops to move: the robber, then the cops in ascending order.
type Position = Vec<Vertex>;

/// What is known of the value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// The positions after it are being examined.
    Open,
    Value(Outcome),
}

/// All positions that games from some starts can reach, and the successors of each position.
#[derive(Debug, Default)]
struct Reached {
    index: BTreeMap<Position, u32>,
    /// The positions in the order in which they were found.
    positions: Vec<Position>,
    /// Where the successors of each decided position begin, and the end of the last ones. A position without
    /// successors is a capture.
    begins: Vec<usize>,
    successors: Vec<u32>,
}

impl Tournament<'_> {
    /// Computes a best response to a policy of the cops from the starts of a contest, and compares it with the
    /// optimum.
    ///
    /// `policy` creates players as in [`cop_exploitability`](super::cop_exploitability()): all must play alike and
    /// without memory. The figures are about the starts of the contest, and the ratios about the starts whose optimum
    /// is known. `go_on` receives the number of decided positions and the number of positions found so far. It stops
    /// the work by returning `false`. `limit` is the memory in bytes that the work may take.
    ///
    /// The moves of the cops are fixed, so the robber plays alone: its best response is a longest path. It escapes from
    /// a position if and only if it can reach a cycle from there.
    ///
    /// Cost: a decision for each position that the robber can reach, on all cores with the feature `parallel`, and some
    /// hundred bytes. A table of the whole game is not needed.
    ///
    /// # Errors
    /// If a player is `None`, if the work would not fit, if a move is not legal, or if it was stopped.
    pub fn response_from_starts(
        &self,
        contest: &Contest,
        policy: impl Fn() -> Option<Box<dyn CopPolicy>>,
        limit: u64,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<CopExploitability, ExploitError> {
        let mut reached = Reached::default();
        let mut starts = Vec::with_capacity(contest.games());
        for (start, optimum) in contest.starts() {
            let mut position = vec![start.robber];
            position.extend_from_slice(&start.cops);
            starts.push((reached.add(position), optimum));
        }
        self.explore(&mut reached, policy, limit, go_on)?;
        let mut values = vec![Known::Nothing; reached.positions.len()];
        let mut ratios = Ratios::default();
        for (start, optimum) in starts {
            ratios.add(reached.value(start, &mut values), optimum);
        }
        Ok(ratios.total())
    }

    /// Decides all positions that can be reached.
    fn explore(
        &self,
        reached: &mut Reached,
        policy: impl Fn() -> Option<Box<dyn CopPolicy>>,
        limit: u64,
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> Result<(), ExploitError> {
        let player = || policy().ok_or(ExploitError::NoTable);
        let mut players: Vec<_> = (0..threads()).map(|_| player()).collect::<Result<_, _>>()?;
        reached.begins.push(0);
        loop {
            let (decided, found) = (reached.begins.len() - 1, reached.positions.len());
            if !go_on(Progress::of_work(decided as u64, found as u64)) {
                return Err(ExploitError::Cancelled);
            }
            if reached.bytes() > limit {
                return Err(ExploitError::TooLarge {
                    positions: found as u64,
                    limit,
                });
            }
            let end = found.min(decided + POSITIONS_BETWEEN_REPORTS * players.len());
            let open = &reached.positions[decided..end];
            if open.is_empty() {
                return Ok(());
            }
            for ends in self.decide_all(&mut players, open) {
                reached.follow(self.ground.graph, self.rules, &ends?);
            }
        }
    }

    /// Where the cops go in each position, in the order of the positions.
    fn decide_all(
        &self,
        players: &mut [Box<dyn CopPolicy>],
        open: &[Position],
    ) -> Vec<Result<Vec<Vertex>, ExploitError>> {
        let share = open.len().div_ceil(players.len()).max(1);
        let decide = |(player, open): (&mut Box<dyn CopPolicy>, &[Position])| {
            let decide = |position: &Position| self.ends(&mut **player, position);
            open.iter().map(decide).collect::<Vec<_>>()
        };
        #[cfg(feature = "parallel")]
        let shares: Vec<_> = {
            use rayon::prelude::*;
            let all = players.par_iter_mut().zip(open.par_chunks(share));
            all.map(decide).collect()
        };
        #[cfg(not(feature = "parallel"))]
        let shares: Vec<_> = players
            .iter_mut()
            .zip(open.chunks(share))
            .map(decide)
            .collect();
        shares.into_iter().flatten().collect()
    }

    /// Where the cops go in a position.
    fn ends(
        &self,
        policy: &mut dyn CopPolicy,
        position: &Position,
    ) -> Result<Vec<Vertex>, ExploitError> {
        let Some((&robber, cops)) = position.split_first() else {
            return Ok(Vec::new());
        };
        let mut ends = position.clone();
        decide_ends(
            policy,
            self.ground,
            self.rules,
            self.seed,
            robber,
            cops,
            &mut ends[1..],
        )?;
        Ok(ends)
    }
}

impl Reached {
    /// The number of a position, which is added if it is new.
    fn add(&mut self, mut position: Position) -> u32 {
        if let Some(cops) = position.get_mut(1..) {
            cops.sort_unstable();
        }
        if let Some(&known) = self.index.get(&position) {
            return known;
        }
        let number = self.positions.len() as u32;
        self.positions.push(position.clone());
        self.index.insert(position, number);
        number
    }

    /// Adds the positions after a move of the cops, which ends at `ends` behind the robber's vertex.
    fn follow(&mut self, graph: &Graph, rules: Rules, ends: &[Vertex]) {
        if let Some((robber, cops)) = ends.split_first()
            && !cops.contains(robber)
        {
            for reply in replies(graph, rules, *robber, cops) {
                let mut next = vec![reply];
                next.extend_from_slice(cops);
                let next = self.add(next);
                self.successors.push(next);
            }
        }
        self.begins.push(self.successors.len());
    }

    /// The memory in use, in bytes.
    fn bytes(&self) -> u64 {
        let agents = self.positions.first().map_or(0, Vec::len);
        let vertices = 2 * agents * size_of::<Vertex>();
        let of_positions = self.positions.len() as u64 * (BYTES_OF_A_POSITION + vertices as u64);
        of_positions + (self.successors.len() * size_of::<u32>()) as u64
    }

    fn successors(&self, position: u32) -> &[u32] {
        let bounds = self.begins.get(position as usize..position as usize + 2);
        match bounds {
            Some(&[begin, end]) => &self.successors[begin..end],
            _ => &[],
        }
    }

    /// The value of a position: a depth-first search for the longest path, which remembers what it finds.
    fn value(&self, start: u32, known: &mut [Known]) -> Outcome {
        let mut path: Vec<(u32, usize, u16)> = Vec::new();
        let mut next = Some(start);
        let mut last = Outcome::Escapes;
        loop {
            if let Some(position) = next.take() {
                match known[position as usize] {
                    Known::Value(value) => last = value,
                    // The robber walks round in a circle.
                    Known::Open => last = Outcome::Escapes,
                    Known::Nothing => {
                        known[position as usize] = Known::Open;
                        path.push((position, 0, 0));
                        next = self.successors(position).first().copied();
                        if next.is_some() {
                            continue;
                        }
                        last = Outcome::Caught(Turns(1));
                        known[position as usize] = Known::Value(last);
                        path.pop();
                    }
                }
            }
            // `last` is the value of a successor of the last position of the path.
            let Some((position, done, most)) = path.last_mut() else {
                return last;
            };
            let successors = self.successors(*position);
            *done += 1;
            let value = match last {
                free @ (Outcome::Escapes | Outcome::Away(_)) => Some(free),
                Outcome::Caught(Turns(turns)) => {
                    *most = turns.max(*most);
                    let all = *done == successors.len();
                    all.then_some(Outcome::Caught(Turns(most.saturating_add(1))))
                }
            };
            match value {
                None => next = successors.get(*done).copied(),
                Some(value) => {
                    known[*position as usize] = Known::Value(value);
                    last = value;
                    path.pop();
                }
            }
        }
    }
}

/// Where a move of the robber can end that steps on no cop. It can always stay.
fn replies(graph: &Graph, rules: Rules, robber: Vertex, cops: &[Vertex]) -> Vec<Vertex> {
    let mut ends = vec![robber];
    let mut done = 0;
    for _ in 0..rules.robber_speed.steps() {
        let end = ends.len();
        for at in done..end {
            for &step in graph.neighbours(ends[at]) {
                if !cops.contains(&step) && !ends.contains(&step) {
                    ends.push(step);
                }
            }
        }
        done = end;
    }
    ends
}
