//! Players of a live world, and cops and robbers by name with them.

use crate::failure::Failure;
use crate::robber::Robber;
use pursuit_engine::game::Rules;
use pursuit_engine::policy::SharedTable;
use pursuit_engine::world::PursuitSettings;
use pursuit_lab::eval::CopKind;
use pursuit_lab::eval::{LivePursuit, LiveSettings, Players};
use std::fmt;
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::str::FromStr;

/// The name of the players of a live world.
pub const PLAYED: &str = "played";

/// What the players of a live world play with.
#[derive(clap::Args, Debug, Clone)]
pub struct PlayedArgs {
    /// For played cops and robbers: the expansions that a tick may take
    #[arg(long, value_name = "N", default_value = "10000")]
    budget: u64,

    /// For played cops and robbers: a file with settings, as a game loads it [default: their defaults]
    #[arg(long, value_name = "FILE.ron")]
    settings: Option<PathBuf>,
}

impl PlayedArgs {
    /// Reads the settings of the world.
    pub fn settings(&self) -> Result<LiveSettings, Failure> {
        let world = match &self.settings {
            None => PursuitSettings::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
                ron::from_str(&text)
                    .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?
            }
        };
        Ok(LiveSettings {
            world,
            budget: self.budget,
            ..LiveSettings::default()
        })
    }
}

/// Cops, parsed from their name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cops {
    Kind(CopKind),
    /// Those of a live world.
    Played,
}

impl FromStr for Cops {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == PLAYED {
            return Ok(Self::Played);
        }
        let kind: Result<CopKind, _> = text.parse();
        kind.map(Self::Kind)
            .map_err(|error| format!("{error}; or {PLAYED}"))
    }
}

impl fmt::Display for Cops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => kind.fmt(f),
            Self::Played => f.write_str(PLAYED),
        }
    }
}

impl Cops {
    /// The number of cops of the table by which a team of `cops` cops plays.
    pub fn table(self, cops: NonZeroU8) -> Option<NonZeroU8> {
        match self {
            Self::Kind(kind) => kind.table(cops),
            Self::Played => None,
        }
    }

    /// The number of cops of the retract that helps a team of `cops` cops.
    pub fn retract(self, cops: NonZeroU8) -> Option<NonZeroU8> {
        match self {
            Self::Kind(kind) => kind.retract(cops),
            Self::Played => None,
        }
    }

    /// Returns whether their moves depend on the position only.
    pub const fn is_memoryless(self) -> bool {
        match self {
            Self::Kind(kind) => kind.is_memoryless(),
            Self::Played => false,
        }
    }
}

/// Players for both sides; `None` if a table is missing. One world moves both sides if both are played.
pub fn players(
    cops: Cops,
    robber: &Robber,
    rules: Rules,
    tables: &[SharedTable],
    live: &LiveSettings,
) -> Option<Players<'static>> {
    let (moves_cops, moves_robber) = (cops == Cops::Played, robber.is_played());
    let live = (moves_cops || moves_robber).then(|| {
        LivePursuit::new(LiveSettings {
            moves_cops,
            moves_robber,
            ..live.clone()
        })
    });
    let table = tables.iter().find(|table| table.times.rules() == rules);
    Some(Players {
        cops: match cops {
            Cops::Kind(kind) => kind.policy(rules.cops, tables)?,
            Cops::Played => Box::new(live.clone()?),
        },
        robber: match (robber, table) {
            (Robber::Played, _) => Box::new(live?),
            (Robber::Kind(kind), _) => kind.policy(),
            (Robber::Optimal, table) => robber.policy(table?),
        },
    })
}
