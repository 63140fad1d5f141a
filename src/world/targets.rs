//! Chooses targets: the robber that each cop chases.

use super::agent::AgentRecord;
use super::board::Board;
use super::settings::PursuitClock;
use super::{AgentId, PursuitRecord};
use crate::map::Cell;
use crate::search::{WalkingDistances, WalkingMaps};
use std::mem;

/// The most expansions of the level of the abstraction on which the walking distances from all robbers are
/// measured: about 0.2 ms in the worst tick.
const MEASURING: usize = 4096;

/// The choices of the cops of a pursuit, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The choice of each cop, in the order of the cops.
    chosen: Vec<Choice>,
    /// For each robber, the number of cops that have chosen it.
    teams: Vec<u32>,
    distances: WalkingDistances,
}

#[derive(Debug, Clone, Copy)]
struct Choice {
    cop: AgentId,
    robber: Option<AgentId>,
    /// Whether the cop is due and may choose another robber.
    is_open: bool,
}

impl Board {
    /// Lets each cop that is due choose a target: the nearest free robber by the estimated walking distance,
    /// if possible among the robbers that the cop can reach. A cop keeps its target unless another robber is
    /// nearer by a third. While edits are worked into the abstraction, distances are unknown, and cops keep
    /// their targets.
    ///
    /// A cop that would chase alone and is no faster than its robber joins the nearest other team instead,
    /// because a single cop captures a robber of its own speed on hardly any map.
    pub(super) fn assign_targets(&mut self, at: usize) {
        let mut targets = mem::take(&mut self.targets);
        self.choose_nearest(at, &mut targets);
        let pursuit = &self.members.pursuits()[at];
        if pursuit.robbers.len() > 1 && pursuit.cops.len() > 1 {
            self.join_teams(pursuit, &mut targets);
        }
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

    fn choose_nearest(&self, at: usize, targets: &mut Targets) {
        let Targets {
            chosen, distances, ..
        } = targets;
        let pursuit = &self.members.pursuits()[at];
        let is_up_to_date = self.hierarchy().is_some();
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let is_free = |robber: AgentId| {
            let is_member = pursuit.robbers.binary_search(&robber).is_ok();
            is_member && self.agent(robber).is_some_and(|r| self.can_be_chased(r))
        };
        chosen.clear();
        for (id, cop) in self.agents(&pursuit.cops) {
            let is_due = is_up_to_date && self.tick >= cop.arrives;
            let is_open = is_due || !cop.target.is_some_and(is_free);
            chosen.push(Choice {
                cop: id,
                robber: if is_open {
                    self.best_target(pursuit, sees_all, cop, distances, |_| true)
                } else {
                    cop.target
                },
                is_open,
            });
        }
    }

    /// Lets each cop that is alone choose the nearest robber that another cop chases.
    fn join_teams(&self, pursuit: &PursuitRecord, targets: &mut Targets) {
        let Targets {
            chosen,
            teams,
            distances,
        } = targets;
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let index_of = |robber: AgentId| pursuit.robbers.binary_search(&robber).ok();
        teams.clear();
        teams.resize(pursuit.robbers.len(), 0);
        let all = chosen.iter().filter_map(|choice| index_of(choice.robber?));
        for robber in all {
            teams[robber] += 1;
        }
        for choice in chosen.iter_mut().filter(|choice| choice.is_open) {
            let alone = choice.robber.and_then(index_of);
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
            let joined = self.best_target(pursuit, sees_all, cop, distances, has_team);
            let joined = joined.filter(|&robber| self.can_reach(pursuit, sees_all, cop, robber));
            if let Some(index) = joined.and_then(index_of) {
                choice.robber = joined;
                teams[own] -= 1;
                teams[index] += 1;
            }
        }
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

    /// The best target of a cop among the robbers that `may_be` accepts.
    fn best_target(
        &self,
        pursuit: &PursuitRecord,
        sees_all: bool,
        cop: &AgentRecord,
        distances: &mut WalkingDistances,
        may_be: impl Fn(AgentId) -> bool + Clone,
    ) -> Option<AgentId> {
        let here = cop.setup.cell;
        let free = self.agents(&pursuit.robbers);
        let mut free = free
            .filter(|&(id, robber)| self.can_be_chased(robber) && may_be(id))
            .peekable();
        let first = free.next()?;
        if free.peek().is_none() {
            return Some(first.0);
        }
        let robbers = pursuit.robbers.len() * self.members.pursuits().len();
        let maps = self.hierarchy();
        let maps = maps.map(|all| WalkingMaps::new(&self.graph, all, robbers, MEASURING));
        let mut best = None;
        for (robber, agent) in std::iter::once(first).chain(free) {
            let cell = self
                .known_robber(pursuit, sees_all, robber, agent)
                .map_or(here, |(cell, _)| cell);
            let keeps = cop.target == Some(robber);
            let rank = |is_apart, steps| {
                let distance = steps * if keeps { 2 } else { 3 };
                (is_apart, distance, cell, robber)
            };
            let least = cell.max_norm(here);
            // The walking distance is at least the maximum norm, which costs far less.
            if best.is_some_and(|best| best < rank(false, least)) {
                continue;
            }
            let ends = self.graph.vertex(here).zip(self.graph.vertex(cell));
            let steps = match (maps, ends) {
                (Some(maps), Some((from, to))) => distances.steps(maps, from, to),
                _ => ends.map(|_| least),
            };
            let ranked = rank(steps.is_none(), steps.unwrap_or(least));
            best = Some(best.map_or(ranked, |best| ranked.min(best)));
        }
        best.map(|(.., robber)| robber)
    }

    fn can_reach(
        &self,
        pursuit: &PursuitRecord,
        sees_all: bool,
        cop: &AgentRecord,
        robber: AgentId,
    ) -> bool {
        let known = self
            .agent(robber)
            .and_then(|agent| self.known_robber(pursuit, sees_all, robber, agent));
        known.is_some_and(|(cell, _)| self.is_connected(cop.setup.cell, cell))
    }

    /// Returns whether a path leads from one cell to another, as far as the abstraction is up to date.
    fn is_connected(&self, from: Cell, to: Cell) -> bool {
        let ends = self.graph.vertex(from).zip(self.graph.vertex(to));
        match (self.hierarchy(), ends) {
            (Some(all), Some((a, b))) => all.connected(a, b),
            _ => ends.is_some(),
        }
    }
}
