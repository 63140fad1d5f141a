//! The overlay of plans.

use super::settings::PursuitGizmos;
use crate::agent::{GridPosition, NextStep, PlannedPath, Robber};
use crate::capture::{Away, Caught};
use crate::geometry::MapPlaces;
use crate::members::member::Member;
use bevy::prelude::*;
use pursuit_engine::world::{Activity, PursuitState};

/// Draws the paths that agents plan to follow after this turn.
pub(super) fn draw(
    mut gizmos: Gizmos<PursuitGizmos>,
    layers: Query<MapPlaces>,
    agents: Query<
        (
            &GridPosition,
            &NextStep,
            &PlannedPath,
            &Member,
            (Has<Robber>, &PursuitState),
        ),
        (Without<Caught>, Without<Away>),
    >,
) {
    for (position, step, plan, member, (is_robber, state)) in &agents {
        let Some(layer) = member.home.and_then(|home| layers.get(home.map).ok()) else {
            continue;
        };
        let color = if is_robber || state.activity == Activity::Fleeing {
            gizmos.config_ext.robber_plan
        } else {
            gizmos.config_ext.cop_plan
        };
        let start = step.target().unwrap_or(position.0);
        let further = plan.path.iter().skip(step.path.len());
        let line = std::iter::once(&start).chain(further);
        gizmos.linestrip_2d(line.map(|&at| layer.center(at)), color);
        if let Some(&end) = plan.path.last() {
            gizmos.circle_2d(layer.center(end), layer.spacing() * 0.3, color);
        }
    }
}
