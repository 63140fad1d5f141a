//! Rules about captures, unfolded from a theory of the game and compiled into programs.

mod compile;
mod program;
mod theory;

pub use program::Program;
#[doc(hidden)]
pub use theory::{Case, Tree, Var};
pub use theory::{Goal, Theory, TheoryError};
