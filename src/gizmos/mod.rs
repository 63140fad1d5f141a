//! Overlays: plans and other data of the plugin, drawn onto maps with a geometry.

mod changes;
mod endgames;
mod footprints;
mod frame;
mod groups;
mod heat;
mod outline;
mod plans;
mod settings;
mod signs;

use bevy::gizmos::GizmoPlugin;
use bevy::prelude::*;

pub use settings::{PursuitFill, PursuitGizmos};

/// Draws [overlays](PursuitGizmos) on maps with a [`MapGeometry`](super::MapGeometry). Does nothing in an app without Bevy's
/// `GizmoPlugin`, so it may stay in a headless app.
#[derive(Debug, Clone, Copy, Default)]
pub struct PursuitGizmosPlugin;

impl Plugin for PursuitGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<PursuitGizmos>();
    }

    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<GizmoPlugin>() {
            return;
        }
        app.init_gizmo_group::<PursuitFill>()
            .init_gizmo_group::<PursuitGizmos>()
            .init_resource::<changes::Watch>()
            .add_systems(
                PostUpdate,
                (
                    heat::draw.run_if(is_on(|config| config.table)),
                    groups::draw.run_if(is_on(|config| config.level > 0)),
                    endgames::draw.run_if(is_on(|config| config.endgame)),
                    footprints::draw.run_if(is_on(|config| config.footprints)),
                    plans::draw.run_if(is_on(|config| config.plans)),
                    changes::draw.run_if(is_on(|config| config.changes)),
                    changes::forget.run_if(not(is_on(|config| config.changes))),
                )
                    .chain()
                    .after(TransformSystems::Propagate)
                    .after(bevy::camera::CameraUpdateSystems),
            )
            // Only the renderer reads the width, and it runs later.
            .add_systems(
                Last,
                heat::fit_lines
                    .run_if(is_on(|config| config.table))
                    .ambiguous_with_all(),
            );
    }
}

/// Returns whether an overlay is to be drawn.
fn is_on(
    wanted: impl Fn(&PursuitGizmos) -> bool + Send + Sync + Clone + 'static,
) -> impl FnMut(Res<GizmoConfigStore>) -> bool + Send + Sync + Clone + 'static {
    move |store: Res<GizmoConfigStore>| {
        let (config, overlays) = store.config::<PursuitGizmos>();
        config.enabled && wanted(overlays)
    }
}
