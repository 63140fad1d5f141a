//! Snapshots: the whole state of a world, for saved games and rollback.

use super::agent::{AgentRecord, LAST_TICK};
use super::ladder::{SavedExact, SavedLocalEndgames};
use super::members::Members;
use super::planning::{Planning, SavedPlanning};
use super::targets::Targets;
use super::tick_events::TickEvents;
use super::{PursuitSettings, PursuitWorld};
use crate::abstraction::Maintenance;
use crate::graph::{Graph, GraphDelta, Vertex};
use crate::table_cache::{SavedTables, TableCacheError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of the format.
const VERSION: u32 = 15;

/// The whole state of a [`PursuitWorld`], for save games and for rollback. A world that is
/// [restored](PursuitWorld::restore) from a snapshot continues exactly as the original does, bit for
/// bit, if both get the same budgets in [expansions](super::TickBudget::Expansions), the same edits and
/// the same tables as assets.
///
/// A snapshot contains the current map with its abstraction (some 60 bytes per vertex), the agents with
/// their plans, and a list of the known tables, but not the tables themselves. Any serde format works; a
/// binary one is smaller.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    version: u32,
    settings: PursuitSettings,
    tick: u64,
    pub(super) graph: Graph,
    // The field keeps its old name in saved games.
    #[serde(rename = "follower")]
    maintenance: Maintenance,
    members: Members,
    planning: SavedPlanning,
    tables: SavedTables,
    // The fields of rungs, which the rungs fill.
    pub(super) endgames: SavedLocalEndgames,
    pub(super) exact: SavedExact,
}

/// The reason why a snapshot cannot be restored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The snapshot has another version of the format.
    #[error("snapshot of version {found}, expected {VERSION}")]
    Version {
        /// The version of the snapshot.
        found: u32,
    },
    /// The parts of the snapshot do not fit together.
    #[error("damaged snapshot: {0}")]
    Damaged(&'static str),
    /// The part about tables is damaged. [`Snapshot::without_tables`] restores the rest.
    #[error("damaged snapshot: {0}")]
    Tables(#[from] TableCacheError),
}

impl PursuitWorld {
    /// The whole state. Call it between two ticks.
    ///
    /// Cost: a copy of everything except tables.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let board = &self.board;
        let mut members = board.members.clone();
        members.tidy();
        members.doubt_plans(&mut TickEvents::default());
        let mut snapshot = Snapshot {
            version: VERSION,
            settings: board.settings.clone(),
            tick: board.tick,
            graph: board.graph.clone(),
            maintenance: board.maintenance.clone(),
            members,
            planning: self.planning.save(board),
            tables: self.cache.save(),
            endgames: SavedLocalEndgames::default(),
            exact: SavedExact::default(),
        };
        for rung in self.ladder.rungs.list() {
            rung.save(&mut snapshot);
        }
        snapshot
    }

    /// A world from a snapshot. Tables that were in memory are [requested](Self::next_request) again.
    /// Until they arrive the world plays without them and reports that the run is not
    /// [repeatable](Self::diverged_at); in lockstep the next tick [waits](Self::overdue) for them.
    ///
    /// # Errors
    /// If the snapshot has another version or is damaged.
    pub fn from_snapshot(snapshot: Snapshot) -> Result<Self, SnapshotError> {
        snapshot.check()?;
        let (graph, maintenance) = (snapshot.graph.clone(), snapshot.maintenance.clone());
        let mut world = Self::on(
            graph,
            maintenance,
            Planning::new(),
            snapshot.settings.clone(),
        );
        world.restore(snapshot)?;
        Ok(world)
    }

    /// Goes back to a snapshot of this world or another one. Tables in memory are kept.
    ///
    /// # Errors
    /// As [`from_snapshot`](Self::from_snapshot); the world then stays as it is.
    pub fn restore(&mut self, snapshot: Snapshot) -> Result<(), SnapshotError> {
        snapshot.check()?;
        // The settings decide which tables are allowed.
        let mut cache = self.cache.clone();
        cache.set_settings(snapshot.settings.tables);
        cache.restore_on(&snapshot.tables, &snapshot.graph, &snapshot.maintenance)?;
        self.cache = cache;
        let board = &mut self.board;
        for rung in self.ladder.rungs.list_mut() {
            rung.restore(&snapshot);
        }
        board.settings = snapshot.settings;
        board.tick = snapshot.tick;
        board.graph = snapshot.graph;
        board.maintenance = snapshot.maintenance;
        board.members = snapshot.members;
        for pursuit in board.members.pursuits_mut() {
            pursuit.sort_knowledge();
        }
        board.delta = GraphDelta::default();
        board.events.list.clear();
        board.targets = Targets::default();
        self.planning = Planning::new();
        self.planning.restore(snapshot.planning, board);
        self.note_turn_length();
        Ok(())
    }
}

impl Snapshot {
    /// The tick after which the snapshot was taken.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The snapshot without its knowledge of tables, for a save that is damaged there
    /// ([`SnapshotError::Tables`]). Tables are requested anew, so the game does not continue bit for
    /// bit.
    #[must_use]
    pub fn without_tables(self) -> Self {
        let tables = SavedTables::none(self.tick);
        Self { tables, ..self }
    }

    /// Checks that every reference in it is valid.
    fn check(&self) -> Result<(), SnapshotError> {
        if self.version != VERSION {
            return Err(SnapshotError::Version {
                found: self.version,
            });
        }
        let expect = |is_so: bool, what| is_so.then_some(()).ok_or(SnapshotError::Damaged(what));
        expect(self.tick < LAST_TICK, "tick")?;
        self.members
            .check(LAST_TICK)
            .map_err(SnapshotError::Damaged)?;
        expect(self.maintenance.check(&self.graph).is_ok(), "abstraction")?;
        let slots = self.graph.slots();
        let is_there = |vertex: &Vertex| vertex.index() < slots;
        let are_sound = self.members.iter().all(|(_, agent)| {
            let plan = &agent.plan;
            let from = plan.is_made.then_some(&plan.from);
            let vertices = agent.way.iter().chain(&agent.ordered);
            let vertices = vertices.chain(&plan.path).chain(from);
            let mut vertices = vertices.chain(&agent.turned_at);
            vertices.all(is_there) && agent.is_in_time() && agent.pressure.is_sound()
        });
        expect(are_sound, "plan of an agent")?;
        expect(self.endgames.is_sound(slots), "endgames")?;
        expect(self.exact.is_sound(slots, self.tick), "exact position")?;
        expect(self.planning.is_sound(slots, LAST_TICK), "search under way")
    }
}

impl AgentRecord {
    fn is_in_time(&self) -> bool {
        self.departs < LAST_TICK && self.arrives < LAST_TICK && self.plan.made < LAST_TICK
    }
}
