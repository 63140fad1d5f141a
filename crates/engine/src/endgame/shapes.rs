//! Shapes of regions whose tables are known beforehand.

use super::shape_key::ShapeKey;
use super::shapes_file::{self, ShapesReader};
use crate::table::{Table, TableError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Shapes of regions with their tables. Regions that are equal except for their position on a map, rotation and
/// reflection have one shape.
///
/// [`Endgames`](super::Endgames) that [use](super::Endgames::use_shapes) these shapes prove captures in such regions at
/// once. Memory: the size of the tables in a [file](mod@super::shapes_file), some 230 KB for each table of two players.
#[derive(Debug, Clone, Default)]
pub struct EndgameShapes {
    tables: BTreeMap<ShapeKey, Arc<Table>>,
}

impl EndgameShapes {
    /// Reads the bytes of a file, and checks every value of its tables: see [`ShapesReader`].
    ///
    /// # Errors
    /// If the bytes are not a file of shapes, are damaged, or contain a wrong value.
    pub fn from_bytes(bytes: Arc<[u8]>) -> Result<Self, TableError> {
        let mut reader = ShapesReader::new(bytes)?;
        while !reader.advance()?.done {}
        Ok(reader.finish().unwrap_or_default())
    }

    /// The bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        shapes_file::encode(&self.tables)
    }

    /// The number of shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Adds the shapes of another set.
    pub fn extend(&mut self, other: Self) {
        for (key, table) in other.tables {
            self.tables.entry(key).or_insert(table);
        }
    }

    /// The table of a shape.
    pub(super) fn find(&self, key: &ShapeKey) -> Option<&Arc<Table>> {
        self.tables.get(key)
    }

    /// Adds a table, which the caller has solved or checked.
    pub(super) fn insert(&mut self, key: ShapeKey, table: Arc<Table>) {
        self.tables.insert(key, table);
    }
}
