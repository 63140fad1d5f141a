//! Runs the scene without a window.

use crate::args::Args;
use crate::picture;
use crate::record::{self, Record};
use crate::scene::{Scene, spawn_agents, spawn_layer};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ecs_tilemap::prelude::TilemapTexture;
use bevy_pursuit::TurnClock;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableTiming};
use std::io::Write as _;
use std::time::Duration;

/// Runs until every robber is captured or the turns are used up, and prints a summary.
pub fn run(args: &Args, scene: Scene) -> Result<(), String> {
    let mut settings = scene.settings();
    // The app runs faster than the clock, and must run the same way each time.
    settings.tables.timing = TableTiming::Lockstep(TableSchedule::default());
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default(), record::plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(settings)
        .insert_resource(scene)
        .add_systems(Startup, |mut commands: Commands, scene: Res<Scene>| {
            spawn_layer(&mut commands, &scene, TilemapTexture::default());
            spawn_agents(&mut commands, &scene);
        });
    // The first update starts the app and syncs the map.
    app.update();
    let mut running = app
        .world_mut()
        .query_filtered::<(), (With<Robber>, Without<Caught>)>();
    let mut clocks = app.world_mut().query::<&TurnClock>();
    loop {
        let turn = clocks.single(app.world()).map_or(0, |clock| clock.turn);
        // In the tick in which turn N begins, N - 1 turns have been played.
        if turn > args.turns || running.iter(app.world()).next().is_none() {
            break;
        }
        app.update();
    }
    let summary = summary(app.world_mut(), args);
    // The reader may stop early: a closed pipe is not an error.
    let _ = std::io::stdout().write_all(summary.as_bytes());
    match &args.picture {
        None => Ok(()),
        Some(path) => picture::draw(app.world_mut())
            .save(path)
            .map_err(|error| format!("{}: {error}", path.display())),
    }
}

fn summary(world: &mut World, args: &Args) -> String {
    let mut text = String::new();
    let mut line = |line: String| text.push_str(&(line + "\n"));
    let mut maps = world.query::<&LiveMap>();
    let vertices = maps
        .single(world)
        .ok()
        .and_then(LiveMap::world)
        .map_or(0, |world| world.graph().vertices());
    let cops = speeds::<Cop>(world);
    let robbers = speeds::<Robber>(world);

    let scene = world.resource::<Scene>();
    let map = scene.level.map();
    let (width, height) = (map.width(), map.height());
    let name = scene.name();
    line(format!(
        "level     {name}: {width} x {height} cells, {vertices} vertices"
    ));
    line(format!(
        "agents    cops: {}; robbers: {}",
        list(&cops),
        list(&robbers)
    ));
    let record = world.resource::<Record>();
    for capture in &record.captures {
        line(format!(
            "captured  on turn {} by {}",
            capture.turn, capture.cop
        ));
    }
    let left = robbers.len().saturating_sub(record.captures.len());
    if left > 0 {
        line(format!(
            "captured  not after {} turns: {left} still free",
            args.turns
        ));
    }
    line(format!("decided   {}", record.decisions));
    line(format!("ticks     {}", Times::of(&record.ticks)));
    line(format!("turns     {}", Times::of(&record.turns)));
    text
}

fn speeds<Side: Component>(world: &mut World) -> Vec<u8> {
    let mut agents = world.query_filtered::<&PursuitSpeed, With<Side>>();
    agents.iter(world).map(|speed| speed.0).collect()
}

fn list(speeds: &[u8]) -> String {
    let each: Vec<String> = speeds.iter().map(ToString::to_string).collect();
    match speeds.len() {
        0 => "none".into(),
        count => format!("{count} of speed {}", each.join(", ")),
    }
}

/// The distribution of measured times.
struct Times {
    count: usize,
    median: Duration,
    p99: Duration,
    maximum: Duration,
}

impl Times {
    fn of(times: &[Duration]) -> Self {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let at = |part: usize| {
            let index = (sorted.len() * part / 100).min(sorted.len().saturating_sub(1));
            sorted.get(index).copied().unwrap_or_default()
        };
        Self {
            count: sorted.len(),
            median: at(50),
            p99: at(99),
            maximum: at(100),
        }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        write!(
            f,
            "{}; plugin time each: median {:.1} us, 99th percentile {:.1} us, maximum {:.1} us",
            self.count,
            us(self.median),
            us(self.p99),
            us(self.maximum)
        )
    }
}
