//! Budgets of a tick and of a frame, with a clock that the test controls: nothing depends on the speed
//! of the machine.

use crate::common;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::MapStatus;
use bevy_pursuit::debug::{PursuitDiagnostics, PursuitFigures, Source, Stopwatch};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableSettings;
use common::app::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A clock that advances by a fixed number of microseconds with each reading.
#[derive(Clone, Default)]
struct Turned {
    now: Arc<AtomicU64>,
    step: Arc<AtomicU64>,
    /// The number of readings until the clock stalls for 5 ms; 0 for never.
    stall: Arc<AtomicU64>,
}

impl Turned {
    fn new(step: u64) -> Self {
        let clock = Self::default();
        clock.step.store(step, Relaxed);
        clock
    }

    fn stopwatch(&self) -> Stopwatch {
        let clock = self.clone();
        Stopwatch::new(move || {
            let stalls = match clock.stall.load(Relaxed) {
                0 => false,
                asks => {
                    clock.stall.store(asks - 1, Relaxed);
                    asks == 1
                }
            };
            let step = clock.step.load(Relaxed) + if stalls { 5_000 } else { 0 };
            Duration::from_micros(clock.now.fetch_add(step, Relaxed) + step)
        })
    }
}

fn field(width: u16, height: u16) -> TileMap {
    TileMap::filled(width, height, bevy_pursuit::engine::map::Terrain::Floor)
        .expect("a map of some size")
}

/// Far more to plan than the budget of a tick allows: every agent wants a new plan in every tick.
fn busy_app(budget: TickBudget, budgets_per_frame: u16) -> (App, Entity) {
    let mut app = app();
    app.insert_resource(PursuitSettings {
        ticks_per_turn: 1,
        budget,
        budgets_per_frame,
        tables: TableSettings {
            solve: false,
            ..default()
        },
        ..default()
    });
    // A captured robber reappears elsewhere, so that the chase never ends.
    app.add_observer(
        |captured: On<Captured>, mut commands: Commands, agents: Query<&GridPosition>| {
            let at = agents.get(captured.robber).expect("a robber").0;
            let there = GridPosition::new((at.x * 31 + 47) % 120, (at.y * 17 + 61) % 120);
            let mut robber = commands.entity(captured.robber);
            robber.remove::<Caught>().insert(there);
        },
    );
    let map = PursuitMap::new(&field(120, 120), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    for number in 0..24_u8 {
        let pursuit = InPursuit(app.world_mut().spawn(Pursuit(u32::from(number) + 1)).id());
        let number = i32::from(number);
        let (x, y) = (4 * number + 10, 100 - 3 * number);
        app.world_mut()
            .spawn((Robber, GridPosition::new(x, y), pursuit));
        for cop in 0..2 {
            let place = GridPosition::new((x * 7 + cop * 41) % 120, (y * 5 + cop * 29) % 120);
            app.world_mut().spawn((Cop, place, pursuit));
        }
    }
    (app, map)
}

fn turn_clock(app: &mut App, clock: &Turned) {
    app.insert_resource(clock.stopwatch());
}

fn frame(app: &App) -> PursuitFigures {
    app.world().resource::<PursuitDiagnostics>().frame
}

fn tick(app: &App) -> PursuitFigures {
    app.world().resource::<PursuitDiagnostics>().tick
}

fn set_speed(app: &mut App, speed: f32) {
    let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
    time.set_relative_speed(speed);
}

fn hash(app: &App, map: Entity) -> u64 {
    app.world()
        .get::<LiveMap>(map)
        .expect("a map")
        .position_hash()
}

#[test]
fn all_ticks_of_a_frame_share_the_time_of_two() {
    let most = |budgets_per_frame, catches_up: bool| {
        let (mut app, _) = busy_app(TickBudget::Micros(1_000), budgets_per_frame);
        turn_clock(&mut app, &Turned::new(1));
        run(&mut app, 128); // until the reserve is known
        if catches_up {
            app.insert_resource(TimeUpdateStrategy::FixedTimesteps(8));
        } else {
            set_speed(&mut app, 8.0);
        }
        let mut most = Duration::ZERO;
        for _ in 0..12 {
            app.update();
            assert_eq!(frame(&app).ticks, 8);
            most = most.max(frame(&app).time);
        }
        most
    };
    for catches_up in [false, true] {
        let shared = most(2, catches_up);
        assert!(
            shared <= Duration::from_micros(2_100),
            "catching up: {catches_up}, {shared:?}"
        );
        let each = most(0, catches_up);
        assert!(
            each > Duration::from_micros(2_500),
            "each its own: {each:?}"
        );
    }
}

#[test]
fn a_tick_that_is_alone_in_its_frame_has_its_whole_budget() {
    let (mut app, _) = busy_app(TickBudget::Micros(2_000), 2);
    turn_clock(&mut app, &Turned::new(10));
    run(&mut app, 128);
    let taken = frame(&app).time;
    let (least, most) = (Duration::from_micros(1_300), Duration::from_micros(2_100));
    assert!(taken > least && taken < most, "{taken:?}");
}

#[test]
fn the_last_tick_of_a_frame_has_no_less_to_plan_with_than_the_first() {
    #[derive(Resource, Default)]
    struct Work(Vec<u64>);
    let (mut app, _) = busy_app(TickBudget::Micros(1_000), 2);
    turn_clock(&mut app, &Turned::new(1));
    run(&mut app, 128);
    app.init_resource::<Work>().add_systems(
        FixedPostUpdate,
        |diagnostics: Res<PursuitDiagnostics>, mut work: ResMut<Work>| {
            work.0.push(diagnostics.tick.expansions);
        },
    );
    set_speed(&mut app, 8.0);
    run(&mut app, 40);
    let work = &app.world().resource::<Work>().0;
    let of = |place: usize| work.iter().skip(place).step_by(8).sum::<u64>();
    let (first, last) = (of(0), of(7));
    assert!(first > 0 && last > 0, "{first} {last}");
    assert!(last * 4 > first, "{first} {last}");
}

#[test]
fn expansions_are_shared_by_the_speed_of_the_game_and_not_by_frames() {
    // 64 ticks per second, at eight times the speed and 60 frames per second: 8.5 ticks of a frame share
    // two budgets.
    let share = 10_000 * 2 * 60 / (64 * 8);
    let run_of = |budgets, speed: f32, strategy: fn(i32) -> TimeUpdateStrategy| {
        let (mut app, map) = busy_app(TickBudget::Expansions(10_000), budgets);
        set_speed(&mut app, speed);
        let (mut most, mut hashes) = (0, Vec::new());
        for number in 0.. {
            app.insert_resource(strategy(number));
            app.update();
            most = most.max(tick(&app).expansions);
            let now = app.world().resource::<PursuitDiagnostics>().total.ticks;
            // The runs agree at every 48th tick.
            if now.is_multiple_of(48) && frame(&app).ticks > 0 {
                hashes.push(hash(&app, map));
            }
            if now >= 144 {
                break;
            }
        }
        (most, hashes)
    };
    let together = run_of(2, 8.0, |_| TimeUpdateStrategy::FixedTimesteps(1));
    assert!(together.0 <= share + 200, "{} of {share}", together.0);
    assert!(together.0 > share / 2, "{} of {share}", together.0);
    // A tick of the game takes an eighth of its length in real time.
    let apart = run_of(2, 8.0, |_| {
        TimeUpdateStrategy::ManualDuration(Duration::from_nanos(1_953_125))
    });
    assert_eq!(together.1, apart.1);
    let uneven = run_of(2, 8.0, |number| {
        TimeUpdateStrategy::ManualDuration(Duration::from_nanos(
            1_953_125 * [3, 1, 2][number as usize % 3],
        ))
    });
    assert_eq!(together.1, uneven.1);
    // At normal speed a tick has its whole budget, even when the fixed clock catches up.
    let normal = run_of(2, 1.0, |_| TimeUpdateStrategy::FixedTimesteps(1));
    assert!(normal.0 > 9_000, "{}", normal.0);
    assert_eq!(
        normal.1,
        run_of(2, 1.0, |_| TimeUpdateStrategy::FixedTimesteps(6)).1
    );
    // A game that must take the same course at any speed turns the sharing off.
    let own = run_of(0, 8.0, |_| TimeUpdateStrategy::FixedTimesteps(1));
    assert_eq!(
        own.1,
        run_of(0, 1.0, |_| TimeUpdateStrategy::FixedTimesteps(1)).1
    );
    assert_ne!(own.1, together.1);
}

#[test]
fn one_slow_tick_takes_nothing_from_those_after_it() {
    let (mut app, _) = busy_app(TickBudget::Micros(2_000), 2);
    let clock = Turned::new(10);
    turn_clock(&mut app, &clock);
    run(&mut app, 128);
    let work_of = |app: &mut App, ticks: u64| {
        let mut work = 0;
        for _ in 0..ticks {
            app.update();
            work += tick(app).expansions;
        }
        work / ticks
    };
    let before = work_of(&mut app, 32);
    clock.stall.store(60, Relaxed);
    app.update();
    assert!(
        tick(&app).time > Duration::from_millis(5),
        "{:?}",
        tick(&app)
    );
    let after = work_of(&mut app, 16);
    assert!(
        after * 10 > before * 9,
        "a quarter of a second later: {after} of {before} expansions a tick"
    );
}

#[test]
fn what_every_tick_takes_is_kept_back() {
    // Slow enough that moves take a large part of the budget, whichever agents plan.
    let (mut app, _) = busy_app(TickBudget::Micros(4_000), 2);
    turn_clock(&mut app, &Turned::new(10));
    run(&mut app, 128);
    for _ in 0..64 {
        app.update();
        let taken = tick(&app).time;
        assert!(taken <= Duration::from_micros(4_200), "{taken:?}");
    }
}

#[test]
fn everybody_gets_a_plan_in_the_end_however_little_time_there_is() {
    let (mut app, _) = busy_app(TickBudget::Micros(0), 2);
    turn_clock(&mut app, &Turned::new(10));
    for _ in 0..256 {
        app.update();
        let work = tick(&app).expansions;
        // A slice, the piece by which a search may exceed it, and the cost of beginning a plan.
        assert!(work <= 8 * (128 + 60 + 60), "{work}");
    }
    let total = app.world().resource::<PursuitDiagnostics>().total;
    assert!(total.plans > 64, "{} plans", total.plans);
    assert!(total.decisions.by(Source::Search) > 0);
}

#[test]
fn what_the_plugin_does_between_ticks_counts() {
    let (mut app, map) = busy_app(TickBudget::Micros(2_000), 2);
    // The map is built within the budget, by the machine's clock.
    let world_of = |app: &App| app.world().get::<LiveMap>(map)?.snapshot();
    let mut ticks = 0;
    while world_of(&app).is_none() && ticks < 10_000 {
        run(&mut app, 1);
        ticks += 1;
    }
    let snapshot = world_of(&app).expect("a world");
    turn_clock(&mut app, &Turned::new(100));
    // Without a tick: agents are restored in `First`.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.world_mut()
        .restore_map(map, snapshot, Some)
        .expect("a good snapshot");
    app.update();
    let now = frame(&app);
    assert_eq!(now.ticks, 0);
    assert!(now.time > Duration::ZERO);
    assert!(now.time >= Duration::from_micros(100));
}

#[test]
fn the_next_tick_pays_for_what_was_done_between_ticks() {
    let (mut app, map) = busy_app(TickBudget::Micros(2_000), 2);
    let clock = Turned::new(5);
    turn_clock(&mut app, &clock);
    run(&mut app, 128);
    let usual = tick(&app).expansions;
    let snapshot = {
        let map = app.world().get::<LiveMap>(map).expect("a map");
        map.snapshot().expect("a world")
    };
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.world_mut()
        .restore_map(map, snapshot, Some)
        .expect("a good snapshot");
    // The second reading happens after the agents have been restored.
    clock.stall.store(2, Relaxed);
    app.update();
    assert_eq!(frame(&app).ticks, 0);
    assert!(frame(&app).time >= Duration::from_millis(5));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    let paid = tick(&app).expansions;
    // The slices granted to every tick.
    assert!(paid <= 8 * (128 + 60 + 60), "{paid} of {usual}");
    app.update();
    let after = tick(&app).expansions;
    assert!(after > 2 * paid, "{after} after {paid}, usually {usual}");
}

#[test]
fn a_map_is_built_by_the_clock_of_the_plugin() {
    let ticks = |step| {
        let mut app = app();
        app.insert_resource(PursuitSettings {
            budget: TickBudget::Micros(1_000),
            ..default()
        });
        turn_clock(&mut app, &Turned::new(step));
        let map = PursuitMap::new(&field(400, 400), Moves::Octile);
        let map = app.world_mut().spawn(map).id();
        let status = |app: &App| app.world().get::<MapStatus>(map).copied();
        let mut ticks = 0;
        while status(&app) != Some(MapStatus::Ready) {
            ticks += 1;
            assert!(ticks < 10_000, "never ready");
            app.update();
        }
        ticks
    };
    // If no time passes, one tick does all the work.
    assert_eq!(ticks(0), 1);
    let (fast, slow) = (ticks(1), ticks(10));
    assert!(fast > 1, "{fast} ticks");
    assert!(slow > 4 * fast, "{slow} and {fast} ticks");
}

#[cfg(feature = "tilemap")]
#[test]
fn gliding_counts() {
    let (mut app, _) = busy_app(TickBudget::Micros(2_000), 2);
    run(&mut app, 2);
    turn_clock(&mut app, &Turned::new(100));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    // Two systems show agents; each advances the clock by one step.
    let shown = frame(&app);
    assert_eq!((shown.ticks, shown.time), (0, Duration::from_micros(200)));
}

/// The more frames a second, the more often bodies are moved. Agents must not play worse for it.
#[cfg(feature = "tilemap")]
#[test]
fn frames_between_ticks_take_nothing_from_the_next_tick() {
    let play = |frames: u32| {
        let (mut app, _) = busy_app(TickBudget::Micros(2_000), 2);
        turn_clock(&mut app, &Turned::new(20));
        let tick = Duration::from_secs_f64(1.0 / 64.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(tick / frames));
        run(&mut app, 128 * frames as usize);
        let before = app.world().resource::<PursuitDiagnostics>().total;
        run(&mut app, 64 * frames as usize);
        let total = app.world().resource::<PursuitDiagnostics>().total;
        assert!(total.ticks - before.ticks >= 60, "{frames}");
        // The time between ticks is reported nevertheless.
        assert!(total.time.saturating_sub(before.time) > Duration::from_micros(64 * 40) * frames);
        (total.expansions - before.expansions) / (total.ticks - before.ticks)
    };
    let one = play(1);
    for frames in [4, 30] {
        let more = play(frames);
        assert!(
            more * 10 > one * 9,
            "{frames} frames a tick: {more} of {one}"
        );
    }
}

#[test]
fn figures_are_of_the_last_tick_of_the_frame_and_of_all() {
    #[derive(Resource, Default)]
    struct Ticks(Vec<PursuitFigures>);
    let (mut app, _) = busy_app(TickBudget::Expansions(10_000), 0);
    let before = app.world().resource::<PursuitDiagnostics>().total;
    app.init_resource::<Ticks>().add_systems(
        FixedPostUpdate,
        |diagnostics: Res<PursuitDiagnostics>, mut ticks: ResMut<Ticks>| {
            ticks.0.push(diagnostics.tick);
        },
    );
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(4));
    run(&mut app, 3);
    let ticks = std::mem::take(&mut app.world_mut().resource_mut::<Ticks>().0);
    assert_eq!(ticks.len(), 12);
    let diagnostics = app.world().resource::<PursuitDiagnostics>();
    let sum = |ticks: &[PursuitFigures], of: fn(&PursuitFigures) -> u64| {
        ticks.iter().map(of).sum::<u64>()
    };
    let most = |of: fn(&PursuitFigures) -> u64| ticks[8..].iter().map(of).max();
    let frame = diagnostics.frame;
    assert_eq!(diagnostics.tick, ticks[11]);
    assert_eq!(frame.ticks, 4);
    for of in [
        (|figures| figures.expansions) as fn(&PursuitFigures) -> u64,
        |figures| figures.plans,
        |figures| figures.decisions.all(),
        |figures| figures.decisions.by(Source::Search),
    ] {
        assert_eq!(of(&frame), sum(&ticks[8..], of));
        assert_eq!(of(&diagnostics.total), of(&before) + sum(&ticks, of));
        assert!(of(&frame) > of(&diagnostics.tick), "not of one tick");
    }
    assert_eq!(
        Some(frame.waiting.into()),
        most(|figures| figures.waiting.into())
    );
    assert_eq!(
        Some(frame.oldest_plan.into()),
        most(|figures| figures.oldest_plan.into())
    );
    let slowest = ticks[8..].iter().map(|tick| tick.time).max();
    assert_eq!(Some(frame.slowest_tick), slowest);
    // A frame without a tick.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    let diagnostics = app.world().resource::<PursuitDiagnostics>();
    assert_eq!((diagnostics.frame.ticks, diagnostics.total.ticks), (0, 12));
    assert_eq!(diagnostics.tick, ticks[11], "the last one that there was");
}
