//! Agents on which a wall appears leave it by a legal step.

use crate::common::hall::{agent, settings, tick, tick_with};
use pursuit_engine::game::Side;
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::world::{AgentSetup, Control, PursuitClock, PursuitWorld};

const MIDDLE: Cell = Cell::new(3, 3);

/// A map of 7 x 7 cells whose middle is passable, and of whose eight neighbours a mask tells the walls.
fn map(mask: u32) -> TileMap {
    let around = Moves::Octile.steps();
    let is_wall = |x: i32, y: i32| {
        let step = around.iter().position(|&step| step == (x - 3, y - 3));
        step.is_some_and(|step| mask >> step & 1 == 1)
    };
    let row = |y| {
        (0..7)
            .map(|x| if is_wall(x, y) { '#' } else { '.' })
            .collect()
    };
    let rows: Vec<String> = (0..7).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    crate::common::map(&rows)
}

/// Where agents go from the middle of the map when it becomes a wall, under each control.
#[test]
fn an_agent_leaves_a_wall_only_by_steps_that_were_legal_before() {
    for (moves, clock) in [Moves::Octile, Moves::Orthogonal]
        .into_iter()
        .flat_map(|moves| {
            [PursuitClock::Turns, PursuitClock::FreeRunning].map(|clock| (moves, clock))
        })
    {
        for mask in 0..256 {
            let map = map(mask);
            let graph = Graph::new(&map, moves);
            let middle = graph.vertex(MIDDLE).expect("it is passable");
            let legal: Vec<Cell> = graph
                .neighbours(middle)
                .iter()
                .map(|&at| graph.cell(at))
                .collect();
            let controls = [
                Control::Policy,
                Control::WalkTo(Cell::new(6, 6)),
                Control::Steer { dx: 1, dy: 1 },
                Control::Steer { dx: -1, dy: 0 },
            ];
            for (side, control) in [Side::Cops, Side::Robber]
                .into_iter()
                .flat_map(|side| controls.map(|control| (side, control)))
            {
                let settings = pursuit_engine::world::PursuitSettings {
                    ticks_per_turn: 2,
                    ..settings(clock)
                };
                let mut world = PursuitWorld::new(&map, moves, settings);
                let other = if side == Side::Cops {
                    Side::Robber
                } else {
                    Side::Cops
                };
                world.insert(AgentSetup {
                    control: Control::External,
                    ..agent(other, 0, 6)
                });
                let id = world.insert(AgentSetup {
                    control,
                    ..agent(side, 3, 3)
                });
                let edit = TileEdit {
                    cell: MIDDLE,
                    passable: false,
                };
                tick_with(&mut world, &[edit]);
                for _ in 0..8 {
                    let at = world.agent(id).expect("an agent").setup().cell;
                    if at != MIDDLE {
                        break;
                    }
                    tick(&mut world);
                }
                let at = world.agent(id).expect("an agent").setup().cell;
                let what = format!("{moves:?} {clock:?} {mask:#010b} {side:?} {control:?}: {at:?}");
                // Whoever is shut in squeezes through a corner, if there are diagonal steps.
                let is_shut_in = legal.is_empty() && moves == Moves::Octile;
                assert!(at == MIDDLE || legal.contains(&at) || is_shut_in, "{what}");
                let is_steered = matches!(control, Control::Steer { .. });
                assert!(at != MIDDLE || legal.is_empty() || is_steered, "{what}");
            }
        }
    }
}
