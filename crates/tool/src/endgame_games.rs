//! The games of `pursuit endgames` and `pursuit bake-endgames`: a team of cops against a robber, on each of some maps.

use crate::failure::Failure;
use crate::game::{Game, GameArgs};
use crate::ground;
use crate::input::{is_graph_file, read_graph, read_shapes};
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use crate::positions::Positions;
use crate::progress::Bar;
use crate::starts::{expect_one_stdin, inputs, name, positions_of};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::endgame::EndgameShapes;
use pursuit_engine::policy::Ground;
use pursuit_engine::table::Progress;
use pursuit_lab::eval::{
    Announced, Announcements, Draw, ExperimentError, NetworkAnnouncements, Start,
};
use pursuit_lab::robber::RobberKind;
use std::num::{NonZeroU8, NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Which games are played.
#[derive(clap::Args, Debug)]
pub struct GamesArgs {
    /// .map files or levels (.level.ron); - reads one of them from stdin. For endgames also graphs: lists of edges
    /// (.edges) or a graph in graph6 format (.g6)
    #[arg(required = true, value_name = "MAP")]
    pub maps: Vec<PathBuf>,

    /// A file with a header line and one position per line, or a folder with a file NAME.csv for each
    /// map NAME.map; may be repeated [default: random positions]
    #[arg(long, value_name = "FILE.csv|FOLDER")]
    positions: Vec<PathBuf>,

    /// The number of cops: the first ones of the file, and further ones at random places
    #[arg(long, value_name = "K", default_value = "2")]
    pub cops: NonZeroU8,

    /// The number of games, at most one for each position of a file
    #[arg(long, value_name = "N", default_value = "100")]
    games: NonZeroUsize,

    /// The robber, as in eval, but none that needs a table
    #[arg(long, value_name = "ROBBER", default_value = "trailmax")]
    pub robber: RobberKind,

    /// The turn limit of a game
    #[arg(long, value_name = "N", default_value = "600")]
    turns: NonZeroU32,

    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,

    /// Endgames of `bake-endgames` (.pend): regions of these shapes need not be solved
    #[arg(long, value_name = "FILE.pend")]
    shapes: Option<PathBuf>,

    #[command(flatten)]
    game: GameArgs,
}

/// A map, and the games that are played on it.
pub struct OnMap<'a> {
    pub name: String,
    pub game: Game,
    pub starts: Vec<Start>,
    args: &'a GamesArgs,
}

impl GamesArgs {
    /// Sets the number of threads, and checks that stdin is read once.
    pub fn begin(&self) -> Result<(), Failure> {
        let shapes = self.shapes.iter().cloned();
        let others: Vec<PathBuf> = self.positions.iter().cloned().chain(shapes).collect();
        expect_one_stdin(&self.maps, &others)?;
        self.game.limits.threads.set()
    }

    /// All input files.
    pub fn inputs(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = if self.positions.is_empty() {
            self.maps.clone()
        } else {
            inputs(&self.maps, &self.positions)?
        };
        files.extend(self.shapes.clone());
        Ok(files)
    }

    /// The shapes that are known beforehand, and how many seconds it took to read and to check them.
    pub fn shapes(&self, terminal: Terminal) -> Result<(EndgameShapes, f64), Failure> {
        let start = Instant::now();
        let shapes = self.shapes.as_ref();
        let shapes = shapes.map(|path| read_shapes(path, terminal)).transpose()?;
        Ok((shapes.unwrap_or_default(), start.elapsed().as_secs_f64()))
    }

    /// Reads a map and the positions that games start from.
    pub fn on_map(&self, map: &Path) -> Result<OnMap<'_>, Failure> {
        let game = self.game.read_one(map, self.cops)?;
        let name = name(map);
        let starts = self.starts(&game, &name)?;
        Ok(OnMap {
            name,
            game,
            starts,
            args: self,
        })
    }

    /// The positions that games start from.
    fn starts(&self, game: &Game, name: &str) -> Result<Vec<Start>, Failure> {
        let mut draw = Draw::new(&game.graph, self.seed);
        let cops = self.cops.get();
        let mut starts = Vec::new();
        if self.positions.is_empty() {
            let numbers = 0..self.games.get() as u64;
            starts.extend(numbers.map_while(|number| draw.start(number, cops)));
        } else {
            let file = positions_of(&self.positions, self.maps.len(), name)?;
            let mut positions = Positions::read(&file)?;
            positions.take_cops(self.cops.min(positions.cops()?))?;
            for (number, record) in (0..).zip(positions.records.iter().take(self.games.get())) {
                let (robber, cops_at) =
                    positions.agents(record, ground::Ground::Map(&game.graph))?;
                let mut start = Start {
                    robber,
                    cops: cops_at,
                };
                draw.complete(number, &mut start, cops);
                starts.push(start);
            }
        }
        starts.retain(|start| !start.cops.contains(&start.robber));
        Ok(starts)
    }
}

/// Games on a graph that is no map.
pub struct OnGraph {
    pub name: String,
    pub vertices: usize,
    pub played: Vec<Announced>,
}

impl GamesArgs {
    /// Reads a graph and plays games on it; `None` if a file is no graph by its name.
    pub fn on_graph(&self, path: &Path, terminal: Terminal) -> Result<Option<OnGraph>, Failure> {
        if !is_graph_file(path) {
            return Ok(None);
        }
        let name = name(path);
        if !self.positions.is_empty() || self.shapes.is_some() {
            let text = format!("{name}: expected no --positions and no --shapes for a graph");
            return Err(Failure::Usage(text));
        }
        if self.robber.to_string() != "trailmax:1" {
            let text = format!("{name}: --robber: expected trailmax for a graph");
            return Err(Failure::Usage(text));
        }
        let network = read_graph(path)?;
        let announcements = NetworkAnnouncements {
            network: &network,
            rules: self.game.read_rules(self.cops),
            turns: self.turns.get(),
        };
        let numbers = 0..self.games.get() as u64;
        let starts = numbers.map_while(|number| announcements.start(self.seed, number));
        let starts = starts.filter(|start| !start.cops.contains(&start.robber));
        let starts: Vec<Start> = starts.collect();
        let start = Instant::now();
        let clock = || start.elapsed().as_nanos() as u64;
        let bar = Bar::new(terminal, starts.len() as u64);
        let what = format!("{name}: games");
        let played = announcements.run(&starts, clock, |at| bar.working(at, &what));
        Ok(Some(OnGraph {
            vertices: network.vertices(),
            played: played.map_err(|error| failure(&name, error))?,
            name,
        }))
    }
}

/// The failure of games on a map or graph of this name.
fn failure(name: &str, error: ExperimentError) -> Failure {
    match error {
        ExperimentError::Cancelled => Failure::Interrupted,
        error => Failure::Input(format!("{name}: {error}")),
    }
}

impl OnMap<'_> {
    /// Plays by `play`, which gets the experiment, a clock in nanoseconds, and what to ask whether to go on.
    pub fn play<T>(
        &self,
        terminal: Terminal,
        play: impl FnOnce(
            &Announcements<'_>,
            &(dyn Fn() -> u64 + Sync),
            &mut dyn FnMut(Progress) -> bool,
        ) -> Result<T, ExperimentError>,
    ) -> Result<T, Failure> {
        let hierarchy = Hierarchy::new(&self.game.graph);
        let announcements = Announcements {
            ground: Ground {
                graph: &self.game.graph,
                hierarchy: Some(&hierarchy),
                guide: None,
                retract: None,
            },
            rules: self.game.rules,
            turns: self.args.turns.get(),
            seed: self.args.seed,
        };
        let start = Instant::now();
        let clock = || start.elapsed().as_nanos() as u64;
        let bar = Bar::new(terminal, self.starts.len() as u64);
        let what = format!("{}: games", self.name);
        let played = play(&announcements, &clock, &mut |at| bar.working(at, &what));
        let played = played.map_err(|error| failure(&self.name, error))?;
        if is_interrupted() {
            return Err(Failure::Interrupted);
        }
        Ok(played)
    }
}
