//! The overlay of endgames: the regions in which captures are proven.

use super::frame::Frame;
use super::outline::around_square;
use super::settings::{Maps, PursuitGizmos};
use super::signs::{CROSS, DIAMOND, draw_sign};
use bevy::prelude::*;
use pursuit_engine::endgame::EndgameRegion;
use pursuit_engine::map::Cell;

/// How far inside a region its outline runs, in tiles.
const INSET: f32 = 0.06;

/// Draws the region of each pursuit's current proof: its outline, diamonds on its exits, crosses on its guards.
pub(super) fn draw(mut gizmos: Gizmos<PursuitGizmos>, maps: Maps) {
    for (map, layer) in &maps {
        let Some(world) = map.world() else {
            continue;
        };
        let frame = Frame::new(map, &layer);
        let pursuits = world.pursuits().iter();
        for region in pursuits.filter_map(|pursuit| world.endgame_region(pursuit.number())) {
            draw_region(&mut gizmos, frame, &region);
        }
    }
}

fn draw_region(gizmos: &mut Gizmos<PursuitGizmos>, frame: Frame, region: &EndgameRegion) {
    let config = *gizmos.config_ext;
    let is_inside = |at: IVec2| {
        let cell = u16::try_from(at.x).ok().zip(u16::try_from(at.y).ok());
        cell.is_some_and(|(x, y)| region.contains(Cell::new(x, y)))
    };
    for cell in &region.cells {
        let at = IVec2::new(cell.x.into(), cell.y.into());
        around_square(at, INSET, is_inside, |a, b| {
            gizmos.line_2d(frame.place(a), frame.place(b), config.endgame_region);
        });
    }
    for &exit in &region.exits {
        draw_sign(gizmos, frame, exit, &DIAMOND, config.endgame_exit);
    }
    for &guard in &region.guards {
        draw_sign(gizmos, frame, guard, &CROSS, config.endgame_guard);
    }
}
