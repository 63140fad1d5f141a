//! Solves one position by a chosen method, within limits of time and memory.

use crate::failure::Failure;
use crate::ground::Ground;
use crate::interrupt::is_interrupted;
use crate::output::{Terminal, grouped};
use crate::progress::Bar;
use clap::ValueEnum;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, State, Step, Turns};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::TablePlayer;
use pursuit_engine::solve::{
    Bounds, OutOfMemory, PlayedTurn, PositionError, SolverEffort, SolverStep,
};
use pursuit_engine::table::{Solution, Solver};
use pursuit_lab::solve::{Method, MethodSolver};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The names of the methods.
#[derive(ValueEnum, Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SolverName {
    /// Reverse Minimax A*, which searches backwards from the captures
    Rma,
    /// Two-Agent IDA*, which keeps bounds for each state and uses TrailMax as a lower bound
    Tida,
    /// Iterative proof-number search
    Ipn,
    /// TIDA*, then retrograde analysis of the states within reach: for two cops
    Cones,
    /// Alpha-beta search with a transposition table and a rising depth
    Alphabeta,
    /// The table of all positions
    Table,
}

impl SolverName {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rma => "rma",
            Self::Tida => "tida",
            Self::Ipn => "ipn",
            Self::Cones => "cones",
            Self::Alphabeta => "alphabeta",
            Self::Table => "table",
        }
    }
}

/// The limits at which a solver stops.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The memory in bytes.
    pub memory: u64,
    pub time: Option<Duration>,
}

impl Limit {
    /// The limit that has stopped a solver, in words.
    pub fn named(self, stop: Stop) -> String {
        match stop {
            Stop::Memory => {
                let gigabytes = self.memory as f64 * 1e-9;
                format!("the limit of memory, {gigabytes:.3} GB (--memory)")
            }
            Stop::Time => {
                let seconds = self.time.unwrap_or_default().as_secs_f64();
                format!("the limit of time, {seconds} s (--limit-seconds)")
            }
            Stop::Turns => "the most turns that a method looks ahead, 32,767".to_owned(),
        }
    }
}

/// A position with the cops to move.
pub struct Single<'a> {
    pub ground: Ground<'a>,
    pub rules: Rules,
    pub robber: Vertex,
    pub cops: &'a [Vertex],
}

/// The result for a position.
pub struct Answer {
    pub bounds: Bounds,
    /// An optimal line of play. It is empty if the value is not known or the robber escapes.
    pub line: Vec<PlayedTurn>,
    pub effort: SolverEffort,
    pub seconds: f64,
    /// The limit that stopped the solver; `None` if the value is proven.
    pub stopped: Option<Stop>,
}

/// What stops a solver before the value is proven.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// The limit of memory.
    Memory,
    /// The limit of time.
    Time,
    /// The number of turns that the solvers look ahead.
    Turns,
}

/// The most turns that the solvers look ahead.
const MOST_TURNS: Outcome = Outcome::Caught(Turns((1 << 15) - 1));

impl Stop {
    /// Why a solver has ended in this state.
    fn of(status: SolverStep, bounds: Bounds) -> Option<Self> {
        match status {
            Step::Done(Ok(())) => None,
            Step::Working => Some(Self::Time),
            Step::Done(Err(OutOfMemory)) if bounds.lower >= MOST_TURNS => Some(Self::Turns),
            Step::Done(Err(OutOfMemory)) => Some(Self::Memory),
        }
    }
}

/// The number of expansions between two checks of the limits.
const EXPANSIONS_AT_ONCE: u64 = 1 << 10;
/// The number of words of 64 positions between two checks of the limits.
const WORDS_AT_ONCE: usize = 1 << 16;

impl Single<'_> {
    /// Solves the position, or stops at a limit.
    pub fn solve(
        &self,
        solver: SolverName,
        limit: Limit,
        terminal: Terminal,
    ) -> Result<Answer, Failure> {
        let method = match solver {
            SolverName::Rma => Method::Rma,
            SolverName::Tida => Method::Tida,
            SolverName::Ipn => Method::Ipn,
            SolverName::Cones => Method::Cones,
            SolverName::Alphabeta => Method::AlphaBeta,
            SolverName::Table => return self.solve_table(limit, terminal),
        };
        let start = Instant::now();
        let cops = self.agents(self.cops);
        let state = self.state(self.robber, &cops, Side::Cops);
        let solver = match self.ground {
            Ground::Map(graph) => MethodSolver::new(graph, &state, method, limit.memory),
            Ground::Edges(graph) => MethodSolver::new(graph, &state, method, limit.memory),
        };
        let mut solver = solver.map_err(|error| match error {
            PositionError::TooLarge { .. } | PositionError::TooManyVertices { .. } => {
                Failure::Memory(error.to_string())
            }
            _ => Failure::Input(error.to_string()),
        })?;
        let bar = Bar::new(terminal, limit.memory);
        let status = loop {
            let status = solver.advance(EXPANSIONS_AT_ONCE);
            if status != Step::Working {
                break status;
            }
            let (effort, lower) = (solver.effort(), solver.bounds().lower);
            let message = format!(
                "at least {lower} turns, {} states",
                grouped(effort.work.expansions)
            );
            if !bar.update(effort.bytes, limit.memory, message) {
                return Err(Failure::Interrupted);
            }
            if limit.time.is_some_and(|time| start.elapsed() >= time) {
                break status;
            }
        };
        Ok(Answer {
            stopped: Stop::of(status, solver.bounds()),
            bounds: solver.bounds(),
            line: solver.line().unwrap_or_default(),
            effort: solver.effort(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Solves all positions of the map and looks up this position.
    fn solve_table(&self, limit: Limit, terminal: Terminal) -> Result<Answer, Failure> {
        let start = Instant::now();
        let arena = std::sync::Arc::new(self.ground.arena());
        let solver = Solver::new(arena, self.rules, limit.memory);
        let mut solver = solver.map_err(|error| Failure::of_solver(error, limit.memory))?;
        let bar = Bar::new(terminal, solver.progress().positions);
        let mut progress = solver.progress();
        while !progress.done {
            progress = solver.advance(WORDS_AT_ONCE);
            if !bar.solving(progress, "") || is_interrupted() {
                return Err(Failure::Interrupted);
            }
            if limit.time.is_some_and(|time| start.elapsed() >= time) {
                break;
            }
        }
        let mut effort = SolverEffort::default();
        effort.work.expansions = progress.solved;
        let (bounds, line) = match solver.finish() {
            // The solver has found all shorter capture times, but a position can be looked up only when it is
            // finished.
            None => (
                Bounds {
                    lower: Outcome::Caught(Turns(0)),
                    upper: Outcome::Escapes,
                },
                Vec::new(),
            ),
            Some(solution) => {
                let value = solution.value(self.robber, self.cops);
                let value = value.ok_or_else(|| {
                    Failure::Input("the table has no value for this position".to_owned())
                })?;
                effort.work.touched = solution.positions();
                let bounds = Bounds {
                    lower: value,
                    upper: value,
                };
                (bounds, self.line_of(&solution, value))
            }
        };
        effort.bytes = crate::machine::peak_memory().unwrap_or_default();
        Ok(Answer {
            stopped: bounds.value().is_none().then_some(Stop::Time),
            bounds,
            line,
            effort,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// The line of optimal play according to a table; empty on a graph that is no map.
    fn line_of(&self, solution: &Solution, value: Outcome) -> Vec<PlayedTurn> {
        let mut line = Vec::new();
        let (Outcome::Caught(Turns(turns)), Ground::Map(graph)) = (value, self.ground) else {
            return line;
        };
        let mut player = TablePlayer::default();
        let arena = solution.arena();
        let (mut robber, mut cops) = (self.robber, self.cops.to_vec());
        for _ in 0..turns {
            let agents = self.agents(&cops);
            let state = self.state(robber, &agents, Side::Cops);
            let best = player.all_cop_moves(solution, arena, graph, &state);
            let Some(after) = best.and_then(|(_, moves)| moves.into_iter().next()) else {
                break;
            };
            cops = after;
            let agents = self.agents(&cops);
            let state = self.state(robber, &agents, Side::Robber);
            if !state.is_capture() {
                let best = player.all_robber_moves(solution, arena, graph, &state);
                robber = best
                    .and_then(|(_, moves)| moves.into_iter().next())
                    .unwrap_or(robber);
            }
            let cops = cops.clone();
            line.push(PlayedTurn { cops, robber });
        }
        line
    }

    fn agents(&self, cops: &[Vertex]) -> Vec<Agent> {
        let speed = self.rules.cop_speed;
        cops.iter().map(|&at| Agent { at, speed }).collect()
    }

    const fn state<'a>(&self, robber: Vertex, cops: &'a [Agent], to_move: Side) -> State<'a> {
        State {
            robber: Agent {
                at: robber,
                speed: self.rules.robber_speed,
            },
            cops,
            to_move,
        }
    }
}
