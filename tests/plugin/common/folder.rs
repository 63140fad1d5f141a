//! Asset folders that tests write to, and apps that load from them.

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A folder that is deleted after the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = format!("assets-{}-{name}", std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        std::fs::create_dir_all(&folder).expect("a new folder");
        Self(folder)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("a new file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An app that loads from the folder. Each update is a tick, and each tick a turn.
pub fn asset_app(folder: &Folder) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin {
            file_path: folder.0.to_string_lossy().into_owned(),
            ..default()
        },
        PursuitPlugin::default(),
    ))
    .insert_resource(PursuitSettings {
        ticks_per_turn: 1,
        ..default()
    })
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app.update(); // the first update starts time and has no tick yet
    app
}

/// Plays until a condition holds. A solver of low priority may need long on a busy machine.
#[track_caller]
pub fn until(app: &mut App, mut is_so: impl FnMut(&App) -> bool) {
    let began = Instant::now();
    while !is_so(app) {
        assert!(began.elapsed() < Duration::from_mins(1), "it never was");
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether the game lets the plugin rest, as in a menu.
#[derive(Resource)]
pub struct Rests(pub bool);

/// Runs the plugin only while the game does not let it rest.
pub fn rest_while_told(app: &mut App) {
    use PursuitSystems::{Arrive, Decide, Sync};
    let plays = |rests: Res<Rests>| !rests.0;
    app.insert_resource(Rests(false))
        .configure_sets(FixedUpdate, (Sync, Arrive, Decide).run_if(plays));
}
