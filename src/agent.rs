//! The components of agents: role, position, path, plan, speed, sight and control.

use crate::members::member::Member;
use crate::target::Target;
use bevy::ecs::VariantDefaults;
use bevy::prelude::*;
use pursuit_engine::game::Speed;
use pursuit_engine::map::Kinds;
use pursuit_engine::world::AgentSetup;
use pursuit_engine::world::PursuitState;

/// Chases the robbers of its pursuit.
///
/// The role may be removed and inserted at any time. Removing it takes the agent out of the game.
/// Replacing it by [`Robber`] in one batch of commands swaps the side: the agent first finishes its
/// current step. An entity with both roles is a robber.
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

/// Flees from the cops of its pursuit. Like [`Cop`] it may be removed and inserted at any time.
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

/// The tile an agent stands on: column and row, counted upwards from the *bottom* left. On a layer, the bottom left tile is
/// (0, 0), as in `bevy_ecs_tilemap`'s `TilePos`; other maps may [begin elsewhere](super::PursuitMap::with_origin).
///
/// The plugin writes it when the agent arrives, and when a wall stops a fast agent half-way. A game may
/// write another tile at any time and from any system, to place the agent elsewhere: it takes effect in
/// the next [`Arrive`](super::PursuitSystems::Arrive) or [`Decide`](super::PursuitSystems::Decide),
/// whichever comes first. Writing the tile that it already holds has no effect.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, PartialEq, Hash)]
pub struct GridPosition(pub IVec2);

impl GridPosition {
    /// Column `x` and row `y`, from the bottom left.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self(IVec2::new(x, y))
    }
}

impl From<IVec2> for GridPosition {
    fn from(at: IVec2) -> Self {
        Self(at)
    }
}

#[cfg(feature = "tilemap")]
impl From<bevy_ecs_tilemap::prelude::TilePos> for GridPosition {
    fn from(at: bevy_ecs_tilemap::prelude::TilePos) -> Self {
        Self(UVec2::from(at).as_ivec2())
    }
}

/// Where an agent goes in this turn, or with this step on the free-running clock.
///
/// Only the plugin writes it, when the agent sets out; the game moves the body along it until it
/// arrives. If a wall blocks the path, the plugin cuts it in the same tick; if the game places the
/// agent elsewhere, the plugin empties it. What a game writes into it is overwritten and has no effect:
/// to order a path, insert a [`MoveOrder`](super::MoveOrder).
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct NextStep {
    /// The tile on which the path begins: where the agent stands, or the tile that it was heading for, if it turns round
    /// between two tiles.
    pub from: IVec2,
    /// The tiles to step on, in order; empty to wait. At most as many as the speed, unless the game has
    /// [ordered](super::MoveOrder) the path.
    pub path: Vec<IVec2>,
    /// The tick of the map at which the agent set out.
    pub departs: u64,
    /// The tick of the map at which the agent arrives and moves again.
    pub arrives: u64,
    /// The number of tiles until it arrives. The agent keeps this pace even if the path is cut short.
    pace: u32,
}

impl NextStep {
    /// The tile on which the agent arrives; `None` if it waits.
    #[must_use]
    pub fn target(&self) -> Option<IVec2> {
        self.path.last().copied()
    }

    /// The tile on which the agent arrives, or stands if it waits.
    #[must_use]
    pub fn end(&self) -> IVec2 {
        self.target().unwrap_or(self.from)
    }

    /// How many tiles of the path have been walked, with fractions, at a tick of the map
    /// ([`LiveMap::tick`](super::LiveMap::tick)). `overstep` is the part of a tick that has
    /// passed since ([`Time<Fixed>::overstep_fraction`]).
    #[must_use]
    pub fn walked(&self, tick: u64, overstep: f32) -> f32 {
        let length = self.arrives.saturating_sub(self.departs).max(1);
        let gone = tick.saturating_sub(self.departs).min(length) as f32 + overstep;
        let progress = (gone / length as f32).clamp(0.0, 1.0);
        let pace = self.path.len().max(self.pace as usize);
        (progress * pace as f32).min(self.path.len() as f32)
    }

    /// The tile of the path with this index; index 0 is the tile it begins on.
    pub(super) fn tile(&self, number: usize) -> IVec2 {
        let last = number.min(self.path.len()).checked_sub(1);
        last.map_or(self.from, |index| self.path[index])
    }

    /// Makes the agent stand on a tile.
    pub(super) fn stand(&mut self, at: IVec2) {
        self.from = at;
        self.path.clear();
        self.pace = 0;
        self.arrives = self.departs;
    }

    /// Copies the path that the world has for an agent.
    pub(super) fn follow(
        &mut self,
        from: IVec2,
        path: impl Iterator<Item = IVec2>,
        pace: u32,
        departs: u64,
        arrives: u64,
    ) {
        self.from = from;
        self.path.clear();
        self.path.extend(path);
        self.pace = pace;
        self.departs = departs;
        self.arrives = arrives;
    }
}

/// The path that an agent intends to follow, beginning with the tiles of this turn.
///
/// For overlays and for games that look ahead. It changes with every decision of the agent.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct PlannedPath {
    /// The tiles, without the one the agent stands on.
    pub path: Vec<IVec2>,
}

/// The largest number of tiles that an agent walks per turn. On the
/// [free-running clock](super::PursuitClock::FreeRunning) it is at most one tile per tick.
///
/// With 0 it cannot move, whoever controls it and on every clock, until the game writes another speed: a camera, a turret,
/// a stunned guard. (The game may still place it elsewhere.) It captures robbers that come to its tile. The other cops do
/// not count on it.
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

/// The ticks per step of an agent in a pursuit on the [free-running clock](super::PursuitClock).
/// Without it, the ticks of a turn divided by the agent's [`PursuitSpeed`]. 0 counts as 1.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct TicksPerStep(pub u32);

impl Default for TicksPerStep {
    fn default() -> Self {
        Self(1)
    }
}

/// How far an agent sees where no wall blocks the view, in columns and rows on each side, or in steps over hexagons. Without
/// it, sight is unlimited. The cops of a pursuit share what they see, remember where they last saw the robber, and
/// search from there.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Sight(pub u16);

impl Default for Sight {
    /// As far as no wall blocks the view.
    fn default() -> Self {
        Self(u16::MAX)
    }
}

/// The kinds of an agent, for tiles that not everybody may enter: it enters the tiles whose
/// [`TileEdit::Kinds`](super::TileEdit::Kinds) share one of them. Without it, an agent enters the tiles for everybody.
///
/// Write it when a key is picked up or lost. The plugin plans with it at once: for the agent itself, and for its
/// opponents. An agent that may no longer enter the tile on which it stands leaves it by the next step.
///
/// The first agent of a new combination of kinds costs a copy of the map, some 5 ns a tile, and an abstraction that is
/// built within the budget. Pursuits whose agents walk on different grounds play without exact tables and proofs.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct AgentKinds(pub Kinds);

/// The reach of a cop: it captures a robber that is at most this number of its steps away. Without it, a cop captures on
/// its own tile. Robbers keep their distance. Pursuits with such a cop play without exact tables and proofs.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Reach(pub u8);

/// An agent that takes room: no two solid agents of a map are on one tile, and no two exchange their tiles. A cop and a
/// robber of its pursuit are excepted: they capture and are captured.
///
/// Where another solid agent is in the way, an agent takes its next best step in the same turn. Cops, robbers and walkers
/// that stand make way for those that have waited longer; players, immobile agents, and agents that the game moves or
/// has sent along a path do not. Captured robbers take no room. Agents that the game puts on one tile stay there until they
/// can part.
///
/// Cost: on average less than a microsecond for each solid agent and turn.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Solid;

/// An agent that keeps its direction: it steps back to the tile from which it comes only where no other step is possible. It
/// does not plan ahead with that, but takes the next best way when its plan turns back. The game still moves it as it likes.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct KeepsDirection;

/// The share of an agent's moves, from 0 to 1, that are mistakes on purpose, for opponents that a player can beat.
/// Without it, the agent always makes the best move that it knows. Values outside the range are clamped, and NaN counts
/// as 0. The share is rounded to thousandths.
///
/// A mistake is a move that looks sensible to somebody who does not see walls: a cop runs straight at the robber, a
/// robber straight away from the nearest cop. No cop misses a capture within its reach, no robber steps onto a cop by
/// mistake, and a cop that does not see its robber does not err. `PursuitState::decided_by` says [`Source::Mistake`](super::debug::Source::Mistake).
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, PartialEq)]
pub struct Mistakes(pub f32);

impl Mistakes {
    /// The number of mistakes among the moves that [`AgentSetup::mistakes`] counts on.
    pub(super) fn of_moves(self) -> u16 {
        // The conversion takes NaN for 0.
        (self.0.clamp(0.0, 1.0) * f32::from(AgentSetup::MOVES_OF_MISTAKES)).round() as u16
    }

    pub(super) fn from_moves(mistakes: u16) -> Self {
        Self(f32::from(mistakes) / f32::from(AgentSetup::MOVES_OF_MISTAKES))
    }
}

/// Who moves an agent. The plugin plans against it in any case. What the game writes
/// before [`Decide`](super::PursuitSystems::Decide) takes effect in the same tick.
#[derive(Component, VariantDefaults, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[non_exhaustive]
pub enum AgentControl {
    /// The plugin decides: the agent chases or flees.
    #[default]
    Policy,
    /// A player steers: in each turn the agent moves in this direction (`y` points up), as far as its
    /// speed and the walls allow. Zero stands still.
    Steer(IVec2),
    /// An errand: in each turn the agent continues along a shortest path to this tile. The plugin
    /// triggers [`Arrived`](super::Arrived) when it is there, and [`NoWay`](super::NoWay) when no path
    /// leads there. Writing the tile that it already holds changes nothing: the errand goes on, or has ended.
    WalkTo(IVec2),
    /// The agent does its [`Duty`](super::Duty) and nothing else, whoever is near; without one it stays where it is.
    Duty,
    /// The game moves the agent and reports its tile by writing [`GridPosition`]. Its [`PursuitSpeed`]
    /// still has to be correct, since other agents plan with it.
    External,
}

/// Filters for agents.
pub(super) type IsAgent = Or<(With<Cop>, With<Robber>)>;
