//! The same script twice is the same game: with other entities, and without the futures that were taken
//! back.

use crate::histogram::Times;
use crate::ops::Script;
use crate::stage::{Manner, Outcome, play};

/// As games are played.
pub const FIRST: Manner = Manner {
    detours: true,
    strangers: 0,
    trace: None,
    look_at: None,
};

/// Two runs that are not alike.
pub struct Difference {
    pub frame: u32,
    pub text: String,
}

/// Plays a script twice, if it has to be the same game.
pub fn compare(script: &Script, frames: u32) -> Option<Difference> {
    if !script.setup.is_repeatable() {
        return None;
    }
    let others = Manner {
        strangers: 37,
        ..FIRST
    };
    let straight = Manner {
        detours: false,
        ..FIRST
    };
    differ(script, frames, others, "with other entities")
        .or_else(|| differ(script, frames, straight, "without the futures that were taken back"))
}

fn differ(script: &Script, frames: u32, other: Manner, how: &str) -> Option<Difference> {
    let run = |manner| play(script, frames, manner, &mut Times::default());
    let (first, second) = (run(FIRST), run(other));
    if first.offence.is_some() {
        return None; // reported as such
    }
    let differs = |(a, b): (&(u32, u64), &(u32, u64))| a.1 != b.1;
    let tick = first.hashes.iter().zip(&second.hashes).position(differs);
    let Some(tick) = tick else {
        let (frame, text) = second.offence?;
        return Some(Difference {
            frame,
            text: format!("{how} only: frame {frame}, {text}"),
        });
    };
    let frame = first.hashes[tick].0;
    let look = |manner| {
        let look_at = Some(tick as u64 + 1);
        run(Manner { look_at, ..manner })
    };
    let text = format!(
        "{how} it is another game from tick {} on (frame {frame})\n{}",
        tick + 1,
        difference(&look(FIRST), &look(other))
    );
    Some(Difference { frame, text })
}

/// Who is not the same in both runs.
fn difference(first: &Outcome, second: &Outcome) -> String {
    let mut text = String::new();
    for (agent, one) in &first.look {
        let other = second.look.get(agent);
        if other != Some(one) {
            text += &format!("  agent {agent}: {one}\n  and       {}\n", other.map_or("gone", |it| it));
        }
    }
    text
}
