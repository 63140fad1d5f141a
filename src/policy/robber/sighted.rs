//! A robber that sees only a part of the map.

use super::beliefs::Beliefs;
use super::known_map::KnownMap;
use super::sight::LimitedSight;
use crate::game::State;
use crate::graph::{Graph, Vertex};
use crate::policy::{Decision, Effort, Ground, RobberPolicy, Source};

/// A robber of limited sight. It decides by the part of the map and the cops that it sees, and by
/// assumptions about the rest (C. Moldenhauer, *Game tree search algorithms for the game of cops and
/// robber*, 2009, end of section 5.4).
///
/// It plans on the map that it knows, where unknown cells are free unless its [`LimitedSight`] says
/// otherwise. It notices edits when it sees them, and its paths end before a wall that it did not know
/// of. It waits while it knows of no cop.
///
/// Abstraction and guide belong to the real map, so the policy gets them only while the robber knows the whole map.
/// Restart the robber for another map. It identifies cops by their order in the state.
///
/// Cost in addition to that of the policy: if it sees through walls, twice the side of the window for a
/// step, and all cells of the window after an edit anywhere; otherwise a line of sight to each cell of
/// the window in each turn. All cells of the map in the first turn, and after a cell has become passable
/// for the first time. Memory: a graph of the map.
#[derive(Debug, Clone)]
pub struct SightedRobber<P> {
    policy: P,
    sight: LimitedSight,
    known: Option<KnownMap>,
    beliefs: Beliefs,
    effort: Effort,
}

impl<P: RobberPolicy> SightedRobber<P> {
    /// Limits the sight of `policy` to `sight`.
    pub fn new(policy: P, sight: LimitedSight) -> Self {
        Self {
            policy,
            sight,
            known: None,
            beliefs: Beliefs::default(),
            effort: Effort::default(),
        }
    }

    /// The map as the robber knew it in its last turn, with the vertex numbers of the real map; `None`
    /// before its first turn.
    #[must_use]
    pub fn known(&self) -> Option<&Graph> {
        self.known.as_ref().map(KnownMap::graph)
    }
}

impl<P: RobberPolicy> RobberPolicy for SightedRobber<P> {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) {
        let (real, sight) = (ground.graph, self.sight);
        let known = self.known.take().filter(|known| known.is_of(real));
        let known = known.unwrap_or_else(|| KnownMap::new(real, sight.beyond));
        let known = self.known.insert(known);
        let view = known.update(real, state.robber.at, sight);
        let graph = known.graph();
        self.beliefs.update(real, state, view, sight.memory);
        let cops = self.beliefs.cops(graph);
        if cops.is_empty() && !state.cops.is_empty() {
            self.effort = Effort::default();
            decision.take(&[], state.robber.speed, Source::Greedy);
            return;
        }
        let knows_map = graph.fingerprint() == real.fingerprint();
        let knows_all = knows_map && cops == state.cops;
        let ground = if knows_map { ground } else { graph.into() };
        self.policy
            .decide(ground, &State { cops, ..*state }, decision);
        self.effort = self.policy.effort();
        if !knows_all {
            decision.value = None;
        }
        cut(decision, real, state.robber.at);
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn restart(&mut self, seed: u64) {
        self.policy.restart(seed);
        self.known = None;
        self.beliefs.forget();
    }
}

/// Cuts a path off before the first step that the real map does not allow.
fn cut(decision: &mut Decision, real: &Graph, from: Vertex) {
    let mut at = from;
    let is_step = |next: &&Vertex| {
        let linked = real.are_adjacent(at, **next);
        at = **next;
        linked
    };
    let steps = decision.path.iter().take_while(is_step).count();
    decision.path.truncate(steps);
    decision.steps = decision.steps.min(steps);
}
