//! Rules about captures, unfolded from a theory of the game and compiled into programs.

mod compile;
mod listing;
mod program;
mod theory;

pub use listing::{Condition, Name, Rule};
pub use program::Program;
pub use theory::{Goal, Theory, TheoryError};
