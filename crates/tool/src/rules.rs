//! `pursuit rules`: prints the rules about captures that unfold from a theory of the game.

use crate::failure::Failure;
use crate::output::Terminal;
use pursuit_engine::patterns::rules::{Goal, Program, Theory};
use pursuit_lab::patterns::Rule;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

/// Print the rules about captures that follow from a theory of the game
///
/// The theory knows which vertices are beside each other, and no directions. free(R; C) is the set of vertices
/// where the robber can be after its move and that no cop of C reaches. In the rules for caught, the robber is
/// to move; in the rules for taken, the cops are to move.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The greatest number of turns until capture
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: u8,

    /// The number of cops, 1 or 2
    #[arg(long, value_name = "K", default_value_t = 1)]
    cops: u8,

    /// The greatest number of free vertices of the robber, up to 3
    #[arg(long, value_name = "N", default_value_t = 2)]
    free: u8,
}

/// The greatest number of rules that are printed for a goal and a number of turns.
const MOST: usize = 10_000;

#[derive(Serialize)]
struct Report {
    cops: u8,
    depth: u8,
    free: u8,
    counts: Vec<Count>,
    instructions: usize,
    bytes: u64,
    seconds: f64,
    rules: Vec<RuleReport>,
}

/// The number of rules for a goal and a number of turns.
#[derive(Serialize)]
struct Count {
    goal: &'static str,
    turns: u8,
    /// `None` if there are more rules than are listed.
    rules: Option<usize>,
}

#[derive(Serialize)]
struct RuleReport {
    conclusion: String,
    conditions: Vec<String>,
}

impl From<&Rule> for RuleReport {
    fn from(rule: &Rule) -> Self {
        Self {
            conclusion: rule.head(),
            conditions: rule.lines(),
        }
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let start = Instant::now();
    let wrong = |error| Failure::Usage(format!("{error}"));
    let theory = Theory::new(args.cops, args.free).map_err(wrong)?;
    let program = Program::new(theory, args.depth).map_err(wrong)?;
    let mut report = Report {
        cops: args.cops,
        depth: args.depth,
        free: args.free,
        counts: Vec::new(),
        instructions: program.instructions(),
        bytes: program.bytes(),
        seconds: 0.0,
        rules: Vec::new(),
    };
    for (goal, name) in [(Goal::Caught, "caught"), (Goal::Taken, "taken")] {
        for turns in 1..=args.depth {
            let rules = Rule::of(&theory, goal, turns, MOST).map_err(wrong)?;
            report.counts.push(Count {
                goal: name,
                turns,
                rules: rules.as_ref().map(Vec::len),
            });
            let rules = rules.iter().flatten();
            report.rules.extend(rules.map(RuleReport::from));
        }
    }
    report.seconds = start.elapsed().as_secs_f64();
    terminal.print(&report, |out| print(&report, out))
}

fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for RuleReport {
        conclusion,
        conditions,
    } in &report.rules
    {
        writeln!(out, "{conclusion} if")?;
        for condition in conditions {
            writeln!(out, "    {condition}")?;
        }
    }
    for Count { goal, turns, rules } in &report.counts {
        match rules {
            Some(rules) => writeln!(out, "{goal}({turns}): {rules} rules")?,
            None => writeln!(out, "{goal}({turns}): more than {MOST} rules, not listed")?,
        }
    }
    let (instructions, bytes) = (report.instructions, report.bytes);
    let seconds = report.seconds;
    writeln!(
        out,
        "program: {instructions} instructions, {bytes} bytes, {seconds:.3} s"
    )
}
