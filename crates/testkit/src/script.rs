//! Random games with doors, recorded as scripts, so that the same game can be played again with tables
//! that arrive at other times.

use super::chase;
use super::level::rules;
use super::table_cache::{events, solve};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::{Origin, TableCache, TableRequest, TableSettings};
use std::fmt::Write as _;

/// The events of a tick.
struct Tick {
    edits: Vec<TileEdit>,
    /// The indices of the rules of the pursuits that move.
    turns: Vec<usize>,
    settings: Option<TableSettings>,
}

pub struct Script {
    map: TileMap,
    pub rules: [Rules; 4],
    ticks: Vec<Tick>,
    pub settings: TableSettings,
}

impl Script {
    /// A random script. `settings` creates the settings for an amount of memory.
    pub fn any(dice: &mut Dice, settings: fn(u64) -> TableSettings) -> Self {
        let map = chase::noise(dice, 6, 5, 20);
        let doors: Vec<Cell> = (0..4)
            .map(|_| Cell::new(1 + dice.below(5) as u16, dice.below(5) as u16))
            .collect();
        Self {
            map,
            rules: [
                rules(1, 1, 1),
                rules(1, 2, 1),
                rules(2, 1, 1),
                rules(1, 1, 2),
            ],
            ticks: (0..200)
                .map(|_| Tick::any(dice, &doors, settings))
                .collect(),
            settings: settings(40_000),
        }
    }
}

impl Tick {
    fn any(dice: &mut Dice, doors: &[Cell], settings: fn(u64) -> TableSettings) -> Self {
        let mut edits = Vec::new();
        if dice.below(8) == 0 {
            let (cell, passable) = (dice.pick(doors).expect("a door"), dice.below(2) == 0);
            edits.push(TileEdit { cell, passable });
        }
        let turns = (0..dice.below(3)).map(|_| dice.below(4)).collect();
        let is_changed = dice.below(100) == 0;
        // Too little memory for some of the tables, too little for all of them together, and enough.
        let memory = [20_000, 40_000, 200_000][dice.below(3)];
        Self {
            edits,
            turns,
            settings: is_changed.then(|| settings(memory)),
        }
    }
}

/// The times at which the worker takes requests and delivers tables.
#[derive(Clone, Copy)]
pub enum Worker {
    /// At once.
    Eager,
    /// Only when the game waits.
    Lazy,
    /// At random times.
    Random,
}

/// A game that follows a script.
pub struct Game {
    pub graph: Graph,
    pub tables: TableCache,
    /// The requests that the worker has taken and not delivered.
    taken: Vec<TableRequest>,
    dice: Dice,
    worker: Worker,
    /// The number of times that a pursuit has found a table.
    pub found: u32,
    /// The number of times that the game has waited for a table.
    pub waits: u32,
}

impl Game {
    pub fn new(script: &Script, worker: Worker, seed: u64) -> Self {
        Self {
            graph: Graph::new(&script.map, Moves::Octile),
            tables: TableCache::new(script.settings),
            taken: Vec::new(),
            dice: Dice::new(seed),
            worker,
            found: 0,
            waits: 0,
        }
    }

    fn deliver(&mut self, index: usize, tick: u64) {
        let (key, solution) = solve(self.taken.swap_remove(index));
        self.tables.deliver(&key, Ok(solution), tick);
    }

    fn take(&mut self, most: usize) {
        for _ in 0..most {
            self.taken.extend(self.tables.next_request(&self.graph));
        }
    }

    /// The worker takes and delivers according to its kind.
    fn work(&mut self, tick: u64) {
        match self.worker {
            Worker::Lazy => {}
            Worker::Eager => {
                self.take(99);
                while !self.taken.is_empty() {
                    self.deliver(0, tick);
                }
            }
            Worker::Random => {
                let most = self.dice.below(3);
                self.take(most);
                while self.dice.below(4) == 0 && !self.taken.is_empty() {
                    let index = self.dice.below(self.taken.len());
                    self.deliver(index, tick);
                }
            }
        }
    }

    /// Delivers the tables that the game has to wait for.
    fn wait(&mut self, tick: u64) {
        while let Some(key) = self.tables.overdue(&self.graph, tick) {
            self.waits += 1;
            self.take(99);
            let index = self.taken.iter().position(|request| request.key == key);
            self.deliver(index.expect("a request for what is overdue"), tick);
        }
    }

    /// The turn of a pursuit: uses its table or requests it.
    fn turn(&mut self, rules: Rules, tick: u64) -> String {
        let why_not = self.tables.reason_for_none(&self.graph, &rules, tick);
        let found = self.tables.find(&self.graph, &rules, tick);
        let is_found = found.is_some();
        assert_eq!(why_not.is_none(), is_found);
        if let Some(found) = found {
            self.found += 1;
            assert_eq!(found.origin, Origin::Solved);
            assert_eq!(found.times.rules(), rules);
            assert_eq!(found.times.fingerprint(), self.graph.fingerprint());
            assert!(found.arena.is_of(&self.graph));
        } else {
            self.tables.request(&self.graph, &rules, tick);
        }
        format!("{is_found} {why_not:?}")
    }

    /// Plays a tick and returns everything observable.
    pub fn play(&mut self, script: &Script, tick: u64) -> String {
        let now = &script.ticks[tick as usize];
        self.work(tick);
        self.graph.apply(&now.edits);
        self.wait(tick);
        if let Some(settings) = now.settings {
            self.tables.set_settings(settings);
        }
        let mut seen = String::new();
        for &turn in &now.turns {
            self.work(tick);
            let told = self.turn(script.rules[turn], tick);
            self.work(tick);
            writeln!(seen, "{tick} {turn} {told}").expect("memory");
        }
        let bytes = self.tables.bytes();
        let events = events(&mut self.tables);
        writeln!(seen, "{bytes} {events:?} {:?}", self.tables.save()).expect("memory");
        assert!(bytes <= self.tables.settings().memory);
        self.work(tick);
        seen
    }

    /// Plays to the end of the script and returns everything observable of each tick.
    pub fn play_on(&mut self, script: &Script, from: usize) -> Vec<String> {
        let ticks = from as u64..script.ticks.len() as u64;
        ticks.map(|tick| self.play(script, tick)).collect()
    }
}
