//! Why a map text was refused, with line and column.

use std::fmt;

/// A position in a text. Lines and columns count from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPosition {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl TextPosition {
    /// The place `(line, column)`, both from 1.
    #[must_use]
    pub const fn new(line: usize, column: usize) -> Self {
        Self { line, column }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a map or level text was refused. A refused text loads nothing.
///
/// Prints as `FILE:LINE:COLUMN: expected …, found …`; `FILE:` only appears after
/// [`MapError::in_file`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{place}: expected {expected}, found {found}", file.as_ref().map(|f| format!("{f}:")).unwrap_or_default())]
pub struct MapError {
    /// The file, if the text came from one.
    pub file: Option<String>,
    /// The position in the text.
    pub place: TextPosition,
    /// What the parser expected there.
    pub expected: String,
    /// What the text contains there.
    pub found: String,
}

impl MapError {
    pub(crate) fn new(
        place: TextPosition,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            file: None,
            place,
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Returns the error with the name of its file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }
}
