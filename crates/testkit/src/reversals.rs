//! How often agents turn back while nothing changes.

use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitSetup,
    PursuitWorld, Tactics,
};

/// The number of turns of a game.
pub const TURNS: u64 = 200;
const LENGTH: u32 = 4;

/// What the player does that the agents deal with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// It stands.
    Stands,
    /// It steps over the border of two tiles, to and fro.
    Trembles,
}

/// Who is looked at.
#[derive(Debug, Clone, Copy)]
pub enum Who {
    /// So many cops with these tactics.
    Cops(Tactics, usize),
    /// A robber.
    Robber,
}

/// The steps of an agent, and its reversals.
#[derive(Debug, Default)]
struct Steps {
    last: Option<Cell>,
    before: Option<Cell>,
    reversals: u32,
}

impl Steps {
    fn note(&mut self, cell: Cell) {
        if self.last != Some(cell) {
            self.reversals += u32::from(self.before == Some(cell));
            (self.before, self.last) = (self.last, Some(cell));
        }
    }

    fn forget(&mut self) {
        (self.before, self.last) = (None, None);
    }
}

/// A game of agents against a player.
#[derive(Debug, Clone, Copy)]
pub struct Game {
    /// Who is looked at.
    pub who: Who,
    /// The player.
    pub player: Player,
    /// The clock, with four ticks in a turn.
    pub clock: PursuitClock,
    /// The expansions in a tick.
    pub budget: u64,
    /// The seed of the places where agents begin.
    pub seed: u64,
}

impl Game {
    /// The reversals in 100 turns of an agent: the steps back to the tile that the step before has left.
    ///
    /// # Panics
    /// If the map has no passable cell.
    #[must_use]
    pub fn reversals(self, map: &TileMap) -> f64 {
        let Self {
            who,
            player,
            clock,
            budget,
            seed,
        } = self;
        let settings = PursuitSettings {
            ticks_per_turn: LENGTH,
            clock,
            ..PursuitSettings::default()
        };
        let mut world = PursuitWorld::new(map, Moves::Octile, settings);
        let mut dice = Dice::new(seed);
        let cells: Vec<Cell> = world
            .graph()
            .iter()
            .map(|at| world.graph().cell(at))
            .collect();
        let mut any = || cells[dice.below(cells.len())];
        let (side, many) = match who {
            Who::Cops(_, many) => (Side::Cops, many),
            Who::Robber => (Side::Robber, 1),
        };
        if let Who::Cops(tactics, _) = who {
            let setup = PursuitSetup {
                clock: None,
                tactics: Some(tactics),
            };
            world.set_up_pursuit(0, setup);
        }
        let ids: Vec<AgentId> = (0..many)
            .map(|_| world.insert(AgentSetup::new(side, any())))
            .collect();
        let other = match side {
            Side::Cops => Side::Robber,
            Side::Robber => Side::Cops,
        };
        let opponent = world.insert(AgentSetup {
            control: Control::External,
            ..AgentSetup::new(other, any())
        });
        let mut steps: Vec<Steps> = ids.iter().map(|_| Steps::default()).collect();
        let mut home = world.agent(opponent).expect("there").setup().cell;
        for now in 1..=TURNS * u64::from(LENGTH) {
            if player == Player::Trembles {
                let graph = world.graph();
                let at = graph.vertex(home).expect("floor");
                let beside = graph.neighbours(at).first().map(|&next| graph.cell(next));
                let to = if now % 3 == 0 { beside } else { Some(home) };
                world.place(opponent, to.unwrap_or(home));
            }
            world.begin_tick(&[]);
            world.arrive();
            let robber = if side == Side::Robber {
                ids[0]
            } else {
                opponent
            };
            if world.agent(robber).expect("there").caught().is_some() {
                // The level begins again elsewhere.
                home = any();
                world.place(opponent, home);
                for &id in &ids {
                    world.place(id, any());
                }
                world.release(robber);
                steps.iter_mut().for_each(Steps::forget);
            }
            for (steps, &id) in steps.iter_mut().zip(&ids) {
                steps.note(world.agent(id).expect("there").setup().cell);
            }
            world.decide(&mut Expansions(budget));
        }
        let reversals: u32 = steps.iter().map(|steps| steps.reversals).sum();
        100.0 * f64::from(reversals) / (TURNS as f64 * many as f64)
    }
}
