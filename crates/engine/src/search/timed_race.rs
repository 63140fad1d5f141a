//! `TrailMax` in ticks over any graph: wavefronts of arrivals that race.

use super::frontier::{Frontier, Waves};
use super::runner::TimedState;
use super::sliced::{FOUND, STALE, SearchStep};
use crate::game::{Step, Work};
use crate::graph::{Network, Vertex};
use std::cmp::Reverse;

/// A path for the robber on the free running clock, and its value if the robber follows the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedPlan {
    /// The vertices to step on, without the start. After the last one the robber waits there.
    pub path: Vec<Vertex>,
    /// Ticks until capture if the robber keeps to the path and the cops know the path: a lower bound on
    /// the time that it can survive. `None` if no cop can ever reach it.
    pub free_for: Option<u32>,
}

impl Default for TimedPlan {
    fn default() -> Self {
        Self {
            path: Vec::new(),
            free_for: Some(0),
        }
    }
}

/// `TrailMax` on the free running clock, over any graph: arrival times race instead of turns.
///
/// Equation 5.1 of C. Moldenhauer, *Game tree search algorithms for the game of cops and robber*, with
/// ticks for turns, by the rules of [`TimedState`]. The robber takes every vertex at which it arrives
/// before all cops, provided that no cop has reached the vertex that it leaves by then. It runs to the
/// one of these vertices where cops arrive last. If all agents are ready and their steps take equally
/// long, this is the game of turns in which the cops move first: the robber is free for the turns of
/// [`Race`](super::Race) times the ticks of a step. The same holds, rounded up to turns, if a robber's
/// step takes a whole number of cop's steps.
///
/// Runs in slices: [`begin`](Self::begin), [`advance`](Self::advance), then [`plan`](Self::plan). Any
/// slicing gives the same plan. The graph must not change during a search (only a change of the number
/// of vertex numbers is detected). Memory is kept from search to search.
///
/// Cost: at most one expansion per vertex for the robber, and one for each different step time of the
/// cops; slower cops expand only vertices that no faster cop has reached. Memory: 12 bytes per vertex
/// and 4 more for each different step time.
#[derive(Debug, Clone, Default)]
pub struct TimedRace {
    marks: VertexMarks,
    robber: TimedWave,
    /// For each vertex of the robber's wave, in order, the place in the wave of its predecessor.
    from: Vec<u32>,
    /// One wave for each different step time of the cops, the shortest first.
    cops: Waves<TimedWave>,
    /// The starts of the cops, those that are ready first in front.
    sources: Vec<CopStart>,
    /// The number of cops that have begun.
    begun: usize,
    /// The number of vertices of the robber's wave that cops have reached, the last of them, and its
    /// tick.
    caught: usize,
    goal: Option<Vertex>,
    caught_at: u64,
    /// The tick at which the robber arrives at its start.
    ready: u64,
    /// The limit in ticks; 0 for none.
    limit: u64,
    is_cut: bool,
    /// The slots of the graph that the search began on.
    slots: usize,
    work: Work,
    is_done: bool,
    /// Valid once the search is done.
    plan: TimedPlan,
}

/// Which sides have been at each vertex.
#[derive(Debug, Clone, Default)]
struct VertexMarks {
    /// The mark of each vertex, above `base`: [`ROBBER`], plus twice the strength of the fastest cops
    /// that have been there. Values up to the base belong to earlier searches.
    values: Vec<u32>,
    base: u32,
    /// One more than the greatest mark above the base.
    span: u32,
}

const ROBBER: u32 = 1;

/// The start of a cop.
#[derive(Debug, Clone, Copy)]
struct CopStart {
    ready: u64,
    wave: usize,
    at: Vertex,
}

/// Agents of one step time.
#[derive(Debug, Clone, Default)]
struct TimedWave {
    step: u64,
    front: Frontier,
    /// For each arrival, its tick and the number of vertices reached by then.
    arrivals: Vec<(u64, usize)>,
    /// The index of the arrival that is expanded next.
    next: usize,
}

/// The next event of the race.
enum RaceEvent {
    /// A cop begins.
    Source,
    /// Cops of a wave arrive at this tick.
    Cops(usize, u64),
    /// The robber arrives at this tick.
    Robber(u64),
}

impl VertexMarks {
    /// Forgets all marks and makes room for some vertices and strengths of cops.
    fn start(&mut self, slots: usize, strengths: usize) {
        let strengths = u32::try_from(strengths).unwrap_or(u32::MAX);
        let span = strengths.saturating_add(1).saturating_mul(2);
        match self.base.checked_add(self.span) {
            Some(base) if base.checked_add(span).is_some() => self.base = base,
            _ => {
                self.values.fill(0);
                self.base = 0;
            }
        }
        self.span = span;
        if self.values.len() < slots {
            self.values.resize(slots, 0);
        }
    }

    /// Returns whether the robber's wave has been there.
    fn is_robbers(&self, vertex: Vertex) -> bool {
        let mark = self.values[vertex.index()].saturating_sub(self.base);
        mark & ROBBER != 0
    }

    /// Returns whether a cop has been there.
    fn is_cops(&self, vertex: Vertex) -> bool {
        is_cops(&self.values, self.base, vertex)
    }
}

/// Returns whether a cop has been there.
fn is_cops(marks: &[u32], base: u32, vertex: Vertex) -> bool {
    marks[vertex.index()] > base + ROBBER
}

/// Adds a vertex to the robber's wave; `false` if an agent has been there.
fn take(marks: &mut [u32], base: u32, vertex: Vertex) -> bool {
    let mark = &mut marks[vertex.index()];
    let is_free = *mark <= base;
    if is_free {
        *mark = base + ROBBER;
    }
    is_free
}

/// Marks the arrival of cops at a vertex. Returns whether only slower cops have been there before, and
/// whether the robber's wave is captured there.
fn arrive(marks: &mut [u32], base: u32, vertex: Vertex, strength: u32) -> (bool, bool) {
    let mark = &mut marks[vertex.index()];
    if *mark >= base + 2 * strength {
        return (false, false);
    }
    let before = mark.saturating_sub(base);
    *mark = base + 2 * strength + (before & ROBBER);
    (true, before == ROBBER)
}

impl TimedWave {
    fn start(&mut self, step: u64, slots: usize) {
        self.step = step;
        self.front.start(slots);
        self.arrivals.clear();
        self.next = 0;
    }

    /// Sets the arrival tick of the vertices that were added since the last call.
    fn stamp(&mut self, tick: u64) {
        let len = self.front.len();
        match self.arrivals.last_mut() {
            Some(last) if last.1 == len => {}
            Some(last) if last.0 == tick => last.1 = len,
            _ => self.arrivals.push((tick, len)),
        }
    }

    /// The tick of the next arrival.
    fn due(&self) -> Option<u64> {
        let arrival = self.arrivals.get(self.next);
        arrival.map(|&(tick, _)| tick.saturating_add(self.step))
    }

    /// Opens the next arrival for expansion.
    fn open(&mut self) {
        if let Some(&(_, end)) = self.arrivals.get(self.next) {
            self.front.next_layer_to(end);
        }
    }

    /// Ends the expansion of an arrival once all of its vertices are expanded.
    fn close(&mut self, tick: u64) {
        if self.front.is_layer_over() {
            self.next += 1;
        }
        self.stamp(tick);
    }
}

impl TimedRace {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the search for a state and forgets the previous search.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, network: &impl Network, state: &TimedState<'_>) {
        self.slots = network.slots();
        self.start_waves(state);
        self.marks.start(self.slots, self.cops.len());
        let robber = state.robber;
        // It never shrinks: the next graph may be a larger one.
        if self.from.len() < self.slots {
            self.from.resize(self.slots, 0);
        }
        self.ready = u64::from(robber.ready);
        self.robber.start(robber.pace(), self.slots);
        take(&mut self.marks.values, self.marks.base, robber.at);
        self.robber.front.push(robber.at);
        self.robber.stamp(self.ready);
        self.caught = 0;
        self.caught_at = 0;
        self.goal = None;
        self.work = Work::NONE;
        (self.is_done, self.is_cut) = (false, false);
        // Beginning with cops that are ready takes no expansions.
        while !self.is_done && self.sources.get(self.begun).is_some_and(|s| s.ready == 0) {
            self.begin_cop();
        }
        if self.sources.is_empty() {
            self.escape();
        }
    }

    /// Makes a wave for each different step time, and the list of sources.
    fn start_waves(&mut self, state: &TimedState<'_>) {
        self.cops.clear();
        for cop in state.cops {
            let step = cop.pace();
            self.cops.get(
                |wave| wave.step == step,
                |wave| wave.start(step, self.slots),
            );
        }
        self.cops.sort_unstable_by_key(|wave| wave.step);
        let waves = &*self.cops;
        self.sources.clear();
        for cop in state.cops {
            let wave = waves.partition_point(|wave| wave.step < cop.pace());
            self.sources.push(CopStart {
                ready: u64::from(cop.ready),
                wave,
                at: cop.at,
            });
        }
        // Faster cops first: slower ones do not enter vertices that these have reached.
        self.sources
            .sort_unstable_by_key(|source| (source.ready, source.wave, source.at));
        self.begun = 0;
    }

    /// Continues for at most `budget` expansions.
    pub fn advance(&mut self, network: &impl Network, mut budget: u32) -> SearchStep {
        if network.slots() != self.slots {
            return STALE;
        }
        let granted = budget;
        while !self.is_done && budget > 0 {
            match self.event() {
                None => self.escape(),
                Some(event) if self.is_beyond_limit(&event) => self.cut(),
                Some(RaceEvent::Source) => self.begin_cop(),
                Some(RaceEvent::Cops(wave, tick)) => {
                    self.advance_cops(network, wave, tick, &mut budget);
                }
                Some(RaceEvent::Robber(tick)) => self.advance_robber(network, tick, &mut budget),
            }
        }
        self.work.expansions += u64::from(granted - budget);
        if self.is_done { FOUND } else { Step::Working }
    }

    /// The next event; `None` if no cop moves any more.
    fn event(&self) -> Option<RaceEvent> {
        let source = self.sources.get(self.begun).map(|source| source.ready);
        let waves = self.cops.iter().zip(0..);
        let cops = waves
            .filter_map(|(wave, index)| Some((wave.due()?, index)))
            .min();
        let first = [source, cops.map(|(tick, _)| tick)]
            .into_iter()
            .flatten()
            .min()?;
        if let Some(tick) = self.robber.due().filter(|&tick| tick < first) {
            return Some(RaceEvent::Robber(tick));
        }
        match cops {
            Some((tick, wave)) if source.is_none_or(|source| tick < source) => {
                Some(RaceEvent::Cops(wave, tick))
            }
            _ => Some(RaceEvent::Source),
        }
    }

    /// The tick at which a search with a limit ends.
    const fn horizon(&self) -> u64 {
        match self.limit {
            0 => u64::MAX,
            limit => self.ready.saturating_add(limit),
        }
    }

    fn is_beyond_limit(&self, event: &RaceEvent) -> bool {
        let tick = match *event {
            RaceEvent::Source => self.sources[self.begun].ready,
            RaceEvent::Cops(_, tick) | RaceEvent::Robber(tick) => tick,
        };
        tick > self.horizon()
    }

    /// Ends the search at its limit. The path leads to some vertex where the robber is free.
    fn cut(&mut self) {
        self.plan.free_for = Some(u32::try_from(self.horizon()).unwrap_or(u32::MAX));
        (self.is_cut, self.is_done) = (true, true);
        let mut reached = self.robber.front.vertices().iter();
        let free = reached.rposition(|&vertex| !self.marks.is_cops(vertex));
        self.lead_to(free);
    }

    /// Makes the plan lead to a place in the robber's wave.
    fn lead_to(&mut self, place: Option<usize>) {
        self.plan.path.clear();
        if let Some(place) = place {
            let reached = self.robber.front.vertices();
            path_to(reached, &self.from, place, &mut self.plan.path);
        }
    }

    /// The next cop becomes ready at its start.
    fn begin_cop(&mut self) {
        let CopStart { ready, wave, at } = self.sources[self.begun];
        self.begun += 1;
        let strength = (self.cops.len() - wave) as u32;
        let VertexMarks { values, base, .. } = &mut self.marks;
        let (is_new, captures) = arrive(values, *base, at, strength);
        if is_new {
            self.cops[wave].front.push(at);
            self.cops[wave].stamp(ready);
        }
        if captures {
            self.caught += 1;
            self.goal = Some(at);
            self.caught_at = ready;
        }
        self.settle();
    }

    /// Ends the search if cops have reached all vertices of the robber's wave.
    fn settle(&mut self) {
        if self.caught < self.robber.front.len() {
            return;
        }
        // A robber cannot be captured before it arrives.
        let tick = self.caught_at.max(self.ready);
        self.plan.free_for = Some(u32::try_from(tick).unwrap_or(u32::MAX));
        self.lead_to(self.goal_place());
        self.is_done = true;
    }

    /// The place in the robber's wave of the vertex that cops have reached last.
    fn goal_place(&self) -> Option<usize> {
        let mut reached = self.robber.front.vertices().iter();
        reached.rposition(|&vertex| Some(vertex) == self.goal)
    }

    /// Ends the search when no cop can move any further. Then no cop can ever reach the robber;
    /// otherwise it would reach every vertex of the robber's wave.
    fn escape(&mut self) {
        self.plan.free_for = None;
        self.plan.path.clear();
        self.is_done = true;
    }

    /// The robber arrives at vertices where no agent has been, from vertices that no cop has reached.
    fn advance_robber(&mut self, network: &impl Network, tick: u64, budget: &mut u32) {
        let Self {
            marks,
            robber,
            from,
            ..
        } = self;
        // A local copy: the compiler knows that writes to the lists do not change it.
        let (values, base) = (marks.values.as_mut_slice(), marks.base);
        let from = from.as_mut_slice();
        robber.open();
        while *budget > 0
            && let Some(vertex) = robber.front.pop()
        {
            if is_cops(values, base, vertex) {
                continue; // captured here before it could move on
            }
            *budget -= 1;
            let neighbours = network.neighbours(vertex);
            self.work.touched += neighbours.len() as u64;
            let before = robber.front.place() as u32;
            robber.front.extend(neighbours, |next, place| {
                let is_new = take(values, base, next);
                if is_new {
                    from[place] = before;
                }
                is_new
            });
        }
        robber.close(tick);
    }

    /// The cops of a wave arrive at vertices where at most slower cops have been.
    fn advance_cops(&mut self, network: &impl Network, wave: usize, tick: u64, budget: &mut u32) {
        let Self {
            marks,
            cops,
            robber,
            ..
        } = self;
        let strength = (cops.len() - wave) as u32;
        let cops = &mut cops[wave];
        let (values, base) = (marks.values.as_mut_slice(), marks.base);
        let (mut caught, mut goal) = (self.caught, self.goal.unwrap_or_default());
        cops.open();
        while *budget > 0
            && caught < robber.front.len()
            && let Some(vertex) = cops.front.pop()
        {
            *budget -= 1;
            let neighbours = network.neighbours(vertex);
            self.work.touched += neighbours.len() as u64;
            cops.front.extend(neighbours, |next, _| {
                let (is_new, captures) = arrive(values, base, next, strength);
                if captures {
                    caught += 1;
                    goal = next;
                }
                is_new
            });
        }
        cops.close(tick);
        if caught > self.caught {
            (self.caught, self.goal, self.caught_at) = (caught, Some(goal), tick);
        }
        self.settle();
    }

    /// Limits each search from now on to some ticks after the robber arrives at its start; 0 for no limit. If the robber
    /// is still free then, the search ends, and [`TimedPlan::free_for`] is this tick.
    pub const fn limit_ticks(&mut self, ticks: u64) {
        self.limit = ticks;
    }

    /// Returns whether the limit ended the search with the robber still free. The path leads to some vertex where the
    /// robber is free, unless it is [aimed](Self::aim).
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// After a search that was cut, makes the plan lead to the farthest vertex of the rim where the robber is free; of
    /// several to the one that it reaches first.
    pub(super) fn aim(&mut self, far: impl Fn(Vertex) -> u64) {
        let reached = self.robber.front.vertices();
        let rim = reached.len() - self.robber.front.rim().len()..reached.len();
        let free = rim.filter(|&place| !self.marks.is_cops(reached[place]));
        let goal = free.max_by_key(|&place| (far(reached[place]), Reverse(place)));
        if goal.is_some() {
            self.lead_to(goal);
        }
    }

    /// The plan, once the search is done.
    #[must_use]
    pub const fn plan(&self) -> Option<&TimedPlan> {
        if self.is_done { Some(&self.plan) } else { None }
    }

    /// Begins, runs to the end and returns the plan.
    ///
    /// # Panics
    /// As [`TimedRace::begin`].
    pub fn solve(&mut self, network: &impl Network, state: &TimedState<'_>) -> &TimedPlan {
        self.begin(network, state);
        while self.advance(network, u32::MAX).is_working() {}
        &self.plan
    }

    /// Appends the best path so far, without the start, to `path`: a path on which the robber is free as
    /// far as the search has looked ahead, and once the search is done the path of the plan. Cost: at
    /// most linear in the robber's wave.
    pub fn best_so_far(&self, path: &mut Vec<Vertex>) {
        if self.is_done {
            path.extend_from_slice(&self.plan.path);
            return;
        }
        let mut reached = self.robber.front.vertices().iter();
        let free = reached.rposition(|&vertex| !self.marks.is_cops(vertex));
        if let Some(place) = free.or_else(|| self.goal_place()) {
            path_to(self.robber.front.vertices(), &self.from, place, path);
        }
    }

    /// Calls `visit` for each vertex that a wave has reached; for some of them more than once if the
    /// cops' step times differ. Cost: linear in the vertices reached.
    pub fn for_each_reached(&self, visit: impl FnMut(Vertex)) {
        let robbers = self.robber.front.vertices().iter();
        let cops = self.cops.iter().flat_map(|wave| wave.front.vertices());
        let others = cops.filter(|&&vertex| !self.marks.is_robbers(vertex));
        robbers.chain(others).copied().for_each(visit);
    }

    /// Calls `visit` for each reached vertex that was not expanded; for some of them more than once. All neighbours of
    /// the other vertices have been reached, too. Cost: linear in the vertices visited.
    pub fn for_each_on_rim(&self, visit: impl FnMut(Vertex)) {
        // A vertex where the robber was captured before it could move on belongs to a wave of the cops, too.
        let robbers = self.robber.front.rim().iter();
        let cops = self.cops.iter().flat_map(|wave| wave.front.rim());
        robbers.chain(cops).copied().for_each(visit);
    }

    /// The work since the search began.
    #[must_use]
    pub const fn work(&self) -> Work {
        self.work
    }
}

/// Appends the path to a place in a wave that began at place 0, without the start.
fn path_to(reached: &[Vertex], from: &[u32], place: usize, path: &mut Vec<Vertex>) {
    let begin = path.len();
    let mut place = place;
    while place > 0 {
        path.push(reached[place]);
        place = from[place] as usize;
    }
    path[begin..].reverse();
}
