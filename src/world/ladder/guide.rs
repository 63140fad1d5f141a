//! The rung of guides: tables of similar games.

use super::{Answer, Rung, Scene, Tools};
use crate::game::Side;
use crate::policy::Source;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// An exact table of a similar game. On the free-running clock, it is the game of the nearest whole-number speeds. On
/// the `Turns` clock, it is the game on an abstract level of the map for robbers, and the game on a retract for two
/// cops whose plan would not keep to the bound that they have announced. On the `Simultaneous` clock, it is the game in
/// which the sides move one after the other.
pub(super) struct Guide;

impl Rung for Guide {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        if let Some((end, value)) = scene.retract.decision(scene.id) {
            tools
                .way
                .extend(Some(end).filter(|_| scene.from != Some(end)));
            return Ok(Answer {
                value: Some(value),
                ..Answer::by(Source::Guide)
            });
        }
        if scene.clock == PursuitClock::Turns {
            // Levels are guides of robbers only.
            if scene.side() == Side::Cops {
                return Err(None);
            }
            let decision = scene.tables.guided.decision(scene.id).ok_or(None)?;
            tools.way.extend_from_slice(decision.way());
            return Ok(Answer {
                value: decision.value,
                ..Answer::by(Source::Guide)
            });
        }
        // Where both sides choose simultaneously, the reason stays that of the table of mixed strategies.
        let is_free = scene.clock == PursuitClock::FreeRunning;
        let found = scene.tables.decision(scene.id);
        let (way, _) = found.map_err(|why| is_free.then_some(why))?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            why: is_free.then_some(Reason::None),
            ..Answer::by(Source::Guide)
        })
    }
}
