//! Three cops that play by a table of pairs on a map that folds: a retract for three helps them.

use crate::common::chase::noise;
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::{
    Merge, RetractGuide, RetractGuideSolver, Source, SubsetGuide, SubsetPlayer,
};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Estimate, Solution, Solver};
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, PursuitSettings, PursuitWorld,
};
use std::num::NonZeroU8;

const BUDGET: u64 = 200_000;
const TICKS_PER_TURN: u32 = 4;

fn rules(cops: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("some cops"),
        ..Rules::default()
    }
}

struct Chase {
    world: PursuitWorld,
    robber: AgentId,
    cops: Vec<AgentId>,
    /// The cops of the requests for other graphs than the map.
    guides: Vec<u8>,
    cells: Vec<Cell>,
}

impl Chase {
    /// A world whose settings allow a table of two cops and a retract for three, but no table of three cops.
    fn new(cops: usize) -> Self {
        let map = noise(&mut Dice::new(4), 14, 12, 12);
        let graph = Graph::new(&map, Moves::Octile);
        let bytes = |vertices, cops| {
            let estimate = Estimate::new(vertices, &rules(cops));
            estimate.expect("a small map").bytes
        };
        let vertices = graph.vertices();
        let mut settings = PursuitSettings {
            ticks_per_turn: TICKS_PER_TURN,
            stagger: false,
            ..PursuitSettings::default()
        };
        settings.tables.max_bytes = bytes(vertices, 2).max(bytes(vertices / 2, 3));
        assert!(settings.tables.max_bytes < bytes(vertices, 3));
        settings.tables.timing = TableTiming::Lockstep(TableSchedule {
            ticks: 4,
            times: 0,
            ticks_per_second: Some(64),
        });
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let cells: Vec<Cell> = graph.iter().map(|at| graph.cell(at)).collect();
        let robber = world.insert(AgentSetup::new(Side::Robber, cells[0]));
        let ends = cells.iter().rev().take(cops);
        let cops = ends.map(|&cell| world.insert(AgentSetup::new(Side::Cops, cell)));
        let mut cops: Vec<AgentId> = cops.collect();
        cops.sort_unstable();
        Self {
            world,
            robber,
            cops,
            guides: Vec::new(),
            cells,
        }
    }

    fn tick(&mut self) {
        self.guides.extend(tick(&mut self.world, BUDGET));
    }

    fn cell(&self, id: AgentId) -> Cell {
        self.world.agent(id).expect("an agent").setup().cell
    }

    fn is_caught(&self) -> bool {
        let robber = self.world.agent(self.robber).expect("a robber");
        robber.caught().is_some()
    }

    /// What the cops have announced with their last move.
    fn announced(&self) -> Option<Turns> {
        let state = |&cop| self.world.agent(cop).expect("a cop").state();
        let announced = self.cops.iter();
        let announced = announced.filter_map(|cop| state(cop).captured_within());
        announced.max().map(Turns)
    }

    /// The cells to which the cops set out now, in order.
    fn ends(&self) -> Vec<Cell> {
        let ends = self.cops.iter().map(|&id| {
            let cop = self.world.agent(id).expect("a cop");
            let way = cop.way().last().copied();
            way.map_or(self.cell(id), |end| self.world.graph().cell(end))
        });
        sorted(ends.collect())
    }

    fn turn(&self) -> u64 {
        self.world.pursuit(0).expect("it is there").turn()
    }

    /// Leaves the robber to the game, so that it requests no guide of its own.
    fn stop_robber(&mut self) {
        let game = |setup: &mut AgentSetup| setup.control = Control::External;
        self.world.change(self.robber, game);
    }

    /// Places all agents anew.
    fn scatter(&mut self, dice: &mut Dice) {
        for &id in self.cops.iter().chain([&self.robber]) {
            let cell = dice.pick(&self.cells).expect("a cell");
            self.world.place(id, cell);
        }
    }
}

/// A tick with solved tables as soon as they are requested. Returns the numbers of cops of the requests for other graphs
/// than the map.
fn tick(world: &mut PursuitWorld, budget: u64) -> Vec<u8> {
    world.begin_tick(&[]);
    let mut guides = Vec::new();
    while let Some(request) = world.next_request() {
        let key = request.key;
        if key.fingerprint != world.graph().fingerprint() {
            guides.push(key.rules.cops.get());
        }
        deliver(world, request);
    }
    assert_eq!(world.overdue(), None);
    world.arrive();
    world.decide(&mut Expansions(budget));
    guides
}

/// Cops of the same cell are interchangeable.
fn sorted(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable_by_key(|cell| (cell.x, cell.y));
    cells
}

fn solutions(graph: &Graph) -> (Solution, RetractGuide) {
    let mut solver = Solver::new(Arena::of_map(graph).into(), rules(2), 1 << 30).expect("small");
    assert!(solver.run(|_| true).done);
    let half = (graph.vertices() / 2) as u64;
    let retract = RetractGuideSolver::new(graph, rules(3), half.pow(4), 1 << 30);
    let mut retract = retract.expect("small").expect("it folds");
    retract.run(|_| true);
    (
        solver.finish().expect("done"),
        retract.finish().expect("done"),
    )
}

#[test]
fn three_cops_move_as_the_player_with_the_same_retract_and_keep_what_they_announce() {
    let mut chase = Chase::new(3);
    let graph = chase.world.graph().clone();
    let (pairs, retract) = solutions(&graph);
    let retract = &retract;
    let arena = pairs.arena().as_ref();
    let mut player = SubsetPlayer::new(Merge::Search);
    let dice = &mut Dice::new(1);
    let (mut compared, mut differ, mut captures) = (0, 0, 0);
    for _ in 0..16 {
        chase.tick();
    }
    for _ in 0..12 {
        chase.scatter(dice);
        let mut last = None;
        for _ in 0..60 * TICKS_PER_TURN {
            // What was announced before the agents were placed anew is taken back.
            let announced = chase.announced().filter(|_| last.is_some());
            let turn = chase.turn();
            chase.tick();
            if chase.is_caught() {
                captures += 1;
                chase.world.release(chase.robber);
                break;
            }
            if chase.turn() == turn {
                continue;
            }
            let agent = |id| Agent {
                at: graph.vertex(chase.cell(id)).expect("a vertex"),
                speed: Speed::ONE,
            };
            let cops: Vec<Agent> = chase.cops.iter().map(|&id| agent(id)).collect();
            let state = State {
                robber: agent(chase.robber),
                cops: &cops,
                to_move: Side::Cops,
            };
            let guide = SubsetGuide { retract, announced };
            let mut decide = |guide| {
                let mut out = Vec::new();
                assert!(player.guided_cops(&pairs, arena, &graph, &state, guide, &mut out));
                let ends = cops.iter().zip(&out);
                let ends = ends
                    .map(|(cop, decision)| decision.next_move().last().copied().unwrap_or(cop.at));
                let ends = ends.map(|end| graph.cell(end)).collect();
                (sorted(ends), out[0].value)
            };
            let (guided, value) = decide(Some(guide));
            differ += usize::from(decide(None).0 != guided);
            assert_eq!(chase.ends(), guided, "{state:?}");
            let state = chase.world.agent(chase.cops[0]).expect("a cop").state();
            assert_eq!(state.decided_by, DecidedBy::Policy(Source::SubsetTable));
            assert_eq!(state.value, value);
            let now = chase.announced();
            assert!(
                last.is_none_or(|last| now < Some(last)),
                "{now:?} after {last:?}"
            );
            last = now;
            compared += 1;
        }
    }
    assert!(
        compared > 60 && differ > 5 && captures > 8,
        "{compared} {differ} {captures}"
    );
}

#[test]
fn teams_that_a_table_of_three_will_serve_request_no_retract_for_three() {
    let mut chase = Chase::new(3);
    chase.stop_robber();
    let mut settings = chase.world.settings().clone();
    settings.tables.max_bytes = u64::MAX;
    settings.tables.max_milliseconds = u32::MAX;
    settings.tables.memory = u64::MAX;
    chase.world.set_settings(settings);
    for _ in 0..16 {
        chase.tick();
    }
    assert!(!chase.guides.contains(&3), "{:?}", chase.guides);
}

#[test]
fn a_restored_chase_with_a_guide_goes_on_as_it_would_have() {
    let mut compared = 0;
    for (seed, budget) in [(1, BUDGET), (2, 10_000), (3, 6_000)] {
        let mut chase = Chase::new(3 + seed as usize % 2);
        for _ in 0..16 {
            chase.tick();
        }
        chase.scatter(&mut Dice::new(seed));
        for _ in 0..5 {
            let text = postcard::to_allocvec(&chase.world.snapshot()).expect("serialisable");
            let saved = postcard::from_bytes(&text).expect("what was written");
            let mut other = PursuitWorld::from_snapshot(saved).expect("a sound one");
            for _ in 0..9 {
                tick(&mut chase.world, budget);
                tick(&mut other, budget);
                assert_eq!(chase.world.position_hash(), other.position_hash(), "{seed}");
                assert_eq!(chase.world.report().spent, other.report().spent, "{seed}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn cops_that_err_are_not_guided() {
    let mut chase = Chase::new(3);
    chase.stop_robber();
    let erring = chase.cops[0];
    chase.world.change(erring, |setup| setup.mistakes = 100);
    for _ in 0..16 {
        chase.tick();
    }
    assert!(!chase.guides.contains(&3), "{:?}", chase.guides);
}

#[test]
fn three_cops_without_mistakes_request_a_retract_for_three() {
    let mut chase = Chase::new(3);
    chase.stop_robber();
    for _ in 0..16 {
        chase.tick();
    }
    assert_eq!(chase.guides, [3]);
}
