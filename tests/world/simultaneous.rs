//! Pursuits in which both sides choose at once, with tables of mixed strategies and without.

use crate::common;
use crate::common::hall::{agent, external, settings, tick, tick_with};
use crate::common::mixed::{self, rules};
use bevy_pursuit::game::{Rules, Side, Speed, is_legal_move};
use bevy_pursuit::graph::TileEdit;
use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
use bevy_pursuit::policy::Source;
use bevy_pursuit::solve::simultaneous::{MixedTable, MixedValue};
use bevy_pursuit::table::TableError;
use bevy_pursuit::table_cache::{NoTable, TableEvent};
use bevy_pursuit::world::{
    AgentId, AgentSetup, Control, DecidedBy, MapLoader, PursuitClock, PursuitSettings,
    PursuitWorld, Reason, Snapshot, WorldEvent,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const DRAWN: DecidedBy = DecidedBy::Policy(Source::MixedTable);

fn table(map: &TileMap, rules: Rules) -> Arc<MixedTable> {
    mixed::table(map, rules).into()
}

fn grid(side: u16) -> TileMap {
    TileMap::filled(side, side, Terrain::Floor).expect("some cells")
}

/// A world in which each tick is a turn, with a table.
fn world(map: &TileMap, seed: u64, tables: &[&Arc<MixedTable>]) -> PursuitWorld {
    let settings = PursuitSettings {
        ticks_per_turn: 1,
        seed,
        ..settings(PursuitClock::Simultaneous)
    };
    let mut world = PursuitWorld::new(map, Moves::Octile, settings);
    for &table in tables {
        let added = world.add_mixed_table(Arc::clone(table));
        added.expect("the table of a map");
    }
    world
}

/// Adds pursuits with a robber and cops each, at the same places.
fn add(world: &mut PursuitWorld, pursuits: u32, robber: Cell, cops: &[Cell]) -> Vec<Chase> {
    let chases = (0..pursuits).map(|pursuit| {
        let mut insert = |side, cell| {
            let setup = AgentSetup::new(side, cell);
            world.insert(AgentSetup { pursuit, ..setup })
        };
        Chase {
            robber: insert(Side::Robber, robber),
            cops: cops.iter().map(|&cop| insert(Side::Cops, cop)).collect(),
        }
    });
    chases.collect()
}

struct Chase {
    robber: AgentId,
    cops: Vec<AgentId>,
}

impl Chase {
    fn members(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.cops.iter().copied().chain([self.robber])
    }
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

/// Where the move of an agent ends.
fn goal(world: &PursuitWorld, id: AgentId) -> Cell {
    let agent = world.agent(id).expect("an agent");
    let end = agent.way().last();
    end.map_or(agent.setup().cell, |&end| world.graph().cell(end))
}

fn decided_by(world: &PursuitWorld, id: AgentId) -> DecidedBy {
    world.agent(id).expect("an agent").state().decided_by
}

fn reason(world: &PursuitWorld, id: AgentId) -> Reason {
    world.agent(id).expect("an agent").state().reason
}

fn caught_in(world: &PursuitWorld, id: AgentId) -> Option<u64> {
    let agent = world.agent(id).expect("an agent");
    agent.caught().map(|catch| catch.turn)
}

fn value(table: &MixedTable, robber: Cell, cops: &[Cell]) -> MixedValue {
    let place = |cell: Cell| table.place(cell).expect("a cell of the map");
    let cops: Vec<usize> = cops.iter().map(|&cop| place(cop)).collect();
    table.value_at(place(robber), &cops).expect("a position")
}

/// Plays all chases to their ends, and returns the turns that they took.
fn play_out(world: &mut PursuitWorld, chases: &[Chase]) -> Vec<u64> {
    for _ in 0..100_000 {
        tick(world);
        let turns = chases.iter().map(|chase| caught_in(world, chase.robber));
        if let Some(turns) = turns.collect::<Option<Vec<u64>>>() {
            return turns;
        }
    }
    panic!("a chase has no end");
}

fn squared(number: f64) -> f64 {
    number * number
}

/// The mean, and its standard error.
fn mean(turns: &[u64]) -> (f64, f64) {
    let count = turns.len() as f64;
    let mean = turns.iter().sum::<u64>() as f64 / count;
    let squares = turns.iter().map(|&turns| squared(turns as f64 - mean));
    (mean, (squares.sum::<f64>() / (count - 1.0) / count).sqrt())
}

/// Fails if counts differ from their probabilities by more than chance explains: Pearson's statistic is more than six
/// standard deviations above its mean. What is expected less than five times counts as one case.
fn assert_likely<K: Ord>(found: &BTreeMap<K, u64>, expected: &BTreeMap<K, f64>) {
    let all = found.values().sum::<u64>() as f64;
    for key in found.keys() {
        assert!(expected.contains_key(key), "only moves of the table");
    }
    let (mut statistic, mut cases, mut rare) = (0.0, 0.0, (0.0, 0.0));
    for (key, share) in expected {
        let (found, expected) = (found.get(key).copied().unwrap_or(0) as f64, share * all);
        if expected < 5.0 {
            rare = (rare.0 + found, rare.1 + expected);
        } else {
            statistic += squared(found - expected) / expected;
            cases += 1.0;
        }
    }
    statistic += squared(rare.0 - rare.1) / rare.1.max(1.0);
    assert!(cases > 1.0, "it is a draw");
    let most = cases + 6.0 * f64::sqrt(2.0 * cases) + 6.0;
    assert!(statistic < most, "{statistic} in {cases} cases");
}

#[test]
fn captures_take_as_long_as_the_table_says() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    for (robber, cop) in [((1, 1), (3, 3)), ((0, 0), (1, 1)), ((2, 2), (2, 3))] {
        let [robber, cop] = [robber, cop].map(|(x, y)| Cell::new(x, y));
        let mut turns = Vec::new();
        for seed in 0..4 {
            let mut world = world(&map, seed, &[&table]);
            let chases = add(&mut world, 1000, robber, &[cop]);
            turns.extend(play_out(&mut world, &chases));
        }
        let (mean, error) = mean(&turns);
        let MixedValue { lower, upper } = value(&table, robber, &[cop]);
        let likely = lower - 4.0 * error..upper + 4.0 * error;
        assert!(
            likely.contains(&mean),
            "{mean} of {lower} to {upper}, {error}"
        );
        assert!(error < 0.02 * mean, "the test is sharp: {error} of {mean}");
    }
}

#[test]
fn two_cops_take_as_long_as_their_table_says() {
    let map = grid(4);
    let table = table(&map, rules(2, 1));
    let (robber, cops) = (Cell::new(0, 0), [Cell::new(3, 3), Cell::new(3, 2)]);
    let mut world = world(&map, 1, &[&table]);
    let chases = add(&mut world, 4000, robber, &cops);
    let (mean, error) = mean(&play_out(&mut world, &chases));
    let MixedValue { lower, upper } = value(&table, robber, &cops);
    let likely = lower - 4.0 * error..upper + 4.0 * error;
    assert!(
        likely.contains(&mean),
        "{mean} of {lower} to {upper}, {error}"
    );
    assert!(error < 0.02 * mean, "the test is sharp: {error} of {mean}");
}

#[test]
fn a_robber_that_runs_as_it_likes_is_captured_no_later_than_the_table_says() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let [robber, cop] = [Cell::new(1, 1), Cell::new(3, 3)];
    let mut world = world(&map, 5, &[&table]);
    let chases = add(&mut world, 2000, robber, &[cop]);
    for chase in &chases {
        // A player that runs in circles.
        let control = Control::Steer { dx: 1, dy: 0 };
        world.change(chase.robber, |robber| robber.control = control);
    }
    let mut turns = 0_u32;
    while chases
        .iter()
        .any(|chase| caught_in(&world, chase.robber).is_none())
    {
        tick(&mut world);
        turns += 1;
        let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns as usize / 3 % 4];
        for chase in &chases {
            let control = Control::Steer { dx, dy };
            world.change(chase.robber, |robber| robber.control = control);
            if caught_in(&world, chase.robber).is_none() && turns > 1 {
                assert_eq!(decided_by(&world, chase.cops[0]), DRAWN);
            }
        }
    }
    let turns: Vec<u64> = chases
        .iter()
        .filter_map(|chase| caught_in(&world, chase.robber))
        .collect();
    let (mean, error) = mean(&turns);
    let most = value(&table, robber, &[cop]).upper * (1.0 + table.exploitability().cops);
    assert!(mean < most + 4.0 * error, "{mean} of {most}");
}

/// The joint frequencies of both sides' first moves are the products of the table's shares, over pursuits and over
/// seeds.
#[test]
fn both_sides_draw_independently_with_the_shares_of_the_table() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let [robber, cop] = [Cell::new(1, 1), Cell::new(2, 2)];
    let place = |cell: Cell| table.place(cell).expect("a cell");
    let shares = table.strategies_at(place(robber), &[place(cop)]);
    let shares = shares.expect("a position");
    assert!(shares.robber.len() > 1 && shares.cops.len() > 1, "both mix");
    let mut expected = BTreeMap::new();
    for &(robber, share) in &shares.robber {
        for (cops, of_cops) in &shares.cops {
            let cells = [robber, cops[0]].map(|place| table.cells()[place]);
            expected.insert(cells, share * of_cops);
        }
    }
    let mut found = BTreeMap::new();
    let mut note = |world: &PursuitWorld, chase: &Chase| {
        let goals = [chase.robber, chase.cops[0]].map(|id| goal(world, id));
        *found.entry(goals).or_insert(0) += 1;
    };
    let mut of_pursuits = world(&map, 9, &[&table]);
    let chases = add(&mut of_pursuits, 10_000, robber, &[cop]);
    tick(&mut of_pursuits);
    for chase in &chases {
        note(&of_pursuits, chase);
    }
    for seed in 0..2_000 {
        let mut world = world(&map, seed, &[&table]);
        let chases = add(&mut world, 1, robber, &[cop]);
        tick(&mut world);
        note(&world, &chases[0]);
    }
    // And over the turns of one pursuit.
    let mut of_turns = world(&map, 10, &[&table]);
    let chase = &add(&mut of_turns, 1, robber, &[cop])[0];
    for _ in 0..5_000 {
        of_turns.place(chase.robber, robber);
        of_turns.place(chase.cops[0], cop);
        of_turns.release(chase.robber);
        tick(&mut of_turns);
        note(&of_turns, chase);
    }
    assert_likely(&found, &expected);
}

#[test]
fn all_cops_of_a_team_draw_one_joint_move() {
    let map = grid(4);
    let table = table(&map, rules(2, 1));
    let cells: Vec<Cell> = map.cells().collect();
    let place = |cell: Cell| table.place(cell).expect("a cell");
    // A position in which the moves of the two cops depend on each other most.
    let mut best = (0.0, None);
    for &robber in &cells {
        for &one in &cells {
            for &other in cells.iter().filter(|&&other| place(other) > place(one)) {
                let cops = [place(one), place(other)];
                let shares = table.strategies_at(place(robber), &cops);
                let cops = shares.expect("a position").cops;
                let of = |index: usize, goal: usize| -> f64 {
                    let same = cops.iter().filter(|(goals, _)| goals[index] == goal);
                    same.map(|(_, share)| share).sum()
                };
                let apart = |(goals, share): &(Vec<usize>, f64)| {
                    (share - of(0, goals[0]) * of(1, goals[1])).abs()
                };
                let apart: f64 = cops.iter().map(apart).sum();
                if apart > best.0 {
                    best = (apart, Some((robber, [one, other], cops)));
                }
            }
        }
    }
    let (apart, Some((robber, cops, shares))) = best else {
        panic!("no position with a mixed move");
    };
    assert!(apart > 0.2, "{apart}");
    // The order of the cops in the world is not that of the table.
    let mut world = world(&map, 3, &[&table]);
    let chases = add(&mut world, 10_000, robber, &[cops[1], cops[0]]);
    tick(&mut world);
    let mut found = BTreeMap::new();
    for chase in &chases {
        let goals = [chase.cops[1], chase.cops[0]].map(|id| goal(&world, id));
        *found.entry(goals).or_insert(0) += 1;
    }
    let cells = |goals: &[usize]| [goals[0], goals[1]].map(|place| table.cells()[place]);
    let shares = shares.iter().map(|(goals, share)| (cells(goals), *share));
    assert_likely(&found, &shares.collect());
}

#[test]
fn drawn_moves_are_legal_and_all_begin_and_end_with_the_turn() {
    let map = common::map(&["......", ".##.#.", "......", ".#..#.", "......"]);
    let table = table(&map, rules(1, 2));
    let settings = PursuitSettings {
        ticks_per_turn: 6,
        ..settings(PursuitClock::Simultaneous)
    };
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    world.add_mixed_table(table).expect("the table of a map");
    let cop = world.insert(AgentSetup {
        speed: Speed::new(2).expect("a speed"),
        ..agent(Side::Cops, 5, 4)
    });
    let robber = world.insert(agent(Side::Robber, 0, 0));
    let mut captures = 0;
    for ticks in 0..6 * 3000 {
        let before = [cop, robber].map(|id| cell(&world, id));
        tick(&mut world);
        if ticks % 6 != 0 {
            assert_eq!([cop, robber].map(|id| cell(&world, id)), before);
            continue;
        }
        if caught_in(&world, robber).is_some() {
            captures += 1;
            world.place(robber, Cell::new(0, 0));
            world.place(cop, Cell::new(5, 4));
            world.release(robber);
            continue;
        }
        for (id, speed) in [(cop, 2), (robber, 1)] {
            let agent = world.agent(id).expect("an agent");
            assert_eq!(agent.state().decided_by, DRAWN);
            assert_eq!(agent.state().reason, Reason::None);
            let from = world.graph().vertex(agent.setup().cell).expect("a vertex");
            let speed = Speed::new(speed).expect("a speed");
            assert!(is_legal_move(world.graph(), from, agent.way(), speed));
            assert_eq!(agent.times(), (world.tick(), world.tick() + 6));
        }
        assert!(world.pursuit(0).expect("it is there").is_exact());
    }
    assert!(captures > 100, "{captures}");
}

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
    world.order(cop_id, &way((cop, robber)));
    world.order(robber_id, &way((robber, cop)));
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
    assert_eq!(cell(&world, robber_id), Cell::new(cop.0, cop.1));
    let is_caught = caught_in(&world, robber_id).is_some();
    assert_eq!(told, usize::from(is_caught));
    is_caught
}

#[test]
fn agents_that_exchange_their_cells_along_an_edge_meet() {
    use PursuitClock::{FreeRunning, Simultaneous, Turns};
    for (cop, robber, speed, meet) in [
        ((1, 1), (2, 1), 1, true),
        ((1, 1), (2, 2), 1, true),
        ((2, 3), (2, 2), 1, true),
        // Also if they could walk further.
        ((1, 1), (2, 1), 2, true),
        // Further apart than an edge, only the ends of moves count.
        ((1, 1), (3, 1), 2, false),
        ((1, 1), (3, 3), 2, false),
    ] {
        assert_eq!(exchange(Simultaneous, cop, robber, speed), meet, "{cop:?}");
        assert!(!exchange(Turns, cop, robber, speed), "{cop:?}");
        assert!(!exchange(FreeRunning, cop, robber, speed), "{cop:?}");
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
        let of = |(_, agent): (AgentId, &bevy_pursuit::world::AgentRecord)| {
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

/// The cops do not know where a robber goes that the game has sent on its way in the same tick.
#[test]
fn a_draw_does_not_depend_on_orders_of_the_same_turn() {
    let map = grid(5);
    let table = table(&map, rules(1, 1));
    let goals = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 2)].map(|to| {
        let mut world = world(&map, 4, &[&table]);
        let cop = world.insert(agent(Side::Cops, 3, 3));
        let robber = world.insert(external(Side::Robber, 1, 1));
        let mut goals = Vec::new();
        for _ in 0..40 {
            world.place(cop, Cell::new(3, 3));
            world.place(robber, Cell::new(1, 1));
            world.begin_tick(&[]);
            world.arrive();
            world.order(robber, &[to]);
            world.decide(&mut bevy_pursuit::world::Expansions(1000));
            assert_eq!(decided_by(&world, cop), DRAWN);
            goals.push(goal(&world, cop));
        }
        goals
    });
    assert_eq!(goals[0], goals[1]);
    assert_eq!(goals[0], goals[2]);
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
