//! Teams of any size spread over a town: more cops capture more robbers, and they do not queue.

use bevy_pursuit::game::Side;
use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
use bevy_pursuit::search::Dice;
use bevy_pursuit::world::{
    AgentId, AgentSetup, Expansions, PursuitClock, PursuitSettings, PursuitWorld, WorldEvent,
};
use std::collections::BTreeMap;

const SIDE: u16 = 40;
const TURNS: u64 = 250;

/// A town of houses with two doors each, and streets of four tiles.
fn town(dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(SIDE, SIDE, Terrain::Floor).expect("a map");
    let houses = SIDE / 10;
    for house in 0..houses * houses {
        let (x, y) = (house % houses * 10 + 2, house / houses * 10 + 2);
        let (door, side) = (1 + dice.below(4) as u16, dice.below(4));
        for i in 0..6 {
            let walls = [(x + i, y), (x + i, y + 5), (x, y + i), (x + 5, y + i)];
            for (number, (x, y)) in walls.into_iter().enumerate() {
                let is_door = i == door && (number == side || number == (side + 1) % 4);
                if !is_door {
                    map.set(Cell::new(x, y), Terrain::Wall);
                }
            }
        }
    }
    map
}

/// What a game shows.
#[derive(Debug, Default, PartialEq)]
struct Played {
    captures: u32,
    /// In the second half of the game: cops that share a tile with another one, and all cops, summed over the turns.
    sharing: usize,
    all: usize,
}

/// A game in a town, in which captured robbers come back elsewhere.
struct Game {
    world: PursuitWorld,
    cops: Vec<AgentId>,
    free: Vec<Cell>,
    dice: Dice,
    captured: Vec<AgentId>,
    played: Played,
}

impl Game {
    fn new(cops: usize, robbers: usize, clock: PursuitClock, from_corner: bool, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let map = town(&mut dice);
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let ticks_per_turn = if clock == PursuitClock::FreeRunning {
            4
        } else {
            1
        };
        let settings = PursuitSettings {
            clock,
            ticks_per_turn,
            ..PursuitSettings::default()
        };
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let starts = if from_corner { 30 } else { free.len() };
        let mut cop = |_| world.insert(AgentSetup::new(Side::Cops, free[dice.below(starts)]));
        let cops = (0..cops).map(&mut cop).collect();
        for _ in 0..robbers {
            world.insert(AgentSetup::new(Side::Robber, free[dice.below(free.len())]));
        }
        Self {
            world,
            cops,
            free,
            dice,
            captured: Vec::new(),
            played: Played::default(),
        }
    }

    fn tick(&mut self, budget: u64, counts_sharing: bool) {
        for robber in self.captured.drain(..) {
            let cell = self.free[self.dice.below(self.free.len())];
            self.world.place(robber, cell);
            self.world.release(robber);
        }
        self.world.begin_tick(&[]);
        self.world.arrive();
        self.world.decide(&mut Expansions(budget));
        for event in self.world.events() {
            if let WorldEvent::Captured { robber, .. } = event {
                self.captured.push(*robber);
                self.played.captures += 1;
            }
        }
        if counts_sharing {
            let mut on = BTreeMap::new();
            for &cop in &self.cops {
                let cell = self.world.agent(cop).expect("a cop").setup().cell;
                *on.entry(cell).or_insert(0) += 1;
            }
            self.played.sharing += on.values().filter(|&&cops| cops > 1).sum::<usize>();
            self.played.all += self.cops.len();
        }
    }

    fn play(mut self) -> Played {
        let ticks = TURNS * u64::from(self.world.settings().ticks_per_turn);
        for tick in 0..ticks {
            self.tick(20_000, 2 * tick >= ticks);
        }
        self.played
    }
}

/// Each step of the ladder has more than twice the cops of the one before, and all have to capture more.
#[test]
fn more_cops_capture_more_robbers_and_do_not_queue() {
    for from_corner in [false, true] {
        let mut last = 0;
        for cops in [3, 8, 20, 60] {
            let mut captures = 0;
            for seed in [1, 2] {
                let played = Game::new(cops, 1, PursuitClock::Turns, from_corner, seed).play();
                captures += played.captures;
                let Played { sharing, all, .. } = played;
                let is_crowd = cops > 5;
                assert!(!is_crowd || 10 * sharing <= all, "{cops} cops: {played:?}");
            }
            println!("{cops} cops, from one corner: {from_corner}, {captures} captures");
            assert!(captures > last, "{cops} cops: {captures} after {last}");
            last = captures;
        }
    }
}

#[test]
fn crowds_spread_on_every_clock_and_after_several_robbers() {
    let clocks = [PursuitClock::Simultaneous, PursuitClock::FreeRunning];
    for (clock, robbers) in clocks
        .into_iter()
        .map(|clock| (clock, 1))
        .chain([(PursuitClock::Turns, 3)])
    {
        let few = Game::new(4, robbers, clock, false, 3).play();
        let many = Game::new(40, robbers, clock, false, 3).play();
        println!("{clock:?}, {robbers} robbers: {few:?} {many:?}");
        assert!(many.captures > few.captures, "{clock:?}: {few:?} {many:?}");
        assert!(10 * many.sharing <= many.all, "{clock:?}: {many:?}");
    }
}

#[test]
fn a_crowd_goes_on_after_a_restore_in_the_middle_of_a_plan() {
    let mut game = Game::new(40, 2, PursuitClock::Turns, true, 5);
    // So little that plans take several ticks.
    let budget = 700;
    for _ in 0..5 {
        for _ in 0..13 {
            game.tick(budget, false);
        }
        let mut restored = PursuitWorld::from_snapshot(game.world.snapshot()).expect("a world");
        for _ in 0..20 {
            for world in [&mut game.world, &mut restored] {
                world.begin_tick(&[]);
                world.arrive();
                world.decide(&mut Expansions(budget));
            }
            assert_eq!(game.world.position_hash(), restored.position_hash());
        }
    }
}
