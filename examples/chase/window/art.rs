//! The art of the window, built into the program, so that a copy of it works in any folder.

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::*;
use std::path::{Path, PathBuf};

/// The tiles of the map, in a grid that `crate::art` knows.
pub const TILES: &str = "embedded://chase/tiles.png";
/// The sprites of the agents.
pub const AGENTS: &str = "embedded://chase/agents.png";

/// Adds the art to the assets. To be added after Bevy's `AssetPlugin`.
pub fn plugin(app: &mut App) {
    let art: [(&str, &'static [u8]); 2] = [
        (
            "chase/tiles.png",
            include_bytes!("../../../assets/art/tiles.png"),
        ),
        (
            "chase/agents.png",
            include_bytes!("../../../assets/art/agents.png"),
        ),
    ];
    let registry = app.world().resource::<EmbeddedAssetRegistry>();
    for (name, bytes) in art {
        registry.insert_asset(PathBuf::new(), Path::new(name), bytes);
    }
}
