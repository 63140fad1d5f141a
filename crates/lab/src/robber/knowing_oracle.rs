//! Recognises certain captures within the next turns by rules and patterns.

use crate::patterns::pursuit::{Matcher, PursuitWindows};
use crate::patterns::{Generator, Kind};
use pursuit_engine::game::Agent;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::patterns::rules::Goal;
use pursuit_engine::policy::CaptureOracle;

/// The knowledge by which a wary robber recognises captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Knowledge {
    /// Rules unfolded from a theory. Nothing has to be generated, and the rules are valid on every graph.
    #[default]
    Rules,
    /// Patterns of windows of 4 x 3 cells for one cop.
    Patterns,
    /// Both.
    Both,
}

/// The number of turns to look ahead.
const DEPTH: u8 = 2;

/// The size of the largest windows, in columns and rows.
const WINDOW: (u8, u8) = (4, 3);

/// Recognises captures within the next two turns as the game's [`CaptureOracle`] does, by the given knowledge.
///
/// The first call generates the patterns, and a later call generates them again if the kind of steps changes.
#[derive(Debug, Clone)]
pub(super) struct KnowingOracle {
    rules: Option<CaptureOracle>,
    patterns: Option<Patterns>,
}

/// The patterns of a kind of steps, once they are generated.
#[derive(Debug, Clone, Default)]
struct Patterns {
    known: Option<(Moves, Matcher)>,
    cells: Vec<Cell>,
}

impl KnowingOracle {
    /// Creates an oracle with this knowledge.
    pub(super) fn new(knowledge: Knowledge) -> Self {
        Self {
            rules: (knowledge != Knowledge::Patterns).then(CaptureOracle::default),
            patterns: (knowledge != Knowledge::Rules).then(Patterns::default),
        }
    }

    /// The number of turns within which the cops certainly capture the robber, as [`CaptureOracle::turns`].
    pub(super) fn turns(
        &mut self,
        graph: &Graph,
        goal: Goal,
        robber: Vertex,
        cops: &[Agent],
    ) -> Option<u8> {
        if cops.iter().any(|cop| cop.at == robber) {
            return Some(0);
        }
        let patterns = self.patterns.as_mut();
        let by_patterns = patterns.and_then(|patterns| patterns.turns(graph, goal, robber, cops));
        let rules = self.rules.as_mut();
        let by_rules = rules.and_then(|oracle| oracle.turns(graph, goal, robber, cops));
        by_patterns.into_iter().chain(by_rules).min()
    }
}

impl Patterns {
    fn turns(&mut self, graph: &Graph, goal: Goal, robber: Vertex, cops: &[Agent]) -> Option<u8> {
        self.cells.clear();
        self.cells.extend(cops.iter().map(|cop| graph.cell(cop.at)));
        let kind = match goal {
            Goal::Caught => Kind::Won,
            Goal::Taken => Kind::InOne,
        };
        let matcher = matcher(&mut self.known, graph.moves())?;
        matcher.turns(graph, kind, graph.cell(robber), &self.cells)
    }
}

/// The patterns for these steps. They are generated when they are first needed.
fn matcher(known: &mut Option<(Moves, Matcher)>, moves: Moves) -> Option<&Matcher> {
    if known.as_ref().is_none_or(|(of, _)| *of != moves) {
        let windows = PursuitWindows::new(moves, 1, WINDOW, 0)?;
        let database = Generator::new(windows, DEPTH).run();
        *known = Some((moves, Matcher::new(&database)));
    }
    known.as_ref().map(|(_, matcher)| matcher)
}
