//! The levels of the examples have the documented properties.

use crate::common::town;
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Distances;
use town::{Town, rooms, town};

/// Sizes of towns for which the shares hold, and the number of seeds to try.
const SIZES: [(u16, u16, u64); 5] = [
    (64, 64, 40),
    (97, 64, 40),
    (64, 150, 40),
    (256, 256, 5),
    (512, 512, 2),
];

fn share(part: usize, of: usize) -> f64 {
    part as f64 / of as f64
}

/// The number of cells of the largest component of a map.
fn largest_part(map: &TileMap) -> usize {
    let graph = Graph::new(map, Moves::Orthogonal);
    let mut distances = Distances::default();
    let (mut seen, mut largest) = (vec![false; graph.slots()], 0);
    for vertex in graph.iter() {
        if !seen[vertex.index()] {
            distances.measure(&graph, vertex);
            let part = distances.reachable();
            largest = largest.max(part.len());
            for at in part {
                seen[at.index()] = true;
            }
        }
    }
    largest
}

fn passable(map: &TileMap) -> usize {
    map.cells().filter(|&cell| map.is_passable(cell)).count()
}

/// The map with all doors closed.
fn closed(town: &Town) -> TileMap {
    let mut map = town.map.clone();
    for &door in &town.doors {
        map.set(door, Terrain::Wall);
    }
    map
}

fn assert_doors_are_doors(town: &Town) {
    assert!(town.doors.is_sorted_by(|a, b| a < b), "in order, each once");
    for &door in &town.doors {
        let is_open = |dx, dy| {
            let cell = door.offset(dx, dy);
            cell.is_some_and(|cell| town.map.is_passable(cell))
        };
        let (row, column) = (
            [is_open(-1, 0), is_open(1, 0)],
            [is_open(0, -1), is_open(0, 1)],
        );
        assert!(town.map.is_passable(door), "{door:?} is open");
        let is_door =
            row == [true; 2] && column == [false; 2] || row == [false; 2] && column == [true; 2];
        assert!(is_door, "{door:?} joins two sides of a wall");
    }
}

/// The greatest number of adjacent walls in a row or a column.
fn longest_wall(map: &TileMap) -> usize {
    let is_wall = |&(x, y): &(u16, u16)| !map.is_passable(Cell::new(x, y));
    let longest = |line: Vec<(u16, u16)>| {
        let runs = line.chunk_by(|a, b| is_wall(a) == is_wall(b));
        let walls = runs.filter(|run| is_wall(&run[0]));
        walls.map(<[_]>::len).max().unwrap_or(0)
    };
    let (width, height) = (map.width(), map.height());
    let rows = (0..height).map(|y| (0..width).map(|x| (x, y)).collect());
    let columns = (0..width).map(|x| (0..height).map(|y| (x, y)).collect());
    rows.chain(columns).map(longest).max().unwrap_or(0)
}

#[test]
fn towns_hang_together() {
    for (width, height, seeds) in SIZES {
        for seed in 0..seeds {
            let town = town(width, height, seed);
            let what = format!("{width} x {height}, seed {seed}");
            let (all, cells) = (
                passable(&town.map),
                usize::from(width) * usize::from(height),
            );
            let of_all = share(all, cells);
            assert!((0.45..=0.65).contains(&of_all), "{what}: {of_all} passable");
            assert_eq!(largest_part(&town.map), all, "{what}: doors open");
            let streets = share(largest_part(&closed(&town)), all);
            assert!((0.6..0.9).contains(&streets), "{what}: {streets} streets");
            let doors = share(town.doors.len(), cells);
            assert!((0.004..0.02).contains(&doors), "{what}: {doors} doors");
            let wall = longest_wall(&town.map);
            assert!(wall <= 24, "{what}: {wall} walls in a line");
            assert_doors_are_doors(&town);
        }
    }
}

#[test]
fn small_towns_hang_together_too() {
    for width in 1..40 {
        for height in 1..40 {
            let town = town(width, height, u64::from(width * 40 + height));
            let what = format!("{width} x {height}");
            assert!(passable(&town.map) > 0, "{what}");
            assert_eq!(largest_part(&town.map), passable(&town.map), "{what}");
            assert_doors_are_doors(&town);
            let building = rooms(width, height, 3);
            let all = passable(&building.map);
            assert_eq!(largest_part(&building.map), all, "{what}");
            assert_eq!(all > 0, width > 2 && height > 2, "{what}");
            assert_doors_are_doors(&building);
        }
    }
}

#[test]
fn a_building_has_rooms_for_a_table() {
    for seed in 0..100 {
        let building = rooms(64, 64, seed);
        let all = passable(&building.map);
        assert!((2_300..=2_500).contains(&all), "seed {seed}: {all} cells");
        assert_eq!(largest_part(&building.map), all, "seed {seed}");
        let halls = largest_part(&closed(&building));
        assert!(halls > all / 4, "seed {seed}: {halls} cells of halls");
        assert!(
            (60..120).contains(&building.doors.len()),
            "seed {seed}: {} doors",
            building.doors.len()
        );
        assert_doors_are_doors(&building);
        let graph = Graph::new(&building.map, Moves::Octile);
        assert_eq!(graph.vertices(), all);
    }
}

#[test]
fn every_door_of_a_town_can_close_and_open() {
    let town = town(128, 128, 1);
    let mut graph = Graph::new(&town.map, Moves::Octile);
    let fingerprint = graph.fingerprint();
    for passable in [false, true] {
        let edit = |&cell| TileEdit { cell, passable };
        let edits: Vec<TileEdit> = town.doors.iter().map(edit).collect();
        graph.apply(&edits);
        assert_eq!(graph.fingerprint() == fingerprint, passable);
    }
}

#[test]
fn the_seed_makes_the_town() {
    for make in [town, rooms] {
        assert_eq!(make(100, 80, 7), make(100, 80, 7));
        assert_ne!(make(100, 80, 7).map, make(100, 80, 8).map);
    }
}
