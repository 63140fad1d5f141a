//! The rung of local endgames: the cops keep a proven bound.

use super::{Answer, Rung, Scene, Tools};
use crate::game::Side;
use crate::policy::Source;
use crate::world::state::Reason;

/// A local table that proves the capture on the whole map, whatever its size, for the cops that the proof needs. A
/// proof that leaves cops out has been compared with the plan of all cops before. If a local table proves that the
/// robber is safe, the cops continue with their plans and report this.
pub(super) struct Endgame;

impl Rung for Endgame {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        if scene.side() != Side::Cops {
            return Err(None);
        }
        let why = scene.endgames.is_safe().then_some(Reason::Escapes);
        let (way, value) = scene.endgames.decision(scene.id).ok_or(why)?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            value: Some(value),
            ..Answer::by(Source::Endgame)
        })
    }
}
