//! What a layer was read as: how many tiles it has and lacks, and what it cannot say.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{IsoCoordSystem, TilemapType};

/// How many cells of a layer the plugin has found passable, when it last read the whole layer. It is on the entity of the
/// [`LiveMap`](super::LiveMap), from the tick in which the layer has been read, and also written to the log then. Only the plugin
/// writes it.
///
/// A cell that is `missing` is a wall: no tile on it has [`Passable`](super::Passable).
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct LayerTiles {
    /// The cells with a tile that is passable.
    pub passable: u32,
    /// The other cells with a tile that is `Passable(false)`.
    pub closed: u32,
    /// The cells without a tile that has `Passable`.
    pub missing: u32,
}

/// Counts the cells of a layer while it is read.
#[derive(Debug)]
pub(super) struct Tally {
    /// Whether a tile of each cell is not passable.
    closed: Vec<bool>,
    /// The numbers of these cells, of passable cells, and of cells that are both.
    of_closed: u32,
    of_open: u32,
    of_both: u32,
}

impl Tally {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            closed: vec![false; cells],
            of_closed: 0,
            of_open: 0,
            of_both: 0,
        }
    }

    /// Notes a tile that is not passable on a cell.
    pub(super) fn close(&mut self, cell: usize, is_passable: bool) {
        if let Some(closed) = self.closed.get_mut(cell)
            && !std::mem::replace(closed, true)
        {
            self.of_closed += 1;
            self.of_both += u32::from(is_passable);
        }
    }

    /// Notes that a cell has become passable, or that it is not any more.
    pub(super) fn open(&mut self, cell: usize, is_passable: bool) {
        let both = u32::from(self.closed.get(cell) == Some(&true));
        if is_passable {
            self.of_open += 1;
            self.of_both += both;
        } else {
            self.of_open = self.of_open.saturating_sub(1);
            self.of_both = self.of_both.saturating_sub(both);
        }
    }

    /// What has been found.
    pub(super) fn found(&self) -> LayerTiles {
        let closed = self.of_closed.saturating_sub(self.of_both);
        let known = self.of_open + closed;
        LayerTiles {
            passable: self.of_open,
            closed,
            missing: (self.closed.len() as u32).saturating_sub(known),
        }
    }
}

/// The ticks that a layer with tiles has to get a map of its own.
const PATIENCE: u32 = 64;

/// Tiles with [`Passable`](super::Passable) on a layer that is no map.
#[derive(Debug, Default)]
pub(super) enum Stray {
    /// None have been seen.
    #[default]
    None,
    /// They were seen so many ticks ago.
    Seen(Entity, u32),
    /// This has been reported.
    Told,
}

impl Stray {
    pub(super) const fn note(&mut self, layer: Entity) {
        if matches!(self, Self::None) {
            *self = Self::Seen(layer, 0);
        }
    }

    /// Called once a tick. Returns the layer that is to be reported: some time after tiles of one were seen, `find` finds
    /// one that is no map still.
    pub(super) fn tick(&mut self, find: impl FnOnce(Entity) -> Option<Entity>) -> Option<Entity> {
        let Self::Seen(layer, ticks) = *self else {
            return None;
        };
        if ticks < PATIENCE {
            *self = Self::Seen(layer, ticks + 1);
            return None;
        }
        let found = find(layer);
        *self = found.map_or(Self::None, |_| Self::Told);
        found
    }
}

/// What is worth a warning about the shape of a layer's tiles.
pub(super) fn warning_of(kind: TilemapType) -> Option<&'static str> {
    match kind {
        TilemapType::Square
        | TilemapType::Hexagon(_)
        | TilemapType::Isometric(IsoCoordSystem::Diamond) => None,
        TilemapType::Isometric(IsoCoordSystem::Staggered) => Some("staggered diamonds"),
    }
}

impl LayerTiles {
    /// Returns whether cells that are missing may have been forgotten: the game marks its walls, or nothing is passable.
    pub(super) const fn is_suspicious(&self) -> bool {
        self.passable == 0 || self.closed > 0 && self.missing > 0
    }
}
