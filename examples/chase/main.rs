//! The chase.
fn main() {}
