//! Nobody waits for a cop that does not come: a robber that stands still is captured by the cops that the world moves, in
//! about the time of a shortest path, whatever else is in the pursuit. The path is that of the nearest cop if the robber
//! cannot move, and that of the farthest cop if it could: a robber that waits may still be cut off.

use crate::common::chase::{maze, noise};
use crate::common::table_cache::deliver;
use proptest::prelude::*;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Terrain, TileMap};
use pursuit_engine::search::{Dice, Distances};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitWorld, Tactics,
};

/// The turns beyond those of a shortest path that a capture may take.
const FEW: u32 = 8;

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::Simultaneous,
    PursuitClock::FreeRunning,
];

/// A game on a random map, with a robber that stands still.
struct Standing {
    world: PursuitWorld,
    robber: AgentId,
    /// The cops that the world moves.
    cops: Vec<AgentId>,
    /// Cops that the game is about to hold.
    soon_held: Vec<(u32, AgentId, Control)>,
    /// Whether there are other robbers, which cops may chase first.
    has_rivals: bool,
    about: String,
}

fn ring(width: u16, height: u16) -> TileMap {
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for cell in map.cells() {
        let is_inside = (1..width - 1).contains(&cell.x) && (1..height - 1).contains(&cell.y);
        if is_inside {
            map.set(cell, Terrain::Wall);
        }
    }
    map
}

fn any_map(dice: &mut Dice) -> TileMap {
    let (width, height) = (5 + dice.below(14) as u16, 5 + dice.below(10) as u16);
    match dice.below(6) {
        0 => ring(width, height),
        1 => noise(dice, width, height, 0),
        2 => noise(dice, width, height, 10),
        3 => noise(dice, width, height, 25),
        4 => noise(dice, 2 * width, height, 12),
        _ => maze(dice, width | 1, height | 1),
    }
}

/// A control by which an agent does not chase anybody.
fn held(dice: &mut Dice, somewhere: Cell) -> Control {
    match dice.below(4) {
        0 => Control::External,
        1 => Control::WalkTo(somewhere),
        _ => Control::Steer { dx: 0, dy: 0 },
    }
}

impl Standing {
    fn new(seed: u64) -> Self {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice);
        let moves = pursuit_testkit::rolled_moves(dice);
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let clock = CLOCKS[dice.below(3)];
        let tactics = [Tactics::Intercept, Tactics::Chase][dice.below(4) / 3];
        let mut settings = PursuitSettings {
            ticks_per_turn: [1, 4, 16][dice.below(3)],
            clock,
            tactics,
            stagger: dice.below(2) == 0,
            ..PursuitSettings::default()
        };
        settings.tables.solve = dice.below(3) == 0;
        // Large tables take too long for a test.
        settings.tables.max_bytes = 1 << 19;
        let place = |dice: &mut Dice| free[dice.below(free.len())];
        let speed = |dice: &mut Dice| Speed::new(1 + dice.below(5) as u8 / 3).expect("a speed");
        let mut world = PursuitWorld::new(&map, moves, settings);
        let stands = AgentSetup {
            speed: speed(dice),
            ..AgentSetup::new(Side::Robber, place(dice))
        };
        let robber = world.insert(match dice.below(4) {
            0 => AgentSetup {
                is_immobile: true,
                ..stands
            },
            1 => AgentSetup {
                control: Control::External,
                ..stands
            },
            _ => AgentSetup {
                control: Control::Steer { dx: 0, dy: 0 },
                ..stands
            },
        });
        let mut soon_held = Vec::new();
        let mut cops = Vec::new();
        let same = speed(dice);
        for _ in 0..=dice.below(4) {
            let cop = world.insert(AgentSetup {
                speed: same,
                ..AgentSetup::new(Side::Cops, place(dice))
            });
            // One cop at least goes on.
            if !cops.is_empty() && dice.below(4) == 0 {
                let (when, somewhere) = (dice.below(12) as u32, place(dice));
                soon_held.push((when, cop, held(dice, somewhere)));
            } else {
                cops.push(cop);
            }
        }
        for _ in 0..dice.below(4) {
            let far = AgentSetup {
                speed: speed(dice),
                ..AgentSetup::new(Side::Cops, place(dice))
            };
            // Mostly one that stands near the robber.
            let near = Cell::new(stands.cell.x + 1, stands.cell.y);
            let is_near = dice.below(3) > 0 && map.contains(near) && map.is_passable(near);
            let cell = if is_near { near } else { far.cell };
            let is_immobile = dice.below(3) == 0;
            let control = if is_immobile && dice.below(2) == 0 {
                Control::Policy
            } else {
                let somewhere = place(dice);
                held(dice, somewhere)
            };
            world.insert(AgentSetup {
                cell,
                is_immobile,
                control,
                ..far
            });
        }
        let rivals = dice.below(3).saturating_sub(1);
        for _ in 0..rivals {
            world.insert(AgentSetup::new(Side::Robber, place(dice)));
        }
        for number in 0..dice.below(6) as u32 / 2 {
            world.insert(AgentSetup {
                pursuit: 1 + number / 2,
                ..AgentSetup::new(Side::Cops, place(dice))
            });
        }
        let about = format!(
            "{clock:?} {tactics:?} {moves:?} {}x{}, {} cops and {} soon held, {:?} {} {rivals} rivals",
            map.width(),
            map.height(),
            cops.len(),
            soon_held.len(),
            stands.cell,
            world.settings().tables.solve
        );
        Self {
            world,
            robber,
            cops,
            soon_held,
            has_rivals: rivals > 0,
            about,
        }
    }

    /// The ticks in which the nearest cop that goes on arrives at a robber that cannot move, and twice those of the
    /// farthest cop at one that could: cops may wait for a cop that the game is about to hold, and go round then.
    fn least_ticks(&self) -> Option<u32> {
        let graph: &Graph = self.world.graph();
        let at = |id| -> Option<Vertex> { graph.vertex(self.world.agent(id)?.setup().cell) };
        let mut distances = Distances::default();
        distances.measure(graph, at(self.robber)?);
        let turn = self.world.settings().ticks_per_turn;
        let waits = matches!(self.world.settings().clock, PursuitClock::Turns)
            && !self.world.agent(self.robber)?.setup().is_immobile;
        let soon_held = self.soon_held.iter().map(|(_, cop, _)| cop);
        let cops = self.cops.iter().chain(soon_held.filter(|_| waits));
        let ticks = cops.filter_map(|&cop| {
            let speed = u32::from(self.world.agent(cop)?.setup().speed.steps());
            let steps = distances.steps(at(cop)?)?;
            Some(match self.world.settings().clock {
                PursuitClock::FreeRunning => steps * (turn / speed).max(1),
                _ => steps.div_ceil(speed) * turn,
            })
        });
        if waits {
            Some(2 * ticks.max()?)
        } else {
            ticks.min()
        }
    }

    fn tick(&mut self) {
        self.world.begin_tick(&[]);
        while let Some(request) = self.world.next_request() {
            deliver(&mut self.world, request);
        }
        self.world.arrive();
        self.world.decide(&mut Expansions(10_000));
    }

    fn is_caught(&self) -> bool {
        self.world
            .agent(self.robber)
            .expect("a robber")
            .caught()
            .is_some()
    }

    /// Plays on until the capture. Returns the turns beyond those of the shortest path.
    fn play(&mut self) -> Result<u32, String> {
        let Some(least) = self.least_ticks() else {
            return Ok(0);
        };
        let turn = self.world.settings().ticks_per_turn;
        let few = if self.has_rivals { 3 * FEW } else { FEW };
        for tick in 0..least + (few + 1) * turn {
            self.soon_held.retain(|&(when, cop, control)| {
                if when * turn == tick {
                    self.world.change(cop, |setup| setup.control = control);
                }
                when * turn > tick
            });
            self.tick();
            if self.is_caught() {
                return Ok(tick.saturating_sub(least) / turn);
            }
        }
        let of = |&cop| {
            let agent = self.world.agent(cop).expect("a cop");
            (
                agent.setup().cell,
                agent.state().decided_by,
                agent.state().reason,
            )
        };
        let cops: Vec<_> = self.cops.iter().map(of).collect();
        Err(format!(
            "free after {least} ticks and {few} turns of {turn}: {}, {cops:?}",
            self.about
        ))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_robber_that_stands_still_is_captured_whatever_else_is_in_the_pursuit(seed in any::<u64>()) {
        let result = Standing::new(seed).play();
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}
