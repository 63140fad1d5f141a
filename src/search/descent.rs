use super::origin::Origin;
use super::{Dice, Footprint, Refiner, SearchProgress};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::graph::{Graph, Network as _, Vertex};

/// Where a race is run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Layer<'a> {
    Map(&'a Graph),
    /// A level of the abstraction of the map, and its number.
    Abstract(&'a AbstractLevel, usize),
}

/// `TrailMax` in one of its kinds, as [`Descent`] runs it on one layer after the other.
pub(super) trait Racer {
    /// Starts the search on a layer: where the robber stands on it, and which cops stand where.
    fn begin(
        &mut self,
        layer: Layer<'_>,
        robber: Vertex,
        cops: impl Iterator<Item = (usize, Vertex)>,
    );

    /// Searches on for at most `budget` expansions, on the layer that it began on.
    fn advance(&mut self, layer: Layer<'_>, budget: u32) -> SearchProgress;

    /// The vertices to step on, once the search is done.
    fn path(&self, layer: Layer<'_>) -> &[Vertex];

    /// Does the robber survive longer than so long, once the search is done?
    fn survives(&self, layer: Layer<'_>, threshold: u16) -> bool;

    /// Appends the best path so far of a search on the map.
    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>);

    /// Adds what a search on the map has seen.
    fn footprint(&self, graph: &Graph, footprint: &mut Footprint);

    /// Calls `visit` for each vertex that a search on an abstract level has reached.
    fn for_each_reached(&self, level: &AbstractLevel, visit: impl FnMut(Vertex));

    /// Calls `visit` for those of them that were not expanded, and for more if need be.
    fn for_each_on_rim(&self, level: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.for_each_reached(level, visit);
    }

    /// Expansions, and neighbours looked at, since the search began.
    fn effort(&self, layer: Layer<'_>) -> (u64, u64);
}

/// From an abstract level of the map down to the one that is fine enough, and the path there refined
/// to the map: what `DATrailMax` is but for the race itself.
///
/// Thesis (C. Moldenhauer), section 5.4 and figure 5.15. It climbs to the first level on which a cop
/// is beside the robber or with it, starts at half that height and goes down until the robber
/// survives longer than the threshold; on the map it takes what there is.
#[derive(Debug, Clone)]
pub(super) struct Descent<R> {
    pub(super) racer: R,
    threshold: u16,
    steps: usize,
    dice: Dice,
    refiner: Refiner,
    /// For each level from 0 who stands for the robber.
    robbers: Vec<Vertex>,
    /// The cops that can come.
    team: Vec<usize>,
    /// For each level from 0 who stands for each cop of the team.
    cops: Vec<Vertex>,
    level: usize,
    path: Vec<Vertex>,
    /// Is a path of the level being refined?
    refines: bool,
    is_done: bool,
    began_on: Option<Origin>,
    keeps_footprint: bool,
    footprint: Footprint,
    expansions: u64,
    /// Those of the layer that is searched.
    under_way: u64,
    touched: u64,
}

impl<R: Racer> Descent<R> {
    pub(super) fn new(racer: R, threshold: u16, seed: u64) -> Self {
        Self {
            racer,
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
            expansions: 0,
            under_way: 0,
            touched: 0,
        }
    }

    /// From now on works out at least `steps` steps of a path and not much more.
    pub(super) const fn limit_steps(&mut self, steps: usize) {
        self.steps = steps;
    }

    /// Starts random choices anew.
    pub(super) fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    pub(super) const fn keep_footprint(&mut self) {
        self.keeps_footprint = true;
    }

    /// Starts the search for a robber and cops on the map, forgetting the one before.
    pub(super) fn begin(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Vertex,
        cops: impl Iterator<Item = Vertex>,
    ) {
        self.path.clear();
        self.refines = false;
        self.is_done = false;
        let hierarchy = hierarchy.filter(|all| all.is_of(graph));
        self.began_on = Some(Origin::of(graph, hierarchy));
        (self.expansions, self.touched) = (0, 0);
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
                    self.footprint
                        .insert_parting(graph, hierarchy, (cop, robber));
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

    /// Lists who stands for the agents, up to the first level on which a cop is beside the robber.
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

    /// Searches on for at most `budget` expansions.
    pub(super) fn advance(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        budget: u32,
    ) -> SearchProgress {
        let hierarchy = hierarchy.filter(|all| all.is_of(graph));
        if self.began_on != Some(Origin::of(graph, hierarchy)) {
            return SearchProgress::Stale;
        }
        let mut left = u64::from(budget);
        while !self.is_done && left > 0 {
            if let Some(hierarchy) = hierarchy.filter(|_| self.refines) {
                left = left.saturating_sub(self.refine(graph, hierarchy, left));
                continue;
            }
            let layer = layer(graph, hierarchy, self.level);
            let (before, _) = self.racer.effort(layer);
            let budget = left.min(u64::from(u32::MAX)) as u32;
            let progress = self.racer.advance(layer, budget);
            let spent = self.racer.effort(layer).0 - before;
            left = left.saturating_sub(spent);
            self.under_way += spent;
            if progress == SearchProgress::Running {
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
        if self.is_done {
            SearchProgress::Done
        } else {
            SearchProgress::Running
        }
    }

    /// The search on an abstract level is done: is the robber safe enough there?
    fn accept_or_descend(&mut self, graph: &Graph, hierarchy: &Hierarchy, layer: Layer<'_>) {
        if self.racer.survives(layer, self.threshold) {
            let path = self.racer.path(layer);
            // Who runs nowhere on the level waits on the map.
            if path.is_empty() {
                self.is_done = true;
                return;
            }
            let (path, start) = ((self.level, path), self.robbers[0]);
            let (steps, dice) = (self.steps, &self.dice);
            self.refiner
                .begin_refine(graph, hierarchy, path, start, steps, dice);
            self.refines = true;
            return;
        }
        self.begin_level(graph, Some(hierarchy), self.level - 1);
    }

    /// Refines on for at most `budget` expansions, and returns how many there were.
    fn refine(&mut self, graph: &Graph, hierarchy: &Hierarchy, budget: u64) -> u64 {
        let refiner = &mut self.refiner;
        let before = (refiner.expansions(), refiner.touched());
        let progress = refiner.advance(graph, Some(hierarchy), budget);
        let spent = refiner.expansions() - before.0;
        self.expansions += spent;
        self.touched += refiner.touched() - before.1;
        if progress == SearchProgress::Running {
            return spent;
        }
        self.refines = false;
        self.dice.clone_from(refiner.dice());
        self.path.extend_from_slice(refiner.path());
        if self.path.is_empty() {
            self.begin_level(graph, Some(hierarchy), self.level - 1);
        } else {
            self.is_done = true;
        }
        spent
    }

    /// Adds up what the search of a layer took, and what it saw.
    fn count(&mut self, layer: Layer<'_>) {
        let (expansions, touched) = self.racer.effort(layer);
        self.expansions += expansions;
        self.touched += touched;
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
                // The corridor that a path is refined in reaches one vertex further. What lies beside
                // vertices that were expanded has been reached.
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

    /// Appends the best path so far: nothing while it searches abstract levels.
    pub(super) fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        if self.is_done {
            path.extend_from_slice(&self.path);
        } else if self.level == 0 {
            self.racer.best_so_far(graph, path);
        }
    }

    /// Runs a search that has begun to its end.
    pub(super) fn finish(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>) {
        while self.advance(graph, hierarchy, u32::MAX) == SearchProgress::Running {}
    }

    /// The vertices to step on, without the start; empty while the search runs.
    pub(super) fn path(&self) -> &[Vertex] {
        if self.is_done { &self.path } else { &[] }
    }

    /// Is the search done, and did it end on the map itself?
    pub(super) const fn is_done_on_map(&self) -> bool {
        self.is_done && self.level == 0
    }

    pub(super) const fn level(&self) -> usize {
        self.level
    }

    pub(super) const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    pub(super) const fn expansions(&self) -> u64 {
        self.expansions + self.under_way
    }

    pub(super) const fn touched(&self) -> u64 {
        self.touched
    }
}

fn layer<'a>(graph: &'a Graph, hierarchy: Option<&'a Hierarchy>, level: usize) -> Layer<'a> {
    match hierarchy.and_then(|all| all.level(level)) {
        Some(network) => Layer::Abstract(network, level),
        None => Layer::Map(graph),
    }
}
