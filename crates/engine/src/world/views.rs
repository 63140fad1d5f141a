//! What a crowd sees, remembered from tick to tick as long as nobody near has moved.

use crate::graph::Graph;
use crate::map::Cell;
use std::cmp::Ordering;
use std::sync::atomic::{self, AtomicU8};

/// Fewer observers look anew each time.
const CROWD: usize = 8;

/// The greatest number of cells of a map on which views are remembered, each with a byte.
const MOST_CELLS: usize = 1 << 18;

/// Where an observer stands, and how far it sees.
type Observer = (Cell, Option<u16>);

/// Which cells the observers of a pursuit see, as far as somebody has asked. This follows from where they stand and from the
/// map, so that no snapshot contains it.
#[derive(Debug, Default)]
pub(super) struct RememberedViews {
    width: usize,
    /// For each cell whether it is seen: 0 if nobody has asked. Atomic, so that those who only look can note what they find.
    found: Vec<AtomicU8>,
    /// The observers, in order.
    observers: Vec<Observer>,
    /// Memory for the next ones.
    next: Vec<Observer>,
}

const SEEN: u8 = 1;
const HIDDEN: u8 = 2;

impl RememberedViews {
    /// Forgets everything: the map has changed.
    pub(super) fn forget(&mut self) {
        self.observers.clear();
        self.found.clear();
    }

    /// Follows the observers to where they stand now. Cost: that of sorting them, and for each that has come, gone or moved the
    /// cells that it may see.
    pub(super) fn follow(&mut self, graph: &Graph, observers: impl Iterator<Item = Observer>) {
        self.next.clear();
        self.next.extend(observers);
        if self.next.len() < CROWD || graph.cells() > MOST_CELLS {
            self.forget();
            return;
        }
        self.next.sort_unstable();
        let is_new = self.found.len() != graph.cells() || self.width != graph.width().into();
        if is_new {
            self.width = graph.width().into();
            self.found.clear();
            self.found.resize_with(graph.cells(), AtomicU8::default);
        }
        if !is_new {
            self.forget_changes();
        }
        std::mem::swap(&mut self.observers, &mut self.next);
    }

    /// Forgets what is around the observers that are only in one of the two lists, which are in order.
    fn forget_changes(&mut self) {
        let (mut old, mut new) = (0, 0);
        loop {
            let before = self.observers.get(old).copied();
            let now = self.next.get(new).copied();
            let order = match (before, now) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(now)) => before.cmp(&now),
            };
            old += usize::from(order.is_le());
            new += usize::from(order.is_ge());
            let changed = if order.is_le() { before } else { now };
            if let Some(changed) = changed.filter(|_| order.is_ne()) {
                self.forget_around(changed);
            }
        }
    }

    fn forget_around(&mut self, observer: Observer) {
        let (at, sight) = observer;
        let far = usize::from(sight.unwrap_or(u16::MAX));
        let (x, y) = (usize::from(at.x), usize::from(at.y));
        if self.width == 0 || x >= self.width {
            return;
        }
        let (left, right) = (
            x.saturating_sub(far),
            x.saturating_add(far).min(self.width - 1),
        );
        let rows = self.found.chunks_mut(self.width);
        let (top, count) = (y.saturating_sub(far), far.saturating_add(y.min(far) + 1));
        for row in rows.skip(top).take(count) {
            for cell in &mut row[left..=right] {
                *cell.get_mut() = 0;
            }
        }
    }

    /// Whether a cell is seen, which `look` finds out unless it is known.
    pub(super) fn is_seen(&self, graph: &Graph, cell: Cell, look: impl FnOnce() -> bool) -> bool {
        let index = graph.cell_index(cell);
        let found = self.found.get(index).filter(|_| graph.is_on_map(cell));
        let Some(found) = found else {
            return look();
        };
        match found.load(atomic::Ordering::Relaxed) {
            SEEN => true,
            HIDDEN => false,
            _ => {
                let is_seen = look();
                let noted = if is_seen { SEEN } else { HIDDEN };
                found.store(noted, atomic::Ordering::Relaxed);
                is_seen
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::TileEdit;
    use crate::map::{HexLayout, Moves, Terrain, TileMap};
    use crate::search::Dice;

    /// Observers that come, go and move, on maps that change.
    #[test]
    fn what_is_remembered_is_what_the_observers_see() {
        let dice = &mut Dice::new(5);
        let (mut remembered, mut looked) = (0, 0);
        for _ in 0..200 {
            let (width, height) = (1 + dice.below(30) as u16, 1 + dice.below(30) as u16);
            let map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
            let moves = [Moves::Octile, Moves::Hexagonal(HexLayout::RowOdd)][dice.below(2)];
            let mut graph = Graph::new(&map, moves);
            let cell = |dice: &mut Dice| {
                Cell::new(
                    dice.below(width.into()) as u16,
                    dice.below(height.into()) as u16,
                )
            };
            let observer = |dice: &mut Dice| {
                let sight = [Some(0), Some(3), Some(9), Some(u16::MAX), None][dice.below(5)];
                (cell(dice), sight)
            };
            let count = CROWD - 1 + dice.below(12);
            let mut observers: Vec<Observer> = (0..count).map(|_| observer(dice)).collect();
            let mut views = RememberedViews::default();
            for _ in 0..20 {
                views.follow(&graph, observers.iter().copied());
                for _ in 0..50 {
                    let at = cell(dice);
                    let sees = |&(from, sight): &Observer| graph.sees(from, at, sight);
                    let expected = observers.iter().any(sees);
                    let before = looked;
                    let found = views.is_seen(&graph, at, || {
                        looked += 1;
                        expected
                    });
                    assert_eq!(found, expected, "{at:?} {observers:?}");
                    remembered += usize::from(looked == before);
                }
                for _ in 0..dice.below(3) {
                    let index = dice.below(observers.len());
                    observers[index] = observer(dice);
                }
                if dice.below(8) == 0 {
                    observers.push(observer(dice));
                }
                if dice.below(4) == 0 {
                    let passable = dice.below(2) == 0;
                    graph.apply(&[TileEdit {
                        cell: cell(dice),
                        passable,
                    }]);
                    views.forget();
                }
            }
        }
        assert!(
            remembered > 30_000 && looked > 30_000,
            "{remembered} {looked}"
        );
    }
}
