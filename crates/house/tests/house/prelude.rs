//! What a game gets by `use bevy_pursuit::prelude::*`.

use super::read;

/// The most names that a game gets without asking.
const MOST: usize = 42;

/// The names that the prelude exports, with all features.
fn names() -> Vec<String> {
    let code = read("src/lib.rs");
    let (_, prelude) = code.split_once("pub mod prelude {").expect("a prelude");
    let (prelude, _) = prelude.split_once("\n}\n").expect("its end");
    let mut names = Vec::new();
    for item in prelude.split(';') {
        let Some((_, path)) = item.split_once("pub use ") else {
            continue;
        };
        let list = path.split_once('{').map_or_else(
            || path.rsplit("::").next().unwrap_or_default(),
            |(_, list)| list.trim_end().trim_end_matches('}'),
        );
        let list = list
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        names.extend(list.map(str::to_owned));
    }
    names
}

#[test]
fn the_prelude_has_at_most_42_names() {
    let names = names();
    assert!(names.contains(&"Passable".to_owned()) && names.contains(&"Moves".to_owned()));
    assert!(names.len() <= MOST, "{} names: {names:?}", names.len());
}
