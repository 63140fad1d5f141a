use super::descent::{Descent, Layer, Racer};
use super::{Footprint, Race, SearchProgress, TrailMax};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::game::{Agent, Outcome, Side, Speed, State, Turns};
use crate::graph::{Graph, Vertex};

/// `DATrailMax`: [`TrailMax`] on an abstract level of the map, its path refined to the map.
///
/// Dynamic abstract `TrailMax` of the thesis (C. Moldenhauer), section 5.4 and figure 5.15. It climbs
/// to the first level on which a cop is beside the robber or with it, starts at half that height and
/// goes down until the robber survives longer than the threshold; at level 0 it is `TrailMax`. The
/// nearer the cops, the finer it plans. The path is refined by [`Refiner`](super::Refiner) to a random descendant of
/// its end.
///
/// The search is resumable as [`TrailMax`] is: any slicing gives the same plan. After an edit of the graph or a repair of the hierarchy it is [stale](SearchProgress::Stale): begin anew. A hierarchy
/// of another graph is as good as none. Memory is kept from call to call.
///
/// Cost: hardly depends on the size of the map; see the README for figures.
#[derive(Debug, Clone)]
pub struct DaTrailMax {
    descent: Descent<Turnwise>,
}

/// `TrailMax` on the layers of a map.
#[derive(Debug, Clone, Default)]
struct Turnwise {
    ground: TrailMax,
    race: Race,
    robber: Speed,
    cops: Vec<Speed>,
    /// The cops on a layer.
    team: Vec<Agent>,
    /// The turns of the map after which a search on an abstract level ends; 0 for none.
    turns: u32,
}

/// The turns that a search on an abstract level looks ahead at least.
const FEWEST: u32 = 12;

impl Racer for Turnwise {
    fn begin(
        &mut self,
        layer: Layer<'_>,
        robber: Vertex,
        cops: impl Iterator<Item = (usize, Vertex)>,
    ) {
        let speeds = &self.cops;
        let cops = cops.map(|(index, at)| Agent {
            at,
            speed: speeds[index],
        });
        self.team.clear();
        self.team.extend(cops);
        let state = State {
            robber: Agent {
                at: robber,
                speed: self.robber,
            },
            cops: &self.team,
            to_move: Side::Robber,
        };
        match layer {
            Layer::Map(graph) => self.ground.begin(graph, &state),
            Layer::Abstract(level, number) => {
                // A step of a level is about two of the level below.
                let turns = self.turns.checked_shr(number as u32).unwrap_or(0);
                let limit = if self.turns == 0 {
                    0
                } else {
                    turns.max(FEWEST)
                };
                self.race.limit_turns(limit);
                self.race.begin(level, &state);
            }
        }
    }

    fn advance(&mut self, layer: Layer<'_>, budget: u32) -> SearchProgress {
        match layer {
            Layer::Map(graph) => self.ground.advance(graph, budget),
            Layer::Abstract(level, _) => {
                let progress = self.race.advance(level, budget);
                if progress == SearchProgress::Done && self.race.is_cut() {
                    self.aim(level);
                }
                progress
            }
        }
    }

    fn path(&self, layer: Layer<'_>) -> &[Vertex] {
        let plan = match layer {
            Layer::Map(_) => self.ground.plan(),
            Layer::Abstract(..) => self.race.plan(),
        };
        plan.map_or(&[], |plan| &plan.path)
    }

    fn survives(&self, _: Layer<'_>, threshold: u16) -> bool {
        self.race.plan().is_some_and(|plan| match plan.outcome {
            Outcome::Caught(Turns(turns)) => 2 * u32::from(turns) > u32::from(threshold),
            Outcome::Escapes => true,
        })
    }

    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        self.ground.best_so_far(graph, path);
    }

    fn footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        self.ground.footprint(graph, footprint);
    }

    fn for_each_reached(&self, _: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.race.for_each_reached(visit);
    }

    fn for_each_on_rim(&self, _: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.race.for_each_on_rim(visit);
    }

    fn effort(&self, layer: Layer<'_>) -> (u64, u64) {
        match layer {
            Layer::Map(_) => (self.ground.expansions(), self.ground.touched()),
            Layer::Abstract(..) => (self.race.expansions(), self.race.touched()),
        }
    }
}

impl Turnwise {
    /// Runs to where the nearest cop is farthest as the crow flies, of all places where the robber is
    /// free when the search ends.
    fn aim(&mut self, level: &AbstractLevel) {
        let team = &self.team;
        self.race.aim(|vertex| {
            let [x, y] = level.position(vertex);
            let squares = team.iter().map(|cop| {
                let [there_x, there_y] = level.position(cop.at);
                let (dx, dy) = (x - there_x, y - there_y);
                // Unlike a distance it is the same to the last bit on every machine, and it is not
                // negative, so that its bits are in its order.
                (dx * dx + dy * dy).to_bits()
            });
            squares.min().map_or(u64::MAX, u64::from)
        });
    }
}

impl DaTrailMax {
    /// A search that plans on the map where the robber survives no longer than `threshold` plies on
    /// abstract levels (10 in the thesis). Choices at random depend on `seed`.
    #[must_use]
    pub fn new(threshold: u16, seed: u64) -> Self {
        Self {
            descent: Descent::new(Turnwise::default(), threshold, seed),
        }
    }

    /// From now on a search looks so many turns ahead, on an abstract level so many of its steps as are
    /// about as long; 0 for as far as it goes. Where the robber is free for longer it runs to where the nearest
    /// cop is farthest. Against cops that are no faster than it a robber is often free all over the map:
    /// to look all over costs a hundred times as much there.
    pub const fn limit_turns(&mut self, turns: u32) {
        self.descent.racer.turns = turns;
        self.descent.racer.ground.limit_turns(turns);
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

    /// Starts the search for a state, the robber to move, forgetting the one before. Without a
    /// hierarchy it is `TrailMax` on the map. Cops that have no way to the robber are left out, at
    /// the cost of a step a level.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, state: &State<'_>) {
        let racer = &mut self.descent.racer;
        racer.robber = state.robber.speed;
        racer.cops.clear();
        racer.cops.extend(state.cops.iter().map(|cop| cop.speed));
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
    /// levels, on the map as [`TrailMax::best_so_far`], and the path once the search is done.
    pub fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        self.descent.best_so_far(graph, path);
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
        self.descent.finish(graph, hierarchy);
        self.path()
    }

    /// The vertices to step on, without the start; empty while the search runs. After the last one
    /// the robber waits there, if the path is not cut off after the steps that were asked for.
    #[must_use]
    pub fn path(&self) -> &[Vertex] {
        self.descent.path()
    }

    /// What the path is worth if the robber keeps to it, known where it was planned on the map
    /// itself or where no cop can come.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.descent.racer.ground.plan() {
            Some(plan) if self.descent.is_done_on_map() => Some(plan.outcome),
            _ => None,
        }
    }

    /// The level on which the path was planned.
    #[must_use]
    pub const fn level(&self) -> usize {
        self.descent.level()
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
