//! The rules of the house that a compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The lines of the core that name any of `words`, outside comments.
fn core_lines_with(words: &[&str]) -> Vec<String> {
    let source = root().join("src");
    let outside = ["plugin", "bin", "lib.rs"].map(|name| source.join(name));
    let is_core = |path: &PathBuf| !outside.iter().any(|outside| path.starts_with(outside));
    lines_with(sources(&source).into_iter().filter(is_core), words)
}

fn lines_with(files: impl Iterator<Item = PathBuf>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in files {
        for line in fs::read_to_string(&path).expect("readable").lines() {
            let code = line.split("//").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}: {line}", path.display()));
            }
        }
    }
    found
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
    let manifest = read("Cargo.toml");
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

#[test]
fn data_flows_one_way() {
    let order = [
        "map",
        "graph",
        "game",
        "table",
        "abstraction",
        "search",
        "policy",
        "table_cache",
        "world",
        "eval",
    ];
    for (index, later) in order.iter().enumerate() {
        for earlier in &order[..index] {
            let folder = root().join("src").join(earlier);
            let files = if folder.is_dir() {
                sources(&folder)
            } else {
                vec![folder.with_extension("rs")]
            };
            for path in files {
                let text = fs::read_to_string(&path).expect("readable");
                let upward = format!("crate::{later}");
                assert!(!text.contains(&upward), "{}: {upward}", path.display());
            }
        }
    }
}

#[test]
fn there_is_one_bevy() {
    let lock = read("Cargo.lock");
    assert_eq!(lock.matches("\nname = \"bevy_ecs\"\n").count(), 1);
}

/// The lines of `examples/minimal.rs` that are marked as the five.
fn five_lines() -> Vec<String> {
    let minimal = read("examples/minimal.rs");
    let marked = |number: usize| {
        let mark = format!("// line {number}");
        let line = minimal.lines().find(|line| line.contains(&mark));
        let line = line.unwrap_or_else(|| panic!("no {mark} in minimal.rs"));
        line.split("//")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    (1..=5).map(marked).collect()
}

#[test]
fn the_readme_shows_the_five_lines_of_the_example() {
    let readme = read("README.md");
    for line in five_lines() {
        assert!(readme.contains(&line), "README.md lacks: {line}");
    }
}

#[test]
fn pictures_of_the_readme_exist() {
    let readme = read("README.md");
    for part in readme.split("](").skip(1) {
        let target = part.split(')').next().unwrap_or_default();
        let is_file = !target.starts_with("http") && !target.starts_with('#');
        if is_file {
            assert!(root().join(target).exists(), "README.md links to {target}");
        }
    }
}
