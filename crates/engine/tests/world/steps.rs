//! Agents that the game moves by steps: who is captured, and what is planned anew.

use crate::common::hall::{LENGTH, agent, external, hall, settings, tick};
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, HexLayout, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitWorld};

fn is_caught(world: &PursuitWorld, id: AgentId) -> bool {
    world.agent(id).expect("an agent").caught().is_some()
}

fn field(clock: PursuitClock, length: u32) -> PursuitWorld {
    let map = TileMap::filled(12, 12, Terrain::Floor).expect("some cells");
    let settings = pursuit_engine::world::PursuitSettings {
        ticks_per_turn: length,
        ..settings(clock)
    };
    PursuitWorld::new(&map, Moves::Octile, settings)
}

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::Simultaneous,
    PursuitClock::FreeRunning,
];

/// The turns until cops capture a robber that the game moves to and fro between two cells, with a step in each turn.
fn turns_to_capture(clock: PursuitClock, length: u32, cops: u16, phase: u32) -> Option<u64> {
    let mut world = field(clock, length);
    let cells = [Cell::new(6, 6), Cell::new(7, 6)];
    let robber = world.insert(external(Side::Robber, 6, 6));
    for cop in 0..cops {
        world.insert(agent(
            Side::Cops,
            [0, 11, 0][usize::from(cop)],
            [0, 0, 11][usize::from(cop)],
        ));
    }
    for tick_number in 0..u64::from(length) * 60 {
        if tick_number % u64::from(length) == u64::from(phase) {
            let turn = tick_number / u64::from(length);
            world.place(robber, cells[(turn % 2) as usize]);
        }
        tick(&mut world);
        if is_caught(&world, robber) {
            let by = world.agent(robber).expect("it").caught().expect("it is").by;
            let [at, cop] = [robber, by].map(|id| world.agent(id).expect("an agent").setup().cell);
            assert!(
                at == cop || clock == PursuitClock::Simultaneous,
                "{clock:?} {phase}"
            );
            return Some(tick_number / u64::from(length));
        }
    }
    None
}

#[test]
fn a_robber_that_the_game_moves_to_and_fro_is_captured_whenever_it_steps() {
    for clock in CLOCKS {
        for cops in [1, 3] {
            for (length, phase) in
                (0..LENGTH)
                    .map(|phase| (LENGTH, phase))
                    .chain([(1, 0), (2, 0), (2, 1)])
            {
                let turns = turns_to_capture(clock, length, cops, phase);
                let what =
                    format!("{clock:?}, {cops} cops, {length} ticks, in tick {phase}: {turns:?}");
                assert!(turns.is_some_and(|turns| turns < 40), "{what}");
            }
        }
    }
}

/// The cells of a ring around a block, in order.
fn ring() -> (TileMap, Vec<Cell>) {
    let rows: Vec<String> = (0..8)
        .map(|y| {
            let edge = y == 0 || y == 7;
            (0..8)
                .map(|x| if edge || x == 0 || x == 7 { '.' } else { '#' })
                .collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut cells: Vec<Cell> = (0..7).map(|x| Cell::new(x, 0)).collect();
    cells.extend((0..7).map(|y| Cell::new(7, y)));
    cells.extend((1..8).rev().map(|x| Cell::new(x, 7)));
    cells.extend((1..8).rev().map(|y| Cell::new(0, y)));
    (crate::common::map(&rows), cells)
}

/// The turns until two cops of speed 2 capture a robber that the game moves along a ring, with a step in each turn.
fn turns_on_ring(
    map: &TileMap,
    moves: Moves,
    (clock, length, phase): (PursuitClock, u32, u32),
    cops: [usize; 2],
) -> Option<u32> {
    let (_, cells) = ring();
    let settings = pursuit_engine::world::PursuitSettings {
        ticks_per_turn: length,
        ..settings(clock)
    };
    let mut world = PursuitWorld::new(map, moves, settings);
    let robber = world.insert(external(Side::Robber, 0, 0));
    for at in cops {
        world.insert(AgentSetup {
            speed: Speed::new(2).expect("a speed"),
            ..AgentSetup::new(Side::Cops, cells[at])
        });
    }
    for number in 0..length * 100 {
        if number % length == phase {
            let step = (number / length) as usize;
            world.place(robber, cells[step % cells.len()]);
        }
        tick(&mut world);
        if let Some(caught) = world.agent(robber).expect("a robber").caught() {
            let [at, by] = [robber, caught.by].map(|id| world.agent(id).expect("it").setup().cell);
            assert!(at == by || clock == PursuitClock::Simultaneous);
            return Some(number / length);
        }
    }
    None
}

/// In the middle of a turn, too: the moves of a turn end with it.
#[test]
fn a_player_that_runs_round_a_block_or_a_field_does_not_escape_two_faster_cops() {
    let (block, _) = ring();
    let field = TileMap::filled(8, 8, Terrain::Floor).expect("some cells");
    for (map, clocks) in [
        (&block, &CLOCKS[..]),
        // Where both sides choose simultaneously on open ground, cops without a table may guess wrong for ever.
        (&field, &[PursuitClock::Turns, PursuitClock::FreeRunning]),
    ] {
        for &clock in clocks {
            for moves in [
                Moves::Octile,
                Moves::Orthogonal,
                Moves::Hexagonal(HexLayout::ColumnEven),
            ] {
                for (length, phase) in
                    (0..LENGTH)
                        .map(|phase| (LENGTH, phase))
                        .chain([(1, 0), (2, 0), (2, 1)])
                {
                    for cops in [[10, 18], [3, 4], [14, 14], [2, 26], [5, 20]] {
                        let turns = turns_on_ring(map, moves, (clock, length, phase), cops);
                        let what = format!("{clock:?} {moves:?} {length} {phase} {cops:?}");
                        assert!(turns.is_some_and(|turns| turns < 30), "{what}: {turns:?}");
                    }
                }
            }
        }
    }
}

/// A cop whom the game moves onto the place that a player has left is too late, and so is one that the game puts there.
#[test]
fn only_cops_that_arrive_find_a_player_where_it_stood() {
    for puts in [false, true] {
        let mut world = field(PursuitClock::Turns, LENGTH);
        let robber = world.insert(external(Side::Robber, 6, 6));
        let cop = if puts {
            agent(Side::Cops, 0, 0)
        } else {
            external(Side::Cops, 5, 6)
        };
        let cop = world.insert(cop);
        for _ in 0..5 {
            tick(&mut world);
        }
        world.place(robber, Cell::new(7, 6));
        tick(&mut world);
        world.place(cop, Cell::new(6, 6));
        if puts {
            // It stays there.
            world.change(cop, |setup| setup.control = Control::External);
        }
        for _ in 0..2 * LENGTH {
            tick(&mut world);
            assert!(!is_caught(&world, robber), "{puts}");
        }
    }
}

/// What cops have announced comes true whenever a player steps, or is taken back.
#[test]
fn announced_captures_come_true_while_a_player_steps() {
    let (mut captures, mut taken_back) = (0, 0);
    for seed in 0..24 {
        let dice = &mut Dice::new(seed);
        let phase = 1 + dice.below(LENGTH as usize - 1) as u32;
        let mut world = field(PursuitClock::Turns, LENGTH);
        let mut settings = world.settings().clone();
        settings.tables.solve = true;
        settings.tables.timing = TableTiming::Lockstep(TableSchedule {
            ticks: 4,
            times: 0,
            ticks_per_second: Some(64),
        });
        world.set_settings(settings);
        let robber = world.insert(external(Side::Robber, 6, 6));
        let cops = [(0, 0), (11, 0)].map(|(x, y)| world.insert(agent(Side::Cops, x, y)));
        let mut by: Option<u64> = None;
        for number in 0..u64::from(LENGTH) * 60 {
            if number % u64::from(LENGTH) == u64::from(phase) {
                let graph = world.graph();
                let here = world.agent(robber).expect("a robber").setup().cell;
                let here = graph.vertex(here).expect("floor");
                let ends = graph.neighbours(here);
                let mut end = graph.cell(ends[dice.below(ends.len())]);
                if dice.below(12) == 0 {
                    end = Cell::new(dice.below(12) as u16, dice.below(12) as u16);
                }
                world.place(robber, end);
            }
            world.begin_tick(&[]);
            while let Some(request) = world.next_request() {
                deliver(&mut world, request);
            }
            world.arrive();
            world.decide(&mut Expansions(10_000));
            if is_caught(&world, robber) {
                captures += 1;
                break;
            }
            let announced = cops.map(|cop| world.agent(cop).expect("it").state().captured_within());
            let (_, ends) = world.pursuit(0).expect("it").turn_ticks();
            let now = announced.into_iter().flatten().max();
            let now = now.map(|turns| ends + (u64::from(turns) - 1) * u64::from(LENGTH));
            taken_back += u32::from(by.is_some() && now.is_none());
            by = now.map(|now| by.map_or(now, |before| before.min(now)));
            let is_open = by.is_none_or(|by| world.tick() < by);
            assert!(is_open, "seed {seed}, phase {phase}, tick {number}");
        }
    }
    assert!(captures > 18 && taken_back > 3, "{captures} {taken_back}");
}

/// A cop that the game moves captures the robber that it steps on, whenever it does.
#[test]
fn a_cop_that_the_game_moves_captures_where_the_robber_stands() {
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        for when in 0..LENGTH {
            let mut world = hall(clock, 30, 5);
            let robber = world.insert(agent(Side::Robber, 10, 2));
            let cop = world.insert(external(Side::Cops, 9, 2));
            for _ in 0..LENGTH + when {
                tick(&mut world);
            }
            let to = world.agent(robber).expect("an agent").setup().cell;
            // Nearby, so that the last placement is a step.
            world.place(cop, Cell::new(to.x - 1, to.y));
            world.begin_tick(&[]);
            world.place(cop, to);
            world.arrive();
            assert!(is_caught(&world, robber), "{clock:?} {when}");
        }
    }
}

#[test]
fn a_robber_that_is_placed_farther_away_than_a_step_gets_away() {
    for clock in CLOCKS {
        let mut world = field(clock, 1);
        let robber = world.insert(external(Side::Robber, 6, 6));
        world.insert(agent(Side::Cops, 4, 6));
        tick(&mut world);
        tick(&mut world);
        world.place(robber, Cell::new(6, 0));
        tick(&mut world);
        assert!(!is_caught(&world, robber), "{clock:?}");
    }
}

/// A step onto a cop is a capture, and one past a cop is one only where both sides move simultaneously.
#[test]
fn a_player_that_comes_past_a_cop() {
    for clock in CLOCKS {
        let mut world = field(clock, 1);
        let robber = world.insert(external(Side::Robber, 6, 6));
        let cop = world.insert(external(Side::Cops, 5, 6));
        tick(&mut world);
        world.place(robber, Cell::new(5, 6));
        world.place(cop, Cell::new(6, 6));
        tick(&mut world);
        // The cop comes first, and finds the robber where it stood.
        assert!(is_caught(&world, robber), "{clock:?}");
    }
}

/// The expansions of some turns in which a player steps to and fro, each time after some ticks.
fn expansions(every: u64, side: Side) -> u64 {
    let mut world = hall(PursuitClock::Turns, 60, 40);
    let player = world.insert(external(side, 30, 20));
    match side {
        Side::Robber => {
            world.insert(agent(Side::Cops, 2, 3));
            world.insert(agent(Side::Cops, 57, 3));
        }
        Side::Cops => {
            world.insert(agent(Side::Robber, 2, 3));
        }
    }
    let mut spent = 0;
    for number in 0..u64::from(LENGTH) * 20 {
        let x = 30 + (number / every % 2) as u16;
        world.place(player, Cell::new(x, 20));
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(10_000));
        spent += world.report().spent;
    }
    spent
}

#[test]
fn a_player_that_trembles_costs_about_as_much_as_one_that_steps_once_a_turn() {
    for side in [Side::Robber, Side::Cops] {
        let [steps, trembles] = [u64::from(LENGTH), 1].map(|every| expansions(every, side));
        println!("{side:?}: {steps} {trembles}");
        assert!(trembles <= 2 * steps, "{side:?}: {steps} {trembles}");
    }
}

/// A cop that comes to where a player of speed 2 stood when the turn began captures it there, if the player has taken its
/// two steps in any ticks of the turn, the last one included.
#[test]
fn a_player_with_two_steps_in_a_turn_is_captured_where_the_turn_began() {
    let stands = Cell::new(6, 6);
    for first in 1..=LENGTH {
        for second in first..=LENGTH {
            let mut world = field(PursuitClock::Turns, LENGTH);
            let robber = world.insert(AgentSetup {
                speed: Speed::new(2).expect("a speed"),
                ..external(Side::Robber, 6, 6)
            });
            let cop = world.insert(agent(Side::Cops, 4, 6));
            tick(&mut world);
            while world.agent(cop).expect("a cop").setup().cell != Cell::new(5, 6) {
                tick(&mut world);
            }
            // The turn begins in which the cop takes its last step.
            for number in 1..=LENGTH {
                assert!(!is_caught(&world, robber), "{first} {second}: {number}");
                for (when, x) in [(first, 7), (second, 8)] {
                    if number == when {
                        world.place(robber, Cell::new(x, 6));
                    }
                }
                tick(&mut world);
            }
            let caught = world.agent(robber).expect("a robber");
            assert!(caught.caught().is_some(), "{first} {second}");
            assert_eq!(caught.setup().cell, stands, "{first} {second}");
        }
    }
}
