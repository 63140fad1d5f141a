//! Which agents of a pursuit move together: the games that tables and proofs cover.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::board::Board;
use super::pursuit::PursuitRecord;
use std::num::NonZeroU8;

/// The cops of a guide for two, and of a table of pairs.
pub(super) const PAIR: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// The only free robber of a pursuit; `None` if there are more or none.
pub(super) fn only_robber(board: &Board, pursuit: &PursuitRecord) -> Option<AgentId> {
    let is_free = |&(_, robber): &(AgentId, &AgentRecord)| {
        robber.caught.is_none() && board.graph.is_on_map(robber.setup.cell)
    };
    let mut free = board.agents(&pursuit.robbers).filter(is_free);
    let (first, _) = free.next()?;
    free.next().is_none().then_some(first)
}

pub(super) fn can_all_move(board: &Board, agents: &[AgentId]) -> bool {
    let mut agents = board.agents(agents);
    agents.all(|(_, agent)| !agent.setup.is_immobile)
}

/// Returns whether this is a game that a table covers. On the free-running clock, a table is only a guide. On clocks
/// with turns, cops that set out in the middle of a turn play another game.
pub(super) fn is_joint_move(board: &Board, pursuit: &PursuitRecord) -> bool {
    let is_in_time = |(_, cop): (AgentId, &AgentRecord)| is_in_time(board, pursuit, cop);
    !board.clock(pursuit).is_in_turns()
        || board.tick == pursuit.began && board.agents(&pursuit.cops).all(is_in_time)
}

/// Returns whether the cops of a pursuit choose a joint move now, for a game that a table covers: those whose moves the
/// world chooses. A cop that the game has sent along a path in this turn has no choice.
pub(super) fn choose_together(board: &Board, pursuit: &PursuitRecord) -> bool {
    let stands = |(_, cop): (AgentId, &AgentRecord)| cop.arrives() <= board.tick;
    let mut team = board.agents(&pursuit.cops).filter(|(_, cop)| cop.chooses());
    !board.clock(pursuit).is_in_turns() || board.tick == pursuit.began && team.all(stands)
}

/// Returns whether an agent moves with this turn of its pursuit: it stands, or has set out now.
pub(super) const fn is_in_time(
    board: &Board,
    pursuit: &PursuitRecord,
    agent: &AgentRecord,
) -> bool {
    let sets_out_now = agent.times().0 == board.tick && agent.arrives() == pursuit.ends;
    agent.arrives() <= board.tick || sets_out_now
}
