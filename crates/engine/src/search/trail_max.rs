//! `TrailMax` on the map.

use super::footprint::Footprint;
use super::joint_race::Bounds;
use super::octile_race::OctileRace;
use super::origin::SearchOrigin;
use super::plan::Plan;
use super::race::Race;
use super::sliced::{FOUND, STALE, SearchStep, SlicedSearch};
use crate::abstraction::Hierarchy;
use crate::game::{Outcome, State, Step, Turns, Work};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;

/// `TrailMax`: the path on which the robber survives longest against cops that know it.
///
/// Solves `max over robber paths of min over cop paths of the time of capture` for any number of cops of
/// any speeds and a robber of any speed (C. Moldenhauer, *Game tree search algorithms for the game of
/// cops and robber*, section 5.4, equation 5.1 and figure 5.12): of all vertices that the robber reaches
/// before the cops, it runs to the one that the cops reach last. [`Race`] computes this on any graph.
/// For octile maps and a robber of one step per turn, as in most games, a special search generates only
/// a third of the neighbours.
///
/// A [`SlicedSearch`] without levels: [`begin`](Self::begin), advance, then [`plan`](Self::plan).
///
/// Cost: at most two expansions per vertex, one by each side (cops of different speeds: one more for
/// each further speed). No allocation after some searches on a map.
#[derive(Debug, Clone, Default)]
pub struct TrailMax {
    engine: CurrentRace,
    is_done: bool,
    began_on: Option<SearchOrigin>,
    octile: OctileRace,
    general: Race,
    /// The cells of the cops, for [`Race::aim`].
    team: Vec<Cell>,
    plan: Plan,
}

/// The number of expansions of a wave by canonical paths that cost as much as one of another wave.
const CANONICAL: u64 = 8;

/// The race in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CurrentRace {
    /// There is nothing to search.
    #[default]
    None,
    Octile,
    General,
}

impl TrailMax {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits each search from now on to `turns` turns of the robber; 0 for no limit. If the robber is
    /// still free somewhere after the last of them, it runs to the place where the nearest cop is
    /// farthest in a straight line, and the outcome is a lower bound: no capture before that turn.
    /// Otherwise the limit has no effect.
    pub const fn limit_turns(&mut self, turns: u32) {
        self.octile.limit_turns(turns);
        self.general.limit_turns(turns);
    }

    /// Whether the search for a state is one by canonical wavefronts.
    pub(super) fn is_canonical(graph: &Graph, state: &State<'_>) -> bool {
        OctileRace::suits(graph, state)
    }

    /// Starts the search for a state and forgets the previous search.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &Graph, state: &State<'_>) {
        self.plan.path.clear();
        self.is_done = false;
        self.began_on = Some(SearchOrigin::of(graph, None));
        if state.is_capture() || state.cops.is_empty() {
            let is_capture = state.is_capture();
            let captured = Outcome::Caught(Turns(0));
            self.plan.outcome = if is_capture {
                captured
            } else {
                Outcome::Escapes
            };
            self.engine = CurrentRace::None;
        } else if Self::is_canonical(graph, state) {
            self.octile.begin(graph, state);
            self.engine = CurrentRace::Octile;
        } else {
            self.general.begin(graph, state);
            self.team.clear();
            let cops = state.cops.iter();
            self.team.extend(cops.map(|cop| graph.cell(cop.at)));
            self.engine = CurrentRace::General;
        }
    }

    /// The plan, once the search is done.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan> {
        if self.is_done { Some(&self.plan) } else { None }
    }

    /// Begins, runs to the end and returns the plan.
    ///
    /// # Panics
    /// As [`TrailMax::begin`].
    pub fn solve(&mut self, graph: &Graph, state: &State<'_>) -> &Plan {
        self.begin(graph, state);
        self.finish(graph, None);
        &self.plan
    }

    /// Appends the vertices that cops capture last, which are all equally good goals, with the robber's
    /// steps to each. Appends nothing if the robber escapes or is already captured.
    pub(crate) fn goals(&self, graph: &Graph, goals: &mut Vec<(Vertex, u32)>) {
        if self.plan.outcome == Outcome::Escapes {
            return;
        }
        match self.engine {
            CurrentRace::None => {}
            CurrentRace::Octile => self.octile.goals(graph, goals),
            CurrentRace::General => self.general.goals(goals),
        }
    }

    /// The part of the map that the robber reaches before the cops, and the turns of the race, once the robber is captured
    /// everywhere in a race by canonical wavefronts; `None` otherwise. Cost: linear in the size of that part.
    pub(super) fn robber_bounds(&self) -> Option<Bounds> {
        if !self.is_done || self.engine != CurrentRace::Octile {
            return None;
        }
        let corners = self.octile.caught_corners()?;
        let turns = self.turns();
        Some(Bounds { corners, turns })
    }

    /// The number of expansions of the present search that cost as much as one of another search.
    pub(crate) const fn rate(&self) -> u64 {
        match self.engine {
            CurrentRace::Octile => CANONICAL,
            CurrentRace::None | CurrentRace::General => 1,
        }
    }

    /// The current turn of the search: no wave is farther from its start than an agent can go in this number of turns.
    pub(super) const fn turns(&self) -> u32 {
        match self.engine {
            CurrentRace::None => 0,
            CurrentRace::Octile => self.octile.turn(),
            CurrentRace::General => self.general.turn(),
        }
    }
}

impl SlicedSearch for TrailMax {
    fn advance(&mut self, graph: &Graph, _: Option<&Hierarchy>, budget: u32) -> SearchStep {
        if self.is_done {
            return FOUND;
        }
        if self.began_on != Some(SearchOrigin::of(graph, None)) {
            return STALE;
        }
        match self.engine {
            CurrentRace::None => {}
            CurrentRace::Octile => {
                let Step::Done(outcome) = self.octile.advance(graph, budget) else {
                    return Step::Working;
                };
                self.plan.outcome = outcome;
                if outcome != Outcome::Escapes {
                    self.octile.path(graph, &mut self.plan.path);
                }
            }
            CurrentRace::General => {
                if self.general.advance(graph, budget) == STALE {
                    return STALE;
                }
                if self.general.is_cut() {
                    let team = &self.team;
                    self.general.aim(|vertex| {
                        let cell = graph.cell(vertex);
                        let cops = team.iter().map(|cop| cop.squared_distance(cell));
                        cops.min().unwrap_or(u64::MAX)
                    });
                }
                let Some(plan) = self.general.plan() else {
                    return Step::Working;
                };
                self.plan.outcome = plan.outcome;
                self.plan.path.extend_from_slice(&plan.path);
            }
        }
        self.is_done = true;
        FOUND
    }

    fn path_of(&self, _: usize) -> &[Vertex] {
        self.plan().map_or(&[], |plan| &plan.path)
    }

    /// Before the search is done, appends a path on which the robber is free as far as the search has
    /// looked ahead. Cost: linear in the length of the path.
    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        match self.engine {
            _ if self.is_done => path.extend_from_slice(&self.plan.path),
            _ if self.began_on != Some(SearchOrigin::of(graph, None)) => {}
            CurrentRace::None => {}
            CurrentRace::Octile => self.octile.path(graph, path),
            CurrentRace::General => self.general.path(path),
        }
    }

    fn is_complete(&self, _: usize) -> bool {
        true
    }

    fn outcome(&self) -> Option<Outcome> {
        self.plan().map(|plan| plan.outcome)
    }

    /// The footprint of a search on the map follows from its waves, so that nothing has to be recorded.
    fn keep_footprint(&mut self) {}

    /// Cost: linear in the cells of the map, a fraction of the cost of a search.
    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        match self.engine {
            CurrentRace::None => {}
            CurrentRace::Octile => self.octile.footprint(graph, footprint),
            CurrentRace::General => self
                .general
                .for_each_reached(|vertex| footprint.insert(graph.cell(vertex))),
        }
    }

    fn work(&self) -> Work {
        match self.engine {
            CurrentRace::None => Work::NONE,
            CurrentRace::Octile => self.octile.work(),
            CurrentRace::General => self.general.work(),
        }
    }
}
