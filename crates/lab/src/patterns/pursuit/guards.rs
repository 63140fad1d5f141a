//! Guarded sides of windows: the exits of a side, and whether a cop outside guards them.

use super::{MAX_GUARDED, SIDES};
use crate::patterns::shape::{Shape, Site};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Cell;

/// The cells beyond a side of a window: where a robber stands after it left over this side.
pub(super) fn exits(shape: &Shape, side: usize) -> impl Iterator<Item = Site> + Clone {
    let step = SIDES.get(side);
    let beyond = move |site: &Site| step.map(|&(dx, dy)| (site.0 + dx, site.1 + dy));
    let beyond = shape.sites().iter().filter_map(beyond);
    beyond.filter(|&site| shape.number(site).is_none())
}

/// The number of vertices within [`MAX_GUARDED`] steps.
const NEAR: usize = (2 * MAX_GUARDED as usize + 1).pow(2);

/// Returns whether a cop can reach, within `steps` steps, a cell from which each passable cell of `exits` is at
/// most one step away. `steps` is at most [`MAX_GUARDED`]; the answer for more steps may be `false` where the cop can
/// reach such a cell. Does not allocate.
pub(super) fn can_guard(
    graph: &Graph,
    cop: Cell,
    steps: u8,
    exits: impl Iterator<Item = Cell> + Clone,
) -> bool {
    let is_far = |exit: Cell| cop.max_norm(exit) > u32::from(steps) + 1;
    if exits
        .clone()
        .any(|exit| graph.is_passable(exit) && is_far(exit))
    {
        return false;
    }
    let Some(start) = graph.vertex(cop) else {
        return false;
    };
    let exits = exits.filter_map(|exit| graph.vertex(exit));
    let mut reached = [start; NEAR];
    let mut count = 1;
    let mut next = 0;
    for step in 0..=steps {
        let end = count;
        for index in next..end {
            let at = reached[index];
            let is_near = |exit: Vertex| exit == at || graph.are_adjacent(at, exit);
            if exits.clone().all(is_near) {
                return true;
            }
            if step == steps {
                continue;
            }
            for &vertex in graph.neighbours(at) {
                if count < NEAR && !reached[..count].contains(&vertex) {
                    reached[count] = vertex;
                    count += 1;
                }
            }
        }
        next = end;
    }
    false
}
