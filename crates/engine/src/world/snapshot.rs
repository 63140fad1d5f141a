//! Snapshots: the whole state of a world, for saved games and rollback.

use super::agent::AgentRecord;
use super::barred::BarredCells;
use super::grounds::Grounds;
use super::hazards::Hazards;
use super::ladder::saved_endgames::SavedLocalEndgames;
use super::members::Members;
use super::planning::SavedPlanning;
use super::settings::PursuitSettings;
use crate::abstraction::Maintenance;
use crate::graph::Graph;
use crate::table_cache::{SavedTables, TableCacheError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of the format.
pub(super) const VERSION: u32 = 25;

/// The whole state of a [`PursuitWorld`](super::PursuitWorld), for save games and for rollback. A world that is
/// [restored](super::PursuitWorld::restore) from a snapshot continues exactly as the original does, bit for
/// bit, if both get the same budgets in [expansions](super::TickBudget::Expansions), the same edits and
/// the same tables as assets.
///
/// A snapshot contains the current map with its abstraction (some 60 bytes per vertex), the agents with
/// their plans, and a list of the known tables, but not the tables themselves. Any serde format works; a
/// binary one is smaller.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    pub(super) version: u32,
    pub(super) settings: PursuitSettings,
    pub(super) tick: u64,
    pub(super) graph: Graph,
    pub(super) maintenance: Maintenance,
    pub(super) grounds: Grounds,
    pub(super) hazards: Hazards,
    pub(super) barred: BarredCells,
    pub(super) members: Members,
    pub(super) planning: SavedPlanning,
    pub(super) tables: SavedTables,
    // The field of a rung, which the rung fills.
    pub(super) endgames: SavedLocalEndgames,
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

impl Snapshot {
    /// The tick after which the snapshot was taken.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The agents, in the order of their ids. A game spawns an entity for each before it restores the snapshot;
    /// [`AgentSetup::user`](super::AgentSetup::user) is the name that it had given the agent.
    pub fn agents(&self) -> impl Iterator<Item = &AgentRecord> {
        self.members.iter().map(|(_, agent)| agent)
    }

    /// The snapshot without its knowledge of tables, for a save that is damaged there
    /// ([`SnapshotError::Tables`]). Tables are requested anew, so the game does not continue bit for
    /// bit.
    #[must_use]
    pub fn without_tables(self) -> Self {
        let tables = SavedTables::none(self.tick);
        Self { tables, ..self }
    }
}
