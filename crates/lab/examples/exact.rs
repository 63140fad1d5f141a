//! Chases without a table of the map, with and without working out the present position: who loses how much.
//!
//! ```sh
//! cargo run --release -p pursuit_lab --example exact -- MAP.map --positions MAP.csv
//! ```
//!
//! The games are judged by the exact table of the map, which the world does not have. The cops lose a turn if after
//! their move the robber can stay free a turn longer than with the best move; a robber loses a turn if it could have.
//! So the turns of a game are the value of its start, and what the cops lose, less what the robber loses.

use clap::Parser;
use pursuit_engine::game::{Outcome, Rules, Side, Turns, Value};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, DecidedBy, Expansions, PursuitRecord, PursuitSettings,
    PursuitWorld,
};
use std::error::Error;
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Instant;

/// Plays chases of two cops with and without working out the present position
#[derive(Parser, Debug)]
struct Args {
    /// A .map file
    map: PathBuf,

    /// A file with the columns `robber_x,robber_y,cop1_x,cop1_y,cop2_x,cop2_y`
    #[arg(long)]
    positions: PathBuf,

    /// The number of games: the first positions of the file that optimal cops win
    #[arg(long, default_value_t = 40)]
    games: usize,

    /// The budget of a tick, in expansions
    #[arg(long, default_value_t = 10_000)]
    budget: u64,

    /// The memory of the work, in MB
    #[arg(long, default_value_t = 64)]
    memory: u64,

    /// The turn limit of a game
    #[arg(long, default_value_t = 400)]
    turns: u64,
}

/// The cells of the robber and of the cops.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Standing {
    robber: Cell,
    cops: Vec<Cell>,
}

/// The sums over all games.
#[derive(Debug, Default)]
struct Totals {
    games: u32,
    captures: u32,
    turns: u64,
    optimum: u64,
    cops_lose: i64,
    robber_loses: i64,
    /// Turns in which the cops played by the exact value, and by a bound of the same solver.
    exact: u64,
    bounded: u64,
    replies: u64,
    proven: u64,
    /// Games with an exact value at least a turn before the capture, and the turns from there to the capture.
    in_time: u32,
    lead: u64,
    /// What the cops lose, by tens of turns that are left.
    lost: [i64; 5],
    /// The work of each tick in expansions, and its time.
    spent: Vec<u64>,
    nanoseconds: Vec<u64>,
}

/// The table of the map, as a judge.
struct Judge<'a> {
    graph: &'a Graph,
    table: Solution,
}

impl Judge<'_> {
    fn value(&self, standing: &Standing) -> Option<i64> {
        let cops: Option<Vec<Vertex>> = standing
            .cops
            .iter()
            .map(|&c| self.graph.vertex(c))
            .collect();
        match self
            .table
            .value(self.graph.vertex(standing.robber)?, &cops?)?
        {
            Outcome::Caught(Turns(turns)) => Some(turns.into()),
            Outcome::Escapes => None,
        }
    }

    /// The value with the robber to move.
    fn reply_value(&self, standing: &Standing) -> Option<i64> {
        if standing.cops.contains(&standing.robber) {
            return Some(0);
        }
        let from = self.graph.vertex(standing.robber)?;
        let all = self.graph.neighbours(from).iter().chain([&from]);
        let values = all.map(|&to| {
            let robber = self.graph.cell(to);
            let cops = standing.cops.clone();
            self.value(&Standing { robber, cops })
        });
        let values: Option<Vec<i64>> = values.collect();
        values?.into_iter().max()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let map = TileMap::parse(&std::fs::read_to_string(&args.map)?)?;
    let graph = Graph::new(&map, Moves::Octile);
    let rules = Rules {
        cops: NonZeroU8::MIN.saturating_add(1),
        ..Rules::default()
    };
    let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, 1 << 35)?;
    solver.run(|_| true);
    let table = solver.finish().ok_or("the table is not done")?;
    let judge = Judge {
        graph: &graph,
        table,
    };
    let starts = starts(&args, &judge)?;
    println!("{} vertices, {} games", graph.vertices(), starts.len());
    for memory in [0, args.memory * 1_000_000] {
        let mut totals = Totals::default();
        for (start, value) in &starts {
            totals.optimum += *value as u64;
            let mut game = Game::new(&map, start, memory, &judge);
            play(&mut game, &args, &mut totals);
        }
        print(memory, totals);
    }
    Ok(())
}

/// The positions to play from, with their values.
fn starts(args: &Args, judge: &Judge<'_>) -> Result<Vec<(Standing, i64)>, Box<dyn Error>> {
    let text = std::fs::read_to_string(&args.positions)?;
    let mut starts = Vec::new();
    for line in text.lines().skip(1) {
        let numbers: Result<Vec<u16>, _> = line.split(',').take(6).map(str::parse).collect();
        let [rx, ry, ax, ay, bx, by] = numbers?[..] else {
            return Err(format!("expected six numbers: {line}").into());
        };
        let standing = Standing {
            robber: Cell::new(rx, ry),
            cops: vec![Cell::new(ax, ay), Cell::new(bx, by)],
        };
        let value = judge.value(&standing).filter(|&value| value > 0);
        starts.extend(value.map(|value| (standing, value)));
    }
    starts.truncate(args.games);
    Ok(starts)
}

/// A game in progress.
struct Game<'a> {
    world: PursuitWorld,
    cops: Vec<AgentId>,
    robber: AgentId,
    judge: &'a Judge<'a>,
}

impl<'a> Game<'a> {
    fn new(map: &TileMap, start: &Standing, memory: u64, judge: &'a Judge<'a>) -> Self {
        let mut settings = PursuitSettings {
            position_memory: memory,
            ..PursuitSettings::default()
        };
        settings.tables.max_bytes = 1;
        let mut world = PursuitWorld::new(map, Moves::Octile, settings);
        let cops = start.cops.iter();
        let cops = cops
            .map(|&cell| world.insert(AgentSetup::new(Side::Cops, cell)))
            .collect();
        let robber = world.insert(AgentSetup::new(Side::Robber, start.robber));
        Self {
            world,
            cops,
            robber,
            judge,
        }
    }

    fn tick(&mut self, budget: u64, totals: &mut Totals) {
        let clock = Instant::now();
        self.world.begin_tick(&[]);
        self.world.arrive();
        self.world.decide(&mut Expansions(budget));
        totals.nanoseconds.push(clock.elapsed().as_nanos() as u64);
        totals.spent.push(self.world.report().spent);
    }

    fn turn(&self) -> u64 {
        self.world.pursuit(0).map_or(0, PursuitRecord::turn)
    }

    fn is_caught(&self) -> bool {
        let robber = self.world.agent(self.robber);
        robber.is_some_and(|robber| robber.caught().is_some())
    }

    fn standing(&self) -> Option<Standing> {
        let cell = |id| self.world.agent(id).map(|agent| agent.setup().cell);
        Some(Standing {
            robber: cell(self.robber)?,
            cops: self
                .cops
                .iter()
                .map(|&cop| cell(cop))
                .collect::<Option<_>>()?,
        })
    }

    /// Counts what the two sides lost in the turn from a position with the given value to `here`.
    fn count_losses(&self, (last, value): (Standing, i64), here: &Standing, totals: &mut Totals) {
        let moved = Standing {
            robber: last.robber,
            cops: here.cops.clone(),
        };
        let after = self.judge.reply_value(&moved).unwrap_or(value);
        let left = self.judge.value(here).unwrap_or(after);
        totals.cops_lose += after - (value - 1);
        totals.robber_loses += after - left;
        let tens = usize::try_from((value - 1) / 10).unwrap_or_default();
        let tens = tens.min(totals.lost.len() - 1);
        totals.lost[tens] += after - (value - 1);
    }

    /// Counts which rungs decided in a position, and says whether the cops know its exact value.
    fn count_sources(&self, here: &Standing, value: i64, totals: &mut Totals) -> bool {
        let state = |id| self.world.agent(id).map(AgentRecord::state);
        let is_by = |id, source| {
            let decided_by = state(id).map(|state| state.decided_by);
            decided_by == Some(DecidedBy::Policy(source))
        };
        let cop = self.cops[0];
        totals.proven += u64::from(is_by(cop, Source::Endgame));
        totals.replies += u64::from(is_by(self.robber, Source::Exact));
        if !is_by(cop, Source::Exact) {
            return false;
        }
        if let Some(Value::Exact(told)) = state(cop).and_then(|state| state.value) {
            assert_eq!(told, Outcome::Caught(Turns(value as u16)), "{here:?}");
            totals.exact += 1;
            return true;
        }
        totals.bounded += 1;
        false
    }
}

fn play(game: &mut Game<'_>, args: &Args, totals: &mut Totals) {
    totals.games += 1;
    let mut before: Option<(Standing, i64)> = None;
    let (mut turn, mut first) = (0, None);
    while turn <= args.turns {
        game.tick(args.budget, totals);
        let (now, is_caught) = (game.turn(), game.is_caught());
        if now == turn && !is_caught {
            continue;
        }
        let Some(here) = game.standing() else {
            return;
        };
        if let Some(last) = before.take() {
            game.count_losses(last, &here, totals);
        }
        if is_caught {
            totals.captures += 1;
            totals.turns += turn;
            if let Some(first) = first {
                totals.in_time += 1;
                totals.lead += turn - first;
            }
            return;
        }
        turn = now;
        let value = game.judge.value(&here).unwrap_or_default();
        if game.count_sources(&here, value, totals) {
            first = first.or(Some(turn));
        }
        before = Some((here, value));
    }
    totals.turns += turn;
}

fn print(memory: u64, mut totals: Totals) {
    totals.nanoseconds.sort_unstable();
    totals.spent.sort_unstable();
    let last = totals.spent.len() - 1;
    let time = |per_mille: usize| totals.nanoseconds[last * per_mille / 1000] / 1000;
    let work = |per_mille: usize| totals.spent[last * per_mille / 1000];
    let games = f64::from(totals.games.max(1));
    let share = |part: u64| 100.0 * part as f64 / totals.turns.max(1) as f64;
    println!(
        "{:3} MB: captured {} of {}, turns / optimum {:.3}, cops lose {:.2} turns a game, robber {:.2}",
        memory / 1_000_000,
        totals.captures,
        totals.games,
        totals.turns as f64 / totals.optimum.max(1) as f64,
        totals.cops_lose as f64 / games,
        totals.robber_loses as f64 / games,
    );
    println!(
        "        turns of the cops: {:.1} % exact, {:.1} % by a bound, {:.1} % by an endgame; replies {:.1} % exact",
        share(totals.exact),
        share(totals.bounded),
        share(totals.proven),
        share(totals.replies),
    );
    println!(
        "        exact in time in {} games, {:.1} turns before the capture; cops lose, by tens of turns left: {:?}",
        totals.in_time,
        totals.lead as f64 / f64::from(totals.in_time.max(1)),
        totals.lost,
    );
    println!(
        "        ticks, 50 / 99 / 99.9 / 100 %: {} / {} / {} / {} expansions, {} / {} / {} / {} us",
        work(500),
        work(990),
        work(999),
        work(1000),
        time(500),
        time(990),
        time(999),
        time(1000),
    );
}
