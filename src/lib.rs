//! NPCs that chase and flee on tile maps: a Bevy plugin, and a core without Bevy.
//!
//! A game needs the modules `prelude` and `plugin`; the book in the folder `docs` of the repository is
//! the guide. The core can be used alone:
//!
//! ```
//! use bevy_pursuit::game::{Outcome, Rules, Speed, Turns};
//! use bevy_pursuit::graph::Graph;
//! use bevy_pursuit::map::{Cell, Moves, TileMap};
//! use bevy_pursuit::table::{Arena, CaptureTimes as _, Solver};
//! use std::num::NonZeroU8;
//!
//! // How long does a robber escape from a cop that is twice as fast, if both play perfectly?
//! let map = TileMap::parse("type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n")?;
//! let graph = Graph::new(&map, Moves::Orthogonal);
//! let rules = Rules {
//!     cops: NonZeroU8::MIN,
//!     cop_speed: Speed::new(2).unwrap_or_default(),
//!     robber_speed: Speed::default(),
//!     moves: Moves::Orthogonal,
//! };
//! let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, 1_000_000)?;
//! solver.run(|_progress| true);
//! let solution = solver.finish().expect("it ran to the end");
//! let [robber, cop] = [(4, 2), (0, 0)].map(|(x, y)| graph.vertex(Cell::new(x, y)).expect("floor"));
//! assert_eq!(solution.value(robber, &[cop]), Some(Outcome::Caught(Turns(5))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Architecture
//!
//! Data flows one way: [`map`] → [`graph`] → [`game`] → [`table`], [`patterns`], or [`abstraction`] and [`search`] →
//! [`endgame`] → [`policy`], [`solve`], [`belief`], [`table_cache`] → [`world`] → `plugin`; [`lab`], which runs in no game,
//! and the tool `pursuit` stand at the end beside it. The core (all but `plugin` and the tool) knows no Bevy and no clock, prints
//! nothing and does not depend on thread or hash order. The Bevy layer (`src/plugin`) makes no decisions; it passes
//! data between components and `PursuitWorld`. The tool decides nothing. `ARCHITECTURE.md` has a picture of the
//! modules.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod abstraction;
pub mod belief;
pub mod endgame;
pub mod game;
pub mod graph;
pub mod lab;
pub mod map;
pub mod patterns;
pub mod policy;
pub mod search;
pub mod solve;
pub mod table;
pub mod table_cache;
pub mod world;

#[cfg(feature = "plugin")]
pub mod plugin;

/// What a game needs: `use bevy_pursuit::prelude::*`.
#[cfg(feature = "plugin")]
pub mod prelude {
    pub use crate::map::{Moves, PursuitLevel, TileMap};
    pub use crate::plugin::{
        AgentControl, Arrived, Captured, Caught, Cop, Dash, DecidedBy, FreeFor, GridPosition,
        IdleReason, InPursuit, LostSight, MapAgents, MapChanged, MapNumber, MapReady, MapStatus,
        Mistakes, MoveOrder, NextStep, NoWay, Obstacle, OnMap, OrderRefused, OutOfReach,
        PlanInvalidated, PlannedPath, Pursuit, PursuitAgents, PursuitClock, PursuitDiagnostics,
        PursuitEndgames, PursuitMap, PursuitMixedTable, PursuitMixedTables, PursuitPlugin,
        PursuitSettings, PursuitShapes, PursuitSpeed, PursuitState, PursuitSystems, PursuitTable,
        PursuitTables, Reason, Robber, RobberPlanner, SettingsFile, Sight, Sighted, Source,
        TableSchedule, TableSettings, TableStatus, TableStatusChanged, TableTiming, Tactics,
        Target, TickBudget, TicksPerStep, TurnClock, WithinReach,
    };
    #[cfg(feature = "tilemap")]
    pub use crate::plugin::{DesiredMotion, Glide, LayerGeometry, LayerTiles, Passable};
    #[cfg(feature = "gizmos")]
    pub use crate::plugin::{PursuitGizmos, PursuitGizmosPlugin};
}

/// The README: its example, which draws agents, is a doc test.
#[cfg(all(doctest, feature = "demo"))]
#[doc = include_str!("../README.md")]
mod readme {}

/// The chapters of the books: their examples are doc tests.
#[cfg(all(doctest, feature = "tilemap"))]
mod book {
    macro_rules! chapters {
        ($($name:ident $path:literal)*) => { $( #[doc = include_str!($path)] struct $name; )* };
    }
    chapters! {
        FirstGame "../docs/src/first-game.md"
        Map "../docs/src/map.md"
        Agents "../docs/src/agents.md"
        Bodies "../docs/src/bodies.md"
        Captures "../docs/src/captures.md"
        Errands "../docs/src/errands.md"
        Pause "../docs/src/pause.md"
        Player "../docs/src/player.md"
        Doors "../docs/src/doors.md"
        Sight "../docs/src/sight.md"
        Difficulty "../docs/src/difficulty.md"
        FrameTime "../docs/src/frame-time.md"
        ExactPlay "../docs/src/exact-play.md"
        Saving "../docs/src/saving.md"
        NotMoving "../docs/src/not-moving.md"
        Settings "../docs/src/settings.md"
        Ladder "../docs/research/src/ladder.md"
        Tool "../docs/research/src/tool.md"
        Algorithms "../docs/research/src/algorithms.md"
    }
}
