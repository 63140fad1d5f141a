//! The scene and its rules, the same whoever chases: the town as it is, the doors that swing, the
//! robbers and what they do, who is captured and when, and which steps of cops are none.

use crate::town::Town;
use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::game::{Agent, Side, Speed, State, is_legal_move};
use bevy_pursuit::graph::{Graph, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Moves};
use bevy_pursuit::policy::robber::DaTrailMaxRobber;
use bevy_pursuit::policy::{Decision, Ground, RobberPolicy, Source};
use bevy_pursuit::search::{Dice, Distances};

/// Cops of a pursuit.
pub const COPS: usize = 3;
pub const TICKS_PER_TURN: u64 = 16;
pub const TICKS_PER_SECOND: u64 = 64;
/// Cops begin so many steps away from their robber.
const START: std::ops::RangeInclusive<u32> = 12..=32;
/// Doors swing at most so many cells away from a robber.
const NEAR: u32 = 16;

/// Where the agents of a pursuit are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    pub robber: Cell,
    pub cops: [Cell; COPS],
}

/// What an agent does in a turn, as its chaser tells it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub from: Cell,
    /// The same cell if it waits.
    pub to: Cell,
    /// Has somebody decided that? Not so if nothing was ready when the turn began.
    pub decided: bool,
}

/// What all agents of a pursuit do in a turn.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    pub cops: [Step; COPS],
    /// Only from chasers that play the robbers as well.
    pub robber: Option<Step>,
}

/// What the referee says after the start of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Ruling {
    /// Where the robber will be when the next turn begins.
    pub robber: Cell,
    /// Cops that made no legal step and stay where they are.
    pub put_back: [bool; COPS],
    /// The chase is over and begins anew at these places, with the next turn.
    pub restart: Option<Places>,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// For each pursuit the ticks until its first robber was captured.
    pub first: Vec<Option<u64>>,
    /// All captures: where a robber is captured, a new chase begins.
    pub captures: u64,
    /// Decisions of cops that were asked for.
    pub decisions: u64,
    /// Decisions that were not there when the turn began.
    pub missing: u64,
    /// Steps that are none on the map as it is.
    pub illegal: Illegal,
    /// Doors that opened or closed.
    pub doors: u64,
}

/// Steps that are none, by what is wrong with them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Illegal {
    /// Into a wall or a closed door.
    pub walls: u64,
    /// Round a corner, over a square that is not all floor.
    pub corners: u64,
    /// To a cell that is not beside the one before.
    pub jumps: u64,
    /// From somewhere else than where the cop is.
    pub lost: u64,
}

struct Chase {
    robber: Cell,
    /// Where the robber will be when the next turn begins.
    fleeing_to: Cell,
    /// Where the cops are or, during a turn, will be at its end.
    cops: [Cell; COPS],
    /// The tick in which its first turn began.
    begun: Option<u64>,
    round: u64,
    caught: bool,
}

pub struct Referee {
    graph: Graph,
    hierarchy: Hierarchy,
    doors: Vec<Cell>,
    doors_per_second: u64,
    chases: Vec<Chase>,
    /// It plans anew each turn and is restarted with the same seed each time: what a robber does is
    /// a function of the town and of where the agents are, whoever chases.
    robber: DaTrailMaxRobber,
    decision: Decision,
    distances: Distances,
    dice: Dice,
    seed: u64,
    pub tally: Tally,
}

impl Referee {
    pub fn new(town: &Town, pursuits: usize, doors_per_second: u64, seed: u64) -> Self {
        let graph = Graph::new(&town.map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let mut this = Self {
            graph,
            hierarchy,
            doors: town.doors.clone(),
            doors_per_second,
            chases: Vec::new(),
            robber: DaTrailMaxRobber::new(1, 10),
            decision: Decision::wait(Source::Greedy),
            distances: Distances::default(),
            dice: Dice::new(seed),
            seed,
            tally: Tally {
                first: vec![None; pursuits],
                ..Tally::default()
            },
        };
        for index in 0..pursuits {
            let Places { robber, cops } = this.start(index, 0);
            this.chases.push(Chase {
                robber,
                fleeing_to: robber,
                cops,
                begun: None,
                round: 0,
                caught: false,
            });
        }
        this
    }

    pub fn pursuits(&self) -> usize {
        self.chases.len()
    }

    /// Where the agents of a pursuit are, or will be at the end of the turn.
    pub fn places(&self, pursuit: usize) -> Places {
        let chase = &self.chases[pursuit];
        Places {
            robber: chase.fleeing_to,
            cops: chase.cops,
        }
    }

    /// The doors that swing before a tick: somewhere near a robber drawn by lot, but never one that
    /// somebody stands in or walks into.
    pub fn doors(&mut self, tick: u64) -> Vec<TileEdit> {
        let until = |tick: u64| tick * self.doors_per_second / TICKS_PER_SECOND;
        let due = until(tick + 1) - until(tick);
        let mut edits = Vec::new();
        for _ in 0..due {
            let robber = self.chases[self.dice.below(self.chases.len())].robber;
            let free = self.doors.iter().copied().filter(|&door| {
                door.max_norm(robber) <= NEAR && self.chases.iter().all(|chase| !chase.is_at(door))
            });
            let free: Vec<Cell> = free.collect();
            if let Some(cell) = self.dice.pick(&free) {
                let passable = !self.graph.is_passable(cell);
                let edit = TileEdit { cell, passable };
                let delta = self.graph.apply(&[edit]);
                self.hierarchy.apply(&self.graph, &delta);
                edits.push(edit);
            }
        }
        self.tally.doors += edits.len() as u64;
        edits
    }

    /// A turn of a pursuit has begun: judges the cops' steps and moves the robber, who sees them.
    pub fn turn(&mut self, tick: u64, pursuit: usize, steps: &Steps) -> Ruling {
        let chase = &mut self.chases[pursuit];
        chase.robber = chase.fleeing_to;
        let begun = *chase.begun.get_or_insert(tick);
        let mut put_back = [false; COPS];
        if chase.caught {
            self.tally.captures += 1;
            self.tally.first[pursuit].get_or_insert(tick - begun);
            let round = chase.round + 1;
            let places = self.start(pursuit, round);
            self.chases[pursuit] = Chase {
                robber: places.robber,
                fleeing_to: places.robber,
                cops: places.cops,
                begun: None,
                round,
                caught: false,
            };
            return Ruling {
                robber: places.robber,
                put_back,
                restart: Some(places),
            };
        }
        for (index, step) in steps.cops.iter().enumerate() {
            self.tally.decisions += 1;
            self.tally.missing += u64::from(!step.decided);
            if self.chases[pursuit].cops[index] != step.from {
                self.tally.illegal.lost += 1;
                put_back[index] = true;
            } else if self.is_step(step.from, step.to) {
                self.chases[pursuit].cops[index] = step.to;
            } else {
                let illegal = &mut self.tally.illegal;
                *match step.from.max_norm(step.to) {
                    _ if !self.graph.is_passable(step.to) => &mut illegal.walls,
                    1 => &mut illegal.corners,
                    _ => &mut illegal.jumps,
                } += 1;
                put_back[index] = true;
            }
        }
        let Chase { robber, cops, .. } = self.chases[pursuit];
        let captured = cops.contains(&robber);
        let to = match steps.robber {
            _ if captured => robber,
            Some(step) => step.to,
            None => self.flee(robber, &cops),
        };
        let chase = &mut self.chases[pursuit];
        chase.fleeing_to = to;
        chase.caught = captured || cops.contains(&to);
        Ruling {
            robber: to,
            put_back,
            restart: None,
        }
    }

    fn is_step(&self, from: Cell, to: Cell) -> bool {
        let ends = self.graph.vertex(from).zip(self.graph.vertex(to));
        let is_move = |(from, to)| is_legal_move(&self.graph, from, &[to], Speed::ONE);
        from == to || ends.is_some_and(is_move)
    }

    /// The robber's move, by `DATrailMax`.
    fn flee(&mut self, robber: Cell, cops: &[Cell; COPS]) -> Cell {
        let agent = |cell| {
            let speed = Speed::ONE;
            self.graph.vertex(cell).map(|at| Agent { at, speed })
        };
        let cops: Vec<Agent> = cops.iter().filter_map(|&cop| agent(cop)).collect();
        let Some(robber_agent) = agent(robber) else {
            return robber;
        };
        let state = State {
            robber: robber_agent,
            cops: &cops,
            to_move: Side::Robber,
        };
        let ground = Ground {
            hierarchy: Some(&self.hierarchy),
            ..Ground::from(&self.graph)
        };
        self.robber.restart(self.seed);
        self.robber.decide(ground, &state, &mut self.decision);
        let to = self.decision.way().last();
        to.map_or(robber, |&vertex| self.graph.cell(vertex))
    }

    /// Where a chase begins: the same places for all who play the same round of the same pursuit,
    /// but for doors that swung.
    fn start(&mut self, pursuit: usize, round: u64) -> Places {
        let lot = (pursuit as u64) << 32 | round;
        let mut dice = Dice::new(self.seed ^ lot.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        loop {
            let x = dice.below(self.graph.width().into()) as u16;
            let y = dice.below(self.graph.height().into()) as u16;
            let Some(robber) = self.graph.vertex(Cell::new(x, y)) else {
                continue;
            };
            self.distances.measure(&self.graph, robber);
            let reachable = self.distances.reachable();
            // Not in a room whose doors are closed.
            if reachable.len() < self.graph.iter().count() / 2 {
                continue;
            }
            let steps = |vertex: &&Vertex| self.distances.steps(**vertex);
            let near = reachable
                .iter()
                .filter(|v| steps(v).is_some_and(|s| START.contains(&s)));
            let near: Vec<Vertex> = near.copied().collect();
            let places = [(); COPS].map(|()| dice.pick(&near).unwrap_or(robber));
            return Places {
                robber: self.graph.cell(robber),
                cops: places.map(|vertex| self.graph.cell(vertex)),
            };
        }
    }
}

impl Chase {
    /// Does somebody stand on the cell, or walk onto it?
    fn is_at(&self, cell: Cell) -> bool {
        self.cops.contains(&cell) || self.robber == cell || self.fleeing_to == cell
    }
}
