//! Recognises certain captures within the next turns by rules.

use crate::game::Agent;
use crate::graph::{Graph, Vertex};
use crate::patterns::rules::{Goal, Program, Theory};
use std::sync::OnceLock;

/// The number of turns to look ahead.
const DEPTH: u8 = 2;

/// The greatest number of free vertices that rules count.
const FREE: u8 = 2;

/// Recognises captures within the next two turns that are certain, whatever the robber does, by rules unfolded from a
/// theory. Nothing has to be generated, and the rules are valid on every graph.
///
/// The rules are valid only for agents of speed 1. They are sound on every map: optimal cops achieve every
/// capture that is recognised. They are not complete: optimal cops may also capture where nothing is recognised.
///
/// Cost: a few hundred nanoseconds for each pair of cops. The first oracle of the program unfolds the rules, in some
/// milliseconds.
#[derive(Debug, Clone)]
pub struct CaptureOracle {
    /// Rules for one cop and for two.
    rules: &'static [Option<Program>; 2],
    places: Vec<Vertex>,
}

impl CaptureOracle {
    /// The number of turns within which the cops certainly capture the robber; `None` if no capture is
    /// recognised, and 0 if a cop stands on the robber. For [`Goal::Caught`] the robber is to move, for
    /// [`Goal::Taken`] the cops are to move. All agents are assumed to have speed 1.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    #[must_use]
    pub fn turns(
        &mut self,
        graph: &Graph,
        goal: Goal,
        robber: Vertex,
        cops: &[Agent],
    ) -> Option<u8> {
        if cops.iter().any(|cop| cop.at == robber) {
            return Some(0);
        }
        self.places.clear();
        self.places.extend(cops.iter().map(|cop| cop.at));
        let number = usize::from(cops.len() > 1);
        let program = self.rules[number].as_ref()?;
        program.turns(graph, goal, robber, &self.places)
    }
}

impl Default for CaptureOracle {
    fn default() -> Self {
        Self {
            rules: programs(),
            places: Vec::new(),
        }
    }
}

/// The rules for one cop and for two. They depend on nothing, so all oracles share them.
fn programs() -> &'static [Option<Program>; 2] {
    static PROGRAMS: OnceLock<[Option<Program>; 2]> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        [1, 2].map(|cops| {
            let theory = Theory::new(cops, FREE).ok()?;
            Program::new(theory, DEPTH).ok()
        })
    })
}
