//! The moves of an agent, best first: the one that it has chosen, the beginnings of that, and single steps, by what they are
//! worth to it.

use super::agent::{AgentRecord, Control};
use super::agent_id::AgentId;
use super::facts::Facts;
use super::hash::mix;
use super::moves;
use super::orders::MoveTime;
use super::pursuit::PursuitRecord;
use crate::game::Side;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Walker};
use crate::search::{Distances, Timetable};

/// The beginnings of a move that are looked at, besides the first step.
const BEGINNINGS: usize = 8;

/// How far ahead on its path an agent aims.
const AHEAD: usize = 8;

/// The expansions for finding out how far the steps of an agent are from where it aims, and for each agent that chooses, on
/// average, from the robbers that they chase.
const LOCAL: u64 = 160;
const SHARED: u64 = 48;

/// The number of robbers for which distances are kept at a time.
const TARGETS: usize = 4;

/// The most expansions of one piece of a measurement.
const PIECE: u64 = 64;

/// What a cell costs that is deadly by the time of the move.
const DEADLY: i64 = 1 << 40;

/// A move of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alternative {
    /// The first steps of the move that it has chosen.
    Beginning(usize),
    /// A step to a vertex.
    Step(Vertex),
    Stay,
}

impl Alternative {
    /// The path of the move, where `chosen` is that of the chosen one.
    pub(super) fn way<'a>(&'a self, chosen: &'a [Vertex]) -> &'a [Vertex] {
        match self {
            Self::Beginning(steps) => &chosen[..chosen.len().min(*steps)],
            Self::Step(to) => std::slice::from_ref(to),
            Self::Stay => &[],
        }
    }
}

/// An agent that may need another move than the one that it has chosen.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) facts: &'a Facts,
    pub(super) id: AgentId,
    pub(super) pursuit: &'a PursuitRecord,
    pub(super) agent: &'a AgentRecord,
    pub(super) stint: MoveTime,
    /// The path of its move, and the number of steps that follow its plan.
    pub(super) chosen: &'a [Vertex],
    pub(super) planned: usize,
    /// The opponents that the move depends on.
    pub(super) enemies: &'a [Cell],
}

/// Distances from the robber that some cops chase.
#[derive(Debug, Default)]
struct TargetDistances {
    source: Option<Vertex>,
    ground: Walker,
    distances: Distances,
    is_whole: bool,
}

/// Lists moves, best first. Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct Ranker {
    targets: Vec<TargetDistances>,
    /// The number of targets in use.
    known: usize,
    local: Distances,
    steps: Vec<RankedStep>,
    /// The expansions that may still be taken, and those that were.
    left: u64,
    taken: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RankedStep {
    cost: i64,
    is_taken: bool,
    order: u64,
    to: Vertex,
}

/// What the steps of an agent are measured by.
enum Aim<'a> {
    /// It is where it wants to be.
    Here,
    /// As far from these as it can.
    AwayFrom(&'a [Cell]),
    /// Close to a robber, by the distances of this index.
    Target(usize),
    /// Close to a place on its path.
    Path,
    /// Close to a cell in a straight line.
    Line(Cell),
}

impl Ranker {
    /// Begins with a number of agents that choose.
    pub(super) fn begin(&mut self, agents: usize) {
        self.known = 0;
        self.left = LOCAL + SHARED * agents as u64;
    }

    /// The expansions since the last call.
    pub(super) const fn take_expansions(&mut self) -> u64 {
        std::mem::replace(&mut self.taken, 0)
    }

    /// Appends the moves of an agent, best first. `is_free`: whether nobody is on a cell. An agent that the game moves takes
    /// no other steps than those.
    ///
    /// Cost: some ten nanoseconds, and for an agent off its path at most [`LOCAL`] expansions.
    pub(super) fn list(
        &mut self,
        asker: &Asker<'_>,
        is_free: impl Fn(Cell) -> bool,
        moves: &mut Vec<Alternative>,
    ) {
        let chosen = asker.chosen;
        if !chosen.is_empty() {
            let whole = chosen.len();
            moves.push(Alternative::Beginning(whole));
            let shorter = (1..whole).rev().take(BEGINNINGS);
            moves.extend(shorter.map(Alternative::Beginning));
            if whole > BEGINNINGS + 1 {
                moves.push(Alternative::Beginning(1));
            }
        }
        if asker.is_bound() {
            moves.push(Alternative::Stay);
            return;
        }
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let stays = self.rank(asker, is_free, &mut steps);
        // What it has chosen comes first.
        if chosen.is_empty() {
            moves.push(Alternative::Stay);
        }
        let mut stays = Some(stays).filter(|_| !chosen.is_empty());
        for step in &steps {
            if stays.is_some_and(|cost| step.cost >= cost) {
                moves.push(Alternative::Stay);
                stays = None;
            }
            if chosen.first() != Some(&step.to) {
                moves.push(Alternative::Step(step.to));
            }
        }
        if stays.is_some() {
            moves.push(Alternative::Stay);
        }
        self.steps = steps;
    }

    /// Writes the single steps of an agent, best first. Returns what it costs to stay.
    fn rank(
        &mut self,
        asker: &Asker<'_>,
        is_free: impl Fn(Cell) -> bool,
        steps: &mut Vec<RankedStep>,
    ) -> i64 {
        let Asker { facts, agent, .. } = *asker;
        let graph = facts.graph_of(agent);
        let here = agent.setup.cell;
        let from = graph.vertex(here);
        let aim = from.map_or(Aim::Here, |from| self.aim(asker, graph, from));
        let has_hazards = !facts.hazards.is_empty();
        let table = has_hazards.then(|| facts.timetable(asker.pursuit, agent, asker.stint));
        let danger = |at: Vertex| {
            let is_free = |table: &_| Timetable::free(table, at) & 1 == 1;
            if table.as_ref().is_none_or(is_free) {
                0
            } else {
                DEADLY
            }
        };
        let cost = |at: Option<Vertex>, cell: Cell| {
            let deadly = at.map_or(0, danger);
            deadly + self.cost(&aim, graph, at, cell)
        };
        let stays = match (&aim, from) {
            // Who stands in a wall leaves it.
            (_, None) => i64::MAX,
            (Aim::Here, _) => -1 + from.map_or(0, danger),
            _ => cost(from, here),
        };
        let draw = mix(asker.id.key(), facts.tick);
        let mut add = |order: usize, to: Vertex| {
            let cell = graph.cell(to);
            steps.push(RankedStep {
                cost: cost(Some(to), cell),
                is_taken: !is_free(cell),
                // Who is pushed to and fro in a corridor comes into each of its pockets some time.
                order: mix(draw, order as u64),
                to,
            });
        };
        if let Some(from) = from {
            let all = graph.neighbours(from).iter().copied().enumerate();
            all.for_each(|(order, to)| add(order, to));
        } else {
            let all = moves::exits(graph, here).enumerate();
            all.for_each(|(order, to)| add(order, to));
        }
        steps.sort_unstable();
        stays
    }

    fn cost(&self, aim: &Aim<'_>, graph: &Graph, at: Option<Vertex>, cell: Cell) -> i64 {
        let far = |squared: u64| i64::try_from(squared).unwrap_or(i64::MAX >> 8);
        let steps = |distances: &Distances| {
            let steps = at.and_then(|at| distances.steps(at));
            steps.map_or(i64::from(u32::MAX), i64::from)
        };
        match *aim {
            Aim::Here => 0,
            Aim::AwayFrom(enemies) => {
                let nearest = moves::nearest(cell, enemies);
                -far(nearest.map_or(0, |(_, squared)| squared))
            }
            Aim::Target(index) => steps(&self.targets[index].distances),
            Aim::Path => steps(&self.local),
            Aim::Line(goal) => far(graph.moves().squared_distance(cell, goal)),
        }
    }

    /// What the steps of an agent are measured by.
    fn aim<'a>(&mut self, asker: &Asker<'a>, graph: &Graph, from: Vertex) -> Aim<'a> {
        let Asker { agent, enemies, .. } = *asker;
        let goes_somewhere = agent.goal_of_walk().is_some();
        if agent.side() == Side::Robber && !goes_somewhere && !enemies.is_empty() {
            return Aim::AwayFrom(enemies);
        }
        let Some(&end) = asker.chosen.last() else {
            return Aim::Here;
        };
        let chases = agent.side() == Side::Cops && !goes_somewhere;
        let target = enemies.first().filter(|_| chases);
        if let Some(target) = target.and_then(|&cell| graph.vertex(cell))
            && let Some(index) = self.target(asker, graph, from, target)
        {
            let distances = &self.targets[index].distances;
            let comes_closer = distances.steps(end) < distances.steps(from);
            if comes_closer && distances.steps(end).is_some() {
                return Aim::Target(index);
            }
        }
        let rest = agent.plan.rest(from).filter(|_| asker.planned > 0);
        let ahead = rest.map_or(asker.chosen, |rest| &rest[..rest.len().min(AHEAD)]);
        let ahead = ahead.last().copied().unwrap_or(end);
        let most = LOCAL.min(self.left);
        self.local.begin(graph, ahead);
        let taken = reach(&mut self.local, graph, from, most).0;
        self.spend(taken);
        if self.local.steps(from).is_some() {
            Aim::Path
        } else {
            Aim::Line(graph.cell(ahead))
        }
    }

    /// The index of the distances from a target, as far as the agent and the vertices around it; `None` if it is too far
    /// away.
    fn target(
        &mut self,
        asker: &Asker<'_>,
        graph: &Graph,
        from: Vertex,
        target: Vertex,
    ) -> Option<usize> {
        let ground = asker.facts.ground_of(asker.agent);
        let known = &self.targets[..self.known];
        let found = known
            .iter()
            .position(|of| of.source == Some(target) && of.ground == ground);
        let index = match found {
            Some(index) => index,
            None if self.known < TARGETS => {
                if self.targets.len() == self.known {
                    self.targets.push(TargetDistances::default());
                }
                let of = &mut self.targets[self.known];
                (of.source, of.ground, of.is_whole) = (Some(target), ground, false);
                of.distances.begin(graph, target);
                self.known += 1;
                self.known - 1
            }
            None => return None,
        };
        let of = &mut self.targets[index];
        if !of.is_whole {
            let (taken, is_whole) = reach(&mut of.distances, graph, from, self.left);
            of.is_whole = is_whole;
            self.spend(taken);
        }
        self.targets[index].distances.steps(from)?;
        Some(index)
    }

    const fn spend(&mut self, expansions: u64) {
        self.left = self.left.saturating_sub(expansions);
        self.taken += expansions;
    }
}

/// Continues to measure until the distances of a vertex and of all around it are known. Returns the expansions, and whether
/// all distances are known.
fn reach(distances: &mut Distances, graph: &Graph, to: Vertex, most: u64) -> (u64, bool) {
    let mut taken = 0;
    loop {
        let is_there = distances
            .steps(to)
            .is_some_and(|steps| distances.complete_to() > steps);
        let piece = PIECE.min(most - taken);
        if is_there || piece == 0 {
            return (taken, false);
        }
        let rest = distances.advance(graph, piece);
        taken += piece - rest;
        if rest > 0 {
            return (taken, true);
        }
    }
}

impl Asker<'_> {
    /// Returns whether it takes no other steps than those of its move: the game moves it.
    pub(super) fn is_bound(&self) -> bool {
        let setup = &self.agent.setup;
        let is_steered = matches!(setup.control, Control::Steer { .. } | Control::External);
        is_steered || setup.is_immobile || !self.agent.ordered().is_empty()
    }
}
