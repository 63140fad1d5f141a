use super::window::Window;
use crate::game::{Agent, State};
use crate::graph::Graph;

/// Where an agent takes the cops to be that it does not see all the time. It knows them by their
/// order.
#[derive(Debug, Clone, Default)]
pub(super) struct Beliefs {
    /// For each cop where it was seen last, and how many turns ago; `None` if it is forgotten.
    last: Vec<Option<(Agent, u16)>>,
    told: Vec<Agent>,
}

impl Beliefs {
    pub(super) fn forget(&mut self) {
        self.last.clear();
    }

    /// Sees the cops of `state` in the window, and remembers the others for `memory` turns.
    pub(super) fn look(&mut self, real: &Graph, state: &State<'_>, window: Window, memory: u16) {
        if self.last.len() != state.cops.len() {
            self.last.clear();
            self.last.resize(state.cops.len(), None);
        }
        let is_seen = |cop: &Agent| window.contains(real.cell(cop.at));
        for (last, cop) in self.last.iter_mut().zip(state.cops) {
            *last = if is_seen(cop) {
                Some((*cop, 0))
            } else {
                let older = last.map(|(cop, turns)| (cop, turns.saturating_add(1)));
                older.filter(|(cop, turns)| *turns <= memory && !is_seen(cop))
            };
        }
    }

    /// The cops that it knows of, but for those that it takes to be where it takes a wall to be.
    pub(super) fn cops(&mut self, known: &Graph) -> &[Agent] {
        let cops = self.last.iter().flatten().map(|&(cop, _)| cop);
        self.told.clear();
        self.told.extend(cops.filter(|cop| known.is_live(cop.at)));
        &self.told
    }
}
