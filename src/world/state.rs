use crate::game::Value;
use crate::policy::Source;
use serde::{Deserialize, Serialize};

/// Why an agent does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Idle {
    /// It has not been asked yet: no turn has begun since it was added.
    #[default]
    NotAsked,
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
pub enum By {
    /// Nobody, for this reason.
    Nobody(Idle),
    /// The game: a player, an errand.
    Game,
    /// The world, in this way.
    Policy(Source),
}

impl Default for By {
    fn default() -> Self {
        Self::Nobody(Idle::NotAsked)
    }
}

/// Why a decision comes from no better source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Why {
    /// There is none: it is exact, or nobody had to decide.
    #[default]
    None,
    /// There is no table of this map for these rules and there will be none: too large for the
    /// settings, or they forbid it.
    NoTable,
    /// A table is being solved.
    TableSoon,
    /// Tables are for one robber and cops of one speed, all of whom the world moves.
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
    /// The enemy is out of sight: it goes by where it was seen last.
    OutOfSight,
}

/// What an agent does and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentState {
    /// Who decided.
    pub by: By,
    /// What the position is worth to the robber, where it is known.
    pub value: Option<Value>,
    /// How many ticks ago the plan was made that it follows, or was last found to be one for this very
    /// position; 0 if there was none to follow.
    pub age: u32,
    /// Why it comes from no better source.
    pub why: Why,
}
