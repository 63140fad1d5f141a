//! Tests of exact tables: solving, files, play and the table cache.

#[path = "../common/mod.rs"]
mod common;

mod best_response;
mod best_response_oracle;
mod cache;
mod cache_late;
mod cache_requests;
mod cache_saved;
mod endgame;
mod endgame_choice;
mod endgame_guards;
mod endgame_links;
mod endgame_shapes;
mod file;
mod file_by_hand;
mod file_forged;
mod guided_subsets;
mod memory;
mod oracle;
mod patterns;
mod patterns_file;
mod patterns_reference;
mod patterns_rules;
mod player;
mod reference;
mod simultaneous;
mod simultaneous_flight;
mod solve;
mod solve_reference;
mod solve_refusals;
mod solving;
mod subsets;
