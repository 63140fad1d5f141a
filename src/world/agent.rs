use super::state::AgentState;
use crate::game::{Side, Speed, Value};
use crate::graph::Vertex;
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
pub struct Agent {
    pub(super) setup: AgentSetup,
    /// What it walks on now, without where it stands.
    pub(super) way: Vec<Vertex>,
    /// The steps of the way when it was made: one that is cut short is walked no slower.
    pub(super) pace: u32,
    /// The tick at which it set out, and the one at which it will be there.
    pub(super) departs: u64,
    pub(super) arrives: u64,
    pub(super) plan: AgentPlan,
    pub(super) state: AgentState,
    pub(super) caught: Option<Catch>,
    /// The robber that a cop goes for.
    pub(super) target: Option<AgentId>,
    /// Where an agent goes that has lost sight of its enemy.
    pub(super) search: Option<SearchWalk>,
    /// Robbers: nobody can come, as the map is.
    pub(super) is_safe: bool,
    /// Has the end of its errand been told?
    #[serde(default)]
    pub(super) errand_told: bool,
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

/// A walk in search of an enemy that is out of sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchWalk {
    pub(super) goal: Cell,
    pub(super) since: u64,
}

/// What an agent means to do after its way.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the plan"
)]
pub(super) struct AgentPlan {
    /// Where the path begins.
    pub(super) from: Vertex,
    pub(super) path: Vec<Vertex>,
    /// The steps of the path that are done or on the way.
    pub(super) at: usize,
    /// The tick at which it was made.
    pub(super) made: u64,
    /// The position it was made for.
    pub(super) key: u64,
    /// What it was worth when it was made.
    pub(super) value: Option<Value>,
    pub(super) footprint: Footprint,
    /// Is there a plan at all?
    pub(super) is_made: bool,
    /// Has no edit touched the footprint?
    pub(super) is_intact: bool,
    /// Does the path end where the agent means to be, and not just where it was cut off?
    pub(super) is_whole: bool,
    /// Does it lead a cop as near to a robber as it gets, which is not to it?
    pub(super) falls_short: bool,
}

impl AgentPlan {
    pub(super) fn drop(&mut self) {
        self.is_made = false;
        self.path.clear();
        self.at = 0;
    }

    /// What is left of the path for one who stands at `at`; `None` if the plan is for another place.
    pub(super) fn rest(&self, at: Vertex) -> Option<&[Vertex]> {
        let before = match self.at.checked_sub(1) {
            None => self.from,
            Some(last) => *self.path.get(last)?,
        };
        let fits = self.is_made && before == at;
        fits.then(|| self.path.get(self.at..).unwrap_or_default())
    }

    /// If it was made for this very position it is as good as a new one.
    pub(super) fn confirm(&mut self, key: u64, tick: u64) {
        if self.is_made && self.is_intact && self.key == key {
            self.made = tick;
        }
    }

    /// Does it say what to do for one who stands at `at`?
    pub(super) fn is_usable(&self, at: Vertex) -> bool {
        self.rest(at)
            .is_some_and(|rest| !rest.is_empty() || self.is_whole)
    }
}

impl Agent {
    pub(super) fn new(setup: AgentSetup) -> Self {
        Self {
            setup,
            way: Vec::new(),
            pace: 0,
            departs: 0,
            arrives: 0,
            plan: AgentPlan::default(),
            state: AgentState::default(),
            caught: None,
            target: None,
            search: None,
            is_safe: false,
            errand_told: false,
        }
    }

    /// What it is. The cell is where it stands, or stood when it set out.
    #[must_use]
    pub const fn setup(&self) -> &AgentSetup {
        &self.setup
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
    pub const fn state(&self) -> &AgentState {
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

    /// Stands still.
    pub(super) fn halt(&mut self) {
        self.way.clear();
        self.pace = 0;
    }
}
