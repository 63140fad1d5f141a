//! Tests of the world: ticks, budgets, repairs and saves.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod agreement_robbers;
mod announced;
mod captures;
mod counts;
mod crowd;
mod draws;
mod endgame;
mod endgame_shapes;
mod exact;
mod greedy;
mod guided_subsets;
mod guides;
mod held;
mod lost;
mod meetings;
mod memory;
mod mistakes;
mod optimum;
mod orders;
mod patience;
mod play;
mod promises;
mod reach;
mod repairs;
mod repeat;
mod retract_proof;
mod save;
mod sightings;
mod simultaneous;
mod snapshot;
mod speeds;
mod standing;
mod steps;
mod subsets;
mod tactics;
mod taken_back;
mod targets;
mod town;
mod walks;
mod walls;
