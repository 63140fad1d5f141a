//! `TrailMax` on an abstract level and its refinement: the common part of `DATrailMax` in turns and in
//! ticks.

use super::origin::SearchOrigin;
use super::sliced::{FOUND, STALE, SearchStep, SlicedSearch};
use super::{Dice, Footprint, LevelPath, Refiner};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::game::{Outcome, Step, Work};
use crate::graph::{Graph, Network as _, Vertex};

/// The map, or a level of its abstraction.
#[derive(Debug, Clone, Copy)]
pub enum Layer<'a> {
    /// The map.
    Map(&'a Graph),
    /// A level of the abstraction, and its number.
    Abstract(&'a AbstractLevel, usize),
}

/// `TrailMax` by the rules of one clock, as [`Descent`] runs it on one layer after the other.
pub trait Racer: Default {
    /// A chase on the map.
    type State<'a>;

    /// The robber's vertex.
    fn robber(state: &Self::State<'_>) -> Vertex;

    /// The vertex of a cop, by its index.
    fn cop(state: &Self::State<'_>, index: usize) -> Option<Vertex>;

    /// Notes the agents of the chase.
    fn set(&mut self, state: &Self::State<'_>);

    /// Starts the search on a layer: the vertex of the robber there, and the index and the vertex of
    /// each cop.
    fn begin(
        &mut self,
        layer: Layer<'_>,
        robber: Vertex,
        cops: impl Iterator<Item = (usize, Vertex)>,
    );

    /// Continues for at most `budget` expansions, on the layer where the search began.
    fn advance(&mut self, layer: Layer<'_>, budget: u32) -> SearchStep;

    /// The vertices to step on, once the search is done.
    fn path(&self, layer: Layer<'_>) -> &[Vertex];

    /// Returns whether the robber survives longer than the threshold, once the search is done.
    fn survives(&self, layer: Layer<'_>, threshold: u16) -> bool;

    /// The outcome of a search on the map, if it is counted in turns.
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    /// Appends the best path so far of a search on the map.
    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>);

    /// Adds the cells that a search on the map has seen.
    fn footprint(&self, graph: &Graph, footprint: &mut Footprint);

    /// Calls `visit` for each vertex that a search on an abstract level has reached.
    fn for_each_reached(&self, level: &AbstractLevel, visit: impl FnMut(Vertex));

    /// Calls `visit` for each reached vertex that was not expanded.
    fn for_each_on_rim(&self, level: &AbstractLevel, visit: impl FnMut(Vertex));

    /// Expansions, and neighbours generated, since the search began.
    fn work(&self, layer: Layer<'_>) -> Work;
}

impl Layer<'_> {
    fn position(self, vertex: Vertex) -> [f32; 2] {
        match self {
            Self::Map(graph) => {
                let cell = graph.cell(vertex);
                [cell.x.into(), cell.y.into()]
            }
            Self::Abstract(level, _) => level.position(vertex),
        }
    }

    /// The square of the straight distance from a vertex to the nearest cop, as a number that compares like it.
    pub(super) fn nearest_square(self, vertex: Vertex, cops: impl Iterator<Item = Vertex>) -> u64 {
        let [x, y] = self.position(vertex);
        let squares = cops.map(|cop| {
            let [cop_x, cop_y] = self.position(cop);
            let (dx, dy) = (x - cop_x, y - cop_y);
            // Unlike a distance, the square has the same bits on every machine. Since it is not
            // negative, its bits compare like the number.
            (dx * dx + dy * dy).to_bits()
        });
        squares.min().map_or(u64::MAX, u64::from)
    }
}

/// Dynamic abstract `TrailMax` for either clock: [`DaTrailMax`](super::DaTrailMax) in turns,
/// [`TimedTrailMax`](super::TimedTrailMax) in ticks.
///
/// C. Moldenhauer, *Game tree search algorithms for the game of cops and robber*, section 5.4 and
/// figure 5.15. The search climbs to the first level on which a cop is beside the robber or with it,
/// starts at half that height and goes down until the robber survives longer than the threshold; at
/// level 0 it is `TrailMax` on the map, and exact. The nearer the cops, the finer it plans. The path is
/// refined by a [`Refiner`] to a random descendant of its end.
///
/// A [`SlicedSearch`]. A hierarchy of another graph counts as none.
///
/// Cost: hardly depends on the size of the map.
#[derive(Debug, Clone)]
pub struct Descent<R> {
    pub(super) racer: R,
    threshold: u16,
    steps: usize,
    dice: Dice,
    refiner: Refiner,
    /// For each level from 0 the vertex that represents the robber.
    robbers: Vec<Vertex>,
    /// The cops that have a path to the robber.
    team: Vec<usize>,
    /// For each level from 0 the vertex that represents each cop of the team.
    cops: Vec<Vertex>,
    level: usize,
    path: Vec<Vertex>,
    /// Whether a path of the level is being refined.
    refines: bool,
    is_done: bool,
    began_on: Option<SearchOrigin>,
    keeps_footprint: bool,
    footprint: Footprint,
    work: Work,
    /// Expansions on the current layer.
    under_way: u64,
}

impl<R: Racer> Descent<R> {
    /// A search that plans on the map where the robber survives no longer than `threshold` on abstract
    /// levels: in plies for [`DaTrailMax`](super::DaTrailMax) (10 in Moldenhauer 2009), in the robber's own
    /// steps for [`TimedTrailMax`](super::TimedTrailMax) (5). Random choices depend on `seed`.
    #[must_use]
    pub fn new(threshold: u16, seed: u64) -> Self {
        Self {
            racer: R::default(),
            threshold,
            steps: usize::MAX,
            dice: Dice::new(seed),
            refiner: Refiner::new(),
            robbers: Vec::new(),
            team: Vec::new(),
            cops: Vec::new(),
            level: 0,
            path: Vec::new(),
            refines: false,
            is_done: false,
            began_on: None,
            keeps_footprint: false,
            footprint: Footprint::default(),
            work: Work::NONE,
            under_way: 0,
        }
    }

    /// From now on, computes at least `steps` steps of each path and not many more. This is cheaper than
    /// the whole path.
    pub const fn limit_steps(&mut self, steps: usize) {
        self.steps = steps;
    }

    /// Restarts the random choices.
    pub fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    /// Starts the search for a state with the robber to move. Without a hierarchy the search is
    /// `TrailMax` on the map. Cops without a path to the robber are left out; finding them costs a step
    /// per level.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, state: &R::State<'_>) {
        let robber = R::robber(state);
        let cops = (0..).map_while(|index| R::cop(state, index));
        self.racer.set(state);
        self.path.clear();
        self.refines = false;
        self.is_done = false;
        let hierarchy = hierarchy.filter(|all| all.serves(graph));
        self.began_on = Some(SearchOrigin::of(graph, hierarchy));
        self.work = Work::NONE;
        self.under_way = 0;
        if self.keeps_footprint {
            self.footprint.clear(graph.width(), graph.height());
        }
        self.robbers.clear();
        self.robbers.push(robber);
        self.team.clear();
        self.cops.clear();
        for (index, cop) in cops.enumerate() {
            match hierarchy.filter(|all| !all.connected(cop, robber)) {
                Some(hierarchy) if self.keeps_footprint => {
                    self.footprint.insert_parting(graph, hierarchy, cop, robber);
                }
                Some(_) => {}
                None => {
                    self.team.push(index);
                    self.cops.push(cop);
                }
            }
        }
        if let Some(hierarchy) = hierarchy {
            self.climb(graph, hierarchy);
        }
        self.begin_level(graph, hierarchy, self.robbers.len() / 2);
    }

    /// Lists the vertices that represent the agents, up to the first level on which a cop is beside the
    /// robber.
    fn climb(&mut self, graph: &Graph, hierarchy: &Hierarchy) {
        let team = self.team.len();
        for level in 0.. {
            let robber = self.robbers[level];
            let cops = &self.cops[level * team..];
            let neighbours = match hierarchy.level(level) {
                Some(network) => network.neighbours(robber),
                None => graph.neighbours(robber),
            };
            let is_near = |cop: &Vertex| *cop == robber || neighbours.contains(cop);
            let Some(parent) = hierarchy.parent(level, robber) else {
                return;
            };
            if cops.is_empty() || cops.iter().any(is_near) {
                return;
            }
            self.robbers.push(parent);
            for index in level * team..(level + 1) * team {
                let cop = self.cops[index];
                self.cops.push(hierarchy.parent(level, cop).unwrap_or(cop));
            }
        }
    }

    fn begin_level(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, level: usize) {
        self.level = level;
        let team = self.team.len();
        let cops = &self.cops[level * team..(level + 1) * team];
        let cops = self.team.iter().copied().zip(cops.iter().copied());
        let layer = layer(graph, hierarchy, level);
        self.racer.begin(layer, self.robbers[level], cops);
    }

    /// Ends a search on an abstract level: refines its path, or goes down if the robber is not safe
    /// enough.
    fn accept_or_descend(&mut self, graph: &Graph, hierarchy: &Hierarchy, layer: Layer<'_>) {
        if self.racer.survives(layer, self.threshold) {
            let path = self.racer.path(layer);
            // If the robber waits on the level, it waits on the map.
            if path.is_empty() {
                self.is_done = true;
                return;
            }
            let (path, start) = (LevelPath::new(self.level, path), self.robbers[0]);
            let (steps, dice) = (self.steps, &self.dice);
            self.refiner
                .begin_refine(graph, hierarchy, path, start, steps, dice);
            self.refines = true;
            return;
        }
        self.begin_level(graph, Some(hierarchy), self.level - 1);
    }

    /// Continues to refine for at most `budget` expansions, and returns their number.
    fn refine(&mut self, graph: &Graph, hierarchy: &Hierarchy, budget: u32) -> u64 {
        let refiner = &mut self.refiner;
        let before = refiner.work();
        let progress = refiner.advance(graph, Some(hierarchy), budget);
        let work = refiner.work() - before;
        self.work += work;
        if progress.is_working() {
            return work.expansions;
        }
        self.refines = false;
        self.dice.clone_from(refiner.dice());
        self.path.extend_from_slice(refiner.path());
        if self.path.is_empty() {
            self.begin_level(graph, Some(hierarchy), self.level - 1);
        } else {
            self.is_done = true;
        }
        work.expansions
    }

    /// Adds up the effort and the footprint of the search of a layer.
    fn count(&mut self, layer: Layer<'_>) {
        self.work += self.racer.work(layer);
        if !self.keeps_footprint {
            return;
        }
        let Self {
            footprint, racer, ..
        } = self;
        match layer {
            Layer::Map(graph) => racer.footprint(graph, footprint),
            Layer::Abstract(level, _) => {
                let mut insert = |vertex| {
                    let (top_left, bottom_right) = level.bounds(vertex);
                    footprint.insert_rectangle(top_left, bottom_right);
                };
                racer.for_each_reached(level, &mut insert);
                // The corridor of the refinement extends one vertex further. Neighbours of expanded
                // vertices have been reached and need no margin.
                racer.for_each_on_rim(level, |vertex| {
                    level
                        .neighbours(vertex)
                        .iter()
                        .copied()
                        .for_each(&mut insert);
                });
            }
        }
    }

    /// Begins, runs to the end and returns the [`path`](Self::path).
    ///
    /// # Panics
    /// As [`begin`](Self::begin).
    pub fn solve(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &R::State<'_>,
    ) -> &[Vertex] {
        self.begin(graph, hierarchy, state);
        self.finish(graph, hierarchy);
        self.path()
    }

    /// The vertices to step on, without the start; empty while the search runs. After the last one the
    /// robber waits there, unless the path was [cut off](Self::limit_steps).
    #[must_use]
    pub fn path(&self) -> &[Vertex] {
        if self.is_done { &self.path } else { &[] }
    }

    /// The level on which the path was planned.
    #[must_use]
    pub const fn level(&self) -> usize {
        self.level
    }

    /// Returns whether the search is done and ended on the map itself.
    pub(super) const fn is_done_on_map(&self) -> bool {
        self.is_done && self.level == 0
    }
}

impl<R: Racer> SlicedSearch for Descent<R> {
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        let hierarchy = hierarchy.filter(|all| all.serves(graph));
        if self.began_on != Some(SearchOrigin::of(graph, hierarchy)) {
            return STALE;
        }
        let mut left = budget;
        while !self.is_done && left > 0 {
            if let Some(hierarchy) = hierarchy.filter(|_| self.refines) {
                let spent = self.refine(graph, hierarchy, left);
                left = left.saturating_sub(spent.min(u32::MAX.into()) as u32);
                continue;
            }
            let layer = layer(graph, hierarchy, self.level);
            let before = self.racer.work(layer).expansions;
            let progress = self.racer.advance(layer, left);
            let spent = self.racer.work(layer).expansions - before;
            left = left.saturating_sub(spent.min(u32::MAX.into()) as u32);
            self.under_way += spent;
            if progress.is_working() {
                continue;
            }
            self.count(layer);
            self.under_way = 0;
            if let (Layer::Abstract(..), Some(hierarchy)) = (layer, hierarchy) {
                self.accept_or_descend(graph, hierarchy, layer);
            } else {
                self.path.extend_from_slice(self.racer.path(layer));
                self.is_done = true;
            }
        }
        if self.is_done { FOUND } else { Step::Working }
    }

    fn path_of(&self, _: usize) -> &[Vertex] {
        self.path()
    }

    /// Appends nothing while abstract levels are searched. On the map, appends a path on which the
    /// robber is free as far as the search has looked ahead.
    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        if self.is_done {
            path.extend_from_slice(&self.path);
        } else if self.level == 0 {
            self.racer.best_so_far(graph, path);
        }
    }

    fn is_complete(&self, _: usize) -> bool {
        self.path.len() < self.steps || self.level == 0
    }

    /// Known if the path was planned on the map itself, or if no cop has a path to the robber.
    fn outcome(&self) -> Option<Outcome> {
        self.racer.outcome().filter(|_| self.is_done_on_map())
    }

    /// Costs about as much as the search.
    fn keep_footprint(&mut self) {
        self.keeps_footprint = true;
    }

    /// After edits that do not touch the footprint, the path is still legal and as good on its level as
    /// before. A new search, on the repaired hierarchy and with the same random choices, mostly finds
    /// the same path. It may find another one for two reasons: it begins on another level, since the
    /// level on which the agents meet depends on abstract vertices anywhere between them (9 of 3,119
    /// random batches of edits), or a distant cop has lost its path to the robber.
    fn add_footprint(&self, _: &Graph, footprint: &mut Footprint) {
        if self.keeps_footprint {
            footprint.union(&self.footprint);
        }
    }

    /// The neighbours are complete once the search is done.
    fn work(&self) -> Work {
        let under_way = Work {
            expansions: self.under_way,
            touched: 0,
        };
        self.work + under_way
    }
}

fn layer<'a>(graph: &'a Graph, hierarchy: Option<&'a Hierarchy>, level: usize) -> Layer<'a> {
    match hierarchy.and_then(|all| all.level(level)) {
        Some(network) => Layer::Abstract(network, level),
        None => Layer::Map(graph),
    }
}
