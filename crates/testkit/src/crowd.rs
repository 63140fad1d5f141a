//! Games of many cops and of robbers that come back elsewhere after each capture.
#![allow(dead_code, reason = "the example and the test use parts")]

use pathfinding::directed::bfs::bfs_reach;
use pursuit_engine::game::Side;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Expansions, PursuitSettings, PursuitWorld, WorldEvent,
};
use std::collections::{BTreeMap, BTreeSet};

/// A town of a hundred tiles by a hundred has a hundred houses of six by six tiles with two doors each, and streets of four tiles.
pub fn town(side: u16, dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(side, side, Terrain::Floor).expect("the size of a map");
    let row = side / 10;
    for house in 0..row * row {
        let (x, y) = (house % row * 10 + 2, house / row * 10 + 2);
        let (door, side) = (1 + dice.below(4) as u16, dice.below(4));
        for i in 0..6 {
            let walls = [(x + i, y), (x + i, y + 5), (x, y + i), (x + 5, y + i)];
            for (number, (x, y)) in walls.into_iter().enumerate() {
                if i != door || (number != side && number != (side + 1) % 4) {
                    map.set(Cell::new(x, y), Terrain::Wall);
                }
            }
        }
    }
    map
}

/// Caves: two cells in five are walls at first; five times, a cell becomes what most cells around it are.
pub fn caves(side: u16, dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(side, side, Terrain::Wall).expect("the size of a map");
    let inside: Vec<Cell> = map.cells().filter(|cell| cell.x.min(cell.y) > 0).collect();
    for &cell in &inside {
        if dice.below(5) > 1 && cell.x.max(cell.y) < side - 1 {
            map.set(cell, Terrain::Floor);
        }
    }
    for _ in 0..5 {
        let old = map.clone();
        for &cell in &inside {
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
            let around = around.filter_map(|(x, y)| cell.offset(x, y));
            let floor = around.filter(|&cell| old.is_passable(cell)).count();
            let is_inside = cell.x.max(cell.y) < side - 1;
            let terrain = if floor >= 5 && is_inside {
                Terrain::Floor
            } else {
                Terrain::Wall
            };
            map.set(cell, terrain);
        }
    }
    map
}

/// What is played.
#[derive(Debug, Clone)]
pub struct Scene {
    pub map: TileMap,
    pub moves: Moves,
    pub cops: usize,
    pub robbers: usize,
    /// The number of free cells, the first ones of the map, in which the cops start; `None` for all.
    pub corner: Option<usize>,
    pub settings: PursuitSettings,
}

/// What a game shows.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Played {
    pub captures: u32,
    /// In the second half of the game: cops that share a tile with another one, and all cops, summed over the ticks.
    pub sharing: usize,
    pub all: usize,
    /// Units of the budget that were used.
    pub spent: u64,
}

impl Played {
    /// The share of the cops that share a tile, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.sharing as f64 / self.all.max(1) as f64
    }
}

/// A game, in which captured robbers come back elsewhere in the same tick.
pub struct Game {
    pub world: PursuitWorld,
    pub cops: Vec<AgentId>,
    pub played: Played,
    free: Vec<Cell>,
    dice: Dice,
}

impl Game {
    pub fn new(scene: &Scene, mut dice: Dice) -> Self {
        let free = largest_part(&scene.map, scene.moves);
        let mut world = PursuitWorld::new(&scene.map, scene.moves, scene.settings.clone());
        let starts = scene.corner.unwrap_or(free.len());
        let mut cop = |_| world.insert(AgentSetup::new(Side::Cops, free[dice.below(starts)]));
        let cops = (0..scene.cops).map(&mut cop).collect();
        for _ in 0..scene.robbers {
            world.insert(AgentSetup::new(Side::Robber, free[dice.below(free.len())]));
        }
        Self {
            world,
            cops,
            free,
            dice,
            played: Played::default(),
        }
    }

    pub fn tick(&mut self, budget: u64, counts_sharing: bool) {
        self.world.begin_tick(&[]);
        self.world.arrive();
        self.world.decide(&mut Expansions(budget));
        self.played.spent += self.world.report().spent;
        let captured = |event: &WorldEvent| match event {
            WorldEvent::Captured { robber, .. } => Some(*robber),
            _ => None,
        };
        let captured: Vec<AgentId> = self.world.events().iter().filter_map(captured).collect();
        for robber in captured {
            self.played.captures += 1;
            let cell = self.free[self.dice.below(self.free.len())];
            self.world.place(robber, cell);
            self.world.release(robber);
        }
        if counts_sharing {
            let mut on = BTreeMap::new();
            for cop in self.cops.iter().filter_map(|&cop| self.world.agent(cop)) {
                *on.entry(cop.setup().cell).or_insert(0) += 1;
            }
            self.played.sharing += on.values().filter(|&&cops| cops > 1).sum::<usize>();
            self.played.all += self.cops.len();
        }
    }

    pub fn play(mut self, turns: u64, budget: u64) -> Played {
        let ticks = turns * u64::from(self.world.settings().ticks_per_turn);
        for tick in 0..ticks {
            self.tick(budget, 2 * tick >= ticks);
        }
        self.played
    }
}

/// The cells of the largest connected part, row by row.
pub fn largest_part(map: &TileMap, moves: Moves) -> Vec<Cell> {
    let graph = Graph::new(map, moves);
    let mut left: BTreeSet<Vertex> = graph.iter().collect();
    let mut largest = Vec::new();
    while let Some(&first) = left.first() {
        let part = bfs_reach(first, |&from| graph.neighbours(from).iter().copied());
        let part: Vec<Vertex> = part.collect();
        for vertex in &part {
            left.remove(vertex);
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    let mut cells: Vec<Cell> = largest.into_iter().map(|at| graph.cell(at)).collect();
    cells.sort_by_key(|cell| (cell.y, cell.x));
    cells
}
