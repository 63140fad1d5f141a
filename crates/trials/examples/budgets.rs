//! The same 64 chases under different budgets.
//!
//! A smaller budget costs quality of play, never frame time.
//! `cargo run --release -p pursuit_trials --example budgets -- --chart budgets.svg`

use bevy::prelude::*;
use bevy_pursuit::debug::{PursuitDiagnostics, Source};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableSettings;
use chart::{Chart, Line};
use clap::Parser;
use headless::{Figures, any_near, app, open_tiles, percent};
use pursuit_engine::search::Dice;
use pursuit_testkit::town;
use pursuit_trials::chart;
use pursuit_trials::headless;
use std::path::PathBuf;
use std::process::ExitCode;

/// Chases under different budgets.
#[derive(Debug, Parser)]
struct Args {
    /// The maximum length of a chase in ticks.
    #[arg(long, default_value_t = 480)]
    ticks: u64,
    /// The seed of the town and of the start positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of simultaneous chases.
    #[arg(long, default_value_t = 64)]
    pursuits: u32,
    /// The budgets, in expansions per tick.
    #[arg(long, value_delimiter = ',', default_value = "0,1000,5000,20000")]
    budgets: Vec<u32>,
    /// Draw the shares of planned moves and of captures to this file.
    #[arg(long)]
    chart: Option<PathBuf>,
}

/// The results of a budget.
struct Row {
    budget: u32,
    planned: f64,
    captured: f64,
}

#[derive(Resource, Default)]
struct Captures(Vec<u64>);

fn main() -> ExitCode {
    let args = Args::parse();
    println!(
        "expansions  search   stale  greedy  captured  turns  oldest plan  ticks: median, 99 %"
    );
    let rows: Vec<Row> = args
        .budgets
        .iter()
        .map(|&budget| play(&args, budget))
        .collect();
    if let Some(file) = &args.chart {
        let points = |of: fn(&Row) -> f64| {
            rows.iter()
                .map(|row| (row.budget.into(), of(row)))
                .collect()
        };
        let chart = Chart {
            heading: format!("{} chases of three cops and a robber", args.pursuits),
            below: "expansions per tick".to_owned(),
            is_linear: false,
            lines: vec![
                Line::new("moves by a plan", points(|row| row.planned)),
                Line::new("robbers captured", points(|row| row.captured)),
            ],
        };
        if let Err(error) = std::fs::write(file, chart.to_svg()) {
            eprintln!("error: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    let (first, last) = (rows.first(), rows.last());
    let is_better = first
        .zip(last)
        .is_some_and(|(first, last)| first.planned <= last.planned);
    if is_better {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plays all chases under one budget and prints a line.
fn play(args: &Args, budget: u32) -> Row {
    let mut app = app(PursuitSettings {
        budget: TickBudget::Expansions(budget),
        tables: TableSettings {
            solve: false,
            ..default()
        },
        ..default()
    });
    app.init_resource::<Captures>().add_observer(
        |captured: On<Captured>, mut captures: ResMut<Captures>| {
            captures.0.push(captured.turn);
        },
    );
    let level = town::town(192, 192, args.seed);
    app.world_mut()
        .spawn(PursuitMap::new(&level.map, Moves::Octile));
    let (open, mut dice) = (open_tiles(&level.map), Dice::new(args.seed));
    for number in 1..=args.pursuits {
        let pursuit = InPursuit(app.world_mut().spawn(Pursuit(number)).id());
        let robber = open[dice.below(open.len())];
        app.world_mut()
            .spawn((Robber, GridPosition(robber), pursuit));
        for _ in 0..3 {
            let cop = any_near(&mut dice, &open, robber, 32);
            app.world_mut().spawn((Cop, cop, pursuit));
        }
    }
    let mut tick_ms = Figures::default();
    for _ in 0..args.ticks {
        app.update();
        let now = app.world().resource::<PursuitDiagnostics>();
        tick_ms.note(now.tick.time.as_secs_f64() * 1e3);
    }
    let total = app.world().resource::<PursuitDiagnostics>().total;
    let oldest = total.oldest_plan;
    let turns = &app.world().resource::<Captures>().0;
    let [stale, greedy] =
        [Source::Stale, Source::Greedy].map(|source| 100.0 * total.decisions.share(source));
    let captured = percent(turns.len() as u64, args.pursuits.into());
    let mean = turns.iter().sum::<u64>() as f64 / turns.len().max(1) as f64;
    let planned = 100.0 - stale - greedy;
    let (median, slow) = (tick_ms.quantile(0.5), tick_ms.quantile(0.99));
    println!(
        "{budget:>10}  {planned:>4.1} %  {stale:>4.1} %  {greedy:>4.1} %  {captured:>6.1} %  {mean:>5.1}  \
         {oldest:>5} ticks  {median:.3} ms, {slow:.3} ms"
    );
    Row {
        budget,
        planned,
        captured,
    }
}
