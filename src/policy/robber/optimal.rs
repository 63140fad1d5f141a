use crate::game::{Outcome, State, Turns, Value};
use crate::graph::Vertex;
use crate::policy::{Decision, Effort, Ground, RobberPolicy, Source};
use crate::table::{Arena, CaptureTimes};
use std::fmt;
use std::sync::Arc;

/// Plays by a table: the robber of an equilibrium.
///
/// Of several optimal moves it takes the first as a breadth-first search meets them, neighbours in
/// the graph's order, and waits only where nothing else is as good. Where the table says nothing (a
/// map that has been edited, other rules) it waits.
#[derive(Clone)]
pub struct OptimalRobber {
    times: Arc<dyn CaptureTimes + Send + Sync>,
    arena: Arc<Arena>,
    cops: Vec<usize>,
    /// Where the robber gets, each with the index of where it came from.
    reached: Vec<(Vertex, usize)>,
    path: Vec<Vertex>,
    effort: Effort,
}

impl fmt::Debug for OptimalRobber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptimalRobber")
            .field("rules", &self.times.rules())
            .field("fingerprint", &self.times.fingerprint())
            .finish_non_exhaustive()
    }
}

impl OptimalRobber {
    /// Plays by `times`, which are of the map of `arena`.
    #[must_use]
    pub fn new(times: Arc<dyn CaptureTimes + Send + Sync>, arena: Arc<Arena>) -> Self {
        Self {
            times,
            arena,
            cops: Vec::new(),
            reached: Vec::new(),
            path: Vec::new(),
            effort: Effort::default(),
        }
    }

    /// Is the table of this map and these rules?
    fn knows(&self, ground: Ground<'_>, state: &State<'_>) -> bool {
        let graph = ground.graph;
        let rules = crate::game::Rules::of(state, graph.moves());
        rules == Some(self.times.rules()) && graph.fingerprint() == self.times.fingerprint()
    }

    /// Lists where the robber gets without stepping onto a cop, breadth-first, itself first.
    fn reach(&mut self, ground: Ground<'_>, state: &State<'_>) {
        self.reached.clear();
        self.reached.push((state.robber.at, 0));
        let mut rim = 0;
        for _ in 0..state.robber.speed.steps() {
            let end = self.reached.len();
            for from in rim..end {
                let neighbours = ground.graph.neighbours(self.reached[from].0);
                self.effort.expansions += 1;
                self.effort.touched += neighbours.len() as u64;
                for &next in neighbours {
                    let is_cop = state.cops.iter().any(|cop| cop.at == next);
                    if !is_cop && self.reached.iter().all(|&(known, _)| known != next) {
                        self.reached.push((next, from));
                    }
                }
            }
            rim = end;
        }
    }

    /// The value with the robber to move, and the index of where its first best move ends.
    fn best(&mut self) -> Option<(Outcome, usize)> {
        let mut best: Option<(Outcome, usize)> = None;
        // Waiting comes last.
        for index in (1..self.reached.len()).chain([0]) {
            let place = self.arena.place(self.reached[index].0)?;
            let value = self.times.value_at(place, &mut self.cops)?;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, index));
            }
        }
        best
    }
}

impl RobberPolicy for OptimalRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) {
        self.effort = Effort {
            planned: true,
            ..Effort::default()
        };
        decision.take(&[], state.robber.speed, Source::Greedy);
        if state.is_capture() {
            decision.value = Some(Value::Exact(Outcome::Caught(Turns(0))));
            return;
        }
        self.cops.clear();
        let places = state.cops.iter().map_while(|cop| self.arena.place(cop.at));
        self.cops.extend(places);
        if self.cops.len() < state.cops.len() || !self.knows(ground, state) {
            return;
        }
        self.reach(ground, state);
        let Some((value, mut index)) = self.best() else {
            return;
        };
        self.path.clear();
        while index > 0 {
            let (vertex, from) = self.reached[index];
            self.path.push(vertex);
            index = from;
        }
        self.path.reverse();
        decision.take(&self.path, state.robber.speed, Source::Table);
        decision.value = Some(Value::Exact(value));
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn restart(&mut self, _seed: u64) {}
}
