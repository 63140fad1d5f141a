//! Duties: what an agent does while it knows of no opponent, how far it may follow one, and when it gives up.

use super::agent_id::AgentId;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// What an agent does while it knows of no opponent: see [`PursuitWorld::set_duty`](super::PursuitWorld::set_duty).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Duty {
    /// It goes to a cell and stays there.
    Post(Cell),
    /// It walks from post to post. With one post it stays there, and without any where it is.
    Patrol {
        /// The cells, in order.
        posts: Vec<Cell>,
        /// Which post comes after which.
        order: PatrolOrder,
        /// The number of turns for which it stays at each post. On the free-running clock, turns last as long as on the
        /// others.
        wait: u16,
    },
    /// It follows another agent of the same world, of whatever side and pursuit. It never steps onto that agent's cell, and
    /// steps aside where that agent comes to its own.
    Follow {
        /// The agent that goes ahead. When it leaves the world, the duty ends.
        leader: AgentId,
        /// The agent stops as soon as it is at most so many steps away, counted without walls, and no wall is on the straight
        /// line between them; 0 counts as 1.
        apart: u8,
    },
}

/// Which post of a patrol comes after which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum PatrolOrder {
    /// After the last one comes the first one.
    #[default]
    Rounds,
    /// After the last one, back in reverse.
    ToAndFro,
    /// Any of the others, all equally likely.
    Random,
}

/// How far a cop follows robbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leash {
    /// The cell that it is tied to. A wall is left through the cells beside it, and a cell off the map leads nowhere.
    pub cell: Cell,
    /// The cop goes nowhere that is more than so many steps from there, on the shortest path of its ground.
    pub steps: u8,
}

/// Why a cop has given up its robber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum GiveUp {
    /// The robber has got away beyond the end of the cop's [`Leash`].
    Leash,
    /// For as many turns as the cop has patience, no path led to the robber.
    Unreachable,
    /// For as many turns as the cop has patience, no cop of the pursuit has seen the robber.
    Unseen,
}

impl Duty {
    /// The cells that it leads to, except those of another agent.
    #[must_use]
    pub fn posts(&self) -> &[Cell] {
        match self {
            Self::Post(cell) => std::slice::from_ref(cell),
            Self::Patrol { posts, .. } => posts,
            Self::Follow { .. } => &[],
        }
    }

    pub(super) const fn order(&self) -> PatrolOrder {
        match self {
            Self::Patrol { order, .. } => *order,
            Self::Post(_) | Self::Follow { .. } => PatrolOrder::Rounds,
        }
    }

    /// The number of turns for which an agent stays at each post.
    pub(super) const fn wait(&self) -> u16 {
        match self {
            Self::Patrol { wait, .. } => *wait,
            Self::Post(_) | Self::Follow { .. } => 0,
        }
    }
}

/// A duty, and how far the agent has come with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct DutyRecord {
    pub(super) duty: Duty,
    /// Whether it stands for the cell of a leash, and the game has given no duty.
    pub(super) is_of_leash: bool,
    /// The number of the post that the agent goes to or stays at.
    pub(super) post: usize,
    /// Whether a patrol to and fro goes back.
    pub(super) is_back: bool,
    /// Whether the agent is at its post and the game has been notified.
    pub(super) is_there: bool,
    /// The tick at which the agent goes on from its post.
    pub(super) leaves: u64,
    /// The posts to which no path led, and of which the game has been notified since the agent was there; sorted. For an
    /// agent that follows another, 0.
    pub(super) refused: Vec<usize>,
    /// Where an agent goes that follows another: that other was there.
    pub(super) heads_for: Option<Cell>,
}

impl DutyRecord {
    pub(super) const fn new(duty: Duty, is_of_leash: bool) -> Self {
        Self {
            duty,
            is_of_leash,
            post: 0,
            is_back: false,
            is_there: false,
            leaves: 0,
            refused: Vec::new(),
            heads_for: None,
        }
    }

    /// Goes on with another duty. A patrol continues with the post of the same number, so that one whose posts have moved
    /// does not begin anew.
    pub(super) fn go_on_as(self, duty: Duty) -> Self {
        let goes_on = self.post < duty.posts().len() && !self.is_of_leash;
        let post = if goes_on { self.post } else { 0 };
        let is_back = goes_on && self.is_back;
        let is_same = self.duty.posts().get(post) == duty.posts().get(post);
        let is_there = goes_on && self.is_there && is_same;
        Self {
            post,
            is_back,
            is_there,
            leaves: self.leaves,
            ..Self::new(duty, false)
        }
    }

    /// Returns whether the game does not know yet that no path leads to a post. From now on, it does.
    pub(super) fn refuse(&mut self, post: usize) -> bool {
        let place = self.refused.binary_search(&post);
        place
            .map_err(|place| self.refused.insert(place, post))
            .is_err()
    }

    pub(super) fn is_refused(&self, post: usize) -> bool {
        self.refused.binary_search(&post).is_ok()
    }

    /// Notes that a path leads to a post again.
    pub(super) fn accept(&mut self, post: usize) {
        self.refused.retain(|&other| other != post);
    }
}

/// What an agent on duty does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum OnDuty {
    /// It is not on duty: it chases or flees, or has no duty.
    #[default]
    Off,
    /// It walks to a cell.
    Walks(Cell),
    /// It stays where it is, because it is where it should be.
    Waits,
    /// It stays where it is, because no path leads to a cell.
    NoWay(Cell),
}

/// A robber that a cop has given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GivenUp {
    pub(super) robber: AgentId,
    pub(super) because: GiveUp,
    /// The tick at which the cop gave up, and the one until which it does not chase the robber in any case.
    pub(super) tick: u64,
    pub(super) until: u64,
}

/// The duty of an agent, and the robbers that it has given up.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Routine {
    pub(super) duty: Option<Box<DutyRecord>>,
    pub(super) now: OnDuty,
    pub(super) given_up: Vec<GivenUp>,
    /// The last tick at which its robber was seen and within reach.
    pub(super) held_at: u64,
}

impl Routine {
    pub(super) const fn is_on_duty(&self) -> bool {
        !matches!(self.now, OnDuty::Off)
    }

    /// Drops what it does now, but not its duty.
    pub(super) fn break_off(&mut self) {
        self.now = OnDuty::Off;
        self.given_up.clear();
        if let Some(duty) = &mut self.duty {
            duty.heads_for = None;
        }
    }

    /// Begins a chase, of a robber that it may have given up before.
    pub(super) fn begin_chase(&mut self, robber: Option<AgentId>, tick: u64) {
        self.held_at = tick;
        self.given_up.retain(|given| Some(given.robber) != robber);
    }

    /// The duty that the game has given.
    pub(super) fn duty(&self) -> Option<&Duty> {
        let duty = self.duty.as_deref().filter(|duty| !duty.is_of_leash);
        duty.map(|record| &record.duty)
    }

    /// Forgets to which posts no path leads, because the agent walks on another ground now.
    pub(super) fn try_all_posts(&mut self) {
        if let Some(duty) = &mut self.duty {
            duty.refused.clear();
        }
    }

    /// Returns whether a game can have saved it.
    pub(super) fn is_sound(&self, last_tick: u64) -> bool {
        let duty = self.duty.as_deref();
        let is_post = |duty: &DutyRecord| {
            let posts = duty.duty.posts().len().max(1);
            let are_posts = duty.refused.iter().all(|&post| post < posts);
            duty.post < posts && are_posts && duty.leaves < last_tick
        };
        let in_time = |given: &GivenUp| given.tick < last_tick && given.until < last_tick;
        duty.is_none_or(is_post) && self.given_up.iter().all(in_time) && self.held_at < last_tick
    }
}
