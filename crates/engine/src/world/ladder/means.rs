//! What a rung may use besides the view: the table cache and the purse of the tick.

use crate::game::Rules;
use crate::table_cache::{TableCache, Wanted, WholeMap};
use crate::world::facts::Facts;
use crate::world::purse::Purse;

/// What a rung may use: the tables, and the budget of the tick.
pub(in crate::world) struct Means<'a, 'm> {
    pub(in crate::world) cache: &'a mut TableCache,
    pub(in crate::world) purse: &'a mut Purse<'m>,
}

impl Means<'_, '_> {
    /// Requests a guide for these rules, unless it is there or on its way, and notes that it is used.
    pub(super) fn request_guide(&mut self, facts: &Facts, rules: Rules, wanted: Wanted) {
        let Facts {
            graph, maintenance, ..
        } = facts;
        if let Some(hierarchy) = maintenance.up_to_date(graph) {
            let map = WholeMap { graph, hierarchy };
            let work = self.cache.request_guide(map, rules, wanted, facts.tick);
            self.purse.spend(work);
        }
    }
}
