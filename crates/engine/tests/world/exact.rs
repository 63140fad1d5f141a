//! Pursuits without a table whose present position is worked out: play and values against the table.

use crate::common::town;
use pursuit_engine::game::{Outcome, Rules, Side, Speed, Turns, Value};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, DecidedBy, Expansions, PursuitSettings, PursuitState,
    PursuitWorld, Snapshot, SnapshotError,
};
use std::num::NonZeroU8;

const TICKS_PER_TURN: u32 = 4;
const BUDGET: u64 = 40_000;
const MEMORY: u64 = 16_000_000;

fn rooms() -> town::Town {
    town::rooms(22, 22, 3)
}

fn settings(memory: u64) -> PursuitSettings {
    let mut settings = PursuitSettings {
        ticks_per_turn: TICKS_PER_TURN,
        position_memory: memory,
        ..PursuitSettings::default()
    };
    settings.tables.max_bytes = 1;
    settings
}

fn free_cells(map: &TileMap) -> Vec<Cell> {
    map.cells().filter(|&cell| map.is_passable(cell)).collect()
}

/// A world of pursuits of two cops, without tables.
fn world(pursuits: u32, memory: u64, dice: &mut Dice) -> PursuitWorld {
    let map = rooms().map;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings(memory));
    let free = free_cells(&map);
    for pursuit in 0..pursuits {
        for side in [Side::Cops, Side::Cops, Side::Robber] {
            let cell = free[dice.below(free.len())];
            world.insert(AgentSetup {
                pursuit,
                ..AgentSetup::new(side, cell)
            });
        }
    }
    world
}

fn tick(world: &mut PursuitWorld, edits: &[TileEdit]) {
    world.begin_tick(edits);
    world.arrive();
    world.decide(&mut Expansions(BUDGET));
}

/// The exact table of the map, which the world does not have.
struct Judge {
    graph: Graph,
    table: Solution,
}

impl Judge {
    fn new(map: &TileMap) -> Self {
        let graph = Graph::new(map, Moves::Octile);
        let rules = Rules {
            cops: NonZeroU8::new(2).expect("two"),
            ..Rules::default()
        };
        let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, 1 << 30).expect("memory");
        solver.run(|_| true);
        let table = solver.finish().expect("it is done");
        Self { graph, table }
    }

    fn vertex(&self, cell: Cell) -> Vertex {
        self.graph.vertex(cell).expect("floor")
    }

    fn value(&self, robber: Cell, cops: &[Cell]) -> Outcome {
        let cops: Vec<Vertex> = cops.iter().map(|&cop| self.vertex(cop)).collect();
        let value = self.table.value(self.vertex(robber), &cops);
        value.expect("a position")
    }

    /// The value after a move of the cops, the robber to move.
    fn reply_value(&self, robber: Cell, cops: &[Cell]) -> Outcome {
        if cops.contains(&robber) {
            return Outcome::Caught(Turns(0));
        }
        let from = self.vertex(robber);
        let all = self.graph.neighbours(from).iter().chain([&from]);
        let values = all.map(|&to| self.value(self.graph.cell(to), cops));
        values.max().expect("it may wait")
    }
}

/// The members of the only pursuit, the robber last.
fn members(world: &PursuitWorld) -> (Vec<AgentId>, AgentId) {
    let side = |side| {
        let agents = world.agents();
        let of_side = agents.filter(move |(_, agent)| agent.setup().side == side);
        of_side.map(|(id, _)| id).collect::<Vec<_>>()
    };
    (side(Side::Cops), side(Side::Robber)[0])
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

fn cells(world: &PursuitWorld, ids: &[AgentId]) -> Vec<Cell> {
    ids.iter().map(|&id| cell(world, id)).collect()
}

fn state(world: &PursuitWorld, id: AgentId) -> PursuitState {
    *world.agent(id).expect("an agent").state()
}

fn is_caught(world: &PursuitWorld, robber: AgentId) -> bool {
    let robber = world.agent(robber).expect("a robber");
    robber.caught().is_some()
}

fn turn(world: &PursuitWorld) -> u64 {
    world.pursuit(0).expect("a pursuit").turn()
}

const BY_EXACT: DecidedBy = DecidedBy::Policy(Source::Exact);

/// What was decided in a turn.
struct Decided {
    robber: Cell,
    cops: Vec<Cell>,
    of_cops: PursuitState,
    of_robber: PursuitState,
}

/// What was checked in games.
#[derive(Default)]
struct Checked {
    exact: u32,
    bounded: u32,
    replies: u32,
}

/// Compares a turn, and where everybody stands after it, with the table.
fn check(judge: &Judge, decided: &Decided, (robber, cops): (Cell, &[Cell]), checked: &mut Checked) {
    if decided.of_cops.decided_by != BY_EXACT {
        return;
    }
    let value = judge.value(decided.robber, &decided.cops);
    let after = judge.reply_value(decided.robber, cops);
    match decided.of_cops.value {
        Some(Value::Exact(told)) => {
            checked.exact += 1;
            assert_eq!(told, value);
            let Outcome::Caught(Turns(turns)) = value else {
                panic!("the cops play for a capture");
            };
            assert_eq!(after, Outcome::Caught(Turns(turns - 1)), "an optimal move");
        }
        Some(Value::AtMost(bound)) => {
            checked.bounded += 1;
            assert!(value <= bound && after < bound);
        }
        other => panic!("{other:?}"),
    }
    if decided.of_robber.decided_by == BY_EXACT {
        checked.replies += 1;
        assert_eq!(decided.of_robber.value, Some(Value::Exact(after)));
        assert_eq!(judge.value(robber, cops), after, "an optimal reply");
    }
}

#[test]
fn both_sides_play_by_the_values_of_the_table() {
    let judge = Judge::new(&rooms().map);
    let free = free_cells(&rooms().map);
    let mut checked = Checked::default();
    let mut captures = 0;
    for seed in 0..24 {
        let dice = &mut Dice::new(seed);
        let mut world = world(1, MEMORY, dice);
        let (cops, robber) = members(&world);
        let mut last: Option<Decided> = None;
        for _ in 0..150 * TICKS_PER_TURN {
            let before = turn(&world);
            // The game places a robber elsewhere now and then: the line of play ends there.
            let is_moved = seed % 3 == 0 && dice.below(40) == 0;
            if is_moved {
                world.place(robber, free[dice.below(free.len())]);
                last = None;
            }
            tick(&mut world, &[]);
            let is_over = is_caught(&world, robber);
            if turn(&world) == before && !is_over {
                continue;
            }
            let here = cells(&world, &cops);
            if let Some(last) = last.take() {
                check(&judge, &last, (cell(&world, robber), &here), &mut checked);
            }
            if is_over {
                captures += 1;
                break;
            }
            last = Some(Decided {
                robber: cell(&world, robber),
                cops: here,
                of_cops: state(&world, cops[0]),
                of_robber: state(&world, robber),
            });
        }
    }
    assert!(captures > 12, "{captures}");
    let Checked {
        exact,
        bounded,
        replies,
    } = checked;
    assert!(exact > 100 && replies > 50, "{exact} {bounded} {replies}");
}

#[test]
fn the_proven_bound_falls_with_each_turn() {
    let mut announced = 0;
    for seed in 0..16 {
        let mut world = world(1, MEMORY, &mut Dice::new(seed));
        let (cops, robber) = members(&world);
        let mut last: Option<(u64, u16)> = None;
        for _ in 0..150 * TICKS_PER_TURN {
            tick(&mut world, &[]);
            if is_caught(&world, robber) {
                break;
            }
            let now = (turn(&world), state(&world, cops[0]).captured_within());
            if let Some((turn, bound)) = last
                && now.0 > turn
            {
                let next = now.1.expect("a proof is never lost");
                assert!(next < bound, "{next} turns after {bound}");
            }
            last = now.1.map(|bound| (now.0, bound)).or(last);
        }
        announced += u32::from(last.is_some());
    }
    assert!(announced >= 8, "{announced}");
}

/// What a snapshot says of the work.
fn work_of(world: &PursuitWorld) -> serde_json::Value {
    let saved = serde_json::to_value(world.snapshot()).expect("plain data");
    saved.pointer("/exact/work").expect("a part of it").clone()
}

#[test]
fn an_edit_drops_the_work_in_the_same_tick() {
    let doors = rooms().doors;
    let mut dropped = 0;
    for seed in 0..8 {
        let mut world = world(1, MEMORY, &mut Dice::new(seed));
        let (cops, robber) = members(&world);
        for round in 0..100 * TICKS_PER_TURN {
            tick(&mut world, &[]);
            if is_caught(&world, robber) {
                break;
            }
            let is_exact = state(&world, cops[0]).decided_by == BY_EXACT;
            if round % 20 == 19 && is_exact && !work_of(&world).is_null() {
                let cell = doors[seed as usize % doors.len()];
                let passable = world.graph().vertex(cell).is_none();
                tick(&mut world, &[TileEdit { cell, passable }]);
                assert!(work_of(&world).is_null());
                let by_exact = world.report().decisions.by(Source::Exact);
                assert_eq!(by_exact, 0, "nothing is known of the new map");
                dropped += 1;
            }
        }
    }
    assert!(dropped > 3, "{dropped}");
}

#[test]
fn a_snapshot_continues_in_the_middle_of_the_work() {
    let mut under_way = 0;
    for seed in 0..4 {
        let mut world = world(1, MEMORY, &mut Dice::new(seed));
        let (_, robber) = members(&world);
        let mut copies: Vec<PursuitWorld> = Vec::new();
        for round in 0..100 * TICKS_PER_TURN {
            tick(&mut world, &[]);
            for copy in &mut copies {
                tick(copy, &[]);
                assert_eq!(copy.position_hash(), world.position_hash());
                if round % 16 == 0 {
                    assert_eq!(work_of(copy), work_of(&world));
                }
            }
            if round % 29 == 0 {
                under_way += u32::from(!work_of(&world).is_null());
                let copy = PursuitWorld::from_snapshot(world.snapshot());
                copies.push(copy.expect("a sound snapshot"));
            }
            if is_caught(&world, robber) {
                break;
            }
        }
        let states = |world: &PursuitWorld| {
            let agents = world.agents();
            let state = |(_, agent): (AgentId, &AgentRecord)| *agent.state();
            agents.map(state).collect::<Vec<PursuitState>>()
        };
        for copy in &copies {
            assert_eq!(states(copy), states(&world), "seed {seed}");
        }
    }
    assert!(under_way > 4, "{under_way}");
}

#[test]
fn worlds_of_many_pursuits_are_left_alone() {
    let mut with = world(5, MEMORY, &mut Dice::new(3));
    let mut without = world(5, 0, &mut Dice::new(3));
    for _ in 0..60 * TICKS_PER_TURN {
        tick(&mut with, &[]);
        tick(&mut without, &[]);
        assert_eq!(with.position_hash(), without.position_hash());
        assert_eq!(with.report().spent, without.report().spent);
        assert!(work_of(&with).is_null());
    }
}

/// Cops of two speeds: no solver is made for their positions.
#[test]
fn a_pursuit_that_cannot_be_worked_out_takes_no_work_and_leaves_it_to_others() {
    let quicken = |world: &mut PursuitWorld| {
        let first = world.agents().next().expect("a cop").0;
        world.change(first, |setup| setup.speed = Speed::new(2).expect("a speed"));
    };
    let worlds = [(1, MEMORY), (1, 0), (2, MEMORY)];
    let mut worlds = worlds.map(|(pursuits, memory)| world(pursuits, memory, &mut Dice::new(3)));
    worlds.iter_mut().for_each(quicken);
    let [alone, without, both] = &mut worlds;
    let mut works = 0;
    for _ in 0..20 * TICKS_PER_TURN {
        for world in [&mut *alone, &mut *without, &mut *both] {
            tick(world, &[]);
        }
        assert_eq!(alone.report().spent, without.report().spent);
        assert!(work_of(alone).is_null());
        works += u32::from(!work_of(both).is_null());
    }
    assert!(works > 0, "the other pursuit is never worked out");
}

#[test]
fn a_position_that_needs_too_much_memory_is_not_tried_in_each_tick() {
    let mut worlds = [1000, 0].map(|memory| world(1, memory, &mut Dice::new(3)));
    let mut tried = 0;
    let ticks = 64;
    for _ in 0..ticks {
        for world in &mut worlds {
            tick(world, &[]);
        }
        let [spent, without] = [0, 1].map(|world: usize| worlds[world].report().spent);
        assert!(work_of(&worlds[0]).is_null());
        tried += u32::from(spent != without);
    }
    assert!((1..=2).contains(&tried), "{tried} of {ticks} ticks");
}

#[test]
fn work_that_no_game_has_done_is_refused() {
    let mut world = world(1, MEMORY, &mut Dice::new(2));
    let (_, robber) = members(&world);
    while work_of(&world).is_null() {
        assert!(!is_caught(&world, robber));
        tick(&mut world, &[]);
    }
    let saved = serde_json::to_value(world.snapshot()).expect("plain data");
    let damages = [
        ("/exact/work/stages/0/slices", 1_u64 << 40),
        ("/exact/work/stages/0/robber/at", 1 << 20),
        ("/exact/changed", 1 << 30),
    ];
    for (part, number) in damages {
        let mut damaged = saved.clone();
        *damaged.pointer_mut(part).expect(part) = number.into();
        let damaged: Snapshot = serde_json::from_value(damaged).expect("still a snapshot");
        let error = PursuitWorld::from_snapshot(damaged).expect_err(part);
        assert_eq!(error, SnapshotError::Damaged("exact position"), "{part}");
    }
    let sound: Snapshot = serde_json::from_value(saved).expect("a snapshot");
    assert!(PursuitWorld::from_snapshot(sound).is_ok());
}

/// What a tick takes decides what the next one can do, so a restored world has to spend the same.
#[test]
fn a_restored_world_spends_what_the_first_one_spends() {
    for (seed, memory) in (0..4).flat_map(|seed| [(seed, 0), (seed, MEMORY)]) {
        let mut world = world(1, memory, &mut Dice::new(seed));
        let (_, robber) = members(&world);
        let mut copies: Vec<PursuitWorld> = Vec::new();
        for round in 0..60 * TICKS_PER_TURN {
            tick(&mut world, &[]);
            for copy in &mut copies {
                tick(copy, &[]);
                assert_eq!(
                    copy.report(),
                    world.report(),
                    "seed {seed}, {memory} bytes, tick {round}"
                );
            }
            if round % 29 == 0 {
                let copy = PursuitWorld::from_snapshot(world.snapshot());
                copies.push(copy.expect("a sound snapshot"));
            }
            if is_caught(&world, robber) {
                break;
            }
        }
    }
}
