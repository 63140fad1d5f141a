//! The first rung where both sides choose simultaneously: a table of mixed strategies.

use super::{Answer, Rung, Scene, Tools};
use crate::policy::Source;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// A move drawn from a table of mixed strategies of the current map, for exactly these rules: an opponent that knows
/// the table, but not the draw, gains nothing. A drawn move has no value of its own: the table bounds only the mean
/// over all draws.
pub(super) struct MixedTable;

impl Rung for MixedTable {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        if scene.clock != PursuitClock::Simultaneous {
            return Err(None);
        }
        let way = scene.tables.mixed.decision(scene.id, scene.side())?;
        tools.way.extend_from_slice(way);
        Ok(Answer {
            why: Some(Reason::None),
            ..Answer::by(Source::MixedTable)
        })
    }
}
