//! Cops that cut the robber off: where each of them meets it.

#[cfg(test)]
mod tests;

use super::flight::MapRace;
use super::pathfinder::{Length, least_steps};
use super::{Doing, Interception, KEPT, Maps, MeasuredCop, PlanStage, Rivals, RobberDoes};
use crate::game::{Agent, Side, State, Step};
use crate::graph::Vertex;

/// The least number of steps left to a chaser that is assumed to have advanced.
const LEFT: usize = 2;

/// Two paths come from the same side if they are adjacent this many steps before the robber.
const SIDE: usize = 3;

/// With fewer cops than this, only the chaser goes straight for a robber that stays.
const CROWD: usize = 3;

/// A cop is near the robber if it has fewer steps than this to it, as estimated where the path is long.
const NEAR: u32 = 60;

impl Interception {
    /// Begins to plan for a cop that cuts the robber off.
    pub(super) fn cut_off(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> PlanStage {
        // The robber runs from all cops of earlier ranks, also from distant cops of a crowd, which just walk.
        let planned = self.order[self.chasers.len()..rank].iter();
        self.chasers
            .extend(planned.map(|&index| self.team[index].cop));
        if rank == 1 {
            // Cops that cannot reach the robber are last in the order.
            let team = self.order.iter().map(|&index| &self.team[index]);
            let come = team.take_while(|member| member.reaches);
            self.chasers.extend(come.skip(1).map(|member| member.cop));
            // The number of expansions depends on the order, and the cops of a crowd are not sorted.
            self.chasers[1..].sort_unstable_by_key(|cop| (cop.at, cop.speed));
            if self.chasers.len() >= CROWD {
                return self.begin_run(maps, robber, rank, Rivals::All, Side::Cops);
            }
            self.chasers.truncate(1);
        }
        self.run_from_decided(maps, robber, rank)
    }

    fn run_from_decided(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> PlanStage {
        let stays = self.robber_does == RobberDoes::Stay;
        if stays && !self.comes_from_side_of_chaser(maps, rank) {
            return self.go_straight(maps, robber, rank);
        }
        if self.robber_does == RobberDoes::GoFar {
            return self.cut_off_far(maps, robber, rank);
        }
        self.feint = 0;
        if self.trails[0].rivals == self.chasers.len() {
            return Self::begin_to_meet(rank);
        }
        self.begin_run(maps, robber, rank, Rivals::Decided, Side::Cops)
    }

    const fn begin_to_meet(rank: usize) -> PlanStage {
        PlanStage::Meet {
            rank,
            turn: 0,
            doing: Doing::Begin,
        }
    }

    /// Begins to plan for a cop whose robber stays free for too long to race on the map.
    ///
    /// The places where a cop meets the robber on a coarse level are rough. A near cop would lose time on the way to such a
    /// place; straight on, it closes in. It cuts the robber off only where it would otherwise follow the chaser.
    fn cut_off_far(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> PlanStage {
        let is_near = self.team[self.order[rank]].steps < NEAR;
        if is_near && !self.follows_chaser(maps, robber, rank) {
            return self.go_straight(maps, robber, rank);
        }
        if self.flight.knows_coarse(self.chasers.len()) {
            return PlanStage::MeetCoarse { rank, begun: false };
        }
        PlanStage::RunCoarse { rank, begun: false }
    }

    /// Returns whether a cop is nearer to the chaser than to the robber, as if there were no walls.
    fn follows_chaser(&self, maps: Maps<'_>, robber: Agent, rank: usize) -> bool {
        let cell = |rank: usize| maps.graph.cell(self.team[self.order[rank]].cop.at);
        let (own, chaser) = (cell(rank), cell(0));
        own.max_norm(chaser) < own.max_norm(maps.graph.cell(robber.at))
    }

    fn begin_run(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
        from: Rivals,
        to_move: Side,
    ) -> PlanStage {
        let state = State {
            robber,
            cops: &self.chasers,
            to_move,
        };
        self.flight.begin(maps, &state);
        PlanStage::Run { rank, from }
    }

    /// Returns whether the path of a cop ends on the same side of the robber as that of the chaser.
    fn comes_from_side_of_chaser(&self, maps: Maps<'_>, rank: usize) -> bool {
        let before = |rank: usize| {
            let index = self.order[rank];
            let is_known = matches!(self.team[index].length, Some(Length::Steps(_)));
            let path = &self.paths[index];
            // A cop nearer than this has no side.
            let last = path.len().checked_sub(SIDE).filter(|&at| at > 0)?;
            is_known.then(|| maps.graph.cell(path[last]))
        };
        before(0)
            .zip(before(rank))
            .is_some_and(|(a, b)| a.max_norm(b) <= 1)
    }

    /// Continues the race on the map.
    pub(super) fn run(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
        from: Rivals,
        budget: u64,
    ) -> PlanStage {
        let Step::Done(ground) = self.flight.advance(maps, budget) else {
            return PlanStage::Run { rank, from };
        };
        if self.keeps_footprint {
            self.flight.ground_footprint(maps, &mut self.footprint);
        }
        let is_over = ground == MapRace::Over;
        match from {
            Rivals::All => {
                self.race_of_all = self.flight.race_of_all().filter(|_| is_over);
                self.robber_does = if !is_over {
                    RobberDoes::GoFar
                } else if self.flight.path().is_empty() {
                    RobberDoes::Stay
                } else {
                    RobberDoes::Run
                };
                self.chasers.truncate(1);
                self.run_from_decided(maps, robber, rank)
            }
            Rivals::Decided if !is_over => self.cut_off_far(maps, robber, rank),
            Rivals::Feint if !is_over => self.go_to_end(rank),
            Rivals::Decided | Rivals::Feint => {
                let path = &mut self.trails[usize::from(from == Rivals::Feint)].path;
                path.clear();
                path.reserve(KEPT.max(self.flight.path().len()));
                path.extend_from_slice(self.flight.path());
                Self::begin_to_meet(rank)
            }
        }
    }

    /// Begins a race against a chaser that follows its path and has already advanced along it. Called when the cop is late
    /// everywhere on the path of a robber that runs from a chaser which may take any path.
    fn race_against_path(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
    ) -> Option<PlanStage> {
        let first = self.order[0];
        let MeasuredCop { cop, length, .. } = self.team[first];
        let path = &self.paths[first];
        let left = match length {
            Some(Length::Steps(_)) => LEFT,
            _ => 0, // only the beginning of the path is known
        };
        let speed = usize::from(cop.speed.steps());
        let turns = path.len().saturating_sub(left) / speed;
        let at = path[..turns * speed].last().copied()?;
        if at == robber.at {
            return None;
        }
        self.feint = u32::try_from(turns).ok()?;
        if self.trails[1].rivals == self.chasers.len() {
            return Some(Self::begin_to_meet(rank));
        }
        self.chasers[0].at = at;
        let stage = self.begin_run(maps, robber, rank, Rivals::Feint, Side::Robber);
        self.chasers[0] = cop;
        Some(stage)
    }

    /// Sends the cop to the end of the robber's path.
    const fn go_to_end(&self, rank: usize) -> PlanStage {
        PlanStage::Go {
            rank,
            to: self.end,
            begun: false,
        }
    }

    /// The robber's vertex after some turns of its path on the map, and whether the path ends there.
    fn place(&self, robber: Agent, turn: u32) -> (Vertex, bool) {
        let path = &self.trails[usize::from(self.feint > 0)].path;
        let steps = turn as usize * usize::from(robber.speed.steps());
        let steps = steps.min(path.len());
        let place = steps.checked_sub(1).map_or(robber.at, |last| path[last]);
        (place, steps == path.len())
    }

    /// Compares the arrival times of cop and robber at the robber's place after `turn` turns, and
    /// continues with later turns until the cop is no later than the robber.
    pub(super) fn meet(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
        mut turn: u32,
        doing: Doing,
        budget: u64,
    ) -> PlanStage {
        let cop = self.team[self.order[rank]].cop;
        let speed = u32::from(cop.speed.steps());
        let closing = speed + u32::from(robber.speed.steps());
        // The cops move first, but a chaser that has advanced has already moved.
        let ahead = if self.feint > 0 { self.feint } else { 1 };
        if doing == Doing::Begin {
            turn = self.begin_path(maps, cop, robber, turn, ahead);
        }
        let (place, is_end) = self.place(robber, turn);
        let reach = speed.saturating_mul(turn + ahead);
        let go_on = |doing| PlanStage::Meet { rank, turn, doing };
        // A path that is being estimated already has a lower bound.
        let Some(length) = self.pathfinder.measure(maps, budget) else {
            return go_on(Doing::Measure);
        };
        let steps = match length {
            Length::AtLeast(steps) if doing == Doing::Estimate => {
                match self.pathfinder.estimate(maps, budget) {
                    Some(about) => steps.max(about),
                    None => return go_on(Doing::Estimate),
                }
            }
            Length::AtLeast(steps) if steps <= reach => {
                self.pathfinder.begin_estimate(maps);
                return go_on(Doing::Estimate);
            }
            Length::Steps(steps) | Length::AtLeast(steps) => steps,
            Length::Endless => u32::MAX,
        };
        match steps.saturating_sub(reach) {
            0 => self.set_out(maps, rank, length),
            late if !is_end => PlanStage::Meet {
                rank,
                turn: turn.saturating_add(late.div_ceil(closing)),
                doing: Doing::Begin,
            },
            _ if self.feint > 0 => {
                self.trails[1].rivals = self.chasers.len() + 1;
                self.go_to_end(rank)
            }
            _ => {
                self.end = place;
                self.trails[0].rivals = self.chasers.len() + 1;
                let feint = self.race_against_path(maps, robber, rank);
                feint.unwrap_or_else(|| self.set_out(maps, rank, length))
            }
        }
    }

    /// Begins to measure the path of a cop to the first place of the robber, after `turn` turns or later, that the cop may
    /// reach in time as far as bounds tell, or to its last place. Returns the number of turns. The cops have made `ahead`
    /// moves more.
    fn begin_path(
        &mut self,
        maps: Maps<'_>,
        cop: Agent,
        robber: Agent,
        mut turn: u32,
        ahead: u32,
    ) -> u32 {
        let speed = u32::from(cop.speed.steps());
        let closing = speed + u32::from(robber.speed.steps());
        loop {
            let (place, is_end) = self.place(robber, turn);
            let bound = self.crowd.least_steps(cop.at, place);
            let least = bound.max(least_steps(maps.graph, cop.at, place));
            let late = least.saturating_sub(speed.saturating_mul(turn + ahead));
            if late == 0 || is_end {
                self.pathfinder.begin(maps, cop.at, place, bound);
                return turn;
            }
            // In a turn, the distance shrinks by at most the sum of both speeds.
            turn += late.div_ceil(closing);
        }
    }

    /// Continues the race on the coarse level.
    pub(super) fn run_coarse(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
        begun: bool,
        budget: u64,
    ) -> PlanStage {
        if !begun && !self.flight.begin_coarse(maps, robber, &self.chasers) {
            return self.go_straight(maps, robber, rank);
        }
        let Step::Done(runs) = self.flight.run_coarse(maps, robber, budget) else {
            return PlanStage::RunCoarse { rank, begun: true };
        };
        if !runs {
            return self.go_straight(maps, robber, rank);
        }
        if self.keeps_footprint {
            self.flight.coarse_footprint(maps, &mut self.footprint);
        }
        PlanStage::MeetCoarse { rank, begun: false }
    }

    /// Sends a cop to the place where it meets the robber on the coarse level.
    pub(super) fn meet_coarse(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        rank: usize,
        begun: bool,
        budget: u64,
    ) -> PlanStage {
        let cop = self.team[self.order[rank]].cop;
        if !begun {
            self.flight.begin_to_meet(maps, cop);
        }
        let Some(path) = self.flight.meet_coarse(maps, cop, robber, budget) else {
            return PlanStage::MeetCoarse { rank, begun: true };
        };
        let last = path.vertices.last().copied();
        let stands = maps
            .hierarchy
            .and_then(|all| all.ancestor(robber.at, path.level));
        if last.is_none() || last == stands {
            // At this distance the map decides.
            return self.go_straight(maps, robber, rank);
        }
        self.pathfinder.begin_refine(maps, path, cop.at, self.steps);
        PlanStage::Refine { rank }
    }

    /// Refines a path of the coarse level.
    pub(super) fn refine(&mut self, maps: Maps<'_>, rank: usize, budget: u64) -> PlanStage {
        let Some(way) = self.pathfinder.refine(maps, budget) else {
            return PlanStage::Refine { rank };
        };
        let own = &mut self.paths[self.order[rank]];
        own.clear();
        own.extend_from_slice(way);
        Self::next(rank)
    }
}
