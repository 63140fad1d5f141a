//! The members of a pursuit and their current positions, assembled once for all systems that read them.

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
    /// The ticks until its next move, and the ticks of a step.
    pub(super) ready: u32,
    pub(super) step: u32,
    /// The robber that it chases.
    pub(super) target: Option<AgentId>,
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
pub(super) struct Company {
    pub(super) clock: PursuitClock,
    /// The ticks per step of the slowest member.
    pub(super) slowest: u32,
    pub(super) cops: Vec<CopPosition>,
    /// Whether a cop has unlimited sight, so that the cops know where every robber is.
    pub(super) sees_all: bool,
    /// The team of each robber: pairs of robber and cop index, sorted by robber, then by cop.
    teams: Vec<(AgentId, usize)>,
    /// Hashes of the vertices where the cops will make their next moves, and where they will be
    /// afterwards. `None` if a cop is in a wall.
    key_next: Option<u64>,
    key_after: Option<u64>,
}

impl Company {
    /// Assembles the company of a pursuit. Cost: linear in the number of members.
    pub(super) fn assemble(&mut self, board: &Board, pursuit: &PursuitRecord) {
        self.clock = board.clock(pursuit);
        self.slowest = if self.clock.is_in_turns() {
            1
        } else {
            board.slowest_step(pursuit)
        };
        self.sees_all = !board.cops_have_limited_sight(pursuit);
        self.cops.clear();
        self.teams.clear();
        for (id, cop) in board.agents(&pursuit.cops) {
            let stand = self.position_of(board, id, cop);
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

    /// The cops that chase a robber.
    pub(super) fn team_of(&self, robber: AgentId) -> impl Iterator<Item = &CopPosition> {
        let first = self.teams.partition_point(|&(of, _)| of < robber);
        let team = self.teams[first..].iter();
        let team = team.take_while(move |&&(of, _)| of == robber);
        team.map(|&(_, index)| &self.cops[index])
    }

    /// The vertex where a cop is expected to be when a robber moves. `cops_moved`: the cops already have
    /// their orders for this turn, or choose at once with the robber; otherwise they are assumed to follow their plans.
    pub(super) fn vertex_of(&self, cop: &CopPosition, cops_moved: bool) -> Option<Vertex> {
        if self.is_next(cops_moved) {
            cop.next
        } else {
            cop.after
        }
    }

    fn is_next(&self, cops_moved: bool) -> bool {
        // Only in turns of one side after the other do the cops move before the robber.
        cops_moved || self.clock != PursuitClock::Turns
    }

    /// For a robber at a vertex that sees all cops: the key of its situation, and the number of turns
    /// in which the nearest cop would reach it if there were no walls. Agrees with
    /// `Situation::of_robber`, without assembling the situation. `None` if there is no cop, or one is
    /// in a wall.
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

    fn position_of(&self, board: &Board, id: AgentId, cop: &AgentRecord) -> CopPosition {
        let next = cop.next_vertex(&board.graph);
        CopPosition {
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

/// The vertex where a cop that moves next from `at` will be after that move, if it follows its plan.
fn vertex_after(cop: &AgentRecord, at: Vertex, clock: PursuitClock) -> Vertex {
    if cop.setup.control != Control::Policy {
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
