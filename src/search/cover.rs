use super::VisitedSet;
use crate::game::{Side, Speed, State};
use crate::graph::{Network, Vertex};

/// Which vertices count as the robber's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoverRule {
    /// Those that it reaches whatever the cops do: its way on from a vertex ends where a cop can be
    /// by then, and cops go on through what the robber holds. The thesis' second variation, section
    /// 5.3 and figure 5.6.
    Redefined,
    /// Those that it reaches first. Neither side goes on through what the other holds. Isaza, Lu,
    /// Bulitko and Greiner, *A cover-based approach to multi-agent moving target pursuit*, as the
    /// thesis describes it.
    Original,
}

/// How many vertices each side covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Covered {
    /// The robber's.
    pub robber: usize,
    /// The cops', as far as they were counted: the redefined cover stops when the robber has come to
    /// its end, and what it does not hold then is the cops'.
    pub cops: usize,
}

/// The Cover heuristic: the part of a graph that the robber reaches before the cops.
///
/// Each agent spreads over the graph by its speed, a step of an agent of speed s taking 1/s of a
/// turn, for any number of cops of any speeds and a robber of any speed. Who moves next goes first
/// where both would come at the same time.
///
/// Cost: at most two expansions a vertex, one by each side (redefined cover with cops of different
/// speeds: one more for each further speed). Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub struct Cover {
    robber: Wave,
    /// The vertices the robber holds, or held before a cop came.
    robbers: VisitedSet,
    /// One wave for each different speed of the cops.
    cops: Vec<CopWave>,
    /// How many of `cops` the current search uses.
    waves: usize,
    /// The vertices some cop has reached.
    copped: VisitedSet,
    covered: Covered,
    expansions: u64,
    touched: u64,
}

/// The rim of what an agent has reached.
#[derive(Debug, Clone, Default)]
struct Wave {
    rim: Vec<Vertex>,
    next: Vec<Vertex>,
    /// How many steps the rim is away from the start.
    steps: u64,
    speed: u64,
}

#[derive(Debug, Clone, Default)]
struct CopWave {
    wave: Wave,
    /// What this wave has reached.
    reached: VisitedSet,
}

impl Wave {
    fn start(&mut self, speed: Speed) {
        self.rim.clear();
        self.next.clear();
        self.steps = 0;
        self.speed = u64::from(speed.steps());
    }

    /// Is the next step of this wave over before that of the other, or at the same time?
    const fn not_after(&self, other: &Self) -> bool {
        (self.steps + 1) * other.speed <= (other.steps + 1) * self.speed
    }

    fn step(&mut self) {
        self.rim.clear();
        std::mem::swap(&mut self.rim, &mut self.next);
        self.steps += 1;
    }
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
            return Covered::default();
        }
        self.place(state);
        let robber_first = state.to_move == Side::Robber;
        loop {
            let wave = self.soonest();
            let robber_is_next = wave.is_none_or(|wave| {
                let cops = &self.cops[wave].wave;
                if robber_first {
                    self.robber.not_after(cops)
                } else {
                    !cops.not_after(&self.robber)
                }
            });
            if robber_is_next && !self.robber.rim.is_empty() {
                self.step_robber(graph, rule);
            } else if let Some(wave) = wave
                && (rule == CoverRule::Original || !self.robber.rim.is_empty())
            {
                self.step_cops(graph, wave, rule);
            } else {
                return self.covered;
            }
        }
    }

    /// Did the robber hold the vertex in the count made last?
    #[must_use]
    pub fn is_robbers(&self, vertex: Vertex) -> bool {
        self.robbers.contains(vertex)
    }

    /// Expansions of the last count: vertices whose neighbours were generated.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Neighbours looked at in the last count.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.touched
    }

    fn begin(&mut self, slots: usize, state: &State<'_>) {
        self.robbers.clear(slots);
        self.copped.clear(slots);
        self.robber.start(state.robber.speed);
        self.waves = 0;
        self.covered = Covered::default();
        self.expansions = 0;
        self.touched = 0;
        for cop in state.cops {
            self.wave(cop.speed, slots);
        }
    }

    /// All agents take the vertices they stand on.
    fn place(&mut self, state: &State<'_>) {
        for cop in state.cops {
            let speed = u64::from(cop.speed.steps());
            let waves = &mut self.cops[..self.waves];
            let wave = waves.iter_mut().find(|wave| wave.wave.speed == speed);
            if let Some(wave) = wave
                && wave.reached.insert(cop.at)
            {
                wave.wave.rim.push(cop.at);
            }
            self.covered.cops += usize::from(self.copped.insert(cop.at));
        }
        self.robbers.insert(state.robber.at);
        self.robber.rim.push(state.robber.at);
        self.covered.robber = 1;
    }

    /// Makes the wave of all cops of a speed ready.
    fn wave(&mut self, speed: Speed, slots: usize) {
        let known = |wave: &CopWave| wave.wave.speed == u64::from(speed.steps());
        if self.cops[..self.waves].iter().any(known) {
            return;
        }
        if self.cops.len() == self.waves {
            self.cops.push(CopWave::default());
        }
        let wave = &mut self.cops[self.waves];
        wave.wave.start(speed);
        wave.reached.clear(slots);
        self.waves += 1;
    }

    /// The wave of the cops whose next step is over first, the earlier one of several.
    fn soonest(&self) -> Option<usize> {
        let alive = |&wave: &usize| !self.cops[wave].wave.rim.is_empty();
        (0..self.waves).filter(alive).reduce(|best, wave| {
            if self.cops[best].wave.not_after(&self.cops[wave].wave) {
                best
            } else {
                wave
            }
        })
    }

    /// A step of the robber, on from all of its rim that no cop has reached by now.
    fn step_robber(&mut self, graph: &impl Network, rule: CoverRule) {
        let Self { robber, copped, .. } = self;
        for &vertex in robber
            .rim
            .iter()
            .filter(|&&vertex| !copped.contains(vertex))
        {
            let neighbours = graph.neighbours(vertex);
            self.expansions += 1;
            self.touched += neighbours.len() as u64;
            for &next in neighbours {
                let is_cops = copped.contains(next);
                if (is_cops && rule == CoverRule::Original) || !self.robbers.insert(next) {
                    continue;
                }
                robber.next.push(next);
                self.covered.robber += 1;
                // It runs by the cops, who may have gone elsewhere.
                self.covered.cops -= usize::from(is_cops);
            }
        }
        robber.step();
    }

    /// A step of all cops of a speed.
    fn step_cops(&mut self, graph: &impl Network, wave: usize, rule: CoverRule) {
        let CopWave { wave, reached } = &mut self.cops[wave];
        for &vertex in &wave.rim {
            let neighbours = graph.neighbours(vertex);
            self.expansions += 1;
            self.touched += neighbours.len() as u64;
            for &next in neighbours {
                let is_robbers = self.robbers.contains(next);
                let goes_on = match rule {
                    CoverRule::Redefined => reached.insert(next),
                    CoverRule::Original => !is_robbers && !self.copped.contains(next),
                };
                if goes_on {
                    wave.next.push(next);
                    let is_new = self.copped.insert(next) && !is_robbers;
                    self.covered.cops += usize::from(is_new);
                }
            }
        }
        wave.step();
    }
}
