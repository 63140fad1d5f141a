//! Straight walks on the map.

use crate::graph::{Graph, Vertex};
use crate::map::{Cell, HexLayout, Moves, Offset};

/// The longest walk, in steps.
const LONGEST: i32 = 128;

/// The preference of a walk among steps that come nearer to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefer {
    /// Diagonal steps first; on an orthogonal map steps along the longer axis, on hexagons those nearest to the line.
    Diagonal,
    /// Straight steps first; on an orthogonal map steps along the shorter axis, on hexagons those farthest from the line.
    Straight,
}

/// Walks with the same number of steps as on a map without walls. At a wall, a walk turns aside only where that costs
/// no step, and it never goes back. A walk is therefore short, but it may not find the end.
///
/// The rest of a walk is itself the walk from that cell: a cop that plans anew on its way keeps to the walk.
///
/// Cost: a byte of the map for each step.
#[derive(Debug, Clone, Default)]
pub(super) struct StraightWalk {
    /// The bit of each step in the exits of a cell: 3 x 3 steps, row by row.
    bits: [u8; 9],
    /// The cells of the walk as row-major indices, without the one where it starts.
    cells: Vec<usize>,
    /// The top left and bottom right cells of the rectangle around all cells.
    corners: (Cell, Cell),
}

impl StraightWalk {
    /// Prepares for the steps of a map.
    pub(super) fn begin(&mut self, moves: Moves) {
        self.bits = [0; 9];
        for (number, &(dx, dy)) in moves.steps().iter().enumerate() {
            self.bits[place(Offset::new(dx, dy))] = 1 << number;
        }
        self.cells.reserve(LONGEST as usize);
    }

    /// The cells of the last walk as row-major indices, without the one where it starts. If the walk does not find its end,
    /// these are the cells up to the wall.
    pub(super) fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// The top left and bottom right cells of the rectangle around all cells of the last walk.
    pub(super) const fn corners(&self) -> (Cell, Cell) {
        self.corners
    }

    /// Walks from a vertex to another; `false` if a wall is in the way or the other is too far.
    pub(super) fn go(&mut self, graph: &Graph, from: Vertex, to: Vertex, prefer: Prefer) -> bool {
        let (start, goal) = (graph.cell(from), graph.cell(to));
        let (exits, width) = (graph.exits(), i32::from(graph.width()));
        let mut rest = Offset::between(start, goal);
        let jump_of = |step: Offset| (step.dy * width + step.dx) as isize;
        let mut at = graph.cell_index(start);
        self.corners = (start, start);
        self.cells.clear();
        if rest.dx.abs().max(rest.dy.abs()) > LONGEST {
            return false;
        }
        if let Moves::Hexagonal(layout) = graph.moves() {
            return self.go_over_hexagons(graph, layout, [start, goal], prefer);
        }
        while rest != Offset::ZERO {
            // By far the most frequent case: several steps of the same direction.
            let (step, most) = first_choice(graph.moves(), rest, prefer);
            let (bit, jump) = (self.bits[place(step)], jump_of(step));
            let steps = open_steps(exits, at, jump, bit, most);
            rest = Offset::new(rest.dx - step.dx * steps, rest.dy - step.dy * steps);
            self.list(at, jump, steps, goal, rest);
            at = at.wrapping_add_signed(jump * steps as isize);
            if steps < most {
                let Some(step) = self.step(graph.moves(), exits[at], rest, prefer) else {
                    return false;
                };
                let jump = jump_of(step);
                rest = Offset::new(rest.dx - step.dx, rest.dy - step.dy);
                self.list(at, jump, 1, goal, rest);
                at = at.wrapping_add_signed(jump);
            }
        }
        true
    }

    /// The same on hexagons. Of the steps that come nearer to the goal, of which there are at most two, the walk prefers one.
    fn go_over_hexagons(
        &mut self,
        graph: &Graph,
        layout: HexLayout,
        ends: [Cell; 2],
        prefer: Prefer,
    ) -> bool {
        let [mut at, goal] = ends;
        while at != goal {
            let exits = graph.exits()[graph.cell_index(at)];
            let left = layout.steps(at, goal);
            let beside = graph.moves().steps_at(at);
            let is_open =
                |&(dx, dy): &(i32, i32)| exits & self.bits[place(Offset::new(dx, dy))] != 0;
            let open = beside.filter(is_open);
            let next = open.filter_map(|(dx, dy)| at.offset(dx, dy));
            let nearer = next.filter(|&next| layout.steps(next, goal) < left);
            let far = |next: &Cell| layout.squared_distance(*next, goal);
            let next = match prefer {
                Prefer::Diagonal => nearer.min_by_key(far),
                Prefer::Straight => nearer.max_by_key(far),
            };
            let Some(next) = next else { return false };
            let jump = graph.cell_index(next) as isize - graph.cell_index(at) as isize;
            self.list(
                graph.cell_index(at),
                jump,
                1,
                goal,
                Offset::between(next, goal),
            );
            at = next;
        }
        true
    }

    /// Notes some steps of one direction from a cell on, after which `rest` is left of the walk. A step leads `jump` cells on in
    /// row-major order.
    fn list(&mut self, mut at: usize, jump: isize, steps: i32, goal: Cell, rest: Offset) {
        if steps == 0 {
            return;
        }
        // A run is straight: its ends are its corners.
        let end = Cell::new(
            (i32::from(goal.x) - rest.dx) as u16,
            (i32::from(goal.y) - rest.dy) as u16,
        );
        let (min, max) = &mut self.corners;
        *min = Cell::new(min.x.min(end.x), min.y.min(end.y));
        *max = Cell::new(max.x.max(end.x), max.y.max(end.y));
        let next = |_| {
            at = at.wrapping_add_signed(jump);
            at
        };
        self.cells.extend((0..steps).map(next));
    }

    /// The next step, given the exits of the cell and what is left of the walk.
    fn step(&self, moves: Moves, open: u8, rest: Offset, prefer: Prefer) -> Option<Offset> {
        let is_open = |&step: &Offset| open & self.bits[place(step)] != 0;
        let Offset { dx: x, dy: y } = rest;
        let along_x = x.abs() >= y.abs();
        if moves == Moves::Orthogonal {
            let [a, b] = [Offset::new(x.signum(), 0), Offset::new(0, y.signum())];
            let is_first = along_x == (prefer == Prefer::Diagonal);
            let steps = if is_first { [a, b] } else { [b, a] };
            // No step has no bit.
            return steps.into_iter().find(is_open);
        }
        let (long, short) = if along_x { (x, y) } else { (y, x) };
        let side = short.signum();
        let sides = match (prefer, side) {
            (_, 0) => [0, 1, -1],
            (Prefer::Diagonal, _) => [side, 0, -side],
            (Prefer::Straight, _) => [0, side, -side],
        };
        // Afterwards the shorter side must still be no longer than the longer one.
        let fits = |&side: &i32| (short - side).abs() < long.abs();
        let ahead = long.signum();
        let step = |side| {
            if along_x {
                Offset::new(ahead, side)
            } else {
                Offset::new(side, ahead)
            }
        };
        sides.into_iter().filter(fits).map(step).find(is_open)
    }
}

/// The number of steps of one direction that are open from a cell on, at most `most`. A step leads `jump` cells on in row-major
/// order.
fn open_steps(exits: &[u8], mut at: usize, jump: isize, bit: u8, most: i32) -> i32 {
    let mut steps = 0;
    while steps < most && exits[at] & bit != 0 {
        at = at.wrapping_add_signed(jump);
        steps += 1;
    }
    steps
}

/// The step that a walk prefers, given what is left of the walk, and the number of times that the walk prefers it in a
/// row.
fn first_choice(moves: Moves, rest: Offset, prefer: Prefer) -> (Offset, i32) {
    let Offset { dx: x, dy: y } = rest;
    let (long, short) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    let along_x = x.abs() >= y.abs();
    let diagonal = Offset::new(x.signum(), y.signum());
    let [along, across] = [Offset::new(diagonal.dx, 0), Offset::new(0, diagonal.dy)];
    let (straight, other) = if along_x {
        (along, across)
    } else {
        (across, along)
    };
    match (moves, prefer) {
        // The longer axis changes.
        (Moves::Orthogonal, Prefer::Diagonal) => (straight, 1),
        (Moves::Orthogonal, Prefer::Straight) if short > 0 => (other, short),
        (Moves::Octile, Prefer::Diagonal) if short > 0 => (diagonal, short),
        (Moves::Octile, Prefer::Straight) if short == long => (diagonal, short),
        (Moves::Octile, Prefer::Straight) => (straight, long - short),
        _ => (straight, long),
    }
}

/// The place of a step in [`StraightWalk::bits`].
const fn place(step: Offset) -> usize {
    ((step.dy + 1) * 3 + step.dx + 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Terrain, TileMap};
    use crate::search::Dice;

    #[test]
    fn a_walk_is_legal_ends_at_its_goal_and_takes_no_detour() {
        let dice = &mut Dice::new(5);
        let mut walk = StraightWalk::default();
        let mut arrived = 0;
        for turn in 0..400 {
            let hexagonal = Moves::Hexagonal(HexLayout::ALL[turn % 6]);
            let moves = [Moves::Octile, Moves::Orthogonal, hexagonal][turn % 3];
            let mut map = TileMap::filled(30, 20, Terrain::Floor).expect("some cells");
            for cell in map.cells() {
                if dice.below(100) < 8 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let graph = Graph::new(&map, moves);
            let all: Vec<Vertex> = graph.iter().collect();
            let [from, to] = [0; 2].map(|_| dice.pick(&all).expect("a vertex"));
            walk.begin(moves);
            for prefer in [Prefer::Diagonal, Prefer::Straight] {
                let is_there = walk.go(&graph, from, to, prefer);
                let mut at = from;
                for &cell in walk.cells() {
                    let next = graph.vertex_at(cell).expect("floor");
                    assert!(graph.are_adjacent(at, next));
                    let (min, max) = walk.corners();
                    let Cell { x, y } = graph.cell(next);
                    assert!(min.x <= x && x <= max.x && min.y <= y && y <= max.y);
                    at = next;
                }
                let (a, b) = (graph.cell(from), graph.cell(to));
                let steps = match moves {
                    Moves::Octile => a.max_norm(b) as usize,
                    Moves::Orthogonal => {
                        usize::from(a.x.abs_diff(b.x)) + usize::from(a.y.abs_diff(b.y))
                    }
                    Moves::Hexagonal(layout) => layout.steps(a, b) as usize,
                };
                assert_eq!(is_there, at == to);
                assert!(!is_there || walk.cells().len() == steps);
                arrived += usize::from(is_there);
            }
        }
        assert!(arrived > 200, "{arrived} walks arrived");
    }
}
