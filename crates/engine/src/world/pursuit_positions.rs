//! The cops of a pursuit and their current positions.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::cells_by_column::CellsByColumn;
use super::facts::Facts;
use super::hash::{hash_robber, key_of, mix_mover};
use super::moves;
use super::pursuit::{PursuitNumber, PursuitRecord};
use super::settings::PursuitClock;
use crate::game::Speed;
use crate::graph::Vertex;
use crate::map::{Cell, Walker};
use crate::search::Runner;
use std::mem;

/// A cop and its current position.
#[derive(Debug, Clone, Copy)]
pub(super) struct CopPosition {
    pub(super) id: AgentId,
    /// The cell that the cop stands on, or set out from.
    pub(super) cell: Cell,
    /// The vertex where it will make its next move; `None` in a wall or off the map.
    pub(super) next: Option<Vertex>,
    /// The vertex where it will be after that move, if it follows its plan.
    pub(super) after: Option<Vertex>,
    pub(super) speed: Speed,
    /// The ground that it walks on.
    pub(super) ground: Walker,
    pub(super) reach: u8,
    /// The ticks until its next move, and the ticks of a step.
    pub(super) ready: u32,
    pub(super) step: u32,
    /// The robber that it chases.
    pub(super) target: Option<AgentId>,
    /// Whether the world [chooses its moves](AgentRecord::chooses).
    pub(super) chooses: bool,
}

impl CopPosition {
    pub(super) fn runner(&self, at: Vertex) -> Runner {
        Runner {
            at,
            ready: self.ready,
            step: self.step,
        }
    }
}

/// The cops of a pursuit with their positions, and data common to all members. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct PursuitPositions {
    /// The number of the pursuit, unless the positions are out of date.
    of: Option<PursuitNumber>,
    /// Whether a cop has received a plan since the positions were assembled. If so, only [`CopPosition::after`] is out of
    /// date.
    has_new_plans: bool,
    pub(super) clock: PursuitClock,
    /// The ticks per step of the slowest member.
    pub(super) slowest: u32,
    pub(super) cops: Vec<CopPosition>,
    /// Whether a cop has unlimited sight, so that the cops know where every robber is.
    pub(super) sees_all: bool,
    /// The team of each robber: pairs of robber and cop index, sorted by robber, then by cop.
    teams: Vec<(AgentId, usize)>,
    /// The exits of the cops in walls: pairs of cop index and exit, sorted by cop.
    exits: Vec<(usize, Vertex)>,
    /// The cops where they will make their next moves, and where they will be afterwards.
    next: AllCops,
    after: AllCops,
    /// The greatest speed.
    fastest: u32,
}

/// All cops at a time. A cop in a wall counts as if it were at all of its exits.
#[derive(Debug, Default)]
struct AllCops {
    /// A hash of the speeds and the vertices of the cops.
    key: u64,
    /// The speeds of the cops by the cells of these vertices; filled when they are first needed.
    near: CellsByColumn<u32>,
}

impl PursuitPositions {
    /// Assembles the positions of the members of a pursuit. Cost: linear in the number of members.
    pub(super) fn assemble(&mut self, facts: &Facts, pursuit: &PursuitRecord) {
        (self.of, self.has_new_plans) = (Some(pursuit.number), false);
        self.clock = facts.clock(pursuit);
        self.slowest = if self.clock.is_in_turns() {
            1
        } else {
            facts.slowest_step(pursuit)
        };
        self.sees_all = !facts.cops_have_limited_sight(pursuit);
        self.cops.clear();
        self.teams.clear();
        self.next.near.clear();
        self.after.near.clear();
        for (id, cop) in facts.agents(&pursuit.cops) {
            let stand = self.position_of(facts, pursuit, id, cop);
            let target = stand.target.map(|robber| (robber, self.cops.len()));
            self.teams.extend(target);
            self.cops.push(stand);
        }
        self.teams.sort_unstable();
        let speeds = self.cops.iter().map(|cop| u32::from(cop.speed.steps()));
        self.fastest = speeds.max().unwrap_or(1);
        self.exits.clear();
        for (index, cop) in self.cops.iter().enumerate() {
            if cop.next.is_none() {
                let exits = moves::exits(facts.graph_on(cop.ground), cop.cell);
                self.exits.extend(exits.map(|exit| (index, exit)));
            }
        }
        self.next.key = self.key(|cop| cop.next);
        self.after.key = self.key(|cop| cop.after);
    }

    /// Assembles the cops of a pursuit for the situation of a team, unless they are there.
    pub(super) fn assemble_for_team(&mut self, facts: &Facts, pursuit: &PursuitRecord) {
        if self.of != Some(pursuit.number) {
            self.assemble(facts, pursuit);
        }
    }

    /// Assembles the cops of a pursuit for the situation of a robber, unless they are there. `cops_moved` as in
    /// [`vertex_of`](Self::vertex_of).
    pub(super) fn assemble_for_robber(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        cops_moved: bool,
    ) {
        let is_there = self.of == Some(pursuit.number);
        if !is_there || self.has_new_plans && !self.is_next(cops_moved) {
            self.assemble(facts, pursuit);
        }
    }

    /// Notes that cops have received plans.
    pub(super) const fn note_new_plans(&mut self) {
        self.has_new_plans = true;
    }

    /// Notes that agents may have moved since the positions were assembled.
    pub(super) const fn expire(&mut self) {
        self.of = None;
    }

    /// The hash of the speeds and the vertices of all cops, where `at` tells the vertex of a cop that is not in a wall.
    fn key(&self, at: impl Fn(&CopPosition) -> Option<Vertex>) -> u64 {
        let cops = self.cops.iter().enumerate();
        cops.fold(0, |key, (index, cop)| {
            let places = self.places(index, &at);
            places.fold(key, |key, at| mix_mover(key, at, cop.speed, cop.step))
        })
    }

    /// The vertex that `at` tells for a cop, or the exits of a cop in a wall.
    fn places(
        &self,
        index: usize,
        at: impl Fn(&CopPosition) -> Option<Vertex>,
    ) -> impl Iterator<Item = Vertex> {
        let first = self.exits.partition_point(|&(of, _)| of < index);
        let exits = self.exits[first..].iter();
        let exits = exits.take_while(move |&&(of, _)| of == index);
        let at = at(&self.cops[index]);
        at.into_iter().chain(exits.map(|&(_, exit)| exit))
    }

    /// The cops that chase a robber.
    pub(super) fn team_of(&self, robber: AgentId) -> impl Iterator<Item = &CopPosition> {
        let first = self.teams.partition_point(|&(of, _)| of < robber);
        let team = self.teams[first..].iter();
        let team = team.take_while(move |&&(of, _)| of == robber);
        team.map(|&(_, index)| &self.cops[index])
    }

    /// The position of a cop; `None` if it is not a member. Cost: a binary search.
    pub(super) fn cop(&self, id: AgentId) -> Option<&CopPosition> {
        let place = self.cops.binary_search_by_key(&id, |cop| cop.id);
        place.ok().map(|place| &self.cops[place])
    }

    /// The vertex where a cop is expected to be when a robber moves. `cops_moved` says that the cops already have their
    /// orders for this turn, or choose simultaneously with the robber. Otherwise the cops are assumed to follow their plans.
    pub(super) fn vertex_of(&self, cop: &CopPosition, cops_moved: bool) -> Option<Vertex> {
        if self.is_next(cops_moved) {
            cop.next
        } else {
            cop.after
        }
    }

    fn is_next(&self, cops_moved: bool) -> bool {
        // Only on the `Turns` clock do the cops move before the robber.
        cops_moved || self.clock != PursuitClock::Turns
    }

    const fn crowd(&mut self, is_next: bool) -> &mut AllCops {
        if is_next {
            &mut self.next
        } else {
            &mut self.after
        }
    }

    /// The key of the situation of a robber that sees all cops, and the number of turns in which the nearest cop would
    /// reach the robber if there were no walls, or `u32::MAX` if no cop can come from anywhere. The key is that of
    /// `Situation::of_robber`, but takes less work. `at` is the vertex from which the robber moves next. `None` if the
    /// robber is at the exit of a cop in a wall, which changes the situation.
    ///
    /// Cost: the cops that may be the nearest, and the exits of cops in walls; the first call after
    /// [`assemble`](Self::assemble) sorts all cops.
    pub(super) fn key_for_robber(
        &mut self,
        facts: &Facts,
        robber: &AgentRecord,
        at: Vertex,
        cops_moved: bool,
    ) -> Option<(u64, u32)> {
        if self.exits.iter().any(|&(_, exit)| exit == at) {
            return None;
        }
        let is_next = self.is_next(cops_moved);
        let AllCops { key, mut near } = mem::take(self.crowd(is_next));
        if near.is_empty() {
            let stands = |cop: &CopPosition| if is_next { cop.next } else { cop.after };
            near.fill(self.cops.iter().enumerate().flat_map(|(index, cop)| {
                let speed = u32::from(cop.speed.steps());
                let places = self.places(index, stands);
                places.map(move |at| (facts.graph.cell(at), speed))
            }));
        }
        let here = facts.graph.cell(at);
        let mut apart = u32::MAX;
        near.visit_near(here, u32::MAX, |cell, speed| {
            apart = apart.min(cell.max_norm(here).div_ceil(speed));
            // A cop that takes less time is fewer columns away.
            self.fastest.saturating_mul(apart.saturating_sub(1))
        });
        *self.crowd(is_next) = AllCops { key, near };
        let speed = facts.speed(self.clock, self.slowest, robber);
        let robber = hash_robber(at, speed, facts.ticks_per_step(robber));
        Some((key_of(self.clock, robber, true, key), apart))
    }

    fn position_of(
        &self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &AgentRecord,
    ) -> CopPosition {
        let ground = facts.ground_of(cop);
        let next = cop.next_vertex(facts.graph_on(ground));
        CopPosition {
            id,
            cell: cop.setup.cell,
            next,
            after: next.map(|next| vertex_after(cop, next, self.clock)),
            speed: facts.speed(self.clock, self.slowest, cop),
            ground,
            reach: cop.setup.reach,
            ready: ready(facts, cop),
            step: facts.ticks_per_step(cop),
            target: cop.target,
            chooses: cop.chooses_in(pursuit.number),
        }
    }
}

/// The ticks until an agent moves next.
pub(super) fn ready(facts: &Facts, agent: &AgentRecord) -> u32 {
    let ticks = agent.arrives().saturating_sub(facts.tick);
    ticks.min(u64::from(u32::MAX)) as u32
}

/// The vertex where a cop that moves next from `at` will be after that move, if it follows its plan.
fn vertex_after(cop: &AgentRecord, at: Vertex, clock: PursuitClock) -> Vertex {
    if !cop.chooses() {
        return at;
    }
    let rest = cop.plan.rest(at).unwrap_or_default();
    let steps = if clock.is_in_turns() {
        usize::from(cop.setup.speed.steps())
    } else {
        1
    };
    let end = rest[..steps.min(rest.len())].last();
    end.copied().unwrap_or(at)
}

#[cfg(test)]
mod tests;
