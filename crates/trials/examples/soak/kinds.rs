//! Games that are about one thing each: quiet maps with tables, robbers at rest, crowds, many maps, time.

use crate::grid::Grid;
use crate::ops::{
    Budget, Clock, Ground, Kind, Moment, Op, Reaction, Role, Rules, Script, Setup, Spec, Steering,
    Style, Tile, TileChange, Timed,
};
use pursuit_engine::search::{Dice, seed_of};

/// A script of one of the kinds that [`generate`](crate::generate) does not know.
pub fn script(kind: Kind, seed: u64, frames: u32) -> Script {
    let mut dice = Dice::new(seed_of([seed, 4]));
    let grounds: Vec<Ground> = (0..maps(kind, &mut dice))
        .map(|_| ground(kind, &mut dice))
        .collect();
    let setup = Setup {
        kind,
        seed,
        rules: rules(kind, &mut dice),
        hz: [64, 64, 60, 144, 30][dice.below(5)],
        grounds,
    };
    let mut game = Game {
        open: setup
            .grounds
            .iter()
            .map(|it| Grid::of(it).open_tiles())
            .collect(),
        kind,
        dice,
        cast: Vec::new(),
        doors: Vec::new(),
        ops: Vec::new(),
        frame: 0,
    };
    game.cast();
    for frame in 0..frames {
        game.frame = frame;
        game.act(frame + 400 < frames);
    }
    // Some operations were postponed.
    game.ops.sort_by_key(|op| op.frame);
    Script {
        setup,
        frames,
        ops: game.ops,
    }
}

fn maps(kind: Kind, dice: &mut Dice) -> usize {
    match kind {
        Kind::Maps => 4 + dice.below(5),
        Kind::Quiet => 1 + dice.below(2),
        _ => 1,
    }
}

fn ground(kind: Kind, dice: &mut Dice) -> Ground {
    let (style, width, height) = match (kind, dice.below(8)) {
        (Kind::Crowd, 0..=2) => (Style::Town, 60 + dice.below(30), 60 + dice.below(20)),
        (Kind::Crowd, 3..=5) => (Style::Rooms, 40 + dice.below(20), 32 + dice.below(16)),
        (Kind::Still, 0..=2) => (Style::Rooms, 32 + dice.below(20), 24 + dice.below(16)),
        // Small enough for tables of all cops.
        (_, roll) if roll < 4 => (Style::Yard, 9 + dice.below(14), 7 + dice.below(10)),
        (_, 4..=5) => (Style::Maze, 15 + dice.below(16), 11 + dice.below(12)),
        _ => (Style::Yard, 24 + dice.below(20), 18 + dice.below(14)),
    };
    Ground {
        style,
        width: width as u32,
        height: height as u32,
        seed: dice.below(1 << 30) as u64,
        is_layer: dice.below(2) > 0,
        octile: dice.below(3) > 0,
        offset: (0, 0),
    }
}

fn rules(kind: Kind, dice: &mut Dice) -> Rules {
    let clocks = [
        Clock::Turns,
        Clock::Turns,
        Clock::FreeRunning,
        Clock::Simultaneous,
    ];
    Rules {
        ticks_per_turn: [1, 4, 8, 16, 16][dice.below(5)],
        budget: Budget::Expansions(match kind {
            Kind::Crowd => [2_000, 10_000, 50_000][dice.below(3)],
            Kind::Maps => [500, 10_000, 10_000][dice.below(3)],
            _ => [5_000, 10_000, 10_000, 50_000][dice.below(4)],
        }),
        clock: clocks[dice.below(4)],
        stagger: dice.below(4) > 0,
        chase: dice.below(6) == 0,
        tables: dice.below(4) > 0,
    }
}

/// An agent of the script, and its map.
#[derive(Debug, Clone, Copy)]
struct Actor {
    agent: usize,
    map: usize,
    role: Role,
}

struct Game {
    kind: Kind,
    dice: Dice,
    open: Vec<Vec<Tile>>,
    cast: Vec<Actor>,
    /// Closed tiles, with their maps.
    doors: Vec<(usize, Tile)>,
    ops: Vec<Timed>,
    frame: u32,
}

impl Game {
    fn one_in(&mut self, many: usize) -> bool {
        self.dice.below(many) == 0
    }

    fn push(&mut self, op: Op) {
        let moment = if self.one_in(2) {
            Moment::Frame
        } else {
            Moment::IN_TICKS[self.dice.below(4)]
        };
        let frame = self.frame;
        self.ops.push(Timed { frame, moment, op });
    }

    fn tile(&mut self, map: usize) -> Tile {
        let index = self.dice.below(self.open[map].len());
        self.open[map][index]
    }

    fn seed(&mut self) -> u64 {
        self.dice.below(1 << 30) as u64
    }

    /// Spawns the agents.
    fn cast(&mut self) {
        let kind = self.kind;
        for map in 0..self.open.len() {
            // Most of many maps are idle: without agents, or without robbers.
            let is_idle = kind == Kind::Maps && map > 1;
            for pursuit in 0..=self.dice.below(2) as u32 {
                let robbers = match kind {
                    _ if is_idle && !self.one_in(3) => 0,
                    Kind::Crowd => 1 + self.dice.below(3),
                    _ => [1, 1, 1, 2][self.dice.below(4)],
                };
                let cops = match kind {
                    Kind::Crowd => [8, 20, 40, 80][self.dice.below(4)],
                    _ => [1, 2, 2, 3, 4][self.dice.below(5)],
                };
                let [cop, robber] = [(); 2].map(|()| self.speed());
                let corner = self.tile(map);
                let from_corner = self.one_in(2);
                for index in 0..cops + robbers {
                    let is_cop = index < cops;
                    let at = if is_cop && from_corner {
                        corner
                    } else {
                        self.tile(map)
                    };
                    let spec = Spec {
                        role: if is_cop { Role::Cop } else { Role::Robber },
                        map: Some(map),
                        at,
                        pursuit: pursuit + 2 * map as u32,
                        speed: if is_cop { cop } else { robber },
                        ticks_per_step: 0,
                        sight: u16::MAX,
                        mistakes: 0,
                        steering: Steering::Policy,
                        glides: false,
                    };
                    self.spawn(spec, index == 0);
                }
            }
        }
    }

    /// The speed of a side.
    fn speed(&mut self) -> u8 {
        match self.kind {
            Kind::Maps => [0, 1, 1, 2, 17, 255][self.dice.below(6)],
            _ => [1, 1, 1, 2][self.dice.below(4)],
        }
    }

    fn spawn(&mut self, mut spec: Spec, is_first_cop: bool) {
        let agent = self.cast.len();
        let map = spec.map.unwrap_or_default();
        spec.steering = match (self.kind, spec.role) {
            (Kind::Still, Role::Robber) => {
                [Steering::Steer(0, 0), Steering::External][self.dice.below(2)]
            }
            // At least one cop is free.
            (Kind::Still, Role::Cop) if !is_first_cop && self.one_in(2) => self.held(map),
            (Kind::Quiet | Kind::Time, Role::Robber) if self.one_in(3) => Steering::External,
            _ => Steering::Policy,
        };
        if self.kind == Kind::Quiet && self.one_in(8) {
            spec.sight = 6;
        }
        if self.kind == Kind::Still && spec.role == Role::Cop && !is_first_cop && self.one_in(4) {
            spec.speed = 0;
        }
        self.cast.push(Actor {
            agent,
            map,
            role: spec.role,
        });
        self.push(Op::Spawn { agent, spec });
    }

    /// A control with which the game holds an agent.
    fn held(&mut self, map: usize) -> Steering {
        match self.dice.below(3) {
            0 => Steering::Steer(0, 0),
            1 => Steering::External,
            _ => Steering::WalkTo(self.tile(map)),
        }
    }

    /// Generates the operations of a frame. `may_stop` is false near the end of the game.
    fn act(&mut self, may_stop: bool) {
        // Captured robbers go on elsewhere.
        if self.frame % 97 == 96 {
            let seed = self.seed();
            self.push(Op::Amnesty { seed });
        }
        if self.kind != Kind::Still && self.one_in(12) {
            self.step();
        }
        if self.one_in(150) {
            self.shift();
        }
        if !may_stop {
            return;
        }
        let kind = self.kind;
        match kind {
            Kind::Time if self.one_in(60) => self.time(),
            Kind::Maps if self.one_in(90) => self.maps(),
            _ if self.one_in(400) => self.save(),
            _ => {}
        }
    }

    /// A player steps, wherever the turn is. Steps of other agents are moves by the game.
    fn step(&mut self) {
        let robbers: Vec<Actor> = self
            .cast
            .iter()
            .copied()
            .filter(|it| it.role == Role::Robber)
            .collect();
        if let Some(robber) = self.dice.pick(&robbers) {
            let seed = self.seed();
            let agent = robber.agent;
            self.push(Op::Step { agent, seed });
        }
    }

    /// The game changes something, which is rare.
    fn shift(&mut self) {
        let actor = self.cast[self.dice.below(self.cast.len())];
        let (agent, map) = (actor.agent, actor.map);
        let at = self.tile(map);
        let op = match self.dice.below(12) {
            0..3 => Op::Place { agent, at },
            3 | 4 => {
                let closed = self.doors.pop().filter(|_| self.dice.below(2) == 0);
                let (map, at, change) = if let Some((map, at)) = closed {
                    (map, at, TileChange::Open)
                } else {
                    self.doors.push((map, at));
                    (map, at, TileChange::Close)
                };
                Op::Tile { map, at, change }
            }
            5 if actor.role == Role::Cop => Op::Steering {
                agent,
                steering: self.held(map),
            },
            6 if actor.role == Role::Cop => Op::Steering {
                agent,
                steering: Steering::Policy,
            },
            7 => Op::Enable { agent, yes: false },
            8 => Op::Enable { agent, yes: true },
            9 => Op::OnCapture {
                reaction: self.reaction(at),
            },
            10 => Op::OnNotice {
                reaction: self.reaction(at),
            },
            _ => Op::Swap { agent },
        };
        // The robbers of quiet games stay robbers.
        if !(matches!(op, Op::Swap { .. }) && matches!(self.kind, Kind::Quiet | Kind::Still)) {
            self.push(op);
        }
    }

    fn reaction(&mut self, at: Tile) -> Reaction {
        match self.dice.below(8) {
            0 => Reaction::MoveRobber(at),
            1 => Reaction::MoveCop(at),
            2 => Reaction::Swap(at),
            5 => Reaction::Restart(self.seed()),
            3 if self.kind == Kind::Crowd => Reaction::DespawnCop,
            4 if self.kind == Kind::Maps => Reaction::DespawnBoth,
            _ => Reaction::Nothing,
        }
    }

    /// Changes how time passes.
    fn time(&mut self) {
        let hz = [1, 10, 64, 128, 250, 1_000][self.dice.below(6)];
        let op = match self.dice.below(8) {
            0..3 => Op::Timestep { hz },
            3 | 4 => Op::MaxDelta {
                millis: [None, Some(8), Some(50), Some(250)][self.dice.below(4)],
            },
            5 => Op::Pause { yes: true },
            6 => Op::Pause { yes: false },
            _ => Op::Pace {
                percent: [0, 10, 100, 300][self.dice.below(4)],
            },
        };
        let frame = self.frame;
        let moment = Moment::Frame;
        self.ops.push(Timed { frame, moment, op });
        // Time goes on again soon.
        for op in [Op::Pause { yes: false }, Op::Pace { percent: 100 }] {
            let frame = frame + 40;
            self.ops.push(Timed { frame, moment, op });
        }
    }

    /// Maps go and come, and agents change their maps.
    fn maps(&mut self) {
        let actor = self.cast[self.dice.below(self.cast.len())];
        let map = self.dice.below(self.open.len());
        let (frame, moment) = (self.frame, Moment::Frame);
        if self.one_in(2) {
            let agent = actor.agent;
            self.push(Op::Map {
                agent,
                map: Some(map),
            });
        } else {
            let op = Op::MapGone { map };
            self.ops.push(Timed { frame, moment, op });
            let frame = frame + self.dice.below(30) as u32;
            let op = Op::MapBack { map };
            self.ops.push(Timed { frame, moment, op });
        }
    }

    fn save(&mut self) {
        let (frame, moment) = (self.frame, Moment::Frame);
        let (map, slot) = (self.dice.below(self.open.len()), self.dice.below(2));
        let seed = self.seed();
        let op = match self.dice.below(4) {
            0 | 1 => Op::Save { map, slot },
            2 => Op::Restore {
                slot,
                careless: false,
            },
            _ => Op::Detour {
                ticks: 1 + self.dice.below(24) as u32,
                seed,
            },
        };
        self.ops.push(Timed { frame, moment, op });
    }
}
