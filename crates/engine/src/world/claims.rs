//! Decides between what is proven, what the cops have announced, and what they plan.

use super::ladder::finding::{Findings, ProofKind, ProvenMoves};
use super::ladder::means::Means;
use super::together::PAIR;
use super::view::View;
use crate::game::{Rules, Turns};
use crate::graph::Vertex;
use crate::policy::{ProofChoice, Slack};

/// Compares proofs, announcements and plans. Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct Claims {
    choice: ProofChoice,
    /// Where the next moves of the cops' plans end.
    ends: Vec<Vertex>,
}

impl Claims {
    /// Compares what has been proven for cops with what they have announced and with their plans, and drops the proofs
    /// that the cops do not follow. Returns whether the cops would follow a further proof, for the moves of their plans,
    /// instead of the local proof that is left.
    ///
    /// A local table is followed if the cops have announced more turns than the table needs, and no retract guides their
    /// plans. Otherwise it is followed if the plans are not faster. If the plans may be faster, a local table that keeps an
    /// announced capture is replaced only by another proof that also keeps it.
    pub(super) fn compare_with_plans(
        &mut self,
        view: &View<'_>,
        found: &mut Findings,
        means: &mut Means<'_, '_>,
    ) -> bool {
        let Some(team) = view.team else {
            return false;
        };
        let promised = team.promised(view.facts);
        let local = found.local_proof().map(|proof| proof.bound);
        let Some(local) = local else {
            return true;
        };
        let keeps_promise = promised.is_some_and(|promised| local < promised);
        if !self.plans_may_be_faster(view, found, keeps_promise, means) {
            return promised.is_some_and(|promised| promised <= local);
        }
        if !keeps_promise {
            found.drop_local_proof();
        }
        true
    }

    /// Returns whether the plans of cops may be faster than the proof by a local table.
    fn plans_may_be_faster(
        &mut self,
        view: &View<'_>,
        found: &Findings,
        keeps_promise: bool,
        means: &mut Means<'_, '_>,
    ) -> bool {
        let Some((proof, team)) = found.local_proof().zip(view.team) else {
            return false;
        };
        let state = team.state;
        let graph = &view.facts.graph;
        let rules = Rules::of(&state, graph.moves());
        let pair = rules.map(|rules| Rules {
            cops: PAIR,
            ..rules
        });
        let retract = pair.and_then(|pair| means.cache.retract_guide(pair, view.facts.tick));
        if keeps_promise && retract.is_none() {
            return false;
        }
        team.ends_of_plans(view.facts, &mut self.ends);
        // The planner lets retracts choose the moves of two cops, not of larger teams.
        let is_guided = retract.is_some() && rules == pair;
        let most = means.purse.left_in_one();
        let ends = self.ends.iter().copied();
        let choice = &mut self.choice;
        let (follows, work) = choice.follows(graph, &state, proof, ends, is_guided, most);
        means.purse.spend(work);
        !follows
    }
}

impl Findings {
    /// Drops the proof by a local table: the cops follow their plans, or another proof.
    pub(super) fn drop_local_proof(&mut self) {
        self.drop_proofs(|proof: &ProvenMoves| matches!(proof.kind, ProofKind::Local(_)));
    }
}

/// The number of turns within which two cops announce to capture, where a retract proves `bound` and they have announced
/// `promised` turns with their last move. `None` if nothing is left to announce.
pub(super) fn number_to_announce(
    bound: Turns,
    promised: Option<Turns>,
    slack: Slack,
) -> Option<Turns> {
    match promised {
        _ if bound.0 == 0 => None,
        // The old promise stays even if the bound has fallen faster: a tighter promise would exclude good plans and cost turns.
        Some(promised) if bound < promised => Some(Turns(promised.0 - 1)),
        // The game has changed something, and what was announced cannot be kept. The cops announce another number in
        // their next turn.
        Some(_) => None,
        None => Some(slack.within(bound)),
    }
}
