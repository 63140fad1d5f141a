//! Errands end: the game that sent an agent somewhere is told.

use crate::world::{AgentId, Control, PursuitWorld};
use bevy::prelude::*;

/// An agent with [`AgentControl::WalkTo`](super::AgentControl::WalkTo) has come to its tile. Triggered on the
/// agent, once for each errand; it waits there until the game changes its control.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// The agent.
    #[event_target]
    pub agent: Entity,
}

/// An agent with [`AgentControl::WalkTo`](super::AgentControl::WalkTo) cannot come to its tile as the map is now.
/// Triggered on the agent when that turns out, and again if a way has opened and closed meanwhile. The agent
/// goes as near as it can, and on if a way opens: [`Arrived`] may follow.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoWay {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// What is wrong with the tile.
    pub because: Obstacle,
}

/// Why no way leads to a tile.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The tile lies off the map.
    OffTheMap,
    /// The tile is a wall.
    InWall,
    /// Walls lie between the agent and the tile.
    BehindWalls,
}

impl Obstacle {
    /// What keeps an agent from its errand.
    pub(super) fn of(agent: AgentId, world: &PursuitWorld) -> Self {
        let control = world.agent(agent).map(|agent| agent.setup().control);
        match control {
            Some(Control::WalkTo(cell)) if !world.graph().is_on_map(cell) => Self::OffTheMap,
            Some(Control::WalkTo(cell)) if !world.graph().is_passable(cell) => Self::InWall,
            _ => Self::BehindWalls,
        }
    }
}
