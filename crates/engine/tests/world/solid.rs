//! Solid agents: no two on one cell, no two that exchange their cells, and no standstill.

use crate::common::hall::{agent, settings};
use crate::common::map;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{BodySize, Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    Activity, AgentId, AgentRecord, AgentSetup, Control, Expansions, Faction, PursuitClock,
    PursuitSettings, PursuitWorld, Reason, Tactics, WorldEvent,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

/// The moments of a tick at which the referee looks. Steps of speeds up to 4 end at such moments.
const MOMENTS: u64 = 12;

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(5_000));
}

fn solid(side: Side, x: u16, y: u16) -> AgentSetup {
    AgentSetup {
        is_solid: true,
        ..agent(side, x, y)
    }
}

/// Where an agent is at a moment of a tick.
fn place(graph: &Graph, agent: &AgentRecord, tick: u64, moment: u64) -> Cell {
    let (departs, arrives) = agent.times();
    let way = agent.way();
    let cell = agent.setup().cell;
    if way.is_empty() || agent.turned_at().is_some() {
        return cell;
    }
    let gone = ((tick - departs) * MOMENTS + moment) * u64::from(agent.pace());
    let steps = gone / ((arrives - departs).max(1) * MOMENTS);
    let steps = usize::try_from(steps).expect("few").min(way.len());
    steps
        .checked_sub(1)
        .map_or(cell, |last| graph.cell(way[last]))
}

/// Looks at all solid agents at each moment.
#[derive(Default)]
pub struct Referee {
    before: BTreeMap<AgentId, Cell>,
    /// Pairs that the game has placed on one cell.
    excused: BTreeSet<(AgentId, AgentId)>,
}

impl Referee {
    fn bodies(world: &PursuitWorld, moment: u64) -> Vec<(AgentId, Cell)> {
        let is_body = |agent: &AgentRecord| {
            agent.setup().is_solid && agent.caught().is_none() && !agent.is_away()
        };
        let bodies = world.agents().filter(|(_, agent)| is_body(agent));
        bodies
            .map(|(id, agent)| (id, place(world.graph(), agent, world.tick(), moment)))
            .filter(|&(_, cell)| world.graph().is_on_map(cell))
            .collect()
    }

    fn are_enemies(world: &PursuitWorld, a: AgentId, b: AgentId) -> bool {
        let [a, b] = [a, b].map(|id| world.agent(id).expect("there").setup());
        let hunts = |hunter: Faction, prey: Faction| hunter.hunts >> prey.own & 1 == 1;
        a.pursuit == b.pursuit
            && match (a.faction_now(), b.faction_now()) {
                (Some(a), Some(b)) => a.own != b.own && (hunts(a, b) || hunts(b, a)),
                (None, None) => a.side != b.side,
                _ => false,
            }
    }

    fn size(world: &PursuitWorld, id: AgentId) -> BodySize {
        world.agent(id).expect("there").setup().size
    }

    /// Excuses those that stand together after what the game has done.
    pub fn excuse(&mut self, world: &PursuitWorld) {
        let bodies = Self::bodies(world, 0);
        for (index, &(a, at)) in bodies.iter().enumerate() {
            for &(b, other) in &bodies[..index] {
                if Self::size(world, a).overlaps(at, other, Self::size(world, b)) {
                    self.excused.insert((b, a));
                }
            }
        }
        // What the game has moved has not walked.
        for (id, cell) in bodies {
            if let Some(before) = self.before.get_mut(&id) {
                *before = cell;
            }
        }
    }

    /// Looks at each moment of the tick that has been decided.
    pub fn look(&mut self, world: &PursuitWorld, what: &str) {
        for moment in 0..MOMENTS {
            let bodies = Self::bodies(world, moment);
            let mut at: BTreeMap<Cell, Vec<AgentId>> = BTreeMap::new();
            for &(id, cell) in &bodies {
                for cell in Self::size(world, id).cells(cell) {
                    at.entry(cell).or_default().push(id);
                }
            }
            let mut together = BTreeSet::new();
            for (cell, ids) in &at {
                for (index, &b) in ids.iter().enumerate() {
                    for &a in &ids[..index] {
                        if Self::are_enemies(world, a, b) {
                            continue;
                        }
                        together.insert((a, b));
                        assert!(
                            self.excused.contains(&(a, b)),
                            "{what}, tick {}, moment {moment}: {a:?} and {b:?} on {cell:?}\n{:?}\n{:?}",
                            world.tick(),
                            world.agent(a),
                            world.agent(b),
                        );
                    }
                }
            }
            self.excused.retain(|pair| together.contains(pair));
            let now: BTreeMap<AgentId, Cell> = bodies.into_iter().collect();
            for (&a, &to) in &now {
                let Some(from) = self.before.get(&a).copied().filter(|&at| at != to) else {
                    continue;
                };
                let ids = at.get(&from).map_or(&[][..], Vec::as_slice);
                for &b in ids {
                    // Large ones overlap where they pass each other.
                    let are_small = [a, b].iter().all(|&id| Self::size(world, id).is_one());
                    let exchange = are_small && self.before.get(&b) == Some(&to);
                    assert!(
                        !exchange || Self::are_enemies(world, a, b),
                        "{what}, tick {}, moment {moment}: {a:?} and {b:?} exchange {from:?} and {to:?}",
                        world.tick(),
                    );
                }
            }
            self.before = now;
        }
        for (id, agent) in world.agents() {
            let (departs, _) = agent.times();
            if departs == world.tick() && !agent.way().is_empty() {
                let open =
                    world.open_steps(agent.setup().walker(), agent.setup().cell, agent.way());
                assert_eq!(open, agent.way().len(), "{what}: {id:?}");
            }
        }
    }
}

/// A random map with some walls.
fn any_map(dice: &mut Dice, least: usize, most: usize, share: usize) -> TileMap {
    let (width, height) = (
        (least + dice.below(most)) as u16,
        (least + dice.below(most)) as u16,
    );
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(100) < share {
            map.set(at, Terrain::Wall);
        }
    }
    map
}

/// The size of an agent: one cell, or mostly so.
fn any_size(dice: &mut Dice, may_be_large: bool) -> BodySize {
    let sizes = [BodySize::ONE, BodySize::ONE, BodySize::TWO, BodySize::THREE];
    if may_be_large {
        sizes[dice.below(4)]
    } else {
        BodySize::ONE
    }
}

/// A random game: all that a game may do to its agents.
struct RandomGame {
    world: PursuitWorld,
    dice: Dice,
    cells: Vec<Cell>,
    ids: Vec<AgentId>,
    has_large: bool,
}

impl RandomGame {
    fn new(seed: u64, clock: PursuitClock) -> Self {
        let mut dice = Dice::new(seed);
        let share = 10 + dice.below(30);
        let map = any_map(&mut dice, 3, 6, share);
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let settings = PursuitSettings {
            ticks_per_turn: 1 + dice.below(12) as u32,
            stagger: dice.below(2) == 0,
            tactics: [Tactics::Chase, Tactics::Intercept][dice.below(2)],
            ..settings(clock)
        };
        let world = PursuitWorld::new(&map, moves, settings);
        let cells: Vec<Cell> = map.cells().collect();
        let mut game = Self {
            world,
            dice,
            cells,
            ids: Vec::new(),
            has_large: seed.is_multiple_of(2),
        };
        for _ in 0..2 + game.dice.below(8) {
            game.add();
        }
        game
    }

    fn cell(&mut self) -> Cell {
        self.cells[self.dice.below(self.cells.len())]
    }

    fn control(&mut self) -> Control {
        match self.dice.below(12) {
            0 | 1 => Control::WalkTo(self.cell()),
            2 => Control::Steer {
                dx: self.dice.below(3) as i8 - 1,
                dy: self.dice.below(3) as i8 - 1,
            },
            3 => Control::External,
            _ => Control::Policy,
        }
    }

    fn add(&mut self) {
        let cell = self.cell();
        let control = self.control();
        let dice = &mut self.dice;
        let side = [Side::Cops, Side::Robber][usize::from(dice.below(3) == 0)];
        let setup = AgentSetup {
            pursuit: dice.below(2) as u32,
            speed: Speed::new(1 + dice.below(4) as u8).expect("not 0"),
            is_solid: dice.below(8) > 0,
            is_immobile: dice.below(20) == 0,
            size: any_size(dice, self.has_large),
            control,
            ..AgentSetup::new(side, cell)
        };
        self.ids.push(self.world.insert(setup));
    }

    /// Something that a game does between two ticks.
    fn act(&mut self) {
        if self.ids.is_empty() {
            return;
        }
        let index = self.dice.below(self.ids.len());
        let id = self.ids[index];
        match self.dice.below(12) {
            10 if self.has_large => {
                let size = any_size(&mut self.dice, true);
                self.world.change(id, |setup| setup.size = size);
            }
            0 if self.ids.len() < 12 => self.add(),
            1 if self.ids.len() > 3 => {
                self.world.remove(id);
                self.ids.swap_remove(index);
            }
            2 | 3 => {
                let cell = self.cell();
                self.world.place(id, cell);
            }
            4 => {
                let control = self.control();
                self.world.change(id, |setup| setup.control = control);
            }
            5 => {
                let is_cop = self.dice.below(2) == 0;
                let side = if is_cop { Side::Cops } else { Side::Robber };
                self.world.change(id, |setup| setup.side = side);
            }
            6 => self
                .world
                .change(id, |setup| setup.is_solid = !setup.is_solid),
            7 => self.world.hold(id),
            8 | 9 => self.world.release(id),
            _ => {
                let dash = self.dice.below(2) == 0;
                let steps = 1 + self.dice.below(4);
                let graph = self.world.graph();
                let mut at = self
                    .world
                    .agent(id)
                    .and_then(|agent| graph.vertex(agent.setup().cell));
                let mut way = Vec::new();
                for _ in 0..steps {
                    let Some(here) = at else { break };
                    let next = graph.neighbours(here);
                    at = (!next.is_empty()).then(|| next[self.dice.below(next.len())]);
                    way.extend(at.map(|at| graph.cell(at)));
                }
                if dash {
                    self.world.dash(id, &way);
                } else {
                    self.world.order(id, &way);
                }
            }
        }
    }

    /// A tick, in which a door opens or closes now and then.
    fn tick(&mut self, referee: Option<&mut Referee>) {
        if self.dice.below(8) == 0 {
            self.act();
            if let Some(referee) = referee {
                referee.excuse(&self.world);
            }
        }
        let mut edits = Vec::new();
        if self.dice.below(10) == 0 {
            edits.push(TileEdit {
                cell: self.cell(),
                passable: self.dice.below(2) == 0,
            });
        }
        self.world.begin_tick(&edits);
        self.world.arrive();
        self.world.decide(&mut Expansions(2_000));
    }
}

#[test]
fn no_two_solid_agents_share_a_cell_or_exchange_theirs_in_any_game() {
    let (mut crowded, mut yielding, mut captured) = (0, 0, 0);
    for seed in 0..600 {
        let clock = CLOCKS[seed as usize % 3];
        let mut game = RandomGame::new(seed, clock);
        let mut referee = Referee::default();
        referee.excuse(&game.world);
        for _ in 0..150 {
            game.tick(Some(&mut referee));
            referee.look(&game.world, &format!("seed {seed}, {clock:?}"));
            for (_, agent) in game.world.agents() {
                crowded += usize::from(agent.state().reason == Reason::Crowded);
                yielding += usize::from(agent.state().activity == Activity::Yielding);
            }
            let events = game.world.events().iter();
            captured += events
                .filter(|event| matches!(event, WorldEvent::Captured { .. }))
                .count();
        }
    }
    assert!(crowded > 5_000 && yielding > 500 && captured > 300);
}

#[test]
fn a_restored_game_goes_on_like_the_first() {
    for seed in 0..60 {
        let clock = CLOCKS[seed as usize % 3];
        let mut game = RandomGame::new(seed, clock);
        (0..60).for_each(|_| game.tick(None));
        let world = PursuitWorld::from_snapshot(game.world.snapshot()).expect("sound");
        let mut other = RandomGame {
            world,
            dice: Dice::new(seed),
            cells: game.cells.clone(),
            ids: game.ids.clone(),
            has_large: game.has_large,
        };
        game.dice = Dice::new(seed);
        for _ in 0..90 {
            game.tick(None);
            other.tick(None);
            let hashes = [&game, &other].map(|game| game.world.position_hash());
            assert_eq!(hashes[0], hashes[1], "seed {seed}, {clock:?}");
        }
    }
}

fn distances(graph: &Graph, goal: Vertex) -> BTreeMap<Vertex, u32> {
    let mut far = BTreeMap::from([(goal, 0)]);
    let mut open = VecDeque::from([goal]);
    while let Some(at) = open.pop_front() {
        for &next in graph.neighbours(at) {
            if !far.contains_key(&next) {
                far.insert(next, far[&at] + 1);
                open.push_back(next);
            }
        }
    }
    far
}

/// Many cops chase one robber. Returns the captures.
fn crowd(
    side: u16,
    cops: usize,
    turns: u64,
    clock: PursuitClock,
    tactics: Tactics,
    seed: u64,
) -> usize {
    let mut dice = Dice::new(seed);
    let mut map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(5) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    let mut settings = settings(clock);
    (settings.ticks_per_turn, settings.tactics) = (4, tactics);
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    // All in the part of the map that is connected with its middle.
    let graph = world.graph();
    let middle = graph.nearest_passable(Cell::new(side / 2, side / 2));
    let middle = middle.and_then(|cell| graph.vertex(cell)).expect("floor");
    let mut free: Vec<Cell> = distances(graph, middle)
        .keys()
        .map(|&at| graph.cell(at))
        .collect();
    let mut take = || free.swap_remove(dice.below(free.len()));
    let robber = take();
    let robber = world.insert(solid(Side::Robber, robber.x, robber.y));
    let cops: Vec<AgentId> = (0..cops)
        .map(|_| {
            let cell = take();
            world.insert(solid(Side::Cops, cell.x, cell.y))
        })
        .collect();
    let mut referee = Referee::default();
    let mut stands: BTreeMap<AgentId, u32> = BTreeMap::new();
    let mut captures = 0;
    let what = format!("{side} x {side}, {clock:?}, {tactics:?}, seed {seed}");
    for now in 0..turns * 4 {
        if world.agent(robber).expect("there").caught().is_some() {
            captures += 1;
            let bodies = Referee::bodies(&world, 0);
            let is_free = |cell: &&Cell| bodies.iter().all(|&(_, at)| at != **cell);
            let cells: Vec<Cell> = free.iter().filter(is_free).copied().collect();
            world.place(robber, cells[dice.below(cells.len())]);
            world.release(robber);
            referee.excuse(&world);
        }
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(20_000));
        referee.look(&world, &what);
        if now % 4 > 0 {
            continue;
        }
        let graph = world.graph();
        let goal = world.agent(robber).expect("there").setup().cell;
        let far = distances(graph, graph.vertex(goal).expect("floor"));
        let mut taken = BTreeSet::new();
        for (_, agent) in world.agents() {
            taken.insert(agent.setup().cell);
            taken.extend(agent.way().iter().map(|&at| graph.cell(at)));
        }
        for &id in &cops {
            let cop = world.agent(id).expect("there");
            let at = graph.vertex(cop.setup().cell).expect("floor");
            let is_open = graph.neighbours(at).iter().any(|next| {
                let is_nearer = far.get(next) < far.get(&at);
                is_nearer && far.contains_key(next) && !taken.contains(&graph.cell(*next))
            });
            let wants = tactics == Tactics::Chase || cop.state().reason == Reason::Crowded;
            let is_idle = cop.way().is_empty() && wants && is_open;
            let stands = stands.entry(id).or_default();
            *stands = if is_idle { *stands + 1 } else { 0 };
            assert!(*stands <= 20, "{what}, tick {now}: {id:?} {cop:?}");
        }
    }
    captures
}

#[test]
fn thirty_cops_on_a_small_map_keep_apart_and_keep_moving() {
    for clock in CLOCKS {
        for tactics in [Tactics::Chase, Tactics::Intercept] {
            let captures: usize = (0..6)
                .map(|seed| crowd(10, 30, 120, clock, tactics, seed))
                .sum();
            assert!(captures > 20, "{clock:?}, {tactics:?}: {captures}");
        }
    }
}

#[test]
fn three_hundred_cops_on_a_large_map_keep_apart_and_keep_moving() {
    for (clock, tactics) in [
        (PursuitClock::Turns, Tactics::Chase),
        (PursuitClock::Turns, Tactics::Intercept),
        (PursuitClock::FreeRunning, Tactics::Chase),
        (PursuitClock::Simultaneous, Tactics::Chase),
    ] {
        let captures = crowd(100, 300, 80, clock, tactics, 1);
        assert!(captures > 0, "{clock:?}, {tactics:?}");
    }
}

/// The tick at which all walkers have arrived.
fn arrivals(world: &mut PursuitWorld, walkers: &[AgentId], most: u64) -> Option<u64> {
    let mut referee = Referee::default();
    let mut left: BTreeSet<AgentId> = walkers.iter().copied().collect();
    for _ in 0..most {
        tick(world);
        referee.look(world, "walkers");
        for event in world.events() {
            if let WorldEvent::Arrived(id) = event {
                left.remove(id);
            }
        }
        if left.is_empty() {
            return Some(world.tick());
        }
    }
    None
}

#[test]
fn walkers_pass_each_other_at_a_side_pocket_of_a_corridor() {
    let rows = ["###.####", "........", "########"];
    for clock in CLOCKS {
        for speeds in [[1, 1], [1, 2], [3, 1]] {
            for (a, b) in [(0, 7), (2, 4), (5, 6), (1, 7)] {
                for pursuits in [[0, 0], [0, 1]] {
                    let map = map(&rows);
                    let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
                    let mut walk = |index: usize, from: u16, to: u16| {
                        world.insert(AgentSetup {
                            speed: Speed::new(speeds[index]).expect("not 0"),
                            pursuit: pursuits[index],
                            control: Control::WalkTo(Cell::new(to, 1)),
                            ..solid(Side::Cops, from, 1)
                        })
                    };
                    let walkers = [walk(0, a, 7), walk(1, b, 0)];
                    let took = arrivals(&mut world, &walkers, 16 * 400);
                    assert!(took.is_some(), "{clock:?} {speeds:?} {a} {b} {pursuits:?}");
                }
            }
        }
    }
}

#[test]
fn whoever_has_nothing_to_do_makes_way_and_whoever_cannot_is_waited_for() {
    let rows = ["###.####", "........", "########"];
    for clock in CLOCKS {
        for (control, is_immobile, passes) in [
            (Control::Policy, false, true),
            (Control::WalkTo(Cell::new(4, 1)), false, true),
            (Control::External, false, false),
            (Control::Steer { dx: 0, dy: 0 }, false, false),
            (Control::Policy, true, false),
        ] {
            for pursuit in [0, 1] {
                let map = map(&rows);
                let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
                let idle = world.insert(AgentSetup {
                    pursuit,
                    control,
                    is_immobile,
                    ..solid(Side::Cops, 4, 1)
                });
                let walker = world.insert(AgentSetup {
                    control: Control::WalkTo(Cell::new(6, 1)),
                    ..solid(Side::Cops, 0, 1)
                });
                let took = arrivals(&mut world, &[walker], 16 * 200);
                let what = format!("{clock:?} {control:?} {is_immobile} {pursuit}: {took:?}");
                assert_eq!(took.is_some(), passes, "{what}");
                if !passes {
                    let [walker, idle] = [walker, idle].map(|id| world.agent(id).expect("there"));
                    assert_eq!(walker.setup().cell, Cell::new(3, 1), "{what}");
                    assert_eq!(idle.setup().cell, Cell::new(4, 1), "{what}");
                    assert_eq!(walker.state().reason, Reason::Crowded, "{what}");
                }
            }
        }
    }
}

#[test]
fn agents_that_the_game_places_together_part() {
    for clock in CLOCKS {
        let map = TileMap::filled(6, 6, Terrain::Floor).expect("some cells");
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let walkers: Vec<AgentId> = (0..4)
            .map(|to| {
                world.insert(AgentSetup {
                    control: Control::WalkTo(Cell::new(to, 5)),
                    ..solid(Side::Cops, 2, 2)
                })
            })
            .collect();
        (0..16 * 20).for_each(|_| tick(&mut world));
        let cells: BTreeSet<Cell> = walkers
            .iter()
            .map(|&id| world.agent(id).expect("there").setup().cell)
            .collect();
        assert_eq!(cells.len(), 4, "{clock:?}: {cells:?}");
    }
}

#[test]
fn an_order_waits_behind_another_agent_and_goes_on() {
    for clock in CLOCKS {
        let map = map(&["......"]);
        let mut world = PursuitWorld::new(&map, Moves::Octile, settings(clock));
        let ordered = world.insert(solid(Side::Cops, 0, 0));
        let other = world.insert(AgentSetup {
            control: Control::External,
            ..solid(Side::Cops, 3, 0)
        });
        (0..17).for_each(|_| tick(&mut world));
        let way: Vec<Cell> = (1..6).map(|x| Cell::new(x, 0)).collect();
        assert_eq!(world.order(ordered, &way), 5);
        (0..16 * 8).for_each(|_| tick(&mut world));
        let at = |world: &PursuitWorld, id| world.agent(id).expect("there").setup().cell;
        assert_eq!(at(&world, ordered), Cell::new(2, 0), "{clock:?}");
        world.remove(other);
        (0..16 * 8).for_each(|_| tick(&mut world));
        assert_eq!(at(&world, ordered), Cell::new(5, 0), "{clock:?}");
    }
}
