use crate::table_cache;
use crate::world::{self, Budget, RobberPlanner, WorldSettings};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// How cops of one robber go about it.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, PartialEq)]
pub enum Tactics {
    /// They cut it off: one chases, the others block its ways.
    #[default]
    Intercept,
    /// They run after it, all by shortest paths. Easier on the robber, and cheaper.
    Chase,
}

/// When agents move.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, PartialEq)]
pub enum Clock {
    /// The game of the papers: every [`ticks_per_turn`](PursuitSettings::ticks_per_turn) all cops of a
    /// pursuit choose together, then each robber. Tables are exact here.
    #[default]
    Turns,
    /// Each agent has its own time for a step ([`TicksPerStep`](super::TicksPerStep)) and decides when it
    /// arrives. Tables of the nearest whole-number speeds are a guide here.
    FreeRunning,
}

/// What a tick may spend on plans and repairs, for all agents of all maps together.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, PartialEq)]
pub enum TickBudget {
    /// So many expansions (the neighbours of a tile generated, 10 to 100 ns): the same run on every
    /// machine.
    Expansions(u32),
    /// So many microseconds, everything included that the plugin does in a tick: not repeatable.
    Micros(u32),
}

impl Default for TickBudget {
    /// 10,000 expansions, a millisecond at the most.
    fn default() -> Self {
        Self::Expansions(10_000)
    }
}

/// How robbers plan where no table answers.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, PartialEq)]
pub enum Planner {
    /// `TrailMax` where the budget has room for all robbers' searches of the whole map, `DATrailMax`
    /// otherwise.
    #[default]
    Auto,
    /// Always `TrailMax`: the best, and linear in the size of the map.
    TrailMax,
    /// Always `DATrailMax`: some tens of microseconds on any map.
    DaTrailMax,
}

/// From when on a solved table is used.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, PartialEq)]
pub enum TableTiming {
    /// From a tick on that is settled when it is asked for: four times its estimate later and some more, so
    /// that runs are repeatable. No frame waits. Should the table be late, on a slow or busy machine, the
    /// game goes on without, and [`TableStatus::Late`](super::TableStatus::Late) tells that the run
    /// is not repeatable any more.
    #[default]
    Scheduled,
    /// From the same tick on, and the frame waits for a table that is late, however long that takes: for
    /// rollback and lockstep games, for tests and for simulations that run faster than the clock.
    Lockstep,
    /// From when it is there on: sooner, but runs are not repeatable.
    WhenReady,
}

/// Which exact tables are made while the game runs, and kept.
#[derive(Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[reflect(Default, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct TableLimits {
    /// Are tables solved in the background? Tables given as assets are used in any case.
    ///
    /// Default: yes
    pub solve: bool,
    /// Megabytes that solved tables may take; those used least recently go first.
    ///
    /// Default: 256
    pub memory_mb: u32,
    /// A table that needs more megabytes to be solved is not.
    ///
    /// Default: 256
    pub largest_mb: u32,
    /// A table that would take more seconds of one core is not solved.
    ///
    /// Default: 2
    pub longest_seconds: u32,
    /// From when on a solved table is used.
    ///
    /// Default: [`TableTiming::Scheduled`]
    pub timing: TableTiming,
    /// How many ticks a second of real time has at the most, by which it is settled when a table comes into
    /// use. 0 for what the fixed clock says (its timestep and the speed of the game) or, in another
    /// schedule than the fixed ones, for 1,000: there a game that knows its frame rate says so here, or
    /// uses tables [`WhenReady`](TableTiming::WhenReady).
    ///
    /// Default: 0
    pub ticks_per_second: u32,
    /// How many threads solve tables, all of low priority where the system knows such a thing. 0 for one less
    /// than there are cores, so that the main thread has its own. Without the feature `parallel` there is
    /// one.
    ///
    /// Default: 0
    pub threads: u32,
}

impl Default for TableLimits {
    fn default() -> Self {
        Self {
            solve: true,
            memory_mb: 256,
            largest_mb: 256,
            longest_seconds: 2,
            timing: TableTiming::default(),
            ticks_per_second: 0,
            threads: 0,
        }
    }
}

/// Settings of all pursuits of an app. Insert your own before or after the plugin, or load them from a
/// file ([`SettingsFile`](super::SettingsFile)).
#[derive(Asset, Resource, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct PursuitSettings {
    /// How many runs of the plugin's schedule a turn lasts. In [`FixedUpdate`] at Bevy's 64 Hz the
    /// default gives four turns a second. 0 is taken as 1.
    ///
    /// Default: 16
    pub ticks_per_turn: u32,
    /// What a tick may spend on plans and repairs. When it is too small the play gets worse, never the
    /// frame.
    ///
    /// Default: [`TickBudget::Expansions`]`(10_000)`
    pub budget: TickBudget,
    /// When agents move, in [pursuits](super::Pursuit) that have no clock of their own.
    ///
    /// Default: [`Clock::Turns`]
    pub clock: Clock,
    /// Do turns of different pursuits begin on different ticks, so that their work is spread?
    ///
    /// Default: yes
    pub stagger: bool,
    /// How cops go about it.
    ///
    /// Default: [`Tactics::Intercept`]
    pub tactics: Tactics,
    /// How robbers plan where no table answers.
    ///
    /// Default: [`Planner::Auto`]
    pub planner: Planner,
    /// The tiles of a plan that are worked out at least.
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
    /// Exact tables.
    pub tables: TableLimits,
    /// What is random depends on it.
    ///
    /// Default: 0
    pub seed: u64,
}

impl Default for PursuitSettings {
    fn default() -> Self {
        let world = WorldSettings::default();
        Self {
            ticks_per_turn: world.ticks_per_turn,
            budget: TickBudget::default(),
            clock: Clock::Turns,
            stagger: world.stagger,
            tactics: Tactics::Intercept,
            planner: Planner::Auto,
            plan_steps: world.plan_steps,
            near_turns: world.near_turns,
            keep_turns: world.keep_turns,
            tables: TableLimits::default(),
            seed: world.seed,
        }
    }
}

impl PursuitSettings {
    /// As a world takes them.
    pub(super) fn for_world(&self) -> WorldSettings {
        let tables = &self.tables;
        WorldSettings {
            ticks_per_turn: self.ticks_per_turn,
            clock: self.clock.into(),
            stagger: self.stagger,
            tactics: self.tactics.into(),
            planner: match self.planner {
                Planner::Auto => RobberPlanner::Auto,
                Planner::TrailMax => RobberPlanner::TrailMax,
                Planner::DaTrailMax => RobberPlanner::DaTrailMax,
            },
            plan_steps: self.plan_steps,
            near_turns: self.near_turns,
            keep_turns: self.keep_turns,
            seed: self.seed,
            tables: tables.for_world(),
        }
    }
}

impl TableLimits {
    fn for_world(&self) -> table_cache::TableSettings {
        let bytes = |megabytes: u32| u64::from(megabytes) << 20;
        let schedule = table_cache::TableSchedule {
            ticks_per_second: Some(self.ticks_per_second).filter(|&ticks| ticks > 0),
            ..table_cache::TableSchedule::default()
        };
        table_cache::TableSettings {
            solve: self.solve,
            memory: bytes(self.memory_mb),
            max_bytes: bytes(self.largest_mb),
            max_milliseconds: self.longest_seconds.saturating_mul(1000),
            timing: match self.timing {
                TableTiming::Scheduled => table_cache::TableTiming::Scheduled(schedule),
                TableTiming::Lockstep => table_cache::TableTiming::Lockstep(schedule),
                TableTiming::WhenReady => table_cache::TableTiming::WhenReady,
            },
        }
    }
}

impl From<Tactics> for world::CopTactics {
    fn from(tactics: Tactics) -> Self {
        match tactics {
            Tactics::Intercept => Self::Intercept,
            Tactics::Chase => Self::Chase,
        }
    }
}

impl From<Clock> for world::Clock {
    fn from(clock: Clock) -> Self {
        match clock {
            Clock::Turns => Self::Turns,
            Clock::FreeRunning => Self::FreeRunning,
        }
    }
}

impl From<TickBudget> for Budget {
    fn from(budget: TickBudget) -> Self {
        match budget {
            TickBudget::Expansions(all) => Self::Expansions(all),
            TickBudget::Micros(all) => Self::Micros(all),
        }
    }
}
