//! A first game: a cop that is twice as fast as the robber chases it round some walls.
//!
//! `cargo run --features demo --example minimal` opens a window. With `-- --headless` it plays without one, as fast as it
//! can, and ends with the capture.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;

const ROWS: [&str; 5] = [
    "............", //
    ".####..####.",
    "............",
    ".####..####.",
    "............",
];

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        // Each update is one tick of the fixed clock.
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_observer(|_: On<Captured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            });
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PursuitPlugin::default()); // line 1
    app.add_systems(Startup, set_up)
        .add_observer(|captured: On<Captured>| println!("captured on turn {}", captured.turn));
    app.run();
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let yard = TileMap::from_rows(&ROWS, |tile| tile == '.').expect("a map"); // line 2
    let squares = MapGeometry::squares(32.0).centred(12, 5);
    commands.spawn((PursuitMap::new(&yard, Moves::Octile), squares)); // line 3
    for (y, row) in ROWS.iter().rev().enumerate() {
        for (x, _) in row.char_indices().filter(|(_, tile)| *tile == '#') {
            let wall = squares.center(IVec2::new(x as i32, y as i32)).extend(-1.0);
            let picture = Sprite::from_color(Color::srgb(0.3, 0.25, 0.2), Vec2::splat(32.0));
            commands.spawn((picture, Transform::from_translation(wall)));
        }
    }
    let body = |color: Color| (Sprite::from_color(color, Vec2::splat(24.0)), Glide);
    let [white, blue] = [Color::WHITE, Color::srgb(0.3, 0.5, 1.0)];
    commands.spawn((Robber, GridPosition::new(11, 4), body(white))); // line 4
    commands.spawn((Cop, GridPosition::new(0, 0), PursuitSpeed(2), body(blue))); // line 5
}
