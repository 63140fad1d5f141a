//! Cops that play alone, each by tactics of its own.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, Leash, PursuitClock, PursuitSetup,
    PursuitWorld, Tactics, WorldEvent,
};
use std::collections::BTreeMap;

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

const TURN: u64 = LENGTH as u64;

fn tick(world: &mut PursuitWorld, budget: u64, edits: &[MapEdit]) {
    world.begin_tick_with(edits);
    world.arrive();
    world.decide(&mut Expansions(budget));
}

fn with(tactics: Tactics, x: u16, y: u16) -> AgentSetup {
    AgentSetup {
        tactics: Some(tactics),
        ..agent(Side::Cops, x, y)
    }
}

fn standing(x: u16, y: u16) -> AgentSetup {
    AgentSetup {
        control: Control::External,
        ..agent(Side::Robber, x, y)
    }
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("there").setup().cell
}

fn any_map(dice: &mut Dice) -> TileMap {
    let (width, height) = (5 + dice.below(12) as u16, 5 + dice.below(12) as u16);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(4) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    map
}

/// The steps from a cell to all others, by a wave.
fn steps_from(world: &PursuitWorld, from: Cell) -> BTreeMap<Cell, u64> {
    let graph = world.graph();
    let mut steps = BTreeMap::from([(from, 0)]);
    let mut front = vec![from];
    while !front.is_empty() {
        let mut next = Vec::new();
        for cell in front {
            let at = graph.vertex(cell).expect("floor");
            for &to in graph.neighbours(at) {
                let to = graph.cell(to);
                if !steps.contains_key(&to) {
                    steps.insert(to, steps[&cell] + 1);
                    next.push(to);
                }
            }
        }
        front = next;
    }
    steps
}

/// Two passable cells between which a path leads.
fn two_cells(world: &PursuitWorld, dice: &mut Dice) -> Option<(Cell, Cell, u64)> {
    let cells: Vec<Cell> = world
        .graph()
        .iter()
        .map(|at| world.graph().cell(at))
        .collect();
    let from = *cells.get(dice.below(cells.len().max(1)))?;
    let steps = steps_from(world, from);
    let all: Vec<(Cell, u64)> = steps.into_iter().filter(|&(_, steps)| steps > 0).collect();
    let &(to, steps) = all.get(dice.below(all.len().max(1)))?;
    Some((from, to, steps))
}

/// A robber that stands is captured by each of the tactics that capture, in hardly more turns than the path has steps.
#[test]
fn a_robber_that_stands_is_captured() {
    let mut games = 0;
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let map = any_map(&mut dice);
        let clock = CLOCKS[seed as usize % 3];
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let Some((from, to, steps)) = two_cells(&world, &mut dice) else {
            continue;
        };
        games += 1;
        let tactics = [
            Tactics::Chase,
            Tactics::Ahead(4),
            Tactics::Flank,
            Tactics::Surround,
        ][dice.below(4)];
        world.insert(with(tactics, from.x, from.y));
        let robber = world.insert(standing(to.x, to.y));
        let mut captured = None;
        for now in 1..=(2 * steps + 4) * TURN {
            tick(&mut world, 10_000, &[]);
            let is_capture = |event: &WorldEvent| matches!(event, WorldEvent::Captured { .. });
            if world.events().iter().any(is_capture) {
                captured = captured.or(Some(now));
            }
        }
        let captured = captured.unwrap_or_else(|| panic!("seed {seed}: {tactics:?}, {clock:?}"));
        assert!(
            captured <= (steps + steps / 4 + 1) * TURN + 1,
            "seed {seed}: {tactics:?}, {clock:?}: {captured}"
        );
        assert!(world.agent(robber).expect("there").caught().is_some());
    }
    assert!(games > 450, "{games}");
}

/// Who keeps a distance comes as near as that and no nearer, where the robber is in sight, and does not touch it.
#[test]
fn who_keeps_a_distance_stands_in_sight_at_that_distance() {
    let mut kept = 0;
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let map = any_map(&mut dice);
        let clock = CLOCKS[seed as usize % 3];
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let Some((from, to, steps)) = two_cells(&world, &mut dice) else {
            continue;
        };
        let apart = 2 + dice.below(3) as u8;
        let cop = world.insert(with(Tactics::Keep(apart), from.x, from.y));
        let robber = world.insert(standing(to.x, to.y));
        for _ in 0..(steps + 20) * TURN {
            tick(&mut world, 10_000, &[]);
        }
        assert!(
            world.agent(robber).expect("there").caught().is_none(),
            "seed {seed}"
        );
        let here = cell(&world, cop);
        assert!(
            world.graph().sees(here, to, None),
            "seed {seed}: {here:?}, {to:?}"
        );
        assert!(here.max_norm(to) <= u32::from(apart), "seed {seed}");
        kept += u32::from(here.max_norm(to) + 1 >= u32::from(apart));
        for _ in 0..4 * TURN {
            tick(&mut world, 10_000, &[]);
            assert_eq!(cell(&world, cop), here, "seed {seed}: it trembles");
        }
    }
    assert!(kept > 200, "{kept}");
}

/// On open ground, who is shy approaches, waits near by, runs away from a robber that comes nearer, and comes back.
#[test]
fn who_is_shy_approaches_and_runs_away() {
    for clock in CLOCKS {
        let rows = ["........................"; 12];
        let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(clock));
        let cop = world.insert(with(Tactics::Shy(4), 0, 6));
        let robber = world.insert(standing(12, 6));
        let turns = |world: &mut PursuitWorld, target: Cell, many: u64| {
            let mut farthest = 0;
            for _ in 0..many * TURN {
                tick(world, 10_000, &[]);
                farthest = farthest.max(cell(world, cop).max_norm(target));
            }
            (cell(world, cop).max_norm(target), farthest)
        };
        let target = Cell::new(12, 6);
        assert_eq!(turns(&mut world, target, 20).0, 6, "{clock:?}");
        assert_eq!(
            turns(&mut world, target, 20),
            (6, 6),
            "{clock:?}: it trembles"
        );
        let nearer = Cell::new(9, 6);
        world.place(robber, nearer);
        // It has run to a distance of 8, and has come back.
        assert_eq!(turns(&mut world, nearer, 20), (6, 8), "{clock:?}");
    }
}

/// A robber walks along a row. Who heads for the place in front of it captures it sooner than who follows.
#[test]
fn who_heads_for_the_place_in_front_of_a_runner_is_sooner_there() {
    let captured_after = |tactics: Tactics, x: u16| {
        let rows = ["........................................"; 20];
        let mut world =
            PursuitWorld::new(&map(&rows), Moves::Octile, settings(PursuitClock::Turns));
        world.insert(with(tactics, x, 0));
        world.insert(AgentSetup {
            control: Control::Steer { dx: 1, dy: 0 },
            ..agent(Side::Robber, 2, 12)
        });
        for turn in 0..80_u32 {
            for _ in 0..TURN {
                tick(&mut world, 10_000, &[]);
                let is_capture = |event: &WorldEvent| matches!(event, WorldEvent::Captured { .. });
                if world.events().iter().any(is_capture) {
                    return turn;
                }
            }
        }
        80
    };
    let (mut ahead, mut chase) = (0, 0);
    for x in 0..20 {
        ahead += captured_after(Tactics::Ahead(6), x);
        chase += captured_after(Tactics::Chase, x);
    }
    assert!(ahead + 10 < chase, "{ahead} turns, and {chase} behind it");
}

/// One cop is bound to stay on the left. Whoever flanks comes from the right.
#[test]
fn who_flanks_comes_from_the_other_side() {
    for clock in CLOCKS {
        let rows = ["....................."; 15];
        let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(clock));
        world.insert(AgentSetup {
            is_immobile: true,
            ..agent(Side::Cops, 4, 12)
        });
        let cop = world.insert(with(Tactics::Flank, 6, 0));
        let robber = world.insert(standing(10, 12));
        let mut before = cell(&world, cop);
        for _ in 0..60 * TURN {
            tick(&mut world, 10_000, &[]);
            if world.agent(robber).expect("there").caught().is_some() {
                break;
            }
            before = cell(&world, cop);
        }
        assert!(
            world.agent(robber).expect("there").caught().is_some(),
            "{clock:?}"
        );
        assert!(before.x > 10, "{clock:?}: from {before:?}");
    }
}

/// Four cops come from the same side. They go to different places around a player, and capture it when all are there.
#[test]
fn who_surrounds_takes_a_place_of_its_own() {
    let rows = ["....................."; 21];
    let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(PursuitClock::Turns));
    let cops: Vec<AgentId> = (0..4)
        .map(|index| world.insert(with(Tactics::Surround, 0, 2 + 5 * index)))
        .collect();
    let robber = world.insert(standing(12, 10));
    let mut goals: Vec<Cell> = Vec::new();
    for turn in 0..30 {
        for _ in 0..TURN {
            tick(&mut world, 10_000, &[]);
        }
        if turn == 6 {
            let end = |&id: &AgentId| {
                let ahead = world.agent(id).expect("there").ahead();
                ahead.last().map(|&end| world.graph().cell(end))
            };
            goals = cops.iter().filter_map(end).collect();
        }
    }
    goals.sort_unstable();
    goals.dedup();
    assert_eq!(goals.len(), 4, "{goals:?}");
    assert!(
        goals
            .iter()
            .all(|goal| goal.max_norm(Cell::new(12, 10)) == 2)
    );
    assert!(world.agent(robber).expect("there").caught().is_some());
}

/// A leash does not lead a cop onto a robber that it keeps away from, and does not end later for it; and it loses its patience
/// with a robber that it cannot reach.
#[test]
fn who_keeps_a_distance_has_a_leash_and_patience_as_others_have() {
    let rows = [
        "....................",
        "....................",
        "....................",
    ];
    for tactics in [
        Tactics::Keep(4),
        Tactics::Shy(4),
        Tactics::Chase,
        Tactics::Flank,
    ] {
        let mut world =
            PursuitWorld::new(&map(&rows), Moves::Octile, settings(PursuitClock::Turns));
        let cell_of_leash = Cell::new(2, 1);
        let cop = world.insert(AgentSetup {
            leash: Some(Leash {
                cell: cell_of_leash,
                steps: 12,
            }),
            ..with(tactics, 2, 1)
        });
        let robber = world.insert(standing(12, 1));
        for _ in 0..20 * TURN {
            tick(&mut world, 10_000, &[]);
        }
        let is_caught = world.agent(robber).expect("there").caught().is_some();
        let captures = matches!(tactics, Tactics::Chase | Tactics::Flank);
        assert_eq!(is_caught, captures, "{tactics:?}");
        let apart = cell(&world, cop).max_norm(Cell::new(12, 1));
        assert!(captures || (3..=6).contains(&apart), "{tactics:?}: {apart}");
        world.place(robber, Cell::new(19, 1));
        world.release(robber);
        for _ in 0..20 * TURN {
            tick(&mut world, 10_000, &[]);
            assert!(
                cell(&world, cop).max_norm(cell_of_leash) <= 12,
                "{tactics:?}"
            );
        }
    }
    let rows = ["......#...", "......#...", "......#..."];
    let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(PursuitClock::Turns));
    let cop = world.insert(AgentSetup {
        patience: 4,
        ..with(Tactics::Chase, 0, 1)
    });
    world.insert(standing(9, 1));
    let mut given_up = 0;
    for _ in 0..12 * TURN {
        tick(&mut world, 10_000, &[]);
        let is_it =
            |event: &&WorldEvent| matches!(event, WorldEvent::GaveUp { id, .. } if *id == cop);
        given_up += world.events().iter().filter(is_it).count();
    }
    assert_eq!(given_up, 1);
}

fn any_tactics(dice: &mut Dice) -> Option<Tactics> {
    match dice.below(9) {
        0 => Some(Tactics::Chase),
        1 => Some(Tactics::Ahead(dice.below(256) as u8)),
        2 => Some(Tactics::Flank),
        3 => Some(Tactics::Shy(dice.below(256) as u8)),
        4 => Some(Tactics::Keep(dice.below(256) as u8)),
        5 => Some(Tactics::Surround),
        6 => Some(Tactics::Shy(dice.below(5) as u8)),
        7 => Some(Tactics::Intercept),
        _ => None,
    }
}

/// A game of mixed tactics on a random map, in which doors, tactics, sight and speeds change.
struct Game {
    world: PursuitWorld,
    ids: Vec<AgentId>,
    dice: Dice,
}

impl Game {
    fn new(seed: u64) -> Option<Self> {
        let mut dice = Dice::new(seed);
        let map = any_map(&mut dice);
        let moves = crate::common::rolled_moves(&mut dice);
        let mut settings = settings(CLOCKS[seed as usize % 3]);
        settings.tactics = any_tactics(&mut dice).unwrap_or_default();
        let mut world = PursuitWorld::new(&map, moves, settings);
        let cells: Vec<Cell> = map.cells().filter(|&at| map.is_passable(at)).collect();
        if cells.is_empty() {
            return None;
        }
        let mut ids = Vec::new();
        for index in 0..6 {
            let side = if index < 4 { Side::Cops } else { Side::Robber };
            let setup = AgentSetup {
                speed: Speed::new(1 + dice.below(3) as u8).expect("not 0"),
                sight: (dice.below(3) == 0).then_some(4),
                tactics: any_tactics(&mut dice),
                ..AgentSetup::new(side, cells[dice.below(cells.len())])
            };
            ids.push(world.insert(setup));
        }
        Some(Self { world, ids, dice })
    }

    fn tick(&mut self) {
        let Self { world, ids, dice } = self;
        let mut edits = Vec::new();
        let id = ids[dice.below(ids.len())];
        match dice.below(60) {
            0 => {
                let (width, height) = (world.graph().width(), world.graph().height());
                let at = Cell::new(
                    dice.below(width.into()) as u16,
                    dice.below(height.into()) as u16,
                );
                edits.push(MapEdit::Cell {
                    at,
                    passable: dice.below(2) == 0,
                });
            }
            1 => {
                let tactics = any_tactics(dice);
                world.change(id, |setup| setup.tactics = tactics);
            }
            2 => {
                let setup = PursuitSetup {
                    clock: None,
                    tactics: any_tactics(dice),
                };
                world.set_up_pursuit(0, setup);
            }
            3 => world.change(id, |setup| {
                setup.side = match setup.side {
                    Side::Cops => Side::Robber,
                    Side::Robber => Side::Cops,
                };
            }),
            4 => world.release(id),
            _ => {}
        }
        let budget = [0, 200, 10_000][dice.below(3)];
        tick(world, budget, &edits);
    }
}

/// Moves of all tactics lead along edges, a cop that plays alone never moves by a table, and a game that was saved and
/// loaded goes on as it would have.
#[test]
fn games_of_mixed_tactics_are_legal_and_go_on_after_a_save() {
    let mut alone = 0;
    for seed in 0..300 {
        let Some(mut game) = Game::new(seed) else {
            continue;
        };
        let save_at = 20 + seed % 100;
        let mut other: Option<Game> = None;
        for now in 0..200 {
            game.tick();
            if let Some(other) = &mut other {
                other.tick();
                assert_eq!(
                    other.world.position_hash(),
                    game.world.position_hash(),
                    "seed {seed}, tick {now}"
                );
            }
            if now == save_at && seed % 3 == 0 {
                let saved = game.world.snapshot();
                let settings = game.world.settings().clone();
                let mut world = PursuitWorld::new(&map(&["."]), Moves::Octile, settings);
                world.restore(saved).expect("what it saved");
                other = Some(Game {
                    world,
                    ids: game.ids.clone(),
                    dice: game.dice.clone(),
                });
            }
            for &id in &game.ids {
                let record = game.world.agent(id).expect("there");
                let graph = game.world.graph();
                let mut at = graph.vertex(record.setup().cell);
                if record.times().0 < game.world.tick() {
                    continue;
                }
                for &next in record.way() {
                    let is_legal = at.is_none_or(|at| at == next || graph.are_adjacent(at, next));
                    assert!(is_legal, "seed {seed}, tick {now}");
                    at = Some(next);
                }
                let plays_alone = matches!(
                    record.setup().tactics,
                    Some(tactics) if tactics != Tactics::Intercept && tactics != Tactics::Chase
                );
                if plays_alone && record.setup().side == Side::Cops {
                    let source = match record.state().decided_by {
                        DecidedBy::Policy(source) => Some(source),
                        _ => None,
                    };
                    let is_own = source.is_none_or(|source| {
                        use Source::{Greedy, LookAround, Search, Stale};
                        matches!(source, Greedy | LookAround | Search | Stale)
                    });
                    assert!(is_own, "seed {seed}, tick {now}: {source:?}");
                    alone += u32::from(source.is_some());
                }
            }
        }
    }
    assert!(alone > 5_000, "{alone}");
}

#[test]
fn a_cop_with_tactics_of_the_game_heads_for_its_cell_and_captures_on_the_way() {
    for clock in CLOCKS {
        let map = map(&[
            "............",
            "............",
            "....####....",
            "....####....",
            "............",
        ]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let post = Cell::new(2, 4);
        let robber = world.insert(standing(11, 0));
        let cop = world.insert(AgentSetup {
            heads_for: Some(post),
            ..with(Tactics::Custom, 0, 0)
        });
        let turns = |world: &mut PursuitWorld, turns: u64| {
            (0..turns * TURN).for_each(|_| tick(world, 5_000, &[]));
        };
        turns(&mut world, 8);
        assert_eq!(cell(&world, cop), post, "{clock:?}");
        turns(&mut world, 8);
        assert_eq!(cell(&world, cop), post, "{clock:?}: it stays there");
        // In a wall and off the map, it comes as near as it can.
        for (wall, near) in [((5, 3), (5, 4)), ((5, 60), (5, 4))] {
            let wall = Cell::new(wall.0, wall.1);
            world.change(cop, |setup| setup.heads_for = Some(wall));
            turns(&mut world, 8);
            let apart = cell(&world, cop).max_norm(Cell::new(near.0, near.1));
            assert!(apart <= 2, "{clock:?} {wall:?}: {:?}", cell(&world, cop));
        }
        // A robber that comes within its move is captured.
        let at = cell(&world, cop);
        world.place(robber, Cell::new(at.x + 1, at.y));
        turns(&mut world, 2);
        let is_caught = |world: &PursuitWorld| {
            let robber = world.agent(robber).expect("there");
            robber.caught().is_some()
        };
        assert!(is_caught(&world), "{clock:?}");
        world.place(robber, Cell::new(11, 0));
        world.release(robber);
        turns(&mut world, 4);
        world.change(cop, |setup| setup.heads_for = None);
        turns(&mut world, 20);
        assert!(is_caught(&world), "{clock:?}: without a cell it chases");
    }
}
