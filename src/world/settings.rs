use crate::table_cache::TableSettings;
use serde::{Deserialize, Serialize};

/// When the agents of a pursuit move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Clock {
    /// The game of the papers: every so many ticks all cops choose together, then each robber. Tables
    /// are exact here.
    #[default]
    Turns,
    /// Each agent has its own time for a step and decides when it arrives. Tables of the nearest
    /// whole-number speeds are a guide here.
    FreeRunning,
}

/// How cops of one robber go about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CopTactics {
    /// They cut it off: one chases, the others block its ways.
    #[default]
    Intercept,
    /// They run after it, all by shortest paths.
    Chase,
}

/// How robbers plan where no table answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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

/// What a [`PursuitWorld`](super::PursuitWorld) goes by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorldSettings {
    /// The ticks of a turn. 0 counts as 1. Default: 16.
    pub ticks_per_turn: u32,
    /// When agents move, where a pursuit says nothing else. Default: in turns.
    pub clock: Clock,
    /// Do turns of different pursuits begin on different ticks, so that their work is spread? The
    /// first pursuit begins at once in any case. Default: yes.
    pub stagger: bool,
    /// How cops go about it, where a pursuit says nothing else.
    pub tactics: CopTactics,
    /// How robbers plan where no table answers.
    pub planner: RobberPlanner,
    /// The steps of a plan that are worked out at least. Default: 16.
    pub plan_steps: u16,
    /// Agents whose enemy is at most so many turns away want a new plan every turn. Default: 8.
    pub near_turns: u16,
    /// Those whose enemy is far keep a plan for a quarter of the turns to it, but for no more than
    /// this. Default: 8.
    pub keep_turns: u16,
    /// What is random depends on it.
    pub seed: u64,
    /// Which tables are made and kept.
    pub tables: TableSettings,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            ticks_per_turn: 16,
            clock: Clock::Turns,
            stagger: true,
            tactics: CopTactics::Intercept,
            planner: RobberPlanner::Auto,
            plan_steps: 16,
            near_turns: 8,
            keep_turns: 8,
            seed: 0,
            tables: TableSettings::default(),
        }
    }
}
