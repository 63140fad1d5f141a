//! What the code may name: Bevy, the clock, the command line, the counters of work.

use std::fs;
use std::path::PathBuf;

use super::{lines_with, manifest, read, root, sources};

/// The lines of the core that name any of `words`, outside comments.
fn core_lines_with(words: &[&str]) -> Vec<String> {
    let source = root().join("src");
    let outside = ["plugin", "bin", "lib.rs"].map(|name| source.join(name));
    let is_core = |path: &PathBuf| !outside.iter().any(|outside| path.starts_with(outside));
    lines_with(sources(&source).into_iter().filter(is_core), words)
}

#[test]
fn the_core_names_no_bevy_but_to_derive_reflection_for_those_who_ask() {
    let allowed = ": #[cfg_attr(feature = \"reflect\", derive(bevy_reflect::Reflect))]";
    let mut named = core_lines_with(&["bevy", "clap::"]);
    named.retain(|line| !line.ends_with(allowed));
    assert_eq!(named, [""; 0]);
}

#[test]
fn the_core_alone_needs_no_bevy() {
    let manifest = manifest();
    let optional = |name: &str| {
        let line = manifest
            .lines()
            .find(|line| line.starts_with(&format!("{name} = {{")));
        line.is_some_and(|line| {
            line.contains("default-features = false") && line.contains("optional = true")
        })
    };
    assert!(optional("bevy_reflect"));
    let features: Vec<&str> = manifest
        .lines()
        .filter(|line| line.contains("dep:bevy_reflect"))
        .collect();
    assert_eq!(features, [r#"reflect = ["dep:bevy_reflect"]"#]);
}

#[test]
fn the_plugin_names_no_command_line_and_the_tool_no_bevy() {
    let below = |folder: &str| sources(&root().join("src").join(folder)).into_iter();
    assert_eq!(lines_with(below("plugin"), &["clap::"]), [""; 0]);
    assert_eq!(lines_with(below("bin"), &["bevy::", "bevy_ecs"]), [""; 0]);
}

/// An observer may despawn the subjects of events that come after its own. Only `delivery.rs` checks that.
#[test]
fn events_are_checked_when_they_are_delivered() {
    let files = sources(&root().join("src/plugin")).into_iter();
    let others = files.filter(|path| !path.ends_with("delivery.rs"));
    assert_eq!(
        lines_with(others, &[".trigger(", ".trigger_with("]),
        [""; 0]
    );
}

#[test]
fn the_core_knows_no_clock_no_hash_order_and_prints_nothing() {
    let words = [
        "Instant",
        "SystemTime",
        "HashMap",
        "HashSet",
        "println!",
        "dbg!",
    ];
    assert_eq!(core_lines_with(&words), [""; 0]);
}

/// Returns whether a line of code writes a field `spent`, or lends it to be written.
fn writes_spent(code: &str) -> bool {
    let mut after = code.split(".spent").skip(1).map(str::trim_start);
    let is_assigned = after.any(|rest| {
        let is_equality = rest.starts_with("==") || rest.starts_with("=>");
        rest.starts_with('=') && !is_equality || rest.starts_with("+=") || rest.starts_with("-=")
    });
    let lent = code.split("&mut ").skip(1);
    let is_place = |symbol: char| symbol == '_' || symbol == '.' || symbol.is_alphanumeric();
    let mut places = lent.map(|rest| rest.split(|symbol| !is_place(symbol)).next().unwrap_or(""));
    is_assigned || places.any(|place| place.split('.').skip(1).last() == Some("spent"))
}

/// The purse counts the work of a tick. Only the tick itself copies the sum into its report, and adds what arrivals take,
/// which no purse pays.
#[test]
fn the_purse_is_the_only_counter_of_work_in_the_world() {
    for code in ["a.spent += 1", "a.b.spent = 1", "f(&mut a.b.spent, 1)"] {
        assert!(writes_spent(code), "{code}");
    }
    for code in [
        "a.spent == b",
        "a.spent() + 1",
        "f(&mut a, b.spent)",
        "a.spent <= b",
    ] {
        assert!(!writes_spent(code), "{code}");
    }
    let mut of_tick = Vec::new();
    for path in sources(&root().join("src/world")) {
        let text = fs::read_to_string(&path).expect("readable");
        let code = text.lines().map(|line| line.split("//").next());
        let lines = code.map(|code| code.unwrap_or_default().trim());
        let writes = lines.filter(|code| writes_spent(code));
        if path.ends_with("tick.rs") || path.ends_with("at_once.rs") {
            of_tick.extend(writes.map(String::from));
        } else if !path.ends_with("purse.rs") {
            let writes: Vec<&str> = writes.collect();
            assert_eq!(writes, [""; 0], "{}", path.display());
        }
    }
    of_tick.sort_unstable();
    of_tick.dedup();
    let arrival = "board.events.report.spent += board.update_sight(at);";
    let end = "self.board.events.report.spent = purse.spent();";
    assert_eq!(of_tick, [arrival, end]);
}

#[test]
fn there_is_one_bevy() {
    let lock = read("Cargo.lock");
    assert_eq!(lock.matches("\nname = \"bevy_ecs\"\n").count(), 1);
}
