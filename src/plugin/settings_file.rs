use super::{PursuitDiagnostics, PursuitSettings};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;
use thiserror::Error;

/// Settings from a file: `PursuitSettings` in RON, with the ending `.pursuit.ron`. As soon as it is loaded,
/// and whenever it is loaded again, the resource [`PursuitSettings`] is what it says. What it does not
/// name is as by default.
///
/// ```ron
/// (ticks_per_turn: 12, budget: Micros(500), tactics: Chase)
/// ```
#[derive(Resource, Reflect, Debug, Clone)]
#[reflect(Resource)]
pub struct SettingsFile(pub Handle<PursuitSettings>);

/// Why a file is not taken for settings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsFileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no RON, or says something that there is not: with line and column.
    #[error(transparent)]
    Ron(#[from] ron::error::SpannedError),
}

/// Loads `.pursuit.ron` files.
#[derive(Debug, Default, TypePath)]
pub(super) struct SettingsLoader;

impl AssetLoader for SettingsLoader {
    type Asset = PursuitSettings;
    type Settings = ();
    type Error = SettingsFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<PursuitSettings, SettingsFileError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(ron::de::from_bytes(&bytes)?)
    }

    fn extensions(&self) -> &[&str] {
        &["pursuit.ron"]
    }
}

/// Takes settings that have been loaded.
pub(super) fn take_settings(
    file: Option<Res<SettingsFile>>,
    loaded: Res<Assets<PursuitSettings>>,
    mut events: MessageReader<AssetEvent<PursuitSettings>>,
    mut settings: ResMut<PursuitSettings>,
    mut taken: Local<Option<AssetId<PursuitSettings>>>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let Some(file) = file else {
        events.clear();
        return;
    };
    let started = diagnostics.started();
    let ours = file.0.id();
    let is_new = |event: &AssetEvent<PursuitSettings>| match event {
        // Of one that is there at once it is told afterwards.
        AssetEvent::Added { id } => *id == ours && *taken != Some(ours),
        AssetEvent::Modified { id } => *id == ours,
        _ => false,
    };
    let any = events.read().filter(|event| is_new(event)).count() > 0;
    if (any || file.is_changed())
        && let Some(loaded) = loaded.get(&file.0)
    {
        settings.set_if_neq(loaded.clone());
        *taken = Some(ours);
    }
    diagnostics.finished(started);
}
