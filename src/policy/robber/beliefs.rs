//! Where a robber believes the cops to be.

use super::sight::View;
use crate::game::{Agent, State};
use crate::graph::Graph;

/// Where a robber believes cops to be that it does not always see. It tells them apart by their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Beliefs {
    /// For each cop where it was seen last, and how many turns ago; `None` if it is forgotten.
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

    /// The cops that it knows of, except those whose last cell it believes to be a wall.
    pub(super) fn cops(&mut self, known: &Graph) -> &[Agent] {
        let cops = self.last.iter().flatten().map(|&(cop, _)| cop);
        self.believed.clear();
        self.believed
            .extend(cops.filter(|cop| known.is_live(cop.at)));
        &self.believed
    }
}
