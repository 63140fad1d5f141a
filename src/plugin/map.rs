use super::load::{MapStatus, Share};
use super::{PursuitDiagnostics, PursuitSettings, TurnClock};
use crate::graph::TileEdit;
use crate::map::{Cell, Moves, TileMap};
use crate::world::{MapLoader, PursuitWorld, Snapshot, SnapshotError};
use bevy::prelude::*;
use crossbeam_channel::{Receiver, Sender};

/// A map to chase on. Put [`PursuitMap::of_layer`] on the entity of a `bevy_ecs_tilemap` layer to
/// follow its tiles, or give a map of its own with [`PursuitMap::new`].
///
/// Positions count from the bottom left, as everywhere in Bevy; maps and levels in text count rows
/// from the top. This component is the only place where one becomes the other.
///
/// A map is made ready within the budget: see [`MapStatus`]. A few thousand tiles take a tick. With the default
/// budget, at 64 ticks a second, a million takes four seconds, and fourteen where they are tiles of a layer;
/// twice that while another map is played on. Raise the budget behind a loading screen. So it is with a layer whose size changes: agents stand until all of it is
/// read anew and built.
#[derive(Component, Debug)]
#[require(TurnClock, MapStatus)]
#[cfg_attr(feature = "tilemap", require(super::tilemap::Mirror))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "things that have happened since the last tick"
)]
pub struct PursuitMap {
    moves: Moves,
    /// Does it follow the tiles of a layer?
    pub(super) follows_layer: bool,
    world: Option<PursuitWorld>,
    /// What is to become the map.
    coming: Coming,
    /// What may be spent on that in this tick.
    pub(super) share: Share,
    edits: Vec<(UVec2, bool)>,
    inbox: Receiver<(UVec2, bool)>,
    outbox: Sender<(UVec2, bool)>,
    /// The edits of a tick, in memory that is used again.
    cells: Vec<TileEdit>,
    /// A new map since the last tick.
    rebuilt: bool,
    restored: bool,
    /// Are its settings those of a snapshot?
    has_old_settings: bool,
    /// Have tables been put into the table cache of its world?
    has_assets: bool,
}

/// A map that is not ready.
#[derive(Debug, Default)]
enum Coming {
    #[default]
    None,
    /// The layer of this size is read.
    #[cfg_attr(
        not(feature = "tilemap"),
        expect(dead_code, reason = "only layers are read")
    )]
    Read {
        width: u16,
        height: u16,
    },
    Built(Box<MapLoader>),
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
            coming: Coming::None,
            share: Share::default(),
            edits: Vec::new(),
            inbox,
            outbox,
            cells: Vec::new(),
            rebuilt: false,
            restored: false,
            has_old_settings: false,
            has_assets: false,
        }
    }

    /// A map of its own. On the entity of a layer it has the layer's place, not its tiles. It is built in
    /// the next [`Sync`](super::PursuitSystems::Sync), or in several if it is large.
    ///
    /// Cost: a copy of the map.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        let mut this = Self {
            follows_layer: false,
            ..Self::of_layer(moves)
        };
        this.build(map.clone());
        this
    }

    /// The world that decides, once there is a map. While [another one](MapStatus) is read or built it is
    /// still that of the map before, and stands still.
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
        let is_passable = |cell| match (&self.coming, &self.world) {
            (Coming::Built(loader), _) => loader.map().is_passable(cell),
            (_, Some(world)) => world.graph().is_passable(cell),
            _ => false,
        };
        self.cell(at).is_some_and(is_passable)
    }

    /// How far it is.
    #[must_use]
    pub const fn status(&self) -> MapStatus {
        match (&self.coming, &self.world) {
            (Coming::Read { .. }, _) => MapStatus::Reading,
            (Coming::Built(_), _) => MapStatus::Building,
            (Coming::None, Some(_)) => MapStatus::Ready,
            (Coming::None, None) => MapStatus::Empty,
        }
    }

    /// Columns and rows, also of a map that is not ready.
    fn size(&self) -> (u16, u16) {
        match (&self.coming, &self.world) {
            (&Coming::Read { width, height }, _) => (width, height),
            (Coming::Built(loader), _) => (loader.map().width(), loader.map().height()),
            (Coming::None, Some(world)) => (world.graph().width(), world.graph().height()),
            (Coming::None, None) => (0, 0),
        }
    }

    /// The cell of a position, `None` off the map and while there is no map.
    #[must_use]
    pub fn cell(&self, at: UVec2) -> Option<Cell> {
        let (width, height) = self.size();
        let x = u16::try_from(at.x).ok().filter(|&x| x < width)?;
        let up = u16::try_from(at.y).ok().filter(|&y| y < height)?;
        Some(Cell::new(x, height - 1 - up))
    }

    /// The position of a cell.
    #[must_use]
    pub fn position(&self, cell: Cell) -> UVec2 {
        let (_, height) = self.size();
        let up = height.wrapping_sub(1).wrapping_sub(cell.y);
        UVec2::new(cell.x.into(), up.into())
    }

    /// The world, if it is played on now.
    pub(super) fn playing_mut(&mut self) -> Option<&mut PursuitWorld> {
        self.world
            .as_mut()
            .filter(|_| matches!(self.coming, Coming::None))
    }

    /// Is a map on its way?
    pub(super) const fn is_loading(&self) -> bool {
        !matches!(self.coming, Coming::None)
    }

    pub(super) fn world_mut(&mut self) -> Option<&mut PursuitWorld> {
        self.world.as_mut()
    }

    /// Is something queued for the next tick?
    #[cfg(feature = "tilemap")]
    pub(super) fn has_edits(&self) -> bool {
        !self.edits.is_empty() || !self.inbox.is_empty()
    }

    /// A layer of this size is going to be read.
    #[cfg(feature = "tilemap")]
    pub(super) fn read(&mut self, width: u16, height: u16) {
        self.coming = Coming::Read { width, height };
    }

    /// Starts over with another map.
    pub(super) fn build(&mut self, map: TileMap) {
        self.coming = Coming::Built(Box::new(MapLoader::new(map, self.moves)));
    }

    /// Goes on with the map that is built, within its share of the tick; `true` if it is ready.
    pub(super) fn build_on(&mut self) -> bool {
        let Coming::Built(loader) = &mut self.coming else {
            return false;
        };
        // A game that was restored before its layer was read goes on as it was.
        let before = self.world.as_ref().map(|world| world.graph().fingerprint());
        let is_known = |loader: &MapLoader| before.is_some() && loader.fingerprint() == before;
        while !loader.is_ready() && !is_known(loader) {
            if !self.share.is_left() {
                return false;
            }
            self.share.spend(|granted| loader.advance(granted));
        }
        let is_known = is_known(loader);
        if let Coming::Built(loader) = std::mem::take(&mut self.coming) {
            match &mut self.world {
                Some(_) if is_known => {}
                Some(world) => world.take_map(*loader),
                None => self.world = Some(loader.finish(PursuitSettings::default())),
            }
        }
        self.rebuilt |= !is_known;
        true
    }

    /// The cell of a position. One beside the map has a cell of its own, which is beside the map too, so
    /// that a snapshot knows where an agent is that stands there. Only those too far away for a cell share
    /// one.
    pub(super) fn cell_or_beside(&self, at: UVec2) -> Cell {
        let (_, height) = self.size();
        let [x, up] = [at.x, at.y].map(|at| u16::try_from(at).unwrap_or(u16::MAX));
        // Rows above the first one are counted on from the last number down, as no map is that high.
        Cell::new(x, height.wrapping_sub(1).wrapping_sub(up))
    }

    /// The ticks that the map has seen.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.world.as_ref().map_or(0, PursuitWorld::tick)
    }

    /// A hash of where everybody is and goes: two runs that agree in it in every tick are the same run.
    /// 0 while there is no map.
    #[must_use]
    pub fn position_hash(&self) -> u64 {
        self.world.as_ref().map_or(0, PursuitWorld::position_hash)
    }

    /// The tick from which on chases on this map depend on how fast tables are solved: one was late, as
    /// [`TableStatus::Late`](super::TableStatus::Late) has told, or they are used when they are ready. `None`
    /// as long as the run is repeatable as far as tables are concerned; a budget in expansions is the
    /// other half of it. It is part of a [`snapshot`](Self::snapshot).
    #[must_use]
    pub fn diverged_at(&self) -> Option<u64> {
        self.world.as_ref()?.diverged_at()
    }

    /// The whole state of the chases on this map, for save games and for rollback. `None` while there is
    /// no map. To be taken between two runs of the plugin's schedule. While a map is being
    /// [replaced](super::MapStatus), it is that of the map before.
    #[must_use]
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.world.as_ref().map(PursuitWorld::snapshot)
    }

    /// Goes back to a snapshot: the map, all agents and what they mean to do. `entity_of` names for each
    /// agent, by the entity it had, the one it has now: the same for rollback, a newly spawned
    /// [`Cop`](super::Cop) or [`Robber`](super::Robber) for a game that is loaded. Agents without one are
    /// left out, and so are those whose entity is no [`Cop`](super::Cop) or [`Robber`](super::Robber) by then.
    /// Those that are on another map by now leave it. Entities of the map that the snapshot does not know join
    /// it anew: despawn them.
    ///
    /// Settings are those of the resource [`PursuitSettings`] from the next tick on, whatever they were then.
    ///
    /// The components of the agents become what they were in [`First`] of the next frame, or in the
    /// next [`Sync`](super::PursuitSystems::Sync) if that comes before; what the game writes into them until
    /// then is lost. Tiles of a layer are the game's: set them to what
    /// [`is_passable`](Self::is_passable) says. A layer that has not been read yet is: the game goes on as
    /// it was if its tiles are those of the snapshot, and on the layer as it is if they are not. While a map is
    /// being [replaced](super::MapStatus) by one of another size, wait until it is ready: the map that is being
    /// built takes the place of the restored one, and agents keep their cells, which count from the top.
    ///
    /// Cost: all of it at once, linear in the size of the map and the number of agents; the memory of searches
    /// is taken anew.
    ///
    /// # Errors
    /// If the snapshot is damaged or of another version; nothing is changed then.
    pub fn restore(
        &mut self,
        snapshot: Snapshot,
        mut entity_of: impl FnMut(Entity) -> Option<Entity>,
    ) -> Result<(), SnapshotError> {
        match &mut self.world {
            Some(world) => world.restore(snapshot)?,
            None => self.world = Some(PursuitWorld::from_snapshot(snapshot)?),
        }
        if !self.follows_layer {
            self.coming = Coming::None;
        }
        self.edits.clear();
        let Some(world) = &mut self.world else {
            return Ok(());
        };
        let agents: Vec<_> = world
            .agents()
            .map(|(id, agent)| (id, agent.setup().user))
            .collect();
        for (id, user) in agents {
            match Entity::try_from_bits(user).and_then(&mut entity_of) {
                Some(entity) => world.change(id, |setup| setup.user = entity.to_bits()),
                None => {
                    world.remove(id);
                }
            }
        }
        self.restored = true;
        self.has_old_settings = true;
        Ok(())
    }

    /// Are tables still to be put on the tables of a new world?
    pub(super) fn wants_assets(&self) -> bool {
        self.world.is_some() && !self.has_assets
    }

    pub(super) fn note_assets(&mut self) {
        self.has_assets = true;
    }

    /// Has it been restored since this was asked last?
    pub(super) fn take_restored(&mut self) -> bool {
        std::mem::take(&mut self.restored)
    }

    /// Begins a tick with what has been queued; `None` if the map has not changed.
    fn begin_tick(
        &mut self,
        entity: Entity,
        settings: Option<PursuitSettings>,
    ) -> Option<MapChanged> {
        self.edits.extend(self.inbox.try_iter());
        let mut edits = std::mem::take(&mut self.cells);
        edits.clear();
        edits.extend(self.edits.iter().filter_map(|&(at, passable)| {
            let cell = self.cell(at)?;
            Some(TileEdit { cell, passable })
        }));
        self.edits.clear();
        let rebuilt = std::mem::take(&mut self.rebuilt);
        let world = self.world.as_mut()?;
        if let Some(settings) = settings {
            world.set_settings(settings);
            self.has_old_settings = false;
        }
        world.begin_tick(&edits);
        self.cells = edits;
        let delta = world.delta();
        (rebuilt || !delta.is_empty()).then(|| MapChanged {
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
pub(super) fn begin_tick(
    mut maps: Query<(Entity, &mut PursuitMap)>,
    settings: Res<PursuitSettings>,
    mut changes: MessageWriter<MapChanged>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        for (entity, mut map) in &mut maps {
            // Edits wait until there is a map.
            if map.bypass_change_detection().playing_mut().is_none() {
                continue;
            }
            let is_new = settings.is_changed() || map.rebuilt || map.has_old_settings;
            let settings = is_new.then(|| settings.clone());
            let change = map.bypass_change_detection().begin_tick(entity, settings);
            if change.is_some() {
                map.set_changed();
            }
            changes.write_batch(change);
        }
    });
}
