//! The list of files of a map: tables and endgames.

use crate::table_files::{PursuitMixedTable, PursuitShapes, PursuitTable};
use bevy::prelude::*;

/// The tables of a map, on the entity of its [`LiveMap`](super::LiveMap), of all kinds: there may be several of each,
/// for door states and numbers of cops. Each is used while its fingerprint matches the map and its rules match a pursuit. A
/// file that changes is reloaded if the app watches its assets.
///
/// ```no_run
/// # use bevy::prelude::*;
/// use bevy_pursuit::tables::{PursuitTables, TableHandle};
/// # fn set_up(mut commands: Commands, assets: Res<AssetServer>) {
/// # let map = commands.spawn_empty().id();
/// commands.entity(map).insert(PursuitTables(vec![
///     TableHandle::Exact(assets.load("vault.ptab")),
///     TableHandle::Mixed(assets.load("vault-guard.ptab")),
///     TableHandle::Endgames(assets.load("corners.pend")),
/// ]));
/// # }
/// ```
///
/// If several handles have tables of one kind for the same map and rules, the first loaded one in the list is used.
/// When that one goes, the next takes its place. Of several files of endgames, a map uses the first.
///
/// A file that is loaded while agents play makes the run depend on the disk, which
/// [`LiveMap::diverged_at`](super::LiveMap::diverged_at) says. A run that has to repeat lets its agents join after that.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[reflect(Component, Default, PartialEq)]
pub struct PursuitTables(pub Vec<TableHandle>);

/// A file on the list of a map. The kind decides how a `.ptab` file is read.
#[derive(Reflect, Debug, Clone, PartialEq, Eq)]
#[reflect(PartialEq)]
#[non_exhaustive]
pub enum TableHandle {
    /// An exact table.
    Exact(Handle<PursuitTable>),
    /// A table of mixed strategies. Pursuits on the clock [`Simultaneous`](super::PursuitClock::Simultaneous) draw their
    /// moves from it. The draws follow from [`PursuitSettings::seed`](super::PursuitSettings::seed); a game that does not
    /// repeat takes another seed each time.
    Mixed(Handle<PursuitMixedTable>),
    /// Endgames that the map knows beforehand: in regions of these shapes, captures are proven at once, and otherwise after
    /// some turns.
    Endgames(Handle<PursuitShapes>),
}

impl From<Handle<PursuitTable>> for TableHandle {
    fn from(handle: Handle<PursuitTable>) -> Self {
        Self::Exact(handle)
    }
}

impl From<Handle<PursuitMixedTable>> for TableHandle {
    fn from(handle: Handle<PursuitMixedTable>) -> Self {
        Self::Mixed(handle)
    }
}

impl From<Handle<PursuitShapes>> for TableHandle {
    fn from(handle: Handle<PursuitShapes>) -> Self {
        Self::Endgames(handle)
    }
}

impl<H: Into<TableHandle>> FromIterator<H> for PursuitTables {
    fn from_iter<I: IntoIterator<Item = H>>(handles: I) -> Self {
        Self(handles.into_iter().map(Into::into).collect())
    }
}
