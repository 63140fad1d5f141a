//! The rung of exact tables of the map and the rules.

use super::finding::{Basis, Finding};
use super::means::Means;
use super::rung::Rung;
use super::whole_table::WholeTable;
use crate::policy::Source;
use crate::table_cache::TableCache;
use crate::world::facts::Facts;
use crate::world::settings::PursuitClock;
use crate::world::view::View;

/// An exact table of the current map for exactly these rules: optimal play.
#[derive(Debug, Default)]
pub(in crate::world) struct TableRung(WholeTable);

impl Rung for TableRung {
    fn source(&self) -> Source {
        Source::Table
    }

    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        if view.clock != PursuitClock::Turns {
            return Finding::Nothing(None);
        }
        match self.0.moves(view, means) {
            Ok((moves, table)) => Finding::Decides(moves, Basis::Table(table)),
            Err(why) => Finding::Nothing(Some(why)),
        }
    }

    /// Requests tables for the changed map at once, for pursuits that played by a table.
    fn follow_edits(&mut self, facts: &Facts, cache: &mut TableCache) {
        let mut last = None;
        let pursuits = facts.members.pursuits().iter();
        for pursuit in pursuits.filter(|pursuit| pursuit.has_cops_by_table()) {
            let Some((rules, ground)) = pursuit.rules.zip(facts.table_ground_of(pursuit)) else {
                continue;
            };
            // Neighbouring pursuits mostly play by the same rules.
            let game = Some((rules, ground.stamp()));
            if game != last {
                cache.request(ground, &rules, facts.tick);
                last = game;
            }
        }
    }
}
