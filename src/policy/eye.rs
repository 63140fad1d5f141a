//! Recognises certain captures within the next turns by rules and patterns.

use crate::game::Agent;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves};
use crate::patterns::pursuit::{Matcher, PursuitWindows};
use crate::patterns::rules::{Goal, Program, Theory};
use crate::patterns::{Generator, Kind};
use std::sync::OnceLock;

/// The knowledge that an [`Eye`] uses.
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
/// The greatest number of free vertices that rules count.
const FREE: u8 = 2;
/// The size of the largest windows, in columns and rows.
const WINDOW: (u8, u8) = (4, 3);

/// Recognises captures within the next two turns that are certain, whatever the robber does.
///
/// The knowledge is valid only for agents of speed 1. It is sound on every map: optimal cops achieve every
/// capture that is recognised. It is not complete: optimal cops may also capture where nothing is recognised.
///
/// Cost: a few hundred nanoseconds for each pair of cops. The first eye of the program unfolds the rules, in some
/// milliseconds. The first call generates the patterns, and a later call generates them again if the kind of steps
/// changes.
#[derive(Debug, Clone)]
pub struct Eye {
    knowledge: Knowledge,
    /// Rules for one cop and for two, if they are used.
    rules: Option<&'static [Option<Program>; 2]>,
    patterns: Option<(Moves, Matcher)>,
    cells: Vec<Cell>,
    places: Vec<Vertex>,
}

impl Eye {
    /// Creates an eye with this knowledge.
    #[must_use]
    pub fn new(knowledge: Knowledge) -> Self {
        let rules = match knowledge {
            Knowledge::Patterns => None,
            Knowledge::Rules | Knowledge::Both => Some(programs()),
        };
        Self {
            knowledge,
            rules,
            patterns: None,
            cells: Vec::new(),
            places: Vec::new(),
        }
    }

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
        let by_patterns = match self.knowledge {
            Knowledge::Rules => None,
            Knowledge::Patterns | Knowledge::Both => {
                self.cells.clear();
                self.cells.extend(cops.iter().map(|cop| graph.cell(cop.at)));
                let kind = match goal {
                    Goal::Caught => Kind::Won,
                    Goal::Taken => Kind::InOne,
                };
                let robber = graph.cell(robber);
                let matcher = matcher(&mut self.patterns, graph.moves());
                matcher.and_then(|matcher| matcher.turns(graph, kind, robber, &self.cells))
            }
        };
        self.places.clear();
        self.places.extend(cops.iter().map(|cop| cop.at));
        let number = usize::from(cops.len() > 1);
        let program = self.rules.and_then(|rules| rules[number].as_ref());
        let by_rules = program.and_then(|program| program.turns(graph, goal, robber, &self.places));
        by_patterns.into_iter().chain(by_rules).min()
    }
}

impl Default for Eye {
    /// An eye with the default knowledge.
    fn default() -> Self {
        Self::new(Knowledge::default())
    }
}

/// The rules for one cop and for two. They depend on nothing, so all eyes share them.
fn programs() -> &'static [Option<Program>; 2] {
    static PROGRAMS: OnceLock<[Option<Program>; 2]> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        [1, 2].map(|cops| {
            let theory = Theory::new(cops, FREE).ok()?;
            Program::new(theory, DEPTH).ok()
        })
    })
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
