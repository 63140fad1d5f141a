//! A game that says no: it sees who wants to step where before anybody sets out.

use super::agent::AgentSetup;
use super::agent_id::AgentId;
use crate::map::Cell;
use std::fmt;

/// A move that an agent wants to make: see [`PursuitWorld::decide_with`](super::PursuitWorld::decide_with).
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The agent.
    pub id: AgentId,
    /// Its properties: its side, its pursuit, the number that the game has given it, and the cell that it stands on.
    pub agent: &'a AgentSetup,
    /// The cells that it wants to step on, in order; at least one. The move ends on the last one.
    pub cells: &'a [Cell],
}

/// The answer of the game to a [`Wish`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    /// The agent may make the move.
    #[default]
    Allow,
    /// It may not: it takes its next best move, of which the game is asked, too.
    Refuse,
    /// It steps on this cell instead, if one legal step leads there, without another question. With the cell that it stands
    /// on, it stays. Any other cell counts as [`Refuse`](Self::Refuse).
    Instead(Cell),
}

/// The question to the game, if it wants to be asked.
pub(super) struct Gate<'a> {
    ask: Option<&'a mut dyn FnMut(&Wish<'_>) -> Verdict>,
}

impl fmt::Debug for Gate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("asks", &self.asks()).finish()
    }
}

impl<'a> Gate<'a> {
    /// A game that allows everything.
    pub(super) const fn open() -> Self {
        Self { ask: None }
    }

    pub(super) const fn new(ask: &'a mut dyn FnMut(&Wish<'_>) -> Verdict) -> Self {
        Self { ask: Some(ask) }
    }

    /// Returns whether the game wants to be asked.
    pub(super) const fn asks(&self) -> bool {
        self.ask.is_some()
    }

    pub(super) fn ask(&mut self, wish: &Wish<'_>) -> Verdict {
        self.ask.as_mut().map_or(Verdict::Allow, |ask| ask(wish))
    }
}
