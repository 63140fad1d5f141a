//! The ladder: the sources of a decision, best first.
//!
//! Each source is a [`Rung`] with a file of its own, which has everything that belongs to it: what it remembers, how it
//! finds moves, what it works on ahead, and how it follows the map. [`Rungs`] lists them, and is the only order.
//!
//! A side is asked for as a whole first ([`Ladder::find`]): a rung [finds](Rung::find) moves, a proof or a reason as long
//! as no better rung has decided. Then each agent that moves takes the first move that was found for it, or that a rung
//! finds for it alone ([`Rung::answer`]). The reason shown to the game is the one given by the rung before it.

mod covered_move;
mod endgame;
mod exact;
pub(super) mod finding;
mod greedy;
mod guide;
mod look_around;
mod means;
mod mistake;
mod mixed_table;
mod scene;
mod search;
mod stale;
mod subset_table;
mod table;
mod whole_table;

pub(super) use endgame::SavedLocalEndgames;
pub(super) use exact::SavedExact;
pub(super) use finding::{Basis, Finding, Findings, KeptBound, Moves, Proof, ProofKind, TableUse};
pub(super) use greedy::NEAR;
pub(super) use means::Means;
pub(super) use mistake::Erring;
pub(super) use scene::{Answer, Scene, Tools, choose};

use super::board::Board;
use super::claims::Claims;
use super::purse::Purse;
use super::snapshot::Snapshot;
use super::state::Reason;
use super::view::{Positions, View};
use crate::policy::Source;
use crate::table_cache::TableCache;

/// Declares the rungs, the best first. The last one always answers.
macro_rules! rungs {
    ($($name:ident: $rung:ident,)+) => {
        /// The rungs.
        #[derive(Debug, Default)]
        pub(super) struct Rungs {
            $(pub(super) $name: $name::$rung,)+
        }

        /// The number of rungs.
        const RUNGS: usize = [$(stringify!($name)),+].len();

        impl Rungs {
            pub(super) fn list(&self) -> [&dyn Rung; RUNGS] {
                [$(&self.$name),+]
            }

            pub(super) fn list_mut(&mut self) -> [&mut dyn Rung; RUNGS] {
                [$(&mut self.$name),+]
            }
        }
    };
}

rungs! {
    mixed_table: MixedTable,
    covered_move: CoveredMove,
    table: Table,
    subset_table: SubsetTable,
    exact: Exact,
    endgame: Endgame,
    guide: Guide,
    search: Search,
    stale: Stale,
    look_around: LookAround,
    greedy: Greedy,
}

/// One source of moves, with everything that belongs to it.
pub(super) trait Rung {
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
    fn work_ahead(&mut self, _board: &Board, _positions: &mut Positions, _purse: &mut Purse<'_>) {}

    /// Drops what the edits of this tick make untrue.
    fn follow_edits(&mut self, _board: &Board, _cache: &mut TableCache) {}

    /// Drops what belongs to the previous map.
    fn take_map(&mut self, _board: &Board) {}

    /// Writes what it has to remember into its field of a snapshot.
    fn save(&self, _snapshot: &mut Snapshot) {}

    /// Continues from a snapshot.
    fn restore(&mut self, _snapshot: &Snapshot) {}
}

/// The rungs, and the memory in which they are asked.
#[derive(Debug, Default)]
pub(super) struct Ladder {
    pub(super) rungs: Rungs,
    claims: Claims,
}

impl Ladder {
    /// Asks the rungs for the moves of a side, the best first, until one decides. `for_cops`: what was found for the
    /// cops, if a robber is to move.
    pub(super) fn find(
        &mut self,
        view: View<'_>,
        for_cops: Option<&Findings>,
        means: &mut Means<'_, '_>,
    ) -> Findings {
        let mut found = Findings::none();
        for (place, rung) in self.rungs.list_mut().into_iter().enumerate() {
            let (better, rest) = found.0.split_at_mut(place);
            let view = view.for_rung(better, for_cops.map(|found| &found.0[place]));
            rest[0] = rung.find(&view, means);
            if matches!(rest[0], Finding::Decides(..)) {
                break;
            }
        }
        found
    }

    /// Weighs what was found for the cops of a pursuit, if nobody has decided for them, against the plans that they have
    /// made since, and asks for a proof for these plans.
    pub(super) fn weigh(
        &mut self,
        view: &View<'_>,
        found: &mut Findings,
        means: &mut Means<'_, '_>,
    ) {
        if !self.claims.weigh(view, found, means) {
            return;
        }
        for (place, rung) in self.rungs.list_mut().into_iter().enumerate() {
            let finding = rung.find_for_plans(view, means);
            if matches!(finding, Finding::Proves(_)) {
                found.drop_local_proof();
                found.0[place] = finding;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of several rungs has the place of the last one. A mistake takes the place of a move that was found.
    #[test]
    fn sources_have_the_order_of_the_rungs() {
        let sources = Rungs::default().list().map(Rung::source);
        let is_last = |&(place, source): &(usize, &Source)| !sources[place + 1..].contains(source);
        let order = sources.iter().enumerate().filter(is_last);
        let order = order.map(|(_, &source)| source).chain([Source::Mistake]);
        assert_eq!(order.collect::<Vec<_>>(), Source::ALL);
    }
}
