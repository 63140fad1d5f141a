//! The five lines that add a chase to an app with a tilemap layer.
//!
//! It opens no window and prints the positions of all agents. `cargo run --example minimal`

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_pursuit::TurnClock;
use bevy_pursuit::prelude::*;
use std::time::Duration;

const YARD: [&str; 7] = [
    "............", //
    ".####..####.",
    ".#........#.",
    "......##....",
    ".#........#.",
    ".####..####.",
    "............",
];

fn main() {
    let mut app = App::new();
    let frame = Duration::from_millis(16);
    app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(frame)))
        .add_systems(Startup, set_up)
        .add_systems(Update, print);
    app.add_plugins(PursuitPlugin::default()); // line 1
    app.add_observer(|captured: On<Captured>, mut exit: MessageWriter<AppExit>| {
        println!("captured on turn {}", captured.turn);
        exit.write(AppExit::Success);
    });
    app.run();
}

fn set_up(mut commands: Commands) {
    // A layer as in any app with bevy_ecs_tilemap, without textures.
    let size = TilemapSize {
        x: YARD[0].len() as u32,
        y: YARD.len() as u32,
    };
    let layer = commands.spawn(size).id();
    for (y, row) in YARD.iter().rev().enumerate() {
        for (x, symbol) in row.chars().enumerate() {
            let position = TilePos::new(x as u32, y as u32);
            let mut tile = commands.spawn((position, TilemapId(layer)));
            if symbol == '.' {
                tile.insert(Passable(true)); // line 2
            }
        }
    }
    commands.entity(layer).insert(PursuitMap::default()); // line 3
    commands.spawn((Robber, GridPosition::new(11, 6))); // line 4
    commands.spawn((Cop, GridPosition::new(0, 0), PursuitSpeed(2))); // line 5
}

/// Prints the yard whenever a turn begins.
fn print(
    clocks: Query<&TurnClock, Changed<TurnClock>>,
    agents: Query<(&GridPosition, Has<Robber>), Or<(With<Cop>, With<Robber>)>>,
    mut printed: Local<u64>,
) {
    let Some(turn) = clocks
        .iter()
        .map(|clock| clock.turn)
        .find(|&t| t > *printed)
    else {
        return;
    };
    *printed = turn;
    println!("turn {turn}");
    for (row, y) in YARD.iter().zip((0..7).rev()) {
        let symbol = |(symbol, x)| {
            let at = IVec2::new(x, y);
            let here = agents.iter().find(|(position, _)| position.0 == at);
            here.map_or(symbol, |(_, is_robber)| if is_robber { 'R' } else { 'C' })
        };
        println!("  {}", row.chars().zip(0..).map(symbol).collect::<String>());
    }
}
