//! Many pursuits on one map, with robbers that reappear and doors that move.

use crate::Args;
use crate::headless::{any, any_near, open_tiles, tile, waited, world_of};
use crate::report::Report;
use crate::town::{Town, rooms, town};
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::MapStatus;
use bevy_pursuit::debug::PursuitDiagnostics;
use bevy_pursuit::debug::Source;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableSettings;
use pursuit_engine::search::Dice;
use std::time::Instant;

/// The schedule of the plugin, separate from others so that its allocations can be counted.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Chase;

#[derive(Resource, Default)]
struct Allocations(u64);

/// The captured robbers, with the turn of the capture.
#[derive(Resource, Default)]
struct Captures(Vec<(Entity, u64)>);

/// The turn of its pursuit in which a robber has appeared.
#[derive(Component)]
struct Since(u64);

const DOORS_A_SECOND: u64 = 5;
const TICKS_A_SECOND: u64 = 64;

pub fn run(args: &Args) -> Result<(), String> {
    let level = if args.table {
        rooms(64, 64, args.seed)
    } else {
        town(args.side, args.side, args.seed)
    };
    let open = open_tiles(&level.map);
    let mut dice = Dice::new(args.seed);
    let mut app = crowded_app(args);
    let map = PursuitMap::new(&level.map, Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    println!("map: {} open tiles", open.len());
    let pursuits = args
        .pursuits
        .unwrap_or(if args.table { 5_000 } else { 256 });
    populate(&mut app, args, pursuits, &open, &mut dice);
    warm_up(&mut app, map, args.table, args.within, &open, &mut dice)?;
    let mut report = Report::default();
    for tick in 0..args.ticks {
        let placed = bring_back(&mut app, map, args.within, &open, &mut dice);
        let door = !args.table && move_doors(&mut app, map, &level, tick, &mut dice);
        let (since, before) = (Instant::now(), waited());
        app.update();
        let (frame, waited) = (since.elapsed(), waited().saturating_sub(before));
        let world = app.world();
        let diagnostics = world.resource::<PursuitDiagnostics>();
        let allocations = world.resource::<Allocations>().0;
        report.note(diagnostics, frame, waited, allocations, door);
        report.judge(world_of(&app, map), &placed);
        for &(robber, turn) in &world.resource::<Captures>().0 {
            let since = world.get::<Since>(robber).map_or(0, |since| since.0);
            report.note_capture(turn.saturating_sub(since));
        }
    }
    report.print();
    report.verdict(args.limit_ms, args.table)
}

fn crowded_app(args: &Args) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Chase)))
        .init_schedule(Chase)
        .insert_resource(PursuitSettings {
            budget: args.budget(),
            seed: args.seed,
            clock: if args.free_running {
                PursuitClock::FreeRunning
            } else {
                PursuitClock::Turns
            },
            tables: TableSettings {
                solve: args.table,
                ..default()
            },
            ..default()
        })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Captures>()
        .init_resource::<Allocations>()
        .add_observer(|captured: On<Captured>, mut captures: ResMut<Captures>| {
            captures.0.push((captured.robber, captured.turn));
        })
        .add_systems(FixedUpdate, |world: &mut World| {
            let counted = allocation_counter::measure(|| world.run_schedule(Chase));
            world.resource_mut::<Allocations>().0 = counted.count_total;
        });
    app.update(); // the first update starts time and has no tick yet
    app
}

/// Spawns three cops per robber, or with a table one that is twice as fast.
fn populate(app: &mut App, args: &Args, pursuits: u32, open: &[IVec2], dice: &mut Dice) {
    let (cops, speed) = if args.table { (1, 2) } else { (3, 1) };
    let mut pursuit = None;
    for number in 1..=pursuits {
        let joined = pursuit.filter(|_| args.together);
        let of = joined.unwrap_or_else(|| app.world_mut().spawn(Pursuit(number)).id());
        pursuit = Some(of);
        let place = any(dice, open);
        let robber = (Robber, place, InPursuit(of), Since(0));
        let mut members = vec![app.world_mut().spawn(robber).id()];
        for _ in 0..cops {
            let near = any_near(dice, open, place.0, args.within);
            let cop = (Cop, near, PursuitSpeed(speed), InPursuit(of));
            members.push(app.world_mut().spawn(cop).id());
        }
        for (member, sight) in members.into_iter().zip(args.sight.into_iter().cycle()) {
            app.world_mut().entity_mut(member).insert(Sight(sight));
        }
    }
}

/// Runs four turns after the map is ready; with a table, until it has served all agents for a turn.
fn warm_up(
    app: &mut App,
    map: Entity,
    table: bool,
    within: u32,
    open: &[IVec2],
    dice: &mut Dice,
) -> Result<(), String> {
    let started = Instant::now();
    let mut worst = 0.0_f64;
    let (mut served, mut ready) = (0, 0);
    // The limit is high, because solving a table can take long on a busy machine.
    for tick in 1..=20_000 {
        bring_back(app, map, within, open, dice);
        app.update();
        let diagnostics = app.world().resource::<PursuitDiagnostics>();
        worst = worst.max(diagnostics.tick.time.as_secs_f64() * 1e3);
        // Less than 100 %, because a robber about to be captured makes no table lookup.
        let is_served = diagnostics.tick.decisions.share(Source::Table) >= 0.9;
        served = if is_served { served + 1 } else { 0 };
        // No agent plays before the map is ready.
        ready += u32::from(app.world().get::<MapStatus>(map) == Some(&MapStatus::Ready));
        if ready >= 64 && (!table || served >= 16) {
            let time = started.elapsed();
            println!("warmed up in {tick} ticks, {time:.0?}; slowest tick {worst:.3} ms");
            return Ok(());
        }
    }
    Err("the table was not ready in time".to_owned())
}

/// Moves captured robbers to a nearby tile and frees them.
fn bring_back(
    app: &mut App,
    map: Entity,
    within: u32,
    open: &[IVec2],
    dice: &mut Dice,
) -> Vec<Entity> {
    let captures = std::mem::take(&mut app.world_mut().resource_mut::<Captures>().0);
    for &(robber, _) in &captures {
        let pursuit = app.world().get::<InPursuit>(robber).expect("a robber").0;
        let pursuit = app.world().get::<Pursuit>(pursuit).expect("a pursuit").0;
        let turn = world_of(app, map)
            .pursuit(pursuit)
            .map_or(0, pursuit_engine::world::PursuitRecord::turn);
        let here = app.world().get::<GridPosition>(robber).expect("a robber").0;
        let place = any_near(dice, open, here, within);
        let mut entity = app.world_mut().entity_mut(robber);
        entity.remove::<Caught>().insert((place, Since(turn)));
    }
    captures.into_iter().map(|(robber, _)| robber).collect()
}

/// Opens or closes a door, five times per second. Returns whether it did.
fn move_doors(app: &mut App, map: Entity, level: &Town, tick: u64, dice: &mut Dice) -> bool {
    let changes = |tick: u64| tick * DOORS_A_SECOND / TICKS_A_SECOND;
    if changes(tick) == changes(tick + 1) {
        return false;
    }
    let Some(door) = dice.pick(&level.doors) else {
        return false;
    };
    let at = tile(level.map.height(), door);
    if let Some(mut map) = app.world_mut().get_mut::<LiveMap>(map) {
        let is_open = map.is_passable(at);
        map.set_passable(at, !is_open);
    }
    true
}
