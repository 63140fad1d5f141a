//! The ladder: rungs do not know each other, and whoever decides only reads the facts.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{lines_with, read, root, sources};

/// The rungs in the order of their list, as the names of their modules.
fn rungs() -> Vec<String> {
    let text = read("crates/engine/src/world/ladder/mod.rs");
    let (_, list) = text.split_once("\nrungs! {\n").expect("the list of rungs");
    let (list, _) = list.split_once('}').expect("its end");
    let names = list
        .lines()
        .filter_map(|line| line.trim().split(':').next());
    names.map(String::from).collect()
}

/// The files of a rung: its own, and those of its folder.
fn files_of_rung(rung: &str) -> Vec<PathBuf> {
    let own = root().join("crates/engine/src/world/ladder").join(rung);
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
        let is_ladder = path.starts_with(root().join("crates/engine/src/world/ladder"));
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
                "self.ladder.rungs.endgame.prove_at_once(&self.facts, team);",
                "self.ladder.rungs.endgame.region_of(&self.facts, pursuit)",
                "self.ladder.rungs.endgame.use_shapes(shapes);",
            ]
            .as_slice(),
        ),
    ]);
    let rungs = rungs();
    assert!(rungs.len() >= 10, "{rungs:?}");
    for rung in &rungs {
        let own = files_of_rung(rung);
        let others = sources(&root().join("crates/engine/src/world"));
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
    let world = root().join("crates/engine/src/world");
    let mut files = sources(&world.join("ladder"));
    files.extend(sources(&world.join("planning")));
    let names = [
        "choices.rs",
        "claims.rs",
        "view.rs",
        "pursuit_positions.rs",
        "situation.rs",
    ];
    files.extend(names.map(|name| world.join(name)));
    let words = ["&mut Facts", "pursuits_mut", "members.get_mut"];
    assert_eq!(lines_with(files.into_iter(), &words), [""; 0]);
}

/// The only comparison of proofs, announcements and plans is that of the claims.
#[test]
fn claims_are_weighed_in_one_file() {
    let files = sources(&root().join("crates/engine/src/world")).into_iter();
    let others = files.filter(|path| !path.ends_with("claims.rs"));
    assert_eq!(
        lines_with(others, &["ProofChoice", ".drop_proofs("]),
        [""; 0]
    );
}
