//! A picture of the map with the trails of all agents.

use crate::record::Trail;
use crate::scene::Scene;
use bevy::prelude::*;
use bevy_pursuit::engine::map::{Cell, Terrain};
use bevy_pursuit::prelude::*;
use image::{Rgb, RgbImage};

const FLOOR: Rgb<u8> = Rgb([232, 226, 210]);
const WALL: Rgb<u8> = Rgb([47, 59, 82]);
const VOID: Rgb<u8> = Rgb([24, 28, 40]);
const TREES: Rgb<u8> = Rgb([62, 104, 70]);
const WATER: Rgb<u8> = Rgb([86, 140, 176]);
const CLOSED_DOOR: Rgb<u8> = Rgb([150, 84, 26]);
const OPEN_DOOR: Rgb<u8> = Rgb([236, 196, 150]);
const ROBBER: Rgb<u8> = Rgb([230, 120, 0]);
/// Blues and a purple, which colour-blind people can tell apart and from the robber.
const COPS: [Rgb<u8>; 4] = [
    Rgb([0, 90, 160]),
    Rgb([60, 170, 230]),
    Rgb([120, 60, 150]),
    Rgb([0, 150, 130]),
];

/// Draws the current state of the world.
pub fn draw(world: &mut World) -> RgbImage {
    let mut trails: Vec<(bool, String, Vec<IVec2>)> = world
        .query::<(&Name, Has<Robber>, &Trail, &GridPosition)>()
        .iter(world)
        .map(|(name, is_robber, trail, position)| {
            let end = std::iter::once(position.0);
            let tiles = trail.0.iter().copied().chain(end).collect();
            (is_robber, name.to_string(), tiles)
        })
        .collect();
    trails.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));

    let level = &world.resource::<Scene>().level;
    let map = level.map();
    let (width, height) = (u32::from(map.width()), u32::from(map.height()));
    let scale = (1400 / width.max(height)).clamp(1, 24);
    let open = level.initial_map();
    let is_door = |cell: &Cell| level.doors().iter().any(|door| door.cells.contains(cell));
    let mut image = RgbImage::from_fn(width * scale, height * scale, |x, y| {
        let cell = Cell::new((x / scale) as u16, (y / scale) as u16);
        match map.terrain(cell) {
            _ if is_door(&cell) && !open.is_passable(cell) => CLOSED_DOOR,
            _ if is_door(&cell) => OPEN_DOOR,
            Some(Terrain::Floor | Terrain::Ground | Terrain::Swamp) => FLOOR,
            Some(Terrain::Wall) => WALL,
            Some(Terrain::Trees) => TREES,
            Some(Terrain::Water) => WATER,
            Some(Terrain::Void | Terrain::Outside) | None => VOID,
        }
    });

    let side = scale as f32;
    let mut cops = 0;
    for (is_robber, _, tiles) in trails {
        let color = if is_robber {
            ROBBER
        } else {
            cops += 1;
            COPS[(cops - 1) % COPS.len()]
        };
        // Trails run beside each other, not on top of each other.
        let shift = if is_robber {
            0.0
        } else {
            (cops as f32 - 2.0) * side * 0.14
        };
        let place = |at: IVec2| {
            let up = height as f32 - 1.0 - at.y as f32;
            Vec2::new(at.x as f32 + 0.5, up + 0.5) * side + Vec2::splat(shift)
        };
        let points: Vec<Vec2> = tiles.iter().map(|&at| place(at)).collect();
        for pair in points.windows(2) {
            line(&mut image, pair[0], pair[1], (side * 0.09).max(0.8), color);
        }
        if let (Some(&start), Some(&end)) = (points.first(), points.last()) {
            disc(&mut image, start, side * 0.3, color);
            disc(&mut image, start, side * 0.16, FLOOR);
            disc(&mut image, end, side * 0.42, color);
        }
    }
    image
}

fn disc(image: &mut RgbImage, center: Vec2, radius: f32, color: Rgb<u8>) {
    let reach = radius.ceil() as i32;
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            let at = center + Vec2::new(dx as f32, dy as f32);
            let inside = Vec2::new(dx as f32, dy as f32).length() <= radius;
            if inside
                && at.min_element() >= 0.0
                && let Some(pixel) = image.get_pixel_mut_checked(at.x as u32, at.y as u32)
            {
                *pixel = color;
            }
        }
    }
}

fn line(image: &mut RgbImage, from: Vec2, to: Vec2, radius: f32, color: Rgb<u8>) {
    let steps = from.distance(to).ceil().max(1.0) as u32;
    for step in 0..=steps {
        disc(
            image,
            from.lerp(to, step as f32 / steps as f32),
            radius,
            color,
        );
    }
}
