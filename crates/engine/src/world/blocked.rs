//! Bodies that could not go where their agents went.

use super::agent_id::AgentId;
use super::facts::Facts;
use super::pursuit_world::PursuitWorld;
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
struct BarredCell {
    id: AgentId,
    cell: Cell,
    /// The first tick in which the agent may step there again.
    until: u64,
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

    fn add(&mut self, new: BarredCell) {
        let is_other = |barred: &BarredCell| (barred.id, barred.cell) != (new.id, new.cell);
        self.0.retain(is_other);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(new);
    }
}

impl PursuitWorld {
    /// The body of an agent could not go on, because something is in its way that the world does not know: a crate, a pushed
    /// player, a door of the physics engine. The agent stays on the last cell that it has reached, and for some turns steps
    /// onto the cell that it was heading for only if the game [orders](Self::order) it: it takes its next best moves. Nobody
    /// is captured by a move that was not made. Returns the cell that it avoids; `None` if it stands and has no plan, and for
    /// an unknown id.
    ///
    /// What was announced for its pursuit does not hold any more.
    pub fn block(&mut self, id: AgentId, turns: u16) -> Option<Cell> {
        self.facts.block(id, turns)
    }
}

impl Facts {
    fn block(&mut self, id: AgentId, turns: u16) -> Option<Cell> {
        let agent = self.members.get(id)?;
        // Before the arrivals of a tick, bodies are where they were in the last one.
        let now = self.tick.saturating_sub(u64::from(self.are_arrivals_due));
        let walked = agent.walked(now).min(agent.way().len());
        let reached = walked.checked_sub(1).map(|last| agent.way()[last]);
        let here = reached.map_or(agent.setup.cell, |at| self.graph.cell(at));
        let next = agent.way().get(walked).or_else(|| agent.ahead().first());
        let next = next.map(|&at| self.graph.cell(at));
        self.place(id, here);
        let cell = next.filter(|&cell| cell != here)?;
        let length = u64::from(turns) * self.turn_length();
        self.barred.add(BarredCell {
            id,
            cell,
            until: self.tick + 1 + length,
        });
        Some(cell)
    }
}
