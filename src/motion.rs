//! Desired motion: where the body of an agent should be on its path, for physics.

use crate::agent::{AgentControl, GridPosition, NextStep};
use crate::clock::show_clocks;
use crate::geometry::MapPlaces;
use crate::geometry::MapPlacesItem;
use crate::geometry::Unplaced;
use crate::live_map::LiveMap;
use crate::members::member::Member;
use crate::meter::record_overrun;
use crate::sets::PursuitSystems;
use crate::work_timer::WorkTimer;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use pursuit_engine::map::BodySize;

/// Where the body of an agent should be at the end of this tick and how fast it moves there, in world
/// space: for bodies that physics moves. Add it to an agent on a map with a [`MapGeometry`](super::MapGeometry). The
/// plugin writes it in each tick, in [`Decide`](super::PursuitSystems::Decide), whatever the agent is a
/// child of. Systems that come after this set in the same schedule read it.
///
/// Set the velocity of the body to the [velocity](Self::velocity_from) from its current place: the body
/// then follows its path exactly, and returns to it when something has pushed it off. Agents with
/// [`AgentControl::External`](super::AgentControl::External) stand on the tile that the game has
/// reported.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, PartialEq)]
pub struct DesiredMotion {
    /// The place at the end of the tick.
    pub position: Vec2,
    /// Units per second along the path; zero for an agent that stands.
    pub velocity: Vec2,
    /// Seconds until the end of the tick.
    pub seconds: f32,
}

impl DesiredMotion {
    /// The velocity, in units per second, that brings a body from a place to
    /// [`position`](Self::position) in time.
    #[must_use]
    pub fn velocity_from(&self, place: Vec2) -> Vec2 {
        if self.seconds > 0.0 {
            (self.position - place) / self.seconds
        } else {
            self.velocity
        }
    }
}

pub(super) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<DesiredMotion>().add_systems(
        schedule,
        set_motion
            .in_set(PursuitSystems::Decide)
            .after(show_clocks)
            .before(record_overrun)
            .run_if(resource_exists::<Time>),
    );
}

/// The place of an agent on its path, relative to the layer, `overstep` ticks after a tick of the map: the middle of the
/// tiles that it covers.
pub(super) fn place_on_path(
    layer: &MapPlacesItem,
    position: GridPosition,
    size: Option<&BodySize>,
    step: &NextStep,
    tick: u64,
    overstep: f32,
) -> Vec2 {
    let beyond = size.map_or(0, |size| i32::from(size.side()) - 1);
    let center = |at: IVec2| {
        let first = layer.local_center(at);
        // An agent stands on the upper left of its tiles.
        if beyond == 0 {
            first
        } else {
            first.midpoint(layer.local_center(at + IVec2::new(beyond, -beyond)))
        }
    };
    if step.path.is_empty() {
        return center(position.0);
    }
    let walked = step.walked(tick, overstep);
    let [from, to] = [0, 1].map(|ahead| step.tile(walked as usize + ahead));
    // Nobody walks through what lies between the ends of a link.
    let is_link = (to - from).abs().max_element() > 1;
    let part = if is_link {
        walked.fract().round()
    } else {
        walked.fract()
    };
    center(from).lerp(center(to), part)
}

fn set_motion(
    layers: Query<(MapPlaces, &GlobalTransform, &LiveMap)>,
    unplaced: Unplaced,
    mut agents: Query<(
        &GridPosition,
        Option<&BodySize>,
        &NextStep,
        &AgentControl,
        &Member,
        &mut DesiredMotion,
    )>,
    time: Res<Time>,
    timer: WorkTimer,
) {
    if agents.is_empty() {
        return;
    }
    timer.time(|| {
        let seconds = time.delta_secs();
        for (&position, size, step, control, member, mut motion) in &mut agents {
            let map = member.home.map(|home| home.map);
            let layer = map.and_then(|map| layers.get(map).ok());
            if let Some(map) = map.filter(|_| layer.is_none()) {
                unplaced.warn_of(map);
            }
            let playing = layer.filter(|(.., map)| map.ticked_at(time.elapsed()));
            let Some((layer, transform, map)) = playing else {
                let stands = DesiredMotion {
                    velocity: Vec2::ZERO,
                    ..*motion
                };
                motion.set_if_neq(stands);
                continue;
            };
            let place = |overstep| {
                let local = place_on_path(&layer, position, size, step, map.tick(), overstep);
                transform.transform_point(local.extend(0.0)).truncate()
            };
            let is_external = *control == AgentControl::External;
            let (from, to) = if is_external {
                [layer.center(position.0); 2].into()
            } else {
                (place(0.0), place(1.0))
            };
            let velocity = if seconds > 0.0 {
                (to - from) / seconds
            } else {
                Vec2::ZERO
            };
            motion.set_if_neq(DesiredMotion {
                position: to,
                velocity,
                seconds,
            });
        }
    });
}
