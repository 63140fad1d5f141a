//! Two cops that follow the solution of an abstract level.

use super::TeamCops;
use crate::game::{Agent, State};
use crate::graph::Vertex;
use crate::policy::guide::GuideField;
use crate::policy::{CopPolicy, Decision, Ground, Source};
use crate::search::{Compared, MoveEnds};

/// A turn in the units of [`Compared::worth`].
const TURN: f32 = 100.0;

/// Two cops that play as [`TeamCops`], helped by a [`Guide`](crate::policy::Guide).
///
/// The race of [`TeamSearch`](crate::search::TeamSearch) assumes that the cops know the path of the robber. Its
/// value is far too small where the robber waits for their choice, round an obstacle or between two exits. The
/// guide knows what that is worth, but not single cells. A joint move is therefore judged by the sum of both:
/// the race's worth and the guide's turns after the best reply. Measured: a weight of 1 for the guide is better
/// than 0.5, 2 and 3, and the sum is better than the greater of both.
///
/// Without a guide for the current map and rules, with another number of cops than two, and where the search
/// compares no pair, they are [`TeamCops`]. Like these they remember positions.
///
/// Cost: that of [`TeamCops`], and one value of the guide for each combination of abstract vertices near the
/// ends of the moves, at most some thousand. Replies over a cop's vertex count as possible for fast robbers.
#[derive(Debug, Clone, Default)]
pub struct GuidedCops {
    team: TeamCops,
    field: GuideField,
    moves: MoveEnds,
    replies: Vec<Vertex>,
    way: Vec<Vertex>,
}

impl GuidedCops {
    /// The cops of the pair, each with the end of its part of the best joint move. `None` if the guide does
    /// not apply, or if there is a capture, which the team makes anyway.
    fn guided(&mut self, ground: Ground<'_>, state: &State<'_>) -> Option<[(usize, Vertex); 2]> {
        let (guide, hierarchy) = (ground.guide?, ground.abstraction()?);
        let graph = ground.graph;
        if !guide.is_of(graph, hierarchy) || !guide.suits(state) {
            return None;
        }
        let compared = self.team.compared()?;
        let Agent { at, speed } = state.robber;
        self.replies.clear();
        self.replies.push(at);
        let ends = self.moves.find(graph, at, speed, |_| false);
        self.replies.extend_from_slice(ends);
        let (field, replies) = (&mut self.field, &self.replies);
        if !field.measure(guide, graph, hierarchy, replies, compared.ends) {
            return None;
        }
        let [first, second] = best(field, replies, &compared)?;
        let [one, other] = compared.cops;
        Some([(one, first), (other, second)])
    }
}

/// The ends of the best joint move; the first of several. `None` if there is a capture.
fn best(field: &GuideField, replies: &[Vertex], compared: &Compared<'_>) -> Option<[Vertex; 2]> {
    let mut best: Option<(f32, [Vertex; 2])> = None;
    for (row, &first) in compared.ends[0].iter().enumerate() {
        for (column, &second) in compared.ends[1].iter().enumerate() {
            let joint = [row, column];
            let worth = match compared.worth(joint) {
                Some(i64::MIN) => return None,
                Some(worth) => worth,
                None => continue, // both would wait
            };
            let open = replies.iter().enumerate();
            let open = open.filter(|&(_, &end)| end != first && end != second);
            let guided = open.map(|(reply, _)| field.turns(reply, joint));
            let total = worth as f32 / TURN + guided.fold(0.0, f32::max);
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, [first, second]));
            }
        }
    }
    best.map(|(_, ends)| ends)
}

impl CopPolicy for GuidedCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let mut decisions = self.team.decide(ground, state);
        let Some(choice) = self.guided(ground, state) else {
            return decisions;
        };
        for (cop, end) in choice {
            let (Some(decision), Some(cop)) = (decisions.get_mut(cop), state.cops.get(cop)) else {
                continue;
            };
            let &Agent { at, speed } = cop;
            if decision.way().last().copied().unwrap_or(at) == end {
                continue;
            }
            self.way.clear();
            if end != at {
                self.moves.find(ground.graph, at, speed, |_| false);
                self.moves.way_to(end, &mut self.way);
            }
            decision.take(&self.way, speed, Source::Search);
        }
        decisions
    }

    fn restart(&mut self, seed: u64) {
        self.team.restart(seed);
    }
}
