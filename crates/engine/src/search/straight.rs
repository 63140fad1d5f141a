//! Straight runs: of equally long paths, those with few changes of direction.

use crate::graph::{Graph, Vertex};
use crate::map::Offset;

/// The number of steps ahead among which a step in the present direction is sought.
const AHEAD: usize = 128;

/// The number of cells that are looked up in the time of an expansion.
const CELLS: u64 = 8;

/// Reorders the steps of a path from `from`, so that it goes on in its direction as long as it can: a later step in the
/// same direction is taken at once, where the steps between lead over passable cells, too. The path keeps its first step,
/// its length and its end.
///
/// Returns the work in expansions, of eight looked-up cells each. Cost: a few cells for each change of direction in
/// narrow places, up to 128 in the open.
pub(super) fn straighten(graph: &Graph, from: Vertex, path: &mut [Vertex]) -> u64 {
    let mut work = 0;
    let mut at = from;
    let mut direction = None;
    for index in 0..path.len() {
        let rest = &mut path[index..];
        if let Some(direction) = direction
            && step(graph, at, rest[0]) != Some(direction)
        {
            work += pull(graph, at, rest, direction);
        }
        direction = step(graph, at, rest[0]);
        at = rest[0];
    }
    work / CELLS
}

/// Takes the next step in a direction first, if that is possible. Returns the number of cells that were looked up.
fn pull(graph: &Graph, at: Vertex, rest: &mut [Vertex], direction: Offset) -> u64 {
    let beside = |vertex: Vertex| {
        let cell = graph.moves().ahead(graph.cell(vertex), direction)?;
        graph.vertex(cell)
    };
    let mut before = at;
    let mut last = at;
    for index in 0..rest.len().min(AHEAD) {
        // The step at `index` is taken one step later, from `last`, beside the old path.
        let Some(next) = beside(before).filter(|&next| graph.are_adjacent(last, next)) else {
            return index as u64 + 1;
        };
        if next == rest[index] {
            for later in (1..=index).rev() {
                // The cells have just been looked up.
                rest[later] = beside(rest[later - 1]).unwrap_or(rest[later]);
            }
            rest[0] = beside(at).unwrap_or(rest[0]);
            return 2 * (index as u64 + 1);
        }
        (before, last) = (rest[index], next);
    }
    AHEAD.min(rest.len()) as u64
}

/// The direction of a step.
fn step(graph: &Graph, from: Vertex, to: Vertex) -> Option<Offset> {
    let step = graph.moves().direction(graph.cell(from), graph.cell(to));
    (step.dx.abs().max(step.dy.abs()) == 1).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Cell, Moves, Terrain, TileMap};
    use crate::search::{Dice, Refiner};

    fn changes(graph: &Graph, from: Vertex, path: &[Vertex]) -> usize {
        let all: Vec<Vertex> = [from].into_iter().chain(path.iter().copied()).collect();
        let steps: Vec<_> = all
            .windows(2)
            .map(|pair| step(graph, pair[0], pair[1]))
            .collect();
        steps.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// A random shortest path on a map, by steps that come nearer to the goal.
    fn random_path(
        graph: &Graph,
        from: Vertex,
        to: Vertex,
        dice: &mut Dice,
    ) -> Option<Vec<Vertex>> {
        let mut distances = crate::search::Distances::default();
        distances.begin(graph, to);
        distances.advance(graph, u64::MAX);
        let mut path = Vec::new();
        let mut at = from;
        while at != to {
            let far = distances.steps(at)?;
            let nearer: Vec<Vertex> = (graph.neighbours(at).iter().copied())
                .filter(|&next| distances.steps(next) == Some(far - 1))
                .collect();
            at = dice.pick(&nearer)?;
            path.push(at);
        }
        Some(path)
    }

    #[test]
    fn a_path_on_open_ground_turns_once() {
        let map = TileMap::filled(40, 30, Terrain::Floor).expect("a map");
        let graph = Graph::new(&map, Moves::Orthogonal);
        let dice = &mut Dice::new(1);
        for (to_x, to_y) in [(39, 29), (39, 0), (5, 20), (0, 29)] {
            let from = graph.vertex(Cell::new(0, 0)).expect("a cell");
            let to = graph.vertex(Cell::new(to_x, to_y)).expect("a cell");
            let mut path = random_path(&graph, from, to, dice).expect("a path");
            straighten(&graph, from, &mut path);
            assert!(changes(&graph, from, &path) <= 1, "to {to_x}, {to_y}");
            let path = Refiner::new()
                .find(&graph, None, from, to)
                .expect("a path")
                .to_vec();
            assert!(changes(&graph, from, &path) <= 1, "found to {to_x}, {to_y}");
        }
    }

    #[test]
    fn straightened_paths_are_as_long_and_lead_along_edges() {
        let dice = &mut Dice::new(7);
        let (mut before, mut after) = (0, 0);
        for round in 0..200 {
            let mut map = TileMap::filled(24, 18, Terrain::Floor).expect("a map");
            for cell in map.cells() {
                if dice.below(100) < round % 40 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let moves = [Moves::Octile, Moves::Orthogonal][round % 2];
            let graph = Graph::new(&map, moves);
            let all: Vec<Vertex> = graph.iter().collect();
            let (Some(from), Some(to)) = (dice.pick(&all), dice.pick(&all)) else {
                continue;
            };
            let Some(old) = random_path(&graph, from, to, dice) else {
                continue;
            };
            let mut new = old.clone();
            let work = straighten(&graph, from, &mut new);
            assert!(work <= (AHEAD * new.len()) as u64);
            assert_eq!(new.len(), old.len());
            assert_eq!((new.first(), new.last()), (old.first(), old.last()));
            let mut at = from;
            for &next in &new {
                assert!(graph.are_adjacent(at, next), "round {round}");
                at = next;
            }
            let [old, new] = [old, new].map(|path| changes(&graph, from, &path));
            assert!(new <= old, "round {round}: {new} changes instead of {old}");
            before += old;
            after += new;
        }
        assert!(
            after * 4 < before * 3,
            "{after} changes instead of {before}"
        );
    }
}
