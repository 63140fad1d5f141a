//! The map of an agent, and the order of maps.

use crate::live_map::LiveMap;
use crate::map::PursuitMap;
use bevy::ecs::entity::{Entities, EntityHashSet};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

use crate::members::member::Member;

/// The map that an agent is on: the entity with the [`PursuitMap`].
///
/// Every agent that plays has it. An agent without it joins the map if there is exactly one, and the plugin then inserts
/// this component: the agent stays on its map when other maps appear, such as the next level while it loads. With several
/// maps, an agent without it joins none ([`IdleReason::NoMap`](super::IdleReason::NoMap)). To move an agent to another map,
/// insert this component again, together with its [`GridPosition`](super::GridPosition) there: the agent stands on that tile
/// at once, even in mid-step.
///
/// An agent that loses this component leaves its map. When the map is despawned, Bevy removes this component, and the
/// agent is then on no map until the game names another one.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
#[relationship(relationship_target = MapAgents)]
pub struct OnMap(pub Entity);

/// The agents that [name](OnMap) a map. Bevy maintains it on the entity of the map.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[relationship_target(relationship = OnMap)]
pub struct MapAgents(EntityHashSet);

impl MapAgents {
    /// The agents, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no agents. Bevy then removes the component.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The rank of a map among all maps. Maps share the budget of a tick in this order, so that a run does
/// not depend on how entities are stored.
///
/// The plugin numbers maps as they are spawned. A game that loads a save game and spawns its maps in
/// another order inserts the saved numbers.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Component, Default, PartialEq, Hash)]
#[component(immutable, clone_behavior = Ignore)]
pub struct MapNumber(pub u32);

/// All maps in the order of their numbers, including disabled ones.
#[derive(Resource, Debug, Default)]
pub(super) struct Maps {
    all: Vec<Known>,
    /// A number greater than all numbers so far.
    next: u32,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    number: MapNumber,
    map: Entity,
    /// Its height when the positions of its agents were last compared: rows are counted from the
    /// bottom.
    height: u16,
}

impl Maps {
    /// All maps, sorted by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = Entity> + Clone + '_ {
        self.all.iter().map(|known| known.map)
    }

    /// Stores the height of each map, 0 while it has no tiles. Returns whether one has changed.
    pub(super) fn note_heights(&mut self, height: impl Fn(Entity) -> u16) -> bool {
        let mut any = false;
        for known in &mut self.all {
            let height = height(known.map);
            any |= std::mem::replace(&mut known.height, height) != height;
        }
        any
    }

    fn forget(&mut self, map: Entity) {
        self.all.retain(|known| known.map != map);
    }

    fn note(&mut self, map: Entity, number: MapNumber) {
        self.forget(map);
        self.next = self.next.max(number.0.saturating_add(1));
        // Of two maps with the same number, the earlier one comes first.
        let at = self.all.partition_point(|known| known.number <= number);
        let height = 0;
        self.all.insert(
            at,
            Known {
                number,
                map,
                height,
            },
        );
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<Maps>()
        .add_observer(count_map)
        .add_observer(number_map)
        .add_observer(forget_map)
        .add_observer(note_map_removed)
        .add_observer(note_map_named);
}

fn count_map(
    added: On<Add, PursuitMap>,
    numbers: Query<&MapNumber, Allow<Disabled>>,
    mut maps: ResMut<Maps>,
    mut commands: Commands,
) {
    let map = added.entity;
    if let Ok(&number) = numbers.get(map) {
        maps.note(map, number);
    } else {
        let number = MapNumber(maps.next);
        maps.note(map, number);
        commands.entity(map).try_insert(number);
    }
}

fn number_map(
    inserted: On<Insert, MapNumber>,
    numbers: Query<&MapNumber, (With<LiveMap>, Allow<Disabled>)>,
    mut maps: ResMut<Maps>,
) {
    let map = inserted.entity;
    if let Ok(&number) = numbers.get(map)
        && !maps.all.iter().any(|k| (k.map, k.number) == (map, number))
    {
        maps.note(map, number);
    }
}

fn forget_map(removed: On<Remove, PursuitMap>, mut maps: ResMut<Maps>) {
    maps.forget(removed.entity);
}

/// Notes that the map of an agent was despawned, so that the agent does not join the only remaining
/// map.
fn note_map_removed(
    removed: On<Remove, OnMap>,
    mut agents: Query<(&OnMap, &mut Member), Allow<Disabled>>,
    entities: &Entities,
) {
    if let Ok((on, mut member)) = agents.get_mut(removed.entity) {
        member.is_stranded = !entities.contains_spawned(on.0);
    }
}

fn note_map_named(inserted: On<Insert, OnMap>, mut members: Query<&mut Member, Allow<Disabled>>) {
    if let Ok(mut member) = members.get_mut(inserted.entity) {
        member.is_stranded = false;
    }
}
