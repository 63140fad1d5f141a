//! The rung of guides: tables of similar games.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// An exact table of a similar game: on the free-running clock, the game of the nearest whole-number
/// speeds; in turns, for robbers, the game on an abstract level of the map.
pub(super) struct Guide;

impl Rung for Guide {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        if scene.clock == PursuitClock::Turns {
            let decision = scene.tables.guides.decision(scene.id).ok_or(None)?;
            tools.way.extend_from_slice(decision.way());
            return Ok(Answer {
                value: decision.value,
                ..Answer::by(Source::Guide)
            });
        }
        let (way, _) = scene.tables.decision(scene.id)?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            why: Some(Reason::None),
            ..Answer::by(Source::Guide)
        })
    }
}
