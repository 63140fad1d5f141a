//! Decides whether cops begin to follow a proof, or continue with their plan.

use crate::endgame::Proof;
use crate::game::{Agent, Outcome, Side, State, Turns};
use crate::graph::{Graph, Vertex};
use crate::search::{FOUND, SlicedSearch as _, TrailMax};

/// Decides whether cops begin to follow a proof, or continue with their plan.
///
/// A proof that leaves cops out, or lets them only block exits, may be slower than the plan of all cops. A proof in
/// which all cops are players is rarely slower than a plan made without a guide, but often slower than a plan that a
/// [`RetractGuide`](super::RetractGuide) has chosen. Cops leave their plan for such a proof only if this costs
/// no turns: if the robber provably survives the plan's next move for at least as many turns as the proof promises.
/// [`TrailMax`] finds a lower bound on that survival: a path on which the robber stays free for this number of turns,
/// whatever the cops do after that move.
///
/// Measured with three cops against the optimal robber: they take 1.001 times the optimum instead of 1.076. If a proof
/// may promise 1.5 times as many turns, they take 1.023 times the optimum. Two cops with a guide take 1.003 times the
/// optimum instead of 1.011.
///
/// Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProofChoice {
    race: TrailMax,
    cops: Vec<Agent>,
}

impl ProofChoice {
    /// Returns whether cops begin to follow a proof for a state with the cops to move, and the number of expansions that it
    /// took to find out. `ends` are the vertices where
    /// the next moves of their plan end, in the order of the cops. `is_guided`: a retract has chosen these moves. If the
    /// comparison would take more than `limit` expansions, they follow the proof.
    ///
    /// Cost: a race of as many turns as the proof promises; none if all cops are players in the proof and without a
    /// guide.
    pub(crate) fn follows(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        proof: &Proof,
        ends: impl Iterator<Item = Vertex>,
        is_guided: bool,
        limit: u64,
    ) -> (bool, u64) {
        let Turns(bound) = proof.bound;
        let is_trusted = proof.players >= state.cops.len() && !is_guided;
        if bound == 0 || is_trusted {
            return (true, 0);
        }
        self.cops.clear();
        let moved = state.cops.iter().zip(ends);
        self.cops
            .extend(moved.map(|(&cop, at)| Agent { at, ..cop }));
        let after = State {
            cops: &self.cops,
            to_move: Side::Robber,
            ..*state
        };
        // Longer races make no difference.
        self.race.limit_turns(bound.into());
        self.race.begin(graph, &after);
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let progress = self.race.advance(graph, None, limit);
        let follows = match self.race.plan() {
            Some(plan) if progress == FOUND => match plan.outcome {
                Outcome::Escapes | Outcome::Away(_) => true,
                // The move of the plan is a turn, too.
                Outcome::Caught(Turns(turns)) => bound <= turns.saturating_add(1),
            },
            _ => true,
        };
        (follows, self.race.work().expansions)
    }
}
