//! Tests of the plugin in headless apps.

#[path = "../common/mod.rs"]
mod common;

mod allocation;
mod budget;
mod determinism;
mod endgames;
mod errands;
mod identity;
mod late;
#[cfg(feature = "tilemap")]
mod map_loading;
mod mixed;
#[cfg(feature = "tilemap")]
mod motion;
#[cfg(feature = "gizmos")]
mod overlay;
mod play;
mod pursuits;
mod queries;
mod reflect;
mod restore;
mod senses;
mod settings;
mod snapshot;
mod tables;
#[cfg(feature = "tilemap")]
mod tilemap;
mod ways;
