//! What has to hold after every tick, and in the end.

use crate::headless::{agent_of, tile, world_of};
use crate::referee::Referee;
use crate::riot::Riot;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::world::AgentId;
use std::collections::BTreeSet;

/// Of both maps.
#[derive(Default)]
pub struct Checks {
    referees: [Referee; 2],
}

impl Checks {
    pub fn look(&mut self, riot: &mut Riot) -> Result<(), String> {
        for at in 0..2 {
            if riot.went_back.contains(&at) {
                self.referees[at] = Referee::default();
            }
            let world = world_of(&riot.app, riot.maps[at]);
            let meddled: Vec<AgentId> = riot
                .meddled
                .iter()
                .filter_map(|&agent| agent_of(world, agent))
                .collect();
            self.referees[at].watch(world, &meddled)?;
            roll_call(riot, at)?;
        }
        Ok(())
    }
}

/// Every agent of a world is an entity on its map, once, and the other way round.
fn roll_call(riot: &Riot, at: usize) -> Result<(), String> {
    let home = riot.maps[at];
    let world = world_of(&riot.app, home);
    let is_here = |entity: Entity| {
        let on = riot.app.world().get::<OnMap>(entity);
        on.is_some_and(|on| on.0 == home)
    };
    let entities: BTreeSet<Entity> = riot
        .agents
        .iter()
        .copied()
        .filter(|&e| is_here(e))
        .collect();
    let mut seen = BTreeSet::new();
    for (id, agent) in world.agents() {
        let entity = Entity::try_from_bits(agent.setup().user);
        let entity = entity.filter(|entity| entities.contains(entity));
        let entity = entity.ok_or_else(|| format!("tick {}: nobody is {id:?}", world.tick()))?;
        if !seen.insert(entity) {
            return Err(format!("tick {}: {entity} is there twice", world.tick()));
        }
        let cell = agent.setup().cell;
        let shown = riot.app.world().get::<GridPosition>(entity).map(|at| at.0);
        let is_on_map = world.graph().is_on_map(cell);
        if is_on_map && shown != Some(tile(world.graph().height(), cell)) {
            return Err(format!(
                "tick {}: {entity} is shown at {shown:?}, not {cell:?}",
                world.tick()
            ));
        }
        let caught = riot.app.world().get::<Caught>(entity).is_some();
        if caught != agent.caught().is_some() {
            return Err(format!(
                "tick {}: is {entity} captured? {caught}",
                world.tick()
            ));
        }
    }
    if seen.len() < entities.len() {
        let missing = entities.difference(&seen).next();
        return Err(format!("tick {}: {missing:?} has no agent", world.tick()));
    }
    Ok(())
}

/// How much memory the process has, from time to time.
pub struct Memory {
    ticks: u64,
    /// Ticks and megabytes.
    samples: Vec<(u64, f64)>,
}

impl Memory {
    pub fn new(ticks: u64) -> Self {
        Self {
            ticks,
            samples: Vec::new(),
        }
    }

    /// Megabytes in use by the process; 0 where the system does not say.
    pub fn now() -> f64 {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = text
            .split_whitespace()
            .nth(1)
            .and_then(|pages| pages.parse().ok());
        pages.map_or(0.0, |pages: f64| pages * 4096.0 / 1e6)
    }

    pub fn note(&mut self, tick: u64) {
        if tick.is_multiple_of((self.ticks / 200).max(1)) {
            self.samples.push((tick, Self::now()));
        }
    }

    /// Megabytes in 10,000 ticks, from the second fifth of the run to the last: by then all memory
    /// that is kept for use again has been taken.
    pub fn growth(&self) -> f64 {
        let most = |from: u64, to: u64| {
            let within = |tick: u64| tick * 5 > from * self.ticks && tick * 5 <= to * self.ticks;
            let part = self.samples.iter().filter(|(tick, _)| within(*tick));
            part.map(|(_, megabytes)| *megabytes).fold(0.0, f64::max)
        };
        let ticks = (self.ticks * 3 / 5).max(1) as f64;
        (most(4, 5) - most(1, 2)) * 10_000.0 / ticks
    }
}
