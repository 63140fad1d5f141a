//! Meetings on an edge: where both sides move simultaneously, a cop and a robber that exchange their cells meet.

use super::AgentId;
use super::board::Board;
use crate::graph::Vertex;

/// The meetings of a tick, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// The moves of cops that end now: from, to, and who.
    moves: Vec<(Vertex, Vertex, AgentId)>,
    /// Robbers, and the cop that each of them meets.
    list: Vec<(AgentId, AgentId)>,
}

impl Meetings {
    /// The cop that a robber met on its last move.
    pub(super) fn of(&self, robber: AgentId) -> Option<AgentId> {
        let met = self.list.iter().find(|&&(who, _)| who == robber);
        met.map(|&(_, cop)| cop)
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.list.clear();
    }
}

impl Board {
    /// Finds the robbers of a pursuit that exchange their cells with a cop along an edge, with moves that end at this
    /// tick. As in the game of [`solve::simultaneous`](crate::solve::simultaneous), only where moves begin and end
    /// counts: fast agents further apart than an edge do not meet. Call it before the agents arrive.
    pub(super) fn find_meetings(&self, at: usize, found: &mut Meetings) {
        found.clear();
        let pursuit = &self.members.pursuits()[at];
        if !self.is_simultaneous(pursuit) {
            return;
        }
        for (id, _) in self.agents(&pursuit.cops) {
            let ends = self.ends_of_arrival(id);
            found.moves.extend(ends.map(|(from, to)| (from, to, id)));
        }
        found.moves.sort_unstable();
        for (id, robber) in self.agents(&pursuit.robbers) {
            let Some((from, to)) = self.ends_of_arrival(id) else {
                continue;
            };
            if robber.caught.is_some() || !self.graph.are_adjacent(from, to) {
                continue;
            }
            let first = found
                .moves
                .partition_point(|&(a, b, _)| (a, b) < (to, from));
            let met = found.moves.get(first);
            if let Some(&(_, _, cop)) = met.filter(|&&(a, b, _)| (a, b) == (to, from)) {
                found.list.push((id, cop));
            }
        }
    }

    /// The first and the last vertex of a move that ends at this tick; `None` if the agent does not move, or comes out
    /// of a wall.
    fn ends_of_arrival(&self, id: AgentId) -> Option<(Vertex, Vertex)> {
        let agent = self.agent(id).filter(|agent| agent.arrives <= self.tick)?;
        let end = *agent.way.last()?;
        Some((self.graph.vertex(agent.setup.cell)?, end))
    }
}
