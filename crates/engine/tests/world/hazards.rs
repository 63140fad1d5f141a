//! Cells that are deadly for a while, and cells that take longer.

use crate::common::hall::{LENGTH, agent, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    Activity, AgentId, AgentSetup, Control, Expansions, Hazard, HazardError, PursuitClock,
    PursuitWorld, Reason, WorldEvent,
};
use std::collections::{BTreeMap, BTreeSet};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

const TURN: u64 = LENGTH as u64;

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(10_000));
}

fn hazard(cell: Cell, from: u64, until: u64) -> Hazard {
    let kinds = Kinds::ALL;
    Hazard {
        cell,
        from,
        until,
        kinds,
    }
}

/// Who can live on, by the definition: the places at the beginning of each turn, from the last hazard backwards.
struct Oracle<'a> {
    graph: &'a Graph,
    hazards: Vec<Hazard>,
    kinds: Kinds,
    /// The ticks of a move, and the steps that it takes.
    length: u64,
    steps: u8,
    known: BTreeMap<(Vertex, u64), bool>,
}

impl Oracle<'_> {
    fn is_free(&self, at: Vertex, from: u64) -> bool {
        let cell = self.graph.cell(at);
        let overlaps = |hazard: &Hazard| hazard.from < from + self.length && hazard.until > from;
        let is_deadly = |hazard: &&Hazard| hazard.cell == cell && hazard.kinds.admits(self.kinds);
        !self.hazards.iter().filter(is_deadly).any(overlaps)
    }

    fn can_live(&mut self, at: Vertex, tick: u64) -> bool {
        if self.hazards.iter().all(|hazard| hazard.until <= tick) {
            return true;
        }
        if let Some(&known) = self.known.get(&(at, tick)) {
            return known;
        }
        let mut ends = BTreeSet::new();
        if self.is_free(at, tick) {
            ends.insert(at);
            for _ in 0..self.steps {
                for end in ends.clone() {
                    let next = self.graph.neighbours(end).iter().copied();
                    ends.extend(next.filter(|&next| self.is_free(next, tick)));
                }
            }
        }
        let can = ends
            .into_iter()
            .any(|end| self.can_live(end, tick + self.length));
        self.known.insert((at, tick), can);
        can
    }
}

fn any_map(dice: &mut Dice) -> TileMap {
    let (width, height) = (3 + dice.below(6) as u16, 3 + dice.below(6) as u16);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(5) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    map
}

/// Bombs go off on small maps. Whoever could live on when it last chose, by the definition, is struck by nothing that it
/// knew of then.
#[test]
fn who_can_live_on_is_not_struck() {
    let (mut struck, mut fled) = (0, 0);
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let map = any_map(&mut dice);
        let clock = CLOCKS[seed as usize % 3];
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let mut world = PursuitWorld::new(&map, moves, settings(clock));
        let cells: Vec<Cell> = world
            .graph()
            .iter()
            .map(|at| world.graph().cell(at))
            .collect();
        if cells.len() < 4 {
            continue;
        }
        let mut ids = Vec::new();
        for index in 0..3 {
            let side = if index == 0 { Side::Robber } else { Side::Cops };
            let mut setup = AgentSetup::new(side, cells[dice.below(cells.len())]);
            setup.pursuit = (index / 2) as u32;
            if clock != PursuitClock::FreeRunning && dice.below(3) == 0 {
                setup.speed = Speed::new(2).expect("not 0");
            }
            if dice.below(4) == 0 {
                setup.control = Control::WalkTo(cells[dice.below(cells.len())]);
            }
            ids.push(world.insert(setup));
        }
        let mut lives: BTreeMap<AgentId, bool> = BTreeMap::new();
        for now in 1..=20 * TURN {
            if dice.below(24) == 0 {
                let middle = cells[dice.below(cells.len())];
                let from = now + TURN / 2 + dice.below(5 * LENGTH as usize) as u64;
                let until = from + 1 + dice.below(3 * LENGTH as usize) as u64;
                for &cell in cells.iter().filter(|cell| cell.max_norm(middle) <= 1) {
                    world
                        .add_hazard(hazard(cell, from, until))
                        .expect("to come");
                }
                lives.clear();
            }
            world.begin_tick(&[]);
            world.arrive();
            for event in world.events() {
                if let WorldEvent::Struck { id, cell } = *event {
                    struck += 1;
                    let lived = lives.get(&id).copied().unwrap_or(false);
                    assert!(
                        !lived,
                        "seed {seed}, {clock:?}, tick {now}: {id:?} on {cell:?}"
                    );
                }
            }
            for &id in &ids {
                let record = world.agent(id).expect("there");
                if record.times().1 > now || record.caught().is_some() {
                    continue;
                }
                let setup = record.setup();
                let graph = world.graph();
                let mut oracle = Oracle {
                    graph,
                    hazards: world.hazards().copied().collect(),
                    kinds: setup.kinds,
                    length: TURN,
                    steps: setup.speed.steps(),
                    known: BTreeMap::new(),
                };
                let at = graph.vertex(setup.cell).expect("no walls appear");
                let can = oracle.can_live(at, now);
                fled += usize::from(can && !oracle.hazards.is_empty());
                lives.insert(id, can);
            }
            world.decide(&mut Expansions(10_000));
        }
    }
    assert!(struck > 100 && fled > 5000, "{struck} struck, {fled} fled");
}

#[test]
fn cops_walk_around_a_long_fire_and_wait_for_a_short_one() {
    for clock in CLOCKS {
        for (lasts, at_most) in [(1000, 24), (6, 18)] {
            let map = map(&[
                "...........", // the way around
                ".#########.",
                "...........",
            ]);
            let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
            let cop = world.insert(agent(Side::Cops, 2, 2));
            let robber = world.insert(AgentSetup {
                control: Control::External,
                ..agent(Side::Robber, 9, 2)
            });
            let fire = hazard(Cell::new(5, 2), 1, lasts * TURN);
            world.add_hazard(fire).expect("to come");
            let mut captured = None;
            for now in 1..=40 * TURN {
                tick(&mut world);
                for event in world.events() {
                    match *event {
                        WorldEvent::Captured { .. } => captured = captured.or(Some(now / TURN)),
                        WorldEvent::Struck { id, .. } => panic!("{clock:?}: {id:?} in the fire"),
                        _ => {}
                    }
                }
            }
            let turns = captured.unwrap_or(u64::MAX);
            assert!(
                turns <= at_most,
                "{clock:?}: a fire of {lasts} turns: {turns} turns"
            );
            assert!(world.agent(cop).is_some() && world.agent(robber).is_some());
        }
    }
}

#[test]
fn agents_with_nothing_to_do_leave_in_time_and_say_so() {
    for clock in CLOCKS {
        let map = map(&["....", "....", "...."]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let ids = [
            world.insert(agent(Side::Cops, 1, 1)),
            world.insert(AgentSetup {
                pursuit: 1,
                ..agent(Side::Robber, 2, 1)
            }),
            world.insert(AgentSetup {
                pursuit: 2,
                kinds: Kinds::from_bits(2),
                ..agent(Side::Robber, 1, 0)
            }),
        ];
        (0..2 * TURN).for_each(|_| tick(&mut world));
        for x in 0..3 {
            for y in 0..3 {
                let fire = hazard(Cell::new(x, y), 5 * TURN, 7 * TURN);
                world.add_hazard(fire).expect("to come");
            }
        }
        let mut evades = [false; 3];
        for _ in 0..8 * TURN {
            tick(&mut world);
            assert!(
                !world
                    .events()
                    .iter()
                    .any(|event| matches!(event, WorldEvent::Struck { .. }))
            );
            for (id, evades) in ids.iter().zip(&mut evades) {
                let state = world.agent(*id).expect("there").state();
                *evades |= (state.activity, state.reason) == (Activity::Evading, Reason::Hazard);
            }
        }
        assert_eq!(evades, [true; 3], "{clock:?}");
        assert_eq!(world.hazards().count(), 0);
    }
}

#[test]
fn a_hazard_for_some_kinds_stops_nobody_else() {
    let map = map(&["........"]);
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings(PursuitClock::Turns));
    let id = world.insert(AgentSetup {
        control: Control::WalkTo(Cell::new(7, 0)),
        ..agent(Side::Cops, 0, 0)
    });
    let water = Hazard {
        kinds: Kinds::from_bits(4),
        ..hazard(Cell::new(3, 0), 0, 1_000_000)
    };
    world.add_hazard(water).expect("to come");
    (0..10 * TURN).for_each(|_| tick(&mut world));
    assert_eq!(
        world.agent(id).expect("there").setup().cell,
        Cell::new(7, 0)
    );
    // The same for an agent of that kind: it stays in front.
    world.change(id, |setup| {
        setup.kinds = Kinds::from_bits(4);
        setup.control = Control::WalkTo(Cell::new(0, 0));
    });
    (0..10 * TURN).for_each(|_| tick(&mut world));
    assert_eq!(
        world.agent(id).expect("there").setup().cell,
        Cell::new(4, 0)
    );
    assert!(world.remove_hazards(Cell::new(3, 0)));
    (0..10 * TURN).for_each(|_| tick(&mut world));
    assert_eq!(
        world.agent(id).expect("there").setup().cell,
        Cell::new(0, 0)
    );
}

#[test]
fn a_restored_game_goes_on_like_the_first() {
    for clock in CLOCKS {
        let mut dice = Dice::new(3);
        let map = TileMap::filled(9, 7, Terrain::Floor).expect("some cells");
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        world.insert(agent(Side::Cops, 0, 0));
        world.insert(agent(Side::Robber, 8, 6));
        let mut hashes = Vec::new();
        let mut saved = None;
        for now in 1..=12 * TURN {
            if dice.below(10) == 0 && now < 6 * TURN {
                let cell = Cell::new(dice.below(9) as u16, dice.below(7) as u16);
                let fire = hazard(cell, now + 20, now + 80);
                world.add_hazard(fire).expect("to come");
            }
            if now == 6 * TURN {
                saved = Some(world.snapshot());
            }
            tick(&mut world);
            if now >= 6 * TURN {
                hashes.push(world.position_hash());
            }
        }
        let saved = saved.expect("taken");
        let mut other = PursuitWorld::from_snapshot(saved).expect("sound");
        for hash in hashes {
            tick(&mut other);
            assert_eq!(other.position_hash(), hash, "{clock:?}");
        }
    }
}

#[test]
fn a_hazard_off_the_map_or_in_the_past_is_refused() {
    let map = map(&["..."]);
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings(PursuitClock::Turns));
    (0..10).for_each(|_| tick(&mut world));
    let cell = Cell::new(3, 0);
    assert_eq!(
        world.add_hazard(hazard(cell, 20, 30)),
        Err(HazardError::OffTheMap { cell })
    );
    let floor = Cell::new(1, 0);
    for (from, until) in [(3, 10), (30, 30), (30, 20)] {
        let (error, now) = (world.add_hazard(hazard(floor, from, until)), 10);
        assert_eq!(error, Err(HazardError::Over { from, until, now }));
    }
    assert_eq!(world.hazards().count(), 0);
}

/// The least ticks of a walk, by the definition.
fn fastest(graph: &Graph, from: Vertex, ticks: u64) -> BTreeMap<Vertex, u64> {
    let mut times = BTreeMap::from([(from, 0)]);
    let mut open = BTreeSet::from([(0, from)]);
    while let Some((time, at)) = open.pop_first() {
        for &next in graph.neighbours(at) {
            let time = time + ticks * u64::from(graph.step_time(next));
            if times.get(&next).is_none_or(|&known| time < known) {
                times.insert(next, time);
                open.insert((time, next));
            }
        }
    }
    times
}

#[test]
fn walks_take_the_fastest_way_through_mud() {
    let mut around = 0;
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let mut map = any_map(&mut dice);
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(3) == 0 {
                let times = 2 + dice.below(5) as u8;
                map.rules_mut().apply(MapEdit::Slow { at, times });
            }
        }
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(PursuitClock::FreeRunning));
        let cells: Vec<Vertex> = world.graph().iter().collect();
        if cells.is_empty() {
            continue;
        }
        let [from, to] = [0, 1].map(|_| cells[dice.below(cells.len())]);
        let graph = world.graph();
        let (start, goal) = (graph.cell(from), graph.cell(to));
        let expected = fastest(graph, from, TURN).get(&to).copied();
        let id = world.insert(AgentSetup {
            control: Control::WalkTo(goal),
            ..AgentSetup::new(Side::Cops, start)
        });
        let (mut departs, mut arrives) = (None, None);
        for now in 1..=120 * TURN {
            tick(&mut world);
            let record = world.agent(id).expect("there");
            if !record.way().is_empty() {
                departs = departs.or(Some(now));
            }
            if record.setup().cell == goal {
                arrives = arrives.or(Some(now));
            }
        }
        let time = departs
            .zip(arrives)
            .map(|(departs, arrives)| arrives - departs);
        match expected {
            None => assert_eq!(arrives, None, "seed {seed}"),
            Some(0) => assert_eq!(departs, None, "seed {seed}"),
            expected => {
                assert_eq!(time, expected, "seed {seed}: from {start:?} to {goal:?}");
                around += 1;
            }
        }
    }
    assert!(around > 200, "{around}");
}
