//! What the documents name: commands, options, files, types and components exist in the code.

use std::collections::BTreeSet;
use std::fs;

use super::documents::{documents, prose};
use super::{read, root, sources};

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
            let package = word_after(&command, "-p").map_or("", |name| {
                if name == "bevy_pursuit" {
                    return "";
                }
                let folder = name.trim_start_matches("pursuit_");
                assert!(
                    root().join("crates").join(folder).is_dir(),
                    "{shown}: no {name}"
                );
                folder
            });
            let home = if package.is_empty() {
                String::new()
            } else {
                format!("crates/{package}/")
            };
            let mut source = None;
            let kinds = [
                ("--example", "examples"),
                ("--bench", "benches"),
                ("--test", "tests"),
            ];
            for (option, folder) in kinds {
                if let Some(name) = word_after(&command, option) {
                    source = program(&format!("{home}{folder}"), name);
                    assert!(source.is_some(), "{shown}: no {home}{folder}/{name}");
                }
            }
            let is_alias = command.trim().starts_with("pursuit ");
            if is_alias || package == "tool" {
                source = program("crates/tool", "src");
            }
            let arguments = if is_alias {
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
                let is_of_tests = ["help", "ignored", "include-ignored", "nocapture"];
                let is_known = is_of_tests.contains(&option)
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
            let folders = [
                "src/",
                "tests/",
                "examples/",
                "benches/",
                "docs/",
                "crates/",
            ];
            let is_named = folders.iter().any(|folder| name.starts_with(folder));
            // Below `crates/engine/src`, as `ARCHITECTURE.md` says.
            let is_of_engine =
                document == "ARCHITECTURE.md" && name.contains(".rs") && name.contains('/');
            (is_named || is_of_engine) && !name.contains(['*', ' ', '{'])
        };
        for path in named.filter(is_path) {
            let of_engine = root().join("crates/engine/src").join(path);
            assert!(
                root().join(path).exists() || of_engine.exists(),
                "{document} names {path}"
            );
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
    let folders = ["src", "examples", "tests", "benches", "crates"];
    let files = folders
        .iter()
        .flat_map(|folder| sources(&root().join(folder)));
    let mut code: String = files
        .map(|file| fs::read_to_string(file).expect("readable"))
        .collect();
    let manifests = [
        "Cargo.toml",
        "crates/engine/Cargo.toml",
        "crates/lab/Cargo.toml",
    ];
    code.extend(manifests.map(read));
    let known = words(&code);
    for document in documents() {
        // A changelog mentions names of earlier versions.
        if document == "CHANGELOG.md" {
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

/// The names in the first column of the table whose heading begins with this column.
fn first_column(text: &str, heading: &str) -> BTreeSet<String> {
    let heading = format!("| {heading} |");
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches("///").trim());
    let rows = lines.skip_while(|line| !line.starts_with(&heading));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let names = first.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(String::from).collect()
}

#[test]
fn the_book_and_the_reference_agree_about_who_writes_what() {
    let reference = first_column(&read("src/sets.rs"), "component");
    let book = first_column(&read("docs/src/who-writes-what.md"), "component");
    assert!(!reference.is_empty());
    assert_eq!(reference, book);
}

#[test]
fn the_pages_of_examples_list_the_programs_that_exist() {
    let pages = [
        ("docs/src/examples.md", "example", "examples"),
        (
            "docs/research/src/examples.md",
            "experiment",
            "crates/lab/examples",
        ),
        (
            "docs/research/src/examples.md",
            "trial",
            "crates/trials/examples",
        ),
    ];
    for (page, heading, folder) in pages {
        let files = sources(&root().join(folder));
        let names = files.iter().filter_map(|file| {
            let is_program = fs::read_to_string(file).ok()?.contains("fn main()");
            let name = file.file_stem().filter(|_| is_program)?;
            let folder = file.parent()?.file_name()?;
            let program = if name == "main" { folder } else { name };
            program.to_str().map(String::from)
        });
        let programs: BTreeSet<String> = names.collect();
        assert_eq!(first_column(&read(page), heading), programs, "{page}");
    }
}
