//! Games on maps with links, thin walls, one-way edges and rules about corners.

use crate::common::chase;
use crate::common::hall::{agent, settings};
use crate::common::map;
use crate::common::map_rules::{add_rules, any_edit, any_kinds, make_two_way};
use crate::common::referee::Referee;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, MapEdit, Moves, TileMap};
use pursuit_engine::search::{Dice, seed_of};
use pursuit_engine::world::{
    AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitSetup, PursuitWorld,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

fn tick(world: &mut PursuitWorld, edits: &[MapEdit], budget: u64) {
    world.begin_tick_with(edits);
    world.arrive();
    world.decide(&mut Expansions(budget));
}

/// A game of three pursuits, one for each clock. Returns a hash of everything that happens.
fn game(seed: u64, restores: bool) -> u64 {
    let dice = &mut Dice::new(seed);
    let mut map = chase::any_map(dice, 24);
    let many = dice.below(1 + map.cells().count() / 6);
    add_rules(&mut map, dice, many);
    if dice.below(2) == 0 {
        make_two_way(&mut map);
    }
    let moves = pursuit_testkit::rolled_moves(dice);
    let mut world = PursuitWorld::new(&map, moves, PursuitSettings::default());
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    for (pursuit, &clock) in CLOCKS.iter().enumerate() {
        let setup = PursuitSetup {
            clock: Some(clock),
            ..PursuitSetup::default()
        };
        world.set_up_pursuit(pursuit as u32, setup);
        for index in 0..2 + dice.below(6) {
            let side = if index % 4 == 0 {
                Side::Robber
            } else {
                Side::Cops
            };
            let Some(cell) = dice.pick(&free) else {
                return 0;
            };
            let control = match dice.below(8) {
                0 => Control::WalkTo(dice.pick(&free).unwrap_or_default()),
                1 => Control::Steer { dx: 1, dy: -1 },
                _ => Control::Policy,
            };
            world.insert(AgentSetup {
                pursuit: pursuit as u32,
                speed: Speed::new(1 + dice.below(3) as u8).unwrap_or_default(),
                ticks_per_step: 1 + dice.below(5) as u32,
                sight: [None, Some(6)][dice.below(2)],
                kinds: any_kinds(dice),
                control,
                ..AgentSetup::new(side, cell)
            });
        }
    }
    let mut referee = Referee::default();
    let mut hash = 0;
    for round in 0..160 {
        let some = if dice.below(6) == 0 {
            1 + dice.below(4)
        } else {
            0
        };
        let edits: Vec<MapEdit> = (0..some).map(|_| any_edit(&map, dice)).collect();
        if dice.below(20) == 0 {
            // A key is picked up, or lost.
            let agents: Vec<_> = world.agents().map(|(id, _)| id).collect();
            if let Some(id) = dice.pick(&agents) {
                world.change(id, |setup| setup.kinds = any_kinds(dice));
            }
        }
        tick(&mut world, &edits, [0, 40, 400, 20_000][dice.below(4)]);
        if let Err(violation) = referee.watch(&world, &[]) {
            panic!("seed {seed}: {violation}");
        }
        hash = seed_of([hash, world.position_hash()]);
        if restores && round % 37 == 20 {
            let bytes = postcard::to_allocvec(&world.snapshot()).expect("a snapshot");
            let snapshot = postcard::from_bytes(&bytes).expect("the same snapshot");
            world = PursuitWorld::from_snapshot(snapshot).expect("a sound snapshot");
        }
    }
    hash
}

#[test]
fn agents_follow_the_rules_of_the_map_and_games_repeat_bit_for_bit() {
    for seed in 0..160 {
        let hash = game(seed, false);
        assert_eq!(hash, game(seed, seed % 2 == 0), "seed {seed}");
    }
}

/// A corridor of 60 cells.
fn corridor() -> TileMap {
    map(&[&".".repeat(60)])
}

fn link(from: u16, to: u16, open: bool) -> MapEdit {
    MapEdit::Link {
        from: Cell::new(from, 0),
        to: Cell::new(to, 0),
        open,
    }
}

#[test]
fn a_walker_takes_the_link_and_walks_on_when_it_closes() {
    for clock in CLOCKS {
        let mut map = corridor();
        map.rules_mut().apply(link(2, 57, true));
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let goal = Cell::new(59, 0);
        let walker = AgentSetup {
            control: Control::WalkTo(goal),
            ..agent(Side::Cops, 0, 0)
        };
        let walker = world.insert(walker);
        let turn = u64::from(world.settings().ticks_per_turn);
        let cell = |world: &PursuitWorld| world.agent(walker).expect("there").setup().cell;
        let mut ticks = 0;
        while cell(&world) != goal && ticks < 20 * turn {
            tick(&mut world, &[], 1_000);
            ticks += 1;
        }
        // Two steps, the link, two steps.
        assert!(ticks <= 7 * turn, "{clock:?}: {ticks} of {turn}");
        // Nothing leads back but the corridor.
        world.change(walker, |setup| {
            setup.control = Control::WalkTo(Cell::new(1, 0));
        });
        for _ in 0..8 * turn {
            tick(&mut world, &[], 1_000);
        }
        assert!(cell(&world).x > 45, "{clock:?}: {:?}", cell(&world));
        tick(
            &mut world,
            &[link(50, 0, true), link(49, 0, true), link(48, 0, true)],
            1_000,
        );
        for _ in 0..8 * turn {
            tick(&mut world, &[], 1_000);
        }
        assert!(cell(&world).x < 2, "{clock:?}: {:?}", cell(&world));
    }
}

#[test]
fn cops_catch_a_robber_that_only_a_link_leads_to_and_not_one_behind_a_ledge() {
    for clock in CLOCKS {
        let rows = ["....#....", "....#....", "....#...."];
        let mut map = map(&rows);
        let link = |from: (u16, u16), to: (u16, u16)| MapEdit::Link {
            from: Cell::new(from.0, from.1),
            to: Cell::new(to.0, to.1),
            open: true,
        };
        map.rules_mut().apply(link((0, 0), (8, 0)));
        map.rules_mut().apply(link((8, 0), (0, 0)));
        let caught = |map: &TileMap, cops: &[(u16, u16)], robber: (u16, u16)| {
            let mut world = PursuitWorld::new(map, Moves::Octile, settings(clock));
            for &(x, y) in cops {
                world.insert(agent(Side::Cops, x, y));
            }
            let robber = world.insert(agent(Side::Robber, robber.0, robber.1));
            for _ in 0..60 * world.settings().ticks_per_turn {
                tick(&mut world, &[], 20_000);
            }
            world
                .agent(robber)
                .is_some_and(|agent| agent.caught().is_some())
        };
        assert!(caught(&map, &[(1, 1), (3, 0)], (6, 1)), "{clock:?}");
        // A ledge: only down, to where the cops are.
        let mut ledge = map.clone();
        ledge.rules_mut().apply(MapEdit::Link {
            from: Cell::new(0, 0),
            to: Cell::new(8, 0),
            open: false,
        });
        assert!(!caught(&ledge, &[(1, 1), (3, 0)], (6, 1)), "{clock:?}");
        assert!(caught(&ledge, &[(7, 1), (6, 0)], (1, 1)), "{clock:?}");
    }
}
