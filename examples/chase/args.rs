//! The command line.

use bevy_pursuit::prelude::Tactics;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// [`Tactics`] by name.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum CopTactics {
    /// One cop chases, the others block the robber's ways.
    Intercept,
    /// All run after the robber by shortest paths.
    Chase,
}

impl From<CopTactics> for Tactics {
    fn from(tactics: CopTactics) -> Self {
        match tactics {
            CopTactics::Intercept => Self::Intercept,
            CopTactics::Chase => Self::Chase,
        }
    }
}

/// What the window can show of what the agents think.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// What agents mean to do.
    Plans,
    /// What their plans depend on.
    Footprints,
    /// The groups of the abstraction's third level.
    Groups,
    /// How long a robber would stay free in each tile, where there is a table.
    Table,
    /// Tiles that have changed.
    Changes,
}

/// A chase to watch or to play.
#[derive(Parser, Debug, Clone)]
#[command(about)]
pub struct Args {
    /// A MovingAI .map file or a level of ours (.level.ron); the harbour if left out.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,

    /// Shuffle the starts: the same number gives the same chase. Left out, a level's own starts.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// The number of cops. Left out, the level's own, or 2 on a map without agents.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub cops: Option<u8>,

    /// Steps a turn of each cop. Left out, the level's own, or 2 on a map without agents.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub cop_speed: Option<u8>,

    /// How the cops go about it.
    #[arg(long, value_enum, default_value_t = CopTactics::Intercept)]
    pub tactics: CopTactics,

    /// What the plugin may spend in a tick, in expansions of some 10 ns.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub budget: u32,

    /// Run without a window and print a summary.
    #[arg(long)]
    pub headless: bool,

    /// Without a window: give up after this many turns.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub turns: u64,

    /// Without a window: draw the map with the trails of all agents.
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,

    /// With a window: what to draw at first (F1 to F5 switch it).
    #[arg(long, value_enum, value_delimiter = ',', default_value = "plans")]
    pub show: Vec<Overlay>,

    /// With a window: close it after this many seconds and print the frame rate.
    #[arg(long, value_name = "N")]
    pub seconds: Option<f32>,

    /// With a window and --seconds: save what it shows before it closes.
    #[arg(long, value_name = "FILE.png", requires = "seconds")]
    pub screenshot: Option<PathBuf>,
}
