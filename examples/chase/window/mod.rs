//! Shows the scene in a window.

#![allow(
    clippy::too_many_arguments,
    reason = "Bevy systems take their parameters by value, and many of them"
)]

mod art;
mod bodies;
mod hud;
mod input;
mod overlays;
mod restart;
mod shot;
mod view;

use crate::args::Args;
use crate::record;
use crate::scene::{Scene, spawn_agents, spawn_layer};
use bevy::diagnostic::FrameTimeDiagnosticsPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_ecs_tilemap::prelude::*;
use bevy_pursuit::debug::PursuitGizmosPlugin;
use bevy_pursuit::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the app has reached its first frame.
static STARTED: AtomicBool = AtomicBool::new(false);

/// The part of the window's height that the texts below the map take.
const STRIP: f32 = 0.15;

/// Opens the window and runs until it is closed. `Err` with the reason if no window can be opened.
pub fn open(args: &Args, scene: &Scene) -> Result<ExitCode, String> {
    if cfg!(target_os = "linux") && !x11_answers() {
        return Err("no X11 display answers at DISPLAY".into());
    }
    // Bevy panics without a graphics driver. Before the first frame the example can still continue
    // without a window, and then shows the reason instead of a backtrace.
    let hook = Arc::new(std::panic::take_hook());
    let late = Arc::clone(&hook);
    std::panic::set_hook(Box::new(move |panic| {
        if STARTED.load(Ordering::Relaxed) {
            late(panic);
        }
    }));
    let run = catch_unwind(AssertUnwindSafe(|| app(args, scene).run()));
    std::panic::set_hook(Box::new(move |panic| hook(panic)));
    match run {
        Ok(AppExit::Success) => Ok(ExitCode::SUCCESS),
        Ok(AppExit::Error(code)) => Ok(ExitCode::from(code.get())),
        Err(panic) if STARTED.load(Ordering::Relaxed) => std::panic::resume_unwind(panic),
        Err(panic) => Err(reason(panic.as_ref())),
    }
}

/// The first line of a panic's message.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .and_then(|text| text.lines().next());
    format!("no window ({})", text.unwrap_or("unknown reason"))
}

/// Returns whether a server answers at `DISPLAY`. Without one, winit would panic.
#[cfg(unix)]
fn x11_answers() -> bool {
    let Ok(display) = std::env::var("DISPLAY") else {
        return false;
    };
    let Some((host, number)) = display.rsplit_once(':') else {
        return false;
    };
    let number = number.split('.').next().unwrap_or_default();
    if !host.is_empty() && host != "unix" {
        return true; // on another machine: let winit try
    }
    std::os::unix::net::UnixStream::connect(format!("/tmp/.X11-unix/X{number}")).is_ok()
}

#[cfg(not(unix))]
fn x11_answers() -> bool {
    true
}

fn app(args: &Args, scene: &Scene) -> App {
    let window = Window {
        title: format!("bevy_pursuit: {}", scene.name()),
        resolution: WindowResolution::new(1280, 880),
        ..default()
    };
    let mut settings = scene.settings();
    if settings.tactics == Tactics::Intercept {
        // Enough for the table of two cops in the harbour, by which three and more cops play. A thread solves it
        // in the background while they play by plans.
        settings.tables.memory = 1_000_000_000;
        settings.tables.max_bytes = 2_000_000_000;
        settings.tables.max_milliseconds = 20_000;
    }
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(window),
                ..default()
            })
            .set(LogPlugin {
                filter: "warn,bevy_pursuit=info".into(),
                ..default()
            })
            .set(ImagePlugin::default_nearest()),
    )
    .add_plugins((
        FrameTimeDiagnosticsPlugin::default(),
        TilemapPlugin,
        PursuitPlugin::default(),
        PursuitGizmosPlugin,
        art::plugin,
        record::plugin,
        bodies::plugin,
        hud::plugin,
        input::plugin,
        overlays::plugin,
        restart::plugin,
        view::plugin,
    ))
    .insert_resource(ClearColor(Color::srgb_u8(24, 28, 40)))
    .insert_resource(settings)
    .insert_resource(scene.clone())
    .insert_resource(overlays::Shown(args.show.clone()))
    .add_systems(Startup, set_up)
    .add_systems(First, || STARTED.store(true, Ordering::Relaxed));
    if let Some(seconds) = args.seconds {
        app.add_plugins(shot::CloseAfter {
            seconds,
            picture: args.screenshot.clone(),
        });
    }
    app
}

fn set_up(mut commands: Commands, scene: Res<Scene>, assets: Res<AssetServer>) {
    let texture = TilemapTexture::Single(assets.load(art::TILES));
    let layer = spawn_layer(&mut commands, &scene, texture);
    commands.entity(layer).insert((
        MaterialTilemapHandle::<StandardTilemapMaterial>::default(),
        bevy::render::sync_world::SyncToRenderWorld,
        bevy_ecs_tilemap::FrustumCulling(true),
    ));
    spawn_agents(&mut commands, &scene);
}
