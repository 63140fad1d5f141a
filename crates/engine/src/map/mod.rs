//! Parses map texts into validated maps.
//!
//! There are two formats: the `.map` files of the MovingAI benchmarks ([`TileMap::parse`]) and the
//! RON levels of this project ([`PursuitLevel::parse`]), which add doors, spawn points and agents.
//! Both produce a [`TileMap`], whose size is checked once, on creation. Errors state the line, the
//! column, and the expected and actual text ([`MapError`]).

mod error;
mod format;
mod hex;
mod kinds;
mod level;
mod level_play;
mod level_rules;
mod moves;
mod movingai;
mod offset;
mod rows;
mod rules;
mod terrain;
mod tile_map;
mod walker;

pub use error::{MapError, TextPosition};
#[doc(hidden)]
pub use format::recognise;
pub use hex::HexLayout;
pub(crate) use hex::HexPlace;
pub use kinds::Kinds;
pub use level::{AgentStart, Door, Mark, PursuitLevel};
pub use level_rules::LevelLink;
pub use moves::Moves;
pub(crate) use offset::Offset;
pub use rules::{Corners, MapEdit, MapRules, Opacity};
pub use terrain::Terrain;
pub use tile_map::{Cell, MAX_CELLS, TileMap};
pub use walker::{BodySize, Walker};
