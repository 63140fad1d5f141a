//! Pursuit and evasion on tile maps and graphs: the engine of the Bevy plugin `bevy_pursuit`, for games with or without
//! Bevy.
//!
//! ```
//! use pursuit_engine::game::{Outcome, Rules, Speed, Turns};
//! use pursuit_engine::graph::Graph;
//! use pursuit_engine::map::{Cell, Moves, TileMap};
//! use pursuit_engine::table::{Arena, CaptureTimes as _, Solver};
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
//! [`endgame`] → [`policy`], [`solve`], `belief`, [`table_cache`] → [`world`]. The engine knows no Bevy and no clock,
//! prints nothing and does not depend on thread or hash order. A game without Bevy uses
//! [`PursuitWorld`](world::PursuitWorld).
//!
//! Items that the documentation does not show are there for the laboratory `pursuit_lab`. They are no part of the
//! interface and may change in any version.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod abstraction;
pub(crate) mod belief;
pub mod endgame;
pub mod game;
pub mod graph;
pub mod map;
pub mod patterns;
pub mod policy;
pub mod search;
pub mod solve;
pub mod table;
pub mod table_cache;
pub mod world;
