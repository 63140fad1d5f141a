//! A soak test of the plugin: games of random operations, checked by an independent referee.
//!
//! `cargo run --release -p pursuit_trials --example soak -- --ticks 100000 --seed 1`
//!
//! Operations on agents, maps, settings, time and saved games go through Bevy's own interface; the
//! referee checks every tick. A game is a script that depends only on its seed (`generate.rs`). The
//! referee (`referee.rs`, `legal.rs`, `duty.rs`, `bodies.rs`) has its own copy of the map and of the
//! rules. On a violation, the program prints the last operations, shrinks the script to the operations
//! that the violation needs, and writes it to a file for `--replay FILE`. A part of each game with a
//! budget in expansions is played again, with other entities and without rolled-back detours: the
//! result must be the same. Frame times are printed but not judged; growing memory is a failure.

mod api;
mod apply;
mod bodies;
mod duty;
mod game;
mod generate;
mod grid;
mod histogram;
mod kinds;
mod ledger;
mod legal;
mod memory;
mod notices;
mod ops;
mod poison;
mod promises;
mod referee;
mod replay;
mod rest;
mod stage;
mod tables;
mod traits;
mod twice;

use clap::Parser;
use game::Counts;
use histogram::Times;
use memory::Memory;
use ops::{Kind, Script};
use poison::Poison;
use pursuit_engine::search::seed_of;
use pursuit_testkit::town;
use stage::{Manner, Outcome, play};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use twice::FIRST;

/// Plays random games and checks every tick.
#[derive(Debug, Parser)]
struct Args {
    /// The number of frames; at normal speed 64 are a second of play.
    #[arg(long, default_value_t = 20_000)]
    ticks: u32,
    /// The seed of all games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of frames per game.
    #[arg(long, default_value_t = 4_000)]
    length: u32,
    /// Play only the game with this number, with all of its frames.
    #[arg(long)]
    game: Option<u64>,
    /// Play this many seeds, from `--seed` on, each with `--ticks` frames.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Play only games of this kind.
    #[arg(long)]
    kind: Option<Kind>,
    /// A frame that takes longer than this many milliseconds is a violation; 0 for no limit.
    #[arg(long, default_value_t = 0)]
    limit_ms: u64,
    /// The number of frames of each game that are played again.
    #[arg(long, default_value_t = 400)]
    twice: u32,
    /// The maximum growth of the memory in use, in megabytes per 10,000 frames.
    #[arg(long, default_value_t = 1.0)]
    growth_mb: f64,
    /// Leave out these operations, for instance `Clone,Detour`.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Play the script in this file, written on a violation.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// With `--replay`: print each tick of this agent.
    #[arg(long)]
    trace: Option<usize>,
    /// The time limit, in seconds, for shrinking a script after a violation.
    #[arg(long, default_value_t = 30)]
    shrink: u64,
    /// Continue with the next game after a violation.
    #[arg(long)]
    keep_going: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let result = match &args.replay {
        Some(path) => replay(path, args.trace),
        None => run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn replay(path: &Path, trace: Option<usize>) -> Result<(), String> {
    let script = replay::read(path)?;
    for timed in &script.ops {
        println!("{timed:?}");
    }
    let mut times = Times::default();
    let manner = Manner { trace, ..FIRST };
    let first = play(&script, script.frames, manner, &mut times);
    print!("{times}");
    if let Some((frame, text)) = first.offence {
        return Err(format!("frame {frame}, {text}"));
    }
    twice::compare(&script, script.frames, &first).map_or(Ok(()), |offence| Err(offence.text))
}

/// Plays all seeds. Each begins afresh.
fn run(args: &Args) -> Result<(), String> {
    let started = Instant::now();
    let mut sum = Sum::default();
    let mut memory = Memory::new(u64::from(args.ticks) * args.seeds);
    for seed in args.seed..args.seed.saturating_add(args.seeds) {
        play_seed(args, seed, &mut sum, &mut memory, started)?;
        if args.seeds > 1 {
            println!(
                "seed {seed}: {} frames in all, {} violations",
                sum.counts.frames,
                sum.kinds.values().sum::<u32>()
            );
        }
        if !sum.kinds.is_empty() && !args.keep_going {
            break;
        }
    }
    report(&sum, &memory);
    let offences: u32 = sum.kinds.values().sum();
    if offences > 0 {
        return Err(format!("{offences} games with a violation"));
    }
    if sum.counts.decisions[0] == 0 || sum.counts.captures == 0 && args.game.is_none() {
        return Err("no decision or no capture was made".to_owned());
    }
    let growth = memory.growth();
    if growth > args.growth_mb {
        return Err(format!("memory grows by {growth:.2} MB in 10,000 frames"));
    }
    Ok(())
}

/// The sums over all games.
#[derive(Default)]
struct Sum {
    times: Times,
    counts: Counts,
    /// The number of games of each kind, and the number of violations by what they are.
    games: BTreeMap<String, u32>,
    kinds: BTreeMap<String, u32>,
    poison: String,
}

/// Plays the games of a seed.
fn play_seed(
    args: &Args,
    seed: u64,
    sum: &mut Sum,
    memory: &mut Memory,
    started: Instant,
) -> Result<(), String> {
    let mut poison = Poison::new(seed)?;
    let games = u64::from(args.ticks.div_ceil(args.length.max(1)));
    for number in args.game.map_or(0..games, |game| game..game + 1) {
        let left = args.ticks.saturating_sub(number as u32 * args.length);
        // A game that is named by its number has its full length.
        let left = if args.game.is_some() {
            args.length
        } else {
            left
        };
        let frames = args.length.min(left.max(1));
        let mut script = generate::script(seed_of([seed, number]), frames, args.kind);
        replay::leave_out(&mut script, &args.without);
        let manner = Manner {
            limit: Duration::from_millis(args.limit_ms),
            ..FIRST
        };
        let outcome = play(&script, frames, manner, &mut sum.times);
        sum.counts.add(&outcome.counts);
        *sum.games
            .entry(format!("{:?}", script.setup.kind))
            .or_default() += 1;
        let judged = judge(args, &script, &outcome, (seed, number));
        let judged = judged.and_then(|()| poison.feed(outcome.save.as_deref()));
        if let Err(offence) = judged {
            let kind = replay::plain(&offence);
            *sum.kinds.entry(kind).or_default() += 1;
            eprintln!("violation: {offence}\n");
            if !args.keep_going {
                break;
            }
        }
        memory.note(sum.counts.frames);
        println!(
            "game {number:>4}: {:<5} {:>7} operations, {:>5} captures, {:.0} MB, {:.0?}",
            format!("{:?}", script.setup.kind),
            outcome.counts.ops,
            outcome.counts.captures,
            Memory::now(),
            started.elapsed(),
        );
    }
    sum.poison = poison.to_string();
    Ok(())
}

/// Checks the outcome of a game. On a violation, shrinks its script and writes it to a file.
fn judge(
    args: &Args,
    script: &Script,
    outcome: &Outcome,
    (seed, number): (u64, u64),
) -> Result<(), String> {
    let time = Duration::from_secs(args.shrink);
    let (text, small) = if let Some((frame, text)) = &outcome.offence {
        let kind = replay::kind_of(text);
        let fails = |script: &Script| {
            let outcome = play(script, script.frames, FIRST, &mut Times::default());
            let offence = outcome
                .offence
                .filter(|(_, text)| replay::kind_of(text) == kind);
            offence.map(|(frame, _)| frame)
        };
        (
            format!("frame {frame}, {text}"),
            replay::shrink(script, time, fails),
        )
    } else {
        let frames = args.twice.min(script.frames);
        let Some(offence) = twice::compare(script, frames, outcome) else {
            return Ok(());
        };
        let fails = |script: &Script| {
            let frames = script.frames.min(frames);
            let first = play(script, frames, FIRST, &mut Times::default());
            let offence = twice::compare(script, frames, &first);
            offence.map(|offence| offence.frame)
        };
        (offence.text, replay::shrink(script, time, fails))
    };
    let path = std::env::temp_dir().join(format!("soak-{seed}-{number}.ron"));
    replay::write(&small, &path)?;
    Err(format!(
        "{text}\nreproduce with --seed {seed} --game {number} --length {}, or --replay {}: {} operations",
        args.length,
        path.display(),
        small.ops.len()
    ))
}

fn report(sum: &Sum, memory: &Memory) {
    print!("{}", sum.times);
    let counts = &sum.counts;
    let [decisions, table, stale, greedy] = counts.decisions;
    let [table, stale, greedy] =
        [table, stale, greedy].map(|part| 100.0 * part as f64 / decisions.max(1) as f64);
    println!("frames        {}, in games {:?}", counts.frames, sum.games);
    println!(
        "decisions     {decisions}: table {table:.1} %, stale {stale:.1} %, greedy {greedy:.1} %, the rest search"
    );
    println!(
        "captures      {}, {} as announced, {} of robbers at rest in time; {} other events",
        counts.captures, counts.promises, counts.rests, counts.notices
    );
    println!(
        "saves         {} taken, {} restored, {} detours rolled back",
        counts.saves, counts.restores, counts.detours
    );
    println!("damaged data  {}", sum.poison);
    println!("memory        {:+.2} MB in 10,000 frames", memory.growth());
    for (kind, many) in &sum.kinds {
        println!("violations    {many} x {kind}");
    }
}
