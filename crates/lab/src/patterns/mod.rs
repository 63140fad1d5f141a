//! Pattern databases by retrograde analysis, and listings of rules about captures.
//!
//! This module follows T. Cazenave, *Retrograde analysis of patterns versus metaprogramming*. A [`Generator`]
//! finds all [`Pattern`]s of a [`PatternGame`], smaller shapes first. A [`Database`] stores the patterns as
//! sorted integers. Two games are implemented: [`hex::Hex`], the game of the paper, and
//! [`pursuit::PursuitWindows`].

mod cubes;
mod database;
pub mod file;
mod game;
mod generator;
pub mod hex;
mod listing;
mod pattern;
pub mod pursuit;
mod set;
mod shape;
mod solved;

pub use database::{Database, Group};
pub use file::{PatternError, PatternFile, Subject};
pub use game::{Board, Layer, PatternGame, Placed};
pub use generator::{Generator, GeneratorProgress, PatternCount};
pub use listing::{Condition, Name, Rule};
pub use pattern::{Code, Kind, MAX_CELLS, NO_PIECE, Pattern, Pieces};
pub use set::CodeSet;
pub use shape::{Fitted, Shape, Site, Symmetry};
pub use solved::Solved;
