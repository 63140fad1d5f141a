//! `TrailMax` in turns over any graph: wavefronts that race.

use super::frontier::{VisitedSet, Wave, Waves};
use super::plan::Plan;
use super::sliced::{FOUND, STALE, SearchStep};
use crate::game::{Outcome, Side, State, Step, Turns, Work};
use crate::graph::{Network, Vertex};

/// `TrailMax` over any graph, for cops and robbers of any speeds.
///
/// Two wavefronts race. The robber takes every vertex that it reaches before the cops. The cops take
/// every vertex that they can reach. The robber runs to the vertex of its own that the cops take last
/// (C. Moldenhauer, *Game tree search algorithms for the game of cops and robber*, section 5.4, equation
/// 5.1 and figure 5.12). On the graph of a map [`TrailMax`](super::TrailMax) has a faster search for
/// most games.
///
/// Runs in slices: [`begin`](Self::begin), [`advance`](Self::advance), then [`plan`](Self::plan). Any
/// slicing gives the same plan. The graph must not change during a search (only a change of the number
/// of vertex numbers is detected). Memory is kept from search to search.
///
/// Cost: at most two expansions per vertex, one by each side (cops of different speeds: one more for
/// each further speed). Memory: 16 bytes per vertex and 8 more for each speed of cops.
#[derive(Debug, Clone, Default)]
pub struct Race {
    /// The wave has visited the vertices that the robber reaches before the cops.
    robber: Wave,
    /// The predecessor of each of these vertices.
    parent: Vec<Vertex>,
    cops: Waves<Wave>,
    /// The vertices that some cop has reached.
    closed: VisitedSet,
    caught: usize,
    /// The vertices of the robber's wave that were captured last, all in the same turn, in order.
    goals: Vec<Vertex>,
    last_turn: u32,
    turn: u32,
    phase: NextWave,
    cops_first: bool,
    /// The slots of the graph that the search began on.
    slots: usize,
    /// The limit in turns; 0 for none.
    limit: u32,
    is_cut: bool,
    /// Whether the sides may walk on different graphs.
    is_apart: bool,
    /// The vertices where the robber is away, and their number.
    exits: VisitedSet,
    exit_count: usize,
    /// The exit that the robber reaches.
    away: Option<Vertex>,
    work: Work,
    outcome: Option<Outcome>,
    /// Valid once there is an outcome.
    plan: Plan,
}

/// The vertices where a robber is captured by cops that a search has on several graphs.
pub(super) trait Touch {
    /// Calls `visit` for each vertex on which the robber touches a cop that stands on another one. `ground`: the number of
    /// the cop's graph.
    fn touched_from(&self, ground: u8, cop: Vertex, visit: impl FnMut(Vertex));
}

/// A cop captures the robber on its own vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct SameVertex;

impl Touch for SameVertex {
    #[inline]
    fn touched_from(&self, _: u8, cop: Vertex, mut visit: impl FnMut(Vertex)) {
        visit(cop);
    }
}

/// The wave that moves next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NextWave {
    #[default]
    Robber,
    /// The wave of cops with this index.
    Cops(usize),
}

/// Ends a step of a wave; `true` if its turn is over.
fn end_step(wave: &mut Wave) -> bool {
    wave.steps += 1;
    let is_turn_over = !wave.front.next_layer() || wave.steps >= wave.speed;
    if is_turn_over {
        wave.steps = 0;
    }
    is_turn_over
}

impl Race {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the search for a state and forgets the previous search.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(&mut self, graph: &impl Network, state: &State<'_>) {
        self.begin_with(graph.slots(), state, |_| 0);
        self.is_apart = false;
    }

    /// Starts the search for agents that walk on different graphs with the same vertices. `ground`: the number of the graph
    /// of a cop. Continue with [`advance_apart`](Self::advance_apart).
    pub(super) fn begin_apart(
        &mut self,
        slots: usize,
        state: &State<'_>,
        ground: impl Fn(usize) -> u8,
    ) {
        self.is_apart = true;
        self.begin_with(slots, state, ground);
    }

    /// Lets the cops of a search [on several graphs](Self::begin_apart) that has just begun capture what they touch, from
    /// some steps away: their waves begin that much ahead.
    pub(super) fn extend_reach<'g, N: Network + 'g>(
        &mut self,
        graph_of_cops: impl Fn(u8) -> &'g N,
        reach: u8,
        touch: &impl Touch,
    ) {
        for wave in self.cops.iter_mut() {
            let graph = graph_of_cops(wave.ground);
            for _ in 0..reach {
                while let Some(vertex) = wave.front.pop() {
                    self.work.expansions += 1;
                    self.work.touched += wave.expand(graph, vertex);
                }
                wave.front.next_layer();
            }
            for &vertex in wave.front.vertices() {
                let closed = &mut self.closed;
                touch.touched_from(wave.ground, vertex, |at| _ = closed.insert(at));
            }
        }
        let at = self.robber.front.vertices().first().copied();
        if at.is_some_and(|at| self.closed.contains(at)) {
            self.outcome = Some(Outcome::Caught(Turns(0)));
        }
        self.settle();
    }

    /// Adds the vertices where the robber is away to a search [on several graphs](Self::begin_apart) that has just begun. The
    /// robber then runs to the exit that it reaches first before the cops, if there is one.
    pub(super) fn add_exits(&mut self, exits: impl Iterator<Item = Vertex>) {
        self.exits.clear(self.slots);
        for exit in exits {
            self.exits.insert(exit);
            self.exit_count += 1;
        }
        let at = self.robber.front.vertices().first().copied();
        let is_captured = self.outcome == Some(Outcome::Caught(Turns(0)));
        if self.exit_count > 0 && !is_captured {
            self.outcome = None;
            if let Some(at) = at.filter(|&at| self.exits.contains(at)) {
                self.get_away(at);
            }
        }
        self.settle();
    }

    fn get_away(&mut self, exit: Vertex) {
        // At the start, no turn has been played.
        let has_moved = self.parent[exit.index()] != exit;
        let turns = u16::try_from(self.turn).unwrap_or(u16::MAX);
        self.outcome = Some(Outcome::Away(Turns(if has_moved { turns } else { 0 })));
        self.away = Some(exit);
    }

    fn begin_with(&mut self, slots: usize, state: &State<'_>, ground: impl Fn(usize) -> u8) {
        self.slots = slots;
        self.closed.clear(slots);
        self.caught = 0;
        self.goals.clear();
        self.last_turn = 0;
        self.is_cut = false;
        (self.exit_count, self.away) = (0, None);
        self.turn = 1;
        self.work = Work::NONE;
        self.cops_first = state.to_move == Side::Cops;
        self.phase = if self.cops_first {
            NextWave::Cops(0)
        } else {
            NextWave::Robber
        };
        let robber = state.robber;
        self.robber.start(robber.speed.steps().into(), slots);
        self.robber.start_at(robber.at);
        self.robber.front.next_layer();
        // It never shrinks: the next graph may be a larger one.
        if self.parent.len() < slots {
            self.parent.resize(slots, robber.at);
        }
        self.parent[robber.at.index()] = robber.at;
        self.cops.clear();
        for (index, cop) in state.cops.iter().enumerate() {
            let (speed, ground) = (u64::from(cop.speed.steps()), ground(index));
            let is_it = |wave: &Wave| (wave.speed, wave.ground) == (speed, ground);
            let wave = self.cops.get(is_it, |wave| {
                wave.start(speed, slots);
                wave.ground = ground;
            });
            wave.start_at(cop.at);
            wave.front.next_layer();
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

    /// Continues for at most `budget` expansions.
    pub fn advance(&mut self, graph: &impl Network, budget: u32) -> SearchStep {
        self.advance_apart(graph, |_| graph, &SameVertex, budget)
    }

    /// The same for agents that walk on different graphs: that of the robber, and that of each number.
    pub(super) fn advance_apart<'g, N: Network + 'g>(
        &mut self,
        graph: &'g N,
        graph_of_cops: impl Fn(u8) -> &'g N,
        touch: &impl Touch,
        mut budget: u32,
    ) -> SearchStep {
        if graph.slots() != self.slots {
            return STALE;
        }
        let granted = budget;
        while self.outcome.is_none() && budget > 0 {
            match self.phase {
                NextWave::Robber => self.advance_robber(graph, &mut budget),
                NextWave::Cops(wave) => {
                    let graph = graph_of_cops(self.cops[wave].ground);
                    self.advance_cops(graph, wave, touch, &mut budget);
                }
            }
        }
        self.work.expansions += u64::from(granted - budget);
        self.settle()
    }

    /// Writes the plan if the search is at its end.
    fn settle(&mut self) -> SearchStep {
        let Some(outcome) = self.outcome else {
            return Step::Working;
        };
        self.plan.outcome = outcome;
        self.plan.path.clear();
        if self.is_cut {
            let goal = self.free_rim().last();
            if let Some(goal) = goal {
                path_to(&self.parent, goal, &mut self.plan.path);
            }
            return FOUND;
        }
        if let Some(exit) = self.away {
            path_to(&self.parent, exit, &mut self.plan.path);
            return FOUND;
        }
        if self.is_apart && outcome == Outcome::Escapes {
            // The nearest vertex that no cop ever reaches, which is the robber's own if no cop comes there.
            let mut reached = self.robber.front.vertices().iter().copied();
            if let Some(refuge) = reached.find(|&vertex| !self.closed.contains(vertex)) {
                path_to(&self.parent, refuge, &mut self.plan.path);
            }
            return FOUND;
        }
        // Without a goal, either no cop can ever reach the robber or one is already there.
        if let (Outcome::Caught(_), Some(&goal)) = (outcome, self.goals.last()) {
            path_to(&self.parent, goal, &mut self.plan.path);
        }
        FOUND
    }

    /// Appends the path to the vertex where the robber is known to stay free longest.
    pub(super) fn path(&self, path: &mut Vec<Vertex>) {
        let mut rim = self.robber.front.rim().iter().rev().copied();
        let free = rim.find(|&vertex| !self.closed.contains(vertex));
        if let Some(goal) = free.or(self.goals.last().copied()) {
            path_to(&self.parent, goal, path);
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

    /// Begins, runs to the end and returns the plan.
    ///
    /// # Panics
    /// As [`Race::begin`].
    pub fn solve(&mut self, graph: &impl Network, state: &State<'_>) -> &Plan {
        self.begin(graph, state);
        while self.advance(graph, u32::MAX).is_working() {}
        &self.plan
    }

    /// Appends the vertices that were captured in the last turn, with the robber's steps to them.
    pub(super) fn goals(&self, goals: &mut Vec<(Vertex, u32)>) {
        for &goal in &self.goals {
            let (mut at, mut steps) = (goal, 0);
            while self.parent[at.index()] != at {
                at = self.parent[at.index()];
                steps += 1;
            }
            goals.push((goal, steps));
        }
    }

    pub(super) const fn turn(&self) -> u32 {
        self.turn
    }

    /// Calls `visit` for each vertex that a wave has reached; for some of them more than once.
    pub(super) fn for_each_reached(&self, visit: impl FnMut(Vertex)) {
        let waves = std::iter::once(&self.robber).chain(self.cops.iter());
        let reached = waves.flat_map(|wave| wave.front.vertices());
        reached.copied().for_each(visit);
    }

    /// Calls `visit` for each reached vertex that was not expanded.
    pub(super) fn for_each_on_rim(&self, visit: impl FnMut(Vertex)) {
        // A vertex where the robber was captured before it could move on is expanded by a wave of the
        // cops, not by the robber's.
        let waves = std::iter::once(&self.robber).chain(self.cops.iter());
        let rims = waves.flat_map(|wave| wave.front.rim());
        rims.copied().for_each(visit);
    }

    /// Limits each search from now on to `turns` turns; 0 for no limit. See [`is_cut`](Self::is_cut).
    pub(crate) const fn limit_turns(&mut self, turns: u32) {
        self.limit = turns;
    }

    /// Returns whether the limit ended the search with the robber still free. The outcome is then a
    /// lower bound, and the path leads to some vertex where the robber is free, unless it is
    /// [aimed](Self::aim).
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The vertices on the rim of the robber's wave where the robber is free.
    fn free_rim(&self) -> impl Iterator<Item = Vertex> + '_ {
        let rim = self.robber.front.rim().iter().copied();
        rim.filter(|&vertex| !self.closed.contains(vertex))
    }

    /// After a search that was cut, makes the plan lead to the farthest vertex of the rim where the
    /// robber is free; of several the first.
    pub(super) fn aim(&mut self, far: impl Fn(Vertex) -> u64) {
        let rim = self.free_rim();
        let goal = rim.max_by_key(|&vertex| (far(vertex), std::cmp::Reverse(vertex)));
        if let Some(goal) = goal {
            self.plan.path.clear();
            path_to(&self.parent, goal, &mut self.plan.path);
        }
    }

    /// The work since the search began.
    #[must_use]
    pub const fn work(&self) -> Work {
        self.work
    }

    /// A step of the robber, through vertices that no cop has reached.
    fn advance_robber(&mut self, graph: &impl Network, budget: &mut u32) {
        let Self {
            robber,
            parent,
            closed,
            ..
        } = self;
        while *budget > 0
            && let Some(vertex) = robber.front.pop()
        {
            if closed.contains(vertex) {
                continue; // captured here before it could move on
            }
            *budget -= 1;
            let known = robber.front.len();
            let neighbours = graph.neighbours(vertex);
            self.work.touched += neighbours.len() as u64;
            robber.front.extend(neighbours, |next, _| {
                let is_new = !closed.contains(next) && robber.visited.insert(next);
                if is_new {
                    parent[next.index()] = vertex;
                }
                is_new
            });
            if self.exit_count > 0 {
                let mut new = robber.front.vertices()[known..].iter().copied();
                if let Some(exit) = new.find(|&at| self.exits.contains(at)) {
                    self.get_away(exit);
                    return;
                }
            }
        }
        if robber.front.is_layer_over() && end_step(robber) {
            self.turn += u32::from(self.cops_first);
            if !self.cops.is_empty() {
                self.phase = NextWave::Cops(0);
            } else if robber.front.rim().is_empty() {
                self.outcome = Some(Outcome::Escapes);
            } else {
                self.turn += u32::from(!self.cops_first);
            }
        }
    }

    /// A step of all cops of one speed, to all adjacent vertices that no cop has reached.
    fn advance_cops(
        &mut self,
        graph: &impl Network,
        index: usize,
        touch: &impl Touch,
        budget: &mut u32,
    ) {
        let Self {
            robber,
            cops,
            closed,
            goals,
            ..
        } = self;
        let cops = &mut cops[index];
        // Compared after each vertex, so that the result does not depend on slices.
        while *budget > 0
            && self.caught < robber.front.len()
            && let Some(vertex) = cops.front.pop()
        {
            *budget -= 1;
            let neighbours = graph.neighbours(vertex);
            self.work.touched += neighbours.len() as u64;
            cops.front.extend(neighbours, |next, _| {
                let is_new = cops.visited.insert(next);
                if is_new {
                    touch.touched_from(cops.ground, next, |at| {
                        if closed.insert(at) && robber.visited.contains(at) {
                            self.caught += 1;
                            if self.last_turn != self.turn {
                                self.last_turn = self.turn;
                                goals.clear();
                            }
                            goals.push(at);
                        }
                    });
                }
                is_new
            });
        }
        if self.caught == robber.front.len() {
            let turns = u16::try_from(self.last_turn).unwrap_or(u16::MAX);
            self.outcome = Some(Outcome::Caught(Turns(turns)));
        } else if cops.front.is_layer_over() && end_step(cops) {
            self.end_cop_turn(index);
        }
    }

    fn end_cop_turn(&mut self, wave: usize) {
        if wave + 1 < self.cops.len() {
            self.phase = NextWave::Cops(wave + 1);
            return;
        }
        self.phase = NextWave::Robber;
        self.turn += u32::from(!self.cops_first);
        if self.cops.iter().all(|wave| wave.front.is_layer_over()) {
            self.outcome = Some(Outcome::Escapes);
        } else if self.limit > 0 && self.turn > self.limit && self.free_rim().next().is_some() {
            let turns = u16::try_from(self.turn).unwrap_or(u16::MAX);
            self.outcome = Some(Outcome::Caught(Turns(turns)));
            self.is_cut = true;
        }
    }
}

/// Appends the path from the start of a wave to a vertex of it, without the start.
fn path_to(parent: &[Vertex], goal: Vertex, path: &mut Vec<Vertex>) {
    let begin = path.len();
    let mut at = goal;
    while parent[at.index()] != at {
        path.push(at);
        at = parent[at.index()];
    }
    path[begin..].reverse();
}
