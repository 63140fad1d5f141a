//! Particles against the exact set of places where the opponent can be.

use super::{Belief, HIDING, PossibleCells, WALKING};
use crate::graph::{Graph, TileEdit, Vertex};
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::Dice;
use std::collections::BTreeSet;

fn room(width: u16, height: u16) -> TileMap {
    TileMap::filled(width, height, Terrain::Floor).expect("a map")
}

/// Where an opponent can be that was in `before` and took at most one step, if it is not in sight of `viewers`.
fn possible(
    graph: &Graph,
    before: &BTreeSet<Vertex>,
    viewers: &[Cell],
    sight: u16,
) -> BTreeSet<Vertex> {
    let after = before.iter().flat_map(|&at| graph.neighbours(at)).copied();
    let after = after.chain(before.iter().copied());
    let is_seen = |&at: &Vertex| {
        let mut viewers = viewers.iter();
        viewers.any(|&viewer| graph.sees(viewer, graph.cell(at), Some(sight)))
    };
    after.filter(|at| !is_seen(at)).collect()
}

#[test]
fn particles_are_where_the_opponent_can_be_and_cover_these_places() {
    let (mut ruled_out, mut lasted, mut covered) = (0, 0, 0);
    for seed in 0..200 {
        let dice = &mut Dice::new(seed);
        let mut map = room(5 + dice.below(12) as u16, 5 + dice.below(12) as u16);
        let cells: Vec<Cell> = map.cells().collect();
        let start = cells[dice.below(cells.len())];
        for &cell in &cells {
            if cell != start && dice.below(4) == 0 {
                map.set(cell, Terrain::Wall);
            }
        }
        let graph = Graph::new(&map, Moves::Octile);
        let mut viewers: Vec<Cell> = (0..2).map(|_| cells[dice.below(cells.len())]).collect();
        let mut exact = BTreeSet::from([graph.vertex(start).expect("floor")]);
        let mut belief = Belief::at(start);
        let mut visited = BTreeSet::new();
        for turn in 0..60 {
            belief.step(&graph, seed << 8 | turn);
            if dice.below(4) == 0 {
                viewers[0] = cells[dice.below(cells.len())];
            }
            exact = possible(&graph, &exact, &viewers, 4);
            let is_seen = |cell: Cell| {
                let mut viewers = viewers.iter();
                viewers.any(|&viewer| graph.sees(viewer, cell, Some(4)))
            };
            belief.rule_out(is_seen, || None, seed << 8 | turn);
            if belief.cells().count() == 0 {
                ruled_out += 1;
                break;
            }
            let places = belief
                .cells()
                .map(|cell| graph.vertex(cell).expect("floor"));
            let places: BTreeSet<Vertex> = places.collect();
            assert!(places.is_subset(&exact), "seed {seed}, turn {turn}");
            if turn >= 30 {
                visited.extend(places);
            }
        }
        if belief.cells().count() > 0 {
            lasted += 1;
            covered += u32::from(2 * visited.len() > exact.len());
        }
    }
    assert!(ruled_out > 20, "{ruled_out}");
    assert!(5 * covered > 4 * lasted, "{covered} of {lasted}");
}

#[test]
fn most_particles_run_away_and_some_wait() {
    let graph = Graph::new(&room(101, 101), Moves::Octile);
    let start = Cell::new(50, 50);
    let mut belief = Belief::at(start);
    for step in 0..20 {
        belief.step(&graph, step);
    }
    let count = |least: u32, most: u32| {
        let far = belief.cells().map(|cell| cell.max_norm(start));
        far.filter(|far| (least..=most).contains(far)).count()
    };
    assert_eq!(count(0, 20), HIDING + WALKING);
    assert!(count(8, 20) > WALKING / 2, "{}", count(8, 20));
    assert!(count(0, 0) >= HIDING, "{}", count(0, 0));
}

#[test]
fn wrong_particles_are_copied_or_drawn() {
    let here = Cell::new(0, 0);
    let mut belief = Belief::at(here);
    // Nothing can be drawn.
    belief.rule_out(|_| true, || None, 0);
    assert!(belief.cells().count() == 0 && belief.pick(&mut Dice::new(0)).is_none());
    // Ten cells can be drawn: they are those of particles that wait.
    let mut cells = (0..10).map(|x| Cell::new(x, 1));
    belief.rule_out(|_| true, || cells.next(), 0);
    let found: Vec<Cell> = belief.cells().collect();
    assert_eq!(found, (0..10).map(|x| Cell::new(x, 1)).collect::<Vec<_>>());
    // All can be drawn.
    let mut next = 0;
    let mut draw = || {
        next += 1;
        Some(Cell::new(next, 2))
    };
    belief.rule_out(|_| false, &mut draw, 0);
    assert_eq!(belief.cells().count(), HIDING + WALKING);
    // Those that walk become copies of each other, those that wait do not.
    let kept = Cell::new(HIDING as u16 + 1, 2);
    belief.rule_out(|cell| cell != kept, &mut draw, 0);
    assert_eq!(belief.cells().filter(|&cell| cell == kept).count(), WALKING);
    let others = belief.cells().filter(|&cell| cell != kept);
    assert_eq!(others.collect::<BTreeSet<_>>().len(), HIDING);
}

/// The cells of a set.
fn cells_of(places: &PossibleCells, graph: &Graph) -> BTreeSet<Vertex> {
    let all = graph.iter();
    all.filter(|&at| places.contains(graph.cell(at))).collect()
}

/// The places are exactly those that the opponent can have reached unseen, while viewers and walls move.
#[test]
fn places_are_all_that_can_have_been_reached_unseen() {
    let (mut equal, mut turns, mut emptied) = (0, 0, 0);
    for seed in 0..300 {
        let dice = &mut Dice::new(seed);
        let mut map = room(3 + dice.below(16) as u16, 3 + dice.below(16) as u16);
        let cells: Vec<Cell> = map.cells().collect();
        for &cell in &cells {
            if dice.below(3) == 0 {
                map.set(cell, Terrain::Wall);
            }
        }
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let mut graph = Graph::new(&map, moves);
        let Some(start) = graph.iter().nth(dice.below(graph.vertices())) else {
            continue;
        };
        let mut exact = BTreeSet::from([start]);
        let mut places = PossibleCells::nowhere(&graph);
        places.insert(&graph, graph.cell(start));
        if dice.below(4) == 0 {
            exact = graph.iter().collect();
            places = PossibleCells::anywhere(&graph);
        }
        let mut viewers: Vec<Cell> = (0..2).map(|_| cells[dice.below(cells.len())]).collect();
        for _ in 0..40 {
            if dice.below(6) == 0 {
                let cell = cells[dice.below(cells.len())];
                let passable = !graph.is_passable(cell);
                let was = graph.vertex(cell).filter(|at| exact.remove(at));
                let delta = graph.apply(&[TileEdit { cell, passable }]);
                if was.is_some() {
                    let exits = cells.iter().filter(|exit| exit.max_norm(cell) == 1);
                    exact.extend(exits.filter_map(|&exit| graph.vertex(exit)));
                }
                places.follow_edits(&graph, &delta);
            }
            let viewer = dice.below(2);
            viewers[viewer] = cells[dice.below(cells.len())];
            exact = possible(&graph, &exact, &viewers, 5);
            places.step(&graph, |_| false);
            let is_seen =
                |cell: Cell| (viewers.iter()).any(|&viewer| graph.sees(viewer, cell, Some(5)));
            places.rule_out(&graph, viewers.iter().copied(), is_seen);
            let found = cells_of(&places, &graph);
            assert!(found.is_superset(&exact), "seed {seed}");
            assert_eq!(places.is_empty(), found.is_empty());
            let pick = places.pick(dice);
            assert!(pick.map_or(found.is_empty(), |cell| places.contains(cell)));
            turns += 1;
            equal += usize::from(found == exact);
            // What is left too many is what viewers see through gaps that nobody can pass.
            places.rule_out(&graph, graph.iter().map(|at| graph.cell(at)), is_seen);
            assert_eq!(cells_of(&places, &graph), exact, "seed {seed}");
            emptied += usize::from(exact.is_empty());
            let mut copy = places.clone();
            copy.follow_map(&graph);
            copy.step(&graph, |_| false);
            let mut stepped = places.clone();
            stepped.step(&graph, |_| false);
            assert_eq!(cells_of(&copy, &graph), cells_of(&stepped, &graph));
        }
    }
    assert!(4 * equal > 3 * turns, "{equal} of {turns}");
    assert!(emptied > 20 && 2 * emptied < turns, "{emptied} of {turns}");
}

/// In a corridor, whoever comes after the opponent keeps it ahead.
#[test]
fn nobody_passes_a_cell_that_is_taken() {
    let graph = Graph::new(&room(40, 1), Moves::Octile);
    let mut places = PossibleCells::nowhere(&graph);
    places.insert(&graph, Cell::new(20, 0));
    for _ in 0..30 {
        places.step(&graph, |cell| cell.x == 18);
    }
    let found: Vec<u16> = (0..40)
        .filter(|&x| places.contains(Cell::new(x, 0)))
        .collect();
    assert_eq!(found, (19..40).collect::<Vec<_>>());
}
