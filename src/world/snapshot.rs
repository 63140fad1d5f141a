//! The whole state of a world, to go on from later.

use super::agent::Agent;
use super::planner::{Job, Planner};
use super::pursuit::Pursuit;
use super::roster::Roster;
use super::view::Position;
use super::{PursuitSettings, PursuitWorld};
use crate::abstraction::Follower;
use crate::graph::{Graph, Vertex};
use crate::table_cache::SavedTables;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of the format.
const VERSION: u32 = 1;
/// Ticks beyond this are none of ours: at 64 a second it takes two thousand million years.
const LAST_TICK: u64 = 1 << 62;

/// The whole state of a [`PursuitWorld`], for save games and for rollback: a world that is
/// [restored](PursuitWorld::restore) from it goes on as the one it was taken of, to the bit, if both get
/// the same budgets in [expansions](super::TickBudget::Expansions), the same edits and the same tables as
/// assets.
///
/// It has the map as it is, with its abstraction (some 60 bytes a vertex), the agents with their plans,
/// and which tables are known, but not the tables. Any serde format will do; a binary one is smaller.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    version: u32,
    settings: PursuitSettings,
    tick: u64,
    graph: Graph,
    follower: Follower,
    roster: Roster,
    pursuits: Vec<Pursuit>,
    founded: u64,
    job: Option<Job>,
    position: Position,
    slices: Vec<u32>,
    begun: u64,
    tables: SavedTables,
}

/// Why a snapshot cannot be restored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It is of another version of the format.
    #[error("snapshot of version {found}, expected {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// Its parts do not fit together.
    #[error("damaged snapshot: {0}")]
    Damaged(&'static str),
}

impl PursuitWorld {
    /// The whole state. To be taken between two ticks.
    ///
    /// Cost: a copy of everything but tables.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            version: VERSION,
            settings: self.settings.clone(),
            tick: self.tick,
            graph: self.graph.clone(),
            follower: self.follower.clone(),
            roster: self.roster.clone(),
            pursuits: self.pursuits.clone(),
            founded: self.founded,
            job: self.planner.job,
            position: self.planner.position.clone(),
            slices: self.planner.slices.clone(),
            begun: self.planner.begun,
            tables: self.tables.save(),
        }
    }

    /// A world from a snapshot. Tables that were in memory then are asked for
    /// ([`next_request`](Self::next_request)) and have to be there before the next tick goes on
    /// ([`overdue`](Self::overdue)).
    ///
    /// # Errors
    /// If it is of another version, or damaged.
    pub fn from_snapshot(snapshot: Snapshot) -> Result<Self, SnapshotError> {
        snapshot.check()?;
        let mut world = Self::on(snapshot.graph.clone(), snapshot.settings.clone());
        world.restore(snapshot)?;
        Ok(world)
    }

    /// Goes back to a snapshot, of this world or of another one. Tables that are in memory are kept.
    ///
    /// # Errors
    /// As [`from_snapshot`](Self::from_snapshot); the world stays as it is then.
    pub fn restore(&mut self, snapshot: Snapshot) -> Result<(), SnapshotError> {
        snapshot.check()?;
        // Which tables there may be is said by the settings.
        let mut tables = self.tables.clone();
        tables.set_settings(snapshot.settings.tables);
        tables
            .restore(&snapshot.tables)
            .map_err(|_| SnapshotError::Damaged("tables"))?;
        self.tables = tables;
        self.settings = snapshot.settings;
        self.tick = snapshot.tick;
        self.graph = snapshot.graph;
        self.follower = snapshot.follower;
        self.roster = snapshot.roster;
        self.pursuits = snapshot.pursuits;
        self.founded = snapshot.founded;
        self.planner = Planner::new();
        self.planner.job = snapshot.job;
        self.planner.position = snapshot.position;
        self.planner.slices = snapshot.slices;
        self.planner.begun = snapshot.begun;
        self.resume_job();
        self.events.clear();
        Ok(())
    }
}

impl Snapshot {
    /// The tick after which it was taken.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Does everything in it refer to something that is there?
    fn check(&self) -> Result<(), SnapshotError> {
        if self.version != VERSION {
            return Err(SnapshotError::Version {
                found: self.version,
            });
        }
        let expect = |is_so: bool, what| is_so.then_some(()).ok_or(SnapshotError::Damaged(what));
        expect(self.tick < LAST_TICK, "tick")?;
        expect(self.founded < LAST_TICK, "number of pursuits")?;
        expect(self.follower.check(&self.graph).is_ok(), "abstraction")?;
        expect(self.roster.is_sound(), "agents")?;
        let slots = self.graph.slots();
        let is_there = |vertex: &Vertex| vertex.index() < slots;
        let agents = self.roster.iter().all(|(_, agent)| {
            let plan = &agent.plan;
            let mut vertices = agent.way.iter().chain(&plan.path).chain([&plan.from]);
            vertices.all(is_there) && agent.is_in_time()
        });
        expect(
            agents || self.roster.iter().next().is_none(),
            "plan of an agent",
        )?;
        let sorted = self
            .pursuits
            .windows(2)
            .all(|two| two[0].number < two[1].number);
        expect(sorted, "order of pursuits")?;
        let in_time = |p: &Pursuit| p.ends < LAST_TICK && p.began < LAST_TICK && p.turn < LAST_TICK;
        expect(self.pursuits.iter().all(in_time), "time of a pursuit")?;
        expect(self.position.is_within(slots), "search under way")
    }
}

impl Agent {
    fn is_in_time(&self) -> bool {
        self.departs < LAST_TICK && self.arrives < LAST_TICK && self.plan.made < LAST_TICK
    }
}

impl Position {
    fn is_within(&self, slots: usize) -> bool {
        let agents = self.robber.iter().chain(&self.cops).map(|agent| agent.at);
        let runners = self.robber_runner.iter().chain(&self.runners);
        let walk = self.walk.iter().flat_map(|&(from, to)| [from, to]);
        let mut all = agents.chain(runners.map(|runner| runner.at)).chain(walk);
        all.all(|at| at.index() < slots) && self.ids.len() <= self.cops.len()
    }
}
