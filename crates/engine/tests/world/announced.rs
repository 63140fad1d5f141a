//! What a robber has announced ends when the game changes its pursuit: speeds, places and members.

use crate::common::hall::{self, LENGTH, agent, external, tick};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, FreeFor, PursuitClock, PursuitWorld,
};

/// A corridor with a robber at its end, and a cop that only the game moves.
fn corridor(cop: u16) -> (PursuitWorld, AgentId, AgentId) {
    let mut world = hall::hall(PursuitClock::Turns, 40, 1);
    let robber = world.insert(agent(Side::Robber, 39, 0));
    let cop = world.insert(external(Side::Cops, cop, 0));
    turns(&mut world, 2);
    (world, robber, cop)
}

fn turns(world: &mut PursuitWorld, turns: u32) {
    for _ in 0..turns * LENGTH {
        tick(world);
    }
}

/// A turn without any budget.
fn poor_turn(world: &mut PursuitWorld) {
    for _ in 0..LENGTH {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(0));
    }
}

fn free_for(world: &PursuitWorld, robber: AgentId) -> FreeFor {
    world.agent(robber).expect("a robber").state().free_for()
}

/// The most turns that the robber may announce.
fn assert_at_most(world: &PursuitWorld, robber: AgentId, most: u16) {
    let free = free_for(world, robber);
    let is_true = match free {
        FreeFor::Unknown => true,
        FreeFor::Turns(turns) | FreeFor::Exactly(turns) => turns <= most,
        FreeFor::Ever => false,
    };
    assert!(is_true, "{free:?} instead of at most {most}");
}

#[test]
fn a_faster_cop_counts_from_the_next_turn_on() {
    let (mut world, robber, cop) = corridor(10);
    assert!(matches!(free_for(&world, robber), FreeFor::Turns(20..)));
    world.change(cop, |setup| setup.speed = Speed::new(5).expect("a speed"));
    turns(&mut world, 2);
    assert_at_most(&world, robber, 6);
    assert!(matches!(free_for(&world, robber), FreeFor::Turns(1..)));
}

#[test]
fn a_slower_robber_counts_from_the_next_turn_on() {
    let mut world = hall::hall(PursuitClock::Turns, 60, 1);
    let robber = world.insert(AgentSetup {
        speed: Speed::new(3).expect("a speed"),
        ..agent(Side::Robber, 12, 0)
    });
    world.insert(AgentSetup {
        speed: Speed::new(2).expect("a speed"),
        ..external(Side::Cops, 10, 0)
    });
    tick(&mut world);
    world.change(robber, |setup| setup.speed = Speed::ONE);
    turns(&mut world, 1);
    // At the end of its last fast step; two turns ahead at most.
    let x = world.agent(robber).expect("a robber").setup().cell.x;
    assert_at_most(&world, robber, x - 10);
}

#[test]
fn a_cop_that_is_placed_nearer_ends_what_was_announced_even_without_a_budget() {
    let (mut world, robber, cop) = corridor(0);
    assert!(matches!(free_for(&world, robber), FreeFor::Turns(30..)));
    world.place(cop, Cell::new(33, 0));
    poor_turn(&mut world);
    assert_at_most(&world, robber, 6);
}

#[test]
fn so_does_a_cop_that_joins() {
    let (mut world, robber, _) = corridor(0);
    world.insert(external(Side::Cops, 36, 0));
    poor_turn(&mut world);
    assert_at_most(&world, robber, 3);
    turns(&mut world, 2);
    assert_eq!(free_for(&world, robber), FreeFor::Turns(2));
}

#[test]
fn a_change_in_the_middle_of_a_tick_ends_only_what_was_announced_before() {
    let (mut world, robber, cop) = corridor(0);
    for (ticks, x) in [33, 30, 36].into_iter().enumerate() {
        for _ in 0..ticks {
            tick(&mut world);
        }
        world.begin_tick(&[]);
        world.arrive();
        world.place(cop, Cell::new(x, 0));
        world.decide(&mut Expansions(10_000));
        turns(&mut world, 1);
        assert_eq!(free_for(&world, robber), FreeFor::Turns(39 - x - 1));
    }
}

#[test]
fn a_save_in_between_makes_no_difference() {
    let (mut world, robber, cop) = corridor(0);
    world.place(cop, Cell::new(33, 0));
    let saved = world.snapshot();
    let mut restored = PursuitWorld::from_snapshot(saved).expect("a sound save");
    for world in [&mut world, &mut restored] {
        poor_turn(world);
        assert_at_most(world, robber, 6);
    }
    assert_eq!(free_for(&world, robber), free_for(&restored, robber));
}

#[test]
fn an_errand_goes_on_while_cops_come_and_go() {
    let mut map = TileMap::filled(9, 9, Terrain::Floor).expect("a map");
    for y in 1..9 {
        map.set(Cell::new(4, y), Terrain::Wall);
    }
    let mut world = PursuitWorld::new(&map, Moves::Octile, hall::settings(PursuitClock::Turns));
    let robber = world.insert(AgentSetup {
        control: Control::WalkTo(Cell::new(8, 8)),
        ..agent(Side::Robber, 0, 8)
    });
    let cop = world.insert(external(Side::Cops, 8, 0));
    turns(&mut world, 1);
    for turn in 0..17 {
        world.place(cop, Cell::new(8, turn % 2));
        poor_turn(&mut world);
    }
    tick(&mut world);
    let at = world.agent(robber).expect("a robber").setup().cell;
    assert_eq!(at, Cell::new(8, 8), "by the path round the wall");
}
