//! A look at the tables that changes nothing.

use super::{Found, Lookup, Origin, TableCache};
use crate::game::Rules;
use crate::graph::Graph;
use crate::table::CaptureTimes;

impl TableCache {
    /// The table that was [found](Self::find) last for these rules on the map as it is now. It does not
    /// count as used, so that whoever looks on changes nothing.
    ///
    /// Cost: linear in the number of rules that were asked for.
    #[must_use]
    pub fn peek(&self, graph: &Graph, rules: &Rules) -> Option<Found<'_>> {
        if self.current != Some(graph.fingerprint()) || self.slots != graph.slots() {
            return None;
        }
        let (_, answer) = self.answers.iter().find(|(of, _)| of == rules)?;
        let (times, origin): (&dyn CaptureTimes, Origin) = match *answer {
            Lookup::Nothing => return None,
            Lookup::Asset(index) => (&*self.assets.get(index)?.table, Origin::Asset),
            Lookup::Solved(index) => (&**self.entries.get(index)?.table()?, Origin::Solved),
        };
        let arena = self.arena.as_ref()?;
        Some(Found {
            times,
            arena,
            origin,
        })
    }
}
