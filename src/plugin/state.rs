use crate::game::{Outcome, Value};
use crate::policy::{Decision, Source};
use bevy::prelude::*;

/// Why an agent does nothing.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Idle {
    /// It has not been asked yet: no turn has begun since it was added.
    #[default]
    NotAsked,
    /// There is no map, or the map has no tiles yet, or the entity of its `OnMap` is none.
    NoMap,
    /// It stands beside the map.
    OffTheMap,
    /// A cop without a robber, or a robber without a cop.
    NobodyThere,
    /// A robber that was captured.
    Captured,
}

/// Who decided what an agent does in this turn.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// Nobody, for this reason.
    Nobody(Idle),
    /// The player or the game, through [`Control`](super::Control).
    Game,
    /// A search of the map as it is now: `TrailMax` for robbers, [`Tactics`](super::Tactics)
    /// for cops.
    Search,
    /// A last resort: no robber can be reached, or the agent stands in a wall.
    Greedy,
}

impl Default for DecidedBy {
    fn default() -> Self {
        Self::Nobody(Idle::NotAsked)
    }
}

impl From<Source> for DecidedBy {
    fn from(source: Source) -> Self {
        match source {
            Source::Search => Self::Search,
            Source::Greedy => Self::Greedy,
        }
    }
}

/// What an agent does and why: the answer to "my cop is not moving".
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct PursuitState {
    /// Who decided.
    pub decided_by: DecidedBy,
    /// For robbers: the number of turns for which the plan is sure to keep it free, `u16::MAX` if no
    /// cop can ever come. `None` where nobody has worked it out.
    pub safe_turns: Option<u16>,
}

impl PursuitState {
    pub(super) const fn idle(reason: Idle) -> Self {
        Self {
            decided_by: DecidedBy::Nobody(reason),
            safe_turns: None,
        }
    }

    pub(super) const fn by_game() -> Self {
        Self {
            decided_by: DecidedBy::Game,
            safe_turns: None,
        }
    }
}

impl From<&Decision> for PursuitState {
    fn from(decision: &Decision) -> Self {
        let safe_turns = decision.value.map(|value| match value {
            Value::Exact(outcome) | Value::AtLeast(outcome) => match outcome {
                Outcome::Caught(turns) => turns.0,
                Outcome::Escapes => u16::MAX,
            },
        });
        Self {
            decided_by: decision.source.into(),
            safe_turns,
        }
    }
}
