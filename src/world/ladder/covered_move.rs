//! The rung of cops that cover the moves of a robber which chooses at the same time.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::state::Reason;

/// The share of a cop in the moves of its robber, on the clock on which both sides choose simultaneously.
pub(super) struct CoveredMove;

impl Rung for CoveredMove {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let end = scene.covered.end_of(scene.id).ok_or(None)?;
        let from = scene.from.ok_or(None)?;
        let graph = &scene.board.graph;
        let ends = tools.ends.find(graph, from, scene.speed, |_| false);
        if end != from && !ends.contains(&end) {
            return Err(None);
        }
        tools.ends.way_to(end, &mut tools.way);
        tools.count();
        Ok(Answer::by(Source::Search))
    }
}
