//! What doors do to a chase: a cop after a robber around a house, a door that falls shut and opens.
//! Prints the level once a turn, and what the plugin tells. `cargo run --example doors`

#[path = "common/headless.rs"]
mod headless;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use clap::Parser;
use headless::{app, in_lockstep, level, picture};
use std::process::ExitCode;

/// Where the door is, from the bottom left.
const DOOR: UVec2 = UVec2::new(15, 4);

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

/// A door falls shut and opens.
#[derive(Debug, Parser)]
struct Args {
    /// How long it goes on, at most.
    #[arg(long, default_value_t = 40)]
    turns: u64,
    /// The door changes every so many turns.
    #[arg(long, default_value_t = 6)]
    every: u64,
}

/// What the plugin has told, in words.
#[derive(Resource, Default)]
struct News {
    lines: Vec<String>,
    invalidated: u32,
    in_use: u32,
    captured: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut app = app(in_lockstep());
    app.init_resource::<News>()
        .add_systems(FixedUpdate, tell.after(PursuitSystems::Decide))
        .add_observer(|_: On<OutOfReach>, mut news: ResMut<News>| {
            news.lines
                .push("nobody can come to the robber now".to_owned());
        })
        .add_observer(|_: On<WithinReach>, mut news: ResMut<News>| {
            news.lines
                .push("the robber can be reached again".to_owned());
        })
        .add_observer(|captured: On<Captured>, mut news: ResMut<News>| {
            news.captured = true;
            news.lines
                .push(format!("captured on turn {}", captured.turn));
        });
    let map = PursuitMap::new(&level(&HOUSE), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    app.world_mut().spawn((Robber, GridPosition::new(19, 5)));
    app.world_mut().spawn((Cop, GridPosition::new(3, 3)));

    let mut turn = 0;
    while turn < args.turns && !app.world().resource::<News>().captured {
        app.update();
        let clock = *app
            .world()
            .get::<TurnClock>(map)
            .expect("a map has a clock");
        for line in std::mem::take(&mut app.world_mut().resource_mut::<News>().lines) {
            println!("  tick {:>3} of turn {}: {line}", clock.tick, clock.turn);
        }
        if clock.turn == turn {
            continue;
        }
        turn = clock.turn;
        let mut pursuit_map = app.world_mut().get_mut::<PursuitMap>(map).expect("the map");
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
    let news = app.world().resource::<News>();
    println!(
        "{} plans invalidated, an exact table taken up {} times",
        news.invalidated, news.in_use
    );
    if news.in_use > 0 && (turn <= args.every || news.invalidated > 0 || news.in_use > 1) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Puts messages into words.
fn tell(
    mut changes: MessageReader<MapChanged>,
    mut invalidated: MessageReader<PlanInvalidated>,
    mut tables: MessageReader<TableStatusChanged>,
    mut news: ResMut<News>,
) {
    for change in changes.read() {
        let text = format!(
            "{} tiles have opened, {} closed",
            change.opened, change.closed
        );
        news.lines.push(text);
    }
    for _ in invalidated.read() {
        news.invalidated += 1;
        news.lines.push("a plan does not count any more".to_owned());
    }
    for table in tables.read() {
        news.in_use += u32::from(matches!(table.status, TableStatus::InUse { .. }));
        news.lines.push(format!("table: {:?}", table.status));
    }
}
