//! Solved games that a player brings along.

use super::{Found, Origin};
use crate::game::Rules;
use crate::policy::{Guide, RetractGuide, SharedTable};
use crate::table::TableGround;

/// Solved games that a player brings along, for experiments in which the tables are given. They are never dropped, and
/// not saved.
#[derive(Debug, Clone, Default)]
pub struct Supplied {
    /// Tables of the map.
    pub tables: Vec<SharedTable>,
    /// A guide by a level.
    pub level: Option<Guide>,
    /// A guide by a retract.
    pub retract: Option<RetractGuide>,
}

impl Supplied {
    /// The table of this ground and these rules.
    pub(super) fn table(&self, ground: &TableGround<'_>, rules: Rules) -> Option<Found<'_>> {
        let mut tables = self.tables.iter();
        let table = tables
            .find(|table| table.times.rules() == rules && table.arena.is_of_ground(ground))?;
        Some(Found {
            times: &*table.times,
            arena: &table.arena,
            origin: Origin::Asset,
        })
    }

    /// The guide by a level, if it is for these rules.
    pub(super) fn level(&self, rules: Rules) -> Option<&Guide> {
        self.level.as_ref().filter(|guide| guide.rules() == rules)
    }

    /// The guide by a retract, if it is for these rules.
    pub(super) fn retract(&self, rules: Rules) -> Option<&RetractGuide> {
        let guide = self.retract.as_ref();
        guide.filter(|guide| guide.rules() == rules)
    }
}
