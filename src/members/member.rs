//! What the plugin knows about an agent.

use crate::on_map::OnMap;
use bevy::prelude::*;
use pursuit_engine::world::AgentId;

/// The map and the id of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Home {
    pub(crate) map: Entity,
    pub(crate) id: AgentId,
}

/// What the plugin knows about an agent. It is not cloned, since a clone is a new agent.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Member {
    pub(crate) home: Option<Home>,
    /// The tile where the world has it: any other [`GridPosition`](super::GridPosition) was written by
    /// the game.
    pub(crate) at: IVec2,
    /// Its last id: agents that left together return in the same order.
    pub(crate) former: Option<AgentId>,
    /// Whether its map was despawned and the game has not named another one.
    pub(crate) is_stranded: bool,
    /// Whether the game knows it as a robber out of reach.
    pub(crate) is_out_of_reach: bool,
}

impl Member {
    /// Clears its home and returns it.
    pub(super) fn leave_home(&mut self) -> Option<Home> {
        let home = self.home.take();
        self.former = home.map(|home| home.id).or(self.former);
        home
    }

    /// The map that the agent should be on.
    pub(super) fn wanted_map(&self, on: Option<&OnMap>, only: Option<Entity>) -> Option<Entity> {
        on.map(|on| on.0).or(only.filter(|_| !self.is_stranded))
    }
}
