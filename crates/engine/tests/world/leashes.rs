//! Cops that do not follow robbers everywhere and for ever: leashes, patience, and targets out of reach.

use crate::common::hall::{LENGTH, agent, external, hall, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, Control, Duty, Expansions, GiveUp, Leash, PatrolOrder,
    PursuitClock, PursuitWorld, Reason, Snapshot, WorldEvent,
};
use std::collections::{BTreeMap, BTreeSet};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

const KEY: Kinds = Kinds::from_bits(1);

fn tick(world: &mut PursuitWorld, edits: &[MapEdit], budget: u64) {
    world.begin_tick_with(edits);
    world.arrive();
    world.decide(&mut Expansions(budget));
}

fn play(world: &mut PursuitWorld, turns: u64) -> Vec<WorldEvent> {
    let mut events = Vec::new();
    for _ in 0..turns * u64::from(LENGTH) {
        tick(world, &[], 10_000);
        events.extend_from_slice(world.events());
    }
    events
}

fn record(world: &PursuitWorld, id: AgentId) -> &AgentRecord {
    world.agent(id).expect("it is there")
}

const fn tied_to(cell: Cell, steps: u8) -> Leash {
    Leash { cell, steps }
}

fn gave_up(events: &[WorldEvent]) -> Vec<GiveUp> {
    let because = |event: &WorldEvent| match event {
        WorldEvent::GaveUp { because, .. } => Some(*because),
        _ => None,
    };
    events.iter().filter_map(because).collect()
}

/// The cells within some steps, by the definition.
fn ball(graph: &Graph, leash: Leash) -> BTreeSet<Cell> {
    let mut reached = BTreeSet::new();
    let mut left = leash.steps;
    if graph.vertex(leash.cell).is_some() {
        reached.insert(leash.cell);
    } else if left > 0 {
        let all = graph.iter().map(|at| graph.cell(at));
        // Out of a wall, an agent takes a straight step, or a diagonal one; or squeezes through a corner.
        let beside = all.filter(|at| graph.is_on_map(leash.cell) && at.max_norm(leash.cell) == 1);
        reached.extend(beside);
        left -= 1;
    }
    for _ in 0..left {
        for at in reached.clone() {
            let at = graph.vertex(at).expect("no wall");
            reached.extend(graph.neighbours(at).iter().map(|&next| graph.cell(next)));
        }
    }
    reached
}

fn any_map(dice: &mut Dice) -> TileMap {
    let size = |dice: &mut Dice| (6 + dice.below(8)) as u16;
    let (width, height) = (size(dice), size(dice));
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(5) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    map
}

fn any_edit(world: &PursuitWorld, dice: &mut Dice) -> MapEdit {
    let graph = world.graph();
    let at = Cell::new(
        dice.below(graph.width().into()) as u16,
        dice.below(graph.height().into()) as u16,
    );
    if dice.below(6) == 0 {
        let kinds = [Kinds::ALL, KEY][dice.below(2)];
        return MapEdit::Kinds { at, kinds };
    }
    MapEdit::from(TileEdit {
        cell: at,
        passable: !graph.is_floor(at),
    })
}

/// Inserts cops with duties, leashes, patience and limited sight, and robbers.
fn any_agents(world: &mut PursuitWorld, dice: &mut Dice) -> Vec<AgentId> {
    let free: Vec<Cell> = world
        .graph()
        .iter()
        .map(|at| world.graph().cell(at))
        .collect();
    let any = |dice: &mut Dice| match dice.below(12) {
        0 => Cell::new(dice.below(30) as u16, dice.below(30) as u16),
        _ => dice.pick(&free).expect("some"),
    };
    let robbers = 1 + dice.below(3);
    let mut all = Vec::new();
    for index in 0..robbers + 2 + dice.below(3) {
        let is_robber = index < robbers;
        let side = if is_robber { Side::Robber } else { Side::Cops };
        let at = dice.pick(&free).expect("some");
        let steps = 1 + dice.below(6) as u8;
        let tied = if dice.below(3) == 0 { any(dice) } else { at };
        all.push(world.insert(AgentSetup {
            speed: Speed::new(1 + dice.below(3) as u8).expect("a speed"),
            sight: [None, Some(4), Some(4)][dice.below(3)],
            leash: Some(tied_to(tied, steps)).filter(|_| dice.below(3) > 0),
            patience: [0, 2, 6][dice.below(3)],
            kinds: [Kinds::NONE, KEY][dice.below(4) / 3],
            control: if dice.below(8) == 0 {
                Control::Duty
            } else {
                Control::Policy
            },
            ..AgentSetup::new(side, at)
        }));
    }
    for &id in &all {
        let posts: Vec<Cell> = (0..dice.below(4)).map(|_| any(dice)).collect();
        let duty = match dice.below(6) {
            0 => Some(Duty::Post(any(dice))),
            1 => Some(Duty::Follow {
                leader: dice.pick(&all).expect("some"),
                apart: dice.below(3) as u8,
            }),
            2..4 => Some(Duty::Patrol {
                posts,
                order: [
                    PatrolOrder::Rounds,
                    PatrolOrder::ToAndFro,
                    PatrolOrder::Random,
                ][dice.below(3)],
                wait: dice.below(3) as u16,
            }),
            _ => None,
        };
        world.set_duty(id, duty);
    }
    all
}

/// What a tick of a random game does besides: doors, captured robbers that are freed, role swaps.
fn any_change(world: &mut PursuitWorld, all: &[AgentId], dice: &mut Dice) {
    for &id in all {
        if world
            .agent(id)
            .is_some_and(|agent| agent.caught().is_some())
            && dice.below(20) == 0
        {
            world.release(id);
        }
    }
    if dice.below(60) == 0
        && let Some(id) = dice.pick(all)
    {
        match dice.below(4) {
            0 => world.change(id, |setup| {
                setup.side = match setup.side {
                    Side::Cops => Side::Robber,
                    Side::Robber => Side::Cops,
                };
            }),
            1 => world.change(id, |setup| {
                setup.kinds = if setup.kinds.is_empty() {
                    KEY
                } else {
                    Kinds::NONE
                };
            }),
            2 => world.set_duty(id, Some(Duty::Post(Cell::new(3, 3)))),
            _ => {
                world.change(id, |setup| {
                    setup.leash = Some(tied_to(setup.cell, 3)).xor(setup.leash);
                });
            }
        }
    }
}

/// In random games with doors, a cop that hunts sets out to no cell beyond its leash. It gives up a robber that it has
/// chased until then, and each time it says so once.
#[test]
fn hunters_stay_within_their_leashes_and_give_up_once_each_time() {
    let (mut hunted, mut captured) = (0, 0);
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..500 {
        let dice = &mut Dice::new(seed);
        let clock = CLOCKS[seed as usize % 3];
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let mut world = PursuitWorld::new(&any_map(dice), moves, settings(clock));
        let all = any_agents(&mut world, dice);
        let mut targets: BTreeMap<AgentId, Option<AgentId>> = BTreeMap::new();
        for _ in 0..30 * u64::from(LENGTH) {
            any_change(&mut world, &all, dice);
            let edit = (dice.below(120) == 0).then(|| any_edit(&world, dice));
            let edits: Vec<MapEdit> = edit.into_iter().collect();
            tick(&mut world, &edits, 3000);
            let mut gives_up: BTreeMap<AgentId, u32> = BTreeMap::new();
            for event in world.events() {
                match *event {
                    WorldEvent::GaveUp {
                        id,
                        robber,
                        because,
                    } => {
                        *gives_up.entry(id).or_default() += 1;
                        *reasons.entry(format!("{because:?}")).or_default() += 1;
                        assert_ne!(record(&world, id).target(), Some(robber), "{seed}");
                        let before = targets.get(&id).copied().flatten();
                        assert_eq!(before, Some(robber), "{seed}: nobody is given up twice");
                    }
                    WorldEvent::Captured { .. } => captured += 1,
                    _ => {}
                }
            }
            assert!(gives_up.values().all(|&times| times == 1), "{seed}");
            for (id, cop) in world.agents() {
                targets.insert(id, cop.target());
                let setup = cop.setup();
                let sets_out = cop.times().0 == world.tick() && !cop.way().is_empty();
                let hunts = setup.side == Side::Cops && !cop.is_on_duty() && sets_out;
                let Some(leash) = setup.leash.filter(|_| hunts) else {
                    continue;
                };
                hunted += 1;
                let graph = world.graph_for(setup.kinds);
                let cells = ball(graph, leash);
                for &at in cop.way() {
                    assert!(cells.contains(&graph.cell(at)), "{seed} {leash:?} {cop:?}");
                }
            }
        }
    }
    let has = |reason: GiveUp| reasons.get(&format!("{reason:?}")).copied().unwrap_or(0) > 10;
    let all = [GiveUp::Leash, GiveUp::Unreachable, GiveUp::Unseen];
    assert!(all.into_iter().all(has), "{reasons:?}");
    assert!(
        hunted > 3000 && captured > 100,
        "{hunted} {captured} {reasons:?}"
    );
}

/// A game with all of this goes on after a restore as without.
#[test]
fn a_restored_game_with_duties_and_leashes_goes_on_as_the_other() {
    for seed in 0..60 {
        let dice = &mut Dice::new(seed + 10_000);
        let clock = CLOCKS[seed as usize % 3];
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let budget = [60, 400, 5000][dice.below(3)];
        let mut world = PursuitWorld::new(&any_map(dice), moves, settings(clock));
        let all = any_agents(&mut world, dice);
        for _ in 0..dice.below(400) {
            any_change(&mut world, &all, dice);
            let edit = (dice.below(60) == 0).then(|| any_edit(&world, dice));
            tick(&mut world, &edit.into_iter().collect::<Vec<_>>(), budget);
        }
        let saved = postcard::to_allocvec(&world.snapshot()).expect("plain data");
        let saved: Snapshot = postcard::from_bytes(&saved).expect("what was written");
        let mut other = PursuitWorld::from_snapshot(saved).expect("a saved game");
        for step in 0..300 {
            let edit = (dice.below(60) == 0).then(|| any_edit(&world, dice));
            let edits: Vec<MapEdit> = edit.into_iter().collect();
            let other_dice = &mut dice.clone();
            any_change(&mut other, &all, other_dice);
            any_change(&mut world, &all, dice);
            tick(&mut world, &edits, budget);
            tick(&mut other, &edits, budget);
            assert_eq!(world.events(), other.events(), "{seed} {step}");
            assert_eq!(
                world.position_hash(),
                other.position_hash(),
                "{seed} {step}"
            );
        }
    }
}

/// A guard on a leash leaves a robber alone that is outside, chases one that comes in, to the end of the leash, and goes
/// back.
#[test]
fn a_guard_on_a_leash_chases_within_and_goes_back() {
    for clock in CLOCKS {
        let mut world = hall(clock, 40, 3);
        let guard = world.insert(AgentSetup {
            leash: Some(tied_to(Cell::new(4, 1), 6)),
            ..agent(Side::Cops, 4, 1)
        });
        let robber = world.insert(external(Side::Robber, 20, 1));
        let events = play(&mut world, 10);
        assert_eq!(events, [WorldEvent::Arrived(guard)], "{clock:?}");
        assert_eq!(record(&world, guard).target(), None);
        for round in 0..3 {
            world.place(robber, Cell::new(9, 1));
            let events = play(&mut world, 2);
            assert_eq!(
                record(&world, guard).target(),
                Some(robber),
                "{clock:?} {events:?}"
            );
            world.place(robber, Cell::new(14, 1));
            let events = play(&mut world, 20);
            assert_eq!(gave_up(&events), [GiveUp::Leash], "{clock:?} {round}");
            assert!(events.contains(&WorldEvent::Arrived(guard)), "{clock:?}");
            assert_eq!(record(&world, guard).setup().cell, Cell::new(4, 1));
        }
        // Whom it has given up, it leaves alone for eight turns, even if the robber comes in at once.
        world.place(robber, Cell::new(9, 1));
        play(&mut world, 2);
        world.place(robber, Cell::new(14, 1));
        let mut turns = 0;
        while record(&world, guard).target().is_some() {
            play(&mut world, 1);
            turns += 1;
            assert!(turns < 20, "{clock:?}");
        }
        world.place(robber, Cell::new(8, 0));
        let early = play(&mut world, 6);
        assert_eq!(record(&world, guard).target(), None, "{clock:?}");
        let events = play(&mut world, 30);
        let caught = record(&world, robber).caught();
        assert!(caught.is_some(), "{clock:?} {early:?} {events:?}");
    }
}

/// The short way to the robber leads beyond the leash: the guard takes the long one.
#[test]
fn a_guard_on_a_leash_goes_around_inside() {
    let rows = [
        "............",
        ".##########.",
        ".#..........",
        "............",
        "##..........",
    ];
    for clock in CLOCKS {
        let mut world = PursuitWorld::new(&map(&rows), Moves::Orthogonal, settings(clock));
        // From the post, the row above is within reach on the left; the robber at its right end is nearer around the right.
        let guard = world.insert(AgentSetup {
            leash: Some(tied_to(Cell::new(0, 1), 13)),
            ..agent(Side::Cops, 10, 3)
        });
        let robber = world.insert(external(Side::Robber, 11, 0));
        let events = play(&mut world, 40);
        assert_eq!(gave_up(&events), [], "{clock:?}");
        assert!(
            record(&world, robber).caught().is_some(),
            "{clock:?} {events:?}"
        );
        let state = record(&world, guard).state();
        assert_ne!(state.reason, Reason::Leash, "{clock:?}");
    }
}

#[test]
fn leashes_off_the_map_and_in_walls_do_no_harm() {
    for clock in CLOCKS {
        let mut world = PursuitWorld::new(
            &map(&["......", "..##..", "......"]),
            Moves::Octile,
            settings(clock),
        );
        let tied = |cell, steps| AgentSetup {
            leash: Some(tied_to(cell, steps)),
            ..agent(Side::Cops, 0, 0)
        };
        let (wall, far) = (Cell::new(2, 1), Cell::new(60, 60));
        let nowhere = world.insert(tied(far, 255));
        let none = world.insert(tied(Cell::new(0, 0), 0));
        let in_wall = world.insert(tied(wall, 4));
        let robber = world.insert(external(Side::Robber, 4, 0));
        let events = play(&mut world, 20);
        assert_eq!(record(&world, nowhere).setup().cell, Cell::new(0, 0));
        assert_eq!(record(&world, none).setup().cell, Cell::new(0, 0));
        assert!(events.contains(&WorldEvent::NoWay(nowhere)), "{clock:?}");
        let catch = record(&world, robber).caught().expect("captured");
        assert_eq!(catch.by, in_wall, "{clock:?}");
    }
}

#[test]
fn patience_ends_with_robbers_that_cannot_be_reached_or_are_not_seen() {
    let rows = ["....#...", "....#...", "........"];
    for clock in CLOCKS {
        let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(clock));
        let cop = world.insert(AgentSetup {
            patience: 4,
            ..agent(Side::Cops, 0, 0)
        });
        let robber = world.insert(external(Side::Robber, 7, 0));
        let door = |passable| {
            MapEdit::from(TileEdit {
                cell: Cell::new(4, 2),
                passable,
            })
        };
        tick(&mut world, &[door(false)], 10_000);
        let events = play(&mut world, 60);
        assert_eq!(gave_up(&events), [GiveUp::Unreachable], "{clock:?}");
        assert_eq!(record(&world, cop).target(), None);
        tick(&mut world, &[door(true)], 10_000);
        let events = play(&mut world, 20);
        assert_eq!(gave_up(&events), [], "{clock:?}");
        assert!(record(&world, robber).caught().is_some(), "{clock:?}");
        // The same for a robber out of sight, of which nobody has heard before.
        world.change(cop, |setup| setup.sight = Some(2));
        world.place(cop, Cell::new(0, 0));
        world.place(robber, Cell::new(7, 0));
        world.release(robber);
        tick(&mut world, &[door(false)], 10_000);
        let events = play(&mut world, 60);
        assert_eq!(gave_up(&events), [GiveUp::Unseen], "{clock:?}");
    }
}

/// Of two robbers, the near one is behind a closed door, or on tiles for others: the cop goes for the other one.
#[test]
fn of_two_targets_the_one_within_reach_is_taken() {
    let rows = ["...#.......", "...........", "...#......."];
    for clock in CLOCKS {
        for has_other_kinds in [false, true] {
            let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(clock));
            let cop = world.insert(agent(Side::Cops, 4, 1));
            let behind = world.insert(external(Side::Robber, 2, 1));
            let open = world.insert(external(Side::Robber, 10, 2));
            if has_other_kinds {
                // Members of other kinds: the pursuit has no ground in common.
                world.insert(AgentSetup {
                    kinds: KEY,
                    control: Control::External,
                    ..agent(Side::Cops, 0, 0)
                });
            }
            let at = Cell::new(3, 1);
            let close = if has_other_kinds {
                MapEdit::Kinds { at, kinds: KEY }
            } else {
                MapEdit::from(TileEdit {
                    cell: at,
                    passable: false,
                })
            };
            tick(&mut world, &[close], 10_000);
            play(&mut world, 2);
            let what = format!("{clock:?} {has_other_kinds}");
            assert_eq!(record(&world, cop).target(), Some(open), "{what}");
            play(&mut world, 12);
            assert!(record(&world, open).caught().is_some(), "{what}");
            assert!(record(&world, behind).caught().is_none(), "{what}");
        }
    }
}

/// A robber on tiles for others is out of reach, too, although no wall is around it.
#[test]
fn a_target_on_tiles_for_others_is_left_for_one_within_reach() {
    for clock in CLOCKS {
        let mut world = hall(clock, 12, 3);
        let cop = world.insert(agent(Side::Cops, 4, 1));
        let near = world.insert(AgentSetup {
            kinds: KEY,
            ..external(Side::Robber, 2, 1)
        });
        let open = world.insert(external(Side::Robber, 11, 2));
        let at = Cell::new(2, 1);
        tick(&mut world, &[MapEdit::Kinds { at, kinds: KEY }], 10_000);
        play(&mut world, 3);
        assert_eq!(record(&world, cop).target(), Some(open), "{clock:?}");
        play(&mut world, 11);
        assert!(record(&world, open).caught().is_some(), "{clock:?}");
        assert!(record(&world, near).caught().is_none(), "{clock:?}");
    }
}

/// Nobody announces what a cop on a leash would have to do for it.
#[test]
fn cops_on_leashes_announce_no_captures() {
    let mut world = PursuitWorld::new(
        &map(&["......", ".####.", "......"]),
        Moves::Octile,
        settings(PursuitClock::Turns),
    );
    for x in [0, 5] {
        world.insert(AgentSetup {
            leash: Some(tied_to(Cell::new(x, 0), 9)),
            ..agent(Side::Cops, x, 0)
        });
    }
    let robber = world.insert(agent(Side::Robber, 3, 2));
    for _ in 0..40 * u64::from(LENGTH) {
        tick(&mut world, &[], 10_000);
        let cops = world
            .agents()
            .filter(|(_, agent)| agent.setup().side == Side::Cops);
        for (_, agent) in cops {
            assert_eq!(agent.state().captured_within(), None);
        }
    }
    assert!(record(&world, robber).caught().is_some());
}
