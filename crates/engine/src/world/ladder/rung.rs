//! What every rung of the ladder is: one source of moves.

use super::finding::Finding;
use super::means::Means;
use super::scene::{Answer, Scene, Tools};
use crate::policy::Source;
use crate::table_cache::TableCache;
use crate::world::facts::Facts;
use crate::world::purse::Purse;
use crate::world::snapshot::Snapshot;
use crate::world::state::Reason;
use crate::world::view::{View, ViewMemory};

/// One source of moves, with everything that belongs to it.
pub(in crate::world) trait Rung {
    /// The source that the game sees.
    fn source(&self) -> Source;

    /// Finds moves for a side. Called only while no better rung has decided.
    fn find(&mut self, _view: &View<'_>, _means: &mut Means<'_, '_>) -> Finding {
        Finding::Nothing(None)
    }

    /// Finds a proof for the moves that cops have planned, or moves that keep it instead. Called only if nobody has
    /// decided for them, and they would follow it.
    fn find_for_plans(&mut self, _view: &View<'_>, _means: &mut Means<'_, '_>) -> Finding {
        Finding::Nothing(None)
    }

    /// Writes a move for the agent of a scene into `tools.way`, which is empty, or returns the reason why it has none:
    /// `None` if the reason should not be shown to the game. Moves are legal on the live graph.
    fn answer(&self, _scene: &Scene<'_>, _tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        Err(None)
    }

    /// Works on coming turns, after all agents have moved. `positions`: memory for the views of pursuits.
    fn work_ahead(&mut self, _facts: &Facts, _positions: &mut ViewMemory, _purse: &mut Purse<'_>) {}

    /// Drops what the edits of this tick make untrue.
    fn follow_edits(&mut self, _facts: &Facts, _cache: &mut TableCache) {}

    /// Drops what belongs to the previous map.
    fn take_map(&mut self, _facts: &Facts) {}

    /// Writes what it has to remember into its field of a snapshot.
    fn save(&self, _snapshot: &mut Snapshot) {}

    /// Returns whether its field of a snapshot could come from a real game; if not, the name of that field.
    fn check(&self, _snapshot: &Snapshot) -> Result<(), &'static str> {
        Ok(())
    }

    /// Continues from a snapshot.
    fn restore(&mut self, _snapshot: &Snapshot) {}
}
