use super::{PursuitDiagnostics, TurnClock};
use crate::game::Speed;
use crate::graph::TileEdit;
use crate::map::{Cell, Moves, TileMap};
use crate::world::{Body, PursuitWorld};
use bevy::prelude::*;
use crossbeam_channel::{Receiver, Sender};

/// A map to chase on. Put [`PursuitMap::of_layer`] on the entity of a `bevy_ecs_tilemap` layer to
/// follow its tiles, or give a map of its own with [`PursuitMap::new`].
///
/// Positions count from the bottom left, as everywhere in Bevy; maps and levels in text count rows
/// from the top. This component is the only place where one becomes the other.
#[derive(Component, Debug)]
#[require(TurnClock)]
#[cfg_attr(feature = "tilemap", require(super::tilemap::Mirror))]
pub struct PursuitMap {
    moves: Moves,
    /// Does it follow the tiles of a layer?
    #[cfg_attr(
        not(feature = "tilemap"),
        expect(dead_code, reason = "only layers have tiles to follow")
    )]
    pub(super) follows_layer: bool,
    world: Option<PursuitWorld>,
    edits: Vec<(UVec2, bool)>,
    inbox: Receiver<(UVec2, bool)>,
    outbox: Sender<(UVec2, bool)>,
    /// A new map since the last tick.
    rebuilt: bool,
    /// Did the last tick change the map?
    pub(super) changed: bool,
}

impl Default for PursuitMap {
    /// A map with octile moves that follows its layer.
    fn default() -> Self {
        Self::of_layer(Moves::Octile)
    }
}

impl PursuitMap {
    /// A map that follows the tilemap layer it is put on. Until the next
    /// [`Sync`](super::PursuitSystems::Sync) there is nothing on it.
    #[must_use]
    pub fn of_layer(moves: Moves) -> Self {
        let (outbox, inbox) = crossbeam_channel::unbounded();
        Self {
            moves,
            follows_layer: true,
            world: None,
            edits: Vec::new(),
            inbox,
            outbox,
            rebuilt: false,
            changed: false,
        }
    }

    /// A map of its own. On the entity of a layer it has the layer's place, not its tiles.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        let mut this = Self {
            follows_layer: false,
            ..Self::of_layer(moves)
        };
        this.rebuild(map);
        this
    }

    /// The world that decides, once there is a map.
    #[must_use]
    pub const fn world(&self) -> Option<&PursuitWorld> {
        self.world.as_ref()
    }

    /// Makes a tile passable or a wall, from the next [`Sync`](super::PursuitSystems::Sync) on.
    /// Tiles off the map are left out.
    ///
    /// A map that follows a layer is better changed through the layer's tiles: this lasts only
    /// until something happens to the tile.
    pub fn set_passable(&mut self, at: UVec2, passable: bool) {
        self.edits.push((at, passable));
    }

    /// A handle that does the same from anywhere: tasks, threads, observers without `&mut` access.
    ///
    /// Edits arrive in the order in which threads send them: for repeatable runs use
    /// [`set_passable`](Self::set_passable).
    #[must_use]
    pub fn edits(&self) -> TileEdits {
        TileEdits(self.outbox.clone())
    }

    /// Can an agent stand on the tile now? `false` off the map and while there is no map.
    #[must_use]
    pub fn is_passable(&self, at: UVec2) -> bool {
        self.world
            .as_ref()
            .zip(self.cell(at))
            .is_some_and(|(world, cell)| world.graph().is_passable(cell))
    }

    /// The cell of a position, `None` off the map and while there is no map.
    #[must_use]
    pub fn cell(&self, at: UVec2) -> Option<Cell> {
        let graph = self.world.as_ref()?.graph();
        let x = u16::try_from(at.x).ok().filter(|&x| x < graph.width())?;
        let up = u16::try_from(at.y).ok().filter(|&y| y < graph.height())?;
        Some(Cell::new(x, graph.height() - 1 - up))
    }

    /// The position of a cell.
    #[must_use]
    pub fn position(&self, cell: Cell) -> UVec2 {
        let height = self.world.as_ref().map_or(0, |w| w.graph().height());
        let up = height.saturating_sub(1).saturating_sub(cell.y);
        UVec2::new(cell.x.into(), up.into())
    }

    pub(super) fn world_mut(&mut self) -> Option<&mut PursuitWorld> {
        self.world.as_mut()
    }

    /// Is something queued for the next tick?
    pub(super) fn has_edits(&self) -> bool {
        !self.edits.is_empty() || !self.inbox.is_empty()
    }

    /// Starts over with another map.
    pub(super) fn rebuild(&mut self, map: &TileMap) {
        self.world = Some(PursuitWorld::new(map, self.moves));
        self.rebuilt = true;
    }

    pub(super) fn body(&self, at: UVec2, speed: impl Into<Speed>) -> Option<Body> {
        Some(Body {
            cell: self.cell(at)?,
            speed: speed.into(),
        })
    }

    /// Applies what has been queued; `None` if that changed nothing.
    fn apply_edits(&mut self, entity: Entity) -> Option<MapChanged> {
        self.edits.extend(self.inbox.try_iter());
        let queued = std::mem::take(&mut self.edits).into_iter();
        let edits: Vec<TileEdit> = queued
            .filter_map(|(at, passable)| {
                let cell = self.cell(at)?;
                Some(TileEdit { cell, passable })
            })
            .collect();
        let rebuilt = std::mem::take(&mut self.rebuilt);
        let delta = self.world.as_mut()?.apply(&edits);
        self.changed = rebuilt || !delta.is_empty();
        self.changed.then(|| MapChanged {
            map: entity,
            opened: delta.opened().len(),
            closed: delta.closed().len(),
            rebuilt,
        })
    }
}

/// Sends tile edits to a [`PursuitMap`] from anywhere. Cheap to clone.
#[derive(Debug, Clone)]
pub struct TileEdits(Sender<(UVec2, bool)>);

impl TileEdits {
    /// Makes a tile passable or a wall, from the next tick on. Does nothing if the map is gone.
    pub fn set_passable(&self, at: UVec2, passable: bool) {
        let _ = self.0.send((at, passable));
    }
}

/// Tiles of a map have become passable or walls. Written once for each map and tick.
#[derive(Message, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapChanged {
    /// The entity of the map.
    pub map: Entity,
    /// How many tiles have become passable.
    pub opened: usize,
    /// How many have become walls.
    pub closed: usize,
    /// Is the whole map new? Then the numbers count only what was changed on top of that.
    pub rebuilt: bool,
}

/// The truth changes here and nowhere else.
pub(super) fn apply_edits(
    mut maps: Query<(Entity, &mut PursuitMap)>,
    mut changes: MessageWriter<MapChanged>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        for (entity, mut map) in &mut maps {
            if map.changed {
                map.changed = false;
            }
            // Edits wait until there is a map; a map that nothing happens to is left alone.
            if map.world.is_some() && (map.has_edits() || map.rebuilt) {
                let change = map.apply_edits(entity);
                changes.write_batch(change);
            }
        }
    });
}
