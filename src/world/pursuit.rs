use super::agent::AgentId;
use super::settings::{Clock, Tactics};
use super::sightings::Sightings;
use crate::game::{Rules, Side};
use serde::{Deserialize, Serialize};

/// What a pursuit has of its own; `None` for what the settings of the world say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PursuitSetup {
    /// When its agents move.
    pub clock: Option<Clock>,
    /// How its cops go about it.
    pub tactics: Option<Tactics>,
}

/// Cops and robbers that take notice of each other, and their turns.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the pursuit"
)]
pub struct Pursuit {
    pub(super) number: u32,
    pub(super) setup: PursuitSetup,
    pub(super) cops: Vec<AgentId>,
    pub(super) robbers: Vec<AgentId>,
    /// The turns that have begun.
    pub(super) turn: u64,
    /// The tick at which the turn began, and the one at which the next begins.
    pub(super) began: u64,
    pub(super) ends: u64,
    /// Did a table decide for the cops the last time, and for the robber?
    pub(super) cops_by_table: bool,
    pub(super) robber_by_table: bool,
    /// Has it been told that a table decides for all?
    pub(super) is_told_exact: bool,
    /// The rules that a table was looked for last.
    pub(super) rules: Option<Rules>,
    /// Does nobody want a plan until something happens?
    pub(super) is_settled: bool,
    /// Has the game put somebody of it somewhere, so that it may be a capture?
    pub(super) is_stirred: bool,
    /// What the cops know of robbers, and each robber of cops.
    pub(super) cops_know: Sightings,
    pub(super) robbers_know: Vec<(AgentId, Sightings)>,
}

impl Pursuit {
    pub(super) fn new(number: u32, first_turn: u64) -> Self {
        Self {
            number,
            setup: PursuitSetup::default(),
            cops: Vec::new(),
            robbers: Vec::new(),
            turn: 0,
            began: first_turn,
            ends: first_turn,
            cops_by_table: false,
            robber_by_table: false,
            is_told_exact: false,
            rules: None,
            is_settled: false,
            is_stirred: true,
            cops_know: Sightings::default(),
            robbers_know: Vec::new(),
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// What it has of its own.
    #[must_use]
    pub const fn setup(&self) -> &PursuitSetup {
        &self.setup
    }

    /// The turns that have begun.
    #[must_use]
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// The tick at which the turn began, and the one at which the next begins.
    #[must_use]
    pub const fn turn_ticks(&self) -> (u64, u64) {
        (self.began, self.ends)
    }

    /// Its cops.
    #[must_use]
    pub fn cops(&self) -> &[AgentId] {
        &self.cops
    }

    /// Its robbers, those that are captured too.
    #[must_use]
    pub fn robbers(&self) -> &[AgentId] {
        &self.robbers
    }

    /// Does an exact table decide for all that the world moves?
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.cops_by_table && self.robber_by_table
    }

    /// It is another game now, and whether there is a table for it will turn out.
    pub(super) const fn forget_table(&mut self) {
        (self.cops_by_table, self.robber_by_table) = (false, false);
    }

    pub(super) fn members_mut(&mut self, side: Side) -> &mut Vec<AgentId> {
        match side {
            Side::Cops => &mut self.cops,
            Side::Robber => &mut self.robbers,
        }
    }
}
