//! Text in, validated map out.
//!
//! Two formats are read: the `.map` files of the MovingAI benchmarks ([`TileMap::parse`]) and the
//! RON levels of this project ([`PursuitLevel::parse`]), which add doors, spawn points and agents. Both
//! give a [`TileMap`], whose size is checked once and can be relied on from then on. Errors name
//! line and column, what was expected and what was found ([`MapError`]).

mod error;
mod level;
mod moves;
mod movingai;
mod rows;
mod terrain;
mod tile_map;

pub use error::{MapError, Place};
pub use level::{AgentStart, Door, Mark, PursuitLevel};
pub use moves::Moves;
pub use terrain::Terrain;
pub use tile_map::{Cell, MAX_CELLS, TileMap};
