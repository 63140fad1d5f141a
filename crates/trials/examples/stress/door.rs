//! One chase from a table in real time, with a door that moves.

use crate::Args;
use crate::headless::{Figures, agent_of, any, app, open_tiles, tile, waited, world_of};
use crate::referee::Referee;
use crate::town::rooms;
use bevy::prelude::*;
use bevy_pursuit::MapStatus;
use bevy_pursuit::debug::PursuitDiagnostics;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSettings, TableTiming};
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::TableEvent;
use pursuit_engine::world::{PursuitWorld, WorldEvent};
use std::thread;
use std::time::{Duration, Instant};

/// A 64th of a second.
const TICK: Duration = Duration::from_micros(1_000_000 / 64);
/// The number of ticks between two changes, so that they fall early or late in a turn.
const EVERY: u64 = 133;

/// A change of a door and its consequences.
#[derive(Debug, Clone, Copy)]
struct Change {
    at: Instant,
    /// The number of ticks since the change.
    ticks: u64,
    /// The number of ticks until the first decision.
    decided: Option<u64>,
    /// The number of ticks until the table of the changed map was in the table cache.
    back: Option<u64>,
}

/// The measurements.
#[derive(Default)]
struct Measured {
    tick_ms: Figures,
    /// Tick times without waiting for a core.
    own_ms: Figures,
    decided: Figures,
    back: Figures,
    exact: Figures,
    change: Option<Change>,
}

impl Change {
    /// Opens or closes a door.
    fn begin(map: &mut LiveMap, door: IVec2) -> Self {
        let is_open = map.is_passable(door);
        map.set_passable(door, !is_open);
        Self {
            at: Instant::now(),
            ticks: 0,
            decided: None,
            back: None,
        }
    }
}

fn settings(args: &Args) -> PursuitSettings {
    let timing = if args.when_ready {
        TableTiming::WhenReady
    } else {
        TableTiming::default()
    };
    PursuitSettings {
        budget: args.budget(),
        tables: TableSettings {
            timing,
            ..default()
        },
        ..default()
    }
}

pub fn run(args: &Args) -> Result<(), String> {
    let level = rooms(64, 64, args.seed);
    let open = open_tiles(&level.map);
    let mut dice = Dice::new(args.seed);
    let mut app = app(settings(args));
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&level.map, Moves::Octile))
        .id();
    let robber = app.world_mut().spawn((Robber, any(&mut dice, &open))).id();
    let cop = (Cop, any(&mut dice, &open), PursuitSpeed(2));
    app.world_mut().spawn(cop);
    println!(
        "{} open tiles, {} doors, 64 ticks per second, a change every {EVERY} ticks",
        open.len(),
        level.doors.len()
    );

    // The first update starts time and has no tick yet.
    while app.world().get::<MapStatus>(map) != Some(&MapStatus::Ready) {
        app.update();
    }
    let (mut referee, mut measured) = (Referee::default(), Measured::default());
    let mut next = Instant::now();
    for tick in 0..args.ticks {
        let mut placed = Vec::new();
        if app.world().get::<Caught>(robber).is_some() {
            let place = any(&mut dice, &open);
            app.world_mut()
                .entity_mut(robber)
                .remove::<Caught>()
                .insert(place);
            placed.extend(agent_of(world_of(&app, map), robber));
        }
        if tick % EVERY == EVERY - 1 && measured.change.is_none() {
            let door = dice.pick(&level.doors).ok_or("a level without doors")?;
            let at = tile(level.map.height(), door);
            let mut map = app.world_mut().get_mut::<LiveMap>(map).expect("the map");
            measured.change = Some(Change::begin(&mut map, at));
        }
        let before = waited();
        app.update();
        let waited = waited().saturating_sub(before);
        let world = world_of(&app, map);
        // From the tick in which the door closes, a path through it is a violation.
        referee.watch(world, &placed)?;
        measured.note(app.world().resource::<PursuitDiagnostics>(), waited);
        measured.look(world);
        next += TICK;
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    measured.print();
    if measured.back.count() == 0 {
        return Err("no table was ready after a change".to_owned());
    }
    match args.limit_ms {
        Some(limit) if measured.own_ms.quantile(0.999) > limit => Err("too slow".to_owned()),
        _ => Ok(()),
    }
}

impl Measured {
    fn note(&mut self, diagnostics: &PursuitDiagnostics, waited: Duration) {
        let Self {
            tick_ms, own_ms, ..
        } = self;
        tick_ms.note(diagnostics.tick.time.as_secs_f64() * 1e3);
        own_ms.note(diagnostics.tick.time.saturating_sub(waited).as_secs_f64() * 1e3);
    }

    /// Records what has happened since the door has moved.
    fn look(&mut self, world: &PursuitWorld) {
        let Some(now) = &mut self.change else {
            return;
        };
        if world.report().decisions.all() > 0 && now.decided.is_none() {
            now.decided = Some(now.ticks);
        }
        let is_ready =
            |event: &WorldEvent| matches!(event, WorldEvent::TableCache(TableEvent::Ready { .. }));
        if now.back.is_none() && world.events().iter().any(is_ready) {
            now.back = Some(now.ticks);
        }
        let (true, Some(first)) = (world.pursuits()[0].is_exact(), now.decided) else {
            now.ticks += 1;
            return;
        };
        // The table of an earlier state of the map is available at once.
        let ready = now.back.unwrap_or(0);
        self.decided.note(first as f64);
        self.back.note(ready as f64);
        self.exact.note(now.ticks as f64);
        println!(
            "tick {}: first decision after {first} ticks, table after {ready}, exact play after {} \
             ({:.0?})",
            world.tick(),
            now.ticks,
            now.at.elapsed(),
        );
        self.change = None;
    }

    fn print(&mut self) {
        println!("tick time        {}", self.tick_ms.line(3, " ms"));
        println!("  without waits  {}", self.own_ms.line(3, " ms"));
        println!(
            "first decision   {} (turns last 16)",
            self.decided.line(0, " ticks")
        );
        println!("table ready      {}", self.back.line(0, " ticks"));
        println!(
            "exact play       {} (starts with the next turn)",
            self.exact.line(0, " ticks")
        );
    }
}
