//! Operations and scripts as plain data, which can be saved, shrunk and replayed.

use serde::{Deserialize, Serialize};

/// A column and a row, from the bottom left.
pub type Tile = (u32, u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    Cop,
    Robber,
}

impl Role {
    pub const fn other(self) -> Self {
        match self {
            Self::Cop => Self::Robber,
            Self::Robber => Self::Cop,
        }
    }
}

/// The control of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Steering {
    Policy,
    Steer(i32, i32),
    WalkTo(Tile),
    External,
}

/// What an agent may have besides, none of which changes what is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trait {
    Solid,
    KeepsDirection,
    /// Its own tactics, by their place in a list.
    Tactics(usize),
    /// In hundredths.
    Difficulty(u8),
    /// The number of the agent that it shall chase, which may have gone.
    Quarry(usize),
    /// The tile for which it heads with tactics of the game's own.
    HeadsFor(Tile),
}

/// An agent to be spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    pub role: Role,
    /// The number of its map; `None` if it names none.
    pub map: Option<usize>,
    pub at: Tile,
    pub pursuit: u32,
    pub speed: u8,
    /// 0 for none.
    pub ticks_per_step: u32,
    /// `u16::MAX` for unlimited sight.
    pub sight: u16,
    /// How many of 1,000 moves are mistakes.
    pub mistakes: u16,
    pub steering: Steering,
    pub glides: bool,
}

/// A change of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TileChange {
    /// Close the tile by changing `Passable`.
    Close,
    /// Close the tile by removing `Passable`.
    Strip,
    /// Close the tile by despawning it.
    Tear,
    Open,
}

/// The game's immediate reaction to a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reaction {
    Nothing,
    /// Move the robber away and remove `Caught`, as documented for respawning.
    MoveRobber(Tile),
    /// Move the cop away and remove `Caught`.
    MoveCop(Tile),
    /// Despawn the robber.
    Despawn,
    /// Despawn the cop.
    DespawnCop,
    /// Despawn both.
    DespawnBoth,
    /// Turn the robber into a cop, and the cop into a robber on another tile.
    Swap(Tile),
    /// Begin the level again: move all agents on the robber's map to tiles drawn with this seed, and free the captured.
    Restart(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Budget {
    Expansions(u32),
    Micros(u32),
}

/// When agents move, as in the plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clock {
    Turns,
    FreeRunning,
    Simultaneous,
}

/// The settings used by the soak test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    pub ticks_per_turn: u32,
    pub budget: Budget,
    pub clock: Clock,
    pub stagger: bool,
    pub chase: bool,
    pub tables: bool,
}

/// The parent entity of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parent {
    Nobody,
    Map(usize),
    /// A moving entity.
    Cart,
}

/// An operation of the game. Agents and maps are numbered by the script, so that an operation on one that
/// does not exist (because shrinking has removed its own operation) does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Op {
    Spawn {
        agent: usize,
        spec: Spec,
    },
    Clone {
        agent: usize,
        copy: usize,
    },
    Despawn {
        agent: usize,
    },
    Enable {
        agent: usize,
        yes: bool,
    },
    Reparent {
        agent: usize,
        parent: Parent,
    },
    MoveCart {
        to: (i32, i32),
    },
    Place {
        agent: usize,
        at: Tile,
    },
    Order {
        agent: usize,
        way: [Tile; 2],
    },
    Role {
        agent: usize,
        role: Option<Role>,
    },
    Swap {
        agent: usize,
    },
    Map {
        agent: usize,
        map: Option<usize>,
    },
    Pursuit {
        agent: usize,
        pursuit: u32,
    },
    Speed {
        agent: usize,
        speed: u8,
    },
    TicksPerStep {
        agent: usize,
        ticks: u32,
    },
    Sight {
        agent: usize,
        sight: u16,
    },
    Trait {
        agent: usize,
        what: Trait,
        yes: bool,
    },
    Steering {
        agent: usize,
        steering: Steering,
    },
    /// Free all captured robbers on other tiles.
    Amnesty {
        seed: u64,
    },
    Tile {
        map: usize,
        at: Tile,
        change: TileChange,
    },
    Resize {
        map: usize,
        width: u32,
        height: u32,
    },
    MapGone {
        map: usize,
    },
    MapBack {
        map: usize,
    },
    /// Spawn this many agents at once, numbered from `first`.
    Mass {
        first: usize,
        many: usize,
        map: usize,
        pursuits: u32,
        seed: u64,
    },
    MassGone {
        first: usize,
        many: usize,
    },
    Save {
        map: usize,
        slot: usize,
    },
    /// Restore a save. If `careless`, the game passes entities that are despawned or on another map.
    Restore {
        slot: usize,
        careless: bool,
    },
    /// Add an exact table as an asset.
    Table {
        map: usize,
        cops: u8,
        speed: u8,
    },
    ReloadTables,
    DropTables {
        map: usize,
    },
    Rules(Rules),
    /// Change the rules by reloading a settings file.
    RulesFile(Rules),
    SetUp {
        map: usize,
        pursuit: u32,
        clock: Option<Clock>,
        chase: Option<bool>,
    },
    /// Change the relative speed of `Time<Virtual>`.
    Pace {
        percent: u32,
    },
    Pause {
        yes: bool,
    },
    OnCapture {
        reaction: Reaction,
    },
    /// What the game does with the subject of every other event, such as a robber that is sighted.
    OnNotice {
        reaction: Reaction,
    },
    /// A player whom the game moves itself steps to an open neighbour of its tile.
    Step {
        agent: usize,
        seed: u64,
    },
    /// Change the ticks per second of the schedule.
    Timestep {
        hz: u32,
    },
    /// Change how much time a frame makes up for; `None` for all of it.
    MaxDelta {
        millis: Option<u32>,
    },
    /// Play some ticks with other operations, then roll back. A run without it must be the same.
    Detour {
        ticks: u32,
        seed: u64,
    },
}

/// The moment of an operation within a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Moment {
    /// Outside the plugin's schedule.
    Frame,
    BeforeSync,
    AfterSync,
    AfterArrive,
    AfterDecide,
}

impl Moment {
    pub const IN_TICKS: [Self; 4] = [
        Self::BeforeSync,
        Self::AfterSync,
        Self::AfterArrive,
        Self::AfterDecide,
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    pub frame: u32,
    pub moment: Moment,
    pub op: Op,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    /// Open ground with blocks.
    Yard,
    /// Narrow corridors and dead ends.
    Maze,
    /// Rooms with doors.
    Rooms,
    /// Streets and houses.
    Town,
}

/// The initial state of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    pub style: Style,
    pub width: u32,
    pub height: u32,
    pub seed: u64,
    /// Whether the map belongs to a layer of tiles, or is standalone.
    pub is_layer: bool,
    pub octile: bool,
    /// The position of the layer.
    pub offset: (i32, i32),
}

/// What a game is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
pub enum Kind {
    /// Everything changes all the time.
    #[default]
    Busy,
    /// Maps that rarely change, with tables, guides, proofs and players.
    Quiet,
    /// Robbers at rest, and cops that the game holds.
    Still,
    /// Many cops after few robbers.
    Crowd,
    /// Many maps, most of them idle, with agents of the smallest and the greatest speeds.
    Maps,
    /// Timesteps, pauses, and the time that a frame makes up for.
    Time,
}

impl Kind {
    pub const ALL: [Self; 6] = [
        Self::Busy,
        Self::Quiet,
        Self::Still,
        Self::Crowd,
        Self::Maps,
        Self::Time,
    ];
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    #[serde(default)]
    pub kind: Kind,
    pub seed: u64,
    pub grounds: Vec<Ground>,
    pub rules: Rules,
    /// Frames per second.
    pub hz: u32,
}

impl Setup {
    /// Returns whether the same script must give the same run.
    pub const fn is_repeatable(&self) -> bool {
        matches!(self.rules.budget, Budget::Expansions(_))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Script {
    pub setup: Setup,
    pub frames: u32,
    /// The operations, ordered by frame.
    pub ops: Vec<Timed>,
}
