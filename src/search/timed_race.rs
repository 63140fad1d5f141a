use super::runner::TimedState;
use super::sliced::SearchProgress;
use crate::graph::{Network, Vertex};

/// A way to run on the free running clock, and what it is worth if the robber keeps to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedPlan {
    /// The vertices to step on, without the start. After the last one the robber waits there.
    pub path: Vec<Vertex>,
    /// Ticks until cops that know the path capture a robber that keeps to it: a lower bound on what
    /// it can get. `None` if no cop can ever come.
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
/// Equation 5.1 of the thesis (C. Moldenhauer, section 5.4) with ticks for turns, by the rules of
/// [`TimedState`]: the robber takes every vertex at which it arrives before all cops, if none comes
/// to the vertex it leaves until then, and runs to the one of them where cops arrive last. Agents
/// whose steps take equally long and who are all ready play the game of turns in which the cops
/// move first: the robber is free for as many ticks as a step takes, times the turns of
/// [`Race`](super::Race). The same holds where a robber's step takes a whole number of cop's steps,
/// rounded up to turns.
///
/// Resumable: [`begin`](Self::begin), [`advance`](Self::advance) as often as wanted, then
/// [`plan`](Self::plan). Any slicing gives the same plan. The graph has to stay the same from begin
/// to end; begin anew after an edit (a graph with more or fewer vertex numbers is noticed). Memory
/// is kept from call to call.
///
/// Cost: at most an expansion a vertex for the robber and one for each different step time of cops,
/// a slower cop's only where no faster one has been. Memory: 12 bytes a vertex and 4 more for each
/// different step time.
#[derive(Debug, Clone, Default)]
pub struct TimedRace {
    marks: Marks,
    robber: Wave,
    /// For each vertex of the robber's wave, in order, the place in it of the one it comes from.
    from: Vec<u32>,
    /// One wave for each different step time of the cops, the shortest first.
    cops: Vec<Wave>,
    /// How many of `cops` the current search uses.
    waves: usize,
    /// Where cops begin, those ready first in front.
    sources: Vec<Source>,
    /// How many of them have begun.
    begun: usize,
    /// How many vertices of the robber's wave cops have reached, the last of them, and when.
    caught: usize,
    goal: Option<Vertex>,
    caught_at: u64,
    /// When the robber arrives at its start.
    ready: u64,
    /// Of the graph that the search began on.
    slots: usize,
    expansions: u64,
    touched: u64,
    is_done: bool,
    /// Valid once it is done.
    plan: TimedPlan,
}

/// Who has been where.
#[derive(Debug, Clone, Default)]
struct Marks {
    /// For each vertex what is above `base`: [`ROBBER`], and twice the strength of the fastest cops
    /// that have been there. What is below is from earlier searches.
    values: Vec<u32>,
    base: u32,
    /// One more than the greatest mark above the base.
    span: u32,
}

const ROBBER: u32 = 1;

/// Where a cop begins.
#[derive(Debug, Clone, Copy)]
struct Source {
    ready: u64,
    wave: usize,
    at: Vertex,
}

/// Agents of one step time that go everywhere.
#[derive(Debug, Clone, Default)]
struct Wave {
    step: u64,
    /// The vertices it has reached, in order; those beyond `len` are room.
    reached: Vec<Vertex>,
    len: usize,
    /// How many of them are expanded.
    done: usize,
    /// For each arrival the tick and the end of what was reached until then.
    arrivals: Vec<(u64, usize)>,
    /// Which arrival is expanded next.
    next: usize,
}

/// What happens next.
enum Event {
    /// A cop begins.
    Source,
    /// Cops of a wave arrive at this tick.
    Cops(usize, u64),
    /// The robber arrives at this tick.
    Robber(u64),
}

impl Marks {
    /// Forgets who has been where, for so many vertices and strengths of cops.
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

    fn mark(&self, vertex: Vertex) -> u32 {
        self.values[vertex.index()].saturating_sub(self.base)
    }

    /// Has a cop been there?
    fn is_cops(&self, vertex: Vertex) -> bool {
        is_cops(&self.values, self.base, vertex)
    }
}

/// Has a cop been there?
fn is_cops(marks: &[u32], base: u32, vertex: Vertex) -> bool {
    marks[vertex.index()] > base + ROBBER
}

/// Takes a vertex for the robber: has nobody been there?
fn take(marks: &mut [u32], base: u32, vertex: Vertex) -> bool {
    let mark = &mut marks[vertex.index()];
    let is_free = *mark <= base;
    if is_free {
        *mark = base + ROBBER;
    }
    is_free
}

/// Lets cops arrive at a vertex: have only slower ones been there, and is the robber's wave captured?
fn arrive(marks: &mut [u32], base: u32, vertex: Vertex, strength: u32) -> (bool, bool) {
    let mark = &mut marks[vertex.index()];
    if *mark >= base + 2 * strength {
        return (false, false);
    }
    let before = mark.saturating_sub(base);
    *mark = base + 2 * strength + before % 2;
    (true, before == ROBBER)
}

impl Wave {
    fn start(&mut self, step: u64, slots: usize) {
        self.step = step;
        if self.reached.len() < slots {
            self.reached.resize(slots, Vertex::default());
        }
        self.arrivals.clear();
        (self.len, self.done, self.next) = (0, 0, 0);
    }

    /// Adds a vertex that is new to the wave.
    fn push(&mut self, vertex: Vertex) {
        self.reached[self.len] = vertex;
        self.len += 1;
    }

    /// What was added since the last time arrives at this tick.
    fn stamp(&mut self, tick: u64) {
        match self.arrivals.last_mut() {
            Some(last) if last.1 == self.len => {}
            Some(last) if last.0 == tick => last.1 = self.len,
            _ => self.arrivals.push((tick, self.len)),
        }
    }

    fn vertices(&self) -> &[Vertex] {
        &self.reached[..self.len]
    }

    /// When it arrives next.
    fn due(&self) -> Option<u64> {
        let arrival = self.arrivals.get(self.next);
        arrival.map(|&(tick, _)| tick.saturating_add(self.step))
    }

    /// The next vertex to expand of those that arrived at the same tick as the one before.
    fn pop(&mut self, end: usize) -> Option<Vertex> {
        if self.done == end {
            self.next += 1;
            return None;
        }
        self.done += 1;
        self.reached.get(self.done - 1).copied()
    }

    /// Where the vertices that are expanded next end.
    fn end(&self) -> usize {
        let arrival = self.arrivals.get(self.next);
        arrival.map_or(self.done, |&(_, end)| end)
    }
}

impl TimedRace {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the search for a state, forgetting the one before.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, network: &impl Network, state: &TimedState<'_>) {
        self.slots = network.slots();
        self.start_waves(state);
        self.marks.start(self.slots, self.waves);
        let robber = state.robber;
        // It never shrinks: the next graph may be a larger one.
        if self.from.len() < self.slots {
            self.from.resize(self.slots, 0);
        }
        self.ready = u64::from(robber.ready);
        self.robber.start(robber.pace(), self.slots);
        take(&mut self.marks.values, self.marks.base, robber.at);
        self.robber.push(robber.at);
        self.robber.stamp(self.ready);
        self.caught = 0;
        self.caught_at = 0;
        self.goal = None;
        (self.expansions, self.touched) = (0, 0);
        self.is_done = false;
        // Cops that are there already cost nothing to find out about.
        while !self.is_done && self.sources.get(self.begun).is_some_and(|s| s.ready == 0) {
            self.begin_cop();
        }
        if self.sources.is_empty() {
            self.escape();
        }
    }

    /// Makes a wave for each different step time, and the list of sources.
    fn start_waves(&mut self, state: &TimedState<'_>) {
        self.waves = 0;
        for cop in state.cops {
            let step = cop.pace();
            let waves = &mut self.cops[..self.waves];
            let Err(index) = waves.binary_search_by_key(&step, |wave| wave.step) else {
                continue;
            };
            if self.cops.len() == self.waves {
                self.cops.push(Wave::default());
            }
            self.waves += 1;
            self.cops[index..self.waves].rotate_right(1);
            self.cops[index].start(step, self.slots);
        }
        let waves = &self.cops[..self.waves];
        self.sources.clear();
        for cop in state.cops {
            let wave = waves.partition_point(|wave| wave.step < cop.pace());
            self.sources.push(Source {
                ready: u64::from(cop.ready),
                wave,
                at: cop.at,
            });
        }
        // The faster ones first, who may spare the others the way.
        self.sources
            .sort_unstable_by_key(|source| (source.ready, source.wave, source.at));
        self.begun = 0;
    }

    /// Searches on for at most `budget` expansions.
    pub fn advance(&mut self, network: &impl Network, mut budget: u32) -> SearchProgress {
        if network.slots() != self.slots {
            return SearchProgress::Stale;
        }
        let granted = budget;
        while !self.is_done && budget > 0 {
            match self.event() {
                None => self.escape(),
                Some(Event::Source) => self.begin_cop(),
                Some(Event::Cops(wave, tick)) => {
                    self.advance_cops(network, wave, tick, &mut budget);
                }
                Some(Event::Robber(tick)) => self.advance_robber(network, tick, &mut budget),
            }
        }
        self.expansions += u64::from(granted - budget);
        if self.is_done {
            SearchProgress::Done
        } else {
            SearchProgress::Running
        }
    }

    /// What happens next; `None` if no cop goes on.
    fn event(&self) -> Option<Event> {
        let source = self.sources.get(self.begun).map(|source| source.ready);
        let waves = self.cops[..self.waves].iter().zip(0..);
        let cops = waves
            .filter_map(|(wave, index)| Some((wave.due()?, index)))
            .min();
        let first = [source, cops.map(|(tick, _)| tick)]
            .into_iter()
            .flatten()
            .min()?;
        if let Some(tick) = self.robber.due().filter(|&tick| tick < first) {
            return Some(Event::Robber(tick));
        }
        match cops {
            Some((tick, wave)) if source.is_none_or(|source| tick < source) => {
                Some(Event::Cops(wave, tick))
            }
            _ => Some(Event::Source),
        }
    }

    /// The next cop is ready where it begins.
    fn begin_cop(&mut self) {
        let Source { ready, wave, at } = self.sources[self.begun];
        self.begun += 1;
        let strength = (self.waves - wave) as u32;
        let Marks { values, base, .. } = &mut self.marks;
        let (is_new, captures) = arrive(values, *base, at, strength);
        if is_new {
            self.cops[wave].push(at);
            self.cops[wave].stamp(ready);
        }
        if captures {
            self.caught += 1;
            self.goal = Some(at);
            self.caught_at = ready;
        }
        self.settle();
    }

    /// Ends the search if cops have reached all that the robber has.
    fn settle(&mut self) {
        if self.caught < self.robber.len {
            return;
        }
        // Nobody is captured before it arrives.
        let tick = self.caught_at.max(self.ready);
        self.plan.free_for = Some(u32::try_from(tick).unwrap_or(u32::MAX));
        self.plan.path.clear();
        if let Some(place) = self.goal_place() {
            path_to(&self.robber.reached, &self.from, place, &mut self.plan.path);
        }
        self.is_done = true;
    }

    /// The place in the robber's wave of the vertex that cops have reached last.
    fn goal_place(&self) -> Option<usize> {
        let mut reached = self.robber.vertices().iter();
        reached.rposition(|&vertex| Some(vertex) == self.goal)
    }

    /// Ends the search: no cop comes any further. None ever comes where the robber is, or it would
    /// come wherever the robber can.
    fn escape(&mut self) {
        self.plan.free_for = None;
        self.plan.path.clear();
        self.is_done = true;
    }

    /// The robber arrives, where nobody has been, from vertices that no cop has reached.
    fn advance_robber(&mut self, network: &impl Network, tick: u64, budget: &mut u32) {
        let Self {
            marks,
            robber,
            from,
            ..
        } = self;
        // On the stack, where no write to the lists can touch it.
        let (values, base) = (marks.values.as_mut_slice(), marks.base);
        let end = robber.end();
        while *budget > 0
            && let Some(vertex) = robber.pop(end)
        {
            if is_cops(values, base, vertex) {
                continue; // captured here before it could go on
            }
            *budget -= 1;
            let neighbours = network.neighbours(vertex);
            self.touched += neighbours.len() as u64;
            let place = (robber.done - 1) as u32;
            let mut len = robber.len;
            let (reached, from) = (robber.reached.as_mut_slice(), from.as_mut_slice());
            for &neighbour in neighbours {
                if take(values, base, neighbour) {
                    (reached[len], from[len]) = (neighbour, place);
                    len += 1;
                }
            }
            robber.len = len;
        }
        robber.stamp(tick);
    }

    /// Cops of a wave arrive wherever only slower ones have been.
    fn advance_cops(&mut self, network: &impl Network, wave: usize, tick: u64, budget: &mut u32) {
        let Self { marks, cops, .. } = self;
        let cops = &mut cops[wave];
        let strength = (self.waves - wave) as u32;
        let (values, base) = (marks.values.as_mut_slice(), marks.base);
        let (mut caught, mut goal) = (self.caught, self.goal.unwrap_or_default());
        let end = cops.end();
        while *budget > 0
            && caught < self.robber.len
            && let Some(vertex) = cops.pop(end)
        {
            *budget -= 1;
            let neighbours = network.neighbours(vertex);
            self.touched += neighbours.len() as u64;
            let mut len = cops.len;
            let reached = cops.reached.as_mut_slice();
            for &neighbour in neighbours {
                let (is_new, captures) = arrive(values, base, neighbour, strength);
                if is_new {
                    reached[len] = neighbour;
                    len += 1;
                }
                if captures {
                    caught += 1;
                    goal = neighbour;
                }
            }
            cops.len = len;
        }
        cops.stamp(tick);
        if caught > self.caught {
            (self.caught, self.goal, self.caught_at) = (caught, Some(goal), tick);
        }
        self.settle();
    }

    /// The plan, once the search is done.
    #[must_use]
    pub const fn plan(&self) -> Option<&TimedPlan> {
        if self.is_done { Some(&self.plan) } else { None }
    }

    /// Begins, runs to the end and gives the plan.
    ///
    /// # Panics
    /// As [`TimedRace::begin`].
    pub fn solve(&mut self, network: &impl Network, state: &TimedState<'_>) -> &TimedPlan {
        self.begin(network, state);
        while self.advance(network, u32::MAX) == SearchProgress::Running {}
        &self.plan
    }

    /// Appends the best path so far, without the start, to `path`: one on which the robber is free as
    /// long as the search has looked ahead. The plan's path once the search is done. Cost: linear in
    /// the robber's wave at most.
    pub fn best_so_far(&self, path: &mut Vec<Vertex>) {
        if self.is_done {
            path.extend_from_slice(&self.plan.path);
            return;
        }
        let mut reached = self.robber.vertices().iter();
        let free = reached.rposition(|&vertex| !self.marks.is_cops(vertex));
        if let Some(place) = free.or_else(|| self.goal_place()) {
            path_to(&self.robber.reached, &self.from, place, path);
        }
    }

    /// Calls `visit` for each vertex that a wave has reached, in order of their numbers. Cost: linear
    /// in the vertices of the graph.
    pub fn for_each_reached(&self, visit: impl FnMut(Vertex)) {
        (0..self.slots)
            .map(Vertex::from_index)
            .filter(|&vertex| self.marks.mark(vertex) > 0)
            .for_each(visit);
    }

    /// Expansions since the search began: vertices whose neighbours were generated.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Neighbours looked at since the search began.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.touched
    }
}

/// Appends the way to a place in a wave that began at place 0, without the start.
fn path_to(reached: &[Vertex], from: &[u32], place: usize, path: &mut Vec<Vertex>) {
    let begin = path.len();
    let mut place = place;
    while place > 0 {
        path.push(reached[place]);
        place = from[place] as usize;
    }
    path[begin..].reverse();
}
