//! The map in play: its world, and the edits of its tiles.

use crate::coordinates::Coordinates;
use crate::map_status::MapStatus;
use crate::share::Share;
use crate::tile_edits::{EditQueue, TileEdit, TileEdits};
use crate::work_timer::WorkTimer;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, TileMap};
use pursuit_engine::world::PursuitSettings;
use pursuit_engine::world::{
    Hazard, HazardError, MapLoader, PursuitWorld, Snapshot, SnapshotError,
};
use std::time::Duration;

/// A map in play: its tiles as they are now, and the world that plays on it. The plugin adds it to each
/// [`PursuitMap`](super::PursuitMap).
///
/// The game asks it about the map ([`is_passable`](Self::is_passable), [`path`](Self::path), [`sees`](Self::sees)), edits its
/// tiles ([`set_passable`](Self::set_passable)), and saves it ([`snapshot`](Self::snapshot)).
#[derive(Component, Debug)]
#[component(clone_behavior = Ignore)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about the time since the last tick"
)]
pub struct LiveMap {
    moves: Moves,
    /// The position of the bottom left tile.
    origin: IVec2,
    /// Whether it follows the tiles of a layer.
    pub(super) follows_layer: bool,
    world: Option<PursuitWorld>,
    /// The map that is being read or built.
    coming: Coming,
    /// The part of the budget of this tick for reading and building.
    pub(super) share: Share,
    edits: EditQueue,
    /// Edits from anywhere, which follow those of the game's systems.
    outside: TileEdits,
    /// The edits of a tick; kept to reuse its memory.
    cells: Vec<MapEdit>,
    /// Whether the map was replaced since the last tick.
    rebuilt: bool,
    /// Whether a tick has begun and not ended. A restored world has none.
    is_in_tick: bool,
    /// Whether it became ready by a snapshot, which nobody has been told yet.
    is_announced_late: bool,
    /// The time of the schedule at its last tick.
    ticked_at: Option<Duration>,
    /// The number of its ticks, including those before a restore.
    ticks_run: u64,
    /// Whether its settings are those of a snapshot, or of before it was read, built again or enabled.
    has_old_settings: bool,
    /// Whether its world has received the loaded tables.
    has_assets: bool,
    /// Whether the endgames that the game has named were not loaded in the last tick.
    pub(super) misses_shapes: bool,
}

/// A map that is not ready.
#[derive(Debug, Default)]
enum Coming {
    #[default]
    None,
    /// A layer of this size is being read.
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

impl Default for LiveMap {
    fn default() -> Self {
        Self::of(Moves::default(), None)
    }
}

impl LiveMap {
    /// A live map that is still to be read or built: of these tiles, with the position of the bottom left one, or of a layer.
    pub(super) fn of(moves: Moves, given: Option<(TileMap, IVec2)>) -> Self {
        let mut live = Self {
            moves,
            origin: IVec2::ZERO,
            follows_layer: true,
            world: None,
            coming: Coming::None,
            share: Share::default(),
            edits: EditQueue::default(),
            outside: TileEdits::default(),
            cells: Vec::new(),
            rebuilt: false,
            is_in_tick: false,
            is_announced_late: false,
            ticked_at: None,
            ticks_run: 0,
            has_old_settings: false,
            has_assets: false,
            misses_shapes: false,
        };
        if let Some((tiles, origin)) = given {
            live.follows_layer = false;
            live.origin = origin;
            live.build(tiles);
        }
        live
    }

    /// The world that makes the decisions, once there is a map. While [another map](MapStatus) is being
    /// read or built, this is the world of the previous map, and it is paused.
    #[must_use]
    pub const fn world(&self) -> Option<&PursuitWorld> {
        self.world.as_ref()
    }

    /// Makes a tile passable or a wall, from the next [`Sync`](super::PursuitSystems::Sync) on. Tiles
    /// off the map are ignored.
    ///
    /// Change a map that follows a layer through the tiles of the layer instead: this edit lasts only
    /// until the tile changes.
    pub fn set_passable(&mut self, at: IVec2, passable: bool) {
        self.edit(TileEdit::Passable { at, passable });
    }

    /// Changes a tile, an edge, a link or what is seen, from the next [`Sync`](super::PursuitSystems::Sync) on. Agents plan
    /// with it, and exact tables are solved for it. A table of the map as it was before is not used.
    ///
    /// What names tiles off the map is ignored. So is an edge between tiles that do not share a side, and a link from a tile
    /// to itself; both with a warning. These changes last until the map is replaced: after
    /// [`MapStatus::Ready`](super::MapStatus), make them again.
    pub fn edit(&mut self, edit: TileEdit) {
        self.edits.push(edit);
    }

    /// Opens or closes a link in both directions: a tunnel, stairs, a pair of teleporters. See [`edit`](Self::edit).
    pub fn set_link(&mut self, a: IVec2, b: IVec2, open: bool) {
        for (from, to) in [(a, b), (b, a)] {
            self.edit(TileEdit::Link { from, to, open });
        }
    }

    /// Builds or removes a thin wall between two tiles that share a side. See [`edit`](Self::edit).
    pub fn set_wall(&mut self, a: IVec2, b: IVec2, stands: bool) {
        for (from, to) in [(a, b), (b, a)] {
            let open = !stands;
            self.edit(TileEdit::Edge { from, to, open });
        }
    }

    /// Makes a tile deadly for a time: the blast of a bomb, a fire, a train. Agents know from now on; see
    /// [`Hazard`]. The time
    /// begins `after` ticks from now, with 0 in the next tick, and lasts for `lasts` ticks. An agent that is there all the same
    /// is [`Struck`](super::Struck).
    ///
    /// Hazards last as long as the map; a map that is read again has none.
    ///
    /// # Errors
    /// If the tile is off the map, `lasts` is 0, or there is no map yet.
    pub fn add_hazard(
        &mut self,
        at: IVec2,
        after: u32,
        lasts: u32,
        kinds: Kinds,
    ) -> Result<(), HazardError> {
        let cell = self.cell(at);
        let off_the_map = HazardError::OffTheMap {
            cell: Cell::new(u16::MAX, u16::MAX),
        };
        let (Some(world), Some(cell)) = (&mut self.world, cell) else {
            return Err(off_the_map);
        };
        let from = world.tick() + 1 + u64::from(after);
        world.add_hazard(Hazard {
            cell,
            from,
            until: from + u64::from(lasts),
            kinds,
        })
    }

    /// Ends what makes a tile deadly: the fire is out. Returns whether it was.
    pub fn remove_hazards(&mut self, at: IVec2) -> bool {
        let cell = self.cell(at);
        let world = self.world.as_mut();
        cell.zip(world)
            .is_some_and(|(cell, world)| world.remove_hazards(cell))
    }

    /// A handle that edits tiles from anywhere: tasks, threads, observers without `&mut` access.
    ///
    /// Edits arrive in the order in which threads send them. For repeatable runs, use
    /// [`set_passable`](Self::set_passable).
    #[must_use]
    pub fn edits(&self) -> TileEdits {
        self.outside.clone()
    }

    /// Whether an agent can stand on the tile now, of whatever kinds: see [`is_passable_for`](Self::is_passable_for). `false`
    /// off the map and while there is no map.
    #[must_use]
    pub fn is_passable(&self, at: IVec2) -> bool {
        let is_passable = |cell| match (&self.coming, &self.world) {
            (Coming::Built(loader), _) => loader.map().is_passable(cell),
            (_, Some(world)) => world.graph().is_floor(cell),
            _ => false,
        };
        self.cell(at).is_some_and(is_passable)
    }

    /// How far loading has come.
    #[must_use]
    pub const fn status(&self) -> MapStatus {
        match (&self.coming, &self.world) {
            (Coming::Read { .. }, _) => MapStatus::Reading,
            (Coming::Built(_), _) => MapStatus::Building,
            (Coming::None, Some(_)) => MapStatus::Ready,
            (Coming::None, None) => MapStatus::Empty,
        }
    }

    /// Columns and rows, even of a map that is not ready.
    fn size(&self) -> (u16, u16) {
        match (&self.coming, &self.world) {
            (&Coming::Read { width, height }, _) => (width, height),
            (Coming::Built(loader), _) => (loader.map().width(), loader.map().height()),
            (Coming::None, Some(world)) => (world.graph().width(), world.graph().height()),
            (Coming::None, None) => (0, 0),
        }
    }

    /// The cell of a position. `None` off the map and while there is no map.
    #[must_use]
    pub fn cell(&self, at: IVec2) -> Option<Cell> {
        self.coordinates().cell(at)
    }

    /// The position of a cell.
    #[must_use]
    pub fn position(&self, cell: Cell) -> IVec2 {
        self.coordinates().position(cell)
    }

    /// The coordinates of the map, even of one that is not ready.
    fn coordinates(&self) -> Coordinates {
        let (columns, rows) = self.size();
        Coordinates::new(self.origin, columns, rows)
    }

    /// The world, if it is in play.
    pub(super) fn playing_mut(&mut self) -> Option<&mut PursuitWorld> {
        self.world
            .as_mut()
            .filter(|_| matches!(self.coming, Coming::None))
    }

    /// The world, if it is in play and in the middle of a tick.
    pub(super) fn in_tick_mut(&mut self) -> Option<&mut PursuitWorld> {
        self.is_in_tick.then(|| self.playing_mut()).flatten()
    }

    /// Ends the tick.
    pub(super) const fn end_tick(&mut self) {
        self.is_in_tick = false;
    }

    /// Whether a map is being read or built.
    pub(super) const fn is_loading(&self) -> bool {
        !matches!(self.coming, Coming::None)
    }

    pub(super) fn world_mut(&mut self) -> Option<&mut PursuitWorld> {
        self.world.as_mut()
    }

    /// Whether edits are queued for the next tick.
    #[cfg(feature = "tilemap")]
    pub(super) fn has_edits(&self) -> bool {
        !self.edits.is_empty() || !self.outside.queue().is_empty()
    }

    /// Whether there is a map to build, or one that was restored is to be announced.
    pub(super) const fn has_to_build(&self) -> bool {
        matches!(self.coming, Coming::Built(_)) || self.is_announced_late
    }

    /// The steps that agents can take.
    #[cfg(feature = "tilemap")]
    pub(super) const fn moves(&self) -> Moves {
        self.moves
    }

    /// Starts reading a layer of this size with these moves.
    #[cfg(feature = "tilemap")]
    pub(super) fn read(&mut self, width: u16, height: u16, moves: Moves) {
        self.moves = moves;
        self.coming = Coming::Read { width, height };
        // Announced when it has been read and built.
        self.is_announced_late = false;
    }

    /// Starts building another map.
    pub(super) fn build(&mut self, map: TileMap) {
        self.coming = Coming::Built(Box::new(MapLoader::new(map, self.moves)));
    }

    /// Continues building the map within its share of the tick. Returns whether it became ready.
    pub(super) fn build_on(&mut self) -> bool {
        let Coming::Built(loader) = &mut self.coming else {
            return std::mem::take(&mut self.is_announced_late);
        };
        // A game restored before its layer was read continues from the snapshot.
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
                Some(_) if is_known => {
                    // The saved game had the whole budget in this tick.
                    self.share.take_spent();
                }
                Some(world) => world.take_map(*loader),
                None => self.world = Some(loader.finish(PursuitSettings::default())),
            }
        }
        self.rebuilt |= !is_known;
        true
    }

    /// The coordinates of agents. While a map of another size is loading, agents are still on the previous one.
    pub(super) fn coordinates_of_agents(&self) -> Coordinates {
        let world = self.world.as_ref();
        world.map_or_else(
            || self.coordinates(),
            |world| Coordinates::new(self.origin, world.graph().width(), world.graph().height()),
        )
    }

    /// The position of an agent on a cell.
    pub(super) fn position_of_agent(&self, cell: Cell) -> IVec2 {
        self.coordinates_of_agents().position(cell)
    }

    /// The cell of an agent's position, even off the map: see [`Coordinates::cell_or_beside`].
    pub(super) fn cell_or_beside(&self, at: IVec2) -> Cell {
        self.coordinates_of_agents().cell_or_beside(at)
    }

    /// The number of ticks that the map has been in play.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.world.as_ref().map_or(0, PursuitWorld::tick)
    }

    /// A hash of the positions and moves of all agents: two runs with equal hashes in every tick are the
    /// same run. 0 while there is no map.
    #[must_use]
    pub fn position_hash(&self) -> u64 {
        self.world.as_ref().map_or(0, PursuitWorld::position_hash)
    }

    /// The first tick at which chases on this map depend on how fast tables are solved: a table was
    /// late, as announced by [`TableStatus::Late`](super::tables::TableStatus::Late), or tables are used as soon
    /// as they are ready. Or on when a file was loaded: tables, endgames or settings came while agents played.
    /// `None` while the run is repeatable, for which the budget has to be in expansions as well. It is part of
    /// a [`snapshot`](Self::snapshot).
    #[must_use]
    pub fn diverged_at(&self) -> Option<u64> {
        self.world.as_ref()?.diverged_at()
    }

    /// The whole state of the chases on this map, for saved games and rollback. `None` while there is no
    /// map. Take it between two runs of the plugin's schedule. While a map is being
    /// [replaced](super::MapStatus), it is the state of the previous map.
    #[must_use]
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.world.as_ref().map(PursuitWorld::snapshot)
    }

    /// Returns its world to a snapshot. Nothing changes if that fails. Agents for which `entity_of` returns nothing, or an
    /// entity for the second time, are dropped.
    pub(super) fn restore(
        &mut self,
        snapshot: Snapshot,
        mut entity_of: impl FnMut(Entity) -> Option<Entity>,
    ) -> Result<(), SnapshotError> {
        let was_ready = self.status() == MapStatus::Ready;
        let before = self.world.as_ref().map(|world| world.graph().fingerprint());
        match &mut self.world {
            Some(world) => world.restore(snapshot)?,
            None => self.world = Some(PursuitWorld::from_snapshot(snapshot)?),
        }
        if !self.follows_layer {
            self.coming = Coming::None;
        }
        if self.status() == MapStatus::Ready {
            let after = self.world.as_ref().map(|world| world.graph().fingerprint());
            self.rebuilt |= !was_ready || before != after;
            self.is_announced_late |= !was_ready;
        }
        // The tiles of a layer that is being built count, with all edits since it was read.
        if !(self.follows_layer && self.is_loading()) {
            self.edits.clear();
            self.outside.queue().clear();
        }
        self.is_in_tick = false;
        let Some(world) = &mut self.world else {
            return Ok(());
        };
        let agents: Vec<_> = world
            .agents()
            .map(|(id, agent)| (id, agent.setup().user, agent.setup().quarry))
            .collect();
        let mut taken = EntityHashSet::default();
        for (id, user, quarry) in agents {
            let entity = Entity::try_from_bits(user).and_then(&mut entity_of);
            let quarry = quarry.and_then(|quarry| entity_of(Entity::try_from_bits(quarry)?));
            match entity.filter(|&entity| taken.insert(entity)) {
                Some(entity) => world.change(id, |setup| {
                    setup.user = entity.to_bits();
                    setup.quarry = quarry.map(Entity::to_bits);
                }),
                None => {
                    world.erase(id);
                }
            }
        }
        world.rename_traces(|user| Some(entity_of(Entity::try_from_bits(user)?)?.to_bits()));
        self.has_old_settings = true;
        Ok(())
    }

    /// Notes that the map may have missed changes of the settings.
    pub(super) const fn note_old_settings(&mut self) {
        self.has_old_settings = true;
    }

    /// Whether the loaded tables still have to be given to a new world.
    pub(super) fn wants_assets(&self) -> bool {
        self.world.is_some() && !self.has_assets
    }

    pub(super) fn note_assets(&mut self) {
        self.has_assets |= self.world.is_some();
    }

    /// The number of its ticks, which no restore takes back.
    pub(super) const fn ticks_run(&self) -> u64 {
        self.ticks_run
    }

    /// Whether its last tick was in the run of the schedule that is at this time. Otherwise it rests.
    pub(super) fn ticked_at(&self, now: Duration) -> bool {
        self.ticked_at == Some(now)
    }

    /// Begins a tick with the queued edits. Returns `None` if the map has not changed.
    fn begin_tick(
        &mut self,
        entity: Entity,
        settings: Option<PursuitSettings>,
    ) -> Option<MapChanged> {
        let mut edits = std::mem::take(&mut self.cells);
        edits.clear();
        let mut queued = std::mem::take(&mut self.edits);
        let mut outside = self.outside.queue();
        let coordinates = self.coordinates();
        let (columns, rows) = self.size();
        let all = queued.drain().chain(outside.drain());
        edits.extend(all.filter_map(|edit| {
            let found = edit.on(coordinates)?;
            let fits = found.fits_with(columns, rows, self.moves);
            if !fits {
                warn!("map {entity}: ignored {edit:?}, which joins no two tiles that it can join");
            }
            fits.then_some(found)
        }));
        drop(outside);
        self.edits = queued;
        let rebuilt = std::mem::take(&mut self.rebuilt);
        let world = self.world.as_mut()?;
        if let Some(settings) = settings {
            world.set_settings(settings);
            self.has_old_settings = false;
        }
        world.begin_tick_with(&edits);
        self.ticks_run += 1;
        self.is_in_tick = true;
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

/// Tiles of a map have become passable or walls. Sent at most once for each map and tick.
#[derive(Message, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapChanged {
    /// The entity of the map.
    pub map: Entity,
    /// The number of tiles that became passable.
    pub opened: usize,
    /// The number of tiles that became walls.
    pub closed: usize,
    /// Whether the whole map is new. The numbers then count only edits on top of it.
    pub rebuilt: bool,
}

/// Applies queued edits and begins a tick of every map. The live map changes only here.
pub(super) fn begin_tick(
    mut maps: Query<(Entity, &mut LiveMap)>,
    settings: Res<PursuitSettings>,
    time: Option<Res<Time>>,
    mut changes: MessageWriter<MapChanged>,
    timer: WorkTimer,
) {
    timer.time(|| {
        for (entity, mut map) in &mut maps {
            // Edits and settings wait until the map is ready.
            if map.bypass_change_detection().playing_mut().is_none() {
                map.bypass_change_detection().has_old_settings |= settings.is_changed();
                continue;
            }
            map.bypass_change_detection().ticked_at = time.as_ref().map(|time| time.elapsed());
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
