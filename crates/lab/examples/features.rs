//! What each feature costs a crowd: the same game with one feature after another.
//!
//! `cargo run --release -p pursuit_lab --example features -- --help`

use clap::{Parser, ValueEnum};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{BodySize, Cell, Kinds, MapEdit, Moves, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Duty, Expansions, Faction, Hazard, Leash, PatrolOrder, PursuitClock,
    PursuitSettings, PursuitWorld, Tactics, WorldEvent,
};
use pursuit_testkit::crowd::{largest_part, town};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const BUDGET: u64 = 10_000;

#[derive(ValueEnum, Debug, Clone, Copy)]
enum Clock {
    Turns,
    Simultaneous,
    FreeRunning,
}

/// Plays the same game with one feature after another, and prints what a tick costs.
#[derive(Parser, Debug)]
#[command(about)]
struct Args {
    /// Only the features whose names contain this.
    #[arg(default_value = "")]
    feature: String,

    /// A MovingAI .map file. Default: a town of 100 by 100 tiles.
    #[arg(long)]
    map: Option<PathBuf>,

    #[arg(long, default_value_t = 300)]
    cops: usize,

    #[arg(long, default_value_t = 5)]
    robbers: usize,

    #[arg(long, value_enum, default_value_t = Clock::Turns)]
    clock: Clock,

    /// Default: that of the settings.
    #[arg(long)]
    ticks_per_turn: Option<u32>,

    #[arg(long, default_value_t = 1000)]
    ticks: u32,

    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game.
struct Stage {
    world: PursuitWorld,
    cops: Vec<AgentId>,
    robbers: Vec<AgentId>,
    /// The cells on which agents start.
    free: Vec<Cell>,
    dice: Dice,
    /// The edits of the next tick.
    edits: Vec<MapEdit>,
}

/// A feature: its name, what is set up before the game begins, and what happens in each tick.
type Feature = (&'static str, fn(&mut Stage), fn(&mut Stage));

impl Stage {
    fn new(args: &Args) -> Result<Self, Box<dyn std::error::Error>> {
        let mut dice = Dice::new(args.seed);
        let map = match &args.map {
            Some(path) => TileMap::parse(&std::fs::read_to_string(path)?)?,
            None => town(100, &mut dice),
        };
        let mut settings = PursuitSettings {
            clock: match args.clock {
                Clock::Turns => PursuitClock::Turns,
                Clock::Simultaneous => PursuitClock::Simultaneous,
                Clock::FreeRunning => PursuitClock::FreeRunning,
            },
            ..PursuitSettings::default()
        };
        settings.ticks_per_turn = args.ticks_per_turn.unwrap_or(settings.ticks_per_turn);
        let mut stage = Self {
            world: PursuitWorld::new(&map, Moves::Octile, settings),
            cops: Vec::new(),
            robbers: Vec::new(),
            free: largest_part(&map, Moves::Octile),
            dice,
            edits: Vec::new(),
        };
        for number in 0..args.cops + args.robbers {
            let side = if number < args.cops {
                Side::Cops
            } else {
                Side::Robber
            };
            let cell = stage.any_cell();
            let id = stage.world.insert(AgentSetup::new(side, cell));
            match side {
                Side::Cops => stage.cops.push(id),
                Side::Robber => stage.robbers.push(id),
            }
        }
        Ok(stage)
    }

    fn any_cell(&mut self) -> Cell {
        self.free[self.dice.below(self.free.len())]
    }

    /// Changes each cop, which gets its number.
    fn cops(&mut self, mut change: impl FnMut(usize, &mut AgentSetup)) {
        for (number, &id) in self.cops.iter().enumerate() {
            self.world.change(id, |setup| change(number, setup));
        }
    }

    /// Changes each agent, which gets its number.
    fn all(&mut self, mut change: impl FnMut(usize, &mut AgentSetup)) {
        let all = self.cops.iter().chain(&self.robbers);
        for (number, &id) in all.enumerate() {
            self.world.change(id, |setup| change(number, setup));
        }
    }

    /// Edits each n-th free cell.
    fn each(&mut self, n: usize, edit: impl Fn(Cell) -> MapEdit) {
        let cells = self.free.iter().skip(n / 2).step_by(n);
        self.edits.extend(cells.map(|&cell| edit(cell)));
    }

    /// Captured robbers and those that got away come back elsewhere. Returns their number.
    fn tick(&mut self) -> usize {
        let edits = std::mem::take(&mut self.edits);
        self.world.begin_tick_with(&edits);
        self.world.arrive();
        self.world.decide(&mut Expansions(BUDGET));
        let is_over = |event: &WorldEvent| match event {
            WorldEvent::Captured { robber, .. } | WorldEvent::Away { robber, .. } => Some(*robber),
            _ => None,
        };
        let over: Vec<AgentId> = self.world.events().iter().filter_map(is_over).collect();
        for &robber in &over {
            let cell = self.any_cell();
            self.world.place(robber, cell);
            self.world.release(robber);
        }
        over.len()
    }
}

fn nothing(_: &mut Stage) {}

fn tactics(stage: &mut Stage, tactics: Tactics) {
    stage.cops(|_, cop| cop.tactics = Some(tactics));
}

/// Each agent belongs to one of so many factions.
fn factions(stage: &mut Stage, count: u8, hunts: fn(u8, u8) -> bool) {
    stage.all(|number, agent| {
        let own = (number % usize::from(count)) as u8;
        let prey = (0..count).filter(|&other| hunts(own, other));
        agent.faction = Some(Faction::new(own, prey));
    });
}

const FEATURES: &[Feature] = &[
    ("nothing", nothing, nothing),
    (
        "speeds 1 to 4",
        |stage| stage.cops(|n, cop| cop.speed = Speed::new(1 + n as u8 % 4).unwrap_or_default()),
        nothing,
    ),
    (
        "solid",
        |stage| stage.all(|_, agent| agent.is_solid = true),
        nothing,
    ),
    (
        "sight 10",
        |stage| stage.all(|_, agent| agent.sight = Some(10)),
        nothing,
    ),
    (
        "sight 10, solid",
        |stage| stage.all(|_, agent| (agent.sight, agent.is_solid) = (Some(10), true)),
        nothing,
    ),
    (
        "reach 2",
        |stage| stage.cops(|_, cop| cop.reach = 2),
        nothing,
    ),
    (
        "reach 20, every 10th cop",
        |stage| stage.cops(|n, cop| cop.reach = if n % 10 == 0 { 20 } else { 0 }),
        nothing,
    ),
    (
        "reach 255, every 100th cop",
        |stage| stage.cops(|n, cop| cop.reach = if n % 100 == 0 { 255 } else { 0 }),
        nothing,
    ),
    (
        "2 x 2, every 8th cop",
        |stage| {
            stage.cops(|n, cop| {
                if n % 8 == 0 {
                    cop.size = BodySize::TWO;
                }
            });
        },
        nothing,
    ),
    (
        "1 x 1 to 4 x 4, solid",
        |stage| {
            let sizes = [
                BodySize::ONE,
                BodySize::TWO,
                BodySize::THREE,
                BodySize::new(4).unwrap_or_default(),
            ];
            stage.cops(|n, cop| (cop.size, cop.is_solid) = (sizes[n % 4], true));
        },
        nothing,
    ),
    (
        "kinds, 4 grounds",
        |stage| {
            stage.all(|n, agent| agent.kinds = Kinds::from_bits(n as u32 % 4));
            for bit in 0..2 {
                stage.each(40 + bit, |at| MapEdit::Kinds {
                    at,
                    kinds: Kinds::from_bits(1 << bit),
                });
            }
        },
        nothing,
    ),
    (
        "exits",
        |stage| {
            stage.each(1200, |at| MapEdit::Exit {
                at,
                kinds: Kinds::ALL,
            });
        },
        nothing,
    ),
    (
        "links, 20",
        |stage| {
            for _ in 0..20 {
                let (from, to) = (stage.any_cell(), stage.any_cell());
                stage.edits.push(MapEdit::Link {
                    from,
                    to,
                    open: true,
                });
                stage.edits.push(MapEdit::Link {
                    from: to,
                    to: from,
                    open: true,
                });
            }
        },
        nothing,
    ),
    (
        "one-way edges, 200",
        |stage| {
            for _ in 0..200 {
                let from = stage.any_cell();
                let to = from.offset(1, 0).unwrap_or(from);
                stage.edits.push(MapEdit::Edge {
                    from,
                    to,
                    open: false,
                });
            }
        },
        nothing,
    ),
    (
        "slow tiles",
        |stage| stage.each(10, |at| MapEdit::Slow { at, times: 3 }),
        nothing,
    ),
    ("hazards, 2 a tick", nothing, |stage| {
        for _ in 0..2 {
            let (cell, tick) = (stage.any_cell(), stage.world.tick());
            let hazard = Hazard {
                cell,
                from: tick + 20,
                until: tick + 60,
                kinds: Kinds::ALL,
            };
            let _ = stage.world.add_hazard(hazard);
        }
    }),
    ("doors, 2 a tick", nothing, |stage| {
        for passable in [true, false] {
            let at = stage.any_cell();
            stage.edits.push(MapEdit::Cell { at, passable });
        }
    }),
    ("blocked, 2 a tick", nothing, |stage| {
        for _ in 0..2 {
            let id = stage.cops[stage.dice.below(stage.cops.len())];
            stage.world.block(id, 4);
        }
    }),
    (
        "6 factions in a ring",
        |stage| factions(stage, 6, |own, other| (own + 1) % 6 == other),
        nothing,
    ),
    (
        "6 factions, all hunt all",
        |stage| factions(stage, 6, |own, other| own != other),
        nothing,
    ),
    (
        "32 factions, all hunt all",
        |stage| factions(stage, 32, |own, other| own != other),
        nothing,
    ),
    ("chase", |stage| tactics(stage, Tactics::Chase), nothing),
    ("ahead", |stage| tactics(stage, Tactics::Ahead(4)), nothing),
    ("flank", |stage| tactics(stage, Tactics::Flank), nothing),
    ("shy", |stage| tactics(stage, Tactics::Shy(6)), nothing),
    ("keep", |stage| tactics(stage, Tactics::Keep(5)), nothing),
    (
        "surround",
        |stage| tactics(stage, Tactics::Surround),
        nothing,
    ),
    (
        "custom",
        |stage| {
            let cell = stage.any_cell();
            stage.cops(|_, cop| (cop.tactics, cop.heads_for) = (Some(Tactics::Custom), Some(cell)));
        },
        nothing,
    ),
    (
        "patrol",
        |stage| {
            for index in 0..stage.cops.len() {
                let posts = (0..4).map(|_| stage.any_cell()).collect();
                let duty = Duty::Patrol {
                    posts,
                    order: PatrolOrder::Random,
                    wait: 2,
                };
                stage.world.set_duty(stage.cops[index], Some(duty));
            }
        },
        nothing,
    ),
    (
        "leash, patience",
        |stage| {
            stage.cops(|_, cop| {
                cop.leash = Some(Leash {
                    cell: cop.cell,
                    steps: 30,
                });
                cop.patience = 40;
            });
        },
        nothing,
    ),
    (
        "half strength",
        |stage| stage.all(|_, agent| (agent.mistakes, agent.reaction) = (250, 3)),
        nothing,
    ),
    (
        "keeps direction",
        |stage| stage.all(|_, agent| agent.keeps_direction = true),
        nothing,
    ),
    ("walls all at once", nothing, |stage| {
        if stage.world.tick() % 250 == 200 {
            let passable = stage.world.tick() % 500 != 200;
            stage.each(7, |at| MapEdit::Cell { at, passable });
        }
    }),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    println!("us a tick   first  99.9 %   worst  expansions  captures  feature");
    for (name, set_up, each_tick) in FEATURES {
        if !name.contains(&args.feature) {
            continue;
        }
        let mut stage = Stage::new(&args)?;
        set_up(&mut stage);
        let mut times = Vec::new();
        let (mut captures, mut spent) = (0, 0);
        for _ in 0..args.ticks {
            each_tick(&mut stage);
            let begin = Instant::now();
            captures += stage.tick();
            times.push(begin.elapsed());
            spent += stage.world.report().spent;
        }
        let all: f64 = times.iter().map(Duration::as_secs_f64).sum();
        // Edits and changes of the set-up take effect in the first tick.
        let first = times.remove(0).as_micros();
        times.sort_unstable();
        let micros = |share: f64| {
            let index = (times.len() as f64 * share) as usize;
            let time = times.get(index.min(times.len() - 1));
            time.map_or(0, Duration::as_micros)
        };
        let ticks = f64::from(args.ticks);
        println!(
            "{:9.0}  {first:6}  {:6}  {:6}  {:10.0}  {captures:8}  {name}",
            all * 1e6 / ticks,
            micros(0.999),
            micros(1.0),
            spent as f64 / ticks,
        );
    }
    Ok(())
}
