//! Which region is worth a table: what the robber reaches before the cops, and some more.

use super::region::Region;
use crate::game::{Agent, Rules, State};
use crate::graph::{Graph, Vertex, VisitedSet};
use std::num::NonZeroU8;

/// The most vertices of a region, by its number of players: at most two and a half million positions each,
/// a table of some ten milliseconds.
const MOST_VERTICES: [usize; 2] = [1_500, 170];

/// The part of a region, in quarters, that the robber may reach before the cops.
const MOST_AREA_IN_QUARTERS: usize = 3;

/// The most vertices of a region in which a robber is safe.
const REFUGE_VERTICES: usize = 400;

/// The vertices that the cops reach at most until the robber has nowhere to go, and those that are looked at for
/// the nearest cops.
const MOST_TAKEN: usize = 1_400;
const MOST_SCANNED: usize = 700;

/// The most expansions that the choice of a region takes, about.
pub(super) const MOST_WORK: u64 = 4_500;

/// Grows regions. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Growth {
    /// The vertices that the cops have reached, and the last of them.
    taken: VisitedSet,
    front: Vec<Vertex>,
    next: Vec<Vertex>,
    /// The vertices of the robber's area, then those around it, the nearest first.
    seen: VisitedSet,
    found: Vec<Vertex>,
    /// For each of them the vertex from which it was found, as its index in `found`.
    parents: Vec<u32>,
    /// The most vertices of a region, if that is less than what fits.
    limit: Option<usize>,
}

impl Growth {
    /// Limits regions to a number of vertices from now on.
    pub(super) const fn limit(&mut self, vertices: usize) {
        self.limit = Some(vertices);
    }

    /// The most vertices of a region with a number of players; `None` without players.
    fn most_vertices(&self, players: usize) -> Option<usize> {
        let index = players.checked_sub(1)?;
        let most = MOST_VERTICES.get(index).copied()?;
        Some(self.limit.map_or(most, |limit| limit.min(most)))
    }

    /// A region for the chase of a robber; `None` if the robber may run out of any that is small enough, or if no
    /// cop is near. Adds to `work` the expansions that it takes.
    ///
    /// The region holds the robber's area, which are the vertices that it reaches before every cop; the nearest cops,
    /// with paths to there; and what is nearest around. Further cops inside are guards.
    pub(super) fn grow(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        most_players: usize,
        work: &mut u64,
    ) -> Option<Region> {
        let players = most_players.min(state.cops.len());
        let most = self.most_vertices(players)?;
        self.race(graph, state, most, work)?;
        let cops = self.look_around(graph, state, players, most, work);
        // With fewer players there is room for a larger region.
        let players = cops.len().min(players);
        let most = self.most_vertices(players)?;
        let mut is_in = vec![false; self.found.len()];
        let mut size = 0;
        for &(_, at) in &cops[..players] {
            let mut at = at;
            while !std::mem::replace(&mut is_in[at], true) {
                size += 1;
                at = self.parents[at] as usize;
            }
        }
        for is_in in &mut is_in {
            if size >= most {
                break;
            }
            size += usize::from(!std::mem::replace(is_in, true));
        }
        let vertices = self.found.iter().zip(&is_in);
        let vertices = vertices.filter(|(_, is_in)| **is_in);
        let guards = cops[players..].iter().map(|&(cop, _)| state.cops[cop].at);
        let rules = Rules {
            cops: NonZeroU8::new(players as u8)?,
            cop_speed: slowest(state.cops)?.speed,
            robber_speed: state.robber.speed,
            moves: graph.moves(),
        };
        let vertices = vertices.map(|(&vertex, _)| vertex).collect();
        Some(Region::new(vertices, guards.collect(), rules))
    }

    /// A region around a robber in which it may be safe. Adds to `work` the expansions that it takes.
    pub(super) fn refuge(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        work: &mut u64,
    ) -> Option<Region> {
        let most = self
            .limit
            .map_or(REFUGE_VERTICES, |limit| limit.min(REFUGE_VERTICES));
        self.seen.clear(graph.slots());
        self.found.clear();
        self.parents.clear();
        self.find(state.robber.at, 0);
        let mut next = 0;
        while self.found.len() < most && next < self.found.len() {
            for &beside in graph.neighbours(self.found[next]) {
                self.find(beside, next);
            }
            next += 1;
        }
        *work += next as u64;
        self.found.truncate(most);
        let fastest = state.cops.iter().map(|cop| cop.speed).max()?;
        let rules = Rules {
            cops: NonZeroU8::new(u8::try_from(state.cops.len()).ok()?)?,
            cop_speed: fastest,
            robber_speed: state.robber.speed,
            moves: graph.moves(),
        };
        Some(Region::of_refuge(self.found.clone(), rules))
    }

    /// Finds the robber's area: both sides run everywhere at once, and the robber not over what the cops have
    /// reached. `None` if that takes too many vertices.
    fn race(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        most: usize,
        work: &mut u64,
    ) -> Option<()> {
        let most_area = MOST_AREA_IN_QUARTERS * most / 4;
        self.taken.clear(graph.slots());
        self.seen.clear(graph.slots());
        self.found.clear();
        self.parents.clear();
        self.front.clear();
        let mut taken = 0;
        for cop in state.cops {
            if self.taken.insert(cop.at) {
                self.front.push(cop.at);
            }
        }
        self.find(state.robber.at, 0);
        let cop_steps = slowest(state.cops)?.speed.steps();
        let mut rim = 0;
        while rim < self.found.len() {
            for _ in 0..cop_steps {
                self.next.clear();
                for &at in &self.front {
                    let beside = graph.neighbours(at).iter();
                    self.next
                        .extend(beside.filter(|&&beside| self.taken.insert(beside)));
                }
                *work += self.front.len() as u64;
                taken += self.next.len();
                std::mem::swap(&mut self.front, &mut self.next);
            }
            for _ in 0..state.robber.speed.steps() {
                let end = self.found.len();
                for index in rim..end {
                    if self.taken.contains(self.found[index]) {
                        continue;
                    }
                    for &beside in graph.neighbours(self.found[index]) {
                        if !self.taken.contains(beside) {
                            self.find(beside, index);
                        }
                    }
                }
                *work += (end - rim) as u64;
                rim = end;
            }
            if self.found.len() > most_area || taken > MOST_TAKEN {
                return None;
            }
        }
        Some(())
    }

    /// Adds a vertex that is new.
    fn find(&mut self, vertex: Vertex, from: usize) {
        if self.seen.insert(vertex) {
            self.found.push(vertex);
            self.parents.push(from as u32);
        }
    }

    /// Finds the vertices around the robber's area until a region is full and its players are found. Returns the
    /// cops that were found, by their number, with their index in `found`; the nearest first.
    fn look_around(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        players: usize,
        most: usize,
        work: &mut u64,
    ) -> Vec<(usize, usize)> {
        let mut cops = Vec::new();
        let mut next = 0;
        while next < self.found.len() && next < MOST_SCANNED.max(most) {
            let here = self.found[next];
            let all = state.cops.iter().enumerate();
            cops.extend(
                all.filter(|(_, cop)| cop.at == here)
                    .map(|(cop, _)| (cop, next)),
            );
            if next >= most && cops.len() >= players {
                break;
            }
            for &beside in graph.neighbours(here) {
                self.find(beside, next);
            }
            next += 1;
        }
        *work += next as u64;
        cops
    }
}

/// Returns whether a region is as small as those that are grown.
pub(super) fn fits(region: &Region) -> bool {
    region.vertices().len() <= most_vertices(region.rules().cops.get())
}

/// The most vertices of a region with a number of players; 0 for more players than there ever are.
pub(super) fn most_vertices(players: u8) -> usize {
    let most = usize::from(players).checked_sub(1);
    let most = most.and_then(|index| MOST_VERTICES.get(index));
    most.copied().unwrap_or(0)
}

fn slowest(cops: &[Agent]) -> Option<&Agent> {
    cops.iter().min_by_key(|cop| cop.speed)
}
