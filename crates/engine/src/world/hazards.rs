//! Hazards: cells that are deadly for a while.

use crate::map::{Cell, Kinds};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A cell that is deadly from one tick to another: the blast of a bomb, a fire, a train.
///
/// The agents that the world moves know of it from the moment it is [added](super::PursuitWorld::add_hazard). They do not go where
/// they would be on the cell at such a tick, and leave it in time if they can. What happens to an agent that is there all
/// the same is for the game to say ([`WorldEvent::Struck`](super::WorldEvent::Struck)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazard {
    /// The cell.
    pub cell: Cell,
    /// The first tick at which it is deadly.
    pub from: u64,
    /// The first tick at which it is not deadly any more.
    pub until: u64,
    /// The kinds of agents that it is deadly to; [`Kinds::ALL`] for everybody.
    pub kinds: Kinds,
}

/// Why a hazard is not added to a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HazardError {
    /// The cell is off the map.
    #[error("a hazard on the cell ({}, {}): expected a cell of the map", .cell.x, .cell.y)]
    OffTheMap {
        /// The cell.
        cell: Cell,
    },
    /// It ends before it begins, or is over already.
    #[error(
        "a hazard from tick {from} until tick {until}, at tick {now}: expected one that is still to come"
    )]
    Over {
        /// Its first tick.
        from: u64,
        /// The first tick after it.
        until: u64,
        /// The current tick.
        now: u64,
    },
}

/// The hazards of a world, sorted by cell.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hazards {
    pub(super) list: Vec<Hazard>,
    /// The cells whose hazards have changed since the last tick began.
    pub(super) changed: Vec<Cell>,
    /// Whether an agent was on a deadly cell in the last tick.
    pub(super) has_struck: bool,
}

impl Hazards {
    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The hazards on a cell.
    pub(super) fn on(&self, cell: Cell) -> &[Hazard] {
        let first = self.list.partition_point(|hazard| hazard.cell < cell);
        let rest = &self.list[first..];
        &rest[..rest.partition_point(|hazard| hazard.cell == cell)]
    }

    pub(super) fn add(&mut self, hazard: Hazard) {
        if let Err(index) = self.list.binary_search(&hazard) {
            self.list.insert(index, hazard);
            self.changed.push(hazard.cell);
        }
    }

    pub(super) fn remove(&mut self, cell: Cell) -> bool {
        let before = self.list.len();
        self.list.retain(|hazard| hazard.cell != cell);
        let is_removed = self.list.len() < before;
        if is_removed {
            self.changed.push(cell);
        }
        is_removed
    }

    /// Returns whether a game can have saved it.
    pub(super) fn are_sound(&self) -> bool {
        self.list.is_sorted()
    }

    pub(super) fn expire(&mut self, tick: u64) {
        self.list.retain(|hazard| hazard.until > tick);
    }
}
