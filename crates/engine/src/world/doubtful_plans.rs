//! Drops announcements and plans that no longer hold because the game has changed a pursuit.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::members::Members;
use super::tick_events::TickEvents;
use crate::game::Side;

impl Members {
    /// Marks the announcements of robbers as possibly wrong, because the game has added or moved a cop. Does nothing for
    /// a robber.
    pub(super) fn note_new_cop(&mut self, id: AgentId) {
        let is_cop = |agent: &AgentRecord| agent.side() == Side::Cops;
        if self.get(id).is_some_and(is_cop)
            && let Some(pursuit) = self.pursuit_of(id)
        {
            pursuit.changes.has_new_cops = true;
        }
    }

    /// Marks all announcements of the agent's pursuit as made for another game.
    pub(super) fn note_other_game(&mut self, id: AgentId) {
        if let Some(pursuit) = self.pursuit_of(id) {
            pursuit.changes.is_other_game = true;
        }
    }

    /// Drops the plans of robbers in pursuits with a new or moved cop. Walks keep their plans, which do not depend on cops.
    /// Takes back all announcements in pursuits that are [another game](Self::note_other_game) now.
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
                    if agent.side() == Side::Cops {
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
