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
    /// An exact table of the map as it is now.
    Table,
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
            Source::Table => Self::Table,
            Source::Search => Self::Search,
            Source::Greedy => Self::Greedy,
        }
    }
}

/// How long a robber's plan is sure to keep it free.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FreeFor {
    /// Nobody has worked it out.
    #[default]
    Unknown,
    /// At least this many turns of the cops; probably more.
    Turns(u16),
    /// No cop can ever come, as the map is now.
    Ever,
}

/// What an agent does and why: the answer to "my cop is not moving".
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct PursuitState {
    /// Who decided.
    pub decided_by: DecidedBy,
    /// For robbers: how long the plan is sure to keep it free.
    pub free_for: FreeFor,
}

impl PursuitState {
    pub(super) const fn of(decided_by: DecidedBy) -> Self {
        Self {
            decided_by,
            free_for: FreeFor::Unknown,
        }
    }
}

impl From<&Decision> for PursuitState {
    fn from(decision: &Decision) -> Self {
        let free_for = match decision.value {
            None => FreeFor::Unknown,
            Some(Value::Exact(Outcome::Escapes) | Value::AtLeast(Outcome::Escapes)) => {
                FreeFor::Ever
            }
            // Captured with the cops' move of that number: free until the one before.
            Some(Value::Exact(Outcome::Caught(turns)) | Value::AtLeast(Outcome::Caught(turns))) => {
                FreeFor::Turns(turns.0.saturating_sub(1))
            }
        };
        Self {
            decided_by: decision.source.into(),
            free_for,
        }
    }
}
