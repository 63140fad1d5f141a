//! Captures, plans that stay valid, and agents that wait for something to happen.

use crate::common;
use crate::common::hall::{self, LENGTH, agent, external, tick, tick_with};
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::Source;
use pursuit_engine::table_cache::TableTiming;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, Faction, FreeFor, IdleReason,
    PursuitClock, PursuitSettings, PursuitWorld, WorldEvent,
};

fn hall(clock: PursuitClock) -> PursuitWorld {
    hall::hall(clock, 30, 5)
}

fn is_caught(world: &PursuitWorld, id: AgentId) -> bool {
    world.agent(id).expect("an agent").caught().is_some()
}

fn decided_by(world: &PursuitWorld, id: AgentId) -> DecidedBy {
    world.agent(id).expect("an agent").state().decided_by
}

#[test]
fn nobody_is_captured_beside_the_map() {
    let mut world = hall(PursuitClock::Turns);
    let robber = world.insert(external(Side::Robber, 90, 90));
    let cop = world.insert(external(Side::Cops, 90, 90));
    for _ in 0..3 * LENGTH {
        tick(&mut world);
        assert!(!is_caught(&world, robber));
    }
    for id in [robber, cop] {
        world.place(id, Cell::new(2, 2));
    }
    tick(&mut world);
    assert!(is_caught(&world, robber), "but on it");
}

#[test]
fn a_robber_that_is_put_onto_a_cop_is_captured_in_the_next_tick_and_stops() {
    use PursuitClock::{FreeRunning, Simultaneous, Turns};
    for clock in [Turns, FreeRunning, Simultaneous] {
        for when in 1..LENGTH {
            let mut world = hall(clock);
            let robber = world.insert(agent(Side::Robber, 20, 2));
            let cop = world.insert(external(Side::Cops, 5, 2));
            for _ in 0..LENGTH + when {
                tick(&mut world);
            }
            assert!(!is_caught(&world, robber));
            world.place(robber, Cell::new(5, 2));
            tick(&mut world);
            let turn = world.pursuit(0).expect("it is there").turn();
            let captured = WorldEvent::Captured { robber, cop, turn };
            assert!(world.events().contains(&captured), "{clock:?} {when}");
            let nobody = DecidedBy::Nobody(IdleReason::Captured);
            assert_eq!(decided_by(&world, robber), nobody, "{clock:?} {when}");
            assert!(world.agent(robber).expect("an agent").ahead().is_empty());
        }
    }
}

#[test]
fn an_idle_cop_sets_out_when_a_robber_joins_on_the_free_clock() {
    let mut world = hall(PursuitClock::FreeRunning);
    let cop = world.insert(agent(Side::Cops, 5, 2));
    for _ in 0..LENGTH + 3 {
        tick(&mut world);
    }
    let nobody = DecidedBy::Nobody(IdleReason::NobodyThere);
    assert_eq!(decided_by(&world, cop), nobody);
    world.insert(agent(Side::Robber, 20, 2));
    tick(&mut world);
    assert_eq!(world.agent(cop).expect("an agent").way().len(), 1);
}

#[test]
fn an_idle_agent_on_an_order_gets_there_in_its_own_time() {
    let mut world = hall(PursuitClock::FreeRunning);
    let cop = world.insert(agent(Side::Cops, 5, 2));
    for _ in 0..LENGTH + 3 {
        tick(&mut world);
    }
    world.order(cop, &[Cell::new(6, 2)]);
    let times = world.agent(cop).expect("an agent").times();
    assert!(times.1 > world.tick() + 8, "{times:?}");
    // Meanwhile something happens in its pursuit.
    world.insert(agent(Side::Robber, 20, 2));
    while world.tick() + 1 < times.1 {
        tick(&mut world);
        let agent = world.agent(cop).expect("an agent");
        assert_eq!((agent.times(), agent.way().len()), (times, 1));
    }
    tick(&mut world);
    let setup = world.agent(cop).expect("an agent").setup();
    assert_eq!(setup.cell, Cell::new(6, 2));
}

#[test]
fn a_plan_is_walked_step_by_step() {
    let mut world = hall(PursuitClock::Turns);
    let walker = world.insert(AgentSetup {
        speed: Speed::new(2).expect("a speed"),
        control: Control::WalkTo(Cell::new(29, 2)),
        ..agent(Side::Cops, 0, 2)
    });
    let mut moves = 0;
    for _ in 0..6 * LENGTH {
        tick(&mut world);
        let agent = world.agent(walker).expect("an agent");
        let (&[.., end], &[next, ..]) = (agent.way(), agent.ahead()) else {
            continue;
        };
        let [end, next] = [end, next].map(|at| world.graph().cell(at));
        assert_eq!(next.x, end.x + 1, "the plan goes on where the move ends");
        moves += 1;
    }
    assert!(moves > 4 * LENGTH, "{moves} ticks with a move and a plan");
}

#[test]
fn a_table_says_when_it_begins_and_when_it_ends_to_decide_for_all() {
    let mut settings = PursuitSettings {
        ticks_per_turn: 8,
        ..PursuitSettings::default()
    };
    let map = common::map(&["......", ".####.", "......"]);
    settings.tables.timing = TableTiming::WhenReady;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    world.insert(agent(Side::Robber, 5, 2));
    world.insert(AgentSetup {
        speed: Speed::new(2).expect("a speed"),
        ..agent(Side::Cops, 0, 0)
    });
    let mut told = Vec::new();
    let mut play = |world: &mut PursuitWorld, edits: &[TileEdit], solves: bool| {
        tick_with(world, edits);
        let exact = world.pursuit(0).expect("it is there").is_exact();
        for event in world.events() {
            if let &WorldEvent::Table {
                pursuit: 0,
                exact: is_exact,
            } = event
            {
                assert_eq!(is_exact, exact);
                told.push(exact);
            }
        }
        let request = world.next_request().filter(|_| solves);
        if let Some(request) = request {
            deliver(world, request);
        }
    };
    for _ in 0..24 {
        play(&mut world, &[], true);
    }
    let door = TileEdit {
        cell: Cell::new(2, 1),
        passable: true,
    };
    for _ in 0..16 {
        play(&mut world, &[door], false);
    }
    assert_eq!(told, [true, false]);
}

#[test]
fn what_can_be_captured_now_needs_no_plan() {
    let settings = PursuitSettings {
        ticks_per_turn: 1,
        ..PursuitSettings::default()
    };
    // Two cells away as the crow flies, but four steps.
    let map = common::map(&[".#...", ".....", "....."]);
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let robber = world.insert(external(Side::Robber, 2, 0));
    let cop = world.insert(AgentSetup {
        speed: Speed::new(4).expect("a speed"),
        ..agent(Side::Cops, 0, 0)
    });
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(0));
    let agent = world.agent(cop).expect("an agent");
    assert_eq!(agent.way().len(), 4);
    assert_eq!(agent.state().decided_by, DecidedBy::Policy(Source::Search));
    tick(&mut world);
    assert!(is_caught(&world, robber));
}

/// Without a budget for another plan.
#[test]
fn a_robber_does_not_follow_its_plan_into_a_cop() {
    for walls in [false, true] {
        let mut world = hall(PursuitClock::Turns);
        let robber = world.insert(agent(Side::Robber, 10, 2));
        let cop = world.insert(external(Side::Cops, 5, 2));
        for _ in 0..2 * LENGTH {
            tick(&mut world);
        }
        let before = world.agent(robber).expect("an agent").clone();
        let next = before.ahead().first().expect("it goes on");
        let next = world.graph().cell(*next);
        assert!(next.x > before.setup().cell.x, "away from the cop");
        world.place(cop, Cell::new(next.x + 1, next.y));
        // Far from the path, but in its footprint.
        let wall = TileEdit {
            cell: Cell::new(29, 0),
            passable: false,
        };
        for number in 0..2 * LENGTH {
            let edits = if walls && number == 0 {
                &[wall][..]
            } else {
                &[]
            };
            world.begin_tick(edits);
            assert!(number > 0 || world.report().dropped == u32::from(walls));
            world.arrive();
            world.decide(&mut Expansions(0));
            let way = world.agent(robber).expect("an agent").way();
            let ends = way.iter().map(|&at| world.graph().cell(at));
            for end in ends.filter(|&end| end != next || number >= LENGTH) {
                assert!(
                    end.max_norm(Cell::new(next.x + 1, next.y)) > 1,
                    "{walls} {end:?}"
                );
            }
        }
        assert!(!is_caught(&world, robber));
    }
}

#[test]
fn the_turns_that_a_robber_is_free_for_go_by() {
    let mut world = hall(PursuitClock::Turns);
    let robber = world.insert(agent(Side::Robber, 20, 2));
    world.insert(external(Side::Cops, 0, 2));
    for _ in 0..=LENGTH {
        tick(&mut world);
    }
    let mut turns = Vec::new();
    for _ in 0..5 {
        let agent = world.agent(robber).expect("an agent");
        match agent.state().free_for() {
            FreeFor::Turns(free) => turns.push(free),
            other => panic!("{other:?} without a table"),
        }
        for _ in 0..LENGTH {
            world.begin_tick(&[]);
            world.arrive();
            world.decide(&mut Expansions(0));
        }
    }
    // The plan for the second turn was made during the first.
    assert!(turns.is_sorted_by(|a, b| a >= b), "{turns:?}");
    assert_eq!(turns[1] - turns[4], 3, "{turns:?}");
}

#[test]
fn a_robber_is_sighted_once_and_lost_once() {
    let mut world = hall(PursuitClock::Turns);
    let robber = world.insert(external(Side::Robber, 6, 2));
    world.insert(AgentSetup {
        sight: Some(5),
        ..external(Side::Cops, 2, 2)
    });
    let mut told = Vec::new();
    let mut play = |world: &mut PursuitWorld| {
        for _ in 0..4 * LENGTH {
            tick(world);
            told.extend(world.events().iter().cloned());
        }
    };
    play(&mut world);
    world.place(robber, Cell::new(20, 2));
    play(&mut world);
    let sighted = |seen| WorldEvent::Sighted { robber, seen };
    assert_eq!(told, [sighted(true), sighted(false)]);
}

#[test]
fn a_robber_is_lost_with_the_last_guard_and_sighted_by_the_next() {
    let mut world = hall(PursuitClock::Turns);
    let robber = world.insert(external(Side::Robber, 6, 2));
    let guard = AgentSetup {
        sight: Some(5),
        ..external(Side::Cops, 2, 2)
    };
    let play = |world: &mut PursuitWorld| {
        let mut told = Vec::new();
        for _ in 0..2 * LENGTH {
            tick(world);
            told.extend(world.events().iter().cloned());
        }
        told
    };
    let sighted = |seen| WorldEvent::Sighted { robber, seen };
    for _ in 0..2 {
        let id = world.insert(guard);
        assert_eq!(play(&mut world), [sighted(true)]);
        world.remove(id);
        assert_eq!(play(&mut world), [sighted(false)]);
    }
    // A guard whose sight becomes unlimited has not lost the robber.
    let id = world.insert(guard);
    assert_eq!(play(&mut world), [sighted(true)]);
    world.change(id, |setup| setup.sight = None);
    assert_eq!(play(&mut world), []);
}

#[test]
fn an_agent_that_is_put_elsewhere_or_changes_sides_begins_anew() {
    let mut world = hall(PursuitClock::Turns);
    let walker = world.insert(AgentSetup {
        control: Control::WalkTo(Cell::new(20, 2)),
        ..agent(Side::Cops, 0, 2)
    });
    for _ in 0..LENGTH {
        tick(&mut world);
    }
    let ahead = |world: &PursuitWorld| world.agent(walker).expect("an agent").ahead().len();
    assert!(ahead(&world) > 0);
    world.place(walker, Cell::new(19, 2));
    assert_eq!(ahead(&world), 0, "its plan was for another place");
    let arrivals = |world: &mut PursuitWorld| {
        let mut found = 0;
        for _ in 0..4 * LENGTH {
            tick(world);
            found += u32::from(world.events().contains(&WorldEvent::Arrived(walker)));
        }
        found
    };
    assert_eq!(arrivals(&mut world), 1);
    world.place(walker, Cell::new(20, 2));
    assert_eq!(arrivals(&mut world), 1, "it has come there again");
    let robber = world.insert(external(Side::Robber, 20, 2));
    for _ in 0..LENGTH {
        tick(&mut world);
    }
    assert!(is_caught(&world, robber));
    world.change(robber, |setup| setup.side = Side::Cops);
    assert!(!is_caught(&world, robber), "a cop is free");
}

#[test]
fn a_cop_keeps_its_robber_unless_another_one_is_nearer_by_a_third() {
    let mut world = hall(PursuitClock::Turns);
    let cop = world.insert(agent(Side::Cops, 10, 2));
    let first = world.insert(external(Side::Robber, 17, 2));
    let other = world.insert(external(Side::Robber, 0, 2));
    let target = |world: &PursuitWorld| world.agent(cop).expect("an agent").target();
    for _ in 0..3 * LENGTH {
        tick(&mut world);
    }
    assert_eq!(target(&world), Some(first));
    for (apart, expected) in [(8, first), (4, other)] {
        let here = world.agent(cop).expect("an agent").setup().cell;
        world.place(first, Cell::new(here.x + 10, 2));
        world.place(other, Cell::new(here.x - apart, 2));
        for _ in 0..LENGTH {
            tick(&mut world);
        }
        assert_eq!(target(&world), Some(expected), "{apart} cells away");
    }
}

/// After a capture the game places everyone elsewhere and frees the robber, in any tick of a turn: all of them begin with
/// the same turn, so that no cop gets a move before the robber.
#[test]
fn a_chase_that_begins_anew_begins_with_a_turn_for_all() {
    for wait in 0..2 * LENGTH {
        let mut world = hall::hall(PursuitClock::Turns, 40, 9);
        let robber = world.insert(AgentSetup {
            control: Control::External,
            ..agent(Side::Robber, 8, 4)
        });
        let cops = [(5, 4), (11, 4)].map(|(x, y)| world.insert(agent(Side::Cops, x, y)));
        while world.agent(robber).expect("a robber").caught().is_none() {
            tick(&mut world);
        }
        for _ in 0..wait {
            tick(&mut world);
        }
        let (_, ends) = world.pursuit(0).expect("it is there").turn_ticks();
        for (cop, y) in cops.into_iter().zip([2, 6]) {
            world.place(cop, Cell::new(30, y));
        }
        world.place(robber, Cell::new(20, 4));
        world.release(robber);
        while world.tick() + 1 < ends {
            tick(&mut world);
            for (cop, y) in cops.into_iter().zip([2, 6]) {
                let cop = world.agent(cop).expect("a cop");
                assert_eq!((cop.setup().cell, cop.way().len()), (Cell::new(30, y), 0));
            }
        }
        tick(&mut world);
        for cop in cops {
            let cop = world.agent(cop).expect("a cop");
            assert_eq!(
                (cop.times().0, cop.way().len()),
                (ends, 1),
                "placed after {wait} ticks"
            );
        }
    }
}

#[test]
fn on_the_free_clock_cops_arrive_before_robbers() {
    // The robber leaves its cell in the tick in which the cop enters it, whoever moves the robber.
    for control in [Control::Policy, Control::WalkTo(Cell::new(29, 2))] {
        let mut world = hall(PursuitClock::FreeRunning);
        let robber = world.insert(AgentSetup {
            control,
            ..agent(Side::Robber, 10, 2)
        });
        world.insert(agent(Side::Cops, 9, 2));
        for _ in 0..=LENGTH {
            assert!(!is_caught(&world, robber), "{control:?}");
            tick(&mut world);
        }
        tick(&mut world);
        assert!(is_caught(&world, robber), "{control:?}");
    }
}

#[test]
fn a_number_of_the_games_own_changes_nothing() {
    let limited = |side, x| AgentSetup {
        sight: Some(4),
        ..agent(side, x, 2)
    };
    let run = |marks: bool| {
        let mut world = hall(PursuitClock::FreeRunning);
        let mut ids = vec![world.insert(limited(Side::Robber, 25))];
        ids.extend([3, 6, 9].map(|x| world.insert(limited(Side::Cops, x))));
        let mut hashes = Vec::new();
        for number in 0..40 * LENGTH {
            tick(&mut world);
            hashes.push(world.position_hash());
            if marks && number % 5 == 0 {
                for &id in &ids {
                    world.change(id, |setup| setup.user += 1);
                }
            }
        }
        hashes
    };
    assert_eq!(run(true), run(false));
}

/// Only who can be captured is marked as captured, and whoever becomes a cop is free.
#[test]
fn a_cop_cannot_be_held() {
    let mut world = hall(PursuitClock::Turns);
    let cop = world.insert(agent(Side::Cops, 2, 2));
    let fox = world.insert(AgentSetup {
        faction: Some(Faction::new(1, [2])),
        ..agent(Side::Cops, 9, 2)
    });
    for id in [cop, fox] {
        world.hold(id);
        world.send_away(id);
    }
    let is_out = |world: &PursuitWorld, id| {
        let agent = world.agent(id).expect("an agent");
        agent.caught().is_some() || agent.is_away()
    };
    assert!(!is_out(&world, cop));
    assert!(is_out(&world, fox));
    world.change(fox, |setup| setup.faction = None);
    assert!(!is_out(&world, fox));
}
