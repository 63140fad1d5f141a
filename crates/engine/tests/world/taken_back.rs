//! What cops have announced is taken back in the tick in which the game changes what it rests on, and not before.

use crate::common::map;
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::table_cache::{TableSchedule, TableSettings, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitSetup,
    PursuitWorld, Tactics,
};

/// Tables come into use after a few ticks, however large they are.
const SCHEDULE: TableSchedule = TableSchedule {
    ticks: 4,
    times: 0,
    ticks_per_second: Some(64),
};

const ROOMS: [&str; 7] = [
    ".............",
    ".####...####.",
    ".#.........#.",
    "......#......",
    ".#.........#.",
    ".####...####.",
    ".............",
];

/// A robber, two cops that have announced a capture, and an agent of another pursuit.
struct Chase {
    world: PursuitWorld,
    robber: AgentId,
    cops: [AgentId; 2],
    other: AgentId,
}

impl Chase {
    /// Plays until a tick of a turn in which a capture is announced that is some turns away.
    fn new(robber_control: Control, tick_of_turn: u64) -> Self {
        let settings = PursuitSettings {
            ticks_per_turn: 8,
            stagger: false,
            tables: TableSettings {
                timing: TableTiming::Lockstep(SCHEDULE),
                ..TableSettings::default()
            },
            ..PursuitSettings::default()
        };
        let mut world = PursuitWorld::new(&map(&ROOMS), Moves::Octile, settings);
        let agent = |side, x, y| AgentSetup::new(side, Cell::new(x, y));
        let cops = [(0, 0), (12, 6)].map(|(x, y)| world.insert(agent(Side::Cops, x, y)));
        let robber = world.insert(AgentSetup {
            control: robber_control,
            ..agent(Side::Robber, 6, 2)
        });
        let other = world.insert(AgentSetup {
            pursuit: 1,
            ..agent(Side::Robber, 3, 0)
        });
        let mut chase = Self {
            world,
            robber,
            cops,
            other,
        };
        for _ in 0..400 {
            chase.tick(&[]);
            let (began, _) = chase.world.pursuit(0).expect("it is there").turn_ticks();
            if chase.announced() >= Some(3) && chase.world.tick() == began + tick_of_turn {
                return chase;
            }
        }
        panic!("the cops announce nothing");
    }

    fn tick(&mut self, edits: &[TileEdit]) {
        self.world.begin_tick(edits);
        self.solve();
        self.world.arrive();
        self.world.decide(&mut Expansions(10_000));
    }

    fn solve(&mut self) {
        while let Some(request) = self.world.next_request() {
            deliver(&mut self.world, request);
        }
    }

    fn announced(&self) -> Option<u16> {
        let state = |&cop| Some(self.world.agent(cop)?.state().captured_within());
        let found = self.cops.iter().filter_map(state);
        found.flatten().max()
    }
}

/// Something that the game does.
type Act = fn(&mut Chase);

const STEER: Control = Control::Steer { dx: 0, dy: 0 };

#[test]
fn what_ends_an_announcement_takes_it_back_in_the_same_tick() {
    let acts: [(&str, Act); 15] = [
        ("the robber is placed", |chase| {
            chase.world.place(chase.robber, Cell::new(0, 6));
        }),
        ("a cop is placed", |chase| {
            chase.world.place(chase.cops[0], Cell::new(0, 6));
        }),
        ("a cop leaves", |chase| {
            chase.world.remove(chase.cops[1]);
        }),
        ("a cop is held", |chase| {
            chase
                .world
                .change(chase.cops[1], |setup| setup.control = STEER);
        }),
        ("a cop is rooted", |chase| {
            chase
                .world
                .change(chase.cops[1], |setup| setup.is_immobile = true);
        }),
        ("a cop joins", |chase| {
            let cop = AgentSetup::new(Side::Cops, Cell::new(6, 0));
            chase.world.insert(cop);
        }),
        ("a robber joins", |chase| {
            let robber = AgentSetup::new(Side::Robber, Cell::new(6, 0));
            chase.world.insert(robber);
        }),
        ("a robber comes from another pursuit", |chase| {
            chase.world.change(chase.other, |setup| setup.pursuit = 0);
        }),
        ("a cop goes to another pursuit", |chase| {
            chase.world.change(chase.cops[0], |setup| setup.pursuit = 1);
        }),
        ("the robber is faster", |chase| {
            let speed = Speed::new(2).expect("a speed");
            chase
                .world
                .change(chase.robber, |setup| setup.speed = speed);
        }),
        ("the sides are swapped", |chase| {
            let (cop, robber) = (chase.cops[0], chase.robber);
            chase.world.change(cop, |setup| setup.side = Side::Robber);
            chase.world.change(robber, |setup| setup.side = Side::Cops);
        }),
        ("the clock is another", |chase| {
            let clock = Some(PursuitClock::FreeRunning);
            let setup = PursuitSetup {
                clock,
                ..PursuitSetup::default()
            };
            chase.world.set_up_pursuit(0, setup);
        }),
        ("the tactics are others", |chase| {
            let settings = PursuitSettings {
                tactics: Tactics::Chase,
                ..chase.world.settings().clone()
            };
            chase.world.set_settings(settings);
        }),
        ("turns are longer", |chase| {
            let settings = PursuitSettings {
                ticks_per_turn: 20,
                ..chase.world.settings().clone()
            };
            chase.world.set_settings(settings);
        }),
        ("a cop is sent along a path", |chase| {
            chase.world.order(chase.cops[0], &[]);
        }),
    ];
    for (what, act) in acts {
        for tick_of_turn in 0..6 {
            let mut chase = Chase::new(Control::Policy, tick_of_turn);
            act(&mut chase);
            chase.tick(&[]);
            for cop in chase.cops {
                let state = chase.world.agent(cop).map(|cop| *cop.state());
                let announced = state.and_then(|state| state.captured_within());
                assert_eq!(announced, None, "{what}, tick {tick_of_turn}: {state:?}");
                let is_told = chase.world.touched().contains(&cop);
                assert!(is_told || state.is_none(), "{what}");
            }
        }
    }
}

#[test]
fn a_tile_that_changes_takes_back_what_was_announced_for_the_map_before() {
    for (passable, x, y) in [(false, 0, 3), (true, 6, 3)] {
        for tick_of_turn in 0..6 {
            let mut chase = Chase::new(Control::Policy, tick_of_turn);
            let cell = Cell::new(x, y);
            chase.tick(&[TileEdit { cell, passable }]);
            assert_eq!(chase.announced(), None);
        }
    }
}

#[test]
fn what_the_robber_does_by_itself_takes_nothing_back() {
    let acts: [(&str, Act); 5] = [
        ("a key", |chase| {
            let control = Control::Steer { dx: 1, dy: 0 };
            chase
                .world
                .change(chase.robber, |setup| setup.control = control);
        }),
        ("an errand", |chase| {
            let control = Control::WalkTo(Cell::new(0, 0));
            chase
                .world
                .change(chase.robber, |setup| setup.control = control);
        }),
        ("another pursuit", |chase| {
            chase.world.place(chase.other, Cell::new(12, 0));
        }),
        ("a number of the game", |chase| {
            chase.world.change(chase.cops[0], |setup| setup.user = 7);
        }),
        ("another budget", |chase| {
            let settings = PursuitSettings {
                plan_steps: 12,
                ..chase.world.settings().clone()
            };
            chase.world.set_settings(settings);
        }),
    ];
    for (what, act) in acts {
        for tick_of_turn in 0..6 {
            let mut chase = Chase::new(STEER, tick_of_turn);
            let before = chase.announced();
            act(&mut chase);
            chase.tick(&[]);
            assert_eq!(chase.announced(), before, "{what}, tick {tick_of_turn}");
        }
    }
}

/// A table decides for all that the world moves, and stays in use while a player presses keys.
#[test]
fn a_table_that_plays_against_a_player_is_in_use() {
    let mut chase = Chase::new(STEER, 3);
    assert!(chase.world.pursuit(0).expect("it is there").is_exact());
    for number in 0..12 {
        let dx = if number % 2 == 0 { 1 } else { -1 };
        let control = Control::Steer { dx, dy: 0 };
        chase
            .world
            .change(chase.robber, |setup| setup.control = control);
        chase.tick(&[]);
        if chase
            .world
            .agent(chase.robber)
            .expect("a robber")
            .caught()
            .is_some()
        {
            break;
        }
        let pursuit = chase.world.pursuit(0).expect("it is there");
        assert!(pursuit.is_exact(), "key {number}");
    }
}
