//! Rules of the project that no compiler checks: what may depend on what, and that the documents agree
//! with the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

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
    "eval",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The original manifest. In a packaged crate, cargo has rewritten `Cargo.toml`.
fn manifest() -> String {
    let original = "Cargo.toml.orig";
    let has_original = root().join(original).exists();
    read(if has_original { original } else { "Cargo.toml" })
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
            .trim_end_matches(';')
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
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 155, "README.md has {lines} lines");
}

/// Documents by their paths from the root: those beside the README, and the book.
fn documents() -> Vec<String> {
    let mut found: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ]
    .map(String::from)
    .into();
    found.extend(chapters());
    found
}

/// The files of the book.
fn chapters() -> Vec<String> {
    let book = root().join("docs/src");
    let mut found = Vec::new();
    let mut folders = vec![book];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let path = path.strip_prefix(root()).expect("it is below the root");
                found.push(path.display().to_string().replace('\\', "/"));
            }
        }
    }
    found.sort_unstable();
    found
}

/// The text of a document outside blocks of code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The targets of the links of a document, except links to other sites.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    let links = text.split("](").skip(1);
    let links = links.map(|part| part.split(')').next().unwrap_or_default().to_owned());
    links.filter(|link| !link.starts_with("http")).collect()
}

/// The anchors of a document's headings, on GitHub and in the book.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = prose(text);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter_map(|symbol| match symbol {
            ' ' => Some('-'),
            '-' | '_' => Some(symbol),
            _ => symbol.is_alphanumeric().then_some(symbol),
        });
        kept.collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    for document in documents() {
        let folder = root().join(&document);
        let folder = folder.parent().expect("a folder");
        for link in links(&read(&document)) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() {
                root().join(&document)
            } else {
                folder.join(file)
            };
            assert!(target.exists(), "{document} links to {link}");
            if !anchor.is_empty() {
                let text = fs::read_to_string(&target).expect("a document");
                assert!(
                    anchors(&text).contains(anchor),
                    "{document} links to {link}"
                );
            }
            let is_chapter = document.starts_with("docs/");
            let book = root().join("docs/src").canonicalize().expect("the book");
            let target = target.canonicalize().expect("it exists");
            assert!(
                !is_chapter || target.starts_with(&book),
                "{document} links out of the book: {link}"
            );
        }
    }
}

#[test]
fn every_chapter_is_in_the_summary() {
    let listed: BTreeSet<String> = links(&read("docs/src/SUMMARY.md"))
        .into_iter()
        .map(|link| format!("docs/src/{link}"))
        .collect();
    for chapter in chapters() {
        if chapter != "docs/src/SUMMARY.md" {
            assert!(listed.contains(&chapter), "SUMMARY.md lacks {chapter}");
        }
    }
}

#[test]
fn every_example_in_a_chapter_is_a_doc_test() {
    let library = read("src/lib.rs");
    for chapter in chapters().into_iter().chain(["README.md".to_owned()]) {
        let text = read(&chapter);
        let is_tested = library.contains(&format!("\"../{chapter}\""));
        let has_code = text.contains("```rust");
        assert_eq!(
            is_tested, has_code,
            "{chapter}: src/lib.rs includes it as doc tests"
        );
        for kind in ["```rs", "```rust,ignore", "```ignore"] {
            assert!(!text.contains(kind), "{chapter}: {kind} is not compiled");
        }
    }
}

/// The commands of a document: in blocks of shell code and in backquotes.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, part) in text.split("```").enumerate() {
        if number % 2 == 1 {
            if let Some(code) = part.strip_prefix("sh\n") {
                found.extend(code.lines().map(String::from));
            }
        } else {
            // A command may continue on the next line.
            let inline = part.split('`').skip(1).step_by(2);
            found.extend(inline.map(|code| code.replace('\n', " ")));
        }
    }
    let is_command = |line: &String| line.contains("cargo ") || line.trim().starts_with("pursuit ");
    found.retain(is_command);
    for command in &mut found {
        command.truncate(command.find(" #").unwrap_or(command.len()));
    }
    found
}

/// All sources that define the options of a program: a file, or all files of a folder.
fn program(folder: &str, name: &str) -> Option<String> {
    let file = root().join(folder).join(name).with_extension("rs");
    if file.is_file() {
        return fs::read_to_string(file).ok();
    }
    let folder = root().join(folder).join(name);
    let texts = folder.is_dir().then(|| sources(&folder))?;
    let texts = texts
        .iter()
        .map(|file| fs::read_to_string(file).expect("readable"));
    Some(texts.collect())
}

/// The word after another word.
fn word_after<'a>(command: &'a str, before: &str) -> Option<&'a str> {
    let mut words = command.split_whitespace();
    words.find(|word| *word == before)?;
    words.next()
}

#[test]
fn every_command_of_the_documents_exists() {
    for document in documents() {
        for command in commands(&read(&document)) {
            let shown = format!("{document}: {command}");
            let mut source = None;
            for (option, folder) in [("--example", "examples"), ("--bench", "benches")] {
                if let Some(name) = word_after(&command, option) {
                    source = program(folder, name);
                    assert!(source.is_some(), "{shown}: no {folder}/{name}");
                }
            }
            if let Some(name) = word_after(&command, "--test") {
                assert!(program("tests", name).is_some(), "{shown}: no tests/{name}");
            }
            let is_tool = command.trim().starts_with("pursuit ");
            if is_tool {
                source = program("src/bin", "pursuit");
            }
            let arguments = if is_tool {
                command.as_str()
            } else {
                command
                    .split_once(" -- ")
                    .map_or("", |(_, arguments)| arguments)
            };
            let Some(source) = source else { continue };
            let options = arguments
                .split(|symbol: char| symbol != '-' && symbol != '_' && !symbol.is_alphanumeric());
            for option in options.filter_map(|word| word.strip_prefix("--")) {
                let field = option.replace('-', "_");
                let is_known = option == "help"
                    || option == "include-ignored"
                    || source.contains(&format!("{field}:"))
                    || source.contains(&format!("--{option}"));
                assert!(is_known, "{shown}: no option --{option}");
            }
        }
    }
}

#[test]
fn every_source_that_the_documents_name_exists() {
    for document in documents() {
        let text = read(&document);
        let named = text.split('`').skip(1).step_by(2);
        let is_path = |name: &&str| {
            let folders = ["src/", "tests/", "examples/", "benches/", "docs/"];
            folders.iter().any(|folder| name.starts_with(folder)) && !name.contains(['*', ' ', '{'])
        };
        for path in named.filter(is_path) {
            // The benches against another plugin are not part of the packaged crate.
            let is_there = path.starts_with("benches/northstar") || root().join(path).exists();
            assert!(is_there, "{document} names {path}");
        }
    }
}

/// Returns whether a word looks like a name in code: that of a type, or one of several words.
fn is_name(word: &str) -> bool {
    let lower = word.find(|symbol: char| symbol.is_ascii_lowercase());
    let begins = word.starts_with(|symbol: char| symbol.is_ascii_alphabetic());
    let is_type = |lower: usize| word[lower..].contains(|symbol: char| symbol.is_ascii_uppercase());
    begins && (word.contains('_') || lower.is_some_and(is_type))
}

fn words(text: &str) -> BTreeSet<&str> {
    let is_part = |symbol: char| symbol == '_' || symbol.is_ascii_alphanumeric();
    text.split(|symbol| !is_part(symbol)).collect()
}

#[test]
fn every_name_of_the_documents_is_in_the_code() {
    let folders = ["src", "examples", "tests", "benches"];
    let files = folders
        .iter()
        .flat_map(|folder| sources(&root().join(folder)));
    let mut code: String = files
        .map(|file| fs::read_to_string(file).expect("readable"))
        .collect();
    code += &manifest();
    let known = words(&code);
    // These two documents mention names of earlier versions.
    let tells_of_the_past = ["CHANGELOG.md", "docs/src/migration.md"];
    for document in documents() {
        if tells_of_the_past.contains(&document.as_str()) {
            continue;
        }
        for quoted in prose(&read(&document)).split('`').skip(1).step_by(2) {
            for name in words(quoted).iter().filter(|word| is_name(word)) {
                assert!(
                    known.contains(name),
                    "{document} names {name} in `{quoted}`"
                );
            }
        }
    }
}

/// The component names in the first column of a table whose heading begins with `| component |`.
fn components(text: &str) -> BTreeSet<String> {
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches("//!").trim());
    let rows = lines.skip_while(|line| !line.starts_with("| component |"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let names = first.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(String::from).collect()
}

#[test]
fn the_book_and_the_reference_agree_about_who_writes_what() {
    let reference = components(&read("src/plugin/mod.rs"));
    let book = components(&read("docs/src/recipes/who-writes-what.md"));
    assert!(!reference.is_empty());
    assert_eq!(reference, book);
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

/// The rungs in the order of their list, as the names of their modules.
fn rungs() -> Vec<String> {
    let text = read("src/world/ladder/mod.rs");
    let (_, list) = text.split_once("\nrungs! {\n").expect("the list of rungs");
    let (list, _) = list.split_once('}').expect("its end");
    let names = list
        .lines()
        .filter_map(|line| line.trim().split(':').next());
    names.map(String::from).collect()
}

/// The files of a rung: its own, and those of its folder.
fn files_of_rung(rung: &str) -> Vec<PathBuf> {
    let own = root().join("src/world/ladder").join(rung);
    let mut files = vec![own.with_extension("rs")];
    if own.is_dir() {
        files.extend(sources(&own));
    }
    files
}

/// The lines of files that name the module of a rung, outside comments.
fn lines_with_rung(files: impl Iterator<Item = PathBuf>, rung: &str) -> Vec<String> {
    let mut found = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("readable");
        let is_ladder = path.starts_with(root().join("src/world/ladder"));
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or_default().trim();
            let is_declared =
                code == format!("mod {rung};") || code.starts_with(&format!("{rung}: "));
            let is_used = code.contains(&format!("super::{rung}::"))
                || code.contains(&format!("ladder::{rung}::"))
                || code.contains(&format!("use {rung}::"))
                || code.contains(&format!("rungs.{rung}"));
            if is_used || is_ladder && is_declared {
                found.push(code.to_owned());
            }
        }
    }
    found
}

/// A rung is a file that no other rung knows, and its two lines in the list of files and in the list of rungs. Further
/// lines are for what the game asks of one rung alone.
#[test]
fn a_rung_is_one_file_and_one_place_in_the_list() {
    let further: BTreeMap<&str, &[&str]> = BTreeMap::from([
        (
            "subset_table",
            ["self.ladder.rungs.subset_table.merge_as(merge);"].as_slice(),
        ),
        (
            "endgame",
            [
                "self.ladder.rungs.endgame.known()",
                "self.ladder.rungs.endgame.known().shapes()",
                "self.ladder.rungs.endgame.known_mut()",
                "self.ladder.rungs.endgame.prove_at_once(&self.board, team);",
                "self.ladder.rungs.endgame.region_of(&self.board, pursuit)",
                "self.ladder.rungs.endgame.use_shapes(shapes);",
            ]
            .as_slice(),
        ),
    ]);
    let rungs = rungs();
    assert!(rungs.len() > 10, "{rungs:?}");
    for rung in &rungs {
        let own = files_of_rung(rung);
        let others = sources(&root().join("src/world"));
        let others = others.into_iter().filter(|path| !own.contains(path));
        let mut named = lines_with_rung(others, rung);
        named.retain(|line| *line != format!("mod {rung};"));
        named.retain(|line| !line.starts_with(&format!("{rung}: ")));
        named.sort_unstable();
        let further = further.get(rung.as_str()).copied().unwrap_or_default();
        assert_eq!(named, further, "{rung}");
    }
}

/// Rungs and planning return what they find. Orders and plans are written elsewhere, each in one file.
#[test]
fn deciders_do_not_change_the_facts() {
    let world = root().join("src/world");
    let mut files = sources(&world.join("ladder"));
    files.extend(sources(&world.join("planning")));
    let names = [
        "choices.rs",
        "claims.rs",
        "view.rs",
        "company.rs",
        "situation.rs",
    ];
    files.extend(names.map(|name| world.join(name)));
    let words = ["&mut Board", "pursuits_mut", "members.get_mut"];
    assert_eq!(lines_with(files.into_iter(), &words), [""; 0]);
}

/// The compiler lets only `agent.rs` write the path of an agent. Chosen moves, and paths that the game orders, come from
/// one file.
#[test]
fn agents_set_out_in_one_file() {
    let files = sources(&root().join("src/world")).into_iter();
    let others = files.filter(|path| !path.ends_with("orders.rs"));
    assert_eq!(lines_with(others, &[".set_out("]), [""; 0]);
    let record = read("src/world/agent.rs");
    for field in ["way: Vec<Vertex>", "ordered: Vec<Vertex>", "arrives: u64"] {
        assert!(record.contains(&format!("\n    {field},")), "{field}");
    }
}

/// The only comparison of proofs, announcements and plans is that of the claims.
#[test]
fn claims_are_weighed_in_one_file() {
    let files = sources(&root().join("src/world")).into_iter();
    let others = files.filter(|path| !path.ends_with("claims.rs"));
    assert_eq!(
        lines_with(others, &["ProofChoice", ".drop_proofs("]),
        [""; 0]
    );
}

/// The cops of a pursuit are assembled by `view.rs` and `company.rs`, into memory that the world owns. The compiler lets
/// only `view.rs` build a view: it has private fields.
#[test]
fn a_view_is_built_at_one_place() {
    let files = sources(&root().join("src/world")).into_iter();
    let own = ["view.rs", "company.rs", "tests.rs"];
    let others = files.filter(|path| !own.iter().any(|name| path.ends_with(name)));
    let words = [
        "Company::default()",
        "company.assemble(",
        "Positions::default()",
    ];
    let found = lines_with(others, &words);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("positions: Positions::default(),"));
    let view = read("src/world/view.rs");
    assert!(view.contains("\n    better: &'a [Finding],\n"));
}

/// A file of the world: the names of its module, from that of the world on.
type Module = Vec<String>;

/// The files of the world, except tests.
fn files_of_world() -> BTreeMap<Module, String> {
    let folder = root().join("src/world");
    let files = sources(&folder).into_iter();
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
fn paths_in(code: &str) -> Vec<String> {
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
    let is_part = |symbol: char| symbol == ':' || symbol == '_' || symbol.is_alphanumeric();
    let words = rest.split(|symbol| !is_part(symbol));
    let is_path = |word: &&str| word.starts_with("super::") || word.starts_with("crate::world::");
    paths.extend(words.filter(is_path).map(String::from));
    paths
}

/// The file of the world that a path in a file leads to; `None` if it leads to another room.
fn file_of(path: &str, from: &Module, files: &BTreeMap<Module, String>) -> Option<Module> {
    let mut parts = path.split("::").map(str::trim).peekable();
    let mut at = from.clone();
    match *parts.peek()? {
        "crate" => {
            parts.next();
            parts.next_if(|&part| part == "world")?;
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

/// The files of the world that each of them uses.
fn uses_in_world() -> BTreeMap<Module, BTreeSet<Module>> {
    let files = files_of_world();
    let uses = files.iter().map(|(file, text)| {
        let paths = paths_in(&code_without_tests(text));
        let used = paths.iter().filter_map(|path| file_of(path, file, &files));
        (file.clone(), used.filter(|used| used != file).collect())
    });
    uses.collect()
}

/// Files of the world use each other in one direction, so that each can be read after those that it uses. A file seldom
/// uses that of a module around it: what its neighbours need, too, has a file of its own.
#[test]
fn files_of_the_world_use_each_other_in_one_direction() {
    let mut uses = uses_in_world();
    assert!(uses.len() > 60, "{}", uses.len());
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
