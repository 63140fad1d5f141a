//! Shrinks a script that leads to a violation, writes it to a file, and reads it back.

use crate::ops::{Op, Script, Timed};
use std::path::Path;
use std::time::{Duration, Instant};

/// Removes operations that a violation does not need, within a time limit. `fails` returns the frame in
/// which a script leads to the same violation.
pub fn shrink(script: &Script, time: Duration, fails: impl Fn(&Script) -> Option<u32>) -> Script {
    let until = Instant::now() + time;
    let mut best = script.clone();
    let Some(frame) = fails(&best) else {
        return best; // not reproducible, because it depends on timing
    };
    best.frames = frame + 1;
    best.ops.retain(|op| op.frame <= frame);
    let mut piece = best.ops.len().div_ceil(2);
    while piece > 0 && Instant::now() < until {
        let mut from = 0;
        while from < best.ops.len() && Instant::now() < until {
            let mut less = best.clone();
            let to = (from + piece).min(less.ops.len());
            less.ops.drain(from..to);
            if let Some(frame) = fails(&less) {
                less.frames = frame + 1;
                less.ops.retain(|op| op.frame <= frame);
                best = less;
            } else {
                from += piece;
            }
        }
        piece /= 2;
    }
    best
}

/// The text of a violation without names and numbers.
pub fn kind_of(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(['[', '{', '(']).next().unwrap_or_default();
    line.chars().filter(|c| c.is_alphabetic()).collect()
}

/// The first line of a violation without what differs from game to game, for a count by kind.
pub fn plain(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = line.split_once(", tick ").map_or(line, |(_, rest)| rest);
    let line = line.split(['[', '{', '(']).next().unwrap_or_default();
    let words = line.split_whitespace();
    let words: Vec<&str> = words
        .filter(|word| word.chars().all(|c| c.is_alphabetic() || c == ','))
        .collect();
    words.join(" ")
}

/// Drops the operations with these names.
pub fn leave_out(script: &mut Script, names: &[String]) {
    script.ops.retain(|timed| {
        let name = name_of(&timed.op);
        !names.contains(&name)
    });
}

fn name_of(op: &Op) -> String {
    let text = format!("{op:?}");
    let end = text.find(|c: char| !c.is_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}

/// Writes a script to a file: the setup in the first line, then one operation per line.
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
