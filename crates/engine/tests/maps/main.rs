//! Tests of maps, graphs, the rules and the hierarchy.

use pursuit_testkit as common;

mod graph;
mod hexagons;
mod hierarchy;
mod hierarchy_reference;
mod level_rules;
mod line_of_sight;
mod maintenance;
mod map;
mod map_rules;
mod nearest;
mod rows;
mod rules;
