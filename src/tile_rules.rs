//! What tiles of a layer say besides whether agents can stand on them: who may enter, who sees across, and how long steps
//! take.

use crate::coordinates::Coordinates;
use crate::live_map::LiveMap;
use crate::map_status::MapStatus;
use crate::tile_edits::TileEdit;
use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId};
use pursuit_engine::map::{Kinds, Opacity, PursuitLevel};

/// The kinds of agents that may enter a [`Passable`](super::Passable) tile: those whose
/// [`AgentKinds`](super::AgentKinds) share one of them. Tiles without this component are for everybody.
///
/// Insert the component again to change it. The component is immutable, so that the plugin sees every change. Of several
/// tiles with rules on a cell, the one that changed last counts.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
#[component(immutable, on_insert = touch, on_remove = touch)]
pub struct TileKinds(pub Kinds);

/// Whether agents see across a tile, apart from whether they can walk there: water and glass are transparent walls, bushes
/// and smoke opaque floor. Insert it again to change it, as [`TileKinds`].
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
#[component(immutable, on_insert = touch, on_remove = touch)]
pub struct TileOpacity(pub Opacity);

/// How many times as long as elsewhere a step onto a tile takes, on the
/// [free-running clock](super::PursuitClock::FreeRunning): mud, stairs, shallow water. 0 and 1 stand for a tile like others.
/// Insert it again to change it, as [`TileKinds`].
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
#[component(immutable, on_insert = touch, on_remove = touch)]
pub struct TileSlow(pub u8);

/// Changes of a layer that are made whenever the layer has been read: links, thin walls, one-way edges, exits, and rules of
/// tiles that have no entity. Write it before the layer is read; changes in play go to [`LiveMap::edit`].
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct LayerRules(pub Vec<TileEdit>);

impl LayerRules {
    /// What a level says besides its terrain and its agents: links, thin walls, exits, and who may enter its tiles.
    #[must_use]
    pub fn of_level(level: &PursuitLevel) -> Self {
        let map = level.play_map();
        let coordinates = Coordinates::new(IVec2::ZERO, map.width(), map.height());
        let edits = map.rules().edits();
        Self(
            edits
                .filter_map(|edit| TileEdit::of(edit, coordinates))
                .collect(),
        )
    }
}

/// The tiles with rules: those that have changed, and where the others are.
#[derive(Resource, Debug, Default)]
pub(super) struct RuledTiles {
    touched: Vec<Entity>,
    /// The number of changes that were left when each tile was last kept once.
    compacted: usize,
    placed: EntityHashMap<Ruled>,
}

/// Up to this number of changes are kept as they are while nobody reads them, and twice as many as there are tiles.
const MOST_TOUCHED: usize = 4096;

impl RuledTiles {
    /// Notes that a tile has changed. While the game rests, each tile is kept once, so that changes do not pile up.
    fn note(&mut self, tile: Entity) {
        self.touched.push(tile);
        if self.touched.len() > 2 * self.compacted.max(MOST_TOUCHED) {
            let mut seen = EntityHashSet::default();
            self.touched.reverse();
            self.touched.retain(|&tile| seen.insert(tile));
            self.touched.reverse();
            self.compacted = self.touched.len();
        }
    }
}

/// A place of a layer for which a tile has made a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ruled {
    layer: Entity,
    at: IVec2,
    kinds: Kinds,
    opacity: Opacity,
    slow: u8,
}

impl Ruled {
    /// The edits that make the rule.
    fn edits(self) -> [TileEdit; 3] {
        let Self {
            at,
            kinds,
            opacity,
            slow: times,
            ..
        } = self;
        [
            TileEdit::Kinds { at, kinds },
            TileEdit::Sight { at, opacity },
            TileEdit::Slow { at, times },
        ]
    }

    /// The place without a rule.
    fn cleared(self) -> Self {
        Self {
            kinds: Kinds::ALL,
            opacity: Opacity::LikeWalls,
            slow: 1,
            ..self
        }
    }
}

fn touch(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut tiles) = world.get_resource_mut::<RuledTiles>() {
        tiles.note(context.entity);
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<RuledTiles>()
        .register_type::<TileKinds>()
        .register_type::<TileOpacity>()
        .register_type::<TileSlow>()
        .register_type::<LayerRules>()
        .add_observer(move_tile)
        .add_observer(lose_place);
}

type IsRuled = Or<(With<TileKinds>, With<TileOpacity>, With<TileSlow>)>;

fn move_tile(
    moved: On<Insert, (TilePos, TilemapId)>,
    ruled: Query<(), (IsRuled, Allow<Disabled>)>,
    mut tiles: ResMut<RuledTiles>,
) {
    if ruled.contains(moved.entity) {
        tiles.note(moved.entity);
    }
}

fn lose_place(moved: On<Remove, (TilePos, TilemapId)>, mut tiles: ResMut<RuledTiles>) {
    if tiles.placed.contains_key(&moved.entity) {
        tiles.note(moved.entity);
    }
}

type Rules = (
    &'static TilePos,
    &'static TilemapId,
    Option<&'static TileKinds>,
    Option<&'static TileOpacity>,
    Option<&'static TileSlow>,
);

/// Carries the rules of changed tiles into the maps that follow their layers. A layer that is read again gets the rules
/// of all its tiles.
pub(super) fn sync_rules(
    mut tiles: ResMut<RuledTiles>,
    ruled: Query<Rules, (IsRuled, Allow<Disabled>)>,
    mut maps: Query<(Entity, &mut LiveMap, Option<&LayerRules>), Allow<Disabled>>,
    mut ready: Local<EntityHashMap<MapStatus>>,
) {
    let RuledTiles {
        touched, placed, ..
    } = &mut *tiles;
    for tile in touched.drain(..) {
        let rules = ruled.get(tile).ok();
        let now = rules.map(|(pos, id, kinds, opacity, slow)| Ruled {
            layer: id.0,
            at: UVec2::from(*pos).as_ivec2(),
            kinds: kinds.map_or(Kinds::ALL, |kinds| kinds.0),
            opacity: opacity.map_or(Opacity::LikeWalls, |opacity| opacity.0),
            slow: slow.map_or(1, |slow| slow.0),
        });
        let before = match now {
            Some(now) => placed.insert(tile, now),
            None => placed.remove(&tile),
        };
        let same_place = |one: &Ruled, other: Ruled| (one.layer, one.at) == (other.layer, other.at);
        let left = before.filter(|before| now.is_none_or(|now| !same_place(before, now)));
        for rule in left.map(Ruled::cleared).into_iter().chain(now) {
            if let Ok((_, mut map, _)) = maps.get_mut(rule.layer)
                && map.follows_layer
            {
                let map = map.bypass_change_detection();
                rule.edits().into_iter().for_each(|edit| map.edit(edit));
            }
        }
    }
    ready.retain(|&layer, _| maps.contains(layer));
    for (layer, mut map, more) in &mut maps {
        let status = map.status();
        let before = ready.insert(layer, status);
        // What is edited while a layer is read or built counts from the first tick on.
        let is_new = map.follows_layer && status == MapStatus::Building && before != Some(status);
        if is_new {
            let map = map.bypass_change_detection();
            let rules = placed.values().filter(|rule| rule.layer == layer);
            let mut rules: Vec<Ruled> = rules.copied().collect();
            // The rules of two tiles on one cell come in an order that does not depend on their entities.
            let key = |rule: &Ruled| (rule.at.y, rule.at.x, rule.kinds, rule.opacity, rule.slow);
            rules.sort_unstable_by_key(key);
            let more = more.iter().flat_map(|rules| rules.0.iter().copied());
            let edits = more.chain(rules.into_iter().flat_map(Ruled::edits));
            edits.for_each(|edit| map.edit(edit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_TOUCHED, RuledTiles};
    use bevy::prelude::*;

    #[test]
    fn changes_of_a_game_that_rests_do_not_pile_up_and_the_last_one_counts() {
        let mut world = World::new();
        let all: Vec<Entity> = (0..10).map(|_| world.spawn_empty().id()).collect();
        let mut tiles = RuledTiles::default();
        for change in 0..100_000 {
            tiles.note(all[change % 10]);
            assert!(tiles.touched.len() <= 2 * MOST_TOUCHED);
        }
        assert_eq!(tiles.touched.last(), Some(&all[9]));
        assert!(all.iter().all(|tile| tiles.touched.contains(tile)));
    }
}
