//! The rung of positions that were worked out exactly.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::state::Reason;

/// The exact solution of the present position, without a table: optimal play as long as both sides follow it. If a
/// robber has left the optimal line, the cops keep the bound that was proven before.
pub(super) struct Exact;

impl Rung for Exact {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let (way, value) = scene.exact.decision(scene.id).ok_or(None)?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            value: Some(value),
            ..Answer::by(Source::Exact)
        })
    }
}
