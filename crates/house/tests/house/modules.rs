//! Which module of the core uses which, and the picture of that in `ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use super::{package, read, root, sources};

/// The rooms of the engine. Each may use only the rooms before it.
const ORDER: [&str; 13] = [
    "map",
    "graph",
    "game",
    "table",
    "patterns",
    "abstraction",
    "search",
    "belief",
    "endgame",
    "policy",
    "solve",
    "table_cache",
    "world",
];

/// The packages above the engine. The compiler knows what they depend on.
const PACKAGES: [&str; 3] = ["plugin", "tool", "lab"];

#[test]
fn data_flows_one_way() {
    for (index, later) in ORDER.iter().enumerate() {
        for earlier in &ORDER[..index] {
            let folder = root().join("crates/engine/src").join(earlier);
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

/// The rooms that each room uses, and each package outside the engine.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let mut uses = BTreeMap::new();
    let engine = root().join("crates/engine/src");
    let users = ORDER.map(|room| (room, sources(&engine.join(room)), "crate::"));
    let outside = PACKAGES.map(|name| (name, package(name), "pursuit_engine::"));
    let users = users.into_iter().chain(outside);
    for (user, files, prefix) in users {
        let mut used = BTreeSet::new();
        for path in files {
            let text = fs::read_to_string(&path).expect("readable");
            let code = text
                .lines()
                .map(|line| line.split("//").next().unwrap_or_default());
            for part in code.flat_map(|line| line.split(prefix).skip(1)) {
                let is_name = |symbol: char| symbol == '_' || symbol.is_ascii_lowercase();
                let name = part.split(|symbol| !is_name(symbol)).next();
                let name = name.unwrap_or_default();
                assert!(
                    !part.starts_with('{'),
                    "{}: one `use` a room",
                    path.display()
                );
                if name != user && ORDER.contains(&name) {
                    used.insert(name.to_owned());
                }
            }
        }
        uses.insert(user.to_owned(), used);
    }
    uses.entry("tool".to_owned())
        .or_default()
        .insert("lab".to_owned());
    uses
}

/// Returns whether a room uses another one, directly or indirectly.
fn reaches(uses: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    uses[from]
        .iter()
        .any(|room| room == to || reaches(uses, room, to))
}

/// The picture and the table of rooms. An arrow that follows from others is left out of the picture.
fn picture_of_rooms() -> String {
    let uses = uses();
    let mut text = String::from("```mermaid\nflowchart TD\n");
    text.push_str("    plugin([\"bevy_pursuit: the plugin\"])\n    lab([\"pursuit_lab\"])\n    tool([\"pursuit_tool\"])\n");
    let mut rows = String::from("| module | uses |\n|---|---|\n");
    for user in PACKAGES.into_iter().chain(ORDER.into_iter().rev()) {
        let used = &uses[user];
        for room in used {
            if !used.iter().any(|other| reaches(&uses, other, room)) {
                let _ = writeln!(text, "    {user} --> {room}");
            }
        }
        let names: Vec<String> = used.iter().map(|room| format!("`{room}`")).collect();
        let names = if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        };
        let _ = writeln!(rows, "| `{user}` | {names} |");
    }
    text + "```\n\n" + &rows
}

#[test]
fn the_picture_of_the_rooms_is_what_the_code_gives() {
    let (begin, end) = ("<!-- rooms: begin -->\n", "<!-- rooms: end -->");
    let text = read("ARCHITECTURE.md");
    let (before, rest) = text.split_once(begin).expect("the beginning is marked");
    let (shown, after) = rest.split_once(end).expect("the end is marked");
    let found = picture_of_rooms();
    if std::env::var_os("PURSUIT_WRITE").is_some() {
        let text = format!("{before}{begin}{found}{end}{after}");
        fs::write(root().join("ARCHITECTURE.md"), text).expect("it is written");
        return;
    }
    assert_eq!(
        shown, found,
        "run `PURSUIT_WRITE=1 cargo test -p pursuit_house` to draw it anew"
    );
}
