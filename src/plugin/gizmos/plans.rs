use super::super::agent::{GridPosition, NextStep, Plan, Robber};
use super::super::capture::Caught;
use super::super::members::map_of;
use super::{LayerGeometry, OnMap, PursuitGizmos, PursuitMap, only_map};
use bevy::prelude::*;

/// The paths that agents mean to take after this turn.
pub(super) fn draw(
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
