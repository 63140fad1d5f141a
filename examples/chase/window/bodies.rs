//! The bodies of agents: sprites that glide, trails that fade, a ring around the player's agent.

use super::input::Player;
use crate::record::Trail;
use crate::scene::TILE;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

const SPRITE: f32 = 64.0;
const COP: f32 = 0.0;
const ROBBER: f32 = 1.0;
const CAPTURED: f32 = 2.0;
const RING: f32 = 3.0;
/// The number of tiles of a trail that are drawn.
const TRAIL: usize = 14;

#[derive(Component)]
struct Ring;

pub fn plugin(app: &mut App) {
    app.add_observer(dress_cop)
        .add_observer(dress_robber)
        .add_observer(lock_up)
        .add_observer(let_go)
        .add_systems(Startup, spawn_ring)
        .add_systems(Update, (draw_trails, sort_by_depth))
        .add_systems(PostUpdate, follow_player.after(TransformSystems::Propagate));
}

fn sprite(assets: &AssetServer, index: f32, size: f32) -> Sprite {
    let corner = Vec2::new(index * SPRITE, 0.0);
    Sprite {
        image: assets.load(super::art::AGENTS),
        rect: Some(Rect::from_corners(corner, corner + Vec2::splat(SPRITE))),
        custom_size: Some(Vec2::splat(size * TILE)),
        ..default()
    }
}

fn dress_cop(added: On<Add, Cop>, mut commands: Commands, assets: Res<AssetServer>) {
    commands
        .entity(added.entity)
        .insert(sprite(&assets, COP, 1.25));
}

fn dress_robber(added: On<Add, Robber>, mut commands: Commands, assets: Res<AssetServer>) {
    commands
        .entity(added.entity)
        .insert(sprite(&assets, ROBBER, 1.25));
}

fn lock_up(captured: On<Captured>, mut commands: Commands, assets: Res<AssetServer>) {
    commands
        .entity(captured.robber)
        .insert(sprite(&assets, CAPTURED, 1.5));
}

/// Restores the sprite of a robber that is free again.
fn let_go(
    free: On<Remove, Caught>,
    robbers: Query<(), With<Robber>>,
    mut commands: Commands,
    assets: Res<AssetServer>,
) {
    if robbers.contains(free.entity) {
        commands
            .entity(free.entity)
            .try_insert(sprite(&assets, ROBBER, 1.25));
    }
}

/// Agents farther down are in front.
fn sort_by_depth(mut agents: Query<&mut Transform, Or<(With<Cop>, With<Robber>)>>) {
    for mut transform in &mut agents {
        transform.translation.z = 10.0 - transform.translation.y / 100_000.0;
    }
}

fn spawn_ring(mut commands: Commands, assets: Res<AssetServer>) {
    let at = Transform::from_xyz(0.0, 0.0, 5.0);
    commands.spawn((Ring, sprite(&assets, RING, 1.5), at, Visibility::Hidden));
}

fn follow_player(
    player: Res<Player>,
    agents: Query<&GlobalTransform, Without<Ring>>,
    ring: Single<(&mut Transform, &mut Visibility), With<Ring>>,
) {
    let (mut transform, mut visibility) = ring.into_inner();
    match player.agent.and_then(|agent| agents.get(agent).ok()) {
        None => *visibility = Visibility::Hidden,
        Some(at) => {
            *visibility = Visibility::Visible;
            transform.translation = at.translation().with_z(5.0);
        }
    }
}

fn draw_trails(
    mut gizmos: Gizmos,
    layer: Single<MapPlaces>,
    agents: Query<(&Trail, &NextStep, &Transform, Has<Robber>)>,
) {
    for (trail, step, transform, is_robber) in &agents {
        let color = if is_robber {
            Srgba::rgb_u8(213, 94, 0)
        } else {
            Srgba::rgb_u8(0, 90, 160)
        };
        let recent = trail.0.iter().rev().skip(step.path.len()).take(TRAIL);
        let here = transform.translation.truncate();
        let places = std::iter::once(here).chain(recent.map(|&at| layer.center(at)));
        let fading = places.zip(0_u16..).map(|(place, age)| {
            (
                place,
                color.with_alpha(0.8 - f32::from(age) / TRAIL as f32 * 0.8),
            )
        });
        gizmos.linestrip_gradient_2d(fading);
    }
}
