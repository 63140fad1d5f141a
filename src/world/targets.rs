//! Chooses targets: the robber that each cop chases.

use super::agent::AgentRecord;
use super::board::Board;
use super::settings::PursuitClock;
use super::{AgentId, PursuitRecord};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::search::{WalkingDistances, WalkingMaps, WalkingPlace};
use std::mem;

/// The most expansions for measuring the walking distances from all robbers of pursuits with several robbers: about 0.2
/// ms in the worst tick.
const MEASURING: usize = 4096;

/// The choices of the cops of a pursuit, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The choice of each cop, in the order of the cops.
    chosen: Vec<Choice>,
    /// For each robber, the number of cops that have chosen it.
    teams: Vec<u32>,
    candidates: Vec<Candidate>,
    distances: WalkingDistances,
    /// A tick, and the number of robbers that have rivals in that tick.
    rivals: Option<(u64, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Choice {
    cop: AgentId,
    robber: Option<AgentId>,
    /// Whether the cop may move now and may choose another robber.
    is_open: bool,
}

/// A robber that can be chased.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    robber: AgentId,
    /// Where the cops expect it; `None` if they have never seen it.
    spot: Option<Spot>,
}

/// A cell, and its place for walking distances.
#[derive(Debug, Clone, Copy)]
struct Spot {
    cell: Cell,
    /// `None` in a wall.
    vertex: Option<Vertex>,
    /// `None` in a wall and while the abstraction is not up to date.
    place: Option<WalkingPlace>,
}

impl Spot {
    fn new(board: &Board, maps: Option<WalkingMaps<'_>>, cell: Cell) -> Self {
        let vertex = board.graph.vertex(cell);
        let place = maps.zip(vertex).map(|(maps, vertex)| maps.place(vertex));
        Self {
            cell,
            vertex,
            place,
        }
    }

    /// Returns whether a path leads from one spot to the other, as far as the abstraction is up to date.
    fn is_connected(&self, other: &Self) -> bool {
        match self.place.zip(other.place) {
            Some((here, there)) => here.is_connected(there),
            None => self.vertex.is_some() && other.vertex.is_some(),
        }
    }
}

impl Targets {
    /// The number of robbers of pursuits with several robbers. Cost: once a tick, linear in the number of pursuits.
    fn rivals(&mut self, board: &Board) -> usize {
        let known = self.rivals.filter(|&(tick, _)| tick == board.tick);
        let (_, rivals) = known.unwrap_or_else(|| {
            let robbers = board.members.pursuits().iter();
            let robbers = robbers.map(|pursuit| pursuit.robbers.len());
            (board.tick, robbers.filter(|&robbers| robbers > 1).sum())
        });
        self.rivals = Some((board.tick, rivals));
        rivals
    }

    /// The best target of a cop among the robbers that `may_be` accepts: known ones first, then those that the cop
    /// can reach, then the nearest.
    fn best(
        &mut self,
        maps: Option<WalkingMaps<'_>>,
        cop: &AgentRecord,
        here: &Spot,
        may_be: impl Fn(AgentId) -> bool,
    ) -> Option<AgentId> {
        let mut best = None;
        for &Candidate { robber, spot } in &self.candidates {
            if !may_be(robber) {
                continue;
            }
            let there = spot.unwrap_or(*here);
            let keeps = cop.target == Some(robber);
            let rank = |is_apart, steps| {
                let distance = steps * if keeps { 2 } else { 3 };
                (spot.is_none(), is_apart, distance, there.cell, robber)
            };
            let least = there.cell.max_norm(here.cell);
            // The walking distance is at least the maximum norm, which costs far less.
            if best.is_some_and(|best| best < rank(false, least)) {
                continue;
            }
            let steps = match (maps, here.place.zip(there.place)) {
                (Some(maps), Some((from, to))) => self.distances.steps(maps, from, to),
                _ => here.is_connected(&there).then_some(least),
            };
            let ranked = rank(steps.is_none(), steps.unwrap_or(least));
            best = Some(best.map_or(ranked, |best| ranked.min(best)));
        }
        best.map(|(.., robber)| robber)
    }
}

impl Board {
    /// Lets each cop that may move now choose a target: the nearest free robber by the estimated walking distance, if
    /// possible among the robbers that the cops know of and that the cop can reach. A cop keeps its target unless
    /// another robber is nearer by a third. While edits are worked into the abstraction, distances are unknown, and
    /// cops keep their targets.
    ///
    /// A cop that would chase alone and is no faster than its robber joins the nearest other team instead,
    /// because a single cop captures a robber of its own speed on hardly any map.
    pub(super) fn assign_targets(&mut self, at: usize) {
        let mut targets = mem::take(&mut self.targets);
        self.choose_targets(at, &mut targets);
        for choice in &targets.chosen {
            if let Some(cop) = self.members.get_mut(choice.cop)
                && cop.target != choice.robber
            {
                cop.target = choice.robber;
                cop.search = None;
                cop.plan.drop();
            }
        }
        self.targets = targets;
    }

    fn choose_targets(&self, at: usize, targets: &mut Targets) {
        let pursuit = &self.members.pursuits()[at];
        let has_rivals = pursuit.robbers.len() > 1;
        // A single robber is the target whatever its distance.
        let maps = self.hierarchy().filter(|_| has_rivals).map(|all| {
            let rivals = targets.rivals(self);
            WalkingMaps::new(&self.graph, all, rivals, MEASURING)
        });
        self.collect_candidates(pursuit, maps, &mut targets.candidates);
        self.choose_nearest(pursuit, maps, targets);
        if has_rivals && pursuit.cops.len() > 1 {
            self.join_teams(pursuit, maps, targets);
        }
    }

    fn collect_candidates(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        candidates: &mut Vec<Candidate>,
    ) {
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let free = self.agents(&pursuit.robbers);
        let free = free.filter(|(_, robber)| self.can_be_chased(robber));
        candidates.clear();
        candidates.extend(free.map(|(robber, agent)| {
            let known = self.known_robber(pursuit, sees_all, robber, agent);
            let spot = known.map(|(cell, _)| Spot::new(self, maps, cell));
            Candidate { robber, spot }
        }));
    }

    fn choose_nearest(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        targets: &mut Targets,
    ) {
        let is_up_to_date = self.hierarchy().is_some();
        targets.chosen.clear();
        for (id, cop) in self.agents(&pursuit.cops) {
            let is_free = |target: AgentId| {
                let found = |candidate: &Candidate| candidate.robber.cmp(&target);
                targets.candidates.binary_search_by(found).is_ok()
            };
            let is_due = is_up_to_date && self.tick >= cop.arrives;
            let is_open = is_due || !cop.target.is_some_and(is_free);
            let robber = match targets.candidates[..] {
                _ if !is_open => cop.target,
                [] => None,
                [only] => Some(only.robber),
                _ => {
                    let here = Spot::new(self, maps, cop.setup.cell);
                    targets.best(maps, cop, &here, |_| true)
                }
            };
            let cop = id;
            targets.chosen.push(Choice {
                cop,
                robber,
                is_open,
            });
        }
    }

    /// Lets each cop that is alone choose the nearest robber that another cop chases.
    fn join_teams(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        targets: &mut Targets,
    ) {
        let index_of = |robber: AgentId| pursuit.robbers.binary_search(&robber).ok();
        let mut teams = mem::take(&mut targets.teams);
        teams.clear();
        teams.resize(pursuit.robbers.len(), 0);
        for choice in &targets.chosen {
            if let Some(robber) = choice.robber.and_then(index_of) {
                teams[robber] += 1;
            }
        }
        for index in 0..targets.chosen.len() {
            let choice = targets.chosen[index];
            let alone = choice.robber.and_then(index_of).filter(|_| choice.is_open);
            let alone = alone.filter(|&robber| teams[robber] == 1);
            let Some((own, cop)) = alone.zip(self.agent(choice.cop)) else {
                continue;
            };
            let robber = self.agent(pursuit.robbers[own]);
            if robber.is_none_or(|robber| self.is_faster(pursuit, cop, robber)) {
                continue;
            }
            let has_team =
                |robber| index_of(robber).is_some_and(|index| index != own && teams[index] == 1);
            let here = Spot::new(self, maps, cop.setup.cell);
            let joined = targets.best(maps, cop, &here, has_team);
            let candidate = |&robber: &AgentId| {
                let found = |candidate: &Candidate| candidate.robber.cmp(&robber);
                let place = targets.candidates.binary_search_by(found).ok()?;
                targets.candidates[place].spot
            };
            let joined = joined
                .filter(|robber| candidate(robber).is_some_and(|spot| here.is_connected(&spot)));
            if let Some(team) = joined.and_then(index_of) {
                targets.chosen[index].robber = joined;
                teams[own] -= 1;
                teams[team] += 1;
            }
        }
        targets.teams = teams;
    }

    fn is_faster(&self, pursuit: &PursuitRecord, cop: &AgentRecord, robber: &AgentRecord) -> bool {
        match self.clock(pursuit) {
            PursuitClock::Turns | PursuitClock::Simultaneous => {
                cop.setup.speed > robber.setup.speed
            }
            PursuitClock::FreeRunning => self.ticks_per_step(cop) < self.ticks_per_step(robber),
        }
    }

    /// Returns whether a robber can be chased.
    fn can_be_chased(&self, robber: &AgentRecord) -> bool {
        robber.caught.is_none() && self.graph.is_on_map(robber.setup.cell)
    }
}
