//! How cops move: as a team, or each by tactics of its own.

use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// How a cop moves. Set it for one agent, for a pursuit or for all.
///
/// With `Intercept`, and with `Chase` for a whole pursuit, cops play as a team. With any other tactics, and with `Chase` for
/// one agent of an intercepting pursuit, a cop goes to its target alone: nobody counts on its moves, and it uses no tables
/// and no proofs. It plans its paths as every agent does, and captures its target whenever its move can, unless it
/// keeps away from it. Cells and distances are in steps as the crow flies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "bevy",
    derive(bevy_ecs::component::Component, bevy_ecs::VariantDefaults)
)]
#[non_exhaustive]
pub enum Tactics {
    /// Intercept the robber: one cop chases, the others block its paths.
    #[default]
    Intercept,
    /// Follow the robber by shortest paths, without tables and proofs. Easier on the robber, and cheaper. Robbers use
    /// their tables as ever.
    Chase,
    /// Head for the cell this many steps in front of the robber, in the direction of its last move, and for the robber itself
    /// if that is as near.
    Ahead(u8),
    /// Head for the far side of the robber, as seen from the other cop that is nearest to it.
    Flank,
    /// Approach and wait, but run away from a robber that comes to within this many steps, until it is twice as far. Never
    /// captures by touch.
    Shy(u8),
    /// Stay at this many steps from the robber, or one less, and in sight of it, for agents that shoot. Never captures by touch; see
    /// [`AgentSetup::reach`](super::AgentSetup::reach).
    Keep(u8),
    /// Take a place around the robber, together with the other cops that do, and close in when all have taken theirs.
    Surround,
    /// Head for the cell that the game sets ([`AgentSetup::heads_for`](super::AgentSetup::heads_for)), and without one for the
    /// robber: tactics of the game's own.
    Custom,
}

impl Tactics {
    /// Returns whether a cop with these tactics may capture by touch.
    const fn captures(self) -> bool {
        !matches!(self, Self::Keep(_) | Self::Shy(_))
    }
}

/// The tactics of a cop that plays alone, and what it does by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OwnTactics {
    pub(super) tactics: Tactics,
    /// What it does with its next move; `None` as long as it knows of no robber.
    pub(super) aim: Option<CopAim>,
    /// Whether it runs away from its target ([`Tactics::Shy`]).
    pub(super) keeps_away: bool,
    /// For how many choices in a row a wall has hidden its target.
    pub(super) hidden_for: u8,
    /// The last move of its target, in columns and rows, unless the target has turned since.
    pub(super) heading: Option<(i32, i32)>,
    /// The last move of its target.
    pub(super) last_move: (i32, i32),
}

/// What a cop that plays alone does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CopAim {
    /// It goes to a cell.
    To(Cell),
    /// It gets away from its target.
    Away,
    /// It stays.
    Stay,
}

impl OwnTactics {
    pub(super) const fn new(tactics: Tactics) -> Self {
        Self {
            tactics,
            aim: None,
            keeps_away: false,
            hidden_for: 0,
            heading: None,
            last_move: (0, 0),
        }
    }

    /// Notes the last move of the target. Where the target goes is known once it has made two moves of which the second does
    /// not take back the first: a target that trembles goes nowhere.
    pub(super) const fn with_heading(self, moved: (i32, i32)) -> Self {
        let (dx, dy) = moved;
        if dx == 0 && dy == 0 {
            return self;
        }
        let (x, y) = self.last_move;
        let product = x as i64 * dx as i64 + y as i64 * dy as i64;
        let goes_on = (x != 0 || y != 0) && product >= 0;
        Self {
            heading: if goes_on { Some((dx, dy)) } else { None },
            last_move: (dx, dy),
            ..self
        }
    }

    /// Returns whether no move in it is longer than a map.
    pub(super) fn is_sound(&self) -> bool {
        let longest = u32::from(u16::MAX);
        let is_short = |by: (i32, i32)| by.0.unsigned_abs().max(by.1.unsigned_abs()) <= longest;
        is_short(self.last_move) && self.heading.is_none_or(is_short)
    }

    /// Returns whether it captures its target if its move can.
    pub(super) const fn captures(&self) -> bool {
        self.tactics.captures()
    }

    /// The cell that it goes to.
    pub(super) const fn goal(&self) -> Option<Cell> {
        match self.aim {
            Some(CopAim::To(goal)) => Some(goal),
            _ => None,
        }
    }
}
