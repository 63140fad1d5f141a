//! The settings of the overlays: which are drawn, and in which colours.

use crate::geometry::MapPlaces;
use crate::live_map::LiveMap;
use bevy::prelude::*;

/// The overlays: which are drawn, and how. Change it at run time through [`GizmoConfigStore`]:
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_pursuit::debug::PursuitGizmos;
/// fn show_tables(mut store: ResMut<GizmoConfigStore>) {
///     store.config_mut::<PursuitGizmos>().1.table = true;
/// }
/// ```
///
/// An overlay that is off costs nothing. The default colours are the palette of M. Okabe and K. Ito,
/// which colour-blind people can tell apart, and for tables those of viridis, whose lightness rises
/// steadily.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each overlay has its own switch"
)]
#[derive(Reflect, GizmoConfigGroup, Debug, Clone, Copy)]
#[reflect(Default)]
pub struct PursuitGizmos {
    /// Draw the plans of agents.
    ///
    /// Default: yes
    pub plans: bool,
    /// Draw the footprints of plans: an edit in or beside the outline invalidates the plan.
    ///
    /// Default: no
    pub footprints: bool,
    /// Draw the groups of this level of the abstraction. 0 draws none, since level 0 is the map itself.
    ///
    /// Default: 0
    pub level: u8,
    /// Draw for each tile how long a robber there would stay free of the cops of a pursuit, according
    /// to the table that the pursuit plays by, if there is one: in the colours from
    /// [`soon`](Self::soon) to [`late`](Self::late), with [`PursuitFill`].
    ///
    /// Default: no
    pub table: bool,
    /// The pursuit whose table is drawn: an entity with [`Pursuit`](crate::Pursuit), or `None` for the map's own pursuit.
    ///
    /// Default: `None`
    pub table_pursuit: Option<Entity>,
    /// Draw the tiles that have changed in the last second, and the edits not yet worked into the
    /// abstraction.
    ///
    /// Default: no
    pub changes: bool,
    /// Draw the region in which each pursuit's capture is proven
    /// ([`PursuitWorld::endgame_region`](pursuit_engine::world::PursuitWorld::endgame_region)): its outline, a diamond on each
    /// exit, and a cross on each cop that stands guard.
    ///
    /// Default: no
    pub endgame: bool,
    /// Plans and footprints of cops.
    pub cop_plan: Color,
    /// Plans and footprints of robbers.
    pub robber_plan: Color,
    /// Groups in turn, so that few neighbours share a colour.
    pub groups: [Color; 4],
    /// Tiles where a robber is captured at once.
    pub soon: Color,
    /// Tiles half-way between the two. Other colours are interpolated.
    pub midway: Color,
    /// Tiles where a robber stays free for longest.
    pub late: Color,
    /// Tiles where a robber is never captured.
    pub never: Color,
    /// Tiles that have opened.
    pub opened: Color,
    /// Tiles that have become walls.
    pub closed: Color,
    /// Edits that are not yet worked into the abstraction.
    pub pending: Color,
    /// The outlines of regions in which a capture is proven.
    pub endgame_region: Color,
    /// Their exits.
    pub endgame_exit: Color,
    /// Cops that guard one of them.
    pub endgame_guard: Color,
}

impl Default for PursuitGizmos {
    fn default() -> Self {
        Self {
            plans: true,
            footprints: false,
            level: 0,
            table: false,
            table_pursuit: None,
            changes: false,
            endgame: false,
            cop_plan: Color::srgba(0.34, 0.71, 0.91, 0.8),
            robber_plan: Color::srgba(0.90, 0.62, 0.0, 0.9),
            groups: [
                Color::srgba(0.0, 0.45, 0.70, 0.9),
                Color::srgba(0.84, 0.37, 0.0, 0.9),
                Color::srgba(0.0, 0.62, 0.45, 0.9),
                Color::srgba(0.80, 0.47, 0.65, 0.9),
            ],
            soon: Color::srgba(0.27, 0.0, 0.33, 0.65),
            midway: Color::srgba(0.13, 0.57, 0.55, 0.6),
            late: Color::srgba(0.99, 0.91, 0.15, 0.6),
            never: Color::srgba(1.0, 1.0, 1.0, 0.6),
            opened: Color::srgba(0.0, 0.62, 0.45, 1.0),
            closed: Color::srgba(0.84, 0.37, 0.0, 1.0),
            pending: Color::srgba(0.80, 0.47, 0.65, 1.0),
            endgame_region: Color::srgba(0.94, 0.89, 0.26, 0.9),
            endgame_exit: Color::srgba(0.84, 0.37, 0.0, 0.9),
            endgame_guard: Color::srgba(0.0, 0.45, 0.70, 1.0),
        }
    }
}

/// The gizmo group of overlays that fill tiles: its lines are always as wide as a tile on the screen.
#[derive(Reflect, GizmoConfigGroup, Debug, Clone, Copy, Default)]
#[reflect(Default)]
pub struct PursuitFill;

/// The maps that overlays are drawn on.
pub(super) type Maps<'w, 's> = Query<'w, 's, (&'static LiveMap, MapPlaces)>;
