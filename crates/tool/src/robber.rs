//! Robbers by name, with what they need.

use crate::failure::Failure;
use crate::output::Terminal;
use crate::played::PLAYED;
use crate::progress::Bar;
use crate::starts::name;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::Rules;
use pursuit_engine::graph::Graph;
use pursuit_engine::policy::{Guide, GuideSolver, RetractGuide, RetractGuideSolver, SharedTable};
use pursuit_lab::RobberPolicy;
use pursuit_lab::eval::{LivePursuit, LiveSettings};
use pursuit_lab::robber::{OptimalRobber, RobberKind};
use std::fmt;
use std::num::NonZeroU64;
use std::path::Path;
use std::str::FromStr;

/// A robber, parsed from its name.
#[derive(Debug, Clone, PartialEq)]
pub enum Robber {
    /// Plays by the exact values.
    Optimal,
    Kind(RobberKind),
    /// The robber of a live world.
    Played,
}

impl FromStr for Robber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "optimal" => Ok(Self::Optimal),
            PLAYED => Ok(Self::Played),
            text => match text.parse() {
                Ok(kind) => Ok(Self::Kind(kind)),
                Err(error) => Err(format!("{error}; {PLAYED}; or optimal")),
            },
        }
    }
}

impl fmt::Display for Robber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Kind(kind) => kind.fmt(f),
            Self::Played => f.write_str(PLAYED),
        }
    }
}

impl Robber {
    /// A policy of this robber, which may play by the table.
    pub fn policy(&self, table: &SharedTable) -> Box<dyn RobberPolicy> {
        match self {
            Self::Optimal => {
                let SharedTable { times, arena } = table.clone();
                Box::new(OptimalRobber::new(times, arena))
            }
            Self::Kind(kind) => kind.policy(),
            Self::Played => {
                let settings = LiveSettings {
                    moves_robber: true,
                    ..LiveSettings::default()
                };
                Box::new(LivePursuit::new(settings))
            }
        }
    }

    /// Returns whether a live world moves the robber.
    pub const fn is_played(&self) -> bool {
        matches!(self, Self::Played)
    }

    /// Returns whether the robber is known to keep plans. Any other robber that does is detected when
    /// it plays.
    pub const fn keeps_plans(&self) -> bool {
        match self {
            Self::Optimal => false,
            Self::Kind(kind) => !kind.is_memoryless(),
            Self::Played => true,
        }
    }

    /// Returns whether the robber needs the table of the game.
    pub const fn is_optimal(&self) -> bool {
        matches!(self, Self::Optimal)
    }

    /// Returns whether the robber needs a guide.
    pub const fn is_guided(&self) -> bool {
        matches!(self, Self::Kind(RobberKind::Guided { .. }))
    }
}

/// Solves the abstraction of a map for guided robbers; `None` if none of its levels suits.
pub fn guide(
    path: &Path,
    hierarchy: &Hierarchy,
    rules: Rules,
    positions: NonZeroU64,
    limit: u64,
    terminal: Terminal,
) -> Result<Option<Guide>, Failure> {
    let solver = GuideSolver::new(hierarchy, rules, positions.get(), limit);
    let solver = solver.map_err(|error| Failure::of_solver(error, limit).named(path))?;
    let Some(solver) = solver else {
        if !terminal.quiet {
            let name = name(path);
            eprintln!("{name}: no suitable abstract level; guided robbers play TrailMax(1)");
        }
        return Ok(None);
    };
    solve_level(path, solver, terminal)
}

/// Solves the first level of the abstraction of a map for two cops; `None` if it is too large.
pub fn guide_of_cops(
    path: &Path,
    hierarchy: &Hierarchy,
    rules: Rules,
    positions: NonZeroU64,
    limit: u64,
    terminal: Terminal,
) -> Result<Option<Guide>, Failure> {
    let solver = GuideSolver::new(hierarchy, rules, positions.get(), limit);
    match solver.ok().flatten().filter(GuideSolver::helps_cops) {
        Some(solver) => solve_level(path, solver, terminal),
        None => Ok(None),
    }
}

fn solve_level(
    path: &Path,
    mut solver: GuideSolver,
    terminal: Terminal,
) -> Result<Option<Guide>, Failure> {
    let bar = Bar::new(terminal, 0);
    let what = format!("{}, abstract: ", name(path));
    solver.run(|progress| bar.solving(progress, &what));
    solver
        .finish()
        .map_or(Err(Failure::Interrupted), |guide| Ok(Some(guide)))
}

/// Solves a retract of a map for cops; `None` if the map cannot be folded so far.
pub fn retract_guide(
    path: &Path,
    graph: &Graph,
    rules: Rules,
    positions: NonZeroU64,
    limit: u64,
    terminal: Terminal,
) -> Result<Option<RetractGuide>, Failure> {
    let solver = RetractGuideSolver::new(graph, rules, positions.get(), limit);
    let Some(mut solver) = solver.ok().flatten() else {
        return Ok(None);
    };
    let bar = Bar::new(terminal, 0);
    let what = format!("{}, retract: ", name(path));
    solver.run(|progress| bar.solving(progress, &what));
    solver
        .finish()
        .map_or(Err(Failure::Interrupted), |guide| Ok(Some(guide)))
}
