//! What agents do, in the words of a game.

use crate::common::map;
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::world::{
    Activity, AgentId, AgentSetup, Control, Expansions, PursuitSettings, PursuitWorld,
};

fn world(rows: &[&str]) -> PursuitWorld {
    let mut settings = PursuitSettings {
        ticks_per_turn: 1,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    PursuitWorld::new(&map(rows), Moves::Octile, settings)
}

fn insert(world: &mut PursuitWorld, side: Side, at: (u16, u16)) -> AgentId {
    world.insert(AgentSetup::new(side, Cell::new(at.0, at.1)))
}

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(100_000));
}

fn activity(world: &PursuitWorld, id: AgentId) -> Activity {
    world.agent(id).expect("an agent").state().activity
}

/// The activities that an agent has in a number of ticks.
fn activities(world: &mut PursuitWorld, id: AgentId, ticks: usize) -> Vec<Activity> {
    let after_tick = |_| {
        tick(world);
        activity(world, id)
    };
    (0..ticks).map(after_tick).collect()
}

#[test]
fn a_cop_chases_and_a_robber_flees_and_is_captured() {
    let mut world = world(&["............"]);
    let cop = insert(&mut world, Side::Cops, (0, 0));
    let robber = insert(&mut world, Side::Robber, (6, 0));
    tick(&mut world);
    assert_eq!(activity(&world, cop), Activity::Chasing);
    assert_eq!(activity(&world, robber), Activity::Fleeing);
    let seen = activities(&mut world, robber, 20);
    assert_eq!(seen.last(), Some(&Activity::Captured), "{seen:?}");
    assert_eq!(activity(&world, cop), Activity::Idle);
}

#[test]
fn a_cop_without_a_way_to_the_robber_is_stuck() {
    let mut world = world(&["...@...", "...@...", "...@..."]);
    let cop = insert(&mut world, Side::Cops, (0, 0));
    let robber = insert(&mut world, Side::Robber, (6, 2));
    let last = activities(&mut world, cop, 20);
    assert_eq!(last.last(), Some(&Activity::Stuck), "{last:?}");
    assert_eq!(activity(&world, robber), Activity::Waiting);
}

#[test]
fn one_of_several_cops_cuts_the_robber_off() {
    let mut world = world(&[
        ".........", //
        ".###.###.",
        ".#.....#.",
        ".........",
        ".#.....#.",
        ".###.###.",
        ".........",
    ]);
    let cops = [(0, 0), (0, 6), (4, 0)].map(|at| insert(&mut world, Side::Cops, at));
    insert(&mut world, Side::Robber, (4, 3));
    let mut seen = Vec::new();
    for _ in 0..30 {
        tick(&mut world);
        seen.extend(cops.map(|cop| activity(&world, cop)));
    }
    assert!(seen.contains(&Activity::Chasing), "{seen:?}");
    let cuts = |activity: &Activity| [Activity::CuttingOff, Activity::Waiting].contains(activity);
    assert!(seen.iter().any(cuts), "{seen:?}");
}

#[test]
fn a_cop_that_has_lost_the_robber_searches() {
    let mut world = world(&[
        ".......", //
        ".@@@@@.", ".@@@@@.", ".......",
    ]);
    let mut setup = AgentSetup::new(Side::Cops, Cell::new(0, 0));
    setup.sight = Some(3);
    let cop = world.insert(setup);
    let mut setup = AgentSetup::new(Side::Robber, Cell::new(2, 0));
    setup.control = Control::External;
    let robber = world.insert(setup);
    tick(&mut world);
    assert_eq!(activity(&world, cop), Activity::Chasing);
    world.place(robber, Cell::new(6, 3));
    let seen = activities(&mut world, cop, 3);
    assert!(seen.contains(&Activity::Searching), "{seen:?}");
    assert_eq!(activity(&world, robber), Activity::Controlled);
}

#[test]
fn errands_and_agents_without_opponents_have_their_own_words() {
    let mut world = world(&[".......", "@@@@@@@", "......."]);
    let mut setup = AgentSetup::new(Side::Cops, Cell::new(0, 0));
    setup.control = Control::WalkTo(Cell::new(3, 0));
    let walker = world.insert(setup);
    setup.control = Control::WalkTo(Cell::new(3, 2));
    let lost = world.insert(setup);
    setup.control = Control::Policy;
    let idle = world.insert(setup);
    setup.is_immobile = true;
    let turret = world.insert(setup);
    let seen = activities(&mut world, walker, 8);
    assert_eq!(seen[0], Activity::OnErrand);
    assert_eq!(seen.last(), Some(&Activity::Waiting));
    assert_eq!(activity(&world, lost), Activity::Stuck);
    assert_eq!(activity(&world, idle), Activity::Idle);
    assert_eq!(activity(&world, turret), Activity::Stuck);
}
