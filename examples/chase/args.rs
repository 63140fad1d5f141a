//! The command line.

use bevy_pursuit::prelude::Tactics;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// [`Tactics`] by name.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum CopTactics {
    /// One cop chases, the others block the robber's paths.
    Intercept,
    /// All cops follow the robber by shortest paths.
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

/// The overlays that the window can show.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// The plans of agents.
    Plans,
    /// What the plans depend on.
    Footprints,
    /// The groups of the abstraction's third level.
    Groups,
    /// How long a robber would stay free on each tile, if there is a table.
    Table,
    /// Tiles that have changed.
    Changes,
    /// The region in which the capture is proven, with its exits.
    Endgame,
}

/// A chase to watch or to play.
#[derive(Parser, Debug, Clone)]
#[command(about)]
pub struct Args {
    /// A MovingAI .map file or a level file (.level.ron). Default: the harbour.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,

    /// Shuffle the starts; equal seeds give equal chases. Default: the starts of the level.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// The number of cops. Default: as in the level, or 2 on a map without agents.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub cops: Option<u8>,

    /// Steps per turn of each cop. Default: as in the level, or 2 on a map without agents.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub cop_speed: Option<u8>,

    /// The share of the cops' moves that are mistakes on purpose, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub mistakes: f32,

    /// How the cops move.
    #[arg(long, value_enum, default_value_t = CopTactics::Intercept)]
    pub tactics: CopTactics,

    /// The plugin's budget per tick, in expansions of 10 to 100 ns.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub budget: u32,

    /// Run without a window and print a summary.
    #[arg(long)]
    pub headless: bool,

    /// Without a window: stop after this many turns.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub turns: u64,

    /// Without a window: save a picture of the map with the trails of all agents.
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,

    /// With a window: the overlays shown at the start (F1 to F6 toggle them).
    #[arg(long, value_enum, value_delimiter = ',', default_value = "plans")]
    pub show: Vec<Overlay>,

    /// With a window: close it after this many seconds and print the frame rate.
    #[arg(long, value_name = "N")]
    pub seconds: Option<f32>,

    /// With a window and --seconds: save a screenshot before it closes.
    #[arg(long, value_name = "FILE.png", requires = "seconds")]
    pub screenshot: Option<PathBuf>,
}
