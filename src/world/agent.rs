use super::plan::AgentPlan;
use super::state::PursuitState;
use crate::game::{Side, Speed};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::Footprint;
use serde::{Deserialize, Serialize};

/// Names an agent of a [`PursuitWorld`](super::PursuitWorld). Never given out twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AgentId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

/// Who moves an agent. Everybody else plans against it all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Control {
    /// The world: it chases or flees.
    #[default]
    Policy,
    /// A player: each turn it goes in this direction (`dy` downwards), as far as speed and walls
    /// allow; 0 to stand still.
    Steer {
        /// Columns to the right.
        dx: i8,
        /// Rows downwards.
        dy: i8,
    },
    /// An errand: each turn it goes on towards this cell by a shortest path.
    WalkTo(Cell),
    /// The game moves it and says where it is.
    External,
}

/// What an agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSetup {
    /// Which side it is on.
    pub side: Side,
    /// The pursuit it takes part in: cops and robbers of different pursuits take no notice of each
    /// other.
    pub pursuit: u32,
    /// Where it stands. It may be in a wall or off the map.
    pub cell: Cell,
    /// Steps a turn.
    pub speed: Speed,
    /// On the free running clock the ticks of a step; 0 for the ticks of a turn divided by the speed.
    pub ticks_per_step: u32,
    /// Who moves it.
    pub control: Control,
    /// How many columns and rows it sees, where no wall is in between. `None`: everything. Cops of a
    /// pursuit tell each other what they see.
    pub sight: Option<u16>,
    /// A number of the game's own, to know it again by.
    pub user: u64,
}

impl AgentSetup {
    /// A cop or a robber of pursuit 0, of one step a turn, that sees everything.
    #[must_use]
    pub fn new(side: Side, cell: Cell) -> Self {
        Self {
            side,
            pursuit: 0,
            cell,
            speed: Speed::ONE,
            ticks_per_step: 0,
            control: Control::Policy,
            sight: None,
            user: 0,
        }
    }
}

/// A cop or a robber in a world.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AgentRecord {
    pub(super) setup: AgentSetup,
    /// What it walks on now, without where it stands. One that turns round walks on its own cell.
    pub(super) way: Vec<Vertex>,
    /// Where it turned round in the middle of a step, if its way leads back to its own cell.
    pub(super) turned_at: Option<Vertex>,
    /// The steps of the way when it was made: one that is cut short is walked no slower.
    pub(super) pace: u32,
    /// The tick at which it set out, and the one at which it will be there.
    pub(super) departs: u64,
    pub(super) arrives: u64,
    pub(super) plan: AgentPlan,
    pub(super) state: PursuitState,
    pub(super) caught: Option<Catch>,
    /// The robber that a cop goes for.
    pub(super) target: Option<AgentId>,
    /// Where an agent goes that has lost sight of its enemy.
    pub(super) search: Option<SearchWalk>,
    /// What the game was told of the errand that it is on.
    pub(super) errand: Errand,
    /// Robbers: nobody can come, as the map is.
    pub(super) is_safe: bool,
}

/// A capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catch {
    /// The cop.
    pub by: AgentId,
    /// The turns that were played in the pursuit.
    pub turn: u64,
    /// The tick.
    pub tick: u64,
}

/// How far an agent is on an errand of the game's ([`Control::WalkTo`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Errand {
    /// On its way, as far as is known.
    #[default]
    Walking,
    /// The game knows that it has come there.
    Arrived,
    /// The game knows that no way leads there.
    NoWay,
}

/// A walk in search of an enemy that is out of sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchWalk {
    pub(super) goal: Cell,
    pub(super) since: u64,
}

impl AgentRecord {
    pub(super) fn new(setup: AgentSetup) -> Self {
        Self {
            setup,
            way: Vec::new(),
            turned_at: None,
            pace: 0,
            departs: 0,
            arrives: 0,
            plan: AgentPlan::default(),
            state: PursuitState::default(),
            caught: None,
            target: None,
            search: None,
            errand: Errand::Walking,
            is_safe: false,
        }
    }

    /// What it is. The cell is where it stands, or stood when it set out.
    #[must_use]
    pub const fn setup(&self) -> &AgentSetup {
        &self.setup
    }

    /// Where its body comes from, if that is not its cell: a player that turns round in the middle of a
    /// step walks back from the vertex that it was going to. The way then is its own cell.
    #[must_use]
    pub const fn turned_at(&self) -> Option<Vertex> {
        self.turned_at
    }

    /// The robber that a cop goes for.
    #[must_use]
    pub const fn target(&self) -> Option<AgentId> {
        self.target
    }

    /// The vertices of the way it is on, without where it set out; empty if it stands.
    #[must_use]
    pub fn way(&self) -> &[Vertex] {
        &self.way
    }

    /// The ticks at which it set out and at which it arrives.
    #[must_use]
    pub const fn times(&self) -> (u64, u64) {
        (self.departs, self.arrives)
    }

    /// How many steps of the way it would have walked by the time it arrives if nothing had cut it.
    #[must_use]
    pub const fn pace(&self) -> u32 {
        self.pace
    }

    /// What it means to do after its way.
    #[must_use]
    pub fn ahead(&self) -> &[Vertex] {
        if self.plan.is_made {
            self.plan.path.get(self.plan.at..).unwrap_or_default()
        } else {
            &[]
        }
    }

    /// What its plan depends on, if it has one that counts.
    #[must_use]
    pub fn footprint(&self) -> Option<&Footprint> {
        (self.plan.is_made && self.plan.is_intact).then_some(&self.plan.footprint)
    }

    /// What it does and why.
    #[must_use]
    pub const fn state(&self) -> &PursuitState {
        &self.state
    }

    /// Robbers: how it was captured.
    #[must_use]
    pub const fn caught(&self) -> Option<Catch> {
        self.caught
    }

    /// How many steps of the way it has walked at a tick.
    pub(super) fn walked(&self, tick: u64) -> usize {
        let length = self.arrives.saturating_sub(self.departs).max(1);
        let gone = tick.saturating_sub(self.departs).min(length);
        (gone * u64::from(self.pace) / length) as usize
    }

    /// Is it between two tiles, so that what it does next has to wait?
    pub(super) fn is_under_way(&self, tick: u64) -> bool {
        !self.way.is_empty() && self.arrives > tick
    }

    /// The vertex where it will be when it moves next; `None` for a wall and beside the map.
    pub(super) fn next_vertex(&self, graph: &Graph) -> Option<Vertex> {
        let cell = self.way.last().map(|&end| graph.cell(end));
        graph.vertex(cell.unwrap_or(self.setup.cell))
    }

    /// Stands still.
    pub(super) fn halt(&mut self) {
        self.way.clear();
        self.turned_at = None;
        self.pace = 0;
    }

    /// Forgets what it meant to do. The step that it is on it finishes.
    pub(super) fn forget_intentions(&mut self) {
        self.plan.drop();
        self.target = None;
        self.search = None;
        self.errand = Errand::Walking;
    }
}
