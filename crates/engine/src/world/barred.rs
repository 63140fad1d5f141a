//! The cells that agents avoid because their bodies were blocked there.

use super::agent_id::AgentId;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// The most cells that are avoided at a time. Of more, those are forgotten that would be the first to be over.
const MOST: usize = 1024;

/// The cells that agents avoid, each one agent for a while.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<BarredCell>", into = "Vec<BarredCell>")]
pub(super) struct BarredCells {
    /// Sorted.
    list: Vec<BarredCell>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BarredCell {
    pub(super) id: AgentId,
    pub(super) cell: Cell,
    /// The first tick in which the agent may step there again.
    pub(super) until: u64,
}

impl From<Vec<BarredCell>> for BarredCells {
    fn from(mut list: Vec<BarredCell>) -> Self {
        list.sort_unstable();
        Self { list }
    }
}

impl From<BarredCells> for Vec<BarredCell> {
    fn from(barred: BarredCells) -> Self {
        barred.list
    }
}

impl BarredCells {
    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The cells that an agent avoids. Cost: two binary searches.
    pub(super) fn of(&self, id: AgentId) -> &[BarredCell] {
        let first = self.list.partition_point(|barred| barred.id < id);
        let rest = &self.list[first..];
        &rest[..rest.partition_point(|barred| barred.id == id)]
    }

    /// Forgets what is over.
    pub(super) fn end(&mut self, tick: u64) {
        self.list.retain(|barred| barred.until > tick);
    }

    /// Cost: linear in the cells that anybody avoids.
    pub(super) fn add(&mut self, new: BarredCell) {
        let is_other = |barred: &BarredCell| (barred.id, barred.cell) != (new.id, new.cell);
        self.list.retain(is_other);
        if self.list.len() >= MOST {
            let first = self.list.iter().map(|barred| barred.until).min();
            let first = self
                .list
                .iter()
                .position(|barred| Some(barred.until) == first);
            self.list.remove(first.unwrap_or(0));
        }
        let index = self.list.partition_point(|barred| *barred < new);
        self.list.insert(index, new);
    }
}
