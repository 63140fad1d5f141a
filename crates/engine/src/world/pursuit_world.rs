//! One live map, and what the game may do with it and ask about it.

use super::agent::{AgentRecord, AgentSetup, Control};
use super::agent_id::AgentId;
use super::captures::CaptureMemory;
use super::choices::Chooser;
use super::event::{TickReport, WorldEvent};
use super::facts::{Facts, open_steps};
use super::ladder::Ladder;
use super::meetings::Meetings;
use super::orders::Orders;
use super::planning::Planning;
use super::pursuit::{PursuitIndex, PursuitNumber, PursuitRecord, PursuitSetup};
use super::reach::CopComponents;
use super::room::RoomKeeper;
use super::settings::PursuitSettings;
use super::targets::Targets;
use super::view::ViewMemory;
use crate::abstraction::{Hierarchy, Maintenance};
use crate::endgame::{EndgameShapes, Endgames};
use crate::graph::{Graph, GraphDelta};
use crate::map::{Cell, Walker};
use crate::solve::simultaneous::MixedTable;
use crate::table::{Solution, TableError};
use crate::table_cache::{
    SolveFailure, TableCache, TableKey, TableRequest, TableUrgency, TickPace,
};
use std::sync::Arc;

/// One live map, all agents on it, and the decisions of both sides.
#[derive(Debug)]
pub struct PursuitWorld {
    /// The facts: the map, the members, the time.
    pub(super) facts: Facts,
    pub(super) planning: Planning,
    /// The tables of the map, of its parts and of its levels.
    pub(super) cache: TableCache,
    pub(super) ladder: Ladder,
    /// Where the members of the pursuit are that is being looked at.
    pub(super) positions: ViewMemory,
    pub(super) chooser: Chooser,
    pub(super) orders: Orders,
    pub(super) room: RoomKeeper,
    /// Reused memory of a tick: for finding out who can reach whom and for the choice of targets, the pursuits that act in
    /// this tick, and the cells of cops.
    pub(super) reached: CopComponents,
    pub(super) targets: Targets,
    pub(super) due: Vec<(u32, PursuitIndex)>,
    pub(super) captures: CaptureMemory,
    pub(super) meetings: Meetings,
}

impl PursuitWorld {
    /// A world on a graph, made at once as by [`new`](Self::new).
    #[must_use]
    pub fn of_graph(graph: Graph, settings: PursuitSettings) -> Self {
        let mut maintenance = Maintenance::begin(&graph);
        while !maintenance.is_current(&graph) {
            maintenance.advance(&graph, u64::MAX);
        }
        Self::on(graph, maintenance, Planning::new(), settings)
    }

    pub(super) fn on(
        graph: Graph,
        maintenance: Maintenance,
        planning: Planning,
        settings: PursuitSettings,
    ) -> Self {
        let mut world = Self {
            cache: TableCache::new(settings.tables),
            facts: Facts::new(graph, maintenance, settings),
            planning,
            ladder: Ladder::default(),
            positions: ViewMemory::default(),
            chooser: Chooser::default(),
            orders: Orders::default(),
            room: RoomKeeper::default(),
            reached: CopComponents::default(),
            targets: Targets::default(),
            due: Vec::new(),
            captures: CaptureMemory::default(),
            meetings: Meetings::default(),
        };
        world.note_turn_length();
        world
    }

    pub(super) fn note_turn_length(&mut self) {
        let ticks = self.facts.settings.ticks_per_turn;
        self.cache.set_turn(ticks);
    }

    /// The current map as agents of some kinds and size walk on it. While no such agent is in the world, this is the map of
    /// agents of no kind and one cell, [`graph`](Self::graph).
    #[must_use]
    pub fn graph_for(&self, walker: impl Into<Walker>) -> &Graph {
        self.facts
            .graph_on(self.facts.grounds.of_walker(walker.into()))
    }

    /// The abstraction of the map as these agents walk on it; `None` while edits are still to be worked into it.
    #[must_use]
    pub fn hierarchy_for(&self, walker: impl Into<Walker>) -> Option<&Hierarchy> {
        let ground = self.facts.grounds.of_walker(walker.into());
        self.facts.hierarchy_on(ground)
    }

    /// The number of grounds: the map's own, and one for each further combination of a size and of kinds that some tile asks
    /// for, if an agent has them.
    #[must_use]
    pub const fn grounds(&self) -> usize {
        1 + self.facts.grounds.list().len()
    }

    /// The current map, as agents of no kind walk on it.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.facts.graph
    }

    /// Its abstraction; `None` while edits are still to be worked into it.
    #[must_use]
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.facts.hierarchy()
    }

    /// The number of ticks that have begun.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.facts.tick
    }

    /// The settings of the world.
    #[must_use]
    pub const fn settings(&self) -> &PursuitSettings {
        &self.facts.settings
    }

    /// Replaces the settings, from the next turns on.
    pub fn set_settings(&mut self, settings: PursuitSettings) {
        let before = &self.facts.settings;
        if *before != settings {
            let terms = |settings: &PursuitSettings| {
                let PursuitSettings {
                    ticks_per_turn,
                    clock,
                    tactics,
                    tables,
                    ..
                } = *settings;
                (ticks_per_turn, clock, tactics, tables)
            };
            if terms(before) != terms(&settings) {
                self.facts.begin_other_games();
            }
            self.cache.set_settings(settings.tables);
            self.facts.members.has_new_tactics = true;
            self.facts.settings = settings;
            self.note_turn_length();
        }
    }

    /// The tables of the map.
    #[must_use]
    pub const fn table_cache(&self) -> &TableCache {
        &self.cache
    }

    /// The tables of the map, to add tables that the game supplies.
    pub const fn table_cache_mut(&mut self) -> &mut TableCache {
        &mut self.cache
    }

    /// Adds a table of mixed strategies, replacing one with the same key. From the next turn on, pursuits on the clock
    /// [`PursuitClock::Simultaneous`](super::PursuitClock::Simultaneous) draw their moves from it while its map and its
    /// rules are those of the game. One free robber plays against cops of one speed. A side draws its moves if the
    /// world moves all of its agents and it sees the other side. A table counts meetings of whole moves only: cops of a
    /// speed above 1 draw from it against a robber of speed 1, which they capture the sooner for meetings on the way; a
    /// robber draws only where all have speed 1.
    ///
    /// # Errors
    /// [`TableError::Malformed`] if it is not the table of a map. Whether it numbers the cells as this version does is
    /// checked when it is needed ([`TableEvent::Refused`](crate::table_cache::TableEvent::Refused)).
    pub fn add_mixed_table(
        &mut self,
        table: impl Into<Arc<MixedTable>>,
    ) -> Result<TableKey, TableError> {
        self.cache.add_mixed_asset(table.into())
    }

    /// Removes a table of mixed strategies; `false` if there is none.
    pub fn remove_mixed_table(&mut self, key: &TableKey) -> bool {
        self.cache.remove_mixed_asset(key)
    }

    /// The local endgames that are known: the regions of the map in which captures are proven.
    #[must_use]
    pub const fn endgames(&self) -> &Endgames {
        self.ladder.rungs.endgame.known()
    }

    /// Uses [shapes](EndgameShapes) of regions whose tables are known beforehand, and drops the shapes that were in use
    /// before: in such regions, captures are proven at once. Shapes stay when another map is taken or a snapshot is
    /// restored.
    ///
    /// A snapshot does not contain shapes. As with tables as assets, a restored world continues bit for bit if it has
    /// the same shapes before its next tick.
    pub fn use_endgame_shapes(&mut self, shapes: Arc<EndgameShapes>) {
        self.ladder.rungs.endgame.use_shapes(shapes);
    }

    /// The shapes whose tables are known beforehand.
    #[must_use]
    pub fn endgame_shapes(&self) -> &Arc<EndgameShapes> {
        self.ladder.rungs.endgame.known().shapes()
    }

    /// A table for the caller to solve: see [`TableCache::next_request`].
    pub fn next_request(&mut self) -> Option<TableRequest> {
        self.cache.next_request(&self.facts.graph)
    }

    /// Returns a request that was handed out but will not be solved: see [`TableCache::give_back`].
    pub fn give_back(&mut self, key: &TableKey) {
        self.cache.give_back(key);
    }

    /// The urgency of the next request: see [`TableCache::next_urgency`].
    #[must_use]
    pub fn next_urgency(&self) -> Option<TableUrgency> {
        self.cache.next_urgency(&self.facts.graph)
    }

    /// The urgency of a table that is being solved: see [`TableCache::urgency`].
    #[must_use]
    pub fn urgency(&self, key: &TableKey) -> Option<TableUrgency> {
        self.cache.urgency(&self.facts.graph, key)
    }

    /// Sets the time between two ticks, which decides when tables come into use: see
    /// [`TableCache::set_pace`].
    pub fn set_pace(&mut self, pace: TickPace) {
        self.cache.set_pace(pace);
    }

    /// The first tick at which the run depends on how fast tables are solved; `None` if it does not: see
    /// [`TableCache::diverged_at`].
    #[must_use]
    pub const fn diverged_at(&self) -> Option<u64> {
        self.cache.diverged_at()
    }

    /// Records that the run depends on when a file was loaded, if agents play already: a table, for instance, that the
    /// game has named before and that comes into use in the next tick.
    pub fn note_late_file(&mut self) {
        let plays = self.facts.tick > 0 && self.facts.members.iter().next().is_some();
        if plays {
            self.cache.diverge(self.facts.tick + 1);
        }
    }

    /// Accepts the result of a request: see [`TableCache::deliver`]. Call it between two ticks, or
    /// after [`begin_tick`](Self::begin_tick).
    pub fn deliver(&mut self, key: &TableKey, result: Result<Solution, SolveFailure>) {
        self.cache.deliver(key, result, self.facts.tick);
    }

    /// The table that has to be [delivered](Self::deliver) before this tick continues. Always `None`
    /// outside [lockstep](crate::table_cache::TableTiming::Lockstep). Call it after
    /// [`begin_tick`](Self::begin_tick).
    #[must_use]
    pub fn overdue(&self) -> Option<TableKey> {
        self.cache.overdue(&self.facts.graph, self.facts.tick)
    }

    /// The work of the last tick.
    #[must_use]
    pub const fn report(&self) -> &TickReport {
        &self.facts.events.report
    }

    /// The events of the last tick.
    #[must_use]
    pub fn events(&self) -> &[WorldEvent] {
        &self.facts.events.list
    }

    /// The agents whose place, path, current plan or state may have changed since the list was
    /// [cleared](Self::clear_touched), in a tick or between two; an agent may be listed more than once.
    #[must_use]
    pub fn touched(&self) -> &[AgentId] {
        &self.facts.events.changed_agents
    }

    /// Marks every agent as changed.
    pub fn touch_all(&mut self) {
        let Facts {
            members, events, ..
        } = &mut self.facts;
        events.changed_agents.clear();
        events
            .changed_agents
            .extend(members.iter().map(|(id, _)| id));
    }

    /// Clears the list of [changed](Self::touched) agents.
    pub fn clear_touched(&mut self) {
        self.facts.events.changed_agents.clear();
    }

    /// The changes that the edits of the last tick have made.
    #[must_use]
    pub const fn delta(&self) -> &GraphDelta {
        &self.facts.delta
    }

    /// Adds an agent. It moves from the next turn of its pursuit on.
    pub fn insert(&mut self, setup: AgentSetup) -> AgentId {
        self.facts.insert(setup)
    }

    /// Removes an agent; `false` if it does not exist. Cost: constant; the lists of its pursuit are
    /// tidied in the next tick, once for all agents that have left.
    ///
    /// Cops of limited sight that have seen a free robber do not know that it has left. They search for it for 256 turns.
    /// If an agent with the same [`user`](AgentSetup::user), which is not 0, joins the pursuit meanwhile, it is the one
    /// that they search for.
    pub fn remove(&mut self, id: AgentId) -> bool {
        self.facts.remove(id)
    }

    /// Removes an agent of which nobody is to know that it was there, one of a saved game that the game does without for
    /// instance; `false` if it does not exist. Unlike after [`remove`](Self::remove), no cop searches for it. Cost: that of
    /// `remove`.
    pub fn erase(&mut self, id: AgentId) -> bool {
        self.facts.erase(id)
    }

    /// An agent; `None` if it was removed.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<&AgentRecord> {
        self.facts.agent(id).filter(|agent| !agent.has_left)
    }

    /// All agents.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &AgentRecord)> {
        let all = self.facts.members.iter();
        all.filter(|(_, agent)| !agent.has_left)
    }

    /// Returns whether cops of limited sight see a robber: whether the last [`WorldEvent::Sighted`] of the robber was
    /// that it is seen.
    #[must_use]
    pub fn is_sighted(&self, robber: AgentId) -> bool {
        let agent = self.agent(robber);
        let pursuit = agent.and_then(|agent| self.pursuit(agent.setup.pursuit));
        let last = pursuit.and_then(|pursuit| pursuit.cops_know.get(robber.key()));
        last.is_some_and(|last| last.sees_now)
    }

    /// Places an agent on another cell. Its path and its plan end. It sets out again when its next step would have
    /// begun: on the free-running clock when its current step would have ended, on the `Turns` clock at the next
    /// multiple of its step time since the turn began, on the `Simultaneous` clock when the next turn begins.
    pub fn place(&mut self, id: AgentId, cell: Cell) {
        self.facts.place(id, cell);
    }

    /// Changes the properties of an agent: its side, speed, control, pursuit or sight. Its cell stays
    /// (see [`place`](Self::place)).
    ///
    /// The agent finishes its current step at the old speed, and its next move is chosen anew. A player whose
    /// [`Control`] changes while it stands sets out in the next tick; if both sides choose simultaneously, it sets
    /// out when the next turn begins. On the free-running clock, a player that steers back in mid-step turns back.
    pub fn change(&mut self, id: AgentId, change: impl FnOnce(&mut AgentSetup)) {
        self.facts.change(id, change);
    }

    /// Sends an agent along a path chosen by the game at the agent's speed, move after move, as far as no wall blocks it.
    /// Then the agent decides for itself again. `way` does not include the cell it stands on. Returns the number of steps
    /// that are open now; 0 for an unknown id.
    pub fn order(&mut self, id: AgentId, way: &[Cell]) -> usize {
        self.facts.order(id, way, false)
    }

    /// The same as a dash: the agent takes the whole path with one move, which ends when its turn ends, and on the
    /// free-running clock one step time after it has set out.
    pub fn dash(&mut self, id: AgentId, way: &[Cell]) -> usize {
        self.facts.order(id, way, true)
    }

    /// Moves an agent and the goal of its control to the cells that are the same places as before, on a map whose rows are
    /// numbered differently: the bottom left of a map of another height, for instance. Its path and its plan end. Unlike
    /// [`place`](Self::place) and [`change`](Self::change), it does not begin an errand anew.
    pub fn renumber(&mut self, id: AgentId, cell: Cell, control: Control) {
        self.facts.renumber(id, cell, control);
    }

    /// Marks a robber, or an agent with a faction, as captured, without a cop. Does nothing to other agents.
    pub fn hold(&mut self, id: AgentId) {
        self.facts.hold(id);
    }

    /// Marks a robber as one that has [got away](WorldEvent::Away), without an exit.
    pub fn send_away(&mut self, id: AgentId) {
        self.facts.hold(id);
        if let Some(robber) = self.facts.members.get_mut(id) {
            robber.is_away = robber.can_be_captured();
        }
    }

    /// Frees a captured robber, or one that has got away. On clocks with turns, a robber that the world controls sets out when the next turn
    /// begins.
    pub fn release(&mut self, id: AgentId) {
        self.facts.release(id);
    }

    /// Notes that the game knows a robber as [out of reach](WorldEvent::OutOfReach), from another map for instance. The
    /// world reports the robber as soon as a cop can reach it, and does not report the same again.
    pub fn note_out_of_reach(&mut self, id: AgentId) {
        if let Some(robber) = self.facts.members.get_mut(id) {
            robber.is_safe = true;
        }
    }

    /// Begins a pursuit anew: its turns are counted from 0. Unknown numbers are ignored.
    pub fn restart_pursuit(&mut self, number: u32) {
        self.facts.restart_pursuit(PursuitNumber::new(number));
    }

    /// A pursuit by its number.
    #[must_use]
    pub fn pursuit(&self, number: u32) -> Option<&PursuitRecord> {
        self.facts.members.pursuit(PursuitNumber::new(number))
    }

    /// All pursuits that have agents or their own setup, in the order of their numbers.
    #[must_use]
    pub fn pursuits(&self) -> &[PursuitRecord] {
        self.facts.members.pursuits()
    }

    /// Gives a pursuit its own clock or tactics.
    pub fn set_up_pursuit(&mut self, number: u32, setup: PursuitSetup) {
        self.facts.set_up_pursuit(PursuitNumber::new(number), setup);
    }

    /// The number of steps of a path from a cell that agents of some kinds and size can take on the current map. The first
    /// step may lead out of a wall.
    #[must_use]
    pub fn open_steps(
        &self,
        walker: impl Into<Walker>,
        from: Cell,
        way: &[crate::graph::Vertex],
    ) -> usize {
        open_steps(self.graph_for(walker), from, way)
    }
}
