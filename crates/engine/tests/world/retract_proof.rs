//! Teams of cops on a map that folds to a retract: a pair announces the capture and keeps to that.

use crate::common::chase::noise;
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Rules, Side};
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table::Estimate;
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, PursuitSettings, PursuitWorld, RobberPlanner,
    Snapshot,
};
use std::num::NonZeroU8;

const TICKS_PER_TURN: u32 = 4;

/// The ticks after which the retract is solved.
const WARM_UP: u32 = 12;

struct Chase {
    world: PursuitWorld,
    robber: AgentId,
    cops: Vec<AgentId>,
    budget: u64,
}

impl Chase {
    /// A chase on a map with few walls whose own table the settings forbid.
    fn new(map: &TileMap, cops: usize, seed: u64, budget: u64) -> Self {
        let pair = Rules {
            cops: NonZeroU8::new(2).expect("two"),
            ..Rules::default()
        };
        let graph = Graph::new(map, Moves::Octile);
        let estimate = Estimate::new(graph.vertices(), &pair).expect("a small map");
        let mut settings = PursuitSettings {
            ticks_per_turn: TICKS_PER_TURN,
            stagger: false,
            planner: RobberPlanner::DaTrailMax,
            ..PursuitSettings::default()
        };
        settings.tables.max_bytes = estimate.bytes / 2;
        settings.tables.timing = TableTiming::Lockstep(TableSchedule {
            ticks: 4,
            times: 0,
            ticks_per_second: Some(64),
        });
        let mut world = PursuitWorld::new(map, Moves::Octile, settings);
        let cells: Vec<Cell> = graph.iter().map(|at| graph.cell(at)).collect();
        let dice = &mut Dice::new(seed);
        let mut insert = |side| {
            let cell = dice.pick(&cells).expect("a cell");
            world.insert(AgentSetup::new(side, cell))
        };
        let robber = insert(Side::Robber);
        let cops = (0..cops).map(|_| insert(Side::Cops)).collect();
        Self {
            world,
            robber,
            cops,
            budget,
        }
    }

    fn tick(&mut self, edits: &[TileEdit]) {
        self.world.begin_tick(edits);
        while let Some(request) = self.world.next_request() {
            deliver(&mut self.world, request);
        }
        self.world.arrive();
        self.world.decide(&mut Expansions(self.budget));
    }

    fn turn(&self) -> u64 {
        self.world.pursuit(0).expect("it is there").turn()
    }

    fn is_caught(&self) -> bool {
        let robber = self.world.agent(self.robber).expect("a robber");
        robber.caught().is_some()
    }

    /// What the cops have announced with their last move.
    fn promise(&self) -> Option<u16> {
        let state = |&cop| self.world.agent(cop).expect("a cop").state();
        self.cops
            .iter()
            .filter_map(|cop| state(cop).captured_within())
            .max()
    }

    /// Whether a cop makes a move of the retract instead of its plan's.
    fn is_by_guide(&self) -> bool {
        let by = |&cop| self.world.agent(cop).expect("a cop").state().decided_by;
        self.cops
            .iter()
            .any(|cop| by(cop) == DecidedBy::Policy(Source::Guide))
    }
}

fn open_map(seed: u64) -> TileMap {
    noise(&mut Dice::new(seed), 24, 20, 6)
}

#[test]
fn cops_capture_within_the_turns_that_they_announce_with_any_budget() {
    let (mut captures, mut lead, mut by_guide) = (0, 0, 0);
    for seed in 0..24 {
        let cops = [2, 3, 2, 8][seed as usize / 4 % 4];
        let mut chase = Chase::new(&open_map(seed), cops, seed, 20_000);
        for _ in 0..WARM_UP {
            chase.tick(&[]);
        }
        // With the small budgets cops follow old plans, or have none.
        chase.budget = [0, 300, 1_500, 20_000][seed as usize % 4];
        let (mut first, mut last) = (None, None);
        for _ in 0..300 * TICKS_PER_TURN {
            if chase.is_caught() {
                break;
            }
            let before = chase.turn();
            chase.tick(&[]);
            if chase.is_caught() || chase.turn() == before {
                continue;
            }
            by_guide += u32::from(chase.is_by_guide());
            let promise = chase.promise();
            if let Some(last) = last {
                let promise = promise.expect("a proof is never lost");
                assert!(promise < last, "{promise} turns after {last}, seed {seed}");
            }
            first = first.or(promise.map(|promise| (chase.turn(), promise)));
            last = promise.or(last);
        }
        let Some((turn, promise)) = first else {
            continue;
        };
        assert!(chase.is_caught(), "announced with seed {seed}");
        assert!(chase.turn() - turn <= u64::from(promise));
        captures += 1;
        lead += chase.turn() - turn;
    }
    assert!(captures >= 12, "only {captures} captures were announced");
    assert!(
        lead > 10 * captures,
        "{lead} turns before {captures} captures"
    );
    assert!(by_guide > 5, "plans were replaced only {by_guide} times");
}

#[test]
fn a_door_anywhere_ends_the_proof_in_the_same_turn() {
    let mut ended = 0;
    for seed in 0..16 {
        let map = open_map(seed);
        let mut chase = Chase::new(&map, 2, seed, 20_000);
        for _ in 0..WARM_UP {
            chase.tick(&[]);
        }
        let stands = |chase: &Chase, cell: Cell| {
            let mut agents = chase.world.agents();
            agents.any(|(_, agent)| agent.setup().cell.max_norm(cell) <= 2)
        };
        let mut cells = map.cells().filter(|&cell| map.is_passable(cell));
        let far = cells.find(|&cell| !stands(&chase, cell)).expect("a cell");
        let had_promise = chase.promise().is_some();
        let edit = TileEdit {
            cell: far,
            passable: false,
        };
        let turn = chase.turn();
        chase.tick(&[edit]);
        while chase.turn() == turn {
            chase.tick(&[]);
        }
        // A local endgame may prove a capture from now on, with its own bound.
        let by_endgame = |&cop: &AgentId| {
            let agent = chase.world.agent(cop).expect("a cop");
            agent.state().decided_by == DecidedBy::Policy(Source::Endgame)
        };
        if !chase.is_caught() && !chase.cops.iter().any(by_endgame) {
            assert_eq!(chase.promise(), None, "seed {seed}");
            ended += u32::from(had_promise);
        }
    }
    assert!(ended >= 3, "only {ended} proofs were ended");
}

#[test]
fn a_saved_chase_keeps_its_promise() {
    // Before the retract is solved and in each tick of a turn.
    for (seed, ticks) in (1..=9).zip([2, 5, 7, 9, 11, 21, 22, 23, 24]) {
        let cops = 2 + seed as usize % 3;
        let mut original = Chase::new(&open_map(seed), cops, seed, 1_500);
        for _ in 0..ticks {
            original.tick(&[]);
        }
        let bytes = postcard::to_allocvec(&original.world.snapshot()).expect("a snapshot");
        let saved: Snapshot = postcard::from_bytes(&bytes).expect("a snapshot");
        let mut copy = Chase {
            world: PursuitWorld::from_snapshot(saved).expect("a snapshot"),
            robber: original.robber,
            cops: original.cops.clone(),
            budget: original.budget,
        };
        let saved = original.world.snapshot();
        let mut played = Vec::new();
        for number in 0..200 {
            original.tick(&[]);
            copy.tick(&[]);
            assert_eq!(original.promise(), copy.promise(), "tick {number}");
            let hashes = [&original, &copy].map(|chase| chase.world.position_hash());
            assert_eq!(hashes[0], hashes[1], "tick {number}");
            played.push((original.promise(), hashes[0]));
        }
        // In the same world the work was done before, and counts again.
        original.world.restore(saved).expect("a snapshot");
        for (number, before) in played.into_iter().enumerate() {
            original.tick(&[]);
            let now = (original.promise(), original.world.position_hash());
            assert_eq!(now, before, "tick {number}, played again");
        }
    }
}
