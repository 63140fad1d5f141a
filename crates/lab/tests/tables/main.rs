//! Tests of exact tables: solving, files, play and the table cache.

use pursuit_testkit as common;

mod endgame_choice;
mod endgame_links;
mod endgame_shapes;
mod guided_subsets;
mod memory;
mod patterns;
mod patterns_file;
mod patterns_reference;
mod patterns_rules;
mod reference;
mod simultaneous;
mod simultaneous_flight;
mod solve;
mod solve_reference;
mod solve_refusals;
mod subsets;
