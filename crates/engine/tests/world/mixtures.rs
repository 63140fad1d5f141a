//! All rules at once: games with any mixture of what a game may ask for, under a referee that knows only definitions.

use crate::common::hall::settings;
use crate::common::map_rules::{add_rules, any_edit, any_kinds, apply_with, covered, steps_of};
use crate::solid;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{BodySize, Cell, HexLayout, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, Control, Duty, Expansions, Faction, FactionSwap, Hazard,
    Leash, PatrolOrder, PursuitClock, PursuitSettings, PursuitWorld, Snapshot, Tactics, WorldEvent,
};
use std::collections::{BTreeMap, BTreeSet};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

const TACTICS: [Tactics; 8] = [
    Tactics::Intercept,
    Tactics::Chase,
    Tactics::Ahead(4),
    Tactics::Flank,
    Tactics::Shy(5),
    Tactics::Keep(4),
    Tactics::Surround,
    Tactics::Custom,
];

/// What a game uses: each with a probability of a half.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
struct Features {
    rules: bool,
    kinds: bool,
    sizes: bool,
    reach: bool,
    solid: bool,
    sight: bool,
    factions: bool,
    tactics: bool,
    duties: bool,
    hazards: bool,
    slow: bool,
    difficulty: bool,
    edits: bool,
    acts: bool,
}

/// A random game.
#[derive(Clone)]
struct Script {
    dice: Dice,
    has: Features,
    moves: Moves,
    /// The map as the game has changed it.
    map: TileMap,
    ids: Vec<AgentId>,
}

impl Script {
    fn new(seed: u64) -> (Self, PursuitWorld) {
        let mut dice = Dice::new(seed);
        let mut coin = || dice.below(2) == 0;
        let has = Features {
            rules: coin(),
            kinds: coin(),
            sizes: coin(),
            reach: coin(),
            solid: coin(),
            sight: coin(),
            factions: coin(),
            tactics: coin(),
            duties: coin(),
            hazards: coin(),
            slow: coin(),
            difficulty: coin(),
            edits: coin(),
            acts: coin(),
        };
        let moves = match dice.below(6) {
            0 => Moves::Orthogonal,
            1 => Moves::Hexagonal(HexLayout::ALL[dice.below(6)]),
            _ => Moves::Octile,
        };
        let (width, height) = (4 + dice.below(12) as u16, 4 + dice.below(12) as u16);
        let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
        let share = 5 + dice.below(25);
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(100) < share {
                map.set(at, Terrain::Wall);
            }
        }
        if has.rules && !matches!(moves, Moves::Hexagonal(_)) {
            let many = dice.below(20);
            add_rules(&mut map, &mut dice, many);
        }
        let settings = PursuitSettings {
            ticks_per_turn: [1, 4, 8, 16][dice.below(4)],
            stagger: dice.below(2) == 0,
            tactics: [Tactics::Intercept, Tactics::Chase][dice.below(2)],
            ..settings(CLOCKS[seed as usize % 3])
        };
        let mut world = PursuitWorld::new(&map, moves, settings);
        let mut script = Self {
            dice,
            has,
            moves,
            map,
            ids: Vec::new(),
        };
        for _ in 0..2 + script.dice.below(8) {
            script.add(&mut world);
        }
        (script, world)
    }

    fn cell(&mut self) -> Cell {
        let (width, height) = (self.map.width(), self.map.height());
        let dice = &mut self.dice;
        // Mostly free cells, rarely one off the map.
        let any = |dice: &mut Dice, more: usize| {
            Cell::new(
                dice.below(usize::from(width) + more) as u16,
                dice.below(usize::from(height) + more) as u16,
            )
        };
        let more = usize::from(dice.below(40) == 0) * 3;
        let mut cell = any(dice, more);
        for _ in 0..4 {
            if self.map.is_passable(cell) {
                break;
            }
            cell = any(&mut self.dice, 0);
        }
        cell
    }

    fn faction(&mut self) -> Faction {
        let dice = &mut self.dice;
        let prey: Vec<u8> = (0..4).filter(|_| dice.below(2) == 0).collect();
        Faction {
            fears: dice.below(8) as u8,
            ..Faction::new(dice.below(4) as u8, prey)
        }
    }

    fn setup(&mut self) -> AgentSetup {
        let (has, cell) = (self.has, self.cell());
        let faction = (has.factions && self.dice.below(4) > 0).then(|| self.faction());
        let heads_for = self.cell();
        let control = match self.dice.below(12) {
            0 | 1 => Control::WalkTo(self.cell()),
            2 => Control::Steer {
                dx: self.dice.below(3) as i8 - 1,
                dy: self.dice.below(3) as i8 - 1,
            },
            3 => Control::External,
            _ => Control::Policy,
        };
        let is_square = !matches!(self.moves, Moves::Hexagonal(_));
        let dice = &mut self.dice;
        let side = [Side::Cops, Side::Robber][usize::from(dice.below(3) == 0)];
        let sizes = [1, 1, 1, 2, 2, 3, 4];
        let some = |has: bool, dice: &mut Dice, many: usize| has && dice.below(many) == 0;
        AgentSetup {
            control,
            faction,
            kinds: if has.kinds {
                any_kinds(dice)
            } else {
                Kinds::NONE
            },
            size: match BodySize::new(sizes[dice.below(7)]) {
                Some(size) if has.sizes && is_square => size,
                _ => BodySize::ONE,
            },
            reach: if some(has.reach, dice, 3) {
                [1, 2, 3, 255][dice.below(4)]
            } else {
                0
            },
            pursuit: usize::from(dice.below(4) == 0) as u32,
            speed: Speed::new(1 + dice.below(3) as u8).expect("not 0"),
            ticks_per_step: [0, 0, 3][dice.below(3)],
            is_solid: some(has.solid, dice, 2),
            is_immobile: dice.below(20) == 0,
            keeps_direction: some(has.tactics, dice, 4),
            sight: some(has.sight, dice, 2).then(|| 1 + dice.below(8) as u16),
            tactics: some(has.tactics, dice, 2).then(|| TACTICS[dice.below(8)]),
            heads_for: some(has.tactics, dice, 2).then_some(heads_for),
            quarry: some(has.tactics, dice, 3).then(|| dice.below(8) as u64),
            mistakes: [0, 0, 300][if has.difficulty { dice.below(3) } else { 0 }],
            reaction: [0, 0, 3][if has.difficulty { dice.below(3) } else { 0 }],
            leash: some(has.duties, dice, 3).then(|| Leash {
                cell: heads_for,
                steps: dice.below(8) as u8,
            }),
            patience: [0, 0, 5][if has.duties { dice.below(3) } else { 0 }],
            nerve: some(has.duties, dice, 2).then(|| dice.below(6) as u8),
            user: dice.below(8) as u64,
            ..AgentSetup::new(side, cell)
        }
    }

    fn duty(&mut self) -> Option<Duty> {
        let posts: Vec<Cell> = (0..self.dice.below(4)).map(|_| self.cell()).collect();
        let leader = self.dice.pick(&self.ids);
        match self.dice.below(4) {
            0 => Some(Duty::Post(self.cell())),
            1 => Some(Duty::Patrol {
                posts,
                order: [
                    PatrolOrder::Rounds,
                    PatrolOrder::ToAndFro,
                    PatrolOrder::Random,
                ][self.dice.below(3)],
                wait: self.dice.below(3) as u16,
            }),
            2 => leader.map(|leader| Duty::Follow {
                leader,
                apart: self.dice.below(3) as u8,
            }),
            _ => None,
        }
    }

    fn add(&mut self, world: &mut PursuitWorld) {
        let setup = self.setup();
        let id = world.insert(setup);
        self.ids.push(id);
        if self.has.duties && self.dice.below(2) == 0 {
            let duty = self.duty();
            world.set_duty(id, duty);
        }
    }

    /// Something that a game does between two ticks. Returns the agent that it has moved, if any.
    fn act(&mut self, world: &mut PursuitWorld) -> Option<AgentId> {
        let id = self.dice.pick(&self.ids)?;
        match self.dice.below(14) {
            0 if self.ids.len() < 12 => self.add(world),
            1 if self.ids.len() > 3 => {
                world.remove(id);
                self.ids.retain(|&other| other != id);
            }
            2 | 3 => {
                let cell = self.cell();
                world.place(id, cell);
                return Some(id);
            }
            4..7 => {
                // It becomes another agent on the cell where it stands.
                let new = self.setup();
                world.change(id, |setup| {
                    *setup = AgentSetup {
                        cell: setup.cell,
                        ..new
                    };
                });
            }
            7 => world.hold(id),
            8 | 9 => world.release(id),
            10 => {
                world.block(id, self.dice.below(6) as u16);
                return Some(id);
            }
            11 if self.has.factions => {
                let (faction, until) = (self.faction(), world.tick() + self.dice.below(60) as u64);
                world.change(id, |setup| {
                    setup.swap = Some(FactionSwap { faction, until });
                });
            }
            12 if self.has.duties => {
                let duty = self.duty();
                world.set_duty(id, duty);
            }
            _ => {}
        }
        None
    }

    /// The edits of the next tick, and hazards.
    fn edits(&mut self, world: &mut PursuitWorld) -> Vec<MapEdit> {
        let mut edits = Vec::new();
        if self.has.hazards && self.dice.below(12) == 0 {
            let from = world.tick() + self.dice.below(40) as u64;
            let until = from + self.dice.below(40) as u64;
            let cell = self.cell();
            let kinds = [Kinds::ALL, any_kinds(&mut self.dice)][self.dice.below(2)];
            // Those that are over, or off the map, are refused.
            let _ = world.add_hazard(Hazard {
                cell,
                from,
                until,
                kinds,
            });
        }
        if self.has.slow && self.dice.below(20) == 0 {
            let (at, times) = (self.cell(), self.dice.below(5) as u8);
            edits.push(MapEdit::Slow { at, times });
        }
        if self.has.edits && self.dice.below(10) == 0 {
            edits.push(any_edit(&self.map, &mut self.dice));
        }
        for &edit in &edits {
            if !matches!(edit, MapEdit::Slow { .. }) {
                apply_with(&mut self.map, edit, self.moves);
            }
        }
        edits
    }
}

/// Returns whether an agent captures another one by its rules.
fn hunts(hunter: &AgentSetup, prey: &AgentSetup) -> bool {
    if hunter.pursuit != prey.pursuit {
        return false;
    }
    match (hunter.faction_now(), prey.faction_now()) {
        (Some(hunter), Some(prey)) => hunter.own != prey.own && hunter.hunts >> prey.own & 1 == 1,
        (None, None) => hunter.side == Side::Cops && prey.side == Side::Robber,
        _ => false,
    }
}

/// The cells that an agent has touched since the last tick, by what is known of its walk.
fn touched(
    before: Option<&AgentRecord>,
    now: &AgentRecord,
    world: &PursuitWorld,
) -> BTreeSet<Cell> {
    let graph = world.graph();
    let of = |agent: &AgentRecord| {
        let way = agent.way().iter().map(|&at| graph.cell(at));
        let all: Vec<Cell> = way.chain([agent.setup().cell]).collect();
        all
    };
    let all = of(now)
        .into_iter()
        .chain(before.map(of).unwrap_or_default());
    all.flat_map(|cell| covered(now.setup().size, cell))
        .collect()
}

/// Judges the games.
#[derive(Default)]
struct Referee {
    before: BTreeMap<AgentId, AgentRecord>,
    bodies: solid::Referee,
    captures: usize,
    away: usize,
    struck: usize,
}

impl Referee {
    /// Judges what has happened on arrival.
    fn after_arrivals(&mut self, script: &Script, world: &PursuitWorld, what: &str) {
        for event in world.events() {
            match *event {
                WorldEvent::Captured { robber, cop, .. } => {
                    self.captures += 1;
                    self.check_capture(script, world, [robber, cop], what);
                }
                WorldEvent::Away { robber, .. } => {
                    self.away += 1;
                    let setup = world.agent(robber).expect("there").setup();
                    let mut exits = script.map.rules().exits();
                    let is_for = |kinds: Kinds| {
                        kinds == Kinds::ALL || kinds.bits() & setup.kinds.bits() != 0
                    };
                    let stands = covered(setup.size, setup.cell);
                    let is_exit = exits.any(|(at, kinds)| stands.contains(&at) && is_for(kinds));
                    assert!(is_exit, "{what}: {robber:?} got away at {:?}", setup.cell);
                }
                WorldEvent::Struck { .. } => self.struck += 1,
                _ => {}
            }
        }
        let free: Vec<(AgentId, &AgentRecord)> = world
            .agents()
            .filter(|(_, agent)| agent.caught().is_none() && !agent.is_away())
            .filter(|(_, agent)| world.graph().is_on_map(agent.setup().cell))
            .collect();
        for &(prey, robber) in &free {
            for &(hunter, cop) in free.iter().filter(|&&(id, _)| id != prey) {
                let (robber, cop) = (robber.setup(), cop.setup());
                let touch = robber.size.overlaps(robber.cell, cop.cell, cop.size);
                assert!(
                    !(touch && hunts(cop, robber)),
                    "{what}: {hunter:?} touches {prey:?} at {:?} without a capture\n{:?}\n{:?}",
                    robber.cell,
                    world.agent(hunter),
                    world.agent(prey),
                );
            }
        }
    }

    fn check_capture(&self, script: &Script, world: &PursuitWorld, ids: [AgentId; 2], what: &str) {
        let [robber, cop] =
            ids.map(|id| world.agent(id).unwrap_or_else(|| panic!("{what}: {ids:?}")));
        let at = [robber, cop].map(|agent| agent.setup().cell);
        let what = format!("{what}: capture of {:?} by {:?}, {at:?}", ids[0], ids[1]);
        assert!(hunts(cop.setup(), robber.setup()), "{what}");
        let was = self.before.get(&ids[0]);
        assert!(
            was.is_none_or(|was| was.caught().is_none()) || script.has.acts,
            "{what}: twice"
        );
        let [theirs, ours] = [0, 1].map(|side| {
            let (id, agent) = (ids[side], [robber, cop][side]);
            touched(self.before.get(&id), agent, world)
        });
        let meet = !theirs.is_disjoint(&ours);
        let setup = cop.setup();
        let mut reached: BTreeSet<Cell> = BTreeSet::from([setup.cell]);
        for _ in 0..setup.reach {
            let before = reached.len();
            for at in reached.clone() {
                reached.extend(steps_of(&script.map, script.moves, setup.walker(), at));
            }
            if reached.len() == before {
                break;
            }
        }
        let within = reached
            .into_iter()
            .flat_map(|at| covered(setup.size, at))
            .any(|at| covered(robber.setup().size, robber.setup().cell).contains(&at));
        assert!(
            meet || within,
            "{what}: they do not meet\n{robber:?}\n{cop:?}"
        );
    }

    /// Judges the moves of a tick.
    fn after_decisions(&mut self, script: &Script, world: &PursuitWorld, what: &str) {
        let hazards: Vec<&Hazard> = world.hazards().collect();
        for (id, agent) in world.agents() {
            let setup = agent.setup();
            let tell = || format!("{what}: {id:?}\n{agent:?}\n{:?}", self.before.get(&id));
            let graph = world.graph();
            let is_out = agent.caught().is_some() || agent.is_away();
            assert!(!is_out || agent.way().is_empty(), "{}", tell());
            if agent.times().0 == world.tick() && !agent.way().is_empty() {
                assert!(
                    agent.way().len() <= usize::from(setup.speed.steps()),
                    "{}",
                    tell()
                );
                let walker = setup.walker();
                let mut from = setup.cell;
                // Out of a wall, an agent may squeeze.
                let mut is_free = !steps_of(&script.map, script.moves, walker, from).is_empty();
                for &at in agent.way() {
                    let to = graph.cell(at);
                    let steps = steps_of(&script.map, script.moves, walker, from);
                    let turns_back = to == from && agent.way().len() == 1;
                    let is_legal = steps.contains(&to) || turns_back;
                    assert!(!is_free || is_legal, "{}: {from:?} to {to:?}", tell());
                    (from, is_free) = (to, true);
                }
            }
        }
        for event in world.events() {
            if let WorldEvent::Struck { id, cell } = *event {
                let setup = world.agent(id).expect("there").setup();
                let is_deadly = |hazard: &&&Hazard| {
                    (hazard.from..hazard.until).contains(&world.tick())
                        && (hazard.kinds == Kinds::ALL
                            || hazard.kinds.bits() & setup.kinds.bits() != 0)
                };
                let cells = covered(setup.size, cell);
                let mut deadly = hazards.iter().filter(is_deadly);
                assert!(
                    deadly.any(|hazard| cells.contains(&hazard.cell)),
                    "{what}: {id:?}"
                );
            }
        }
        self.bodies.look(world, what);
        self.before = world
            .agents()
            .map(|(id, agent)| (id, agent.clone()))
            .collect();
    }
}

fn tick(script: &mut Script, world: &mut PursuitWorld, mut referee: Option<(&mut Referee, &str)>) {
    if script.has.acts && script.dice.below(8) == 0 {
        let moved = script.act(world);
        if let Some((referee, _)) = &mut referee {
            if let Some(id) = moved {
                referee.before.remove(&id);
            }
            referee.bodies.excuse(world);
        }
    }
    let edits = script.edits(world);
    world.begin_tick_with(&edits);
    world.arrive();
    if let Some((referee, what)) = &mut referee {
        referee.after_arrivals(script, world, what);
    }
    world.decide(&mut Expansions(2_000));
    if let Some((referee, what)) = referee {
        referee.after_decisions(script, world, what);
    }
}

fn play(seed: u64, totals: &mut [usize; 3]) {
    let (mut script, mut world) = Script::new(seed);
    let mut referee = Referee::default();
    referee.bodies.excuse(&world);
    let saved_at = 40 + script.dice.below(100);
    for now in 0..200 {
        if now == saved_at {
            let saved = postcard::to_allocvec(&world.snapshot()).expect("plain data");
            let saved: Snapshot = postcard::from_bytes(&saved).expect("what was written");
            let mut other = PursuitWorld::from_snapshot(saved).expect("a saved game");
            let (mut first, mut second) = (script.clone(), script.clone());
            let mut copy = PursuitWorld::from_snapshot(world.snapshot()).expect("sound");
            for step in 0..24 {
                tick(&mut first, &mut other, None);
                tick(&mut second, &mut copy, None);
                let hashes = (other.position_hash(), copy.position_hash());
                assert_eq!(hashes.0, hashes.1, "seed {seed}, restored, step {step}");
            }
            // The first world goes on as the restored one did.
            let mut third = script.clone();
            for step in 0..24 {
                let what = format!("seed {seed}, {:?}, tick {}", script.has, now + step);
                tick(&mut third, &mut world, Some((&mut referee, &what)));
            }
            assert_eq!(
                world.position_hash(),
                other.position_hash(),
                "seed {seed}, lockstep"
            );
            script = third;
        }
        let what = format!(
            "seed {seed}, {:?}, {:?}, tick {now}",
            script.moves, script.has
        );
        tick(&mut script, &mut world, Some((&mut referee, &what)));
    }
    let [captures, away, struck] = totals;
    *captures += referee.captures;
    *away += referee.away;
    *struck += referee.struck;
}

/// Random games of all rules.
#[test]
fn every_mixture_of_rules_is_played_by_its_definitions() {
    let first: u64 = std::env::var("MIXTURES").map_or(0, |text| text.parse().expect("a number"));
    let mut totals = [0; 3];
    for seed in first..first + 500 {
        play(seed, &mut totals);
    }
    assert!(totals.iter().all(|&all| all > 50), "{totals:?}");
}
