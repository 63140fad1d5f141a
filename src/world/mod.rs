//! [`PursuitWorld`]: one live map, all agents on it, and everything that decides.
//!
//! The world plays the game a tick at a time. It knows no clock and no thread: what time there is for
//! plans a [`Meter`] says, and tables are solved by whoever asks for [requests](TableCache::next_request).
//! With a budget in [expansions](TickBudget::Expansions) a run is a function of the map, the settings and
//! what the game does, on every machine; a [`Snapshot`] continues it to the bit.
//!
//! # A tick
//!
//! The file `tick.rs` shows a whole tick in order.
//!
//! 1. [`begin_tick`](PursuitWorld::begin_tick): edits change the map at once. Ways that lead into a new
//!    wall are cut, and plans whose footprint was touched are invalidated.
//! 2. [`arrive`](PursuitWorld::arrive): who is due arrives; captures are found.
//! 3. [`decide`](PursuitWorld::decide): the abstraction is repaired. For each pursuit of which somebody is due
//!    come senses, plans, choices and orders, first of the cops together, then of each robber. What is
//!    left of the budget goes into plans for turns to come. Where everybody will be then is known as soon
//!    as a turn has begun, so that the work of a turn is spread over the ticks of the one before.
//!
//! # Turns and steps
//!
//! In turns all members of a pursuit set out when a turn begins, and arrive when it ends. On the free
//! running clock each sets out when it arrives. Either way an agent chooses at the tick at which it
//! arrives, and at no other: who joins, changes or is put elsewhere in the middle of a turn has an
//! arrival of its own, until it keeps time with the others.
//!
//! # The ladder
//!
//! A move comes from the best of these that there is, each a rung in a file of its own below `ladder/`: an
//! exact table of the map as it is now; a table of a game that is only alike, as a guide; a plan whose
//! footprint no edit has touched; an older plan as far as it is legal; a walk in search of a robber that is
//! out of sight; a greedy step. Never none, never an illegal one, never late. A rung looks at one scene, in
//! which nothing changes while it thinks, and writes a way or says why it has none. Orders are written into
//! agents in one place only (`orders.rs`).
//!
//! # Who owns what
//!
//! `Board` has the facts: the live map with its abstraction, the members, the time, the events of the tick.
//! `Planning` has the searches and who waits for one, `Tables` the exact tables. Those who decide only read
//! the board.

mod agent;
mod board;
mod budget;
mod choices;
mod company;
mod control;
mod event;
mod hash;
mod inspect;
mod ladder;
mod loading;
mod members;
mod moves;
mod orders;
mod plan;
mod planning;
mod pursuit;
mod repairs;
mod roster;
mod senses;
mod settings;
mod sightings;
mod situation;
mod snapshot;
mod state;
mod tables;
mod tick;
mod tick_events;

pub use agent::{AgentId, AgentRecord, AgentSetup, Catch, Control};
pub use budget::{Expansions, Meter, TickBudget};
pub use event::{Decisions, TickReport, WorldEvent};
pub use inspect::TableValues;
pub use loading::MapLoader;
pub use pursuit::{PursuitRecord, PursuitSetup};
pub use settings::{PursuitClock, PursuitSettings, RobberPlanner, Tactics};
pub use sightings::{Sighting, Sightings, search_goal, search_radius};
pub use snapshot::{Snapshot, SnapshotError};
pub use state::{DecidedBy, FreeFor, IdleReason, PursuitState, Reason};

use crate::abstraction::{Hierarchy, Maintenance};
use crate::graph::{Graph, GraphDelta};
use crate::map::{Cell, Moves, TileMap};
use crate::table::Solution;
use crate::table_cache::{
    SolveFailure, TableCache, TableKey, TableRequest, TableUrgency, TickPace,
};
use board::Board;
use choices::Chooser;
use orders::Orders;
use planning::Planning;
use tables::Tables;

/// One live map, all agents on it, and everything that decides.
#[derive(Debug)]
pub struct PursuitWorld {
    /// The facts: the map, the members, the time.
    board: Board,
    planning: Planning,
    tables: Tables,
    chooser: Chooser,
    orders: Orders,
    /// Memory that ticks use again: pursuits that are due, and where cops stand.
    due: Vec<(u32, usize)>,
    captures: Vec<(Cell, AgentId)>,
}

impl PursuitWorld {
    /// A world on a map, at once: near-linear in the number of cells, see [`Hierarchy::new`]. Use a
    /// [`MapLoader`] for a large map that must not take a frame.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves, settings: PursuitSettings) -> Self {
        MapLoader::new(map.clone(), moves).finish(settings)
    }

    fn on(
        graph: Graph,
        maintenance: Maintenance,
        planning: Planning,
        settings: PursuitSettings,
    ) -> Self {
        Self {
            tables: Tables::new(TableCache::new(settings.tables)),
            board: Board::new(graph, maintenance, settings),
            planning,
            chooser: Chooser::default(),
            orders: Orders::default(),
            due: Vec::new(),
            captures: Vec::new(),
        }
    }

    /// The map as it is now.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.board.graph
    }

    /// Its abstraction, unless edits are still to be worked into it.
    #[must_use]
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.board.hierarchy()
    }

    /// The ticks that have begun.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.board.tick
    }

    /// What the world goes by.
    #[must_use]
    pub const fn settings(&self) -> &PursuitSettings {
        &self.board.settings
    }

    /// Takes other settings, from the next turns on.
    pub fn set_settings(&mut self, settings: PursuitSettings) {
        if self.board.settings != settings {
            self.tables.cache.set_settings(settings.tables);
            self.board.settings = settings;
        }
    }

    /// The tables of the map.
    #[must_use]
    pub const fn table_cache(&self) -> &TableCache {
        &self.tables.cache
    }

    /// The tables of the map, to add some of the game's own.
    pub const fn table_cache_mut(&mut self) -> &mut TableCache {
        &mut self.tables.cache
    }

    /// A table to be solved by somebody else: see [`TableCache::next_request`].
    pub fn next_request(&mut self) -> Option<TableRequest> {
        self.tables.cache.next_request(&self.board.graph)
    }

    /// How urgent that is: see [`TableCache::next_urgency`].
    #[must_use]
    pub fn next_urgency(&self) -> Option<TableUrgency> {
        self.tables.cache.next_urgency(&self.board.graph)
    }

    /// How urgent a table is that is being solved: see [`TableCache::urgency`].
    #[must_use]
    pub fn urgency(&self, key: &TableKey) -> Option<TableUrgency> {
        self.tables.cache.urgency(&self.board.graph, key)
    }

    /// Says how fast ticks follow each other, by which it is settled when tables come into use: see
    /// [`TableCache::set_pace`].
    pub fn set_pace(&mut self, pace: TickPace) {
        self.tables.cache.set_pace(pace);
    }

    /// The tick from which on the run depends on how fast tables are solved, `None` if it does not: see
    /// [`TableCache::diverged_at`].
    #[must_use]
    pub const fn diverged_at(&self) -> Option<u64> {
        self.tables.cache.diverged_at()
    }

    /// Takes what has come of a request: see [`TableCache::deliver`]. To be called between two ticks, or
    /// after [`begin_tick`](Self::begin_tick).
    pub fn deliver(&mut self, key: &TableKey, result: Result<Solution, SolveFailure>) {
        self.tables.cache.deliver(key, result, self.board.tick);
    }

    /// In [lockstep](crate::table_cache::TableTiming::Lockstep) a table that has to be
    /// [delivered](Self::deliver) before this tick goes on; never one otherwise. To be asked after
    /// [`begin_tick`](Self::begin_tick).
    #[must_use]
    pub fn overdue(&self) -> Option<TableKey> {
        self.tables
            .cache
            .overdue(&self.board.graph, self.board.tick)
    }

    /// What the last tick has taken.
    #[must_use]
    pub const fn report(&self) -> &TickReport {
        &self.board.events.report
    }

    /// What has happened in the last tick.
    #[must_use]
    pub fn events(&self) -> &[WorldEvent] {
        &self.board.events.list
    }

    /// The agents whose place, way, plan in use or state may have changed since the list was
    /// [cleared](Self::clear_touched), in a tick or between two; some more than once.
    #[must_use]
    pub fn touched(&self) -> &[AgentId] {
        &self.board.events.touched
    }

    /// Takes everybody for touched.
    pub fn touch_all(&mut self) {
        let Board {
            members, events, ..
        } = &mut self.board;
        events.touched.clear();
        events.touched.extend(members.iter().map(|(id, _)| id));
    }

    /// Forgets what was [touched](Self::touched): it has been looked at.
    pub fn clear_touched(&mut self) {
        self.board.events.touched.clear();
    }

    /// What the edits of the last tick have changed.
    #[must_use]
    pub const fn delta(&self) -> &GraphDelta {
        &self.board.delta
    }

    /// Adds an agent. It moves from the next turn of its pursuit on.
    pub fn insert(&mut self, setup: AgentSetup) -> AgentId {
        self.board.insert(setup)
    }

    /// Takes an agent away; `false` if it is not there. Cost: constant; the lists of its pursuit are
    /// tidied up in the next tick, once for all who have left.
    pub fn remove(&mut self, id: AgentId) -> bool {
        self.board.remove(id)
    }

    /// An agent, `None` if it was taken away.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<&AgentRecord> {
        self.board.agent(id)
    }

    /// All agents.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &AgentRecord)> {
        self.board.members.iter()
    }

    /// Puts an agent elsewhere. Its way and its plan end. It sets out again when its next step would
    /// have begun: on the free running clock when the one it was on would have ended, in turns as many
    /// ticks after the turn began as a multiple of its steps takes.
    pub fn place(&mut self, id: AgentId, cell: Cell) {
        self.board.place(id, cell);
    }

    /// Changes what an agent is: its side, its speed, who controls it, its pursuit, its sight. The cell is
    /// left alone (see [`place`](Self::place)).
    ///
    /// The step that it is on it finishes, as fast as it was. What it means to do then is chosen anew. A
    /// player whose [`Control`] changes while it stands sets out in the next tick, on either clock; one who
    /// steers back in the middle of a step turns round, on the free running clock.
    pub fn change(&mut self, id: AgentId, change: impl FnOnce(&mut AgentSetup)) {
        self.board.change(id, change);
    }

    /// Begins the errand of an agent ([`Control::WalkTo`]) anew: it is told again how the errand ends. For
    /// a game that sends an agent once more to where it is going, or is already.
    pub fn begin_errand(&mut self, id: AgentId) {
        self.board.begin_errand(id);
    }

    /// Sends an agent on a way of the game's choice, as far as it is open; it gets there when its turn
    /// is over. `way` is without the cell it stands on.
    pub fn order(&mut self, id: AgentId, way: &[Cell]) {
        self.board.order(id, way);
    }

    /// Takes a robber for captured, by nobody.
    pub fn hold(&mut self, id: AgentId) {
        self.board.hold(id);
    }

    /// Lets a captured robber go. In turns one that plays by itself sets out when the next one begins.
    pub fn release(&mut self, id: AgentId) {
        self.board.release(id);
    }

    /// A pursuit by its number.
    #[must_use]
    pub fn pursuit(&self, number: u32) -> Option<&PursuitRecord> {
        self.board.members.pursuit(number)
    }

    /// All pursuits that have agents or a setup of their own, in the order of their numbers.
    #[must_use]
    pub fn pursuits(&self) -> &[PursuitRecord] {
        self.board.members.pursuits()
    }

    /// Gives a pursuit a clock or tactics of its own.
    pub fn set_up_pursuit(&mut self, number: u32, setup: PursuitSetup) {
        self.board.set_up_pursuit(number, setup);
    }

    /// How many steps of a way from a cell lead along edges of the map as it is now. The first
    /// step may lead out of a wall.
    #[must_use]
    pub fn open_steps(&self, from: Cell, way: &[crate::graph::Vertex]) -> usize {
        self.board.open_steps(from, way)
    }

    /// What the cops of a pursuit know of a robber's place, where their sight is limited: where they saw
    /// it last, and when. `None` if they never did, or see everything.
    #[must_use]
    pub fn last_sighting(&self, pursuit: u32, robber: AgentId) -> Option<Sighting> {
        self.pursuit(pursuit)?.cops_know.get(robber.key())
    }
}

impl AgentId {
    /// A number for it.
    pub(crate) const fn key(self) -> u64 {
        (self.slot as u64) << 32 | self.generation as u64
    }
}
