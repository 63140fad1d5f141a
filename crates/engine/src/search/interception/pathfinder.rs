//! Paths of one cop: shortest paths to near goals, and the first steps of good paths to distant ones.

use crate::game::{Step, Work};
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves};
use crate::search::level_costs::{self, steps_without_walls};
use crate::search::{AStar, Footprint, LevelPath, Maps, Refiner, SlicedSearch as _};

/// Up to this distance paths are searched on the map itself. With 40 instead of 24, paths of distant cops to their robber become
/// up to 1 % shorter, and plans of eight cops take 9 % longer.
pub(super) const NEAR: u32 = 24;

/// The limit of a search on the map, in expansions, if there are abstract levels.
const PATIENCE: u64 = 300;

/// The number of passes that move the diagonal steps of a path towards its beginning.
const PASSES: usize = 2;

/// Costs of steps. Of paths with the same number of steps, the one with the fewest diagonal steps wins,
/// since it does not swerve.
pub(super) const STRAIGHT: u32 = 64;
pub(super) const DIAGONAL: u32 = STRAIGHT + 1;

/// Paths of one agent between two vertices of the map: shortest paths if the vertices are near, and
/// otherwise the first steps of good paths.
#[derive(Debug, Clone, Default)]
pub(super) struct Pathfinder {
    search: AStar,
    refiner: Refiner,
    from: Vertex,
    goal: Vertex,
    state: PathState,
    spent: u64,
    /// The limit of the search on the map, in expansions.
    patience: u64,
    /// A lower bound on the steps.
    least: u32,
    /// Longer paths count as too long to be measured.
    most: u32,
    path: Vec<Vertex>,
    keeps_footprint: bool,
    footprint: Footprint,
    work: Work,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum PathState {
    /// The path is known.
    #[default]
    Known,
    /// The path is searched on the map.
    Search,
    /// The vertices are too far apart for that.
    Far,
}

/// The length of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// This many steps exactly; the [path](Pathfinder::path) is written.
    Steps(u32),
    /// This many steps or more.
    AtLeast(u32),
    /// There is no path.
    Endless,
}

impl Pathfinder {
    pub(super) fn keep_footprint(&mut self) {
        self.keeps_footprint = true;
        self.refiner.keep_footprint();
    }

    /// Forgets the footprint and the effort of searches.
    pub(super) fn forget(&mut self, graph: &Graph) {
        self.work = Work::NONE;
        if self.keeps_footprint {
            self.footprint.clear(graph.width(), graph.height());
        }
    }

    /// Adds the cells that the searches have seen.
    pub(super) fn footprint(&self, all: &mut Footprint) {
        all.union(&self.footprint);
    }

    pub(super) const fn work(&self) -> Work {
        self.work
    }

    /// The path that was found last, without its start.
    pub(super) fn path(&self) -> &[Vertex] {
        &self.path
    }

    /// Sets two vertices that are known to be far apart.
    pub(super) fn set(&mut self, from: Vertex, goal: Vertex) {
        (self.from, self.goal) = (from, goal);
        self.state = PathState::Far;
        self.path.clear();
    }

    /// Begins to measure the length of a path that has at least `bound` steps.
    pub(super) fn begin(&mut self, maps: Maps<'_>, from: Vertex, goal: Vertex, bound: u32) {
        self.begin_within(maps, from, goal, bound, u32::MAX);
    }

    /// Begins to measure the length of the path to a robber. Counts a path of more than [`NEAR`] steps as too long to be
    /// measured.
    ///
    /// So the rest of a measured path is measured too, and a cop that plans anew on its way stays on the path.
    pub(super) fn begin_to_robber(&mut self, maps: Maps<'_>, from: Vertex, robber: Vertex) {
        let most = maps.hierarchy.map_or(u32::MAX, |_| NEAR);
        self.begin_within(maps, from, robber, 0, most);
    }

    /// Begins to measure the length of a path that has at least `bound` steps. Counts a path of more than `most` steps as too
    /// long to be measured.
    fn begin_within(&mut self, maps: Maps<'_>, from: Vertex, goal: Vertex, bound: u32, most: u32) {
        let graph = maps.graph;
        self.set(from, goal);
        let patience = maps.hierarchy.map(|_| PATIENCE);
        (self.spent, self.patience) = (0, patience.unwrap_or(u64::MAX));
        let least = least_steps(graph, from, goal);
        (self.least, self.most) = (least.max(bound), most);
        self.state = if self.least > NEAR && maps.hierarchy.is_some() {
            PathState::Far
        } else if self.is_measured_by(graph, least) {
            PathState::Known
        } else {
            self.search.begin(graph, from, estimate(graph, from, goal));
            PathState::Search
        };
        if self.keeps_footprint {
            for &vertex in &self.path {
                self.footprint.insert(graph.cell(vertex));
            }
        }
    }

    /// Continues for at most `budget` expansions; `None` if the length is not yet known.
    ///
    /// With a hierarchy, the search gives up when abstract levels become cheaper.
    pub(super) fn measure(&mut self, maps: Maps<'_>, budget: u64) -> Option<Length> {
        let graph = maps.graph;
        match self.state {
            PathState::Known => return Some(Length::Steps(self.path.len() as u32)),
            PathState::Far => return Some(Length::AtLeast(self.least)),
            PathState::Search => {}
        }
        let limit = budget.min(self.patience - self.spent);
        let goal = self.goal;
        let cost = |a, b| {
            if is_diagonal(graph, a, b) {
                DIAGONAL
            } else {
                STRAIGHT
            }
        };
        let rest = |vertex| estimate(graph, vertex, goal);
        let found = self.search.run(graph, goal, limit, |_| true, cost, rest);
        let work = self.search.take_work();
        self.spent += work.expansions;
        self.work += work;
        if found.is_working() && self.spent < self.patience {
            return None;
        }
        if self.keeps_footprint {
            for &vertex in self.search.reached() {
                self.footprint.insert(graph.cell(vertex));
            }
        }
        self.state = PathState::Far;
        Some(match found {
            Step::Working => {
                self.least = self.search.least() / DIAGONAL;
                Length::AtLeast(self.least)
            }
            Step::Done(false) => Length::Endless,
            Step::Done(true) => {
                self.path.clear();
                self.path.extend_from_slice(self.search.path());
                for _ in 0..PASSES {
                    self.move_diagonals(graph);
                }
                let steps = self.path.len() as u32;
                if steps > self.most {
                    self.least = steps;
                    return Some(Length::AtLeast(steps));
                }
                self.state = PathState::Known;
                Length::Steps(steps)
            }
        })
    }

    /// Begins to find at least `steps` steps of a path that is too long to be measured.
    pub(super) fn begin_far(&mut self, maps: Maps<'_>, steps: usize) {
        self.path.clear();
        // Without a hierarchy every path is measured.
        if let Some(hierarchy) = maps.hierarchy {
            self.refiner
                .begin_beginning(maps.graph, hierarchy, self.from, self.goal, steps);
        }
    }

    /// Continues for at most `budget` expansions; `true` once the [path](Self::path) is written.
    pub(super) fn go_far(&mut self, maps: Maps<'_>, budget: u64) -> bool {
        if maps.hierarchy.is_none() {
            return true;
        }
        if !self.refine_on(maps, budget) {
            return false;
        }
        self.path.extend_from_slice(self.refiner.path());
        for _ in 0..PASSES {
            self.move_diagonals(maps.graph);
        }
        true
    }

    /// Begins to estimate the length of the path.
    pub(super) fn begin_estimate(&mut self, maps: Maps<'_>) {
        if let Some(hierarchy) = maps.hierarchy {
            self.refiner
                .begin_length(maps.graph, hierarchy, self.from, self.goal);
        }
    }

    /// The estimated length: that of a path on an abstract level, but at least the number of steps on a
    /// map without walls. `None` if the estimate takes more than `budget` expansions.
    pub(super) fn estimate(&mut self, maps: Maps<'_>, budget: u64) -> Option<u32> {
        let least = least_steps(maps.graph, self.from, self.goal);
        let Some(hierarchy) = maps.hierarchy else {
            return Some(least);
        };
        if !self.refine_on(maps, budget) {
            return None;
        }
        let length = self.refiner.length(maps.graph, hierarchy);
        Some(length.unwrap_or(0).max(least))
    }

    /// Begins to refine the first steps of a path of a level.
    pub(super) fn begin_refine(
        &mut self,
        maps: Maps<'_>,
        path: LevelPath<'_>,
        from: Vertex,
        steps: usize,
    ) {
        if let Some(hierarchy) = maps.hierarchy {
            self.refiner
                .begin_brief(maps.graph, hierarchy, path, from, steps);
        }
    }

    /// Continues to refine for at most `budget` expansions; returns the path once it is found.
    pub(super) fn refine(&mut self, maps: Maps<'_>, budget: u64) -> Option<&[Vertex]> {
        self.refine_on(maps, budget).then(|| self.refiner.path())
    }

    /// Continues to refine for at most `budget` expansions; `true` once the refiner is done.
    fn refine_on(&mut self, maps: Maps<'_>, budget: u64) -> bool {
        let refiner = &mut self.refiner;
        let before = refiner.work();
        let budget = budget.min(u32::MAX.into()) as u32;
        let progress = refiner.advance(maps.graph, maps.hierarchy, budget);
        self.work += refiner.work() - before;
        let is_over = progress != Step::Working;
        if is_over {
            refiner.add_footprint(maps.graph, &mut self.footprint);
        }
        is_over
    }

    /// Returns whether the path of a map without walls, of `least` steps, is there and a shortest one. With links there may
    /// be a shorter one.
    fn is_measured_by(&mut self, graph: &Graph, least: u32) -> bool {
        let may_be = self.from == self.goal || !graph.has_links();
        may_be && self.go_straight(graph, least)
    }

    /// Writes the path of a map without walls, each step to the cell nearest to the goal in a straight
    /// line; `false` if a wall is in its way.
    fn go_straight(&mut self, graph: &Graph, steps: u32) -> bool {
        self.path.clear();
        let (mut at, goal) = (self.from, self.goal);
        let goal_cell = graph.cell(goal);
        for left in (0..steps).rev() {
            let nearer = |next: &Vertex| least_steps(graph, *next, goal) == left;
            let next = graph.neighbours(at).iter().copied().filter(nearer);
            let next = next.min_by_key(|&next| graph.cell(next).squared_distance(goal_cell));
            let Some(next) = next else {
                self.path.clear();
                return false;
            };
            self.path.push(next);
            at = next;
        }
        true
    }

    /// Swaps two steps if that comes nearer to the end of the path in a straight line. Diagonal steps
    /// come first, which leaves a robber on open ground less room.
    fn move_diagonals(&mut self, graph: &Graph) {
        let Some(&goal) = self.path.last() else {
            return;
        };
        let goal = graph.cell(goal);
        for index in (1..self.path.len()).rev() {
            let before = match index.checked_sub(2) {
                None => self.from,
                Some(index) => self.path[index],
            };
            let (at, after) = (self.path[index - 1], self.path[index]);
            let (from, to) = (graph.cell(before), graph.cell(after));
            let middle = graph.cell(at);
            let offset = |a: u16, b: u16| i32::from(b) - i32::from(a);
            // The middle cell if the two steps are swapped.
            let other = from.offset(offset(middle.x, to.x), offset(middle.y, to.y));
            let Some(other) =
                other.filter(|&other| other.squared_distance(goal) < middle.squared_distance(goal))
            else {
                continue;
            };
            if let Some(other) = graph.vertex(other)
                && graph.are_adjacent(before, other)
                && graph.are_adjacent(other, after)
            {
                self.path[index - 1] = other;
            }
        }
    }
}

/// A lower bound on the number of steps between two vertices.
pub(super) fn least_steps(graph: &Graph, from: Vertex, to: Vertex) -> u32 {
    level_costs::least_steps(graph, graph.cell(from), graph.cell(to))
}

fn is_diagonal(graph: &Graph, a: Vertex, b: Vertex) -> bool {
    let is_hexagonal = matches!(graph.moves(), Moves::Hexagonal(_));
    let (a, b) = (graph.cell(a), graph.cell(b));
    a.x != b.x && a.y != b.y && !is_hexagonal
}

/// A lower bound on the cost of a path: the cost on a map without walls, or 0 on a map with links.
fn estimate(graph: &Graph, from: Vertex, to: Vertex) -> u32 {
    if graph.has_links() {
        return 0;
    }
    estimate_between(graph.moves(), graph.cell(from), graph.cell(to))
}

/// The same between two cells.
pub(super) fn estimate_between(moves: Moves, from: Cell, to: Cell) -> u32 {
    let diagonals = match moves {
        Moves::Octile => from.x.abs_diff(to.x).min(from.y.abs_diff(to.y)),
        Moves::Orthogonal | Moves::Hexagonal(_) => 0,
    };
    STRAIGHT * steps_without_walls(moves, from, to) + u32::from(diagonals)
}
