use crate::game::{Outcome, Value};
use crate::policy::Source;
use serde::{Deserialize, Serialize};

/// Why an agent does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum IdleReason {
    /// It has not been asked yet: no turn has begun since it was added.
    #[default]
    NotAsked,
    /// It is in no world: there is no map, or the map has no tiles yet, or the game names a map that
    /// is none.
    NoMap,
    /// Its map is being read or built.
    MapLoading,
    /// It stands beside the map.
    OffTheMap,
    /// There is nobody of the other side in its pursuit who is free.
    NobodyThere,
    /// It knows of nobody of the other side: all are out of sight.
    NobodySeen,
    /// A robber that was captured.
    Captured,
}

/// Who decided what an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum DecidedBy {
    /// Nobody, for this reason.
    Nobody(IdleReason),
    /// The game: a player, an errand.
    Game,
    /// The agent itself, in this way.
    Policy(Source),
}

impl Default for DecidedBy {
    fn default() -> Self {
        Self::Nobody(IdleReason::NotAsked)
    }
}

/// Why a decision comes from no better source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Reason {
    /// There is none: it is exact, or nobody had to decide.
    #[default]
    None,
    /// There is no table of this map for this game, and there will be none: it is too large for the
    /// settings, or they forbid it.
    NoTable,
    /// A table is being solved.
    TableSoon,
    /// Tables are for one robber and cops of one speed, all of whom move by themselves and see it.
    NoTableForThis,
    /// A table says that no cops can force a capture: they go by search.
    Escapes,
    /// The budget had no room for a plan.
    Budget,
    /// An edit touched what the plan depends on, and there is no new one yet.
    MapChanged,
    /// No way leads to the robber.
    NoWay,
    /// It stands in a wall.
    InWall,
    /// The enemy is out of sight: it goes by where it was seen last, or looks around.
    OutOfSight,
}

/// How long a robber is sure to stay free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum FreeFor {
    /// Nobody has worked it out.
    #[default]
    Unknown,
    /// At least this many turns of the cops; probably more.
    Turns(u16),
    /// Exactly this many, if everybody plays as well as can be.
    Exactly(u16),
    /// No cop can ever come, or none can force a capture, as the map is now.
    Ever,
}

/// What an agent does and why: the answer to "my cop is not moving". With the feature `plugin` it is a
/// component of every agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct PursuitState {
    /// Who decided.
    pub decided_by: DecidedBy,
    /// What the position is worth to the robber, where it is known.
    pub value: Option<Value>,
    /// How many ticks ago the plan was made that it follows, or was last found to be one for this very
    /// position; 0 if there was none to follow.
    pub age: u32,
    /// Why it comes from no better source.
    pub reason: Reason,
}

impl PursuitState {
    /// The state of one whose next move is decided by somebody, of which no more is known.
    #[must_use]
    pub fn of(decided_by: DecidedBy) -> Self {
        Self {
            decided_by,
            ..Self::default()
        }
    }

    /// How long the robber is sure to stay free.
    #[must_use]
    pub const fn free_for(&self) -> FreeFor {
        match self.value {
            None => FreeFor::Unknown,
            Some(Value::Exact(Outcome::Escapes) | Value::AtLeast(Outcome::Escapes)) => {
                FreeFor::Ever
            }
            // Captured with the cops' move of that number: free until the one before.
            Some(Value::Exact(Outcome::Caught(turns))) => {
                FreeFor::Exactly(turns.0.saturating_sub(1))
            }
            Some(Value::AtLeast(Outcome::Caught(turns))) => {
                FreeFor::Turns(turns.0.saturating_sub(1))
            }
        }
    }
}
