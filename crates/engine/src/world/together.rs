//! Which agents of a pursuit move together: the games that tables and proofs cover.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::pursuit::PursuitRecord;
use std::num::NonZeroU8;

/// The cops of a guide for two, and of a table of pairs.
pub(super) const PAIR: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// The only free robber of a pursuit; `None` if there are more or none.
pub(super) fn only_robber(facts: &Facts, pursuit: &PursuitRecord) -> Option<AgentId> {
    let is_free = |&(_, robber): &(AgentId, &AgentRecord)| {
        robber.caught.is_none() && facts.graph.is_on_map(robber.setup.cell)
    };
    let mut free = facts.agents(&pursuit.robbers).filter(is_free);
    let (first, _) = free.next()?;
    free.next().is_none().then_some(first)
}

pub(super) fn can_all_move(facts: &Facts, agents: &[AgentId]) -> bool {
    let mut agents = facts.agents(agents);
    agents.all(|(_, agent)| !agent.setup.is_immobile)
}

/// Returns whether this is a game that a table covers. On the free-running clock, a table is only a guide. On clocks
/// with turns, cops that set out in the middle of a turn play another game.
pub(super) fn is_joint_move(facts: &Facts, pursuit: &PursuitRecord) -> bool {
    let is_in_time = |(_, cop): (AgentId, &AgentRecord)| is_in_time(facts, pursuit, cop);
    !facts.clock(pursuit).is_in_turns()
        || facts.tick == pursuit.began && facts.agents(&pursuit.cops).all(is_in_time)
}

/// Returns whether the cops of a pursuit choose a joint move now, for a game that a table covers: those whose moves the
/// world chooses. A cop that the game has sent along a path in this turn has no choice.
pub(super) fn choose_together(facts: &Facts, pursuit: &PursuitRecord) -> bool {
    let stands = |(_, cop): (AgentId, &AgentRecord)| cop.arrives() <= facts.tick;
    let team = facts.agents(&pursuit.cops);
    let mut team = team.filter(|(_, cop)| cop.chooses_in(pursuit.number));
    !facts.clock(pursuit).is_in_turns() || facts.tick == pursuit.began && team.all(stands)
}

/// Returns whether an agent moves with this turn of its pursuit: it stands, or has set out now.
pub(super) const fn is_in_time(
    facts: &Facts,
    pursuit: &PursuitRecord,
    agent: &AgentRecord,
) -> bool {
    let sets_out_now = agent.times().0 == facts.tick && agent.arrives() == pursuit.ends;
    agent.arrives() <= facts.tick || sets_out_now
}
