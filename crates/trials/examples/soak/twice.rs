//! Checks that a script gives the same game with other entities and without rolled-back detours.

use crate::game::Print;
use crate::histogram::Times;
use crate::ops::Script;
use crate::stage::{Manner, Outcome, play};
use std::time::Duration;

/// The options of a normal game.
pub const FIRST: Manner = Manner {
    detours: true,
    strangers: 0,
    trace: None,
    look_at: None,
    limit: Duration::ZERO,
};

/// A difference between two runs.
pub struct Difference {
    pub frame: u32,
    pub text: String,
}

/// Plays a repeatable script again and compares the outcome with `first`.
pub fn compare(script: &Script, frames: u32, first: &Outcome) -> Option<Difference> {
    if !script.setup.is_repeatable() || first.offence.is_some() {
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
    differ(script, frames, first, others, "with other entities").or_else(|| {
        let how = "without rolled-back detours";
        differ(script, frames, first, straight, how)
    })
}

fn differ(
    script: &Script,
    frames: u32,
    first: &Outcome,
    other: Manner,
    how: &str,
) -> Option<Difference> {
    let run = |manner| play(script, frames, manner, &mut Times::default());
    let second = run(other);
    let differs = |(a, b): (&Print, &Print)| {
        // With other entities, agents may have another order in the world.
        a.bodies != b.bodies || other.strangers == 0 && a.worlds != b.worlds
    };
    let tick = first.prints.iter().zip(&second.prints).position(differs);
    let Some(tick) = tick else {
        let (frame, text) = second.offence?;
        return Some(Difference {
            frame,
            text: format!("only {how}: frame {frame}, {text}"),
        });
    };
    let frame = first.prints[tick].frame;
    let look = |manner| {
        let look_at = Some(tick as u64 + 1);
        run(Manner { look_at, ..manner })
    };
    let text = format!(
        "{how}, the game differs from tick {} on (frame {frame})\n{}",
        tick + 1,
        difference(&look(FIRST), &look(other))
    );
    Some(Difference { frame, text })
}

/// Lists the agents that differ between the runs.
fn difference(first: &Outcome, second: &Outcome) -> String {
    let mut text = String::new();
    for (agent, one) in &first.look {
        let other = second.look.get(agent);
        if other != Some(one) {
            text += "  ";
            text += one;
            text += "\n  vs. ";
            text += other.map_or("missing", |it| it);
            text += "\n";
        }
    }
    text
}
