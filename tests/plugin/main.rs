//! Tests of the plugin in headless apps.

mod common;

mod allocation;
mod blocked;
mod bounds;
mod budget;
mod busy_maps;
mod clocks;
mod deliveries;
mod determinism;
mod difficulty;
mod duties;
mod endgames;
mod errands;
mod factions;
mod found;
mod geometry;
mod hazards;
mod hexagons;
mod identity;
mod keys;
mod late;
mod late_files;
#[cfg(feature = "tilemap")]
mod layer_changes;
mod levels;
#[cfg(feature = "tilemap")]
mod map_loading;
mod map_rules;
mod maps;
mod mass_edits;
mod mixed;
#[cfg(feature = "tilemap")]
mod motion;
#[cfg(feature = "gizmos")]
mod overlay;
mod play;
mod pools;
mod pursuits;
mod queries;
mod reach;
mod reflect;
mod required;
mod restore;
mod restore_floors;
mod restore_midway;
mod senses;
mod settings;
mod sizes;
mod snapshot;
mod solid;
mod tables;
mod tactics;
#[cfg(feature = "tilemap")]
mod tilemap;
mod ways;
