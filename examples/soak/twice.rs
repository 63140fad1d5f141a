//! The same script twice is the same game: with other entities, and without the futures that were taken
//! back.

use crate::game::Print;
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

/// Plays a script again, if it has to be the same game. `first` is what came of it before.
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
        let how = "without the futures that were taken back";
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
        // Entities are in the order of the world, and so are their agents, unless there are others.
        a.bodies != b.bodies || other.strangers == 0 && a.worlds != b.worlds
    };
    let tick = first.prints.iter().zip(&second.prints).position(differs);
    let Some(tick) = tick else {
        let (frame, text) = second.offence?;
        return Some(Difference {
            frame,
            text: format!("{how} only: frame {frame}, {text}"),
        });
    };
    let frame = first.prints[tick].frame;
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
            text += "  ";
            text += one;
            text += "\n  and ";
            text += other.map_or("gone", |it| it);
            text += "\n";
        }
    }
    text
}
