//! The members of a pursuit as they stand, assembled once for all who look at them.

use super::agent::{AgentRecord, Control};
use super::board::Board;
use super::hash::mix_vertex;
use super::settings::PursuitClock;
use super::situation::key_of;
use super::{AgentId, PursuitRecord};
use crate::game::Speed;
use crate::graph::Vertex;
use crate::map::Cell;
use crate::search::Runner;

/// A cop as it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub(super) id: AgentId,
    /// Where it stands, or where it set out.
    pub(super) cell: Cell,
    /// The vertex where it will be when it moves next; `None` for a wall and beside the map.
    pub(super) next: Option<Vertex>,
    /// The vertex where it will be after that move, if it keeps to its plan.
    pub(super) after: Option<Vertex>,
    pub(super) speed: Speed,
    /// The ticks until it moves next, and those of a step.
    pub(super) ready: u32,
    pub(super) step: u32,
    /// The robber that it goes for.
    pub(super) target: Option<AgentId>,
}

impl Stand {
    pub(super) fn runner(&self, at: Vertex) -> Runner {
        Runner {
            at,
            ready: self.ready,
            step: self.step,
        }
    }
}

/// The cops of a pursuit as they stand, and what all its members have in common. Memory is used again.
#[derive(Debug, Default)]
pub(super) struct Company {
    pub(super) clock: PursuitClock,
    /// The ticks that the slowest member takes for a step.
    pub(super) slowest: u32,
    pub(super) cops: Vec<Stand>,
    /// Is a cop with unlimited sight among them, so that they know where every robber is?
    pub(super) sees_all: bool,
    /// Which cops go for whom, in the order of the robbers and then of the cops.
    teams: Vec<(AgentId, usize)>,
    /// The number of all vertices where cops will be when they move next, and of those after that move.
    /// `None` if one is in a wall.
    key_next: Option<u64>,
    key_after: Option<u64>,
}

impl Company {
    /// Assembles the company of a pursuit. Linear in the number of members.
    pub(super) fn assemble(&mut self, board: &Board, pursuit: &PursuitRecord) {
        self.clock = board.clock(pursuit);
        self.slowest = match self.clock {
            PursuitClock::Turns => 1,
            PursuitClock::FreeRunning => board.slowest_step(pursuit),
        };
        self.sees_all = !board.is_blind(pursuit);
        self.cops.clear();
        self.teams.clear();
        for (id, cop) in board.agents(&pursuit.cops) {
            let stand = self.stand(board, id, cop);
            let target = stand.target.map(|robber| (robber, self.cops.len()));
            self.teams.extend(target);
            self.cops.push(stand);
        }
        self.teams.sort_unstable();
        let key = |key: u64, at: Option<Vertex>| Some(mix_vertex(key, at?));
        self.key_next = self
            .cops
            .iter()
            .try_fold(0, |so_far, cop| key(so_far, cop.next));
        self.key_after = self
            .cops
            .iter()
            .try_fold(0, |so_far, cop| key(so_far, cop.after));
    }

    /// The cops that go for a robber.
    pub(super) fn team_of(&self, robber: AgentId) -> impl Iterator<Item = &Stand> {
        let first = self.teams.partition_point(|&(of, _)| of < robber);
        let team = self.teams[first..].iter();
        let team = team.take_while(move |&&(of, _)| of == robber);
        team.map(|&(_, index)| &self.cops[index])
    }

    /// Where a robber takes a cop to be when it moves itself: `cops_moved` if those cops whose move it
    /// answers have been told where to go, otherwise they are taken to keep to their plans.
    pub(super) fn vertex_of(&self, cop: &Stand, cops_moved: bool) -> Option<Vertex> {
        if self.is_next(cops_moved) {
            cop.next
        } else {
            cop.after
        }
    }

    fn is_next(&self, cops_moved: bool) -> bool {
        cops_moved || self.clock == PursuitClock::FreeRunning
    }

    /// The number of the situation of a robber at a vertex that sees all cops, and in how many turns the
    /// nearest of them would be with it if there were no walls: what `Situation::of_robber` would find,
    /// without laying it out. `None` if there is no cop, or one in a wall.
    pub(super) fn key_for_robber(
        &self,
        board: &Board,
        at: Vertex,
        cops_moved: bool,
    ) -> Option<(u64, u32)> {
        let key = if self.is_next(cops_moved) {
            self.key_next?
        } else {
            self.key_after?
        };
        let here = board.graph.cell(at);
        let apart = self.cops.iter().filter_map(|cop| {
            let at = self.vertex_of(cop, cops_moved)?;
            let steps = board.graph.cell(at).max_norm(here);
            Some(steps.div_ceil(u32::from(cop.speed.steps())))
        });
        Some((key_of(Some(at), true, key), apart.min()?))
    }

    fn stand(&self, board: &Board, id: AgentId, cop: &AgentRecord) -> Stand {
        let next = cop.next_vertex(&board.graph);
        Stand {
            id,
            cell: cop.setup.cell,
            next,
            after: next.map(|next| vertex_after(cop, next, self.clock)),
            speed: board.speed(self.clock, self.slowest, cop),
            ready: ready(board, cop),
            step: board.ticks_per_step(cop),
            target: cop.target,
        }
    }
}

/// The ticks until an agent moves next.
pub(super) fn ready(board: &Board, agent: &AgentRecord) -> u32 {
    let ticks = agent.arrives.saturating_sub(board.tick);
    ticks.min(u64::from(u32::MAX)) as u32
}

/// Where a cop that moves from `at` next will be after that move, if it keeps to its plan.
fn vertex_after(cop: &AgentRecord, at: Vertex, clock: PursuitClock) -> Vertex {
    if cop.setup.control != Control::Policy {
        return at;
    }
    let rest = cop.plan.rest(at).unwrap_or_default();
    let steps = match clock {
        PursuitClock::Turns => usize::from(cop.setup.speed.steps()),
        PursuitClock::FreeRunning => 1,
    };
    let end = rest[..steps.min(rest.len())].last();
    end.copied().unwrap_or(at)
}
