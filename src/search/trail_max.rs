use super::footprint::Footprint;
use super::octile_race::OctileRace;
use super::plan::{Plan, SearchProgress};
use super::race::Race;
use crate::game::{Outcome, State, Turns};
use crate::graph::{Fingerprint, Graph, Vertex};
use crate::map::Cell;

/// `TrailMax`: the path on which the robber survives longest against cops that know it.
///
/// Solves `max over robber paths of min over cop paths of the time of capture` for any number of
/// cops of any speeds and a robber of any speed (thesis, section 5.4, equation 5.1 and figure
/// 5.12): the robber runs to the vertex that the cops reach last of those that it reaches before
/// them. [`Race`] does it on any graph; octile maps against a robber of one step a turn, that is
/// most games, have a search of their own that looks at a third of the neighbours.
///
/// The search is resumable: [`begin`](Self::begin), [`advance`](Self::advance) as often as wanted,
/// then [`plan`](Self::plan). Any slicing gives the same plan. After an edit of the graph it is
/// [stale](SearchProgress::Stale): begin anew. Memory is kept from call to call: after some
/// calls on a map nothing is allocated.
///
/// Cost: at most two expansions a vertex, one by each side (cops of different speeds: one more for
/// each further speed).
#[derive(Debug, Clone, Default)]
pub struct TrailMax {
    engine: Engine,
    is_done: bool,
    /// Of the map that the search began on.
    fingerprint: Option<Fingerprint>,
    octile: OctileRace,
    general: Race,
    /// Where the cops stand, for [`Race::aim`].
    team: Vec<Cell>,
    plan: Plan,
}

/// Who searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Engine {
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

    /// From now on a search ends after so many turns of the robber; 0 for none. If it has come to places in
    /// the last one where it is still free, it runs to the one where the nearest cop is farthest as the crow
    /// flies, and its outcome is what is sure: no capture before that turn. Otherwise the search goes on.
    pub const fn limit_turns(&mut self, turns: u32) {
        self.octile.limit_turns(turns);
        self.general.limit_turns(turns);
    }

    /// Starts the search for a state, forgetting the one before.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &Graph, state: &State<'_>) {
        self.plan.path.clear();
        self.is_done = false;
        self.fingerprint = Some(graph.fingerprint());
        if state.is_capture() || state.cops.is_empty() {
            let is_capture = state.is_capture();
            let captured = Outcome::Caught(Turns(0));
            self.plan.outcome = if is_capture {
                captured
            } else {
                Outcome::Escapes
            };
            self.engine = Engine::None;
        } else if OctileRace::suits(graph, state) {
            self.octile.begin(graph, state);
            self.engine = Engine::Octile;
        } else {
            self.general.begin(graph, state);
            self.team.clear();
            let cops = state.cops.iter();
            self.team.extend(cops.map(|cop| graph.cell(cop.at)));
            self.engine = Engine::General;
        }
    }

    /// Searches on for at most `budget` expansions.
    pub fn advance(&mut self, graph: &Graph, budget: u32) -> SearchProgress {
        if self.is_done {
            return SearchProgress::Done;
        }
        if self.fingerprint != Some(graph.fingerprint()) {
            return SearchProgress::Stale;
        }
        match self.engine {
            Engine::None => {}
            Engine::Octile => {
                let Some(outcome) = self.octile.advance(graph, budget) else {
                    return SearchProgress::Running;
                };
                self.plan.outcome = outcome;
                if outcome != Outcome::Escapes {
                    self.octile.path(graph, &mut self.plan.path);
                }
            }
            Engine::General => {
                self.general.advance(graph, budget);
                if self.general.is_cut() {
                    let team = &self.team;
                    self.general.aim(|vertex| {
                        let cell = graph.cell(vertex);
                        let cops = team.iter().map(|cop| cop.squared_distance(cell));
                        cops.min().unwrap_or(u64::MAX)
                    });
                }
                let Some(plan) = self.general.plan() else {
                    return SearchProgress::Running;
                };
                self.plan.outcome = plan.outcome;
                self.plan.path.extend_from_slice(&plan.path);
            }
        }
        self.is_done = true;
        SearchProgress::Done
    }

    /// The plan, once the search is done.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan> {
        if self.is_done { Some(&self.plan) } else { None }
    }

    /// Appends the best path so far, without the start, to `path`: one on which the robber is free as
    /// long as the search has looked ahead. The plan's path once the search is done. Cost: linear in
    /// the length of the path.
    pub fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        match self.engine {
            _ if self.is_done => path.extend_from_slice(&self.plan.path),
            _ if self.fingerprint != Some(graph.fingerprint()) => {}
            Engine::None => {}
            Engine::Octile => self.octile.path(graph, path),
            Engine::General => self.general.path(path),
        }
    }

    /// Begins, runs to the end and gives the plan.
    ///
    /// # Panics
    /// As [`TrailMax::begin`].
    pub fn solve(&mut self, graph: &Graph, state: &State<'_>) -> &Plan {
        self.begin(graph, state);
        while self.advance(graph, u32::MAX) == SearchProgress::Running {}
        &self.plan
    }

    /// Appends the vertices that cops capture last, any of which is worth running to, with the
    /// robber's steps to each. None if the robber escapes or is captured already.
    pub(crate) fn goals(&self, graph: &Graph, goals: &mut Vec<(Vertex, u32)>) {
        if self.plan.outcome == Outcome::Escapes {
            return;
        }
        match self.engine {
            Engine::None => {}
            Engine::Octile => self.octile.goals(graph, goals),
            Engine::General => self.general.goals(goals),
        }
    }

    /// The turn that the search has come to: no agent has gone farther than it can in so many.
    pub(super) const fn turns(&self) -> u32 {
        match self.engine {
            Engine::None => 0,
            Engine::Octile => self.octile.turn(),
            Engine::General => self.general.turn(),
        }
    }

    /// Adds to `footprint` what the search has seen, once it is done. Cost: linear in the cells of
    /// the map, a fraction of a search.
    pub fn footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        match self.engine {
            Engine::None => {}
            Engine::Octile => self.octile.footprint(graph, footprint),
            Engine::General => self
                .general
                .for_each_reached(|vertex| footprint.insert(graph.cell(vertex))),
        }
    }

    /// Expansions since the search began: vertices whose neighbours were generated.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        match self.engine {
            Engine::None => 0,
            Engine::Octile => self.octile.expansions(),
            Engine::General => self.general.expansions(),
        }
    }

    /// Neighbours looked at since the search began.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        match self.engine {
            Engine::None => 0,
            Engine::Octile => self.octile.touched(),
            Engine::General => self.general.touched(),
        }
    }
}
