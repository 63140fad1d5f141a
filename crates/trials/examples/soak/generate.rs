//! Generates random scripts from a seed, independently of the plugin.

use crate::grid::Grid;
use crate::ops::{
    Budget, Clock, Ground, Kind, Moment, Op, Parent, Reaction, Role, Rules, Script, Setup, Spec,
    Steering, Style, Tile, TileChange, Timed, Trait,
};
use crate::traits::TACTICS;
use pursuit_engine::search::{Dice, seed_of};

/// The number of pursuits over all maps.
const PURSUITS: usize = 6;
/// The number of slots for saves.
pub const SLOTS: usize = 4;
/// The number of frames of a phase: calm, busy or wild.
const MOOD: u32 = 192;

/// A script of a kind, or of the kind that belongs to the seed: half of the games are busy.
pub fn script(seed: u64, frames: u32, kind: Option<Kind>) -> Script {
    let index = Dice::new(seed_of([seed, 3])).below(2 * (Kind::ALL.len() - 1));
    let kind = kind.unwrap_or_else(|| Kind::ALL.get(index + 1).copied().unwrap_or_default());
    if kind != Kind::Busy {
        return crate::kinds::script(kind, seed, frames);
    }
    let setup = setup(seed);
    let mut generator = Generator::new(&setup);
    for frame in 0..frames {
        generator.frame(frame, frames);
    }
    let mut ops = generator.ops;
    // Some operations were postponed.
    ops.sort_by_key(|op| op.frame);
    Script { setup, frames, ops }
}

fn setup(seed: u64) -> Setup {
    let mut dice = Dice::new(seed_of([seed, 1]));
    let many = [1, 2, 2, 3][dice.below(4)];
    let grounds = (0..many).map(|_| ground(&mut dice)).collect();
    let micros = dice.below(4) == 0;
    Setup {
        kind: Kind::Busy,
        seed,
        grounds,
        rules: Rules {
            tables: dice.below(2) == 0,
            stagger: dice.below(4) > 0,
            ..rules(&mut dice, micros)
        },
        hz: [64, 64, 64, 60, 144, 30][dice.below(6)],
    }
}

fn ground(dice: &mut Dice) -> Ground {
    let (style, width, height) = match dice.below(16) {
        0..6 => (Style::Yard, 16 + dice.below(30), 12 + dice.below(24)),
        6..10 => (Style::Maze, 21 + dice.below(20), 15 + dice.below(20)),
        10..15 => (Style::Rooms, 40 + dice.below(20), 32 + dice.below(16)),
        _ => (Style::Town, 96 + dice.below(60), 80 + dice.below(40)),
    };
    Ground {
        style,
        width: width as u32,
        height: height as u32,
        seed: dice.below(1 << 30) as u64,
        is_layer: dice.below(3) > 0,
        octile: dice.below(3) > 0,
        offset: (between(dice, -1000, 1000), between(dice, -1000, 1000)),
    }
}

const CLOCKS: [Clock; 3] = [Clock::Turns, Clock::FreeRunning, Clock::Simultaneous];

fn rules(dice: &mut Dice, micros: bool) -> Rules {
    Rules {
        ticks_per_turn: [1, 4, 8, 16, 16, 16][dice.below(6)],
        budget: if micros {
            Budget::Micros([200, 500, 1_000, 2_000][dice.below(4)])
        } else {
            Budget::Expansions([0, 500, 5_000, 10_000, 10_000, 50_000][dice.below(6)])
        },
        clock: CLOCKS[dice.below(3)],
        stagger: true,
        chase: dice.below(4) == 0,
        tables: true,
    }
}

/// A random number from an inclusive range.
fn between(dice: &mut Dice, least: i16, most: i16) -> i32 {
    let many = usize::from(most.abs_diff(least)) + 1;
    i32::from(least) + i32::from(dice.below(many) as u16)
}

/// The generator's knowledge of a map, based on its initial state.
struct Place {
    open: Vec<Tile>,
    size: (u32, u32),
    /// Tiles that are currently closed.
    closed: Vec<Tile>,
    /// Until this frame, these doors change in every frame.
    storm: (u32, Vec<Tile>),
    is_there: bool,
}

struct Generator {
    dice: Dice,
    micros: bool,
    rules: Rules,
    places: Vec<Place>,
    agents: Vec<usize>,
    next: usize,
    saves: [Option<usize>; SLOTS],
    paused: bool,
    ops: Vec<Timed>,
    frame: u32,
}

impl Generator {
    fn new(setup: &Setup) -> Self {
        let place = |ground: &Ground| Place {
            open: Grid::of(ground).open_tiles(),
            size: (ground.width, ground.height),
            closed: Vec::new(),
            storm: (0, Vec::new()),
            is_there: true,
        };
        Self {
            dice: Dice::new(seed_of([setup.seed, 2])),
            micros: !setup.is_repeatable(),
            rules: setup.rules,
            places: setup.grounds.iter().map(place).collect(),
            agents: Vec::new(),
            next: 0,
            saves: [None; SLOTS],
            paused: false,
            ops: Vec::new(),
            frame: 0,
        }
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.dice.below(many) == 0
    }

    fn push(&mut self, moment: Moment, op: Op) {
        self.ops.push(Timed {
            frame: self.frame,
            moment,
            op,
        });
    }

    fn at_any_moment(&mut self, op: Op) {
        let moment = match self.dice.below(20) {
            0..8 => Moment::Frame,
            8..11 => Moment::BeforeSync,
            11..15 => Moment::AfterSync,
            15..18 => Moment::AfterArrive,
            _ => Moment::AfterDecide,
        };
        self.push(moment, op);
    }

    fn frame(&mut self, frame: u32, frames: u32) {
        self.frame = frame;
        let fewest = 10 + (self.places.len() * 6);
        while self.agents.len() < fewest {
            self.spawn();
        }
        if self.paused && self.one_in(12) {
            self.paused = false;
            self.push(Moment::Frame, Op::Pause { yes: false });
        }
        self.storms();
        let acts = match frame / MOOD % 4 {
            0 => usize::from(self.one_in(24)),
            1 | 2 => usize::from(self.one_in(3)),
            _ => self.dice.below(5),
        };
        for _ in 0..acts {
            self.act();
        }
        if frame.is_multiple_of(37) {
            let seed = self.dice.below(1 << 30) as u64;
            self.at_any_moment(Op::Amnesty { seed });
        }
        // None near the end, so that anything switched off is switched on again.
        if frame + MOOD < frames && self.one_in(60) {
            self.upheaval();
        }
    }

    fn agent(&mut self) -> usize {
        self.agents[self.dice.below(self.agents.len())]
    }

    fn map(&mut self) -> usize {
        self.dice.below(self.places.len())
    }

    /// A random tile of a map: usually open, rarely any tile, rarely outside of the map.
    fn tile(&mut self, map: usize) -> Tile {
        match self.dice.below(60) {
            0 => (self.dice.below(400) as u32, self.dice.below(400) as u32),
            1 => {
                let (width, height) = self.places[map].size;
                let [x, y] = [width, height].map(|side| self.dice.below(side as usize) as u32);
                (x, y)
            }
            _ => {
                let index = self.dice.below(self.places[map].open.len());
                self.places[map].open[index]
            }
        }
    }

    fn spec(&mut self) -> Spec {
        let map = self.map();
        // An agent that names no map is on the only one.
        let named = self.places.len() > 1 || self.one_in(2);
        Spec {
            role: if self.dice.below(5) < 2 {
                Role::Robber
            } else {
                Role::Cop
            },
            map: (named && !self.one_in(40)).then_some(map),
            at: self.tile(map),
            pursuit: self.dice.below(PURSUITS) as u32,
            speed: [1, 1, 1, 2, 2, 3, 1, 1, 1, 2, 2, 3, 0][self.dice.below(13)],
            ticks_per_step: [0, 0, 0, 5, 12][self.dice.below(5)],
            sight: [u16::MAX, u16::MAX, u16::MAX, 6][self.dice.below(4)],
            mistakes: [0, 0, 0, 0, 100, 1000][self.dice.below(6)],
            steering: Steering::Policy,
            glides: self.one_in(2),
        }
    }

    fn spawn(&mut self) {
        let (agent, spec) = (self.next, self.spec());
        self.next += 1;
        self.agents.push(agent);
        self.at_any_moment(Op::Spawn { agent, spec });
    }

    fn steering(&mut self, map: usize) -> Steering {
        match self.dice.below(8) {
            0..4 => {
                let [x, y] = [0; 2].map(|_: i32| between(&mut self.dice, -1, 1));
                Steering::Steer(x, y)
            }
            4..6 => Steering::WalkTo(self.tile(map)),
            6 => Steering::External,
            _ => Steering::Policy,
        }
    }

    /// Generates an operation on one agent or tile.
    fn act(&mut self) {
        let (agent, map) = (self.agent(), self.map());
        let tile = self.tile(map);
        let op = match self.dice.below(46) {
            0..3 if self.agents.len() < 60 => return self.spawn(),
            3 | 4 if self.agents.len() < 60 => {
                let copy = self.next;
                self.next += 1;
                self.agents.push(copy);
                Op::Clone { agent, copy }
            }
            0..5 => self.despawn(agent),
            5 | 6 => Op::Despawn { agent: self.old() },
            7 => Op::Enable { agent, yes: false },
            8 | 9 => Op::Enable { agent, yes: true },
            10..14 => Op::Place { agent, at: tile },
            14 => Op::Order {
                agent,
                way: [tile, self.tile(map)],
            },
            15 => Op::Role { agent, role: None },
            16..18 => Op::Role {
                agent,
                role: Some([Role::Cop, Role::Robber][self.dice.below(2)]),
            },
            18 | 19 => Op::Swap { agent },
            20 | 21 if self.places.len() > 1 => Op::Map {
                agent,
                map: (!self.one_in(8)).then_some(map),
            },
            20..24 => Op::Pursuit {
                agent,
                pursuit: self.dice.below(PURSUITS) as u32,
            },
            24 => Op::Speed {
                agent,
                speed: [0, 1, 1, 2, 2, 3, 3][self.dice.below(7)],
            },
            25 => Op::TicksPerStep {
                agent,
                ticks: [0, 3, 7, 20][self.dice.below(4)],
            },
            26 => Op::Sight {
                agent,
                sight: [u16::MAX, 2, 5, 9][self.dice.below(4)],
            },
            27..32 => Op::Steering {
                agent,
                steering: self.steering(map),
            },
            32..34 => Op::Steering {
                agent,
                steering: Steering::Policy,
            },
            34 => Op::Reparent {
                agent,
                parent: [Parent::Nobody, Parent::Map(map), Parent::Cart][self.dice.below(3)],
            },
            35 => self.move_cart(),
            42..46 => Op::Trait {
                agent,
                what: match self.dice.below(7) {
                    5 => Trait::Quarry(self.agent()),
                    6 => Trait::HeadsFor(tile),
                    0 | 1 => Trait::Solid,
                    2 => Trait::KeepsDirection,
                    3 => Trait::Tactics(self.dice.below(TACTICS.len())),
                    _ => Trait::Difficulty([0, 30, 80][self.dice.below(3)]),
                },
                yes: self.dice.below(3) < 2,
            },
            _ => return self.edit(map),
        };
        self.at_any_moment(op);
    }

    fn move_cart(&mut self) -> Op {
        let [x, y] = [0; 2].map(|_: i32| between(&mut self.dice, -300, 300));
        Op::MoveCart { to: (x, y) }
    }

    fn old(&mut self) -> usize {
        let index = self.dice.below(self.agents.len().div_ceil(3));
        self.agents.remove(index)
    }

    fn despawn(&mut self, agent: usize) -> Op {
        self.agents.retain(|&other| other != agent);
        Op::Despawn { agent }
    }

    /// Opens or closes a tile.
    fn edit(&mut self, map: usize) {
        let tile = self.tile(map);
        let place = &mut self.places[map];
        let reopen = place.closed.len() > 20 || !place.closed.is_empty() && self.dice.below(2) == 0;
        let (at, change) = if reopen {
            let index = self.dice.below(place.closed.len());
            (place.closed.swap_remove(index), TileChange::Open)
        } else {
            place.closed.push(tile);
            let change = [TileChange::Close, TileChange::Strip, TileChange::Tear];
            (tile, change[self.dice.below(3)])
        };
        self.at_any_moment(Op::Tile { map, at, change });
    }

    fn storms(&mut self) {
        for map in 0..self.places.len() {
            let (until, doors) = &self.places[map].storm;
            if self.frame >= *until {
                continue;
            }
            let index = self.dice.below(doors.len());
            let at = doors[index];
            let change = [TileChange::Close, TileChange::Open][self.dice.below(2)];
            self.at_any_moment(Op::Tile { map, at, change });
        }
    }

    /// Generates an operation on a whole map or the whole game.
    fn upheaval(&mut self) {
        let map = self.map();
        match self.dice.below(26) {
            0 | 1 => {
                let doors = (0..8).map(|_| self.tile(map)).collect();
                let until = self.frame + 20 + self.dice.below(60) as u32;
                self.places[map].storm = (until, doors);
            }
            2..6 => {
                let slot = self.dice.below(SLOTS);
                self.saves[slot] = Some(map);
                self.push(Moment::Frame, Op::Save { map, slot });
            }
            6..9 => self.restore(),
            9 | 10 => self.resize(map),
            11 => self.mass(map),
            12 | 13 => self.rule(),
            14 | 15 => {
                let percent = [25, 50, 100, 100, 100, 200, 400, 800][self.dice.below(8)];
                self.push(Moment::Frame, Op::Pace { percent });
            }
            16 => {
                self.paused = true;
                self.push(Moment::Frame, Op::Pause { yes: true });
            }
            17 | 18 => self.react(map),
            19 => {
                let op = if std::mem::replace(&mut self.places[map].is_there, false) {
                    Op::MapGone { map }
                } else {
                    self.places[map].is_there = true;
                    Op::MapBack { map }
                };
                self.push(Moment::Frame, op);
            }
            20 => {
                let [cops, speed] = [[1, 1], [1, 2], [2, 1]][self.dice.below(3)];
                // A table for two cops on a large map would be too large.
                let cops = if self.places[map].open.len() > 400 {
                    1
                } else {
                    cops
                };
                if self.places[map].open.len() < 1_200 {
                    self.push(Moment::Frame, Op::Table { map, cops, speed });
                }
            }
            21 => self.push(Moment::Frame, Op::ReloadTables),
            22 => self.push(Moment::Frame, Op::DropTables { map }),
            23 => self.set_up(map),
            _ if !self.micros => {
                let op = Op::Detour {
                    ticks: 1 + self.dice.below(24) as u32,
                    seed: self.dice.below(1 << 30) as u64,
                };
                self.push(Moment::Frame, op);
            }
            _ => {}
        }
        // A despawned map returns soon.
        for map in 0..self.places.len() {
            if !self.places[map].is_there && self.one_in(2) {
                self.places[map].is_there = true;
                self.push(Moment::Frame, Op::MapBack { map });
            }
        }
    }

    fn restore(&mut self) {
        let slot = self.dice.below(SLOTS);
        if self.saves[slot].is_some() {
            let careless = self.one_in(2);
            let moment = [Moment::Frame, Moment::Frame, Moment::BeforeSync][self.dice.below(3)];
            self.push(moment, Op::Restore { slot, careless });
        }
    }

    fn resize(&mut self, map: usize) {
        let (width, height) = self.places[map].size;
        let other = |dice: &mut Dice, side: u32| (side + dice.below(9) as u32).max(10) - 4;
        let (width, height) = (other(&mut self.dice, width), other(&mut self.dice, height));
        self.push(Moment::Frame, Op::Resize { map, width, height });
    }

    fn mass(&mut self, map: usize) {
        let many = 10 + self.dice.below(120);
        let first = self.next;
        self.next += many;
        let op = Op::Mass {
            first,
            many,
            map,
            pursuits: 1 + self.dice.below(PURSUITS) as u32,
            seed: self.dice.below(1 << 30) as u64,
        };
        self.at_any_moment(op);
        let frame = self.frame;
        self.frame += 5 + self.dice.below(60) as u32;
        self.at_any_moment(Op::MassGone { first, many });
        self.frame = frame;
    }

    fn rule(&mut self) {
        let new = rules(&mut self.dice, self.micros);
        self.rules = Rules {
            stagger: self.rules.stagger,
            tables: self.rules.tables,
            ..new
        };
        let op = if self.one_in(3) {
            Op::RulesFile(self.rules)
        } else {
            Op::Rules(self.rules)
        };
        self.at_any_moment(op);
    }

    fn set_up(&mut self, map: usize) {
        let clock = CLOCKS.get(self.dice.below(4)).copied();
        let chase = [None, Some(false), Some(true)][self.dice.below(3)];
        let op = Op::SetUp {
            map,
            pursuit: self.dice.below(PURSUITS) as u32,
            clock,
            chase,
        };
        self.at_any_moment(op);
    }

    fn react(&mut self, map: usize) {
        let reaction = match self.dice.below(8) {
            0 | 1 => Reaction::Nothing,
            2 | 3 => Reaction::MoveRobber(self.tile(map)),
            4 | 5 => Reaction::MoveCop(self.tile(map)),
            6 => Reaction::Swap(self.tile(map)),
            _ if self.one_in(2) => Reaction::Restart(self.dice.below(1 << 30) as u64),
            _ => Reaction::Despawn,
        };
        self.push(Moment::Frame, Op::OnCapture { reaction });
    }
}

/// The operations of a tick in a detour. They do not spawn, despawn or change the role of agents.
pub fn detour(seed: u64, maps: &[Vec<Tile>], agents: &[usize]) -> Vec<Op> {
    let mut dice = Dice::new(seed);
    let mut ops = Vec::new();
    if agents.is_empty() || maps.is_empty() {
        return ops;
    }
    for _ in 0..dice.below(4) {
        let map = dice.below(maps.len());
        let Some(at) = dice.pick(&maps[map]) else {
            continue;
        };
        let agent = agents[dice.below(agents.len())];
        ops.push(match dice.below(4) {
            0 => Op::Place { agent, at },
            1 => Op::Steering {
                agent,
                steering: Steering::WalkTo(at),
            },
            2 => Op::Order {
                agent,
                way: [at, at],
            },
            _ => Op::Steering {
                agent,
                steering: Steering::External,
            },
        });
    }
    ops
}
