//! The Cover heuristic: the vertices that each side reaches first.

use pursuit_engine::game::{Side, State, Work};
use pursuit_engine::graph::{Network, Vertex};
use pursuit_engine::search::{VisitedSet, Wave, Waves};

/// The rule by which vertices count as the robber's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoverRule {
    /// Vertices that the robber reaches whatever the cops do. The robber does not continue from a vertex that a cop can
    /// have reached by then, and cops continue through vertices that the robber covers. C. Moldenhauer, *Game tree
    /// search algorithms for the game of cops and robber*, second variation in section 5.3, figure 5.6.
    Redefined,
    /// Vertices that the robber reaches first. Neither side continues through vertices that the other covers. Isaza,
    /// Lu, Bulitko and Greiner, *A cover-based approach to multi-agent moving target pursuit*, as Moldenhauer describes
    /// it.
    Original,
}

/// The number of vertices that each side covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Covered {
    /// The robber's vertices.
    pub robber: usize,
    /// The cops' vertices that were counted. The redefined cover stops when the robber's wave ends; all vertices that
    /// the robber does not cover then belong to the cops.
    pub cops: usize,
}

/// The Cover heuristic: the part of a graph that the robber reaches before the cops.
///
/// Each agent spreads over the graph at its speed: a step of an agent of speed s takes 1/s of a turn.
/// Works for any number of cops of any speeds and a robber of any speed. If both sides would arrive at
/// the same time, the side to move comes first.
///
/// Cost: at most two expansions per vertex, one by each side (redefined cover with cops of different
/// speeds: one more for each further speed). Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub struct Cover {
    /// The wave has visited the vertices that the robber covers, and those that it covered before a cop came.
    robber: Wave,
    cops: Waves<Wave>,
    /// The vertices that some cop has reached.
    copped: VisitedSet,
    covered: Covered,
    work: Work,
}

/// Returns whether the next step of a wave ends no later than that of another wave.
const fn is_not_after(wave: &Wave, other: &Wave) -> bool {
    (wave.steps + 1) * other.speed <= (other.steps + 1) * wave.speed
}

/// Ends a step of a wave.
const fn end_step(wave: &mut Wave) {
    wave.front.next_layer();
    wave.steps += 1;
}

impl Cover {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts what each side covers in a state. A robber that is captured covers nothing.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn count(&mut self, graph: &impl Network, state: &State<'_>, rule: CoverRule) -> Covered {
        self.begin(graph.slots(), state);
        if state.is_capture() {
            self.robber.visited.clear(graph.slots());
            return Covered::default();
        }
        let robber_first = state.to_move == Side::Robber;
        loop {
            let wave = self.soonest();
            let robber_is_next = wave.is_none_or(|wave| {
                let cops = &self.cops[wave];
                if robber_first {
                    is_not_after(&self.robber, cops)
                } else {
                    !is_not_after(cops, &self.robber)
                }
            });
            let robber_is_spent = self.robber.front.is_layer_over();
            if robber_is_next && !robber_is_spent {
                self.step_robber(graph, rule);
            } else if let Some(wave) = wave
                && (rule == CoverRule::Original || !robber_is_spent)
            {
                self.step_cops(graph, wave, rule);
            } else {
                return self.covered;
            }
        }
    }

    /// Returns whether the robber covered the vertex in the last count.
    #[must_use]
    pub fn is_robbers(&self, vertex: Vertex) -> bool {
        self.robber.visited.contains(vertex)
    }

    /// The work of the last count.
    #[must_use]
    pub const fn work(&self) -> Work {
        self.work
    }

    /// Starts a wave at the vertex of each agent.
    fn begin(&mut self, slots: usize, state: &State<'_>) {
        self.copped.clear(slots);
        self.work = Work::NONE;
        self.covered = Covered { robber: 1, cops: 0 };
        self.robber.start(state.robber.speed.steps().into(), slots);
        self.robber.start_at(state.robber.at);
        self.robber.front.next_layer();
        self.cops.clear();
        for cop in state.cops {
            let speed = u64::from(cop.speed.steps());
            let wave = self
                .cops
                .get(|wave| wave.speed == speed, |wave| wave.start(speed, slots));
            wave.start_at(cop.at);
            wave.front.next_layer();
            self.covered.cops += usize::from(self.copped.insert(cop.at));
        }
    }

    /// The wave of the cops whose next step ends first; of several the first in the list.
    fn soonest(&self) -> Option<usize> {
        let alive = |&wave: &usize| !self.cops[wave].front.is_layer_over();
        (0..self.cops.len()).filter(alive).reduce(|best, wave| {
            if is_not_after(&self.cops[best], &self.cops[wave]) {
                best
            } else {
                wave
            }
        })
    }

    /// A step of the robber: expands the vertices of its rim that no cop has reached.
    fn step_robber(&mut self, graph: &impl Network, rule: CoverRule) {
        let Self {
            robber,
            copped,
            covered,
            ..
        } = self;
        while let Some(vertex) = robber.front.pop() {
            if copped.contains(vertex) {
                continue;
            }
            let neighbours = graph.neighbours(vertex);
            self.work.expansions += 1;
            self.work.touched += neighbours.len() as u64;
            robber.front.extend(neighbours, |next, _| {
                let is_cops = copped.contains(next);
                if (is_cops && rule == CoverRule::Original) || !robber.visited.insert(next) {
                    return false;
                }
                covered.robber += 1;
                // The robber may pass here, because the cops may have gone elsewhere.
                covered.cops -= usize::from(is_cops);
                true
            });
        }
        end_step(robber);
    }

    /// A step of all cops of a speed.
    fn step_cops(&mut self, graph: &impl Network, wave: usize, rule: CoverRule) {
        let Self {
            robber,
            cops,
            copped,
            covered,
            ..
        } = self;
        let wave = &mut cops[wave];
        while let Some(vertex) = wave.front.pop() {
            let neighbours = graph.neighbours(vertex);
            self.work.expansions += 1;
            self.work.touched += neighbours.len() as u64;
            wave.front.extend(neighbours, |next, _| {
                let is_robbers = robber.visited.contains(next);
                let goes_on = match rule {
                    CoverRule::Redefined => wave.visited.insert(next),
                    CoverRule::Original => !is_robbers && !copped.contains(next),
                };
                if goes_on {
                    let is_new = copped.insert(next) && !is_robbers;
                    covered.cops += usize::from(is_new);
                }
                goes_on
            });
        }
        end_step(wave);
    }
}
