//! The cops as they were some turns ago.

use crate::game::{Agent, State};
use crate::graph::{Graph, Vertex};
use std::collections::VecDeque;

/// The cops as they stood some turns ago.
///
/// Cost: constant for each cop and turn, but for cops whose old places are no longer theirs to stand
/// on. Memory: a vertex for each cop and turn of the delay.
#[derive(Debug, Clone, Default)]
pub(super) struct Delay {
    /// The most turns ago that can be asked for.
    most: u16,
    /// The cops of one turn after those of the turn before, the oldest first.
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

    /// Notes where the cops of `state` are and returns them as they were `ago` turns ago; in the first turns,
    /// and after their number has changed, as they were first.
    ///
    /// What it gives is a position of the game as it is now: a cop whose old place has become a wall or
    /// is the robber's now is seen at the first later place that neither is.
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
