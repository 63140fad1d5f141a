//! Analysis of a list of graphs.

use super::Statistics;
use super::small::{self, SmallGame, Times};
use crate::graph::{Graph6Error, graph6};
use pursuit_engine::game::{Outcome, Rules, Turns};
use pursuit_engine::table::{Arena, Progress, SolveError, Solver};
use std::collections::BTreeMap;
use std::num::NonZeroU8;
use thiserror::Error;

/// The number of lines between two progress reports.
const BATCH_LINES: usize = 1 << 12;
/// The number of bytes between two progress reports, if that comes first: larger graphs take longer.
const BATCH_BYTES: usize = 1 << 15;

const TWO: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// The results for a list of undirected graphs, by number of vertices: tables 6.1 and 6.2 of C.
/// Moldenhauer's thesis.
pub type Survey = BTreeMap<usize, SurveyRow>;

/// The results for the graphs with one number of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SurveyRow {
    /// The number of graphs.
    pub graphs: u64,
    /// The number of connected graphs; the others are counted, but not solved.
    pub connected: u64,
    /// The connected graphs on which one cop wins.
    pub one_cop: Wins,
    /// The connected graphs on which two cops win, including those on which one is enough.
    pub two_cops: Wins,
}

/// The graphs on which a number of cops win, and the longest times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wins {
    /// The number of graphs.
    pub graphs: u64,
    /// The greatest search time, where the cops choose their places first; 0 without a graph.
    pub search_time: Turns,
    /// The greatest capture time; 0 without a graph.
    pub capture_time: Turns,
}

/// Why a survey failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// A line is not a graph.
    #[error(transparent)]
    Line(#[from] Graph6Error),
    /// A table that a graph requires cannot be solved.
    #[error("{line}:1: {error}")]
    Table {
        /// The line of the graph, from 1.
        line: usize,
        /// The error of the table.
        #[source]
        error: SolveError,
    },
    /// The progress callback stopped the work.
    #[error("cancelled")]
    Cancelled,
}

/// Solves each graph of a text in graph6 format, one per line, for one and two cops of the robber's
/// speed.
///
/// Graphs of at most 64 vertices share the same memory. For larger ones tables are solved, one after
/// another, each of at most `limit` bytes. Uses all cores with the feature `parallel`. `go_on` is given
/// the number of lines read (as solved positions) and the turn of the table being solved for a large
/// graph. It is called many times a second and stops the work by returning `false`. Each line takes
/// another 24 bytes.
///
/// # Errors
/// If a line is not a graph, if a table does not fit, or if the work was stopped.
pub fn survey(
    text: &str,
    limit: u64,
    mut go_on: impl FnMut(Progress) -> bool,
) -> Result<Survey, SurveyError> {
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    let read = |read: usize| Progress::of_work(read as u64, lines.len() as u64);
    let mut survey = Survey::new();
    let mut rest = &lines[..];
    while !rest.is_empty() {
        let (batch, after) = rest.split_at(batch_length(rest));
        let part = of_lines(batch);
        merge(&mut survey, part.survey);
        for (number, line) in part.large {
            add_large(&mut survey, number, line, limit, |table| {
                let turn = table.turn;
                go_on(Progress {
                    turn,
                    ..read(number - 1)
                })
            })?;
        }
        if let Some(error) = part.error {
            return Err(error.into());
        }
        rest = after;
        if !go_on(read(lines.len() - rest.len())) {
            return Err(SurveyError::Cancelled);
        }
    }
    Ok(survey)
}

/// The number of lines up to the next progress report, at least one.
fn batch_length(lines: &[(usize, &str)]) -> usize {
    let mut bytes = 0;
    let batch = lines.iter().take(BATCH_LINES).take_while(|(_, line)| {
        bytes += line.len();
        bytes <= BATCH_BYTES
    });
    batch.count().max(1)
}

/// The results of some lines.
#[derive(Default)]
struct SurveyPart<'a> {
    survey: Survey,
    /// The lines of large connected graphs, which are counted but not yet solved.
    large: Vec<(usize, &'a str)>,
    /// Why the survey ended before the last line.
    error: Option<Graph6Error>,
}

/// The results of some lines, up to the first that is not a graph.
fn of_lines<'a>(lines: &[(usize, &'a str)]) -> SurveyPart<'a> {
    let work = |lines: &[(usize, &'a str)]| {
        let (mut part, mut game) = (SurveyPart::default(), SmallGame::default());
        for &(number, line) in lines {
            if let Err(error) = part.add_line(&mut game, number, line) {
                part.error = Some(error);
                break;
            }
        }
        part
    };
    #[cfg(feature = "parallel")]
    let parts: Vec<SurveyPart> = {
        use rayon::prelude::*;
        let length = lines.len().div_ceil(32).max(1);
        lines.par_chunks(length).map(work).collect()
    };
    #[cfg(not(feature = "parallel"))]
    let parts: [SurveyPart; 1] = [work(lines)];
    let mut all = SurveyPart::default();
    for part in parts {
        merge(&mut all.survey, part.survey);
        all.large.extend(part.large);
        if part.error.is_some() {
            all.error = part.error;
            break;
        }
    }
    all
}

impl<'a> SurveyPart<'a> {
    /// Counts a graph, and solves it if it is small.
    fn add_line(
        &mut self,
        game: &mut SmallGame,
        number: usize,
        line: &'a str,
    ) -> Result<(), Graph6Error> {
        // One graph, or none in an empty line.
        for graph in graph6::parse_lines(line) {
            let graph = graph.map_err(|mut error| {
                error.place.line = number;
                error
            })?;
            let row = self.survey.entry(graph.vertices()).or_default();
            row.graphs += 1;
            if graph.vertices() <= small::MOST {
                game.set(&graph);
                if game.is_connected() {
                    row.connected += 1;
                    row.one_cop.count(game.one_cop());
                    row.two_cops.count(game.two_cops());
                }
            } else if graph.components().len() == 1 {
                row.connected += 1;
                self.large.push((number, line));
            }
        }
        Ok(())
    }
}

/// Solves a large graph that has been counted.
fn add_large(
    survey: &mut Survey,
    number: usize,
    line: &str,
    limit: u64,
    mut go_on: impl FnMut(Progress) -> bool,
) -> Result<(), SurveyError> {
    for graph in graph6::parse_lines(line) {
        let graph = graph?;
        let row = survey.entry(graph.vertices()).or_default();
        for (cops, wins) in [(NonZeroU8::MIN, &mut row.one_cop), (TWO, &mut row.two_cops)] {
            let rules = Rules {
                cops,
                ..Rules::default()
            };
            let solver = Solver::new(Arena::of_digraph(&graph).into(), rules, limit);
            let mut solver = solver.map_err(|error| SurveyError::Table {
                line: number,
                error,
            })?;
            solver.run(&mut go_on);
            let solution = solver.finish().ok_or(SurveyError::Cancelled)?;
            wins.count(times_of(&Statistics::of(&solution)));
        }
    }
    Ok(())
}

/// `None` if the robber escapes from some position.
fn times_of(found: &Statistics) -> Option<Times> {
    match (found.capture_time(), &found.search) {
        (Outcome::Caught(capture), Some(search)) => Some(Times {
            search: search.turns,
            capture,
        }),
        _ => None,
    }
}

impl SurveyRow {
    /// Adds the results of other graphs.
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
