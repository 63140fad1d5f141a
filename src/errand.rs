//! Errands: how an agent's walk to a tile ends.

use bevy::prelude::*;
use pursuit_engine::map::Walker;
use pursuit_engine::world::{AgentId, AgentRecord, Control, PursuitWorld};

/// An agent with [`AgentControl::WalkTo`](super::AgentControl::WalkTo) has reached its tile. Triggered
/// on the agent, once per errand; the agent waits there until the game changes its control. Writing the
/// same tile again is no new errand. Also triggered whenever an agent comes to a post of its [`Duty`](super::Duty).
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// The agent.
    #[event_target]
    pub agent: Entity,
}

/// An agent with [`AgentControl::WalkTo`](super::AgentControl::WalkTo) cannot reach its tile on the
/// current map. Triggered on the agent when this is found out, and again if a path has opened and
/// closed since. The agent stands where it is and continues if a path opens: [`Arrived`] may follow. Also triggered for each
/// post of an agent's [`Duty`](super::Duty) that it has to leave out, once until it has been there again.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoWay {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// What blocks the way to the tile.
    pub because: Obstacle,
}

/// The reason why no path leads to a tile.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The tile lies off the map.
    OffTheMap,
    /// The tile is a wall.
    InWall,
    /// The tile is for agents of other [kinds](super::AgentKinds), or there is no room for an agent of its
    /// [size](super::BodySize).
    ForOthers,
    /// Walls separate the agent from the tile.
    BehindWalls,
}

impl Obstacle {
    /// Finds out what keeps an agent from its goal.
    pub(super) fn of(agent: AgentId, world: &PursuitWorld) -> Self {
        let setup = world.agent(agent).map(|agent| *agent.setup());
        let ground = world.graph_for(setup.map_or(Walker::PLAIN, |setup| setup.walker()));
        let goal = match setup.map(|setup| setup.control) {
            Some(Control::WalkTo(cell)) => Some(cell),
            _ => world.agent(agent).and_then(AgentRecord::refused_post),
        };
        match goal {
            Some(cell) if !world.graph().is_on_map(cell) => Self::OffTheMap,
            Some(cell) if !ground.is_floor(cell) => Self::InWall,
            Some(cell) if !ground.is_passable(cell) => Self::ForOthers,
            _ => Self::BehindWalls,
        }
    }
}
