//! Pursuits on maps too large for tables: the cops play by local tables where these prove a capture.

use crate::common::town;
use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, PursuitSettings, PursuitWorld,
};

const TICKS_PER_TURN: u32 = 4;

/// A chase of two cops or more in rooms with doors, without any table of the whole map.
struct Chase {
    world: PursuitWorld,
    cops: Vec<AgentId>,
    robber: AgentId,
    doors: Vec<Cell>,
    /// Expansions of a tick.
    budget: u64,
}

impl Chase {
    fn new(seed: u64) -> Self {
        Self::with_budget(seed, 40_000)
    }

    fn with_budget(seed: u64, budget: u64) -> Self {
        Self::of(2, seed, budget)
    }

    fn of(cops: usize, seed: u64, budget: u64) -> Self {
        let town::Town { map, doors } = town::rooms(40, 40, 3);
        let mut settings = PursuitSettings {
            ticks_per_turn: TICKS_PER_TURN,
            ..PursuitSettings::default()
        };
        settings.tables.max_bytes = 1;
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let mut dice = Dice::new(seed);
        let mut insert = |side| {
            let cell = free[dice.below(free.len())];
            world.insert(AgentSetup::new(side, cell))
        };
        let cops = (0..cops).map(|_| insert(Side::Cops)).collect();
        let robber = insert(Side::Robber);
        Self {
            world,
            cops,
            robber,
            doors,
            budget,
        }
    }

    fn tick(&mut self, edits: &[TileEdit]) {
        self.world.begin_tick(edits);
        self.world.arrive();
        self.world.decide(&mut Expansions(self.budget));
    }

    fn turn(&self) -> u64 {
        self.world.pursuit(0).expect("it is there").turn()
    }

    /// The turn and the bound, if a cop has just decided by a proof.
    fn proven(&self) -> Option<(u64, u16)> {
        let bound = self.cops.iter().find_map(|&cop| {
            let state = self.world.agent(cop)?.state();
            let is_proven = state.decided_by == DecidedBy::Policy(Source::Endgame);
            state.captured_within().filter(|_| is_proven)
        });
        Some((self.turn(), bound?))
    }

    /// The latest turn with a proof, and its bound, after that of `last`: bounds fall with each turn.
    fn bound_after(&self, last: Option<(u64, u16)>) -> Option<(u64, u16)> {
        let now = self.proven();
        if let Some((turn, bound)) = last
            && self.turn() > turn
        {
            let (_, next) = now.expect("a proof is never lost");
            assert!(next < bound, "{next} turns after {bound}");
        }
        now.or(last)
    }

    fn is_caught(&self) -> bool {
        let robber = self.world.agent(self.robber).expect("a robber");
        robber.caught().is_some()
    }

    /// What is seen of a chase.
    fn positions(&self) -> Vec<(Cell, DecidedBy)> {
        let agents = self.world.agents();
        let agent = |(_, agent): (AgentId, &pursuit_engine::world::AgentRecord)| {
            (agent.setup().cell, agent.state().decided_by)
        };
        agents.map(agent).collect()
    }
}

#[test]
fn a_capture_comes_within_every_bound_that_is_told() {
    let (mut announced, mut captures) = (0, 0);
    for seed in 0..18 {
        let mut chase = Chase::of(2 + seed as usize % 3, seed, 40_000);
        let mut last: Option<(u64, u16)> = None;
        for _ in 0..400 * TICKS_PER_TURN {
            chase.tick(&[]);
            if chase.is_caught() {
                break;
            }
            last = chase.bound_after(last);
        }
        captures += u32::from(chase.is_caught());
        announced += u32::from(chase.is_caught() && last.is_some());
        assert!(chase.is_caught() || last.is_none());
    }
    assert!(
        captures >= 9 && announced + 1 >= captures,
        "{announced} of {captures}"
    );
}

/// A second cop at the other end of a long corridor takes no part, and the game can be saved at any time.
#[test]
fn a_region_never_becomes_too_large_for_a_saved_game() {
    let map = TileMap::filled(260, 1, Terrain::Floor).expect("a map");
    let mut settings = PursuitSettings::default();
    settings.tables.max_bytes = 1;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let mut insert = |side, x| world.insert(AgentSetup::new(side, Cell::new(x, 0)));
    let cops = [insert(Side::Cops, 6), insert(Side::Cops, 220)];
    let robber = insert(Side::Robber, 2);
    let mut is_proven = false;
    for tick in 0..10 * PursuitSettings::default().ticks_per_turn {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(20_000));
        let restored = PursuitWorld::from_snapshot(world.snapshot());
        assert!(restored.is_ok(), "tick {tick}: {:?}", restored.err());
        let is_free = world
            .agent(robber)
            .is_some_and(|robber| robber.caught().is_none());
        let bound = world
            .agent(cops[0])
            .and_then(|cop| cop.state().captured_within());
        is_proven |= is_free && bound.is_some();
    }
    assert!(
        is_proven,
        "one cop captures the robber at the end of the corridor"
    );
}

/// A cop that joins late in a turn is under way when the next one begins. The others go on with their proof.
#[test]
fn a_cop_that_comes_late_does_not_end_a_proof() {
    let mut joined = 0;
    for seed in 0..12 {
        let mut chase = Chase::new(seed);
        let mut last: Option<(u64, u16)> = None;
        let mut has_joined = false;
        for _ in 0..400 * TICKS_PER_TURN {
            chase.tick(&[]);
            if chase.is_caught() {
                break;
            }
            last = chase.bound_after(last);
            let (_, ends) = chase.world.pursuit(0).expect("it is there").turn_ticks();
            if !has_joined && last.is_some() && chase.world.tick() + 1 == ends {
                let free = chase.doors[0];
                let control = Control::WalkTo(chase.doors[1]);
                let late = AgentSetup::new(Side::Cops, free);
                chase.world.insert(AgentSetup { control, ..late });
                (has_joined, joined) = (true, joined + 1);
            }
        }
    }
    assert!(joined > 3, "only {joined} cops joined");
}

/// Plays chases to the end. Returns the captures, how many of them were announced, and the sum of the turns between.
fn announced(chases: impl Iterator<Item = Chase>) -> (u32, u32, u64) {
    let (mut captures, mut announced, mut lead) = (0, 0, 0);
    for mut chase in chases {
        let mut first = None;
        for _ in 0..300 * TICKS_PER_TURN {
            chase.tick(&[]);
            if chase.is_caught() {
                captures += 1;
                announced += u32::from(first.is_some());
                lead += first.map_or(0, |first| chase.turn() - first);
                break;
            }
            first = first.or(chase.proven().map(|(turn, _)| turn));
        }
    }
    (captures, announced, lead)
}

#[test]
fn small_budgets_announce_captures_too_but_later() {
    let told = [500, 1_500, 5_000].map(|budget| {
        let chases = (0..24).map(move |seed| Chase::with_budget(seed, budget));
        announced(chases)
    });
    // With regions begun only where 4,500 expansions of a tick are left none was announced below that.
    for (captures, announced, _) in told {
        assert!(captures >= 20 && 4 * announced >= 3 * captures, "{told:?}");
    }
}

#[test]
fn a_door_in_a_region_ends_its_proof_in_the_same_tick() {
    let (mut ended, mut dice) = (0, Dice::new(1));
    for seed in 0..12 {
        let mut chase = Chase::new(seed);
        let mut is_open = vec![true; chase.doors.len()];
        for _ in 0..200 * TICKS_PER_TURN {
            if chase.is_caught() {
                break;
            }
            let door = dice.below(chase.doors.len());
            let cell = chase.doors[door];
            let vertex = chase.world.graph().vertex(cell);
            let holds = |chase: &Chase| {
                let mut regions = chase.world.endgames().regions();
                vertex.is_some_and(|vertex| regions.any(|region| region.contains(&vertex)))
            };
            let held = holds(&chase);
            let swings = dice.below(20) == 0;
            if !swings {
                chase.tick(&[]);
                continue;
            }
            is_open[door] ^= true;
            chase.world.begin_tick(&[TileEdit {
                cell,
                passable: is_open[door],
            }]);
            if held && !is_open[door] {
                assert!(!holds(&chase));
                ended += 1;
            }
            chase.world.arrive();
            chase.world.decide(&mut Expansions(40_000));
        }
    }
    assert!(ended > 0, "no door was in a region");
}

#[test]
fn a_snapshot_continues_in_the_middle_of_an_endgame() {
    for seed in 0..4 {
        let mut chase = Chase::new(seed);
        let mut copies: Vec<PursuitWorld> = Vec::new();
        for tick in 0..150 * TICKS_PER_TURN {
            chase.tick(&[]);
            for copy in &mut copies {
                copy.begin_tick(&[]);
                copy.arrive();
                copy.decide(&mut Expansions(40_000));
            }
            if tick % 97 == 0 {
                let copy = PursuitWorld::from_snapshot(chase.world.snapshot());
                copies.push(copy.expect("a sound snapshot"));
            }
            if chase.is_caught() {
                break;
            }
        }
        let expected = chase.positions();
        for copy in copies {
            let agents = copy.agents();
            let agents = agents.map(|(_, agent)| (agent.setup().cell, agent.state().decided_by));
            assert_eq!(agents.collect::<Vec<_>>(), expected, "seed {seed}");
        }
    }
}

/// The cells of a region by the vertices beside each other: those with a neighbour outside.
fn exits_by_neighbours(world: &PursuitWorld, cells: &[Cell]) -> Vec<Cell> {
    let graph = world.graph();
    let leads_out = |cell: &&Cell| {
        let vertex = graph.vertex(**cell).expect("floor");
        let beside = graph.neighbours(vertex).iter();
        beside
            .clone()
            .any(|&beside| !cells.contains(&graph.cell(beside)))
    };
    cells.iter().filter(leads_out).copied().collect()
}

#[test]
fn the_region_that_is_told_is_that_of_the_cops_that_move_by_the_proof() {
    let (mut told, mut with_exits, mut restored) = (0, 0, 0);
    for seed in 0..6 {
        let mut chase = Chase::new(seed);
        for tick in 0..200 * TICKS_PER_TURN {
            chase.tick(&[]);
            if chase.is_caught() {
                assert_eq!(chase.world.endgame_region(0), None);
                break;
            }
            let region = chase.world.endgame_region(0);
            let by_proof = |id: &&AgentId| {
                let agent = chase.world.agent(**id).expect("a cop");
                agent.state().decided_by == DecidedBy::Policy(Source::Endgame)
            };
            let cops = chase.cops.iter().filter(by_proof);
            let cell = |id: &AgentId| chase.world.agent(*id).expect("it is there").setup().cell;
            let mut players: Vec<Cell> = cops.map(cell).collect();
            players.sort_unstable();
            let Some(region) = region else {
                assert_eq!(players, [], "a proof has a region");
                continue;
            };
            told += 1;
            let first = chase.cops.iter().find(by_proof).expect("a cop");
            let bound = chase
                .world
                .agent(*first)
                .and_then(|cop| cop.state().captured_within());
            assert_eq!(Some(region.bound.0), bound);
            // Guards move by the proof, too.
            let mut by_region = [region.players.clone(), region.guards.clone()].concat();
            by_region.sort_unstable();
            assert_eq!(by_region, players);
            assert!(region.contains(cell(&chase.robber)));
            assert!(region.players.iter().all(|&player| region.contains(player)));
            assert_eq!(
                region.exits,
                exits_by_neighbours(&chase.world, &region.cells)
            );
            with_exits += u32::from(!region.exits.is_empty());
            if tick % 5 == 0 {
                let copy = PursuitWorld::from_snapshot(chase.world.snapshot()).expect("sound");
                assert_eq!(copy.endgame_region(0), Some(region));
                restored += 1;
            }
        }
    }
    assert!(
        told > 50 && with_exits > 20 && restored > 5,
        "{told} {with_exits} {restored}"
    );
}

#[test]
fn a_region_is_told_no_more_from_the_tick_on_in_which_a_wall_comes_into_it() {
    let mut ended = 0;
    for seed in 0..12 {
        let mut chase = Chase::new(seed);
        for _ in 0..200 * TICKS_PER_TURN {
            chase.tick(&[]);
            let Some(region) = chase.world.endgame_region(0) else {
                continue;
            };
            let occupied: Vec<Cell> = chase.positions().iter().map(|(cell, _)| *cell).collect();
            let free = region.cells.iter().find(|cell| !occupied.contains(cell));
            let cell = *free.expect("a cell without an agent");
            let wall = TileEdit {
                cell,
                passable: false,
            };
            chase.world.begin_tick(&[wall]);
            let now = chase.world.endgame_region(0);
            assert!(now.is_none_or(|now| !now.contains(cell)));
            ended += 1;
            break;
        }
    }
    assert!(ended > 5, "{ended}");
}
