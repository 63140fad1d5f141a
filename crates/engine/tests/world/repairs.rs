//! Repairs of a live map's abstraction stay within the budget, and leave a share of it for plans.

use crate::common::chase;
use chase::edits;
use proptest::prelude::*;
use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentSetup, Expansions, MapLoader, Meter, PursuitSettings, PursuitWorld,
};

/// Grants one slice at a time, a fixed number of times per tick, as a meter with a clock does.
struct Slices(u32);

impl Meter for Slices {
    fn left(&mut self, _spent: u64) -> u64 {
        let is_left = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        if is_left { 128 } else { 0 }
    }

    fn whole(&self) -> u64 {
        12_000
    }
}

fn world(map: &TileMap) -> PursuitWorld {
    PursuitWorld::new(map, Moves::Octile, PursuitSettings::default())
}

fn open(width: u16, height: u16) -> TileMap {
    TileMap::filled(width, height, Terrain::Floor).expect("a map")
}

fn agent(world: &mut PursuitWorld, side: Side, x: u16, y: u16) {
    world.insert(AgentSetup::new(side, Cell::new(x, y)));
}

#[test]
fn four_edits_a_tick_are_caught_up_with_a_meter_that_grants_slices() {
    let dice = &mut Dice::new(1);
    let mut world = world(&open(200, 200));
    let (mut all, mut current) = (0, 0);
    for _ in 0..150 {
        let edits = edits(world.graph(), dice, 4);
        all += edits.len();
        world.begin_tick(&edits);
        world.arrive();
        world.decide(&mut Slices(40));
        assert!(world.report().pending_edits <= 4);
        current += u32::from(world.hierarchy().is_some());
    }
    assert_eq!(all, 600);
    assert!(current > 75, "{current} of 150 ticks");
}

#[test]
fn five_thousand_edits_take_no_longer_than_to_build_all_anew() {
    let dice = &mut Dice::new(2);
    for share in [0, 5, 25] {
        let mut world = world(&chase::noise(dice, 160, 150, share));
        agent(&mut world, Side::Robber, 3, 3);
        agent(&mut world, Side::Cops, 150, 140);
        let edits = edits(world.graph(), dice, 5000);
        world.begin_tick(&edits);
        let mut ticks = 1;
        loop {
            world.arrive();
            world.decide(&mut Expansions(10_000));
            if world.hierarchy().is_some() {
                break;
            }
            ticks += 1;
            world.begin_tick(&[]);
        }
        // 24,000 cells of 12 units of 10 ns and as many edits of 50, in ticks of 7,500 x 8.
        assert!(ticks <= 12, "{share} % walls: {ticks} ticks");
    }
}

#[test]
fn repairs_leave_a_share_of_the_budget_for_plans() {
    let dice = &mut Dice::new(3);
    let mut world = world(&chase::noise(dice, 200, 200, 10));
    agent(&mut world, Side::Robber, 60, 60);
    agent(&mut world, Side::Cops, 70, 75);
    agent(&mut world, Side::Cops, 50, 45);
    let (mut plans, mut behind) = (0, 0);
    for _ in 0..200 {
        // More than can be repaired in a tick.
        let edits = edits(world.graph(), dice, 300);
        world.begin_tick(&edits);
        world.arrive();
        world.decide(&mut Expansions(4000));
        assert!(
            world.report().repairs <= 3000 + 2200,
            "a batch more at most"
        );
        plans += world.report().plans;
        behind += u32::from(world.hierarchy().is_none());
    }
    assert!(
        behind > 150,
        "{behind} ticks behind: no test of what it should test"
    );
    assert!(plans > 20, "{plans}");
}

#[test]
fn a_tick_with_a_small_budget_still_repairs() {
    let dice = &mut Dice::new(4);
    for budget in [1, 2, 3, 7] {
        let mut world = world(&open(30, 30));
        agent(&mut world, Side::Robber, 3, 3);
        agent(&mut world, Side::Cops, 20, 20);
        let edits = edits(world.graph(), dice, 6);
        world.begin_tick(&edits);
        for _ in 0..60 {
            world.arrive();
            world.decide(&mut Expansions(budget));
            world.begin_tick(&[]);
        }
        assert!(world.hierarchy().is_some(), "{budget}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_map_that_is_loaded_in_slices_is_the_map(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let map = chase::any_map(dice, 50);
        let mut loader = MapLoader::new(map.clone(), Moves::Octile);
        let slice = 1 + dice.below(300) as u64;
        let (mut spent, mut slices) = (0, 0);
        while !loader.is_ready() {
            let more = loader.advance(slice);
            prop_assert!(more > 0 && more <= slice + 520, "{} of {}", more, slice);
            (spent, slices) = (spent + more, slices + 1);
        }
        prop_assert_eq!(loader.advance(1000), 0);
        // Slices add no work, except that the cost of each is rounded up.
        let at_once = MapLoader::new(map.clone(), Moves::Octile).advance(u64::MAX);
        prop_assert!(spent <= at_once + slices, "{} in {}, or {}", spent, slices, at_once);
        // Linear in the number of cells. Most of the work is the test game of the warm-up: usually 6 to 15 expansions for
        // each cell, and up to 42 on 60,000 of these maps.
        let cells = u64::from(map.width()) * u64::from(map.height());
        prop_assert!(spent < 600 + 64 * cells, "{} for {}", spent, cells);
        let whole = world(&map);
        prop_assert_eq!(loader.fingerprint(), Some(whole.graph().fingerprint()));
        let sliced = loader.finish(PursuitSettings::default());
        let bytes = |world: &PursuitWorld| {
            postcard::to_allocvec(&world.snapshot()).expect("serialisable")
        };
        prop_assert_eq!(bytes(&sliced), bytes(&whole));
    }
}

#[test]
fn a_world_takes_another_map_and_its_agents_keep_their_cells() {
    let dice = &mut Dice::new(5);
    let mut world = world(&open(30, 30));
    agent(&mut world, Side::Robber, 3, 3);
    agent(&mut world, Side::Cops, 20, 20);
    for _ in 0..9 {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(10_000));
    }
    let cells = |world: &PursuitWorld| -> Vec<Cell> {
        world
            .agents()
            .map(|(_, agent)| agent.setup().cell)
            .collect()
    };
    let before = cells(&world);
    let map = chase::noise(dice, 44, 40, 10);
    world.take_map(MapLoader::new(map.clone(), Moves::Octile));
    assert_eq!(cells(&world), before);
    assert_eq!(
        world.graph().fingerprint(),
        self::world(&map).graph().fingerprint()
    );
    assert!(
        world.hierarchy().is_some(),
        "what is not ready is done at once"
    );
    assert!(world.agents().all(|(_, agent)| agent.way().is_empty()));
}

/// Many edits in one tick invalidate the same plans as single edits would.
#[test]
fn a_plan_is_dropped_by_many_edits_at_once_as_by_one() {
    for (edits, dropped) in [(&[(63, 60)][..], 0), (&[(63, 60), (4, 4), (60, 63)], 1)] {
        let mut world = world(&open(64, 64));
        agent(&mut world, Side::Robber, 3, 3);
        agent(&mut world, Side::Cops, 12, 3);
        for _ in 0..40 {
            world.begin_tick(&[]);
            world.arrive();
            world.decide(&mut Expansions(10_000));
        }
        let cells: Vec<Cell> = world
            .agents()
            .map(|(_, agent)| agent.setup().cell)
            .collect();
        let near = cells.iter().all(|cell| cell.x < 40 && cell.y < 40);
        assert!(near, "they are where the far edits are not: {cells:?}");
        let edits: Vec<TileEdit> = edits
            .iter()
            .map(|&(x, y)| TileEdit {
                cell: Cell::new(x, y),
                passable: false,
            })
            .collect();
        world.begin_tick(&edits);
        assert_eq!(world.report().dropped > 0, dropped > 0, "{edits:?}");
    }
}
