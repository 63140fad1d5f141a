//! What a tick has to tell.

use super::AgentId;
use super::event::{TickReport, WorldEvent};

/// What a tick has to tell: to the game, and to whoever shows agents.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) report: TickReport,
    pub(super) events: Vec<WorldEvent>,
    /// Agents whose place, way or state may be others than when this was cleared.
    pub(super) touched: Vec<AgentId>,
}

impl News {
    /// A tick begins.
    pub(super) fn clear(&mut self) {
        self.report = TickReport::default();
        self.events.clear();
    }

    pub(super) fn tell(&mut self, event: WorldEvent) {
        self.events.push(event);
    }

    pub(super) fn touch(&mut self, id: AgentId) {
        // However long nobody clears the list, it does not become much longer than there are agents.
        if self.touched.len() == self.touched.capacity() {
            self.touched.sort_unstable();
            self.touched.dedup();
            self.touched.reserve(self.touched.len() + 1);
        }
        self.touched.push(id);
    }
}
