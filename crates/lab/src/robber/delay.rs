//! Delayed cop positions.

use pursuit_engine::game::{Agent, State};
use pursuit_engine::graph::{Graph, Vertex};
use std::collections::VecDeque;

/// Remembers where the cops were some turns ago.
///
/// Cost: constant for each cop and turn, and up to the delay for a cop whose old position is no longer
/// free. Memory: a vertex for each cop and turn of the delay.
#[derive(Debug, Clone, Default)]
pub(super) struct Delay {
    /// The longest delay in turns.
    most: u16,
    /// The cops' positions, turn after turn, the oldest first.
    past: VecDeque<Vertex>,
    cops: usize,
    seen: Vec<Agent>,
}

impl Delay {
    pub(super) fn new(most: u16) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    pub(super) fn forget(&mut self) {
        self.past.clear();
    }

    /// Records the positions of the cops of `state` and returns those from `ago` turns ago. If fewer
    /// turns are recorded (at first, and after the number of cops has changed), returns the oldest
    /// positions.
    ///
    /// The result is always a valid position on the current map: a cop whose old vertex is now a wall,
    /// or the robber's vertex, appears on the first later one of its vertices that is free.
    pub(super) fn pass(&mut self, graph: &Graph, state: &State<'_>, ago: u16) -> &[Agent] {
        let cops = state.cops.len();
        if self.cops != cops {
            self.cops = cops;
            self.past.clear();
        }
        if self.past.len() > cops * usize::from(self.most) {
            self.past.drain(..cops);
        }
        self.past.extend(state.cops.iter().map(|cop| cop.at));
        self.seen.clear();
        let older = self
            .past
            .len()
            .saturating_sub(cops * (usize::from(ago) + 1));
        let is_free = |vertex: &Vertex| graph.is_live(*vertex) && *vertex != state.robber.at;
        for (index, cop) in state.cops.iter().enumerate() {
            let places = self.past.iter().skip(older + index).step_by(cops);
            let at = places.copied().find(is_free).unwrap_or(cop.at);
            self.seen.push(Agent { at, ..*cop });
        }
        &self.seen
    }
}
