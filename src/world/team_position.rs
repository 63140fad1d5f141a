//! The cops of a pursuit that the world moves, and the robber that they see: the game to which proofs apply.

use super::board::Board;
use super::company::Company;
use super::settings::PursuitClock;
use super::situation::Situation;
use super::together::{can_all_move, is_in_time, only_robber};
use super::{AgentId, AgentRecord, PursuitRecord};
use crate::game::{Agent, Side, State, Turns};
use crate::graph::Vertex;

/// The cops of a pursuit that the world moves, and the robber that they see. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct TeamPosition {
    company: Company,
    situation: Situation,
    cops: Vec<Agent>,
    ids: Vec<AgentId>,
}

impl TeamPosition {
    /// Assembles the cops and the robber of a pursuit for their next move. `false` if proofs do not apply to their game:
    /// they need a game on the `Turns` clock, against one robber that the cops see and try to intercept.
    pub(super) fn assemble(&mut self, board: &Board, at: usize) -> bool {
        self.assemble_those(board, at, |_| true)
    }

    /// The same for the move that the cops choose now, if a turn begins. Leaves out cops that the game has sent along a
    /// path in this turn.
    pub(super) fn assemble_now(&mut self, board: &Board, at: usize) -> bool {
        board.tick == board.members.pursuits()[at].began
            && self.assemble_those(board, at, |cop| cop.arrives <= board.tick)
    }

    fn assemble_those(
        &mut self,
        board: &Board,
        at: usize,
        may_move: impl Fn(&AgentRecord) -> bool,
    ) -> bool {
        let pursuit: &PursuitRecord = &board.members.pursuits()[at];
        if board.clock(pursuit) != PursuitClock::Turns || board.follows_paths(pursuit) {
            return false;
        }
        let Some(robber) = only_robber(board, pursuit) else {
            return false;
        };
        // A robber that cannot move needs no proof, and cops that keep to one would take detours.
        if !can_all_move(board, &[robber]) {
            return false;
        }
        self.company.assemble(board, pursuit);
        let Self {
            situation, company, ..
        } = self;
        if !situation.of_team(board, pursuit, company, robber) || !situation.is_seen {
            return false;
        }
        self.cops.clear();
        self.ids.clear();
        for (&id, &cop) in situation.ids.iter().zip(&situation.cops) {
            // Cops that the game moves do not keep to a proof, nor do cops that are under way until the next turn. They do
            // no harm either.
            let takes_part = |agent: &AgentRecord| {
                let is_late = board.tick == pursuit.began && !is_in_time(board, pursuit, agent);
                agent.chooses() && !is_late && may_move(agent)
            };
            if board.agent(id).is_some_and(takes_part) {
                self.cops.push(cop);
                self.ids.push(id);
            }
        }
        !self.cops.is_empty()
    }

    /// The position, with the cops to move.
    pub(super) fn state(&self) -> Option<State<'_>> {
        Some(State {
            robber: self.situation.robber?,
            cops: &self.cops,
            to_move: Side::Cops,
        })
    }

    /// The cops of the position, in its order.
    pub(super) fn ids(&self) -> &[AgentId] {
        &self.ids
    }

    /// The number of turns in which the nearest cop of the pursuit would reach the robber if there were no walls.
    pub(super) fn turns_apart(&self, board: &Board) -> u32 {
        self.situation.turns_apart(board)
    }

    /// The number of turns within which the cops have announced a capture: see [`Board::announced`].
    pub(super) fn promised(&self, board: &Board) -> Option<Turns> {
        board.announced(&self.ids)
    }

    /// Returns whether a cop has a plan for its next move, by its place in the list.
    pub(super) fn has_plan(&self, board: &Board, cop: usize) -> bool {
        let agent = board.agent(self.ids[cop]);
        agent.is_some_and(|agent| is_usable(agent, self.cops[cop]))
    }

    /// Lists where the next moves of the cops' plans end, in the order of the cops.
    pub(super) fn ends_of_plans(&self, board: &Board, ends: &mut Vec<Vertex>) {
        ends.clear();
        let all = self.ids.iter().zip(&self.cops);
        ends.extend(all.map(|(&id, &cop)| board.agent(id).map_or(cop.at, |agent| end(agent, cop))));
    }
}

/// Whether a cop has a plan for its next move, and follows it.
fn is_usable(agent: &AgentRecord, cop: Agent) -> bool {
    let plan = &agent.plan;
    plan.is_intact && !plan.falls_short && plan.is_usable(cop.at)
}

/// Where the next move of a cop's plan ends; where it stands, if it has none that it can use.
fn end(agent: &AgentRecord, cop: Agent) -> Vertex {
    let rest = agent.plan.rest(cop.at).filter(|_| is_usable(agent, cop));
    let rest = rest.unwrap_or_default();
    let steps = rest.len().min(cop.speed.steps().into());
    rest[..steps].last().copied().unwrap_or(cop.at)
}
