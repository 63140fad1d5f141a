use crate::game::{Outcome, Value};
use crate::policy::Source;
use crate::world::{self, AgentState, By};
use bevy::prelude::*;

/// Why an agent does nothing.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Idle {
    /// It has not been asked yet: no turn has begun since it was added.
    #[default]
    NotAsked,
    /// There is no map, or it is not [ready](super::MapStatus) yet, or the entity of its `OnMap` is none.
    NoMap,
    /// It stands beside the map.
    OffTheMap,
    /// A cop without a robber, or a robber without a cop, in its pursuit.
    NobodyThere,
    /// It knows of nobody of the other side: all are out of sight.
    NobodySeen,
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
    /// A table of a game that is only alike: that of the nearest whole-number speeds, on the free
    /// running clock.
    Guide,
    /// A search: `TrailMax` or `DATrailMax` for robbers, [`Tactics`](super::Tactics) for cops. The plan
    /// may be some turns old; nothing has changed on the map that it depends on.
    Search,
    /// An old plan, of which the map has changed something, as far as it is open.
    Stale,
    /// A last resort: no robber can be reached, the agent stands in a wall, or there was no time to
    /// plan.
    Greedy,
}

impl Default for DecidedBy {
    fn default() -> Self {
        Self::Nobody(Idle::NotAsked)
    }
}

/// Why a decision comes from no better source.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// Tables are for one robber and cops of one speed that the plugin moves and that see it.
    NoTableForThis,
    /// A table says that no cops can force a capture: they go by search.
    Escapes,
    /// The budget had no room for a plan.
    Budget,
    /// A change of the map has touched what the plan depends on.
    MapChanged,
    /// No way leads to the robber.
    NoWay,
    /// It stands in a wall.
    InWall,
    /// The enemy is out of sight: it goes by where it was seen last, or searches.
    OutOfSight,
}

/// How long a robber is sure to stay free.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
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

/// What an agent does and why: the answer to "my cop is not moving".
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct PursuitState {
    /// Who decided.
    pub decided_by: DecidedBy,
    /// How long the robber is sure to stay free, where it is known.
    pub free_for: FreeFor,
    /// How many ticks ago the plan was made that is followed, or was last found to be one for this very
    /// position.
    pub age: u32,
    /// Why it comes from no better source.
    pub reason: Reason,
}

impl PursuitState {
    pub(super) fn of(decided_by: DecidedBy) -> Self {
        Self {
            decided_by,
            ..Self::default()
        }
    }
}

impl From<world::Idle> for Idle {
    fn from(idle: world::Idle) -> Self {
        match idle {
            world::Idle::NotAsked => Self::NotAsked,
            world::Idle::OffTheMap => Self::OffTheMap,
            world::Idle::NobodyThere => Self::NobodyThere,
            world::Idle::NobodySeen => Self::NobodySeen,
            world::Idle::Captured => Self::Captured,
        }
    }
}

impl From<By> for DecidedBy {
    fn from(by: By) -> Self {
        match by {
            By::Nobody(idle) => Self::Nobody(idle.into()),
            By::Game => Self::Game,
            By::Policy(Source::Table) => Self::Table,
            By::Policy(Source::Guide) => Self::Guide,
            By::Policy(Source::Search) => Self::Search,
            By::Policy(Source::Stale) => Self::Stale,
            By::Policy(Source::Greedy) => Self::Greedy,
        }
    }
}

impl From<world::Why> for Reason {
    fn from(why: world::Why) -> Self {
        match why {
            world::Why::None => Self::None,
            world::Why::NoTable => Self::NoTable,
            world::Why::TableSoon => Self::TableSoon,
            world::Why::NoTableForThis => Self::NoTableForThis,
            world::Why::Escapes => Self::Escapes,
            world::Why::Budget => Self::Budget,
            world::Why::MapChanged => Self::MapChanged,
            world::Why::NoWay => Self::NoWay,
            world::Why::InWall => Self::InWall,
            world::Why::OutOfSight => Self::OutOfSight,
        }
    }
}

impl From<Value> for FreeFor {
    fn from(value: Value) -> Self {
        match value {
            Value::Exact(Outcome::Escapes) | Value::AtLeast(Outcome::Escapes) => Self::Ever,
            // Captured with the cops' move of that number: free until the one before.
            Value::Exact(Outcome::Caught(turns)) => Self::Exactly(turns.0.saturating_sub(1)),
            Value::AtLeast(Outcome::Caught(turns)) => Self::Turns(turns.0.saturating_sub(1)),
        }
    }
}

impl From<&AgentState> for PursuitState {
    fn from(state: &AgentState) -> Self {
        Self {
            decided_by: state.by.into(),
            free_for: state.value.map_or(FreeFor::Unknown, Into::into),
            age: state.age,
            reason: state.why.into(),
        }
    }
}
