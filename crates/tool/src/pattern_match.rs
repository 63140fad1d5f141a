//! `pursuit patterns --match`: the cost and the coverage of matching patterns and rules.

use crate::failure::Failure;
use crate::input::read_level;
use crate::machine::memory_limit;
use crate::output::{Terminal, grouped};
use crate::progress::solve;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::patterns::rules::{Goal, Program, Theory};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::patterns::pursuit::{Lookup, Matcher, Search};
use pursuit_lab::patterns::{Kind, PatternFile, Subject};
use pursuit_lab::search::Minimax;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU8;
use std::path::Path;
use std::time::Instant;

/// The number of positions that are looked up.
const POSITIONS: usize = 20_000;
/// The greatest distance of the cops from the robber in these positions, in columns and rows.
const NEAR: u32 = 3;
/// The greatest number of free vertices of the compared rules.
const FREE: u8 = 2;
/// The greatest number of cops of a rule.
const MOST_OF_RULES: u8 = 2;
/// The number of positions that minimax searches.
const SEARCHED: usize = 500;

#[derive(Serialize)]
pub struct MatchReport {
    positions: usize,
    /// The ways to match: patterns one by one, by binary search and by the decision program; rules; both
    /// programs together.
    ways: Vec<Way>,
    rules_seconds: f64,
    decisions: usize,
    /// `None` if the map is too large for a table.
    coverage: Option<Vec<Coverage>>,
    search_plies: u8,
}

#[derive(Serialize)]
struct Way {
    name: &'static str,
    nanoseconds: f64,
    bytes: u64,
    /// The shares of the positions that are recognised.
    recognised_robber_to_move: f64,
    recognised_cops_to_move: f64,
    /// The mean number of expansions of minimax; `None` if it was not measured.
    expansions: Option<f64>,
}

/// The shares that are recognised of the positions with the cops to move and a capture within `turns` turns.
#[derive(Serialize)]
struct Coverage {
    turns: u8,
    positions: usize,
    patterns: f64,
    rules: f64,
    both: f64,
}

type Position = (Vertex, Vec<Vertex>);

/// The patterns and rules that recognise positions.
struct Knowledge<'a> {
    graph: &'a Graph,
    matcher: Matcher,
    program: Program,
}

impl Knowledge<'_> {
    fn by_patterns(&self, kind: Kind, robber: Vertex, cops: &[Vertex]) -> Option<u8> {
        let mut cells = [Cell::default(); 8];
        for (cell, &cop) in cells.iter_mut().zip(cops) {
            *cell = self.graph.cell(cop);
        }
        let cells = &cells[..cops.len().min(8)];
        self.matcher
            .turns(self.graph, kind, self.graph.cell(robber), cells)
    }

    fn by_rules(&self, kind: Kind, robber: Vertex, cops: &[Vertex]) -> Option<u8> {
        let goal = match kind {
            Kind::Won => Goal::Caught,
            _ => Goal::Taken,
        };
        self.program.turns(self.graph, goal, robber, cops)
    }

    fn by_both(&self, kind: Kind, robber: Vertex, cops: &[Vertex]) -> Option<u8> {
        let found = [
            self.by_patterns(kind, robber, cops),
            self.by_rules(kind, robber, cops),
        ];
        found.into_iter().flatten().min()
    }
}

/// Measures all ways to match in positions of a map.
pub fn measure(
    file: &PatternFile,
    path: &Path,
    terminal: Terminal,
) -> Result<MatchReport, Failure> {
    let Subject::Pursuit {
        moves,
        cops,
        guarded,
    } = file.subject
    else {
        let text = "--match: expected patterns of the game pursuit, found patterns of Hex";
        return Err(Failure::Usage(text.to_owned()));
    };
    let graph = Graph::new(&read_level(path)?.initial_map(), moves);
    // One cop more can guard a side.
    let cops = cops + u8::from(guarded > 0);
    let positions = draw(&graph, cops);
    let start = Instant::now();
    let program = Theory::new(cops.min(MOST_OF_RULES), FREE)
        .and_then(|theory| Program::new(theory, file.depth.clamp(1, 3)));
    let mut program = program.map_err(|error| Failure::Usage(error.to_string()))?;
    let sample = positions.iter().step_by(20);
    program.order_by(
        &graph,
        sample.map(|(robber, cops)| (*robber, cops.as_slice())),
    );
    let rules_seconds = start.elapsed().as_secs_f64();
    let known = Knowledge {
        graph: &graph,
        matcher: Matcher::with_guards(&file.database, guarded),
        program,
    };
    let lookup = Lookup::new(&file.database, guarded);
    let plies = 2 * file.depth.min(3) + 1;
    let table = table(&graph, moves, cops, terminal)?;
    let coverage = table.map(|table| coverage(&known, &table, &positions, file.depth));
    Ok(MatchReport {
        positions: positions.len(),
        ways: ways(&known, &lookup, file, &positions, plies),
        rules_seconds,
        decisions: known.matcher.decisions(),
        coverage,
        search_plies: plies,
    })
}

/// Draws random positions of a map with the cops near the robber.
fn draw(graph: &Graph, cops: u8) -> Vec<Position> {
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut dice = Dice::new(1);
    let mut positions = Vec::with_capacity(POSITIONS);
    for _ in 0..POSITIONS * 4 {
        let Some(robber) = dice.pick(&vertices) else {
            break;
        };
        let side = 2 * NEAR as usize + 1;
        let mut place = || {
            let far = |number: usize| i32::try_from(number).unwrap_or(0) - NEAR.cast_signed();
            let (dx, dy) = (far(dice.below(side)), far(dice.below(side)));
            let cell = graph.cell(robber).offset(dx, dy)?;
            graph.vertex(cell).filter(|&cop| cop != robber)
        };
        let places: Option<Vec<Vertex>> = (0..cops).map(|_| place()).collect();
        positions.extend(places.map(|places| (robber, places)));
        if positions.len() == POSITIONS {
            break;
        }
    }
    positions
}

/// Measures the time of all ways to match. The slow ways get fewer positions.
fn ways(
    known: &Knowledge<'_>,
    lookup: &Lookup<'_>,
    file: &PatternFile,
    positions: &[Position],
    plies: u8,
) -> Vec<Way> {
    let graph = known.graph;
    let look = |search| {
        move |kind, robber, cops: &[Vertex]| {
            let cops: Vec<Cell> = cops.iter().map(|&cop| graph.cell(cop)).collect();
            lookup.turns(graph, kind, graph.cell(robber), &cops, search)
        }
    };
    let bytes = file.database.bytes() + lookup.bytes();
    let fewer = |share: usize| &positions[..positions.len() / share];
    let patterns = |kind, robber, cops: &[Vertex]| known.by_patterns(kind, robber, cops);
    let rules = |kind, robber, cops: &[Vertex]| known.by_rules(kind, robber, cops);
    let both = |kind, robber, cops: &[Vertex]| known.by_both(kind, robber, cops);
    let nothing = |_: Kind, _: Vertex, _: &[Vertex]| None;
    let sums = [known.matcher.bytes(), known.program.bytes()];
    let searched = |knows: &dyn Fn(Kind, Vertex, &[Vertex]) -> Option<u8>| {
        Some(expansions(graph, positions, plies, knows))
    };
    vec![
        Way::new(
            "pattern by pattern",
            bytes,
            fewer(20),
            look(Search::Scan),
            None,
        ),
        Way::new("binary search", bytes, fewer(5), look(Search::Binary), None),
        Way::new(
            "patterns",
            sums[0],
            positions,
            patterns,
            searched(&patterns),
        ),
        Way::new("rules", sums[1], positions, rules, searched(&rules)),
        Way::new("both", sums[0] + sums[1], positions, both, searched(&both)),
        Way::new("neither", 0, positions, nothing, searched(&nothing)),
    ]
}

impl Way {
    fn new(
        name: &'static str,
        bytes: u64,
        positions: &[Position],
        found: impl Fn(Kind, Vertex, &[Vertex]) -> Option<u8>,
        expansions: Option<f64>,
    ) -> Self {
        let start = Instant::now();
        let share = |kind| {
            let known = |(robber, cops): &&Position| found(kind, *robber, cops).is_some();
            positions.iter().filter(known).count() as f64 / positions.len().max(1) as f64
        };
        let (robber, cops) = (share(Kind::Won), share(Kind::InOne));
        let looked_up = 2 * positions.len().max(1);
        Self {
            name,
            nanoseconds: start.elapsed().as_secs_f64() * 1e9 / looked_up as f64,
            bytes,
            recognised_robber_to_move: robber,
            recognised_cops_to_move: cops,
            expansions,
        }
    }
}

/// The mean number of expansions of minimax with the robber to move. Minimax stops at positions with a known capture.
fn expansions(
    graph: &Graph,
    positions: &[Position],
    plies: u8,
    knows: &dyn Fn(Kind, Vertex, &[Vertex]) -> Option<u8>,
) -> f64 {
    let agent = |at| Agent {
        at,
        speed: Speed::ONE,
    };
    let distance = |robber, cop: &Agent| graph.cell(robber).max_norm(graph.cell(cop.at));
    let known = |robber, cops: &[Agent], side| {
        let mut places = [Vertex::default(); 8];
        for (place, cop) in places.iter_mut().zip(cops) {
            *place = cop.at;
        }
        let places = &places[..cops.len().min(8)];
        Some(match side {
            Side::Robber => 2 * u32::from(knows(Kind::Won, robber, places)?),
            Side::Cops => 2 * u32::from(knows(Kind::InOne, robber, places)?) - 1,
        })
    };
    let mut search = Minimax::new();
    let mut sum = 0;
    let searched = &positions[..positions.len().min(SEARCHED)];
    for (robber, cops) in searched {
        let cops: Vec<Agent> = cops.iter().map(|&cop| agent(cop)).collect();
        let state = State {
            robber: agent(*robber),
            cops: &cops,
            to_move: Side::Robber,
        };
        search.solve_knowing(graph, &state, plies, distance, known);
        sum += search.work().expansions;
    }
    sum as f64 / searched.len().max(1) as f64
}

/// The exact values; `None` if they do not fit into memory or would take minutes.
fn table(
    graph: &Graph,
    moves: Moves,
    cops: u8,
    terminal: Terminal,
) -> Result<Option<Solution>, Failure> {
    let rules = Rules {
        cops: NonZeroU8::new(cops).unwrap_or(NonZeroU8::MIN),
        cop_speed: Speed::ONE,
        robber_speed: Speed::ONE,
        moves,
    };
    let limit = memory_limit().min(1_000_000_000);
    match Solver::new(Arena::of_map(graph).into(), rules, limit) {
        Ok(solver) => solve(solver, None, terminal).map(Some),
        Err(_) => Ok(None),
    }
}

fn coverage(
    known: &Knowledge<'_>,
    table: &Solution,
    positions: &[Position],
    depth: u8,
) -> Vec<Coverage> {
    let within = |turns: u8| {
        let mut counts = [0_usize; 4];
        for (robber, cops) in positions {
            let value = table.value(*robber, cops);
            if !matches!(value, Some(Outcome::Caught(Turns(value))) if value <= u16::from(turns)) {
                continue;
            }
            let patterns = known.by_patterns(Kind::InOne, *robber, cops);
            let rules = known.by_rules(Kind::InOne, *robber, cops);
            let is_known = |found: Option<u8>| found.is_some_and(|found| found <= turns);
            let [patterns, rules] = [patterns, rules].map(is_known);
            let hits = [true, patterns, rules, patterns || rules];
            for (count, hit) in counts.iter_mut().zip(hits) {
                *count += usize::from(hit);
            }
        }
        let [all, shares @ ..] = counts;
        let [patterns, rules, both] = shares.map(|count| count as f64 / all.max(1) as f64);
        Coverage {
            turns,
            positions: all,
            patterns,
            rules,
            both,
        }
    };
    (1..=depth).map(within).collect()
}

impl MatchReport {
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let (positions, decisions) = (grouped(self.positions as u64), self.decisions);
        writeln!(
            out,
            "match in {positions} positions, cops up to {NEAR} cells away; {decisions} decisions"
        )?;
        let plies = self.search_plies;
        writeln!(
            out,
            "                          ns       bytes  robber to move  cops to move  expansions of minimax({plies})"
        )?;
        for way in &self.ways {
            let expansions = way
                .expansions
                .map_or("-".to_owned(), |mean| format!("{mean:.1}"));
            writeln!(
                out,
                "{:<18} {:>9.0} {:>11} {:>14.2}% {:>12.2}% {expansions:>23}",
                way.name,
                way.nanoseconds,
                grouped(way.bytes),
                100.0 * way.recognised_robber_to_move,
                100.0 * way.recognised_cops_to_move,
            )?;
        }
        writeln!(
            out,
            "rules unfolded, compiled and ordered in {:.4} s",
            self.rules_seconds
        )?;
        for row in self.coverage.iter().flatten() {
            let [patterns, rules, both] =
                [row.patterns, row.rules, row.both].map(|share| 100.0 * share);
            writeln!(
                out,
                "captures within {} turns: {} positions, patterns {patterns:.2} %, rules {rules:.2} %, both {both:.2} %",
                row.turns,
                grouped(row.positions as u64),
            )?;
        }
        Ok(())
    }
}
