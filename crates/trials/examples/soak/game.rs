//! The state of a game: maps, agents by number, saves and the referee.

use crate::api::{self, Facts};
use crate::grid::Grid;
use crate::ledger::{Ledger, Mark};
use crate::ops::{Ground, Moment, Op, Reaction, Role, Setup, Tile};
use crate::referee::{Referee, Seen};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use pursuit_engine::search::Dice;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// The number of operations kept for the report of a violation.
const REMEMBERED: usize = 40;

/// A map of the game.
#[derive(Debug, Clone)]
pub struct Place {
    pub ground: Ground,
    pub entity: Option<Entity>,
    /// The tiles as set by the game.
    pub grid: Grid,
    /// For layers, the entities of tiles.
    pub tiles: BTreeMap<Tile, Entity>,
    /// The agents that named the map when it was despawned.
    pub lost: Vec<usize>,
}

/// The map of an agent that names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lodging {
    /// This map, until it is despawned.
    On(Entity),
    /// No map: the one that it named was despawned.
    Lost,
}

/// A save game.
#[derive(Debug, Clone)]
pub struct Save {
    pub map: usize,
    /// The longest recent turn at the time of the save.
    pub turn: u64,
    pub bytes: Vec<u8>,
    /// The map at the time of the save.
    pub grid: Grid,
    /// The agents of the map; `None` for agents with changes that the plugin has not noticed yet.
    pub agents: BTreeMap<usize, Option<Facts>>,
}

/// The state of a game.
#[derive(Resource)]
pub struct Game {
    pub places: Vec<Place>,
    /// The agents by number, including despawned ones.
    pub agents: BTreeMap<usize, Entity>,
    pub numbers: EntityHashMap<usize>,
    pub lodgings: BTreeMap<usize, Lodging>,
    /// The agents that have ever had a role. The plugin does not know any others.
    pub veterans: BTreeSet<usize>,
    pub cart: Entity,
    pub queues: [VecDeque<Op>; 4],
    pub reaction: Reaction,
    pub on_notice: Reaction,
    pub saves: Vec<Option<Save>>,
    pub ledger: Ledger,
    pub referee: Referee,
    /// The first violation.
    pub offence: Option<String>,
    pub log: VecDeque<(u64, Moment, Op)>,
    pub ticks: u64,
    pub frame: u32,
    /// Hashes of the positions of all agents after each tick.
    pub prints: Vec<Print>,
    pub look_at: Option<u64>,
    pub look: BTreeMap<usize, String>,
    /// The time spent by the soak test itself, to be subtracted from frame times.
    pub spent: Duration,
    pub counts: Counts,
    /// Whether the last event about a robber and what cops see was that they see it.
    pub is_sighted: BTreeMap<usize, bool>,
    /// Whether a detour is being played, which will be rolled back.
    pub is_detour: bool,
    /// Agents whose bodies may jump in this frame.
    pub jumped: BTreeSet<usize>,
    /// Print each tick of this agent.
    pub trace: Option<usize>,
}

/// Hashes of all positions after a tick: according to components, and according to the plugin.
#[derive(Debug, Clone, Copy)]
pub struct Print {
    pub frame: u32,
    pub bodies: u64,
    pub worlds: u64,
}

/// Event counts of a game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    pub ops: u64,
    pub captures: u64,
    pub saves: u64,
    pub restores: u64,
    pub detours: u64,
    /// Events other than captures.
    pub notices: u64,
    /// Announced captures that the referee has followed to their end.
    pub promises: u64,
    /// Robbers at rest that were captured in time.
    pub rests: u64,
    pub frames: u64,
    pub decisions: [u64; 4],
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.ops += other.ops;
        self.captures += other.captures;
        self.saves += other.saves;
        self.restores += other.restores;
        self.detours += other.detours;
        self.notices += other.notices;
        self.promises += other.promises;
        self.rests += other.rests;
        self.frames += other.frames;
        for (sum, more) in self.decisions.iter_mut().zip(other.decisions) {
            *sum += more;
        }
    }
}

impl Game {
    pub fn new(world: &mut World, setup: &Setup) -> Self {
        let mut game = Self {
            places: Vec::new(),
            agents: BTreeMap::new(),
            numbers: EntityHashMap::default(),
            lodgings: BTreeMap::new(),
            veterans: BTreeSet::new(),
            cart: world.spawn(Transform::default()).id(),
            queues: Default::default(),
            reaction: Reaction::Nothing,
            on_notice: Reaction::Nothing,
            saves: vec![None; crate::generate::SLOTS],
            ledger: Ledger::default(),
            referee: Referee::new(setup),
            offence: None,
            log: VecDeque::new(),
            ticks: 0,
            frame: 0,
            prints: Vec::new(),
            look_at: None,
            look: BTreeMap::new(),
            spent: Duration::ZERO,
            counts: Counts::default(),
            is_sighted: BTreeMap::new(),
            is_detour: false,
            jumped: BTreeSet::new(),
            trace: None,
        };
        for &ground in &setup.grounds {
            game.places.push(Place {
                ground,
                entity: None,
                grid: Grid::of(&ground),
                tiles: BTreeMap::new(),
                lost: Vec::new(),
            });
        }
        for map in 0..game.places.len() {
            game.open_place(world, map);
        }
        game
    }

    /// Spawns a map with its tiles.
    pub fn open_place(&mut self, world: &mut World, map: usize) {
        let place = &mut self.places[map];
        let ground = place.ground;
        let entity = api::spawn_map(world, &place.grid, ground.is_layer, ground.offset);
        place.entity = Some(entity);
        place.tiles.clear();
        if ground.is_layer {
            for at in place.grid.open_tiles() {
                let tile = api::spawn_tile(world, entity, at);
                place.tiles.insert(at, tile);
            }
        }
        self.ledger.window().maps.insert(map);
    }

    /// The entity of an agent, if it still exists.
    pub fn living(&self, world: &World, agent: usize) -> Option<Entity> {
        let entity = *self.agents.get(&agent)?;
        world.get_entity(entity).is_ok().then_some(entity)
    }

    pub fn add(&mut self, agent: usize, entity: Entity) {
        self.agents.insert(agent, entity);
        self.numbers.insert(entity, agent);
        self.ledger.mark(agent, Mark::Born);
    }

    /// The number of the map of an agent: the one that it names, else the one that it is already on, else
    /// the only one.
    pub fn home(&self, agent: usize, on: Option<Entity>) -> Option<usize> {
        let there = || self.places.iter().enumerate();
        let number = |entity| there().find(|(_, it)| it.entity == Some(entity));
        if let Some(on) = on {
            return number(on).map(|it| it.0);
        }
        match self.lodgings.get(&agent) {
            Some(Lodging::Lost) => return None,
            Some(&Lodging::On(map)) if number(map).is_some() => return number(map).map(|it| it.0),
            _ => {}
        }
        let mut all = there().filter(|(_, it)| it.entity.is_some());
        let only = all.next()?;
        all.next().is_none().then_some(only.0)
    }

    /// Records the maps of agents at the moment when the plugin notices them.
    pub fn lodge(&mut self, world: &World, seen: &BTreeMap<usize, Seen>) {
        for (&agent, seen) in seen {
            let map = seen.home.and_then(|home| self.places[home].entity);
            let map = map.filter(|&map| seen.plays() && api::has_world(world, map));
            if seen.facts.on.is_none() && self.lodgings.get(&agent) == Some(&Lodging::Lost) {
                continue;
            }
            // While its map is being replaced, an agent stays on it.
            let stays = seen.plays()
                && seen.home.is_some_and(|home| {
                    let map = self.places[home].entity;
                    map.is_some() && self.lodgings.get(&agent).copied() == map.map(Lodging::On)
                });
            // An agent that is disabled or without role returns to its former map.
            let is_away = !seen.facts.enabled || seen.facts.role.is_none();
            match map {
                None if stays || is_away => None,
                Some(map) => self.lodgings.insert(agent, Lodging::On(map)),
                None => self.lodgings.remove(&agent),
            };
        }
    }

    pub fn place(&mut self, world: &mut World, agent: usize, at: Tile) {
        if let Some(entity) = self.living(world, agent)
            && let Some(before) = api::position(world, entity)
        {
            self.ledger.place(agent, at, before, false);
            api::place(world, entity, at);
        }
    }

    pub fn note(&mut self, moment: Moment, op: &Op) {
        self.counts.ops += 1;
        self.log.push_back((self.ticks, moment, *op));
        if self.log.len() > REMEMBERED {
            self.log.pop_front();
        }
    }

    pub fn blame(&mut self, offence: Result<(), String>) {
        if let (Err(offence), None) = (offence, &self.offence) {
            self.offence = Some(format!("tick {}: {offence}", self.ticks));
        }
    }
}

/// Called when the plugin reports a capture.
pub fn on_capture(world: &mut DeferredWorld, robber: Entity, cop: Entity) {
    let Some(game) = world.get_resource::<Game>() else {
        return;
    };
    let numbers = [robber, cop].map(|entity| game.numbers.get(&entity).copied());
    let reaction = game.reaction;
    let at = [robber, cop].map(|entity| {
        let entity = world.get_entity(entity).ok()?;
        api::facts_position(entity)
    });
    let Some(mut game) = world.get_resource_mut::<Game>() else {
        return;
    };
    let (Some(robber_no), Some(cop_no)) = (numbers[0], numbers[1]) else {
        game.blame(Err(format!(
            "capture of an unknown agent: {robber} by {cop}"
        )));
        return;
    };
    game.counts.captures += 1;
    let Game {
        referee, ledger, ..
    } = &mut *game;
    let robber = Party {
        entity: robber,
        agent: robber_no,
        at: at[0],
    };
    let cop = Party {
        entity: cop,
        agent: cop_no,
        at: at[1],
    };
    let offence = referee.captured(ledger, robber, cop);
    game.blame(offence);
    react(world, reaction, robber, cop);
}

/// The robber or the cop of a capture.
#[derive(Debug, Clone, Copy)]
pub struct Party {
    pub entity: Entity,
    /// The number of the agent.
    pub agent: usize,
    /// Its tile, if it still exists.
    pub at: Option<Tile>,
}

/// Does what the game does with the robber and the cop of a capture, or with the subject of another event as both.
pub fn react(world: &mut DeferredWorld, reaction: Reaction, robber: Party, cop: Party) {
    let moved = match reaction {
        Reaction::MoveRobber(to) => Some((robber, to)),
        Reaction::MoveCop(to) | Reaction::Swap(to) => Some((cop, to)),
        _ => None,
    };
    let gone: &[Party] = match reaction {
        Reaction::Despawn => &[robber],
        Reaction::DespawnCop => &[cop],
        Reaction::DespawnBoth => &[robber, cop],
        _ => &[],
    };
    if let Some((party, to)) = moved
        && let Some(before) = party.at
    {
        api::place_now(world, party.entity, to);
        let mut game = world.resource_mut::<Game>();
        game.ledger.place(party.agent, to, before, true);
    }
    let mut game = world.resource_mut::<Game>();
    match reaction {
        Reaction::Nothing => {}
        Reaction::MoveRobber(_) | Reaction::MoveCop(_) => {
            game.ledger.mark(robber.agent, Mark::Released);
            api::release_now(world, robber.entity);
        }
        Reaction::Despawn | Reaction::DespawnCop | Reaction::DespawnBoth => {
            for party in gone {
                game.ledger.mark(party.agent, Mark::Gone);
            }
            for party in gone {
                world.commands().entity(party.entity).try_despawn();
            }
        }
        Reaction::Restart(seed) => restart(world, seed, robber.agent),
        Reaction::Swap(_) => {
            for agent in [robber.agent, cop.agent] {
                game.ledger.mark(agent, Mark::Role);
                game.ledger.mark(agent, Mark::Released);
            }
            world.commands().queue(move |world: &mut World| {
                for (entity, role) in [(robber.entity, Role::Cop), (cop.entity, Role::Robber)] {
                    if world.get_entity(entity).is_ok() {
                        api::release(world, entity);
                        api::set_role(world, entity, Some(role));
                    }
                }
            });
        }
    }
}

/// Moves all agents on the map of one of them elsewhere, and frees the captured.
fn restart(world: &mut DeferredWorld, seed: u64, of: usize) {
    let game = world.resource::<Game>();
    let Some(&Lodging::On(map)) = game.lodgings.get(&of) else {
        return;
    };
    let place = game.places.iter().find(|it| it.entity == Some(map));
    let open = place.map_or_else(Vec::new, |place| place.grid.open_tiles());
    let mut dice = Dice::new(seed);
    let all: Vec<(usize, Entity)> = game
        .agents
        .iter()
        .filter(|(agent, _)| game.lodgings.get(agent) == Some(&Lodging::On(map)))
        .map(|(&agent, &entity)| (agent, entity))
        .collect();
    for (agent, entity) in all {
        let before = world.get_entity(entity).ok().map(api::facts_position);
        if let Some((to, before)) = dice.pick(&open).zip(before.flatten()) {
            api::place_now(world, entity, to);
            let mut game = world.resource_mut::<Game>();
            game.ledger.place(agent, to, before, true);
            game.ledger.mark(agent, Mark::Released);
            api::release_now(world, entity);
        }
    }
}
