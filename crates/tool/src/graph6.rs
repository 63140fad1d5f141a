//! `pursuit graph6`: statistics of all graphs of a list.

use crate::failure::{Failure, describe};
use crate::input::{read_graph, read_text};
use crate::machine::Limits;
use crate::output::Terminal;
use crate::progress::Bar;
use pursuit_lab::eval::{SurveyError, SurveyRow, Wins, survey};
use pursuit_lab::graph::graph6;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solve every graph of a list
///
/// The list has one graph in graph6 format per line, as written by geng of nauty. Graphs with several
/// components are counted but not solved.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file of graphs, or - for stdin; or one graph as a list of edges (.edges)
    file: PathBuf,

    /// Count the graphs on which one and two cops win, with the maximum search and capture times
    #[arg(long, required = true)]
    statistics: bool,

    #[command(flatten)]
    limits: Limits,
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    all: Counts,
    seconds: f64,
    by_vertices: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    vertices: usize,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize, Default)]
struct Counts {
    graphs: u64,
    connected: u64,
    one_cop_win: u64,
    one_cop_max_search_time: Option<u16>,
    one_cop_max_capture_time: Option<u16>,
    two_cop_win: u64,
    two_cop_max_search_time: Option<u16>,
    two_cop_max_capture_time: Option<u16>,
}

impl From<&SurveyRow> for Counts {
    fn from(row: &SurveyRow) -> Self {
        let of = |wins: Wins, turns: u16| (wins.graphs > 0).then_some(turns);
        let (one, two) = (row.one_cop, row.two_cops);
        Self {
            graphs: row.graphs,
            connected: row.connected,
            one_cop_win: one.graphs,
            one_cop_max_search_time: of(one, one.search_time.0),
            one_cop_max_capture_time: of(one, one.capture_time.0),
            two_cop_win: two.graphs,
            two_cop_max_search_time: of(two, two.search_time.0),
            two_cop_max_capture_time: of(two, two.capture_time.0),
        }
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    args.limits.threads.set()?;
    let text = read_list(&args.file)?;
    let start = Instant::now();
    let lines = text.lines().count() as u64;
    let bar = Bar::new(terminal, lines);
    let limit = args.limits.memory();
    let found = survey(&text, limit, |at| match at.turn.0 {
        0 => bar.working(at, "graphs"),
        turn => bar.working(at, &format!("graphs, turn {turn}")),
    });
    drop(bar);
    let found = found.map_err(|error| {
        let file = args.file.display();
        match error {
            SurveyError::Table { line, error } => {
                Failure::Memory(format!("{file}:{line}:1: {}", describe(error, limit)))
            }
            SurveyError::Cancelled => Failure::Interrupted,
            _ => Failure::Input(format!("{file}:{error}")),
        }
    })?;
    let mut all = SurveyRow::default();
    for &row in found.values() {
        all.add(row);
    }
    let report = Report {
        all: Counts::from(&all),
        seconds: start.elapsed().as_secs_f64(),
        by_vertices: found
            .iter()
            .map(|(&vertices, row)| Row {
                vertices,
                counts: row.into(),
            })
            .collect(),
    };
    terminal.print(&report, |out| print(&report, out))
}

/// The text of a list of graphs. A list of edges (.edges) is one graph.
fn read_list(path: &Path) -> Result<String, Failure> {
    if path
        .extension()
        .is_none_or(|extension| extension != "edges")
    {
        return read_text(path);
    }
    graph6::write(&read_graph(path)?).ok_or_else(|| {
        let text = "expected edges in both directions, found one in one direction only";
        Failure::Input(format!("{}: {text}", path.display()))
    })
}

fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let heads =
        "vertices      graphs   connected   1-cop-win  search capture   2-cop-win  search capture";
    writeln!(out, "{heads}")?;
    let rows = report.by_vertices.iter();
    let rows = rows.map(|row| (row.vertices.to_string(), &row.counts));
    for (vertices, counts) in rows.chain([("all".to_owned(), &report.all)]) {
        let turns = |turns: Option<u16>| turns.map_or("-".into(), |turns| turns.to_string());
        writeln!(
            out,
            "{vertices:>8} {:>11} {:>11} {:>11} {:>7} {:>7} {:>11} {:>7} {:>7}",
            counts.graphs,
            counts.connected,
            counts.one_cop_win,
            turns(counts.one_cop_max_search_time),
            turns(counts.one_cop_max_capture_time),
            counts.two_cop_win,
            turns(counts.two_cop_max_search_time),
            turns(counts.two_cop_max_capture_time),
        )?;
    }
    writeln!(out, "seconds {:.3}", report.seconds)
}
