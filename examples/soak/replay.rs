//! Makes a script smaller that ends in an offence, writes it down, and reads it back.

use crate::histogram::Times;
use crate::ops::{Op, Script, Timed};
use crate::stage::{Manner, play};
use std::path::Path;
use std::time::{Duration, Instant};

/// A script without what is not needed for an offence of the same kind, as far as the time goes.
pub fn shrink(script: &Script, manner: Manner, offence: &(u32, String), time: Duration) -> Script {
    let until = Instant::now() + time;
    let kind = kind_of(&offence.1);
    let mut best = script.clone();
    best.frames = offence.0 + 1;
    best.ops.retain(|op| op.frame <= offence.0);
    let mut piece = best.ops.len().div_ceil(2);
    while piece > 0 && Instant::now() < until {
        let mut from = 0;
        while from < best.ops.len() && Instant::now() < until {
            let mut less = best.clone();
            let to = (from + piece).min(less.ops.len());
            less.ops.drain(from..to);
            let outcome = play(&less, less.frames, manner, &mut Times::default());
            match outcome.offence {
                Some((frame, text)) if kind_of(&text) == kind => {
                    less.frames = frame + 1;
                    less.ops.retain(|op| op.frame <= frame);
                    best = less;
                }
                _ => from += piece,
            }
        }
        piece /= 2;
    }
    best
}

/// What an offence says, without names and numbers.
fn kind_of(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(['[', '{', '(']).next().unwrap_or_default();
    line.chars().filter(|c| c.is_alphabetic()).collect()
}

/// Drops the operations with these names.
pub fn leave_out(script: &mut Script, names: &[String]) {
    script.ops.retain(|timed| {
        let name = name_of(&timed.op);
        !names.iter().any(|left_out| *left_out == name)
    });
}

fn name_of(op: &Op) -> String {
    let text = format!("{op:?}");
    let end = text.find(|c: char| !c.is_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}

/// A script as a file: the setup, and an operation a line.
pub fn write(script: &Script, path: &Path) -> Result<(), String> {
    let setup = Script {
        ops: Vec::new(),
        ..script.clone()
    };
    let mut text = ron::to_string(&setup).map_err(|error| error.to_string())?;
    for op in &script.ops {
        text.push('\n');
        text += &ron::to_string(op).map_err(|error| error.to_string())?;
    }
    std::fs::write(path, text).map_err(|error| error.to_string())
}

pub fn read(path: &Path) -> Result<Script, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let setup = lines.next().ok_or("an empty file")?;
    let mut script: Script = ron::from_str(setup).map_err(|error| error.to_string())?;
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let op: Timed = ron::from_str(line).map_err(|error| error.to_string())?;
        script.ops.push(op);
    }
    Ok(script)
}
