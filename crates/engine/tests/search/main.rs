//! Tests of searches, policies and experiments.

use pursuit_testkit as common;

mod crowd;
mod da_trail_max;
mod footprint;
mod octile;
mod refine;
mod search_times;
mod settings;
mod shortest_paths;
mod timed_race;
mod timed_trail_max;
mod trail_max;
