//! The files of the world: views and paths are made in one place, and files use each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use super::{lines_with, read, root, sources};

/// The compiler lets only `agent.rs` write the path of an agent. Chosen moves, and paths that the game orders, come from
/// one file.
#[test]
fn agents_set_out_in_one_file() {
    let files = sources(&root().join("crates/engine/src/world")).into_iter();
    let others = files.filter(|path| !path.ends_with("orders.rs"));
    assert_eq!(lines_with(others, &[".set_out("]), [""; 0]);
    let record = read("crates/engine/src/world/agent.rs");
    for field in ["way: Vec<Vertex>", "ordered: Vec<Vertex>", "arrives: u64"] {
        assert!(record.contains(&format!("\n    {field},")), "{field}");
    }
}

/// The cops of a pursuit are assembled by `view.rs` and `pursuit_positions.rs`, into memory that the world owns. The compiler lets
/// only `view.rs` build a view: it has private fields.
#[test]
fn a_view_is_built_at_one_place() {
    let files = sources(&root().join("crates/engine/src/world")).into_iter();
    let own = ["view.rs", "pursuit_positions.rs", "tests.rs"];
    let others = files.filter(|path| !own.iter().any(|name| path.ends_with(name)));
    let words = [
        "PursuitPositions::default()",
        "pursuit_positions.assemble(",
        "ViewMemory::default()",
    ];
    let found = lines_with(others, &words);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("positions: ViewMemory::default(),"));
    let view = read("crates/engine/src/world/view.rs");
    assert!(view.contains("\n    better: &'a [Finding],\n"));
}

/// A file of a room: the names of its module, from that of the room on.
type Module = Vec<String>;

/// Where the files of a room are, and how their paths begin.
#[derive(Debug, Clone, Copy)]
struct Room {
    folder: &'static str,
    /// What follows `crate` in paths to the room.
    path: &'static str,
}

const WORLD: Room = Room {
    folder: "crates/engine/src/world",
    path: "world",
};
const PLUGIN: Room = Room {
    folder: "src",
    path: "",
};

/// The files of a room, except tests. `lib.rs` only names the others.
fn files_of(room: Room) -> BTreeMap<Module, String> {
    let folder = root().join(room.folder);
    let files = sources(&folder).into_iter();
    let files = files.filter(|path| !path.ends_with("src/lib.rs"));
    let files = files.filter(|path| !path.ends_with("tests.rs"));
    let module = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("readable");
        let name = path
            .strip_prefix(&folder)
            .expect("below")
            .with_extension("");
        let parts = name.iter().map(|part| part.to_string_lossy().into_owned());
        (parts.filter(|part| part != "mod").collect(), text)
    };
    files.map(module).collect()
}

/// The code of a file without comments and tests.
fn code_without_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next();
    let lines = text.unwrap_or_default().lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// The paths that a `use` with groups stands for.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, group)) = path.split_once('{') else {
        return vec![path.trim().to_owned()];
    };
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let mut depth = 0;
    let parts = group.split(|symbol| {
        depth += i32::from(symbol == '{') - i32::from(symbol == '}');
        symbol == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    let paths = parts.flat_map(|part| expanded(&format!("{before}{}", part.trim())));
    paths.collect()
}

/// The paths to other files that code names, in `use` lines and elsewhere.
fn paths_in(code: &str, room: Room) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = String::new();
    for item in code.split_inclusive(';') {
        let begin = item.rfind("use ").filter(|&begin| {
            let line = item[..begin].rsplit('\n').next().unwrap_or_default().trim();
            line.is_empty() || line.starts_with("pub") && line.ends_with([')', 'b'])
        });
        let (before, used) = begin.map_or((item, ""), |begin| item.split_at(begin));
        rest.push_str(before);
        let used = used.trim_start_matches("use ").trim_end_matches(';');
        paths.extend(expanded(used).into_iter().filter(|path| !path.is_empty()));
    }
    // Visibilities name no file.
    let rest = rest.replace("in crate::world", "").replace("(super)", "");
    let own = format!("crate::{}", room.path);
    let is_part = |symbol: char| symbol == ':' || symbol == '_' || symbol.is_alphanumeric();
    let words = rest.split(|symbol| !is_part(symbol));
    let is_path = |word: &&str| word.starts_with("super::") || word.starts_with(&own);
    paths.extend(words.filter(is_path).map(String::from));
    paths
}

/// The file of the room that a path in a file leads to; `None` if it leads to another room.
fn file_of(
    path: &str,
    from: &Module,
    files: &BTreeMap<Module, String>,
    room: Room,
) -> Option<Module> {
    let mut parts = path.split("::").map(str::trim).peekable();
    let mut at = from.clone();
    match *parts.peek()? {
        "crate" => {
            parts.next();
            if !room.path.is_empty() {
                parts.next_if(|&part| part == room.path)?;
            }
            at.clear();
        }
        "super" => {
            while parts.next_if(|&part| part == "super").is_some() {
                at.pop()?;
            }
        }
        // The name of a child.
        name => {
            at.push(name.to_owned());
            let is_child = files.contains_key(&at);
            at.pop();
            is_child.then_some(())?;
        }
    }
    for part in parts {
        at.push(part.to_owned());
        if !files.contains_key(&at) {
            at.pop();
            break;
        }
    }
    Some(at)
}

/// The files of a room that each of them uses.
fn uses_in(room: Room) -> BTreeMap<Module, BTreeSet<Module>> {
    let files = files_of(room);
    let uses = files.iter().map(|(file, text)| {
        let paths = paths_in(&code_without_tests(text), room);
        let used = paths
            .iter()
            .filter_map(|path| file_of(path, file, &files, room));
        let used = used.filter(|used| used != file && !used.is_empty());
        (file.clone(), used.collect())
    });
    uses.collect()
}

/// Files of a room use each other in one direction, so that each can be read after those that it uses. A file seldom
/// uses that of a module around it: what its neighbours need, too, has a file of its own.
fn assert_one_direction(room: Room, files: usize) {
    let mut uses = uses_in(room);
    assert!(uses.len() > files, "{}", uses.len());
    let mut upward = Vec::new();
    for (file, used) in &uses {
        let around = used.iter().filter(|used| file.starts_with(used));
        upward.extend(around.map(|used| format!("{} uses {}", file.join("/"), used.join("/"))));
    }
    assert!(upward.len() <= 5, "{upward:#?}");
    // Takes away files that use nothing that is left, and those that nothing uses. Only circles stay.
    loop {
        let left: BTreeSet<Module> = uses.keys().cloned().collect();
        let used: BTreeSet<Module> = uses.values().flatten().cloned().collect();
        uses.retain(|file, uses| used.contains(file) && !uses.is_disjoint(&left));
        if uses.len() == left.len() {
            break;
        }
    }
    let circle: Vec<String> = uses.keys().map(|file| file.join("/")).collect();
    assert_eq!(circle, [""; 0]);
}

#[test]
fn files_of_the_world_use_each_other_in_one_direction() {
    assert_one_direction(WORLD, 60);
}

#[test]
fn files_of_the_plugin_use_each_other_in_one_direction() {
    assert_one_direction(PLUGIN, 50);
}
