//! Captures by the number of cops: one robber in a town of a hundred houses, which comes back elsewhere after each capture.
//!
//! `cargo run --release --no-default-features --features parallel --example crowd -- [corner] [COPS ...]`

use bevy_pursuit::game::Side;
use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
use bevy_pursuit::search::Dice;
use bevy_pursuit::world::{
    AgentSetup, Expansions, PursuitSettings, PursuitWorld, TickBudget, WorldEvent,
};
use std::collections::BTreeMap;

const SIDE: u16 = 100;
const SEEDS: u64 = 5;
const TURNS: u64 = 800;
const TEAMS: [usize; 8] = [3, 4, 8, 16, 24, 40, 100, 300];

/// Cops that start from a corner start in the first so many free cells.
const CORNER: usize = 60;

/// Houses of six by six tiles with two doors each, and streets of four tiles.
fn town(dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(SIDE, SIDE, Terrain::Floor).expect("the size of a map");
    let row = SIDE / 10;
    for house in 0..row * row {
        let (x, y) = (house % row * 10 + 2, house / row * 10 + 2);
        let (door, side) = (1 + dice.below(4) as u16, dice.below(4));
        for i in 0..6 {
            let walls = [(x + i, y), (x + i, y + 5), (x, y + i), (x + 5, y + i)];
            for (number, (x, y)) in walls.into_iter().enumerate() {
                if i != door || (number != side && number != (side + 1) % 4) {
                    map.set(Cell::new(x, y), Terrain::Wall);
                }
            }
        }
    }
    map
}

/// The captures of a game, and the share of the cops that share a tile, on average over the second half of the turns.
fn play(cops: usize, from_corner: bool, seed: u64) -> (u32, f64) {
    let mut dice = Dice::new(seed);
    let map = town(&mut dice);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let settings = PursuitSettings::default();
    let ticks = TURNS * u64::from(settings.ticks_per_turn);
    let budget = match settings.budget {
        TickBudget::Expansions(budget) => u64::from(budget),
        TickBudget::Micros(_) => 10_000,
    };
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let starts = if from_corner { CORNER } else { free.len() };
    let cop = |_| world.insert(AgentSetup::new(Side::Cops, free[dice.below(starts)]));
    let team: Vec<_> = (0..cops).map(cop).collect();
    world.insert(AgentSetup::new(Side::Robber, free[dice.below(free.len())]));
    let (mut captures, mut sharing) = (0, 0);
    for tick in 0..ticks {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(budget));
        let captured = |event: &WorldEvent| match event {
            WorldEvent::Captured { robber, .. } => Some(*robber),
            _ => None,
        };
        if let Some(robber) = world.events().iter().find_map(captured) {
            captures += 1;
            world.place(robber, free[dice.below(free.len())]);
            world.release(robber);
        }
        if 2 * tick >= ticks {
            let mut on = BTreeMap::new();
            for cop in team.iter().filter_map(|&cop| world.agent(cop)) {
                *on.entry(cop.setup().cell).or_insert(0) += 1;
            }
            sharing += on.values().filter(|&&cops| cops > 1).sum::<u64>();
        }
    }
    let all = ticks.div_ceil(2) * cops as u64;
    (captures, sharing as f64 / all.max(1) as f64)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let from_corner = words.iter().any(|word| word == "corner");
    let mut teams: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if teams.is_empty() {
        teams = TEAMS.to_vec();
    }
    println!("{TURNS} turns, {SEEDS} seeds, default settings");
    for cops in teams {
        let games: Vec<(u32, f64)> = (1..=SEEDS)
            .map(|seed| play(cops, from_corner, seed))
            .collect();
        let captures: u32 = games.iter().map(|game| game.0).sum();
        let sharing: f64 = games.iter().map(|game| game.1).sum();
        println!(
            "{cops:4} cops: {:5.1} captures on average, {:4.1} % of the cops share a tile",
            f64::from(captures) / SEEDS as f64,
            100.0 * sharing / SEEDS as f64
        );
    }
}
