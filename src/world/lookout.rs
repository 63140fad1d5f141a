//! What a robber of limited sight knows about cops: where it saw them last, and how near those out of sight can be.

use super::board::Board;
use super::hunt::Pace;
use super::sightings::{Sighting, Sightings};
use super::{AgentId, PursuitRecord};
use crate::belief::Places;
use crate::graph::{Graph, Vertex, VisitedSet};
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// The number of cells within which a robber looks for the nearest place where a cop can be.
const MOST_LOOKED: usize = 4096;

/// What a robber of limited sight knows about cops.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lookout {
    pub(super) sightings: Sightings,
    /// All cells where cops out of sight can be that the robber remembers.
    pub(super) places: Places,
    /// The tick of the last step of these cops.
    tick: u64,
    /// The tick of the last update.
    updated: u64,
    /// For cops out of sight by their keys, the nearest cell where each of them can be.
    nearest: Vec<(u64, Cell)>,
}

/// Memory that is reused to find the nearest places.
#[derive(Debug, Default)]
pub(super) struct Search {
    visited: VisitedSet,
    queue: Vec<Vertex>,
    /// Keys, last sightings and paces.
    hidden: Vec<(u64, Sighting, Pace)>,
    /// The work so far, in expansions.
    pub(super) work: u64,
}

impl Lookout {
    /// The cops that the robber remembers, by their keys. The cell of one that is out of sight is the nearest one where it
    /// can be, which is the worst for the robber.
    pub(super) fn expected(&self) -> impl Iterator<Item = (u64, Sighting)> + '_ {
        self.sightings.iter().map(|(key, last)| {
            let place = self.nearest.binary_search_by_key(&key, |&(cop, _)| cop);
            let cell = match place {
                Ok(place) if !last.sees_now => self.nearest[place].1,
                _ => last.cell,
            };
            (key, Sighting { cell, ..last })
        })
    }

    /// Moves the places of cops out of sight as these may have moved since. `here`: where the robber is.
    fn move_places(&mut self, graph: &Graph, (tick, here): (u64, Cell), search: &Search) {
        let is_new = !self.places.fits(graph);
        if is_new {
            self.places = Places::nowhere(graph);
        }
        let paces = search.hidden.iter().map(|&(.., pace)| pace);
        let Some(fastest) = paces.reduce(Pace::faster) else {
            return;
        };
        for (_, last, _) in &search.hidden {
            if is_new || last.tick >= self.updated {
                self.places.insert(graph, last.cell);
            }
        }
        if is_new {
            let first = search.hidden.iter().map(|(_, last, _)| last.tick).min();
            self.tick = fastest.start(first.unwrap_or(tick));
        }
        let steps = fastest.steps_in(tick.saturating_sub(self.tick));
        self.tick += fastest.ticks_of(steps);
        for _ in 0..steps {
            if !self.places.step(graph, |cell| cell == here) {
                break;
            }
        }
    }

    /// Finds the nearest place of each cop out of sight. Forgets those that have gone: none of the places where they can
    /// have walked is out of sight.
    fn find_nearest(&mut self, graph: &Graph, (tick, here): (u64, Cell), search: &mut Search) {
        let Search {
            visited,
            queue,
            hidden,
            work,
        } = search;
        let Some(start) = graph.vertex(here) else {
            return;
        };
        visited.clear(graph.slots());
        visited.insert(start);
        queue.clear();
        queue.push(start);
        let mut next = 0;
        while next < queue.len() && next < MOST_LOOKED && !hidden.is_empty() {
            let at = queue[next];
            next += 1;
            let cell = graph.cell(at);
            if self.places.contains(cell) {
                hidden.retain(|&(key, last, pace)| {
                    let steps = pace.begun_in(tick.saturating_sub(last.tick));
                    let is_within = u64::from(cell.max_norm(last.cell)) <= steps;
                    self.nearest.extend(is_within.then_some((key, cell)));
                    !is_within
                });
            }
            let beside = graph.neighbours(at).iter();
            queue.extend(beside.filter(|&&to| visited.insert(to)));
        }
        self.nearest.sort_unstable();
        *work += next as u64;
        if next == queue.len() {
            for &(key, ..) in hidden.iter() {
                self.sightings.forget(key);
            }
        }
    }
}

impl Board {
    /// Updates what a robber knows about cops, from the cops that it sees, in the order of their keys, with their cells.
    ///
    /// Cost: if it remembers cops out of sight, the edge of the places where they can be, and the cells up to them. This
    /// work is added to that of `search`.
    pub(super) fn update_lookout(
        &self,
        pursuit: &PursuitRecord,
        (here, sight): (Cell, u16),
        seen: &[(u64, Cell)],
        lookout: &mut Lookout,
        search: &mut Search,
    ) {
        lookout.sightings.update(seen, self.tick);
        lookout.nearest.clear();
        search.hidden.clear();
        let unseen = lookout.sightings.iter().filter(|(_, last)| !last.sees_now);
        search.hidden.extend(unseen.filter_map(|(key, last)| {
            let cop = self.agent(AgentId::of_key(key))?;
            Some((key, last, self.pace(pursuit, cop)))
        }));
        if search.hidden.is_empty() {
            lookout.places = Places::default();
        } else {
            let now = (self.tick, here);
            lookout.move_places(&self.graph, now, search);
            let sees = |cell: Cell| self.graph.sees(here, cell, Some(sight));
            lookout.places.rule_out(&self.graph, [here], sees);
            search.work += lookout.places.take_work();
            lookout.find_nearest(&self.graph, now, search);
        }
        lookout.updated = self.tick;
    }
}
