//! [`PursuitWorld`]: one live map, all agents on it, and everything that decides.
//!
//! The world plays the game a tick at a time. It knows no clock and no thread: what time there is for
//! plans a [`Meter`] says, and tables are solved by whoever asks for [requests](TableCache::next_request).
//! With a budget in [expansions](Budget::Expansions) a run is a function of the map, the settings and
//! what the game does, on every machine; a [`Snapshot`] continues it to the bit.
//!
//! # A tick
//!
//! 1. [`begin_tick`](PursuitWorld::begin_tick): edits change the map at once. Ways that lead into a new
//!    wall are cut, plans whose footprint was touched do not count any more.
//! 2. [`arrive`](PursuitWorld::arrive): who is due arrives; captures are found.
//! 3. [`decide`](PursuitWorld::decide): the abstraction is repaired, those who are due move, and what is
//!    left of the budget goes into plans for turns to come. Where everybody will be then is known as soon
//!    as a turn has begun, so that the work of a turn is spread over the ticks of the one before.
//!
//! # The ladder
//!
//! A move comes from the best of these that there is: an exact table of the map as it is now; a plan
//! whose footprint no edit has touched; an older plan as far as it is legal; a greedy step. Never none,
//! never an illegal one, never late.

mod agent;
mod budget;
mod commit;
mod cops;
mod event;
mod hash;
mod inspect;
mod look;
mod moves;
mod needs;
mod planner;
mod pursuit;
mod robbers;
mod roster;
mod settings;
mod sightings;
mod snapshot;
mod state;
mod tables;
mod tick;
mod view;
mod walks;

pub use agent::{Agent, AgentId, AgentSetup, Catch, Control};
pub use budget::{Budget, Expansions, Meter};
pub use event::{TickReport, WorldEvent};
pub use inspect::TableValues;
pub use pursuit::{Pursuit, PursuitSetup};
pub use settings::{Clock, CopTactics, RobberPlanner, WorldSettings};
pub use sightings::{Sighting, Sightings, search_goal, search_radius};
pub use snapshot::{Snapshot, SnapshotError};
pub use state::{AgentState, By, Idle, Why};

use crate::abstraction::{Follower, Hierarchy};
use crate::graph::{Graph, GraphDelta};
use crate::map::{Cell, Moves, TileMap};
use crate::policy::TablePlayer;
use crate::table::{Solution, SolveError};
use crate::table_cache::{TableCache, TableKey, TableRequest};
use planner::Planner;
use roster::Roster;

/// One live map, all agents on it, and everything that decides.
#[derive(Debug)]
pub struct PursuitWorld {
    settings: WorldSettings,
    tick: u64,
    graph: Graph,
    follower: Follower,
    delta: GraphDelta,
    roster: Roster,
    /// In the order of their numbers.
    pursuits: Vec<Pursuit>,
    /// How many pursuits there have been, for their phases.
    founded: u64,
    planner: Planner,
    tables: TableCache,
    player: TablePlayer,
    scratch: commit::Scratch,
    report: TickReport,
    events: Vec<WorldEvent>,
    /// Agents whose place, way or state may be others than before the tick.
    touched: Vec<AgentId>,
}

impl PursuitWorld {
    /// A world on a map. Time and memory: near-linear in the number of cells; see
    /// [`Hierarchy::new`].
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves, settings: WorldSettings) -> Self {
        Self::on(Graph::new(map, moves), settings)
    }

    fn on(graph: Graph, settings: WorldSettings) -> Self {
        let follower = Follower::new(&graph);
        let mut planner = Planner::new();
        planner.warm_up(&graph, follower.hierarchy());
        Self {
            follower,
            tables: TableCache::new(settings.tables),
            planner,
            tick: 0,
            graph,
            delta: GraphDelta::default(),
            roster: Roster::default(),
            pursuits: Vec::new(),
            founded: 0,
            player: TablePlayer::default(),
            scratch: commit::Scratch::default(),
            report: TickReport::default(),
            events: Vec::new(),
            touched: Vec::new(),
            settings,
        }
    }

    /// Takes another map: agents keep their cells, plans are forgotten.
    pub fn replace_map(&mut self, map: &TileMap, moves: Moves) {
        self.graph = Graph::new(map, moves);
        self.follower = Follower::new(&self.graph);
        self.planner.cancel();
        self.planner.warm_up(&self.graph, self.follower.hierarchy());
        self.tables.replace_map();
        for (_, agent) in self.roster.iter_mut() {
            agent.halt();
            agent.plan.drop();
        }
    }

    /// The map as it is now.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Its abstraction, unless edits are still to be worked into it.
    #[must_use]
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.follower.up_to_date(&self.graph)
    }

    /// The ticks that have begun.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// What the world goes by.
    #[must_use]
    pub const fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Takes other settings, from the next turns on.
    pub fn set_settings(&mut self, settings: WorldSettings) {
        if self.settings != settings {
            self.tables.set_settings(settings.tables);
            let before = std::mem::replace(&mut self.settings, settings).clock;
            if self.settings.clock != before {
                (0..self.pursuits.len()).for_each(|at| self.keep_to_turns(at));
            }
        }
    }

    /// The tables of the map.
    #[must_use]
    pub const fn table_cache(&self) -> &TableCache {
        &self.tables
    }

    /// The tables of the map, to add some of the game's own.
    pub const fn table_cache_mut(&mut self) -> &mut TableCache {
        &mut self.tables
    }

    /// A table to be solved by somebody else: see [`TableCache::next_request`].
    pub fn next_request(&mut self) -> Option<TableRequest> {
        self.tables.next_request(&self.graph)
    }

    /// Takes what has come of a request: see [`TableCache::deliver`]. To be called between two ticks, or after
    /// [`begin_tick`](Self::begin_tick).
    pub fn deliver(&mut self, key: &TableKey, result: Result<Solution, SolveError>) {
        self.tables.deliver(key, result, self.tick);
    }

    /// A table that has to be [delivered](Self::deliver) before this tick goes on, for the run to be
    /// repeatable. To be asked after [`begin_tick`](Self::begin_tick).
    #[must_use]
    pub fn overdue(&self) -> Option<TableKey> {
        self.tables.overdue(&self.graph, self.tick)
    }

    /// What the last tick has taken.
    #[must_use]
    pub const fn report(&self) -> &TickReport {
        &self.report
    }

    /// What has happened in the last tick.
    #[must_use]
    pub fn events(&self) -> &[WorldEvent] {
        &self.events
    }

    /// The agents whose place, way, plan in use or state may have changed in the last tick; some more
    /// than once.
    #[must_use]
    pub fn touched(&self) -> &[AgentId] {
        &self.touched
    }

    /// Takes everybody for touched.
    pub fn touch_all(&mut self) {
        self.touched.clear();
        self.touched.extend(self.roster.iter().map(|(id, _)| id));
    }

    /// Forgets what was [touched](Self::touched), to tell what one part of a tick touches.
    pub fn clear_touched(&mut self) {
        self.touched.clear();
    }

    /// What the edits of the last tick have changed.
    #[must_use]
    pub const fn delta(&self) -> &GraphDelta {
        &self.delta
    }

    /// Adds an agent. It moves from the next turn of its pursuit on.
    pub fn insert(&mut self, setup: AgentSetup) -> AgentId {
        let id = self.roster.insert(setup);
        self.join(id, setup);
        id
    }

    fn join(&mut self, id: AgentId, setup: AgentSetup) {
        let at = self.pursuit_or_new(setup.pursuit);
        let pursuit = &mut self.pursuits[at];
        (pursuit.is_settled, pursuit.is_stirred) = (false, true);
        pursuit.forget_table();
        pursuit.members_mut(setup.side).push(id);
    }

    /// Takes an agent away; `false` if it is not there.
    pub fn remove(&mut self, id: AgentId) -> bool {
        let Some(agent) = self.roster.remove(id) else {
            return false;
        };
        self.leave(id, agent.setup());
        true
    }

    fn leave(&mut self, id: AgentId, setup: &AgentSetup) {
        let Ok(at) = self.find_pursuit(setup.pursuit) else {
            return;
        };
        let pursuit = &mut self.pursuits[at];
        pursuit.is_settled = false;
        pursuit.forget_table();
        pursuit
            .members_mut(setup.side)
            .retain(|&member| member != id);
        pursuit.cops_know.forget(id.key());
        pursuit.robbers_know.retain(|&(robber, _)| robber != id);
        for (_, known) in &mut pursuit.robbers_know {
            known.forget(id.key());
        }
        if pursuit.cops.is_empty()
            && pursuit.robbers.is_empty()
            && pursuit.setup == PursuitSetup::default()
        {
            self.pursuits.remove(at);
        }
    }

    /// An agent, `None` if it was taken away.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<&Agent> {
        self.roster.get(id)
    }

    /// All agents.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        self.roster.iter()
    }

    /// Somebody of a pursuit may want a plan, or stand where it is captured.
    fn unsettle(&mut self, id: AgentId) {
        let number = self.roster.get(id).map(|agent| agent.setup.pursuit);
        if let Some(Ok(at)) = number.map(|number| self.find_pursuit(number)) {
            let pursuit = &mut self.pursuits[at];
            (pursuit.is_settled, pursuit.is_stirred) = (false, true);
        }
    }

    /// Puts an agent elsewhere. Its way and its plan end.
    pub fn place(&mut self, id: AgentId, cell: Cell) {
        self.unsettle(id);
        self.touched.push(id);
        if let Some(agent) = self.roster.get_mut(id) {
            agent.setup.cell = cell;
            agent.halt();
            agent.plan.drop();
        }
    }

    /// Changes what an agent is: its speed, who controls it, its pursuit, its sight. The cell is left
    /// alone (see [`place`](Self::place)), and so is the side.
    pub fn change(&mut self, id: AgentId, change: impl FnOnce(&mut AgentSetup)) {
        let Some(agent) = self.roster.get_mut(id) else {
            return;
        };
        let before = agent.setup;
        let mut after = before;
        change(&mut after);
        after.cell = before.cell;
        agent.setup = after;
        agent.errand_told &= before.control == after.control;
        self.unsettle(id);
        let Some(agent) = self.roster.get_mut(id) else {
            return;
        };
        if before.control != after.control {
            agent.plan.drop();
        }
        if before.pursuit != after.pursuit {
            // The turns of another pursuit begin at other times.
            agent.halt();
            agent.plan.drop();
            agent.target = None;
            self.touched.push(id);
            self.leave(id, &before);
            self.join(id, after);
        } else if before.side != after.side {
            self.leave(id, &before);
            self.join(id, after);
        }
    }

    /// Errands that have ended since the last tick.
    fn tell_of_errands(&mut self) {
        let Self {
            roster,
            graph,
            events,
            ..
        } = self;
        for (id, agent) in roster.iter_mut() {
            let Control::WalkTo(goal) = agent.setup.control else {
                continue;
            };
            let is_there = agent.setup.cell == goal;
            let is_stuck = graph.vertex(goal).is_none()
                || agent.plan.is_made && agent.plan.falls_short && agent.way.is_empty();
            if !agent.errand_told && (is_there || is_stuck) {
                agent.errand_told = true;
                events.push(if is_there {
                    WorldEvent::Arrived(id)
                } else {
                    WorldEvent::NoWay(id)
                });
            }
        }
    }

    /// Sends an agent on a way of the game's choice, as far as it is open; it gets there when its turn
    /// is over. `way` is without the cell it stands on.
    pub fn order(&mut self, id: AgentId, way: &[Cell]) {
        self.unsettle(id);
        self.touched.push(id);
        let Some(agent) = self.roster.get_mut(id) else {
            return;
        };
        let stood_idle = agent.way.is_empty();
        agent.way.clear();
        let vertices = way.iter().map_while(|&cell| self.graph.vertex(cell));
        agent.way.extend(vertices);
        let from = agent.setup.cell;
        let Some(agent) = self.roster.get(id) else {
            return;
        };
        let open = self.open_steps(from, &agent.way);
        let times = self.times_of_a_move(agent);
        let tick = self.tick;
        if let Some(agent) = self.roster.get_mut(id) {
            agent.way.truncate(open);
            agent.pace = open as u32;
            agent.plan.drop();
            // Who stood idle sets out now, whatever it was waiting for: the turn may be that of
            // another pursuit by now.
            if stood_idle || agent.arrives <= tick {
                (agent.departs, agent.arrives) = times;
            }
        }
    }

    /// When an agent sets out that does so now, and when it gets there.
    fn times_of_a_move(&self, agent: &Agent) -> (u64, u64) {
        let pursuit = self.pursuit(agent.setup.pursuit);
        let arrives = match pursuit.map(|pursuit| (self.clock(pursuit), pursuit.ends)) {
            Some((Clock::FreeRunning, _)) => self.tick + u64::from(self.ticks_per_step(agent)),
            Some((Clock::Turns, ends)) => ends,
            None => self.tick,
        };
        (self.tick, arrives)
    }

    /// Takes a robber for captured, by nobody.
    pub fn hold(&mut self, id: AgentId) {
        let tick = self.tick;
        if let Some(agent) = self.roster.get_mut(id) {
            agent.caught = Some(Catch {
                by: id,
                turn: 0,
                tick,
            });
            agent.halt();
            agent.plan.drop();
        }
    }

    /// Lets a captured robber go.
    pub fn release(&mut self, id: AgentId) {
        self.unsettle(id);
        if let Some(agent) = self.roster.get_mut(id) {
            agent.caught = None;
        }
    }

    /// A pursuit by its number.
    #[must_use]
    pub fn pursuit(&self, number: u32) -> Option<&Pursuit> {
        self.find_pursuit(number).ok().map(|at| &self.pursuits[at])
    }

    /// All pursuits that have agents or a setup of their own, in the order of their numbers.
    #[must_use]
    pub fn pursuits(&self) -> &[Pursuit] {
        &self.pursuits
    }

    /// Gives a pursuit a clock or tactics of its own.
    pub fn set_up_pursuit(&mut self, number: u32, setup: PursuitSetup) {
        let at = self.pursuit_or_new(number);
        let before = self.clock(&self.pursuits[at]);
        self.pursuits[at].setup = setup;
        if self.clock(&self.pursuits[at]) != before {
            self.keep_to_turns(at);
        }
    }

    /// In turns those who are under way get there when the turn is over, also if they set out on
    /// another clock.
    fn keep_to_turns(&mut self, at: usize) {
        let pursuit = &self.pursuits[at];
        if self.clock(pursuit) != Clock::Turns {
            return;
        }
        for &id in pursuit.cops.iter().chain(&pursuit.robbers) {
            if let Some(agent) = self
                .roster
                .get_mut(id)
                .filter(|agent| !agent.way.is_empty())
            {
                agent.arrives = pursuit.ends;
                self.touched.push(id);
            }
        }
    }

    fn find_pursuit(&self, number: u32) -> Result<usize, usize> {
        self.pursuits.binary_search_by_key(&number, |p| p.number)
    }

    fn pursuit_or_new(&mut self, number: u32) -> usize {
        self.find_pursuit(number).unwrap_or_else(|at| {
            // Multiples of the golden ratio fall far apart, however many there are.
            let length = u64::from(self.settings.ticks_per_turn.max(1));
            let share = self.founded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let phase = if self.settings.stagger {
                (share * length) >> 32
            } else {
                0
            };
            let first = self.tick + phase;
            self.founded += 1;
            self.pursuits.insert(at, Pursuit::new(number, first));
            at
        })
    }

    /// The clock of a pursuit.
    fn clock(&self, pursuit: &Pursuit) -> Clock {
        pursuit.setup.clock.unwrap_or(self.settings.clock)
    }
}

impl AgentId {
    /// A number for it.
    pub(crate) const fn key(self) -> u64 {
        (self.slot as u64) << 32 | self.generation as u64
    }
}
