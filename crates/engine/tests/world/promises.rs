//! The world's promises about agents that the game changes, steers, moves and sends on errands: no agent
//! jumps back, none has to wait, and nothing depends on the order of the game's calls.

use crate::common;
use crate::common::hall::{self, LENGTH, agent, settings, tick, tick_with};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, IdleReason, Meter, PursuitClock,
    PursuitWorld, WorldEvent,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

fn hall(clock: PursuitClock) -> PursuitWorld {
    hall::hall(clock, 40, 9)
}

fn player(x: u16, y: u16) -> AgentSetup {
    AgentSetup {
        control: Control::Steer { dx: 0, dy: 0 },
        ..agent(Side::Robber, x, y)
    }
}

fn steer(world: &mut PursuitWorld, id: AgentId, dx: i8, dy: i8) {
    world.change(id, |setup| setup.control = Control::Steer { dx, dy });
}

fn at(world: &PursuitWorld, id: AgentId) -> (u16, u16) {
    let Cell { x, y } = world.agent(id).expect("an agent").setup().cell;
    (x, y)
}

/// The fractional column of an agent's body.
fn body_x(world: &PursuitWorld, id: AgentId) -> f64 {
    let agent = world.agent(id).expect("an agent");
    let column = |vertex| f64::from(world.graph().cell(vertex).x);
    let from = agent
        .turned_at()
        .map_or(f64::from(agent.setup().cell.x), column);
    let (departs, arrives) = agent.times();
    let Some(&end) = agent.way().first() else {
        return f64::from(agent.setup().cell.x);
    };
    let gone = (world.tick() - departs) as f64 / (arrives - departs) as f64;
    from + (column(end) - from) * gone * agent.way().len() as f64
}

#[test]
fn a_player_who_stands_sets_out_in_the_tick_after_the_key() {
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        for wait in 1..40 {
            let mut world = hall(clock);
            let hero = world.insert(player(5, 4));
            world.insert(agent(Side::Cops, 35, 4));
            for _ in 0..wait {
                tick(&mut world);
            }
            assert_eq!(at(&world, hero), (5, 4));
            steer(&mut world, hero, 1, 0);
            tick(&mut world);
            let agent = world.agent(hero).expect("an agent");
            assert_eq!(agent.way().len(), 1, "{clock:?} after {wait} ticks");
            assert_eq!(agent.times().0, world.tick());
            if clock == PursuitClock::Turns {
                let (_, ends) = world.pursuit(0).expect("it is there").turn_ticks();
                assert_eq!(agent.times().1, ends, "the step ends with the turn");
            }
        }
    }
}

/// A world on the free-running clock, with a player between columns 5 and 6 that walks to the right.
fn player_in_mid_step() -> (PursuitWorld, AgentId) {
    let mut world = hall(PursuitClock::FreeRunning);
    let hero = world.insert(player(5, 4));
    world.insert(agent(Side::Cops, 35, 4));
    for _ in 0..LENGTH {
        tick(&mut world);
    }
    steer(&mut world, hero, 1, 0);
    for _ in 0..6 {
        tick(&mut world);
    }
    (world, hero)
}

#[test]
fn a_player_turns_round_in_mid_step_on_the_free_clock_and_walks_back_as_long_as_it_came() {
    let (mut world, hero) = player_in_mid_step();
    let before = body_x(&world, hero);
    assert!(before > 5.2 && before < 5.5, "{before}");
    steer(&mut world, hero, -1, 0);
    let turned = body_x(&world, hero);
    assert!((turned - before).abs() < 1e-9, "{before} {turned}");
    let mut last = turned;
    for _ in 0..5 {
        tick(&mut world);
        let now = body_x(&world, hero);
        assert!(now < last && last - now < 0.1, "{last} to {now}");
        last = now;
    }
    assert_eq!(at(&world, hero), (5, 4));
    tick(&mut world);
    assert!(
        body_x(&world, hero) < 5.0 + 1e-9,
        "and on to the other side"
    );
}

#[test]
fn a_wall_where_a_player_comes_from_does_not_stop_its_way_back() {
    let (mut world, hero) = player_in_mid_step();
    steer(&mut world, hero, -1, 0);
    world.begin_tick(&[TileEdit {
        cell: Cell::new(5, 4),
        passable: false,
    }]);
    let back = world.agent(hero).expect("an agent");
    assert!(back.turned_at().is_some() && back.way().len() == 1);
}

#[test]
fn a_player_does_not_turn_round_into_a_wall() {
    let (mut world, hero) = player_in_mid_step();
    steer(&mut world, hero, -1, 0);
    let wall = TileEdit {
        cell: Cell::new(6, 4),
        passable: false,
    };
    tick_with(&mut world, &[wall]);
    steer(&mut world, hero, 1, 0);
    for _ in 0..2 * LENGTH {
        tick(&mut world);
        assert_eq!(at(&world, hero), (5, 4), "the way there is closed");
    }
}

#[test]
fn a_player_beside_a_faster_cop_can_move_on_the_free_clock() {
    let mut world = hall(PursuitClock::FreeRunning);
    let hero = world.insert(player(5, 4));
    let cop = world.insert(AgentSetup {
        control: Control::External,
        ticks_per_step: 4,
        ..agent(Side::Cops, 6, 4)
    });
    tick(&mut world);
    // The cop enters the player's tile at the moment when the player leaves it.
    world.order(cop, &[Cell::new(5, 4)]);
    steer(&mut world, hero, -1, 0);
    tick(&mut world);
    let way = world.agent(hero).expect("an agent").way();
    assert_eq!(way.len(), 1, "it may still get away");
}

#[test]
fn a_teleport_keeps_the_rhythm_of_steps() {
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        for when in 1..LENGTH {
            let mut world = hall(clock);
            let runner = world.insert(AgentSetup {
                speed: Speed::new(2).expect("a speed"),
                ..agent(Side::Robber, 5, 4)
            });
            world.insert(agent(Side::Cops, 10, 4));
            for _ in 0..LENGTH + when {
                tick(&mut world);
            }
            world.place(runner, Cell::new(20, 4));
            let placed = world.tick();
            while world.agent(runner).expect("an agent").way().is_empty() {
                tick(&mut world);
                let waited = world.tick() - placed;
                assert!(waited <= 8, "a step of 8 ticks: {clock:?} {when} {waited}");
            }
        }
    }
}

/// Changes an agent in the middle of its step. Returns the number of ticks left of the step.
fn changed_in_mid_step(clock: PursuitClock, when: u32, change: impl Fn(&mut AgentSetup)) -> u32 {
    let mut world = hall(clock);
    let walker = world.insert(agent(Side::Cops, 5, 4));
    world.insert(agent(Side::Robber, 30, 4));
    // The turns of pursuit 1 begin at other ticks.
    for _ in 0..5 {
        tick(&mut world);
    }
    world.insert(AgentSetup {
        pursuit: 1,
        ..agent(Side::Robber, 35, 4)
    });
    world.insert(AgentSetup {
        pursuit: 1,
        ..agent(Side::Cops, 39, 8)
    });
    for _ in 0..LENGTH + when {
        tick(&mut world);
    }
    let before = body_x(&world, walker);
    let times = world.agent(walker).expect("an agent").times();
    world.change(walker, &change);
    assert!((body_x(&world, walker) - before).abs() < 1e-9);
    let mut last = before;
    let (mut stood, mut left) = (0, 0);
    for _ in 0..4 * LENGTH {
        tick(&mut world);
        let now = body_x(&world, walker);
        let step = (now - last).abs();
        assert!(step <= 0.126, "{clock:?} {when}: from {last} to {now}");
        stood = if step < 1e-9 { stood + 1 } else { 0 };
        assert!(stood <= 2, "{clock:?} {when}: it stands at {now}");
        last = now;
        if world.tick() < times.1 {
            let agent = world.agent(walker).expect("an agent");
            assert_eq!(agent.times(), times, "it finishes its step");
            left += 1;
        }
    }
    left
}

/// Changes an agent at each tick of a step.
fn changed_in_each_tick(clock: PursuitClock, change: fn(&mut AgentSetup)) {
    let left = (0..LENGTH).map(|when| changed_in_mid_step(clock, when, change));
    assert_eq!(left.sum::<u32>(), (0..LENGTH).sum::<u32>());
}

#[test]
fn who_changes_its_pursuit_finishes_its_step_and_does_not_stand_about() {
    for clock in CLOCKS {
        changed_in_each_tick(clock, |setup| setup.pursuit = 1);
    }
}

#[test]
fn who_changes_its_speed_or_side_finishes_its_step() {
    for clock in CLOCKS {
        changed_in_each_tick(clock, |setup| {
            setup.side = Side::Robber;
            setup.pursuit = 1;
        });
        changed_in_each_tick(clock, |setup| {
            setup.speed = Speed::new(2).expect("a speed");
        });
    }
}

#[test]
fn a_cop_that_becomes_a_robber_is_chased_and_one_that_comes_back_plays_again() {
    let mut world = hall(PursuitClock::Turns);
    let turncoat = world.insert(agent(Side::Cops, 5, 4));
    let cop = world.insert(agent(Side::Cops, 20, 4));
    tick(&mut world);
    let by = world.agent(cop).expect("an agent").state().decided_by;
    assert_eq!(by, DecidedBy::Nobody(IdleReason::NobodyThere));
    world.change(turncoat, |setup| setup.side = Side::Robber);
    for _ in 0..2 * LENGTH {
        tick(&mut world);
    }
    let target = world.agent(cop).expect("an agent").target();
    assert_eq!(target, Some(turncoat));
    assert!(at(&world, cop).0 < 20);
    world.change(turncoat, |setup| setup.side = Side::Cops);
    for _ in 0..2 * LENGTH {
        tick(&mut world);
    }
    let by = world.agent(cop).expect("an agent").state().decided_by;
    assert_eq!(by, DecidedBy::Nobody(IdleReason::NobodyThere));
    let pursuit = world.pursuit(0).expect("it is there");
    assert_eq!((pursuit.cops().len(), pursuit.robbers().len()), (2, 0));
}

#[test]
fn errands_end_and_say_so_once() {
    let mut world = PursuitWorld::new(
        &common::map(&["......#...", "......#...", "......#..."]),
        Moves::Octile,
        settings(PursuitClock::Turns),
    );
    let walker = world.insert(agent(Side::Cops, 0, 0));
    let events = |world: &mut PursuitWorld, ticks: u32| {
        let mut found = Vec::new();
        for _ in 0..ticks {
            tick(world);
            found.extend(world.events().iter().cloned());
        }
        found
    };
    let send = |world: &mut PursuitWorld, x, y| {
        let goal = Control::WalkTo(Cell::new(x, y));
        world.change(walker, |setup| setup.control = goal);
    };
    send(&mut world, 3, 1);
    let told = events(&mut world, 6 * LENGTH);
    assert_eq!(told, [WorldEvent::Arrived(walker)]);
    assert_eq!(at(&world, walker), (3, 1));
    // Behind the wall, in the wall, off the map.
    for (x, y) in [(8, 1), (6, 1), (90, 90)] {
        send(&mut world, x, y);
        let told = events(&mut world, 6 * LENGTH);
        assert_eq!(told, [WorldEvent::NoWay(walker)], "to {x}, {y}");
    }
    // A door opens on the way.
    send(&mut world, 8, 1);
    events(&mut world, 6 * LENGTH);
    let door = [0, 1, 2].map(|y| TileEdit {
        cell: Cell::new(6, y),
        passable: true,
    });
    world.begin_tick(&door);
    world.arrive();
    world.decide(&mut Expansions(10_000));
    let told = events(&mut world, 6 * LENGTH);
    assert_eq!(told, [WorldEvent::Arrived(walker)]);
}

#[test]
fn a_plan_that_is_cleared_is_not_told_as_invalidated() {
    let mut world = PursuitWorld::new(
        &common::map(&["............"]),
        Moves::Octile,
        settings(PursuitClock::Turns),
    );
    let cop = world.insert(agent(Side::Cops, 0, 0));
    world.insert(AgentSetup {
        control: Control::External,
        ..agent(Side::Robber, 11, 0)
    });
    for _ in 0..LENGTH + 3 {
        tick(&mut world);
    }
    // A wall directly before the cop cuts its path and invalidates its plan.
    let next = at(&world, cop).0 + 1;
    world.begin_tick(&[TileEdit {
        cell: Cell::new(next, 0),
        passable: false,
    }]);
    let told = WorldEvent::PlanInvalidated(cop);
    assert!(world.agent(cop).expect("an agent").way().is_empty());
    assert!(!world.events().contains(&told));
    world.arrive();
    world.decide(&mut Expansions(10_000));
    // A wall far away leaves the plan usable up to that wall.
    let open = TileEdit {
        cell: Cell::new(next, 0),
        passable: true,
    };
    world.begin_tick(&[open]);
    world.arrive();
    world.decide(&mut Expansions(10_000));
    for _ in 0..LENGTH {
        tick(&mut world);
    }
    world.begin_tick(&[TileEdit {
        cell: Cell::new(9, 0),
        passable: false,
    }]);
    assert!(world.events().contains(&told));
    assert!(!world.agent(cop).expect("an agent").ahead().is_empty());
}

#[test]
fn nothing_depends_on_the_order_in_which_agents_change_and_leave() {
    let run = |backwards: bool| {
        let mut world = hall(PursuitClock::Turns);
        let dice = &mut Dice::new(9);
        let ids: Vec<AgentId> = (0..24)
            .map(|index| {
                let side = if index % 4 == 0 {
                    Side::Robber
                } else {
                    Side::Cops
                };
                let (x, y) = (dice.below(40) as u16, dice.below(9) as u16);
                world.insert(AgentSetup {
                    pursuit: index / 8,
                    ..agent(side, x, y)
                })
            })
            .collect();
        for _ in 0..40 {
            tick(&mut world);
        }
        let in_order = |mut some: Vec<AgentId>| {
            if backwards {
                some.reverse();
            }
            some
        };
        for id in in_order(ids[8..16].to_vec()) {
            world.change(id, |setup| setup.pursuit = 2);
        }
        for id in in_order(ids[1..4].to_vec()) {
            world.remove(id);
        }
        for x in 0..3 {
            world.insert(agent(Side::Cops, 3 * x, 8));
        }
        for _ in 0..400 {
            tick(&mut world);
        }
        world.position_hash()
    };
    assert_eq!(run(false), run(true));
}

/// A meter that counts how often it is read.
struct Counter(u32);

impl Meter for Counter {
    fn left(&mut self, _: u64) -> u64 {
        self.0 += 1;
        1_000
    }

    fn whole(&self) -> u64 {
        10_000
    }
}

/// The player does not move, and the cops are on an island.
#[test]
fn a_pursuit_in_which_nothing_happens_settles_on_each_clock() {
    for clock in CLOCKS {
        let map = common::map(&["...#....", "...#....", "...#...."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        world.insert(player(1, 1));
        for index in 0..16 {
            world.insert(agent(Side::Cops, 4 + index % 4, index % 3));
        }
        let mut spent = 0;
        for _ in 0..10 * LENGTH {
            tick(&mut world);
            spent += world.report().spent;
        }
        assert!(spent > 0, "{clock:?}: there was nothing to settle");
        let mut idle = 0;
        for _ in 0..LENGTH {
            world.begin_tick(&[]);
            world.arrive();
            world.decide(&mut Counter(0));
            idle += u32::from(world.report().spent == 0);
            assert_eq!(world.report().waiting, 0);
        }
        assert!(idle >= LENGTH - 2, "{clock:?}: {idle} ticks without work");
    }
}

#[test]
fn ten_thousand_agents_leave_at_once() {
    let mut world = hall(PursuitClock::Turns);
    let ids: Vec<AgentId> = (0..10_000_u32)
        .map(|index| {
            let side = if index % 2 == 0 {
                Side::Robber
            } else {
                Side::Cops
            };
            world.insert(agent(side, (index % 40) as u16, (index / 40 % 9) as u16))
        })
        .collect();
    world.begin_tick(&[]);
    for id in ids {
        assert!(world.remove(id));
    }
    world.arrive();
    assert_eq!(world.agents().count(), 0);
    assert!(world.pursuits().is_empty());
}

/// A robber that planned to wait in a corner does not stand there for ever if a cop has come from
/// elsewhere and there is no budget for a new plan.
#[test]
fn a_robber_does_not_stand_by_an_old_plan_while_a_cop_comes() {
    let mut world = hall(PursuitClock::Turns);
    let robber = world.insert(agent(Side::Robber, 20, 4));
    let cop = world.insert(AgentSetup {
        control: Control::External,
        ..agent(Side::Cops, 0, 4)
    });
    for _ in 0..40 * LENGTH {
        tick(&mut world);
    }
    let corner = at(&world, robber);
    assert!(corner.0 > 36, "it has run to the far end: {corner:?}");
    world.place(cop, Cell::new(corner.0 - 4, corner.1));
    for _ in 0..4 * LENGTH {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(0));
    }
    assert_ne!(at(&world, robber), corner, "it still stands there");
}

#[test]
fn an_errand_that_is_sent_again_ends_once() {
    let mut world = hall(PursuitClock::Turns);
    let guard = world.insert(AgentSetup {
        control: Control::WalkTo(Cell::new(6, 4)),
        ..agent(Side::Cops, 5, 4)
    });
    let arrivals = |world: &mut PursuitWorld| {
        let mut found = 0;
        for _ in 0..3 * LENGTH {
            tick(world);
            let told = world.events().contains(&WorldEvent::Arrived(guard));
            found += u32::from(told);
        }
        found
    };
    assert_eq!(arrivals(&mut world), 1);
    assert_eq!(arrivals(&mut world), 0, "one event");
    let goal = world.agent(guard).expect("the guard").setup().control;
    world.change(guard, |setup| setup.control = goal);
    assert_eq!(arrivals(&mut world), 0, "the same errand");
    world.change(guard, |setup| setup.control = Control::Policy);
    world.change(guard, |setup| setup.control = goal);
    assert_eq!(arrivals(&mut world), 1, "another errand");
}

#[test]
fn an_errand_to_a_cell_behind_turns_round_in_mid_step_on_the_free_clock() {
    let mut world = hall(PursuitClock::FreeRunning);
    let walker = world.insert(AgentSetup {
        control: Control::WalkTo(Cell::new(20, 4)),
        ticks_per_step: 8,
        ..agent(Side::Cops, 5, 4)
    });
    for _ in 0..12 {
        tick(&mut world);
    }
    let before = body_x(&world, walker);
    assert!(before > 6.0 && before < 7.0, "{before}");
    let back = Control::WalkTo(Cell::new(2, 4));
    world.change(walker, |setup| setup.control = back);
    for _ in 0..3 {
        tick(&mut world);
        assert!(body_x(&world, walker) < before);
    }
    assert_eq!(at(&world, walker).0, 6);
}

#[test]
fn no_way_is_told_once_while_doors_move_elsewhere() {
    let mut world = PursuitWorld::new(
        &common::map(&["......#.....", "......#.....", "......#....."]),
        Moves::Octile,
        settings(PursuitClock::Turns),
    );
    let walker = world.insert(AgentSetup {
        control: Control::WalkTo(Cell::new(8, 1)),
        ..agent(Side::Cops, 0, 0)
    });
    let mut told = Vec::new();
    for number in 0..12 * LENGTH {
        let door = TileEdit {
            cell: Cell::new(11, 0),
            passable: number % 2 == 0,
        };
        world.begin_tick(&[door]);
        world.arrive();
        // Sometimes no budget is left for the abstraction.
        let budget = if number % 5 == 0 { 10_000 } else { 0 };
        world.decide(&mut Expansions(budget));
        told.extend(world.events().iter().cloned());
    }
    told.retain(|event| matches!(event, WorldEvent::NoWay(_) | WorldEvent::Arrived(_)));
    assert_eq!(told, [WorldEvent::NoWay(walker)]);
}
