//! The tool `pursuit`: solves levels, looks up and checks exact values, and rates difficulty.
//!
//! Each subcommand has its own file. It reads input, calls the library and prints the results; all
//! knowledge about the game is in the library.

mod analyze;
mod bake_endgames;
mod chart;
mod columns;
mod completions;
mod dial_chart;
mod doors;
mod endgame_games;
mod endgames;
mod eval;
mod eval_report;
mod failure;
mod game;
mod glyphs;
mod graph6;
mod ground;
mod heat_map;
mod info;
mod input;
mod interrupt;
mod line_picture;
mod machine;
mod mixed_table;
mod output;
mod output_target;
mod pattern_match;
mod patterns;
mod play_out;
mod play_out_lengths;
mod play_out_list;
mod played;
mod position_output;
mod positions;
mod predator_prey;
mod probe;
mod progress;
mod robber;
mod rules;
mod simultaneity;
mod simultaneous;
mod single;
mod solve;
mod starts;
mod svg;
mod temporary;
mod tournament;
mod tournament_report;
mod values;
mod verify;
mod work_chart;

use clap::{Parser, Subcommand};
use output::Terminal;
use std::process::ExitCode;

/// Exact solutions of cops-and-robber games: capture times under optimal play of both sides.
///
/// Maps are MovingAI .map files or levels of this project (.level.ron), whose closed doors are walls.
/// Results go to stdout, progress and errors to stderr.
#[derive(Parser, Debug)]
#[command(name = "pursuit", version, after_help = failure::EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    terminal: Terminal,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::Args),
    Verify(verify::Args),
    Info(info::Args),
    Probe(probe::Args),
    Values(values::Args),
    PlayOut(play_out::Args),
    PredatorPrey(predator_prey::Args),
    Analyze(analyze::Args),
    Doors(doors::Args),
    Eval(eval::Args),
    Tournament(tournament::Args),
    Endgames(endgames::Args),
    BakeEndgames(bake_endgames::Args),
    Simultaneity(simultaneity::Args),
    Graph6(graph6::Args),
    Patterns(patterns::Args),
    Rules(rules::Args),
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let Cli { terminal, command } = Cli::parse();
    interrupt::watch();
    let result = match command {
        Command::Solve(args) => solve::run(&args, terminal),
        Command::Verify(args) => verify::run(&args, terminal),
        Command::Info(args) => info::run(&args, terminal),
        Command::Probe(args) => probe::run(&args, terminal),
        Command::Values(args) => values::run(&args, terminal),
        Command::PlayOut(args) => play_out::run(&args, terminal),
        Command::PredatorPrey(args) => predator_prey::run(&args, terminal),
        Command::Analyze(args) => analyze::run(&args, terminal),
        Command::Doors(args) => doors::run(&args, terminal),
        Command::Eval(args) => eval::run(&args, terminal),
        Command::Tournament(args) => tournament::run(&args, terminal),
        Command::Endgames(args) => endgames::run(&args, terminal),
        Command::BakeEndgames(args) => bake_endgames::run(&args, terminal),
        Command::Simultaneity(args) => simultaneity::run(&args, terminal),
        Command::Graph6(args) => graph6::run(&args, terminal),
        Command::Patterns(args) => patterns::run(&args, terminal),
        Command::Rules(args) => rules::run(&args, terminal),
        Command::Completions(args) => completions::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
