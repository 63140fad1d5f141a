//! What has happened in a tick.

use super::AgentId;
use super::event::{TickReport, WorldEvent};

/// What has happened in a tick, for the game and for the systems that show agents.
#[derive(Debug, Default)]
pub(super) struct TickEvents {
    pub(super) report: TickReport,
    pub(super) list: Vec<WorldEvent>,
    /// Agents whose place, path or state may have changed since the list was last cleared.
    pub(super) touched: Vec<AgentId>,
}

impl TickEvents {
    /// A tick begins.
    pub(super) fn clear(&mut self) {
        self.report = TickReport::default();
        self.list.clear();
    }

    pub(super) fn send(&mut self, event: WorldEvent) {
        self.list.push(event);
    }

    pub(super) fn touch(&mut self, id: AgentId) {
        // Nobody may clear the list for a long time: keep it about as long as there are agents.
        if self.touched.len() == self.touched.capacity() {
            self.touched.sort_unstable();
            self.touched.dedup();
            self.touched.reserve(self.touched.len() + 1);
        }
        self.touched.push(id);
    }
}
