//! Agents that keep their direction.

use crate::common::hall::settings;
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Expansions, PursuitClock, PursuitWorld, Tactics, WorldEvent,
};
use std::collections::BTreeMap;

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

/// A random game, and where each of its agents comes from.
struct Game {
    world: PursuitWorld,
    ids: Vec<AgentId>,
    came_from: BTreeMap<AgentId, Cell>,
}

impl Game {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut map = TileMap::filled(14, 11, Terrain::Floor).expect("some cells");
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(3) == 0 {
                map.set(at, Terrain::Wall);
            }
        }
        let moves = [Moves::Orthogonal, Moves::Octile][dice.below(2)];
        let clock = CLOCKS[seed as usize % 3];
        let mut world = PursuitWorld::new(&map, moves, settings(clock));
        let cells: Vec<Cell> = map.cells().filter(|&at| map.is_passable(at)).collect();
        let tactics = [
            None,
            Some(Tactics::Chase),
            Some(Tactics::Flank),
            Some(Tactics::Shy(5)),
        ];
        let is_solid = dice.below(2) == 0;
        let ids = (0..6).map(|number| {
            let side = if number < 4 { Side::Cops } else { Side::Robber };
            world.insert(AgentSetup {
                keeps_direction: true,
                tactics: tactics[dice.below(4)].filter(|_| side == Side::Cops),
                is_solid: is_solid && number < 4,
                ..AgentSetup::new(side, cells[dice.below(cells.len())])
            })
        });
        let ids = ids.collect();
        Self {
            world,
            ids,
            came_from: BTreeMap::new(),
        }
    }

    /// Plays a tick, and returns the steps that lead back, each with whether there was another one.
    fn tick(&mut self) -> Vec<(AgentId, bool)> {
        let Self {
            world,
            ids,
            came_from,
        } = self;
        world.begin_tick(&[]);
        let before: Vec<Cell> = ids.iter().map(|&id| cell(world, id)).collect();
        world.arrive();
        for (&id, &before) in ids.iter().zip(&before) {
            if cell(world, id) != before {
                came_from.insert(id, before);
            }
        }
        let captured = world.events().iter().filter_map(|event| match *event {
            WorldEvent::Captured { robber, .. } => Some(robber),
            _ => None,
        });
        let captured: Vec<AgentId> = captured.collect();
        for robber in captured {
            world.erase(robber);
            ids.retain(|&id| id != robber);
        }
        world.decide(&mut Expansions(2_000));
        let graph = world.graph();
        let mut back = Vec::new();
        for &id in &*ids {
            let agent = world.agent(id).expect("there");
            let (Some(&first), Some(&from)) = (agent.way().first(), came_from.get(&id)) else {
                continue;
            };
            if agent.times().0 == world.tick() && graph.cell(first) == from {
                let here = graph.vertex(agent.setup().cell).expect("on floor");
                let others = graph.neighbours(here);
                back.push((id, others.iter().any(|&next| graph.cell(next) != from)));
            }
        }
        back
    }
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("there").setup().cell
}

/// No agent steps back where it can step anywhere else, unless solid agents stand in its way.
#[test]
fn nobody_turns_back_that_could_go_on() {
    let (mut steps, mut forced, mut crowded) = (0, 0, 0);
    for seed in 0..500 {
        let mut game = Game::new(seed);
        for now in 0..160 {
            for (id, has_other) in game.tick() {
                let is_solid = game.world.agent(id).expect("there").setup().is_solid;
                assert!(!has_other || is_solid, "seed {seed}, tick {now}, {id:?}");
                forced += u32::from(!has_other);
                crowded += u32::from(has_other);
            }
            let ids = game.ids.iter();
            let moving = ids.filter(|&&id| !game.world.agent(id).expect("there").way().is_empty());
            steps += moving.count();
        }
    }
    assert!(steps > 100_000 && forced > 100, "{steps} {forced}");
    assert!(crowded < forced, "{crowded} {forced}");
}
