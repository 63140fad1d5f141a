//! The next steps of distant cops, for all cells of a vertex of a coarse level at once.

use super::known_routes::Journal;
use crate::abstraction::Hierarchy;
use crate::graph::{Graph, Vertex};
use crate::search::Distances;
use serde::{Deserialize, Serialize};

/// The number of vertices of the coarse level that a cop looks ahead.
pub(super) const AHEAD: usize = 2;

/// A way on the coarse level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Route {
    /// The vertices of the level that the way goes through. A short way repeats its last one.
    pub(super) groups: [Vertex; AHEAD + 1],
    /// The vertex of the map where it ends.
    pub(super) goal: Vertex,
}

/// For each cell, the next step of a shortest path to the end of the route of its group, among the cells of that route.
///
/// A cop that takes these steps always arrives at a robber that stays where it is. As long as the cop is in a group, it comes
/// nearer to the end of that group's route with each step, and it leaves the group only for a later group of the route.
///
/// The steps are kept from plan to plan, since they only depend on the map and the route. Cost of a new route: a
/// breadth-first search of the cells of its groups.
#[derive(Debug, Clone, Default)]
pub(super) struct Flow {
    /// For each vertex of the coarse level, the route that its cells follow.
    routes: Vec<Option<Route>>,
    /// For each vertex of the coarse level, whether its route comes from a saved game, and its steps are not yet known again.
    is_due: Vec<bool>,
    journal: Journal,
    /// For each vertex of the map, the next one on the route of its group.
    next: Vec<Vertex>,
    distances: Distances,
    /// The route that is being searched.
    route: Option<Route>,
    is_measured: bool,
    /// The number of measured vertices whose next step has been noted.
    noted: usize,
}

impl Flow {
    /// Forgets all routes, and makes room for a map and a level with these numbers of vertices.
    pub(super) fn clear(&mut self, slots: usize, groups: usize) {
        self.route = None;
        self.journal.clear();
        self.routes.clear();
        self.routes.resize(groups, None);
        self.is_due.clear();
        self.is_due.resize(groups, false);
        // It never shrinks: the next map may be a larger one.
        if self.next.len() < slots {
            self.next.resize(slots, Vertex::default());
        }
    }

    /// Returns whether the next steps of the first group of a route lead along that route.
    pub(super) fn knows(&self, route: &Route) -> bool {
        self.routes[route.groups[0].index()].as_ref() == Some(route)
    }

    /// The next vertex of a cop whose group has a known route.
    pub(super) fn next(&self, at: Vertex) -> Vertex {
        self.next[at.index()]
    }

    /// Begins to search for the next steps along a route.
    pub(super) fn begin(&mut self, graph: &Graph, route: Route) {
        self.set(route.groups[0], None);
        self.search(graph, route);
    }

    fn search(&mut self, graph: &Graph, route: Route) {
        self.distances.begin(graph, route.goal);
        self.route = Some(route);
        (self.is_measured, self.noted) = (false, 0);
    }

    fn set(&mut self, group: Vertex, route: Option<Route>) {
        let group = group.index();
        self.journal.note(group, self.routes[group]);
        self.routes[group] = route;
        self.is_due[group] = false;
    }

    /// Notes that the routes which are known now are those that the next plan begins with.
    pub(super) fn mark(&mut self) {
        self.journal.mark();
    }

    /// The routes that are known. `before`: those that were known when they were [marked](Flow::mark) last.
    pub(super) fn known(&self, before: bool) -> Vec<Route> {
        let mut routes = self.routes.clone();
        if before {
            self.journal.undo(&mut routes);
        }
        routes.into_iter().flatten().collect()
    }

    /// Restores routes of a saved game. Their steps are searched when they are needed.
    pub(super) fn restore(&mut self, routes: &[Route]) {
        let groups = self.routes.len();
        let is_within = |route: &&Route| route.groups.iter().all(|group| group.index() < groups);
        for route in routes.iter().filter(is_within) {
            let group = route.groups[0].index();
            self.routes[group] = Some(*route);
            self.is_due[group] = true;
        }
    }

    /// Searches for the steps of a restored route. No budget counts this work, since the game that was saved has done it
    /// before. Cost: a breadth-first search of the cells of three groups.
    pub(super) fn catch_up(&mut self, graph: &Graph, group: Vertex, groups: &mut Groups<'_>) {
        let is_due = std::mem::take(&mut self.is_due[group.index()]);
        if let Some(route) = self.routes[group.index()].filter(|_| is_due) {
            self.search(graph, route);
            self.advance(graph, u64::MAX, groups);
            self.distances.take_touched();
        }
    }

    /// Continues for at most `budget` vertices. Returns the remaining budget: 0 where the steps are not all known.
    pub(super) fn advance(&mut self, graph: &Graph, budget: u64, groups: &mut Groups<'_>) -> u64 {
        let Some(route) = self.route else {
            return budget;
        };
        let mut left = budget;
        if !self.is_measured {
            let is_on_way = |vertex| {
                let group = groups.of(vertex);
                group.is_some_and(|group| route.groups.contains(&group))
            };
            left = self.distances.advance_within(graph, budget, is_on_way);
            self.is_measured = left > 0;
        }
        let from = route.groups[0];
        while left > 0 {
            let Some(&vertex) = self.distances.reachable().get(self.noted) else {
                self.set(from, Some(route));
                self.route = None;
                break;
            };
            self.noted += 1;
            left -= 1;
            if groups.of(vertex) == Some(from) {
                let next = self.distances.step(graph, vertex);
                self.next[vertex.index()] = next.unwrap_or(vertex);
            }
        }
        left
    }

    /// Neighbours generated since the last call.
    pub(super) const fn take_touched(&mut self) -> u64 {
        self.distances.take_touched()
    }
}

/// For each vertex of the map, the vertex of a level that represents it, once it is known.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupNotes {
    /// The vertex's number in the lower half, if the upper half equals the current `reading`. So nothing has to be
    /// cleared when the map changes, and a cop that plans anew on its way climbs the levels for few cells.
    notes: Vec<u32>,
    reading: u32,
}

impl GroupNotes {
    /// Forgets all, and makes room for a map with this number of vertices.
    pub(super) fn clear(&mut self, slots: usize) {
        if self.reading == u32::from(u16::MAX) {
            self.notes.fill(0);
            self.reading = 0;
        }
        self.reading += 1;
        // It never shrinks: the next map may be a larger one.
        if self.notes.len() < slots {
            self.notes.resize(slots, 0);
        }
    }
}

/// The vertices of a level that represent the vertices of the map.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    pub(super) notes: &'a mut GroupNotes,
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) level: usize,
}

impl Groups<'_> {
    /// The vertex of the level that represents a vertex of the map.
    pub(super) fn of(&mut self, at: Vertex) -> Option<Vertex> {
        let GroupNotes { notes, reading } = &mut *self.notes;
        let note = notes.get_mut(at.index())?;
        if *note >> 16 == *reading {
            return Some(Vertex::from_index((*note & 0xffff) as usize));
        }
        let group = self.hierarchy.ancestor(at, self.level)?;
        if let Ok(number) = u16::try_from(group.index()) {
            *note = *reading << 16 | u32::from(number);
        }
        Some(group)
    }
}
