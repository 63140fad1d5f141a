//! All maps in their order.

use crate::map::PursuitMap;
use crate::members::member::Member;
use crate::on_map::{MapNumber, OnMap};
use bevy::ecs::entity::Entities;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

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
    numbers: Query<&MapNumber, (With<PursuitMap>, Allow<Disabled>)>,
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
