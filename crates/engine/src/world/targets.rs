//! Chooses targets: the robber that each cop chases.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::cells_by_column::CellsByColumn;
use super::facts::Facts;
use super::pursuit::{PursuitIndex, PursuitRecord};
use super::settings::PursuitClock;
use crate::graph::Vertex;
use crate::map::{Cell, Walker};
use crate::search::{WalkingDistances, WalkingMaps, WalkingPlace};
use std::mem;

/// The most expansions for measuring the walking distances from all robbers of pursuits with several robbers: about 0.2
/// ms in the worst tick.
const MEASURING: usize = 4096;

/// A robber that the game moves counts as resting after this number of turns on the same cell.
const REST_TURNS: u64 = 3;

/// The most robbers at rest to each of which a cop is sent in a turn.
const MOST_AT_REST: usize = 8;

/// The choices of the cops of a pursuit, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The choice of each cop, in the order of the cops.
    chosen: Vec<Choice>,
    /// For each robber, the number of cops that have chosen it.
    teams: Vec<u32>,
    /// In the order of the robbers.
    candidates: Vec<ChaseableRobber>,
    /// The indices of the candidates that the cops know of, by cell.
    known: CellsByColumn<usize>,
    /// The components of these candidates, sorted.
    components: Vec<Vertex>,
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
    /// Whether the world moves it. Nobody counts on the others.
    is_player: bool,
}

/// A robber that can be chased.
#[derive(Debug, Clone, Copy)]
struct ChaseableRobber {
    robber: AgentId,
    /// Its index in the list of the pursuit's robbers.
    index: usize,
    /// Where the cops expect it; `None` if they have never seen it.
    spot: Option<TargetSpot>,
    /// Whether it stays where it is.
    is_at_rest: bool,
}

/// A cell, and its place for walking distances.
#[derive(Debug, Clone, Copy)]
struct TargetSpot {
    cell: Cell,
    /// `None` in a wall.
    vertex: Option<Vertex>,
    /// The ground that the agent walks on.
    ground: Walker,
    /// `None` in a wall and while the abstraction is not up to date.
    place: Option<WalkingPlace>,
}

impl TargetSpot {
    /// The spot of an agent that is expected on a cell.
    fn new(facts: &Facts, maps: Option<WalkingMaps<'_>>, agent: &AgentRecord, cell: Cell) -> Self {
        let ground = facts.ground_of(agent);
        let vertex = facts.graph_on(ground).vertex(cell);
        let place = maps.zip(vertex).map(|(maps, vertex)| maps.place(vertex));
        Self {
            cell,
            vertex,
            ground,
            place,
        }
    }

    /// Returns whether a path leads from the spot of a cop to another spot, as far as the abstraction is up to date.
    fn is_connected(&self, facts: &Facts, other: &Self) -> bool {
        if let Some((here, there)) = self.place.zip(other.place) {
            return here.is_connected(there);
        }
        let is_one = self.ground.size.is_one() && other.ground.size.is_one();
        // A pursuit on several grounds has abstractions and no places.
        let hierarchy = facts.hierarchy_on(self.ground);
        let leads_to = |from, to| hierarchy.is_none_or(|all| all.connected(from, to));
        let Some(from) = self.vertex else {
            return false;
        };
        if is_one {
            return other.vertex.is_some_and(|to| leads_to(from, to));
        }
        let graph = facts.graph_on(self.ground);
        let mut touching = graph.vertices_touching(other.cell, other.ground.size);
        touching.any(|to| leads_to(from, to))
    }
}

impl Targets {
    /// The number of robbers of pursuits with several robbers. Cost: once a tick, linear in the number of pursuits.
    fn rivals(&mut self, facts: &Facts) -> usize {
        let known = self.rivals.filter(|&(tick, _)| tick == facts.tick);
        let (_, rivals) = known.unwrap_or_else(|| {
            let robbers = facts.members.pursuits().iter();
            let robbers = robbers.map(|pursuit| pursuit.robbers.len());
            (facts.tick, robbers.filter(|&robbers| robbers > 1).sum())
        });
        self.rivals = Some((facts.tick, rivals));
        rivals
    }

    /// The best target of a cop among the candidates that `may_be` accepts: known ones first, then those that the cop
    /// can reach, then the nearest.
    ///
    /// Cost: mostly the candidates that may be nearer than the best one; all of them if none in the cop's part of the map
    /// is accepted.
    fn best(
        &mut self,
        facts: &Facts,
        maps: Option<WalkingMaps<'_>>,
        cop: &AgentRecord,
        here: &TargetSpot,
        may_be: impl Fn(&ChaseableRobber) -> bool,
    ) -> Option<AgentId> {
        let Self {
            candidates,
            known,
            components,
            distances,
            ..
        } = self;
        let may_connect = match here.place {
            Some(place) => place
                .component()
                .is_some_and(|of| components.binary_search(&of).is_ok()),
            // Without distances, every two places outside walls count as connected.
            None => maps.is_none() && here.vertex.is_some(),
        };
        let mut comparison = Comparison {
            facts,
            maps,
            target: cop.target,
            speed: cop.setup.speed.steps().into(),
            here,
            may_connect,
            distances,
            best: None,
        };
        // The target of the cop so far is probably the best one again.
        let kept = cop.target.and_then(|target| find(candidates, target));
        if let Some(kept) = kept.filter(|kept| may_be(kept)) {
            comparison.consider(kept);
        }
        known.visit_near(here.cell, comparison.reach(), |_, index| {
            let candidate = &candidates[index];
            if may_be(candidate) {
                comparison.consider(candidate);
            }
            comparison.reach()
        });
        let known = comparison.best.map(|(.., robber)| robber);
        let unknown = || {
            let is_unknown = |other: &&ChaseableRobber| other.spot.is_none() && may_be(other);
            let kept = kept.filter(|kept| is_unknown(kept));
            let unknown = kept.or_else(|| candidates.iter().find(is_unknown));
            unknown.map(|other| other.robber)
        };
        known.or_else(unknown)
    }

    /// Returns whether a cop may capture a robber with its next move, by the estimated walking distance.
    fn is_within_a_move(
        &mut self,
        facts: &Facts,
        maps: Option<WalkingMaps<'_>>,
        cop: &AgentRecord,
        here: &TargetSpot,
        robber: AgentId,
    ) -> bool {
        let mut alone = Comparison {
            facts,
            maps,
            target: cop.target,
            speed: cop.setup.speed.steps().into(),
            here,
            may_connect: true,
            distances: &mut self.distances,
            best: None,
        };
        if let Some(candidate) = find(&self.candidates, robber) {
            alone.consider(candidate);
        }
        matches!(alone.best, Some((false, false, ..)))
    }
}

/// The worth of a candidate, the least one first: whether no path leads there, whether it is too far for the next move,
/// the weighted distance, the cell, the id.
type Rank = (bool, bool, u32, Cell, AgentId);

/// The weights of distances to the target of a cop so far, and to other candidates.
const KEPT: u32 = 2;
const OTHER: u32 = 3;

/// The comparison of the candidates for a cop.
struct Comparison<'a> {
    facts: &'a Facts,
    maps: Option<WalkingMaps<'a>>,
    /// The target of the cop so far.
    target: Option<AgentId>,
    /// The steps of the cop in a move.
    speed: u32,
    here: &'a TargetSpot,
    /// Whether a path may lead to some candidate.
    may_connect: bool,
    distances: &'a mut WalkingDistances,
    best: Option<Rank>,
}

impl Comparison<'_> {
    /// Compares a candidate, if the cops know of it, with the best so far.
    fn consider(&mut self, candidate: &ChaseableRobber) {
        let Some(there) = candidate.spot else {
            return;
        };
        let keeps = self.target == Some(candidate.robber);
        let weight = if keeps { KEPT } else { OTHER };
        let rank = |is_apart, steps: u32| {
            let is_far = steps > self.speed;
            (
                is_apart,
                is_far,
                steps * weight,
                there.cell,
                candidate.robber,
            )
        };
        let least = there.cell.max_norm(self.here.cell);
        // The walking distance is at least the maximum norm, which costs far less.
        if self.best.is_some_and(|best| best < rank(false, least)) {
            return;
        }
        let places = self.here.place.zip(there.place);
        let steps = if let (Some(maps), Some((from, to))) = (self.maps, places) {
            self.distances.steps(maps, from, to)
        } else {
            let is_connected = self.here.is_connected(self.facts, &there);
            is_connected.then_some(least)
        };
        let ranked = rank(steps.is_none(), steps.unwrap_or(least));
        self.best = Some(self.best.map_or(ranked, |best| ranked.min(best)));
    }

    /// The distance in columns up to which another candidate may be better than the best so far.
    fn reach(&self) -> u32 {
        match self.best {
            Some((is_apart, is_far, distance, ..)) if !is_apart || !self.may_connect => {
                let reach = distance / OTHER;
                if is_far { reach.max(self.speed) } else { reach }
            }
            _ => u32::MAX,
        }
    }
}

/// The candidate for a robber. Cost: a binary search.
fn find(candidates: &[ChaseableRobber], robber: AgentId) -> Option<&ChaseableRobber> {
    let found = candidates.binary_search_by_key(&robber, |candidate| candidate.robber);
    found.ok().map(|place| &candidates[place])
}

impl Facts {
    /// Lets each cop that may move now choose a target: the nearest free robber by the estimated walking distance, if
    /// possible among the robbers that the cops know of and that the cop can reach. A cop keeps its target unless
    /// another robber is nearer by a third, or within its next move while the target is not. While edits are worked into the abstraction, distances are unknown, and
    /// cops keep their targets.
    ///
    /// A cop that would chase alone and is no faster than its robber joins the nearest other team instead,
    /// because a single cop captures a robber of its own speed on hardly any map, unless the robber is within its next
    /// move.
    pub(super) fn assign_targets(&mut self, at: PursuitIndex, targets: &mut Targets) {
        self.choose_targets(at, targets);
        for choice in &targets.chosen {
            if let Some(cop) = self.members.get_mut(choice.cop)
                && cop.target != choice.robber
            {
                cop.target = choice.robber;
                cop.routine.begin_chase(choice.robber, self.tick);
                cop.search = None;
                cop.plan.drop();
            }
        }
    }

    fn choose_targets(&self, at: PursuitIndex, targets: &mut Targets) {
        let pursuit = &self.members[at];
        let has_rivals = pursuit.robbers.len() > 1;
        // A single robber is the target whatever its distance.
        let ground = self.common_ground(pursuit).filter(|_| has_rivals);
        let maps = ground.and_then(|ground| {
            let all = self.hierarchy_on(ground)?;
            let rivals = targets.rivals(self);
            Some(WalkingMaps::new(
                self.graph_on(ground),
                all,
                rivals,
                MEASURING,
            ))
        });
        self.collect_candidates(pursuit, maps, targets);
        self.choose_nearest(pursuit, maps, targets);
        if has_rivals && pursuit.cops.len() > 1 {
            self.join_teams(pursuit, maps, targets);
        }
        if maps.is_some() {
            self.send_to_rest(pursuit, maps, targets);
        }
    }

    fn collect_candidates(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        targets: &mut Targets,
    ) {
        let Targets {
            candidates,
            known,
            components,
            ..
        } = targets;
        let sees_all = !self.cops_have_limited_sight(pursuit);
        candidates.clear();
        for (index, &robber) in pursuit.robbers.iter().enumerate() {
            let Some(agent) = self.agent(robber).filter(|agent| agent.caught.is_none()) else {
                continue;
            };
            let known = self.known_robber(pursuit, sees_all, robber, agent);
            // Cops that have to search do not know that a robber they have seen has left the map.
            let is_missed = !sees_all && known.is_some();
            if !is_missed && !self.graph.is_on_map(agent.setup.cell) {
                continue;
            }
            let last = pursuit.cops_know.get(robber.key());
            let is_checked = !sees_all && last.is_some_and(|last| last.checked);
            // Nobody knows any more where it is if it is not where it was seen.
            let known = known.filter(|_| !is_checked);
            let spot = known.map(|(cell, _)| TargetSpot::new(self, maps, agent, cell));
            let is_seen = known.is_some_and(|(_, seen)| seen);
            candidates.push(ChaseableRobber {
                robber,
                index,
                spot,
                is_at_rest: is_seen && self.is_at_rest(agent),
            });
        }
        let spots = || {
            (0..)
                .zip(&*candidates)
                .filter_map(|(index, candidate)| Some((index, candidate.spot?)))
        };
        known.fill(spots().map(|(index, spot)| (spot.cell, index)));
        components.clear();
        components.extend(spots().filter_map(|(_, spot)| spot.place?.component()));
        components.sort_unstable();
        components.dedup();
    }

    fn choose_nearest(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        targets: &mut Targets,
    ) {
        let is_up_to_date = self.hierarchy().is_some();
        targets.chosen.clear();
        let sees_all = !self.cops_have_limited_sight(pursuit);
        for (id, cop) in self.agents(&pursuit.cops) {
            if cop.pursuit_number() != pursuit.number {
                // It has its target in another pursuit.
                targets.chosen.push(Choice {
                    cop: id,
                    robber: cop.target,
                    is_open: false,
                    is_player: false,
                });
                continue;
            }
            let is_free = |target| find(&targets.candidates, target).is_some();
            let is_due = is_up_to_date && self.tick >= cop.arrives();
            let is_open = is_due || !cop.target.is_some_and(is_free);
            let is_open = is_open && cop.takes_targets_at(self.tick);
            let may_be =
                |other: &ChaseableRobber| self.may_chase(pursuit, sees_all, cop, other.robber);
            let set = self.quarry_of(cop, targets).filter(|set| may_be(set));
            let is_open = is_open && set.is_none();
            let robber = match targets.candidates[..] {
                _ if set.is_some() => set.map(|set| set.robber),
                _ if !is_open => cop.target.filter(|&robber| is_free(robber)),
                [] => None,
                [only] => Some(only).filter(may_be).map(|only| only.robber),
                _ => {
                    let here = TargetSpot::new(self, maps, cop, cop.setup.cell);
                    targets.best(self, maps, cop, &here, may_be)
                }
            };
            targets.chosen.push(Choice {
                cop: id,
                robber,
                is_open,
                is_player: cop.chooses(),
            });
        }
    }

    /// The robber that the game has set for a cop. Cost: linear in the robbers, if it has.
    fn quarry_of<'a>(
        &self,
        cop: &AgentRecord,
        targets: &'a Targets,
    ) -> Option<&'a ChaseableRobber> {
        let quarry = cop.setup.quarry?;
        let is_it = |of: &&ChaseableRobber| {
            let robber = self.agent(of.robber);
            robber.is_some_and(|robber| robber.setup.user == quarry)
        };
        targets.candidates.iter().find(is_it)
    }

    /// Lets each cop that is alone choose the nearest robber that another cop chases.
    fn join_teams(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        targets: &mut Targets,
    ) {
        let index_of = |robber: AgentId| pursuit.robbers.binary_search(&robber).ok();
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let mut teams = mem::take(&mut targets.teams);
        teams.clear();
        teams.resize(pursuit.robbers.len(), 0);
        for choice in targets.chosen.iter().filter(|choice| choice.is_player) {
            if let Some(robber) = choice.robber.and_then(index_of) {
                teams[robber] += 1;
            }
        }
        for index in 0..targets.chosen.len() {
            let choice = targets.chosen[index];
            let may_join = choice.is_open && choice.is_player;
            let alone = choice.robber.and_then(index_of).filter(|_| may_join);
            let alone = alone.filter(|&robber| teams[robber] == 1);
            let Some((own, cop)) = alone.zip(self.agent(choice.cop)) else {
                continue;
            };
            let robber = self.agent(pursuit.robbers[own]);
            if robber.is_none_or(|robber| self.is_faster(pursuit, cop, robber)) {
                continue;
            }
            let has_team = |other: &ChaseableRobber| {
                other.index != own
                    && teams[other.index] == 1
                    && self.may_chase(pursuit, sees_all, cop, other.robber)
            };
            let here = TargetSpot::new(self, maps, cop, cop.setup.cell);
            if targets.is_within_a_move(self, maps, cop, &here, pursuit.robbers[own]) {
                continue;
            }
            let joined = targets.best(self, maps, cop, &here, has_team);
            let spot = |robber| find(&targets.candidates, robber)?.spot;
            let joined = joined
                .filter(|&robber| spot(robber).is_some_and(|spot| here.is_connected(self, &spot)));
            if let Some(team) = joined.and_then(index_of) {
                targets.chosen[index].robber = joined;
                teams[own] -= 1;
                teams[team] += 1;
            }
        }
        targets.teams = teams;
    }

    /// Sends a cop to each robber at rest that no cop chases: the nearest one that has nothing to capture for certain with its
    /// next move. So a robber that stands still is captured, however long the others run.
    ///
    /// Cost: for each of at most [`MOST_AT_REST`] robbers, the distances of the cops that may be the nearest.
    fn send_to_rest(
        &self,
        pursuit: &PursuitRecord,
        maps: Option<WalkingMaps<'_>>,
        targets: &mut Targets,
    ) {
        // On the other clocks, a robber within the next move may get away, again and again.
        let captures = self.clock(pursuit) == PursuitClock::Turns;
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let mut sent = 0;
        for index in 0..targets.candidates.len() {
            let ChaseableRobber {
                robber,
                spot,
                is_at_rest,
                ..
            } = targets.candidates[index];
            let Some(there) = spot.filter(|_| is_at_rest && sent < MOST_AT_REST) else {
                continue;
            };
            let is_chaser = |choice: &Choice| {
                let cop = self.agent(choice.cop).filter(|_| choice.is_player);
                let here = cop.map(|cop| TargetSpot::new(self, maps, cop, cop.setup.cell));
                choice.robber == Some(robber)
                    && here.is_some_and(|here| here.is_connected(self, &there))
            };
            if targets.chosen.iter().any(is_chaser) {
                continue;
            }
            sent += 1;
            let mut best: Option<(u32, usize)> = None;
            for place in 0..targets.chosen.len() {
                let choice = targets.chosen[place];
                let known = choice.robber.and_then(|of| find(&targets.candidates, of));
                let is_free = choice.is_open && choice.is_player;
                let is_free = is_free && known.is_none_or(|known| !known.is_at_rest);
                let cop = self.agent(choice.cop).filter(|_| is_free);
                let may_chase = |cop: &&AgentRecord| self.may_chase(pursuit, sees_all, cop, robber);
                let Some(cop) = cop.filter(may_chase) else {
                    continue;
                };
                let least = cop.setup.cell.max_norm(there.cell);
                if best.is_some_and(|(steps, _)| steps <= least) {
                    continue;
                }
                let here = TargetSpot::new(self, maps, cop, cop.setup.cell);
                if let Some(own) = choice.robber.filter(|_| captures)
                    && targets.is_within_a_move(self, maps, cop, &here, own)
                {
                    continue;
                }
                let places = here.place.zip(there.place);
                let steps = maps
                    .zip(places)
                    .and_then(|(maps, (from, to))| targets.distances.steps(maps, from, to));
                if let Some(steps) = steps
                    && best.is_none_or(|(least, _)| steps < least)
                {
                    best = Some((steps, place));
                }
            }
            if let Some((_, place)) = best {
                targets.chosen[place].robber = Some(robber);
            }
        }
    }

    /// Returns whether a robber stays where it is, as far as can be known: it cannot move, or the game has not moved it
    /// for some turns.
    pub(super) fn is_at_rest(&self, robber: &AgentRecord) -> bool {
        let stood = self.tick.saturating_sub(robber.stands_since);
        robber.setup.is_immobile || !robber.chooses() && stood >= REST_TURNS * self.turn_length()
    }

    fn is_faster(&self, pursuit: &PursuitRecord, cop: &AgentRecord, robber: &AgentRecord) -> bool {
        match self.clock(pursuit) {
            PursuitClock::Turns | PursuitClock::Simultaneous => {
                cop.setup.speed > robber.setup.speed
            }
            PursuitClock::FreeRunning => self.ticks_per_step(cop) < self.ticks_per_step(robber),
        }
    }
}

#[cfg(test)]
mod tests;
