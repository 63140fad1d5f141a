//! `cargo run --release -p pursuit_lab --example reversals -- [--only TEXT] [MAP...]`: how often agents turn back while
//! nothing changes.
//!
//! Cops hunt a player that stands, or that trembles over the border of two tiles, by each of the tactics and with budgets
//! of 0, 250 and 10,000 expansions; and a robber flees from a player that stands. 20 maps of streets, rooms and halls, or
//! the maps that are named. A reversal is a step back to the tile that the step before has left. Printed are the reversals
//! in 100 turns of an agent: the mean, and the worst game.

use clap::Parser;
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves, PursuitLevel, TileMap};
use pursuit_engine::search::{Dice, seed_of};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitSetup,
    PursuitWorld, Tactics,
};
use pursuit_testkit::town::{rooms, town};
use std::path::PathBuf;

const TURNS: u64 = 200;
const LENGTH: u32 = 4;
const BUDGETS: [u64; 3] = [0, 250, 10_000];

/// What the player does that the agents deal with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Player {
    Stands,
    Trembles,
}

/// Who is looked at.
#[derive(Debug, Clone, Copy)]
enum Who {
    Cops(Tactics, usize),
    Robber,
}

/// The steps of an agent, and its reversals.
#[derive(Debug, Default)]
struct Steps {
    last: Option<Cell>,
    before: Option<Cell>,
    reversals: u32,
}

impl Steps {
    fn note(&mut self, cell: Cell) {
        if self.last != Some(cell) {
            self.reversals += u32::from(self.before == Some(cell));
            (self.before, self.last) = (self.last, Some(cell));
        }
    }

    fn forget(&mut self) {
        (self.before, self.last) = (None, None);
    }
}

/// The reversals in 100 turns of an agent.
fn play(
    map: &TileMap,
    who: Who,
    player: Player,
    clock: PursuitClock,
    budget: u64,
    seed: u64,
) -> f64 {
    let settings = PursuitSettings {
        ticks_per_turn: LENGTH,
        clock,
        ..PursuitSettings::default()
    };
    let mut world = PursuitWorld::new(map, Moves::Octile, settings);
    let mut dice = Dice::new(seed);
    let cells: Vec<Cell> = world
        .graph()
        .iter()
        .map(|at| world.graph().cell(at))
        .collect();
    let mut any = || cells[dice.below(cells.len())];
    let (side, many) = match who {
        Who::Cops(_, many) => (Side::Cops, many),
        Who::Robber => (Side::Robber, 1),
    };
    if let Who::Cops(tactics, _) = who {
        let setup = PursuitSetup {
            clock: None,
            tactics: Some(tactics),
        };
        world.set_up_pursuit(0, setup);
    }
    let ids: Vec<AgentId> = (0..many)
        .map(|_| world.insert(AgentSetup::new(side, any())))
        .collect();
    let other = match side {
        Side::Cops => Side::Robber,
        Side::Robber => Side::Cops,
    };
    let opponent = world.insert(AgentSetup {
        control: Control::External,
        ..AgentSetup::new(other, any())
    });
    let mut steps: Vec<Steps> = ids.iter().map(|_| Steps::default()).collect();
    let mut home = world.agent(opponent).expect("there").setup().cell;
    for now in 1..=TURNS * u64::from(LENGTH) {
        if player == Player::Trembles {
            let graph = world.graph();
            let at = graph.vertex(home).expect("floor");
            let beside = graph.neighbours(at).first().map(|&next| graph.cell(next));
            let to = if now % 3 == 0 { beside } else { Some(home) };
            world.place(opponent, to.unwrap_or(home));
        }
        world.begin_tick(&[]);
        world.arrive();
        let robber = if side == Side::Robber {
            ids[0]
        } else {
            opponent
        };
        if world.agent(robber).expect("there").caught().is_some() {
            // The level begins again elsewhere.
            home = any();
            world.place(opponent, home);
            for &id in &ids {
                world.place(id, any());
            }
            world.release(robber);
            steps.iter_mut().for_each(Steps::forget);
        }
        for (steps, &id) in steps.iter_mut().zip(&ids) {
            steps.note(world.agent(id).expect("there").setup().cell);
        }
        world.decide(&mut Expansions(budget));
        if std::env::var("DBG").is_ok_and(|v| v == seed.to_string()) && now % u64::from(LENGTH) == 1
        {
            for &id in &ids {
                let r = world.agent(id).unwrap();
                eprintln!(
                    "{now} {:?} opp {:?} ahead {} {:?}",
                    r.setup().cell,
                    home,
                    r.ahead().len(),
                    r.state()
                );
            }
        }
    }
    let reversals: u32 = steps.iter().map(|steps| steps.reversals).sum();
    100.0 * f64::from(reversals) / (TURNS as f64 * many as f64)
}

#[derive(Debug, Parser)]
struct Args {
    /// Only games whose line contains this text.
    #[arg(long, default_value = "")]
    only: String,
    /// Maps to play on.
    maps: Vec<PathBuf>,
}

fn main() {
    let args = Args::parse();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable map");
        PursuitLevel::parse(&text).expect("a map").initial_map()
    };
    let named: Vec<TileMap> = args.maps.iter().map(read).collect();
    let made = || (0..10).flat_map(|seed| [town(64, 64, seed).map, rooms(48, 48, seed).map]);
    let maps: Vec<TileMap> = if named.is_empty() {
        made().collect()
    } else {
        named
    };
    let tactics = [
        Tactics::Intercept,
        Tactics::Chase,
        Tactics::Ahead(4),
        Tactics::Flank,
        Tactics::Shy(4),
        Tactics::Keep(4),
        Tactics::Surround,
    ];
    let mut all: Vec<Who> = Vec::new();
    for tactics in tactics {
        all.extend([1, 2, 4].map(|many| Who::Cops(tactics, many)));
    }
    all.push(Who::Robber);
    let clocks = [
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ];
    for who in all {
        for player in [Player::Stands, Player::Trembles] {
            for clock in clocks {
                let mut line = format!("{who:?}, {player:?}, {clock:?}:");
                if !line.contains(&args.only) {
                    continue;
                }
                for budget in BUDGETS {
                    let (mut sum, mut worst) = (0.0, 0.0_f64);
                    for (number, map) in maps.iter().enumerate() {
                        let seed = seed_of([number as u64, budget]);
                        let rate = play(map, who, player, clock, budget, seed);
                        if std::env::var("DBG").is_ok() && rate > 2.0 {
                            eprintln!("SEED {seed} map {number} rate {rate} budget {budget}");
                        }
                        sum += rate;
                        worst = worst.max(rate);
                    }
                    line += &format!(" {:.2} ({worst:.1})", sum / maps.len() as f64);
                }
                println!("{line}");
            }
        }
    }
}
