//! The rung of tables of fewer cops: the cops keep the capture time of their best subset.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::state::Reason;

/// An exact table of the current map for fewer cops, where no table for all cops is available. Its value is mostly a
/// bound.
pub(super) struct SubsetTable;

impl Rung for SubsetTable {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let why = scene.tables.why_fewer().ok_or(None)?;
        let (way, value) = scene.tables.decision(scene.id)?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            value: Some(value),
            why: Some(why),
            ..Answer::by(Source::SubsetTable)
        })
    }
}
