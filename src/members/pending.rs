//! What has changed since the game's changes were last carried over.

use super::change_list::ChangeList;
use super::member::Home;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// Changes of agents, maps and pursuits since they were last carried over. That may be long ago, while the plugin
/// rests: no list grows beyond a multiple of what there is.
#[derive(Resource, Debug, Default)]
pub(crate) struct PendingMembers {
    /// Agents that need a home.
    pub(super) joined: ChangeList<Entity>,
    /// Agents that may have left their home, with the home, since the entity may be despawned.
    pub(super) left: ChangeList<(Home, Entity)>,
    /// Agents with a change that change detection does not show.
    pub(super) changed: ChangeList<Entity>,
    /// Robbers that have lost [`Caught`].
    pub(super) released: ChangeList<Entity>,
    /// Whether a map has appeared or disappeared.
    pub(super) maps: bool,
    /// Whether the tiles of duties may be other cells than before.
    pub(super) are_renumbered: bool,
    /// Whether the setup of a pursuit has changed.
    pub(super) set_ups: bool,
    /// Numbers of pursuits that entities have given up, and the first entity that did.
    pub(super) given_up: BTreeMap<u32, Entity>,
}

impl PendingMembers {
    /// Notes that a map has appeared or was replaced.
    pub(crate) fn note_maps(&mut self) {
        self.maps = true;
        self.set_ups = true;
    }

    /// Notes that a pursuit has gained or lost a clock, tactics or its entity.
    pub(crate) fn note_set_ups(&mut self) {
        self.set_ups = true;
    }

    /// Notes that an entity no longer has the number of a pursuit.
    pub(crate) fn note_given_up(&mut self, number: u32, entity: Entity) {
        self.given_up.entry(number).or_insert(entity);
        self.set_ups = true;
    }

    /// The numbers that entities have given up.
    pub(crate) fn take_given_up(&mut self) -> BTreeMap<u32, Entity> {
        std::mem::take(&mut self.given_up)
    }

    pub(crate) fn take_set_ups(&mut self) -> bool {
        std::mem::take(&mut self.set_ups)
    }

    /// Notes that agents have changed.
    pub(crate) fn note_changed(&mut self, agents: impl IntoIterator<Item = Entity>) {
        for agent in agents {
            self.changed.note(agent, |_| true);
        }
    }

    /// Notes that a robber is not captured.
    pub(crate) fn note_released(&mut self, robber: Entity) {
        self.released.note(robber, |_| true);
    }

    /// Notes that an entity may no longer be the agent it was.
    pub(crate) fn note_left(&mut self, home: Home, entity: Entity) {
        self.left.note((home, entity), |_| true);
    }
}
