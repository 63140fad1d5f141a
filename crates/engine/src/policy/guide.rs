//! Exact solutions of abstract levels, used as estimates for the map.

mod choice;
mod field;

pub(crate) use choice::GuideChoice;

use crate::abstraction::{AbstractLevel, Hierarchy, Lineage};
use crate::game::{JointMoves, JointOrder, Outcome, Rules, State, Turns};
use crate::graph::{Digraph, Graph, Network as _, Vertex};
use crate::table::{Arena, CaptureTimes as _, Progress, Solution, SolveError, Solver};
use field::GuideField;
use std::sync::Arc;

/// The value of an escape, in turns of the abstract game.
const NEVER: f32 = 1000.0;

/// The number of abstract vertices blended for each cop, indexed by the number of cops. A reading looks up a value for
/// every combination, so these numbers multiply. With more cops than listed, only the abstract vertex of each cop
/// counts.
const BLENDS: [usize; 3] = [0, usize::MAX, 3];

/// The exact solution of the game on an abstract level of a map, used as a guide on the map itself.
///
/// `TrailMax` computes how long a robber survives if the cops know its path beforehand. It cannot tell how much longer
/// the robber survives because the cops do not know the path: around an obstacle, or between two exits. That gain
/// depends on the shape of the whole map but hardly on single cells, and the levels of a clique abstraction preserve
/// the shape. With one cop, the table of a level with a quarter of the vertices takes a sixteenth of the memory; with a
/// sixteenth of the vertices, it takes a 256th. Capture times of the level are interpolated linearly between the
/// positions of abstract vertices, so that they differ from cell to cell of the map.
///
/// A guide applies only to the graph and the hierarchy that it was solved for. Own work, not from the
/// papers.
#[derive(Debug, Clone)]
pub struct Guide {
    level: usize,
    lineage: Lineage,
    solution: Arc<Solution>,
}

/// Solves a [`Guide`], in slices or at once.
#[derive(Debug)]
pub struct GuideSolver {
    level: usize,
    lineage: Lineage,
    solver: Solver,
}

impl GuideSolver {
    /// Begins to solve the finest level above the map on which the game has at most `positions`
    /// positions (vertices to the power of the number of agents) and fits into `limit` bytes. `None` if
    /// no such level has an edge.
    ///
    /// Memory: about 3 bytes per position while solving, 1 afterwards.
    ///
    /// # Errors
    /// If the solver refuses every level: the error of [`Solver::new`] for the coarsest one.
    pub fn new(
        hierarchy: &Hierarchy,
        rules: Rules,
        positions: u64,
        limit: u64,
    ) -> Result<Option<Self>, SolveError> {
        let agents = u32::from(rules.cops.get()) + 1;
        let fits = |level: &AbstractLevel| {
            let all = (level.slots() as u64).checked_pow(agents);
            level.edges() > 0 && all.is_some_and(|all| all <= positions)
        };
        let levels = (1..hierarchy.levels()).filter_map(|at| Some((at, hierarchy.level(at)?)));
        let mut refused = None;
        for (level, network) in levels.filter(|(_, level)| fits(level)) {
            let Some(arena) = arena_of(network) else {
                continue;
            };
            match Solver::new(arena.into(), rules, limit) {
                Ok(solver) => {
                    return Ok(Some(Self {
                        level,
                        lineage: hierarchy.lineage(),
                        solver,
                    }));
                }
                // A coarser level needs less memory.
                Err(error) => refused = Some(error),
            }
        }
        refused.map_or(Ok(None), Err)
    }

    /// Returns whether the level is fine enough to help two cops. Coarser levels only help robbers.
    #[must_use]
    pub const fn helps_cops(&self) -> bool {
        self.level <= Guide::COARSEST_FOR_COPS
    }

    /// Solves to the end, or until `go_on` returns `false`.
    pub fn run(&mut self, go_on: impl FnMut(Progress) -> bool) -> Progress {
        self.solver.run(go_on)
    }

    /// The guide; `None` until it is solved.
    #[must_use]
    pub fn finish(self) -> Option<Guide> {
        Some(Guide {
            level: self.level,
            lineage: self.lineage,
            solution: self.solver.finish()?.into(),
        })
    }
}

/// The places of a level of an abstraction.
fn arena_of(network: &AbstractLevel) -> Option<Arena> {
    let edges = network.iter().flat_map(|tail| {
        let heads = network.neighbours(tail).iter();
        heads.map(move |head| (tail.index() as u32, head.index() as u32))
    });
    let edges: Vec<(u32, u32)> = edges.collect();
    // Always possible: the neighbours of a vertex are on its level.
    let graph = Digraph::undirected(network.slots() as u32, &edges).ok()?;
    Some(Arena::of_digraph(&graph))
}

impl Guide {
    /// What a guide by this level is solved on; `None` if there is no such level. Cost: linear in its edges.
    pub(crate) fn arena(hierarchy: &Hierarchy, level: usize) -> Option<Arena> {
        hierarchy.level(level).and_then(arena_of)
    }

    /// The guide by a solved level of the hierarchy of this lineage.
    pub(crate) const fn of_solution(
        level: usize,
        lineage: Lineage,
        solution: Arc<Solution>,
    ) -> Self {
        Self {
            level,
            lineage,
            solution,
        }
    }

    /// The number of vertices of the level that was solved.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.solution.places()
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.solution.rules()
    }

    /// Returns whether the guide was solved for the rules of this state.
    pub(crate) fn suits(&self, state: &State<'_>) -> bool {
        let rules = self.rules();
        Rules::of(state, rules.moves) == Some(rules)
    }

    /// The coarsest level that helps cops. With coarser levels, cops take longer than without a guide
    /// (docs/research/src/benchmarks.md): a single step to the wrong side costs cops a turn, but brings a robber only a little
    /// closer to its cops.
    pub(crate) const COARSEST_FOR_COPS: usize = 1;

    /// Returns whether the guide helps the cops of this state. There have to be two, and the guide has to be solved for
    /// these rules, on a level that is fine enough.
    pub(crate) fn helps_cops(&self, state: &State<'_>) -> bool {
        self.level <= Self::COARSEST_FOR_COPS && state.cops.len() == 2 && self.suits(state)
    }

    /// Returns whether the guide applies to the graph in its current state, with this hierarchy. A
    /// repaired hierarchy may group vertices differently, even if all edits were reverted.
    #[must_use]
    pub fn is_of(&self, graph: &Graph, hierarchy: &Hierarchy) -> bool {
        self.lineage == hierarchy.lineage() && hierarchy.fingerprint() == graph.fingerprint()
    }
}

/// Reads values of a [`Guide`] for a set of cops. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct GuideReader {
    robber: Blend,
    cops: Vec<Blend>,
    /// Enumerates the combinations of one place from the blend of each cop.
    joint: JointMoves,
    places: Vec<usize>,
}

/// Places of abstract vertices with their weights, which add up to 1.
type Blend = Vec<(usize, f32)>;

impl GuideReader {
    /// Sets the cops. Returns `false` if one of them has no vertex on the level.
    pub(crate) fn set_cops(
        &mut self,
        guide: &Guide,
        graph: &Graph,
        hierarchy: &Hierarchy,
        cops: impl ExactSizeIterator<Item = Vertex>,
    ) -> bool {
        let count = cops.len();
        self.cops.resize_with(count, Blend::new);
        for (blend, cop) in self.cops.iter_mut().zip(cops) {
            blend_at(guide, graph, hierarchy, cop, blend);
            if count > 1 {
                keep_largest(blend, BLENDS.get(count).copied().unwrap_or(1));
            }
        }
        self.cops.iter().all(|blend| !blend.is_empty())
    }

    /// An estimate, in turns on the map, of how long a robber at this vertex survives with the cops to
    /// move.
    pub(crate) fn turns(
        &mut self,
        guide: &Guide,
        graph: &Graph,
        hierarchy: &Hierarchy,
        robber: Vertex,
    ) -> f32 {
        blend_at(guide, graph, hierarchy, robber, &mut self.robber);
        let Self {
            robber,
            cops,
            joint,
            places,
        } = self;
        joint.start(JointOrder::FirstFastest, cops.iter().map(Vec::len));
        let mut turns = 0.0;
        while let Some(choices) = joint.advance() {
            let at = || {
                choices
                    .iter()
                    .zip(&*cops)
                    .map(|(&choice, blend)| blend[choice])
            };
            let share: f32 = at().map(|(_, share)| share).product();
            for &(robber, weight) in &*robber {
                places.clear();
                places.extend(at().map(|(place, _)| place));
                let value = guide.solution.value_at(robber, places);
                turns += share
                    * weight
                    * match value {
                        Some(Outcome::Caught(Turns(turns))) => f32::from(turns),
                        Some(Outcome::Escapes | Outcome::Away(_)) | None => NEVER,
                    };
            }
        }
        // A step on a level is about as long as two steps on the level below.
        turns * (1_u32 << guide.level.min(31)) as f32
    }
}

/// The abstract vertex that represents `at`, followed by its neighbours; nearer ones have greater
/// weights. Empty for a wall.
fn blend_at(guide: &Guide, graph: &Graph, hierarchy: &Hierarchy, at: Vertex, blend: &mut Blend) {
    /// The distance up to which a vertex of a level counts, in widths of a vertex. Measured: 1.0 to 2.0
    /// play equally well, smaller and greater values worse.
    const REACH: f32 = 1.5;
    blend.clear();
    let level = hierarchy.level(guide.level);
    let Some((level, own)) = level.zip(hierarchy.ancestor(at, guide.level)) else {
        return;
    };
    let [x, y] = hierarchy.position(graph, 0, at);
    let reach = REACH * (1_u32 << guide.level.min(31)) as f32;
    let mut sum = 0.0;
    for &vertex in std::iter::once(&own).chain(level.neighbours(own)) {
        let [there_x, there_y] = level.position(vertex);
        let weight = reach - (x - there_x).abs().max((y - there_y).abs());
        if weight > 0.0 || vertex == own {
            let weight = weight.max(f32::EPSILON);
            let place = guide.solution.arena().place(vertex);
            blend.extend(place.map(|place| (place, weight)));
            sum += weight;
        }
    }
    for (_, share) in blend.iter_mut() {
        *share /= sum;
    }
}

/// Keeps the `count` largest weights.
fn keep_largest(blend: &mut Blend, count: usize) {
    blend.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    blend.truncate(count);
    let sum: f32 = blend.iter().map(|(_, share)| share).sum();
    for (_, share) in blend.iter_mut() {
        *share /= sum;
    }
}
