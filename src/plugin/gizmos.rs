use super::agent::{GridPosition, NextStep, OnMap, Plan, Robber};
use super::capture::Caught;
use super::members::{map_of, only_map};
use super::{LayerGeometry, PursuitMap};
use bevy::gizmos::GizmoPlugin;
use bevy::prelude::*;

/// The overlay's gizmo group: switch it off or restyle it through
/// [`GizmoConfigStore`].
#[derive(Reflect, GizmoConfigGroup, Debug, Clone, Copy)]
#[reflect(Default)]
pub struct PursuitGizmos {
    /// The planned paths of cops.
    pub cop_plan: Color,
    /// The planned paths of robbers.
    pub robber_plan: Color,
}

impl Default for PursuitGizmos {
    /// Blue and orange, which colour-blind people can tell apart.
    fn default() -> Self {
        Self {
            cop_plan: Color::srgba(0.34, 0.71, 0.91, 0.8),
            robber_plan: Color::srgba(0.90, 0.62, 0.0, 0.9),
        }
    }
}

/// Draws what agents on tilemap layers mean to do. Does nothing in an app without Bevy's
/// `GizmoPlugin`, so it may stay in a headless one.
#[derive(Debug, Clone, Copy, Default)]
pub struct PursuitGizmosPlugin;

impl Plugin for PursuitGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<PursuitGizmos>();
    }

    fn finish(&self, app: &mut App) {
        if app.is_plugin_added::<GizmoPlugin>() {
            app.init_gizmo_group::<PursuitGizmos>()
                .add_systems(PostUpdate, draw_plans.after(TransformSystems::Propagate));
        }
    }
}

fn draw_plans(
    mut gizmos: Gizmos<PursuitGizmos>,
    layers: Query<LayerGeometry>,
    maps: Query<Entity, With<PursuitMap>>,
    agents: Query<(&GridPosition, &NextStep, &Plan, Option<&OnMap>, Has<Robber>), Without<Caught>>,
) {
    let only = only_map(maps.iter());
    for (position, step, plan, on, is_robber) in &agents {
        let Some(layer) = map_of(on, only).and_then(|map| layers.get(map).ok()) else {
            continue;
        };
        let color = if is_robber {
            gizmos.config_ext.robber_plan
        } else {
            gizmos.config_ext.cop_plan
        };
        let start = step.target().unwrap_or(position.0);
        let further = plan.path.iter().skip(step.way.len());
        let line = std::iter::once(&start).chain(further);
        gizmos.linestrip_2d(line.map(|&at| layer.center(at)), color);
        if let Some(&end) = plan.path.last() {
            gizmos.circle_2d(layer.center(end), layer.spacing() * 0.3, color);
        }
    }
}
