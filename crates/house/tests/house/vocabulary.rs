//! One word for one thing: no two modules of a crate define types of the same name.

use std::collections::BTreeMap;
use std::fs;

use super::package;

/// The name of the type or trait that a line of code defines.
fn defined(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(public) = rest.strip_prefix("pub") {
        let restricted = public.strip_prefix('(').and_then(|to| to.split_once(')'));
        rest = restricted.map_or(public, |(_, rest)| rest).trim_start();
    }
    let kinds = ["struct ", "enum ", "trait ", "union "];
    let name = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let is_word = |symbol: char| symbol == '_' || symbol.is_alphanumeric();
    let name = name.split(|symbol| !is_word(symbol)).next();
    name.filter(|name| !name.is_empty())
}

/// The names of types that are defined in two or more files of a package, with the files. Test modules may repeat names:
/// nobody imports from them.
fn shared_names(name: &str) -> BTreeMap<String, Vec<String>> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in package(name) {
        if path.file_name().is_some_and(|name| name == "tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("readable");
        let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
        for name in code.filter_map(defined) {
            let of_name = files.entry(name.to_owned()).or_default();
            of_name.push(path.display().to_string());
        }
    }
    files.retain(|_, of_name| of_name.len() > 1);
    files
}

#[test]
fn definitions_are_recognised() {
    assert_eq!(defined("pub struct Graph {"), Some("Graph"));
    assert_eq!(
        defined("    pub(in crate::world) enum Kind<'a> {"),
        Some("Kind")
    );
    assert_eq!(defined("trait Rung: Sized {"), Some("Rung"));
    assert_eq!(defined("let structure = 1;"), None);
    assert_eq!(defined("/// A struct of"), None);
}

/// A name that two modules give to different types costs each reader a look at the imports. The list of those that exist
/// may only shrink; it is empty.
#[test]
fn no_two_modules_define_types_of_the_same_name() {
    for package in ["engine", "lab"] {
        assert_eq!(shared_names(package), BTreeMap::new(), "{package}");
    }
}
