//! Agents of different kinds: guards' doors, ghosts' houses, vents, and keys.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use crate::common::map_rules::{any_kinds, steps_of};
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Outcome, Rules, Side, Speed, Turns};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solver};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, PursuitClock, PursuitWorld, WorldEvent,
};
use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroU8;
use std::sync::Arc;

const GUARD: Kinds = Kinds::from_bits(1);
const MOUSE: Kinds = Kinds::from_bits(2);

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

/// A map in which the digits are floor for some kinds: `1` for guards, `2` for mice.
fn kinds_map(rows: &[&str]) -> TileMap {
    let plain: Vec<String> = rows
        .iter()
        .map(|row| row.replace(['1', '2'], "."))
        .collect();
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    let mut map = map(&plain);
    for (y, row) in rows.iter().enumerate() {
        for (x, sign) in row.bytes().enumerate() {
            let kinds = match sign {
                b'1' => GUARD,
                b'2' => MOUSE,
                _ => continue,
            };
            let at = Cell::new(x as u16, y as u16);
            map.rules_mut().apply(MapEdit::Kinds { at, kinds });
        }
    }
    map
}

fn of_kinds(side: Side, at: (u16, u16), kinds: Kinds) -> AgentSetup {
    AgentSetup {
        kinds,
        ..agent(side, at.0, at.1)
    }
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("there").setup().cell
}

fn is_caught(world: &PursuitWorld, id: AgentId) -> bool {
    world
        .agent(id)
        .is_some_and(|agent| agent.caught().is_some())
}

#[test]
fn a_guard_comes_through_the_guards_door_and_a_robber_does_not() {
    for clock in CLOCKS {
        let map = kinds_map(&["...#...", "...1...", "...#..."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let robber = world.insert(of_kinds(Side::Robber, (5, 0), Kinds::NONE));
        world.insert(of_kinds(Side::Cops, (0, 1), Kinds::NONE));
        let events = turns(&mut world, 12);
        assert!(!is_caught(&world, robber), "{clock:?}");
        assert!(
            events.contains(&WorldEvent::OutOfReach(robber)),
            "{clock:?}"
        );
        for at in [(0, 0), (0, 2)] {
            world.insert(of_kinds(Side::Cops, at, GUARD));
        }
        assert_eq!(world.grounds(), 2);
        let events = turns(&mut world, 40);
        assert!(
            events.contains(&WorldEvent::WithinReach(robber)),
            "{clock:?}"
        );
        assert!(is_caught(&world, robber), "{clock:?}");
    }
}

#[test]
fn a_mouse_runs_into_its_hole_and_stays_there() {
    for clock in CLOCKS {
        let map = kinds_map(&["........", ".######.", ".......2", "#######2", "#2222222"]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let mouse = world.insert(of_kinds(Side::Robber, (3, 2), MOUSE));
        for x in [0, 1] {
            world.insert(of_kinds(Side::Cops, (x, 2), Kinds::NONE));
        }
        let events = turns(&mut world, 30);
        assert!(!is_caught(&world, mouse), "{clock:?}");
        assert!(
            cell(&world, mouse).y >= 2 && cell(&world, mouse).x > 0,
            "{clock:?}"
        );
        assert!(events.contains(&WorldEvent::OutOfReach(mouse)), "{clock:?}");
        // A cat that is a mouse, too, follows.
        world.insert(of_kinds(Side::Cops, (4, 2), GUARD | MOUSE));
        turns(&mut world, 40);
        assert!(is_caught(&world, mouse), "{clock:?}");
    }
}

#[test]
fn a_key_opens_the_way_and_its_loss_closes_it_in_mid_step() {
    for clock in CLOCKS {
        let map = kinds_map(&["....11111...."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let goal = Cell::new(12, 0);
        let walker = world.insert(AgentSetup {
            control: Control::WalkTo(goal),
            speed: Speed::new(2).expect("a speed"),
            ..agent(Side::Cops, 0, 0)
        });
        let events = turns(&mut world, 6);
        assert!(events.contains(&WorldEvent::NoWay(walker)), "{clock:?}");
        assert!(cell(&world, walker).x < 4, "{clock:?}");
        world.change(walker, |setup| setup.kinds = GUARD);
        let mut ticks = 0;
        while cell(&world, walker).x < 4 {
            tick(&mut world, &[]);
            ticks += 1;
            assert!(ticks < 20 * LENGTH, "{clock:?}");
        }
        // Without its key, it leaves the guards' ground by the next exit, or stays shut in.
        world.change(walker, |setup| setup.kinds = Kinds::NONE);
        let stood = cell(&world, walker);
        turns(&mut world, 4);
        assert!(cell(&world, walker).x <= stood.x, "{clock:?}");
        world.change(walker, |setup| setup.kinds = GUARD);
        let events = turns(&mut world, 20);
        assert!(events.contains(&WorldEvent::Arrived(walker)), "{clock:?}");
    }
}

#[test]
fn tiles_change_their_kinds_in_play() {
    for clock in CLOCKS {
        let map = kinds_map(&["...#...", "...#...", "......."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let goal = Cell::new(6, 0);
        let walk = |kinds| AgentSetup {
            control: Control::WalkTo(goal),
            kinds,
            ..agent(Side::Cops, 0, 0)
        };
        let plain = world.insert(walk(Kinds::NONE));
        let guard = world.insert(walk(GUARD));
        let edit = |kinds| {
            let at = Cell::new(3, 2);
            [MapEdit::Kinds { at, kinds }]
        };
        tick(&mut world, &edit(GUARD));
        assert_eq!(world.grounds(), 2);
        turns(&mut world, 12);
        assert_eq!(cell(&world, guard), goal, "{clock:?}");
        assert!(cell(&world, plain).x < 3, "{clock:?}");
        assert!(world.hierarchy_for(GUARD).is_some());
        tick(&mut world, &edit(Kinds::ALL));
        assert_eq!(world.grounds(), 1);
        turns(&mut world, 12);
        assert_eq!(cell(&world, plain), goal, "{clock:?}");
    }
}

#[test]
fn kinds_that_can_go_nowhere_and_tiles_for_nobody_do_no_harm() {
    for clock in CLOCKS {
        let mut map = kinds_map(&["222", "222"]);
        for at in map.cells().collect::<Vec<_>>() {
            map.rules_mut().apply(MapEdit::Kinds {
                at,
                kinds: Kinds::NONE,
            });
        }
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let all = [Kinds::NONE, GUARD, Kinds::ALL];
        let ids = all.map(|kinds| world.insert(of_kinds(Side::Cops, (1, 0), kinds)));
        world.insert(of_kinds(Side::Robber, (0, 1), Kinds::ALL));
        turns(&mut world, 4);
        for id in ids {
            assert_eq!(cell(&world, id), Cell::new(1, 0));
        }
    }
}

/// Agents of no kind play as if tiles for others were walls: by the same tables, move for move.
#[test]
fn agents_of_no_kind_play_by_tables_and_exactly_as_between_walls() {
    let rows = ["......", ".#.1#.", ".1..#.", ".#22..", "......"];
    let walls: Vec<String> = rows
        .iter()
        .map(|row| row.replace(['1', '2'], "#"))
        .collect();
    let walls: Vec<&str> = walls.iter().map(String::as_str).collect();
    let play = |map: &TileMap| {
        let mut world = PursuitWorld::new(map, Moves::Octile, {
            let mut settings = settings(PursuitClock::Turns);
            settings.tables.solve = true;
            settings
        });
        for (x, y) in [(0, 0), (5, 4)] {
            world.insert(agent(Side::Cops, x, y));
        }
        world.insert(agent(Side::Robber, 2, 2));
        // Another pursuit, whose agents walk on other grounds.
        world.insert(AgentSetup {
            pursuit: 7,
            ..of_kinds(Side::Cops, (0, 4), GUARD)
        });
        let (mut cells, mut by_table) = (Vec::new(), 0);
        for _ in 0..20 * LENGTH {
            world.begin_tick(&[]);
            while let Some(request) = world.next_request() {
                deliver(&mut world, request);
            }
            world.arrive();
            world.decide(&mut Expansions(10_000));
            let agents = world
                .agents()
                .filter(|(_, agent)| agent.setup().pursuit == 0);
            let now: Vec<_> = agents
                .map(|(_, agent)| (agent.setup().cell, *agent.state()))
                .collect();
            let table = DecidedBy::Policy(Source::Table);
            by_table += now
                .iter()
                .filter(|(_, state)| state.decided_by == table)
                .count();
            cells.push(now);
        }
        (cells, by_table)
    };
    let (with_kinds, by_table) = play(&kinds_map(&rows));
    let (with_walls, _) = play(&map(&walls));
    assert!(by_table > 0);
    assert_eq!(with_kinds, with_walls);
}

/// The turns in which a team of live cops captures a robber of another kind, and the turns of the exact table, on small
/// random maps. The table is solved for the two grounds.
#[test]
fn cops_of_other_kinds_than_their_robber_play_well() {
    let (mut games, mut late, mut sum, mut best_sum) = (0, 0, 0, 0);
    for seed in 0..400 {
        let dice = &mut Dice::new(seed);
        let Some((map, cops, robber, kinds)) = any_game(dice) else {
            continue;
        };
        let own = Graph::new(&map, Moves::Octile);
        let [of_cops, of_robber] = kinds.map(|kinds| own.for_walker(kinds));
        let union = own.for_walker(Kinds::ALL);
        let arena = Arena::builder(&union)
            .cops(&of_cops)
            .robber(&of_robber)
            .build();
        let arena = arena.expect("two grounds");
        let rules = Rules {
            cops: NonZeroU8::MIN.saturating_add(1),
            ..Rules::default()
        };
        let mut solver = Solver::new(Arc::new(arena), rules, 1 << 24).expect("a small table");
        solver.run(|_| true);
        let solution = solver.finish().expect("done");
        let at = |cell: Cell| union.vertex(cell).expect("floor");
        let value = solution.value(at(robber), &cops.map(at));
        let Some(Outcome::Caught(Turns(best))) = value else {
            continue;
        };
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(PursuitClock::Turns));
        for cop in cops {
            world.insert(of_kinds(Side::Cops, (cop.x, cop.y), kinds[0]));
        }
        let prey = world.insert(of_kinds(Side::Robber, (robber.x, robber.y), kinds[1]));
        let most = 4 * u32::from(best) + 20;
        let mut taken = 0;
        while !is_caught(&world, prey) && taken < most {
            turns(&mut world, 1);
            taken += 1;
        }
        games += 1;
        late += u32::from(!is_caught(&world, prey));
        sum += taken;
        best_sum += u32::from(best);
    }
    eprintln!("{games} games, {late} not captured, {sum} turns, optimum {best_sum}");
    assert!(games > 60, "{games}");
    assert!(late * 20 <= games, "{late} of {games}");
    assert!(sum <= 2 * best_sum, "{sum} turns, optimum {best_sum}");
}

type Game = (TileMap, [Cell; 2], Cell, [Kinds; 2]);

/// A map of 8 x 8 cells, two cops and a robber of other kinds, each on a cell that it may enter.
fn any_game(dice: &mut Dice) -> Option<Game> {
    let mut map = TileMap::filled(8, 8, Terrain::Floor)?;
    for at in map.cells().collect::<Vec<_>>() {
        match dice.below(10) {
            0 | 1 => map.set(at, Terrain::Wall),
            2 => {
                let kinds = any_kinds(dice);
                map.rules_mut().apply(MapEdit::Kinds { at, kinds });
            }
            _ => {}
        }
    }
    let kinds = [any_kinds(dice), any_kinds(dice)];
    let reached = |kinds: Kinds, from: Cell| {
        let mut all = BTreeSet::from([from]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for next in steps_of(&map, Moves::Octile, kinds, at) {
                if all.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        all
    };
    let free: Vec<Cell> = map.cells().filter(|&at| map.is_passable(at)).collect();
    let open: Vec<Cell> = free
        .into_iter()
        .filter(|&at| map.rules().kinds(at) == Kinds::ALL)
        .collect();
    let start = dice.pick(&open)?;
    let of_cops: Vec<Cell> = reached(kinds[0], start).into_iter().collect();
    let of_robber: Vec<Cell> = reached(kinds[1], start).into_iter().collect();
    let cops = [dice.pick(&of_cops)?, dice.pick(&of_cops)?];
    let robber = dice.pick(&of_robber)?;
    (kinds[0] != kinds[1] && !cops.contains(&robber)).then_some((map, cops, robber, kinds))
}
