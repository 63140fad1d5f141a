//! The documents: their length, their links, and the examples that they show.

use std::collections::BTreeSet;
use std::fs;

use super::{read, root};

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

/// The sources of the books: the guide for those who write games, and the research behind it.
const GUIDE: &str = "docs/src";
const BOOKS: [&str; 2] = [GUIDE, "docs/research/src"];

/// Documents by their paths from the root: those beside the README, and the books.
pub(super) fn documents() -> Vec<String> {
    let mut found: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ]
    .map(String::from)
    .into();
    found.extend(BOOKS.into_iter().flat_map(chapters));
    found
}

/// The files of a book.
fn chapters(book: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(book)];
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
pub(super) fn prose(text: &str) -> String {
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
            let target = target.canonicalize().expect("it exists");
            for book in BOOKS.iter().filter(|book| document.starts_with(**book)) {
                let book = root().join(book).canonicalize().expect("the book");
                assert!(
                    target.starts_with(&book),
                    "{document} links out of its book: {link}"
                );
            }
        }
    }
}

#[test]
fn every_chapter_is_in_the_summary_of_its_book() {
    for book in BOOKS {
        let summary = format!("{book}/SUMMARY.md");
        let listed: BTreeSet<String> = links(&read(&summary))
            .into_iter()
            .map(|link| format!("{book}/{link}"))
            .collect();
        for chapter in chapters(book) {
            let is_listed = listed.contains(&chapter) || chapter == summary;
            assert!(is_listed, "{summary} lacks {chapter}");
        }
    }
}

/// Pages of the guide that show nothing: tables to look things up in.
const WITHOUT_PICTURES: [&str; 3] = ["SUMMARY.md", "settings.md", "who-writes-what.md"];

#[test]
fn every_page_of_the_guide_that_shows_something_has_a_picture() {
    for page in chapters(GUIDE) {
        if WITHOUT_PICTURES.iter().any(|name| page.ends_with(name)) {
            continue;
        }
        let text = read(&page);
        // A picture, or one that is drawn with letters.
        let has_picture = text.contains("](pictures/") || text.contains("```text");
        assert!(has_picture, "{page} has no picture");
    }
}

#[test]
fn every_picture_of_a_book_is_shown() {
    let documents: String = documents().iter().map(|document| read(document)).collect();
    for book in BOOKS {
        let pictures = fs::read_dir(root().join(book).join("pictures")).expect("pictures");
        for picture in pictures {
            let name = picture.expect("a readable entry").file_name();
            let name = name.to_string_lossy();
            assert!(
                documents.contains(&format!("pictures/{name})")),
                "{book}: no document shows {name}"
            );
        }
    }
}

#[test]
fn the_guide_is_at_most_12_000_words() {
    let words = |chapter: String| read(&chapter).split_whitespace().count();
    let words: usize = chapters(GUIDE).into_iter().map(words).sum();
    assert!(words <= 12_000, "the guide has {words} words");
}

#[test]
fn every_example_in_a_chapter_is_a_doc_test() {
    let libraries = [read("src/lib.rs"), read("crates/lab/src/lib.rs")];
    let chapters = BOOKS.into_iter().flat_map(chapters);
    for chapter in chapters.chain(["README.md".to_owned()]) {
        let text = read(&chapter);
        let mut libraries = libraries.iter();
        let is_tested = libraries.any(|library| library.contains(&format!("../{chapter}\"")));
        let has_code = text.contains("```rust");
        assert_eq!(
            is_tested, has_code,
            "{chapter}: a library includes it as doc tests"
        );
        for kind in ["```rs", "```rust,ignore", "```ignore"] {
            assert!(!text.contains(kind), "{chapter}: {kind} is not compiled");
        }
    }
}
