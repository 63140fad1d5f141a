//! Whole games in a world: every agent keeps to the rules whatever happens to the map and to the agents,
//! runs are repeatable, and a snapshot continues them.

use crate::common;
use crate::common::chase;
use crate::common::referee;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, PursuitLevel, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, IdleReason, PursuitClock, PursuitSettings,
    PursuitSetup, PursuitWorld, Reason, Snapshot, Tactics, WorldEvent,
};
use referee::Referee;

const AMPLE: u64 = 1 << 20;

fn turn_settings() -> PursuitSettings {
    let mut settings = PursuitSettings {
        ticks_per_turn: 1,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    settings
}

fn world(rows: &[&str]) -> PursuitWorld {
    PursuitWorld::new(&common::map(rows), Moves::Octile, turn_settings())
}

fn setup(side: Side, (x, y): (u16, u16), speed: u8) -> AgentSetup {
    AgentSetup {
        speed: Speed::new(speed).expect("a speed"),
        ..AgentSetup::new(side, Cell::new(x, y))
    }
}

fn add_cop(world: &mut PursuitWorld, x: u16, y: u16, speed: u8) -> AgentId {
    world.insert(setup(Side::Cops, (x, y), speed))
}

fn add_robber(world: &mut PursuitWorld, x: u16, y: u16) -> AgentId {
    world.insert(setup(Side::Robber, (x, y), 1))
}

fn tick(world: &mut PursuitWorld, edits: &[TileEdit], budget: u64) {
    world.begin_tick(edits);
    world.arrive();
    world.decide(&mut Expansions(budget));
}

fn at(world: &PursuitWorld, id: AgentId) -> (u16, u16) {
    let Cell { x, y } = world.agent(id).expect("an agent").setup().cell;
    (x, y)
}

fn target(world: &PursuitWorld, id: AgentId) -> (u16, u16) {
    let agent = world.agent(id).expect("an agent");
    let end = agent.way().last();
    let Cell { x, y } = end.map_or(agent.setup().cell, |&end| world.graph().cell(end));
    (x, y)
}

/// The turns until the robber is captured.
fn turns_to_capture(world: &mut PursuitWorld, robber: AgentId, most: u32) -> Option<u32> {
    let mut referee = Referee::default();
    (0..most).find(|_| {
        tick(world, &[], AMPLE);
        referee.watch(world, &[]).expect("the rules");
        world.agent(robber).expect("an agent").caught().is_some()
    })
}

/// A block to run round, with two cops on one side of it.
fn round_the_block(tactics: Tactics) -> Option<u32> {
    let mut world = world(&[
        ".......", ".#####.", ".#####.", ".#####.", ".#####.", ".#####.", ".......",
    ]);
    let tactics = Some(tactics);
    let clock = None;
    world.set_up_pursuit(0, PursuitSetup { clock, tactics });
    let robber = add_robber(&mut world, 6, 3);
    add_cop(&mut world, 0, 0, 1);
    add_cop(&mut world, 1, 0, 1);
    turns_to_capture(&mut world, robber, 60)
}

#[test]
fn two_cops_cut_the_robber_off_on_a_loop_and_a_queue_never_does() {
    assert!(round_the_block(Tactics::Intercept).is_some());
    assert_eq!(round_the_block(Tactics::Chase), None);
}

#[test]
fn three_cops_capture_in_the_harbour() {
    let harbour = include_str!("../../../../assets/levels/harbour.level.ron");
    let harbour = PursuitLevel::parse(harbour).expect("our level");
    let dice = &mut Dice::new(3);
    for _ in 0..20 {
        let map = harbour.initial_map();
        let mut world = PursuitWorld::new(&map, harbour.moves(), turn_settings());
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let mut any = || free[dice.below(free.len())];
        let robber = world.insert(AgentSetup::new(Side::Robber, any()));
        for _ in 0..3 {
            world.insert(AgentSetup::new(Side::Cops, any()));
        }
        assert!(turns_to_capture(&mut world, robber, 300).is_some());
    }
}

#[test]
fn an_agent_in_a_wall_steps_out_and_one_walled_in_waits() {
    let mut world = world(&["..#", "..#", "###"]);
    let robber = add_robber(&mut world, 2, 1);
    let cop = add_cop(&mut world, 2, 2, 1);
    tick(&mut world, &[], AMPLE);
    assert_eq!(target(&world, robber).0, 1, "beside the wall it was in");
    let state = world.agent(robber).expect("an agent").state();
    assert_eq!(
        (state.decided_by, state.reason),
        (DecidedBy::Policy(Source::Greedy), Reason::InWall)
    );
    // The cop's only exit is the diagonal one.
    assert_eq!(target(&world, cop), (1, 1));
    let mut world = self::world(&[".##", "###", "###"]);
    let robber = add_robber(&mut world, 2, 2);
    add_cop(&mut world, 0, 0, 1);
    for _ in 0..3 {
        tick(&mut world, &[], AMPLE);
        assert_eq!(target(&world, robber), (2, 2));
    }
}

#[test]
fn cops_wait_where_a_robber_that_is_walled_in_would_come_out() {
    let mut world = world(&[
        "............",
        "............",
        ".......####.",
        ".......#..#.",
        ".......####.",
    ]);
    let robber = add_robber(&mut world, 8, 3);
    let cop = add_cop(&mut world, 0, 0, 1);
    let mut events = Vec::new();
    for _ in 0..12 {
        tick(&mut world, &[], AMPLE);
        let news = world.events().iter();
        let news = news.filter(|event| !matches!(event, WorldEvent::TableCache(_)));
        events.extend(news.cloned());
    }
    assert_eq!(events, [WorldEvent::OutOfReach(robber)]);
    let state = world.agent(cop).expect("an agent").state();
    assert_eq!(
        (state.decided_by, state.reason),
        (DecidedBy::Policy(Source::Greedy), Reason::NoWay)
    );
    assert_eq!(at(&world, robber), (8, 3), "nobody comes: why run");
    let (x, y) = at(&world, cop);
    assert!(x.abs_diff(8).max(y.abs_diff(3)) <= 2, "waits at {x}, {y}");
    let door = TileEdit {
        cell: Cell::new(8, 2),
        passable: true,
    };
    tick(&mut world, &[door], AMPLE);
    assert!(world.events().contains(&WorldEvent::WithinReach(robber)));
    assert!(turns_to_capture(&mut world, robber, 20).is_some());
}

#[test]
fn a_level_that_falls_into_two_parts_is_two_games() {
    let mut world = world(&["......", "......"]);
    let robber = add_robber(&mut world, 5, 0);
    let cop = add_cop(&mut world, 0, 0, 1);
    tick(&mut world, &[], AMPLE);
    let wall = |x, y| TileEdit {
        cell: Cell::new(x, y),
        passable: false,
    };
    tick(&mut world, &[wall(3, 0), wall(3, 1)], AMPLE);
    assert!(world.events().contains(&WorldEvent::OutOfReach(robber)));
    for _ in 0..5 {
        tick(&mut world, &[], AMPLE);
    }
    assert_eq!(at(&world, cop).0, 2, "as near as the wall allows");
}

/// Farther than the number of steps that a plan keeps.
#[test]
fn an_errand_ends_where_it_was_to_end() {
    let corridor = ".".repeat(200);
    let mut world = world(&[&corridor]);
    let walker = add_cop(&mut world, 0, 0, 1);
    let goal = Control::WalkTo(Cell::new(199, 0));
    world.change(walker, |setup| setup.control = goal);
    let mut turns = 0;
    while at(&world, walker).0 < 199 {
        tick(&mut world, &[], AMPLE);
        turns += 1;
        assert!(turns <= 201, "it waits at {:?}", at(&world, walker));
    }
}

/// An agent that comes from a pursuit whose turn ends sooner walks until the turn of its new pursuit
/// ends. A wall that appears in the meantime stops it.
#[test]
fn who_changes_its_pursuit_arrives_with_the_others_of_the_new_one() {
    let map = common::map(&["........", "........"]);
    let settings = PursuitSettings {
        ticks_per_turn: 16,
        ..turn_settings()
    };
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let runner = add_cop(&mut world, 0, 0, 1);
    world.change(runner, |setup| setup.control = Control::External);
    // Pursuit 1 is founded in the middle of a turn of pursuit 0.
    let mut late = setup(Side::Cops, (7, 1), 1);
    late.pursuit = 1;
    world.insert(late);
    while world.pursuit(1).expect("it is there").turn() < 2 {
        tick(&mut world, &[], AMPLE);
    }
    let (_, first) = world.pursuit(0).expect("it is there").turn_ticks();
    let (_, second) = world.pursuit(1).expect("it is there").turn_ticks();
    assert!(first < second, "{first} {second}");
    world.change(runner, |setup| setup.pursuit = 1);
    world.order(runner, &[Cell::new(1, 0)]);
    while world.tick() < first {
        tick(&mut world, &[], AMPLE);
    }
    let wall = TileEdit {
        cell: Cell::new(1, 0),
        passable: false,
    };
    tick(&mut world, &[wall], AMPLE);
    while world.tick() <= second {
        tick(&mut world, &[], AMPLE);
    }
    assert_eq!(at(&world, runner), (0, 0), "it stopped before the wall");
}

#[test]
fn steering_slides_along_walls_and_stops_at_opponents() {
    let mut world = world(&["...", ".#.", "..."]);
    let player = world.insert(AgentSetup {
        control: Control::Steer { dx: 1, dy: 1 },
        ..setup(Side::Robber, (0, 0), 1)
    });
    tick(&mut world, &[], AMPLE);
    assert_eq!(target(&world, player), (1, 0), "along the wall");
    assert_eq!(
        world.agent(player).expect("an agent").state().decided_by,
        DecidedBy::Game
    );
    let mut world = self::world(&["......"]);
    let player = world.insert(AgentSetup {
        control: Control::Steer { dx: 1, dy: 0 },
        ..setup(Side::Cops, (0, 0), 4)
    });
    let robber = world.insert(AgentSetup {
        control: Control::External,
        ..setup(Side::Robber, (2, 0), 1)
    });
    tick(&mut world, &[], AMPLE);
    assert_eq!(target(&world, player), (2, 0), "as far as the opponent");
    tick(&mut world, &[], AMPLE);
    assert!(world.agent(robber).expect("an agent").caught().is_some());
}

#[test]
fn pursuits_take_no_notice_of_each_other() {
    let mut world = world(&["........"]);
    let robber = world.insert(AgentSetup {
        pursuit: 7,
        ..setup(Side::Robber, (4, 0), 1)
    });
    let cop = add_cop(&mut world, 3, 0, 1);
    for _ in 0..4 {
        tick(&mut world, &[], AMPLE);
    }
    assert_eq!((at(&world, robber), at(&world, cop)), ((4, 0), (3, 0)));
    let idle = |id| world.agent(id).expect("an agent").state().decided_by;
    assert_eq!(idle(robber), DecidedBy::Nobody(IdleReason::NobodyThere));
    assert_eq!(idle(cop), DecidedBy::Nobody(IdleReason::NobodyThere));
    world.change(cop, |setup| setup.pursuit = 7);
    assert!(turns_to_capture(&mut world, robber, 20).is_some());
}

#[test]
fn without_a_budget_everybody_moves_all_the_same() {
    let mut world = world(&[".........", ".........", "........."]);
    let robber = add_robber(&mut world, 8, 1);
    let cop = add_cop(&mut world, 0, 1, 2);
    let mut referee = Referee::default();
    for _ in 0..30 {
        tick(&mut world, &[], 0);
        referee.watch(&world, &[]).expect("the rules");
        assert_eq!(world.report().plans, 0);
    }
    let state = world.agent(cop).expect("an agent").state();
    let caught = world.agent(robber).expect("an agent").caught();
    assert!(
        caught.is_some(),
        "in the open greedy steps will do: {state:?}"
    );
}

/// A game in which everything happens at random.
struct Riot {
    world: PursuitWorld,
    map: TileMap,
    dice: Dice,
    agents: Vec<AgentId>,
    placed: Vec<AgentId>,
    edits: Vec<TileEdit>,
}

impl Riot {
    fn new(seed: u64, settings: PursuitSettings) -> Self {
        let mut dice = Dice::new(seed);
        let map = chase::noise(&mut dice, 24, 20, 25);
        let mut riot = Self {
            world: PursuitWorld::new(&map, Moves::Octile, settings),
            map,
            dice,
            agents: Vec::new(),
            placed: Vec::new(),
            edits: Vec::new(),
        };
        for _ in 0..10 {
            riot.add();
        }
        riot.world.set_up_pursuit(
            1,
            PursuitSetup {
                clock: Some(PursuitClock::FreeRunning),
                tactics: None,
            },
        );
        riot.world.set_up_pursuit(
            2,
            PursuitSetup {
                clock: (seed % 2 == 1).then_some(PursuitClock::Simultaneous),
                tactics: None,
            },
        );
        riot
    }

    fn cell(&mut self) -> Cell {
        // Some of the cells are walls, some are off the map.
        Cell::new(self.dice.below(25) as u16, self.dice.below(20) as u16)
    }

    fn add(&mut self) {
        let dice = &mut self.dice;
        let side = if dice.below(3) == 0 {
            Side::Robber
        } else {
            Side::Cops
        };
        let mut setup = AgentSetup {
            pursuit: dice.below(3) as u32,
            speed: Speed::new(1 + dice.below(2) as u8).expect("a speed"),
            ticks_per_step: dice.below(6) as u32,
            sight: (dice.below(4) == 0).then_some(5),
            ..AgentSetup::new(side, Cell::default())
        };
        setup.control = match dice.below(12) {
            0 => Control::Steer { dx: 1, dy: 1 },
            1 => Control::WalkTo(Cell::new(3, 3)),
            2 => Control::External,
            _ => Control::Policy,
        };
        setup.cell = self.cell();
        let id = self.world.insert(setup);
        self.agents.push(id);
        self.placed.push(id);
    }

    fn any_agent(&mut self) -> Option<AgentId> {
        let many = self.agents.len();
        (many > 0).then(|| self.agents[self.dice.below(many)])
    }

    /// What the game does before a tick.
    fn stir(&mut self) {
        self.placed.clear();
        self.edits.clear();
        for _ in 0..self.dice.below(40).saturating_sub(34) {
            let cell = self.cell();
            let passable = self.dice.below(2) == 0;
            self.edits.push(TileEdit { cell, passable });
        }
        match self.dice.below(40) {
            0 | 1 => self.add(),
            2 if self.agents.len() > 4 => {
                let index = self.dice.below(self.agents.len());
                let id = self.agents.swap_remove(index);
                assert!(self.world.remove(id));
                assert!(!self.world.remove(id), "once is enough");
            }
            3 => {
                let cell = self.cell();
                if let Some(id) = self.any_agent() {
                    self.world.place(id, cell);
                    self.world.release(id);
                    self.placed.push(id);
                }
            }
            4 => {
                if let Some(id) = self.any_agent() {
                    let pursuit = self.dice.below(3) as u32;
                    self.world.change(id, |setup| setup.pursuit = pursuit);
                }
            }
            _ => {}
        }
    }

    fn tick(&mut self, budget: u64) {
        self.stir();
        tick(&mut self.world, &self.edits, budget);
    }
}

fn riot_settings(seed: u64) -> PursuitSettings {
    PursuitSettings {
        ticks_per_turn: 1 + (seed % 7) as u32,
        clock: if seed.is_multiple_of(3) {
            PursuitClock::FreeRunning
        } else {
            PursuitClock::Turns
        },
        seed,
        ..turn_settings()
    }
}

#[test]
fn everybody_keeps_to_the_rules_whatever_happens() {
    let (mut captures, mut edits) = (0, 0);
    for seed in 0..40 {
        let mut riot = Riot::new(seed, riot_settings(seed));
        let mut referee = Referee::default();
        let budget = [0, 40, 700, AMPLE][seed as usize % 4];
        for _ in 0..400 {
            riot.tick(budget);
            let watched = referee.watch(&riot.world, &riot.placed);
            watched.unwrap_or_else(|what| panic!("seed {seed}: {what}"));
            let report = riot.world.report();
            assert!(report.spent <= budget + 4_000, "{report:?}");
            let events = riot.world.events().iter();
            captures += events
                .filter(|event| matches!(event, WorldEvent::Captured { .. }))
                .count();
            edits += riot.edits.len();
        }
    }
    assert!(captures > 100 && edits > 1_000, "{captures} {edits}");
}

#[test]
fn the_same_game_twice_is_the_same_game() {
    for seed in 0..10 {
        let mut one = Riot::new(seed, riot_settings(seed));
        let mut two = Riot::new(seed, riot_settings(seed));
        for _ in 0..300 {
            one.tick(900);
            two.tick(900);
            assert_eq!(one.world.position_hash(), two.world.position_hash());
        }
    }
}

#[test]
fn a_snapshot_goes_on_as_the_game_it_was_taken_of() {
    for seed in 0..12 {
        let mut riot = Riot::new(seed, riot_settings(seed));
        let budget = [60, 500, 3_000][seed as usize % 3];
        for _ in 0..150 {
            riot.tick(budget);
        }
        let snapshot = riot.world.snapshot();
        let text = serde_json::to_string(&snapshot).expect("a snapshot is plain data");
        let read: Snapshot = serde_json::from_str(&text).expect("what was written");
        let mut again = Riot {
            world: PursuitWorld::from_snapshot(read).expect("a sound snapshot"),
            map: riot.map.clone(),
            dice: riot.dice.clone(),
            agents: riot.agents.clone(),
            placed: Vec::new(),
            edits: Vec::new(),
        };
        // Rollback: the world goes back to where it was.
        let dice = riot.dice.clone();
        let agents = riot.agents.clone();
        let mut hashes = Vec::new();
        for _ in 0..150 {
            riot.tick(budget);
            again.tick(budget);
            hashes.push(riot.world.position_hash());
            assert_eq!(
                again.world.position_hash(),
                riot.world.position_hash(),
                "seed {seed}"
            );
        }
        riot.world.restore(snapshot).expect("a sound snapshot");
        (riot.dice, riot.agents) = (dice, agents);
        for hash in hashes {
            riot.tick(budget);
            assert_eq!(riot.world.position_hash(), hash, "seed {seed}: rolled back");
        }
    }
}
