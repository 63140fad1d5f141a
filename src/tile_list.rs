//! The tiles of a layer, as a list without gaps.

use bevy::prelude::*;

/// The tiles of a layer, in no particular order.
#[derive(Debug, Default)]
pub(super) struct TileList {
    pub(super) tiles: Vec<Entity>,
    /// The number of tiles at the front that the present reading of the layer has read.
    pub(super) read: usize,
}

impl TileList {
    /// Removes the tile with an index. Returns the tiles that have moved, with their indices.
    pub(super) fn remove(&mut self, mut index: usize) -> [Option<(Entity, usize)>; 2] {
        let mut moved = [None; 2];
        if index < self.read {
            // Another tile that has been read takes its place, so that none is passed over.
            self.read -= 1;
            self.tiles.swap(index, self.read);
            moved[0] = Some((self.tiles[index], index)).filter(|_| index != self.read);
            index = self.read;
        }
        self.tiles.swap_remove(index);
        moved[1] = self.tiles.get(index).map(|&tile| (tile, index));
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::TileList;
    use bevy::prelude::*;

    #[test]
    fn lists_of_layers_have_no_gaps_and_pass_over_nothing() {
        let mut world = World::new();
        let tiles: Vec<Entity> = (0..7).map(|_| world.spawn_empty().id()).collect();
        for read in 0..=7 {
            for index in 0..7 {
                let mut list = TileList {
                    tiles: tiles.clone(),
                    read,
                };
                for (tile, at) in list.remove(index).into_iter().flatten() {
                    assert_eq!(list.tiles[at], tile);
                }
                assert_eq!(list.tiles.len(), 6);
                assert!(!list.tiles.contains(&tiles[index]));
                let unread = &list.tiles[list.read..];
                assert!(
                    tiles[read..]
                        .iter()
                        .all(|t| *t == tiles[index] || unread.contains(t))
                );
            }
        }
    }
}
