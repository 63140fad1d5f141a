//! Tests of maps, graphs, the rules and the hierarchy.

use pursuit_testkit as common;

mod digraph;
mod formats;
mod level;
mod retract;
