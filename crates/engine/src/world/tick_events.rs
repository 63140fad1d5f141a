//! The events of a tick, collected while it runs.

use super::agent_id::AgentId;
use super::event::{TickReport, WorldEvent};

/// The events of a tick, for the game and for the systems that show agents.
#[derive(Debug, Default)]
pub(super) struct TickEvents {
    pub(super) report: TickReport,
    pub(super) list: Vec<WorldEvent>,
    /// Agents whose place, path or state may have changed since the list was last cleared.
    pub(super) changed_agents: Vec<AgentId>,
}

impl TickEvents {
    /// Clears the events at the start of a tick.
    pub(super) fn clear(&mut self) {
        self.report = TickReport::default();
        self.list.clear();
    }

    pub(super) fn send(&mut self, event: WorldEvent) {
        self.list.push(event);
    }

    pub(super) fn mark_changed(&mut self, id: AgentId) {
        // The list may not be cleared for a long time: keeps it about as long as the number of agents.
        if self.changed_agents.len() == self.changed_agents.capacity() {
            self.changed_agents.sort_unstable();
            self.changed_agents.dedup();
            self.changed_agents.reserve(self.changed_agents.len() + 1);
        }
        self.changed_agents.push(id);
    }
}
