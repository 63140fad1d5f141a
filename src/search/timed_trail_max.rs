use super::descent::{Descent, Layer, Racer};
use super::{Footprint, Runner, SearchProgress, TimedRace, TimedState};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::graph::{Graph, Vertex};

/// `DATrailMax` on the free running clock: [`TimedRace`] on an abstract level of the map, its path
/// refined to the map.
///
/// As [`DaTrailMax`](super::DaTrailMax) (C. Moldenhauer's thesis, section 5.4 and figure 5.15) with
/// ticks for turns: it climbs to the first level on which a cop is beside the robber or with it,
/// starts at half that height and goes down until the robber survives longer than the threshold. A
/// step on level *l* leads over about 2^*l* vertices of the map and takes so many times as long. At
/// level 0 the plan is exact.
///
/// Resumable: any slicing gives the same plan. Refining a path is one piece, whatever is left of the
/// budget, as with `DaTrailMax`. After an edit of the graph or a repair of the hierarchy it is
/// [stale](SearchProgress::Stale): begin anew. A hierarchy of another graph is as good as none. Memory is
/// kept from call to call.
///
/// Cost: hardly depends on the size of the map.
#[derive(Debug, Clone)]
pub struct TimedTrailMax {
    descent: Descent<Timed>,
}

/// The race on the layers of a map.
#[derive(Debug, Clone, Default)]
struct Timed {
    race: TimedRace,
    /// As on the map.
    robber: Option<Runner>,
    cops: Vec<Runner>,
    /// The cops on a layer.
    team: Vec<Runner>,
}

impl Layer<'_> {
    /// How an agent of the map that stands for itself at `at` runs here.
    fn runner(self, runner: Runner, at: Vertex) -> Runner {
        let level = match self {
            Self::Map(_) => 0,
            Self::Abstract(_, level) => level,
        };
        let steps = u32::try_from(level).ok().and_then(|l| 1_u32.checked_shl(l));
        let step = runner.step.max(1).saturating_mul(steps.unwrap_or(u32::MAX));
        Runner { at, step, ..runner }
    }
}

impl Racer for Timed {
    fn begin(
        &mut self,
        layer: Layer<'_>,
        robber: Vertex,
        cops: impl Iterator<Item = (usize, Vertex)>,
    ) {
        let Some(runner) = self.robber else {
            return;
        };
        let all = &self.cops;
        self.team.clear();
        self.team
            .extend(cops.map(|(index, at)| layer.runner(all[index], at)));
        let state = TimedState {
            robber: layer.runner(runner, robber),
            cops: &self.team,
        };
        match layer {
            Layer::Map(graph) => self.race.begin(graph, &state),
            Layer::Abstract(level, _) => self.race.begin(level, &state),
        }
    }

    fn advance(&mut self, layer: Layer<'_>, budget: u32) -> SearchProgress {
        match layer {
            Layer::Map(graph) => self.race.advance(graph, budget),
            Layer::Abstract(level, _) => self.race.advance(level, budget),
        }
    }

    fn path(&self, _: Layer<'_>) -> &[Vertex] {
        self.race.plan().map_or(&[], |plan| &plan.path)
    }

    fn survives(&self, layer: Layer<'_>, threshold: u16) -> bool {
        let (Some(plan), Some(robber)) = (self.race.plan(), self.robber) else {
            return false;
        };
        let step = layer.runner(robber, robber.at).pace();
        plan.free_for.is_none_or(|ticks| {
            u64::from(ticks.saturating_sub(robber.ready)) > step.saturating_mul(threshold.into())
        })
    }

    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        self.race.best_so_far(path);
    }

    fn footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        self.race
            .for_each_reached(|vertex| footprint.insert(graph.cell(vertex)));
    }

    fn for_each_reached(&self, _: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.race.for_each_reached(visit);
    }

    fn effort(&self, _: Layer<'_>) -> (u64, u64) {
        (self.race.expansions(), self.race.touched())
    }
}

impl TimedTrailMax {
    /// A search that plans on the map where the robber survives no longer than `threshold` of its own
    /// steps on abstract levels (5 in the thesis, where they are 10 plies). Choices at random depend
    /// on `seed`.
    #[must_use]
    pub fn new(threshold: u16, seed: u64) -> Self {
        Self {
            descent: Descent::new(Timed::default(), threshold, seed),
        }
    }

    /// From now on works out at least `steps` steps of a path and not much more, which is cheaper
    /// than the whole path.
    pub const fn limit_steps(&mut self, steps: usize) {
        self.descent.limit_steps(steps);
    }

    /// Starts random choices anew.
    pub fn restart(&mut self, seed: u64) {
        self.descent.restart(seed);
    }

    /// Gathers the footprint of each plan from now on, which costs about as much as the search.
    pub fn keep_footprint(&mut self) {
        self.descent.keep_footprint();
    }

    /// Starts the search for a state, forgetting the one before. Without a hierarchy it is
    /// [`TimedRace`] on the map. Cops that have no way to the robber are left out, at the cost of a
    /// step a level.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, state: &TimedState<'_>) {
        let racer = &mut self.descent.racer;
        racer.robber = Some(state.robber);
        racer.cops.clear();
        racer.cops.extend_from_slice(state.cops);
        let cops = state.cops.iter().map(|cop| cop.at);
        self.descent.begin(graph, hierarchy, state.robber.at, cops);
    }

    /// Searches on for at most `budget` expansions.
    pub fn advance(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        budget: u32,
    ) -> SearchProgress {
        self.descent.advance(graph, hierarchy, budget)
    }

    /// Appends the best path so far, without the start, to `path`: nothing while it searches abstract
    /// levels, on the map as [`TimedRace::best_so_far`], and the path once the search is done.
    pub fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        self.descent.best_so_far(graph, path);
    }

    /// Begins, runs to the end and gives the path, as [`TimedTrailMax::path`].
    ///
    /// # Panics
    /// As [`TimedTrailMax::begin`].
    pub fn solve(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &TimedState<'_>,
    ) -> &[Vertex] {
        self.begin(graph, hierarchy, state);
        self.descent.finish(graph, hierarchy);
        self.path()
    }

    /// The vertices to step on, without the start; empty while the search runs. After the last one
    /// the robber waits there, if the path is not cut off after the steps that were asked for.
    #[must_use]
    pub fn path(&self) -> &[Vertex] {
        self.descent.path()
    }

    /// Ticks until cops that know the path capture a robber that keeps to it, `None` if no cop can
    /// ever come: known where it was planned on the map itself or where no cop can come.
    #[must_use]
    pub const fn free_for(&self) -> Option<Option<u32>> {
        match self.descent.racer.race.plan() {
            Some(plan) if self.descent.is_done_on_map() => Some(plan.free_for),
            _ => None,
        }
    }

    /// The level on which the path was planned.
    #[must_use]
    pub const fn level(&self) -> usize {
        self.descent.level()
    }

    /// What the plan depends on, if it is [kept](Self::keep_footprint) and the search is done, as
    /// [`DaTrailMax::footprint`](super::DaTrailMax::footprint).
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        self.descent.footprint()
    }

    /// Expansions of the search on all levels so far.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.descent.expansions()
    }

    /// Neighbours looked at on all levels, once it is done.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.descent.touched()
    }
}
