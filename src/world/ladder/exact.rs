//! The rung of positions that were worked out exactly.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::state::Reason;

/// The present position worked out, without a table: optimal play as long as both sides keep to it. After a robber
/// has strayed, the cops keep the bound that was proven before.
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
