//! Edits of tiles that wait for the next tick, from the game's systems and from anywhere.

use crate::coordinates::Coordinates;
use bevy::prelude::*;
use pursuit_engine::map::{Kinds, MapEdit, Opacity};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Up to this number of edits are kept as they are, and twice as many after edits of one tile have been compacted.
const MOST_EDITS: usize = 4096;

/// A change of a map, in tile positions. [`LiveMap::edit`](super::LiveMap::edit) makes it with the next tick.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TileEdit {
    /// A tile becomes passable or a wall.
    Passable {
        /// The tile.
        at: IVec2,
        /// Whether agents can stand there.
        passable: bool,
    },
    /// The edge between two tiles that share a side opens or closes, in one direction. Closed in both directions it is a thin
    /// wall, which also blocks sight; closed in one direction it is a one-way edge.
    Edge {
        /// The tile that the step leaves.
        from: IVec2,
        /// The tile that the step enters.
        to: IVec2,
        /// Whether agents can step across.
        open: bool,
    },
    /// A link opens or closes: a step between any two tiles, in one direction. It leads somewhere while both tiles are
    /// passable. At most 64 links begin at one tile, and at most 64 end there.
    Link {
        /// The tile that the step leaves.
        from: IVec2,
        /// The tile that the step enters.
        to: IVec2,
        /// Whether agents can take the step.
        open: bool,
    },
    /// Diagonal steps that start or end on a tile, or cut its corner, become possible or not.
    Diagonals {
        /// The tile.
        at: IVec2,
        /// Whether agents can take them where walls allow it.
        allowed: bool,
    },
    /// Agents see across a tile from now on, or no longer, whether they can walk there or not.
    Sight {
        /// The tile.
        at: IVec2,
        /// Whether they see across.
        opacity: Opacity,
    },
    /// A tile becomes an exit, or is none any more: a robber that ends a step there has [got away](super::GotAway).
    Exit {
        /// The tile.
        at: IVec2,
        /// The kinds of robbers that leave there; [`Kinds::ALL`] for every robber, [`Kinds::NONE`] for no exit.
        kinds: Kinds,
    },
    /// Steps onto a tile take longer from now on, or no longer do: mud, stairs, shallow water. Only on the
    /// [free-running clock](super::PursuitClock::FreeRunning).
    Slow {
        /// The tile.
        at: IVec2,
        /// How many times as long as elsewhere a step there takes; 0 or 1 for a tile like others.
        times: u8,
    },
    /// Another set of kinds may enter a tile while it is passable: a guards' door, a ghosts' house, water, a vent. See
    /// [`AgentKinds`](super::AgentKinds).
    Kinds {
        /// The tile.
        at: IVec2,
        /// The kinds of agents that may enter; [`Kinds::ALL`] for everybody.
        kinds: Kinds,
    },
}

/// What an edit changes. Only the last edit of a place counts.
#[derive(PartialEq, Eq, Hash)]
enum Place {
    Tile(IVec2),
    Edge(IVec2, IVec2),
    Link(IVec2, IVec2),
    Diagonals(IVec2),
    Sight(IVec2),
    Exit(IVec2),
    Slow(IVec2),
    Kinds(IVec2),
}

impl TileEdit {
    const fn place(self) -> Place {
        match self {
            Self::Passable { at, .. } => Place::Tile(at),
            Self::Edge { from, to, .. } => Place::Edge(from, to),
            Self::Link { from, to, .. } => Place::Link(from, to),
            Self::Diagonals { at, .. } => Place::Diagonals(at),
            Self::Sight { at, .. } => Place::Sight(at),
            Self::Exit { at, .. } => Place::Exit(at),
            Self::Slow { at, .. } => Place::Slow(at),
            Self::Kinds { at, .. } => Place::Kinds(at),
        }
    }

    /// The edit in tile positions of an edit of a map with these coordinates; `None` for one that tiles cannot express.
    #[cfg(feature = "tilemap")]
    pub(super) fn of(edit: MapEdit, map: Coordinates) -> Option<Self> {
        let tile = |cell| map.position(cell);
        Some(match edit {
            MapEdit::Cell { at, passable } => Self::Passable {
                at: tile(at),
                passable,
            },
            MapEdit::Edge { from, to, open } => Self::Edge {
                from: tile(from),
                to: tile(to),
                open,
            },
            MapEdit::Link { from, to, open } => Self::Link {
                from: tile(from),
                to: tile(to),
                open,
            },
            MapEdit::Diagonals { at, allowed } => Self::Diagonals {
                at: tile(at),
                allowed,
            },
            MapEdit::Sight { at, opacity } => Self::Sight {
                at: tile(at),
                opacity,
            },
            MapEdit::Exit { at, kinds } => Self::Exit {
                at: tile(at),
                kinds,
            },
            MapEdit::Slow { at, times } => Self::Slow {
                at: tile(at),
                times,
            },
            MapEdit::Kinds { at, kinds } => Self::Kinds {
                at: tile(at),
                kinds,
            },
            _ => return None,
        })
    }

    /// The same edit of a map with these coordinates; `None` for tiles off the map.
    pub(super) fn on(self, map: Coordinates) -> Option<MapEdit> {
        let cell = |at| map.cell(at);
        Some(match self {
            Self::Passable { at, passable } => MapEdit::Cell {
                at: cell(at)?,
                passable,
            },
            Self::Edge { from, to, open } => MapEdit::Edge {
                from: cell(from)?,
                to: cell(to)?,
                open,
            },
            Self::Link { from, to, open } => MapEdit::Link {
                from: cell(from)?,
                to: cell(to)?,
                open,
            },
            Self::Diagonals { at, allowed } => MapEdit::Diagonals {
                at: cell(at)?,
                allowed,
            },
            Self::Sight { at, opacity } => MapEdit::Sight {
                at: cell(at)?,
                opacity,
            },
            Self::Exit { at, kinds } => MapEdit::Exit {
                at: cell(at)?,
                kinds,
            },
            Self::Slow { at, times } => MapEdit::Slow {
                at: cell(at)?,
                times,
            },
            Self::Kinds { at, kinds } => MapEdit::Kinds {
                at: cell(at)?,
                kinds,
            },
        })
    }
}

/// Sends tile edits to a [`LiveMap`](super::LiveMap) from anywhere. Cheap to clone; see
/// [`LiveMap::edits`](super::LiveMap::edits).
#[derive(Debug, Clone, Default)]
pub struct TileEdits(Arc<Mutex<EditQueue>>);

impl TileEdits {
    /// Makes a tile passable or a wall, from the next tick on. Does nothing if the map is gone.
    pub fn set_passable(&self, at: IVec2, passable: bool) {
        self.edit(TileEdit::Passable { at, passable });
    }

    /// Makes a change from the next tick on. Does nothing if the map is gone.
    pub fn edit(&self, edit: TileEdit) {
        self.queue().push(edit);
    }

    /// The queue. An edit is complete whenever a thread stops, even by a panic.
    pub(super) fn queue(&self) -> MutexGuard<'_, EditQueue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Edits of tiles in order. If many wait, only the last edit of each place is kept, so that they do not pile up while the
/// game rests.
#[derive(Debug, Default)]
pub(super) struct EditQueue {
    edits: Vec<TileEdit>,
    /// The number of edits that were left when they were last compacted.
    compacted: usize,
}

impl EditQueue {
    /// Adds an edit. Cost: constant on average.
    pub(super) fn push(&mut self, edit: TileEdit) {
        self.edits.push(edit);
        if self.edits.len() > self.compacted.max(MOST_EDITS) * 2 {
            self.compact();
        }
    }

    fn compact(&mut self) {
        let mut seen = HashSet::new();
        let edits = self.edits.drain(..).rev();
        let mut last: Vec<_> = edits.filter(|edit| seen.insert(edit.place())).collect();
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
    pub(super) fn drain(&mut self) -> impl Iterator<Item = TileEdit> + '_ {
        self.edits.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::{TileEdit, TileEdits};
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
        let found = found.into_iter().map(|edit| match edit {
            TileEdit::Passable { at, passable } => ((at.x, at.y), passable),
            other => panic!("{other:?}"),
        });
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    }
}
