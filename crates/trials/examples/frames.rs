//! Frame times: percentiles for several scenes, game speeds, budgets and clocks, as a Markdown table.
//!
//! `cargo run --release -p pursuit_trials --example frames -- --out frames.md`
//!
//! A frame is a sixtieth of a second of game time; frames follow each other without a pause unless
//! `--paced` is given. The measured time is that of the whole `App::update` on this thread, including
//! the work of the game for the plugin (edits, spawning a map), excluding time waiting for a core.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::debug::{PursuitDiagnostics, Source};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableSettings;
use clap::Parser;
use headless::{Figures, any, any_near, open_tiles, tile, waited};
use pursuit_engine::map::Terrain;
use pursuit_engine::search::Dice;
use pursuit_testkit::town;
use pursuit_trials::headless;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use town::{Town, town};

const FRAME: Duration = Duration::from_nanos(16_666_667);

/// Measures frame times over a matrix of cases.
#[derive(Debug, Parser)]
struct Args {
    /// The number of frames per row, after a warm-up of one second.
    #[arg(long, default_value_t = 600)]
    frames: u32,
    /// Run only rows whose name contains this text.
    #[arg(long, default_value = "")]
    only: String,
    /// Write the table to this file.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Run at sixty frames per second, as in a game, instead of as fast as possible.
    #[arg(long)]
    paced: bool,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The map, the agents and the events of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scene {
    /// 110 x 100 tiles without walls, a cop of speed 2 and a robber.
    Field { tables: bool },
    /// A town of 200 x 200 tiles, one pursuit.
    Crowd { cops: u32, robbers: u32 },
    /// The same town, 40 pursuits of three cops and a robber, four edits per frame.
    Doors,
    /// The same without edits; a map of 512 x 512 tiles is loaded in the middle of the game.
    Load,
}

/// A row of the matrix.
#[derive(Debug, Clone, Copy)]
struct Case {
    scene: Scene,
    clock: PursuitClock,
    budget: TickBudget,
    speed: u8,
}

impl Case {
    fn all() -> Vec<Self> {
        let scenes = [
            Scene::Field { tables: true },
            Scene::Field { tables: false },
            Scene::Crowd {
                cops: 120,
                robbers: 40,
            },
            Scene::Crowd {
                cops: 100,
                robbers: 100,
            },
            Scene::Doors,
            Scene::Load,
        ];
        let mut all = Vec::new();
        for scene in scenes {
            for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
                for budget in [TickBudget::default(), TickBudget::Micros(1_000)] {
                    for speed in [1, 8] {
                        all.push(Self {
                            scene,
                            clock,
                            budget,
                            speed,
                        });
                    }
                }
            }
        }
        all
    }

    fn name(&self) -> String {
        let scene = match self.scene {
            Scene::Field { tables: true } => "field, tables".to_owned(),
            Scene::Field { tables: false } => "field, no tables".to_owned(),
            Scene::Crowd { cops, robbers } => {
                format!("{cops} cops, {robbers} robbers, one pursuit")
            }
            Scene::Doors => "160 agents, 4 edits per frame".to_owned(),
            Scene::Load => "160 agents, a map is loaded".to_owned(),
        };
        let clock = match self.clock {
            PursuitClock::Turns => "turns",
            PursuitClock::FreeRunning => "free",
            PursuitClock::Simultaneous => "simultaneous",
            _ => "another",
        };
        let budget = match self.budget {
            TickBudget::Expansions(all) => format!("{all} expansions"),
            TickBudget::Micros(all) => format!("{all} µs"),
        };
        format!("{scene} | {clock} | {budget} | {}", self.speed)
    }
}

/// The game of a case.
struct Game {
    app: App,
    map: Entity,
    level: Town,
    /// The map to load during the game.
    large: Option<TileMap>,
    dice: Dice,
}

impl Game {
    fn new(case: Case, seed: u64) -> Self {
        let level = match case.scene {
            Scene::Field { .. } => Town {
                map: TileMap::filled(110, 100, Terrain::Floor).expect("a map of some size"),
                doors: Vec::new(),
            },
            _ => town(200, 200, seed),
        };
        let large = (case.scene == Scene::Load).then(|| town(512, 512, seed).map);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
            .insert_resource(PursuitSettings {
                budget: case.budget,
                clock: case.clock,
                seed,
                tables: TableSettings {
                    solve: !matches!(case.scene, Scene::Field { tables: false }),
                    ..default()
                },
                ..default()
            })
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .add_observer(let_go);
        app.world_mut()
            .resource_mut::<Time<Virtual>>()
            .set_relative_speed(case.speed.into());
        let map = PursuitMap::new(&level.map, Moves::Octile);
        let map = app.world_mut().spawn(map).id();
        app.insert_resource(Open(open_tiles(&level.map), Dice::new(seed)));
        let mut game = Self {
            app,
            map,
            level,
            large,
            dice: Dice::new(seed),
        };
        match case.scene {
            Scene::Field { .. } => game.spawn(0, 1, 1, 2),
            Scene::Crowd { cops, robbers } => game.spawn(0, cops, robbers, 1),
            Scene::Doors | Scene::Load => (0..40).for_each(|number| game.spawn(number, 3, 1, 1)),
        }
        game
    }

    fn spawn(&mut self, number: u32, cops: u32, robbers: u32, speed: u8) {
        let (open, map, pursuit) = (
            open_tiles(&self.level.map),
            OnMap(self.map),
            Pursuit(number),
        );
        let mut first = None;
        for _ in 0..robbers {
            let place = any(&mut self.dice, &open);
            first.get_or_insert(place.0);
            self.app.world_mut().spawn((Robber, place, map, pursuit));
        }
        for _ in 0..cops {
            let near = any_near(&mut self.dice, &open, first.unwrap_or_default(), 80);
            let cop = (Cop, near, PursuitSpeed(speed), map, pursuit);
            self.app.world_mut().spawn(cop);
        }
    }

    /// The work of the game before a frame.
    fn play(&mut self, scene: Scene, is_middle: bool) {
        if scene == Scene::Doors {
            let mut map = self.app.world_mut().get_mut::<LiveMap>(self.map);
            for _ in 0..4 {
                if let (Some(map), Some(door)) = (&mut map, self.dice.pick(&self.level.doors)) {
                    let at = tile(self.level.map.height(), door);
                    let is_open = map.is_passable(at);
                    map.set_passable(at, !is_open);
                }
            }
        }
        if is_middle && let Some(large) = self.large.take() {
            let map = PursuitMap::new(&large, Moves::Octile);
            let map = OnMap(self.app.world_mut().spawn(map).id());
            let open = open_tiles(&large);
            for _ in 0..4 {
                let place = any(&mut self.dice, &open);
                self.app.world_mut().spawn((Robber, place, map));
                let near = any_near(&mut self.dice, &open, place.0, 80);
                self.app.world_mut().spawn((Cop, near, map));
            }
        }
    }

    /// Measures frame times in milliseconds, without the first second.
    fn run(&mut self, case: Case, args: &Args) -> Figures {
        let mut times = Figures::default();
        let first = 60;
        for number in 0..first + args.frames {
            let (since, before) = (Instant::now(), waited());
            self.play(case.scene, number == first + args.frames / 2);
            self.app.update();
            let taken = since
                .elapsed()
                .saturating_sub(waited().saturating_sub(before));
            if number >= first {
                times.note(taken.as_secs_f64() * 1e3);
            }
            if args.paced {
                std::thread::sleep(FRAME.saturating_sub(since.elapsed()));
            }
        }
        times
    }
}

/// The tiles where captured robbers reappear.
#[derive(Resource)]
struct Open(Vec<IVec2>, Dice);

/// Moves a captured robber to another tile and frees it.
fn let_go(captured: On<Captured>, mut commands: Commands, mut open: ResMut<Open>) {
    let Open(tiles, dice) = &mut *open;
    let mut robber = commands.entity(captured.robber);
    robber.remove::<Caught>().insert(any(dice, tiles));
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut table = String::from(
        "| scene | clock | budget per tick | speed | 50 % | 99 % | 99.9 % | max | greedy | oldest plan |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    print!("{table}");
    for case in Case::all() {
        let name = case.name();
        if !name.contains(&args.only) {
            continue;
        }
        let mut game = Game::new(case, args.seed);
        let mut times = game.run(case, &args);
        let [a, b, c, d] = [0.5, 0.99, 0.999, 1.0].map(|share| times.quantile(share));
        let total = game.app.world().resource::<PursuitDiagnostics>().total;
        let greedy = 100.0 * total.decisions.share(Source::Greedy);
        let row = format!(
            "| {name} | {a:.2} ms | {b:.2} ms | {c:.2} ms | {d:.2} ms | {greedy:.1} % | {} ticks |",
            total.oldest_plan
        );
        println!("{row}");
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{row}");
    }
    match args.out.map(|path| std::fs::write(path, table)) {
        Some(Err(error)) => {
            eprintln!("error: cannot write the table: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
