//! How far a map is loaded.

use bevy::prelude::*;

/// The loading state of a [`LiveMap`](super::LiveMap). Only the plugin writes it, on the entity of every map.
///
/// While a map is read or built, its agents stand and edits wait. [`MapReady`] is triggered when it is
/// ready. Maps of a few thousand tiles are ready in the tick in which they appear.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[non_exhaustive]
pub enum MapStatus {
    /// Nothing to play on: a layer without a size, or a map that no tick has processed yet.
    #[default]
    Empty,
    /// The tiles of its layer are being read.
    Reading,
    /// Its graph and its abstraction are being built.
    Building,
    /// The map is in play.
    Ready,
}

/// A map is ready: a new one, or one whose layer has changed its size. Triggered on the map, in the
/// tick from which on its agents move.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapReady {
    /// The entity of the map.
    #[event_target]
    pub map: Entity,
}
