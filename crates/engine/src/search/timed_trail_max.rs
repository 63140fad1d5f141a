//! `DATrailMax` in ticks.

use super::da_trail_max::FEWEST;
use super::descent::{Descent, Layer, Racer};
use super::sliced::{FOUND, SearchStep};
use super::{Footprint, Runner, TimedRace, TimedState};
use crate::abstraction::AbstractLevel;
use crate::game::Work;
use crate::graph::{Graph, Vertex};

/// `DATrailMax` on the free running clock: [`TimedRace`] on an abstract level of the map, its path
/// refined to the map. See [`Descent`].
///
/// A step on level *l* covers about 2^*l* steps on the map and takes that many times as long. The
/// threshold is in steps of the robber on the level.
pub type TimedTrailMax = Descent<TickRacer>;

/// `TrailMax` in ticks on the layers of a map.
#[derive(Debug, Clone, Default)]
pub struct TickRacer {
    race: TimedRace,
    /// The agents on the map.
    robber: Option<Runner>,
    cops: Vec<Runner>,
    /// The cops on a layer.
    team: Vec<Runner>,
    /// The limit in steps of the robber on the map; 0 for none.
    look_ahead: u32,
}

impl Layer<'_> {
    /// An agent of the map as it moves on this layer, where `at` represents it.
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

impl Racer for TickRacer {
    type State<'a> = TimedState<'a>;

    fn robber(state: &TimedState<'_>) -> Vertex {
        state.robber.at
    }

    fn cop(state: &TimedState<'_>, index: usize) -> Option<Vertex> {
        state.cops.get(index).map(|cop| cop.at)
    }

    fn set(&mut self, state: &TimedState<'_>) {
        self.robber = Some(state.robber);
        self.cops.clear();
        self.cops.extend_from_slice(state.cops);
    }

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
        let steps = match (self.look_ahead, layer) {
            (0, _) => 0,
            (steps, Layer::Map(_)) => steps,
            // A step of a level is about two of the level below.
            (steps, Layer::Abstract(_, level)) => {
                let steps = steps.checked_shr(level as u32);
                steps.unwrap_or(0).max(FEWEST)
            }
        };
        let pace = state.robber.pace();
        self.race.limit_ticks(pace.saturating_mul(steps.into()));
        match layer {
            Layer::Map(graph) => self.race.begin(graph, &state),
            Layer::Abstract(level, _) => self.race.begin(level, &state),
        }
    }

    fn advance(&mut self, layer: Layer<'_>, budget: u32) -> SearchStep {
        let progress = match layer {
            Layer::Map(graph) => self.race.advance(graph, budget),
            Layer::Abstract(level, _) => self.race.advance(level, budget),
        };
        if progress == FOUND && self.race.is_cut() {
            self.aim(layer);
        }
        progress
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

    fn for_each_on_rim(&self, _: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.race.for_each_on_rim(visit);
    }

    fn work(&self, _: Layer<'_>) -> Work {
        self.race.work()
    }
}

impl TickRacer {
    /// Of all places where the robber is free when the search ends, chooses the one where the nearest
    /// cop is farthest in a straight line.
    fn aim(&mut self, layer: Layer<'_>) {
        let team = &self.team;
        self.race
            .aim(|vertex| layer.nearest_square(vertex, team.iter().map(|cop| cop.at)));
    }
}

impl TimedTrailMax {
    /// Limits the search to about `steps` steps of the robber ahead on each level, but at least 12 steps of that
    /// level; 0 for no limit. A robber that is free for longer runs to where the nearest cop is farthest.
    pub const fn limit_look_ahead(&mut self, steps: u32) {
        self.racer.look_ahead = steps;
    }

    /// Ticks until capture if the robber keeps to the path and the cops know the path; the inner `None`
    /// if no cop can ever reach it. If the [look-ahead](Self::limit_look_ahead) ends the search, its last tick. Known if the path was planned on the map itself or no cop can reach
    /// the robber.
    #[must_use]
    pub const fn free_for(&self) -> Option<Option<u32>> {
        match self.racer.race.plan() {
            Some(plan) if self.is_done_on_map() => Some(plan.free_for),
            _ => None,
        }
    }
}
