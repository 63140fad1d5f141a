//! A long run in which everything happens all the time: hundreds of agents on two maps, doors, walls,
//! agents that come, go, change sides, maps and pursuits, save games, damaged files.
//! `cargo run --release --example soak -- --ticks 20000 --seed 1`
//!
//! After every tick it looks whether somebody stands in a wall, goes where it cannot or got no
//! decision, and whether entities and agents still belong together; at the end, whether memory has
//! grown. Prints a line every 1,000 ticks and ends with an error if something is wrong.

#[path = "../common/headless.rs"]
mod headless;
#[path = "../common/referee.rs"]
mod referee;
#[path = "../common/town.rs"]
mod town;

mod checks;
mod poison;
mod riot;

use bevy::prelude::*;
use bevy_pursuit::plugin::{PursuitDiagnostics, Source};
use checks::{Checks, Memory};
use clap::Parser;
use headless::Figures;
use poison::Poison;
use riot::Riot;
use std::process::ExitCode;
use std::time::Instant;

/// A long run in which everything happens.
#[derive(Debug, Parser)]
struct Args {
    /// How long; 64 ticks are a second of play.
    #[arg(long, default_value_t = 20_000)]
    ticks: u64,
    /// What happens depends on it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Megabytes that the process may grow by in 10,000 ticks.
    #[arg(long, default_value_t = 8.0)]
    growth_mb: f64,
    /// Solve no tables.
    #[arg(long)]
    no_tables: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let started = Instant::now();
    let mut poison = Poison::new(args.seed)?;
    let mut riot = Riot::new(args.seed, !args.no_tables, poison.folder());
    let mut checks = Checks::default();
    let mut memory = Memory::new(args.ticks);
    let mut tick_ms = Figures::default();
    for tick in 1..=args.ticks {
        riot.stir(tick)?;
        poison.feed(&mut riot, tick)?;
        riot.app.update();
        checks.look(&mut riot)?;
        memory.note(tick);
        let diagnostics = riot.app.world().resource::<PursuitDiagnostics>();
        tick_ms.note(diagnostics.tick.time.as_secs_f64() * 1e3);
        if tick % 1_000 == 0 {
            println!(
                "tick {tick:>7}: {:>4} agents, {:>6} things done to them, {:>5} captures, {:.0} MB, {:.0?}",
                riot.agents.len(),
                riot.acts,
                riot.captures(),
                Memory::now(),
                started.elapsed(),
            );
        }
    }
    let decisions = riot
        .app
        .world()
        .resource::<PursuitDiagnostics>()
        .total
        .decisions;
    println!("time of a tick  {}", tick_ms.line(3, " ms"));
    print!("decisions       {}:", decisions.all());
    for source in Source::ALL {
        print!(
            " {} {:.1} %",
            source.name(),
            100.0 * decisions.share(source)
        );
    }
    println!();
    println!(
        "snapshots       {} taken, {} restored",
        riot.taken, riot.restored
    );
    println!("poison          {poison}");
    let growth = memory.growth();
    println!("memory          {growth:+.2} MB in 10,000 ticks");
    if decisions.all() == 0 || riot.captures() == 0 {
        return Err("nothing has happened".to_owned());
    }
    if growth > args.growth_mb {
        return Err(format!("memory grows by {growth:.2} MB in 10,000 ticks"));
    }
    Ok(())
}
