//! Recognises patterns by decision programs, which are faster than binary search.

use super::decisions::{Clause, Decisions, Test, compile};
use super::guards::{can_guard, exits};
use super::lookup::{guard_steps, is_alone, offsets};
use super::{FLOOR, guarded_side};
use crate::patterns::database::{Database, Group};
use crate::patterns::pattern::Kind;
use crate::patterns::shape::{Site, Symmetry};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The patterns of a database compiled into decision programs. For each arrangement of robber and cops, a
/// program tests cells around the robber, the most informative first, until the number of turns is known. Where the
/// cells leave it open whether a pattern with a guarded side fits, the program asks whether another cop guards that side.
///
/// Matching does not allocate. It tests at most as many cells and sides as the longest path of decisions has, and never
/// more cells than all windows around the robber cover.
#[derive(Debug, Clone)]
pub struct Matcher {
    program: Decisions,
    symmetries: Vec<Symmetry>,
    /// The guarded sides that the program asks for, by number.
    sides: Vec<GuardedSide>,
    /// The greatest distance of a cop from the robber in a pattern, in columns and rows.
    radius: i8,
    /// For each kind and place of one cop, the programs and the symmetry that maps them to the map.
    one: Vec<MatchStart>,
    /// For each kind and places of two cops, the same.
    two: Vec<MatchStart>,
    /// Lists of references into the program.
    roots: Vec<u32>,
}

/// A side of a window that another cop guards.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct GuardedSide {
    /// The cells beyond the side, relative to the robber.
    exits: Vec<Site>,
    /// The number of steps that the guard can take.
    steps: u8,
}

/// The programs of an arrangement: a range of `roots`, and a symmetry.
#[derive(Debug, Clone, Copy, Default)]
struct MatchStart {
    first: u32,
    count: u16,
    symmetry: u8,
}

/// The arrangement of the cops relative to the robber.
type Cops = [Site; 2];

/// The requirements of all patterns, by conclusion and arrangement, and the guarded sides that they name.
struct Requirements<'a> {
    database: &'a Database,
    guarded: u8,
    clauses: BTreeMap<(Kind, Cops), Vec<Clause>>,
    sides: BTreeMap<GuardedSide, u16>,
}

impl Matcher {
    /// Compiles a database of windows, except for patterns with a guarded side.
    #[must_use]
    pub fn new(database: &Database) -> Self {
        Self::with_guards(database, 0)
    }

    /// Compiles a database of windows. `guarded` is the last turn from which a side can be guarded, at most
    /// [`MAX_GUARDED`](super::MAX_GUARDED); 0 leaves out patterns with a guarded side.
    ///
    /// The programs know at most 65,536 guarded sides. Databases with the windows of one
    /// [`PursuitWindows`](super::PursuitWindows) have fewer; patterns with further sides are left out.
    #[must_use]
    pub fn with_guards(database: &Database, guarded: u8) -> Self {
        let symmetries = Symmetry::of_squares();
        let mut required = Requirements {
            database,
            guarded,
            clauses: BTreeMap::new(),
            sides: BTreeMap::new(),
        };
        for group in database.groups() {
            required.add(group, &symmetries);
        }
        let Requirements { clauses, sides, .. } = required;
        let far = clauses.keys().flat_map(|(_, cops)| cops);
        let far = far.filter(|&&cop| !is_alone([cop, cop]));
        let mut matcher = Self {
            program: Decisions::default(),
            radius: far.map(|(x, y)| x.abs().max(y.abs())).max().unwrap_or(0),
            one: Vec::new(),
            two: Vec::new(),
            roots: Vec::new(),
            sides: in_order(sides),
            symmetries,
        };
        matcher.one = vec![MatchStart::default(); 2 * matcher.places()];
        let has_pairs = clauses.keys().any(|(_, cops)| !is_alone(*cops));
        if has_pairs {
            matcher.two = vec![MatchStart::default(); 2 * matcher.places() * matcher.places()];
        }
        let arrangements: BTreeSet<Cops> = clauses.keys().map(|(_, cops)| *cops).collect();
        for cops in arrangements {
            // A capture that is proven with the robber to move is also proven with the cops to move.
            for kinds in [&[Kind::Won][..], &[Kind::Won, Kind::InOne]] {
                let all = kinds.iter().filter_map(|&kind| clauses.get(&(kind, cops)));
                let mut all: Vec<Clause> = all.flatten().cloned().collect();
                all.sort_unstable();
                all.dedup();
                let kind = kinds.last().copied().unwrap_or(Kind::Won);
                matcher.add(kind, cops, &all);
            }
        }
        matcher
    }

    fn add(&mut self, kind: Kind, cops: Cops, clauses: &[Clause]) {
        let roots = compile(&mut self.program, clauses);
        let start = MatchStart {
            first: self.roots.len() as u32,
            count: roots.len() as u16,
            symmetry: 0,
        };
        self.roots.extend(roots);
        for symmetry in 0..self.symmetries.len() {
            let image = image(cops, self.symmetries[symmetry]);
            let start = MatchStart {
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

    fn place_of(&self, site: Site) -> Option<usize> {
        let side = 2 * i32::from(self.radius) + 1;
        let [x, y] = [site.0, site.1].map(|at| i32::from(at) + i32::from(self.radius));
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
    /// applied to each cop, patterns for two cops to each pair. The remaining cops may guard sides. All agents have
    /// speed 1 and stand on floor. No cop stands on the robber.
    #[must_use]
    pub fn turns(&self, graph: &Graph, kind: Kind, robber: Cell, cops: &[Cell]) -> Option<u8> {
        let around = Around {
            graph,
            robber,
            cops,
        };
        let mut best = None;
        for (first, &cop) in cops.iter().enumerate() {
            let Some(here) = self.seen(robber, cop) else {
                continue;
            };
            let start = self.one.get(self.index(kind, here));
            best = self.better(best, &around, [first, first], start);
            if self.two.is_empty() {
                continue;
            }
            for (second, &other) in cops.iter().enumerate().skip(first + 1) {
                if let Some(there) = self.seen(robber, other) {
                    let pair = self.index(kind, here) * self.places() + there;
                    best = self.better(best, &around, [first, second], self.two.get(pair));
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

    /// Runs the programs of an arrangement of the cops with the numbers `used`. The other cops may guard sides. Returns
    /// the fewer turns of the result and of `best`.
    fn better(
        &self,
        best: Option<u8>,
        around: &Around<'_>,
        used: [usize; 2],
        start: Option<&MatchStart>,
    ) -> Option<u8> {
        let Some(start) = start.filter(|start| start.count > 0) else {
            return best;
        };
        let by = self.symmetries[usize::from(start.symmetry)];
        let passes = |test: Test| match test {
            Test::Floor(site) => {
                let cell = around.cell(site, by);
                cell.is_some_and(|cell| around.graph.is_passable(cell))
            }
            Test::Guarded(number) => {
                let side = self.sides.get(usize::from(number));
                side.is_some_and(|side| around.is_guarded(side, by, used))
            }
        };
        let first = start.first as usize;
        let roots = self.roots[first..first + usize::from(start.count)].iter();
        let found = roots.filter_map(|&root| self.program.run(root, passes));
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
        let starts = size_of::<MatchStart>() * (self.one.len() + self.two.len());
        let of_side = |side: &GuardedSide| {
            size_of::<GuardedSide>() + size_of::<Site>() * side.exits.capacity()
        };
        let sides: usize = self.sides.iter().map(of_side).sum();
        (starts + self.program.bytes() + 4 * self.roots.len() + sides) as u64
    }
}

/// The position in which programs run.
struct Around<'a> {
    graph: &'a Graph,
    robber: Cell,
    cops: &'a [Cell],
}

impl Around<'_> {
    /// The cell of the map on which a site lies, relative to the robber and after a symmetry.
    fn cell(&self, site: Site, by: Symmetry) -> Option<Cell> {
        let (dx, dy) = by.apply(site);
        self.robber.offset(i32::from(dx), i32::from(dy))
    }

    /// Returns whether a cop that is not `used` guards a side.
    fn is_guarded(&self, side: &GuardedSide, by: Symmetry, used: [usize; 2]) -> bool {
        let exits = side.exits.iter().filter_map(|&site| self.cell(site, by));
        self.cops.iter().enumerate().any(|(number, &cop)| {
            !used.contains(&number) && can_guard(self.graph, cop, side.steps, exits.clone())
        })
    }
}

impl Requirements<'_> {
    /// Adds the patterns of a group, once for each symmetry that makes their arrangement canonical.
    fn add(&mut self, group: &Group, symmetries: &[Symmetry]) {
        let side = guarded_side(self.guarded, group.condition);
        let is_known = group.condition == 0 || side.is_some();
        let Some(cops) = offsets(self.database, group).filter(|_| is_known) else {
            return;
        };
        for &by in symmetries {
            let image = image(cops, by);
            if image != canonical(cops, symmetries) {
                continue;
            }
            let guard = side.map(|(side, turn)| {
                let steps = guard_steps(group.kind, turn);
                self.number(guarded(self.database, group, by, side, steps))
            });
            let guard = match guard {
                Some(None) => continue,
                Some(Some(number)) => Some((Test::Guarded(number), true)),
                None => None,
            };
            let more = clauses_of(self.database, group, by, guard);
            let clauses = self.clauses.entry((group.kind, image)).or_default();
            clauses.extend(more);
        }
    }

    /// The number of a side; `None` if there are too many.
    fn number(&mut self, side: GuardedSide) -> Option<u16> {
        if let Some(&number) = self.sides.get(&side) {
            return Some(number);
        }
        let number = u16::try_from(self.sides.len()).ok()?;
        self.sides.insert(side, number);
        Some(number)
    }
}

/// Sides in the order of their numbers.
fn in_order(sides: BTreeMap<GuardedSide, u16>) -> Vec<GuardedSide> {
    let mut sides: Vec<(GuardedSide, u16)> = sides.into_iter().collect();
    sides.sort_unstable_by_key(|&(_, number)| number);
    sides.into_iter().map(|(side, _)| side).collect()
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

/// The side of the window of a group, relative to the robber and after a symmetry, with the steps of its guard.
fn guarded(
    database: &Database,
    group: &Group,
    by: Symmetry,
    side: usize,
    steps: u8,
) -> GuardedSide {
    let shape = &database.shapes()[usize::from(group.shape)];
    let (x, y) = shape.sites()[usize::from(group.pieces[0])];
    let exits = exits(shape, side).map(|site| by.apply((site.0 - x, site.1 - y)));
    let mut exits: Vec<Site> = exits.collect();
    exits.sort_unstable();
    GuardedSide { exits, steps }
}

/// The requirements of the patterns of a group, relative to the robber and after a symmetry. All of them have the
/// requirement `guard`, if there is one.
fn clauses_of<'a>(
    database: &'a Database,
    group: &'a Group,
    by: Symmetry,
    guard: Option<(Test, bool)>,
) -> impl Iterator<Item = Clause> + 'a {
    let sites = database.shapes()[usize::from(group.shape)].sites();
    let (x, y) = sites[usize::from(group.pieces[0])];
    let patterns = database.patterns_of(group).iter();
    patterns.map(move |pattern| {
        let asked = sites.iter().enumerate().filter_map(|(cell, site)| {
            let symbol = pattern.code.symbol(cell)?;
            let site = by.apply((site.0 - x, site.1 - y));
            Some((Test::Floor(site), symbol == FLOOR))
        });
        (asked.chain(guard).collect(), pattern.turns)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::generator::Generator;
    use crate::patterns::pursuit::PursuitWindows;
    use pursuit_engine::map::Moves;

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
