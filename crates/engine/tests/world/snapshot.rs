//! Snapshots of worlds whose map has shrunk, and snapshots that are damaged.

use crate::common::table_cache::deliver;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::TableCacheError;
use pursuit_engine::world::{
    AgentSetup, Expansions, MapLoader, PursuitSettings, PursuitWorld, Snapshot, SnapshotError,
    Tactics,
};

fn room(side: u16) -> TileMap {
    TileMap::filled(side, side, Terrain::Floor).expect("some cells")
}

/// A world with a chase in an empty room.
fn chase(side: u16) -> PursuitWorld {
    let settings = PursuitSettings {
        ticks_per_turn: 4,
        ..PursuitSettings::default()
    };
    let mut world = PursuitWorld::new(&room(side), Moves::Octile, settings);
    let far = Cell::new(side - 1, side - 1);
    world.insert(AgentSetup::new(Side::Robber, far));
    world.insert(AgentSetup {
        speed: Speed::new(2).expect("a speed"),
        ..AgentSetup::new(Side::Cops, Cell::new(0, 0))
    });
    world
}

fn tick(world: &mut PursuitWorld, budget: u64) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(budget));
}

#[test]
fn a_save_that_was_made_after_the_map_has_shrunk_loads_again() {
    for budget in [20, 150, 5000] {
        let mut world = chase(40);
        (0..9).for_each(|_| tick(&mut world, budget));
        let mut loader = MapLoader::new(room(12), Moves::Octile);
        while !loader.is_ready() {
            loader.advance(1000);
        }
        world.take_map(loader);
        for later in 0..12 {
            let saved = world.snapshot();
            let loaded = PursuitWorld::from_snapshot(saved);
            let mut loaded = loaded.unwrap_or_else(|error| panic!("{budget} {later}: {error}"));
            // It continues bit for bit.
            for _ in 0..3 {
                tick(&mut world, budget);
                tick(&mut loaded, budget);
                assert_eq!(world.position_hash(), loaded.position_hash());
            }
        }
    }
}

#[test]
fn a_save_that_was_made_while_an_edit_had_stopped_a_search_goes_on_as_the_game_does() {
    let edit = TileEdit {
        cell: Cell::new(30, 3),
        passable: false,
    };
    let mut stopped = 0;
    for early in 1..40 {
        let mut world = chase(40);
        for _ in 0..early {
            tick(&mut world, 20);
        }
        let is_searching = |world: &PursuitWorld| {
            let saved = serde_json::to_value(world.snapshot()).expect("plain data");
            !saved["planning"]["job"].is_null()
        };
        let before = is_searching(&world);
        world.begin_tick(&[edit]);
        world.arrive();
        world.decide(&mut Expansions(0));
        stopped += usize::from(before);
        let mut loaded = PursuitWorld::from_snapshot(world.snapshot()).expect("its own");
        for _ in 0..12 {
            tick(&mut world, 50);
            tick(&mut loaded, 50);
            assert_eq!(world.report(), loaded.report(), "after {early} ticks");
            assert_eq!(world.position_hash(), loaded.position_hash());
        }
    }
    assert!(stopped > 5, "{stopped} searches");
}

#[test]
fn a_snapshot_whose_tables_are_damaged_says_so_and_loads_without_them() {
    let mut world = chase(8);
    for _ in 0..300 {
        tick(&mut world, 5000);
        if let Some(request) = world.next_request() {
            deliver(&mut world, request);
        }
    }
    let mut saved = serde_json::to_value(world.snapshot()).expect("plain data");
    let used = saved.pointer_mut("/tables/tables/0/ticks/used");
    *used.expect("there is a table") = 5000.into();
    let damaged: Snapshot = serde_json::from_value(saved).expect("still a snapshot");
    let hash = world.position_hash();
    let error = world.restore(damaged.clone()).expect_err("it is damaged");
    let ticks = TableCacheError::Ticks {
        table: 0,
        tick: 300,
    };
    assert_eq!(error, SnapshotError::Tables(ticks));
    assert!(error.to_string().contains("table 0"), "{error}");
    assert_eq!((world.position_hash(), world.tick()), (hash, 300));
    // The rest of the snapshot is valid.
    let rest = damaged.without_tables();
    world.restore(rest).expect("sound but for the tables");
    assert_eq!(world.position_hash(), hash);
    assert_eq!(world.diverged_at(), Some(300), "it is not the same run");
    tick(&mut world, 5000);
}

#[test]
fn the_changes_of_the_last_tick_are_never_those_of_another_map() {
    let edited = || {
        let mut world = chase(40);
        let cell = Cell::new(39, 0);
        world.begin_tick(&[TileEdit {
            cell,
            passable: false,
        }]);
        assert_eq!(world.delta().closed().len(), 1);
        world
    };
    let mut world = edited();
    world.take_map(MapLoader::new(room(12), Moves::Octile));
    assert!(world.delta().is_empty(), "the cells of another map");
    let mut world = edited();
    world.restore(chase(12).snapshot()).expect("a snapshot");
    assert!(world.delta().is_empty(), "the cells of another map");
}

#[test]
fn numbers_that_no_game_has_are_refused() {
    let mut world = chase(12);
    (0..9).for_each(|_| tick(&mut world, 20));
    let saved = serde_json::to_value(world.snapshot()).expect("plain data");
    let with = |place: &str, number: u64| {
        let mut saved = saved.clone();
        *saved.pointer_mut(place).expect(place) = number.into();
        let damaged: Snapshot = serde_json::from_value(saved).expect("still a snapshot");
        PursuitWorld::from_snapshot(damaged)
    };
    let agent = "/members/roster/slots/0/agent";
    assert!(with(&format!("{agent}/pressure/hundredths"), u32::MAX.into()).is_err());
    assert!(with("/planning/job/steps", u64::MAX).is_err());
    let mut world = with(&format!("{agent}/pace"), u32::MAX.into()).expect("a strange pace");
    (0..9).for_each(|_| tick(&mut world, 200));
}

/// A map of 231 x 231 cells: a maze with some of its walls open, or single walls.
fn large_map(is_maze: bool, dice: &mut Dice) -> TileMap {
    const SIDE: u16 = 231;
    let mut map = TileMap::filled(SIDE, SIDE, Terrain::Floor).expect("some cells");
    for cell in map.cells() {
        let is_wall = match (is_maze, cell.x % 6 == 5, cell.y % 6 == 5) {
            (false, ..) => dice.below(100) < 15,
            (true, true, true) => true,
            (true, false, false) => false,
            // One cell in four of a wall is open.
            (true, ..) => dice.below(4) > 0,
        };
        if is_wall {
            map.set(cell, Terrain::Wall);
        }
    }
    map
}

/// Distant cops share distances and routes that the searches keep from plan to plan. They must not change what a plan costs.
#[test]
fn a_save_of_large_teams_on_a_large_map_goes_on_as_the_game_does() {
    for (number, (cops, tactics)) in [
        (40, Tactics::Intercept),
        (40, Tactics::Chase),
        (6, Tactics::Intercept),
        (3, Tactics::Intercept),
    ]
    .into_iter()
    .enumerate()
    {
        for budget in [200, 1_000, 10_000] {
            let dice = &mut Dice::new(number as u64);
            let map = large_map(number % 2 == 0, dice);
            let settings = PursuitSettings {
                tactics,
                ..PursuitSettings::default()
            };
            let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
            let floor: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
            for pursuit in 0..2 {
                for index in 0..=cops {
                    let side = if index == 0 { Side::Robber } else { Side::Cops };
                    let setup = AgentSetup::new(side, dice.pick(&floor).expect("floor"));
                    world.insert(AgentSetup { pursuit, ..setup });
                }
            }
            for early in [37, 100, 163] {
                (0..early).for_each(|_| tick(&mut world, budget));
                let saved = PursuitWorld::from_snapshot(world.snapshot());
                let mut saved = saved.expect("a snapshot");
                for later in 0..80 {
                    tick(&mut world, budget);
                    tick(&mut saved, budget);
                    let context = format!("{cops} {tactics:?} {budget}, {later} after {early}");
                    let spent = [&world, &saved].map(|world| world.report().spent);
                    assert_eq!(spent[0], spent[1], "{context}");
                    assert_eq!(world.position_hash(), saved.position_hash(), "{context}");
                }
            }
        }
    }
}
