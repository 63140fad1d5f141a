//! Reports what a layer was read as, once.

use crate::layer_tiles::{LayerTiles, warning_of};
use crate::live_map::LiveMap;
use crate::tilemap::Tiles;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::TilemapType;

/// Reports layers that have been read, and tiles of layers that are no maps.
pub(super) fn report_layers(
    mut tiles: ResMut<Tiles>,
    kinds: Query<Option<&TilemapType>, Allow<Disabled>>,
    maps: Query<&LiveMap, Allow<Disabled>>,
    entities: Query<(), Allow<Disabled>>,
    mut commands: Commands,
) {
    let tiles = tiles.bypass_change_detection();
    let is_stray =
        |&layer: &Entity| entities.contains(layer) && !maps.contains(layer) && !maps.is_empty();
    let of_layers = &tiles.of_layers;
    let stray = tiles.stray.tick(|layer| {
        // If this one has become a map, others have been seen meanwhile.
        let others = of_layers.keys().copied().filter(is_stray);
        Some(layer).filter(is_stray).or(others.min())
    });
    if let Some(layer) = stray {
        warn!(
            "tiles with `Passable` are on the layer {layer}, which has no `LiveMap`: they are ignored. \
             A map is one layer; open and close its own tiles"
        );
    }
    for (layer, found) in tiles.read_layers.drain(..) {
        let LayerTiles {
            passable,
            closed,
            missing,
        } = found;
        let all = passable + closed + missing;
        let text = format!(
            "the layer {layer} has {all} cells: {passable} are passable, {closed} are `Passable(false)`, and {missing} \
             have no tile with `Passable` and are walls"
        );
        if found.is_suspicious() {
            warn!("{text}");
        } else {
            info!("{text}");
        }
        if let Some(shape) = kinds
            .get(layer)
            .ok()
            .flatten()
            .copied()
            .and_then(warning_of)
        {
            warn!(
                "the layer {layer} is drawn as {shape} and played as squares: a tile has the neighbours of its \
                 `TilePos` in a grid of squares"
            );
        }
        commands.entity(layer).try_insert(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer_tiles::Stray;
    use bevy_ecs_tilemap::prelude::{HexCoordSystem, IsoCoordSystem};

    #[test]
    fn tiles_that_stay_stray_are_told_once() {
        let layer = Entity::from_raw_u32(7).expect("an entity");
        let told = |is_stray: bool| {
            let mut stray = Stray::default();
            let mut told = 0;
            for _ in 0..1000 {
                stray.note(layer);
                told += usize::from(stray.tick(|layer| is_stray.then_some(layer)).is_some());
            }
            told
        };
        assert_eq!(told(true), 1);
        assert_eq!(told(false), 0, "it has become a map");
    }

    #[test]
    fn only_staggered_diamonds_are_not_as_they_look() {
        for kind in [
            TilemapType::Square,
            TilemapType::Hexagon(HexCoordSystem::Row),
            TilemapType::Isometric(IsoCoordSystem::Diamond),
        ] {
            assert_eq!(warning_of(kind), None);
        }
        let staggered = warning_of(TilemapType::Isometric(IsoCoordSystem::Staggered));
        assert!(staggered.is_some_and(|text| text.contains("staggered")));
    }
}
