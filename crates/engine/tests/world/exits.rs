//! Robbers that get away through exits, and cops that bar the way.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use crate::common::referee::Referee;
use pursuit_engine::game::{Outcome, Rules, Side};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solver};
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, Control, DecidedBy, Expansions, IdleReason, PursuitClock,
    PursuitWorld, WorldEvent,
};
use std::num::NonZeroU8;
use std::sync::Arc;

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

fn tick(world: &mut PursuitWorld, edits: &[MapEdit]) {
    world.begin_tick_with(edits);
    world.arrive();
    world.decide(&mut Expansions(10_000));
}

fn exit(x: u16, y: u16, kinds: Kinds) -> MapEdit {
    let at = Cell::new(x, y);
    MapEdit::Exit { at, kinds }
}

/// The end of a robber's game: whether it got away, or was captured. `None` if neither in that many turns.
fn end(world: &mut PursuitWorld, robber: AgentId, turns: u32) -> Option<bool> {
    for _ in 0..turns * LENGTH {
        tick(world, &[]);
        for event in world.events() {
            match *event {
                WorldEvent::Away { robber: id, .. } if id == robber => return Some(true),
                WorldEvent::Captured { robber: id, .. } if id == robber => return Some(false),
                _ => {}
            }
        }
    }
    None
}

#[test]
fn a_robber_runs_for_the_exit_and_is_out_of_the_game() {
    for clock in CLOCKS {
        let mut map = map(&["..........", "..........", ".........."]);
        map.rules_mut().apply(exit(9, 1, Kinds::ALL));
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        world.insert(agent(Side::Cops, 0, 1));
        let robber = world.insert(agent(Side::Robber, 4, 1));
        assert_eq!(end(&mut world, robber, 8), Some(true), "{clock:?}");
        tick(&mut world, &[]);
        let record = world.agent(robber).expect("there");
        assert!(record.is_away() && record.caught().is_none(), "{clock:?}");
        assert_eq!(record.setup().cell, Cell::new(9, 1));
        let idle = DecidedBy::Nobody(IdleReason::Away);
        assert_eq!(record.state().decided_by, idle, "{clock:?}");
        // Nobody chases it, and no cop captures it.
        assert_eq!(end(&mut world, robber, 12), None, "{clock:?}");
        let saved = postcard::to_allocvec(&world.snapshot()).expect("a snapshot");
        let snapshot = postcard::from_bytes(&saved).expect("the same snapshot");
        let restored = PursuitWorld::from_snapshot(snapshot).expect("a sound snapshot");
        assert!(restored.agent(robber).is_some_and(AgentRecord::is_away));
        // The exit closes, and the robber is back.
        tick(&mut world, &[exit(9, 1, Kinds::NONE)]);
        world.release(robber);
        assert!(!world.agent(robber).expect("there").is_away());
        world.insert(agent(Side::Cops, 9, 0));
        assert_eq!(end(&mut world, robber, 12), Some(false), "{clock:?}");
    }
}

#[test]
fn robbers_leave_without_cops_and_only_by_exits_that_are_theirs() {
    let key = Kinds::from_bits(1);
    for clock in CLOCKS {
        let mut map = map(&["......", "......"]);
        map.rules_mut().apply(exit(5, 0, key));
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let plain = world.insert(agent(Side::Robber, 0, 0));
        let owner = world.insert(AgentSetup {
            kinds: key,
            ..agent(Side::Robber, 0, 1)
        });
        assert_eq!(end(&mut world, owner, 8), Some(true), "{clock:?}");
        assert_eq!(end(&mut world, plain, 8), None, "{clock:?}");
        // A player walks onto the exit when it has found the key.
        world.change(plain, |setup| {
            setup.control = Control::WalkTo(Cell::new(5, 0));
        });
        assert_eq!(end(&mut world, plain, 8), None, "{clock:?}");
        world.change(plain, |setup| setup.kinds = key);
        assert_eq!(end(&mut world, plain, 8), Some(true), "{clock:?}");
    }
}

#[test]
fn a_cop_between_a_robber_and_the_only_exit_bars_the_way() {
    for clock in CLOCKS {
        let mut map = map(&["##########", "..........", "##########"]);
        map.rules_mut().apply(exit(9, 1, Kinds::ALL));
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        world.insert(agent(Side::Cops, 7, 1));
        let robber = world.insert(agent(Side::Robber, 2, 1));
        assert_eq!(end(&mut world, robber, 30), Some(false), "{clock:?}");
    }
}

/// Two live cops and a live robber on small random maps with exits, against the exact table of the game.
#[test]
fn both_sides_play_well_where_there_are_exits() {
    let (mut away, mut lost, mut caught, mut missed) = (0, 0, 0, 0);
    for seed in 0..300 {
        let dice = &mut Dice::new(seed);
        let mut map = TileMap::filled(9, 9, Terrain::Floor).expect("some cells");
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(5) == 0 {
                map.set(at, Terrain::Wall);
            }
        }
        let free: Vec<Cell> = map.cells().filter(|&at| map.is_passable(at)).collect();
        let mut any = || dice.pick(&free).expect("floor");
        let exits = [any(), any()];
        let (robber, cops) = (any(), [any(), any()]);
        if cops.contains(&robber) || exits.contains(&robber) {
            continue;
        }
        let graph = Graph::new(&map, Moves::Octile);
        let at = |cell: Cell| graph.vertex(cell).expect("floor");
        let arena = Arena::builder(&graph).exits(&exits.map(at)).build();
        let rules = Rules {
            cops: NonZeroU8::MIN.saturating_add(1),
            ..Rules::default()
        };
        let arena = Arc::new(arena.expect("exits"));
        let mut solver = Solver::new(arena, rules, 1 << 24).expect("a small table");
        solver.run(|_| true);
        let solution = solver.finish().expect("done");
        let value = solution
            .value(at(robber), &cops.map(at))
            .expect("a position");
        for at in exits {
            map.rules_mut().apply(exit(at.x, at.y, Kinds::ALL));
        }
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(PursuitClock::Turns));
        for cop in cops {
            world.insert(agent(Side::Cops, cop.x, cop.y));
        }
        let id = world.insert(agent(Side::Robber, robber.x, robber.y));
        let ended = end(&mut world, id, 60);
        match value {
            Outcome::Away(_) => {
                away += 1;
                lost += u32::from(ended != Some(true));
            }
            Outcome::Caught(_) => {
                caught += 1;
                missed += u32::from(ended != Some(false));
            }
            Outcome::Escapes => {}
        }
    }
    eprintln!(
        "{away} games won by the robber, {lost} of them lost; {caught} won by cops, {missed} lost"
    );
    assert!(away > 60 && caught > 60, "{away} {caught}");
    assert!(lost * 10 <= away, "{lost} of {away}");
    assert!(missed * 5 <= caught, "{missed} of {caught}");
}

#[test]
fn games_with_exits_are_legal_and_repeat_bit_for_bit() {
    let game = |seed: u64, restores: bool| {
        let dice = &mut Dice::new(seed);
        let mut map = TileMap::filled(16, 16, Terrain::Floor).expect("some cells");
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(5) == 0 {
                map.set(at, Terrain::Wall);
            }
        }
        let free: Vec<Cell> = map.cells().filter(|&at| map.is_passable(at)).collect();
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(CLOCKS[dice.below(3)]));
        for index in 0..8 {
            let side = [Side::Robber, Side::Cops][usize::from(index % 3 != 0)];
            let at = dice.pick(&free).expect("floor");
            world.insert(AgentSetup {
                kinds: Kinds::from_bits(dice.below(2) as u32),
                sight: [None, Some(5)][dice.below(2)],
                ..agent(side, at.x, at.y)
            });
        }
        let mut referee = Referee::default();
        let mut hashes = Vec::new();
        for round in 0..200 {
            let at = dice.pick(&free).expect("floor");
            let kinds = [Kinds::ALL, Kinds::from_bits(1), Kinds::NONE][dice.below(3)];
            let edits = [exit(at.x, at.y, kinds)];
            let many = usize::from(dice.below(9) == 0);
            tick(&mut world, &edits[..many]);
            if let Err(violation) = referee.watch(&world, &[]) {
                panic!("seed {seed}: {violation}");
            }
            hashes.push(world.position_hash());
            if restores && round % 41 == 17 {
                let saved = postcard::to_allocvec(&world.snapshot()).expect("a snapshot");
                let snapshot = postcard::from_bytes(&saved).expect("the same snapshot");
                world = PursuitWorld::from_snapshot(snapshot).expect("a sound snapshot");
            }
        }
        hashes
    };
    for seed in 0..60 {
        assert_eq!(game(seed, false), game(seed, true), "seed {seed}");
    }
}

/// A cop that captures at a distance, and robbers that keep it.
#[test]
fn a_cop_captures_within_its_reach_and_robbers_keep_their_distance() {
    for clock in CLOCKS {
        let around = map(&["..........", ".########.", ".########.", ".........."]);
        let mut caught = [0, 0, 0];
        for (index, reach) in [0, 1, 3].into_iter().enumerate() {
            let mut world = PursuitWorld::new(&around, Moves::Octile, settings(clock));
            let ids = [(0, 0), (9, 3)].map(|(x, y)| {
                world.insert(AgentSetup {
                    reach,
                    ..agent(Side::Cops, x, y)
                })
            });
            let robber = world.insert(agent(Side::Robber, 5, 0));
            for _ in 0..60 * LENGTH {
                tick(&mut world, &[]);
                if world.agent(robber).is_some_and(|r| r.caught().is_some()) {
                    break;
                }
                caught[index] += 1;
                if clock == PursuitClock::Turns {
                    let cell = |id| world.agent(id).expect("there").setup().cell;
                    let near = |&id: &AgentId| cell(id).max_norm(cell(robber)) <= reach.into();
                    let is_behind_a_wall = |&id: &AgentId| cell(id).y != cell(robber).y;
                    assert!(
                        ids.iter().all(|id| !near(id) || is_behind_a_wall(id)),
                        "{reach}"
                    );
                }
            }
        }
        assert!(caught[0] > caught[2], "{clock:?}: {caught:?}");
    }
    // A wall keeps a cop's reach out: it is counted in steps.
    let walled = map(&["...", "###", "..."]);
    let mut world = PursuitWorld::new(&walled, Moves::Octile, settings(PursuitClock::Turns));
    world.insert(AgentSetup {
        reach: 4,
        ..agent(Side::Cops, 1, 0)
    });
    let robber = world.insert(agent(Side::Robber, 1, 2));
    assert_eq!(end(&mut world, robber, 8), None);
}
