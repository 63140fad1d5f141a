//! The rung of inexact tables: a table of a similar game guides the free-running clock.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// An exact table of a similar game: on the free-running clock, the game of the nearest whole-number
/// speeds.
pub(super) struct Guide;

impl Rung for Guide {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        if scene.clock != PursuitClock::FreeRunning {
            return Err(None);
        }
        let (way, _) = scene.tables.decision(scene.id)?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            why: Some(Reason::None),
            ..Answer::by(Source::Guide)
        })
    }
}
