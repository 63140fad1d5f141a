//! The levels of the examples are what they say.

#[path = "../examples/common/town.rs"]
mod town;

use bevy_pursuit::graph::{Graph, TileEdit};
use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
use bevy_pursuit::search::Distances;
use town::{Town, rooms, town};

/// Sizes of towns that are as large as their promises are.
const SIZES: [(u16, u16); 5] = [(64, 64), (97, 64), (64, 150), (256, 256), (512, 512)];

fn share(part: usize, of: usize) -> f64 {
    part as f64 / of as f64
}

/// The number of cells of the largest part of a map that hangs together.
fn largest_part(map: &TileMap) -> usize {
    let graph = Graph::new(map, Moves::Orthogonal);
    let mut distances = Distances::default();
    let (mut seen, mut largest) = (vec![false; graph.slots()], 0);
    for vertex in graph.iter() {
        if !seen[vertex.index()] {
            distances.measure(&graph, vertex);
            let part = distances.reachable();
            part.iter().for_each(|at| seen[at.index()] = true);
            largest = largest.max(part.len());
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

/// The largest square of walls alone.
fn largest_mass(map: &TileMap) -> u16 {
    let width = usize::from(map.width());
    let mut above = vec![0_u16; width + 1];
    let mut largest = 0;
    for y in 0..map.height() {
        let mut row = vec![0_u16; width + 1];
        for x in 0..map.width() {
            let at = usize::from(x) + 1;
            if !map.is_passable(Cell::new(x, y)) {
                row[at] = 1 + row[at - 1].min(above[at]).min(above[at - 1]);
                largest = largest.max(row[at]);
            }
        }
        above = row;
    }
    largest
}

#[test]
fn towns_hang_together() {
    for (width, height) in SIZES {
        for seed in 0..200 {
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
            assert!((0.5..0.9).contains(&streets), "{what}: {streets} streets");
            let doors = share(town.doors.len(), cells);
            assert!((0.006..0.03).contains(&doors), "{what}: {doors} doors");
            assert!(largest_mass(&town.map) <= 24, "{what}: a mass too large");
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
            (40..100).contains(&building.doors.len()),
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

#[test]
#[ignore = "a picture and the time, for people"]
fn show() {
    for made in [town(110, 80, 1), rooms(64, 64, 1)] {
        for y in 0..made.map.height() {
            let symbol = |x| {
                let cell = Cell::new(x, y);
                if made.doors.contains(&cell) {
                    '+'
                } else {
                    made.map.terrain(cell).unwrap().symbol()
                }
            };
            println!("{}", (0..made.map.width()).map(symbol).collect::<String>());
        }
        println!();
    }
    let start = std::time::Instant::now();
    let big = town(512, 512, 1);
    println!("{:?}, {} doors", start.elapsed(), big.doors.len());
    for (w, h) in SIZES {
        let (mut s, mut c, mut d) = (vec![], vec![], vec![]);
        for seed in 0..200 {
            let t = town(w, h, seed);
            let all = passable(&t.map);
            s.push(share(all, usize::from(w) * usize::from(h)));
            c.push(share(largest_part(&closed(&t)), all));
            d.push(t.doors.len());
        }
        s.sort_by(f64::total_cmp);
        c.sort_by(f64::total_cmp);
        d.sort();
        println!(
            "{w}x{h}: share {:.3}..{:.3} median {:.3}; closed {:.3}..{:.3}; doors {}..{}",
            s[0], s[199], s[100], c[0], c[199], d[0], d[199]
        );
    }
    let mut r: Vec<_> = (0..200)
        .map(|s| {
            let b = rooms(64, 64, s);
            (passable(&b.map), b.doors.len(), largest_part(&closed(&b)))
        })
        .collect();
    r.sort();
    println!(
        "rooms {:?} .. {:?} doors {:?} closed {:?}",
        r[0],
        r[199],
        (r.iter().map(|x| x.1).min(), r.iter().map(|x| x.1).max()),
        (r.iter().map(|x| x.2).min(), r.iter().map(|x| x.2).max())
    );
}
