//! Save and load: F5 saves the chase, F9 goes back to it, bit for bit.
//!
//! `cargo run --features demo --example save` opens a window. With `-- --headless` it saves at tick 100, goes back at tick
//! 300, and ends at tick 500.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::engine::world::Snapshot;
use bevy_pursuit::prelude::*;

/// The saved game. A snapshot is plain data for serde: a game would write it to a file.
#[derive(Resource)]
struct Saved(Snapshot);

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(Update, script);
    } else {
        app.add_plugins(DefaultPlugins).add_systems(Update, keys);
    }
    app.add_plugins(PursuitPlugin::default())
        .add_systems(Startup, set_up)
        .run();
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let field = TileMap::from_rows(&["............."; 5], |_| true).expect("a map");
    let squares = MapGeometry::squares(40.0).centred(13, 5);
    commands.spawn((PursuitMap::new(&field, Moves::Octile), squares));
    let body = |color: Color| (Sprite::from_color(color, Vec2::splat(30.0)), Glide);
    commands.spawn((Robber, GridPosition::new(12, 2), body(Color::WHITE)));
    commands.spawn((
        Cop,
        GridPosition::new(0, 0),
        body(Color::srgb(0.3, 0.5, 1.0)),
    ));
}

fn save(map: &LiveMap, commands: &mut Commands) {
    if let Some(snapshot) = map.snapshot() {
        println!("saved tick {}", map.tick());
        commands.insert_resource(Saved(snapshot));
    }
}

/// Goes back. The entities are the same ones here; a game that starts anew spawns one for each of `Snapshot::agents`.
fn load(map: Entity, saved: &Saved, commands: &mut Commands) {
    let snapshot = saved.0.clone();
    commands.queue(
        move |world: &mut World| match world.restore_map(map, snapshot, Some) {
            Ok(()) => println!("back"),
            Err(error) => error!("{error}"),
        },
    );
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    map: Single<(Entity, &LiveMap)>,
    saved: Option<Res<Saved>>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::F5) {
        save(map.1, &mut commands);
    } else if let Some(saved) = saved.filter(|_| keys.just_pressed(KeyCode::F9)) {
        load(map.0, &saved, &mut commands);
    }
}

fn script(
    mut ticks: Local<u32>,
    map: Single<(Entity, &LiveMap)>,
    saved: Option<Res<Saved>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    *ticks += 1;
    match (*ticks, saved) {
        (100, _) => save(map.1, &mut commands),
        (300, Some(saved)) => load(map.0, &saved, &mut commands),
        (500, _) => _ = exit.write(AppExit::Success),
        _ => {}
    }
}
