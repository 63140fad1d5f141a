//! Teams of any size spread over a town: more cops capture more robbers, and they do not queue.

use crate::common::crowd::{Game, Played, Scene, town};
use pursuit_engine::map::{Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{Expansions, PursuitClock, PursuitSettings, PursuitWorld};

const TURNS: u64 = 250;
const BUDGET: u64 = 20_000;

/// A game in a town of 40 x 40 tiles.
fn game(cops: usize, robbers: usize, clock: PursuitClock, from_corner: bool, seed: u64) -> Game {
    let mut dice = Dice::new(seed);
    let ticks_per_turn = if clock == PursuitClock::FreeRunning {
        4
    } else {
        1
    };
    let scene = Scene {
        map: town(40, &mut dice),
        moves: Moves::Octile,
        cops,
        robbers,
        corner: from_corner.then_some(30),
        settings: settings(clock, ticks_per_turn),
    };
    Game::new(&scene, dice)
}

fn settings(clock: PursuitClock, ticks_per_turn: u32) -> PursuitSettings {
    PursuitSettings {
        clock,
        ticks_per_turn,
        ..PursuitSettings::default()
    }
}

/// Each team is much larger than the one before, and has to capture more.
#[test]
fn more_cops_capture_more_robbers_and_do_not_queue() {
    for from_corner in [false, true] {
        let mut last = 0;
        for cops in [3, 5, 8, 20, 60] {
            let mut captures = 0;
            for seed in [1, 2] {
                let played =
                    game(cops, 1, PursuitClock::Turns, from_corner, seed).play(TURNS, BUDGET);
                captures += played.captures;
                let Played { sharing, all, .. } = played;
                assert!(10 * sharing <= all, "{cops} cops: {played:?}");
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
        let few = game(4, robbers, clock, false, 3).play(TURNS, BUDGET);
        let many = game(40, robbers, clock, false, 3).play(TURNS, BUDGET);
        println!("{clock:?}, {robbers} robbers: {few:?} {many:?}");
        assert!(many.captures > few.captures, "{clock:?}: {few:?} {many:?}");
        assert!(10 * many.sharing <= many.all, "{clock:?}: {many:?}");
    }
}

#[test]
fn a_crowd_goes_on_after_a_restore_in_the_middle_of_a_plan() {
    let mut game = game(40, 2, PursuitClock::Turns, true, 5);
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

/// On open ground with orthogonal moves, a robber that steps to and fro keeps cops busy that only follow it. On the first clock
/// and budget, cops compare joint moves; on the others they cannot.
#[test]
fn more_cops_capture_more_on_open_ground_on_every_clock_and_budget() {
    let games = [
        (PursuitClock::Turns, 4, BUDGET / 2),
        (PursuitClock::Turns, 1, 4_000),
        (PursuitClock::FreeRunning, 4, BUDGET / 2),
        (PursuitClock::Simultaneous, 4, BUDGET / 2),
    ];
    for (clock, ticks_per_turn, budget) in games {
        let mut last = 0;
        for cops in [3, 7, 20] {
            let scene = Scene {
                map: TileMap::filled(40, 40, Terrain::Floor).expect("a map"),
                moves: Moves::Orthogonal,
                cops,
                robbers: 1,
                corner: None,
                settings: settings(clock, ticks_per_turn),
            };
            let captures: u32 = [1, 2]
                .map(|seed| {
                    Game::new(&scene, Dice::new(seed))
                        .play(TURNS, budget)
                        .captures
                })
                .iter()
                .sum();
            println!("{clock:?}, {ticks_per_turn} ticks a turn, {cops} cops: {captures} captures");
            assert!(
                captures > last,
                "{clock:?}, {cops} cops: {captures} after {last}"
            );
            last = captures;
        }
    }
}
