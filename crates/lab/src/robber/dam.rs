//! A robber that plans minimax on abstract levels.

use super::greedy::turns;
use super::one_move::OneMove;
use crate::RobberPolicy;
use crate::search::Minimax;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_engine::search::{Dice, LevelPath, Refiner, SlicedSearch as _};

/// The part of an abstract plan that the robber carries out on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Refinement {
    /// The robber heads for the end of the whole plan.
    #[default]
    Plan,
    /// The robber heads for the end of the plan's first move.
    OneStep,
}

/// Dynamic Abstract Minimax: looks d plies ahead on an abstract level, and then on lower and lower
/// levels until it finds one where the robber is not captured: `DAM(f, d)` of V. Bulitko and N.
/// Sturtevant, and `DAM1(f, d)`, both as in C. Moldenhauer's thesis, sections 5.2 and 5.5.1.
///
/// It starts at the fraction f of the levels on which robber and cops are apart. The goal is a random
/// vertex of the map below the end of the plan, and the robber goes towards it by PRA* ([`Refiner`]) for
/// one turn. Without a hierarchy, or if the robber cannot avoid capture on any abstract level, it
/// searches the map itself, like the robber `minimax`.
///
/// For any number of cops of any speeds: a level is used only if no cop shares the robber's vertex
/// there. Cost: that of [`Minimax`] on each level tried, and that of a path.
#[derive(Debug, Clone)]
pub struct DamRobber {
    fraction: f32,
    depth: u8,
    refinement: Refinement,
    search: Minimax,
    refiner: Refiner,
    dice: Dice,
    /// The cops on the level being searched.
    cops: Vec<Agent>,
    one_move: OneMove,
    effort: Effort,
}

impl DamRobber {
    /// Starts at `fraction` (from 0 to 1) of the levels on which robber and cops are apart and looks
    /// `depth` plies ahead on each, at least one.
    #[must_use]
    pub fn new(fraction: f32, depth: u8, refinement: Refinement) -> Self {
        Self {
            fraction: fraction.clamp(0.0, 1.0),
            depth: depth.max(1),
            refinement,
            search: Minimax::new(),
            refiner: Refiner::new(),
            dice: Dice::new(0),
            cops: Vec::new(),
            one_move: OneMove::default(),
            effort: Effort::default(),
        }
    }

    /// Decides by an abstract level on which the search sees no capture. Returns `false` if there is no
    /// such level.
    fn by_level(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        state: &State<'_>,
        decision: &mut Decision,
    ) -> bool {
        let apart = (0..hierarchy.levels()).take_while(|&level| {
            let robber = hierarchy.ancestor(state.robber.at, level);
            let is_apart = |cop: &Agent| hierarchy.ancestor(cop.at, level) != robber;
            robber.is_some() && state.cops.iter().all(is_apart)
        });
        let highest = apart.count().saturating_sub(1);
        let start = (highest as f32 * self.fraction) as usize;
        for level in (1..=start).rev() {
            if self.survives_on(hierarchy, level, state) {
                self.head_for_plan(graph, hierarchy, level, state, decision);
                return true;
            }
        }
        false
    }

    /// Searches an abstract level. Returns whether the robber can avoid capture there.
    fn survives_on(&mut self, hierarchy: &Hierarchy, level: usize, state: &State<'_>) -> bool {
        let on_level = |agent: &Agent| {
            let at = hierarchy.ancestor(agent.at, level)?;
            Some(Agent { at, ..*agent })
        };
        self.cops.clear();
        // A cop without a vertex in the hierarchy stands in a wall and is no threat.
        self.cops.extend(state.cops.iter().filter_map(on_level));
        let Some((network, robber)) = hierarchy.level(level).zip(on_level(&state.robber)) else {
            return false;
        };
        let state = State {
            robber,
            cops: &self.cops,
            ..*state
        };
        let distance = |robber: Vertex, cop: &Agent| {
            let (a, b) = (network.position(robber), network.position(cop.at));
            let norm = (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            let turns = turns(norm.ceil() as u32, cop.speed);
            turns.max(u32::from(robber != cop.at))
        };
        let plies = self.search.solve(network, &state, self.depth, distance);
        self.effort.work += self.search.work();
        plies > u32::from(self.depth)
    }

    /// Decides to follow a path towards the end of the plan of a level.
    fn head_for_plan(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        level: usize,
        state: &State<'_>,
        decision: &mut Decision,
    ) {
        let Self { refiner, dice, .. } = self;
        let start = state.robber.at;
        match (self.refinement, self.search.line()) {
            (Refinement::OneStep, [first, ..]) => {
                refiner.refine(
                    graph,
                    hierarchy,
                    LevelPath::new(level, &[*first]),
                    start,
                    usize::MAX,
                    dice,
                );
            }
            (_, line) => {
                let last = line.last().copied();
                let goal = last.and_then(|last| descendant(hierarchy, level, last, dice));
                refiner.find(graph, Some(hierarchy), start, goal.unwrap_or(start));
            }
        }
        self.effort.work += refiner.work();
        decision.take(refiner.path(), state.robber.speed, Source::Search);
    }

    /// Decides on the map itself.
    fn by_map(&mut self, graph: &Graph, state: &State<'_>, decision: &mut Decision) {
        let distance = |robber: Vertex, cop: &Agent| {
            turns(graph.cell(robber).max_norm(graph.cell(cop.at)), cop.speed)
        };
        self.search.solve(graph, state, self.depth, distance);
        self.effort.work += self.search.work();
        let end = self.search.line().first().copied();
        let end = end.unwrap_or(state.robber.at);
        self.one_move.go(graph, state, decision, end);
    }
}

/// A random vertex of the map below an abstract vertex.
fn descendant(
    hierarchy: &Hierarchy,
    level: usize,
    vertex: Vertex,
    dice: &mut Dice,
) -> Option<Vertex> {
    (1..=level).rev().try_fold(vertex, |vertex, level| {
        dice.pick(hierarchy.children(level, vertex))
    })
}

impl RobberPolicy for DamRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        self.effort = Effort {
            planned: true,
            ..Effort::default()
        };
        let is_decided = ground
            .abstraction()
            .is_some_and(|hierarchy| self.by_level(ground.graph, hierarchy, state, decision));
        if !is_decided {
            self.by_map(ground.graph, state, decision);
        }
        self.effort
    }

    fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }
}
