//! Reports of robbers that no cop can reach, and that cops can reach again.

use crate::common::hall::{agent, external, hall, tick, tick_with};
use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::Cell;
use pursuit_engine::world::{AgentId, PursuitClock, PursuitWorld, WorldEvent};

/// A wall in column 10, or its removal.
fn wall(passable: bool) -> Vec<TileEdit> {
    let tile = |y| TileEdit {
        cell: Cell::new(10, y),
        passable,
    };
    (0..3).map(tile).collect()
}

/// The reports of the ticks of some turns.
fn reports(world: &mut PursuitWorld, edits: &[TileEdit]) -> Vec<WorldEvent> {
    let mut reports = Vec::new();
    for number in 0..3 * 16 {
        tick_with(world, if number == 0 { edits } else { &[] });
        let is_report = |event: &&WorldEvent| {
            matches!(
                event,
                WorldEvent::OutOfReach(_) | WorldEvent::WithinReach(_)
            )
        };
        reports.extend(world.events().iter().filter(is_report).cloned());
    }
    reports
}

#[test]
fn a_robber_that_no_cop_chases_is_reported_too() {
    for clock in [
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ] {
        let mut world = hall(clock, 40, 3);
        let shut_in = world.insert(external(Side::Robber, 2, 1));
        world.insert(external(Side::Robber, 30, 1));
        for x in [32, 34] {
            world.insert(agent(Side::Cops, x, 1));
        }
        assert_eq!(reports(&mut world, &[]), [], "{clock:?}");
        let out = [WorldEvent::OutOfReach(shut_in)];
        assert_eq!(reports(&mut world, &wall(false)), out, "{clock:?}");
        let within = [WorldEvent::WithinReach(shut_in)];
        assert_eq!(reports(&mut world, &wall(true)), within, "{clock:?}");
    }
}

#[test]
fn it_does_not_matter_who_moves_the_cops_or_where_they_stand() {
    let mut world = hall(PursuitClock::Turns, 40, 3);
    let robber = world.insert(external(Side::Robber, 2, 1));
    let player = world.insert(external(Side::Cops, 20, 1));
    let out = [WorldEvent::OutOfReach(robber)];
    let within = [WorldEvent::WithinReach(robber)];
    let put = |world: &mut PursuitWorld, id: AgentId, x, edits: &[TileEdit]| {
        world.place(id, Cell::new(x, 1));
        reports(world, edits)
    };
    assert_eq!(put(&mut world, player, 20, &wall(false)), out);
    assert_eq!(put(&mut world, player, 5, &[]), within);
    assert_eq!(put(&mut world, player, 11, &[]), out);
    assert_eq!(put(&mut world, player, 10, &[]), within, "out of the wall");
    world.remove(player);
    assert_eq!(reports(&mut world, &[]), [], "nobody is there");
    tick(&mut world);
}

#[test]
fn a_robber_that_the_game_has_put_into_a_wall_is_out_of_reach() {
    let mut world = hall(PursuitClock::Turns, 40, 3);
    let cop = world.insert(agent(Side::Cops, 20, 1));
    let robber = world.insert(external(Side::Robber, 2, 1));
    assert_eq!(
        reports(&mut world, &wall(false)),
        [WorldEvent::OutOfReach(robber)]
    );
    world.place(robber, Cell::new(30, 1));
    assert_eq!(reports(&mut world, &[]), [WorldEvent::WithinReach(robber)]);
    world.place(robber, Cell::new(10, 1));
    let out = reports(&mut world, &[]);
    assert_eq!(out, [WorldEvent::OutOfReach(robber)], "in the wall");
    world.place(cop, Cell::new(10, 1));
    tick(&mut world);
    let caught = world.agent(robber).expect("an agent").caught();
    assert!(caught.is_some(), "in the same wall");
}

#[test]
fn what_the_game_knows_is_not_reported_again() {
    let mut world = hall(PursuitClock::Turns, 40, 3);
    world.insert(external(Side::Cops, 20, 1));
    for (x, expected) in [(2, None), (30, Some(()))] {
        let robber = world.insert(external(Side::Robber, x, 1));
        world.note_out_of_reach(robber);
        let edits = if x == 2 { wall(false) } else { Vec::new() };
        let within = expected.map(|()| WorldEvent::WithinReach(robber));
        assert_eq!(reports(&mut world, &edits), Vec::from_iter(within));
        world.remove(robber);
    }
}

#[test]
fn a_robber_that_was_a_cop_in_the_meantime_is_reported_as_if_it_had_not_been() {
    let mut world = hall(PursuitClock::Turns, 40, 3);
    let robber = world.insert(external(Side::Robber, 2, 1));
    world.insert(agent(Side::Cops, 32, 1));
    assert_eq!(
        reports(&mut world, &wall(false)),
        [WorldEvent::OutOfReach(robber)]
    );
    let swap = |world: &mut PursuitWorld, side| world.change(robber, |setup| setup.side = side);
    swap(&mut world, Side::Cops);
    assert!(!world.agent(robber).expect("a cop").is_out_of_reach());
    assert_eq!(reports(&mut world, &[]), []);
    swap(&mut world, Side::Robber);
    assert_eq!(reports(&mut world, &[]), [], "the game knows it");
    swap(&mut world, Side::Cops);
    assert_eq!(reports(&mut world, &wall(true)), []);
    swap(&mut world, Side::Robber);
    assert_eq!(reports(&mut world, &[]), [WorldEvent::WithinReach(robber)]);
}
