//! `--seconds` and `--screenshot`: closes the window by itself, for measurements and pictures.

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use std::path::PathBuf;

/// Frames before the pipelines are compiled are not counted.
const WARM_UP: u32 = 60;
/// A picture that never arrives must not keep the window open.
const PATIENCE: f32 = 5.0;

/// Closes the window after some seconds.
#[derive(Resource, Debug, Clone)]
pub struct CloseAfter {
    pub seconds: f32,
    pub picture: Option<PathBuf>,
}

impl Plugin for CloseAfter {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.clone()).add_systems(Last, close);
    }
}

fn close(
    mut commands: Commands,
    settings: Res<CloseAfter>,
    time: Res<Time<Real>>,
    mut frames: Local<Vec<f32>>,
    mut asked: Local<bool>,
    mut exit: MessageWriter<AppExit>,
) {
    frames.push(time.delta_secs());
    let now = time.elapsed_secs();
    if now < settings.seconds {
        return;
    }
    if !*asked {
        *asked = true;
        let mut counted: Vec<f32> = frames.iter().copied().skip(WARM_UP as usize).collect();
        counted.sort_unstable_by(f32::total_cmp);
        let total: f32 = counted.iter().sum();
        let at = |part: usize| counted.get(counted.len() * part / 100).copied();
        println!(
            "frames    {}: {:.1} a second; median {:.1} ms, 99th percentile {:.1} ms",
            counted.len(),
            counted.len() as f32 / total.max(f32::EPSILON),
            at(50).unwrap_or_default() * 1e3,
            at(99).unwrap_or_default() * 1e3,
        );
        match &settings.picture {
            None => drop(exit.write(AppExit::Success)),
            Some(path) => {
                commands
                    .spawn(Screenshot::primary_window())
                    .observe(save_to_disk(path.clone()))
                    .observe(
                        |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                            exit.write(AppExit::Success);
                        },
                    );
            }
        }
    }
    if now > settings.seconds + PATIENCE {
        exit.write(AppExit::Success);
    }
}
