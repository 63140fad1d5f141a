//! The choice among the joint moves of a core by a retract that is solved for as many cops.

use super::candidates::ValuedSubset;
use super::leaders::Leaders;
use super::spending::{
    EXPANSIONS_OF_A_GUIDED_MOVE, EXPANSIONS_OF_A_GUIDED_VALUE, EXPANSIONS_OF_ONE_MOVE,
};
use super::{OpenTable, SubsetPlayer};
use crate::game::{JointMoves, JointOrder, Outcome, Rules, State, Turns};
use crate::graph::Graph;
use crate::policy::{RetractGuide, Slack};
use crate::table::CaptureTimes;

/// What helps a [`SubsetPlayer`] choose, beside its table.
#[derive(Debug, Clone, Copy)]
pub struct SubsetGuide<'a> {
    /// The solution of a retract of the map, for one cop more than the table is for. It knows how all of these cops
    /// together capture round the obstacles of the map, which the table does not. Another solution has no effect.
    pub retract: &'a RetractGuide,
    /// The number of turns within which the cops have announced a capture with their last move; `None` if they have
    /// announced none.
    pub announced: Option<Turns>,
}

/// A guide that applies to a position, and the number of turns within which the cops capture from there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guided<'a> {
    pub(super) retract: &'a RetractGuide,
    pub(super) within: Turns,
}

impl<'a> SubsetGuide<'a> {
    /// The guide for a position in which a subset captures within `bound` turns by a table of these rules. `None` if the
    /// guide is for other rules or another graph.
    pub(super) fn of(self, graph: &Graph, rules: Rules, bound: Outcome) -> Option<Guided<'a>> {
        let all = Rules {
            cops: rules.cops.saturating_add(1),
            ..rules
        };
        let Outcome::Caught(bound) = bound else {
            return None;
        };
        let most = Slack::OF_SUBSETS.within(bound);
        let within = match self.announced {
            Some(announced) if bound < announced => most.min(Turns(announced.0 - 1)),
            _ => most,
        };
        let Self { retract, .. } = self;
        let applies = retract.rules() == all && retract.is_of(graph);
        applies.then_some(Guided { retract, within })
    }
}

/// The joint moves of a core that are best by a guide. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(super) struct BestByGuide {
    /// The numbers of the moves, one joint move after another.
    numbers: Vec<usize>,
    /// For each joint move the steps of its cops to the robber, and the index of its first number.
    order: Vec<(u64, usize)>,
}

impl BestByGuide {
    fn clear(&mut self) {
        self.numbers.clear();
        self.order.clear();
    }

    fn add(&mut self, joint: &[usize], steps: u64) {
        self.order.push((steps, self.numbers.len()));
        self.numbers.extend_from_slice(joint);
    }
}

impl SubsetPlayer {
    /// Makes those joint moves of a subset and its partner candidates that are best by a guide, if some subset captures
    /// in time after each reply. Returns whether there are candidates afterwards.
    pub(super) fn list_guided(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
        bound: &ValuedSubset,
        Guided { retract, within }: Guided<'_>,
        most: usize,
    ) -> Option<bool> {
        let mut players = bound.players.clone();
        players.extend(self.partner(table, state.robber.at, &players));
        if players.len() != usize::from(retract.rules().cops.get()) {
            return Some(false);
        }
        self.begin_core(table, state.robber.at, &players)?;
        let Some(counts) = self.counts_of_moves(players.len()) else {
            return Some(false);
        };
        let joint_moves = counts.iter().product::<usize>() as u64;
        if joint_moves * EXPANSIONS_OF_A_GUIDED_MOVE > self.spending.left() {
            return Some(false);
        }
        let most_values = self.spending.left() / EXPANSIONS_OF_A_GUIDED_VALUE;
        self.find_best(retract, counts, most_values);
        let mut best = std::mem::take(&mut self.best_by_guide);
        best.order.sort_unstable();
        // Half of the work that is left is kept for races.
        let kept = (self.spending.left() / 2).max(EXPANSIONS_OF_ONE_MOVE);
        for &(_, first) in &best.order {
            if self.spending.left() < kept {
                break;
            }
            let joint = &best.numbers[first..first + players.len()];
            let is_in_time = self
                .core
                .is_in_time(table, joint, Outcome::Caught(within))?;
            self.spending.look_up(self.core.take_probes());
            if is_in_time {
                self.add_candidate(table, &players, joint, most)?;
            }
        }
        self.best_by_guide = best;
        Some(!self.candidates.is_empty())
    }

    /// Finds the joint moves of the core with the least value by a guide; `counts` are the numbers of moves of its cops.
    /// Looks up about `most_values` values at most, and then stops at the best joint moves so far.
    fn find_best(&mut self, retract: &RetractGuide, counts: Vec<usize>, most_values: u64) {
        let Self {
            core,
            team,
            best_by_guide: best,
            ..
        } = self;
        best.clear();
        let steps = |core: &Leaders, cop, number| u64::from(team.steps(core.end(cop, number)));
        let steps_of = |core: &Leaders, joint: &[usize]| {
            let moves = joint.iter().enumerate();
            moves.map(|(cop, &number)| steps(core, cop, number)).sum()
        };
        let nearest = counts.iter().enumerate();
        let nearest = nearest.filter_map(|(cop, &count)| {
            let moves = 0..count;
            moves.min_by_key(|&number| steps(core, cop, number))
        });
        let nearest: Vec<usize> = nearest.collect();
        // A good joint move at the beginning refutes most of the others.
        let mut least = core.value_by_guide(retract, &nearest, None);
        let mut joint_moves = JointMoves::default();
        joint_moves.start(JointOrder::FirstFastest, counts);
        while let Some(joint) = joint_moves.advance()
            && core.guided() < most_values
        {
            let Some(value) = core.value_by_guide(retract, joint, least) else {
                continue;
            };
            if least.is_none_or(|least| value < least) {
                best.clear();
                least = Some(value);
            }
            best.add(joint, steps_of(core, joint));
        }
        let values = core.take_guided();
        self.spending.expand(values * EXPANSIONS_OF_A_GUIDED_VALUE);
    }
}
