//! The cells that agents avoid because their bodies were blocked there.

use super::agent_id::AgentId;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// The most cells that are avoided at a time. Of more, the first ones are forgotten.
const MOST: usize = 1024;

/// The cells that agents avoid, each one agent for a while.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct BarredCells(Vec<BarredCell>);

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BarredCell {
    pub(super) id: AgentId,
    pub(super) cell: Cell,
    /// The first tick in which the agent may step there again.
    pub(super) until: u64,
}

impl BarredCells {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first tick in which an agent may step onto a cell again that it avoids; `None` if it does not avoid the cell. Cost:
    /// linear in the cells that anybody avoids.
    pub(super) fn until(&self, id: AgentId, cell: Cell) -> Option<u64> {
        let mut all = self.0.iter();
        let found = all.find(|barred| barred.id == id && barred.cell == cell);
        found.map(|barred| barred.until)
    }

    /// Returns whether an agent avoids any cell. Cost: as of [`until`](Self::until).
    pub(super) fn hold(&self, id: AgentId) -> bool {
        self.0.iter().any(|barred| barred.id == id)
    }

    /// Forgets what is over.
    pub(super) fn end(&mut self, tick: u64) {
        self.0.retain(|barred| barred.until > tick);
    }

    pub(super) fn add(&mut self, new: BarredCell) {
        let is_other = |barred: &BarredCell| (barred.id, barred.cell) != (new.id, new.cell);
        self.0.retain(is_other);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(new);
    }
}
