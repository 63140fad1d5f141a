//! The choice of cops among joint moves, by a race and a guide together.

use super::{Guide, GuideField};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, State, Turns};
use crate::graph::{Graph, Vertex};
use crate::policy::RetractGuide;
use crate::search::{Compared, MoveEnds};

/// A turn in the units of [`Compared::worth`].
const TURN: f32 = 100.0;

/// The cost of a value of the guide and of blending it, in expansions. Measured: a decision with some 700 values takes
/// 25 to 45 µs more than a decision without them; the caches are colder in a game.
const EXPANSIONS_OF_A_VALUE: u64 = 2;

/// The weight of a turn by the solution of a retract; the race has weight 1. Measured: weights of 4 to 20 play about
/// equally well, 1 and 2 worse.
const WEIGHT_OF_RETRACT: f32 = 6.0;

/// The most cops that a retract guides.
const MOST_GUIDED: usize = 3;

/// Chooses among the joint moves of cops, two of which a race has compared.
///
/// The race of [`TeamSearch`](crate::search::TeamSearch) assumes that the cops know the path of the robber. Its value
/// is far too small where the robber waits for the cops' choice, round an obstacle or between two exits. The guide
/// knows how many turns this waiting gains, but does not know single cells. A joint move is therefore judged by the sum
/// of both: the race's worth and the guide's turns after the best reply. Own work, not from the papers.
///
/// There are two kinds of guides. The solution of a retract has the cycles of the map with their true lengths, and
/// decides almost alone; the race breaks ties. An abstract level distorts small cycles, so it has the same weight as
/// the race.
///
/// Measured: for a level, a weight of 1 is better than 0.5, 0.7, 1.4, 2 and 3, and better than
/// a weight that grows with the difference between guide and race. The sum is better than the greater of both.
///
/// Cost: for a retract with two cops of speed 1, at most one value for each joint move and reply, 729 in total; with
/// three cops, about two values for each joint move, since most joint moves are refuted early. For a level, one value
/// for each combination of abstract vertices near the ends of the moves, at most some thousand. Replies over a cop's
/// vertex count as possible for fast robbers. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct GuideChoice {
    field: GuideField,
    moves: MoveEnds,
    replies: Vec<Vertex>,
    /// Where a third cop may go.
    thirds: Vec<Vertex>,
    chosen: Vec<(usize, Vertex)>,
    /// The greatest number of expansions of a choice; `None` if there is no limit.
    limit: Option<u64>,
    /// The work of the last choice, as the number of expansions that take as long.
    expansions: u64,
}

impl GuideChoice {
    /// Limits each choice from now on to a number of expansions. A choice that would need more is not made.
    pub(crate) const fn limit_work(&mut self, expansions: u64) {
        self.limit = Some(expansions);
    }

    /// [Chooses](Self::chosen) the best joint move by the solution of a retract; the first one if several are equally
    /// good. `None` if the solution is not for this position, if the choice would take too much work, or if a capture
    /// is possible at once, which the race finds anyway.
    ///
    /// With three cops, the race has compared the moves of two of them, for the move that it has chosen for the third.
    /// The choice here is among all joint moves.
    ///
    /// `most` limits the choice to moves after which a capture within `most` turns is [proven](RetractGuide::bound),
    /// whatever the robber replies. If there is no such move, `most` has no effect.
    pub(crate) fn by_retract(
        &mut self,
        guide: &RetractGuide,
        graph: &Graph,
        state: &State<'_>,
        compared: &Compared<'_>,
        most: Option<Turns>,
    ) -> Option<()> {
        self.expansions = 0;
        let all = state.cops.len();
        if !(2..=MOST_GUIDED).contains(&all) || !guide.is_of(graph) || !guide.suits(state) {
            return None;
        }
        self.find_replies(graph, state);
        let third = (0..all).find(|cop| !compared.cops.contains(cop));
        self.list_thirds(graph, state, compared, third);
        let [rows, columns] = compared.ends.map(<[Vertex]>::len);
        let pairs = rows.saturating_mul(columns) as u64;
        // Most joint moves of three cops are refuted by the first reply or the second.
        let values = match self.thirds.len() as u64 {
            0 => pairs.saturating_mul(self.replies.len() as u64),
            thirds => pairs.saturating_mul(2 * thirds),
        };
        let limit = self.limit.unwrap_or(u64::MAX) / EXPANSIONS_OF_A_VALUE;
        if values > limit {
            return None;
        }
        self.expansions = values * EXPANSIONS_OF_A_VALUE + self.moves.take_work().expansions;
        let mut best = BestByRetract {
            guide,
            graph,
            replies: &mut self.replies,
            most,
            least: f32::MAX,
            within: f32::MAX,
            ends: None,
        };
        for row in 0..rows {
            for column in 0..columns {
                let worth = match compared.worth([row, column]) {
                    Some(i64::MIN) => return None,
                    Some(worth) => worth as f32 / TURN,
                    None => continue, // both would wait
                };
                let (one, other) = (compared.ends[0][row], compared.ends[1][column]);
                if third.is_none() {
                    best.consider(worth, &[one, other]);
                }
                for &end in &self.thirds {
                    best.consider(worth, &[one, other, end]);
                }
            }
        }
        let ends = best.ends?;
        let cops = compared.cops.into_iter().chain(third);
        self.chosen.clear();
        self.chosen.extend(cops.zip(ends));
        Some(())
    }

    /// Lists where the third cop may go, if there is one; the move that has been chosen for it comes first.
    fn list_thirds(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        compared: &Compared<'_>,
        third: Option<usize>,
    ) {
        self.thirds.clear();
        if let Some(third) = third {
            let Agent { at, speed } = state.cops[third];
            self.thirds.push(compared.chosen(third));
            self.thirds.push(at);
            self.thirds
                .extend_from_slice(self.moves.find(graph, at, speed, |_| false));
        }
    }

    /// The same by the solution of an abstract level; `None` also if the level is too coarse.
    pub(crate) fn by_level(
        &mut self,
        guide: &Guide,
        graph: &Graph,
        hierarchy: &Hierarchy,
        state: &State<'_>,
        compared: &Compared<'_>,
    ) -> Option<()> {
        self.expansions = 0;
        if !guide.helps_cops(state) || !guide.is_of(graph, hierarchy) {
            return None;
        }
        self.find_replies(graph, state);
        let (field, replies) = (&mut self.field, &self.replies);
        let most = self.limit.unwrap_or(u64::MAX) / EXPANSIONS_OF_A_VALUE;
        let is_known = field.measure(guide, graph, hierarchy, replies, compared.ends, most);
        self.expansions = field.looked_up().saturating_mul(EXPANSIONS_OF_A_VALUE)
            + self.moves.take_work().expansions;
        if !is_known {
            return None;
        }
        let mut best: Option<(f32, [Vertex; 2])> = None;
        for (row, &one) in compared.ends[0].iter().enumerate() {
            for (column, &other) in compared.ends[1].iter().enumerate() {
                let worth = match compared.worth([row, column]) {
                    Some(i64::MIN) => return None,
                    Some(worth) => worth as f32 / TURN,
                    None => continue, // both would wait
                };
                let open = replies.iter().enumerate();
                let open = open.filter(|&(_, &reply)| reply != one && reply != other);
                let turns = open.map(|(reply, _)| field.turns(reply, [row, column]));
                let total = worth + turns.fold(0.0, f32::max);
                if best.is_none_or(|(least, _)| total < least) {
                    best = Some((total, [one, other]));
                }
            }
        }
        let (_, ends) = best?;
        self.chosen.clear();
        self.chosen.extend(compared.cops.into_iter().zip(ends));
        Some(())
    }

    /// The joint move that was chosen last: the cops for which a choice was made, each with the end of its move.
    pub(crate) fn chosen(&self) -> &[(usize, Vertex)] {
        &self.chosen
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
    pub(crate) const fn expansions(&self) -> u64 {
        self.expansions
    }
}

/// The best joint move so far by the solution of a retract.
struct BestByRetract<'a> {
    guide: &'a RetractGuide,
    graph: &'a Graph,
    /// The reply that refuted the last joint move comes first.
    replies: &'a mut [Vertex],
    most: Option<Turns>,
    /// The least total of all joint moves, and the least total of those after which a capture within `most` turns is
    /// proven.
    least: f32,
    within: f32,
    ends: Option<[Vertex; MOST_GUIDED]>,
}

impl BestByRetract<'_> {
    /// Considers a joint move, by where the cops are after it and by its worth in the race.
    fn consider(&mut self, worth: f32, taken: &[Vertex]) {
        let limit = if self.most.is_some() {
            self.within
        } else {
            self.least
        };
        let Some(total) = self.total(worth, taken, limit) else {
            return;
        };
        let is_within = self.most.is_some_and(|most| self.is_within(most, taken));
        if is_within {
            self.within = total;
        } else if self.within < f32::MAX || total >= self.least {
            return;
        }
        self.least = self.least.min(total);
        let mut ends = [taken[0]; MOST_GUIDED];
        ends[..taken.len()].copy_from_slice(taken);
        self.ends = Some(ends);
    }

    /// What the joint move is worth to the robber by the race and the guide; `None` if that is not below `limit`.
    fn total(&mut self, worth: f32, taken: &[Vertex], limit: f32) -> Option<f32> {
        let places: [Option<usize>; MOST_GUIDED] =
            std::array::from_fn(|cop| self.guide.place(*taken.get(cop)?));
        let mut most = 0.0_f32;
        for index in 0..self.replies.len() {
            let reply = self.replies[index];
            if taken.contains(&reply) {
                continue;
            }
            let mut cops = places.map(Option::unwrap_or_default);
            let is_known = places[..taken.len()].iter().all(Option::is_some);
            let robber = self.guide.place(reply).filter(|_| is_known);
            let turns = robber.map_or(0.0, |robber| {
                self.guide.turns(robber, &mut cops[..taken.len()])
            });
            most = most.max(turns);
            if worth + WEIGHT_OF_RETRACT * most >= limit {
                self.replies.swap(0, index);
                return None;
            }
        }
        Some(worth + WEIGHT_OF_RETRACT * most)
    }

    /// Returns whether, after each reply, a capture within this number of turns is proven.
    fn is_within(&self, most: Turns, taken: &[Vertex]) -> bool {
        let mut open = self.replies.iter().filter(|&reply| !taken.contains(reply));
        open.all(|&reply| {
            let bound = self.guide.bound(self.graph, reply, taken);
            bound.is_some_and(|bound| bound <= most)
        })
    }
}
