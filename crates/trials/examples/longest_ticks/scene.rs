//! A random chase: its map, its settings and its agents, all of which follow from a seed.

use crate::ground::Kind;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::{SolveFailure, TableWork};
use pursuit_engine::world::{
    AgentId, AgentSetup, Expansions, PursuitClock, PursuitSettings, PursuitWorld,
};
use std::fmt;
use std::time::{Duration, Instant};

/// The limits of a table, where a scene has tables: they are solved between two ticks.
const MOST_BYTES: u64 = 8_000_000;
const MOST_MILLISECONDS: u32 = 200;

/// The number of words in which such a table is solved.
const WORDS: usize = 1 << 16;

/// The ticks after which one captured robber comes back.
const COMES_BACK: u64 = 100;

/// A random chase.
#[derive(Debug)]
pub struct Scene {
    seed: u64,
    kind: Kind,
    map: TileMap,
    size: (u16, u16),
    moves: Moves,
    settings: PursuitSettings,
    agents: Vec<AgentSetup>,
    has_doors: bool,
}

/// What a tick took, and its work in expansions.
#[derive(Debug, Clone, Copy)]
pub struct Tick {
    pub time: Duration,
    pub spent: u64,
    pub plans: u32,
}

impl Scene {
    /// The scene of a seed; `None` if its map has no room.
    pub fn new(seed: u64) -> Option<Self> {
        let dice = &mut Dice::new(seed);
        let kind = dice.pick(&Kind::ALL)?;
        let is_large = dice.below(4) == 0;
        let (least, range) = if is_large { (64, 140) } else { (9, 40) };
        let size = (
            least + dice.below(range) as u16,
            least + dice.below(range) as u16,
        );
        let map = kind.map(dice, size)?;
        let moves = dice.pick(&[Moves::Octile, Moves::Octile, Moves::Orthogonal])?;
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let settings = settings(dice, seed)?;
        let agents = agents(dice, &free)?;
        let has_doors = dice.below(5) < 2;
        (free.len() >= 20).then_some(Self {
            seed,
            kind,
            map,
            size,
            moves,
            settings,
            agents,
            has_doors,
        })
    }

    /// Plays some ticks, each with a budget in expansions.
    pub fn play(&self, ticks: u64, budget: u64) -> Vec<Tick> {
        let dice = &mut Dice::new(self.seed);
        let mut world = PursuitWorld::new(&self.map, self.moves, self.settings.clone());
        let mut ids: Vec<AgentId> = self
            .agents
            .iter()
            .map(|&agent| world.insert(agent))
            .collect();
        let mut toggled = Vec::new();
        let mut all = Vec::new();
        for tick in 0..ticks {
            let edits = self.edits(dice, &mut toggled);
            let start = Instant::now();
            world.begin_tick(&edits);
            world.arrive();
            world.decide(&mut Expansions(budget));
            all.push(Tick {
                time: start.elapsed(),
                spent: world.report().spent,
                plans: world.report().plans,
            });
            deliver(&mut world);
            if tick % COMES_BACK == COMES_BACK - 1 {
                self.bring_back(&mut world, &mut ids, dice);
            }
        }
        all
    }

    /// Now and then, opens or closes some tiles.
    fn edits(&self, dice: &mut Dice, toggled: &mut Vec<TileEdit>) -> Vec<TileEdit> {
        if !self.has_doors || dice.below(25) > 0 {
            return Vec::new();
        }
        let count = 1 + dice.below(6);
        let edit = |_| {
            if !toggled.is_empty() && dice.below(2) == 0 {
                return toggled.swap_remove(dice.below(toggled.len()));
            }
            let (width, height) = self.size;
            let x = dice.below(width.into()) as u16;
            let cell = Cell::new(x, dice.below(height.into()) as u16);
            let passable = self.map.is_passable(cell);
            toggled.push(TileEdit { cell, passable });
            TileEdit {
                cell,
                passable: !passable,
            }
        };
        (0..count).map(edit).collect()
    }

    /// Replaces a captured robber by a new one elsewhere.
    fn bring_back(&self, world: &mut PursuitWorld, ids: &mut [AgentId], dice: &mut Dice) {
        let agents = ids.iter_mut().zip(&self.agents);
        for (id, agent) in agents {
            if world
                .agent(*id)
                .is_some_and(|agent| agent.caught().is_some())
            {
                world.remove(*id);
                let cell = dice
                    .pick(&self.agents)
                    .map_or(agent.cell, |other| other.cell);
                *id = world.insert(AgentSetup { cell, ..*agent });
                return;
            }
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |side| {
            self.agents
                .iter()
                .filter(|agent| agent.side == side)
                .count()
        };
        let pursuits = self.agents.last().map_or(0, |agent| agent.pursuit + 1);
        let speed = self.agents.iter().map(|agent| agent.speed.steps()).max();
        let (width, height) = self.size;
        write!(
            out,
            "seed {}: {:?} {width} x {height}, {:?}, {:?}, {pursuits} pursuits, {} cops, {} robbers, speed up to {}, doors: {}",
            self.seed,
            self.kind,
            self.moves,
            self.settings.clock,
            count(Side::Cops),
            count(Side::Robber),
            speed.unwrap_or(0),
            self.has_doors,
        )
    }
}

fn settings(dice: &mut Dice, seed: u64) -> Option<PursuitSettings> {
    let clocks = [
        PursuitClock::Turns,
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ];
    let mut settings = PursuitSettings {
        seed,
        clock: dice.pick(&clocks)?,
        ticks_per_turn: dice.pick(&[4, 8, 16])?,
        ..PursuitSettings::default()
    };
    settings.tables.max_bytes = dice.pick(&[1, MOST_BYTES])?;
    settings.tables.max_milliseconds = MOST_MILLISECONDS;
    Some(settings)
}

/// The agents of some pursuits.
fn agents(dice: &mut Dice, free: &[Cell]) -> Option<Vec<AgentSetup>> {
    let (is_fast, is_sighted) = (dice.below(10) < 3, dice.below(4) == 0);
    let pursuits = if dice.below(10) < 7 {
        1
    } else {
        1 + dice.below(6)
    };
    let mut agents = Vec::new();
    for pursuit in 0..pursuits {
        let is_crowd = dice.below(10) == 0;
        let cops = if is_crowd {
            12 + dice.below(60)
        } else {
            1 + dice.below(6)
        };
        let robbers = if dice.below(4) > 0 {
            1
        } else {
            1 + dice.below(3)
        };
        for (side, count) in [(Side::Cops, cops), (Side::Robber, robbers)] {
            let steps = if is_fast { 1 + dice.below(3) as u8 } else { 1 };
            for _ in 0..count {
                let has_limit = is_sighted && dice.below(10) < 6;
                agents.push(AgentSetup {
                    pursuit: pursuit as u32,
                    speed: Speed::new(steps)?,
                    sight: has_limit.then(|| 4 + dice.below(8) as u16),
                    ..AgentSetup::new(side, dice.pick(free)?)
                });
            }
        }
    }
    Some(agents)
}

/// Solves the tables that a world wants.
fn deliver(world: &mut PursuitWorld) {
    while let Some(request) = world.next_request() {
        let key = request.key;
        let solution = TableWork::new(request).ok().and_then(|mut work| {
            work.run(WORDS, |_| true);
            work.finish()
        });
        let solution = solution.map(|(_, solution)| solution);
        world.deliver(&key, solution.ok_or(SolveFailure::GivenUp));
    }
}
