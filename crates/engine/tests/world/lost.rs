//! Robbers that cops have lost: around a bend, off the map, out of the world.

use crate::common::hall::{self, LENGTH, agent, external, tick};
use crate::common::town::rooms;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, IdleReason, PursuitClock, PursuitSettings,
    PursuitWorld, WorldEvent,
};
use std::collections::BTreeSet;

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

/// A winding corridor one cell wide, with legs of `leg` cells, and its cells in order.
fn corridor(leg: u16, legs: u16) -> (TileMap, Vec<Cell>) {
    let (width, height) = (leg + 2, 2 * legs + 1);
    let mut map = TileMap::filled(width, height, Terrain::Wall).expect("a map");
    let mut cells = Vec::new();
    for row in 0..legs {
        let columns: Vec<u16> = if row % 2 == 0 {
            (1..=leg).collect()
        } else {
            (1..=leg).rev().collect()
        };
        let last = *columns.last().expect("some columns");
        cells.extend(columns.into_iter().map(|x| Cell::new(x, 2 * row + 1)));
        if row + 1 < legs {
            cells.push(Cell::new(last, 2 * row + 2));
        }
    }
    for &cell in &cells {
        map.set(cell, Terrain::Floor);
    }
    (map, cells)
}

fn cell_of(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

fn source_of(world: &PursuitWorld, id: AgentId) -> DecidedBy {
    world.agent(id).expect("an agent").state().decided_by
}

fn turns(world: &mut PursuitWorld, turns: u32) {
    for _ in 0..turns * LENGTH {
        tick(world);
    }
}

/// Where nobody can pass them, cops never turn back: the robber is ahead, even if they have lost it behind a bend.
#[test]
fn cops_do_not_turn_back_in_a_winding_corridor() {
    let (mut chases, mut lost) = (0, 0);
    for clock in CLOCKS {
        for seed in 0..8_u64 {
            let leg = [3, 5, 9, 14][seed as usize % 4];
            let (map, cells) = corridor(leg, 300 / (leg + 1));
            let mut settings = PursuitSettings {
                seed,
                ..hall::settings(clock)
            };
            settings.ticks_per_turn = [LENGTH, 1][seed as usize / 4];
            let length = settings.ticks_per_turn;
            let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
            let speed = Speed::new(1 + (seed % 2) as u8).expect("a speed");
            let robber = world.insert(AgentSetup {
                speed,
                ..AgentSetup::new(Side::Robber, cells[5 + seed as usize % 3])
            });
            let cops = [2, 0].map(|index| {
                world.insert(AgentSetup {
                    speed,
                    sight: Some(8),
                    ..AgentSetup::new(Side::Cops, cells[index])
                })
            });
            let place = |world: &PursuitWorld, id| {
                let here = cell_of(world, id);
                cells.iter().position(|&cell| cell == here).expect("inside")
            };
            let mut before = cops.map(|cop| place(&world, cop));
            for _ in 0..130 * length {
                tick(&mut world);
                if world.agent(robber).expect("it").caught().is_some() {
                    break;
                }
                let seen = world.target_of(cops[0]).and_then(|(_, seen)| seen);
                lost += u32::from(seen.is_some_and(|seen| !seen.sees_now));
                let now = cops.map(|cop| place(&world, cop));
                for (now, before) in now.iter().zip(before) {
                    assert!(*now >= before, "{clock:?}, {seed}: {before} to {now}");
                }
                before = now;
            }
            chases += u32::from(before[0] > 60);
        }
    }
    assert!(chases > 12 && lost > 1_000, "{chases}, {lost}");
}

/// Ways in which a robber vanishes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The game places it off the map.
    OffTheMap,
    /// It is removed.
    Removed,
    /// It is captured by the game.
    Held,
    /// It is in another pursuit now.
    ElsePursuit,
    /// It is a cop now.
    Cop,
}

#[test]
fn cops_search_for_a_robber_that_has_left_and_not_for_a_captured_one() {
    use Way::*;
    for clock in CLOCKS {
        for way in [OffTheMap, Removed, Held, ElsePursuit, Cop] {
            let mut world = hall::hall(clock, 40, 21);
            let user = 7;
            let robber = world.insert(AgentSetup {
                user,
                ..external(Side::Robber, 20, 10)
            });
            let cop = world.insert(AgentSetup {
                sight: Some(12),
                ..agent(Side::Cops, 9, 10)
            });
            turns(&mut world, 1);
            assert!(world.is_sighted(robber), "{clock:?}, {way:?}");
            match way {
                OffTheMap => world.place(robber, Cell::new(200, 200)),
                Removed => assert!(world.remove(robber)),
                Held => world.hold(robber),
                ElsePursuit => world.change(robber, |setup| setup.pursuit = 4),
                Cop => world.change(robber, |setup| setup.side = Side::Cops),
            }
            let mut events = Vec::new();
            let mut farthest = 0;
            for _ in 0..60 * LENGTH {
                tick(&mut world);
                events.extend(world.events().iter().filter_map(|event| match event {
                    WorldEvent::Sighted { robber: who, seen } => Some((*who, *seen)),
                    _ => None,
                }));
                farthest = farthest.max(cell_of(&world, cop).max_norm(Cell::new(9, 10)));
            }
            assert_eq!(events, [(robber, false)], "{clock:?}, {way:?}");
            let searches = matches!(way, OffTheMap | Removed);
            let idle = DecidedBy::Nobody(IdleReason::NobodyThere);
            assert_eq!(
                source_of(&world, cop) != idle,
                searches,
                "{clock:?}, {way:?}"
            );
            // It goes to where it saw the robber, and looks around there.
            assert_eq!(farthest >= 10, searches, "{clock:?}, {way:?}: {farthest}");
            if way == Removed {
                assert!(world.agents().all(|(id, _)| id == cop));
                let (trace, seen) = world.target_of(cop).expect("a target");
                let seen = seen.expect("a sighting");
                assert_eq!((seen.cell, seen.sees_now), (Cell::new(20, 10), false));
                assert!(world.agent(trace).is_none());
                // It returns, and is recognised.
                let back = world.insert(AgentSetup {
                    user,
                    ..external(Side::Robber, 39, 0)
                });
                tick(&mut world);
                assert_eq!(world.target_of(cop).expect("a target").0, back);
                assert_eq!(world.pursuit(0).expect("it").robbers(), [back]);
            }
        }
    }
}

#[test]
fn the_search_for_a_robber_that_has_left_ends() {
    let mut world = hall::hall(PursuitClock::Turns, 30, 11);
    let robber = world.insert(external(Side::Robber, 12, 5));
    let cop = world.insert(AgentSetup {
        sight: Some(12),
        ..agent(Side::Cops, 3, 5)
    });
    turns(&mut world, 1);
    world.remove(robber);
    turns(&mut world, 250);
    let idle = DecidedBy::Nobody(IdleReason::NobodyThere);
    assert_ne!(source_of(&world, cop), idle);
    turns(&mut world, 20);
    assert_eq!(source_of(&world, cop), idle);
    assert!(world.pursuit(0).expect("it").robbers().is_empty());
    // With its cops, a trace goes.
    let robber = world.insert(external(Side::Robber, 12, 5));
    turns(&mut world, 2);
    assert!(world.is_sighted(robber));
    world.remove(robber);
    world.remove(cop);
    turns(&mut world, 1);
    assert!(world.pursuits().is_empty());
}

/// A robber off the map is nowhere: cops give up, and do not begin again. Once it is back, they search for it.
#[test]
fn the_search_for_a_robber_off_the_map_ends() {
    for clock in CLOCKS {
        for is_seen in [true, false] {
            let mut world = hall::hall(clock, 30, 11);
            let x = if is_seen { 12 } else { 300 };
            let robber = world.insert(external(Side::Robber, x, 5));
            let cop = world.insert(AgentSetup {
                sight: Some(12),
                ..agent(Side::Cops, 3, 5)
            });
            turns(&mut world, 1);
            assert_eq!(world.is_sighted(robber), is_seen);
            world.place(robber, Cell::new(300, 5));
            turns(&mut world, 250);
            let idle = DecidedBy::Nobody(IdleReason::NobodyThere);
            assert_eq!(source_of(&world, cop) == idle, !is_seen, "{clock:?}");
            turns(&mut world, 20);
            assert_eq!(source_of(&world, cop), idle, "{clock:?} {is_seen}");
            assert_eq!(world.target_of(cop), None, "{clock:?} {is_seen}");
            let here = cell_of(&world, cop);
            world.place(robber, Cell::new(29, if here.y > 5 { 0 } else { 10 }));
            turns(&mut world, 60);
            assert!(world.agent(robber).expect("it").caught().is_some());
        }
    }
}

/// A robber that the game takes out of a saved game was never there.
#[test]
fn nobody_searches_for_an_erased_robber() {
    for is_restored in [false, true] {
        let mut world = hall::hall(PursuitClock::Turns, 30, 11);
        let robber = world.insert(AgentSetup {
            user: 7,
            ..external(Side::Robber, 12, 5)
        });
        let cop = world.insert(AgentSetup {
            sight: Some(12),
            ..agent(Side::Cops, 3, 5)
        });
        turns(&mut world, 2);
        assert!(world.is_sighted(robber));
        if is_restored {
            let saved = world.snapshot();
            turns(&mut world, 1);
            world.restore(saved).expect("a snapshot");
        }
        assert!(world.erase(robber) && !world.erase(robber));
        for _ in 0..4 * LENGTH {
            tick(&mut world);
            let lost = |event: &WorldEvent| matches!(event, WorldEvent::Sighted { .. });
            assert!(!world.events().iter().any(lost));
        }
        let idle = DecidedBy::Nobody(IdleReason::NobodyThere);
        assert_eq!(source_of(&world, cop), idle);
        assert_eq!(world.target_of(cop), None);
        assert!(world.pursuit(0).expect("it").robbers().is_empty());
    }
}

/// A robber in sight counts more than the empty place where another one was seen.
#[test]
fn a_cop_does_not_stay_where_a_robber_has_gone() {
    let mut world = hall::hall(PursuitClock::Turns, 60, 9);
    let first = world.insert(external(Side::Robber, 10, 4));
    let second = world.insert(external(Side::Robber, 50, 4));
    let cop = world.insert(AgentSetup {
        sight: Some(8),
        ..agent(Side::Cops, 4, 4)
    });
    turns(&mut world, 1);
    world.place(first, Cell::new(59, 0));
    turns(&mut world, 8);
    let here = cell_of(&world, cop);
    world.place(second, Cell::new(here.x + 7, here.y));
    turns(&mut world, 2);
    assert_eq!(world.target_of(cop).expect("a target").0, second);
}

/// A snapshot after a change of the pursuit tells of the loss as the world itself does.
#[test]
fn a_saved_game_does_not_forget_that_a_robber_was_lost() {
    for removes in [false, true] {
        let mut world = hall::hall(PursuitClock::Turns, 30, 11);
        let robber = world.insert(external(Side::Robber, 12, 5));
        world.insert(AgentSetup {
            sight: Some(12),
            ..agent(Side::Cops, 3, 5)
        });
        turns(&mut world, 1);
        if removes {
            world.remove(robber);
        } else {
            world.change(robber, |setup| setup.pursuit = 2);
        }
        let mut copy = PursuitWorld::from_snapshot(world.snapshot()).expect("a snapshot");
        let lost = WorldEvent::Sighted {
            robber,
            seen: false,
        };
        for world in [&mut world, &mut copy] {
            tick(world);
            assert!(world.events().contains(&lost), "{removes}");
        }
        for _ in 0..100 {
            tick(&mut world);
            tick(&mut copy);
            assert_eq!(world.position_hash(), copy.position_hash());
        }
    }
}

/// A robber that has lost a cop behind a pillar keeps away from where the cop may come from.
#[test]
fn a_robber_keeps_away_from_a_cop_behind_a_pillar() {
    for clock in CLOCKS {
        let mut map = TileMap::filled(41, 31, Terrain::Floor).expect("a map");
        for y in 13..18 {
            for x in 18..21 {
                map.set(Cell::new(x, y), Terrain::Wall);
            }
        }
        let mut world = PursuitWorld::new(&map, Moves::Octile, hall::settings(clock));
        let robber = world.insert(AgentSetup {
            sight: Some(10),
            ..agent(Side::Robber, 24, 15)
        });
        let cop = world.insert(external(Side::Cops, 21, 12));
        turns(&mut world, 1);
        // The cop walks round the far side of the pillar, and waits there.
        let walk = [(20, 12), (19, 12), (18, 12), (17, 13), (17, 14), (17, 15)];
        let mut rests = 0;
        for turn in 0..9 {
            if let Some(&(x, y)) = walk.get(turn) {
                world.place(cop, Cell::new(x, y));
            }
            turns(&mut world, 1);
            rests += u32::from(matches!(source_of(&world, robber), DecidedBy::Nobody(_)));
        }
        let far = cell_of(&world, robber).max_norm(Cell::new(17, 15));
        assert!(rests <= 2 && far >= 8, "{clock:?}: {rests}, {far}");
    }
}

/// Whatever the game does, each robber is sighted and lost in turn, and in sight says the same as the last event.
#[test]
fn robbers_are_sighted_and_lost_in_turn_whatever_happens() {
    let mut events = 0;
    for seed in 0..60_u64 {
        let dice = &mut Dice::new(seed);
        let clock = CLOCKS[dice.below(3)];
        let map = rooms(24, 24, seed).map;
        let mut settings = hall::settings(clock);
        settings.ticks_per_turn = [1, 4, LENGTH][dice.below(3)];
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let cells: Vec<Cell> = map.cells().collect();
        let any = |dice: &mut Dice| match dice.below(12) {
            0 => Cell::new(99, 99),
            _ => cells[dice.below(cells.len())],
        };
        let setup = |dice: &mut Dice| AgentSetup {
            side: [Side::Cops, Side::Robber][dice.below(2)],
            pursuit: dice.below(2) as u32,
            sight: [None, Some(0), Some(4), Some(8), Some(8), Some(30)][dice.below(6)],
            user: dice.below(9) as u64,
            control: [Control::Policy, Control::External][dice.below(2)],
            ..AgentSetup::new(Side::Cops, any(dice))
        };
        let mut agents: Vec<AgentId> = (0..6).map(|_| world.insert(setup(dice))).collect();
        let mut in_sight = BTreeSet::new();
        for _ in 0..400 {
            if dice.below(3) == 0 {
                let number = dice.below(agents.len());
                let id = agents[number];
                match dice.below(9) {
                    0 => {
                        let after = setup(dice);
                        world.change(id, |setup| setup.side = after.side);
                    }
                    1 => {
                        let after = setup(dice);
                        world.change(id, |setup| setup.pursuit = after.pursuit);
                    }
                    2 => {
                        let after = setup(dice);
                        world.change(id, |setup| setup.sight = after.sight);
                    }
                    3 => {
                        world.remove(id);
                        agents[number] = world.insert(setup(dice));
                    }
                    4 => world.hold(id),
                    5 => world.release(id),
                    6 => {
                        let saved = world.snapshot();
                        world = PursuitWorld::from_snapshot(saved).expect("a snapshot");
                    }
                    7 => world.restart_pursuit(dice.below(2) as u32),
                    _ => world.place(id, any(dice)),
                }
            }
            tick(&mut world);
            for event in world.events() {
                if let WorldEvent::Sighted { robber, seen } = event {
                    events += 1;
                    let is_next = if *seen {
                        in_sight.insert(*robber)
                    } else {
                        in_sight.remove(robber)
                    };
                    assert!(is_next, "seed {seed}: {robber:?}, {seen}");
                }
            }
            for &id in &agents {
                assert_eq!(world.is_sighted(id), in_sight.contains(&id), "seed {seed}");
            }
            assert!(
                in_sight.iter().all(|&id| world.agent(id).is_some()),
                "seed {seed}"
            );
        }
    }
    assert!(events > 200, "{events}");
}

/// Cops that arrive where a player stood who has left the world since capture nobody.
#[test]
fn a_player_who_leaves_after_a_step_is_not_captured() {
    let mut world = hall::hall(PursuitClock::Turns, 12, 3);
    let cop = world.insert(AgentSetup {
        sight: Some(6),
        ..agent(Side::Cops, 4, 1)
    });
    let player = world.insert(external(Side::Robber, 6, 1));
    let is_capture = |event: &WorldEvent| matches!(event, WorldEvent::Captured { .. });
    for _ in 0..LENGTH {
        tick(&mut world);
        assert!(!world.events().iter().any(is_capture));
    }
    let mut has_arrived = false;
    // The cop is on its way to the player's cell, and the player steps aside and leaves.
    world.order(cop, &[Cell::new(5, 1), Cell::new(6, 1)]);
    for now in 0..4 * LENGTH {
        if now == 2 {
            world.place(player, Cell::new(6, 0));
        }
        if now == 4 {
            world.remove(player);
        }
        tick(&mut world);
        assert!(!world.events().iter().any(is_capture), "tick {now}");
        has_arrived |= cell_of(&world, cop) == Cell::new(6, 1);
    }
    assert!(has_arrived);
}
