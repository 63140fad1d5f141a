//! What the tests, benches and examples share: random maps, scenes, and oracles that use nothing of the engine's
//! algorithms.
#![allow(
    missing_docs,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "code of tests: never published, and a panic is a failure"
)]

pub mod best_moves;
pub mod chase;
pub mod cliques;
pub mod crowd;
pub mod endgames;
pub mod fixpoint;
pub mod footprint;
pub mod hall;
pub mod hexagons;
pub mod hierarchy;
pub mod level;
pub mod look_ahead;
pub mod map_rules;
pub mod mixed;
pub mod referee;
pub mod replies;
pub mod reversals;
pub mod script;
pub mod table_cache;
pub mod timed;
pub mod town;
pub mod variant_game;
pub mod variant_level;

use proptest::prelude::*;
use pursuit_engine::map::{Cell, HexLayout, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use std::collections::{BTreeSet, VecDeque};
use std::io::Write as _;
use std::path::PathBuf;

/// The folder with the reference maps and values. Without it, returns `None`, prints a note to stderr,
/// and writes a line to the file that `PURSUIT_SKIPPED` names, so that a run can count skipped tests.
pub fn reference(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("PURSUIT_REFERENCE").map(PathBuf::from);
    let folder = folder.filter(|folder| folder.join("maps").is_dir());
    if folder.is_none() {
        // Not with `eprintln`, whose output the test harness captures.
        let _ = writeln!(
            std::io::stderr(),
            "{test}: skipped, PURSUIT_REFERENCE names no folder with reference values"
        );
        if let Some(list) = std::env::var_os("PURSUIT_SKIPPED") {
            let list = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(list);
            // A single write, so that lines of other processes cannot split it.
            let line = format!("{test}\n");
            let written = list.and_then(|mut list| list.write_all(line.as_bytes()));
            written.expect("a list of tests that are skipped");
        }
    }
    folder
}

/// All files in `folder` with an extension, in order; at least one.
pub fn files(folder: &std::path::Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    let folder = folder.display();
    assert!(!files.is_empty(), "no .{extension} file in {folder}");
    files
}

/// Reads a `.map` file that has to be valid.
pub fn read_map(path: &std::path::Path) -> TileMap {
    let text = std::fs::read_to_string(path).expect("a readable map");
    TileMap::parse(&text)
        .unwrap_or_else(|error| panic!("{}", error.in_file(path.display().to_string())))
}

/// A map from rows of text: `.` for floor, anything else for walls.
pub fn map(rows: &[&str]) -> TileMap {
    let (width, height) = (rows[0].chars().count() as u16, rows.len() as u16);
    let mut map = TileMap::filled(width, height, Terrain::Wall).expect("a map of some size");
    for (y, row) in rows.iter().enumerate() {
        for (x, symbol) in row.chars().enumerate() {
            if symbol == '.' {
                map.set(Cell::new(x as u16, y as u16), Terrain::Floor);
            }
        }
    }
    map
}

/// Maps of up to `side` x `side` cells with random walls, and at least one free cell.
pub fn random_map(side: u16) -> impl Strategy<Value = TileMap> {
    (1..=side, 1..=side)
        .prop_flat_map(|(width, height)| {
            let cells = usize::from(width) * usize::from(height);
            let walls = prop::collection::vec(prop::bool::weighted(0.3), cells);
            (Just(width), walls)
        })
        .prop_map(|(width, walls)| {
            let height = (walls.len() / usize::from(width)) as u16;
            let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
            for (cell, wall) in map.cells().zip(walls).filter(|(_, wall)| *wall) {
                let _ = wall;
                map.set(cell, Terrain::Wall);
            }
            if !map.cells().any(|cell| map.is_passable(cell)) {
                map.set(Cell::new(0, 0), Terrain::Floor);
            }
            map
        })
}

/// Maps of up to `side` x `side` cells with random walls, half of them with thin walls, one-way edges, links and rules about
/// corners.
pub fn ruled_map(side: u16) -> impl Strategy<Value = TileMap> {
    (random_map(side), prop::option::of(any::<u64>())).prop_map(|(mut map, seed)| {
        if let Some(seed) = seed {
            let dice = &mut Dice::new(seed);
            let many = dice.below(1 + map.cells().count() / 3);
            map_rules::add_rules(&mut map, dice, many);
            // Agents of these maps are of no kind.
            let restricted: Vec<Cell> = map.rules().restricted().map(|(at, _)| at).collect();
            for at in restricted {
                let kinds = Kinds::ALL;
                map.rules_mut().apply(MapEdit::Kinds { at, kinds });
            }
            if !map.cells().any(|cell| map.is_passable(cell)) {
                map.set(Cell::new(0, 0), Terrain::Floor);
            }
        }
        map
    })
}

/// The same, but every step has its reverse.
pub fn two_way_map(side: u16) -> impl Strategy<Value = TileMap> {
    ruled_map(side).prop_map(|mut map| {
        map_rules::make_two_way(&mut map);
        map
    })
}

/// Both kinds of moves on squares.
pub fn square_moves() -> impl Strategy<Value = Moves> {
    prop_oneof![Just(Moves::Octile), Just(Moves::Orthogonal)]
}

/// All kinds of moves.
pub fn any_moves() -> impl Strategy<Value = Moves> {
    let hexagonal = prop::sample::select(HexLayout::ALL.as_slice()).prop_map(Moves::Hexagonal);
    prop_oneof![Just(Moves::Octile), Just(Moves::Orthogonal), hexagonal]
}

/// Random moves of all kinds.
pub fn rolled_moves(dice: &mut Dice) -> Moves {
    let layout = HexLayout::ALL[dice.below(6)];
    [Moves::Octile, Moves::Orthogonal, Moves::Hexagonal(layout)][dice.below(3)]
}

/// The neighbours of a cell straight from the definition, as a set.
pub fn neighbours(map: &TileMap, cell: Cell, moves: Moves) -> BTreeSet<Cell> {
    if !map.rules().is_empty() {
        return map_rules::steps(map, moves, cell);
    }
    map.cells()
        .filter(|&other| other != cell && other.max_norm(cell) == 1 && map.is_passable(other))
        .filter(|&other| {
            if let Moves::Hexagonal(layout) = moves {
                return hexagons::are_beside(layout, cell, other);
            }
            let straight = other.x == cell.x || other.y == cell.y;
            let square = [Cell::new(cell.x, other.y), Cell::new(other.x, cell.y)];
            straight || moves == Moves::Octile && square.iter().all(|&c| map.is_passable(c))
        })
        .collect()
}

/// The cells within `steps` of a set.
pub fn within(map: &TileMap, from: &BTreeSet<Cell>, steps: u32, moves: Moves) -> BTreeSet<Cell> {
    let mut all = from.clone();
    let mut rim: VecDeque<(Cell, u32)> = from.iter().map(|&cell| (cell, 0)).collect();
    while let Some((cell, distance)) = rim.pop_front() {
        if distance == steps {
            continue;
        }
        for next in neighbours(map, cell, moves) {
            if all.insert(next) {
                rim.push_back((next, distance + 1));
            }
        }
    }
    all
}

/// The value of the TrailMax equation (5.1) by sets, in turns: the robber's possible places after
/// each turn, against cops that know its path and so can be anywhere within their reach. Walks with
/// waits are all included; `None` if the robber is never captured.
pub fn trail_max_by_sets(
    map: &TileMap,
    moves: Moves,
    robber: (Cell, u8),
    cops: &[(Cell, u8)],
    cops_to_move: bool,
) -> Option<u32> {
    let reach = |turns: u32| -> BTreeSet<Cell> {
        let balls = cops.iter().map(|&(cell, speed)| {
            within(
                map,
                &BTreeSet::from([cell]),
                turns * u32::from(speed),
                moves,
            )
        });
        balls.flatten().collect()
    };
    if reach(0).contains(&robber.0) {
        return Some(0);
    }
    let mut places = BTreeSet::from([robber.0]);
    let mut cop_turns = 0;
    if !cops_to_move {
        places = run(map, moves, &places, &reach(0), robber.1);
    }
    loop {
        cop_turns += 1;
        let covered = reach(cop_turns);
        places.retain(|cell| !covered.contains(cell));
        if places.is_empty() {
            return Some(cop_turns);
        }
        if cop_turns > map.cells().count() as u32 {
            return None;
        }
        places = run(map, moves, &places, &covered, robber.1);
    }
}

/// A robber's turn: up to `speed` steps, none of them onto a cell that a cop may have reached.
fn run(
    map: &TileMap,
    moves: Moves,
    places: &BTreeSet<Cell>,
    covered: &BTreeSet<Cell>,
    speed: u8,
) -> BTreeSet<Cell> {
    let mut places = places.clone();
    for _ in 0..speed {
        let further: Vec<Cell> = places
            .iter()
            .flat_map(|&cell| neighbours(map, cell, moves))
            .filter(|cell| !covered.contains(cell))
            .collect();
        places.extend(further);
    }
    places
}
