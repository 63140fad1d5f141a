//! Cops that play as a team until a capture is proven, and then follow the proof.

use super::GuidedCops;
use crate::endgame::{EndgameShapes, Endgames, Proof};
use crate::game::{Outcome, State, Turns, Value};
use crate::graph::{Fingerprint, Vertex};
use crate::policy::{CopPolicy, Decision, Ground, ProofChoice, Source};
use std::sync::Arc;

/// Cops that play as [`GuidedCops`] until an [endgame](crate::endgame) proves a capture. From then on they follow the
/// proof, whose bound on the number of turns falls with each turn.
///
/// They follow a proof that leaves cops out, or lets them stand guard, only where it cannot be slower than the plan of
/// the team: where the robber survives at least as many turns as the proof promises, whatever the cops do after the
/// move that the team has planned. If a retract guides the team, this holds for all proofs.
///
/// A decision solves the tables that it needs before it returns.
///
/// Cost: the cost of [`GuidedCops`]; up to three local tables (some ten milliseconds each) in each turn in which the
/// robber is near and there is no proof; and a race of [`TrailMax`](crate::search::TrailMax) in each turn in which
/// there is a proof that the cops do not follow yet.
#[derive(Debug, Default)]
pub struct EndgameCops {
    team: GuidedCops,
    endgames: Endgames,
    choice: ProofChoice,
    /// What the last decision has promised.
    promised: Option<Turns>,
    /// The map of the last decision.
    fingerprint: Option<Fingerprint>,
    /// The number of tables solved since the start.
    solved: u64,
}

impl EndgameCops {
    /// Cops that start with the tables of some shapes.
    #[must_use]
    pub fn with_shapes(shapes: Arc<EndgameShapes>) -> Self {
        let mut cops = Self::default();
        cops.endgames.use_shapes(shapes);
        cops
    }

    /// Collects the shapes whose tables are solved from now on: see [`Endgames::collect_shapes`].
    pub fn collect_shapes(&mut self) {
        self.endgames.collect_shapes();
    }

    /// The collected shapes: see [`Endgames::take_shapes`].
    pub fn take_shapes(&mut self) -> EndgameShapes {
        self.endgames.take_shapes()
    }

    /// The proof for a position with the cops to move, if there is one. Solves the tables that are needed for it.
    pub fn prove(&mut self, ground: Ground<'_>, state: &State<'_>) -> Option<Proof> {
        self.prove_noting(ground, state, |_| ())
    }

    /// Proves as [`Self::prove`] does, and calls `note` after each table that is solved; its region is the last one of
    /// the endgames.
    pub fn prove_noting(
        &mut self,
        ground: Ground<'_>,
        state: &State<'_>,
        mut note: impl FnMut(&Endgames),
    ) -> Option<Proof> {
        let now = ground.graph.fingerprint();
        if self.fingerprint.replace(now) != Some(now) {
            self.endgames.revise(ground.graph);
        }
        let Self {
            endgames, solved, ..
        } = self;
        endgames.prove_at_once(ground.graph, state, |endgames| {
            *solved += 1;
            note(endgames);
        })
    }

    /// The number of turns within which the cops capture the robber of the last decision, counted from that decision,
    /// if they follow a proof.
    #[must_use]
    pub const fn promised(&self) -> Option<Turns> {
        self.promised
    }

    /// The number of tables solved since the last [restart](CopPolicy::restart).
    #[must_use]
    pub const fn solved(&self) -> u64 {
        self.solved
    }

    /// The known endgames.
    #[must_use]
    pub const fn endgames(&self) -> &Endgames {
        &self.endgames
    }
}

impl CopPolicy for EndgameCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let mut decisions = self.team.decide(ground, state);
        let before = self.promised.take();
        let Some(proof) = self.prove(ground, state) else {
            return decisions;
        };
        let keeps_promise = before.is_some_and(|before| proof.bound < before);
        let end =
            |(decision, at): (&Decision, Vertex)| decision.way().last().copied().unwrap_or(at);
        let ends = decisions.iter().zip(state.cops.iter().map(|cop| cop.at));
        let ends = ends.map(end);
        let is_guided = ground.retract.is_some_and(|guide| guide.suits(state));
        let plan = (ends, is_guided);
        let unlimited = (&mut 0, u64::MAX);
        let follows = keeps_promise
            || self
                .choice
                .follows(ground.graph, state, &proof, plan, unlimited);
        if !follows {
            return decisions;
        }
        self.promised = Some(proof.bound);
        for of_cop in proof.moves {
            if let (Some(decision), Some(cop)) =
                (decisions.get_mut(of_cop.cop), state.cops.get(of_cop.cop))
            {
                *decision = Decision::along(of_cop.path, cop.speed, Source::Endgame);
                decision.value = Some(Value::AtMost(Outcome::Caught(proof.bound)));
            }
        }
        decisions
    }

    fn restart(&mut self, seed: u64) {
        self.team.restart(seed);
        self.endgames.clear();
        self.promised = None;
        self.solved = 0;
    }
}
