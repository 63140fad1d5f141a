//! The overlays of the window, and their keys.

use crate::args::Overlay;
use bevy::prelude::*;
use bevy_pursuit::debug::PursuitGizmos;
use bevy_pursuit::prelude::*;

/// The level of groups that is shown first.
const LEVEL: u8 = 3;

/// The overlays shown at the start.
#[derive(Resource, Debug)]
pub struct Shown(pub Vec<Overlay>);

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_up).add_systems(Update, switch);
}

fn set_up(shown: Res<Shown>, mut store: ResMut<GizmoConfigStore>) {
    let config = store.config_mut::<PursuitGizmos>().1;
    let is_shown = |overlay| shown.0.contains(&overlay);
    config.plans = is_shown(Overlay::Plans);
    config.footprints = is_shown(Overlay::Footprints);
    config.level = if is_shown(Overlay::Groups) { LEVEL } else { 0 };
    config.table = is_shown(Overlay::Table);
    config.changes = is_shown(Overlay::Changes);
    config.endgame = is_shown(Overlay::Endgame);
}

fn switch(
    keys: Res<ButtonInput<KeyCode>>,
    mut store: ResMut<GizmoConfigStore>,
    map: Single<&LiveMap>,
) {
    let pressed = |key| keys.just_pressed(key);
    let (config, overlays) = store
        .bypass_change_detection()
        .config_mut::<PursuitGizmos>();
    config.enabled ^= pressed(KeyCode::KeyG);
    overlays.plans ^= pressed(KeyCode::F1);
    overlays.footprints ^= pressed(KeyCode::F2);
    if pressed(KeyCode::F3) {
        let hierarchy = map.world().and_then(|world| world.hierarchy());
        let levels = hierarchy.map_or(0, |hierarchy| hierarchy.levels() as u8);
        overlays.level = (overlays.level + 1) % levels.max(1);
    }
    overlays.table ^= pressed(KeyCode::F4);
    overlays.changes ^= pressed(KeyCode::F5);
    overlays.endgame ^= pressed(KeyCode::F6);
}

/// The keys of the overlays, with active overlays in brackets.
pub fn keys(store: &GizmoConfigStore) -> String {
    let (config, overlays) = store.config::<PursuitGizmos>();
    let level = match overlays.level {
        0 => "groups".into(),
        level => format!("groups {level}"),
    };
    let all = [
        ("F1", "plans", overlays.plans),
        ("F2", "footprints", overlays.footprints),
        ("F3", &level, overlays.level > 0),
        ("F4", "table", overlays.table),
        ("F5", "changes", overlays.changes),
        ("F6", "endgame", overlays.endgame),
        ("G", "all", false),
    ];
    let names = all.map(|(key, name, on)| {
        if on && config.enabled {
            format!("{key} [{name}]")
        } else {
            format!("{key} {name}")
        }
    });
    names.join("  ")
}
