//! The system sets of the plugin, and what a game may write before which of them.

use bevy::prelude::*;

/// The system sets of the plugin, in this order, once for each run of its schedule.
///
/// # Who may write what, and when it takes effect
///
/// The plugin reads what a game has written at the beginning of [`Arrive`](PursuitSystems::Arrive) and
/// again at the beginning of [`Decide`](PursuitSystems::Decide). "At once" below means the next of
/// these two moments. Anything that a system or an observer writes before `Decide` takes effect in the
/// same tick, and otherwise in the next one. Nothing is lost.
///
/// | component | who writes it | when a game's write takes effect |
/// |---|---|---|
/// | [`Cop`](super::Cop), [`Robber`](super::Robber) | the game | at once; an agent that swaps its role finishes its current step |
/// | [`GridPosition`](super::GridPosition) | both | at once: the agent is there, and its path and its plan end |
/// | [`MoveOrder`](super::MoveOrder), [`Dash`](super::Dash) | the game; the plugin removes them | in the next `Arrive`; [`OrderRefused`](super::OrderRefused) reports a path that is not open to its end, and a wall that ends the walk |
/// | [`Blocked`](super::Blocked) | the game; the plugin removes it | in the next `Arrive` |
/// | [`AgentControl`](super::AgentControl) | the game | at once: a standing agent sets out in the same tick, or on the clock [`Simultaneous`](super::PursuitClock::Simultaneous) when the next turn begins |
/// | [`PursuitSpeed`](super::PursuitSpeed), [`TicksPerStep`](super::TicksPerStep), [`Sight`](super::Sight), [`Mistakes`](super::Mistakes), [`Reaction`](super::Reaction), [`Difficulty`](super::Difficulty), [`AgentKinds`](super::AgentKinds), [`Reach`](super::Reach), [`BodySize`](super::BodySize), [`Quarry`](super::Quarry), [`HeadsFor`](super::HeadsFor), [`Tactics`](super::Tactics) of an agent, [`Faction`](super::Faction), [`FactionSwap`](super::FactionSwap), [`Solid`](super::Solid), [`KeepsDirection`](super::KeepsDirection), [`Duty`](super::Duty), [`Leash`](super::Leash), [`Patience`](super::Patience), [`Nerve`](super::Nerve) | the game | at once; the current step keeps its duration |
/// | [`OnMap`](super::OnMap) | the game; Bevy removes it with the map | at once: the agent stands on its `GridPosition` there |
/// | [`InPursuit`](super::InPursuit) | the game; Bevy removes it with the pursuit | at once; the agent finishes its current step |
/// | [`Pursuit`](super::Pursuit) | the game; the plugin fills in a number | at once |
/// | [`PursuitClock`](super::PursuitClock), [`Tactics`](super::Tactics), [`Difficulty`](super::Difficulty) on a pursuit or a map | the game | at once; current steps continue |
/// | [`Caught`](super::Caught), [`Away`](super::Away) | the plugin; the game removes it | at once: the robber is free. An agent that joins with it is captured |
/// | `Disabled` on an agent | the game | at once: it leaves the game, and returns on its `GridPosition` |
/// | `Disabled` on a map | the game | in the next tick: all agents on it stand still until it is enabled again |
/// | [`NextStep`](super::NextStep), [`PlannedPath`](super::PlannedPath), [`PursuitState`](super::PursuitState), [`Target`](super::Target), [`TurnClock`](super::TurnClock), `DesiredMotion` | the plugin | never: it is overwritten |
/// | `Transform` of an agent with `Glide` | the plugin | never, except for the depth `z` |
///
/// A clone of an agent is a new agent: it stands on its `GridPosition`, and plays from the next tick
/// on. Agents that join, leave or change in one tick are processed in an order that depends on their
/// properties, and not on their entities.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PursuitSystems {
    /// Tile changes reach the maps; agents whose path was cut are stopped. Before it: open doors, build
    /// walls, place agents elsewhere.
    Sync,
    /// At the start of a turn agents arrive where they were going. In every tick captures are found and
    /// reported.
    Arrive,
    /// Agents that are due choose: at the start of a turn the cops of a pursuit together, then each
    /// robber, or both sides simultaneously ([`PursuitClock`](super::PursuitClock)). The rest of the budget goes into plans for coming turns.
    /// Before it, and after [`Arrive`](Self::Arrive): steer players with [`AgentControl`](super::AgentControl). After it: read [`NextStep`](super::NextStep).
    Decide,
}
