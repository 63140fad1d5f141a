//! The overlay of groups: one level of the abstraction.

use super::frame::Frame;
use super::outline::around_square;
use super::settings::{Maps, PursuitGizmos};
use bevy::prelude::*;
use pursuit_engine::graph::Vertex;
use pursuit_engine::map::Cell;

/// How far inside a group its outline runs, in tiles.
const INSET: f32 = 0.1;

/// Draws an outline around each group of a level of the abstraction, while the abstraction is current.
pub(super) fn draw(
    mut gizmos: Gizmos<PursuitGizmos>,
    maps: Maps,
    mut group_of: Local<Vec<Option<Vertex>>>,
) {
    for (map, layer) in &maps {
        let Some((world, hierarchy)) = map.world().and_then(|w| Some((w, w.hierarchy()?))) else {
            continue;
        };
        let graph = world.graph();
        let frame = Frame::new(map, &layer);
        let level = usize::from(gizmos.config_ext.level).min(hierarchy.levels() - 1);
        let size = IVec2::new(graph.width().into(), graph.height().into());
        let cells =
            (0..graph.height()).flat_map(|y| (0..graph.width()).map(move |x| Cell::new(x, y)));
        group_of.clear();
        group_of.extend(cells.map(|cell| hierarchy.ancestor(graph.vertex(cell)?, level)));
        let group = |at: IVec2| {
            let is_there = at.cmpge(IVec2::ZERO).all() && at.cmplt(size).all();
            let index = is_there.then(|| (at.y * size.x + at.x) as usize)?;
            group_of[index]
        };
        for at in (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y))) {
            let Some(own) = group(at) else {
                continue;
            };
            let color = gizmos.config_ext.groups[own.index() % gizmos.config_ext.groups.len()];
            around_square(
                at,
                INSET,
                |beside| group(beside) == Some(own),
                |a, b| {
                    gizmos.line_2d(frame.place(a), frame.place(b), color);
                },
            );
        }
    }
}
