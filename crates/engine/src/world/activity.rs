//! What an agent does, in the words of a game: computed from what was decided for it.

use super::agent::Errand;
use super::ladder::scene::{Answer, Scene};
use super::state::{Activity, Reason};
use crate::game::Side;
use crate::graph::Vertex;
use crate::policy::Source;

impl Activity {
    pub(super) const fn by_errand(errand: Errand) -> Self {
        match errand {
            Errand::Walking => Self::OnErrand,
            Errand::Arrived => Self::Waiting,
            Errand::NoWay => Self::Stuck,
        }
    }

    /// Of an agent whose policy has found the move `way`. Cost: a few distances.
    pub(super) fn by_policy(scene: &Scene<'_>, answer: &Answer, way: &[Vertex]) -> Self {
        let reason = answer.why.unwrap_or(Reason::None);
        let is_robber = scene.agent.side() == Side::Robber;
        let searches = answer.source == Source::LookAround || !scene.sees;
        let has_no_way = !is_robber && way.is_empty() && reason == Reason::NoWay;
        if scene.from.is_none() || has_no_way {
            Self::Stuck
        } else if !is_robber && searches {
            Self::Searching
        } else if way.is_empty() {
            Self::Waiting
        } else if is_robber {
            Self::Fleeing
        } else if heads_for_robber(scene, answer, way) {
            Self::Chasing
        } else {
            Self::CuttingOff
        }
    }
}

/// Whether a cop goes to its robber: its plan ends there, or its move brings it nearer as the crow flies. (A path around a
/// wall that does neither is taken for one that cuts the robber off.)
fn heads_for_robber(scene: &Scene<'_>, answer: &Answer, way: &[Vertex]) -> bool {
    let graph = scene.graph;
    let Some(&robber) = scene.enemies.first() else {
        return false;
    };
    let plan = scene.from.filter(|_| answer.planned > 0);
    let end = plan.and_then(|from| scene.agent.plan.rest(from)?.last());
    if end.is_some_and(|&end| graph.cell(end) == robber) {
        return true;
    }
    let moved = way.last().map(|&end| graph.cell(end).max_norm(robber));
    moved.is_some_and(|after| after < scene.agent.setup.cell.max_norm(robber))
}
