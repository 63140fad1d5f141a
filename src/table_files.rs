//! Files of tables and endgames as assets.

use crate::asset_file::AssetFile;
use bevy::prelude::*;
use pursuit_engine::endgame::EndgameShapes;
use pursuit_engine::solve::simultaneous::MixedTable;
use pursuit_engine::table::{Table, TableError};
use std::sync::Arc;
use thiserror::Error;

/// An exact table: a `.ptab` file, as written by `pursuit solve`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitTable(pub Table);

/// A table of mixed strategies: a `.ptab` file, as written by `pursuit solve --simultaneous`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitMixedTable(pub MixedTable);

impl AssetFile for PursuitMixedTable {
    type Error = TableFileError;

    const EXTENSIONS: &'static [&'static str] = &["ptab"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, TableFileError> {
        Ok(Self(MixedTable::from_bytes(bytes.into())?))
    }
}

/// Regions whose local tables are known beforehand: a `.pend` file, as written by `pursuit bake-endgames`. Loading
/// checks each value, some 90 ms of one core a shape, on a thread for assets.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitShapes(pub Arc<EndgameShapes>);

impl AssetFile for PursuitShapes {
    type Error = TableFileError;

    const EXTENSIONS: &'static [&'static str] = &["pend"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, TableFileError> {
        let shapes = EndgameShapes::from_bytes(bytes.into())?;
        Ok(Self(Arc::new(shapes)))
    }
}

/// The reason why a file of tables or of endgames is rejected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The content is damaged, or not what the extension says.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl AssetFile for PursuitTable {
    type Error = TableFileError;

    const EXTENSIONS: &'static [&'static str] = &["ptab"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, TableFileError> {
        Ok(Self(Table::from_bytes(bytes.into())?))
    }
}
