//! Reaction times: how long an agent goes by a plan that its opponents have made obsolete, and what it does in spite of that.

use crate::common::chase::{any_map, edits, noise};
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Side, Speed, Value};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::TableTiming;
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, PursuitClock, PursuitSettings, PursuitWorld,
};
use std::collections::BTreeSet;

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::Simultaneous,
    PursuitClock::FreeRunning,
];

const BUDGET: u64 = 20_000;

fn settings(clock: PursuitClock) -> PursuitSettings {
    let mut settings = PursuitSettings {
        ticks_per_turn: 2,
        clock,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    settings
}

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(BUDGET));
}

fn free_cells(map: &TileMap) -> Vec<Cell> {
    map.cells().filter(|&cell| map.is_passable(cell)).collect()
}

/// A robber and two cops on a map, at random, with reaction times.
fn any_game(
    map: &TileMap,
    clock: PursuitClock,
    reaction: u8,
    dice: &mut Dice,
) -> (PursuitWorld, [AgentId; 3]) {
    let mut world = PursuitWorld::new(map, Moves::Octile, settings(clock));
    let cells = free_cells(map);
    let of_cops = Speed::new(1 + dice.below(2) as u8).expect("a speed");
    let all = [
        (Side::Robber, Speed::ONE),
        (Side::Cops, of_cops),
        (Side::Cops, of_cops),
    ];
    let ids = all.map(|(side, speed)| {
        world.insert(AgentSetup {
            speed,
            reaction,
            ..AgentSetup::new(side, dice.pick(&cells).expect("a free cell"))
        })
    });
    (world, ids)
}

/// After a capture, the robber goes on somewhere else. Returns whether it does.
fn go_on(world: &mut PursuitWorld, robber: AgentId, cells: &[Cell], dice: &mut Dice) -> bool {
    let is_caught = world.agent(robber).expect("a robber").caught().is_some();
    if is_caught {
        world.place(robber, dice.pick(cells).expect("a free cell"));
        world.release(robber);
    }
    is_caught
}

/// The vertices where a move may end, found step by step.
fn ends(graph: &Graph, from: Vertex, steps: u8) -> BTreeSet<Vertex> {
    let mut reached = BTreeSet::from([from]);
    for _ in 0..steps {
        for at in reached.clone() {
            reached.extend(graph.neighbours(at));
        }
    }
    reached
}

/// Asserts that the path of an agent is legal on the live graph, and no longer than its move.
fn assert_legal(world: &PursuitWorld, id: AgentId) {
    let agent = world.agent(id).expect("an agent");
    let way = agent.way();
    assert!(way.len() <= usize::from(agent.setup().speed.steps()));
    let from = agent
        .turned_at()
        .or(world.graph().vertex(agent.setup().cell));
    if let Some(from) = from {
        let all: Vec<Vertex> = [from].into_iter().chain(way.iter().copied()).collect();
        for step in all.windows(2) {
            assert!(world.graph().are_adjacent(step[0], step[1]), "{all:?}");
        }
    }
}

#[test]
fn agents_that_react_late_move_legally_and_continue_from_snapshots() {
    let mut captures = 0;
    for seed in 0..500 {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice, 16);
        let clock = CLOCKS[seed as usize % 3];
        let (mut world, ids) = any_game(&map, clock, 0, dice);
        for id in ids {
            let reaction = dice.below(7) as u8;
            world.change(id, |setup| setup.reaction = reaction);
        }
        let mut other: Option<PursuitWorld> = None;
        for now in 0..40 {
            let many = usize::from(dice.below(12) == 0);
            let edits = edits(world.graph(), dice, many);
            for world in [Some(&mut world), other.as_mut()].into_iter().flatten() {
                world.begin_tick(&edits);
                world.arrive();
            }
            let open = open_captures(&world, &ids, clock);
            for world in [Some(&mut world), other.as_mut()].into_iter().flatten() {
                world.decide(&mut Expansions(BUDGET));
            }
            for id in ids {
                assert_legal(&world, id);
            }
            for (cop, robber) in open {
                let agent = world.agent(cop).expect("a cop");
                let end = agent.way().last().copied();
                let from = world.graph().vertex(agent.setup().cell);
                assert_eq!(
                    end.or(from),
                    Some(robber),
                    "game {seed}, tick {now}: it captures"
                );
                captures += 1;
            }
            if let Some(other) = &other {
                assert_eq!(other.position_hash(), world.position_hash(), "game {seed}");
            }
            if now == 5 + seed % 20 {
                let saved = world.snapshot();
                let mut restored = PursuitWorld::new(&map, Moves::Octile, settings(clock));
                restored.restore(saved).expect("its own");
                other = Some(restored);
            }
        }
    }
    assert!(captures > 100, "{captures} captures");
}

/// The cops with a reaction time that choose now and can capture with their moves, with the vertex of the robber.
fn open_captures(
    world: &PursuitWorld,
    [robber, cops @ ..]: &[AgentId; 3],
    clock: PursuitClock,
) -> Vec<(AgentId, Vertex)> {
    let robber = world.agent(*robber).expect("a robber");
    let at = world.graph().vertex(robber.setup().cell);
    let stands = robber.caught().is_none() && robber.way().is_empty();
    let Some(at) = at.filter(|_| stands) else {
        return Vec::new();
    };
    let can = |&&id: &&AgentId| {
        let cop = world.agent(id).expect("a cop");
        let from = world.graph().vertex(cop.setup().cell);
        let steps = match clock {
            PursuitClock::FreeRunning => 1,
            _ => cop.setup().speed.steps(),
        };
        let is_due = cop.times().1 <= world.tick() && cop.setup().reaction > 0;
        is_due && from.is_some_and(|from| ends(world.graph(), from, steps).contains(&at))
    };
    cops.iter().filter(can).map(|&cop| (cop, at)).collect()
}

/// What an agent intends to do.
#[derive(Debug, Default)]
struct Watch {
    /// Its path and its plan beyond.
    course: Vec<Vertex>,
    /// The rest of its plan.
    ahead: usize,
    /// The tick of its last plan; `None` if it is free to make a new one.
    made: Option<u64>,
}

/// Plays games, and counts the new plans that were made too early, and the plans that were kept, for a reaction time.
fn count_early(reaction: u8, counted: u8) -> (u64, u64) {
    let (mut early, mut kept) = (0, 0);
    for seed in 0..150 {
        let dice = &mut Dice::new(seed);
        let map = noise(dice, 40, 40, 15);
        let clock = CLOCKS[seed as usize % 3];
        let (mut world, ids) = any_game(&map, clock, reaction, dice);
        let cells = free_cells(&map);
        let mut watched = [(); 3].map(|()| Watch::default());
        for _ in 0..80 {
            if go_on(&mut world, ids[0], &cells, dice) {
                watched = [(); 3].map(|()| Watch::default());
            }
            tick(&mut world);
            for (&id, watch) in ids.iter().zip(&mut watched) {
                let length = match clock {
                    // The ticks of a step.
                    PursuitClock::FreeRunning => 2 / u64::from(speed(&world, id)),
                    _ => 2,
                };
                let is_early = watch.is_early(&world, &ids, id, u64::from(counted) * length);
                early += u64::from(is_early == Some(true));
                kept += u64::from(is_early == Some(false));
            }
        }
    }
    (early, kept)
}

fn speed(world: &PursuitWorld, id: AgentId) -> u8 {
    world.agent(id).expect("an agent").setup().speed.steps()
}

impl Watch {
    /// Looks at the agent after a tick. Returns whether it has a new course before its time; `None` if it may have one.
    fn is_early(
        &mut self,
        world: &PursuitWorld,
        ids: &[AgentId; 3],
        id: AgentId,
        reaction: u64,
    ) -> Option<bool> {
        let agent = world.agent(id).expect("an agent");
        let course: Vec<Vertex> = agent.way().iter().chain(agent.ahead()).copied().collect();
        let is_same = self.course.ends_with(&course);
        let speed = usize::from(speed(world, id));
        let by_plan = agent.state().decided_by == DecidedBy::Policy(Source::Search);
        // A plan that ends with this move is followed by another one at once.
        let is_open = self.ahead >= 2 * speed && by_plan && !is_near(world, ids, id);
        let is_young = self.made.is_some_and(|made| world.tick() < made + reaction);
        let result = (is_open && is_young).then_some(!is_same);
        if !is_same {
            self.made = Some(world.tick());
        }
        if !by_plan || is_near(world, ids, id) {
            self.made = None;
        }
        self.ahead = agent.ahead().len();
        self.course = course;
        result
    }
}

/// Returns whether an agent may be so near to its opponents that it does not wait: a robber to cops, and a cop to the
/// robber that it captures.
fn is_near(world: &PursuitWorld, [robber, cops @ ..]: &[AgentId; 3], id: AgentId) -> bool {
    let cell = |id| {
        let agent = world.agent(id).expect("an agent");
        let next = agent.way().last().map(|&at| world.graph().cell(at));
        [agent.setup().cell, next.unwrap_or(agent.setup().cell)]
    };
    let apart = |one: AgentId, other: AgentId| {
        let all = cell(one).into_iter().zip(cell(other));
        all.map(|(one, other)| one.max_norm(other))
            .min()
            .unwrap_or(0)
    };
    if id == *robber {
        cops.iter()
            .any(|&cop| apart(cop, id) <= 4 * u32::from(speed(world, cop)))
    } else {
        apart(id, *robber) <= 2 * u32::from(speed(world, id))
    }
}

#[test]
fn agents_keep_their_plans_for_their_reaction_times() {
    for reaction in [1, 3, 6] {
        let (early, kept) = count_early(reaction, reaction);
        assert_eq!(early, 0, "of {kept} for {reaction}");
        assert!(kept > 1_000, "{kept}");
    }
    // Without a reaction time they do not.
    let (early, kept) = count_early(0, 3);
    assert!(early > 200, "{early} of {kept}");
}

#[test]
fn without_a_reaction_time_the_game_is_as_before() {
    for seed in 0..60 {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice, 20);
        let clock = CLOCKS[seed as usize % 3];
        let (mut world, ids) = any_game(&map, clock, 0, dice);
        let mut other = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        other.restore(world.snapshot()).expect("its own");
        for id in ids {
            // Both games change something and take it back, so that both plan anew.
            world.change(id, |setup| setup.reaction = 3);
            world.change(id, |setup| setup.reaction = 0);
            other.change(id, |setup| setup.mistakes = 3);
            other.change(id, |setup| setup.mistakes = 0);
        }
        for _ in 0..40 {
            tick(&mut world);
            tick(&mut other);
            assert_eq!(world.position_hash(), other.position_hash(), "game {seed}");
        }
    }
}

/// Agents that react late play by plans, where tables are there, and nothing is said to be certain that they may miss.
#[test]
fn agents_that_react_late_use_no_tables() {
    let (mut late, mut by_table) = (0, 0);
    for seed in 0..60 {
        let dice = &mut Dice::new(seed);
        let map = noise(dice, 9, 9, 10);
        let clock = CLOCKS[seed as usize % 3];
        let mut settings = settings(clock);
        settings.tables.solve = true;
        settings.tables.timing = TableTiming::WhenReady;
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
        let cells = free_cells(&map);
        let react_late = [seed % 2 == 0, seed % 4 < 3];
        let mut insert = |side, reacts_late: bool| {
            world.insert(AgentSetup {
                reaction: if reacts_late { 2 } else { 0 },
                ..AgentSetup::new(side, dice.pick(&cells).expect("a free cell"))
            })
        };
        let ids = [
            insert(Side::Robber, react_late[0]),
            insert(Side::Cops, react_late[1]),
            insert(Side::Cops, false),
        ];
        let late_side = [react_late[0], react_late[1], react_late[1]];
        for _ in 0..60 {
            go_on(&mut world, ids[0], &cells, dice);
            world.begin_tick(&[]);
            while let Some(request) = world.next_request() {
                deliver(&mut world, request);
            }
            world.arrive();
            world.decide(&mut Expansions(BUDGET));
            for (id, is_late) in ids.into_iter().zip(late_side) {
                let state = world.agent(id).expect("an agent").state();
                let DecidedBy::Policy(source) = state.decided_by else {
                    continue;
                };
                let is_sure = !matches!(source, Source::Search | Source::Stale | Source::Greedy);
                if is_late {
                    assert!(!is_sure, "game {seed}: {source:?}");
                    late += 1;
                } else {
                    by_table += u32::from(is_sure);
                }
                if id != ids[0] && is_late {
                    assert!(
                        !matches!(state.value, Some(Value::AtMost(_))),
                        "game {seed}"
                    );
                }
            }
        }
    }
    assert!(late > 1_000 && by_table > 1_000, "{late}, {by_table}");
}
