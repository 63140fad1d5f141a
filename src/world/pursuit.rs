use super::agent::AgentId;
use super::settings::{PursuitClock, Tactics};
use super::sightings::Sightings;
use crate::game::{Rules, Side};
use serde::{Deserialize, Serialize};

/// What a pursuit has of its own; `None` for what the settings of the world say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PursuitSetup {
    /// When its agents move.
    pub clock: Option<PursuitClock>,
    /// How its cops go about it.
    pub tactics: Option<Tactics>,
}

/// Cops and robbers that take notice of each other, and their turns.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the pursuit"
)]
pub struct PursuitRecord {
    pub(super) number: u32,
    pub(super) setup: PursuitSetup,
    pub(super) cops: Vec<AgentId>,
    pub(super) robbers: Vec<AgentId>,
    /// The turns that have begun.
    pub(super) turn: u64,
    /// The tick at which the turn began, and the one at which the next begins.
    pub(super) began: u64,
    pub(super) ends: u64,
    /// The tick at which a member arrives or chooses next, which may be before the turn ends.
    pub(super) next_due: u64,
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
    /// Do the lists of members name agents that have left, or lack their order?
    pub(super) is_untidy: bool,
    /// What the cops know of robbers, and each robber of cops.
    pub(super) cops_know: Sightings,
    pub(super) robbers_know: Vec<(AgentId, Sightings)>,
}

impl PursuitRecord {
    pub(super) fn new(number: u32, first_turn: u64) -> Self {
        Self {
            number,
            setup: PursuitSetup::default(),
            cops: Vec::new(),
            robbers: Vec::new(),
            turn: 0,
            began: first_turn,
            ends: first_turn,
            next_due: first_turn,
            cops_by_table: false,
            robber_by_table: false,
            is_told_exact: false,
            rules: None,
            is_settled: false,
            is_stirred: true,
            is_untidy: false,
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

    /// Its cops, in the order of their ids. Those who leave are taken off the list with the next tick.
    #[must_use]
    pub fn cops(&self) -> &[AgentId] {
        &self.cops
    }

    /// Its robbers, those that are captured too. As with [`cops`](Self::cops), those who leave stay on the
    /// list until the next tick.
    #[must_use]
    pub fn robbers(&self) -> &[AgentId] {
        &self.robbers
    }

    /// Does an exact table decide for all that the world moves?
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.cops_by_table && self.robber_by_table
    }

    /// Forgets what is known of agents that are no members any more.
    pub(super) fn forget_strangers(&mut self) {
        let Self {
            cops,
            robbers,
            cops_know,
            robbers_know,
            ..
        } = self;
        let is_in =
            |list: &[AgentId], key: u64| list.binary_search_by_key(&key, |id| id.key()).is_ok();
        cops_know.retain(|key| is_in(robbers, key));
        robbers_know.retain(|&(robber, _)| is_in(robbers, robber.key()));
        for (_, known) in robbers_know {
            known.retain(|key| is_in(cops, key));
        }
    }

    /// It is another game now, and whether there is a table for it will turn out.
    pub(super) const fn forget_table(&mut self) {
        (self.cops_by_table, self.robber_by_table) = (false, false);
    }

    /// Cops, then robbers.
    pub(super) fn members(&self) -> impl Iterator<Item = AgentId> + Clone + '_ {
        self.cops.iter().chain(&self.robbers).copied()
    }

    /// Forgets where enemies were seen.
    pub(super) fn forget_sightings(&mut self) {
        self.cops_know = Sightings::default();
        self.robbers_know.clear();
    }

    /// Somebody of it may want a plan, or stand where it is captured.
    pub(super) const fn stir(&mut self) {
        (self.is_settled, self.is_stirred) = (false, true);
    }

    /// Somebody of it has something to do at a tick.
    pub(super) fn wake_at(&mut self, tick: u64) {
        self.next_due = self.next_due.min(tick);
    }

    pub(super) fn members_mut(&mut self, side: Side) -> &mut Vec<AgentId> {
        match side {
            Side::Cops => &mut self.cops,
            Side::Robber => &mut self.robbers,
        }
    }
}
