use super::VisitedSet;
use super::plan::Plan;
use super::sliced::SearchProgress;
use crate::game::{Outcome, Side, Speed, State, Turns};
use crate::graph::{Network, Vertex};

/// `TrailMax` over any graph, for cops and robbers of any speeds.
///
/// Two wavefronts race: the robber takes every vertex that it reaches before the cops, the cops
/// take everything, and the vertex they take last is where the robber runs to (thesis, section 5.4,
/// equation 5.1 and figure 5.12). On the graph of a map [`TrailMax`](super::TrailMax) has a faster
/// way for most games.
///
/// Resumable: [`begin`](Self::begin), [`advance`](Self::advance) as often as wanted, then
/// [`plan`](Self::plan). Any slicing gives the same plan. The graph has to stay the same from begin
/// to end; begin anew after an edit (a graph with more or fewer vertex numbers is noticed). Memory is kept from call to call.
///
/// Cost: at most two expansions a vertex, one by each side (cops of different speeds: one more for
/// each further speed).
#[derive(Debug, Clone, Default)]
pub struct Race {
    robber: RobberWave,
    /// One wave for each different speed of the cops.
    cops: Vec<CopWave>,
    /// How many of `cops` the current search uses.
    waves: usize,
    /// The vertices some cop has reached.
    closed: VisitedSet,
    caught: usize,
    /// The vertices of the robber's wave that were captured in the last turn in which any was, in
    /// order.
    goals: Vec<Vertex>,
    last_turn: u32,
    turn: u32,
    phase: Phase,
    cops_first: bool,
    /// Of the graph that the search began on.
    slots: usize,
    /// The turns after which it ends; 0 for none.
    limit: u32,
    is_cut: bool,
    expansions: u64,
    touched: u64,
    outcome: Option<Outcome>,
    /// Valid once there is an outcome.
    plan: Plan,
}

/// Whose wave moves next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Robber,
    /// The wave with this index.
    Cops(usize),
}

#[derive(Debug, Clone, Default)]
struct RobberWave {
    /// The vertices the robber reaches before the cops, with the vertex it comes from.
    taken: VisitedSet,
    parent: Vec<Vertex>,
    count: usize,
    front: Front,
    speed: u8,
}

#[derive(Debug, Clone, Default)]
struct CopWave {
    reached: VisitedSet,
    front: Front,
    speed: u8,
}

/// A wave in the order in which it came by: vertices that are expanded, its rim, and those found for
/// the next step.
#[derive(Debug, Clone, Default)]
struct Front {
    vertices: Vec<Vertex>,
    /// How many are expanded.
    done: usize,
    /// Where those end that are expanded in this step.
    end: usize,
    /// How many steps of the turn are finished.
    steps: u8,
}

impl Front {
    fn start(&mut self) {
        self.vertices.clear();
        self.done = 0;
        self.end = 0;
        self.steps = 0;
    }

    /// Adds a vertex that is expanded in the first step.
    fn push_first(&mut self, vertex: Vertex) {
        self.vertices.push(vertex);
        self.end = self.vertices.len();
    }

    /// The next vertex of this step.
    fn pop(&mut self) -> Option<Vertex> {
        if self.done == self.end {
            return None;
        }
        self.done += 1;
        Some(self.vertices[self.done - 1])
    }

    /// Has every vertex of this step had its turn?
    const fn step_is_over(&self) -> bool {
        self.done == self.end
    }

    /// Goes on to the next step; `true` when the turn has had all of its steps.
    fn step(&mut self, speed: u8) -> bool {
        self.end = self.vertices.len();
        self.steps += 1;
        let turn_is_over = self.steps >= speed || self.is_spent();
        if turn_is_over {
            self.steps = 0;
        }
        turn_is_over
    }

    /// Is there nothing left to expand, between two steps?
    const fn is_spent(&self) -> bool {
        self.done == self.end
    }

    /// Those that are not expanded yet, and those of the step that is expanded.
    fn rim(&self) -> &[Vertex] {
        let first = self.done.min(self.vertices.len());
        &self.vertices[first..]
    }
}

impl RobberWave {
    fn start(&mut self, at: Vertex, speed: Speed, slots: usize) {
        self.taken.clear(slots);
        // It never shrinks: the next graph may be a larger one.
        if self.parent.len() < slots {
            self.parent.resize(slots, at);
        }
        self.speed = speed.steps();
        self.front.start();
        self.count = 0;
        self.take(at, at);
        self.front.end = 1;
    }

    fn take(&mut self, vertex: Vertex, parent: Vertex) {
        if self.taken.insert(vertex) {
            self.parent[vertex.index()] = parent;
            self.count += 1;
            self.front.vertices.push(vertex);
        }
    }

    /// Appends the way from the start to a vertex of the wave, without the start.
    fn path_to(&self, goal: Vertex, path: &mut Vec<Vertex>) {
        let mut at = goal;
        while self.parent[at.index()] != at {
            path.push(at);
            at = self.parent[at.index()];
        }
        path.reverse();
    }
}

impl CopWave {
    fn start(&mut self, speed: Speed, slots: usize) {
        self.reached.clear(slots);
        self.speed = speed.steps();
        self.front.start();
    }

    fn start_at(&mut self, at: Vertex) {
        if self.reached.insert(at) {
            self.front.push_first(at);
        }
    }
}

impl Race {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the search for a state, forgetting the one before.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &impl Network, state: &State<'_>) {
        let slots = graph.slots();
        self.slots = slots;
        self.closed.clear(slots);
        self.caught = 0;
        self.goals.clear();
        self.last_turn = 0;
        self.is_cut = false;
        self.turn = 1;
        self.expansions = 0;
        self.touched = 0;
        self.cops_first = state.to_move == Side::Cops;
        self.phase = if self.cops_first {
            Phase::Cops(0)
        } else {
            Phase::Robber
        };
        self.robber
            .start(state.robber.at, state.robber.speed, slots);
        self.waves = 0;
        for cop in state.cops {
            self.wave(cop.speed, slots).start_at(cop.at);
            self.closed.insert(cop.at);
        }
        self.outcome = if state.is_capture() {
            Some(Outcome::Caught(Turns(0)))
        } else if state.cops.is_empty() {
            Some(Outcome::Escapes)
        } else {
            None
        };
        self.settle();
    }

    /// Searches on for at most `budget` expansions.
    pub fn advance(&mut self, graph: &impl Network, mut budget: u32) -> SearchProgress {
        if graph.slots() != self.slots {
            return SearchProgress::Stale;
        }
        let granted = budget;
        while self.outcome.is_none() && budget > 0 {
            match self.phase {
                Phase::Robber => self.advance_robber(graph, &mut budget),
                Phase::Cops(wave) => self.advance_cops(graph, wave, &mut budget),
            }
        }
        self.expansions += u64::from(granted - budget);
        self.settle()
    }

    /// Writes the plan down if the search is at its end.
    fn settle(&mut self) -> SearchProgress {
        let Some(outcome) = self.outcome else {
            return SearchProgress::Running;
        };
        self.plan.outcome = outcome;
        self.plan.path.clear();
        if self.is_cut {
            let goal = self.free_rim().last();
            if let Some(goal) = goal {
                self.robber.path_to(goal, &mut self.plan.path);
            }
            return SearchProgress::Done;
        }
        // Without a goal no cop ever comes where the robber stands, or one is there already.
        if let (Outcome::Caught(_), Some(&goal)) = (outcome, self.goals.last()) {
            self.robber.path_to(goal, &mut self.plan.path);
        }
        SearchProgress::Done
    }

    /// Appends the way to where the robber is free longest as far as is known.
    pub(super) fn path(&self, path: &mut Vec<Vertex>) {
        let free = self
            .robber
            .front
            .rim()
            .iter()
            .rev()
            .copied()
            .find(|&vertex| !self.closed.contains(vertex));
        if let Some(goal) = free.or(self.goals.last().copied()) {
            self.robber.path_to(goal, path);
        }
    }

    /// The plan, once the search is done.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan> {
        match self.outcome {
            Some(_) => Some(&self.plan),
            None => None,
        }
    }

    /// Begins, runs to the end and gives the plan.
    ///
    /// # Panics
    /// As [`Race::begin`].
    pub fn solve(&mut self, graph: &impl Network, state: &State<'_>) -> &Plan {
        self.begin(graph, state);
        while self.advance(graph, u32::MAX) == SearchProgress::Running {}
        &self.plan
    }

    /// Appends the vertices that were captured in the last turn, with the robber's steps to them.
    pub(super) fn goals(&self, goals: &mut Vec<(Vertex, u32)>) {
        for &goal in &self.goals {
            let (mut at, mut steps) = (goal, 0);
            while self.robber.parent[at.index()] != at {
                at = self.robber.parent[at.index()];
                steps += 1;
            }
            goals.push((goal, steps));
        }
    }

    pub(super) const fn turn(&self) -> u32 {
        self.turn
    }

    /// Calls `visit` for each vertex that a wave has reached, for some more than once.
    pub(super) fn for_each_reached(&self, visit: impl FnMut(Vertex)) {
        let cops = self.cops[..self.waves].iter();
        let waves = cops.map(|wave| &wave.front.vertices);
        let waves = std::iter::once(&self.robber.front.vertices).chain(waves);
        waves.flatten().copied().for_each(visit);
    }

    /// Calls `visit` for those of them that were not expanded.
    pub(super) fn for_each_on_rim(&self, visit: impl FnMut(Vertex)) {
        let cops = self.cops[..self.waves].iter().map(|wave| wave.front.rim());
        // A vertex where the robber was captured before it could go on is not expanded by its wave, but
        // by a wave of the cops.
        let rims = std::iter::once(self.robber.front.rim()).chain(cops);
        rims.flatten().copied().for_each(visit);
    }

    /// From now on a search ends after so many turns; 0 for none. See [`is_cut`](Self::is_cut).
    pub(super) const fn limit_turns(&mut self, turns: u32) {
        self.limit = turns;
    }

    /// Was the search ended by its limit, with the robber still free? Then the outcome is what is sure so
    /// far, and the path leads to any vertex where the robber is free, unless it is [aimed](Self::aim).
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The vertices on the rim of the robber's wave where it is free.
    fn free_rim(&self) -> impl Iterator<Item = Vertex> + '_ {
        let rim = self.robber.front.rim().iter().copied();
        rim.filter(|&vertex| !self.closed.contains(vertex))
    }

    /// Makes the plan of a search that was cut lead to the vertex of the rim where the robber is free that is
    /// farthest, the first of several.
    pub(super) fn aim(&mut self, far: impl Fn(Vertex) -> u64) {
        let rim = self.free_rim();
        let goal = rim.max_by_key(|&vertex| (far(vertex), std::cmp::Reverse(vertex)));
        if let Some(goal) = goal {
            self.plan.path.clear();
            self.robber.path_to(goal, &mut self.plan.path);
        }
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

    /// The wave of all cops of a speed, made ready when it is asked for first.
    fn wave(&mut self, speed: Speed, slots: usize) -> &mut CopWave {
        let known = self.cops[..self.waves]
            .iter()
            .position(|wave| wave.speed == speed.steps());
        let index = known.unwrap_or_else(|| {
            if self.cops.len() == self.waves {
                self.cops.push(CopWave::default());
            }
            self.cops[self.waves].start(speed, slots);
            self.waves += 1;
            self.waves - 1
        });
        &mut self.cops[index]
    }

    /// A step of the robber: on through vertices that no cop has reached.
    fn advance_robber(&mut self, graph: &impl Network, budget: &mut u32) {
        let Self { robber, closed, .. } = self;
        while *budget > 0
            && let Some(vertex) = robber.front.pop()
        {
            if closed.contains(vertex) {
                continue; // captured here before it could go on
            }
            *budget -= 1;
            let neighbours = graph.neighbours(vertex);
            self.touched += neighbours.len() as u64;
            for &neighbour in neighbours {
                if !closed.contains(neighbour) {
                    robber.take(neighbour, vertex);
                }
            }
        }
        if robber.front.step_is_over() && robber.front.step(robber.speed) {
            self.phase = Phase::Cops(0);
            self.turn += u32::from(self.cops_first);
        }
    }

    /// A step of all cops of a speed: on to everything they have not reached.
    fn advance_cops(&mut self, graph: &impl Network, wave: usize, budget: &mut u32) {
        let cops = &mut self.cops[wave];
        // Looked at after each vertex, so that slices see no less and no more.
        while *budget > 0
            && self.caught < self.robber.count
            && let Some(vertex) = cops.front.pop()
        {
            *budget -= 1;
            let neighbours = graph.neighbours(vertex);
            self.touched += neighbours.len() as u64;
            for &neighbour in neighbours {
                if !cops.reached.insert(neighbour) {
                    continue;
                }
                cops.front.vertices.push(neighbour);
                if self.closed.insert(neighbour) && self.robber.taken.contains(neighbour) {
                    self.caught += 1;
                    if self.last_turn != self.turn {
                        self.last_turn = self.turn;
                        self.goals.clear();
                    }
                    self.goals.push(neighbour);
                }
            }
        }
        if self.caught == self.robber.count {
            let turns = u16::try_from(self.last_turn).unwrap_or(u16::MAX);
            self.outcome = Some(Outcome::Caught(Turns(turns)));
        } else if cops.front.step_is_over() && cops.front.step(cops.speed) {
            self.end_cop_turn(wave);
        }
    }

    fn end_cop_turn(&mut self, wave: usize) {
        if wave + 1 < self.waves {
            self.phase = Phase::Cops(wave + 1);
            return;
        }
        self.phase = Phase::Robber;
        self.turn += u32::from(!self.cops_first);
        let waves = &self.cops[..self.waves];
        if waves.iter().all(|wave| wave.front.is_spent()) {
            self.outcome = Some(Outcome::Escapes);
        } else if self.limit > 0 && self.turn > self.limit && self.free_rim().next().is_some() {
            let turns = u16::try_from(self.turn).unwrap_or(u16::MAX);
            self.outcome = Some(Outcome::Caught(Turns(turns)));
            self.is_cut = true;
        }
    }
}
