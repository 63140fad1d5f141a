use super::Statistics;
use super::small::{self, SmallGame, Times};
use crate::game::{Outcome, Rules, Turns};
use crate::graph::{Digraph, Graph6Error, graph6};
use crate::table::{Arena, SolveError, Solver};
use std::collections::BTreeMap;
use std::num::NonZeroU8;
use thiserror::Error;

/// So many lines are read between two looks at who waits.
const BATCH: usize = 1 << 12;

const TWO: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// What a list of undirected graphs amounts to, by their number of vertices: tables 6.1 and 6.2 of
/// the thesis (C. Moldenhauer).
pub type Survey = BTreeMap<usize, SurveyRow>;

/// What the graphs of a list with some number of vertices amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SurveyRow {
    /// The number of graphs.
    pub graphs: u64,
    /// Those in one component; the others are counted, but not played on.
    pub connected: u64,
    /// The connected graphs on which one cop wins.
    pub one_cop: Wins,
    /// The connected graphs on which two cops win, those on which one would be enough included.
    pub two_cops: Wins,
}

/// The graphs on which some cops win, and the longest they take there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wins {
    /// The number of graphs.
    pub graphs: u64,
    /// The greatest search time, the cops choosing their places first; 0 without a graph.
    pub search_time: Turns,
    /// The greatest capture time; 0 without a graph.
    pub capture_time: Turns,
}

/// Why there is no survey.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SurveyError {
    /// A line is not a graph.
    #[error(transparent)]
    Line(#[from] Graph6Error),
    /// A graph needs a table that cannot be solved.
    #[error("{line}:1: {error}")]
    Table {
        /// The line of the graph, from 1.
        line: usize,
        /// Why not.
        error: SolveError,
    },
    /// Who asked had no time to wait.
    #[error("cancelled")]
    Cancelled,
}

/// Plays on each graph of a text in graph6 format, a graph a line, with one and two cops of the
/// robber's speed.
///
/// Graphs of at most 64 vertices take memory once and not a piece for each; for larger ones a table
/// is solved that may take `limit` bytes. Works on all cores with the feature `parallel`. `go_on`
/// is told the number of lines read from time to time and stops the work with `false`.
///
/// # Errors
/// If a line is no graph, if a table would not fit, or if it was stopped.
pub fn survey(
    text: &str,
    limit: u64,
    mut go_on: impl FnMut(usize) -> bool,
) -> Result<Survey, SurveyError> {
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    let mut survey = Survey::new();
    let mut read = 0;
    for batch in lines.chunks(BATCH) {
        merge(&mut survey, of_lines(batch, limit)?);
        read += batch.len();
        if !go_on(read) {
            return Err(SurveyError::Cancelled);
        }
    }
    Ok(survey)
}

/// The survey of some lines; of several errors that of the first line.
fn of_lines(lines: &[(usize, &str)], limit: u64) -> Result<Survey, SurveyError> {
    let work = |lines: &[(usize, &str)]| {
        let (mut survey, mut game) = (Survey::new(), SmallGame::default());
        for &(number, line) in lines {
            add_line(&mut survey, &mut game, number, line, limit)?;
        }
        Ok(survey)
    };
    #[cfg(feature = "parallel")]
    let parts: Vec<Result<Survey, SurveyError>> = {
        use rayon::prelude::*;
        lines.par_chunks(BATCH / 32).map(work).collect()
    };
    #[cfg(not(feature = "parallel"))]
    let parts: [Result<Survey, SurveyError>; 1] = [work(lines)];
    let mut all = Survey::new();
    for part in parts {
        merge(&mut all, part?);
    }
    Ok(all)
}

fn add_line(
    survey: &mut Survey,
    game: &mut SmallGame,
    number: usize,
    line: &str,
    limit: u64,
) -> Result<(), SurveyError> {
    // One graph, or none in an empty line.
    for graph in graph6::parse_lines(line) {
        let graph = graph.map_err(|mut error| {
            error.place.line = number;
            error
        })?;
        let row = survey.entry(graph.vertices()).or_default();
        row.graphs += 1;
        if graph.vertices() <= small::MOST {
            game.set(&graph);
            if game.is_connected() {
                row.connected += 1;
                row.one_cop.count(game.one_cop());
                row.two_cops.count(game.two_cops());
            }
        } else if graph.components().len() == 1 {
            let solved = |cops| {
                let error = |error| SurveyError::Table {
                    line: number,
                    error,
                };
                times_by_table(&graph, cops, limit).map_err(error)
            };
            row.connected += 1;
            row.one_cop.count(solved(NonZeroU8::MIN)?);
            row.two_cops.count(solved(TWO)?);
        }
    }
    Ok(())
}

/// The times of a graph of any size, `None` if the robber escapes from some position.
fn times_by_table(
    graph: &Digraph,
    cops: NonZeroU8,
    limit: u64,
) -> Result<Option<Times>, SolveError> {
    let rules = Rules {
        cops,
        ..Rules::default()
    };
    let mut solver = Solver::new(Arena::of_digraph(graph).into(), rules, limit)?;
    solver.run(|_| true);
    let statistics = solver.finish().map(|solution| Statistics::of(&solution));
    Ok(statistics.and_then(|found| match found.capture_time() {
        Outcome::Escapes => None,
        Outcome::Caught(capture) => found.search.map(|search| Times {
            search: search.turns,
            capture,
        }),
    }))
}

impl SurveyRow {
    /// Adds what other graphs amount to.
    pub fn add(&mut self, other: Self) {
        self.graphs += other.graphs;
        self.connected += other.connected;
        self.one_cop.add(other.one_cop);
        self.two_cops.add(other.two_cops);
    }
}

impl Wins {
    fn count(&mut self, times: Option<Times>) {
        if let Some(times) = times {
            self.graphs += 1;
            self.search_time = self.search_time.max(times.search);
            self.capture_time = self.capture_time.max(times.capture);
        }
    }

    fn add(&mut self, other: Self) {
        self.graphs += other.graphs;
        self.search_time = self.search_time.max(other.search_time);
        self.capture_time = self.capture_time.max(other.capture_time);
    }
}

fn merge(survey: &mut Survey, other: Survey) {
    for (vertices, row) in other {
        survey.entry(vertices).or_default().add(row);
    }
}
