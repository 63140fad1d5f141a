//! Guards on patrol: they see eight tiles far, hunt the thief that one of them sees, and return when they have lost it.
//!
//! `cargo run --features demo --example guards` opens a window. With `-- --headless` it plays until the thief is caught.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Duty, Patience};

const MUSEUM: [&str; 5] = [
    ".####.####.####.",
    ".#............#.",
    ".....####.......",
    ".#............#.",
    ".####.####.####.",
];

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_observer(|_: On<Captured>, mut exit: MessageWriter<AppExit>| {
                exit.write_default();
            });
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PursuitPlugin::default())
        .add_systems(Startup, set_up)
        .add_systems(Update, colour)
        .run();
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let museum = TileMap::from_rows(&MUSEUM, |tile| tile == '.').expect("a map");
    let squares = MapGeometry::squares(40.0).centred(16, 5);
    commands.spawn((PursuitMap::new(&museum, Moves::Octile), squares));
    for (y, row) in MUSEUM.iter().rev().enumerate() {
        for (x, _) in row.char_indices().filter(|(_, tile)| *tile == '#') {
            let wall = squares.center(IVec2::new(x as i32, y as i32)).extend(-1.0);
            let picture = Sprite::from_color(Color::srgb(0.3, 0.25, 0.2), Vec2::splat(40.0));
            commands.spawn((picture, Transform::from_translation(wall)));
        }
    }
    let body = || (Sprite::from_color(Color::WHITE, Vec2::splat(30.0)), Glide);
    let thief = AgentControl::WalkTo(IVec2::new(15, 4));
    commands.spawn((Robber, GridPosition::new(0, 0), thief, body()));
    for (from, to) in [((2, 1), (13, 1)), ((10, 4), (10, 0))] {
        let ends = [IVec2::from(from), IVec2::from(to)];
        let guard = (Cop, GridPosition(ends[0]), Sight(8), Patience(4));
        commands.spawn((guard, Duty::rounds(ends), body()));
    }
}

/// Guards that chase are red, and guards that cut off the thief's way orange.
fn colour(mut guards: Query<(&PursuitState, &mut Sprite), With<Cop>>) {
    for (state, mut sprite) in &mut guards {
        sprite.color = match state.activity {
            Activity::Chasing => Color::srgb(1.0, 0.2, 0.2),
            Activity::CuttingOff => Color::srgb(1.0, 0.6, 0.1),
            _ => Color::srgb(0.3, 0.5, 1.0),
        };
    }
}
