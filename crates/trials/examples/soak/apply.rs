//! Applies operations to the game.

use crate::api;
use crate::game::{Game, Lodging, Save};
use crate::grid::Grid;
use crate::ledger::Mark;
use crate::ops::{Clock, Op, Parent, Role, Spec, Steering, Tile, TileChange, Trait};
use crate::tables;
use crate::traits;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use pursuit_engine::search::{Dice, seed_of};
use std::time::Duration;

impl Game {
    /// Applies an operation. Does nothing for agents and maps that do not exist.
    pub fn apply(&mut self, world: &mut World, op: &Op) {
        match *op {
            Op::Spawn { agent, spec } => self.spawn(world, agent, &spec),
            Op::Clone { agent, copy } => self.clone_agent(world, agent, copy),
            Op::Mass {
                first,
                many,
                map,
                pursuits,
                seed,
            } => self.mass(world, first..first + many, map, pursuits, seed),
            Op::MassGone { first, many } => {
                (first..first + many).for_each(|agent| self.despawn(world, agent));
            }
            Op::Despawn { agent } => self.despawn(world, agent),
            Op::Amnesty { seed } => self.amnesty(world, seed),
            Op::Tile { map, at, change } => self.change_tile(world, map, at, change),
            Op::Resize { map, width, height } => self.resize(world, map, width, height),
            Op::MapGone { map } => self.close_place(world, map),
            Op::MapBack { map } => self.reopen_place(world, map),
            Op::Save { map, slot } => self.save(world, map, slot),
            Op::Restore { slot, careless } => self.restore(world, slot, careless),
            Op::OnCapture { reaction } => self.reaction = reaction,
            Op::OnNotice { reaction } => self.on_notice = reaction,
            Op::Step { agent, seed } => self.step(world, agent, seed),
            Op::MoveCart { to } => {
                if let Some(mut place) = world.get_mut::<Transform>(self.cart) {
                    place.translation = Vec3::new(to.0 as f32, to.1 as f32, 0.0);
                }
            }
            // Played by `stage.rs`.
            Op::Detour { .. } => {}
            _ => {
                self.apply_to_agent(world, op);
                self.apply_to_rules(world, op);
            }
        }
    }

    fn apply_to_agent(&mut self, world: &mut World, op: &Op) {
        let (agent, mark) = match *op {
            Op::Place { agent, at } => return self.place(world, agent, at),
            Op::Swap { agent } => return self.swap(world, agent),
            Op::Enable { agent, .. } => (agent, Mark::Enabled),
            Op::Reparent { agent, .. } => (agent, Mark::Reparented),
            Op::Order { agent, .. } => (agent, Mark::Ordered),
            Op::Role { agent, .. } => (agent, Mark::Role),
            Op::Map { agent, .. } => (agent, Mark::Map),
            Op::Pursuit { agent, .. } => (agent, Mark::Pursuit),
            Op::Speed { agent, .. } => (agent, Mark::Speed),
            Op::TicksPerStep { agent, .. } => (agent, Mark::Pace),
            Op::Sight { agent, .. } => (agent, Mark::Sight),
            Op::Trait { agent, .. } => (agent, Mark::Trait),
            Op::Steering { agent, .. } => (agent, Mark::Steering),
            _ => return,
        };
        let Some(entity) = self.living(world, agent) else {
            return;
        };
        self.ledger.mark(agent, mark);
        match *op {
            Op::Enable { yes, .. } => {
                let mut entity = world.entity_mut(entity);
                if yes {
                    entity.remove::<Disabled>();
                } else {
                    entity.insert(Disabled);
                }
            }
            Op::Reparent { parent, .. } => self.reparent(world, entity, parent),
            Op::Order { way, .. } => api::order(world, entity, &way),
            Op::Role { role, .. } => {
                api::release(world, entity);
                api::set_role(world, entity, role);
                if role.is_some() {
                    self.veterans.insert(agent);
                }
            }
            Op::Map { map, .. } => self.put_on(world, agent, entity, map),
            Op::Pursuit { pursuit, .. } => api::set_pursuit(world, entity, pursuit),
            Op::Speed { speed, .. } => api::set_speed(world, entity, speed),
            Op::TicksPerStep { ticks, .. } => api::set_ticks_per_step(world, entity, ticks),
            Op::Sight { sight, .. } => api::set_sight(world, entity, sight),
            Op::Trait { what, yes, .. } => {
                let other = match what {
                    Trait::Quarry(other) => self.agents.get(&other).copied(),
                    _ => None,
                };
                traits::set_trait(world, entity, what, yes, other);
            }
            Op::Steering { steering, .. } => api::set_steering(world, entity, steering),
            _ => {}
        }
    }

    fn apply_to_rules(&mut self, world: &mut World, op: &Op) {
        match *op {
            Op::Rules(rules) | Op::RulesFile(rules) => {
                self.ledger.window().rules = true;
                self.referee.rules = rules;
                self.referee.swaps |= rules.clock == Clock::Simultaneous;
                self.referee.only_turns &= rules.clock == Clock::Turns;
                if matches!(op, Op::Rules(_)) {
                    api::set_rules(world, &rules);
                } else {
                    self.ledger.rules_due = 3;
                    api::load_rules(world, &rules);
                }
            }
            Op::SetUp {
                map,
                pursuit,
                clock,
                chase,
            } => {
                if let Some(entity) = self.places[map].entity {
                    self.ledger.window().rules = true;
                    self.referee.swaps |= clock == Some(Clock::Simultaneous);
                    self.referee.only_turns &= clock.is_none_or(|it| it == Clock::Turns);
                    api::set_up_pursuit(world, entity, pursuit, clock, chase);
                }
            }
            Op::Table { map, cops, speed } => {
                let place = &self.places[map];
                let table = tables::table(&place.grid, cops, speed);
                if let Some((entity, table)) = place.entity.zip(table) {
                    tables::give_table(world, entity, table);
                }
            }
            Op::ReloadTables => tables::reload_tables(world),
            Op::DropTables { map } => {
                if let Some(entity) = self.places[map].entity {
                    self.referee.forget_promises();
                    tables::drop_tables(world, entity);
                }
            }
            Op::Pace { percent } => {
                let mut time = world.resource_mut::<Time<Virtual>>();
                time.set_relative_speed(percent as f32 / 100.0);
            }
            Op::Timestep { hz } => {
                let mut time = world.resource_mut::<Time<Fixed>>();
                time.set_timestep(Duration::from_secs(1) / hz.max(1));
            }
            Op::MaxDelta { millis } => {
                let all = millis.map_or(Duration::MAX, |it| Duration::from_millis(it.into()));
                world.resource_mut::<Time<Virtual>>().set_max_delta(all);
            }
            Op::Pause { yes: true } => world.resource_mut::<Time<Virtual>>().pause(),
            Op::Pause { yes: false } => world.resource_mut::<Time<Virtual>>().unpause(),
            _ => {}
        }
    }

    fn spawn(&mut self, world: &mut World, agent: usize, spec: &Spec) {
        let map = spec.map.and_then(|map| self.places.get(map)?.entity);
        let entity = api::spawn_agent(world, spec, map);
        self.add(agent, entity);
        self.veterans.insert(agent);
        if let Some(map) = map {
            self.lodgings.insert(agent, Lodging::On(map));
        }
    }

    fn clone_agent(&mut self, world: &mut World, agent: usize, copy: usize) {
        if let Some(entity) = self.living(world, agent) {
            let clone = world.entity_mut(entity).clone_and_spawn();
            self.lodgings.remove(&copy);
            let facts = api::facts(world, clone).filter(|facts| facts.role.is_some());
            if let Some(facts) = facts {
                self.veterans.insert(copy);
                let map = facts.on.map(Lodging::On);
                map.map(|map| self.lodgings.insert(copy, map));
            }
            self.add(copy, clone);
        }
    }

    fn mass(
        &mut self,
        world: &mut World,
        agents: std::ops::Range<usize>,
        map: usize,
        pursuits: u32,
        seed: u64,
    ) {
        let mut dice = Dice::new(seed_of([seed]));
        let open = self.places[map].grid.open_tiles();
        for agent in agents {
            let Some(at) = dice.pick(&open) else {
                return;
            };
            let spec = Spec {
                role: [Role::Cop, Role::Robber][dice.below(2)],
                map: Some(map),
                at,
                pursuit: dice.below(pursuits as usize) as u32,
                speed: 1 + dice.below(2) as u8,
                ticks_per_step: 0,
                sight: u16::MAX,
                mistakes: 0,
                steering: Steering::Policy,
                glides: false,
            };
            self.spawn(world, agent, &spec);
        }
    }

    fn despawn(&mut self, world: &mut World, agent: usize) {
        if let Some(entity) = self.living(world, agent) {
            self.ledger.mark(agent, Mark::Gone);
            world.despawn(entity);
        }
    }

    /// Moves a player to a random open neighbour of its tile, as a game does that moves it by itself.
    fn step(&mut self, world: &mut World, agent: usize, seed: u64) {
        let Some(facts) = self
            .living(world, agent)
            .and_then(|it| api::facts(world, it))
        else {
            return;
        };
        let Some(home) = self.home(agent, facts.on).filter(|_| !facts.caught) else {
            return;
        };
        let grid = &self.places[home].grid;
        let steps: Vec<Tile> = (Grid::around(facts.at))
            .filter(|&to| grid.is_step(facts.at, to))
            .collect();
        if let Some(to) = Dice::new(seed).pick(&steps) {
            self.place(world, agent, to);
        }
    }

    fn swap(&mut self, world: &mut World, agent: usize) {
        let Some(entity) = self.living(world, agent) else {
            return;
        };
        let role = api::facts(world, entity).and_then(|facts| facts.role);
        if let Some(role) = role {
            self.ledger.mark(agent, Mark::Role);
            api::release(world, entity);
            api::set_role(world, entity, Some(role.other()));
        }
    }

    fn reparent(&self, world: &mut World, entity: Entity, parent: Parent) {
        let parent = match parent {
            Parent::Nobody => None,
            Parent::Map(map) => self.places[map].entity,
            Parent::Cart => Some(self.cart),
        };
        let mut entity = world.entity_mut(entity);
        match parent {
            Some(parent) => entity.insert(ChildOf(parent)),
            None => entity.remove::<ChildOf>(),
        };
    }

    /// Frees all captured robbers, each on a random open tile.
    fn amnesty(&mut self, world: &mut World, seed: u64) {
        let agents: Vec<(usize, Entity)> = self.agents.iter().map(|(&no, &it)| (no, it)).collect();
        for (agent, entity) in agents {
            let Some(facts) = api::facts(world, entity).filter(|facts| facts.caught) else {
                continue;
            };
            let mut dice = Dice::new(seed_of([seed, agent as u64]));
            let home = self.home(agent, facts.on).unwrap_or(0);
            let open = self.places[home].grid.open_tiles();
            self.ledger.mark(agent, Mark::Released);
            api::release(world, entity);
            if let Some(at) = dice.pick(&open) {
                self.place(world, agent, at);
            }
        }
    }

    fn change_tile(&mut self, world: &mut World, map: usize, at: Tile, change: TileChange) {
        let place = &mut self.places[map];
        let Some(entity) = place.entity else {
            return;
        };
        if !place.grid.contains(at) {
            return;
        }
        self.ledger.window().tiles = true;
        place.grid.set(at, change == TileChange::Open);
        if !place.ground.is_layer {
            return api::edit(world, entity, at, change == TileChange::Open);
        }
        let tile = place.tiles.get(&at).copied();
        match (change, tile) {
            (TileChange::Open, None) => {
                place.tiles.insert(at, api::spawn_tile(world, entity, at));
            }
            (TileChange::Open, Some(tile)) => api::set_tile(world, tile, true),
            (_, None) => {}
            (TileChange::Close, Some(tile)) => api::set_tile(world, tile, false),
            (TileChange::Strip, Some(tile)) => api::strip_tile(world, tile),
            (TileChange::Tear, Some(tile)) => {
                world.despawn(tile);
                place.tiles.remove(&at);
            }
        }
    }

    fn resize(&mut self, world: &mut World, map: usize, width: u32, height: u32) {
        let grid = self.places[map].grid.resized(width, height);
        self.rebuild(world, map, grid, false);
    }

    /// Changes a map to match a grid of any size. A restored standalone map matches already.
    fn rebuild(&mut self, world: &mut World, map: usize, grid: Grid, is_restored: bool) {
        let place = &mut self.places[map];
        let Some(entity) = place.entity else {
            return;
        };
        if is_restored && !place.ground.is_layer {
            place.grid = grid;
            return;
        }
        let is_resized = (place.grid.width, place.grid.height) != (grid.width, grid.height);
        if is_resized {
            self.ledger.window().maps.insert(map);
            api::resize(world, entity, &grid, place.ground.is_layer);
        }
        let before = std::mem::replace(&mut place.grid, grid.clone());
        let is_layer = place.ground.is_layer;
        if is_layer {
            place.tiles.retain(|&at, &mut tile| {
                let stays = grid.contains(at);
                if !stays {
                    world.despawn(tile);
                }
                stays
            });
        }
        for at in grid.tiles() {
            let (was, is) = (before.is_open(at), grid.is_open(at));
            if was != is && (is_layer || !is_resized) {
                let change = if is {
                    TileChange::Open
                } else {
                    TileChange::Close
                };
                self.change_tile(world, map, at, change);
            }
        }
    }

    /// Despawns a map with all its descendants.
    fn close_place(&mut self, world: &mut World, map: usize) {
        let Some(entity) = self.places[map].entity.take() else {
            return;
        };
        self.ledger.window().maps.insert(map);
        for (&agent, &it) in &self.agents {
            let Some(facts) = api::facts(world, it) else {
                continue;
            };
            if facts.on == Some(entity) {
                self.places[map].lost.push(agent);
                if self.veterans.contains(&agent) {
                    self.lodgings.insert(agent, Lodging::Lost);
                }
            }
        }
        world.despawn(entity);
        self.places[map].tiles.clear();
        let agents: Vec<usize> = self.agents.keys().copied().collect();
        for agent in agents {
            if self.living(world, agent).is_none() {
                self.ledger.mark(agent, Mark::Gone);
            }
        }
        self.forget_dead(world);
    }

    /// Spawns a map again and puts most of its former agents back on it.
    fn reopen_place(&mut self, world: &mut World, map: usize) {
        if self.places[map].entity.is_some() {
            return;
        }
        self.open_place(world, map);
        for agent in std::mem::take(&mut self.places[map].lost) {
            if let Some(entity) = self.living(world, agent).filter(|_| agent % 4 > 0) {
                self.put_on(world, agent, entity, Some(map));
            }
        }
    }

    fn put_on(&mut self, world: &mut World, agent: usize, entity: Entity, map: Option<usize>) {
        let map = map.and_then(|map| self.places[map].entity);
        self.ledger.mark(agent, Mark::Map);
        // An agent that loses its map leaves it. One whose map was despawned has nothing to lose.
        if map.is_none() && matches!(self.lodgings.get(&agent), Some(Lodging::On(_))) {
            self.lodgings.remove(&agent);
        }
        if let (Some(map), Some(facts)) = (map, api::facts(world, entity)) {
            let is_agent = self.veterans.contains(&agent);
            let is_away = facts.role.is_none() || !facts.enabled;
            let is_on_map = matches!(self.lodgings.get(&agent), Some(Lodging::On(_)));
            // An agent on another map stays there until the plugin notices the change.
            if is_agent && (is_away || !is_on_map) {
                self.lodgings.insert(agent, Lodging::On(map));
            }
        }
        api::set_map(world, entity, map);
    }

    /// Forgets despawned entities.
    pub fn forget_dead(&mut self, world: &World) {
        self.agents
            .retain(|_, &mut entity| world.get_entity(entity).is_ok());
        self.numbers
            .retain(|&entity, _| world.get_entity(entity).is_ok());
    }

    fn save(&mut self, world: &World, map: usize, slot: usize) {
        let place = self.places[map].entity;
        // While a map is being replaced, a save would contain the old one.
        let Some(entity) = place.filter(|&map| api::is_ready(world, map)) else {
            return;
        };
        let Some((bytes, grid)) = api::save(world, entity).zip(self.referee.grid(map).cloned())
        else {
            return;
        };
        let mut agents = std::collections::BTreeMap::new();
        for (agent, facts) in self.referee.seen_on(map) {
            let is_known = !self.ledger.touches(agent);
            agents.insert(agent, is_known.then(|| facts.clone()));
        }
        self.counts.saves += 1;
        self.saves[slot] = Some(Save {
            map,
            turn: self.referee.turn,
            bytes,
            grid,
            agents,
        });
    }

    fn restore(&mut self, world: &mut World, slot: usize, careless: bool) {
        let Some(save) = self.saves[slot].clone() else {
            return;
        };
        let map = save.map;
        // While a map is being replaced, the replacement would overwrite the restored one.
        let is_settled = |map: Entity| !api::has_world(world, map) || api::is_ready(world, map);
        let Some(entity) = self.places[map].entity.filter(|&map| is_settled(map)) else {
            return;
        };
        // All agents that play on this map, or for a careless game all that play on any map.
        let all = self.agents.iter().map(|(&agent, &entity)| (agent, entity));
        let here: EntityHashMap<usize> = all
            .filter(|&(agent, entity)| {
                let facts = api::facts(world, entity);
                let plays = facts.filter(|facts| facts.role.is_some() && facts.enabled);
                plays.is_some_and(|facts| careless || self.home(agent, facts.on) == Some(map))
            })
            .map(|(agent, entity)| (entity, agent))
            .collect();
        let name = |entity| (careless || here.contains_key(&entity)).then_some(entity);
        if let Err(error) = api::restore(world, entity, &save.bytes, name) {
            self.blame(Err(format!("a save was refused: {error}")));
            return;
        }
        self.counts.restores += 1;
        self.ledger.window().maps.insert(map);
        for &agent in save.agents.keys() {
            self.ledger.restore(agent);
        }
        // Agents that the save does not know join anew, so that cops may sight them once more.
        for agent in here.values() {
            self.is_sighted.remove(agent);
        }
        for agent in save.agents.keys() {
            let Some(&it) = self.agents.get(agent) else {
                continue;
            };
            // A disabled agent of a careless game comes back to this map, too, and plays when it is enabled.
            let facts = api::facts(world, it).filter(|facts| careless && facts.role.is_some());
            if here.contains_key(&it) || facts.is_some_and(|facts| !facts.enabled) {
                self.lodgings.insert(*agent, Lodging::On(entity));
            }
        }
        let stays = |agent: usize| {
            let entity = self.agents.get(&agent);
            entity.is_some_and(|entity| here.contains_key(entity))
        };
        let all = save.agents.into_iter();
        let back = all.filter_map(|(agent, facts)| Some((agent, facts?)));
        let back = back.filter(|&(agent, _)| stays(agent)).collect();
        self.referee.restored(map, save.turn, &save.grid, back);
        self.rebuild(world, map, save.grid, true);
    }
}
