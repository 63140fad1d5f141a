//! The overlay of footprints: the parts of the map that plans depend on.

use super::frame::Frame;
use super::outline::around_square;
use super::settings::{Maps, PursuitGizmos};
use bevy::prelude::*;
use pursuit_engine::game::Side;
use pursuit_engine::map::Cell;
use pursuit_engine::search::Footprint;

/// The distance between the outlines of two agents, in tiles.
const APART: f32 = 0.25;
/// The number of outlines that stay distinguishable.
const OUTLINES: usize = 12;

/// Draws the footprints of plans: outlines of blocks, nested where they coincide.
pub(super) fn draw(mut gizmos: Gizmos<PursuitGizmos>, maps: Maps) {
    for (map, layer) in &maps {
        let Some(world) = map.world() else {
            continue;
        };
        let frame = Frame::new(map, &layer);
        let size = IVec2::new(world.graph().width().into(), world.graph().height().into());
        let footprints = world.agents().filter_map(|(_, agent)| {
            let footprint = agent.footprint()?;
            Some((agent.setup().side, footprint))
        });
        for (number, (side, footprint)) in footprints.enumerate() {
            let color = match side {
                Side::Cops => gizmos.config_ext.cop_plan,
                Side::Robber => gizmos.config_ext.robber_plan,
            };
            let inset = APART * (1 + number % OUTLINES) as f32;
            outline(footprint, size, inset, |a, b| {
                gizmos.line_2d(frame.place(a), frame.place(b), color);
            });
        }
    }
}

/// Passes the lines around a footprint, `inset` tiles inside it and the map, to `line`; ends in cells.
fn outline(footprint: &Footprint, size: IVec2, inset: f32, mut line: impl FnMut(Vec2, Vec2)) {
    const SIDE: u32 = Footprint::SIDE as u32;
    let is_inside = |block: IVec2| {
        let cell = block * SIDE.cast_signed();
        let cell = u16::try_from(cell.x).ok().zip(u16::try_from(cell.y).ok());
        cell.is_some_and(|(x, y)| footprint.contains(Cell::new(x, y)))
    };
    let (first, last) = (Vec2::splat(inset - 0.5), size.as_vec2() - 0.5 - inset);
    // The centre of the first block, in cells.
    let middle = (SIDE as f32 - 1.0) / 2.0;
    let blocks = (size + (SIDE.cast_signed() - 1)) / SIDE.cast_signed();
    for y in 0..blocks.y {
        for x in (0..blocks.x).filter(|&x| is_inside(IVec2::new(x, y))) {
            around_square(IVec2::new(x, y), inset / SIDE as f32, is_inside, |a, b| {
                let [a, b] =
                    [a, b].map(|end| (end * SIDE as f32 + middle).clamp(first, last.max(first)));
                line(a, b);
            });
        }
    }
}
