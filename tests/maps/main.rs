//! Tests of maps, graphs, the rules and the hierarchy.

#[path = "../common/mod.rs"]
mod common;

mod digraph;
mod formats;
mod graph;
mod hierarchy;
mod hierarchy_reference;
mod house;
mod level;
mod line_of_sight;
mod maintenance;
mod map;
mod nearest;
mod retract;
mod rows;
mod rules;
