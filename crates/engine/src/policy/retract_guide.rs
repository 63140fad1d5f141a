//! Exact solutions of retracts, used as estimates for the map.

use super::shadow::Shadows;
use crate::game::{Outcome, Rules, Speed, State, Turns};
use crate::graph::{Digraph, Fingerprint, Graph, Retract, Vertex};
use crate::table::{Arena, CaptureTimes as _, Estimate, Progress, Solution, SolveError, Solver};
use std::sync::Arc;

/// The value of an escape, in turns.
const NEVER: f32 = 1000.0;

/// The most vertices of a retract for a guide that is preferred, in eighths of the vertices of the map. Measured
/// (docs/research/src/benchmarks.md): the more vertices, the better the cops play. The table of seven eighths takes 67 % of the
/// memory of the map's table for two cops, and 59 % for three.
const MOST_EIGHTHS: usize = 7;

/// The places of this number of cops take no memory from the heap.
const FEW_COPS: usize = 4;

/// An exact solution of a [`Retract`] of a map, used as a guide on the map itself: the value of a position is the value
/// of the images of its agents.
///
/// A retract keeps what a robber lives on: the cycles round obstacles with their lengths. It leaves out what only
/// delays a capture: open ground and dead ends. A robber on the retract survives at least as long as the guide says
/// against any cops, since it could stay on the retract, where the images of the cops capture it no later than the cops
/// themselves. A robber elsewhere may survive for more or fewer turns, because the cops capture its image first. Own
/// work, from the theory of retracts: see [`Retract`].
///
/// For agents of speed 1, a guide also proves captures on the whole map: see [`bound`](Self::bound).
///
/// A guide applies only to the graph that it was solved for.
#[derive(Debug, Clone)]
pub struct RetractGuide {
    /// Its shadows are complete. `None` until they are found, and if there are too many.
    ground: RetractGround,
    solution: Arc<Solution>,
    /// The greatest value of all positions of the retract; `None` if the robber escapes from some position.
    longest: Option<u16>,
}

/// Solves a [`RetractGuide`], in slices or at once.
#[derive(Debug)]
pub struct RetractGuideSolver {
    ground: RetractGround,
    solver: Solver,
}

impl RetractGuideSolver {
    /// Begins to solve a retract of the map with as many vertices as possible: at most seven eighths of the map's
    /// vertices, or as few as the map can be folded to if these are more. The game on the retract has at most `positions`
    /// positions (vertices to the power of the number of agents) and fits into `limit` bytes as
    /// [estimated](Estimate::new). `None` if the map cannot be folded to such a size, or not at all.
    ///
    /// Memory: about 3 bytes per position while solving, 1 afterwards.
    ///
    /// # Errors
    /// If the solver needs more memory than estimated: the error of [`Solver::new`].
    pub fn new(
        graph: &Graph,
        rules: Rules,
        positions: u64,
        limit: u64,
    ) -> Result<Option<Self>, SolveError> {
        let agents = u32::from(rules.cops.get()) + 1;
        let fits = |&most: &usize| {
            let all = (most as u64).checked_pow(agents);
            let estimate = Estimate::new(most, &rules);
            all.is_some_and(|all| all <= positions)
                && estimate.is_ok_and(|estimate| estimate.within(limit).is_ok())
        };
        let [_, largest] = RetractGuide::most_vertices(graph);
        let most = (1..=largest).rev().find(fits).unwrap_or(0);
        let Some(mut ground) = RetractGround::new(graph, most) else {
            return Ok(None);
        };
        ground.find_shadows(graph, u64::MAX);
        Ok(Some(Self {
            solver: Solver::new(Arc::clone(&ground.arena), rules, limit)?,
            ground,
        }))
    }

    /// Solves to the end, or until `go_on` returns `false`.
    pub fn run(&mut self, go_on: impl FnMut(Progress) -> bool) -> Progress {
        self.solver.run(go_on)
    }

    /// The guide; `None` until it is solved.
    #[must_use]
    pub fn finish(self) -> Option<RetractGuide> {
        let solution = self.solver.finish()?;
        Some(RetractGuide::of_solution(self.ground, solution.into()))
    }
}

/// What a [`RetractGuide`] is solved on.
#[derive(Debug, Clone)]
pub(crate) struct RetractGround {
    /// The map.
    fingerprint: Fingerprint,
    pub(crate) arena: Arc<Arena>,
    /// For each vertex of the map the place of its image.
    places: Arc<[u32]>,
    /// As far as they are found; `None` if there are too many.
    pub(crate) shadows: Option<Arc<Shadows>>,
}

impl RetractGround {
    /// Folds a map until at most `most` vertices are left, and on to the preferred number if possible. `None` if it
    /// cannot be folded so far.
    pub(crate) fn new(graph: &Graph, most: usize) -> Option<Self> {
        // A map folds onto a part of itself only if steps lead both ways.
        if !graph.is_two_way() {
            return None;
        }
        let [preferred, _] = RetractGuide::most_vertices(graph);
        let retract = Retract::new(graph, most.min(preferred));
        let vertices = retract.vertices();
        if vertices.is_empty() || vertices.len() > most {
            return None;
        }
        let number = |vertex: Vertex| vertices.binary_search(&vertex).ok();
        let edges = vertices.iter().enumerate().flat_map(|(tail, &vertex)| {
            let heads = graph.neighbours(vertex).iter();
            heads.filter_map(move |&head| Some((tail as u32, number(head)? as u32)))
        });
        let edges: Vec<(u32, u32)> = edges.collect();
        let digraph = Digraph::undirected(vertices.len() as u32, &edges).ok()?;
        let place = |slot| {
            let image = retract.image(Vertex::from_index(slot)).and_then(number);
            image.map_or(u32::MAX, |number| number as u32)
        };
        Some(Self {
            fingerprint: graph.fingerprint(),
            // Its places are numbered as the vertices of the retract.
            arena: Arena::of_digraph(&digraph).into(),
            places: (0..graph.slots()).map(place).collect(),
            shadows: Shadows::new(graph, &retract).map(Arc::new),
        })
    }

    /// The number of shadows.
    pub(crate) fn shadows(&self) -> u64 {
        self.shadows.as_ref().map_or(0, |shadows| shadows.all())
    }

    /// Finds shadows until `most_shadows` are known. `graph` is the map.
    pub(crate) fn find_shadows(&mut self, graph: &Graph, most_shadows: u64) {
        if let Some(shadows) = &mut self.shadows {
            let known = shadows.all() - shadows.left() as u64;
            if known < most_shadows {
                // Nobody else holds them before they are complete.
                Arc::make_mut(shadows).advance(graph, most_shadows - known);
            }
        }
    }
}

impl RetractGuide {
    /// A guide from the solution of a retract. Without shadows, which have to be complete, it proves nothing.
    pub(crate) fn of_solution(ground: RetractGround, solution: Arc<Solution>) -> Self {
        let longest = (solution.escapes() == 0).then(|| solution.longest().0);
        Self {
            ground,
            solution,
            longest,
        }
    }

    /// The most vertices of a retract of a map that is used as a guide: the preferred number, and the number for maps
    /// that cannot be folded to it. A map that cannot be folded at all has no guide, since that would be the table of
    /// the map.
    pub(crate) fn most_vertices(graph: &Graph) -> [usize; 2] {
        let vertices = graph.vertices();
        [vertices * MOST_EIGHTHS / 8, vertices.saturating_sub(1)]
    }

    /// The number of vertices of the retract.
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

    /// Returns whether the guide applies to the graph in its current state.
    #[must_use]
    pub fn is_of(&self, graph: &Graph) -> bool {
        self.ground.fingerprint == graph.fingerprint() && self.ground.places.len() == graph.slots()
    }

    /// The place of the image of a vertex.
    pub(crate) fn place(&self, vertex: Vertex) -> Option<usize> {
        let place = *self.ground.places.get(vertex.index())?;
        (place != u32::MAX).then_some(place as usize)
    }

    /// The value of the images of a position, with the cops to move. A robber on the retract survives at least this
    /// number of turns on the map. `None` for walls, vertices of other maps and another number of cops. Time: k log k
    /// for k cops.
    #[must_use]
    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<Outcome> {
        let robber = self.place(robber)?;
        let (mut few, mut many) = ([0; FEW_COPS], Vec::new());
        let places = if let Some(places) = few.get_mut(..cops.len()) {
            places
        } else {
            many.resize(cops.len(), 0);
            &mut many
        };
        for (place, &cop) in places.iter_mut().zip(cops) {
            *place = self.place(cop)?;
        }
        self.solution.value_at(robber, places)
    }

    /// The number of turns within which the cops capture the robber on the map, whatever it does, with the cops to
    /// move. `None` if nothing is proven, for agents of another speed than 1, another number of cops, and another graph.
    ///
    /// Cops on the retract first catch the image of the robber by following the solution. Then the cop that has caught
    /// the image goes from image to image until it stands on the robber, which takes at most one step more for each
    /// fold. Cops elsewhere first enter the retract. In each turn there are moves after which the bound is lower,
    /// whatever the robber replies; the moves of the solution are among them. The bound is not tight: on maps of some
    /// hundred vertices it is 1.3 times the value where all cops are on the retract.
    ///
    /// Source: A. Berarducci and B. Intrigila, *On the cop number of a graph* (1993): a map has the cop number of its
    /// retract. Cost: the cost of [`value`](Self::value), and some steps for each fold of the robber's vertex.
    #[must_use]
    pub fn bound(&self, graph: &Graph, robber: Vertex, cops: &[Vertex]) -> Option<Turns> {
        let rules = self.rules();
        let is_slow = rules.cop_speed == Speed::ONE && rules.robber_speed == Speed::ONE;
        if !is_slow || !self.is_of(graph) {
            return None;
        }
        let shadows = self.ground.shadows.as_ref()?;
        let by_shadow = cops
            .iter()
            .filter_map(|&cop| shadows.turns(graph, robber, cop));
        let away = cops.iter().map(|&cop| shadows.steps_away(cop));
        let to_shadow = match (away.fold(0, u16::saturating_add), self.value(robber, cops)?) {
            // A cop that has the image within its reach does not have to catch it first.
            (0, Outcome::Caught(Turns(turns))) => Some(turns.saturating_sub(1)),
            (0, Outcome::Escapes | Outcome::Away(_)) => None,
            (away, _) => self.longest.map(|longest| longest.saturating_add(away)),
        };
        let by_solution = to_shadow.map(|turns| turns.saturating_add(shadows.most_turns()));
        let least = by_shadow.chain(by_solution).min()?;
        (least < u16::MAX).then_some(Turns(least))
    }

    /// The value of a position of images by their places, the cops to move, in turns. Sorts the cops.
    pub(crate) fn turns(&self, robber: usize, cops: &mut [usize]) -> f32 {
        match self.outcome(robber, cops) {
            Some(Outcome::Caught(Turns(turns))) => f32::from(turns),
            Some(Outcome::Escapes | Outcome::Away(_)) | None => NEVER,
        }
    }

    /// The value of a position of images by their places, the cops to move. Sorts the cops.
    pub(crate) fn outcome(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome> {
        self.solution.value_at(robber, cops)
    }
}
