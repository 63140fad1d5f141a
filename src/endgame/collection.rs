//! The endgames of a map: regions with their tables, and the one that is being solved.

use super::growth::{self, Growth};
use super::job::{COST_OF_A_SLICE, Job};
use super::local_table::LocalTable;
use super::proof::{Proof, ProvenMove};
use super::region::Region;
use super::shape::{Outside, Shape};
use crate::game::{State, Turns};
use crate::graph::{Graph, Vertex};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most regions that are kept.
const MOST_REGIONS: usize = 16;

/// The most cops of which subsets are looked up in a region. More hardly fit into one.
const MOST_CANDIDATES: usize = 64;

/// The most players of a region, of those that [`subsets`] lists.
const MOST_PLAYERS: usize = 2;

/// The cost of looking up a value, in expansions.
const COST_OF_A_PROBE: u64 = 4;

/// The most bytes that solving a region takes.
const MOST_BYTES: u64 = 1 << 26;

/// The endgames of a map: regions with their tables, and the one that is being solved.
///
/// A game asks in each turn for a [proof](Self::prove) first. Without one it may [begin](Self::begin) a table for
/// the position and [advance](Self::advance) it, in as many slices as it likes. After an edit of the map it calls
/// [`revise`](Self::revise).
///
/// Memory: some megabytes for each of up to 16 regions, and 8 bytes for each vertex of the map.
#[derive(Debug, Default)]
pub struct Endgames {
    growth: Growth,
    /// The one that was used last comes last.
    kept: Vec<Kept>,
    job: Option<Job>,
    /// Expansions since they were last taken.
    work: u64,
}

/// A region with its table.
#[derive(Debug)]
struct Kept {
    region: Region,
    shape: Shape,
    /// The place of each vertex of the region.
    places: Vec<u16>,
    table: Arc<LocalTable>,
}

/// Endgames in the form in which they are saved: the regions, without their tables.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEndgames {
    kept: Vec<Region>,
    /// The region that is being solved, and how many slices are done.
    job: Option<(Region, u64)>,
}

/// A bound that was looked up.
#[derive(Debug, Clone)]
struct Found {
    turns: u16,
    kept: usize,
    players: Vec<usize>,
    guards: Vec<usize>,
}

impl Endgames {
    /// About the most expansions that [`begin`](Self::begin) takes.
    pub(crate) const COST_OF_A_BEGINNING: u64 = growth::MOST_WORK;

    /// The least work of [`advance`](Self::advance).
    pub(crate) const COST_OF_A_SLICE: u64 = COST_OF_A_SLICE;

    /// Limits the regions that are begun from now on to a number of vertices.
    pub const fn limit_regions(&mut self, vertices: usize) {
        self.growth.limit(vertices);
    }

    /// In at most how many turns the cops capture the robber of a position, the cops to move; `None` if no capture is
    /// proven. Cost: some values for each region around the robber.
    pub fn bound(&mut self, graph: &Graph, state: &State<'_>) -> Option<Turns> {
        let best = self.best(graph, state)?;
        Some(Turns(best.turns))
    }

    /// The best proof for a position with the cops to move, by the regions that are kept; `None` if no capture is proven.
    ///
    /// Players are at least as fast as in the table. Cost: some values for each region around the robber.
    pub fn prove(&mut self, graph: &Graph, state: &State<'_>) -> Option<Proof> {
        let best = self.best(graph, state)?;
        let used = self.kept.remove(best.kept);
        self.kept.push(used);
        self.kept.last()?.proof(state, &best, &mut self.work)
    }

    /// The best bound for a position, the region that was used last first.
    fn best(&mut self, graph: &Graph, state: &State<'_>) -> Option<Found> {
        let mut best: Option<Found> = None;
        for kept in (0..self.kept.len()).rev() {
            let found = self.look_up(kept, graph, state);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.turns < best.turns)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The best bound for a position in one of the regions.
    fn look_up(&mut self, kept: usize, graph: &Graph, state: &State<'_>) -> Option<Found> {
        let Kept {
            region,
            places,
            table,
            ..
        } = self.kept.get(kept)?;
        let rules = region.rules();
        if region.outside() == Outside::ForCops {
            return None;
        }
        if rules.robber_speed < state.robber.speed || rules.moves != graph.moves() {
            return None;
        }
        let place = |vertex: Vertex| places.get(region.index(vertex)?).copied().map(usize::from);
        let robber = place(state.robber.at)?;
        let mut guards = Vec::new();
        for &guard in region.guards() {
            guards.push(state.cops.iter().position(|cop| cop.at == guard)?);
        }
        let candidates = state.cops.iter().enumerate();
        let candidates = candidates
            .filter(|(index, cop)| !guards.contains(index) && cop.speed >= rules.cop_speed);
        let candidates = candidates.filter_map(|(index, cop)| Some((index, place(cop.at)?)));
        let candidates: Vec<(usize, usize)> = candidates.take(MOST_CANDIDATES).collect();
        let mut best: Option<(u16, Vec<usize>)> = None;
        for subset in subsets(&candidates, rules.cops.get()) {
            let mut places: Vec<usize> = subset.iter().map(|&(_, place)| place).collect();
            self.work += COST_OF_A_PROBE;
            if let Some(turns) = table.turns(robber, &mut places)
                && best.as_ref().is_none_or(|(least, _)| turns < *least)
            {
                best = Some((turns, subset.iter().map(|&(cop, _)| cop).collect()));
            }
        }
        let (turns, players) = best?;
        Some(Found {
            turns,
            kept,
            players,
            guards,
        })
    }

    /// Begins to solve a region for a position, unless one that holds its robber is being solved. If the shape is known
    /// already, there is nothing to solve. Returns whether there is work to do.
    ///
    /// Against a single cop the first region is one in which the robber may be safe, and the next, from the same
    /// position, one in which it may be captured.
    ///
    /// Cost: breadth-first searches of some hundred vertices around the robber.
    pub fn begin(&mut self, graph: &Graph, state: &State<'_>) -> bool {
        let holds = |job: &Job| job.region.index(state.robber.at).is_some();
        if self.job.as_ref().is_some_and(holds) {
            return true;
        }
        let region = self
            .refuge(graph, state)
            .or_else(|| self.growth.grow(graph, state, MOST_PLAYERS, &mut self.work));
        let Some(region) = region else {
            return false;
        };
        if self.kept.iter().any(|kept| kept.region == region) {
            return false;
        }
        let (shape, places) = region.shape(graph);
        if let Some(table) = self.known(&region, &shape) {
            self.keep(Kept {
                region,
                shape,
                places,
                table,
            });
            return false;
        }
        self.job = Job::new(region, (shape, places), MOST_BYTES).ok();
        self.job.is_some()
    }

    /// A region in which the robber may be safe from its only cop, unless one that holds the robber is known.
    fn refuge(&mut self, graph: &Graph, state: &State<'_>) -> Option<Region> {
        let holds = |kept: &Kept| {
            kept.region.outside() == Outside::ForCops
                && kept.region.index(state.robber.at).is_some()
        };
        if state.cops.len() != 1 || self.kept.iter().any(holds) {
            return None;
        }
        self.growth.refuge(graph, state, &mut self.work)
    }

    /// Returns whether the robber of a position, the cops to move, is known to be safe: on the whole map, it can evade
    /// these cops for ever. Cost: a value for each region around the robber.
    pub fn is_safe(&mut self, graph: &Graph, state: &State<'_>) -> bool {
        let Self { kept, work, .. } = self;
        kept.iter().any(|kept| {
            *work += COST_OF_A_PROBE;
            kept.is_refuge(graph, state)
        })
    }

    /// The table of a shape, if it is kept.
    fn known(&self, region: &Region, shape: &Shape) -> Option<Arc<LocalTable>> {
        let mut kept = self.kept.iter();
        let alike = |kept: &&Kept| kept.region.plays_like(region) && kept.shape == *shape;
        Some(Arc::clone(&kept.find(alike)?.table))
    }

    /// Solves on for at most `budget` expansions, and not at all for less than a slice. Returns whether a table
    /// was finished.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left >= COST_OF_A_SLICE
            && let Some(job) = &mut self.job
        {
            left -= COST_OF_A_SLICE;
            self.work += COST_OF_A_SLICE;
            job.advance();
            if job.is_done() {
                self.take_job();
                return true;
            }
        }
        false
    }

    /// Solves the table that was begun to its end.
    pub fn finish(&mut self) {
        if let Some(job) = &mut self.job {
            let before = job.slices();
            job.finish();
            self.work += COST_OF_A_SLICE * (job.slices() - before);
            self.take_job();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.job = None;
    }

    /// Keeps the table of the job.
    fn take_job(&mut self) {
        let done = self.job.take().and_then(Job::into_table);
        if let Some((region, shape, places, table)) = done {
            self.keep(Kept {
                region,
                shape,
                places,
                table,
            });
        }
    }

    fn keep(&mut self, kept: Kept) {
        if self.kept.len() >= MOST_REGIONS {
            self.kept.remove(0);
        }
        self.kept.push(kept);
    }

    /// Returns whether no region is kept.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns whether a table is being solved.
    #[must_use]
    pub const fn is_solving(&self) -> bool {
        self.job.is_some()
    }

    /// Drops all that edits of the map have made wrong: the regions of which a cell or a step out of a cell has
    /// changed. Call it after each edit. Cost: the shape of each region.
    pub fn revise(&mut self, graph: &Graph) {
        let is_same = |region: &Region, shape: &Shape, places: &[u16]| {
            let mut vertices = region.vertices().iter();
            vertices.all(|&vertex| graph.is_live(vertex)) && {
                let (now, now_places) = region.shape(graph);
                now == *shape && now_places == places
            }
        };
        self.kept
            .retain(|kept| is_same(&kept.region, &kept.shape, &kept.places));
        self.job
            .take_if(|job| !is_same(&job.region, &job.shape, &job.places));
    }

    /// Drops the regions that hold one of these vertices, which opened or closed, or a neighbour of one.
    /// Cost: linear in the vertices of the regions; for each region and each change inside its rectangle, some
    /// lookups.
    pub fn revise_near(&mut self, graph: &Graph, changed: &[Vertex]) {
        if changed.is_empty() {
            return;
        }
        self.kept
            .retain(|kept| !kept.region.is_beside(graph, changed));
        self.job.take_if(|job| job.region.is_beside(graph, changed));
    }

    /// The regions that are kept, each as its vertices in order.
    pub fn regions(&self) -> impl Iterator<Item = &[Vertex]> {
        self.kept.iter().map(|kept| kept.region.vertices())
    }

    /// The bytes of all tables, those of equal shapes counted once.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let is_first = |&(index, kept): &(usize, &Kept)| {
            let mut before = self.kept[..index].iter();
            !before.any(|other| Arc::ptr_eq(&other.table, &kept.table))
        };
        let kept = self.kept.iter().enumerate().filter(is_first);
        kept.map(|(_, kept)| kept.table.bytes()).sum()
    }

    /// The bytes of the table of the region that was solved or used last.
    #[must_use]
    pub fn bytes_of_last(&self) -> u64 {
        self.kept.last().map_or(0, |kept| kept.table.bytes())
    }

    /// The work since the last call, in expansions.
    pub const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// All of it without the tables.
    #[must_use]
    pub fn save(&self) -> SavedEndgames {
        let job = self.job.as_ref();
        SavedEndgames {
            kept: self.kept.iter().map(|kept| kept.region.clone()).collect(),
            job: job.map(|job| (job.region.clone(), job.slices())),
        }
    }

    /// Goes back to a saved state, on the same map: solves the tables again that it had.
    pub fn restore(&mut self, saved: &SavedEndgames, graph: &Graph) {
        let before = std::mem::take(&mut self.kept);
        for region in &saved.kept {
            let (shape, places) = region.shape(graph);
            let alike = |kept: &&Kept| kept.region.plays_like(region) && kept.shape == shape;
            let known = before.iter().chain(&self.kept).find(alike);
            let table = known.map(|kept| Arc::clone(&kept.table)).or_else(|| {
                let made = (shape.clone(), places.clone());
                let mut job = Job::new(region.clone(), made, MOST_BYTES).ok()?;
                job.finish();
                Some(job.into_table()?.3)
            });
            if let Some(table) = table {
                self.kept.push(Kept {
                    region: region.clone(),
                    shape,
                    places,
                    table,
                });
            }
        }
        self.job = saved.job.as_ref().and_then(|(region, slices)| {
            let mut job = Job::new(region.clone(), region.shape(graph), MOST_BYTES).ok()?;
            for _ in 0..*slices {
                if job.is_done() {
                    break;
                }
                job.advance();
            }
            Some(job).filter(|job| !job.is_done())
        });
    }
}

impl Kept {
    /// Returns whether its robber can evade all cops of a state without leaving the region.
    fn is_refuge(&self, graph: &Graph, state: &State<'_>) -> bool {
        let rules = self.region.rules();
        let most = usize::from(rules.cops.get());
        let place = |vertex: Vertex| {
            let place = self.places.get(self.region.index(vertex)?)?;
            Some(usize::from(*place))
        };
        let is_of_state = self.region.outside() == Outside::ForCops
            && rules.moves == graph.moves()
            && state.robber.speed >= rules.robber_speed
            && (1..=most).contains(&state.cops.len())
            && state.cops.iter().all(|cop| cop.speed <= rules.cop_speed);
        let Some(robber) = place(state.robber.at).filter(|_| is_of_state) else {
            return false;
        };
        // A cop twice is no help for the cops.
        let cops = state.cops.iter().map(|cop| place(cop.at)).cycle();
        self.table.escapes(robber, cops.take(most))
    }

    /// The proof of a bound.
    fn proof(&self, state: &State<'_>, found: &Found, work: &mut u64) -> Option<Proof> {
        let vertex_of = self.vertices_by_place();
        let place = |vertex: Vertex| {
            let place = self.places.get(self.region.index(vertex)?)?;
            Some(usize::from(*place))
        };
        let robber = place(state.robber.at)?;
        let players: Option<Vec<usize>> = found
            .players
            .iter()
            .map(|&cop| place(state.cops.get(cop)?.at))
            .collect();
        let players = players?;
        let mut moves = Vec::with_capacity(players.len() + found.guards.len());
        let ends = if found.turns == 0 {
            players.clone()
        } else {
            let best = self.table.best_move(robber, &players)?;
            *work += COST_OF_A_PROBE * best.probes;
            best.ends
        };
        for ((&cop, &from), &to) in found.players.iter().zip(&players).zip(&ends) {
            let path = self.table.path(from, to);
            let path = path.iter().filter_map(|&at| vertex_of.get(at).copied());
            let path = path.collect();
            moves.push(ProvenMove { cop, path });
        }
        let guards = found.guards.iter();
        moves.extend(guards.map(|&cop| ProvenMove {
            cop,
            path: Vec::new(),
        }));
        Some(Proof {
            bound: Turns(found.turns),
            moves,
            players: players.len(),
            region: self.region.vertices().to_vec(),
        })
    }

    /// The vertex of each place.
    fn vertices_by_place(&self) -> Vec<Vertex> {
        let mut vertices = self.region.vertices().to_vec();
        for (&vertex, &place) in self.region.vertices().iter().zip(&self.places) {
            if let Some(at) = vertices.get_mut(usize::from(place)) {
                *at = vertex;
            }
        }
        vertices
    }
}

impl SavedEndgames {
    /// Returns whether all regions lie on a map of `slots` vertices and are such as can be solved.
    pub(crate) fn is_sound(&self, slots: usize) -> bool {
        let job = self.job.iter().map(|(region, _)| region);
        let mut regions = self.kept.iter().chain(job);
        self.kept.len() <= MOST_REGIONS
            && regions.all(|region| region.is_sound(slots) && growth::fits(region))
    }
}

/// All sets of one or two candidates.
fn subsets(candidates: &[(usize, usize)], size: u8) -> Vec<Vec<(usize, usize)>> {
    let mut all = Vec::new();
    for (index, &first) in candidates.iter().enumerate() {
        match size {
            1 => all.push(vec![first]),
            2 => all.extend(
                candidates[index + 1..]
                    .iter()
                    .map(|&second| vec![first, second]),
            ),
            _ => {}
        }
    }
    all
}
