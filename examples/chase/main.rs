//! A chase to watch or to play: cops, a robber and doors.
//!
//! `cargo run --features demo --example chase` opens a window; the keys are on the screen. Without the
//! feature `demo`, without a display, or with `--headless`, the same scene runs without a window and
//! prints a summary; `--picture FILE.png` also draws the trails.

mod args;
mod art;
mod headless;
mod picture;
mod record;
mod scene;
#[cfg(feature = "demo")]
mod window;

use args::Args;
use clap::Parser;
use scene::Scene;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let scene = match Scene::load(&args) {
        Ok(scene) => scene,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    if !args.headless {
        match open_window(&args, &scene) {
            Ok(code) => return code,
            Err(reason) => eprintln!("{reason}: going on without a window, as with --headless"),
        }
    }
    match headless::run(&args, scene) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "demo")]
fn open_window(args: &Args, scene: &Scene) -> Result<ExitCode, String> {
    window::open(args, scene)
}

#[cfg(not(feature = "demo"))]
fn open_window(_: &Args, _: &Scene) -> Result<ExitCode, String> {
    Err("built without the feature `demo`".into())
}
