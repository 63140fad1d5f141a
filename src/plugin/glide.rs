use super::agent::{Control, GridPosition, NextStep, OnMap};
use super::members::{map_of, only_map};
use super::{LayerGeometry, PursuitDiagnostics, PursuitMap};
use bevy::prelude::*;

/// Moves the [`Transform`] of an agent smoothly along its [`NextStep`], in world space (the agent
/// must not be the child of something that moves). The depth `z` stays as it is.
///
/// An agent that is stopped by a wall glides back; one that is put further away than it could soon
/// walk jumps. Agents with [`Control::External`] are left to the game.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[require(Transform)]
pub struct Glide;

/// Does the plugin run in the fixed schedule, so that frames fall between ticks?
#[derive(Resource, Debug)]
struct BetweenTicks(bool);

pub(super) fn build(app: &mut App, fixed: bool) {
    app.register_type::<Glide>()
        .insert_resource(BetweenTicks(fixed))
        .add_systems(
            PostUpdate,
            glide
                .before(TransformSystems::Propagate)
                .run_if(resource_exists::<Time<Virtual>>),
        );
}

fn glide(
    layers: Query<(LayerGeometry, Ref<GlobalTransform>)>,
    maps: Query<(Entity, &PursuitMap)>,
    mut agents: Query<(
        &GridPosition,
        &NextStep,
        &Control,
        &mut Transform,
        Ref<Glide>,
        Option<&OnMap>,
    )>,
    between_ticks: Res<BetweenTicks>,
    fixed: Option<Res<Time<Fixed>>>,
    time: Res<Time<Virtual>>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let started = diagnostics.started();
    let only = only_map(maps.iter().map(|(entity, _)| entity));
    let fixed = fixed.filter(|_| between_ticks.0);
    let overstep = fixed.as_ref().map_or(0.0, |t| t.overstep_fraction());
    let tick_seconds = fixed.map_or(time.delta_secs(), |t| t.timestep().as_secs_f32());
    for (position, step, control, mut transform, glide, on) in &mut agents {
        let layer = map_of(on, only).and_then(|map| {
            let (layer, place) = layers.get(map).ok()?;
            Some((layer, place, maps.get(map).ok()?.1.tick()))
        });
        let Some((layer, layer_place, tick)) = layer.filter(|_| *control != Control::External)
        else {
            continue;
        };
        let tile = |number: usize| match step.way.len() {
            0 => layer.center(position.0),
            _ => layer.center(step.tile(number)),
        };
        let walked = step.walked(tick, overstep);
        let wanted = tile(walked as usize).lerp(tile(walked as usize + 1), walked.fract());

        let here = transform.translation.truncate();
        let spacing = layer.spacing();
        // Three times as fast as its way asks for: exact when nothing happened, quick otherwise.
        let ticks = step.arrives.saturating_sub(step.departs).max(1) as f32;
        let tiles_per_tick = 3.0 * step.way.len().max(1) as f32 / ticks;
        let stride = tiles_per_tick * spacing * time.delta_secs() / tick_seconds.max(f32::EPSILON);
        let is_far = here.distance(wanted) > spacing * (step.way.len() + 2) as f32;
        let jump = is_far || glide.is_added() || layer_place.is_changed();
        let place = if jump {
            wanted
        } else {
            here.move_towards(wanted, stride)
        };
        if place != here {
            transform.translation = place.extend(transform.translation.z);
        }
    }
    diagnostics.finished(started);
}
