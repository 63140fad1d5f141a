//! Play the robber: the arrow keys steer it, and three cops that sometimes err on purpose chase it.
//!
//! `cargo run --features demo --example player` opens a window. With `-- --headless` a scripted player walks 1,000 ticks.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;

const TOWN: [&str; 9] = [
    "................", //
    ".##.###..###.##.",
    ".#............#.",
    ".#.##..##..##.#.",
    "....#......#....",
    ".#.##..##..##.#.",
    ".#............#.",
    ".##.###..###.##.",
    "................",
];
/// Where the player begins, and begins again.
const HOMES: [GridPosition; 3] = [
    GridPosition::new(8, 4),
    GridPosition::new(0, 4),
    GridPosition::new(15, 8),
];

/// How often the player has been captured.
#[derive(Resource, Default)]
struct Captures(u32);

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(FixedUpdate, (script.before(PursuitSystems::Decide), stop));
    } else {
        app.add_plugins(DefaultPlugins)
            .add_systems(FixedUpdate, steer.before(PursuitSystems::Decide));
    }
    app.add_plugins(PursuitPlugin::default())
        .init_resource::<Captures>()
        .add_systems(Startup, set_up)
        .add_observer(respawn)
        .run();
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let town = TileMap::from_rows(&TOWN, |tile| tile == '.').expect("a map");
    let squares = MapGeometry::squares(40.0).centred(16, 9);
    commands.spawn((PursuitMap::new(&town, Moves::Octile), squares));
    for (y, row) in TOWN.iter().rev().enumerate() {
        for (x, _) in row.char_indices().filter(|(_, tile)| *tile == '#') {
            let wall = squares.center(IVec2::new(x as i32, y as i32)).extend(-1.0);
            let picture = Sprite::from_color(Color::srgb(0.3, 0.25, 0.2), Vec2::splat(40.0));
            commands.spawn((picture, Transform::from_translation(wall)));
        }
    }
    let body = |color: Color| (Sprite::from_color(color, Vec2::splat(30.0)), Glide);
    let player = AgentControl::Steer(IVec2::ZERO);
    commands.spawn((Robber, HOMES[0], player, body(Color::WHITE)));
    for corner in [(0, 0), (15, 0), (0, 8)] {
        let at = GridPosition(IVec2::from(corner));
        commands.spawn((Cop, at, Mistakes(0.3), body(Color::srgb(0.3, 0.5, 1.0))));
    }
}

/// The arrow keys that are pressed give the direction, also diagonally.
fn steer(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut AgentControl, With<Robber>>) {
    let axis = |less, more| i32::from(keys.pressed(more)) - i32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    player.set_if_neq(AgentControl::Steer(IVec2::new(x, y)));
}

fn script(mut ticks: Local<i32>, mut player: Single<&mut AgentControl, With<Robber>>) {
    *ticks += 1;
    let ways = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
    player.set_if_neq(AgentControl::Steer(ways[*ticks as usize / 60 % 4]));
}

/// A captured player starts again elsewhere.
fn respawn(captured: On<Captured>, mut captures: ResMut<Captures>, mut commands: Commands) {
    captures.0 += 1;
    println!("captured on turn {}, {} in all", captured.turn, captures.0);
    let home = HOMES[captures.0 as usize % HOMES.len()];
    commands
        .entity(captured.robber)
        .remove::<Caught>()
        .insert(home);
}

fn stop(mut ticks: Local<u32>, mut exit: MessageWriter<AppExit>) {
    *ticks += 1;
    if *ticks == 1000 {
        exit.write(AppExit::Success);
    }
}
