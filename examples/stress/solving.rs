//! Frames of a game while tables of a large map are being solved in the background.

use crate::Args;
use crate::headless::{Figures, any, any_near, open_tiles, waited, world_of};
use bevy::prelude::*;
use bevy_pursuit::plugin::{TableSettings, TableTiming};
use bevy_pursuit::prelude::*;
use bevy_pursuit::search::Dice;
use bevy_pursuit::table_cache::TableEvent;
use bevy_pursuit::world::WorldEvent;
use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Sixty frames a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// What the rest of the game does in a frame: it reads so many numbers, which takes about 4 ms on
/// a core of its own.
const REST: usize = 3 << 19;

/// What is measured, of frames while something is being solved and of the others.
#[derive(Default)]
struct Measured {
    frame_ms: Figures,
    update_ms: Figures,
    /// What the main thread has waited for a core.
    waited_ms: Figures,
}

impl Measured {
    fn print(&mut self, what: &str) {
        println!("{what}: {} frames", self.frame_ms.count());
        println!("  a frame        {}", self.frame_ms.line(2, " ms"));
        println!("  app.update()   {}", self.update_ms.line(2, " ms"));
        println!("  without a core {}", self.waited_ms.line(2, " ms"));
    }
}

pub fn run(args: &Args, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let map = TileMap::parse(&text).map_err(|error| error.to_string())?;
    let open = open_tiles(&map);
    let mut dice = Dice::new(args.seed);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(PursuitSettings {
            budget: args.budget(),
            tables: limits(args),
            ..default()
        });
    let home = app.world_mut().spawn(PursuitMap::new(&map, Moves::Octile));
    let home = home.id();
    let cop = any(&mut dice, &open);
    let near = any_near(&mut dice, &open, cop.0, 20);
    let robber = app.world_mut().spawn((Robber, near)).id();
    app.world_mut().spawn((Cop, cop, PursuitSpeed(2)));
    println!("{} open tiles, 60 frames a second", open.len());

    let numbers: Vec<u64> = (0..1 << 19).collect();
    let (mut solving, mut idle) = (Measured::default(), Measured::default());
    let (mut is_solving, mut is_ready, mut tables) = (false, false, 0);
    let mut next = Instant::now();
    for _ in 0..args.ticks {
        if app.world().get::<Caught>(robber).is_some() {
            let place = any_near(&mut dice, &open, near.0, 20);
            app.world_mut()
                .entity_mut(robber)
                .remove::<Caught>()
                .insert(place);
        }
        // As soon as there is a table the map is another one.
        if std::mem::take(&mut is_ready) {
            let at = open[dice.below(open.len())];
            let mut map = app
                .world_mut()
                .get_mut::<PursuitMap>(home)
                .expect("the map");
            let is_open = map.is_passable(at);
            map.set_passable(at, !is_open);
            (is_solving, tables) = (false, tables + 1);
        }
        let (began, before) = (Instant::now(), waited());
        app.update();
        let update = began.elapsed();
        let sum = (0..REST).fold(0_u64, |sum, index| {
            sum.wrapping_mul(31)
                .wrapping_add(numbers[index.wrapping_mul(97) % numbers.len()])
        });
        black_box(sum);
        let frame = began.elapsed();
        let waited = waited().saturating_sub(before);
        for event in world_of(&app, home).events() {
            match event {
                WorldEvent::TableCache(TableEvent::Solving { .. }) => is_solving = true,
                WorldEvent::TableCache(TableEvent::Ready { .. }) => is_ready = true,
                _ => {}
            }
        }
        let measured = if is_solving { &mut solving } else { &mut idle };
        measured.frame_ms.note(frame.as_secs_f64() * 1e3);
        measured.update_ms.note(update.as_secs_f64() * 1e3);
        measured.waited_ms.note(waited.as_secs_f64() * 1e3);
        next += FRAME;
        thread::sleep(next.saturating_duration_since(Instant::now()));
        next = next.max(Instant::now() - FRAME);
    }
    println!("{tables} tables");
    solving.print("while a table is being solved");
    idle.print("else");
    Ok(())
}

fn limits(args: &Args) -> TableSettings {
    TableSettings {
        solve: !args.no_tables,
        timing: TableTiming::WhenReady,
        threads: args.threads,
        ..default()
    }
}
