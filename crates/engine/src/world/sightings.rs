//! Sightings: what one side knows about its opponents' cells, and where to look for them.

use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::Dice;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// What a side knows about one opponent's cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// The cell of the last sighting.
    pub cell: Cell,
    /// The tick of the last sighting.
    pub tick: u64,
    /// Whether the opponent was in sight at the last update. If so, `cell` is where it is.
    pub sees_now: bool,
    /// Whether a cop has been beside `cell` since and has not found the robber there, or `cell` has become a wall. From
    /// then on the cops search the surroundings, in a circle that grows with time. Always `false` for a robber.
    pub checked: bool,
}

/// What a side knows about its opponents' cells.
///
/// The caller identifies each opponent by a key, which may be any number. Each opponent costs 40 bytes;
/// the memory is kept when opponents are forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Sightings {
    /// Sorted by key, without duplicates.
    entries: Vec<(u64, Sighting)>,
}

impl Sightings {
    /// Records that an opponent was seen on a cell in a tick. Cost: a binary search, and for a new
    /// opponent linear in the number of known ones.
    pub(super) fn note(&mut self, key: u64, cell: Cell, tick: u64) {
        let sighting = Sighting {
            cell,
            tick,
            sees_now: true,
            checked: false,
        };
        match self.place(key) {
            Ok(place) => self.entries[place].1 = sighting,
            Err(place) => self.entries.insert(place, (key, sighting)),
        }
    }

    /// Records that an opponent is not in sight. Returns whether it was in sight until now, which is
    /// the moment when the side loses it. Cost: a binary search.
    pub(super) fn lose(&mut self, key: u64) -> bool {
        let Ok(place) = self.place(key) else {
            return false;
        };
        std::mem::take(&mut self.entries[place].1.sees_now)
    }

    /// Records the opponents in sight in a tick, in the order of their keys, with their cells. All others are not in sight.
    /// Cost: linear in the number of known opponents for each new one.
    pub(super) fn update(&mut self, seen: &[(u64, Cell)], tick: u64) {
        for (key, sighting) in &mut self.entries {
            sighting.sees_now &= seen.binary_search_by_key(key, |&(key, _)| key).is_ok();
        }
        for &(key, cell) in seen {
            self.note(key, cell, tick);
        }
    }

    /// Records that the opponent is not where it was last seen.
    pub(super) fn check_off(&mut self, key: u64) {
        if let Ok(place) = self.place(key) {
            self.entries[place].1.checked = true;
        }
    }

    /// What is known about an opponent; `None` if nothing is. Cost: a binary search.
    pub(super) fn get(&self, key: u64) -> Option<Sighting> {
        self.place(key).ok().map(|place| self.entries[place].1)
    }

    /// Returns whether nothing is known about any opponent.
    pub(super) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is known about each opponent, in the order of the keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, Sighting)> + '_ {
        self.entries.iter().copied()
    }

    /// Forgets an opponent, because it has left or was not where it was last seen. Returns what was
    /// known. Cost: linear in the number of known opponents.
    pub(super) fn forget(&mut self, key: u64) -> Option<Sighting> {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }

    /// Goes on with what is known about an opponent out of sight under another key.
    pub(super) fn rename(&mut self, key: u64, new_key: u64) {
        if let Some(last) = self.forget(key) {
            self.note(new_key, last.cell, last.tick);
            self.lose(new_key);
            if last.checked {
                self.check_off(new_key);
            }
        }
    }

    /// Forgets the opponents for whose key `keep` returns `false`. Cost: linear.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(u64) -> bool) {
        self.entries.retain(|&(key, _)| keep(key));
    }

    /// Forgets the opponents that are out of sight. Those in sight stay so until the next update. Cost: linear.
    pub(super) fn forget_hidden(&mut self) {
        self.entries.retain(|(_, sighting)| sighting.sees_now);
    }

    /// Gives the cell of an opponent in sight its number on another map. Cost: a binary search.
    pub(super) fn renumber(&mut self, key: u64, cell: Cell) {
        if let Ok(place) = self.place(key)
            && self.entries[place].1.sees_now
        {
            self.entries[place].1.cell = cell;
        }
    }

    /// Forgets the opponents that are out of sight and were last seen before a tick. Cost: linear.
    pub(super) fn expire(&mut self, before_tick: u64) {
        let keeps = |sighting: &Sighting| sighting.sees_now || sighting.tick >= before_tick;
        self.entries.retain(|(_, sighting)| keeps(sighting));
    }

    fn place(&self, key: u64) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&key, |&(key, _)| key)
    }
}

/// Rejects keys that are unsorted or duplicate, since the binary search would not find their entries.
impl<'de> Deserialize<'de> for Sightings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries: Vec<(u64, Sighting)> = Deserialize::deserialize(deserializer)?;
        match entries.array_windows().find(|[(a, _), (b, _)]| a >= b) {
            Some([(a, _), (b, _)]) => Err(D::Error::custom(format_args!(
                "sightings must be in order of their keys, each once: {a} comes before {b}"
            ))),
            None => Ok(Self { entries }),
        }
    }
}

/// The initial search radius, in columns and rows.
const FIRST_RADIUS: u32 = 4;

/// The largest number of cells drawn: with one free cell in eight, one goal in 5,000 is missed.
const TRIES: usize = 64;

/// The radius in columns and rows within which [`search_goal`] looks, `since_turns` turns after the
/// last sighting: 4, plus 1 per turn, as far as an opponent of speed 1 can have gone.
pub(super) const fn search_radius(since_turns: u32) -> u32 {
    FIRST_RADIUS.saturating_add(since_turns)
}

/// A cell in which to look for an opponent that is not where it was last seen: a random vertex within
/// [`search_radius`] of that cell, all equally likely, except the cell itself.
///
/// The same seed gives the same goal. Searchers with seeds of their own, and a new seed for each goal
/// (`search::seed_of([seed, id, tick])`), look in different places. A searcher keeps its goal until the
/// goal is reached or blocked. If no path leads to the goal, draw another one with another seed.
///
/// `None` if 64 draws find no vertex: the area is all or nearly all walls. Cost: constant.
pub(super) fn search_goal(
    graph: &Graph,
    around: Cell,
    since_turns: u32,
    seed: u64,
) -> Option<Vertex> {
    let radius = u16::try_from(search_radius(since_turns)).unwrap_or(u16::MAX);
    let (first_x, columns) = window(around.x, radius, graph.width())?;
    let (first_y, rows) = window(around.y, radius, graph.height())?;
    let mut dice = Dice::new(seed);
    (0..TRIES).find_map(|_| {
        let x = first_x + dice.below(columns) as u16;
        let y = first_y + dice.below(rows) as u16;
        let cell = Cell::new(x, y);
        graph.vertex(cell).filter(|_| cell != around)
    })
}

/// The first of `places` places in a row that is within `radius` of `center`, and the number of such
/// places; `None` if there is none.
fn window(center: u16, radius: u16, places: u16) -> Option<(u16, usize)> {
    let first = center.saturating_sub(radius);
    let end = center.saturating_add(radius).saturating_add(1).min(places);
    (first < end).then(|| (first, usize::from(end - first)))
}

#[cfg(test)]
mod tests;
