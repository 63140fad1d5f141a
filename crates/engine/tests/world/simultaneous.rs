//! Pursuits in which both sides choose simultaneously, with tables of mixed strategies and without.

use crate::common;
use crate::common::hall::{agent, external, settings, tick, tick_with};
use crate::common::mixed::{
    Chase, DRAWN, add, caught_in, cell, decided_by, goal, grid, play_out, reason, rules, table,
    world,
};
use pursuit_engine::game::{Side, Speed, is_legal_move};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::solve::simultaneous::MixedTable;
use pursuit_engine::table::TableError;
use pursuit_engine::table_cache::{NoTable, TableEvent};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, MapLoader, PursuitClock, PursuitWorld, Reason, Snapshot,
    WorldEvent,
};
use std::sync::Arc;

/// The hashes of a game in which a door opens and closes.
fn game(world: &mut PursuitWorld, ticks: u64) -> Vec<u64> {
    let hashes = (0..ticks).map(|_| {
        let passable = ((world.tick() + 1) / 37).is_multiple_of(2);
        let cell = Cell::new(2, 1);
        tick_with(world, &[TileEdit { cell, passable }]);
        let captured = world.agents().filter(|(_, agent)| agent.caught().is_some());
        let captured: Vec<AgentId> = captured.map(|(id, _)| id).collect();
        for robber in captured {
            world.place(robber, Cell::new(4, 4));
            world.release(robber);
        }
        world.position_hash()
    });
    hashes.collect()
}

fn doors() -> [TileMap; 2] {
    let open = ["..#..", ".....", "..#..", "..#..", "....."];
    let shut = ["..#..", "..#..", "..#..", "..#..", "....."];
    [open, shut].map(|rows| common::map(&rows))
}

fn game_with_doors(seed: u64, tables: &[&Arc<MixedTable>]) -> PursuitWorld {
    let mut world = world(&doors()[0], seed, tables);
    let mut settings = world.settings().clone();
    settings.ticks_per_turn = 3;
    world.set_settings(settings);
    for pursuit in 0..3 {
        for (side, x) in [(Side::Robber, 4), (Side::Cops, 0), (Side::Cops, 1)] {
            let speed = Speed::new(1).expect("a speed");
            let setup = agent(side, x, 4);
            world.insert(AgentSetup {
                pursuit,
                speed,
                ..setup
            });
        }
    }
    world
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    let [open, shut] = doors().map(|map| table(&map, rules(2, 1)));
    let mut hashes = (0..3).map(|seed| {
        let one = game(&mut game_with_doors(seed, &[&open, &shut]), 600);
        // The order in which tables come does not matter.
        let other = game(&mut game_with_doors(seed, &[&shut, &open]), 600);
        assert_eq!(one, other);
        one
    });
    let first = hashes.next();
    assert_ne!(first, hashes.next());
    assert_ne!(first, hashes.next());
}

#[test]
fn a_restored_game_goes_on_as_the_original() {
    let [open, shut] = doors().map(|map| table(&map, rules(2, 1)));
    let mut original = game_with_doors(7, &[&open, &shut]);
    let begin = original.snapshot();
    let all = game(&mut original, 300);
    // In a world that has gone on, and in a new one, from several ticks.
    original.restore(begin).expect("sound");
    assert_eq!(game(&mut original, 300), all);
    for later in [1, 2, 3, 40, 151] {
        let mut before = game_with_doors(7, &[&open, &shut]);
        game(&mut before, later);
        let bytes = postcard::to_allocvec(&before.snapshot()).expect("plain data");
        let saved: Snapshot = postcard::from_bytes(&bytes).expect("it was written");
        let mut restored = PursuitWorld::from_snapshot(saved).expect("sound");
        for table in [&open, &shut] {
            let added = restored.add_mixed_table(Arc::clone(table));
            added.expect("the table of a map");
        }
        let rest = game(&mut restored, 300 - later);
        assert_eq!(rest, all[later as usize..], "{later}");
    }
}

#[test]
fn after_an_edit_the_table_is_out_of_use_in_the_same_tick_until_the_door_is_back() {
    let [open, shut] = doors();
    let door = |passable| TileEdit {
        cell: Cell::new(2, 1),
        passable,
    };
    let of_open = table(&open, rules(2, 1));
    let of_shut = table(&shut, rules(2, 1));
    let mut world = world(&open, 1, &[&of_open]);
    let chase = &add(
        &mut world,
        1,
        Cell::new(4, 4),
        &[Cell::new(0, 0), Cell::new(0, 4)],
    )[0];
    let begin = |world: &mut PursuitWorld| {
        let cells = [Cell::new(0, 0), Cell::new(0, 4), Cell::new(4, 4)];
        for (id, cell) in chase.members().zip(cells) {
            world.place(id, cell);
        }
        world.release(chase.robber);
    };
    let all_drawn = |world: &PursuitWorld| {
        let mut members = chase.members();
        members.all(|id| decided_by(world, id) == DRAWN)
    };
    tick(&mut world);
    assert!(all_drawn(&world));
    for _ in 0..3 {
        begin(&mut world);
        tick_with(&mut world, &[door(false)]);
        for id in chase.members() {
            assert_ne!(decided_by(&world, id), DRAWN);
            assert_eq!(reason(&world, id), Reason::NoTable);
        }
        begin(&mut world);
        tick_with(&mut world, &[door(true)]);
        assert!(all_drawn(&world), "it is back");
    }
    // With a table for each state there is no gap.
    let key = world.add_mixed_table(of_shut).expect("the table of a map");
    begin(&mut world);
    tick_with(&mut world, &[door(false)]);
    assert!(all_drawn(&world));
    assert!(world.remove_mixed_table(&key));
    assert!(!world.remove_mixed_table(&key));
    begin(&mut world);
    tick(&mut world);
    assert!(!all_drawn(&world));
}

#[test]
fn a_map_that_is_replaced_may_number_its_cells_differently() {
    // Both are won by one cop.
    let rooms = [["..#..", ".....", "....."], ["..#..", "..#..", "....."]];
    let [open, shut] = rooms.map(|rows| common::map(&rows));
    let of_open = table(&open, rules(1, 1));
    // Here the vertex of the door comes last.
    let mut world = world(&shut, 1, &[&of_open]);
    let chase = &add(&mut world, 1, Cell::new(4, 2), &[Cell::new(0, 0)])[0];
    let door = TileEdit {
        cell: Cell::new(2, 1),
        passable: true,
    };
    tick_with(&mut world, &[door]);
    assert_eq!(decided_by(&world, chase.robber), DRAWN);
    world.take_map(MapLoader::new(open, Moves::Octile));
    for _ in 0..200 {
        world.place(chase.robber, Cell::new(2, 1));
        world.place(chase.cops[0], Cell::new(0, 0));
        world.release(chase.robber);
        tick(&mut world);
        for id in chase.members() {
            assert_eq!(decided_by(&world, id), DRAWN);
            let agent = world.agent(id).expect("an agent");
            let from = world.graph().vertex(agent.setup().cell).expect("a vertex");
            assert!(is_legal_move(world.graph(), from, agent.way(), Speed::ONE));
        }
    }
}

/// Two agents that the game moves, and the captures after they have exchanged their cells.
fn exchange(clock: PursuitClock, cop: (u16, u16), robber: (u16, u16), speed: u8) -> bool {
    let settings = settings(clock);
    let mut world = PursuitWorld::new(&grid(5), Moves::Octile, settings);
    let of = |side, (x, y)| AgentSetup {
        speed: Speed::new(speed).expect("a speed"),
        ..external(side, x, y)
    };
    let cop_id = world.insert(of(Side::Cops, cop));
    let robber_id = world.insert(of(Side::Robber, robber));
    tick(&mut world);
    // One cell after the other in a straight line.
    let way = |(from, to): ((u16, u16), (u16, u16))| -> Vec<Cell> {
        let step = |from: u16, to: u16| {
            from + to.saturating_sub(from).min(1) - from.saturating_sub(to).min(1)
        };
        let mut way = vec![from];
        while *way.last().expect("a cell") != to {
            let &(x, y) = way.last().expect("a cell");
            way.push((step(x, to.0), step(y, to.1)));
        }
        way[1..].iter().map(|&(x, y)| Cell::new(x, y)).collect()
    };
    world.dash(cop_id, &way((cop, robber)));
    world.dash(robber_id, &way((robber, cop)));
    let mut told = 0;
    for _ in 0..20 {
        tick(&mut world);
        let captured = |event: &&WorldEvent| match event {
            WorldEvent::Captured { robber, cop, .. } => (*robber, *cop) == (robber_id, cop_id),
            _ => false,
        };
        told += world.events().iter().filter(captured).count();
    }
    assert_eq!(cell(&world, cop_id), Cell::new(robber.0, robber.1));
    let is_caught = caught_in(&world, robber_id).is_some();
    // On the free-running clock the cop arrives first, so the robber does not leave its cell.
    let stays = is_caught && clock == PursuitClock::FreeRunning;
    let end = if stays { robber } else { cop };
    assert_eq!(cell(&world, robber_id), Cell::new(end.0, end.1));
    assert_eq!(told, usize::from(is_caught));
    is_caught
}

#[test]
fn agents_that_exchange_their_cells_meet() {
    use PursuitClock::{FreeRunning, Simultaneous, Turns};
    for (cop, robber, speed, meet) in [
        ((1, 1), (2, 1), 1, true),
        ((1, 1), (2, 2), 1, true),
        ((2, 3), (2, 2), 1, true),
        // Also if they could walk further.
        ((1, 1), (2, 1), 2, true),
        // Further apart, they meet on the way.
        ((1, 1), (3, 1), 2, true),
        ((1, 1), (3, 3), 2, true),
        ((1, 1), (4, 1), 3, true),
    ] {
        assert_eq!(exchange(Simultaneous, cop, robber, speed), meet, "{cop:?}");
        assert!(!exchange(Turns, cop, robber, speed), "{cop:?}");
        assert!(exchange(FreeRunning, cop, robber, speed), "{cop:?}");
    }
}

/// Games by tables have captures of both kinds, and each robber that has met a cop is captured.
#[test]
fn games_by_tables_end_on_cells_and_on_edges() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let mut world = world(&map, 2, &[&table]);
    let chases = add(&mut world, 500, Cell::new(1, 1), &[Cell::new(3, 3)]);
    let mut kinds = [0, 0];
    for _ in 0..100 {
        let ends = |world: &PursuitWorld, chase: &Chase| {
            let (cop, robber) = (chase.cops[0], chase.robber);
            let is_free = caught_in(world, robber).is_none();
            let cells = [cop, robber].map(|id| (cell(world, id), goal(world, id)));
            (is_free, cells)
        };
        let before: Vec<_> = chases.iter().map(|chase| ends(&world, chase)).collect();
        tick(&mut world);
        for (chase, (was_free, [cop, robber])) in chases.iter().zip(before) {
            let same = cop.1 == robber.1;
            let swap = cop == (robber.1, robber.0) && cop.0 != cop.1;
            if was_free {
                assert_eq!(caught_in(&world, chase.robber).is_some(), same || swap);
                kinds[0] += usize::from(same);
                kinds[1] += usize::from(swap);
            }
        }
    }
    assert!(kinds[0] > 50 && kinds[1] > 5, "{kinds:?}");
}

#[test]
fn without_a_table_both_sides_choose_from_the_position_before_the_move() {
    // A corridor: the cop goes where the robber is, and the robber runs from where the cop is.
    let map = TileMap::filled(12, 1, Terrain::Floor).expect("some cells");
    let mut world = world(&map, 0, &[]);
    let chase = &add(&mut world, 1, Cell::new(3, 0), &[Cell::new(2, 0)])[0];
    tick(&mut world);
    assert_eq!(goal(&world, chase.cops[0]), Cell::new(3, 0));
    assert_eq!(goal(&world, chase.robber), Cell::new(4, 0));
    for id in chase.members() {
        assert_ne!(decided_by(&world, id), DRAWN);
        assert_eq!(reason(&world, id), Reason::NoTable);
    }
    // It is in step with the cop until the corridor ends.
    let turns = play_out(&mut world, std::slice::from_ref(chase));
    assert_eq!(turns, [9]);
}

#[test]
fn who_has_no_table_says_why() {
    let map = grid(5);
    let one = table(&map, rules(1, 1));
    let reasons = |world: &mut PursuitWorld| {
        tick(world);
        let of = |(_, agent): (AgentId, &pursuit_engine::world::AgentRecord)| {
            let state = agent.state();
            (state.decided_by == DRAWN, state.reason)
        };
        world.agents().map(of).collect::<Vec<_>>()
    };
    let start = || {
        let mut world = world(&map, 0, &[&one]);
        let cop = world.insert(agent(Side::Cops, 0, 0));
        let robber = world.insert(agent(Side::Robber, 4, 4));
        (world, cop, robber)
    };
    let (drawn, no_table, not_this) = (
        (true, Reason::None),
        (false, Reason::NoTable),
        (false, Reason::NoTableForThis),
    );
    let (mut world, ..) = start();
    assert_eq!(reasons(&mut world), [drawn, drawn]);
    // No table of two cops.
    let (mut world, ..) = start();
    world.insert(agent(Side::Cops, 1, 0));
    assert_eq!(reasons(&mut world), [no_table; 3]);
    // Two robbers.
    let (mut world, ..) = start();
    world.insert(agent(Side::Robber, 4, 0));
    assert_eq!(reasons(&mut world), [not_this; 3]);
    // A player on one side leaves the other side its table.
    let (mut world, cop, _) = start();
    world.change(cop, |cop| cop.control = Control::Steer { dx: 0, dy: 0 });
    assert_eq!(reasons(&mut world)[1], drawn);
    let (mut world, _, robber) = start();
    world.change(robber, |robber| robber.control = Control::External);
    assert_eq!(reasons(&mut world)[0], drawn);
    // Where the other side is out of sight.
    let (mut world, cop, _) = start();
    world.change(cop, |cop| cop.sight = Some(1));
    assert_eq!(reasons(&mut world)[1], drawn);
    assert_ne!(decided_by(&world, cop), DRAWN);
}

#[test]
fn cops_that_cannot_force_a_capture_say_so() {
    // A ring: one cop never captures a robber that runs.
    let map = common::map(&["......", ".####.", ".####.", "......"]);
    let table = table(&map, rules(1, 1));
    let mut world = world(&map, 0, &[&table]);
    let chase = &add(&mut world, 1, Cell::new(5, 3), &[Cell::new(0, 0)])[0];
    for _ in 0..50 {
        tick(&mut world);
        assert_eq!(decided_by(&world, chase.robber), DRAWN);
        assert_ne!(decided_by(&world, chase.cops[0]), DRAWN);
        assert_eq!(reason(&world, chase.cops[0]), Reason::Escapes);
        assert_eq!(caught_in(&world, chase.robber), None);
    }
}

#[test]
fn nobody_answers_a_move_of_the_same_turn() {
    let mut world = PursuitWorld::new(
        &grid(9),
        Moves::Octile,
        settings(PursuitClock::Simultaneous),
    );
    world.insert(agent(Side::Cops, 0, 0));
    let player = world.insert(AgentSetup {
        control: Control::Steer { dx: 0, dy: 0 },
        ..agent(Side::Robber, 6, 6)
    });
    tick(&mut world);
    let ends = world.pursuit(0).expect("it is there").turn_ticks().1;
    tick(&mut world);
    // The player sees where the cop goes, and presses a key.
    let control = Control::Steer { dx: 1, dy: 0 };
    world.change(player, |player| player.control = control);
    while world.tick() + 1 < ends {
        tick(&mut world);
        assert_eq!(goal(&world, player), Cell::new(6, 6), "not in this turn");
    }
    tick(&mut world);
    assert_eq!(goal(&world, player), Cell::new(7, 6));
    // So does one that the game puts elsewhere, and one that it frees.
    tick(&mut world);
    world.place(player, Cell::new(3, 6));
    tick(&mut world);
    assert_eq!(goal(&world, player), Cell::new(3, 6));
    world.hold(player);
    tick(&mut world);
    world.release(player);
    tick(&mut world);
    assert_eq!(goal(&world, player), Cell::new(3, 6));
    (0..16).for_each(|_| tick(&mut world));
    assert_eq!(goal(&world, player), Cell::new(4, 6));
}

#[test]
fn a_table_with_the_cells_in_another_order_is_refused_once() {
    let map = grid(4);
    let good = table(&map, rules(1, 1));
    // The first two cells change places in the list.
    let mut bytes = good.bytes().to_vec();
    let cells = 176..176 + 4 * 16;
    let (one, other) = bytes[cells.clone()].split_at_mut(4);
    one.swap_with_slice(&mut other[..4]);
    let checksum = crc32fast::hash(&bytes[cells]);
    bytes[80..84].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..172]);
    bytes[172..176].copy_from_slice(&checksum.to_le_bytes());
    let forged = MixedTable::from_bytes(bytes.into()).expect("sound by itself");
    let mut world = world(&map, 0, &[]);
    let key = world
        .add_mixed_table(forged)
        .expect("it says that of a map");
    let chase = &add(&mut world, 1, Cell::new(3, 3), &[Cell::new(0, 0)])[0];
    let mut refused = 0;
    for _ in 0..20 {
        tick(&mut world);
        let why = NoTable::Foreign;
        let event = WorldEvent::TableCache(TableEvent::Refused { key, why });
        refused += world.events().iter().filter(|&told| *told == event).count();
        for id in chase.members() {
            assert_ne!(decided_by(&world, id), DRAWN);
        }
    }
    assert_eq!(refused, 1);
    // A sound one with the same key takes its place.
    world.add_mixed_table(good).expect("the table of a map");
    world.place(chase.robber, Cell::new(3, 3));
    world.place(chase.cops[0], Cell::new(0, 0));
    world.release(chase.robber);
    tick(&mut world);
    assert_eq!(decided_by(&world, chase.robber), DRAWN);
}

#[test]
fn a_table_of_a_graph_that_is_no_map_is_refused() {
    let map = grid(3);
    let mut bytes = table(&map, rules(1, 1)).bytes().to_vec();
    let cells = 4 * 9;
    bytes.drain(176..176 + cells);
    bytes[10] = 2;
    let length = bytes.len() as u64;
    bytes[36..44].copy_from_slice(&length.to_le_bytes());
    // The list of sections: a checksum, an offset and a length for each.
    for section in 0..4 {
        let entry = 76 + 24 * section;
        let offset = u64::from_le_bytes(bytes[entry + 8..entry + 16].try_into().expect("eight"));
        let (offset, length) = if section == 0 {
            bytes[entry + 4..entry + 8].copy_from_slice(&crc32fast::hash(&[]).to_le_bytes());
            (offset, 0_u64)
        } else {
            let length = bytes[entry + 16..entry + 24].try_into().expect("eight");
            (offset - cells as u64, u64::from_le_bytes(length))
        };
        bytes[entry + 8..entry + 16].copy_from_slice(&offset.to_le_bytes());
        bytes[entry + 16..entry + 24].copy_from_slice(&length.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes[..172]);
    bytes[172..176].copy_from_slice(&checksum.to_le_bytes());
    let of_graph = MixedTable::from_bytes(bytes.into()).expect("sound by itself");
    let refused = world(&map, 0, &[]).add_mixed_table(of_graph);
    assert!(
        matches!(refused, Err(TableError::Malformed { offset: 10, .. })),
        "{refused:?}"
    );
}
