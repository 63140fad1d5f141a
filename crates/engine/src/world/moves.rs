//! Moves that need no plan: steps out of walls, a player's steps, and greedy steps.

use crate::game::Speed;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, HexLayout, Moves};
use std::cmp::Reverse;

/// Appends steps in a direction (`dy` points down), as far as the speed, the walls and the cells of
/// `opponents` allow. A blocked diagonal slides along the wall. On hexagons, where a diagonal may be no step, it leads to the
/// hexagon in this direction.
pub(super) fn steer(
    graph: &Graph,
    from: Cell,
    speed: Speed,
    dx: i8,
    dy: i8,
    opponents: &[Cell],
    way: &mut Vec<Vertex>,
) {
    let (dx, dy) = (i32::from(dx.signum()), i32::from(dy.signum()));
    let [beside, above] = [(dx, 0), (0, dy)];
    let others = match graph.moves() {
        // The hexagons above and below lie to both sides.
        Moves::Hexagonal(HexLayout::RowEven | HexLayout::RowOdd | HexLayout::Row) => {
            [above, beside]
        }
        _ => [beside, above],
    };
    let mut at = from;
    // From a wall, the agent only steps out.
    let steps = if graph.is_passable(from) {
        speed.steps()
    } else {
        1
    };
    for _ in 0..steps {
        let next = [(dx, dy), others[0], others[1]]
            .into_iter()
            .filter(|&step| step != (0, 0))
            .find_map(|(dx, dy)| {
                let next = graph.vertex(at.offset(dx, dy)?)?;
                let is_open = if graph.is_passable(at) {
                    graph.steps_from(at).any(|step| step == next)
                } else {
                    exits(graph, at).any(|exit| exit == next)
                };
                is_open.then_some(next)
            });
        let Some(next) = next else { break };
        way.push(next);
        at = graph.cell(next);
        if opponents.contains(&at) {
            break; // a capture happens there
        }
    }
}

/// The cells that a step out of a wall leads to, orthogonal ones first. Where agents step diagonally and no legal step leads
/// out, they squeeze through a corner. None for a cell off the map.
pub(super) fn exits(graph: &Graph, wall: Cell) -> impl Iterator<Item = Vertex> + '_ {
    let is_straight = move |&next: &Vertex| {
        let next = graph.cell(next);
        next.x == wall.x || next.y == wall.y
    };
    let straight = graph.steps_from(wall).filter(is_straight);
    let diagonal = graph.steps_from(wall).filter(move |at| !is_straight(at));
    let is_shut_in = graph.is_on_map(wall) && graph.steps_from(wall).next().is_none();
    let corners = graph.moves().steps_at(wall).filter(move |_| is_shut_in);
    let corners = corners.filter_map(move |(dx, dy)| graph.vertex(wall.offset(dx, dy)?));
    straight.chain(diagonal).chain(corners)
}

/// The step out of a wall to the free cell nearest to the enemies, or for a robber farthest from them;
/// `None` if there is none.
pub(super) fn step_out(graph: &Graph, wall: Cell, enemies: &[Cell], flees: bool) -> Option<Vertex> {
    let worth = |cell: Cell| {
        let near = nearest(cell, enemies).map_or(0, |(far, _)| i64::from(far));
        if flees { near } else { -near }
    };
    let exits = exits(graph, wall).enumerate();
    let best = exits.max_by_key(|&(order, exit)| (worth(graph.cell(exit)), Reverse(order)));
    best.map(|(_, exit)| exit)
}

/// Appends steps that bring a cop closer to a cell in a straight line.
pub(super) fn step_towards(
    graph: &Graph,
    from: Vertex,
    to: Cell,
    speed: Speed,
    way: &mut Vec<Vertex>,
) {
    let mut at = from;
    for _ in 0..speed.steps() {
        let far = |vertex: Vertex| graph.moves().squared_distance(graph.cell(vertex), to);
        let next = graph.neighbours(at).iter().copied();
        let Some(next) = next.min_by_key(|&next| far(next)) else {
            break;
        };
        if far(next) >= far(at) {
            break;
        }
        way.push(next);
        at = next;
    }
}

/// Appends steps that take a robber farther from some cells in a straight line, and never onto one.
pub(super) fn step_away(
    graph: &Graph,
    from: Vertex,
    enemies: &[Cell],
    speed: Speed,
    way: &mut Vec<Vertex>,
) {
    let mut at = from;
    for _ in 0..speed.steps() {
        let far = |vertex: Vertex| nearest(graph.cell(vertex), enemies);
        let next = graph.neighbours(at).iter().copied();
        // Of equally good steps the first is taken.
        let Some(next) = next.rev().max_by_key(|&next| far(next)) else {
            break;
        };
        if far(next) <= far(at) {
            break;
        }
        way.push(next);
        at = next;
    }
}

/// The distance to the nearest of some cells: as the larger of columns and rows, and squared. `None`
/// without cells.
pub(super) fn nearest(cell: Cell, to: &[Cell]) -> Option<(u32, u64)> {
    let distance = |other: &Cell| (other.max_norm(cell), other.squared_distance(cell));
    to.iter().map(distance).min()
}
