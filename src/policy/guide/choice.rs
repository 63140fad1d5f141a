//! The choice of two cops among joint moves, by a race and a guide together.

use super::{Guide, GuideField};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, State, Turns};
use crate::graph::{Graph, Vertex};
use crate::policy::RetractGuide;
use crate::search::{Compared, MoveEnds};

/// A turn in the units of [`Compared::worth`].
const TURN: f32 = 100.0;

/// The cost of a value of the guide and its blending, in expansions. Measured: a decision with some 700 values takes
/// 25 to 45 µs more than one without; the caches of a game are colder.
const COST_OF_A_VALUE: u64 = 2;

/// The weight of a turn by the solution of a retract, where the race has 1. Measured: 4 to 20 do about as well, 1 and 2
/// worse (docs/src/benchmarks.md).
const WEIGHT_OF_RETRACT: f32 = 6.0;

/// Chooses among the joint moves of two cops that a race has compared.
///
/// The race of [`TeamSearch`](crate::search::TeamSearch) assumes that the cops know the path of the robber. Its
/// value is far too small where the robber waits for their choice, round an obstacle or between two exits. The
/// guide knows what that is worth, but not single cells. A joint move is therefore judged by the sum of both:
/// the race's worth and the guide's turns after the best reply. Own work, not from the papers.
///
/// There are two kinds of guides. The solution of a retract has the cycles of the map with their lengths, and decides
/// almost alone; the race breaks ties. An abstract level distorts small cycles, and its weight is that of the race.
///
/// Measured (docs/src/benchmarks.md): a weight of 1 for a level is better than 0.5, 0.7, 1.4, 2 and 3, and than a
/// weight that grows with the difference between guide and race. The sum is better than the greater of both.
///
/// Cost: for a retract one value for each joint move and reply, at most 729 for agents of speed 1; for a level one for
/// each combination of abstract vertices near the ends of the moves, at most some thousand. Replies over a cop's vertex count as possible for fast robbers. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct GuideChoice {
    field: GuideField,
    moves: MoveEnds,
    replies: Vec<Vertex>,
    /// The joint moves with what they are worth to the robber, the best ones for the cops first.
    joint: Vec<(f32, [Vertex; 2])>,
    limit: Option<u64>,
    work: u64,
}

impl GuideChoice {
    /// Limits each choice from now on to a number of expansions. A choice that would take more is not made.
    pub(crate) const fn limit_work(&mut self, expansions: u64) {
        self.limit = Some(expansions);
    }

    /// The cops of the pair, each with the end of its part of the best joint move by the solution of a retract; the
    /// first of several that are equally good. `None` if the solution is not for this position, if the choice would
    /// take too much work, and if there is a capture, which the race finds anyway.
    ///
    /// `most` limits the choice to moves after which a capture within so many turns is [proven](RetractGuide::bound),
    /// whatever the robber replies; if there is none, it has no effect.
    pub(crate) fn by_retract(
        &mut self,
        guide: &RetractGuide,
        graph: &Graph,
        state: &State<'_>,
        compared: &Compared<'_>,
        most: Option<Turns>,
    ) -> Option<[(usize, Vertex); 2]> {
        self.work = 0;
        if !guide.is_of(graph) || !guide.suits(state) {
            return None;
        }
        self.find_replies(graph, state);
        let replies = &self.replies;
        let [rows, columns] = compared.ends.map(<[Vertex]>::len);
        let values = rows.saturating_mul(columns).saturating_mul(replies.len()) as u64;
        let limit = self.limit.unwrap_or(u64::MAX) / COST_OF_A_VALUE;
        if values > limit {
            return None;
        }
        self.work = values * COST_OF_A_VALUE;
        let worth_of_replies = |[row, column]: [usize; 2], taken: [Vertex; 2]| {
            let cops = [compared.ends[0][row], compared.ends[1][column]];
            let places = cops.map(|cop| guide.place(cop));
            let open = replies.iter().filter(|&reply| !taken.contains(reply));
            let turns = open.map(|&reply| match (guide.place(reply), places) {
                (Some(robber), [Some(first), Some(second)]) => {
                    guide.turns(robber, &mut [first, second])
                }
                _ => 0.0,
            });
            WEIGHT_OF_RETRACT * turns.fold(0.0, f32::max)
        };
        rank(compared, worth_of_replies, &mut self.joint)?;
        let is_within = |most: Turns, taken: &[Vertex; 2]| {
            let mut open = replies.iter().filter(|&reply| !taken.contains(reply));
            open.all(|&reply| (guide.bound(graph, reply, taken)).is_some_and(|bound| bound <= most))
        };
        let proven = most.and_then(|most| {
            let mut joint = self.joint.iter();
            joint.find(|(_, taken)| is_within(most, taken))
        });
        let (_, [first, second]) = *proven.or(self.joint.first())?;
        let [one, other] = compared.cops;
        Some([(one, first), (other, second)])
    }

    /// The same by the solution of an abstract level; `None` also if the level is too coarse.
    pub(crate) fn by_level(
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
        self.find_replies(graph, state);
        let (field, replies) = (&mut self.field, &self.replies);
        let most = self.limit.unwrap_or(u64::MAX) / COST_OF_A_VALUE;
        let ground = (graph, hierarchy);
        let is_known = field.measure(guide, ground, replies, compared.ends, most);
        self.work = field.looked_up().saturating_mul(COST_OF_A_VALUE);
        if !is_known {
            return None;
        }
        let worth_of_replies = |joint: [usize; 2], taken: [Vertex; 2]| {
            let open = replies.iter().enumerate();
            let open = open.filter(|(_, end)| !taken.contains(end));
            open.map(|(reply, _)| field.turns(reply, joint))
                .fold(0.0, f32::max)
        };
        rank(compared, worth_of_replies, &mut self.joint)?;
        let (_, [first, second]) = *self.joint.first()?;
        let [one, other] = compared.cops;
        Some([(one, first), (other, second)])
    }

    /// Lists where the robber may go.
    fn find_replies(&mut self, graph: &Graph, state: &State<'_>) {
        let Agent { at, speed } = state.robber;
        self.replies.clear();
        self.replies.push(at);
        let ends = self.moves.find(graph, at, speed, |_| false);
        self.replies.extend_from_slice(ends);
    }

    /// The work of the last choice, as the number of expansions that take as long.
    pub(crate) const fn work(&self) -> u64 {
        self.work
    }
}

/// Lists the joint moves by their worth to the robber, by the race and by `worth_of_replies` of their indices and ends
/// together; those of the least worth first, and of several that are equally good in the order of the race. `None` if
/// there is a capture.
fn rank(
    compared: &Compared<'_>,
    worth_of_replies: impl Fn([usize; 2], [Vertex; 2]) -> f32,
    ranked: &mut Vec<(f32, [Vertex; 2])>,
) -> Option<()> {
    ranked.clear();
    for (row, &first) in compared.ends[0].iter().enumerate() {
        for (column, &second) in compared.ends[1].iter().enumerate() {
            let joint = [row, column];
            let worth = match compared.worth(joint) {
                Some(i64::MIN) => return None,
                Some(worth) => worth,
                None => continue, // both would wait
            };
            let total = worth as f32 / TURN + worth_of_replies(joint, [first, second]);
            ranked.push((total, [first, second]));
        }
    }
    ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    Some(())
}
