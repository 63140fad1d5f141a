//! What is certain about captures within the next turns: rules, unfolded from a theory of the game.
//!
//! The module `lab::patterns` has the other half of T. Cazenave, *Retrograde analysis of patterns versus
//! metaprogramming*: databases of patterns.

pub mod rules;
