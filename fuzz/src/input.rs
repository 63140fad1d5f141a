//! The part of the tool's `input.rs` that `positions.rs` uses; the text comes from memory.

use crate::failure::Failure;
use std::cell::RefCell;
use std::path::Path;

thread_local! {
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sets the text that the next file has.
pub fn set_text(text: &str) {
    TEXT.with_borrow_mut(|kept| {
        kept.clear();
        kept.push_str(text);
    });
}

/// The text that was set, whatever the path.
#[expect(clippy::unnecessary_wraps, reason = "the tool reads a file")]
pub fn read_text(_: &Path) -> Result<String, Failure> {
    Ok(TEXT.with_borrow(String::clone))
}

/// What is wrong at a place of a file.
pub fn wrong(path: &Path, place: impl std::fmt::Display, expected: &str, found: &str) -> Failure {
    let path = path.display();
    Failure::Input(format!(
        "{path}:{place}: expected {expected}, found {found}"
    ))
}
