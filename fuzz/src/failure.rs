//! The part of the tool's `failure.rs` that `positions.rs` uses.

/// Why an input is refused.
#[derive(Debug)]
pub enum Failure {
    /// Input that is wrong, in words.
    #[expect(dead_code, reason = "the tool prints it")]
    Input(String),
}
