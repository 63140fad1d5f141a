//! What the members of one side know of their enemies' places, and where they look for them.

use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::Dice;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// What a side knows of an enemy's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// Where it was seen last.
    pub cell: Cell,
    /// The tick in which it was seen there.
    pub tick: u64,
    /// Was it in sight when the side looked last? Then this is where it is.
    pub sees_now: bool,
}

/// What a side knows of its enemies' places.
///
/// An enemy is known by a key that the caller gives it, any number. Each costs 40 bytes; memory is
/// kept when enemies are forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sightings {
    /// In order of the keys, each once.
    entries: Vec<(u64, Sighting)>,
}

impl Sightings {
    /// Sees an enemy on a cell, in a tick. Cost: a binary search, for a new enemy linear in the
    /// number of known ones.
    pub fn note(&mut self, key: u64, cell: Cell, tick: u64) {
        let sighting = Sighting {
            cell,
            tick,
            sees_now: true,
        };
        match self.place(key) {
            Ok(place) => self.entries[place].1 = sighting,
            Err(place) => self.entries.insert(place, (key, sighting)),
        }
    }

    /// Looks and does not see the enemy. Returns whether it was in sight until now: this is the
    /// moment in which the side loses it. Cost: a binary search.
    pub fn lose(&mut self, key: u64) -> bool {
        let Ok(place) = self.place(key) else {
            return false;
        };
        std::mem::take(&mut self.entries[place].1.sees_now)
    }

    /// What is known of an enemy, `None` if nothing is. Cost: a binary search.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Sighting> {
        self.place(key).ok().map(|place| self.entries[place].1)
    }

    /// Knows no more of an enemy, because it is gone or it was not where it was seen last. Returns
    /// what was known. Cost: linear in the number of known enemies.
    pub fn forget(&mut self, key: u64) -> Option<Sighting> {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }

    /// Forgets the enemies for whose key `keep` says no. Cost: linear.
    pub fn retain(&mut self, mut keep: impl FnMut(u64) -> bool) {
        self.entries.retain(|&(key, _)| keep(key));
    }

    /// Forgets the enemies that are out of sight and were seen last before a tick. Cost: linear.
    pub fn expire(&mut self, before_tick: u64) {
        let keeps = |sighting: &Sighting| sighting.sees_now || sighting.tick >= before_tick;
        self.entries.retain(|(_, sighting)| keeps(sighting));
    }

    /// All that is known, in order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Sighting)> + '_ {
        self.entries.iter().copied()
    }

    fn place(&self, key: u64) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&key, |&(key, _)| key)
    }
}

/// Refuses keys that are out of order or come twice: such entries could never be found.
impl<'de> Deserialize<'de> for Sightings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries: Vec<(u64, Sighting)> = Deserialize::deserialize(deserializer)?;
        match entries.array_windows().find(|[(a, _), (b, _)]| a >= b) {
            Some([(a, _), (b, _)]) => Err(D::Error::custom(format_args!(
                "sightings are in order of their keys, each once: {a} comes before {b}"
            ))),
            None => Ok(Self { entries }),
        }
    }
}

/// How far from the place searchers look at once, in columns and rows.
const FIRST_RADIUS: u32 = 4;

/// How often a cell is drawn at most: with one cell in eight free, one goal in 5,000 is missed.
const TRIES: usize = 64;

/// How many columns and rows from where an enemy was seen last [`search_goal`] looks, `since_turns`
/// turns later: 4, and 1 more a turn, as far as an enemy of speed 1 has come.
#[must_use]
pub const fn search_radius(since_turns: u32) -> u32 {
    FIRST_RADIUS.saturating_add(since_turns)
}

/// Where to look for an enemy that is not where it was seen last: a vertex drawn from those within
/// [`search_radius`] of that cell, all equally likely, but not the cell itself, where it is not.
///
/// The same seed gives the same goal. Searchers that take seeds of their own, and new ones for each
/// goal (`search::seed_of([seed, id, tick])`), look in different places. Whoever goes there keeps the
/// goal until it is reached or blocked. There may be no way to it: then a goal of another seed is in
/// order.
///
/// `None` if 64 draws find no vertex: the place is all walls, or nearly. Cost: constant.
#[must_use]
pub fn search_goal(graph: &Graph, around: Cell, since_turns: u32, seed: u64) -> Option<Vertex> {
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

/// The first place within `radius` of `center` of a row of so many, and the number of such places;
/// `None` if there is none.
fn window(center: u16, radius: u16, places: u16) -> Option<(u16, usize)> {
    let first = center.saturating_sub(radius);
    let end = center.saturating_add(radius).saturating_add(1).min(places);
    (first < end).then(|| (first, usize::from(end - first)))
}
