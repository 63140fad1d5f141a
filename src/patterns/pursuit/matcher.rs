//! Recognises patterns by decision programs, which are faster than binary search.

use super::FLOOR;
use super::decisions::{Clause, Decisions, compile};
use super::lookup::{is_alone, offsets};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::patterns::database::{Database, Group};
use crate::patterns::pattern::Kind;
use crate::patterns::shape::{Site, Symmetry};
use std::collections::{BTreeMap, BTreeSet};

/// The patterns of a database compiled into decision programs. For each arrangement of robber and cops, a
/// program tests cells around the robber, the most informative first, until the number of turns is known.
///
/// Patterns with external conditions are left out. Matching does not allocate. It tests at most as many cells
/// as the longest path of decisions has, and never more than all windows around the robber cover.
#[derive(Debug, Clone)]
pub struct Matcher {
    program: Decisions,
    symmetries: Vec<Symmetry>,
    /// The greatest distance of a cop from the robber in a pattern, in columns and rows.
    radius: i8,
    /// For each kind and place of one cop, the programs and the symmetry that maps them to the map.
    one: Vec<Start>,
    /// For each kind and places of two cops, the same.
    two: Vec<Start>,
    /// Lists of references into the program.
    roots: Vec<u32>,
}

/// The programs of an arrangement: a range of `roots`, and a symmetry.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    first: u32,
    count: u16,
    symmetry: u8,
}

/// The arrangement of the cops relative to the robber.
type Cops = [Site; 2];

impl Matcher {
    /// Compiles a database of windows.
    #[must_use]
    pub fn new(database: &Database) -> Self {
        let symmetries = Symmetry::of_squares();
        let mut clauses: BTreeMap<(Kind, Cops), Vec<Clause>> = BTreeMap::new();
        let mut radius = 0;
        for group in database
            .groups()
            .iter()
            .filter(|group| group.condition == 0)
        {
            let Some(cops) = offsets(database, group) else {
                continue;
            };
            let far = cops.iter().filter(|&&cop| !is_alone([cop, cop]));
            let far = far.map(|(x, y)| x.abs().max(y.abs())).max();
            radius = radius.max(far.unwrap_or(0));
            for by in symmetries
                .iter()
                .filter(|by| image(cops, **by) == canonical(cops, &symmetries))
            {
                let key = (group.kind, image(cops, *by));
                let more = clauses_of(database, group, *by);
                clauses.entry(key).or_default().extend(more);
            }
        }
        let mut matcher = Self {
            program: Decisions::default(),
            radius,
            one: Vec::new(),
            two: Vec::new(),
            roots: Vec::new(),
            symmetries,
        };
        matcher.one = vec![Start::default(); 2 * matcher.places()];
        let has_pairs = clauses.keys().any(|(_, cops)| !is_alone(*cops));
        if has_pairs {
            matcher.two = vec![Start::default(); 2 * matcher.places() * matcher.places()];
        }
        let arrangements: BTreeSet<Cops> = clauses.keys().map(|(_, cops)| *cops).collect();
        for cops in arrangements {
            for kind in [Kind::Won, Kind::InOne] {
                // A capture that is proven with the robber to move is also proven with the cops to move.
                let kinds = [Kind::Won, kind];
                let kinds = if kind == Kind::Won {
                    &kinds[..1]
                } else {
                    &kinds[..]
                };
                let all = kinds.iter().filter_map(|&kind| clauses.get(&(kind, cops)));
                let mut all: Vec<Clause> = all.flatten().cloned().collect();
                all.sort_unstable();
                all.dedup();
                matcher.add(kind, cops, &all);
            }
        }
        matcher
    }

    fn add(&mut self, kind: Kind, cops: Cops, clauses: &[Clause]) {
        let roots = compile(&mut self.program, clauses);
        let start = Start {
            first: self.roots.len() as u32,
            count: roots.len() as u16,
            symmetry: 0,
        };
        self.roots.extend(roots);
        for symmetry in 0..self.symmetries.len() {
            let image = image(cops, self.symmetries[symmetry]);
            let start = Start {
                symmetry: symmetry as u8,
                ..start
            };
            for cops in [image, [image[1], image[0]]] {
                if let Some(place) = self.place(kind, cops) {
                    let list = if is_alone(cops) {
                        &mut self.one
                    } else {
                        &mut self.two
                    };
                    list[place] = start;
                }
            }
        }
    }

    /// The number of places where a cop can stand: columns times rows.
    const fn places(&self) -> usize {
        let side = 2 * self.radius as usize + 1;
        side * side
    }

    fn place_of(&self, (x, y): Site) -> Option<usize> {
        let side = 2 * i32::from(self.radius) + 1;
        let [x, y] = [x, y].map(|at| i32::from(at) + i32::from(self.radius));
        let is_near = (0..side).contains(&x) && (0..side).contains(&y);
        is_near.then_some((y * side + x) as usize)
    }

    /// The index of an arrangement in the list for its number of cops. If the second cop is missing, it has to
    /// come last.
    fn place(&self, kind: Kind, [first, second]: Cops) -> Option<usize> {
        let kind = usize::from(kind != Kind::Won);
        let first = self.place_of(first)?;
        if is_alone([second, second]) {
            return Some(kind * self.places() + first);
        }
        Some((kind * self.places() + first) * self.places() + self.place_of(second)?)
    }

    /// The fewest turns within which the cops capture the robber according to a pattern; `None` if no pattern
    /// applies. The robber is to move for [`Kind::Won`], the cops for [`Kind::InOne`]. Patterns for one cop are
    /// applied to each cop, patterns for two cops to each pair. All agents have speed 1 and stand on floor. No
    /// cop stands on the robber.
    #[must_use]
    pub fn turns(&self, graph: &Graph, kind: Kind, robber: Cell, cops: &[Cell]) -> Option<u8> {
        let mut best = None;
        for (first, &cop) in cops.iter().enumerate() {
            let Some(here) = self.seen(robber, cop) else {
                continue;
            };
            best = self.better(best, graph, robber, self.one.get(self.index(kind, here)));
            if self.two.is_empty() {
                continue;
            }
            for &other in &cops[first + 1..] {
                if let Some(there) = self.seen(robber, other) {
                    let pair = self.index(kind, here) * self.places() + there;
                    best = self.better(best, graph, robber, self.two.get(pair));
                }
            }
        }
        best
    }

    /// The moves of the robber that prevent a capture within `turns` turns, as far as patterns recognise it. A
    /// vertex is returned if the robber can be there after its move and no pattern then recognises a capture
    /// within `turns` turns. If [`turns`](Self::turns) finds a capture with the robber to move, this list is
    /// empty.
    ///
    /// # Panics
    /// If the robber stands on a vertex of another, larger graph.
    pub fn preventing(
        &self,
        graph: &Graph,
        turns: u8,
        robber: Vertex,
        cops: &[Cell],
    ) -> impl Iterator<Item = Vertex> {
        let ends = graph.neighbours(robber).iter().chain([&robber]);
        let ends: Vec<Vertex> = ends.copied().collect();
        ends.into_iter().filter(move |&end| {
            let cell = graph.cell(end);
            let found = self.turns(graph, Kind::InOne, cell, cops);
            !cops.contains(&cell) && found.is_none_or(|found| found > turns)
        })
    }

    const fn index(&self, kind: Kind, place: usize) -> usize {
        match kind {
            Kind::Won => place,
            _ => self.places() + place,
        }
    }

    /// The place of a cop relative to the robber; `None` if it is too far away.
    fn seen(&self, robber: Cell, cop: Cell) -> Option<usize> {
        let [x, y] =
            [(cop.x, robber.x), (cop.y, robber.y)].map(|(a, b)| i32::from(a) - i32::from(b));
        let far = i32::from(self.radius);
        let is_near = x.abs() <= far && y.abs() <= far;
        is_near.then(|| ((y + far) * (2 * far + 1) + x + far) as usize)
    }

    fn better(
        &self,
        best: Option<u8>,
        graph: &Graph,
        robber: Cell,
        start: Option<&Start>,
    ) -> Option<u8> {
        let Some(start) = start.filter(|start| start.count > 0) else {
            return best;
        };
        let by = &self.symmetries[usize::from(start.symmetry)];
        let is_floor = |site: Site| {
            let (dx, dy) = by.apply(site);
            let cell = robber.offset(i32::from(dx), i32::from(dy));
            cell.is_some_and(|cell| graph.is_passable(cell))
        };
        let first = start.first as usize;
        let roots = self.roots[first..first + usize::from(start.count)].iter();
        let found = roots.filter_map(|&root| self.program.run(root, is_floor));
        found.chain(best).min()
    }

    /// The number of decisions of all programs.
    #[must_use]
    pub const fn decisions(&self) -> usize {
        self.program.nodes()
    }

    /// The bytes of the programs and of the lists that refer to them.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let starts = size_of::<Start>() * (self.one.len() + self.two.len());
        (starts + self.program.bytes() + 4 * self.roots.len()) as u64
    }
}

fn image(cops: Cops, by: Symmetry) -> Cops {
    let mut image = cops.map(|cop| {
        if is_alone([cop, cop]) {
            cop
        } else {
            by.apply(cop)
        }
    });
    image.sort_unstable();
    image
}

/// The least image of an arrangement under the symmetries.
fn canonical(cops: Cops, symmetries: &[Symmetry]) -> Cops {
    let images = symmetries.iter().map(|&by| image(cops, by));
    images.min().unwrap_or(cops)
}

/// The requirements of the patterns of a group, relative to the robber and after a symmetry.
fn clauses_of<'a>(
    database: &'a Database,
    group: &'a Group,
    by: Symmetry,
) -> impl Iterator<Item = Clause> + 'a {
    let sites = database.shapes()[usize::from(group.shape)].sites();
    let (x, y) = sites[usize::from(group.pieces[0])];
    let patterns = database.patterns_of(group).iter();
    patterns.map(move |pattern| {
        let asked = sites.iter().enumerate().filter_map(|(cell, site)| {
            let symbol = pattern.code.symbol(cell)?;
            Some((by.apply((site.0 - x, site.1 - y)), symbol == FLOOR))
        });
        (asked.collect(), pattern.turns)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Moves;
    use crate::patterns::generator::Generator;
    use crate::patterns::pursuit::PursuitWindows;

    #[test]
    fn each_arrangement_is_compiled_once() {
        let game = PursuitWindows::new(Moves::Octile, 2, (3, 3), 0).expect("valid");
        let matcher = Matcher::new(&Generator::new(game, 2).run());
        let starts = matcher.one.iter().chain(&matcher.two);
        let used: BTreeSet<u32> = starts
            .flat_map(|start| start.first..start.first + u32::from(start.count))
            .collect();
        assert_eq!(used.len(), matcher.roots.len());
    }
}
