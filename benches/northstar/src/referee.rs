//! The scene and its rules, the same for every chaser.
//!
//! The referee changes doors, plays the robbers, records captures, and checks the steps of the cops.

use crate::town::Town;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Side, Speed, State, is_legal_move};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_lab::RobberPolicy;
use pursuit_lab::robber::DaTrailMaxRobber;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::{Dice, Distances};

pub const TICKS_PER_TURN: u64 = 16;
pub const TICKS_PER_SECOND: u64 = 64;
/// The distance, in steps, between a robber and the start positions of its cops.
const START: std::ops::RangeInclusive<u32> = 12..=32;
/// The maximum distance, in cells, between a changing door and a robber.
const NEAR: u32 = 16;

/// The positions of the agents of a pursuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub robber: Cell,
    pub cops: Vec<Cell>,
}

/// The step of an agent in a turn, reported by its chaser.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub from: Cell,
    /// Equal to `from` if the agent waits.
    pub to: Cell,
    /// Whether a decision was ready when the turn began.
    pub decided: bool,
}

/// The steps of all agents of a pursuit in a turn.
#[derive(Debug, Clone)]
pub struct Steps {
    pub cops: Vec<Step>,
    /// Only from chasers that also play the robbers.
    pub robber: Option<Step>,
}

/// The decisions of the referee after the start of a turn.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// The cell of the robber when the next turn begins.
    pub robber: Cell,
    /// The cops whose steps were illegal, so that they stay where they are.
    pub put_back: Vec<bool>,
    /// Set if the chase is over: the positions where it restarts with the next turn.
    pub restart: Option<Places>,
}

/// The counts of a run.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// For each pursuit, the number of ticks until its first capture.
    pub first: Vec<Option<u64>>,
    /// All captures, including those of restarted chases.
    pub captures: u64,
    /// Requested decisions of cops.
    pub decisions: u64,
    /// Decisions that were not ready when the turn began.
    pub missing: u64,
    /// Illegal steps on the current map.
    pub illegal: Illegal,
    /// Door changes.
    pub doors: u64,
}

/// The numbers of illegal steps by kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Illegal {
    /// Into a wall or a closed door.
    pub walls: u64,
    /// Diagonally across a square that is not all floor.
    pub corners: u64,
    /// To a cell that is not a neighbour.
    pub jumps: u64,
    /// From a cell where the cop is not.
    pub lost: u64,
}

struct Chase {
    robber: Cell,
    /// The cell of the robber when the next turn begins.
    fleeing_to: Cell,
    /// The cells of the cops at the end of the current turn.
    cops: Vec<Cell>,
    /// The tick in which the first turn began.
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
    /// The number of cops in a pursuit.
    cops: usize,
    /// Plans each turn from scratch with the same seed, so that the move of a robber depends only on the
    /// town and the positions of the agents, not on the chaser.
    robber: DaTrailMaxRobber,
    decision: Decision,
    distances: Distances,
    dice: Dice,
    seed: u64,
    pub tally: Tally,
}

impl Referee {
    /// A referee of pursuits, each of `cops` cops and a robber.
    pub fn new(
        town: &Town,
        (pursuits, cops): (usize, usize),
        doors_per_second: u64,
        seed: u64,
    ) -> Self {
        let graph = Graph::new(&town.map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let mut this = Self {
            graph,
            hierarchy,
            doors: town.doors.clone(),
            doors_per_second,
            chases: Vec::new(),
            cops,
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

    /// The positions of the agents of a pursuit at the end of the current turn.
    pub fn places(&self, pursuit: usize) -> Places {
        let chase = &self.chases[pursuit];
        Places {
            robber: chase.fleeing_to,
            cops: chase.cops.clone(),
        }
    }

    /// Changes the doors that are due before a tick: each near a random robber, but never one that an
    /// agent occupies or walks into.
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

    /// Checks the cops' steps of a turn that has begun and moves the robber, which knows them.
    pub fn turn(&mut self, tick: u64, pursuit: usize, steps: &Steps) -> Ruling {
        let chase = &mut self.chases[pursuit];
        chase.robber = chase.fleeing_to;
        let begun = *chase.begun.get_or_insert(tick);
        let mut put_back = vec![false; self.cops];
        if chase.caught {
            self.tally.captures += 1;
            self.tally.first[pursuit].get_or_insert(tick - begun);
            let round = chase.round + 1;
            let places = self.start(pursuit, round);
            self.chases[pursuit] = Chase {
                robber: places.robber,
                fleeing_to: places.robber,
                cops: places.cops.clone(),
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
        let Chase {
            robber, ref cops, ..
        } = self.chases[pursuit];
        let cops = cops.clone();
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
    fn flee(&mut self, robber: Cell, cops: &[Cell]) -> Cell {
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
        let to = self.decision.next_move().last();
        to.map_or(robber, |&vertex| self.graph.cell(vertex))
    }

    /// The start positions of a chase: the same for every chaser in the same round of the same pursuit,
    /// except for the effect of doors.
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
            let place = |_| self.graph.cell(dice.pick(&near).unwrap_or(robber));
            return Places {
                robber: self.graph.cell(robber),
                cops: (0..self.cops).map(place).collect(),
            };
        }
    }
}

impl Chase {
    /// Returns whether an agent stands on the cell or walks onto it.
    fn is_at(&self, cell: Cell) -> bool {
        self.cops.contains(&cell) || self.robber == cell || self.fleeing_to == cell
    }
}
