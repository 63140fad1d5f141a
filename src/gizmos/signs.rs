//! Signs that mark single cells.

use super::frame::Frame;
use super::settings::PursuitGizmos;
use bevy::prelude::*;
use pursuit_engine::map::Cell;

/// A sign as line segments, in cells from its centre.
pub(super) type Sign = [[Vec2; 2]];

/// How far a sign reaches from the centre of its cell, in cells.
pub(super) const RADIUS: f32 = 0.42;
pub(super) const CROSS: [[Vec2; 2]; 2] = [
    [Vec2::splat(-RADIUS), Vec2::splat(RADIUS)],
    [Vec2::new(-RADIUS, RADIUS), Vec2::new(RADIUS, -RADIUS)],
];
pub(super) const SQUARE: [[Vec2; 2]; 4] = [
    [Vec2::new(-RADIUS, -RADIUS), Vec2::new(RADIUS, -RADIUS)],
    [Vec2::new(RADIUS, -RADIUS), Vec2::new(RADIUS, RADIUS)],
    [Vec2::new(RADIUS, RADIUS), Vec2::new(-RADIUS, RADIUS)],
    [Vec2::new(-RADIUS, RADIUS), Vec2::new(-RADIUS, -RADIUS)],
];
pub(super) const DIAMOND: [[Vec2; 2]; 4] = [
    [Vec2::new(0.0, -RADIUS), Vec2::new(RADIUS, 0.0)],
    [Vec2::new(RADIUS, 0.0), Vec2::new(0.0, RADIUS)],
    [Vec2::new(0.0, RADIUS), Vec2::new(-RADIUS, 0.0)],
    [Vec2::new(-RADIUS, 0.0), Vec2::new(0.0, -RADIUS)],
];

/// Draws a sign on a cell.
pub(super) fn draw_sign(
    gizmos: &mut Gizmos<PursuitGizmos>,
    frame: Frame,
    cell: Cell,
    sign: &Sign,
    color: Color,
) {
    let middle = Vec2::new(cell.x.into(), cell.y.into());
    for ends in sign {
        let [a, b] = ends.map(|end| frame.place(middle + end));
        gizmos.line_2d(a, b, color);
    }
}
