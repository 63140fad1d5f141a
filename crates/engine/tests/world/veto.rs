//! A game that says no to moves before they are made.

use crate::common::hall::{agent, hall, settings};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitWorld, Reason, Verdict, Wish,
    WorldEvent,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

fn tick(world: &mut PursuitWorld, allows: &mut dyn FnMut(&Wish<'_>) -> Verdict) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide_with(&mut Expansions(5_000), allows);
}

/// All cells on the way of each agent that sets out.
fn cells_on_ways(world: &PursuitWorld) -> impl Iterator<Item = (AgentId, Cell)> {
    let graph = world.graph();
    world.agents().flat_map(move |(id, agent)| {
        let cells = agent.way().iter().map(move |&at| (id, graph.cell(at)));
        cells.chain([(id, agent.setup().cell)])
    })
}

#[test]
fn nobody_enters_a_region_that_the_game_closes_and_agents_go_other_ways() {
    let (mut captured, mut refused, mut moved) = (0, 0, 0);
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let clock = CLOCKS[seed as usize % 3];
        let map = TileMap::filled(12, 9, Terrain::Floor).expect("some cells");
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let (left, top) = (2 + dice.below(6) as u16, 2 + dice.below(4) as u16);
        let is_closed =
            |cell: Cell| (left..left + 3).contains(&cell.x) && (top..top + 2).contains(&cell.y);
        for index in 0..5 {
            let mut any = || {
                let at = Cell::new(dice.below(12) as u16, dice.below(9) as u16);
                if is_closed(at) {
                    Cell::new(0, at.y)
                } else {
                    at
                }
            };
            let (from, to) = (any(), any());
            let side = if index == 0 { Side::Robber } else { Side::Cops };
            let mut setup = AgentSetup {
                speed: Speed::new(1 + dice.below(3) as u8).expect("not 0"),
                is_solid: seed % 2 == 0,
                ..AgentSetup::new(side, from)
            };
            if index == 4 {
                setup.control = Control::WalkTo(to);
            }
            world.insert(setup);
        }
        for _ in 0..16 * 12 {
            let mut asked = Vec::new();
            tick(&mut world, &mut |wish| {
                assert!(!wish.cells.is_empty());
                asked.push(wish.id);
                let enters = wish.cells.iter().any(|&cell| is_closed(cell));
                refused += usize::from(enters);
                if enters {
                    Verdict::Refuse
                } else {
                    Verdict::Allow
                }
            });
            for (id, cell) in cells_on_ways(&world) {
                assert!(
                    !is_closed(cell),
                    "seed {seed}, {clock:?}: {id:?} on {cell:?}"
                );
            }
            let sets_out = world
                .agents()
                .filter(|(_, agent)| !agent.way().is_empty() && agent.times().0 == world.tick());
            for (id, agent) in sets_out {
                assert!(asked.contains(&id), "seed {seed}: {id:?} was not asked for");
                moved += usize::from(agent.state().reason == Reason::Refused);
            }
            let events = world.events().iter();
            captured += events
                .filter(|event| matches!(event, WorldEvent::Captured { .. }))
                .count();
        }
    }
    println!("{refused} refused, {moved} other moves, {captured} captured");
    assert!(refused > 2_000 && moved > 500 && captured > 200);
}

#[test]
fn a_game_that_allows_everything_changes_nothing() {
    for clock in CLOCKS {
        let worlds = || {
            let mut world = hall(clock, 14, 11);
            world.insert(agent(Side::Robber, 7, 5));
            for (x, y) in [(0, 0), (13, 2), (3, 10)] {
                world.insert(agent(Side::Cops, x, y));
            }
            world
        };
        let (mut plain, mut asked) = (worlds(), worlds());
        for _ in 0..16 * 20 {
            plain.begin_tick(&[]);
            plain.arrive();
            plain.decide(&mut Expansions(5_000));
            tick(&mut asked, &mut |_| Verdict::Allow);
            assert_eq!(plain.position_hash(), asked.position_hash(), "{clock:?}");
        }
    }
}

#[test]
fn a_redirected_agent_takes_the_step_that_the_game_names() {
    for clock in CLOCKS {
        for is_solid in [false, true] {
            let mut world = hall(clock, 9, 5);
            let id = world.insert(AgentSetup {
                is_solid,
                control: Control::WalkTo(Cell::new(8, 2)),
                ..agent(Side::Cops, 0, 2)
            });
            // Conveyors in column 3 lead down.
            let (mut carried, mut before) = (0, Cell::new(0, 2));
            for _ in 0..16 * 30 {
                tick(&mut world, &mut |wish| {
                    let at = wish.agent.cell;
                    if at.x == 3 && at.y < 4 {
                        carried += 1;
                        Verdict::Instead(Cell::new(3, at.y + 1))
                    } else {
                        Verdict::Allow
                    }
                });
                let at = world.agent(id).expect("there").setup().cell;
                if before.x == 3 && at != before {
                    let is_carried = at == Cell::new(3, before.y + 1);
                    assert!(before.y == 4 || is_carried, "{clock:?}: {before:?} {at:?}");
                }
                before = at;
            }
            assert!((1..=4).contains(&carried), "{clock:?}: {carried}");
            let agent = world.agent(id).expect("there");
            assert_eq!(agent.setup().cell, Cell::new(8, 2), "{clock:?}");
        }
    }
}

#[test]
fn a_redirection_to_a_cell_out_of_reach_is_a_refusal_and_to_its_own_cell_a_wait() {
    for (to, waits) in [(Cell::new(7, 4), false), (Cell::new(0, 2), true)] {
        let mut world = hall(PursuitClock::Turns, 9, 5);
        let id = world.insert(AgentSetup {
            control: Control::WalkTo(Cell::new(8, 2)),
            ..agent(Side::Cops, 0, 2)
        });
        for _ in 0..20 {
            let mut is_first = true;
            tick(&mut world, &mut |wish| {
                let here = wish.agent.cell == Cell::new(0, 2);
                if std::mem::take(&mut is_first) && here {
                    Verdict::Instead(to)
                } else {
                    Verdict::Allow
                }
            });
        }
        let agent = world.agent(id).expect("there");
        let stands = agent.setup().cell == Cell::new(0, 2);
        assert_eq!(stands, waits, "{to:?}: {:?}", agent.setup().cell);
    }
}
