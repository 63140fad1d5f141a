//! One loader for all assets that are read from a file as a whole.

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;
use std::marker::PhantomData;

/// An asset that is made from all bytes of a file.
pub(super) trait AssetFile: Asset + Sized {
    /// The reason why a file is rejected.
    type Error: std::error::Error + From<std::io::Error> + Send + Sync + 'static;

    /// The extensions of the files, without the leading dot.
    const EXTENSIONS: &'static [&'static str];

    /// Checks the content of a file and makes the asset from it.
    fn from_file(bytes: Vec<u8>) -> Result<Self, Self::Error>;
}

/// Loads files of one kind.
#[derive(TypePath)]
pub(super) struct FileLoader<A: AssetFile>(PhantomData<fn() -> A>);

impl<A: AssetFile> Default for FileLoader<A> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<A: AssetFile> AssetLoader for FileLoader<A> {
    type Asset = A;
    type Settings = ();
    type Error = A::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<A, A::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        A::from_file(bytes)
    }

    fn extensions(&self) -> &[&str] {
        A::EXTENSIONS
    }
}
