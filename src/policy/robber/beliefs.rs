//! The cop positions that a robber assumes.

use super::sight::View;
use crate::game::{Agent, State};
use crate::graph::{Graph, Vertex};

/// The positions at which a robber of limited sight assumes the cops to be. It identifies cops by their
/// order.
#[derive(Debug, Clone, Default)]
pub(super) struct Beliefs {
    /// `None` for a forgotten cop.
    last: Vec<Option<Remembered>>,
    believed: Vec<Agent>,
}

/// A cop that the robber remembers.
#[derive(Debug, Clone)]
struct Remembered {
    /// The cop where the robber assumes it to be.
    cop: Agent,
    /// The turns since it was seen last.
    turns: u16,
    /// Where it can be: all that it can have reached since without being seen, sorted.
    places: Vec<Vertex>,
}

impl Remembered {
    fn seen(cop: Agent) -> Self {
        Self {
            cop,
            turns: 0,
            places: vec![cop.at],
        }
    }

    /// The cop after another turn out of sight, which is assumed to stay while the robber does not see that it has left.
    /// `None` if it can be nowhere any more.
    fn next(mut self, real: &Graph, view: View) -> Option<Self> {
        let is_seen = |at: Vertex| view.contains(real, real.cell(at));
        self.turns = self.turns.saturating_add(1);
        for _ in 0..self.cop.speed.steps() {
            let before = self.places.len();
            for index in 0..before {
                self.places.extend(real.neighbours(self.places[index]));
            }
            self.places.sort_unstable();
            self.places.dedup();
            if self.places.len() == before {
                break;
            }
        }
        self.places.retain(|&at| real.is_live(at) && !is_seen(at));
        if is_seen(self.cop.at) {
            let places = self.places.iter().copied();
            self.cop.at = places.min_by_key(|&at| real.cell(at).max_norm(view.here()))?;
        }
        Some(self)
    }
}

impl Beliefs {
    pub(super) fn forget(&mut self) {
        self.last.clear();
    }

    /// Updates the cops of `state` that are in view, and remembers the others for `memory` turns.
    ///
    /// Cost for each cop out of sight: the cells that it can have reached.
    pub(super) fn update(&mut self, real: &Graph, state: &State<'_>, view: View, memory: u16) {
        if self.last.len() != state.cops.len() {
            self.last.clear();
            self.last.resize(state.cops.len(), None);
        }
        for (last, cop) in self.last.iter_mut().zip(state.cops) {
            *last = if view.contains(real, real.cell(cop.at)) {
                Some(Remembered::seen(*cop))
            } else {
                let older = last.take().filter(|last| last.turns < memory);
                older.and_then(|last| last.next(real, view))
            };
        }
    }

    /// The cops that the robber remembers, except those whose assumed cell is a wall on the map that it
    /// knows.
    pub(super) fn cops(&mut self, known: &Graph) -> &[Agent] {
        let cops = self.last.iter().flatten().map(|last| last.cop);
        self.believed.clear();
        self.believed
            .extend(cops.filter(|cop| known.is_live(cop.at)));
        &self.believed
    }
}
