//! How a door that closes and opens affects a chase around a house.
//!
//! Prints the level once per turn, and the events of the plugin. `cargo run -p pursuit_trials --example door_states`

use bevy::prelude::*;
use bevy_pursuit::MapChanged;
use bevy_pursuit::debug::PlanInvalidated;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableStatus, TableStatusChanged};
use bevy_pursuit::{OutOfReach, TurnClock, WithinReach};
use clap::Parser;
use headless::{app, in_lockstep, level, picture};
use pursuit_trials::headless;
use std::process::ExitCode;

/// The position of the door, from the bottom left.
const DOOR: IVec2 = IVec2::new(15, 4);

const HOUSE: [&str; 9] = [
    ".......................",
    ".#####################.",
    ".#......#......#.....#.",
    ".#......#......#.....#.",
    ".#......#............#.",
    ".#.............#.....#.",
    ".#......#......#.....#.",
    ".#######.#######.#####.",
    ".......................",
];

/// A door closes and opens.
#[derive(Debug, Parser)]
struct Args {
    /// The maximum length of the chase in turns.
    #[arg(long, default_value_t = 40)]
    turns: u64,
    /// The number of turns between two changes of the door.
    #[arg(long, default_value_t = 6)]
    every: u64,
}

/// The events of the plugin, as text.
#[derive(Resource, Default)]
struct EventLog {
    lines: Vec<String>,
    invalidated: u32,
    in_use: u32,
    captured: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut app = app(in_lockstep());
    app.init_resource::<EventLog>()
        .add_systems(FixedUpdate, log_messages.after(PursuitSystems::Decide))
        .add_observer(|_: On<OutOfReach>, mut log: ResMut<EventLog>| {
            log.lines.push("no cop can reach the robber".to_owned());
        })
        .add_observer(|_: On<WithinReach>, mut log: ResMut<EventLog>| {
            log.lines
                .push("a cop can reach the robber again".to_owned());
        })
        .add_observer(|captured: On<Captured>, mut log: ResMut<EventLog>| {
            log.captured = true;
            log.lines
                .push(format!("captured on turn {}", captured.turn));
        });
    let map = PursuitMap::new(&level(&HOUSE), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    app.world_mut().spawn((Robber, GridPosition::new(19, 5)));
    app.world_mut().spawn((Cop, GridPosition::new(3, 3)));

    let mut turn = 0;
    while turn < args.turns && !app.world().resource::<EventLog>().captured {
        app.update();
        let clock = *app
            .world()
            .get::<TurnClock>(map)
            .expect("a map has a clock");
        for line in std::mem::take(&mut app.world_mut().resource_mut::<EventLog>().lines) {
            println!("  tick {:>3} of turn {}: {line}", clock.tick, clock.turn);
        }
        if clock.turn == turn {
            continue;
        }
        turn = clock.turn;
        let mut pursuit_map = app.world_mut().get_mut::<LiveMap>(map).expect("the map");
        let is_open = pursuit_map.is_passable(DOOR);
        if turn.is_multiple_of(args.every) {
            pursuit_map.set_passable(DOOR, !is_open);
        }
        println!("turn {turn}");
        print!(
            "{}",
            picture(&mut app, map, &[(DOOR, if is_open { '\'' } else { '+' })])
        );
        let mut agents = app.world_mut().query::<(&PursuitState, Has<Robber>)>();
        for (state, is_robber) in agents.iter(app.world()) {
            let who = if is_robber { "robber" } else { "cop" };
            let (decided_by, reason) = (state.decided_by, state.reason);
            let free_for = state.free_for();
            println!("  {who}: {decided_by:?}, free for {free_for:?}, {reason:?}");
        }
    }
    let log = app.world().resource::<EventLog>();
    println!(
        "{} plans invalidated, an exact table put into use {} times",
        log.invalidated, log.in_use
    );
    if log.in_use > 0 && (turn <= args.every || log.invalidated > 0 || log.in_use > 1) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Logs messages as text.
fn log_messages(
    mut changes: MessageReader<MapChanged>,
    mut invalidated: MessageReader<PlanInvalidated>,
    mut tables: MessageReader<TableStatusChanged>,
    mut log: ResMut<EventLog>,
) {
    for change in changes.read() {
        let text = format!("{} tiles opened, {} closed", change.opened, change.closed);
        log.lines.push(text);
    }
    for _ in invalidated.read() {
        log.invalidated += 1;
        log.lines.push("a plan was invalidated".to_owned());
    }
    for table in tables.read() {
        log.in_use += u32::from(matches!(table.status, TableStatus::InUse { .. }));
        log.lines.push(format!("table: {:?}", table.status));
    }
}
