//! The endgames of a map: regions with their tables, and the one that is being solved.

use super::growth::{self, Chase, Growth, RegionKind};
use super::job::{EXPANSIONS_OF_A_SLICE, LocalJob};
use super::kept::{EXPANSIONS_OF_A_PROBE, FoundBound, Kept};
use super::lazy_table::{LazyTable, MOST_BYTES};
use super::local_table::LocalTable;
use super::network::EndgameNetwork;
use super::proof::{EndgameRegion, Proof};
use super::region::Region;
use super::shape::{MayLeave, Shape};
use super::shape_key::ShapeKey;
use super::shapes::EndgameShapes;
use crate::game::{State, Step, Turns};
use crate::graph::{Graph, Vertex};
use crate::table::Table;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// If one player captures within this number of turns, no proof with two players is looked for.
const SOON: u16 = 3;

/// The most tables that are solved for a proof at once: one for each kind of region.
const QUESTIONS: usize = 3;

/// The most regions that are kept.
const MOST_REGIONS: usize = 16;

/// The endgames of a map or of another [`EndgameNetwork`]: regions with their tables, and the one that is being solved.
///
/// All questions are about the same network; [`clear`](Self::clear) comes before questions about another one. A game
/// first asks for a [proof](Self::prove) in each turn. Without a proof, it may [begin](Self::begin) a table for
/// the position and [advance](Self::advance) it, in any number of slices. After an edit of the map, it calls
/// [`revise`](Self::revise). If the shape of a region is among the [known shapes](Self::use_shapes), there is nothing
/// to solve.
///
/// Memory: some megabytes for each of up to 16 regions, and 8 bytes for each vertex of the map.
#[derive(Debug, Default)]
pub struct Endgames {
    growth: Growth,
    /// The kind of the region that is grown next.
    kind: RegionKind,
    /// The kept regions; the region that was used last comes last.
    kept: Vec<Kept>,
    job: Option<LocalJob>,
    /// Expansions since the last call that took them.
    expansions: u64,
    /// Shapes whose tables are known beforehand.
    shapes: Arc<EndgameShapes>,
    /// The number of regions whose shape was among the known ones.
    found: u64,
    /// The shapes that were solved here, if they are collected.
    collected: Option<EndgameShapes>,
}

/// Endgames in the form in which they are saved: the regions, without their tables.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEndgames {
    /// Each region and the time until which it is held.
    kept: Vec<(Region, u64)>,
    /// The region that is being solved, and how many slices are done.
    job: Option<(Region, u64)>,
    /// The position for which a region is chosen, and the kind of the region that is chosen next.
    chase: Option<Chase>,
    kind: RegionKind,
}

impl Endgames {
    /// The greatest number of expansions of a call of [`consider`](Self::consider).
    pub(crate) const EXPANSIONS_OF_A_QUESTION: u64 = growth::REFUGE_VERTICES as u64;

    /// The least number of expansions that [`advance`](Self::advance) needs to do anything.
    pub(crate) const EXPANSIONS_OF_A_SLICE: u64 = EXPANSIONS_OF_A_SLICE;

    /// Endgames that know the same regions and shapes, and work on nothing.
    #[doc(hidden)]
    #[must_use]
    pub fn copy_of_regions(&self) -> Self {
        Self {
            kept: self.kept.clone(),
            shapes: Arc::clone(&self.shapes),
            ..Self::default()
        }
    }

    /// Limits the regions that are begun from now on to a number of vertices.
    pub const fn limit_regions(&mut self, vertices: usize) {
        self.growth.limit(vertices);
    }

    /// The number of turns within which the cops capture the robber of a position, with the cops to move; `None` if no
    /// capture is proven. Cost: some values for each region around the robber.
    pub fn bound(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) -> Option<Turns> {
        let (_, best) = self.best(graph, state)?;
        Some(Turns(best.turns))
    }

    /// The best proof for a position with the cops to move, by the kept regions; `None` if no capture is proven.
    ///
    /// The players are at least as fast as in the table. Cost: some values for each region around the robber.
    pub fn prove(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) -> Option<Proof> {
        let (index, found) = self.best(graph, state)?;
        let used = self.kept.remove(index);
        self.kept.push(used);
        self.kept.last()?.proof(state, &found, &mut self.expansions)
    }

    /// The region in which a position has this bound, with the cops to move, as it lies on the map. If there are
    /// several, it is the region that was used last. `None` if there is no such region. This look-up counts neither as
    /// a use nor as work.
    ///
    /// Cost: some values for each region around the robber, and linear in the vertices of the region.
    #[must_use]
    pub fn region_of<N: EndgameNetwork>(
        &self,
        graph: &N,
        state: &State<'_>,
        bound: Turns,
    ) -> Option<EndgameRegion<N::Site>> {
        self.kept.iter().rev().find_map(|kept| {
            let found = kept.look_up(graph, state, &mut 0)?;
            (found.turns == bound.0).then(|| kept.view(graph, state, &found))
        })
    }

    /// The best bound for a position, with the index of its region; the region that was used last first.
    fn best(
        &mut self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
    ) -> Option<(usize, FoundBound)> {
        let mut best: Option<(usize, FoundBound)> = None;
        for (index, kept) in self.kept.iter().enumerate().rev() {
            if let Some(found) = kept.look_up(graph, state, &mut self.expansions)
                && best
                    .as_ref()
                    .is_none_or(|(_, best)| found.turns < best.turns)
            {
                best = Some((index, found));
            }
        }
        best
    }

    /// Begins to choose and to solve a region for a position, unless a region that contains the robber is being solved,
    /// or a good proof is known. [`advance`](Self::advance) continues this work.
    ///
    /// Against a single cop, the first region is one in which the robber may be safe, and the next one is a region in
    /// which it may be captured. Against several cops, three kinds are tried in turn: a small region with two players,
    /// a larger one with one player, and one with one player and a guard that is still on its way. Where one player has
    /// a proof, two may be faster.
    ///
    /// Cost: some values for each region around the robber, and with one cop a breadth-first search of some hundred
    /// vertices.
    pub fn consider(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) {
        let has_robber = |job: &LocalJob| job.region.index(state.robber.at).is_some();
        if self.job.as_ref().is_some_and(has_robber) {
            return;
        }
        self.job = None;
        self.growth.stop();
        let Some(kind) = self.question(graph, state) else {
            return;
        };
        match self.refuge(graph, state) {
            Some(region) => self.settle(graph, region),
            None => self.growth.start(graph, state, kind),
        }
    }

    /// The kind of region that is worth a table now; `None` if the known proof is good enough.
    fn question(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) -> Option<RegionKind> {
        let Some((_, found)) = self.best(graph, state) else {
            return Some(self.kind);
        };
        self.kind = RegionKind::default();
        let is_slow = found.players() < state.cops.len().min(2) && found.turns > SOON;
        is_slow.then_some(RegionKind::PairOnly)
    }

    /// Returns whether another kind of region comes next for the position, after a region that has proven nothing.
    pub(crate) fn has_other_kinds(&self) -> bool {
        self.kind != RegionKind::default()
    }

    /// Begins to solve a region for a position as [`consider`](Self::consider) does, but chooses the region at once. If
    /// its shape is already known, there is nothing to solve. Returns whether there is work to do.
    ///
    /// Cost: breadth-first searches of up to some thousand vertices around the robber and the cops.
    pub fn begin(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) -> bool {
        self.consider(graph, state);
        while self.growth.chase().is_some() {
            self.choose(graph);
        }
        self.job.is_some()
    }

    /// The best proof for a position, as [`prove`](Self::prove) finds it, after the tables that are needed for it are
    /// solved. Calls `note` after each of them.
    #[doc(hidden)]
    pub fn prove_at_once(
        &mut self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        mut note: impl FnMut(&Self),
    ) -> Option<Proof> {
        for _ in 0..QUESTIONS {
            if self.begin(graph, state) {
                self.finish(graph);
                note(self);
            } else if state.cops.len() > 1 && !self.has_other_kinds() {
                break;
            }
        }
        self.prove(graph, state)
    }

    /// A step of the choice of a region.
    fn choose(&mut self, graph: &impl EndgameNetwork) {
        match self.growth.step(graph, &mut self.expansions) {
            Step::Working => {}
            Step::Done(Some(region)) => {
                self.kind = self.growth.kind().next();
                self.settle(graph, region);
            }
            // What is too large for one kind is too large for all.
            Step::Done(None) => self.kind = RegionKind::default(),
        }
    }

    /// Begins to solve a region, unless it is kept already or its shape is known.
    fn settle(&mut self, graph: &impl EndgameNetwork, region: Region) {
        if self.kept.iter().any(|kept| kept.region == region) {
            return;
        }
        let (shape, places) = region.shape(graph);
        let mut kept = self.kept.iter();
        if let Some(kept) = kept.find(|kept| kept.table.is_of(&region, &shape)) {
            let table = Arc::clone(&kept.table);
            self.keep(Kept {
                region,
                places,
                table,
                held_until: 0,
            });
            return;
        }
        self.found += u64::from(self.known(&region, &shape).is_some());
        self.begin_job(region, shape, places, 0);
    }

    /// Begins to find what is not yet known of a region, and works for some slices. This depends on nothing but the
    /// region and the shapes that are known beforehand.
    fn begin_job(&mut self, region: Region, shape: Shape, places: Vec<u16>, slices: u64) {
        let mut job = match self.stored(&region, &shape) {
            Some(table) => Some(LocalJob::of_stored(region, shape, places, table)),
            None => LocalJob::new(region, shape, places, MOST_BYTES).ok(),
        };
        if let Some(job) = &mut job {
            for _ in 0..slices {
                if job.is_done() {
                    break;
                }
                job.advance();
            }
        }
        self.job = job;
        if self.job.as_ref().is_some_and(LocalJob::is_done) {
            self.take_job();
        }
    }

    /// A region in which the robber may be safe from its only cop, unless a known one contains the robber.
    fn refuge(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) -> Option<Region> {
        let is_refuge = |kept: &Kept| {
            kept.region.outside() == MayLeave::ForCops
                && kept.region.index(state.robber.at).is_some()
        };
        if state.cops.len() != 1 || self.kept.iter().any(is_refuge) {
            return None;
        }
        self.growth.refuge(graph, state, &mut self.expansions)
    }

    /// Returns whether the robber of a position, with the cops to move, is known to be safe: on the whole map, it can
    /// evade these cops for ever. Cost: a value for each region around the robber.
    pub fn is_safe(&mut self, graph: &impl EndgameNetwork, state: &State<'_>) -> bool {
        let Self {
            kept, expansions, ..
        } = self;
        kept.iter().any(|kept| {
            *expansions += EXPANSIONS_OF_A_PROBE;
            kept.is_refuge(graph, state)
        })
    }

    /// The table of a shape as it is stored, if it is known beforehand.
    fn known(&self, region: &Region, shape: &Shape) -> Option<&Arc<Table>> {
        if self.shapes.is_empty() {
            return None;
        }
        self.shapes.find(&ShapeKey::new(region, shape)?)
    }

    /// The table of a shape, if it is known beforehand.
    fn stored(&self, region: &Region, shape: &Shape) -> Option<LocalTable> {
        let table = self.known(region, shape)?;
        Some(LocalTable::packed(shape, region, Arc::clone(table)))
    }

    /// The table of a shape, if it is known beforehand. What follows from the table is found when it is asked for.
    fn on_file(&self, region: &Region, shape: &Shape) -> Option<Arc<LazyTable>> {
        let table = self.stored(region, shape)?;
        let table = LazyTable::solved(region, shape.clone(), Arc::new(table));
        Some(Arc::new(table))
    }

    /// Uses shapes whose tables are known beforehand, and drops the shapes that were in use before. From now on,
    /// regions of these shapes give proofs at once, or if they have exits to guard, after some slices of work.
    ///
    /// The shapes are not part of [`save`](Self::save). A [restored](Self::restore) game continues as before if it gets
    /// the same shapes.
    pub fn use_shapes(&mut self, shapes: Arc<EndgameShapes>) {
        self.shapes = shapes;
        // A restored game gets its shapes after its state.
        if let Some(job) = self.job.take() {
            let slices = job.slices();
            let (region, shape, places) = job.into_region();
            self.begin_job(region, shape, places, slices);
        }
    }

    /// The shapes whose tables are known beforehand.
    #[must_use]
    pub const fn shapes(&self) -> &Arc<EndgameShapes> {
        &self.shapes
    }

    /// The number of regions that were proven by a shape that was known beforehand.
    #[must_use]
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// Collects the shapes that are solved from now on.
    pub fn collect_shapes(&mut self) {
        self.collected.get_or_insert_default();
    }

    /// The shapes that were solved since they are [collected](Self::collect_shapes), or since the last call.
    pub fn take_shapes(&mut self) -> EndgameShapes {
        self.collected
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Works for about `budget` expansions: chooses the region that was [considered](Self::consider), and solves it in
    /// slices. Does nothing if the budget is less than the cost of a slice. Returns whether a table was finished.
    pub fn advance(&mut self, graph: &impl EndgameNetwork, budget: u64) -> bool {
        let end = self.expansions.saturating_add(budget);
        while self.expansions < end && self.growth.chase().is_some() {
            self.choose(graph);
        }
        while self.expansions.saturating_add(EXPANSIONS_OF_A_SLICE) <= end
            && let Some(job) = &mut self.job
        {
            self.expansions += EXPANSIONS_OF_A_SLICE;
            job.advance();
            if job.is_done() {
                self.take_job();
                return true;
            }
        }
        false
    }

    /// Finishes the choice and the solution of what was begun.
    pub fn finish(&mut self, graph: &impl EndgameNetwork) {
        while self.is_solving() {
            self.advance(graph, u64::MAX);
        }
    }

    /// Forgets everything but the shapes that are known beforehand or were collected.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.job = None;
        self.growth.stop();
        self.kind = RegionKind::default();
    }

    /// Keeps the table of the job.
    fn take_job(&mut self) {
        let done = self.job.take().and_then(LocalJob::into_table);
        if let Some((region, shape, places, table)) = done {
            if let Some(collected) = &mut self.collected
                && let Some(key) = ShapeKey::new(&region, &shape)
                && self.shapes.find(&key).is_none()
            {
                collected.insert(key, table.pack());
            }
            self.keep(Kept {
                table: Arc::new(LazyTable::solved(&region, shape, table)),
                region,
                places,
                held_until: 0,
            });
        }
    }

    /// Keeps a region. If there are too many, drops the least recently used one of those that are not held.
    fn keep(&mut self, kept: Kept) {
        if self.kept.len() >= MOST_REGIONS {
            let free = self.kept.iter().position(|kept| kept.held_until == 0);
            self.kept.remove(free.unwrap_or(0));
        }
        self.kept.push(kept);
    }

    /// Holds the region of the last [proof](Self::prove) until a time, in a unit of the caller. Newer regions cannot
    /// evict it before the caller [releases](Self::release) it at that time or later.
    ///
    /// If several chases share the regions, each chase holds the region by which it moves in its turn. Otherwise the
    /// questions of the other chases in the same turn could evict the region, and the proven bound would be lost.
    pub fn keep_until(&mut self, until: u64) {
        if let Some(used) = self.kept.last_mut() {
            used.held_until = used.held_until.max(until);
        }
    }

    /// Releases the regions that are held until `now` or earlier.
    pub fn release(&mut self, now: u64) {
        for kept in &mut self.kept {
            if kept.held_until <= now {
                kept.held_until = 0;
            }
        }
    }

    /// Returns whether no region is kept.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns whether a region is being chosen or solved.
    #[must_use]
    pub const fn is_solving(&self) -> bool {
        self.job.is_some() || self.growth.chase().is_some()
    }

    /// Drops everything that edits of the map have invalidated: the regions in which a cell or a step out of a cell has
    /// changed. Call this after each edit. Cost: the shape of each region.
    pub fn revise(&mut self, graph: &impl EndgameNetwork) {
        let is_same = |region: &Region, shape: &Shape, places: &[u16]| {
            let mut vertices = region.vertices().iter();
            vertices.all(|&vertex| graph.is_live(vertex)) && region.is_guarded_as(graph) && {
                let (now, now_places) = region.shape(graph);
                now == *shape && now_places == places
            }
        };
        self.kept
            .retain(|kept| is_same(&kept.region, kept.shape(), &kept.places));
        self.job
            .take_if(|job| !is_same(&job.region, &job.shape, &job.places));
        self.growth.stop();
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
        if self.growth.has_seen(graph, changed) {
            self.growth.stop();
            self.kind = RegionKind::default();
        }
    }

    /// The regions that are kept, each as its vertices in order.
    pub fn regions(&self) -> impl Iterator<Item = &[Vertex]> {
        self.kept.iter().map(|kept| kept.region.vertices())
    }

    /// The bytes of all tables that are solved, those of equal shapes counted once.
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

    /// The expansions since the last call.
    pub const fn take_expansions(&mut self) -> u64 {
        std::mem::replace(&mut self.expansions, 0)
    }

    /// Everything without the tables.
    #[must_use]
    pub fn save(&self) -> SavedEndgames {
        let job = self.job.as_ref();
        SavedEndgames {
            kept: (self.kept.iter())
                .map(|kept| (kept.region.clone(), kept.held_until))
                .collect(),
            job: job.map(|job| (job.region.clone(), job.slices())),
            chase: self.growth.chase().cloned(),
            kind: self.kind,
        }
    }

    /// Returns to a saved state, on the same map. The table that was used last is solved again at once; each other
    /// table is solved when a position is first looked up in it.
    pub fn restore(&mut self, saved: &SavedEndgames, graph: &impl EndgameNetwork) {
        let before = std::mem::take(&mut self.kept);
        for (region, held_until) in &saved.kept {
            let region = &region.completed(graph);
            let (shape, places) = region.shape(graph);
            let mut all = before.iter().chain(&self.kept);
            let known = all.find(|kept| kept.table.is_of(region, &shape));
            let table = known.map(|kept| Arc::clone(&kept.table));
            let table = table.or_else(|| self.on_file(region, &shape));
            let table = table.unwrap_or_else(|| LazyTable::unsolved(region, shape).into());
            self.kept.push(Kept {
                region: region.clone(),
                places,
                table,
                held_until: *held_until,
            });
        }
        if let Some(last) = self.kept.last() {
            last.table.get();
        }
        self.job = None;
        if let Some((region, slices)) = &saved.job {
            let region = region.completed(graph);
            let (shape, places) = region.shape(graph);
            self.begin_job(region, shape, places, *slices);
        }
        self.kind = saved.kind;
        self.growth.stop();
        if let Some(chase) = &saved.chase {
            self.growth.restore(graph, chase);
        }
    }
}

impl SavedEndgames {
    /// Returns whether all regions lie on a map of `slots` vertices and are small enough to be solved.
    pub(crate) fn is_sound(&self, slots: usize) -> bool {
        let job = self.job.iter().map(|(region, _)| region);
        let mut regions = self.kept.iter().map(|(region, _)| region).chain(job);
        self.kept.len() <= MOST_REGIONS
            && regions.all(|region| region.is_sound(slots) && growth::fits(region))
            && self
                .chase
                .as_ref()
                .is_none_or(|chase| chase.is_sound(slots))
    }
}
