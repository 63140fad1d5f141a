//! What the game does to a pursuit ends what its members have announced.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::members::Members;
use super::tick_events::TickEvents;
use crate::game::Side;

impl Members {
    /// Notes that a cop may be nearer than robbers have reckoned. Does nothing for a robber.
    pub(super) fn note_new_cop(&mut self, id: AgentId) {
        let is_cop = |agent: &AgentRecord| agent.setup.side == Side::Cops;
        if self.get(id).is_some_and(is_cop)
            && let Some(pursuit) = self.pursuit_of(id)
        {
            pursuit.changes.has_new_cops = true;
        }
    }

    /// Notes that what the members of the agent's pursuit have announced was of another game.
    pub(super) fn note_other_game(&mut self, id: AgentId) {
        if let Some(pursuit) = self.pursuit_of(id) {
            pursuit.changes.is_other_game = true;
        }
    }

    /// Ends what robbers have announced where cops may be nearer than they have reckoned. The plan of a walk is for its
    /// goal, and not for the cops. Takes back all announcements in pursuits that are [another
    /// game](Self::note_other_game) now.
    pub(super) fn drop_doubtful_plans(&mut self, events: &mut TickEvents) {
        for at in self.indices() {
            let (pursuit, roster) = self.pursuit_and_agents(at);
            if std::mem::take(&mut pursuit.changes.is_other_game) {
                for id in pursuit.members() {
                    let Some(agent) = roster.get_mut(id) else {
                        continue;
                    };
                    if agent.state.value.take().is_some() {
                        events.mark_changed(id);
                    }
                    if agent.setup.side == Side::Cops {
                        agent.plan.do_not_wait();
                    }
                }
            }
            if !std::mem::take(&mut pursuit.changes.has_new_cops) {
                continue;
            }
            for &robber in &pursuit.robbers {
                if let Some(agent) = roster.get_mut(robber)
                    && agent.goal_of_walk().is_none()
                {
                    agent.plan.ask_anew();
                }
            }
        }
    }
}
