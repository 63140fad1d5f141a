//! Bodies that could not go where their agents went.

use super::agent_id::AgentId;
use super::barred::BarredCell;
use super::facts::Facts;
use super::pursuit_world::PursuitWorld;
use crate::map::Cell;

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
