//! Moves that need no plan: out of walls, by the player's hand, for want of anything better.

use super::PursuitWorld;
use crate::game::Speed;
use crate::graph::Vertex;
use crate::map::{Cell, Moves};
use std::cmp::Reverse;

impl PursuitWorld {
    /// How many steps of a way from a cell lead along edges of the map as it is now. The first
    /// step may lead out of a wall.
    #[must_use]
    pub fn open_steps(&self, from: Cell, way: &[Vertex]) -> usize {
        let mut before: Option<Vertex> = None;
        let is_open = |&next: &Vertex| {
            let at = before.or_else(|| self.graph.vertex(from));
            let open = match at {
                Some(at) => self.graph.are_adjacent(at, next),
                None => self.graph.is_live(next) && self.graph.cell(next).max_norm(from) == 1,
            };
            before = Some(next);
            open
        };
        way.iter().copied().take_while(is_open).count()
    }

    /// Appends steps in a direction (`dy` downwards), as far as the speed, the walls and the cells
    /// of `opponents` allow. A diagonal that is blocked slides along the wall.
    pub(super) fn steer(
        &self,
        from: Cell,
        speed: Speed,
        (dx, dy): (i32, i32),
        opponents: &[Cell],
        way: &mut Vec<Vertex>,
    ) {
        let (dx, dy) = (dx.signum(), dy.signum());
        if opponents.contains(&from) {
            return;
        }
        let Some(mut at) = self.graph.vertex(from) else {
            // Out of the wall in that direction, or not at all.
            let asked = from.offset(dx, dy);
            way.extend(asked.and_then(|cell| self.graph.vertex(cell)));
            return;
        };
        for _ in 0..speed.steps() {
            let next = [(dx, dy), (dx, 0), (0, dy)]
                .into_iter()
                .filter(|&step| step != (0, 0))
                .find_map(|(dx, dy)| {
                    let next = self.graph.cell(at).offset(dx, dy)?;
                    let next = self.graph.vertex(next)?;
                    self.graph.are_adjacent(at, next).then_some(next)
                });
            let Some(next) = next else { break };
            way.push(next);
            at = next;
            if opponents.contains(&self.graph.cell(at)) {
                break; // there it captures or is captured
            }
        }
    }

    /// The free cells beside a wall, straight ones first.
    pub(super) fn exits(&self, wall: Cell) -> impl Iterator<Item = Vertex> + '_ {
        let beside = move |&(dx, dy): &(i32, i32)| {
            let cell = wall.offset(dx, dy)?;
            self.graph.vertex(cell)
        };
        let (straight, all) = (Moves::Orthogonal.steps(), Moves::Octile.steps());
        let diagonal = all.iter().filter(|step| !straight.contains(step));
        straight.iter().chain(diagonal).filter_map(beside)
    }

    /// Out of a wall to the free cell beside it that is nearest to the enemies, or for a robber
    /// farthest from them; `None` if there is none.
    pub(super) fn step_out(&self, wall: Cell, enemies: &[Cell], flees: bool) -> Option<Vertex> {
        let worth = |cell: Cell| {
            let near = nearest(cell, enemies).map_or(0, |(far, _)| i64::from(far));
            if flees { near } else { -near }
        };
        let exits = self.exits(wall).enumerate();
        let best =
            exits.max_by_key(|&(order, exit)| (worth(self.graph.cell(exit)), Reverse(order)));
        best.map(|(_, exit)| exit)
    }

    /// Appends steps that bring a cop nearer to a cell as the crow flies.
    pub(super) fn step_towards(&self, from: Vertex, to: Cell, speed: Speed, way: &mut Vec<Vertex>) {
        let mut at = from;
        for _ in 0..speed.steps() {
            let far = |vertex: Vertex| self.graph.cell(vertex).squared_distance(to);
            let next = self.graph.neighbours(at).iter().copied();
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

    /// Appends steps that bring a robber farther from some cells as the crow flies, and never onto one.
    pub(super) fn step_away(
        &self,
        from: Vertex,
        enemies: &[Cell],
        speed: Speed,
        way: &mut Vec<Vertex>,
    ) {
        let mut at = from;
        for _ in 0..speed.steps() {
            let far = |vertex: Vertex| nearest(self.graph.cell(vertex), enemies);
            let next = self.graph.neighbours(at).iter().copied();
            // The first of the best.
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
}

/// How far the nearest of some cells is: columns or rows, and squared. `None` without cells.
pub(super) fn nearest(cell: Cell, to: &[Cell]) -> Option<(u32, u64)> {
    let distance = |other: &Cell| (other.max_norm(cell), other.squared_distance(cell));
    to.iter().map(distance).min()
}
