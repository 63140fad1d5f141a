//! What the code may name: Bevy, the clock, the command line, the counters of work.

use std::fs;

use super::{lines_with, package, read, root, sources};

/// The lines of the engine and the laboratory that name any of `words`, outside comments.
fn core_lines_with(words: &[&str]) -> Vec<String> {
    let files = package("engine").into_iter().chain(package("lab"));
    lines_with(files, words)
}

#[test]
fn the_engine_names_bevy_only_to_derive_traits_for_those_who_ask() {
    let mut named = core_lines_with(&["bevy"]);
    named.retain(|line| {
        let is_attribute = line
            .contains("#[cfg_attr(feature = \"reflect\", derive(bevy_reflect::Reflect))]")
            || line.contains(
                "#[cfg_attr(feature = \"bevy\", derive(bevy_ecs::component::Component))]",
            )
            || line.contains(
                "#[cfg_attr(feature = \"bevy\", derive(bevy_asset::Asset, bevy_reflect::TypePath))]",
            )
            || line.ends_with("derive(bevy_ecs::resource::Resource, bevy_asset::Asset)")
            || line.ends_with("    feature = \"bevy\",");
        !is_attribute
    });
    assert_eq!(named, [""; 0]);
}

#[test]
fn the_engine_alone_needs_no_bevy() {
    for package in ["engine", "lab", "tool"] {
        let manifest = read(&format!("crates/{package}/Cargo.toml"));
        let bevy = manifest
            .lines()
            .filter(|line| line.starts_with("bevy") && line.contains('{'));
        let needed: Vec<&str> = bevy
            .filter(|line| !line.contains("optional = true"))
            .collect();
        assert_eq!(needed, [""; 0], "{package}");
    }
}

/// An observer may despawn the subjects of events that come after its own. Only `delivery.rs` checks that.
#[test]
fn events_are_checked_when_they_are_delivered() {
    let files = package("plugin").into_iter();
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
    for path in sources(&root().join("crates/engine/src/world")) {
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
