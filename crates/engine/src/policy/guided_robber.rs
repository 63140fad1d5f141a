//! A robber that follows the solution of an abstract level.

use crate::game::{Agent, State, Step, Value};
use crate::graph::Vertex;
use crate::policy::guide::GuideReader;
use crate::policy::{Decision, Effort, Ground, Source};
use crate::search::{BestMoves, FOUND, MoveEnds, SlicedSearch as _, TrailMax};

/// The bonus, in turns of the guide, for a move that is among the best by `TrailMax`. Measured: half a
/// turn to one turn play equally well, more is worse on large maps.
const ADVANTAGE: f32 = 0.5;

/// The strongest robber that needs no table of the map. It maximises the capture time that a
/// [`Guide`](crate::policy::Guide) estimates, and near the cops prefers moves that are best by `TrailMax`.
///
/// Far from the cops the guide alone decides. If it estimates that the robber survives for at most
/// `near` turns, the robber also runs `TrailMax`, and any other move has to be better by half a turn;
/// within `sure` turns only the best moves of `TrailMax` are made. Without a guide for the current map
/// and rules there is no decision. The robber keeps no plans, so that it reacts to every move of the
/// cops. Cost: far from the cops a value of the guide for each move, some microseconds with one cop and
/// ten times as much with two; near the cops also a `TrailMax` that ends after about `near` turns.
#[derive(Debug, Clone)]
pub struct GuidedRobber {
    near: u16,
    sure: u16,
    search: TrailMax,
    best: BestMoves,
    ends: MoveEnds,
    candidates: Vec<Vertex>,
    /// The candidates that are best by `TrailMax`.
    preferred: Vec<Vertex>,
    reader: GuideReader,
    path: Vec<Vertex>,
    /// The value of the last decision by the guide, if `TrailMax` knows it.
    value: Option<Value>,
    effort: Effort,
    /// The greatest number of expansions that `TrailMax` may take.
    limit: u64,
    /// The expansions of the last decision. Those of `TrailMax` count as the number of expansions that take as long.
    expansions: u64,
}

impl GuidedRobber {
    /// Runs `TrailMax` if a capture is at most `near` turns away, and always follows it within `sure`
    /// turns. The time to a capture is the smaller of the guide's estimate and the turns that the
    /// nearest cop would need if there were no walls.
    #[must_use]
    pub fn new(near: u16, sure: u16) -> Self {
        Self {
            near: near.max(sure),
            sure,
            search: TrailMax::new(),
            best: BestMoves::default(),
            ends: MoveEnds::default(),
            candidates: Vec::new(),
            preferred: Vec::new(),
            reader: GuideReader::default(),
            path: Vec::new(),
            value: None,
            effort: Effort::default(),
            limit: u64::MAX,
            expansions: 0,
        }
    }

    /// Limits the race of each decision [by the guide](Self::follow) from now on to about this number of expansions.
    ///
    /// A race that takes more is abandoned: it takes long only where the robber can reach a large part of the map. The
    /// guide then decides alone, and within `sure` turns of the cops there is no decision.
    pub(crate) const fn limit_work(&mut self, expansions: u64) {
        self.limit = expansions;
    }

    /// The work of the last decision by the guide, in expansions and touched neighbours.
    #[doc(hidden)]
    #[must_use]
    pub const fn effort(&self) -> Effort {
        self.effort
    }

    /// The search near the cops.
    #[doc(hidden)]
    pub const fn trail_max(&mut self) -> &mut TrailMax {
        &mut self.search
    }

    /// The work of the last decision by the guide, as the number of expansions that take as long.
    pub(crate) const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The end of the move; `None` if the guide does not apply.
    fn guided(&mut self, ground: Ground<'_>, state: &State<'_>) -> Option<Vertex> {
        let (guide, hierarchy) = (ground.guide?, ground.hierarchy?);
        let graph = ground.graph;
        if !guide.is_of(graph, hierarchy) || !guide.suits(state) {
            return None;
        }
        let can_come = |cop: &Agent| hierarchy.connected(cop.at, state.robber.at);
        if !state.cops.iter().any(can_come) {
            return None; // `TrailMax` finds that out at no cost
        }
        let cops = state.cops.iter().map(|cop| cop.at);
        if !self.reader.set_cops(guide, graph, hierarchy, cops) {
            return None;
        }
        let (start, speed) = (state.robber.at, state.robber.speed);
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let ends = self.ends.find(graph, start, speed, is_cop);
        self.candidates.clear();
        self.candidates.push(start);
        self.candidates.extend_from_slice(ends);
        self.effort.work = self.ends.take_work();
        self.expansions = self.effort.work.expansions;
        let turns = self.reader.turns(guide, graph, hierarchy, start);
        let turns = turns.min(turns_without_walls(ground, state));
        self.preferred.clear();
        let is_sure = turns <= f32::from(self.sure);
        if turns <= f32::from(self.near) && !self.prefer(ground, state) && is_sure {
            return None;
        }
        let mut best: Option<(f32, Vertex)> = None;
        for &end in &self.candidates {
            let is_preferred = self.preferred.contains(&end);
            if is_sure && !is_preferred {
                continue;
            }
            let advantage = if is_preferred { ADVANTAGE } else { 0.0 };
            let turns = self.reader.turns(guide, graph, hierarchy, end) + advantage;
            if best.is_none_or(|(most, _)| turns > most) {
                best = Some((turns, end));
            }
        }
        let (_, end) = best?;
        self.value = match self.search.plan() {
            // The robber survives from there as long as on the path of the plan.
            Some(plan) if self.preferred.contains(&end) => Some(Value::of_path(plan.outcome)),
            _ => None,
        };
        Some(end)
    }

    /// Finds the candidates that are best by `TrailMax`; `false` if that takes too much work.
    fn prefer(&mut self, ground: Ground<'_>, state: &State<'_>) -> bool {
        let is_over = self.race(ground, state);
        self.effort.work += self.search.work();
        self.expansions += self.search.work().expansions.div_ceil(self.search.rate());
        if is_over {
            self.preferred.clone_from(&self.candidates);
            self.best
                .retain(ground.graph, &self.search, state, &mut self.preferred);
            let work = self.best.work();
            self.effort.work += work;
            self.expansions += work.expansions;
        }
        is_over
    }

    /// Runs `TrailMax` within the limit; `false` if it has not finished by then.
    fn race(&mut self, ground: Ground<'_>, state: &State<'_>) -> bool {
        self.search.begin(ground.graph, state);
        let most = self.limit.saturating_mul(self.search.rate());
        loop {
            let left = most.saturating_sub(self.search.work().expansions);
            let left = left.min(u32::MAX.into()) as u32;
            match self.search.advance(ground.graph, None, left) {
                Step::Working if left > 0 => {}
                progress => return progress == FOUND,
            }
        }
    }
}

/// The number of turns in which the nearest cop would arrive if there were no walls.
fn turns_without_walls(ground: Ground<'_>, state: &State<'_>) -> f32 {
    let here = ground.graph.cell(state.robber.at);
    let turns = state.cops.iter().map(|cop| {
        let steps = ground.graph.cell(cop.at).max_norm(here);
        steps.div_ceil(u32::from(cop.speed.steps()))
    });
    turns.min().map_or(f32::INFINITY, |turns| turns as f32)
}

impl Default for GuidedRobber {
    /// Runs `TrailMax` within 20 turns and always follows it within 6. On the largest maps, the robber survives a tenth
    /// of a percentage point longer with 32 turns instead of 20, and takes twice the time.
    fn default() -> Self {
        Self::new(20, 6)
    }
}

impl GuidedRobber {
    /// Writes a move by the guide; `false` if the guide does not apply.
    #[doc(hidden)]
    pub fn follow(
        &mut self,
        ground: Ground<'_>,
        state: &State<'_>,
        decision: &mut Decision,
    ) -> bool {
        self.effort = Effort {
            planned: true,
            ..Effort::default()
        };
        self.expansions = 0;
        let Some(end) = self.guided(ground, state) else {
            return false;
        };
        self.path.clear();
        self.ends.way_to(end, &mut self.path);
        decision.take(&self.path, state.robber.speed, Source::Search);
        decision.value = self.value;
        true
    }
}
