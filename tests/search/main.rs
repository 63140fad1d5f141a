//! Tests of searches, policies and experiments.

#[path = "../common/mod.rs"]
mod common;

mod allocation;
mod behind;
mod cover_examples;
mod crowd;
mod da_trail_max;
mod difficulty;
mod effort;
mod eval;
mod eval_reference;
mod footprint;
mod guide;
mod guided_cops;
mod interception;
mod interception_games;
mod octile;
mod quotient;
mod refine;
mod repetition;
mod rivals;
mod rivals_reference;
mod search_times;
mod settings;
mod shortest_paths;
mod slow_response;
mod team;
mod timed_race;
mod timed_trail_max;
mod tournament;
mod trail_max;
