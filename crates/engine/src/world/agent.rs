//! An agent: how the game sets it up, and the record that the world keeps of it.

use super::agent_id::AgentId;
use super::duty::{Duty, Leash, OnDuty, Routine};
use super::faction::{Faction, FactionSwap};
use super::plan::AgentPlan;
use super::pursuit::PursuitNumber;
use super::state::PursuitState;
use super::tactics::{OwnTactics, Tactics};
use crate::game::{Side, Speed};
use crate::graph::{Graph, Vertex};
use crate::map::{BodySize, Cell, Kinds, Walker};
use crate::search::{Footprint, Pressure};
use serde::{Deserialize, Serialize};

/// No real game reaches this tick: at 64 ticks per second that takes two thousand million years.
pub(super) const LAST_TICK: u64 = 1 << 62;

/// The tick at which an agent chooses that never does.
const NEVER: u64 = LAST_TICK - 1;

/// Who moves an agent. The world always plans its own agents against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Control {
    /// The world decides: the agent chases or flees.
    #[default]
    Policy,
    /// A player steers: in each turn the agent moves in this direction (`dy` points down), as far as its
    /// speed and the walls allow. With 0 in both it stands still.
    Steer {
        /// Columns to the right.
        dx: i8,
        /// Rows downwards.
        dy: i8,
    },
    /// An errand: in each turn the agent continues along a shortest path to this cell.
    WalkTo(Cell),
    /// The game moves the agent and reports its cell.
    External,
    /// The agent does its [duty](super::PursuitWorld::set_duty) and nothing else, whoever is near.
    Duty,
}

/// The properties of an agent that the game sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSetup {
    /// Its side.
    pub side: Side,
    /// The pursuit it takes part in. Cops and robbers of different pursuits ignore each other.
    pub pursuit: u32,
    /// The cell it stands on, which may be a wall or off the map.
    pub cell: Cell,
    /// Steps per turn.
    pub speed: Speed,
    /// Whether it cannot move at all, whoever controls it. The game may still place it elsewhere. Other agents do not
    /// count on its moves.
    pub is_immobile: bool,
    /// Ticks per step on the free-running clock; 0 stands for the ticks of a turn divided by the speed.
    pub ticks_per_step: u32,
    /// What it is: it enters the tiles that [admit](Kinds::admits) one of its kinds.
    pub kinds: Kinds,
    /// How many cells it covers: it captures and is captured by [overlap](BodySize::overlaps), and walks where there is
    /// room for it. Pursuits with larger agents than one cell play without tables and proofs.
    pub size: BodySize,
    /// Cops: it captures a robber that is at most this number of its steps away when a move of either side ends. 0 stands
    /// for the same cell. Robbers know.
    pub reach: u8,
    /// Whether it takes room: no two such agents are on one cell, and no two exchange their cells, except for a cop and a
    /// robber of its pursuit that is not captured. An agent that finds no room takes its next best move. Agents that the
    /// world moves, and walkers, make way for each other. Captured robbers take no room.
    pub is_solid: bool,
    /// Who moves it.
    pub control: Control,
    /// Whether it keeps its direction: it steps back to the cell from which it comes only where no other step is possible.
    /// Nobody plans with that, neither itself nor its opponents: it turns aside when the time comes.
    pub keeps_direction: bool,
    /// How far it sees where no wall blocks the view, in columns and rows on each side, or in steps over hexagons; `None` for
    /// unlimited sight. The cops of a pursuit share what they see.
    pub sight: Option<u16>,
    /// Its faction. With one, it takes part in the pursuits of factions among the agents with the same
    /// [`pursuit`](Self::pursuit), its [`side`](Self::side) does not count, and it may be hunter and prey at once.
    pub faction: Option<Faction>,
    /// Another faction until some tick. The world takes it away then, and sends
    /// [`SwapEnded`](super::WorldEvent::SwapEnded).
    pub swap: Option<FactionSwap>,
    /// Cops: the [`user`](Self::user) of a robber that the game wants it to chase. As long as that robber is free in the same
    /// pursuit, and the cop may chase it, the cop chases no other; otherwise, and with `None`, the world chooses.
    pub quarry: Option<u64>,
    /// Cops: its own tactics; `None` for those of its pursuit.
    pub tactics: Option<Tactics>,
    /// Cops with [`Tactics::Custom`]: the cell for which it heads while it chases a robber. It goes as near to it as the map
    /// allows.
    pub heads_for: Option<Cell>,
    /// How many of [`MOVES_OF_MISTAKES`](Self::MOVES_OF_MISTAKES) moves, on average, are deliberate mistakes
    /// ([`Source::Mistake`](crate::policy::Source::Mistake)), while the world moves the agent. 0 is full strength.
    /// Opponents do not expect mistakes.
    pub mistakes: u16,
    /// Its reaction time, while the world moves the agent: for this number of turns (of its own moves, on the free-running
    /// clock) after it made its plan, it takes no notice of what its opponents do, and goes on by the plan as long as that
    /// has steps and no edit touches it. 0 is full strength. Opponents do not expect it.
    ///
    /// A cop still captures a robber that its move can capture, and a robber reacts at once to a cop within two turns of it.
    /// Agents with a reaction time play without tables, proofs and guides, as do the cops of a pursuit with such a cop.
    /// It applies to chase and flight, not to errands, duties and searches.
    pub reaction: u8,
    /// Cops: how far it follows robbers; `None` for any distance. It begins to chase a robber only while both are within
    /// the leash, and gives the robber up where its path leads beyond ([`WorldEvent::GaveUp`](super::WorldEvent::GaveUp)).
    /// Without a duty it then goes back to the leash's cell. Pursuits with such a cop play without tables and proofs.
    pub leash: Option<Leash>,
    /// Cops: the number of turns after which it gives up a robber that it cannot reach or that no cop sees; 0 for never.
    pub patience: u16,
    /// Robbers: it goes on with its [duty](super::PursuitWorld::set_duty) until a cop that it knows of is within this number
    /// of steps, as the crow flies, and takes it up again when none is within two more. `None`: it leaves its duty for any cop
    /// that it knows of.
    pub nerve: Option<u8>,
    /// A number for the game's own use, such as finding its own record of the agent.
    pub user: u64,
}

impl AgentSetup {
    /// The number of its pursuit.
    pub(super) const fn pursuit_number(&self) -> PursuitNumber {
        PursuitNumber::new(self.pursuit)
    }

    /// The number of moves on which [`mistakes`](Self::mistakes) counts.
    pub const MOVES_OF_MISTAKES: u16 = 1000;

    /// A cop or a robber of pursuit 0 with one step per turn and unlimited sight.
    #[must_use]
    pub fn new(side: Side, cell: Cell) -> Self {
        Self {
            side,
            pursuit: 0,
            cell,
            speed: Speed::ONE,
            is_immobile: false,
            ticks_per_step: 0,
            kinds: Kinds::NONE,
            size: BodySize::ONE,
            reach: 0,
            is_solid: false,
            keeps_direction: false,
            control: Control::Policy,
            sight: None,
            faction: None,
            swap: None,
            quarry: None,
            tactics: None,
            heads_for: None,
            mistakes: 0,
            reaction: 0,
            leash: None,
            patience: 0,
            nerve: None,
            user: 0,
        }
    }

    /// Who it is on the grounds of a map.
    #[must_use]
    pub const fn walker(&self) -> Walker {
        Walker {
            kinds: self.kinds,
            size: self.size,
        }
    }

    fn chooses(&self) -> bool {
        self.control == Control::Policy && !self.is_immobile
    }

    /// Returns whether what was announced before a change to `after` may not hold any more. Whoever moves a robber, or a
    /// cop on which nobody counts, may move it as it likes.
    pub(super) fn is_other_game(&self, after: &Self) -> bool {
        let only_steers = Self {
            control: self.control,
            user: self.user,
            ..*after
        };
        only_steers != *self || after.side == Side::Cops && self.chooses() != after.chooses()
    }
}

/// A cop or a robber in a world.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about an agent"
)]
pub struct AgentRecord {
    pub(super) setup: AgentSetup,
    /// The pursuit in which it chooses its moves, and its side there.
    pub(super) role: (PursuitNumber, Side),
    /// The path it is walking, without the cell it stands on. An agent that turns back walks to its own
    /// cell.
    way: Vec<Vertex>,
    /// The rest of the path that the game has ordered, after the one it is walking.
    ordered: Vec<Vertex>,
    /// Whether the path that it is walking is one that the game has ordered.
    is_ordered: bool,
    /// The cell where its last move began, which an agent that the game moves has left since.
    origin: Cell,
    /// The cell before the one where it stands; `None` after the game has placed it.
    pub(super) left: Option<Cell>,
    /// The vertex at which it turned back in mid-step, while its path leads to its own cell.
    turned_at: Option<Vertex>,
    /// The number of steps in the path when it was chosen. The agent keeps this pace even if the path is
    /// cut short.
    pace: u32,
    /// The tick at which it came to its cell.
    pub(super) stands_since: u64,
    /// The ticks of departure and arrival.
    departs: u64,
    arrives: u64,
    pub(super) plan: AgentPlan,
    pub(super) state: PursuitState,
    /// The capture of a robber that is out of the game.
    pub(super) caught: Option<Catch>,
    /// Whether it is out of the game because it got away through an exit.
    pub(super) is_away: bool,
    /// Where a cop without a plan heads for.
    pub(super) sought: Option<Cell>,
    /// What a cop does that plays alone; `None` for robbers, and for cops of a team.
    pub(super) own: Option<OwnTactics>,
    /// The robber that a cop chases.
    pub(super) target: Option<AgentId>,
    /// The search walk of an agent that has lost sight of its opponent.
    pub(super) search: Option<SearchWalk>,
    /// Whether it walks on another ground than in the last tick.
    pub(super) changed_ground: bool,
    /// Whether it was on a deadly cell in the last tick.
    pub(super) is_struck: bool,
    /// The last result of its errand of which the game has been notified.
    pub(super) errand: Errand,
    pub(super) routine: Routine,
    /// Robbers: it has left the world, and cops that have seen it do not know. Only the world knows this record.
    pub(super) has_left: bool,
    /// Robbers: no cop can reach it on the current map.
    pub(super) is_safe: bool,
    /// Robbers: the pressure of the team that chases it.
    pub(super) pressure: Pressure,
    /// Solid agents: since when it has not been where it wants to be. Who has waited longest goes first.
    pub(super) waits_since: u64,
}

/// A capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catch {
    /// The cop that captured the robber.
    pub by: AgentId,
    /// The number of turns played in the pursuit.
    pub turn: u64,
    /// The tick of the capture.
    pub tick: u64,
}

/// The progress of an errand ([`Control::WalkTo`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Errand {
    /// Still under way, as far as is known.
    #[default]
    Walking,
    /// Arrived, and the game has received the event.
    Arrived,
    /// No path leads there, and the game has received the event.
    NoWay,
}

/// A walk in search of an opponent that is out of sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchWalk {
    pub(super) goal: Cell,
    pub(super) since: u64,
    /// Whether a cop saw the goal when it was chosen, so that seeing it does not end the walk.
    pub(super) is_in_view: bool,
}

impl AgentRecord {
    pub(super) fn new(setup: AgentSetup) -> Self {
        Self {
            role: setup.first_role(),
            setup,
            way: Vec::new(),
            ordered: Vec::new(),
            is_ordered: false,
            origin: setup.cell,
            left: None,
            turned_at: None,
            pace: 0,
            stands_since: 0,
            departs: 0,
            arrives: 0,
            plan: AgentPlan::default(),
            state: PursuitState::default(),
            caught: None,
            is_away: false,
            sought: None,
            own: None,
            target: None,
            search: None,
            changed_ground: false,
            is_struck: false,
            errand: Errand::Walking,
            routine: Routine::default(),
            has_left: false,
            is_safe: false,
            pressure: Pressure::default(),
            waits_since: 0,
        }
    }

    /// Returns whether it is a robber that was last reported to be [out of reach](super::WorldEvent::OutOfReach).
    #[must_use]
    pub const fn is_out_of_reach(&self) -> bool {
        self.is_safe && matches!(self.role.1, Side::Robber)
    }

    /// The same, kept through the time that a robber spends as a cop.
    #[doc(hidden)]
    #[must_use]
    pub const fn was_out_of_reach(&self) -> bool {
        self.is_safe
    }

    /// Its properties. `cell` is the cell it stands on, or set out from.
    #[must_use]
    pub const fn setup(&self) -> &AgentSetup {
        &self.setup
    }

    /// The vertex that its body comes from, if that is not its cell. A player that turns back in mid-step walks back
    /// from the vertex that it was heading for, and its path then leads to its own cell.
    #[must_use]
    pub const fn turned_at(&self) -> Option<Vertex> {
        self.turned_at
    }

    /// The robber that a cop chases.
    #[must_use]
    pub const fn target(&self) -> Option<AgentId> {
        self.target
    }

    /// Its duty, if the game has given it one.
    #[must_use]
    pub fn duty(&self) -> Option<&Duty> {
        self.routine.duty()
    }

    /// Returns whether it does its duty now, or is on its way back to the cell of its leash.
    #[must_use]
    pub const fn is_on_duty(&self) -> bool {
        self.routine.is_on_duty()
    }

    /// The cell that its duty leads to and no path does, while that is so and no other post can be reached, and in the tick
    /// of the [event](super::WorldEvent::NoWay).
    #[must_use]
    pub const fn refused_post(&self) -> Option<Cell> {
        match self.routine.now {
            OnDuty::NoWay(cell) => Some(cell),
            OnDuty::Off | OnDuty::Walks(_) | OnDuty::Waits => None,
        }
    }

    /// The vertices of the path it is walking, without the one it set out from; empty if it stands.
    #[must_use]
    pub fn way(&self) -> &[Vertex] {
        &self.way
    }

    /// The rest of the path that the game has ordered, after the one it is walking.
    pub(super) fn ordered(&self) -> &[Vertex] {
        &self.ordered
    }

    /// The cell where its last move began, which an agent that the game moves has left since.
    pub(super) const fn origin(&self) -> Cell {
        self.origin
    }

    /// The tick at which it arrives, or at which it chooses if it stands.
    pub(super) const fn arrives(&self) -> u64 {
        self.arrives
    }

    /// The ticks at which it departs and arrives.
    #[must_use]
    pub const fn times(&self) -> (u64, u64) {
        (self.departs, self.arrives)
    }

    /// The number of steps that it would have walked on arrival if no edit had cut the path.
    #[must_use]
    pub const fn pace(&self) -> u32 {
        self.pace
    }

    /// The path it plans to follow after the current one.
    #[must_use]
    pub fn ahead(&self) -> &[Vertex] {
        if self.ordered.is_empty() {
            self.plan.ahead()
        } else {
            &self.ordered
        }
    }

    /// The cells that its plan depends on, if it has a valid plan.
    #[must_use]
    pub fn footprint(&self) -> Option<&Footprint> {
        (self.plan.is_intact()).then_some(&self.plan.footprint)
    }

    /// What it does and why.
    #[must_use]
    pub const fn state(&self) -> &PursuitState {
        &self.state
    }

    /// Robbers: the capture, if it was captured.
    #[must_use]
    pub const fn caught(&self) -> Option<Catch> {
        if self.is_away { None } else { self.caught }
    }

    /// Robbers: whether it has got away through an exit. It takes no part in the game until it is
    /// [released](super::PursuitWorld::release) or changes sides.
    #[must_use]
    pub const fn is_away(&self) -> bool {
        self.is_away
    }

    /// How many steps of the path it has walked by a tick.
    pub(super) fn walked(&self, tick: u64) -> usize {
        let length = self.arrives.saturating_sub(self.departs).max(1);
        let gone = tick.saturating_sub(self.departs).min(length);
        (gone.saturating_mul(self.pace.into()) / length) as usize
    }

    /// Returns whether others may capture it by its side or faction.
    pub(super) fn can_be_captured(&self) -> bool {
        self.setup.faction_now().is_some() || self.setup.side == Side::Robber
    }

    /// Returns whether it takes room on a map now.
    pub(super) const fn is_body(&self) -> bool {
        self.setup.is_solid && self.caught.is_none()
    }

    /// Returns whether the game moves it.
    pub(super) fn is_moved_by_game(&self) -> bool {
        self.setup.control == Control::External
    }

    /// Returns whether the world chooses its moves: the game does not, and it can move.
    pub(super) fn is_free_to_choose(&self) -> bool {
        self.setup.chooses() && self.ordered.is_empty() && !self.is_on_duty()
    }

    /// Returns whether the world chooses its moves, and no tactics of its own do. Plans, proofs and tables count
    /// only on cops for which this holds, since no other cop moves as they say.
    pub(super) fn chooses(&self) -> bool {
        self.is_free_to_choose() && self.own.is_none()
    }

    /// Returns whether it belongs to a side of a pursuit.
    pub(super) fn is_member(&self, pursuit: PursuitNumber, side: Side) -> bool {
        self.role == (pursuit, side)
    }

    /// Returns whether it is between two cells, so that its next move has to wait.
    pub(super) fn is_under_way(&self, tick: u64) -> bool {
        !self.way.is_empty() && self.arrives > tick
    }

    /// The vertex where it will make its next move; `None` in a wall or off the map.
    pub(super) fn next_vertex(&self, graph: &Graph) -> Option<Vertex> {
        let cell = self.way.last().map(|&end| graph.cell(end));
        graph.vertex(cell.unwrap_or(self.setup.cell))
    }

    /// What is left of a robber that has left the world, for cops that do not know: it is nowhere, and does nothing.
    pub(super) fn into_trace(mut self) -> Self {
        self.has_left = true;
        self.halt();
        self.forget_intentions();
        self.pressure.forget();
        self.routine = Routine::default();
        self.state = PursuitState::default();
        self.setup.cell = Cell::new(u16::MAX, u16::MAX);
        // It is not a player who has stepped off the map.
        self.origin = self.setup.cell;
        self.left = None;
        self.setup.control = Control::External;
        self.setup.is_solid = false;
        self.arrives = NEVER;
        self
    }

    /// Returns whether a path is the beginning of the one that the game has ordered.
    pub(super) fn follows_order(&self, way: &[Vertex]) -> bool {
        !way.is_empty() && self.ordered.starts_with(way)
    }

    /// Stops the agent, and notes the path that the game has ordered.
    pub(super) fn take_order(&mut self, way: &[Vertex]) {
        self.halt();
        self.ordered.extend_from_slice(way);
    }

    /// Keeps the path that the game has ordered.
    pub(super) fn take_order_on(&mut self, way: &[Vertex]) {
        self.ordered.extend_from_slice(way);
    }

    /// Sets out from its cell along a path, for these ticks. It forgets the path that the game has ordered if this one is
    /// not its beginning.
    pub(super) fn set_out(&mut self, way: &[Vertex], departs: u64, arrives: u64) {
        self.is_ordered = self.follows_order(way);
        if self.is_ordered {
            self.ordered.drain(..way.len());
        } else {
            self.ordered.clear();
        }
        self.way.clear();
        self.way.extend_from_slice(way);
        self.origin = self.setup.cell;
        self.turned_at = None;
        self.pace = way.len() as u32;
        (self.departs, self.arrives) = (departs, arrives);
    }

    /// Stays on its cell for these ticks, and goes on with what the game has ordered then.
    pub(super) fn pause(&mut self, departs: u64, arrives: u64) {
        self.end_move();
        self.origin = self.setup.cell;
        (self.departs, self.arrives) = (departs, arrives);
    }

    /// Walks back in mid-step, which takes as long as the step has taken so far. `to`: where it goes. `turned_at`: the
    /// vertex that its body comes from, if it walks back to its own cell.
    pub(super) fn turn_back(&mut self, to: Vertex, turned_at: Option<Vertex>, tick: u64) {
        self.way.clear();
        self.way.push(to);
        self.turned_at = turned_at;
        self.pace = 1;
        let (departs, arrives) = self.times();
        self.departs = tick + tick - arrives;
        self.arrives = (tick + tick).saturating_sub(departs).max(tick);
    }

    /// Ends its path after some steps. Returns whether the game has ordered the path. If so, the agent forgets the rest of
    /// that order.
    pub(super) fn cut_way(&mut self, steps: usize) -> bool {
        self.way.truncate(steps);
        let was_ordered = std::mem::take(&mut self.is_ordered);
        if was_ordered {
            self.ordered.clear();
        }
        was_ordered
    }

    /// Makes it arrive, or choose if it stands, at this tick.
    pub(super) const fn wait_until(&mut self, tick: u64) {
        self.arrives = tick;
    }

    /// Notes where its last move began.
    pub(super) const fn set_origin(&mut self, cell: Cell) {
        self.origin = cell;
    }

    /// Stops the agent on its cell. It forgets the rest of the path that the game has ordered.
    pub(super) fn halt(&mut self) {
        self.ordered.clear();
        self.end_move();
    }

    /// Ends its current move.
    pub(super) fn end_move(&mut self) {
        self.way.clear();
        self.is_ordered = false;
        self.turned_at = None;
        self.pace = 0;
    }

    /// Drops its plan, its target, its search and the result of its errand, but not its duty. It still finishes the
    /// current step.
    pub(super) fn forget_intentions(&mut self) {
        self.plan.drop();
        self.target = None;
        self.own = self.own.map(|own| OwnTactics::new(own.tactics));
        self.search = None;
        self.errand = Errand::Walking;
        self.routine.break_off();
        self.ordered.clear();
        self.is_ordered = false;
    }
}
