//! Cops of several difficulties against players of three skills, and robbers of several difficulties against cops at
//! full strength.
//!
//! `cargo run --release -p pursuit_trials --example difficulty -- --chart difficulty.svg`

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Difficulty, Reaction};
use chart::{Chart, Line};
use clap::Parser;
use headless::{app, in_lockstep, open_tiles, percent};
use pursuit_engine::search::{Dice, seed_of};
use pursuit_testkit::town;
use pursuit_trials::chart;
use pursuit_trials::headless;
use std::path::PathBuf;
use std::process::ExitCode;

/// Players of three skills against cops of several difficulties.
#[derive(Debug, Parser)]
struct Args {
    /// The length of a game in turns. A game without a capture counts as this many.
    #[arg(long, default_value_t = 400)]
    turns: u64,
    /// The number of games, each on a map of its own.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// The cops of a game.
    #[arg(long, value_delimiter = ',', default_value = "2,3")]
    cops: Vec<u32>,
    /// The difficulties.
    #[arg(long, value_delimiter = ',', default_value = "0,0.25,0.5,0.75,1")]
    difficulties: Vec<f32>,
    /// Another dial, for comparison: the share of mistakes at difficulty 0, with `--reaction`.
    #[arg(long, requires = "reaction")]
    mistakes: Option<f32>,
    /// The reaction time at difficulty 0, in turns.
    #[arg(long, requires = "mistakes")]
    reaction: Option<f32>,
    /// Draw the turns until the capture, by the most cops, to this file.
    #[arg(long)]
    chart: Option<PathBuf>,
}

const TICKS_PER_TURN: u32 = 4;

/// Who moves the robber.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
enum Player {
    /// Walks straight on, and turns somewhere now and then.
    Bad,
    /// Steps away from the nearest cop as the crow flies.
    Middling,
    /// The robber of the plugin.
    Good,
    /// The robber of the plugin by the dial, against cops at full strength.
    Dialled,
}

const PLAYERS: [(Player, &str); 4] = [
    (Player::Bad, "bad player"),
    (Player::Middling, "middling player"),
    (Player::Good, "good player"),
    (Player::Dialled, "robber by the dial"),
];

/// The dice of the player.
#[derive(Resource)]
struct Thumbs(Dice);

/// The turn of the capture.
#[derive(Resource, Default)]
struct Capture(Option<u64>);

/// What came of the games of a player.
#[derive(Debug, Clone, Copy)]
struct Row {
    difficulty: f32,
    /// The turns until the capture, on average.
    turns: f64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut lines = Vec::new();
    let mut is_monotone = true;
    for &cops in &args.cops {
        for (player, name) in PLAYERS {
            println!("{cops} cops, {name}\ndifficulty  turns  captured");
            let rows: Vec<Row> = args
                .difficulties
                .iter()
                .map(|&difficulty| play(&args, player, cops, difficulty))
                .collect();
            // Stronger cops take no more turns, and stronger robbers last no less.
            is_monotone &= rows.windows(2).all(|pair| match player {
                Player::Dialled => pair[0].turns <= pair[1].turns,
                _ => pair[0].turns >= pair[1].turns,
            });
            if player != Player::Dialled && Some(&cops) == args.cops.last() {
                let share = |row: &Row| 100.0 * row.turns / args.turns.max(1) as f64;
                let points = rows.iter().map(|row| (row.difficulty.into(), share(row)));
                lines.push(Line::new(name, points.collect()));
            }
        }
    }
    if let (Some(file), Some(cops)) = (&args.chart, args.cops.last()) {
        let chart = Chart {
            heading: format!(
                "Until {cops} cops capture the robber, in % of {} turns",
                args.turns
            ),
            below: "difficulty of the cops".to_owned(),
            is_linear: true,
            lines,
        };
        if let Err(error) = std::fs::write(file, chart.to_svg()) {
            eprintln!("error: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    if is_monotone {
        ExitCode::SUCCESS
    } else {
        println!("not monotone");
        ExitCode::FAILURE
    }
}

/// Plays all games of a player at a difficulty, and prints a line.
fn play(args: &Args, player: Player, cops: u32, difficulty: f32) -> Row {
    let (mut turns, mut captured) = (0, 0);
    for seed in 0..args.games {
        let capture = game(args, player, cops, difficulty, seed);
        turns += capture.unwrap_or(args.turns);
        captured += u64::from(capture.is_some());
    }
    let turns = turns as f64 / args.games.max(1) as f64;
    let captured = percent(captured, args.games);
    println!("{difficulty:>10}  {turns:>5.1}  {captured:>6.1} %");
    Row { difficulty, turns }
}

/// Plays a game. Returns the turn of the capture.
fn game(args: &Args, player: Player, cops: u32, difficulty: f32, seed: u64) -> Option<u64> {
    let mut app = app(PursuitSettings {
        ticks_per_turn: TICKS_PER_TURN,
        ..in_lockstep()
    });
    app.init_resource::<Capture>()
        .insert_resource(player)
        .insert_resource(Thumbs(Dice::new(seed_of([seed, cops.into()]))))
        .add_observer(|captured: On<Captured>, mut capture: ResMut<Capture>| {
            capture.0.get_or_insert(captured.turn);
        })
        .add_systems(
            FixedUpdate,
            steer
                .after(PursuitSystems::Arrive)
                .before(PursuitSystems::Decide),
        );
    let level = town::rooms(48, 48, seed);
    let world = app.world_mut();
    world.spawn(PursuitMap::new(&level.map, Moves::Octile));
    let (open, mut dice) = (open_tiles(&level.map), Dice::new(seed));
    let mut any = || GridPosition(open[dice.below(open.len())]);
    let is_scripted = matches!(player, Player::Bad | Player::Middling);
    let control = if is_scripted {
        AgentControl::Steer(IVec2::ZERO)
    } else {
        AgentControl::Policy
    };
    let robber = world.spawn((Robber, any(), control)).id();
    let cops: Vec<Entity> = (0..cops).map(|_| world.spawn((Cop, any())).id()).collect();
    let weakened = if player == Player::Dialled {
        vec![robber]
    } else {
        cops
    };
    for agent in weakened {
        let mut agent = world.entity_mut(agent);
        if let (Some(mistakes), Some(reaction)) = (args.mistakes, args.reaction) {
            let less = 1.0 - difficulty;
            let reaction = Reaction((reaction * less).round() as u8);
            agent.insert((Mistakes(mistakes * less), reaction));
        } else {
            agent.insert(Difficulty(difficulty));
        }
    }
    for _ in 0..args.turns * u64::from(TICKS_PER_TURN) {
        app.update();
        if let Some(turn) = app.world().resource::<Capture>().0 {
            return Some(turn);
        }
    }
    None
}

/// Presses the keys of a player.
fn steer(
    player: Res<Player>,
    mut thumbs: ResMut<Thumbs>,
    map: Single<&LiveMap>,
    robber: Single<(&GridPosition, &NextStep, &mut AgentControl), With<Robber>>,
    cops: Query<&GridPosition, With<Cop>>,
) {
    let (at, step, mut control) = robber.into_inner();
    let AgentControl::Steer(before) = *control else {
        return;
    };
    if !step.path.is_empty() {
        return; // still under way
    }
    let open: Vec<IVec2> = directions()
        .filter(|&way| is_open(*map, at.0, way))
        .collect();
    let way = match *player {
        Player::Bad if open.contains(&before) && thumbs.0.below(8) > 0 => before,
        Player::Bad => thumbs.0.pick(&open).unwrap_or(IVec2::ZERO),
        _ => {
            let cop = cops.iter().min_by_key(|cop| cop.0.distance_squared(at.0));
            let far = |way: &IVec2| cop.map(|cop| cop.0.distance_squared(at.0 + *way));
            let ways = open.into_iter().chain([IVec2::ZERO]);
            ways.max_by_key(far).unwrap_or(IVec2::ZERO)
        }
    };
    control.set_if_neq(AgentControl::Steer(way));
}

fn directions() -> impl Iterator<Item = IVec2> {
    let all = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
    all.filter(|&way| way != IVec2::ZERO)
}

/// Whether a step in a direction is open: diagonal ones pass no corner.
fn is_open(map: &LiveMap, at: IVec2, way: IVec2) -> bool {
    let sides = [IVec2::new(way.x, 0), IVec2::new(0, way.y), way];
    sides.into_iter().all(|side| map.is_passable(at + side))
}
