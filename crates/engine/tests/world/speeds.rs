//! Speeds of all sizes: an agent walks as many steps a turn as its speed says, and the work that this takes is counted.

use crate::common::hall::{self, agent, external};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitWorld,
};

const SPEEDS: [u8; 8] = [1, 3, 16, 17, 40, 64, 65, 255];
const TURNS: [PursuitClock; 2] = [PursuitClock::Turns, PursuitClock::Simultaneous];

fn speed(steps: u8) -> Speed {
    Speed::new(steps).expect("a speed")
}

/// A winding corridor with rows of some length, and its cells in order.
fn snake(columns: u16, rows: u16) -> (TileMap, Vec<Cell>) {
    let mut map = TileMap::filled(columns, 2 * rows - 1, Terrain::Wall).expect("some cells");
    let mut cells = Vec::new();
    for row in 0..rows {
        let is_back = row % 2 == 1;
        let x = |step: u16| if is_back { columns - 1 - step } else { step };
        cells.extend((0..columns).map(|step| Cell::new(x(step), 2 * row)));
        if row + 1 < rows {
            cells.push(Cell::new(x(columns - 1), 2 * row + 1));
        }
    }
    for &cell in &cells {
        map.set(cell, Terrain::Floor);
    }
    (map, cells)
}

fn world(map: &TileMap, clock: PursuitClock, ticks_per_turn: u32) -> PursuitWorld {
    let settings = PursuitSettings {
        ticks_per_turn,
        ..hall::settings(clock)
    };
    PursuitWorld::new(map, Moves::Orthogonal, settings)
}

fn turn(world: &mut PursuitWorld) {
    for _ in 0..world.settings().ticks_per_turn {
        hall::tick(world);
    }
}

fn place(world: &PursuitWorld, id: AgentId, cells: &[Cell]) -> usize {
    let cell = world.agent(id).expect("an agent").setup().cell;
    cells.iter().position(|&at| at == cell).expect("a cell")
}

/// An agent on its way along a corridor from its beginning to cell `end`, after the first turns: the steps of each turn.
fn steps_of(
    world: &mut PursuitWorld,
    id: AgentId,
    (cells, end): (&[Cell], usize),
    most: usize,
) -> Vec<usize> {
    let mut steps = Vec::new();
    let mut before = place(world, id, cells);
    for _ in 0..most {
        turn(world);
        let now = place(world, id, cells);
        steps.push(now.abs_diff(before));
        before = now;
        if now == end {
            break;
        }
    }
    // An agent sets out in the first turn, and arrives when the next one begins.
    steps.into_iter().skip_while(|&steps| steps == 0).collect()
}

fn assert_even(steps: &[usize], speed: u8, all: usize, what: &str) {
    let whole = all / usize::from(speed);
    let is_even = |steps: &[usize]| steps.iter().all(|&steps| steps == usize::from(speed));
    assert!(steps.len() >= whole, "{what}: {steps:?}");
    assert!(is_even(&steps[..whole]), "{what}: {steps:?}");
    assert_eq!(steps.iter().sum::<usize>(), all, "{what}: {steps:?}");
}

#[test]
fn errands_and_cops_walk_at_any_speed() {
    let (map, cells) = snake(60, 24);
    let end = cells.len() - 1;
    for clock in TURNS {
        for (steps, ticks_per_turn) in SPEEDS.iter().flat_map(|&steps| [(steps, 16), (steps, 1)]) {
            let what = format!("{clock:?}, {steps} steps in {ticks_per_turn} ticks");
            let most = cells.len() / usize::from(steps) + 4;
            for side in [Side::Cops, Side::Robber] {
                let mut world = world(&map, clock, ticks_per_turn);
                let walker = world.insert(AgentSetup {
                    speed: speed(steps),
                    control: Control::WalkTo(cells[end]),
                    ..AgentSetup::new(side, cells[0])
                });
                let walked = steps_of(&mut world, walker, (&cells, end), most);
                assert_even(&walked, steps, end, &format!("errand, {what}"));
            }
            let mut world = world(&map, clock, ticks_per_turn);
            let robber = world.insert(AgentSetup {
                control: Control::Steer { dx: 0, dy: 0 },
                ..AgentSetup::new(Side::Robber, cells[end])
            });
            let cop = world.insert(AgentSetup {
                speed: speed(steps),
                ..AgentSetup::new(Side::Cops, cells[0])
            });
            let walked = steps_of(&mut world, cop, (&cells, end), most);
            assert_even(&walked, steps, end, &format!("cop, {what}"));
            turn(&mut world);
            assert!(world.agent(robber).expect("a robber").caught().is_some());
        }
    }
}

/// A robber that a cop follows along a corridor takes all of its steps.
#[test]
fn robbers_flee_at_any_speed() {
    let (map, cells) = snake(60, 24);
    for clock in TURNS {
        for (steps, ticks_per_turn) in SPEEDS.iter().flat_map(|&steps| [(steps, 16), (steps, 1)]) {
            let mut world = world(&map, clock, ticks_per_turn);
            let first = 2 * usize::from(steps) + 2;
            let robber = world.insert(AgentSetup {
                speed: speed(steps),
                ..AgentSetup::new(Side::Robber, cells[first])
            });
            world.insert(AgentSetup {
                speed: speed(steps),
                ..AgentSetup::new(Side::Cops, cells[0])
            });
            let fled = steps_of(&mut world, robber, (&cells, cells.len() - 1), 4);
            let expected = vec![usize::from(steps); fled.len().min(2)];
            assert_eq!(
                fled[..expected.len()],
                expected,
                "{clock:?}, {steps} steps in {ticks_per_turn} ticks: {fled:?}"
            );
            assert!(!expected.is_empty());
        }
    }
}

/// A capture within a move needs no plan, and so no budget.
#[test]
fn a_fast_cop_captures_without_a_budget() {
    for clock in TURNS {
        for steps in [2, 4, 9, 60, 255] {
            let apart = u16::from(steps).min(50);
            let mut world = hall::hall(clock, 80, 20);
            let robber = world.insert(AgentSetup {
                control: Control::Steer { dx: 0, dy: 0 },
                ..agent(Side::Robber, 10 + apart, 10)
            });
            world.insert(AgentSetup {
                speed: speed(steps),
                ..agent(Side::Cops, 10, 12)
            });
            for _ in 0..=2 * hall::LENGTH {
                world.begin_tick(&[]);
                world.arrive();
                world.decide(&mut Expansions(0));
            }
            let caught = world.agent(robber).expect("a robber").caught();
            assert!(caught.is_some(), "{clock:?}: {steps} steps");
        }
    }
}

/// Where the robber is near and cannot be reached in a move, cops search for it within the budget, and each of them a
/// little beyond.
#[test]
fn the_work_of_fast_cops_is_counted_and_limited() {
    let mut map = TileMap::filled(300, 300, Terrain::Floor).expect("some cells");
    // A long corridor round a chamber.
    for x in 20..280 {
        for y in [148, 152] {
            map.set(Cell::new(x, y), Terrain::Wall);
        }
    }
    for y in 148..=152 {
        map.set(Cell::new(20, y), Terrain::Wall);
    }
    for (cops, steps) in [(100, 60), (16, 120)] {
        for closes in [false, true] {
            let mut map = map.clone();
            if closes {
                for y in 148..=152 {
                    map.set(Cell::new(279, y), Terrain::Wall);
                }
            }
            let settings = hall::settings(PursuitClock::Turns);
            let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
            world.insert(external(Side::Robber, 30, 150));
            for index in 0..cops {
                world.insert(AgentSetup {
                    speed: speed(steps),
                    mistakes: if index % 2 == 0 { 500 } else { 0 },
                    ..agent(Side::Cops, 22 + index % 20, 135 + index / 20)
                });
            }
            let mut most = 0;
            for _ in 0..3 * hall::LENGTH {
                hall::tick(&mut world);
                most = most.max(world.report().spent);
            }
            // The chamber's inside is not connected with the cops: there is nothing to search for.
            let least = if closes { 0 } else { 16 * 64 };
            assert!(most >= least, "{cops} cops of speed {steps}: {most}");
            let granted = 10_000 + 64 * u64::from(cops);
            assert!(
                most <= granted + 2_000,
                "{cops} cops of speed {steps}: {most}"
            );
        }
    }
}

/// Where both sides choose simultaneously, cops near a robber cover its moves. Those of fast agents end in too many places.
#[test]
fn covering_the_moves_of_fast_agents_takes_little() {
    let map = TileMap::filled(300, 300, Terrain::Floor).expect("some cells");
    for (of_cops, of_robber) in [(1, 8), (8, 8), (9, 1), (1, 255), (255, 1), (255, 255)] {
        let settings = hall::settings(PursuitClock::Simultaneous);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        world.insert(AgentSetup {
            speed: speed(of_robber),
            ..agent(Side::Robber, 150, 150)
        });
        for index in 0..40 {
            world.insert(AgentSetup {
                speed: speed(of_cops),
                ..agent(Side::Cops, 146 + index % 8, 143 + index / 8)
            });
        }
        let mut most = 0;
        for _ in 0..3 * hall::LENGTH {
            hall::tick(&mut world);
            most = most.max(world.report().spent);
        }
        assert!(most <= 20_000, "speeds {of_cops}, {of_robber}: {most}");
    }
}

/// Agents that err stay on the map and keep to their speeds, however fast they are.
#[test]
fn fast_agents_err_along_edges() {
    let mut world = hall::hall(PursuitClock::Turns, 60, 40);
    let agents = [
        (Side::Robber, 30, 20),
        (Side::Cops, 2, 3),
        (Side::Cops, 58, 30),
    ];
    let agents = agents.map(|(side, x, y)| {
        world.insert(AgentSetup {
            speed: speed(20),
            mistakes: 1000,
            ..agent(side, x, y)
        })
    });
    let mut mistakes = 0;
    for _ in 0..40 * hall::LENGTH {
        hall::tick(&mut world);
        for id in agents {
            let record = world.agent(id).expect("an agent");
            let graph: &Graph = world.graph();
            let steps = record.way();
            assert!(steps.len() <= 20);
            for pair in steps.windows(2) {
                assert!(graph.are_adjacent(pair[0], pair[1]));
            }
        }
        mistakes += world
            .report()
            .decisions
            .by(pursuit_engine::policy::Source::Mistake);
    }
    assert!(mistakes > 0);
}
