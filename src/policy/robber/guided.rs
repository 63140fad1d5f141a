use crate::game::{Outcome, Side, State, Value};
use crate::graph::Vertex;
use crate::policy::guide::{Guide, GuideReader};
use crate::policy::{Decision, Effort, Ground, RobberPolicy, Source};
use crate::search::{BestMoves, MoveEnds, TrailMax};

/// The strongest robber without a table of the map: far from the cops it climbs the slope of a
/// [`Guide`], near them it takes of the moves that are best by [`TrailMax`] the one that is best by
/// the guide.
///
/// Without a guide for the map and rules as they are it is `TrailMax(1)`. It keeps no plans, so that it
/// answers whatever the cops do. Cost: far away nine values of the guide, some microseconds; near the
/// cops a `TrailMax` that sees no further than they get in `near` turns.
#[derive(Debug, Clone)]
pub struct GuidedRobber {
    near: u16,
    search: TrailMax,
    best: BestMoves,
    ends: MoveEnds,
    candidates: Vec<Vertex>,
    reader: GuideReader,
    way: Vec<Vertex>,
    effort: Effort,
}

impl GuidedRobber {
    /// Asks `TrailMax` where the guide says that the robber lasts at most `near` turns, or where a cop
    /// would be there in as many turns if there were no walls.
    #[must_use]
    pub fn new(near: u16) -> Self {
        Self {
            near,
            search: TrailMax::new(),
            best: BestMoves::default(),
            ends: MoveEnds::default(),
            candidates: Vec::new(),
            reader: GuideReader::default(),
            way: Vec::new(),
            effort: Effort::default(),
        }
    }

    /// The end of the move, `None` if the guide cannot say.
    fn guided(&mut self, ground: Ground<'_>, state: &State<'_>) -> Option<Vertex> {
        let (guide, hierarchy) = (ground.guide?, ground.hierarchy?);
        let graph = ground.graph;
        if !guide.is_of(graph, hierarchy) || !suits(guide, state) {
            return None;
        }
        let cops = state.cops.iter().map(|cop| cop.at);
        if !self.reader.set_cops(guide, graph, hierarchy, cops) {
            return None;
        }
        let (start, speed) = (state.robber.at, state.robber.speed);
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let ends = self.ends.find(graph, start, speed, is_cop);
        self.candidates.clear();
        self.candidates.push(start);
        self.candidates.extend_from_slice(ends);
        (self.effort.expansions, self.effort.touched) = self.ends.take_effort();
        let turns = self.reader.turns(guide, graph, hierarchy, start);
        if turns <= f32::from(self.near) || self.is_cop_near(ground, state) {
            self.search.solve(graph, state);
            self.best
                .retain(graph, &self.search, state, &mut self.candidates);
            let (expansions, touched) = self.best.effort();
            self.effort.expansions += self.search.expansions() + expansions;
            self.effort.touched += self.search.touched() + touched;
        }
        let mut best: Option<(f32, Vertex)> = None;
        for &end in &self.candidates {
            let turns = self.reader.turns(guide, graph, hierarchy, end);
            if best.is_none_or(|(most, _)| turns > most) {
                best = Some((turns, end));
            }
        }
        best.map(|(_, end)| end)
    }

    /// Could a cop be there in `near` turns if there were no walls?
    fn is_cop_near(&self, ground: Ground<'_>, state: &State<'_>) -> bool {
        let here = ground.graph.cell(state.robber.at);
        state.cops.iter().any(|cop| {
            let steps = ground.graph.cell(cop.at).max_norm(here);
            steps.div_ceil(u32::from(cop.speed.steps())) <= u32::from(self.near)
        })
    }
}

/// Is the game of the state the one that was solved?
fn suits(guide: &Guide, state: &State<'_>) -> bool {
    let rules = guide.rules();
    usize::from(rules.cops.get()) == state.cops.len()
        && state.robber.speed == rules.robber_speed
        && state.cops.iter().all(|cop| cop.speed == rules.cop_speed)
}

impl Default for GuidedRobber {
    /// Asks `TrailMax` within 12 turns: 10 to 16 are about as good, more is no better and dearer.
    fn default() -> Self {
        Self::new(12)
    }
}

impl RobberPolicy for GuidedRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) {
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        self.effort = Effort {
            planned: true,
            ..Effort::default()
        };
        if state.is_capture() {
            decision.take(&[], state.robber.speed, Source::Search);
            return;
        }
        if let Some(end) = self.guided(ground, &state) {
            self.way.clear();
            self.ends.way_to(end, &mut self.way);
            decision.take(&self.way, state.robber.speed, Source::Search);
            return;
        }
        let plan = self.search.solve(ground.graph, &state);
        decision.take(&plan.path, state.robber.speed, Source::Search);
        decision.value = Some(match plan.outcome {
            Outcome::Escapes => Value::Exact(Outcome::Escapes),
            caught @ Outcome::Caught(_) => Value::AtLeast(caught),
        });
        self.effort.expansions = self.search.expansions();
        self.effort.touched = self.search.touched();
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn restart(&mut self, _seed: u64) {}
}
