//! The overlay of changed tiles.

use super::frame::Frame;
use super::settings::PursuitGizmos;
use super::signs::{CROSS, DIAMOND, RADIUS, SQUARE, draw_sign};
use crate::geometry::MapPlaces;
use crate::live_map::LiveMap;
use bevy::prelude::*;
use pursuit_engine::graph::{Fingerprint, Graph};
use pursuit_engine::map::Cell;
use std::collections::VecDeque;

/// How long a change is drawn, in seconds.
const SHOWN: f32 = 1.0;

/// The state of each map when it was last drawn, while changes are drawn.
#[derive(Resource, Debug, Default)]
pub(super) struct Watch(Vec<Watched>);

#[derive(Debug)]
struct Watched {
    map: Entity,
    fingerprint: Fingerprint,
    size: (u16, u16),
    passable: Vec<bool>,
    /// Each change: the cell, whether it opened, and when, in seconds of game time; oldest first.
    recent: VecDeque<(Cell, bool, f32)>,
}

/// Draws tiles that have changed, fading out: opened tiles as squares, new walls as crosses, and edits
/// not yet worked into the abstraction as diamonds.
pub(super) fn draw(
    mut gizmos: Gizmos<PursuitGizmos>,
    maps: Query<(Entity, &LiveMap, MapPlaces)>,
    time: Option<Res<Time>>,
    mut watch: ResMut<Watch>,
) {
    let now = time.map_or(0.0, |time| time.elapsed_secs());
    watch.0.retain(|watched| maps.contains(watched.map));
    for (entity, map, layer) in &maps {
        let Some(world) = map.world() else {
            continue;
        };
        let frame = Frame::new(map, &layer);
        let config = *gizmos.config_ext;
        for &(cell, opened, when) in watch.changes_on(entity, world.graph(), now) {
            let (color, corners) = if opened {
                (config.opened, &SQUARE[..])
            } else {
                (config.closed, &CROSS[..])
            };
            let left = (1.0 - (now - when) / SHOWN).clamp(0.0, 1.0);
            let color = color.with_alpha(color.alpha() * left);
            draw_sign(&mut gizmos, frame, cell, corners, color);
        }
        match world.unrepaired() {
            Some(cells) => {
                for cell in cells {
                    draw_sign(&mut gizmos, frame, cell, &DIAMOND, config.pending);
                }
            }
            None => draw_border(&mut gizmos, frame, world.graph(), config.pending),
        }
    }
}

/// Drops all memory when the overlay is off.
pub(super) fn forget(mut watch: ResMut<Watch>) {
    if !watch.0.is_empty() {
        watch.0.clear();
    }
}

impl Watch {
    /// The changes on a map in the last second, oldest first.
    fn changes_on(&mut self, map: Entity, graph: &Graph, now: f32) -> &VecDeque<(Cell, bool, f32)> {
        let index = self.0.iter().position(|watched| watched.map == map);
        let index = index.unwrap_or_else(|| {
            self.0.push(Watched::new(map, graph));
            self.0.len() - 1
        });
        let watched = &mut self.0[index];
        watched.compare(graph, now);
        &watched.recent
    }
}

impl Watched {
    fn new(map: Entity, graph: &Graph) -> Self {
        Self {
            map,
            fingerprint: graph.fingerprint(),
            size: (graph.width(), graph.height()),
            passable: cells(graph).map(|cell| graph.is_floor(cell)).collect(),
            recent: VecDeque::new(),
        }
    }

    /// Compares the map with its last state, so that changes from any source and tick are found.
    fn compare(&mut self, graph: &Graph, now: f32) {
        if self.size != (graph.width(), graph.height()) {
            *self = Self::new(self.map, graph);
        }
        while self
            .recent
            .front()
            .is_some_and(|&(.., when)| now - when >= SHOWN)
        {
            self.recent.pop_front();
        }
        if self.fingerprint == graph.fingerprint() {
            return;
        }
        self.fingerprint = graph.fingerprint();
        for (cell, was) in cells(graph).zip(&mut self.passable) {
            let is = graph.is_floor(cell);
            if is != std::mem::replace(was, is) {
                self.recent.push_back((cell, is, now));
            }
        }
    }
}

fn cells(graph: &Graph) -> impl Iterator<Item = Cell> {
    let (width, height) = (graph.width(), graph.height());
    (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
}

/// Draws a line around the whole map.
fn draw_border(gizmos: &mut Gizmos<PursuitGizmos>, frame: Frame, graph: &Graph, color: Color) {
    let size = Vec2::new(graph.width().into(), graph.height().into());
    for ends in SQUARE {
        let [a, b] = ends.map(|end| frame.place((end / RADIUS / 2.0 + 0.5) * size - 0.5));
        gizmos.line_2d(a, b, color);
    }
}
