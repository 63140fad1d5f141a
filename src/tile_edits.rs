//! Edits of tiles that wait for the next tick, from the game's systems and from anywhere.

use bevy::prelude::*;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Up to this number of edits are kept as they are, and twice as many after edits of one tile have been compacted.
const MOST_EDITS: usize = 4096;

/// Sends tile edits to a [`LiveMap`](super::LiveMap) from anywhere. Cheap to clone; see
/// [`LiveMap::edits`](super::LiveMap::edits).
#[derive(Debug, Clone, Default)]
pub struct TileEdits(Arc<Mutex<EditQueue>>);

impl TileEdits {
    /// Makes a tile passable or a wall, from the next tick on. Does nothing if the map is gone.
    pub fn set_passable(&self, at: IVec2, passable: bool) {
        self.queue().push(at, passable);
    }

    /// The queue. An edit is complete whenever a thread stops, even by a panic.
    pub(super) fn queue(&self) -> MutexGuard<'_, EditQueue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Edits of tiles in order. If many wait, only the last edit of each tile is kept, so that they do not pile up while the
/// game rests.
#[derive(Debug, Default)]
pub(super) struct EditQueue {
    edits: Vec<(IVec2, bool)>,
    /// The number of edits that were left when they were last compacted.
    compacted: usize,
}

impl EditQueue {
    /// Adds an edit. Cost: constant on average.
    pub(super) fn push(&mut self, at: IVec2, passable: bool) {
        self.edits.push((at, passable));
        if self.edits.len() > self.compacted.max(MOST_EDITS) * 2 {
            self.compact();
        }
    }

    fn compact(&mut self) {
        let mut seen = HashSet::new();
        let edits = self.edits.drain(..).rev();
        let mut last: Vec<_> = edits.filter(|&(at, _)| seen.insert(at)).collect();
        last.reverse();
        (self.compacted, self.edits) = (last.len(), last);
    }

    #[cfg(feature = "tilemap")]
    pub(super) const fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.edits.clear();
    }

    /// Takes all edits, in order.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (IVec2, bool)> + '_ {
        self.edits.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::TileEdits;
    use bevy::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn edits_of_a_game_that_rests_do_not_pile_up_and_the_last_one_counts() {
        let edits = TileEdits::default();
        let mut expected = BTreeMap::new();
        for number in 0..100_000_u32 {
            let [x, y] = [number.wrapping_mul(number) % 61, number % 7].map(u32::cast_signed);
            let at = IVec2::new(x, y);
            let passable = number % 3 == 0;
            edits.clone().set_passable(at, passable);
            expected.insert((at.x, at.y), passable);
        }
        let found: Vec<_> = edits.queue().drain().collect();
        assert!(found.len() <= 8_192, "{} edits", found.len());
        let found = found
            .into_iter()
            .map(|(at, passable)| ((at.x, at.y), passable));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    }
}
