//! The longest ticks of random chases: which scenes take longer than their work in expansions says?
//!
//! ```sh
//! cargo run --release -p pursuit_trials --example longest_ticks -- --scenes 300
//! ```
//!
//! Each scene has a random map, random settings and random agents. It is played several times in exactly the same way,
//! and the least time of each tick counts: another program may have interrupted the others. Solving tables is not part
//! of a tick.

mod ground;
mod scene;

use clap::Parser;
use scene::{Scene, Tick};
use std::time::Duration;

/// Looks for the longest ticks of random chases
#[derive(Parser, Debug)]
struct Args {
    /// The number of scenes
    #[arg(long, default_value_t = 100)]
    scenes: u64,

    /// The seed of the first scene; each further one has the next seed
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// The number of ticks of a scene
    #[arg(long, default_value_t = 600)]
    ticks: u64,

    /// The budget of a tick, in expansions
    #[arg(long, default_value_t = 10_000)]
    budget: u64,

    /// How often each scene is played
    #[arg(long, default_value_t = 3)]
    times: u32,

    /// The number of scenes that are listed: those with the longest ticks
    #[arg(long, default_value_t = 10)]
    list: usize,
}

fn main() {
    let args = Args::parse();
    let mut times = Vec::new();
    let mut worst: Vec<(Duration, String)> = Vec::new();
    for seed in args.seed..args.seed.saturating_add(args.scenes) {
        let Some(scene) = Scene::new(seed) else {
            continue;
        };
        let ticks = least(&scene, &args);
        let longest = ticks.iter().enumerate().max_by_key(|(_, tick)| tick.time);
        if let Some((number, tick)) = longest {
            let Tick { time, spent, plans } = tick;
            let text =
                format!("{time:.1?} in tick {number}, {spent} expansions, {plans} plans; {scene}");
            worst.push((*time, text));
        }
        times.extend(ticks.iter().map(|tick| tick.time));
    }
    times.sort_unstable();
    worst.sort_unstable_by(|a, b| b.cmp(a));
    let time = |per_million: usize| {
        let last = times.len().saturating_sub(1);
        times
            .get(last * per_million / 1_000_000)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{} scenes, {} ticks; 50 / 99 / 99.9 / 99.99 / 100 %: {:.1?} / {:.1?} / {:.1?} / {:.1?} / {:.1?}",
        worst.len(),
        times.len(),
        time(500_000),
        time(990_000),
        time(999_000),
        time(999_900),
        time(1_000_000),
    );
    for (_, text) in worst.iter().take(args.list) {
        println!("{text}");
    }
}

/// The ticks of a scene, each with its least time.
fn least(scene: &Scene, args: &Args) -> Vec<Tick> {
    let mut ticks = scene.play(args.ticks, args.budget);
    for _ in 1..args.times {
        let again = scene.play(args.ticks, args.budget);
        for (tick, again) in ticks.iter_mut().zip(again) {
            assert_eq!(tick.spent, again.spent, "{scene}");
            tick.time = tick.time.min(again.time);
        }
    }
    ticks
}
