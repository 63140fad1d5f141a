//! The cop positions that a robber assumes.

use super::sight::View;
use crate::game::{Agent, State};
use crate::graph::Graph;

/// The positions at which a robber of limited sight assumes the cops to be. It identifies cops by their
/// order.
#[derive(Debug, Clone, Default)]
pub(super) struct Beliefs {
    /// For each cop the last sighting and its age in turns; `None` for a forgotten cop.
    last: Vec<Option<(Agent, u16)>>,
    believed: Vec<Agent>,
}

impl Beliefs {
    pub(super) fn forget(&mut self) {
        self.last.clear();
    }

    /// Updates the cops of `state` that are in view, and remembers the others for `memory` turns.
    pub(super) fn update(&mut self, real: &Graph, state: &State<'_>, view: View, memory: u16) {
        if self.last.len() != state.cops.len() {
            self.last.clear();
            self.last.resize(state.cops.len(), None);
        }
        let is_seen = |cop: &Agent| view.contains(real, real.cell(cop.at));
        for (last, cop) in self.last.iter_mut().zip(state.cops) {
            *last = if is_seen(cop) {
                Some((*cop, 0))
            } else {
                let older = last.map(|(cop, turns)| (cop, turns.saturating_add(1)));
                older.filter(|(cop, turns)| *turns <= memory && !is_seen(cop))
            };
        }
    }

    /// The cops that the robber remembers, except those whose last cell is a wall on the map that it
    /// knows.
    pub(super) fn cops(&mut self, known: &Graph) -> &[Agent] {
        let cops = self.last.iter().flatten().map(|&(cop, _)| cop);
        self.believed.clear();
        self.believed
            .extend(cops.filter(|cop| known.is_live(cop.at)));
        &self.believed
    }
}
