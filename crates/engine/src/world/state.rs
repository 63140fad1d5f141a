//! The visible state of an agent: what it does, and why.

use crate::game::{Outcome, Value};
use crate::policy::Source;
use serde::{Deserialize, Serialize};

/// What an agent does, in the words of a game: to choose its animation, sound or icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Activity {
    /// Nothing to do: no opponent is free or known, or it has not decided yet, or is not on a map.
    /// [`PursuitState::decided_by`] says which.
    #[default]
    Idle,
    /// A cop that runs to a robber that it sees.
    Chasing,
    /// A cop that goes elsewhere for a robber that it sees, to cut it off.
    CuttingOff,
    /// A cop that does not see its robber: it goes to where the robber was last seen, or looks around.
    Searching,
    /// It stands on purpose: a cop that guards a place, a robber that is safe where it is, an agent whose errand has ended.
    Waiting,
    /// It cannot get anywhere: no path leads to its goal, it stands in a wall, or its speed is 0.
    Stuck,
    /// A robber that runs away.
    Fleeing,
    /// An agent on an errand.
    OnErrand,
    /// The game moves it: a player, your own code, or an order.
    Controlled,
    /// A captured robber.
    Captured,
    /// It leaves a cell that is or will be deadly, or waits in front of one.
    Evading,
    /// It makes way for another solid agent ([`AgentSetup::is_solid`](super::AgentSetup::is_solid)).
    Yielding,
}

/// Why an agent does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum IdleReason {
    /// It has not decided yet: no turn has begun since it was added.
    #[default]
    NotAsked,
    /// It is not in a world: it has no map, the map has no tiles yet, or the game names an entity that
    /// is not a map.
    NoMap,
    /// Its map is being read or built.
    MapLoading,
    /// It stands off the map.
    OffTheMap,
    /// No opponent in its pursuit is free.
    NobodyThere,
    /// All opponents are out of sight.
    NobodySeen,
    /// It is a captured robber.
    Captured,
    /// It cannot move: its speed is 0.
    Immobile,
    /// It is a robber that has got away through an exit.
    Away,
}

/// The source of an agent's move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum DecidedBy {
    /// Nothing decided, for this reason.
    Nobody(IdleReason),
    /// The game: a player or an errand.
    Game,
    /// The agent's policy, from this source.
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
    /// No reason: the decision is exact or a mistake on purpose, or no decision was needed.
    #[default]
    None,
    /// No table of this map exists for this game, and none will be made: the table is too large, or the settings forbid
    /// it. The cops may still play by a table of fewer cops ([`Source::SubsetTable`]).
    NoTable,
    /// A table is being solved.
    TableSoon,
    /// The game has no table: tables need one robber, and cops of equal speed that see it, that the world
    /// controls and that intercept ([`Tactics::Intercept`](super::Tactics::Intercept)). (A table of mixed strategies moves a
    /// side that the world controls, whoever controls the other: cops against a robber of speed 1, and a robber where all
    /// have speed 1.)
    NoTableForThis,
    /// A table of the map, or a local table of a part of it, says that the cops cannot force a capture. They play by
    /// another source.
    Escapes,
    /// The budget had no room for a plan.
    Budget,
    /// An edit touched the footprint of the plan, and there is no new plan yet.
    MapChanged,
    /// No path leads to the robber.
    NoWay,
    /// It stands in a wall.
    InWall,
    /// The cop waits where it cuts the robber off, while other cops come nearer.
    CutsOff,
    /// A cell on the way would be deadly at that time ([`Hazard`](super::Hazard)).
    Hazard,
    /// The enemy is out of sight: the agent uses the last sighting or looks around.
    OutOfSight,
    /// No table knows a rule of the game: its cops walk on different grounds or capture from different distances, or, on
    /// another clock than that of turns, agents walk on other grounds than the map's own, robbers win on exits, or cops
    /// capture at a distance.
    OtherRules,
    /// Another solid agent ([`AgentSetup::is_solid`](super::AgentSetup::is_solid)) is where it would go, or it makes way for
    /// one.
    Crowded,
    /// The game has refused a better move ([`PursuitWorld::decide_with`](super::PursuitWorld::decide_with)), or it leads back
    /// ([`AgentSetup::keeps_direction`](super::AgentSetup::keeps_direction)).
    Refused,
    /// The cop's leash ends on the path to its robber ([`Leash`](super::Leash)).
    Leash,
}

/// How long a robber is certain to stay free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum FreeFor {
    /// Unknown.
    #[default]
    Unknown,
    /// At least this many turns of the cops; probably more.
    Turns(u16),
    /// Exactly this number of turns, with perfect play on both sides.
    Exactly(u16),
    /// For ever: on the current map, no cop can reach the robber, or the cops cannot force a capture.
    Ever,
}

/// What an agent does, and why: the answer to "which animation?" and to "my cop is not moving". With the feature `plugin` it is a
/// component of every agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy", derive(bevy_ecs::component::Component))]
pub struct PursuitState {
    /// What it does.
    pub activity: Activity,
    /// The source of the move.
    pub decided_by: DecidedBy,
    /// The value of the position for the robber, if it is known.
    pub value: Option<Value>,
    /// The age in ticks of the plan it follows, since the plan was made or last confirmed for exactly
    /// this position; 0 without a plan.
    pub age: u32,
    /// Why the decision comes from no better source.
    pub reason: Reason,
}

impl Activity {
    /// What an agent does of which nothing is known but who decides.
    const fn of(decided_by: DecidedBy) -> Self {
        match decided_by {
            DecidedBy::Nobody(IdleReason::Captured) => Self::Captured,
            DecidedBy::Nobody(IdleReason::Immobile) => Self::Stuck,
            DecidedBy::Nobody(_) => Self::Idle,
            DecidedBy::Game => Self::Controlled,
            DecidedBy::Policy(_) => Self::Waiting,
        }
    }
}

impl PursuitState {
    /// The state of an agent whose decision has this source, without further details.
    #[must_use]
    pub fn of(decided_by: DecidedBy) -> Self {
        Self {
            activity: Activity::of(decided_by),
            decided_by,
            ..Self::default()
        }
    }

    /// The number of turns within which the cops provably capture the robber: by an exact table, by a table of fewer
    /// cops, by a local table ([`Source::Endgame`]) or by a
    /// retract of the map, whatever the source of the move is. `None` if no capture is proven.
    #[must_use]
    pub const fn captured_within(&self) -> Option<u16> {
        match self.value {
            Some(Value::Exact(Outcome::Caught(turns)) | Value::AtMost(Outcome::Caught(turns))) => {
                Some(turns.0)
            }
            _ => None,
        }
    }

    /// How long the robber is sure to stay free.
    #[must_use]
    pub const fn free_for(&self) -> FreeFor {
        match self.value {
            // What the cops can force says nothing of how long the robber lasts at least.
            None | Some(Value::AtMost(_)) => FreeFor::Unknown,
            Some(
                Value::Exact(Outcome::Escapes | Outcome::Away(_))
                | Value::AtLeast(Outcome::Escapes | Outcome::Away(_)),
            ) => FreeFor::Ever,
            // The cops capture with that move, so that the robber is free until the previous one.
            Some(Value::Exact(Outcome::Caught(turns))) => {
                FreeFor::Exactly(turns.0.saturating_sub(1))
            }
            Some(Value::AtLeast(Outcome::Caught(turns))) => {
                FreeFor::Turns(turns.0.saturating_sub(1))
            }
        }
    }
}
