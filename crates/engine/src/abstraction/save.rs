//! The serde format of a hierarchy: groups and edges; parents and positions are recomputed.

use super::check::{Flaw, InvalidHierarchy};
use super::hierarchy::{Hierarchy, Lineage};
use super::level::{AbstractLevel, Below, NONE, VertexExtent};
use super::repair::Repairer;
use super::rows::Rows;
use crate::graph::{Fingerprint, Network as _, Vertex, VisitedSet, packed, unpacked};
use crate::map::{Cell, MAX_CELLS};
use serde::{Deserialize, Serialize, Serializer};

/// A hierarchy in its saved form: groups, edges and free numbers in order. Parents and the places above
/// level 1 are computed from these.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedHierarchy {
    fingerprint: Fingerprint,
    lineage: Lineage,
    /// The number of vertex numbers of the map.
    slots: u32,
    /// One bit per vertex number of the map: set if the vertex has a parent.
    live: Vec<u8>,
    /// For each vertex of level 1: the smallest column and row, the largest column and row, and the
    /// sums of its cells' columns and rows.
    places: Vec<[u32; 6]>,
    levels: Vec<SavedLevel>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedLevel {
    /// The number of children of each vertex number, 0 for free numbers.
    groups: Vec<u32>,
    /// The children of all groups.
    children: Vec<Vertex>,
    /// The number of neighbours of each vertex number.
    degrees: Vec<u32>,
    /// The neighbours of all vertices.
    neighbours: Vec<Vertex>,
    /// The free numbers, the next one to be used last.
    free: Vec<Vertex>,
}

impl Serialize for Hierarchy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedHierarchy::from(self).serialize(serializer)
    }
}

impl From<&Hierarchy> for SavedHierarchy {
    fn from(hierarchy: &Hierarchy) -> Self {
        let live: Vec<bool> = hierarchy.parent.iter().map(|&v| v != NONE).collect();
        let places = hierarchy.levels.first().map(|first| {
            let place = |vertex| first.places[Vertex::index(vertex)].to_numbers(first, vertex);
            first.iter().map(place).collect()
        });
        Self {
            fingerprint: hierarchy.fingerprint,
            lineage: hierarchy.lineage,
            slots: hierarchy.parent.len() as u32,
            live: packed(&live),
            places: places.unwrap_or_default(),
            levels: hierarchy.levels.iter().map(SavedLevel::from).collect(),
        }
    }
}

impl From<&AbstractLevel> for SavedLevel {
    fn from(level: &AbstractLevel) -> Self {
        let (groups, children) = flattened(&level.children);
        let (degrees, neighbours) = flattened(&level.neighbours);
        Self {
            groups,
            children,
            degrees,
            neighbours,
            free: level.free.clone(),
        }
    }
}

/// The lengths of all rows, and their concatenation.
fn flattened<const MIN: usize>(rows: &Rows<MIN>) -> (Vec<u32>, Vec<Vertex>) {
    let all = || (0..rows.rows()).map(|row| rows.row(Vertex::from_index(row)));
    let lengths = all().map(|row| row.len() as u32).collect();
    (lengths, all().flatten().copied().collect())
}

impl VertexExtent {
    /// The place of a vertex of level 1 in integers, without loss.
    fn to_numbers(self, level: &AbstractLevel, vertex: Vertex) -> [u32; 6] {
        let children = level.children.row(vertex).len() as f64;
        // Up to rounding errors, the mean times the number of children is the sum.
        let [x, y] = self.position.map(|mean| (mean * children).round() as u32);
        let [left, top, right, bottom] =
            [self.min.x, self.min.y, self.max.x, self.max.y].map(u32::from);
        [left, top, right, bottom, x, y]
    }

    /// The place of a vertex of level 1 with this number of children; `None` if the numbers are invalid.
    fn from_numbers(numbers: [u32; 6], children: usize) -> Option<Self> {
        let [left, top, right, bottom, x, y] = numbers;
        let children = children as u64;
        let is_between = |sum: u32, min: u32, max: u32| {
            let between = u64::from(min) * children..=u64::from(max) * children;
            between.contains(&u64::from(sum))
        };
        let cell = |x: u32, y: u32| Some(Cell::new(x.try_into().ok()?, y.try_into().ok()?));
        let place = Self {
            position: [x, y].map(|sum| f64::from(sum) / children as f64),
            min: cell(left, top)?,
            max: cell(right, bottom)?,
        };
        (is_between(x, left, right) && is_between(y, top, bottom)).then_some(place)
    }
}

impl TryFrom<SavedHierarchy> for Hierarchy {
    type Error = InvalidHierarchy;

    /// Memory is proportional to the input.
    fn try_from(saved: SavedHierarchy) -> Result<Self, InvalidHierarchy> {
        let lengths = || Flaw::Lengths.at(0, 0);
        let slots = saved.slots as usize;
        let live = unpacked(&saved.live, slots).map_err(|_| lengths())?;
        let mut live: Vec<bool> = live.collect();
        if slots > MAX_CELLS || saved.levels.is_empty() && live.contains(&true) {
            return Err(lengths());
        }
        let (mut parent, mut levels) = (vec![NONE; slots], Vec::<AbstractLevel>::new());
        for (index, saved_level) in saved.levels.iter().enumerate() {
            let flawed = |(vertex, flaw): (usize, Flaw)| flaw.at(index + 1, vertex);
            let mut level = saved_level.restored().map_err(flawed)?;
            let below = levels.last_mut();
            let parents = below.map_or(&mut parent, |below| &mut below.parent);
            adopt(&level, parents, &live).map_err(|vertex| Flaw::Parent.at(index, vertex))?;
            match levels.last() {
                None => place_first(&mut level, &saved.places).map_err(flawed)?,
                Some(below) => place(&mut level, below),
            }
            live.clear();
            live.extend(saved_level.groups.iter().map(|&children| children > 0));
            levels.push(level);
        }
        if levels.is_empty() && !saved.places.is_empty() {
            return Err(lengths());
        }
        let hierarchy = Self {
            parent,
            levels,
            fingerprint: saved.fingerprint,
            lineage: saved.lineage,
            repairer: Repairer::default(),
        };
        hierarchy.check_levels()?;
        Ok(hierarchy)
    }
}

impl SavedLevel {
    /// The level without places, with checked edges and free numbers.
    fn restored(&self) -> Result<AbstractLevel, (usize, Flaw)> {
        let slots = self.groups.len();
        // Twice the cells, because a number stays unused for one step of a repair before its reuse.
        let is_size = self.degrees.len() == slots && slots <= 2 * MAX_CELLS;
        if !is_size || self.neighbours.len() > 8 * MAX_CELLS {
            return Err((0, Flaw::Lengths));
        }
        let mut level = AbstractLevel::with_capacity(slots);
        level.children = rows(&self.groups, &self.children).ok_or((0, Flaw::Lengths))?;
        level.neighbours = rows(&self.degrees, &self.neighbours).ok_or((0, Flaw::Lengths))?;
        level.parent.resize(slots, NONE);
        level.places.resize(slots, VertexExtent::default());
        check_edges(&level)?;
        let mut is_free = VisitedSet::default();
        is_free.clear(slots);
        for &number in &self.free {
            let was_free = number.index() >= slots || level.is_live(number);
            if was_free || !is_free.insert(number) {
                return Err((number.index(), Flaw::Free));
            }
        }
        if self.free.len()
            != self
                .groups
                .iter()
                .filter(|&&children| children == 0)
                .count()
        {
            return Err((0, Flaw::Free));
        }
        level.free.clone_from(&self.free);
        Ok(level)
    }
}

/// Checks that only vertices have edges, without loops and duplicates.
fn check_edges(level: &AbstractLevel) -> Result<(), (usize, Flaw)> {
    let mut seen = VisitedSet::default();
    for vertex in (0..level.slots()).map(Vertex::from_index) {
        seen.clear(level.slots());
        seen.insert(vertex);
        let row = level.neighbours.row(vertex);
        let is_right = |&other: &Vertex| level.is_live(other) && seen.insert(other);
        if !row.is_empty() && !level.is_live(vertex) || !row.iter().all(is_right) {
            return Err((vertex.index(), Flaw::Edges));
        }
    }
    Ok(())
}

/// Splits the items into rows of these lengths; `None` if the lengths do not add up.
fn rows<const MIN: usize>(lengths: &[u32], items: &[Vertex]) -> Option<Rows<MIN>> {
    let mut rows = Rows::with_capacity(lengths.len());
    let mut rest = items;
    for (row, &length) in lengths.iter().enumerate() {
        let (items, others) = rest.split_at_checked(length as usize)?;
        rest = others;
        rows.add();
        rows.set(Vertex::from_index(row), items);
    }
    rest.is_empty().then_some(rows)
}

/// Sets the parents of the vertices below. Every live vertex must get exactly one parent, any other none.
fn adopt(level: &AbstractLevel, parents: &mut [Vertex], live: &[bool]) -> Result<(), usize> {
    for parent in level.iter() {
        for child in level.children.row(parent).iter().map(|child| child.index()) {
            if live.get(child) != Some(&true) || parents[child] != NONE {
                return Err(child);
            }
            parents[child] = parent;
        }
    }
    let orphan = |(vertex, &is_live): (usize, &bool)| is_live && parents[vertex] == NONE;
    let orphan = live.iter().enumerate().position(orphan);
    orphan.map_or(Ok(()), Err)
}

fn place_first(level: &mut AbstractLevel, places: &[[u32; 6]]) -> Result<(), (usize, Flaw)> {
    if places.len() != level.vertices() {
        return Err((0, Flaw::Lengths));
    }
    let mut places = places.iter();
    for vertex in (0..level.slots()).map(Vertex::from_index) {
        let children = level.children.row(vertex).len();
        if children > 0 {
            let place = places
                .next()
                .and_then(|&numbers| VertexExtent::from_numbers(numbers, children));
            level.places[vertex.index()] = place.ok_or((vertex.index(), Flaw::Place))?;
        }
    }
    Ok(())
}

fn place(level: &mut AbstractLevel, below: &AbstractLevel) {
    for vertex in (0..level.slots()).map(Vertex::from_index) {
        let children = level.children.row(vertex);
        if !children.is_empty() {
            level.places[vertex.index()] = below.place_of_all(children);
        }
    }
}
