//! Doors: click a tile to open or close it. Paths through it end in the same tick.
//!
//! `cargo run --features demo --example doors` opens a window. With `-- --headless` a door opens and closes for 600 ticks.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::PrimaryWindow;
use bevy_pursuit::MapChanged;
use bevy_pursuit::prelude::*;

const HOUSE: [&str; 7] = [
    "............", //
    ".#########..",
    ".#...#...#..",
    "...........+",
    ".#...#...#..",
    ".#########..",
    "............",
];

/// The picture of a tile.
#[derive(Component)]
struct Tile(IVec2);

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(FixedUpdate, swing.before(PursuitSystems::Sync));
    } else {
        app.add_plugins(DefaultPlugins).add_systems(Update, click);
    }
    app.add_plugins(PursuitPlugin::default())
        .add_systems(Startup, set_up)
        .add_systems(Update, colour.run_if(on_message::<MapChanged>))
        .run();
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let house = TileMap::from_rows(&HOUSE, |tile| tile != '#').expect("a map");
    let squares = MapGeometry::squares(48.0).centred(12, 7);
    commands.spawn((PursuitMap::new(&house, Moves::Octile), squares));
    for (x, y) in (0..12).flat_map(|x| (0..7).map(move |y| (x, y))) {
        let at = IVec2::new(x, y);
        let place = Transform::from_translation(squares.center(at).extend(-1.0));
        let picture = Sprite::from_color(Color::BLACK, Vec2::splat(46.0));
        commands.spawn((Tile(at), picture, place));
    }
    let body = |color: Color| (Sprite::from_color(color, Vec2::splat(32.0)), Glide);
    commands.spawn((Robber, GridPosition::new(3, 3), body(Color::WHITE)));
    for at in [(11, 0), (11, 6)] {
        let at = GridPosition(IVec2::from(at));
        commands.spawn((Cop, at, body(Color::srgb(0.3, 0.5, 1.0))));
    }
}

/// The tile under the mouse becomes a wall, or passable.
fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut map: Single<(&mut LiveMap, MapPlaces)>,
) {
    let cursor = window.cursor_position();
    let place = cursor.and_then(|at| camera.0.viewport_to_world_2d(camera.1, at).ok());
    if let Some(place) = place.filter(|_| buttons.just_pressed(MouseButton::Left)) {
        let tile = map.1.tile_at(place);
        let is_open = map.0.is_passable(tile);
        map.0.set_passable(tile, !is_open);
    }
}

/// Opens and closes the west door every 64 ticks, and stops after 600.
fn swing(mut tick: Local<u32>, mut map: Single<&mut LiveMap>, mut exit: MessageWriter<AppExit>) {
    *tick += 1;
    if tick.is_multiple_of(64) {
        map.set_passable(IVec2::new(1, 3), tick.is_multiple_of(128));
        println!("tick {}: the west door moves", *tick);
    }
    if *tick == 600 {
        exit.write(AppExit::Success);
    }
}

/// Draws walls darker than floor.
fn colour(map: Single<&LiveMap>, mut tiles: Query<(&Tile, &mut Sprite)>) {
    for (tile, mut sprite) in &mut tiles {
        let light = if map.is_passable(tile.0) { 0.35 } else { 0.1 };
        sprite.color = Color::srgb(light, light, light);
    }
}
