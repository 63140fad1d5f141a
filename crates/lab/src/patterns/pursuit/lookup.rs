//! Looks up positions in a pattern database, by binary search or pattern by pattern.

use super::guards::{can_guard, exits};
use super::{FLOOR, WALL, guarded_side};
use crate::patterns::database::{Database, Group};
use crate::patterns::pattern::{Code, Kind, NO_PIECE};
use crate::patterns::shape::{Site, Symmetry};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::Cell;

/// How patterns are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Binary search among the sorted integers.
    Binary,
    /// Test one pattern after another.
    Scan,
}

/// An index of a pattern database of windows by the placement of the cops.
#[derive(Debug, Clone)]
pub struct Lookup<'a> {
    database: &'a Database,
    guarded: u8,
    symmetries: Vec<Symmetry>,
    /// Sorted by key: the conclusion of the patterns and the places of their cops relative to the robber.
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: (Kind, [Site; 2]),
    group: usize,
    symmetry: usize,
}

/// The place of a second cop that is missing.
const NO_COP: Site = (i8::MAX, i8::MAX);

impl<'a> Lookup<'a> {
    /// Indexes a database. `guarded` is the last turn from which a side can be guarded; 0 if all sides are open.
    #[must_use]
    pub fn new(database: &'a Database, guarded: u8) -> Self {
        let symmetries = Symmetry::of_squares();
        let mut entries = Vec::new();
        for (group, here) in database.groups().iter().enumerate() {
            let Some(cops) = offsets(database, here) else {
                continue;
            };
            for (symmetry, by) in symmetries.iter().enumerate() {
                let image = cops.map(|cop| if cop == NO_COP { cop } else { by.apply(cop) });
                let key = (here.kind, sorted(image));
                entries.push(Entry {
                    key,
                    group,
                    symmetry,
                });
            }
        }
        entries.sort_unstable();
        Self {
            database,
            guarded,
            symmetries,
            entries,
        }
    }

    /// The fewest turns within which the cops capture the robber according to a pattern; `None` if no pattern
    /// applies. The robber is to move for [`Kind::Won`], the cops for [`Kind::InOne`]. Patterns for one cop are
    /// applied to each cop, patterns for two cops to each pair. The remaining cops may guard sides. All agents
    /// stand on floor.
    #[must_use]
    pub fn turns(
        &self,
        graph: &Graph,
        kind: Kind,
        robber: Cell,
        cops: &[Cell],
        search: Search,
    ) -> Option<u8> {
        let mut best: Option<u8> = None;
        let seen = |cop: Cell| {
            let d = |a: u16, b: u16| i8::try_from(i32::from(a) - i32::from(b)).ok();
            Some((d(cop.x, robber.x)?, d(cop.y, robber.y)?))
        };
        let mut look = |places: [Site; 2], used: [usize; 2]| {
            let others = cops.iter().enumerate();
            let others = others
                .filter(|(index, _)| !used.contains(index))
                .map(|(_, &cop)| cop);
            let found = self.best_of(graph, kind, robber, sorted(places), search, others);
            best = [best, found].into_iter().flatten().min();
        };
        for (first, &cop) in cops.iter().enumerate() {
            let Some(here) = seen(cop) else { continue };
            look([here, NO_COP], [first, first]);
            for (second, &other) in cops.iter().enumerate().skip(first + 1) {
                if let Some(there) = seen(other) {
                    look([here, there], [first, second]);
                }
            }
        }
        best
    }

    fn best_of(
        &self,
        graph: &Graph,
        kind: Kind,
        robber: Cell,
        cops: [Site; 2],
        search: Search,
        others: impl Iterator<Item = Cell> + Clone,
    ) -> Option<u8> {
        let mut best = None;
        // A capture that is proven with the robber to move is also proven with the cops to move: they can wait.
        let kinds = [Kind::Won, kind];
        for kind in kinds.into_iter().take(1 + usize::from(kind != Kind::Won)) {
            let key = (kind, cops);
            let first = self.entries.partition_point(|entry| entry.key < key);
            for entry in self.entries[first..]
                .iter()
                .take_while(|entry| entry.key == key)
            {
                let group = &self.database.groups()[entry.group];
                let by = self.symmetries[entry.symmetry];
                if !self.condition_holds(graph, group, by, robber, others.clone(), kind) {
                    continue;
                }
                let window = self.window(graph, group, by, robber);
                let found = match search {
                    Search::Binary => self.database.find(group, window),
                    Search::Scan => self.database.scan(group, window),
                };
                best = [best, found].into_iter().flatten().min();
            }
        }
        best
    }

    /// The cells of the map around the robber that a group's shape covers.
    fn window(&self, graph: &Graph, group: &Group, by: Symmetry, robber: Cell) -> Code {
        let Some(origin) = self.origin(group) else {
            return Code::default();
        };
        let sites = self.database.shapes()[usize::from(group.shape)].sites();
        let cells = sites.iter().enumerate();
        cells.fold(Code::default(), |code, (cell, site)| {
            let at = placed(*site, origin, by, robber);
            let is_floor = at.is_some_and(|at| graph.is_passable(at));
            code.with(cell, if is_floor { FLOOR } else { WALL })
        })
    }

    /// The cell of the shape on which the robber of a group stands.
    fn origin(&self, group: &Group) -> Option<Site> {
        let shape = self.database.shapes().get(usize::from(group.shape))?;
        shape.sites().get(usize::from(group.pieces[0])).copied()
    }

    /// Returns whether another cop guards the side that the condition of a group names.
    fn condition_holds(
        &self,
        graph: &Graph,
        group: &Group,
        by: Symmetry,
        robber: Cell,
        mut others: impl Iterator<Item = Cell>,
        kind: Kind,
    ) -> bool {
        let Some((side, turn)) = guarded_side(self.guarded, group.condition) else {
            return group.condition == 0;
        };
        let Some(origin) = self.origin(group) else {
            return false;
        };
        let shape = &self.database.shapes()[usize::from(group.shape)];
        let exits = exits(shape, side).filter_map(|site| placed(site, origin, by, robber));
        let steps = guard_steps(kind, turn);
        others.any(|cop| can_guard(graph, cop, steps, exits.clone()))
    }

    /// The bytes of the entries, without the database.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.entries.len() * size_of::<Entry>()) as u64
    }
}

/// The number of steps that a guard can take before the `turn`th move of the robber.
pub(super) fn guard_steps(kind: Kind, turn: u8) -> u8 {
    turn - u8::from(kind == Kind::Won)
}

/// The cell of the map on which a cell of a shape lies, if the robber stands on the cell `origin` of the shape.
fn placed(site: Site, origin: Site, by: Symmetry, robber: Cell) -> Option<Cell> {
    let (dx, dy) = by.apply((site.0 - origin.0, site.1 - origin.1));
    robber.offset(i32::from(dx), i32::from(dy))
}

fn sorted(mut cops: [Site; 2]) -> [Site; 2] {
    cops.sort_unstable();
    cops
}

/// The places of the cops of a group relative to the robber; `None` if the pieces are not valid in this game.
pub(super) fn offsets(database: &Database, group: &Group) -> Option<[Site; 2]> {
    let sites = database.shapes().get(usize::from(group.shape))?.sites();
    let site = |piece: u8| sites.get(usize::from(piece)).copied();
    let (x, y) = site(group.pieces[0])?;
    let seen = |(cop_x, cop_y): Site| (cop_x - x, cop_y - y);
    let first = seen(site(group.pieces[1])?);
    let second = match group.pieces[2] {
        NO_PIECE => NO_COP,
        cop => seen(site(cop)?),
    };
    Some([first, second])
}

/// Returns whether there is only one cop.
pub(super) fn is_alone(cops: [Site; 2]) -> bool {
    cops.contains(&NO_COP)
}
