use super::members::Member;
use super::{PursuitState, Target};
use crate::game::Speed;
use bevy::prelude::*;

/// Chases the robbers of its pursuit.
///
/// The role may be taken off and put on at any time. Taking it off takes the agent out of the game;
/// putting on [`Robber`] in its place, in one batch of commands, swaps the side: the agent finishes
/// the step that it is on. An entity with both roles is a robber.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[require(
    GridPosition,
    NextStep,
    PlannedPath,
    PursuitSpeed,
    AgentControl,
    PursuitState,
    Target,
    Member
)]
pub struct Cop;

/// Flees from the cops of its pursuit. Like [`Cop`] it may be taken off and put on at any time.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[require(
    GridPosition,
    NextStep,
    PlannedPath,
    PursuitSpeed,
    AgentControl,
    PursuitState,
    Member
)]
pub struct Robber;

/// The tile an agent stands on: column and row from 0 at the *bottom* left, as in
/// `bevy_ecs_tilemap`'s `TilePos`.
///
/// The plugin writes it when the agent arrives, and when a wall stops a fast agent half-way. A game may
/// write another tile at any time and from any system, to put the agent elsewhere: it counts from the
/// next [`Arrive`](super::PursuitSystems::Arrive) or [`Decide`](super::PursuitSystems::Decide) on,
/// whichever comes first. Writing the tile that it holds already changes nothing.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, PartialEq, Hash)]
pub struct GridPosition(pub UVec2);

impl GridPosition {
    /// Column `x` and row `y`, from the bottom left.
    #[must_use]
    pub const fn new(x: u32, y: u32) -> Self {
        Self(UVec2::new(x, y))
    }
}

/// Where an agent goes in this turn, or with this step on the free running clock.
///
/// Only the plugin writes it, when the agent sets out; the game moves the body along it until it
/// arrives. When a wall comes in the way, the plugin cuts it short in the same tick; when the game puts
/// the agent elsewhere, the plugin empties it. What a game writes into it is overwritten and has no
/// effect: to order a way, insert a [`MoveOrder`](super::MoveOrder).
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct NextStep {
    /// The tile the way begins on, where the agent stands.
    pub from: UVec2,
    /// The tiles to step on, one after another; empty to wait. At most as many as the speed, unless the game
    /// has [ordered](super::MoveOrder) the way.
    pub way: Vec<UVec2>,
    /// The tick of the map at which the agent set out.
    pub departs: u64,
    /// The tick of the map at which it will be there, and moves again.
    pub arrives: u64,
    /// Tiles until it arrives. A way that is cut short is walked no slower.
    pace: u32,
}

impl NextStep {
    /// The tile the agent will be on when it arrives, `None` if it waits.
    #[must_use]
    pub fn target(&self) -> Option<UVec2> {
        self.way.last().copied()
    }

    /// The tile the agent will be on when it arrives: where it stands, if it waits.
    #[must_use]
    pub fn end(&self) -> UVec2 {
        self.target().unwrap_or(self.from)
    }

    /// How many tiles of the way have been walked, with fractions, at a tick of the map
    /// ([`PursuitMap::tick`](super::PursuitMap::tick)). `overstep` is the part of a tick that has passed
    /// since ([`Time<Fixed>::overstep_fraction`]).
    #[must_use]
    pub fn walked(&self, tick: u64, overstep: f32) -> f32 {
        let length = self.arrives.saturating_sub(self.departs).max(1);
        let gone = tick.saturating_sub(self.departs).min(length) as f32 + overstep;
        let progress = (gone / length as f32).clamp(0.0, 1.0);
        let pace = self.way.len().max(self.pace as usize);
        (progress * pace as f32).min(self.way.len() as f32)
    }

    /// The tile of the way with this number; the tile it begins on is number 0.
    #[cfg(feature = "tilemap")]
    pub(super) fn tile(&self, number: usize) -> UVec2 {
        let last = number.min(self.way.len()).checked_sub(1);
        last.map_or(self.from, |index| self.way[index])
    }

    /// Stands on a tile.
    pub(super) fn stand(&mut self, at: UVec2) {
        self.from = at;
        self.way.clear();
        self.pace = 0;
        self.arrives = self.departs;
    }

    /// Takes the way that the world has for an agent.
    pub(super) fn follow(
        &mut self,
        from: UVec2,
        way: impl Iterator<Item = UVec2>,
        pace: u32,
        (departs, arrives): (u64, u64),
    ) {
        self.from = from;
        self.way.clear();
        self.way.extend(way);
        self.pace = pace;
        (self.departs, self.arrives) = (departs, arrives);
    }
}

/// What an agent means to do beyond this turn: the tiles of its path, this turn's first.
///
/// For overlays and for games that look ahead; it changes whenever the agent thinks again.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct PlannedPath {
    /// The tiles, without the one the agent stands on.
    pub path: Vec<UVec2>,
}

/// How many tiles an agent goes in a turn at most. 0 is taken as 1.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct PursuitSpeed(pub u8);

impl Default for PursuitSpeed {
    fn default() -> Self {
        Self(1)
    }
}

impl From<PursuitSpeed> for Speed {
    fn from(speed: PursuitSpeed) -> Self {
        Self::new(speed.0).unwrap_or_default()
    }
}

/// The ticks of a step of an agent in a pursuit on the [free running clock](super::PursuitClock). Agents without
/// it take the ticks of a turn divided by their [`PursuitSpeed`].
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
pub struct TicksPerStep(pub u32);

/// How many columns and rows an agent sees, where no wall is in between. Agents without it see
/// everything. Cops of a pursuit tell each other what they see, remember where they saw the robber last,
/// and search from there.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
pub struct Sight(pub u16);

/// Who moves an agent. Everybody else plans against it all the same. What the game writes before
/// [`Decide`](super::PursuitSystems::Decide) counts in the same tick.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub enum AgentControl {
    /// The plugin: it chases or flees.
    #[default]
    Policy,
    /// A player: each turn it goes in this direction (`y` upwards), as far as speed and walls
    /// allow. Zero to stand still.
    Steer(IVec2),
    /// The game's errand: each turn it goes on towards this tile by a shortest path. The plugin triggers
    /// [`Arrived`](super::Arrived) when it is there, and [`NoWay`](super::NoWay) when no way leads there.
    WalkTo(UVec2),
    /// The game moves it and reports where it is by writing [`GridPosition`]. Its
    /// [`PursuitSpeed`] has to be true all the same: the others count on it.
    External,
}
