//! Frame times of a game while tables of a large map are solved in the background.

use crate::Args;
use crate::headless::{Figures, any, any_near, open_tiles, waited};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSettings, TableTiming};
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::TableEvent;
use pursuit_engine::world::{PursuitWorld, WorldEvent};
use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Sixty frames per second.
const FRAME: Duration = Duration::from_micros(16_667);
/// The simulated work of the rest of the game in a frame: this many reads of numbers, which take about
/// 4 ms on an otherwise idle core.
const REST: usize = 3 << 19;

/// The measurements of frames, in milliseconds.
#[derive(Default)]
struct Measured {
    frames: Figures,
    updates: Figures,
    /// The time that the main thread has waited for a core.
    waits: Figures,
}

impl Measured {
    fn print(&mut self, what: &str) {
        println!("{what}: {} frames", self.frames.count());
        println!("  whole frame    {}", self.frames.line(2, " ms"));
        println!("  app.update()   {}", self.updates.line(2, " ms"));
        println!("  waits for core {}", self.waits.line(2, " ms"));
    }
}

pub fn run(args: &Args, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let map = TileMap::parse(&text).map_err(|error| error.to_string())?;
    let mut chase = Chase::new(args, &map);
    println!("{} open tiles, 60 frames per second", chase.open.len());
    let numbers: Vec<u64> = (0..1 << 19).collect();
    let (mut solving, mut idle) = (Measured::default(), Measured::default());
    let mut next = Instant::now();
    for _ in 0..args.ticks {
        chase.prepare();
        let (began, before) = (Instant::now(), waited());
        chase.app.update();
        let update = began.elapsed();
        let sum = (0..REST).fold(0_u64, |sum, index| {
            sum.wrapping_mul(31)
                .wrapping_add(numbers[index.wrapping_mul(97) % numbers.len()])
        });
        black_box(sum);
        let frame = began.elapsed();
        let waited = waited().saturating_sub(before);
        chase.watch();
        let measured = if chase.is_solving {
            &mut solving
        } else {
            &mut idle
        };
        measured.frames.note(frame.as_secs_f64() * 1e3);
        measured.updates.note(update.as_secs_f64() * 1e3);
        measured.waits.note(waited.as_secs_f64() * 1e3);
        next += FRAME;
        thread::sleep(next.saturating_duration_since(Instant::now()));
        // Delays are not caught up.
        next = next.max(Instant::now());
    }
    println!("{} tables", chase.tables);
    solving.print("while a table is being solved");
    idle.print("otherwise");
    Ok(())
}

/// One endless chase on a map whose tables are solved one after another.
struct Chase {
    app: App,
    home: Entity,
    robber: Entity,
    near: GridPosition,
    open: Vec<IVec2>,
    dice: Dice,
    is_solving: bool,
    is_ready: bool,
    tables: u32,
}

impl Chase {
    fn new(args: &Args, map: &TileMap) -> Self {
        let open = open_tiles(map);
        let mut dice = Dice::new(args.seed);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
            .insert_resource(PursuitSettings {
                budget: args.budget(),
                tables: limits(args),
                ..default()
            });
        let home = app.world_mut().spawn(PursuitMap::new(map, Moves::Octile));
        let home = home.id();
        let cop = any(&mut dice, &open);
        let near = any_near(&mut dice, &open, cop.0, 20);
        let robber = app.world_mut().spawn((Robber, near)).id();
        app.world_mut().spawn((Cop, cop, PursuitSpeed(2)));
        Self {
            app,
            home,
            robber,
            near,
            open,
            dice,
            is_solving: false,
            is_ready: false,
            tables: 0,
        }
    }

    /// Prepares a frame: a captured robber restarts elsewhere, and the map is edited as soon as its table
    /// is ready.
    fn prepare(&mut self) {
        if self.app.world().get::<Caught>(self.robber).is_some() {
            let place = any_near(&mut self.dice, &self.open, self.near.0, 20);
            let mut robber = self.app.world_mut().entity_mut(self.robber);
            robber.remove::<Caught>().insert(place);
        }
        if std::mem::take(&mut self.is_ready) {
            let at = self.open[self.dice.below(self.open.len())];
            let map = self.app.world_mut().get_mut::<LiveMap>(self.home);
            let mut map = map.expect("the map");
            let is_open = map.is_passable(at);
            map.set_passable(at, !is_open);
            self.is_solving = false;
            self.tables += 1;
        }
    }

    /// Records the table events of a frame.
    fn watch(&mut self) {
        let (mut is_solving, mut is_ready) = (self.is_solving, self.is_ready);
        let map = self.app.world().get::<LiveMap>(self.home);
        // The world exists only once the map is ready.
        let world = map.and_then(LiveMap::world);
        for event in world.into_iter().flat_map(PursuitWorld::events) {
            match event {
                WorldEvent::TableCache(TableEvent::Solving { .. }) => is_solving = true,
                WorldEvent::TableCache(TableEvent::Ready { .. }) => is_ready = true,
                _ => {}
            }
        }
        (self.is_solving, self.is_ready) = (is_solving, is_ready);
    }
}

fn limits(args: &Args) -> TableSettings {
    TableSettings {
        solve: !args.no_tables,
        timing: TableTiming::WhenReady,
        threads: args.threads,
        ..default()
    }
}
