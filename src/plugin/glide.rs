use super::agent::{AgentControl, GridPosition, NextStep};
use super::members::Member;
use super::motion::place_on_way;
use super::{LayerGeometry, PursuitDiagnostics, PursuitMap};
use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::prelude::*;

/// Moves the [`Transform`] of an agent smoothly along its [`NextStep`]. The depth `z` stays as it is.
///
/// The body keeps to the tiles of its layer wherever the layer is moved, and whatever the agent is a child
/// of. An agent that is stopped by a wall glides back; one that is put further away than it could soon
/// walk jumps. Agents with [`AgentControl::External`] are left to the game. An agent glides only on a map that
/// is on a tilemap layer.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[require(Transform, Body)]
pub struct Glide;

/// Where the body is on which layer.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Body(Option<(Entity, Vec2)>);

/// Does the plugin run in the fixed schedule, so that frames fall between ticks?
#[derive(Resource, Debug)]
struct BetweenTicks(bool);

/// Where bodies are to be in the world, for the second half of [`glide`].
#[derive(Resource, Debug, Default)]
struct Wanted(Vec<(Entity, Vec2)>);

pub(super) fn build(app: &mut App, fixed: bool) {
    app.register_type::<Glide>()
        .insert_resource(BetweenTicks(fixed))
        .init_resource::<Wanted>()
        .add_systems(
            PostUpdate,
            (glide, move_bodies)
                .chain()
                .before(TransformSystems::Propagate)
                .run_if(resource_exists::<Time<Virtual>>),
        );
}

/// An agent that glides.
#[derive(QueryData)]
#[query_data(mutable)]
struct Glider {
    entity: Entity,
    position: &'static GridPosition,
    step: &'static NextStep,
    control: &'static AgentControl,
    member: &'static Member,
    parent: Option<&'static ChildOf>,
    body: &'static mut Body,
}

/// Moves bodies on their layers, and works out where they are as seen from their parents.
fn glide(
    layers: Query<(LayerGeometry, &PursuitMap, &GlobalTransform)>,
    mut agents: Query<Glider, With<Glide>>,
    transforms: TransformHelper,
    mut wanted: ResMut<Wanted>,
    between_ticks: Res<BetweenTicks>,
    fixed: Option<Res<Time<Fixed>>>,
    time: Res<Time<Virtual>>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let started = diagnostics.started();
    let fixed = fixed.filter(|_| between_ticks.0);
    let overstep = fixed.as_ref().map_or(0.0, |t| t.overstep_fraction());
    let tick_seconds = fixed.map_or(time.delta_secs(), |t| t.timestep().as_secs_f32());
    let ticks = time.delta_secs() / tick_seconds.max(f32::EPSILON);
    // Layers and parents may move in this very frame: what was propagated last is too old.
    let affine = |entity| transforms.compute_global_transform(entity).ok();
    let (mut of_layer, mut of_parent) = (Memo::default(), Memo::default());
    wanted.0.clear();
    for mut agent in &mut agents {
        let home = agent.member.home.map(|home| home.map);
        let layer = home.and_then(|map| Some((map, layers.get(map).ok()?)));
        let Some((map, (layer, pursuit_map, propagated))) =
            layer.filter(|_| *agent.control != AgentControl::External)
        else {
            continue;
        };
        let (at, step) = (*agent.position, agent.step);
        let target = place_on_way(&layer, (at, step), pursuit_map.tick(), overstep);
        let spacing = layer
            .local_center(UVec2::ZERO)
            .distance(layer.local_center(UVec2::X));
        let place = agent.body.glide(map, target, step, spacing, ticks);
        let on_layer = of_layer.get(map, |map| affine(map).or(Some(*propagated)));
        let place = on_layer.transform_point3(place.extend(0.0));
        let place = match agent.parent {
            Some(parent) => {
                let inverse = of_parent.get(parent.parent(), affine).inverse();
                inverse.transform_point3(place)
            }
            None => place,
        };
        wanted.0.push((agent.entity, place.truncate()));
    }
    diagnostics.finished(started);
}

impl Body {
    /// Goes on towards a place on a layer for some ticks; returns where it is then.
    fn glide(
        &mut self,
        layer: Entity,
        target: Vec2,
        step: &NextStep,
        spacing: f32,
        ticks: f32,
    ) -> Vec2 {
        let before = self.0.filter(|&(before, _)| before == layer);
        // Three times as fast as its way asks for: exact when nothing happened, quick otherwise.
        let length = step.arrives.saturating_sub(step.departs).max(1) as f32;
        let stride = 3.0 * step.way.len().max(1) as f32 / length * spacing * ticks;
        let far = spacing * (step.way.len() + 2) as f32;
        let place = match before {
            Some((_, here)) if here.distance(target) <= far => here.move_towards(target, stride),
            _ => target,
        };
        self.0 = Some((layer, place));
        place
    }
}

/// The transform of the entity that was asked for last: agents mostly have the same parent.
#[derive(Default)]
struct Memo(Option<(Entity, Affine3A)>);

impl Memo {
    fn get(
        &mut self,
        entity: Entity,
        find: impl FnOnce(Entity) -> Option<GlobalTransform>,
    ) -> Affine3A {
        if let Some((known, affine)) = self.0
            && known == entity
        {
            return affine;
        }
        let affine = find(entity).map_or(Affine3A::IDENTITY, |transform| transform.affine());
        self.0 = Some((entity, affine));
        affine
    }
}

fn move_bodies(
    wanted: Res<Wanted>,
    mut bodies: Query<&mut Transform>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let started = diagnostics.started();
    for &(entity, place) in &wanted.0 {
        if let Ok(mut transform) = bodies.get_mut(entity)
            && transform.translation.truncate() != place
        {
            transform.translation = place.extend(transform.translation.z);
        }
    }
    diagnostics.finished(started);
}
