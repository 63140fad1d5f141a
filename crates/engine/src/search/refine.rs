//! Refinement of abstract paths, and paths over levels: PRA*.

mod task;
#[cfg(test)]
mod tests;

use super::level_costs::{edge_cost, least_cost, least_steps};
use super::origin::SearchOrigin;
use super::sliced::{FOUND, STALE, SearchStep, SlicedSearch};
use super::straight::straighten;
use super::{AStar, Dice, Footprint, LevelPath, VisitedSet};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::game::{Step, Work};
use crate::graph::{Graph, Network as _, Vertex};
use task::{Attempt, PathShare, RefineTask};

/// The weight of the estimate in rough searches, which makes A* expand a third fewer vertices. Measured: 5/4 to 2 play equally
/// well.
const ROUGH: [u32; 2] = [3, 2];

/// Turns paths of abstract vertices into paths on the map: the refinement of PRA* (N. Sturtevant and
/// M. Buro, *Partial pathfinding using map abstraction and refinement*, AAAI 2005).
///
/// The path of a level defines a corridor in the level below: the children of its vertices and of all
/// their neighbours. A* finds the next path in the corridor, and so on down to the map. On the map a
/// step costs 1; on higher levels it costs its length, the octile distance between the two positions.
///
/// A [`SlicedSearch`] that begins with [`begin_find`](Self::begin_find).
///
/// Cost: at most about as many expansions as the corridors have vertices; a corridor is a few vertices
/// wide. No allocation once the largest levels have been searched.
#[derive(Debug, Clone)]
pub struct Refiner {
    /// The vertices of the level above under which the search stays.
    corridor: VisitedSet,
    search: AStar,
    path: Vec<Vertex>,
    /// The level from which the search refines, and the path on it.
    planned: Vec<Vertex>,
    level: usize,
    /// The vertices that represent the start, from level 0 up.
    starts: Vec<Vertex>,
    task: RefineTask,
    /// The search under way.
    current: Option<LevelSearch>,
    attempt: Attempt,
    is_found: bool,
    began_on: Option<SearchOrigin>,
    /// The random choices, and their state before the first one.
    dice: Dice,
    dice_before: Dice,
    /// The footprint, if it is kept.
    seen: Option<Footprint>,
    work: Work,
}

/// A search on one level.
#[derive(Debug, Clone, Copy)]
struct LevelSearch {
    level: usize,
    goal: Vertex,
    in_corridor: bool,
}

impl Default for Refiner {
    fn default() -> Self {
        Self::new()
    }
}

impl Refiner {
    /// A refiner without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            corridor: VisitedSet::default(),
            search: AStar::default(),
            path: Vec::new(),
            planned: Vec::new(),
            level: 0,
            starts: Vec::new(),
            task: RefineTask::Length(Vertex::default()),
            current: None,
            attempt: Attempt::default(),
            is_found: false,
            began_on: None,
            dice: Dice::new(0),
            dice_before: Dice::new(0),
            seen: None,
            work: Work::NONE,
        }
    }

    /// Begins to [refine](Self::refine) a path.
    pub(super) fn begin_refine(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        path: LevelPath<'_>,
        from: Vertex,
        steps: usize,
        dice: &Dice,
    ) {
        let is_brief = false;
        let task = RefineTask::Along { steps, is_brief };
        self.begin_along(graph, hierarchy, path, from, task, dice);
    }

    /// Begins to refine the beginning of a path: at least `steps` steps, with the same random choices each time. Each level
    /// keeps only about twice as many vertices as the level below needs. This saves half of the cost, and the path may deviate
    /// further from the given one.
    pub(super) fn begin_brief(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        path: LevelPath<'_>,
        from: Vertex,
        steps: usize,
    ) {
        let is_brief = true;
        let task = RefineTask::Along { steps, is_brief };
        self.begin_along(graph, hierarchy, path, from, task, &Dice::new(0));
    }

    fn begin_along(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        path: LevelPath<'_>,
        from: Vertex,
        task: RefineTask,
        dice: &Dice,
    ) {
        let LevelPath { level, vertices } = path;
        self.start(graph, Some(hierarchy), from, level);
        self.task = task;
        self.dice.clone_from(dice);
        self.dice_before.clone_from(dice);
        self.planned.extend_from_slice(vertices);
        self.level = level;
        if self.starts.len() <= level {
            self.end(false);
        } else {
            self.begin_attempt(graph, hierarchy, PathShare::Half);
        }
    }

    /// Refines a path of a level to one on the map, without its start.
    ///
    /// The path on the map starts at `from`, and `path` at the vertex that represents `from`. `hierarchy` has to match the
    /// current `graph`.
    /// On each level the new path ends at a random child of the last vertex. A path of level 0 needs no
    /// refinement. The path is refined until it has at least `steps` steps on the map, or as many as
    /// there are (PRA*(K) of the source); `usize::MAX` refines all. The result is empty if the hierarchy
    /// does not have `from` or if there is no path from `from` to a vertex of the path.
    ///
    /// # Panics
    /// If `from` or a vertex of the path is of another, larger graph or level.
    pub fn refine(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        path: LevelPath<'_>,
        from: Vertex,
        steps: usize,
        dice: &mut Dice,
    ) -> &[Vertex] {
        self.begin_refine(graph, hierarchy, path, from, steps, dice);
        self.finish(graph, Some(hierarchy));
        dice.clone_from(&self.dice);
        self.path()
    }

    /// Begins to find a path on the map: PRA* from vertex to vertex. It plans at half the height at
    /// which one abstract vertex represents both and refines from there. Without a hierarchy the search
    /// is A* on the map.
    ///
    /// # Panics
    /// If a vertex is of another, larger graph.
    pub fn begin_find(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        from: Vertex,
        goal: Vertex,
    ) {
        let hierarchy = hierarchy.filter(|all| all.serves(graph));
        self.begin_path(graph, hierarchy, from, goal, RefineTask::Path(goal));
    }

    /// A path on the map, without its start, `None` if there is none: see
    /// [`begin_find`](Self::begin_find).
    ///
    /// # Panics
    /// If a vertex is of another, larger graph.
    pub fn find(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        from: Vertex,
        goal: Vertex,
    ) -> Option<&[Vertex]> {
        self.begin_find(graph, hierarchy, from, goal);
        self.finish(graph, hierarchy);
        self.is_found().then_some(self.path.as_slice())
    }

    /// Begins to find the beginning of the path that [`Refiner::find`] finds: at least `steps` steps and
    /// not many more, or all of a shorter path.
    pub(crate) fn begin_beginning(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        from: Vertex,
        goal: Vertex,
        steps: usize,
    ) {
        let task = RefineTask::Beginning { goal, steps };
        self.begin_path(graph, Some(hierarchy), from, goal, task);
    }

    /// Begins to estimate the length of a path on the map, for [`Refiner::length`].
    pub(crate) fn begin_length(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        from: Vertex,
        goal: Vertex,
    ) {
        let task = RefineTask::Length(goal);
        self.begin_path(graph, Some(hierarchy), from, goal, task);
    }

    /// Returns whether there is a path, once the search is done. The path of an agent at its goal is
    /// empty.
    #[must_use]
    pub const fn is_found(&self) -> bool {
        self.current.is_none() && self.is_found
    }

    /// The path found last, without its start; empty while the search runs.
    #[must_use]
    pub fn path(&self) -> &[Vertex] {
        if self.is_found() { &self.path } else { &[] }
    }

    /// The state of the random choices after the last path.
    #[must_use]
    pub const fn dice(&self) -> &Dice {
        &self.dice
    }

    /// The [estimated](Self::begin_length) length of a path in cells: the length of a path on an
    /// abstract level.
    pub(crate) fn length(&self, graph: &Graph, hierarchy: &Hierarchy) -> Option<u32> {
        let (true, RefineTask::Length(goal)) = (self.is_found(), self.task) else {
            return None;
        };
        // Measured from the cells themselves, not from the centres of the vertices that represent them.
        let between = self.path.len().saturating_sub(1);
        let mut at = hierarchy.position(graph, 0, self.starts[0]);
        let mut length = 0.0;
        let mut go = |next: [f32; 2]| {
            let [dx, dy] = [0, 1].map(|axis| (next[axis] - at[axis]).abs());
            length += dx.max(dy);
            at = next;
        };
        for &vertex in &self.path[..between] {
            go(hierarchy.position(graph, self.level, vertex));
        }
        go(hierarchy.position(graph, 0, goal));
        Some(length as u32)
    }

    /// Forgets the previous path and lists the vertices that represent the start, up to `level`.
    fn start(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, from: Vertex, level: usize) {
        self.began_on = Some(SearchOrigin::of(graph, hierarchy));
        self.work = Work::NONE;
        self.attempt = Attempt::default();
        if let Some(seen) = &mut self.seen {
            seen.clear(graph.width(), graph.height());
        }
        self.path.clear();
        self.planned.clear();
        self.starts.clear();
        self.starts.push(from);
        for below in 0..level {
            let parent = hierarchy.and_then(|all| all.parent(below, self.starts[below]));
            let Some(parent) = parent else { break };
            self.starts.push(parent);
        }
    }

    fn end(&mut self, is_found: bool) {
        self.current = None;
        self.is_found = is_found;
        if !is_found {
            self.path.clear();
        }
    }

    /// Begins to plan a path on the level from which it is refined.
    fn begin_path(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        from: Vertex,
        goal: Vertex,
        task: RefineTask,
    ) {
        self.task = task;
        let levels = hierarchy.map_or(0, Hierarchy::levels);
        self.start(graph, hierarchy, from, levels);
        let plan = match hierarchy {
            None => Some((0, goal)),
            Some(hierarchy) => self.level_for(hierarchy, from, goal),
        };
        let Some((level, goal)) = plan else {
            return self.end(false);
        };
        self.level = level;
        let current = LevelSearch {
            level,
            goal,
            in_corridor: false,
        };
        self.begin_search(graph, hierarchy, current);
    }

    /// The level from which a path is refined, and the vertex that represents its goal there. `None` if
    /// there is no path.
    fn level_for(
        &self,
        hierarchy: &Hierarchy,
        from: Vertex,
        goal: Vertex,
    ) -> Option<(usize, Vertex)> {
        if !hierarchy.connected(from, goal) {
            return None;
        }
        let mut stands = goal;
        let mut common = 0;
        while self
            .starts
            .get(common)
            .is_some_and(|&start| start != stands)
        {
            stands = hierarchy.parent(common, stands)?;
            common += 1;
        }
        let level = common / 2;
        Some((level, hierarchy.ancestor(goal, level)?))
    }

    fn begin_search(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, current: LevelSearch) {
        let LevelSearch { level, goal, .. } = current;
        let start = self.starts[level];
        if let Some(network) = hierarchy.and_then(|all| all.level(level)) {
            let estimate = least_cost(network, level, start, goal);
            self.search.begin(network, start, estimate);
        } else {
            let (from, to) = (graph.cell(start), graph.cell(goal));
            let estimate = least_steps(graph, from, to);
            self.search.begin(graph, start, estimate);
        }
        self.current = Some(current);
    }

    /// Continues the search on a level for at most `limit` expansions. The result is whether there is a path.
    fn search_on(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        current: LevelSearch,
        limit: u64,
    ) -> Step<bool> {
        let LevelSearch {
            level,
            goal,
            in_corridor,
        } = current;
        let Self {
            corridor, search, ..
        } = self;
        let allowed = |vertex| {
            !in_corridor
                || hierarchy
                    .and_then(|all| all.parent(level, vertex))
                    .is_some_and(|parent| corridor.contains(parent))
        };
        let found = if let Some(network) = hierarchy.and_then(|all| all.level(level)) {
            let cost = |a, b| edge_cost(network, level, a, b);
            // The path need not be the shortest one: the level below improves it.
            let is_rough = in_corridor && self.task.is_brief();
            let [more, less] = if is_rough { ROUGH } else { [1, 1] };
            let estimate = |vertex| least_cost(network, level, vertex, goal) * more / less;
            search.run(network, goal, limit, allowed, cost, estimate)
        } else {
            let to = graph.cell(goal);
            let estimate = |vertex| least_steps(graph, graph.cell(vertex), to);
            search.run(graph, goal, limit, allowed, |_, _| 1, estimate)
        };
        self.work += search.take_work();
        if !found.is_working() {
            self.path.clear();
            self.path.extend_from_slice(self.search.path());
            self.see(graph, hierarchy, level);
        }
        found
    }

    /// Adds the vertices that a search on a level has reached to the footprint.
    fn see(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, level: usize) {
        if let Some(seen) = &mut self.seen {
            for &vertex in self.search.reached() {
                let (top_left, bottom_right) = match hierarchy {
                    Some(hierarchy) => hierarchy.bounds(graph, level, vertex),
                    None => (graph.cell(vertex), graph.cell(vertex)),
                };
                seen.insert_rectangle(top_left, bottom_right);
            }
        }
    }

    /// Continues after the path of a level was found.
    fn go_down(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, current: LevelSearch) {
        let Some(hierarchy) = hierarchy else {
            self.straighten(graph);
            return self.end(true);
        };
        if current.in_corridor {
            return self.begin_level(graph, hierarchy, current.level);
        }
        if matches!(self.task, RefineTask::Length(_)) {
            return self.end(true);
        }
        self.planned.clear();
        self.planned.extend_from_slice(&self.path);
        self.begin_attempt(graph, hierarchy, PathShare::Half);
    }

    /// Begins to refine the planned path.
    fn begin_attempt(&mut self, graph: &Graph, hierarchy: &Hierarchy, extent: PathShare) {
        self.attempt = Attempt::new(self.task, extent);
        // Each attempt makes the same random choices.
        self.dice.clone_from(&self.dice_before);
        self.path.clear();
        self.path.extend_from_slice(&self.planned);
        self.begin_level(graph, hierarchy, self.level);
    }

    /// Begins to refine the path on level `above` to the level below, if there is one.
    fn begin_level(&mut self, graph: &Graph, hierarchy: &Hierarchy, above: usize) {
        if above == 0 {
            return self.end_attempt(graph, hierarchy);
        }
        let Some(abstraction) = hierarchy.level(above) else {
            return self.end(false);
        };
        let start = self.starts[above];
        let most = self.attempt.most(self.task, above);
        if let Some(&ahead) = self.path.get(most) {
            self.attempt.toward = Some(hierarchy.position(graph, above, ahead));
            self.path.truncate(most);
            self.attempt.is_cut = true;
        }
        let last = self.path.last().copied().unwrap_or(start);
        let goal = match (self.task, self.attempt.toward) {
            (RefineTask::Along { .. }, _) => self.dice.pick(hierarchy.children(above, last)),
            (RefineTask::Beginning { .. }, Some(toward)) => {
                nearest_child(graph, hierarchy, above, last, toward)
            }
            (
                RefineTask::Path(goal)
                | RefineTask::Beginning { goal, .. }
                | RefineTask::Length(goal),
                _,
            ) => hierarchy.ancestor(goal, above - 1),
        };
        let Some(goal) = goal else {
            return self.end(false);
        };
        self.lay_corridor(abstraction, start);
        let current = LevelSearch {
            level: above - 1,
            goal,
            in_corridor: true,
        };
        self.begin_search(graph, Some(hierarchy), current);
    }

    /// Called with a path on the map: ends the search, or begins another attempt if the path is too short.
    fn end_attempt(&mut self, graph: &Graph, hierarchy: &Hierarchy) {
        if let Some(extent) = self.attempt.next(self.task, self.path.len()) {
            self.begin_attempt(graph, hierarchy, extent);
        } else {
            self.straighten(graph);
            self.end(true);
        }
    }

    /// Lets straight runs win among equally long paths to a vertex of the map.
    fn straighten(&mut self, graph: &Graph) {
        if !matches!(self.task, RefineTask::Path(_)) {
            return;
        }
        self.work.expansions += straighten(graph, self.starts[0], &mut self.path);
        if let Some(seen) = &mut self.seen {
            for &vertex in &self.path {
                seen.insert(graph.cell(vertex));
            }
        }
    }

    /// Lays the corridor around the path and its start.
    fn lay_corridor(&mut self, level: &AbstractLevel, start: Vertex) {
        self.corridor.clear(level.slots());
        for &vertex in self.path.iter().chain([&start]) {
            self.corridor.insert(vertex);
            for &beside in level.neighbours(vertex) {
                self.corridor.insert(beside);
            }
        }
    }
}

impl SlicedSearch for Refiner {
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        let hierarchy = hierarchy.filter(|all| all.serves(graph));
        if self.began_on != Some(SearchOrigin::of(graph, hierarchy)) {
            return STALE;
        }
        let mut budget = u64::from(budget);
        while let Some(current) = self.current {
            let before = self.work.expansions;
            let found = self.search_on(graph, hierarchy, current, budget);
            budget = budget.saturating_sub(self.work.expansions - before);
            match found {
                Step::Working => return Step::Working,
                Step::Done(true) => self.go_down(graph, hierarchy, current),
                Step::Done(false) => self.end(false),
            }
        }
        FOUND
    }

    fn path_of(&self, _: usize) -> &[Vertex] {
        self.path()
    }

    /// Appends nothing before the search is done.
    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        path.extend_from_slice(self.path());
    }

    fn is_complete(&self, _: usize) -> bool {
        !self.attempt.is_cut
    }

    /// Returns whether a path was [found](Self::is_found).
    fn reaches(&self, _: usize) -> bool {
        self.is_found()
    }

    fn keep_footprint(&mut self) {
        self.seen.get_or_insert_default();
    }

    fn add_footprint(&self, _: &Graph, footprint: &mut Footprint) {
        if let Some(seen) = &self.seen {
            footprint.union(seen);
        }
    }

    fn work(&self) -> Work {
        self.work
    }
}

/// The child of a vertex of a level that lies nearest to a place.
fn nearest_child(
    graph: &Graph,
    hierarchy: &Hierarchy,
    level: usize,
    vertex: Vertex,
    place: [f32; 2],
) -> Option<Vertex> {
    let distance = |child: Vertex| {
        let [x, y] = hierarchy.position(graph, level - 1, child);
        let (dx, dy) = (x - place[0], y - place[1]);
        dx * dx + dy * dy
    };
    let children = hierarchy.children(level, vertex).iter().copied();
    children.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
}
