//! Clique abstraction: a map as a hierarchy of ever smaller graphs.
