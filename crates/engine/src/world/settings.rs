//! The settings of a world: clock, budget, tactics, planners and tables.

use super::budget::TickBudget;
use super::tactics::Tactics;
use crate::table_cache::TableSettings;
use serde::{Deserialize, Serialize};

/// When the agents of a pursuit move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "bevy",
    derive(bevy_ecs::component::Component, bevy_ecs::VariantDefaults)
)]
#[non_exhaustive]
pub enum PursuitClock {
    /// The game of the literature: every [`ticks_per_turn`](PursuitSettings::ticks_per_turn) ticks all
    /// cops of a pursuit choose together, then each robber. Tables are exact on this clock.
    #[default]
    Turns,
    /// Each agent has its own time per step and decides when it arrives. Tables of the nearest
    /// whole-number speeds serve as a guide.
    FreeRunning,
    /// Turns in which both sides choose simultaneously, from the same position, and then move simultaneously. A cop and
    /// a robber that come past each other on the way meet, which is a capture. For agents of one step a turn, this is the game of
    /// [`solve::simultaneous`](crate::solve::simultaneous). Where the game supplies a table of its mixed strategies,
    /// agents [draw](crate::policy::Source::MixedTable) their moves from the table. Exact tables serve as a guide. Without a
    /// table of mixed strategies, cops near a robber share out the vertices where its move may end.
    ///
    /// No agent sets out in the middle of a turn: a player's key press counts from the next turn on.
    Simultaneous,
}

impl PursuitClock {
    /// Returns whether the members of a pursuit set out together when a turn begins.
    pub(crate) const fn is_in_turns(self) -> bool {
        matches!(self, Self::Turns | Self::Simultaneous)
    }
}

/// How robbers plan when no table answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum RobberPlanner {
    /// `TrailMax` if the budget has room for searches of the whole map by all robbers, `DATrailMax`
    /// otherwise.
    #[default]
    Auto,
    /// Always `TrailMax`: the strongest, and linear in the size of the map.
    TrailMax,
    /// Always `DATrailMax`: some tens of microseconds on any map.
    DaTrailMax,
}

/// The settings of all pursuits of a game.
///
/// Each [`PursuitWorld`](super::PursuitWorld) has a copy. With the feature `plugin` the settings are
/// also a resource of the app: insert your own before or after the plugin, or load them from a file
/// (`SettingsFile`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "bevy",
    derive(bevy_ecs::resource::Resource, bevy_asset::Asset)
)]
pub struct PursuitSettings {
    /// Ticks per turn. In the plugin a tick is one run of its schedule: in `FixedUpdate` at Bevy's 64
    /// Hz the default gives four turns per second. 0 counts as 1.
    ///
    /// Default: 16
    pub ticks_per_turn: u32,
    /// The budget of a tick for plans and repairs. A budget that is too small weakens the play, but
    /// never delays the frame.
    ///
    /// A [`PursuitWorld`](super::PursuitWorld) obeys the [`Meter`](super::Meter) that its caller
    /// passes; the plugin makes that meter from this setting.
    ///
    /// Default: [`TickBudget::Expansions`]`(10_000)`
    pub budget: TickBudget,
    /// The number of budgets that the ticks of one frame share, so that a frame takes no longer at relative
    /// speed 8. With 0 each tick has its own budget.
    ///
    /// With [`TickBudget::Micros`] the ticks that actually run in a frame share the time, also when the
    /// fixed clock catches up after a long frame. With [`TickBudget::Expansions`] a run must not depend
    /// on how ticks fall into frames, so the share of a tick follows from values that the game sets:
    /// the relative speed of `Time<Virtual>` and the step of `Time<Fixed>`, at an assumed 60 frames per
    /// second. Set 0 for games that are replayed at another speed and must take the same course:
    /// replays, lockstep.
    ///
    /// Default: 2
    pub budgets_per_frame: u16,
    /// When agents move, in pursuits without their own clock.
    ///
    /// Default: [`PursuitClock::Turns`]
    pub clock: PursuitClock,
    /// Whether the turns of different pursuits begin on different ticks, which spreads their work. The
    /// first pursuit always begins at once.
    ///
    /// Default: yes
    pub stagger: bool,
    /// How cops move, in pursuits without their own tactics.
    ///
    /// Default: [`Tactics::Intercept`]
    pub tactics: Tactics,
    /// How robbers plan when no table answers.
    ///
    /// Default: [`RobberPlanner::Auto`]
    pub planner: RobberPlanner,
    /// The minimum number of steps that a plan computes.
    ///
    /// Default: 16
    pub plan_steps: u16,
    /// Agents whose nearest opponent is at most this number of turns away want a new plan every turn.
    ///
    /// Default: 8
    pub near_turns: u16,
    /// Agents farther from their opponents keep a plan for a quarter of the turns between them, and at
    /// most for this number of turns.
    ///
    /// Default: 8
    pub keep_turns: u16,
    /// Which exact tables are made while the game runs, and kept.
    pub tables: TableSettings,
    /// The seed of all random choices.
    ///
    /// Default: 0
    pub seed: u64,
}

impl Default for PursuitSettings {
    fn default() -> Self {
        Self {
            ticks_per_turn: 16,
            budget: TickBudget::default(),
            budgets_per_frame: 2,
            clock: PursuitClock::Turns,
            stagger: true,
            tactics: Tactics::Intercept,
            planner: RobberPlanner::Auto,
            plan_steps: 16,
            near_turns: 8,
            keep_turns: 8,
            tables: TableSettings::default(),
            seed: 0,
        }
    }
}
