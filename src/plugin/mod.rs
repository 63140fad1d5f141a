//! The Bevy plugin: components on agents, one component on the map, systems in three sets.
//!
//! The plugin computes nothing. It carries tiles and positions into a
//! [`PursuitWorld`](crate::world::PursuitWorld) and decisions back into components. What the game
//! sees is [`GridPosition`] (where an agent is), [`NextStep`] (where it goes in this turn) and
//! [`PursuitState`] (who decided that and why); moving the body is up to the game, or to [`Glide`]
//! where the map is a tilemap layer.

mod agent;
mod capture;
mod diagnostics;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "tilemap")]
mod glide;
#[cfg(feature = "tilemap")]
mod layer;
mod map;
mod settings;
mod state;
#[cfg(feature = "tilemap")]
mod tilemap;
mod turns;

pub use agent::{Control, Cop, GridPosition, NextStep, OnMap, Plan, PursuitSpeed, Robber};
pub use capture::{Captured, Caught};
pub use diagnostics::PursuitDiagnostics;
#[cfg(feature = "gizmos")]
pub use gizmos::{PursuitGizmos, PursuitGizmosPlugin};
#[cfg(feature = "tilemap")]
pub use glide::Glide;
#[cfg(feature = "tilemap")]
pub use layer::{LayerGeometry, LayerGeometryItem};
pub use map::{MapChanged, PursuitMap, TileEdits};
pub use settings::{PursuitSettings, Tactics};
pub use state::{DecidedBy, FreeFor, Idle, PursuitState};
#[cfg(feature = "tilemap")]
pub use tilemap::Passable;
pub use turns::TurnClock;

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// What runs when, in this order, once for each run of the plugin's schedule.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PursuitSystems {
    /// Tile changes reach the maps; agents whose way was cut are stopped. Before it: open doors,
    /// build walls, put agents elsewhere.
    Sync,
    /// At the start of a turn agents arrive where they were going. In every tick captures are found
    /// and told.
    Arrive,
    /// At the start of a turn the cops of each map choose together, then each robber. Before it,
    /// and after [`Arrive`](Self::Arrive): steer players with [`Control`]. After it: read
    /// [`NextStep`].
    Decide,
}

/// Adds chases to an app. Runs in [`FixedUpdate`] unless told otherwise.
///
/// | added | what |
/// |---|---|
/// | [`PursuitSettings`], [`PursuitDiagnostics`] | resources; settings inserted earlier are kept |
/// | [`PursuitSystems`] | system sets, chained |
/// | [`Captured`] | an event on the robber, for observers |
/// | [`MapChanged`] | a message for each map that changed in a tick |
///
/// ```
/// use bevy::prelude::*;
/// use bevy_pursuit::prelude::*;
/// App::new().add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Update)));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PursuitPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for PursuitPlugin {
    fn default() -> Self {
        Self {
            schedule: FixedUpdate.intern(),
        }
    }
}

impl PursuitPlugin {
    /// The same plugin in another schedule. A turn then lasts [`PursuitSettings::ticks_per_turn`]
    /// runs of that schedule.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

#[cfg(feature = "tilemap")]
impl PursuitPlugin {
    /// Do runs of the schedule follow the fixed clock, so that frames fall between them?
    fn is_fixed(&self) -> bool {
        [
            FixedFirst.intern(),
            FixedPreUpdate.intern(),
            FixedUpdate.intern(),
            FixedPostUpdate.intern(),
            FixedLast.intern(),
        ]
        .contains(&self.schedule)
    }
}

impl Plugin for PursuitPlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::{Arrive, Decide, Sync};
        app.init_resource::<PursuitSettings>()
            .init_resource::<PursuitDiagnostics>()
            .add_message::<MapChanged>()
            .register_type::<Cop>()
            .register_type::<Robber>()
            .register_type::<GridPosition>()
            .register_type::<NextStep>()
            .register_type::<Plan>()
            .register_type::<PursuitSpeed>()
            .register_type::<Control>()
            .register_type::<OnMap>()
            .register_type::<Caught>()
            .register_type::<PursuitState>()
            .register_type::<TurnClock>()
            .register_type::<PursuitSettings>()
            .register_type::<Tactics>()
            .register_type::<PursuitDiagnostics>()
            .configure_sets(self.schedule, (Sync, Arrive, Decide).chain())
            .add_systems(
                self.schedule,
                (
                    (
                        diagnostics::begin_tick,
                        map::apply_edits,
                        turns::drop_stale_ways,
                        turns::stop_at_walls,
                        turns::tick,
                    )
                        .chain()
                        .in_set(Sync),
                    (turns::arrive, capture::capture).chain().in_set(Arrive),
                    (turns::note_idle, turns::decide_cops, turns::decide_robbers)
                        .chain()
                        .in_set(Decide),
                ),
            );
        #[cfg(feature = "tilemap")]
        {
            tilemap::build(app);
            app.add_systems(
                self.schedule,
                tilemap::sync_tiles
                    .in_set(Sync)
                    .after(diagnostics::begin_tick)
                    .before(map::apply_edits),
            );
            glide::build(app, self.is_fixed());
        }
    }
}
