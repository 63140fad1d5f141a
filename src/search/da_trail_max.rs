use super::{Dice, Footprint, Progress, Race, Refiner, TrailMax};
use crate::abstraction::{Hierarchy, Lineage};
use crate::game::{Agent, Outcome, Side, State, Turns};
use crate::graph::{Fingerprint, Graph, Network as _, Vertex};
use crate::map::Cell;

/// `DATrailMax`: [`TrailMax`] on an abstract level of the map, its path refined to the map.
///
/// Dynamic abstract `TrailMax` of the thesis (C. Moldenhauer), section 5.4 and figure 5.15. It climbs
/// to the first level on which a cop is beside the robber or with it, starts at half that height and
/// goes down until the robber survives longer than the threshold; at level 0 it is `TrailMax`. The
/// nearer the cops, the finer it plans. The path is refined by [`Refiner`] to a random descendant of
/// its end.
///
/// The search is resumable as [`TrailMax`] is: any slicing gives the same plan. Refining a path is one
/// piece, whatever is left of the budget: on a map of a million cells 300 expansions and at most 500
/// for 16 steps ([`limit_steps`](Self::limit_steps)), 3,000 and at most 10,000 for whole paths. After an
/// edit of the graph or a repair of the hierarchy it is [stale](Progress::Stale): begin anew. A hierarchy
/// of another graph is as good as none. Memory is kept from call to call.
///
/// Cost: hardly depends on the size of the map; see the README for figures.
#[derive(Debug, Clone)]
pub struct DaTrailMax {
    threshold: u16,
    steps: usize,
    dice: Dice,
    ground: TrailMax,
    race: Race,
    refiner: Refiner,
    /// For each level from 0 who stands for the robber.
    robbers: Vec<Vertex>,
    /// For each level from 0 who stands for each cop that can come: `teams` agents a level.
    cops: Vec<Agent>,
    team: usize,
    robber: Option<Agent>,
    level: usize,
    path: Vec<Vertex>,
    outcome: Option<Outcome>,
    is_done: bool,
    /// Of the map and the hierarchy that the search began on.
    began_on: Option<(Fingerprint, Option<Lineage>)>,
    keeps_footprint: bool,
    footprint: Footprint,
    expansions: u64,
    touched: u64,
}

impl DaTrailMax {
    /// A search that plans on the map where the robber survives no longer than `threshold` plies on
    /// abstract levels (10 in the thesis). Choices at random depend on `seed`.
    #[must_use]
    pub fn new(threshold: u16, seed: u64) -> Self {
        Self {
            threshold,
            steps: usize::MAX,
            dice: Dice::new(seed),
            ground: TrailMax::new(),
            race: Race::new(),
            refiner: Refiner::new(),
            robbers: Vec::new(),
            cops: Vec::new(),
            team: 0,
            robber: None,
            level: 0,
            path: Vec::new(),
            outcome: None,
            is_done: false,
            began_on: None,
            keeps_footprint: false,
            footprint: Footprint::default(),
            expansions: 0,
            touched: 0,
        }
    }

    /// From now on works out at least `steps` steps of a path and not much more, which is cheaper
    /// than the whole path.
    pub const fn limit_steps(&mut self, steps: usize) {
        self.steps = steps;
    }

    /// Starts random choices anew.
    pub fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    /// Gathers the footprint of each plan from now on, which costs about as much as the search.
    pub fn keep_footprint(&mut self) {
        self.keeps_footprint = true;
    }

    /// Starts the search for a state, the robber to move, forgetting the one before. Without a
    /// hierarchy it is `TrailMax` on the map. Cops that have no way to the robber are left out, at
    /// the cost of a step a level.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, state: &State<'_>) {
        self.path.clear();
        self.outcome = None;
        self.is_done = false;
        let hierarchy = hierarchy.filter(|all| all.is_of(graph));
        self.began_on = Some((graph.fingerprint(), hierarchy.map(Hierarchy::lineage)));
        (self.expansions, self.touched) = (0, 0);
        self.robber = Some(state.robber);
        if self.keeps_footprint {
            self.footprint.clear(graph.width(), graph.height());
        }
        let can_come =
            |cop: &&Agent| hierarchy.is_none_or(|all| all.connected(cop.at, state.robber.at));
        self.cops.clear();
        self.cops.extend(state.cops.iter().filter(can_come));
        self.team = self.cops.len();
        self.robbers.clear();
        self.robbers.push(state.robber.at);
        if let Some(hierarchy) = hierarchy {
            if self.keeps_footprint {
                self.see_walls(graph, hierarchy, state);
            }
            self.climb(graph, hierarchy);
        }
        self.begin_level(graph, hierarchy, self.robbers.len() / 2);
    }

    /// Adds what keeps cops from the robber to the footprint: for each cop that cannot come the part
    /// of the map that it is in, or that the robber is in if that is smaller.
    fn see_walls(&mut self, graph: &Graph, hierarchy: &Hierarchy, state: &State<'_>) {
        let part = |at| {
            let top = hierarchy.levels() - 1;
            let stands = hierarchy.ancestor(at, top);
            stands.map_or((graph.cell(at), graph.cell(at)), |all| {
                hierarchy.bounds(graph, top, all)
            })
        };
        let cells = |&(min, max): &(Cell, Cell)| {
            (u32::from(max.x - min.x) + 1) * (u32::from(max.y - min.y) + 1)
        };
        let robbers = part(state.robber.at);
        for cop in state.cops {
            if !hierarchy.connected(cop.at, state.robber.at) {
                let (min, max) = std::cmp::min_by_key(part(cop.at), robbers, cells);
                self.footprint.insert_rectangle(min, max);
            }
        }
    }

    /// Lists who stands for the agents, up to the first level on which a cop is beside the robber.
    fn climb(&mut self, graph: &Graph, hierarchy: &Hierarchy) {
        for level in 0.. {
            let robber = self.robbers[level];
            let cops = &self.cops[level * self.team..];
            let neighbours = match hierarchy.level(level) {
                Some(network) => network.neighbours(robber),
                None => graph.neighbours(robber),
            };
            let is_near = |cop: &Agent| cop.at == robber || neighbours.contains(&cop.at);
            let Some(parent) = hierarchy.parent(level, robber) else {
                return;
            };
            if cops.is_empty() || cops.iter().any(is_near) {
                return;
            }
            self.robbers.push(parent);
            for index in level * self.team..(level + 1) * self.team {
                let Agent { at, speed } = self.cops[index];
                let at = hierarchy.parent(level, at).unwrap_or(at);
                self.cops.push(Agent { at, speed });
            }
        }
    }

    fn begin_level(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, level: usize) {
        let Some(Agent { speed, .. }) = self.robber else {
            return;
        };
        self.level = level;
        let at = self.robbers[level];
        let state = State {
            robber: Agent { at, speed },
            cops: &self.cops[level * self.team..(level + 1) * self.team],
            to_move: Side::Robber,
        };
        match hierarchy.and_then(|all| all.level(level)) {
            Some(network) => self.race.begin(network, &state),
            None => self.ground.begin(graph, &state),
        }
    }

    /// Searches on for at most `budget` expansions, but for the refining.
    pub fn advance(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        budget: u32,
    ) -> Progress {
        let hierarchy = hierarchy.filter(|all| all.is_of(graph));
        if self.began_on != Some((graph.fingerprint(), hierarchy.map(Hierarchy::lineage))) {
            return Progress::Stale;
        }
        let mut left = u64::from(budget);
        while !self.is_done && left > 0 {
            let before = self.search_expansions();
            let budget = left.min(u64::from(u32::MAX)) as u32;
            let level = hierarchy.and_then(|all| Some((all, all.level(self.level)?)));
            let progress = match level {
                Some((_, network)) => self.race.advance(network, budget),
                None => self.ground.advance(graph, budget),
            };
            left = left.saturating_sub(self.search_expansions() - before);
            if progress == Progress::Running {
                continue;
            }
            self.count(graph, hierarchy);
            match level {
                None => self.settle(),
                Some((all, _)) => {
                    let before = self.expansions;
                    self.accept_or_descend(graph, all);
                    left = left.saturating_sub(self.expansions - before);
                }
            }
        }
        if self.is_done {
            Progress::Done
        } else {
            Progress::Running
        }
    }

    /// The search on the map is done.
    fn settle(&mut self) {
        if let Some(plan) = self.ground.plan() {
            self.path.extend_from_slice(&plan.path);
            self.outcome = Some(plan.outcome);
        }
        self.is_done = true;
    }

    /// The search on an abstract level is done: is the robber safe enough there?
    fn accept_or_descend(&mut self, graph: &Graph, hierarchy: &Hierarchy) {
        let plan = self.race.plan();
        let plies = plan.map_or(0, |plan| match plan.outcome {
            Outcome::Caught(Turns(turns)) => 2 * u32::from(turns),
            Outcome::Escapes => u32::MAX,
        });
        if let (Some(plan), true) = (plan, plies > u32::from(self.threshold)) {
            // Who runs nowhere on the level waits on the map.
            if plan.path.is_empty() {
                self.is_done = true;
                return;
            }
            let path = (self.level, plan.path.as_slice());
            let start = self.robbers[0];
            let path =
                self.refiner
                    .refine(graph, hierarchy, path, start, self.steps, &mut self.dice);
            self.path.extend_from_slice(path);
            self.expansions += self.refiner.expansions();
            self.touched += self.refiner.touched();
            if !self.path.is_empty() {
                self.is_done = true;
                return;
            }
        }
        self.begin_level(graph, Some(hierarchy), self.level - 1);
    }

    /// Adds up what the search of a level took, and what it saw.
    fn count(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>) {
        self.expansions += self.search_expansions();
        self.touched += self.search_touched();
        if !self.keeps_footprint {
            return;
        }
        let Self {
            footprint, race, ..
        } = self;
        match hierarchy.and_then(|all| all.level(self.level)) {
            None => self.ground.footprint(graph, footprint),
            Some(network) => race.for_each_reached(network.slots(), |vertex| {
                let (top_left, bottom_right) = network.bounds(vertex);
                footprint.insert_rectangle(top_left, bottom_right);
                // The corridor that a path is refined in reaches one vertex further.
                for &beside in network.neighbours(vertex) {
                    let (top_left, bottom_right) = network.bounds(beside);
                    footprint.insert_rectangle(top_left, bottom_right);
                }
            }),
        }
    }

    const fn search_expansions(&self) -> u64 {
        if self.level == 0 {
            self.ground.expansions()
        } else {
            self.race.expansions()
        }
    }

    const fn search_touched(&self) -> u64 {
        if self.level == 0 {
            self.ground.touched()
        } else {
            self.race.touched()
        }
    }

    /// Appends the best path so far, without the start, to `path`: nothing while it searches abstract
    /// levels, on the map as [`TrailMax::best_so_far`], and the path once the search is done.
    pub fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        if self.is_done {
            path.extend_from_slice(&self.path);
        } else if self.level == 0 {
            self.ground.best_so_far(graph, path);
        }
    }

    /// Begins, runs to the end and gives the path, as [`DaTrailMax::path`].
    ///
    /// # Panics
    /// As [`DaTrailMax::begin`].
    pub fn solve(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &State<'_>,
    ) -> &[Vertex] {
        self.begin(graph, hierarchy, state);
        while self.advance(graph, hierarchy, u32::MAX) == Progress::Running {}
        &self.path
    }

    /// The vertices to step on, without the start; empty while the search runs. After the last one
    /// the robber waits there, if the path is not cut off after the steps that were asked for.
    #[must_use]
    pub fn path(&self) -> &[Vertex] {
        if self.is_done { &self.path } else { &[] }
    }

    /// What the path is worth if the robber keeps to it, known where it was planned on the map
    /// itself or where no cop can come.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The level on which the path was planned.
    #[must_use]
    pub const fn level(&self) -> usize {
        self.level
    }

    /// What the plan depends on, if it is [kept](Self::keep_footprint) and the search is done.
    ///
    /// After edits that do not touch it the path is legal and as good on its level as it was. A new
    /// search, on the repaired hierarchy and with the same random choices, mostly finds the same
    /// path. It may find another one if it begins on another level, for how high the agents have to
    /// climb to meet depends on abstract vertices anywhere between them (9 of 3,119 random batches
    /// of edits), or if a cop far away has lost its way to the robber.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Expansions of the search on all levels so far.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        if self.is_done {
            self.expansions
        } else {
            self.expansions + self.search_expansions()
        }
    }

    /// Neighbours looked at on all levels, once it is done.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.touched
    }
}
