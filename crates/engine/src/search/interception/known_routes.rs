//! The routes that a search knows from earlier plans, for saved games.
//!
//! A known route costs fewer expansions than one that has to be searched, so a restored game must know the same ones.

use super::Interception;
use super::far::Far;
use super::flow::Route;
use crate::abstraction::Hierarchy;
use crate::graph::{Graph, Network as _};
use crate::search::Maps;
use crate::search::origin::SearchOrigin;
use serde::{Deserialize, Serialize};

/// The routes of distant cops that a search knows, on one level of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownRoutes {
    level: usize,
    routes: Vec<Route>,
}

/// The routes that have changed since a plan began. A game that is saved before the plan is complete repeats that plan when
/// it is restored, so it needs the routes that were known at the beginning.
#[derive(Debug, Clone, Default)]
pub(super) struct Journal {
    /// Whether anything is noted: only worlds save their games.
    is_kept: bool,
    /// Each change, with the vertex of the coarse level and its route before.
    changes: Vec<(usize, Option<Route>)>,
    is_cleared: bool,
}

impl Journal {
    /// Begins anew.
    pub(super) fn mark(&mut self) {
        self.changes.clear();
        (self.is_kept, self.is_cleared) = (true, false);
    }

    /// Notes that all routes are forgotten.
    pub(super) fn clear(&mut self) {
        self.changes.clear();
        self.is_cleared = true;
    }

    /// Notes a route that is about to change.
    pub(super) fn note(&mut self, group: usize, before: Option<Route>) {
        // If all routes were forgotten, the plan begins by forgetting them again.
        if self.is_kept && !self.is_cleared {
            self.changes.push((group, before));
        }
    }

    /// Takes all changes back.
    pub(super) fn undo(&self, routes: &mut [Option<Route>]) {
        if self.is_cleared {
            routes.fill(None);
        }
        for &(group, before) in self.changes.iter().rev() {
            routes[group] = before;
        }
    }
}

impl Far {
    /// The routes that are known on this map; see [`Flow::known`](super::flow::Flow::known).
    fn known_routes(&self, origin: SearchOrigin, before: bool) -> Option<KnownRoutes> {
        let (known, level) = self.read_from?;
        (known == origin).then(|| KnownRoutes {
            level,
            routes: self.flow.known(before),
        })
    }

    /// Restores the routes that were known on this map. Leaves out those that do not fit.
    fn know_routes(&mut self, graph: &Graph, hierarchy: &Hierarchy, saved: &KnownRoutes) {
        let Some(network) = hierarchy.level(saved.level) else {
            return;
        };
        self.clear(graph, network.slots());
        self.read_from = Some((SearchOrigin::of(graph, Some(hierarchy)), saved.level));
        let is_on_map = |route: &&Route| graph.is_live(route.goal);
        let routes: Vec<Route> = saved.routes.iter().filter(is_on_map).copied().collect();
        self.flow.restore(&routes);
    }
}

impl Interception {
    /// Notes that a plan begins, with the routes that are known now.
    pub(crate) fn mark_routes(&mut self) {
        self.crowd.far.flow.mark();
    }

    /// The routes that are known on a map, for a saved game. `is_under_way`: those with which the present plan began.
    pub(crate) fn known_routes(&self, maps: Maps<'_>, is_under_way: bool) -> Option<KnownRoutes> {
        let origin = SearchOrigin::of(maps.graph, maps.hierarchy);
        self.crowd.far.known_routes(origin, is_under_way)
    }

    /// Restores the routes of a saved game.
    pub(crate) fn know_routes(&mut self, maps: Maps<'_>, saved: &KnownRoutes) {
        if let Some(hierarchy) = maps.hierarchy {
            self.crowd.far.know_routes(maps.graph, hierarchy, saved);
        }
    }
}
