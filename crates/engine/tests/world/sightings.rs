//! Limited sight: how cops search for a robber that they have lost, and what robbers know about cops.

use crate::common::hall::{self, LENGTH, agent, external, tick};
use crate::common::town::rooms;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, DecidedBy, Expansions, FreeFor, IdleReason, MapLoader,
    PursuitClock, PursuitSettings, PursuitWorld, WorldEvent,
};

fn cell_of(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

fn turns(world: &mut PursuitWorld, turns: u32) {
    for _ in 0..turns * LENGTH {
        tick(world);
    }
}

#[test]
fn a_hidden_robber_is_forgotten_on_a_map_of_another_size() {
    let room = |height| TileMap::filled(9, height, Terrain::Floor).expect("a map");
    for (height, is_kept) in [(5, true), (6, false)] {
        let settings = PursuitSettings::default();
        let mut world = PursuitWorld::new(&room(5), Moves::Octile, settings);
        let robber = world.insert(external(Side::Robber, 3, 0));
        let cop = world.insert(AgentSetup {
            sight: Some(4),
            ..agent(Side::Cops, 0, 0)
        });
        tick(&mut world);
        world.place(robber, Cell::new(8, 4));
        tick(&mut world);
        let known = |world: &PursuitWorld| {
            let (_, sighting) = world.target_of(cop).expect("a target");
            sighting.map(|sighting| sighting.sees_now)
        };
        assert_eq!(known(&world), Some(false), "it is hidden");
        world.take_map(MapLoader::new(room(height), Moves::Octile));
        assert_eq!(known(&world).is_some(), is_kept, "{height} rows");
    }
}

/// Sightings begin and end alternately, also where the map grows or shrinks or a wall comes between.
#[test]
fn sightings_go_on_and_end_on_a_map_of_another_size() {
    let room = |columns, rows, wall: Option<u16>| {
        let mut map = TileMap::filled(columns, rows, Terrain::Floor).expect("a map");
        for y in 0..rows {
            if let Some(x) = wall {
                map.set(Cell::new(x, y), Terrain::Wall);
            }
        }
        map
    };
    for clock in [
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ] {
        for (columns, rows) in [(9, 5), (11, 5), (9, 7), (9, 4), (8, 5), (30, 30)] {
            for wall in [None, Some(4)] {
                let (first, settings) = (room(9, 5, None), hall::settings(clock));
                let mut world = PursuitWorld::new(&first, Moves::Octile, settings);
                let robber = world.insert(external(Side::Robber, 7, 2));
                world.insert(AgentSetup {
                    sight: Some(20),
                    ..external(Side::Cops, 0, 2)
                });
                let mut told = Vec::new();
                let mut play = |world: &mut PursuitWorld, ticks: u32| {
                    for _ in 0..ticks {
                        tick(world);
                        told.extend(world.events().iter().filter_map(|event| match event {
                            WorldEvent::Sighted { robber: of, seen } if *of == robber => {
                                Some(*seen)
                            }
                            _ => None,
                        }));
                    }
                };
                play(&mut world, 2 * LENGTH);
                world.take_map(MapLoader::new(room(columns, rows, wall), Moves::Octile));
                play(&mut world, 2 * LENGTH);
                let expected: &[bool] = if wall.is_some() {
                    &[true, false]
                } else {
                    &[true]
                };
                assert_eq!(told, expected, "{clock:?} {columns} x {rows} {wall:?}");
            }
        }
    }
}

/// A cop that has found the last sighting empty does not come back to it, but searches in a circle that grows.
#[test]
fn a_cop_searches_ever_farther_from_where_it_lost_the_robber() {
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        let mut world = hall::hall(clock, 80, 41);
        let seen = Cell::new(6, 20);
        let robber = world.insert(external(Side::Robber, seen.x, seen.y));
        let cop = world.insert(AgentSetup {
            sight: Some(5),
            ..agent(Side::Cops, 2, 20)
        });
        turns(&mut world, 1);
        world.place(robber, Cell::new(79, 20));
        let mut farthest = Vec::new();
        for _ in 0..4 {
            let mut far = 0;
            for _ in 0..25 {
                turns(&mut world, 1);
                far = far.max(cell_of(&world, cop).max_norm(seen));
            }
            farthest.push(far);
        }
        let sighting = world.target_of(cop).and_then(|(_, sighting)| sighting);
        let sighting = sighting.expect("a sighting");
        assert!(sighting.checked || sighting.sees_now, "{sighting:?}");
        assert!(farthest[3] > 20, "{clock:?}: {farthest:?}");
    }
}

#[test]
fn a_robber_forgets_a_cop_that_has_gone_from_where_it_was_seen() {
    let mut world = hall::hall(PursuitClock::Turns, 60, 9);
    let robber = world.insert(AgentSetup {
        sight: Some(6),
        ..agent(Side::Robber, 30, 4)
    });
    let cop = world.insert(external(Side::Cops, 36, 4));
    turns(&mut world, 1);
    let decided_by = |world: &PursuitWorld| world.agent(robber).expect("it").state().decided_by;
    assert!(matches!(decided_by(&world), DecidedBy::Policy(_)));
    world.place(robber, Cell::new(32, 4));
    world.place(cop, Cell::new(59, 4));
    turns(&mut world, 2);
    let nobody = DecidedBy::Nobody(IdleReason::NobodySeen);
    assert_eq!(decided_by(&world), nobody);
}

/// Before the robber's next turn, nobody may act on where it was: the cops see at once that it has gone.
#[test]
fn a_robber_that_the_game_places_out_of_sight_is_lost_at_once() {
    let mut world = hall::hall(PursuitClock::Turns, 60, 9);
    let robber = world.insert(external(Side::Robber, 10, 4));
    let cop = world.insert(AgentSetup {
        sight: Some(8),
        ..agent(Side::Cops, 4, 4)
    });
    turns(&mut world, 1);
    for _ in 0..LENGTH / 2 {
        tick(&mut world);
    }
    let seen = cell_of(&world, robber);
    world.place(robber, Cell::new(59, 4));
    tick(&mut world);
    let (_, sighting) = world.target_of(cop).expect("a target");
    let sighting = sighting.expect("a sighting");
    assert_eq!((sighting.cell, sighting.sees_now), (seen, false));
}

/// A robber that does not see all cops announces nothing that a cop out of sight can break.
#[test]
fn what_a_robber_with_limited_sight_announces_comes_true() {
    let (mut announced, mut captured) = (0, 0);
    for seed in 0..60 {
        let dice = &mut Dice::new(seed);
        let map = rooms(24, 24, seed).map;
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let mut world = PursuitWorld::new(&map, Moves::Octile, hall::settings(PursuitClock::Turns));
        let robber = world.insert(AgentSetup {
            sight: Some(8),
            ..AgentSetup::new(Side::Robber, free[dice.below(free.len())])
        });
        for _ in 0..2 {
            world.insert(AgentSetup::new(Side::Cops, free[dice.below(free.len())]));
        }
        // The last turn until which it is certain to be free.
        let mut free_until = None;
        for _ in 0..120 * LENGTH {
            tick(&mut world);
            let record = world.agent(robber).expect("it is there");
            let turn = world.pursuit(0).expect("it is there").turn();
            if let Some(catch) = record.caught() {
                let is_due = free_until.is_none_or(|turn| catch.turn > turn);
                assert!(is_due, "{seed}: {catch:?}, {free_until:?}");
                captured += 1;
                break;
            }
            match record.state().free_for() {
                // Caught in this turn.
                FreeFor::Exactly(0) => {}
                FreeFor::Turns(turns) | FreeFor::Exactly(turns) => {
                    free_until = Some(turn + u64::from(turns));
                    announced += 1;
                }
                FreeFor::Ever => free_until = Some(u64::MAX),
                // It has lost sight of a cop, and may leave the path of its last plan.
                FreeFor::Unknown => free_until = None,
            }
        }
    }
    assert!(captured > 20, "{captured} captures");
    println!("{captured} captures, {announced} announcements");
    assert!(announced > 20, "{announced} announcements");
}

/// A plan to flee is no plan for a cop.
#[test]
fn a_search_for_a_robber_that_changes_sides_is_given_up() {
    for budget in (20..400).step_by(20) {
        let settings = hall::settings(PursuitClock::Turns);
        let map = TileMap::filled(200, 200, Terrain::Floor).expect("a map");
        let mut world = PursuitWorld::new(&map, Moves::Orthogonal, settings);
        let robber = world.insert(agent(Side::Robber, 100, 100));
        world.insert(external(Side::Cops, 70, 100));
        let small = |world: &mut PursuitWorld| {
            world.begin_tick(&[]);
            world.arrive();
            world.decide(&mut Expansions(budget));
        };
        small(&mut world);
        small(&mut world);
        world.change(robber, |setup| setup.side = Side::Cops);
        for _ in 0..10 * LENGTH {
            small(&mut world);
            let ahead = world.agent(robber).expect("it is there").ahead().len();
            assert_eq!(ahead, 0, "{budget} expansions");
        }
    }
}

/// In a room that a cop sees from wall to wall, the robber is nowhere. The cop still goes to the places that it chooses.
#[test]
fn a_cop_that_sees_the_whole_room_walks_to_its_goals() {
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        let mut map = TileMap::filled(40, 7, Terrain::Floor).expect("a map");
        for y in 0..7 {
            map.set(Cell::new(9, y), Terrain::Wall);
        }
        let mut world = PursuitWorld::new(&map, Moves::Octile, hall::settings(clock));
        world.insert(external(Side::Robber, 39, 3));
        let cop = world.insert(AgentSetup {
            sight: Some(12),
            ..agent(Side::Cops, 4, 3)
        });
        let (mut crossings, mut last_side) = (0, 1);
        for _ in 0..200 {
            turns(&mut world, 1);
            let side = match cell_of(&world, cop).x {
                0..=1 => 0,
                7..=8 => 2,
                _ => continue,
            };
            crossings += u32::from(side != last_side);
            last_side = side;
        }
        assert!(crossings >= 8, "{clock:?}: {crossings}");
    }
}

/// Cops that have never seen the robber search the whole map. They find it wherever it stands.
#[test]
fn cops_find_a_robber_that_stands_still_on_a_large_map() {
    let mut found = 0;
    let games = 40;
    for seed in 0..games {
        let dice = &mut Dice::new(seed);
        let map = rooms(48, 48, seed).map;
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let mut settings = hall::settings(PursuitClock::Turns);
        settings.seed = seed;
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let place = free[dice.below(free.len())];
        let robber = world.insert(external(Side::Robber, place.x, place.y));
        for _ in 0..2 {
            world.insert(AgentSetup {
                sight: Some(8),
                ..AgentSetup::new(Side::Cops, free[dice.below(free.len())])
            });
        }
        for _ in 0..400 * LENGTH {
            tick(&mut world);
            if world.agent(robber).expect("it").caught().is_some() {
                found += 1;
                break;
            }
        }
    }
    assert!(found * 4 >= games * 3, "{found} of {games}");
}

/// Keeping track of agents out of sight is work, with which a tick is charged.
#[test]
fn the_work_of_keeping_track_is_counted() {
    let spent = |side: Side, sight: Option<u16>| {
        let mut world = hall::hall(PursuitClock::Turns, 100, 100);
        let setup = |of: Side, x| AgentSetup {
            sight: sight.filter(|_| of == side),
            ..external(of, x, 50)
        };
        let cop = world.insert(setup(Side::Cops, 40));
        world.insert(setup(Side::Robber, 47));
        let mut spent = 0;
        for number in 0..9 * LENGTH {
            // The robber is seen, and then lost. A robber forgets a cop after eight turns.
            if number == LENGTH {
                world.place(cop, Cell::new(10, 50));
            }
            world.begin_tick(&[]);
            world.arrive();
            world.decide(&mut Expansions(0));
            spent += world.report().spent;
        }
        spent
    };
    for side in [Side::Cops, Side::Robber] {
        let [limited, unlimited] = [Some(8), None].map(|sight| spent(side, sight));
        assert!(
            limited > unlimited + 200,
            "{side:?}: {limited}, {unlimited}"
        );
    }
}

/// The cops move first: a robber does not escape because it does not see the cop that captures it.
#[test]
fn a_cop_that_comes_unseen_captures_a_robber_that_is_about_to_flee_from_another() {
    let mut map = TileMap::filled(5, 3, Terrain::Floor).expect("a map");
    map.set(Cell::new(1, 0), Terrain::Wall);
    let settings = PursuitSettings::default();
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let robber = world.insert(AgentSetup {
        sight: Some(5),
        ..agent(Side::Robber, 2, 0)
    });
    // Behind the wall, and four steps away.
    world.insert(AgentSetup {
        speed: Speed::new(4).expect("a speed"),
        ..agent(Side::Cops, 0, 0)
    });
    world.insert(external(Side::Cops, 4, 0));
    turns(&mut world, 2);
    let caught = world.agent(robber).and_then(AgentRecord::caught);
    assert!(caught.is_some());
    assert_eq!(cell_of(&world, robber), Cell::new(2, 0));
}

/// A robber that passes over a cop is captured there, even if it does not see the cop.
#[test]
fn a_robber_does_not_run_over_a_cop_that_it_does_not_see() {
    for (speed, unseen, captured_at) in [(3, 7, Some(7)), (3, 9, None), (2, 7, Some(7))] {
        let mut world = hall::hall(PursuitClock::Turns, 12, 1);
        let robber = world.insert(AgentSetup {
            sight: Some(1),
            speed: Speed::new(speed).expect("a speed"),
            ..agent(Side::Robber, 5, 0)
        });
        world.insert(external(Side::Cops, 4, 0));
        world.insert(external(Side::Cops, unseen, 0));
        for _ in 0..=LENGTH {
            tick(&mut world);
        }
        let agent = world.agent(robber).expect("a robber");
        assert_eq!(agent.caught().is_some(), captured_at.is_some(), "{speed}");
        let at = captured_at.unwrap_or(8);
        assert_eq!(cell_of(&world, robber), Cell::new(at, 0), "{speed}");
    }
}

/// What happens to a robber that was sighted, and whether its cops lose sight of it at once.
type Loss = (fn(&mut PursuitWorld, [AgentId; 2]), bool);

#[test]
fn each_sighting_ends_before_the_next_one() {
    let sight = |limit| move |setup: &mut AgentSetup| setup.sight = limit;
    let losses: [Loss; 4] = [
        (
            |world, [robber, _]| world.place(robber, Cell::new(79, 20)),
            true,
        ),
        (|world, [robber, _]| world.hold(robber), true),
        (
            |world, [robber, _]| world.change(robber, |setup| setup.pursuit = 3),
            true,
        ),
        (
            |world, [_, cop]| world.change(cop, |setup| setup.sight = None),
            false,
        ),
    ];
    for (number, (lose, is_lost)) in losses.into_iter().enumerate() {
        let mut world = hall::hall(PursuitClock::Turns, 80, 41);
        let robber = world.insert(external(Side::Robber, 6, 20));
        let cop = world.insert(AgentSetup {
            sight: Some(5),
            ..external(Side::Cops, 2, 20)
        });
        let events = |world: &mut PursuitWorld| {
            let mut events = Vec::new();
            for _ in 0..2 * LENGTH {
                tick(world);
                let seen = world.events().iter().filter_map(|event| match event {
                    WorldEvent::Sighted { robber: who, seen } if *who == robber => Some(*seen),
                    _ => None,
                });
                events.extend(seen);
            }
            events
        };
        assert_eq!(events(&mut world), [true], "loss {number}");
        lose(&mut world, [robber, cop]);
        let lost = if is_lost { vec![false] } else { Vec::new() };
        assert_eq!(events(&mut world), lost, "loss {number}");
        // Far away, free, in the first pursuit, and sought by a cop that does not see far.
        world.place(robber, Cell::new(79, 20));
        world.release(robber);
        world.change(robber, |setup| setup.pursuit = 0);
        world.change(cop, sight(Some(5)));
        let lost = if is_lost { Vec::new() } else { vec![false] };
        assert_eq!(events(&mut world), lost, "loss {number}");
        world.place(robber, Cell::new(6, 20));
        assert_eq!(events(&mut world), [true], "loss {number}");
    }
}
