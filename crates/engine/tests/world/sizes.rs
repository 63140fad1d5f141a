//! Agents of several cells: where there is room for them, whom they touch, and how they hunt and flee.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{BodySize, Cell, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, Control, Expansions, Hazard, PursuitClock, PursuitWorld,
    Reason, Tactics, WorldEvent,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

fn tick(world: &mut PursuitWorld, edits: &[MapEdit]) {
    world.begin_tick_with(edits);
    world.arrive();
    world.decide(&mut Expansions(10_000));
}

fn turns(world: &mut PursuitWorld, turns: u32) -> Vec<WorldEvent> {
    let mut events = Vec::new();
    for _ in 0..turns * LENGTH {
        tick(world, &[]);
        events.extend_from_slice(world.events());
    }
    events
}

fn sized(side: Side, x: u16, y: u16, size: BodySize) -> AgentSetup {
    AgentSetup {
        size,
        ..agent(side, x, y)
    }
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("there").setup().cell
}

fn is_caught(world: &PursuitWorld, id: AgentId) -> bool {
    let agent = world.agent(id);
    agent.is_some_and(|agent| agent.caught().is_some())
}

#[test]
fn a_large_cop_does_not_follow_into_a_narrow_lane_until_the_wall_is_broken() {
    for clock in CLOCKS {
        let map = map(&["......#....", "...........", "......#....", "......#...."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let robber = world.insert(agent(Side::Robber, 9, 2));
        let cop = world.insert(sized(Side::Cops, 0, 0, BodySize::TWO));
        world.insert(sized(Side::Cops, 0, 2, BodySize::TWO));
        assert_eq!(world.grounds(), 2);
        let events = turns(&mut world, 20);
        assert!(
            events.contains(&WorldEvent::OutOfReach(robber)),
            "{clock:?}"
        );
        assert!(!is_caught(&world, robber), "{clock:?}");
        assert!(cell(&world, cop).x < 6, "{clock:?}");
        let state = world.agent(cop).expect("there").state();
        assert_eq!(state.reason, Reason::NoWay, "{clock:?} {state:?}");
        let at = Cell::new(6, 2);
        tick(&mut world, &[MapEdit::Cell { at, passable: true }]);
        let mut events = world.events().to_vec();
        events.extend(turns(&mut world, 60));
        assert!(
            events.contains(&WorldEvent::WithinReach(robber)),
            "{clock:?}"
        );
        assert!(is_caught(&world, robber), "{clock:?}");
    }
}

#[test]
fn a_large_robber_is_captured_where_it_is_touched() {
    for clock in CLOCKS {
        let map = map(&["........", "........", "........"]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let robber = world.insert(AgentSetup {
            is_immobile: true,
            ..sized(Side::Robber, 4, 0, BodySize::THREE)
        });
        let cop = world.insert(agent(Side::Cops, 0, 2));
        let events = turns(&mut world, 6);
        let is_capture = |event: &WorldEvent| matches!(event, WorldEvent::Captured { robber: of, .. } if *of == robber);
        assert!(events.iter().any(is_capture), "{clock:?}");
        assert_eq!(cell(&world, cop).x, 4, "{clock:?}");
    }
}

#[test]
fn a_large_walker_goes_where_it_fits_and_nowhere_else() {
    for clock in CLOCKS {
        let map = map(&["....#...", "....#...", "........", "#......."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let walk = |x, y| AgentSetup {
            control: Control::WalkTo(Cell::new(x, y)),
            ..sized(Side::Cops, 0, 0, BodySize::TWO)
        };
        let there = world.insert(walk(6, 0));
        let nowhere = world.insert(walk(7, 0));
        let events = turns(&mut world, 20);
        assert!(events.contains(&WorldEvent::Arrived(there)), "{clock:?}");
        assert!(events.contains(&WorldEvent::NoWay(nowhere)), "{clock:?}");
        assert_eq!(cell(&world, there), Cell::new(6, 0), "{clock:?}");
        // It grows, and there is no room for it on the way back.
        world.change(there, |setup| {
            setup.size = BodySize::THREE;
            setup.control = Control::WalkTo(Cell::new(0, 0));
        });
        let events = turns(&mut world, 20);
        assert!(events.contains(&WorldEvent::NoWay(there)), "{clock:?}");
    }
}

#[test]
fn sizes_larger_than_the_map_or_over_hexagons_do_no_harm() {
    for moves in [
        Moves::Octile,
        Moves::Hexagonal(pursuit_engine::map::HexLayout::RowOdd),
    ] {
        let map = map(&["..", ".."]);
        let mut world = PursuitWorld::new(&map, moves, settings(PursuitClock::Turns));
        let cop = world.insert(sized(Side::Cops, 0, 0, BodySize::THREE));
        let robber = world.insert(sized(Side::Robber, 1, 1, BodySize::TWO));
        turns(&mut world, 6);
        assert_eq!(cell(&world, cop), Cell::new(0, 0));
        assert_eq!(cell(&world, robber), Cell::new(1, 1));
    }
}

#[test]
fn a_hazard_strikes_a_large_agent_that_covers_it_and_others_step_aside() {
    for clock in CLOCKS {
        let map = map(&["......", "......", "......"]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let ids = [false, true].map(|is_immobile| {
            world.insert(AgentSetup {
                is_immobile,
                ..sized(Side::Robber, 2, 0, BodySize::TWO)
            })
        });
        let added = world.add_hazard(Hazard {
            cell: Cell::new(3, 1),
            from: 3 * u64::from(LENGTH),
            until: 4 * u64::from(LENGTH),
            kinds: Kinds::ALL,
        });
        added.expect("in the future");
        let events = turns(&mut world, 5);
        let struck = ids.map(|who| {
            let is_it =
                |event: &WorldEvent| matches!(event, WorldEvent::Struck { id, .. } if *id == who);
            events.iter().any(is_it)
        });
        assert_eq!(struck, [false, true], "{clock:?}");
    }
}

/// A map of 24 x 24 cells with walls of 2 x 2 cells.
fn blocky_map(dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(24, 24, Terrain::Floor).expect("some cells");
    for block in 0..144_u16 {
        let at = Cell::new(block % 12 * 2, block / 12 * 2);
        if dice.below(6) == 0 {
            for at in BodySize::TWO.cells(at) {
                map.set(at, Terrain::Wall);
            }
        }
    }
    map
}

/// Moves are steps of the agent's ground, and whoever is touched at the end of the moves is captured.
fn check(world: &PursuitWorld, what: &str) {
    for (id, agent) in world.agents() {
        let setup = agent.setup();
        if agent.times().0 == world.tick() && !agent.way().is_empty() {
            let open = world.open_steps(setup.walker(), setup.cell, agent.way());
            assert_eq!(open, agent.way().len(), "{what}: {id:?}");
        }
    }
    let free = |side: Side| {
        let all = world.agents();
        all.filter(move |(_, agent)| {
            agent.setup().side == side && agent.caught().is_none() && !agent.is_away()
        })
    };
    for (robber, prey) in free(Side::Robber) {
        for (cop, hunter) in free(Side::Cops) {
            let (prey, hunter) = (prey.setup(), hunter.setup());
            let touches = prey.size.overlaps(prey.cell, hunter.cell, hunter.size);
            assert!(!touches, "{what}: {cop:?} touches {robber:?}");
        }
    }
}

/// Games with agents of all sizes.
#[test]
fn moves_are_legal_and_touches_are_captures_in_random_games() {
    let (mut captures, mut large) = (0, 0);
    for seed in 0..300 {
        let dice = &mut Dice::new(seed);
        let clock = CLOCKS[seed as usize % 3];
        let map = blocky_map(dice);
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let mut settings = settings(clock);
        settings.tactics = [Tactics::Intercept, Tactics::Chase, Tactics::Surround][dice.below(3)];
        let mut world = PursuitWorld::new(&map, moves, settings);
        let graph = Graph::new(&map, moves);
        let sizes = [BodySize::ONE, BodySize::TWO, BodySize::THREE];
        for index in 0..2 + dice.below(6) {
            let side = [Side::Robber, Side::Cops][usize::from(index > 1)];
            let size = sizes[dice.below(3)];
            let ground = graph.for_walker(pursuit_engine::map::Walker {
                kinds: Kinds::NONE,
                size,
            });
            let places: Vec<Cell> = ground.iter().map(|at| ground.cell(at)).collect();
            let Some(at) = dice.pick(&places) else {
                continue;
            };
            world.insert(AgentSetup {
                speed: Speed::new(1 + dice.below(3) as u8).expect("a speed"),
                reach: u8::from(dice.below(6) == 0),
                is_solid: dice.below(2) == 0,
                ..sized(side, at.x, at.y, size)
            });
        }
        for now in 0..40 * LENGTH {
            let mut edits = Vec::new();
            if dice.below(20) == 0 {
                let at = Cell::new(dice.below(24) as u16, dice.below(24) as u16);
                let passable = dice.below(2) == 0;
                edits.push(MapEdit::Cell { at, passable });
            }
            if now == 20 * LENGTH {
                // The saved game goes on in the same way, which the last check of the hashes says.
                let restored = PursuitWorld::from_snapshot(world.snapshot()).expect("sound");
                assert_eq!(restored.position_hash(), world.position_hash());
                world = restored;
            }
            tick(&mut world, &edits);
            check(&world, &format!("seed {seed}, {clock:?}, tick {now}"));
            let is_capture = |event: &&WorldEvent| matches!(event, WorldEvent::Captured { .. });
            captures += world.events().iter().filter(is_capture).count();
        }
        let is_large = |(_, agent): &(AgentId, &AgentRecord)| agent.setup().size != BodySize::ONE;
        large += world.agents().filter(is_large).count();
    }
    assert!(captures > 250 && large > 800, "{captures} {large}");
}
