use super::budget::TickBudget;
use crate::table_cache::TableSettings;
use serde::{Deserialize, Serialize};

/// When the agents of a pursuit move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum PursuitClock {
    /// The game of the papers: every [`ticks_per_turn`](PursuitSettings::ticks_per_turn) ticks all cops
    /// of a pursuit choose together, then each robber. Tables are exact here.
    #[default]
    Turns,
    /// Each agent has its own time for a step and decides when it arrives. Tables of the nearest
    /// whole-number speeds are a guide here.
    FreeRunning,
}

/// How cops of one robber go about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Tactics {
    /// They cut it off: one chases, the others block its ways.
    #[default]
    Intercept,
    /// They run after it, all by shortest paths. Easier on the robber, and cheaper.
    Chase,
}

/// How robbers plan where no table answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum RobberPlanner {
    /// `TrailMax` where the budget has room for all robbers' searches of the whole map, `DATrailMax`
    /// otherwise.
    #[default]
    Auto,
    /// Always `TrailMax`: the best, and linear in the size of the map.
    TrailMax,
    /// Always `DATrailMax`: some tens of microseconds on any map.
    DaTrailMax,
}

/// What all pursuits of a game go by.
///
/// Each [`PursuitWorld`](super::PursuitWorld) has a copy. With the feature `plugin` it is the resource of
/// an app as well: insert your own before or after the plugin, or load them from a file (`SettingsFile`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct PursuitSettings {
    /// The ticks of a turn. In the plugin a tick is a run of its schedule: in `FixedUpdate` at Bevy's
    /// 64 Hz the default gives four turns a second. 0 is taken as 1.
    ///
    /// Default: 16
    pub ticks_per_turn: u32,
    /// What a tick may spend on plans and repairs. When it is too small the play gets worse, never the
    /// frame.
    ///
    /// A [`PursuitWorld`](super::PursuitWorld) goes by the [`Meter`](super::Meter) that its caller gives
    /// it; the plugin makes that meter of this.
    ///
    /// Default: [`TickBudget::Expansions`]`(10_000)`
    pub budget: TickBudget,
    /// How many budgets the ticks of one frame share, so that a frame takes no longer at relative speed 8.
    /// 0: each tick has its own.
    ///
    /// With [`TickBudget::Micros`] the ticks that really run in a frame share the time, also when the fixed
    /// clock catches up after a long frame. With
    /// [`TickBudget::Expansions`] a run must not depend on how ticks fall into frames: a tick gets its
    /// part by the relative speed of `Time<Virtual>` and the step of `Time<Fixed>`, at 60 frames a
    /// second, all of which the game sets. Set 0 for games that are shown at another speed
    /// than they were played at and must go the same way: replays, lockstep.
    ///
    /// Default: 2
    pub budgets_per_frame: u16,
    /// When agents move, in pursuits that have no clock of their own.
    ///
    /// Default: [`PursuitClock::Turns`]
    pub clock: PursuitClock,
    /// Do turns of different pursuits begin on different ticks, so that their work is spread? The
    /// first pursuit begins at once in any case.
    ///
    /// Default: yes
    pub stagger: bool,
    /// How cops go about it, in pursuits that have no tactics of their own.
    ///
    /// Default: [`Tactics::Intercept`]
    pub tactics: Tactics,
    /// How robbers plan where no table answers.
    ///
    /// Default: [`RobberPlanner::Auto`]
    pub planner: RobberPlanner,
    /// The steps of a plan that are worked out at least.
    ///
    /// Default: 16
    pub plan_steps: u16,
    /// Agents whose enemy is at most so many turns away want a new plan every turn.
    ///
    /// Default: 8
    pub near_turns: u16,
    /// Those whose enemy is far keep a plan for a quarter of the turns to it, and for no more than this.
    ///
    /// Default: 8
    pub keep_turns: u16,
    /// Which exact tables are made while the game runs, and kept.
    pub tables: TableSettings,
    /// What is random depends on it.
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
