//! The overlay of a table: how long a robber would stay free on each tile.

use super::frame::Frame;
use super::settings::{Maps, PursuitFill, PursuitGizmos};
use crate::pursuit::Pursuit;
use bevy::prelude::*;
use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::map::Cell;

/// Makes filling lines as wide as a tile is high in the first active camera.
pub(super) fn fit_lines(
    mut store: ResMut<GizmoConfigStore>,
    cameras: Query<(&Camera, &GlobalTransform)>,
    maps: Maps,
) {
    let active = cameras.iter().filter(|(camera, _)| camera.is_active);
    let Some((camera, view)) = active.min_by_key(|(camera, _)| camera.order) else {
        return;
    };
    let Some((map, layer)) = maps.iter().next() else {
        return;
    };
    let frame = Frame::new(map, &layer);
    let [a, b] = [Vec2::ZERO, Vec2::Y].map(|cell| frame.place(cell).extend(0.0));
    let on_screen = |place| camera.world_to_ndc(view, place).map(Vec3::truncate);
    let Some(((a, b), size)) = on_screen(a)
        .zip(on_screen(b))
        .zip(camera.physical_viewport_size())
    else {
        return;
    };
    let width = ((b - a) * size.as_vec2() / 2.0).length();
    store.config_mut::<PursuitFill>().0.line.width = width;
}

/// Draws the table's value of each tile, one line for each run of equal tiles.
pub(super) fn draw(
    mut fill: Gizmos<PursuitFill>,
    store: Res<GizmoConfigStore>,
    maps: Maps,
    pursuits: Query<&Pursuit>,
    mut values: Local<Vec<Option<Outcome>>>,
) {
    let config = store.config::<PursuitGizmos>().1;
    // A pursuit that is gone has no table.
    let number = match config.table_pursuit {
        Some(pursuit) => pursuits.get(pursuit).ok().map(|pursuit| pursuit.0),
        None => Some(0),
    };
    for (map, layer) in &maps {
        let Some((world, number)) = map.world().zip(number) else {
            continue;
        };
        let Some(mut table) = world.table_values(number) else {
            continue;
        };
        let frame = Frame::new(map, &layer);
        let (width, height) = (world.graph().width(), world.graph().height());
        values.clear();
        for y in 0..height {
            values.extend((0..width).map(|x| table.at(Cell::new(x, y))));
        }
        let longest = values.iter().filter_map(|value| turns(*value)).max();
        let color = |value: Outcome| match value {
            Outcome::Escapes | Outcome::Away(_) => config.never,
            Outcome::Caught(Turns(turns)) => {
                let part = 2.0 * f32::from(turns) / f32::from(longest.unwrap_or(1).max(1));
                if part < 1.0 {
                    config.soon.mix(&config.midway, part)
                } else {
                    config.midway.mix(&config.late, part - 1.0)
                }
            }
        };
        for (row, y) in values.chunks(usize::from(width).max(1)).zip(0_u16..) {
            let mut x = 0;
            for run in row.chunk_by(|a, b| a == b) {
                let first = x as f32 - 0.5;
                x += run.len();
                if let Some(value) = run[0] {
                    let ends = [first, x as f32 - 0.5].map(|x| frame.place(Vec2::new(x, y.into())));
                    fill.line_2d(ends[0], ends[1], color(value));
                }
            }
        }
    }
}

const fn turns(value: Option<Outcome>) -> Option<u16> {
    match value {
        Some(Outcome::Caught(Turns(turns))) => Some(turns),
        _ => None,
    }
}
