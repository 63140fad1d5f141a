//! The camera: shows the whole map if its tiles are large enough to see, otherwise a part of it.

use super::STRIP;
use super::input::Player;
use crate::scene::{Scene, TILE};
use bevy::camera::ScalingMode;
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

/// The smallest size of a tile at the start, in pixels.
const SMALLEST: f32 = 20.0;

/// The view of the map.
#[derive(Resource, Debug)]
struct View {
    /// The size of the map with the strip below it, in world units.
    size: Vec2,
    /// 1 shows the whole map.
    zoom: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_up)
        .add_systems(Update, zoom)
        .add_systems(PostUpdate, follow.before(TransformSystems::Propagate));
}

fn set_up(mut commands: Commands, scene: Res<Scene>, window: Single<&Window>) {
    let map = scene.level.map();
    let tiles = Vec2::new(map.width().into(), map.height().into());
    let size = Vec2::new(tiles.x, tiles.y / (1.0 - STRIP)) * TILE;
    let tile = (window.size() / size).min_element() * TILE;
    commands.insert_resource(View {
        size,
        zoom: (SMALLEST / tile).max(1.0),
    });
    commands.spawn((
        Camera2d,
        // No edges of tiles and sprites need it, and software drivers are slow.
        Msaa::Off,
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::AutoMin {
                min_width: size.x,
                min_height: size.y,
            },
            ..OrthographicProjection::default_2d()
        }),
    ));
}

#[expect(clippy::disallowed_methods, reason = "a picture")]
fn zoom(scroll: Res<AccumulatedMouseScroll>, mut view: ResMut<View>) {
    if scroll.delta.y != 0.0 {
        view.zoom = (view.zoom * 1.15_f32.powf(scroll.delta.y.signum())).clamp(1.0, 64.0);
    }
}

/// Follows the player's agent, or the robber, within the map.
fn follow(
    view: Res<View>,
    player: Res<Player>,
    robbers: Query<Entity, With<Robber>>,
    bodies: Query<&Transform, Without<Camera2d>>,
    camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>,
) {
    let (mut transform, mut projection) = camera.into_inner();
    if let Projection::Orthographic(lens) = &mut *projection {
        lens.scale = 1.0 / view.zoom;
    }
    let subject = player.agent.or_else(|| robbers.iter().min());
    let subject = subject.and_then(|agent| bodies.get(agent).ok());
    let place = subject.map_or(Vec2::ZERO, |body| body.translation.truncate());
    // The map is centred in the world, with the strip below it.
    let center = Vec2::new(0.0, -view.size.y * STRIP / 2.0);
    let room = view.size * (1.0 - 1.0 / view.zoom) / 2.0;
    let place = place.clamp(center - room, center + room);
    transform.translation = place.extend(transform.translation.z);
}
