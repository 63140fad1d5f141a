//! What a robber of limited sight knows about cops: where it saw them last, and how near those out of sight can be.

use super::pace::Pace;
use super::sightings::{Sighting, Sightings};
use crate::belief::PossibleCells;
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
    pub(super) places: PossibleCells,
    /// The tick of the last step of these cops.
    tick: u64,
    /// The tick of the last update.
    updated: u64,
    /// For cops out of sight by their keys, the nearest cell where each of them can be.
    nearest: Vec<(u64, Cell)>,
}

/// A robber that looks around.
#[derive(Clone, Copy)]
pub(super) struct Observer<'a> {
    pub(super) graph: &'a Graph,
    pub(super) tick: u64,
    /// Where it is, and how far it sees.
    pub(super) cell: Cell,
    pub(super) sight: u16,
}

/// Memory that is reused to find the nearest places.
#[derive(Debug, Default)]
pub(super) struct LookoutSearch {
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

    /// Updates what a robber knows about cops, from the cops that it `sees`, in the order of their keys, with their cells.
    /// `pace`: how fast the cop of a key walks, if the cop is there.
    ///
    /// Cost: if it remembers cops out of sight, the edge of the places where they can be, and the cells up to them. This
    /// work is added to that of `search`.
    pub(super) fn update(
        &mut self,
        observer: Observer<'_>,
        sees: &[(u64, Cell)],
        pace: impl Fn(u64) -> Option<Pace>,
        search: &mut LookoutSearch,
    ) {
        let Observer {
            graph,
            tick,
            cell: here,
            sight,
        } = observer;
        self.sightings.update(sees, tick);
        self.nearest.clear();
        search.hidden.clear();
        let unseen = self.sightings.iter().filter(|(_, last)| !last.sees_now);
        let hidden = unseen.filter_map(|(key, last)| Some((key, last, pace(key)?)));
        search.hidden.extend(hidden);
        if search.hidden.is_empty() {
            self.places = PossibleCells::default();
        } else {
            self.move_places(observer, search);
            let is_seen = |cell: Cell| graph.sees(here, cell, Some(sight));
            self.places.rule_out(graph, [here], is_seen);
            search.work += self.places.take_expansions();
            self.find_nearest(observer, search);
        }
        self.updated = tick;
    }

    /// Moves the places of cops out of sight as these may have moved since.
    fn move_places(&mut self, observer: Observer<'_>, search: &LookoutSearch) {
        let Observer {
            graph,
            tick,
            cell: here,
            ..
        } = observer;
        let is_new = !self.places.fits(graph);
        if is_new {
            self.places = PossibleCells::nowhere(graph);
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
    fn find_nearest(&mut self, observer: Observer<'_>, search: &mut LookoutSearch) {
        let Observer { graph, tick, .. } = observer;
        let LookoutSearch {
            visited,
            queue,
            hidden,
            work,
        } = search;
        let Some(start) = graph.vertex(observer.cell) else {
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
