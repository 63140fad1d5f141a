//! Settings from a `.pursuit.ron` file.

use crate::asset_file::AssetFile;
use crate::live_map::LiveMap;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use pursuit_engine::world::PursuitSettings;
use thiserror::Error;

/// Settings from a file: `PursuitSettings` in RON, with the extension `.pursuit.ron`. Whenever the file
/// is loaded or reloaded, the resource [`PursuitSettings`] takes its values. Fields that the file does
/// not name have their defaults. Settings that change in this way while agents play make the run depend on the disk,
/// which [`LiveMap::diverged_at`] says.
///
/// ```ron
/// (ticks_per_turn: 12, budget: Micros(500), tactics: Chase)
/// ```
#[derive(Resource, Reflect, Debug, Clone)]
#[reflect(Resource)]
pub struct SettingsFile(pub Handle<PursuitSettings>);

/// The reason why a settings file is rejected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not RON, or has an unknown field or value; with line and column.
    #[error(transparent)]
    Ron(#[from] ron::error::SpannedError),
}

impl AssetFile for PursuitSettings {
    type Error = SettingsFileError;

    const EXTENSIONS: &'static [&'static str] = &["pursuit.ron"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, SettingsFileError> {
        Ok(ron::de::from_bytes(&bytes)?)
    }
}

/// Applies settings that have been loaded.
pub(super) fn take_settings(
    file: Option<Res<SettingsFile>>,
    loaded: Res<Assets<PursuitSettings>>,
    mut events: MessageReader<AssetEvent<PursuitSettings>>,
    mut settings: ResMut<PursuitSettings>,
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut taken: Local<Option<(AssetId<PursuitSettings>, PursuitSettings)>>,
    mut missing: Local<Option<AssetId<PursuitSettings>>>,
    timer: WorkTimer,
) {
    let Some(file) = file else {
        events.clear();
        return;
    };
    let started = timer.started();
    let ours = file.0.id();
    let is_new = |event: &AssetEvent<PursuitSettings>| event.is_modified(ours);
    let any = events.read().filter(|event| is_new(event)).count() > 0;
    // The content is compared, because events are lost while the game lets the plugin rest.
    if let Some(loaded) = loaded.get(&file.0) {
        let is_known = taken
            .as_ref()
            .is_some_and(|(id, known)| (*id, known) == (ours, loaded));
        if any || file.is_changed() || !is_known {
            let is_late = any
                || missing.take() == Some(ours)
                || taken.as_ref().is_some_and(|(id, _)| *id == ours);
            // When it comes depends on the disk.
            if settings.set_if_neq(loaded.clone()) && is_late {
                for mut map in &mut maps {
                    if let Some(world) = map.bypass_change_detection().world_mut() {
                        world.note_late_file();
                    }
                }
            }
            *taken = Some((ours, loaded.clone()));
        }
    } else {
        *missing = Some(ours);
    }
    timer.finished(started);
}
