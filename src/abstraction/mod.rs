//! Clique abstraction: a map as a hierarchy of ever smaller graphs.

/// A hierarchy of clique abstractions.
#[derive(Debug, Clone)]
pub struct Hierarchy;
