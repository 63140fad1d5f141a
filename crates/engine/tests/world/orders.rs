//! Paths that the game orders: walked at the agent's speed, or as a dash.

use crate::common::hall::{LENGTH, agent, hall, tick, tick_with};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::Cell;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, PursuitClock, PursuitWorld, Snapshot, WorldEvent,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::Simultaneous,
    PursuitClock::FreeRunning,
];

fn at(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

fn way(from: u16, to: u16) -> Vec<Cell> {
    (from..=to).map(|x| Cell::new(x, 2)).collect()
}

/// A cop of a speed at the left end of a corridor, and a robber that stands far from it.
fn game(clock: PursuitClock, speed: u8, control: Control) -> (PursuitWorld, AgentId) {
    let mut world = hall(clock, 60, 5);
    let cop = world.insert(AgentSetup {
        speed: Speed::new(speed).expect("a speed"),
        control,
        ..agent(Side::Cops, 0, 2)
    });
    world.insert(AgentSetup {
        control: Control::External,
        ..agent(Side::Robber, 0, 4)
    });
    tick(&mut world);
    (world, cop)
}

#[test]
fn an_order_of_many_steps_is_walked_at_the_speed_of_the_agent() {
    for clock in CLOCKS {
        for speed in [1, 2, 3] {
            for control in [
                Control::Steer { dx: 0, dy: 0 },
                Control::External,
                Control::WalkTo(Cell::new(0, 2)),
            ] {
                let (mut world, cop) = game(clock, speed, control);
                for _ in 1..LENGTH {
                    tick(&mut world);
                }
                assert_eq!(world.order(cop, &way(1, 30)), 30);
                let mut most = 0;
                let mut ticks = 0;
                while at(&world, cop) != Cell::new(30, 2) {
                    let before = at(&world, cop).x;
                    tick(&mut world);
                    ticks += 1;
                    most = most.max(at(&world, cop).x - before);
                    assert!(ticks < 2 * 30 * LENGTH, "{clock:?} {speed} {control:?}");
                }
                let at_once = if clock == PursuitClock::FreeRunning {
                    1
                } else {
                    speed
                };
                assert_eq!(most, u16::from(at_once), "{clock:?} {speed} {control:?}");
                let expected = 30 * LENGTH / u32::from(speed);
                assert!(
                    ticks.abs_diff(expected) <= LENGTH + 30,
                    "{ticks} {expected} {clock:?} {speed}"
                );
                // It then does what it did before.
                for _ in 0..2 * LENGTH {
                    tick(&mut world);
                }
                let stays = !matches!(control, Control::WalkTo(_));
                assert_eq!(at(&world, cop) == Cell::new(30, 2), stays);
            }
        }
    }
}

#[test]
fn a_dash_takes_one_move_whatever_its_length() {
    for clock in CLOCKS {
        let (mut world, cop) = game(clock, 1, Control::Policy);
        for _ in 1..LENGTH {
            tick(&mut world);
        }
        assert_eq!(world.dash(cop, &way(1, 9)), 9);
        let mut cells = Vec::new();
        for _ in 0..=LENGTH {
            cells.push(at(&world, cop).x);
            tick(&mut world);
        }
        cells.dedup();
        assert_eq!(cells[..2], [0, 9], "{clock:?}");
    }
}

#[test]
fn a_wall_a_teleport_and_another_control_end_an_order() {
    for end in ["wall", "place", "control", "another order"] {
        let (mut world, cop) = game(PursuitClock::Turns, 1, Control::Steer { dx: 0, dy: 0 });
        world.order(cop, &way(1, 30));
        for _ in 0..3 * LENGTH {
            tick(&mut world);
        }
        let here = at(&world, cop);
        assert!(here.x >= 2);
        match end {
            "wall" => {
                let cell = Cell::new(here.x + 3, 2);
                tick_with(
                    &mut world,
                    &[TileEdit {
                        cell,
                        passable: false,
                    }],
                );
            }
            "place" => world.place(cop, Cell::new(50, 0)),
            "control" => world.change(cop, |setup| setup.control = Control::External),
            _ => drop(world.order(cop, &[])),
        }
        for _ in 0..6 * LENGTH {
            tick(&mut world);
        }
        let there = at(&world, cop);
        match end {
            "wall" => assert_eq!(there, Cell::new(here.x + 2, 2)),
            "place" => assert_eq!(there, Cell::new(50, 0)),
            _ => assert!(there.x <= here.x + 1, "{end} {here:?} {there:?}"),
        }
        let left = world.agent(cop).expect("an agent").ahead().len();
        assert_eq!(left, 0, "{end}");
    }
}

/// The cuts of orders in the events of a tick.
fn cuts(world: &PursuitWorld) -> Vec<(AgentId, usize, Cell)> {
    let cuts = world.events().iter().filter_map(|event| match event {
        WorldEvent::OrderCut { id, taken, refused } => Some((*id, *taken, *refused)),
        _ => None,
    });
    cuts.collect()
}

#[test]
fn the_game_is_told_once_that_a_wall_ends_an_order() {
    for clock in CLOCKS {
        for control in [
            Control::Steer { dx: 0, dy: 0 },
            Control::Policy,
            Control::WalkTo(Cell::new(0, 2)),
        ] {
            for (speed, is_dash) in [(1, false), (3, false), (1, true)] {
                for ahead in 1..7 {
                    let (mut world, cop) = game(clock, speed, control);
                    let open = if is_dash {
                        // With most of a turn ahead.
                        world.dash(cop, &way(1, 9))
                    } else {
                        world.order(cop, &way(1, 9))
                    };
                    assert_eq!(open, 9);
                    tick(&mut world);
                    let cell = Cell::new(at(&world, cop).x + ahead, 2);
                    let edit = |passable| TileEdit { cell, passable };
                    tick_with(&mut world, &[edit(false)]);
                    let mut told = cuts(&world);
                    for _ in 0..12 * LENGTH {
                        tick(&mut world);
                        told.extend(cuts(&world));
                    }
                    tick_with(&mut world, &[edit(true)]);
                    for _ in 0..4 * LENGTH {
                        tick(&mut world);
                        told.extend(cuts(&world));
                    }
                    let what = format!("{clock:?} {control:?} {speed} {is_dash} {ahead}");
                    assert_eq!(told.len(), 1, "{what}: {told:?}");
                    let (who, taken, refused) = told[0];
                    assert_eq!((who, refused), (cop, cell), "{what}");
                    assert!(taken < usize::from(ahead), "{what}: {taken}");
                }
            }
        }
    }
}

#[test]
fn an_order_that_is_walked_to_its_end_or_replaced_is_not_cut() {
    for clock in CLOCKS {
        let (mut world, cop) = game(clock, 2, Control::Steer { dx: 0, dy: 0 });
        world.order(cop, &way(1, 9));
        let mut told = Vec::new();
        for number in 0..12 * LENGTH {
            // A wall behind the agent, and one on the rest of an order that another one has replaced.
            let mut edits = Vec::new();
            if number == 2 * LENGTH {
                let here = at(&world, cop).x;
                world.order(cop, &way(here + 1, here + 1));
                edits = [0, 8].map(|x| Cell::new(x, 2)).to_vec();
            }
            let walls = edits.iter().map(|&cell| TileEdit {
                cell,
                passable: false,
            });
            tick_with(&mut world, &walls.collect::<Vec<_>>());
            told.extend(cuts(&world));
        }
        assert!(told.is_empty(), "{clock:?}: {told:?}");
    }
}

#[test]
fn a_saved_game_goes_on_with_the_order() {
    let (mut world, cop) = game(PursuitClock::Turns, 2, Control::Policy);
    world.order(cop, &way(1, 30));
    for _ in 0..3 * LENGTH {
        tick(&mut world);
    }
    assert_eq!(
        world.agent(cop).expect("it").state().decided_by,
        DecidedBy::Game
    );
    let bytes = postcard::to_allocvec(&world.snapshot()).expect("plain data");
    let saved: Snapshot = postcard::from_bytes(&bytes).expect("it was written");
    let mut restored = PursuitWorld::from_snapshot(saved).expect("sound");
    for _ in 0..14 * LENGTH {
        tick(&mut world);
        tick(&mut restored);
        assert_eq!(world.position_hash(), restored.position_hash());
    }
}
