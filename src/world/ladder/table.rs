//! The first rung: an exact table of the map and the rules.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// An exact table of the current map for exactly these rules: optimal play.
pub(super) struct Table;

impl Rung for Table {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        if scene.clock != PursuitClock::Turns {
            return Err(None);
        }
        if let Some(why) = scene.tables.why_fewer() {
            return Err(Some(why));
        }
        let (way, value) = scene.tables.decision(scene.id)?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            value: Some(value),
            why: Some(Reason::None),
            ..Answer::by(Source::Table)
        })
    }
}
