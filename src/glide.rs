//! Glide: moves the body of an agent smoothly from tile to tile.

use crate::agent::{AgentControl, GridPosition, NextStep};
use crate::geometry::MapPlaces;
use crate::geometry::Unplaced;
use crate::live_map::LiveMap;
use crate::members::member::Member;
use crate::motion::place_on_path;
use crate::work_timer::WorkTimer;
use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::prelude::*;
use pursuit_engine::map::BodySize;

/// Moves the [`Transform`] of an agent smoothly along its [`NextStep`]: the middle of the tiles that it covers. The depth
/// `z` is left alone.
///
/// The body follows the tiles of its map wherever the map moves, and whatever the agent is a child
/// of. An agent that is stopped by a wall glides back; one that is placed too far away to walk there
/// soon jumps, and so does one that was disabled. Agents with [`AgentControl::External`] are left to the game;
/// afterwards they glide on from where the game has left their body. An agent glides only on a map with a
/// [`MapGeometry`](super::MapGeometry), as maps on tilemap layers have.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[require(Transform, Body)]
pub struct Glide;

/// The body of an agent that glides.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Body {
    /// The layer of the body, and its place there; `None` if it has not glided since the game has moved it.
    place: Option<(Entity, Vec2)>,
    /// The frame in which the agent last played. A disabled agent misses frames.
    frame: u32,
    /// Whether the game moves it.
    is_games: bool,
}

/// Whether the plugin runs in the fixed schedule, so that frames fall between ticks.
#[derive(Resource, Debug)]
pub(super) struct BetweenTicks(bool);

/// The target places of bodies in the world, for the second half of [`glide`].
#[derive(Resource, Debug, Default)]
pub(super) struct Wanted(Vec<(Entity, Vec2)>);

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
pub(super) struct Glider {
    entity: Entity,
    position: &'static GridPosition,
    size: Option<&'static BodySize>,
    step: &'static NextStep,
    control: &'static AgentControl,
    member: &'static Member,
    parent: Option<&'static ChildOf>,
    body: &'static mut Body,
}

/// Moves bodies on their layers, and computes their places relative to their parents.
pub(super) fn glide(
    layers: Query<(MapPlaces, &LiveMap, &GlobalTransform)>,
    mut agents: Query<Glider, With<Glide>>,
    unplaced: Unplaced,
    transforms: TransformHelper,
    mut wanted: ResMut<Wanted>,
    between_ticks: Res<BetweenTicks>,
    fixed: Option<Res<Time<Fixed>>>,
    time: Res<Time<Virtual>>,
    timer: WorkTimer,
    mut frame: Local<u32>,
) {
    let started = timer.started();
    *frame = frame.wrapping_add(1);
    let fixed = fixed.filter(|_| between_ticks.0);
    let now = fixed.as_ref().map(|fixed| fixed.elapsed());
    let overstep = fixed.as_ref().map_or(0.0, |t| t.overstep_fraction());
    let tick_seconds = fixed.map_or(time.delta_secs(), |t| t.timestep().as_secs_f32());
    let ticks = time.delta_secs() / tick_seconds.max(f32::EPSILON);
    // Layers and parents may have moved in this frame: the last propagated transforms are too old.
    let affine = |entity| transforms.compute_global_transform(entity).ok();
    let (mut of_layer, mut of_parent) = (Memo::default(), Memo::default());
    wanted.0.clear();
    for mut agent in &mut agents {
        let is_games = agent
            .body
            .follow(*frame, *agent.control == AgentControl::External);
        let home = agent.member.home.filter(|_| !is_games);
        let Some(map) = home.map(|home| home.map) else {
            continue;
        };
        let Ok((layer, pursuit_map, propagated)) = layers.get(map) else {
            unplaced.warn_of(map);
            continue;
        };
        let (at, step) = (*agent.position, agent.step);
        // Bodies on a map that rests while time goes on stand at the end of its last tick.
        let rests = now.is_some_and(|now| !pursuit_map.ticked_at(now));
        let overstep = if rests { 1.0 } else { overstep };
        let target = place_on_path(&layer, at, agent.size, step, pursuit_map.tick(), overstep);
        let spacing = layer
            .local_center(IVec2::ZERO)
            .distance(layer.local_center(IVec2::X));
        let on_layer = of_layer.get(map, |map| affine(map).or(Some(*propagated)));
        if std::mem::take(&mut agent.body.is_games)
            && let Some(body) = affine(agent.entity)
        {
            let place = on_layer.inverse().transform_point3(body.translation());
            agent.body.place = Some((map, place.truncate()));
        }
        let place = agent.body.glide(map, target, step, spacing, ticks);
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
    timer.finished(started);
}

impl Body {
    /// Notes that the agent plays in a frame. A body that the game has moved, or that was away, does not go on from its
    /// former place. Returns whether the game moves it now.
    fn follow(&mut self, frame: u32, is_games: bool) -> bool {
        let was_away = self.frame.wrapping_add(1) != frame;
        self.frame = frame;
        self.is_games = is_games || self.is_games && !was_away;
        if was_away || self.is_games {
            self.place = None;
        }
        is_games
    }

    /// Moves towards a place on a layer for some ticks; returns the new place.
    fn glide(
        &mut self,
        layer: Entity,
        target: Vec2,
        step: &NextStep,
        spacing: f32,
        ticks: f32,
    ) -> Vec2 {
        let before = self.place.filter(|&(before, _)| before == layer);
        // Three times the speed of its path: exact as a rule, and quick after a disturbance.
        let length = step.arrives.saturating_sub(step.departs).max(1) as f32;
        let stride = 3.0 * step.path.len().max(1) as f32 / length * spacing * ticks;
        let far = spacing * (step.path.len() + 2) as f32;
        let place = match before {
            Some((_, here)) if here.distance(target) <= far => here.move_towards(target, stride),
            _ => target,
        };
        self.place = Some((layer, place));
        place
    }
}

/// The transform of the last requested entity: agents mostly share a parent.
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

fn move_bodies(wanted: Res<Wanted>, mut bodies: Query<&mut Transform>, timer: WorkTimer) {
    let started = timer.started();
    for &(entity, place) in &wanted.0 {
        if let Ok(mut transform) = bodies.get_mut(entity)
            && transform.translation.truncate() != place
        {
            transform.translation = place.extend(transform.translation.z);
        }
    }
    timer.finished(started);
}
