//! A level from a file: the map, its doors, the cops and the robbers of `assets/levels/harbour.level.ron`.
//!
//! `cargo run --features demo --example level` opens a window. With `-- --headless` it plays until the first capture.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .add_plugins(AssetPlugin::default())
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_observer(|_: On<Captured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            });
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PursuitPlugin::default())
        .add_systems(Startup, set_up)
        .add_observer(draw_walls)
        .add_observer(|cop: On<Add, Cop>, commands: Commands| {
            draw_agent(cop.entity, Color::srgb(0.3, 0.5, 1.0), commands);
        })
        .add_observer(|robber: On<Add, Robber>, commands: Commands| {
            draw_agent(robber.entity, Color::WHITE, commands);
        })
        .add_observer(|captured: On<Captured>| println!("captured on turn {}", captured.turn))
        .run();
}

fn set_up(assets: Res<AssetServer>, mut commands: Commands) {
    commands.spawn(Camera2d);
    let level = assets.load("levels/harbour.level.ron");
    commands.spawn((
        SpawnLevel(level),
        MapGeometry::squares(20.0).centred(44, 26),
    ));
}

/// The map is there: its walls and closed doors are drawn.
fn draw_walls(ready: On<MapReady>, maps: Query<(&LiveMap, &MapGeometry)>, mut commands: Commands) {
    let Ok((map, geometry)) = maps.get(ready.map) else {
        return;
    };
    let cells = map.world().into_iter().flat_map(|world| {
        let graph = world.graph();
        (0..graph.width()).flat_map(move |x| (0..graph.height()).map(move |y| (x, y)))
    });
    for (x, y) in cells {
        let at = IVec2::new(x.into(), y.into());
        if !map.is_passable(at) {
            let place = Transform::from_translation(geometry.center(at).extend(-1.0));
            let picture = Sprite::from_color(Color::srgb(0.3, 0.25, 0.2), Vec2::splat(20.0));
            commands.spawn((picture, place, ChildOf(ready.map)));
        }
    }
}

fn draw_agent(agent: Entity, color: Color, mut commands: Commands) {
    let picture = Sprite::from_color(color, Vec2::splat(15.0));
    commands.entity(agent).insert(picture);
}
