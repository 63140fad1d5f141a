//! Factions: agents that are hunters and prey at once.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, Faction, FactionSwap, PursuitClock, PursuitWorld,
    WorldEvent,
};
use std::collections::{BTreeMap, BTreeSet};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

const TURN: u64 = LENGTH as u64;

fn of(faction: Faction, x: u16, y: u16) -> AgentSetup {
    AgentSetup {
        faction: Some(faction),
        ..agent(Side::Cops, x, y)
    }
}

fn tick(world: &mut PursuitWorld, budget: u64) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(budget));
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("there").setup().cell
}

/// A fox hunts hens and flees from snakes. It goes for the hen that stands while the snake is far, and flees from the snake
/// when that is near.
#[test]
fn a_fox_hunts_and_flees() {
    for clock in CLOCKS {
        let rows = ["........................"; 9];
        let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(clock));
        let [fox, hen, snake] =
            [(0, 1), (1, 2), (2, 0)].map(|(own, prey)| Faction::new(own, [prey]));
        let fox = world.insert(of(fox, 4, 4));
        let hen = world.insert(AgentSetup {
            control: Control::External,
            ..of(hen, 20, 4)
        });
        let snake = world.insert(AgentSetup {
            control: Control::External,
            ..of(snake, 0, 0)
        });
        for _ in 0..6 * TURN {
            tick(&mut world, 10_000);
        }
        assert_eq!(world.agent(fox).expect("there").side(), Side::Cops);
        assert!(cell(&world, fox).x >= 8, "{clock:?}");
        // The snake drops down behind it.
        let here = cell(&world, fox);
        world.place(snake, Cell::new(here.x + 3, here.y));
        for _ in 0..4 * TURN {
            tick(&mut world, 10_000);
        }
        let fled = world.agent(fox).expect("there");
        assert_eq!(fled.side(), Side::Robber, "{clock:?}");
        assert!(
            fled.setup().cell.max_norm(Cell::new(here.x + 3, here.y)) > 3,
            "{clock:?}"
        );
        world.place(snake, Cell::new(0, 0));
        let mut captured = None;
        for _ in 0..40 * TURN {
            tick(&mut world, 10_000);
            for event in world.events() {
                if let WorldEvent::Captured { robber, cop, .. } = *event {
                    captured = captured.or(Some((robber, cop)));
                }
            }
        }
        assert_eq!(captured, Some((hen, fox)), "{clock:?}");
    }
}

/// A ghost that is prey for 40 ticks finishes its step, flees, hunts again when the time is over, and stays captured if it was.
#[test]
fn who_swaps_loses_no_step_and_is_not_revived() {
    for clock in CLOCKS {
        let rows = [
            "..............................",
            "####..........................",
        ];
        let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(clock));
        let (pac, ghost, prey) = (
            Faction::new(0, [2]),
            Faction::new(1, [0]),
            Faction::new(2, []),
        );
        let player = world.insert(AgentSetup {
            control: Control::External,
            ..of(pac, 12, 0)
        });
        let [far, near] = [24, 4].map(|x| world.insert(of(ghost, x, 0)));
        for _ in 0..TURN + 1 {
            tick(&mut world, 10_000);
        }
        let step = |world: &PursuitWorld, id: AgentId| {
            let agent = world.agent(id).expect("there");
            (agent.way().to_vec(), agent.times())
        };
        let before = [far, near].map(|id| step(&world, id));
        assert!(before.iter().all(|(way, _)| !way.is_empty()), "{clock:?}");
        let until = world.tick() + 40;
        for id in [far, near] {
            let faction = prey;
            world.change(id, |setup| {
                setup.swap = Some(FactionSwap { faction, until })
            });
        }
        assert_eq!([far, near].map(|id| step(&world, id)), before, "{clock:?}");
        tick(&mut world, 10_000);
        assert_eq!([far, near].map(|id| step(&world, id)), before, "{clock:?}");
        let mut ended = Vec::new();
        let mut fled_to = cell(&world, far);
        for _ in 1..90 {
            // The player walks onto one of them.
            if world.tick() + 20 == until {
                let at = cell(&world, near);
                world.place(player, at);
            }
            tick(&mut world, 10_000);
            let tick = world.tick();
            ended.extend(world.events().iter().filter_map(|event| match *event {
                WorldEvent::SwapEnded(id) => Some((id, tick)),
                _ => None,
            }));
            if tick == until {
                fled_to = cell(&world, far);
            }
            let flees = world.agent(far).expect("there").setup().swap.is_some();
            assert_eq!(flees, tick < until, "{clock:?}");
        }
        assert_eq!(ended, [(far, until), (near, until)], "{clock:?}");
        let caught = world.agent(near).expect("there").caught();
        assert_eq!(caught.map(|catch| catch.by), Some(player), "{clock:?}");
        assert!(cell(&world, far).x < fled_to.x, "{clock:?}: it hunts again");
        assert_eq!(world.agent(far).expect("there").side(), Side::Cops);
    }
}

/// A game of random factions on a random map.
struct Game {
    world: PursuitWorld,
    ids: Vec<AgentId>,
    dice: Dice,
}

fn any_faction(dice: &mut Dice) -> Faction {
    let prey: Vec<u8> = (0..4).filter(|_| dice.below(2) == 0).collect();
    Faction {
        fears: dice.below(10) as u8,
        ..Faction::new(dice.below(4) as u8, prey)
    }
}

impl Game {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut map = TileMap::filled(12, 10, Terrain::Floor).expect("some cells");
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(4) == 0 {
                map.set(at, Terrain::Wall);
            }
        }
        let mut settings = settings(CLOCKS[seed as usize % 3]);
        settings.stagger = true;
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let cells: Vec<Cell> = map.cells().filter(|&at| map.is_passable(at)).collect();
        let ids = (0..8)
            .map(|_| {
                world.insert(AgentSetup {
                    faction: Some(any_faction(&mut dice)),
                    speed: Speed::new(1 + dice.below(2) as u8).expect("not 0"),
                    sight: (dice.below(3) == 0).then_some(4),
                    is_solid: dice.below(3) == 0,
                    ..AgentSetup::new(Side::Cops, cells[dice.below(cells.len())])
                })
            })
            .collect();
        Self { world, ids, dice }
    }

    fn begin_tick(&mut self) {
        let Self { world, ids, dice } = self;
        let id = ids[dice.below(ids.len())];
        let mut edits = Vec::new();
        match dice.below(80) {
            0 => {
                let at = Cell::new(dice.below(12) as u16, dice.below(10) as u16);
                let passable = dice.below(2) == 0;
                edits.push(MapEdit::Cell { at, passable });
            }
            1 => {
                let faction = any_faction(dice);
                world.change(id, |setup| setup.faction = Some(faction));
            }
            2 => world.release(id),
            3 => {
                let at = Cell::new(dice.below(12) as u16, dice.below(10) as u16);
                world.place(id, at);
            }
            4..=6 => {
                let until = world.tick() + 1 + dice.below(60) as u64;
                let faction = any_faction(dice);
                world.change(id, |setup| {
                    setup.swap = Some(FactionSwap { faction, until })
                });
            }
            _ => {}
        }
        world.begin_tick_with(&edits);
    }
}

/// The hunter captures its prey where they stand on one cell, and nobody else; moves are legal; and a saved game goes on.
#[test]
fn hunters_capture_their_prey_and_nobody_else() {
    let (mut captures, mut swaps) = (0, 0);
    for seed in 0..300 {
        let mut game = Game::new(seed);
        let mut other: Option<Game> = None;
        let mut sides: BTreeMap<AgentId, Side> = BTreeMap::new();
        let mut caught: BTreeSet<AgentId> = BTreeSet::new();
        for now in 0..200 {
            game.begin_tick();
            game.world.arrive();
            let world = &game.world;
            let faction = |id: AgentId| {
                let setup = world.agent(id).expect("there").setup();
                setup.faction_now().expect("a faction")
            };
            let hunts = |hunter: AgentId, prey: AgentId| {
                let (hunter, prey) = (faction(hunter), faction(prey).own);
                hunter.own != prey && hunter.hunts >> prey & 1 == 1
            };
            for event in world.events() {
                if let WorldEvent::Captured { robber, cop, .. } = *event {
                    captures += 1;
                    assert!(hunts(cop, robber), "seed {seed}, tick {now}");
                    caught.insert(robber);
                }
            }
            for &prey in &game.ids {
                let is_out = |id: AgentId| world.agent(id).expect("there").caught().is_some();
                let at = cell(world, prey);
                if is_out(prey) || !world.graph().is_on_map(at) {
                    continue;
                }
                let free = game
                    .ids
                    .iter()
                    .filter(|&&id| !is_out(id) && cell(world, id) == at);
                let hunter = free.clone().find(|&&hunter| hunts(hunter, prey));
                assert_eq!(
                    hunter, None,
                    "seed {seed}, tick {now}: at {at:?} without a capture"
                );
            }
            game.world.decide(&mut Expansions(2_000));
            for &id in &game.ids {
                let record = game.world.agent(id).expect("there");
                let graph = game.world.graph();
                swaps += u32::from(
                    sides
                        .insert(id, record.side())
                        .is_some_and(|was| was != record.side()),
                );
                if record.times().0 < game.world.tick() {
                    continue;
                }
                let mut at = graph.vertex(record.setup().cell);
                for &next in record.way() {
                    let is_legal = at.is_none_or(|at| at == next || graph.are_adjacent(at, next));
                    assert!(is_legal, "seed {seed}, tick {now}");
                    at = Some(next);
                }
                let is_out = record.caught().is_some();
                assert!(
                    !is_out || record.way().is_empty(),
                    "seed {seed}, tick {now}"
                );
            }
            if let Some(other) = &mut other {
                other.begin_tick();
                other.world.arrive();
                other.world.decide(&mut Expansions(2_000));
                let (ours, theirs) = (game.world.position_hash(), other.world.position_hash());
                assert_eq!(ours, theirs, "seed {seed}, tick {now}");
            }
            if now == 60 && seed % 5 == 0 {
                let settings = game.world.settings().clone();
                let mut world = PursuitWorld::new(&map(&["."]), Moves::Octile, settings);
                world.restore(game.world.snapshot()).expect("what it saved");
                other = Some(Game {
                    world,
                    ids: game.ids.clone(),
                    dice: game.dice.clone(),
                });
            }
        }
    }
    assert!(
        captures > 500 && swaps > 1_000,
        "{captures} captures, {swaps} swaps"
    );
}
