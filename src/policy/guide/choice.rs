//! The choice of two cops among joint moves, by a race and a guide together.

use super::{Guide, GuideField};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, State};
use crate::graph::{Graph, Vertex};
use crate::search::{Compared, MoveEnds};

/// A turn in the units of [`Compared::worth`].
const TURN: f32 = 100.0;

/// The cost of a value of the guide and its blending, in expansions. Measured: a decision with some 700 values takes
/// 25 to 45 µs more than one without; the caches of a game are colder.
const COST_OF_A_VALUE: u64 = 2;

/// Chooses among the joint moves of two cops that a race has compared.
///
/// The race of [`TeamSearch`](crate::search::TeamSearch) assumes that the cops know the path of the robber. Its
/// value is far too small where the robber waits for their choice, round an obstacle or between two exits. The
/// guide knows what that is worth, but not single cells. A joint move is therefore judged by the sum of both:
/// the race's worth and the guide's turns after the best reply. Own work, not from the papers.
///
/// Measured (docs/src/benchmarks.md): a weight of 1 for the guide is better than 0.5, 0.7, 1.4, 2 and 3, and than a
/// weight that grows with the difference between guide and race. The sum is better than the greater of both.
///
/// Cost: one value of the guide for each combination of abstract vertices near the ends of the moves, at most some
/// thousand. Replies over a cop's vertex count as possible for fast robbers. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct GuideChoice {
    field: GuideField,
    moves: MoveEnds,
    replies: Vec<Vertex>,
    limit: Option<u64>,
    work: u64,
}

impl GuideChoice {
    /// Limits each choice from now on to a number of expansions. A choice that would take more is not made.
    pub(crate) const fn limit_work(&mut self, expansions: u64) {
        self.limit = Some(expansions);
    }

    /// The cops of the pair, each with the end of its part of the best joint move; the first of several that are
    /// equally good. `None` if the guide is not for this position or too coarse, if the choice would take too much work,
    /// and if there is a capture, which the race finds anyway.
    pub(crate) fn choose(
        &mut self,
        guide: &Guide,
        (graph, hierarchy): (&Graph, &Hierarchy),
        state: &State<'_>,
        compared: &Compared<'_>,
    ) -> Option<[(usize, Vertex); 2]> {
        self.work = 0;
        if !guide.suits_cops() || !guide.is_of(graph, hierarchy) || !guide.suits(state) {
            return None;
        }
        let Agent { at, speed } = state.robber;
        self.replies.clear();
        self.replies.push(at);
        let ends = self.moves.find(graph, at, speed, |_| false);
        self.replies.extend_from_slice(ends);
        let (field, replies) = (&mut self.field, &self.replies);
        let most = self.limit.unwrap_or(u64::MAX) / COST_OF_A_VALUE;
        let ground = (graph, hierarchy);
        let is_known = field.measure(guide, ground, replies, compared.ends, most);
        self.work = field.looked_up().saturating_mul(COST_OF_A_VALUE);
        if !is_known {
            return None;
        }
        let [first, second] = best(field, replies, compared)?;
        let [one, other] = compared.cops;
        Some([(one, first), (other, second)])
    }

    /// The work of the last choice, as the number of expansions that take as long.
    pub(crate) const fn work(&self) -> u64 {
        self.work
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
