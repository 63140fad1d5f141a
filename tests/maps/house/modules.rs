//! Which module of the core uses which, and the picture of that in `ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use super::{read, root, sources};

/// The rooms of the core. Each may use only the rooms before it.
const ORDER: [&str; 14] = [
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
    "lab",
];

#[test]
fn data_flows_one_way() {
    for (index, later) in ORDER.iter().enumerate() {
        for earlier in &ORDER[..index] {
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

/// What runs in no game: the laboratory. No other room of the core uses it, as it comes last in the order.
#[test]
fn the_plugin_does_not_use_the_laboratory() {
    assert!(!uses()["plugin"].contains("lab"));
}

/// The rooms that each room, the plugin and the tool use.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let mut uses = BTreeMap::new();
    let users = ORDER.map(|room| (room, room, "crate::"));
    let users = users.into_iter().chain([
        ("plugin", "plugin", "crate::"),
        ("pursuit", "bin/pursuit", "bevy_pursuit::"),
    ]);
    for (user, folder, prefix) in users {
        let mut used = BTreeSet::new();
        for path in sources(&root().join("src").join(folder)) {
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
    text.push_str("    plugin([\"plugin: Bevy\"])\n    pursuit([\"the tool pursuit\"])\n");
    let mut rows = String::from("| module | uses |\n|---|---|\n");
    for user in ["plugin", "pursuit"]
        .into_iter()
        .chain(ORDER.into_iter().rev())
    {
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
        "run `PURSUIT_WRITE=1 cargo test --test maps house` to draw it anew"
    );
}
