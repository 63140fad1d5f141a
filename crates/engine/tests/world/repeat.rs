//! The same level, seed and inputs give the same game on every machine: the hash of 10,000 ticks is a
//! constant, and both build profiles have to reproduce it.

use crate::common::table_cache::deliver;
use crate::common::town;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::Source;
use pursuit_engine::search::{Dice, seed_of};
use pursuit_engine::table_cache::{TableRequest, TableSchedule, TableSettings, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, Expansions, PursuitClock, PursuitSettings, PursuitSetup, PursuitWorld,
};

const TICKS: u64 = 10_000;

/// Solves requests with varying delays, as a thread would.
struct Worker {
    dice: Dice,
    requests: Vec<TableRequest>,
}

impl Worker {
    fn solve(&mut self, world: &mut PursuitWorld, index: usize) {
        let request = self.requests.swap_remove(index);
        deliver(world, request);
    }

    fn tick(&mut self, world: &mut PursuitWorld) {
        while let Some(request) = world.next_request() {
            self.requests.push(request);
        }
        while let Some(key) = world.overdue() {
            let late = self.requests.iter().position(|request| request.key == key);
            self.solve(world, late.expect("what is overdue was asked for"));
        }
        if !self.requests.is_empty() && self.dice.below(6) == 0 {
            let any = self.dice.below(self.requests.len());
            self.solve(world, any);
        }
    }
}

/// The hash of a game of five pursuits in rooms whose doors open and close.
fn game(worker: u64) -> u64 {
    let town::Town { map, doors } = town::rooms(40, 40, 3);
    let schedule = TableSchedule {
        ticks: 4,
        times: 2,
        ticks_per_second: Some(64),
    };
    let settings = PursuitSettings {
        tables: TableSettings {
            timing: TableTiming::Lockstep(schedule),
            ..TableSettings::default()
        },
        ..PursuitSettings::default()
    };
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let dice = &mut Dice::new(11);
    let robbers = insert_pursuits(&mut world, &free, dice);
    let mut worker = Worker {
        dice: Dice::new(worker),
        requests: Vec::new(),
    };
    let mut open = vec![true; doors.len()];
    let mut hash = 0;
    let mut by_table = 0;
    for tick in 0..TICKS {
        let mut edits = Vec::new();
        if dice.below(60) == 0 {
            // Few doors, so that earlier door states recur.
            let door = dice.below(3);
            open[door] = !open[door];
            edits.push(TileEdit {
                cell: doors[door],
                passable: open[door],
            });
        }
        for &robber in &robbers {
            let caught = world
                .agent(robber)
                .and_then(pursuit_engine::world::AgentRecord::caught);
            if caught.is_some_and(|catch| world.tick() > catch.tick + 40) {
                let cell = free[dice.below(free.len())];
                world.place(robber, cell);
                world.release(robber);
            }
        }
        world.begin_tick(&edits);
        worker.tick(&mut world);
        world.arrive();
        world.decide(&mut Expansions(2_500));
        by_table += world.report().decisions.by(Source::Table);
        hash = seed_of([hash, world.position_hash(), tick]);
    }
    assert!(by_table > 200, "tables are part of it: {by_table}");
    hash
}

/// Inserts the agents of five pursuits, one on the free-running clock, and returns the robbers.
fn insert_pursuits(world: &mut PursuitWorld, free: &[Cell], dice: &mut Dice) -> Vec<AgentId> {
    let mut robbers = Vec::new();
    for pursuit in 0..5 {
        for index in 0..3_u8 {
            let side = if index == 0 { Side::Robber } else { Side::Cops };
            let setup = AgentSetup {
                pursuit,
                // Pursuit 2 has one cop of speed 2, and a table.
                speed: Speed::new(if pursuit == 2 && index == 1 { 2 } else { 1 }).expect("a speed"),
                ticks_per_step: 5 + u32::from(index),
                sight: (pursuit == 3).then_some(9),
                ..AgentSetup::new(side, free[dice.below(free.len())])
            };
            if pursuit == 2 && index == 2 {
                continue;
            }
            let id = world.insert(setup);
            if index == 0 {
                robbers.push(id);
            }
        }
    }
    let setup = PursuitSetup {
        clock: Some(PursuitClock::FreeRunning),
        tactics: None,
    };
    world.set_up_pursuit(1, setup);
    robbers
}

#[test]
fn ten_thousand_ticks_have_the_same_hash_whenever_tables_are_ready() {
    let hash = game(1);
    assert_eq!(hash, game(2), "tables delivered at other ticks");
    assert_eq!(hash, 0x5fd3_81d0_ba1f_4e02, "{hash:#x}");
}
