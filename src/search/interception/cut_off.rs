use super::flight::Ground;
use super::ways::{Length, least_steps};
use super::{Doing, Interception, Maps, Member, Rivals, RobberDoes, Stage};
use crate::game::{Agent, Side, State};
use crate::graph::Vertex;

/// A chaser that comes on is thought to have so many steps left at least.
const LEFT: usize = 2;

/// Ways that are beside each other so many steps before the robber come from the same side.
const SIDE: usize = 3;

/// With fewer cops than these none goes straight for a robber that stays but the chaser.
const CROWD: usize = 3;

impl Interception {
    /// Begins to plan for a cop that cuts off.
    pub(super) fn cut_off(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> Stage {
        if rank == 1 {
            // In the order in which they are planned for, those that cannot come at the end.
            let team = self.order.iter().map(|&index| &self.team[index]);
            let come = team.take_while(|member| member.reaches);
            self.chasers.extend(come.skip(1).map(|member| member.cop));
            if self.chasers.len() >= CROWD {
                return self.begin_run(maps, robber, (rank, Rivals::All), Side::Cops);
            }
            self.chasers.truncate(1);
        }
        self.run_from_decided(maps, robber, rank)
    }

    fn run_from_decided(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> Stage {
        let stays = self.robber_does == RobberDoes::Stay;
        if stays && !self.comes_from_side_of_chaser(maps, rank) {
            return self.go_straight(maps, robber, rank);
        }
        if self.robber_does == RobberDoes::GoFar {
            return Stage::Field { rank, begun: false };
        }
        self.feint = 0;
        self.begin_run(maps, robber, (rank, Rivals::Decided), Side::Cops)
    }

    fn begin_run(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        (rank, from): (usize, Rivals),
        to_move: Side,
    ) -> Stage {
        let state = State {
            robber,
            cops: &self.chasers,
            to_move,
        };
        self.flight.begin(maps, &state);
        Stage::Run { rank, from }
    }

    /// Does a cop come to the robber by the same way as the chaser, at the end of it?
    fn comes_from_side_of_chaser(&self, maps: Maps<'_>, rank: usize) -> bool {
        let before = |rank: usize| {
            let index = self.order[rank];
            let is_known = matches!(self.team[index].length, Some(Length::Steps(_)));
            let path = &self.paths[index];
            // Where it stands, or farther away, is no side.
            let last = path.len().checked_sub(SIDE).filter(|&at| at > 0)?;
            is_known.then(|| maps.graph.cell(path[last]))
        };
        before(0)
            .zip(before(rank))
            .is_some_and(|(a, b)| a.max_norm(b) <= 1)
    }

    /// The robber runs on the map.
    pub(super) fn run(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        (rank, from): (usize, Rivals),
        budget: u64,
    ) -> Stage {
        let Some(ground) = self.flight.advance(maps, budget) else {
            return Stage::Run { rank, from };
        };
        if self.keeps_footprint {
            self.flight.ground_footprint(maps, &mut self.footprint);
        }
        let is_over = ground == Ground::Over;
        match from {
            Rivals::All => {
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
            Rivals::Decided if !is_over => Stage::Field { rank, begun: false },
            Rivals::Feint if !is_over => self.go_to_end(rank),
            Rivals::Decided | Rivals::Feint => Stage::Meet {
                rank,
                turn: 0,
                doing: Doing::Begin,
            },
        }
    }

    /// The cop is late wherever the robber runs from a chaser that may come by any way. How does it
    /// run from one that keeps to its way, and has come on?
    fn feint(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> Option<Stage> {
        let first = self.order[0];
        let Member { cop, length, .. } = self.team[first];
        let path = &self.paths[first];
        let left = match length {
            Some(Length::Steps(_)) => LEFT,
            _ => 0, // the path is only the beginning of the way
        };
        let speed = usize::from(cop.speed.steps());
        let turns = path.len().saturating_sub(left) / speed;
        let at = path[..turns * speed].last().copied()?;
        if at == robber.at {
            return None;
        }
        self.feint = u32::try_from(turns).ok()?;
        self.chasers[0].at = at;
        let stage = self.begin_run(maps, robber, (rank, Rivals::Feint), Side::Robber);
        self.chasers[0] = cop;
        Some(stage)
    }

    /// Goes to where the robber's way ends.
    const fn go_to_end(&self, rank: usize) -> Stage {
        Stage::Go {
            rank,
            to: self.end,
            begun: false,
        }
    }

    /// Where the robber is after so many turns of its way on the map, and whether it is the end.
    fn place(&self, robber: Agent, turn: u32) -> (Vertex, bool) {
        let path = self.flight.path();
        let steps = turn as usize * usize::from(robber.speed.steps());
        let steps = steps.min(path.len());
        let place = steps.checked_sub(1).map_or(robber.at, |last| path[last]);
        (place, steps == path.len())
    }

    /// Looks whether a cop is as soon as the robber where that is after some turns, or later.
    pub(super) fn meet(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        (rank, mut turn, doing): (usize, u32, Doing),
        budget: u64,
    ) -> Stage {
        let cop = self.team[self.order[rank]].cop;
        let speed = u32::from(cop.speed.steps());
        let closing = speed + u32::from(robber.speed.steps());
        // The cops move first, but a chaser that has come on has moved.
        let ahead = if self.feint > 0 { self.feint } else { 1 };
        if doing == Doing::Begin {
            loop {
                let (place, is_end) = self.place(robber, turn);
                let least = least_steps(maps.graph, (cop.at, place));
                let late = least.saturating_sub(speed.saturating_mul(turn + ahead));
                if late == 0 || is_end {
                    self.ways.begin(maps, (cop.at, place));
                    break;
                }
                // The robber comes nearer by no more than it runs.
                turn += late.div_ceil(closing);
            }
        }
        let (place, is_end) = self.place(robber, turn);
        let reach = speed.saturating_mul(turn + ahead);
        let go_on = |doing| Stage::Meet { rank, turn, doing };
        // Also of one that is being estimated it is known what it is at least.
        let Some(length) = self.ways.measure(maps, budget) else {
            return go_on(Doing::Measure);
        };
        let steps = match length {
            Length::AtLeast(steps) if doing == Doing::Estimate => {
                match self.ways.estimate(maps, budget) {
                    Some(about) => steps.max(about),
                    None => return go_on(Doing::Estimate),
                }
            }
            Length::AtLeast(steps) if steps <= reach => {
                self.ways.begin_estimate(maps);
                return go_on(Doing::Estimate);
            }
            Length::Steps(steps) | Length::AtLeast(steps) => steps,
            Length::Endless => u32::MAX,
        };
        match steps.saturating_sub(reach) {
            0 => self.set_out(maps, rank, length),
            late if !is_end => Stage::Meet {
                rank,
                turn: turn.saturating_add(late.div_ceil(closing)),
                doing: Doing::Begin,
            },
            _ if self.feint > 0 => self.go_to_end(rank),
            _ => {
                self.end = place;
                let feint = self.feint(maps, robber, rank);
                feint.unwrap_or_else(|| self.set_out(maps, rank, length))
            }
        }
    }

    /// The robber runs on the field.
    pub(super) fn run_on_field(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        (rank, begun): (usize, bool),
        budget: u64,
    ) -> Stage {
        if !begun && !self.flight.begin_field(maps, robber, &self.chasers) {
            return self.go_straight(maps, robber, rank);
        }
        let Some(runs) = self.flight.run_on_field(maps, robber, budget) else {
            return Stage::Field { rank, begun: true };
        };
        if !runs {
            return self.go_straight(maps, robber, rank);
        }
        if self.keeps_footprint {
            self.flight.field_footprint(maps, &mut self.footprint);
        }
        Stage::MeetOnField { rank, begun: false }
    }

    /// A cop goes where it meets the robber on the field.
    pub(super) fn meet_on_field(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        (rank, begun): (usize, bool),
        budget: u64,
    ) -> Stage {
        let cop = self.team[self.order[rank]].cop;
        if !begun {
            self.flight.begin_to_meet(maps, cop);
        }
        let Some(path) = self.flight.meet_on_field(maps, cop, robber, budget) else {
            return Stage::MeetOnField { rank, begun: true };
        };
        let last = path.1.last().copied();
        let stands = maps
            .hierarchy
            .and_then(|all| all.ancestor(robber.at, path.0));
        if last.is_none() || last == stands {
            // There it goes by what is on the map.
            return self.go_straight(maps, robber, rank);
        }
        self.ways.begin_refine(maps, path, cop.at, self.steps);
        Stage::Refine { rank }
    }

    /// Refines a way of the field.
    pub(super) fn refine(&mut self, maps: Maps<'_>, rank: usize, budget: u64) -> Stage {
        let Some(way) = self.ways.refine(maps, budget) else {
            return Stage::Refine { rank };
        };
        let own = &mut self.paths[self.order[rank]];
        own.clear();
        own.extend_from_slice(way);
        self.next(rank)
    }
}
