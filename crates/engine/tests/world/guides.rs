//! Robbers and pairs of cops on maps whose table would be too large: they use the table of an abstract level.

use crate::common::chase::{maze, noise};
use crate::common::hall::Slices;
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Rules, Side, Speed};
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Kinds, Moves, Terrain, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table::Estimate;
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, Meter, PursuitSettings, PursuitWorld,
    RobberPlanner, Snapshot,
};
use std::num::NonZeroU8;

const BUDGET: u64 = 20_000;

/// The turns after which a game is broken off.
const MOST_TURNS: u64 = 400;

const BY_GUIDE: DecidedBy = DecidedBy::Policy(Source::Guide);

/// Corridors with many ways round.
fn town(seed: u64) -> TileMap {
    maze(&mut Dice::new(seed), 61, 61)
}

/// A world whose settings allow no table of the map for one cop, but one of a level, if `guides`.
fn world(map: &TileMap, guides: bool) -> PursuitWorld {
    world_for(map, Rules::default(), guides)
}

/// The same for a game.
fn world_for(map: &TileMap, rules: Rules, guides: bool) -> PursuitWorld {
    let vertices = Graph::new(map, Moves::Octile).vertices();
    let estimate = Estimate::new(vertices, &rules).expect("a small map");
    let mut settings = PursuitSettings {
        ticks_per_turn: 4,
        stagger: false,
        planner: RobberPlanner::DaTrailMax,
        ..PursuitSettings::default()
    };
    settings.tables.solve = guides;
    settings.tables.max_bytes = estimate.bytes / 2;
    settings.tables.timing = TableTiming::Lockstep(TableSchedule {
        ticks: 4,
        times: 0,
        ticks_per_second: Some(64),
    });
    PursuitWorld::new(map, Moves::Octile, settings)
}

fn insert(world: &mut PursuitWorld, side: Side, cell: Cell, speed: u8) -> AgentId {
    let mut setup = AgentSetup::new(side, cell);
    setup.speed = Speed::new(speed).expect("a speed");
    world.insert(setup)
}

fn tick(world: &mut PursuitWorld, edits: &[TileEdit]) {
    tick_within(world, edits, &mut Expansions(BUDGET));
}

fn tick_within(world: &mut PursuitWorld, edits: &[TileEdit], meter: &mut dyn Meter) {
    world.begin_tick(edits);
    while let Some(request) = world.next_request() {
        let key = request.key;
        assert_ne!(key.fingerprint, world.graph().fingerprint(), "the map's");
        deliver(world, request);
    }
    assert_eq!(world.overdue(), None);
    world.arrive();
    world.decide(meter);
}

fn source(world: &PursuitWorld, id: AgentId) -> DecidedBy {
    world.agent(id).expect("an agent").state().decided_by
}

fn is_caught(world: &PursuitWorld, robber: AgentId) -> bool {
    world.agent(robber).expect("a robber").caught().is_some()
}

/// The turns until a cop of speed 2 captures the robber, at most `MOST_TURNS`, and how often the robber moved by a guide.
fn play(seed: u64, guides: bool) -> (u64, usize) {
    let map = town(seed);
    let mut world = world(&map, guides);
    let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let dice = &mut Dice::new(seed);
    let mut pick = || dice.pick(&cells).expect("a cell");
    let robber = insert(&mut world, Side::Robber, pick(), 1);
    let cop = insert(&mut world, Side::Cops, pick(), 2);
    // The guide is there before the chase begins.
    for _ in 0..12 {
        tick(&mut world, &[]);
    }
    world.place(robber, pick());
    world.place(cop, pick());
    let mut guided = 0;
    for ticks in 0..4 * MOST_TURNS {
        if is_caught(&world, robber) {
            return (ticks / 4, guided);
        }
        tick(&mut world, &[]);
        guided += usize::from(source(&world, robber) == BY_GUIDE);
    }
    (MOST_TURNS, guided)
}

#[test]
fn robbers_with_a_guide_stay_free_for_longer() {
    let games: Vec<_> = (0..12)
        .map(|seed| (play(seed, true), play(seed, false)))
        .collect();
    let guided: u64 = games.iter().map(|((turns, _), _)| turns).sum();
    let alone: u64 = games.iter().map(|(_, (turns, _))| turns).sum();
    for ((turns, by_guide), (_, without)) in games {
        assert!(turns < 4 || by_guide > 0);
        assert_eq!(without, 0);
    }
    assert!(
        guided > alone,
        "{guided} turns with guides, {alone} without"
    );
}

/// A long chase: two cops that are as fast as the robber.
fn begin() -> (PursuitWorld, AgentId) {
    let mut world = world(&town(1), true);
    let robber = insert(&mut world, Side::Robber, Cell::new(0, 0), 1);
    insert(&mut world, Side::Cops, Cell::new(40, 2), 1);
    for _ in 0..12 {
        tick(&mut world, &[]);
    }
    assert_eq!(source(&world, robber), BY_GUIDE);
    (world, robber)
}

#[test]
fn an_edit_drops_the_guide_until_it_is_solved_again() {
    let (mut world, robber) = begin();
    let cell = Cell::new(50, 50);
    let edit = TileEdit {
        cell,
        passable: world.graph().vertex(cell).is_none(),
    };
    tick(&mut world, &[edit]);
    let mut was_without = false;
    for _ in 0..40 {
        was_without |= source(&world, robber) != BY_GUIDE;
        tick(&mut world, &[]);
    }
    assert!(was_without, "the guide is of another map");
    assert_eq!(source(&world, robber), BY_GUIDE, "solved again");
    assert_eq!(world.diverged_at(), None);
}

#[test]
fn an_edit_without_effect_keeps_the_guide() {
    let (mut world, robber) = begin();
    let cell = Cell::new(50, 50);
    let edit = TileEdit {
        cell,
        passable: world.graph().vertex(cell).is_some(),
    };
    tick_within(&mut world, &[edit], &mut Expansions(0));
    let saved = world.snapshot();
    PursuitWorld::from_snapshot(saved).expect("the map is the same");
    for _ in 0..8 {
        tick(&mut world, &[]);
    }
    assert_eq!(source(&world, robber), BY_GUIDE);
}

#[test]
fn a_saved_game_with_a_guide_continues_as_the_original_does() {
    for early in [0, 3, 40] {
        let mut original = world(&town(2), true);
        insert(&mut original, Side::Robber, Cell::new(0, 0), 1);
        insert(&mut original, Side::Cops, Cell::new(40, 2), 1);
        for _ in 0..early {
            tick(&mut original, &[]);
        }
        let bytes = postcard::to_allocvec(&original.snapshot()).expect("a snapshot");
        let saved: Snapshot = postcard::from_bytes(&bytes).expect("a snapshot");
        let mut copy = PursuitWorld::from_snapshot(saved).expect("a snapshot");
        for tick_number in 0..60 {
            tick(&mut original, &[]);
            tick(&mut copy, &[]);
            assert_eq!(
                original.position_hash(),
                copy.position_hash(),
                "{tick_number}"
            );
        }
        assert_eq!(copy.diverged_at(), None);
    }
}

#[test]
fn a_late_guide_is_reported_and_used_as_soon_as_it_comes() {
    let map = town(3);
    let mut world = world(&map, true);
    let mut settings = world.settings().clone();
    settings.tables.timing = TableTiming::Scheduled(TableSchedule {
        ticks: 4,
        times: 0,
        ticks_per_second: Some(64),
    });
    world.set_settings(settings);
    let robber = insert(&mut world, Side::Robber, Cell::new(0, 0), 1);
    insert(&mut world, Side::Cops, Cell::new(40, 2), 1);
    for _ in 0..12 {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(BUDGET));
    }
    assert!(world.diverged_at().is_some(), "it is late");
    assert_ne!(source(&world, robber), BY_GUIDE);
    for _ in 0..8 {
        tick(&mut world, &[]);
    }
    assert_eq!(source(&world, robber), BY_GUIDE);
}

#[test]
fn a_guide_is_used_with_a_meter_that_grants_little_at_once() {
    let mut world = world(&town(1), true);
    let robber = insert(&mut world, Side::Robber, Cell::new(0, 0), 1);
    insert(&mut world, Side::Cops, Cell::new(40, 2), 1);
    for _ in 0..12 {
        tick_within(&mut world, &[], &mut Slices(BUDGET));
    }
    assert_eq!(source(&world, robber), BY_GUIDE);
}

/// On open ground the race of a robber and a cop nearby takes the whole map.
#[test]
fn a_decision_by_a_guide_keeps_the_budget() {
    const SMALL: u64 = 2_000;
    let map = TileMap::filled(240, 240, Terrain::Floor).expect("a map");
    let mut world = world(&map, true);
    let mut settings = world.settings().clone();
    let small = Estimate::new(1_000, &Rules::default()).expect("a small level");
    settings.tables.max_bytes = small.bytes;
    world.set_settings(settings);
    let robber = insert(&mut world, Side::Robber, Cell::new(120, 120), 1);
    insert(&mut world, Side::Cops, Cell::new(132, 120), 1);
    let (mut guided, mut most) = (0, 0);
    for _ in 0..200 {
        tick_within(&mut world, &[], &mut Expansions(SMALL));
        guided += usize::from(source(&world, robber) == BY_GUIDE);
        most = most.max(world.report().spent);
    }
    assert!(guided > 0, "no guide is used");
    assert!(most <= 3 * SMALL / 2, "{most} expansions in a tick");
}

/// Where a choice by the guide would take more than what is left, the cops follow their search.
#[test]
fn a_choice_of_two_cops_by_a_guide_keeps_the_budget() {
    const SMALL: u64 = 1_500;
    let pair = Rules {
        cops: NonZeroU8::new(2).expect("two"),
        ..Rules::default()
    };
    let map = noise(&mut Dice::new(4), 24, 20, 25);
    let mut world = world_for(&map, pair, true);
    let cells: Vec<Cell> = world
        .graph()
        .iter()
        .map(|at| world.graph().cell(at))
        .collect();
    let robber = insert(&mut world, Side::Robber, cells[0], 1);
    let cops = [1, 2].map(|place| insert(&mut world, Side::Cops, cells[place], 1));
    let dice = &mut Dice::new(6);
    let mut most = 0;
    for turn in 0..400 {
        if turn % 8 == 0 {
            for id in [robber, cops[0], cops[1]] {
                world.place(id, dice.pick(&cells).expect("a cell"));
            }
        }
        tick_within(&mut world, &[], &mut Expansions(SMALL));
        most = most.max(world.report().spent);
    }
    assert!(most <= 3 * SMALL / 2, "{most} expansions in a tick");
}

#[test]
fn a_robber_has_a_guide_beside_the_retract_of_two_cops() {
    let pair = Rules {
        cops: NonZeroU8::new(2).expect("two"),
        ..Rules::default()
    };
    let map = noise(&mut Dice::new(4), 24, 20, 12);
    let mut world = world_for(&map, pair, true);
    let cells: Vec<Cell> = world
        .graph()
        .iter()
        .map(|at| world.graph().cell(at))
        .collect();
    let robber = insert(&mut world, Side::Robber, cells[0], 1);
    for &cell in &cells[cells.len() - 2..] {
        insert(&mut world, Side::Cops, cell, 1);
    }
    for _ in 0..20 {
        tick(&mut world, &[]);
    }
    assert!(!is_caught(&world, robber));
    assert_eq!(source(&world, robber), BY_GUIDE);
}

/// Plays until a robber has moved by a guide, `wait` ticks longer, and swaps the roles. `swap` may place agents, too.
fn swapped(wait: u32, far: bool, restore: bool) -> (PursuitWorld, AgentId) {
    let map = town(1);
    let mut world = world(&map, true);
    let runner = insert(&mut world, Side::Robber, Cell::new(0, 0), 1);
    let chaser = insert(&mut world, Side::Cops, Cell::new(40, 2), 1);
    for _ in 0..400 {
        if source(&world, runner) == BY_GUIDE {
            break;
        }
        tick(&mut world, &[]);
    }
    assert_eq!(source(&world, runner), BY_GUIDE);
    for _ in 0..wait {
        tick(&mut world, &[]);
    }
    if restore {
        // The ids of the other game are the same.
        let mut other = self::world(&map, true);
        insert(&mut other, Side::Cops, Cell::new(60, 60), 1);
        insert(&mut other, Side::Robber, Cell::new(40, 2), 1);
        world.restore(other.snapshot()).expect("a sound save");
        return (world, runner);
    }
    world.change(runner, |setup| setup.side = Side::Cops);
    world.change(chaser, |setup| setup.side = Side::Robber);
    if far {
        world.place(runner, Cell::new(60, 60));
    }
    (world, runner)
}

/// The next cop moves first, before any robber has asked for a guide.
#[test]
fn a_guided_robber_that_becomes_a_cop_moves_as_a_cop() {
    for wait in 0..12 {
        for (far, restore) in [(false, false), (true, false), (false, true)] {
            let (mut world, cop) = swapped(wait, far, restore);
            for _ in 0..12 {
                tick(&mut world, &[]);
                let agent = world.agent(cop).expect("a cop");
                assert_ne!(agent.state().decided_by, BY_GUIDE, "{wait} {far} {restore}");
                let cell = agent.setup().cell;
                let open = world.open_steps(Kinds::NONE, cell, agent.way());
                assert_eq!(open, agent.way().len(), "{wait} {far} {restore}: {agent:?}");
                let first = agent.way().first().map(|&at| world.graph().cell(at));
                assert!(first.is_none_or(|first| first.max_norm(cell) == 1));
            }
        }
    }
}
