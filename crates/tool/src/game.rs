//! Command line arguments for the rules of a game.

use crate::failure::Failure;
use crate::ground::{AnyGraph, Ground, arena_of};
use crate::input::{read_any, read_any_level, read_level};
use crate::machine::Limits;
use clap::{Args, ValueEnum};
use pursuit_engine::game::{Rules, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{HexLayout, Moves, PursuitLevel};
use pursuit_engine::table::Arena;
use serde::Serialize;
use std::num::NonZeroU8;
use std::path::Path;

/// [`Moves`] by name.
#[derive(ValueEnum, Serialize, Debug, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub enum MovesName {
    /// Eight directions; diagonal steps do not cut corners
    Octile,
    /// Four directions
    Orthogonal,
    /// Hexagons; rows with even numbers, from the top one, lie half a hexagon further right
    HexRowEven,
    /// Hexagons; rows with odd numbers lie half a hexagon further right
    HexRowOdd,
    /// Hexagons; columns with even numbers, from the left one, lie half a hexagon higher
    HexColumnEven,
    /// Hexagons; columns with odd numbers lie half a hexagon higher
    HexColumnOdd,
    /// Hexagons; each row lies half a hexagon further right than the row below
    HexRow,
    /// Hexagons; each column lies half a hexagon higher than the one to its left
    HexColumn,
}

impl From<MovesName> for Moves {
    fn from(name: MovesName) -> Self {
        match name {
            MovesName::Octile => Self::Octile,
            MovesName::Orthogonal => Self::Orthogonal,
            MovesName::HexRowEven => Self::Hexagonal(HexLayout::RowEven),
            MovesName::HexRowOdd => Self::Hexagonal(HexLayout::RowOdd),
            MovesName::HexColumnEven => Self::Hexagonal(HexLayout::ColumnEven),
            MovesName::HexColumnOdd => Self::Hexagonal(HexLayout::ColumnOdd),
            MovesName::HexRow => Self::Hexagonal(HexLayout::Row),
            MovesName::HexColumn => Self::Hexagonal(HexLayout::Column),
        }
    }
}

impl From<Moves> for MovesName {
    fn from(moves: Moves) -> Self {
        match moves {
            Moves::Orthogonal => Self::Orthogonal,
            Moves::Hexagonal(HexLayout::RowEven) => Self::HexRowEven,
            Moves::Hexagonal(HexLayout::RowOdd) => Self::HexRowOdd,
            Moves::Hexagonal(HexLayout::ColumnEven) => Self::HexColumnEven,
            Moves::Hexagonal(HexLayout::ColumnOdd) => Self::HexColumnOdd,
            Moves::Hexagonal(HexLayout::Row) => Self::HexRow,
            Moves::Hexagonal(HexLayout::Column) => Self::HexColumn,
            // The tool names all moves that the engine of its version has.
            _ => Self::Octile,
        }
    }
}

/// The rules of the game except the number of cops, whose default depends on the subcommand. The
/// agents of a level are ignored.
#[derive(Args, Debug, Clone, Copy)]
pub struct GameArgs {
    /// Steps per turn of each cop
    #[arg(long, value_name = "S", default_value = "1")]
    cop_speed: NonZeroU8,

    /// Steps per turn of the robber
    #[arg(long, value_name = "S", default_value = "1")]
    robber_speed: NonZeroU8,

    /// The allowed steps [default: those of the level, octile for a .map file]
    #[arg(long)]
    moves: Option<MovesName>,

    #[command(flatten)]
    pub limits: Limits,
}

/// A map and the rules of the game on it.
pub struct Game {
    pub graph: Graph,
    pub rules: Rules,
}

/// A game on a map, or on a graph that is no map.
pub struct AnyGame {
    pub graph: AnyGraph,
    pub rules: Rules,
}

impl AnyGame {
    /// What positions are on.
    pub const fn ground(&self) -> Ground<'_> {
        self.graph.ground()
    }

    /// Refuses a graph where an option needs a map.
    pub fn expect_map(&self, path: &Path, option: &str) -> Result<(), Failure> {
        match self.graph {
            AnyGraph::Map(_) => Ok(()),
            AnyGraph::Edges(_) => {
                let path = path.display();
                Err(Failure::Usage(format!(
                    "{path}: expected no {option} for a graph"
                )))
            }
        }
    }

    /// The rules for a report.
    pub fn report(&self) -> RulesReport {
        let mut report = RulesReport::from(self.rules);
        if matches!(self.graph, AnyGraph::Edges(_)) {
            report.moves = None;
        }
        report
    }
}

/// The rules for JSON; `moves` is `None` if the game is not on a map.
#[derive(Serialize)]
pub struct RulesReport {
    cops: u8,
    cop_speed: u8,
    robber_speed: u8,
    pub moves: Option<MovesName>,
}

impl From<Rules> for RulesReport {
    fn from(rules: Rules) -> Self {
        Self {
            cops: rules.cops.get(),
            cop_speed: rules.cop_speed.steps(),
            robber_speed: rules.robber_speed.steps(),
            moves: Some(rules.moves.into()),
        }
    }
}

impl GameArgs {
    /// Sets the number of threads and reads the map, or the graph if the file is one by its name.
    pub fn read_any(&self, path: &Path, cops: NonZeroU8) -> Result<AnyGame, Failure> {
        self.limits.threads.set()?;
        self.read_any_one(path, cops)
    }

    /// Reads one of several maps or graphs, after the number of threads has been set.
    pub fn read_any_one(&self, path: &Path, cops: NonZeroU8) -> Result<AnyGame, Failure> {
        let mut rules = self.read_rules(cops);
        let graph = read_any(path, |level| self.moves_on(level))?;
        match &graph {
            AnyGraph::Map(graph) => rules.moves = graph.moves(),
            AnyGraph::Edges(_) if self.moves.is_some() => {
                let text = format!("{}: expected no --moves for a graph", path.display());
                return Err(Failure::Usage(text));
            }
            AnyGraph::Edges(_) => {}
        }
        Ok(AnyGame { graph, rules })
    }

    /// The steps on a level.
    pub fn moves_on(&self, level: &PursuitLevel) -> Moves {
        self.moves.map_or(level.moves(), Moves::from)
    }

    /// Reads a map or level with everything that a level says about the two sides, after the number of threads has been set.
    pub fn read_arena(&self, path: &Path, cops: NonZeroU8) -> Result<(Arena, Rules), Failure> {
        let level = read_any_level(path)?;
        let moves = self.moves_on(&level);
        let rules = Rules {
            moves,
            ..self.read_rules(cops)
        };
        let arena = arena_of(&level, moves);
        let arena =
            arena.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
        Ok((arena, rules))
    }

    /// The rules without those of a map.
    pub fn read_rules(&self, cops: NonZeroU8) -> Rules {
        Rules {
            cops,
            cop_speed: Speed::from(self.cop_speed),
            robber_speed: Speed::from(self.robber_speed),
            moves: self.moves.map_or(Moves::Octile, Moves::from),
        }
    }

    /// Reads one of several maps, after the number of threads has been set.
    pub fn read_one(&self, path: &Path, cops: NonZeroU8) -> Result<Game, Failure> {
        let level = read_level(path)?;
        let moves = self.moves_on(&level);
        let rules = Rules {
            moves,
            ..self.read_rules(cops)
        };
        let graph = Graph::new(&level.initial_map(), moves);
        Ok(Game { graph, rules })
    }
}
