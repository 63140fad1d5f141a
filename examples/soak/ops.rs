//! What a game does to the plugin, as plain data: a script can be written down, cut and played again.

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

/// Who moves an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Steering {
    Policy,
    Steer(i32, i32),
    WalkTo(Tile),
    External,
}

/// An agent to be spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    pub role: Role,
    /// The number of its map; `None` for the only one.
    pub map: Option<usize>,
    pub at: Tile,
    pub pursuit: u32,
    pub speed: u8,
    /// 0 for those without.
    pub ticks_per_step: u32,
    /// `u16::MAX` for those that see everything.
    pub sight: u16,
    pub steering: Steering,
    pub glides: bool,
}

/// What is done to a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TileChange {
    /// A floor that is there becomes a wall, by another `Passable`.
    Close,
    /// By removing `Passable`.
    Strip,
    /// By despawning the tile.
    Tear,
    Open,
}

/// What the game does as soon as it hears of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reaction {
    Nothing,
    /// The recipe of the README: moves the robber away and removes `Caught`.
    MoveRobber(Tile),
    /// The same with the cop.
    MoveCop(Tile),
    /// The robber is gone.
    Despawn,
    /// The robber becomes a cop, and the cop a robber elsewhere.
    Swap(Tile),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Budget {
    Expansions(u32),
    Micros(u32),
}

/// The settings that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "settings of their own")]
pub struct Rules {
    pub ticks_per_turn: u32,
    pub budget: Budget,
    pub free_running: bool,
    pub stagger: bool,
    pub chase: bool,
    pub tables: bool,
}

/// Where an agent hangs in the hierarchy of entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parent {
    Nobody,
    Map(usize),
    /// An entity that is moved about.
    Cart,
}

/// One thing that the game does. Agents and maps go by numbers that the script gives out, so that
/// what is said of one that is not there, because its own operation was cut out, does nothing.
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
    Steering {
        agent: usize,
        steering: Steering,
    },
    /// All captured robbers are let go, somewhere else.
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
    /// So many agents at once, from this number on.
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
    /// `careless`: the game names entities that have gone or are on another map by now.
    Restore {
        slot: usize,
        careless: bool,
    },
    /// An exact table for some cops, as an asset.
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
    /// The same by a file of settings that is loaded again.
    RulesFile(Rules),
    SetUp {
        map: usize,
        pursuit: u32,
        free_running: Option<bool>,
        chase: Option<bool>,
    },
    /// `Time<Virtual>` runs so many times as fast.
    Pace {
        percent: u32,
    },
    Pause {
        yes: bool,
    },
    OnCapture {
        reaction: Reaction,
    },
    /// Another future is played for some ticks, and taken back. A run without it has to be the same.
    Detour {
        ticks: u32,
        seed: u64,
    },
}

/// When in a frame something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Moment {
    /// Outside of the plugin's schedule.
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
    /// Blocks in the open.
    Yard,
    /// Narrow ways and dead ends.
    Maze,
    /// Rooms with doors.
    Rooms,
    /// Streets and houses.
    Town,
}

/// A map as it is in the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    pub style: Style,
    pub width: u32,
    pub height: u32,
    pub seed: u64,
    /// Tiles of a layer, or a map of its own.
    pub is_layer: bool,
    pub octile: bool,
    /// Where the layer is.
    pub offset: (i32, i32),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    pub seed: u64,
    pub grounds: Vec<Ground>,
    pub rules: Rules,
    /// Frames a second.
    pub hz: u32,
}

impl Setup {
    /// Must the same script give the same run?
    pub const fn is_repeatable(&self) -> bool {
        matches!(self.rules.budget, Budget::Expansions(_))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Script {
    pub setup: Setup,
    pub frames: u32,
    /// In the order of their frames.
    pub ops: Vec<Timed>,
}
