//! Live games by exact tables where sides walk on different grounds, robbers leave by exits, or cops capture at a distance.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map_rules::{any_kinds, steps_of};
use crate::common::table_cache::deliver;
use crate::common::variant_game::{VariantAgents, VariantGame, VariantValue};
use pursuit_engine::game::{Outcome, Rules, Side, Speed, Turns, Value, Variant};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, PursuitLevel, Terrain, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solution, Solver, Table, TableGround};
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, PursuitClock, PursuitWorld, Reason, WorldEvent,
};
use std::collections::VecDeque;
use std::num::NonZeroU8;
use std::sync::Arc;

/// A game on a map: who starts where, and by which rules.
#[derive(Clone)]
struct Game {
    map: TileMap,
    cops: Vec<Cell>,
    robber: Cell,
    /// The kinds of the cops and of the robber.
    kinds: [Kinds; 2],
    speeds: [u8; 2],
    reach: u8,
}

fn speed(steps: u8) -> Speed {
    Speed::new(steps).expect("a speed")
}

/// A random map of some kinds and exits, with agents on cells that they may enter.
fn any_game(dice: &mut Dice, side: u16, most_cops: usize) -> Option<Game> {
    let mut map = TileMap::filled(side, side, Terrain::Floor)?;
    for at in map.cells().collect::<Vec<_>>() {
        let edit = match dice.below(24) {
            0..5 => {
                map.set(at, Terrain::Wall);
                continue;
            }
            5..8 => MapEdit::Kinds {
                at,
                kinds: any_kinds(dice),
            },
            8 => MapEdit::Exit {
                at,
                kinds: [Kinds::ALL, any_kinds(dice)][dice.below(2)],
            },
            _ => continue,
        };
        map.rules_mut().apply(edit);
    }
    let kinds = match dice.below(3) {
        0 => [Kinds::NONE; 2],
        _ => [any_kinds(dice), any_kinds(dice)],
    };
    let own = Graph::new(&map, Moves::Octile);
    let mut any = |kinds: Kinds| {
        let cells: Vec<Cell> = map
            .cells()
            .filter(|&at| own.for_walker(kinds).is_passable(at))
            .collect();
        dice.pick(&cells)
    };
    let first = any(kinds[0])?;
    let robber = any(kinds[1])?;
    let second = any(kinds[0])?;
    let cops = [first, second][..=dice.below(most_cops)].to_vec();
    Some(Game {
        cops,
        robber,
        kinds,
        speeds: [1, 1 + u8::from(dice.below(4) == 0)],
        reach: [0, 0, 1, 2][dice.below(4)],
        map,
    })
}

impl Game {
    fn rules(&self) -> Rules {
        Rules {
            cops: NonZeroU8::new(self.cops.len() as u8).expect("cops"),
            cop_speed: speed(self.speeds[0]),
            robber_speed: speed(self.speeds[1]),
            moves: Moves::Octile,
        }
    }

    fn world(&self, solves: bool) -> (PursuitWorld, AgentId) {
        let mut settings = settings(PursuitClock::Turns);
        settings.tables.solve = solves;
        settings.tables.timing = TableTiming::WhenReady;
        let mut world = PursuitWorld::new(&self.map, Moves::Octile, settings);
        for cop in &self.cops {
            world.insert(AgentSetup {
                kinds: self.kinds[0],
                reach: self.reach,
                speed: speed(self.speeds[0]),
                ..agent(Side::Cops, cop.x, cop.y)
            });
        }
        let robber = world.insert(AgentSetup {
            kinds: self.kinds[1],
            speed: speed(self.speeds[1]),
            ..agent(Side::Robber, self.robber.x, self.robber.y)
        });
        (world, robber)
    }

    /// The game by its definition, on the cells that are passable for anybody.
    fn by_definition(&self) -> (Vec<Cell>, VariantGame) {
        let cells: Vec<Cell> = self
            .map
            .cells()
            .filter(|&at| self.map.is_passable(at))
            .collect();
        let stands = |at: Cell, kinds: Kinds| self.map.rules().kinds(at).admits(kinds);
        let steps = |kinds: Kinds| -> Vec<Vec<usize>> {
            let of_cell = |&at: &Cell| {
                if !stands(at, kinds) {
                    return Vec::new();
                }
                let next = steps_of(&self.map, Moves::Octile, kinds, at).into_iter();
                next.map(|to| cells.binary_search_by_key(&(to.y, to.x), |at| (at.y, at.x)))
                    .map(|place| place.expect("floor"))
                    .collect()
            };
            cells.iter().map(of_cell).collect()
        };
        let cop_out = steps(self.kinds[0]);
        let within = |from: usize| {
            let mut far = vec![usize::MAX; cells.len()];
            far[from] = 0;
            let mut queue = VecDeque::from([from]);
            while let Some(at) = queue.pop_front() {
                for &next in &cop_out[at] {
                    if far[next] == usize::MAX {
                        far[next] = far[at] + 1;
                        queue.push_back(next);
                    }
                }
            }
            far.into_iter()
                .map(|far| far <= self.reach.into())
                .collect()
        };
        let exits: Vec<Cell> = self
            .map
            .rules()
            .exits()
            .filter(|(_, kinds)| kinds.admits(self.kinds[1]))
            .map(|(at, _)| at)
            .collect();
        let ground = |kinds: Kinds| cells.iter().map(|&at| stands(at, kinds)).collect();
        let game = VariantGame {
            captures: (0..cells.len()).map(within).collect(),
            robber_out: steps(self.kinds[1]),
            cop_ground: ground(self.kinds[0]),
            robber_ground: ground(self.kinds[1]),
            exits: cells.iter().map(|at| exits.contains(at)).collect(),
            distinct: false,
            after_robber: false,
            cop_out,
        };
        (cells, game)
    }
}

/// The table of the game on the present map of a world, by an arena that is put together here.
fn table_now(world: &PursuitWorld, game: &Game) -> (Graph, Solution) {
    let base = world.graph().for_walker(Kinds::ALL);
    let [cops, robber] = game.kinds.map(|kinds| world.graph().for_walker(kinds));
    let exits: Vec<_> = robber
        .iter()
        .filter(|&at| robber.is_exit(robber.cell(at)))
        .collect();
    let arena = Arena::builder(&base)
        .cops(&cops)
        .robber(&robber)
        .exits(&exits)
        .variant(Variant {
            reach: game.reach,
            ..Variant::default()
        })
        .build()
        .expect("grounds");
    let mut solver = Solver::new(Arc::new(arena), game.rules(), 1 << 26).expect("a small table");
    solver.run(|_| true);
    (base, solver.finish().expect("done"))
}

/// The value of the present position of a world; `None` if somebody stands off their ground.
fn value_now(world: &PursuitWorld, game: &Game) -> Option<Outcome> {
    let (base, solution) = table_now(world, game);
    let all: Vec<_> = world.agents().map(|(_, agent)| agent.setup()).collect();
    let at = |setup: &AgentSetup| base.vertex(setup.cell);
    let (cops, robber): (Vec<&AgentSetup>, Vec<_>) =
        all.into_iter().partition(|setup| setup.side == Side::Cops);
    let cops: Option<Vec<_>> = cops.into_iter().map(at).collect();
    solution.value(at(robber[0])?, &cops?)
}

/// How a game ended.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum End {
    Caught,
    Away,
}

/// A tick in which requested tables arrive at once.
fn tick(world: &mut PursuitWorld, edits: &[MapEdit]) -> Option<End> {
    world.begin_tick_with(edits);
    while let Some(request) = world.next_request() {
        deliver(world, request);
    }
    world.arrive();
    world.decide(&mut Expansions(10_000));
    while let Some(request) = world.next_request() {
        deliver(world, request);
    }
    world.events().iter().find_map(|event| match event {
        WorldEvent::Captured { .. } => Some(End::Caught),
        WorldEvent::Away { .. } => Some(End::Away),
        _ => None,
    })
}

/// The turns that the game still takes, and its end; `None` if it goes on for `most` turns. Each turn begins with the call.
fn turns_left(world: &mut PursuitWorld, most: u32) -> Option<(u32, End)> {
    for turn in 0..=most {
        for _ in 0..LENGTH {
            if let Some(end) = tick(world, &[]) {
                return Some((turn, end));
            }
        }
    }
    None
}

fn is_by_table(world: &PursuitWorld, side: Side) -> bool {
    let of_side = |agent: &AgentSetup| agent.side == side;
    let mut all = world.agents().filter(|(_, agent)| of_side(agent.setup()));
    all.all(|(_, agent)| agent.state().decided_by == DecidedBy::Policy(Source::Table))
}

/// Checks that a game of this value ends as the value says when both sides play by the table from now on.
fn assert_ends(world: &mut PursuitWorld, value: Outcome, context: &str) {
    let most = 30;
    let expected = match value {
        Outcome::Caught(Turns(turns)) => Some((u32::from(turns), End::Caught)),
        Outcome::Away(Turns(turns)) => Some((u32::from(turns), End::Away)),
        Outcome::Escapes => None,
    };
    if expected.is_none_or(|(turns, _)| turns <= most) {
        assert_eq!(turns_left(world, most), expected, "{context}: {value:?}");
    }
}

fn solve(arena: Arena, rules: Rules) -> Table {
    let mut solver = Solver::new(Arc::new(arena), rules, 1 << 26).expect("a small table");
    solver.run(|_| true);
    Table::of(&solver.finish().expect("done"))
}

/// Tables that the game supplies decide from the first turn on.
#[test]
fn live_games_by_supplied_tables_take_as_many_turns_as_the_tables_say() {
    let (mut caught, mut away, mut free) = (0, 0, 0);
    for seed in 0..600 {
        let dice = &mut Dice::new(seed);
        let Some(game) = any_game(dice, 7, 2) else {
            continue;
        };
        let (mut world, _) = game.world(false);
        let Some(value) = value_now(&world, &game) else {
            continue;
        };
        let own = world.graph().clone();
        let [cops, robber] = game.kinds.map(|kinds| own.for_walker(kinds));
        let arena = Arena::of_ground(TableGround {
            cops: &cops,
            robber: &robber,
            exits: true,
            reach: game.reach,
        });
        let table = solve(arena.expect("grounds"), game.rules());
        let table = Table::from_bytes(table.bytes().clone()).expect("our bytes");
        world
            .table_cache_mut()
            .add_asset(table)
            .expect("a table of a map");
        match value {
            Outcome::Caught(_) => caught += 1,
            Outcome::Away(_) => away += 1,
            Outcome::Escapes => free += 1,
        }
        assert_ends(&mut world, value, &format!("seed {seed}"));
    }
    assert!(
        caught > 100 && away > 60 && free > 40,
        "{caught} {away} {free}"
    );
}

/// The values of the live game by its definition, which shares no code with the engine.
#[test]
fn live_games_take_as_many_turns_as_their_definition_says() {
    let mut games = 0;
    for seed in 1000..1120 {
        let dice = &mut Dice::new(seed);
        let Some(game) = any_game(dice, 5, 1) else {
            continue;
        };
        let (cells, defined) = game.by_definition();
        let values = defined.solve(VariantAgents {
            cops: game.cops.len(),
            cop_speed: game.speeds[0],
            robber_speed: game.speeds[1],
        });
        let place = |cell: &Cell| cells.iter().position(|at| at == cell).expect("floor");
        let cops: Vec<usize> = game.cops.iter().map(place).collect();
        let (mut world, _) = game.world(false);
        let [cops_on, robber_on] = game.kinds.map(|kinds| world.graph().for_walker(kinds));
        let ground = TableGround {
            cops: &cops_on,
            robber: &robber_on,
            exits: true,
            reach: game.reach,
        };
        let table = solve(Arena::of_ground(ground).expect("grounds"), game.rules());
        world
            .table_cache_mut()
            .add_asset(table)
            .expect("a table of a map");
        let turns = |turns: u32| Turns(turns as u16);
        let value = match values[defined.index(place(&game.robber), &cops)] {
            VariantValue::Caught(number) => Outcome::Caught(turns(number)),
            VariantValue::Away(number) => Outcome::Away(turns(number)),
            VariantValue::Free => Outcome::Escapes,
            VariantValue::Illegal => continue,
        };
        games += 1;
        assert_ends(&mut world, value, &format!("seed {seed}"));
    }
    assert!(games > 80, "{games}");
}

/// Doors open and close and tiles get other kinds; the tables that live games request from then on are those of the new map.
#[test]
fn edits_in_between_lead_to_new_tables() {
    let (mut games, mut ends) = (0, 0);
    for seed in 2000..2200 {
        let dice = &mut Dice::new(seed);
        let Some(game) = any_game(dice, 7, 2) else {
            continue;
        };
        let (mut world, _) = game.world(true);
        let mut is_over = false;
        for _ in 0..3 * LENGTH {
            let at = Cell::new(dice.below(7) as u16, dice.below(7) as u16);
            let taken = world.agents().any(|(_, agent)| {
                let graph = world.graph();
                let way = agent.way().iter().map(|&at| graph.cell(at));
                way.chain([agent.setup().cell]).any(|cell| cell == at)
            });
            let edit = match dice.below(60) {
                0 | 1 if !taken => MapEdit::Cell {
                    at,
                    passable: dice.below(2) == 0,
                },
                2 | 3 if !taken => MapEdit::Kinds {
                    at,
                    kinds: any_kinds(dice),
                },
                4 => MapEdit::Exit {
                    at,
                    kinds: [Kinds::ALL, Kinds::NONE][dice.below(2)],
                },
                _ => MapEdit::Cell {
                    at: Cell::new(99, 99),
                    passable: true,
                },
            };
            is_over |= tick(&mut world, &[edit]).is_some();
        }
        // A turn without edits, after which both sides have the table of this map, and the first tick of the next one.
        for _ in 0..=LENGTH {
            is_over |= tick(&mut world, &[]).is_some();
        }
        if is_over {
            continue;
        }
        let Some(value) = value_now(&world, &game) else {
            continue;
        };
        games += 1;
        let found = turns_left(&mut world, 30).map(|(turn, end)| (turn + 1, end));
        ends += u32::from(found.is_some());
        match value {
            Outcome::Escapes => assert_eq!(found, None, "seed {seed}"),
            Outcome::Caught(Turns(turns)) => {
                assert_eq!(found, Some((turns.into(), End::Caught)), "seed {seed}");
            }
            Outcome::Away(Turns(turns)) => {
                assert_eq!(found, Some((turns.into(), End::Away)), "seed {seed}");
            }
        }
    }
    assert!(games > 60 && ends > 30, "{games} {ends}");
}

/// A game that is saved and restored goes on as one that is not, with tables under way.
#[test]
fn restored_games_on_different_grounds_go_on_like_the_saved_ones() {
    let play = |seed: u64, restores: bool| {
        let dice = &mut Dice::new(seed);
        let game = any_game(dice, 8, 2)?;
        let mut settings = settings(PursuitClock::Turns);
        settings.tables.solve = true;
        settings.tables.timing = TableTiming::Lockstep(TableSchedule {
            ticks: 9,
            times: 0,
            ticks_per_second: Some(64),
        });
        let (mut world, robber) = game.world(true);
        world.set_settings(settings);
        let (mut requests, mut hashes, mut by_table) = (Vec::new(), Vec::new(), 0);
        for round in 0..160 {
            let at = Cell::new(dice.below(8) as u16, dice.below(8) as u16);
            let edits = [
                MapEdit::Cell {
                    at,
                    passable: dice.below(2) == 0,
                },
                MapEdit::Kinds {
                    at,
                    kinds: any_kinds(dice),
                },
                MapEdit::Exit {
                    at,
                    kinds: [Kinds::ALL, Kinds::NONE][dice.below(2)],
                },
            ];
            let any = dice.below(120);
            world.begin_tick_with(edits.get(any..=any).unwrap_or_default());
            if world
                .agent(robber)
                .is_some_and(|robber| robber.caught().is_some() || robber.is_away())
            {
                world.place(robber, game.robber);
                world.release(robber);
            }
            while let Some(request) = world.next_request() {
                requests.push(request);
            }
            while let Some(key) = world.overdue() {
                let late = requests.iter().position(|request| request.key == key);
                let request = requests.swap_remove(late.expect("it was asked for"));
                deliver(&mut world, request);
            }
            world.arrive();
            world.decide(&mut Expansions(10_000));
            by_table += world.report().decisions.by(Source::Table);
            hashes.push((world.position_hash(), world.diverged_at()));
            if restores && round % 23 == 11 {
                let saved = postcard::to_allocvec(&world.snapshot()).expect("a snapshot");
                let snapshot = postcard::from_bytes(&saved).expect("the same snapshot");
                world = PursuitWorld::from_snapshot(snapshot).expect("a sound snapshot");
                requests.clear();
            }
        }
        Some((hashes, by_table))
    };
    let mut by_table = 0;
    for seed in 3000..3060 {
        let (saved, restored) = (play(seed, false), play(seed, true));
        assert_eq!(saved, restored, "seed {seed}");
        let Some((hashes, decisions)) = saved else {
            continue;
        };
        assert!(hashes.iter().all(|&(_, diverged)| diverged.is_none()));
        by_table += decisions;
    }
    assert!(by_table > 300, "{by_table}");
}

const LEVEL: &str = r#"(
    name: "House",
    legend: {
        'C': Cop(), 'c': Cop(), 'R': Robber(kinds: [3]), 'h': CopsOnly, 'v': RobbersOnly, 'X': Exit,
        'w': Tile(passable: true, kinds: [3]), 'd': Door(name: "gate"),
    },
    rows: [
        "@@@@@@@@@@",
        "@C..h...X@",
        "@.@@d@@v@@",
        "@.w.R..v.@",
        "@.@@@@.@.@",
        "@....c...@",
        "@@@@@@@@@@",
    ],
)"#;

/// A file that was written for the level is what a live world on the level needs.
#[test]
fn a_table_of_a_level_is_used_by_the_live_game_on_it() {
    let level = PursuitLevel::parse(LEVEL).expect("a level");
    let graph = Graph::new(&level.initial_map(), level.moves());
    let arena = Arena::of_level(&level, &graph).expect("an arena");
    let of_play = Graph::new(&level.play_map(), level.moves());
    let of_play = Arena::of_level(&level, &of_play).expect("an arena");
    assert_eq!(arena.fingerprint(), of_play.fingerprint());
    assert!(!arena.is_plain());
    let rules = Rules {
        cops: NonZeroU8::MIN.saturating_add(1),
        ..Rules::default()
    };
    let table = solve(arena, rules);
    let mut settings = settings(PursuitClock::Turns);
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&level.play_map(), level.moves(), settings);
    for cop in level.cops() {
        world.insert(AgentSetup {
            kinds: level.kinds_of_cop(cop),
            ..agent(Side::Cops, cop.at.x, cop.at.y)
        });
    }
    for robber in level.robbers() {
        world.insert(AgentSetup {
            kinds: level.kinds_of_robber(robber),
            ..agent(Side::Robber, robber.at.x, robber.at.y)
        });
    }
    world
        .table_cache_mut()
        .add_asset(table)
        .expect("a table of a map");
    tick(&mut world, &[]);
    assert!(is_by_table(&world, Side::Cops) && is_by_table(&world, Side::Robber));
    let value = world.agents().find_map(|(_, agent)| agent.state().value);
    let Some(Value::Exact(_)) = value else {
        panic!("{value:?}");
    };
    let mut values = world.table_values(0).expect("a table in use");
    assert!(values.at(Cell::new(4, 1)).is_none(), "no robber enters");
    assert!(values.at(Cell::new(8, 1)).is_some());
}

/// Cops of a table are interchangeable: pursuits with different cops say that no table knows them, as do other clocks.
#[test]
fn games_whose_rules_no_table_knows_say_so() {
    let reason = |clock, reaches: [u8; 2]| {
        let map = TileMap::filled(7, 7, Terrain::Floor).expect("some cells");
        let mut settings = settings(clock);
        settings.tables.solve = true;
        settings.tables.timing = TableTiming::WhenReady;
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        for (x, reach) in [0, 6].into_iter().zip(reaches) {
            world.insert(AgentSetup {
                reach,
                ..agent(Side::Cops, x, 0)
            });
        }
        let robber = world.insert(agent(Side::Robber, 3, 6));
        for _ in 0..=LENGTH {
            tick(&mut world, &[]);
        }
        let cop = world.agents().next().expect("a cop").1;
        let robber = world.agent(robber).expect("there");
        [cop, robber].map(|agent| agent.state().reason)
    };
    let other = [Reason::OtherRules; 2];
    assert_eq!(reason(PursuitClock::Turns, [0, 1]), other);
    assert_eq!(reason(PursuitClock::FreeRunning, [1, 1]), other);
    assert_eq!(reason(PursuitClock::Simultaneous, [1, 1]), other);
    assert_eq!(reason(PursuitClock::Turns, [1, 1]), [Reason::None; 2]);
}
