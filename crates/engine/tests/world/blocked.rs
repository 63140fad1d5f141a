//! Bodies that could not go where their agents went: crates that the world does not know.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitWorld};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

/// A game in which crates are on some cells.
struct Yard {
    world: PursuitWorld,
    crates: Vec<Cell>,
    blocked: u32,
}

impl Yard {
    fn new(clock: PursuitClock, rows: &[&str], crates: &[(u16, u16)]) -> Self {
        Self {
            world: PursuitWorld::new(&map(rows), Moves::Octile, settings(clock)),
            crates: crates.iter().map(|&(x, y)| Cell::new(x, y)).collect(),
            blocked: 0,
        }
    }

    /// The cell that the body of an agent comes to next.
    fn next_cell(&self, id: AgentId) -> Option<Cell> {
        let agent = self.world.agent(id)?;
        let (departs, arrives) = agent.times();
        let gone = (self.world.tick() - departs) * u64::from(agent.pace());
        let walked = usize::try_from(gone / (arrives - departs).max(1)).ok()?;
        let next = agent.way().get(walked)?;
        Some(self.world.graph().cell(*next))
    }

    /// Plays a tick, in which bodies stop where they would come onto a crate.
    fn tick(&mut self) {
        self.world.begin_tick(&[]);
        self.world.arrive();
        self.world.decide(&mut Expansions(10_000));
        let ids: Vec<AgentId> = self.world.agents().map(|(id, _)| id).collect();
        for id in ids {
            if self
                .next_cell(id)
                .is_some_and(|next| self.crates.contains(&next))
            {
                let cell = self.world.block(id, 8).expect("on its way");
                let agent = self.world.agent(id).expect("there");
                assert!(agent.way().is_empty() && agent.setup().cell != cell);
                self.blocked += 1;
            }
        }
        for (id, agent) in self.world.agents() {
            assert!(!self.crates.contains(&agent.setup().cell), "{id:?}");
        }
    }
}

fn caught(world: &PursuitWorld, id: AgentId) -> bool {
    world
        .agent(id)
        .is_some_and(|agent| agent.caught().is_some())
}

#[test]
fn a_cop_walks_around_a_crate_that_it_ran_into() {
    for clock in CLOCKS {
        let rows = ["..........", "..........", ".........."];
        let mut yard = Yard::new(clock, &rows, &[(4, 1), (5, 1), (4, 0)]);
        let cop = yard.world.insert(AgentSetup {
            speed: Speed::new(2).expect("a speed"),
            ..agent(Side::Cops, 0, 1)
        });
        let robber = yard.world.insert(AgentSetup {
            is_immobile: true,
            ..agent(Side::Robber, 9, 1)
        });
        for _ in 0..30 * LENGTH {
            yard.tick();
        }
        let where_it_is = yard.world.agent(cop).expect("there").setup().cell;
        assert!(yard.blocked > 0, "{clock:?}");
        assert!(caught(&yard.world, robber), "{clock:?} {where_it_is:?}");
    }
}

#[test]
fn nobody_gets_through_a_crate_in_a_corridor_and_nobody_is_captured_behind_it() {
    for clock in CLOCKS {
        let mut yard = Yard::new(clock, &[".........."], &[(5, 0)]);
        yard.world.insert(AgentSetup {
            speed: Speed::new(4).expect("a speed"),
            ..agent(Side::Cops, 3, 0)
        });
        let robber = yard.world.insert(AgentSetup {
            is_immobile: true,
            ..agent(Side::Robber, 6, 0)
        });
        let goal = Cell::new(9, 0);
        let walker = yard.world.insert(AgentSetup {
            control: Control::WalkTo(goal),
            ..agent(Side::Cops, 0, 0)
        });
        for _ in 0..40 * LENGTH {
            yard.tick();
        }
        assert!(!caught(&yard.world, robber), "{clock:?}");
        // The crate is gone, and after some turns they try again.
        yard.crates.clear();
        for _ in 0..40 * LENGTH {
            yard.tick();
        }
        assert!(caught(&yard.world, robber), "{clock:?}");
        let agent = yard.world.agent(walker).expect("there");
        assert_eq!(agent.setup().cell, goal, "{clock:?}");
    }
}

#[test]
fn a_restored_game_knows_what_was_in_the_way() {
    for clock in CLOCKS {
        let rows = ["........", "........", "..####..", "........"];
        let mut yard = Yard::new(clock, &rows, &[(3, 1), (4, 0), (6, 3), (3, 3), (4, 1)]);
        let dice = &mut Dice::new(3);
        for index in 0..6 {
            let side = [Side::Cops, Side::Robber][usize::from(index > 3)];
            let left = if side == Side::Robber { 5 } else { 0 };
            let (x, y) = (left + dice.below(3) as u16, dice.below(2) as u16);
            yard.world.insert(AgentSetup {
                is_solid: index % 2 == 0,
                ..agent(side, x, y)
            });
        }
        for tick in 0..20 * LENGTH {
            yard.tick();
            if tick % 16 == 5 {
                let world = PursuitWorld::from_snapshot(yard.world.snapshot()).expect("sound");
                let mut other = Yard {
                    world,
                    crates: yard.crates.clone(),
                    blocked: 0,
                };
                let saved = yard.world.snapshot();
                for _ in 0..LENGTH {
                    yard.tick();
                    other.tick();
                    let hashes = [&yard, &other].map(|game| game.world.position_hash());
                    assert_eq!(hashes[0], hashes[1], "{clock:?}");
                }
                yard.world.restore(saved).expect("sound");
            }
        }
        assert!(yard.blocked > 3, "{clock:?} {}", yard.blocked);
        let (gone, _) = yard.world.agents().next().expect("somebody");
        yard.world.remove(gone);
        assert_eq!(yard.world.block(gone, 1), None);
    }
}
